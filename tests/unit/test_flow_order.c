/*
 * Flow order: events of random traces come in the order of their times, and what depends on that order is as a plain
 * list of the events says: who allocated what is accessed, where threads moved, and on which node most of their
 * accesses were.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/flow/code.h"
#include "reports/ompp_flow.h"

enum { N_TRACES = 600, MOST_EVENTS = 48, N_THREADS = 4, N_CPUS = 3, N_NODES = 3, N_PLACES = 40, START = 1000000 };
enum { FIRST_ADDRESS = 0x10000, PLACE_BYTES = 8 };

/* An event as it is written; numbers of threads, processors and nodes begin with 0, and tid is 0 when not known.  Of
 * some the thread is not known, OMPP_FLOW_NONE. */
struct event {
	enum ompp_flow_kind kind;
	uint64_t time, address, n_bytes;
	uint32_t thread, cpu, node, tid;
};

static struct event events[MOST_EVENTS], sorted[MOST_EVENTS];
static uint32_t n_events;
static unsigned char bytes[OMPP_FLOW_HEAD_BYTES + OMPP_FLOW_BLOCK_HEAD_BYTES + MOST_EVENTS * OMPP_FLOW_EVENT_BYTES];

static uint32_t below(uint32_t n)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % n;
}

/* ---- the trace ---- */

/* Events of a thread are written in the order of their times, but accesses and touches later. */
static void choose_events(void)
{
	static const enum ompp_flow_kind kinds[] = { OMPP_FLOW_ALLOCATION, OMPP_FLOW_ALLOCATION, OMPP_FLOW_FREE,
		                                     OMPP_FLOW_ACCESS,     OMPP_FLOW_ACCESS,     OMPP_FLOW_TOUCH };

	n_events = 1 + below(MOST_EVENTS);
	for (uint32_t i = 0; i < n_events; i++) {
		enum ompp_flow_kind kind = kinds[below(sizeof(kinds) / sizeof(kinds[0]))];
		int is_late = kind == OMPP_FLOW_ACCESS || kind == OMPP_FLOW_TOUCH;

		events[i] = (struct event){ .kind = kind,
			                    .time = START + 2 * (is_late ? below(n_events) : i),
			                    .address = FIRST_ADDRESS + PLACE_BYTES * below(N_PLACES),
			                    .n_bytes = PLACE_BYTES * below(N_PLACES / 2),
			                    .thread = below(9) ? below(N_THREADS) : OMPP_FLOW_NONE,
			                    .cpu = below(N_CPUS),
			                    .node = below(N_NODES) };
		/* Which of several events of one time comes last makes no difference. */
		events[i].tid = (events[i].time / 2 + events[i].thread) % 3 ? 0 : 1 + events[i].time / 16 % 2;
	}
}

static size_t put_event(struct ompp_flow_state *state, const struct event *e, unsigned char *to)
{
	static const enum ompp_flow_code codes[] = { [OMPP_FLOW_ACCESS] = OMPP_FLOW_CODE_ACCESS,
		                                     [OMPP_FLOW_TOUCH] = OMPP_FLOW_CODE_TOUCH,
		                                     [OMPP_FLOW_ALLOCATION] = OMPP_FLOW_CODE_BEGIN,
		                                     [OMPP_FLOW_FREE] = OMPP_FLOW_CODE_END };
	uint64_t v[OMPP_FLOW_N_FIELDS] = { [OMPP_FLOW_THREAD] = e->thread == OMPP_FLOW_NONE ? 0 : e->thread + 1,
		                           [OMPP_FLOW_TIME] = e->time,
		                           [OMPP_FLOW_ADDRESS] = e->address,
		                           [OMPP_FLOW_CPU] = e->cpu + 1,
		                           [OMPP_FLOW_NODE] = e->node + 1,
		                           [OMPP_FLOW_TID] = e->tid,
		                           [OMPP_FLOW_SITE] = 1,
		                           [OMPP_FLOW_BYTES] = e->n_bytes,
		                           [OMPP_FLOW_LEVEL] = OMPP_MEM_LOADS };

	return ompp_flow_put(state, codes[e->kind], v, (1u << OMPP_FLOW_N_FIELDS) - 1, to);
}

static struct ompp_flow *open_events(void)
{
	struct ompp_flow_head head = { OMPP_FLOW_VERSION, 42, 4096, 0, START, 7, 1 };
	struct ompp_flow_block block = { .type = OMPP_FLOW_BLOCK_EVENTS, .n_events = n_events, .time_ns = START };
	unsigned char *content = bytes + OMPP_FLOW_HEAD_BYTES + OMPP_FLOW_BLOCK_HEAD_BYTES;
	struct ompp_flow_state state = { 0 };
	struct ompp_flow *flow;

	ompp_flow_head_put(&head, bytes);
	for (uint32_t i = 0; i < n_events; i++)
		block.n_bytes += (uint32_t)put_event(&state, &events[i], content + block.n_bytes);
	block.n_plain_bytes = block.n_bytes;
	ompp_flow_block_put(&block, content, bytes + OMPP_FLOW_HEAD_BYTES);
	assert_int_equal(ompp_flow_open_bytes(&flow, bytes, (size_t)(content - bytes) + block.n_bytes), 0);
	return flow;
}

/* ---- what is expected ---- */

static void sort_events(void)
{
	for (uint32_t i = 0; i < n_events; i++) {
		uint32_t at = i;

		for (; at > 0 && sorted[at - 1].time > events[i].time; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = events[i];
	}
}

/* The blocks that live, each begin once: a list without any order. */
static struct {
	uint64_t lo, hi;
	uint32_t thread;
} live[MOST_EVENTS * 2];
static size_t n_live;

static void remove_at(uint64_t lo)
{
	for (size_t i = 0; i < n_live; i++)
		if (live[i].lo == lo)
			live[i--] = live[--n_live];
}

static void add_block(uint64_t lo, uint64_t hi, uint32_t thread)
{
	remove_at(lo);
	live[n_live].lo = lo;
	live[n_live].hi = hi;
	live[n_live++].thread = thread;
}

/* Returns the block that begins last before an address, or at it, when it holds the address; else n_live. */
static size_t block_of(uint64_t address)
{
	size_t last = n_live;

	for (size_t i = 0; i < n_live; i++)
		if (live[i].lo <= address && (last == n_live || live[i].lo > live[last].lo))
			last = i;
	return last < n_live && address < live[last].hi ? last : n_live;
}

static void end_block(uint64_t address, uint64_t n_bytes)
{
	size_t i = block_of(address);
	uint64_t lo, hi;
	uint32_t thread;

	if (i == n_live)
		return;
	lo = live[i].lo;
	hi = live[i].hi;
	thread = live[i].thread;
	remove_at(lo);
	if (lo < address)
		add_block(lo, address, thread);
	if (n_bytes && address + n_bytes < hi)
		add_block(address + n_bytes, hi, thread);
}

/* Does the event on the list of blocks.  Returns who allocated the memory at its address. */
static uint32_t allocator_of(const struct event *e)
{
	size_t i = block_of(e->address);
	uint32_t allocator = i == n_live ? OMPP_FLOW_NONE : live[i].thread;

	if (e->kind == OMPP_FLOW_FREE)
		end_block(e->address, e->n_bytes);
	if (e->kind != OMPP_FLOW_ALLOCATION)
		return allocator;
	add_block(e->address, e->address + e->n_bytes, e->thread);
	return e->thread;
}

static int is_access(const struct event *e)
{
	return e->kind == OMPP_FLOW_ACCESS || e->kind == OMPP_FLOW_TOUCH;
}

/* Returns the access of the same thread before one of `sorted`; NULL when there is none. */
static const struct event *access_before(uint32_t i)
{
	const struct event *e = &sorted[i];

	while (i-- > 0)
		if (is_access(&sorted[i]) && sorted[i].thread == e->thread)
			return &sorted[i];
	return NULL;
}

/* Returns 1 when a thread was on another processor at its access before.  Another tid is another thread. */
static int has_moved(uint32_t i)
{
	const struct event *e = &sorted[i],
			   *before = is_access(e) && e->thread != OMPP_FLOW_NONE ? access_before(i) : NULL;

	return before && before->cpu != e->cpu && (!before->tid || !e->tid || before->tid == e->tid);
}

/* ---- comparing ---- */

static void check_events(const struct ompp_flow *flow)
{
	struct ompp_flow_filter all = ompp_flow_all();
	struct ompp_flow_event e;
	uint32_t i = 0;

	n_live = 0;
	for (size_t at = 0; ompp_flow_next(flow, &all, &at, &e);) {
		if (e.kind == OMPP_FLOW_MIGRATION)
			continue;
		assert_true(i < n_events);
		assert_int_equal(e.kind, sorted[i].kind);
		assert_int_equal(e.time_ns, sorted[i].time);
		assert_int_equal(e.address, sorted[i].address);
		assert_int_equal(e.thread, sorted[i].thread);
		assert_int_equal(e.allocator, allocator_of(&sorted[i]));
		i++;
	}
	assert_int_equal(i, n_events);
}

/* Migrations have the times of the accesses that show them. */
static void check_migrations(const struct ompp_flow *flow)
{
	struct ompp_flow_filter f = ompp_flow_all();
	struct ompp_flow_event e;
	size_t at = 0;

	f.kinds = 1u << OMPP_FLOW_MIGRATION;
	for (uint32_t i = 0; i < n_events; i++) {
		if (!has_moved(i))
			continue;
		assert_true(ompp_flow_next(flow, &f, &at, &e));
		assert_int_equal(e.time_ns, sorted[i].time);
		assert_int_equal(e.thread, sorted[i].thread);
		assert_int_equal(e.cpu, sorted[i].cpu);
		assert_int_equal(e.node, sorted[i].node);
		assert_int_equal(e.from_cpu, access_before(i)->cpu);
		assert_int_equal(e.from_node, access_before(i)->node);
	}
	assert_false(ompp_flow_next(flow, &f, &at, &e));
}

/* Of nodes with as many accesses the first one is a thread's. */
static void check_thread(const struct ompp_flow *flow, uint32_t thread)
{
	const struct ompp_flow_thread *t = ompp_flow_thread(flow, thread);
	uint64_t on[N_NODES] = { 0 }, n[OMPP_FLOW_N_KINDS] = { 0 }, most = 0;
	uint64_t first = 0, last = 0;
	uint32_t node = OMPP_FLOW_NONE, tid = 0;

	for (uint32_t i = 0; i < n_events; i++) {
		if (sorted[i].thread != thread)
			continue;
		first = first ? first : sorted[i].time;
		last = sorted[i].time;
		n[sorted[i].kind]++;
		n[OMPP_FLOW_MIGRATION] += (uint64_t)has_moved(i);
		if (is_access(&sorted[i]))
			on[sorted[i].node]++;
		tid = is_access(&sorted[i]) && sorted[i].tid ? sorted[i].tid : tid;
	}
	for (uint32_t k = 0; k < N_NODES; k++)
		if (on[k] > most) {
			most = on[k];
			node = k;
		}
	if (!t) {
		assert_int_equal(n[OMPP_FLOW_ACCESS] + n[OMPP_FLOW_TOUCH] + n[OMPP_FLOW_ALLOCATION] + n[OMPP_FLOW_FREE],
		                 0);
		return;
	}
	assert_int_equal(t->node, node);
	assert_int_equal(t->n_accesses, n[OMPP_FLOW_ACCESS]);
	assert_int_equal(t->n_touches, n[OMPP_FLOW_TOUCH]);
	assert_int_equal(t->n_allocations, n[OMPP_FLOW_ALLOCATION]);
	assert_int_equal(t->n_migrations, n[OMPP_FLOW_MIGRATION]);
	assert_int_equal(t->tid, tid);
	assert_int_equal(t->first_ns, first);
	assert_int_equal(t->last_ns, last);
}

static void check_site(const struct ompp_flow *flow)
{
	const struct ompp_flow_site *site = ompp_flow_site(flow, 0);
	uint64_t n_blocks = 0, n_ended = 0, n_bytes = 0;

	for (uint32_t i = 0; i < n_events; i++) {
		n_blocks += sorted[i].kind == OMPP_FLOW_ALLOCATION;
		n_ended += sorted[i].kind == OMPP_FLOW_FREE;
		n_bytes += sorted[i].kind == OMPP_FLOW_ALLOCATION ? sorted[i].n_bytes : 0;
	}
	if (!site) {
		assert_int_equal(n_blocks + n_ended, 0);
		return;
	}
	assert_int_equal(site->n_blocks, n_blocks);
	assert_int_equal(site->n_ended, n_ended);
	assert_int_equal(site->n_bytes, n_bytes);
}

static void random_traces(void **state)
{
	(void)state;
	for (int i = 0; i < N_TRACES; i++) {
		struct ompp_flow *flow;

		choose_events();
		sort_events();
		flow = open_events();
		check_events(flow);
		check_migrations(flow);
		for (uint32_t thread = 0; thread < N_THREADS; thread++)
			check_thread(flow, thread);
		check_site(flow);
		ompp_flow_close(flow);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
