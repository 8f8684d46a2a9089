/*
 * Access, run: calls what code compiled with the plug-in calls, with runs of all kinds over objects that touch each
 * other, overlap and leave gaps.  What is counted for each object is what counting access by access in the test gives.
 */
#include "tests/unit/steps.h"

#include <stdio.h>
#include <stdlib.h>

#include "opari/hooks/plugin/counting.h"
#include "runtime/access/access.h"
#include "runtime/adapters/run_hooks.h"
#include "runtime/counters/work.h"
#include "runtime/data/known.h"
#include "runtime/data/order.h"
#include "runtime/memory/page_ticks.h"
#include "runtime/ompp.h"

enum { BYTES = 40960, MARGIN = 8192, RUNS = 3000, STORE = 8 };

static char memory[BYTES] __attribute__((aligned(4096)));

static struct {
	const char *name;
	uintptr_t lo, hi; /* offsets in memory */
	int64_t n[2], n_bytes[2];
} objects[] = {
	{ .name = "first", .lo = 100, .hi = 5000 },       { .name = "next", .lo = 5000, .hi = 5024 },
	{ .name = "small", .lo = 5024, .hi = 5027 },      { .name = "pages", .lo = 8192, .hi = 24576 },
	{ .name = "inside", .lo = 10001, .hi = 10101 },   { .name = "across", .lo = 12000, .hi = 13000 },
	{ .name = "over", .lo = 24000, .hi = 30000 },     { .name = "byte", .lo = 31000, .hi = 31001 },
	{ .name = "last", .lo = 31001, .hi = BYTES - 7 },
};

static uint64_t state = 88172645463325252u;

static uint64_t random_below(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % n;
}

static void name_all(void)
{
	ompp_access_made(0);
	for (size_t i = 0; i < OMPP_COUNT_OF(objects); i++) {
		ompp_data_begin(memory + objects[i].lo, objects[i].hi - objects[i].lo, objects[i].name);
		memset(objects[i].n, 0, sizeof(objects[i].n));
		memset(objects[i].n_bytes, 0, sizeof(objects[i].n_bytes));
	}
}

/* Counts one access in the test. */
static void expect_bytes(uintptr_t offset, uintptr_t n_bytes, unsigned int kind)
{
	uintptr_t end = offset + n_bytes;

	for (size_t i = 0; i < OMPP_COUNT_OF(objects); i++) {
		uintptr_t lo = offset > objects[i].lo ? offset : objects[i].lo;
		uintptr_t hi = end < objects[i].hi ? end : objects[i].hi;

		if (lo < hi) {
			objects[i].n[kind]++;
			objects[i].n_bytes[kind] += (int64_t)(hi - lo);
		}
	}
}

static void expect(uintptr_t offset, unsigned int how)
{
	expect_bytes(offset, (uintptr_t)1 << (how & 7), how / STORE);
}

static void check(void)
{
	static const enum ompp_access_field fields[2][2] = { { OMPP_ACCESS_LOADS, OMPP_ACCESS_LOAD_BYTES },
		                                             { OMPP_ACCESS_STORES, OMPP_ACCESS_STORE_BYTES } };
	const struct ompp_profile *p = collect();
	size_t n_found = 0;

	for (size_t j = 0; j < p->n_accesses; j++) /* no cache is modelled */
		for (int k = OMPP_ACCESS_L1_MISSES; k < OMPP_N_ACCESS_FIELDS; k++)
			assert_true(p->accesses[j].values[k] == OMPP_MISSING);
	for (size_t i = 0; i < OMPP_COUNT_OF(objects); i++)
		for (int kind = 0; kind < 2; kind++) {
			int64_t n = 0, n_bytes = 0;

			for (size_t j = 0; j < p->n_accesses; j++)
				if (!strcmp(p->objects[p->accesses[j].object].name, objects[i].name)) {
					n += p->accesses[j].values[fields[kind][0]];
					n_bytes += p->accesses[j].values[fields[kind][1]];
				}
			if (n != objects[i].n[kind] || n_bytes != objects[i].n_bytes[kind])
				printf("%s, %s: %lld accesses of %lld bytes, expected %lld of %lld\n", objects[i].name,
				       kind ? "stores" : "loads", (long long)n, (long long)n_bytes,
				       (long long)objects[i].n[kind], (long long)objects[i].n_bytes[kind]);
			assert_int_equal(n, objects[i].n[kind]);
			assert_int_equal(n_bytes, objects[i].n_bytes[kind]);
			n_found += n > 0;
		}
	assert_int_equal(n_found, 2 * OMPP_COUNT_OF(objects));
}

/* A loop: how often, and with which step; the offsets from `base` on stay in memory. */
struct loop {
	size_t n;
	int64_t step;
};

static struct loop random_loop(size_t most)
{
	struct loop loop = { random_below(8) ? random_below(most) : 0, (int64_t)random_below(129) - 64 };

	if (!random_below(4))
		loop.step = (1 << random_below(5)) * (random_below(2) ? 1 : -1);
	return loop;
}

/* Returns a base from which the loops stay in memory. */
static int64_t random_base(const struct loop *loops, int n_loops)
{
	int64_t lo = 0, hi = 16;

	for (int i = 0; i < n_loops; i++) {
		int64_t far = loops[i].n ? (int64_t)(loops[i].n - 1) * loops[i].step : 0;

		*(far < 0 ? &lo : &hi) += far;
	}
	assert_true(hi - lo < BYTES);
	return (int64_t)random_below((uint64_t)(BYTES - (hi - lo) + 1)) - lo;
}

static unsigned int random_how(void)
{
	return (unsigned int)(random_below(5) | random_below(2) * STORE);
}

static void test_runs(void **unused)
{
	(void)unused;
	name_all();
	assert_int_equal(ompp_access_runs, 1);
	for (int i = 0; i < RUNS; i++) {
		int n_loops = 1 + (int)random_below(3);
		struct loop loops[3] = { { 1, 0 }, { 1, 0 }, { 1, 0 } }, *l = loops;
		unsigned int how = random_how();
		uintptr_t base;
		int64_t offset;

		for (int j = 0; j < n_loops; j++)
			loops[j] = random_loop(n_loops == 1 ? 300 : 12);
		offset = random_base(loops, n_loops);
		base = (uintptr_t)memory + (uintptr_t)offset;
		if (n_loops == 1)
			ompp_access_run(base, (size_t)l[0].step, l[0].n, how);
		else if (n_loops == 2)
			ompp_access_run2(base, (size_t)l[0].step, l[0].n, (size_t)l[1].step, l[1].n, how);
		else
			ompp_access_run3(base, (size_t)l[0].step, l[0].n, (size_t)l[1].step, l[1].n, (size_t)l[2].step,
			                 l[2].n, how);
		for (size_t x = 0; x < l[0].n; x++)
			for (size_t y = 0; y < l[1].n; y++)
				for (size_t z = 0; z < l[2].n; z++)
					expect((uintptr_t)(offset + (int64_t)x * l[0].step + (int64_t)y * l[1].step +
					                   (int64_t)z * l[2].step),
					       how);
	}
	check();
}

static void test_blocks(void **unused)
{
	(void)unused;
	name_all();
	for (int i = 0; i < RUNS; i++) {
		struct loop loop = random_loop(300);
		uintptr_t offset = (uintptr_t)random_base(&loop, 1), n_bytes = 1 + random_below(16);
		unsigned int kind = (unsigned int)random_below(2);

		ompp_access_blocks((uintptr_t)memory + offset, (size_t)loop.step, loop.n, n_bytes,
		                   kind ? OMPP_SLOT_BLOCK_STORE : OMPP_SLOT_BLOCK_LOAD);
		for (size_t x = 0; x < loop.n; x++)
			expect_bytes(offset + x * (uintptr_t)loop.step, n_bytes, kind);
	}
	check();
}

/* Asks for a trace of pages.  Where libompp makes no thread that tells that an interval is over (host/clone.c), none
 * is. */
static void trace_pages(void)
{
	setenv("OMPP_PAGES", "hooks", 1);
	setenv("OMPP_PAGES_INTERVAL", "1ms", 1);
#if defined(__SANITIZE_THREAD__) || !(defined(__x86_64__) || defined(__aarch64__))
	ompp_page_ticks = OMPP_TICKS_ON;
#endif
}

/* With a trace of pages they are counted by page. */
static void test_paged_blocks(void **unused)
{
	trace_pages();
	test_blocks(unused);
	assert_non_null(ompp_access_known);
}

/* Where nobody tells that an interval is over, each access looks, and no page is known. */
static void test_blocks_without_ticks(void **unused)
{
	trace_pages();
	ompp_page_ticks = OMPP_TICKS_IMPOSSIBLE;
	test_blocks(unused);
	assert_null(ompp_access_known);
}

/* What the plug-in puts into the program for a site. */
struct in_line {
	struct ompp_access_site site;
	size_t n;
	uintptr_t lo, hi;
};

static size_t n_logged;

static void reset(struct in_line *s)
{
	s->n = 0;
	s->lo = UINTPTR_MAX;
	s->hi = 0;
}

static void count_in_line(struct in_line *s, uintptr_t base, size_t step, size_t n)
{
	uintptr_t last = base + (n - 1) * step, lo = base < last ? base : last, hi = base < last ? last : base;

	if (lo - s->site.lo >= s->site.limit || hi - s->site.lo >= s->site.limit) {
		if (n == 1 && !step && s->n < s->site.room) {
			s->site.log[s->n++] = base;
			n_logged++;
			return;
		}
		ompp_access_site(&s->site, s->n, s->lo, s->hi, base, step, n);
		reset(s);
		return;
	}
	s->n += n;
	s->lo = lo < s->lo ? lo : s->lo;
	s->hi = hi > s->hi ? hi : s->hi;
}

/* Accesses the last objects, which random loops may not reach. */
static void reach_end(void)
{
	for (int i = 0; i < 200; i++) {
		uintptr_t offset = BYTES - 3000 + random_below(2900);
		unsigned int how = random_how();

		ompp_access_run((uintptr_t)memory + offset, 0, 1, how);
		expect(offset, how);
	}
}

static void test_sites(void **unused)
{
	static union {
		struct ompp_access_members members;
		size_t words[3 + 2 * 3];
	} table;
	struct ompp_access_members *m = &table.members;

	(void)unused;
	name_all();
	for (int i = 0; i < RUNS / 10; i++) {
		int64_t lo = 0, hi = 0;
		int spread = random_below(2) ? BYTES - 2 * MARGIN : 200, where;
		struct in_line s = { .site = { .members = m } };
		size_t steps = random_below(40);

		m->n = 1 + random_below(3);
		for (size_t j = 0; j < m->n; j++) {
			int64_t distance = j ? (int64_t)random_below(129) - 64 : 0, end;

			m->member[j].distance = (size_t)distance;
			m->member[j].how = random_how();
			end = distance + (1 << (m->member[j].how & 7));
			lo = distance < lo ? distance : lo;
			hi = end > hi ? end : hi;
		}
		m->lo = (size_t)lo;
		m->n_bytes = (size_t)(hi - lo);
		reset(&s);
		where = MARGIN + (int)random_below((uint64_t)(BYTES - 2 * MARGIN - spread + 1));
		if (!random_below(3))
			where = 64 + (int)random_below(5200 - 64 - 200);
		for (size_t k = 0; k < steps; k++) {
			struct loop loop = random_below(2) ? (struct loop){ 1, 0 } : random_loop(20);
			int64_t offset = where + (int64_t)random_below((uint64_t)(where < MARGIN ? 200 : spread));

			if (where < MARGIN && loop.n)
				loop = (struct loop){ loop.n < 2 ? loop.n : 2, loop.step / 8 };
			if (!loop.n)
				continue;
			count_in_line(&s, (uintptr_t)memory + (uintptr_t)offset, (size_t)loop.step, loop.n);
			for (size_t x = 0; x < loop.n; x++)
				for (size_t j = 0; j < m->n; j++)
					expect((uintptr_t)(offset + (int64_t)x * loop.step) + m->member[j].distance,
					       (unsigned int)m->member[j].how);
		}
		ompp_access_site_end(&s.site, s.n, s.lo, s.hi);
	}
	reach_end();
	check();
}

/* A site that is in another object at each visit does without bounds in the end: those of before are no longer in it.
 */
static void test_visits_without_bounds(void **unused)
{
	static union {
		struct ompp_access_members members;
		size_t words[3 + 2];
	} table = { .members = { .n = 1, .n_bytes = 8 } };
	static const uintptr_t offsets[] = { 200, 8200, 13500, 30000 };
	struct in_line s = { .site = { .members = &table.members } };
	int n_unbounded = 0;

	(void)unused;
	name_all();
	table.members.member[0].how = 3;
	reset(&s);
	for (size_t i = 0; i < 400; i++) {
		uintptr_t offset = offsets[i % OMPP_COUNT_OF(offsets)];

		ompp_access_site(&s.site, 0, UINTPTR_MAX, 0, (uintptr_t)memory + offset, 0, 1);
		expect(offset, 3);
		n_unbounded += !s.site.limit;
		assert_true(!s.site.limit || s.site.limit > 16); /* all objects are larger */
	}
	assert_in_range(n_unbounded, 200, 399);
	ompp_access_site_end(&s.site, 0, UINTPTR_MAX, 0);
}

/* With a trace of pages accesses of sites wait for others, and none is lost or counted twice. */
static void test_waiting(void **unused)
{
	trace_pages();
	test_sites(unused);
	assert_non_null(ompp_access_known);
	assert_int_equal(ompp_access_known->n_logs, 0);
	assert_true(n_logged > RUNS / 10);
	for (int i = 0; i < OMPP_LOGS; i++) {
		assert_null(ompp_access_known->log[i].site);
		for (int k = 0; k < OMPP_LOG_ADDRESSES; k++)
			assert_int_equal(ompp_access_known->log[i].address[k], 0);
	}
}

/* Sites whose logs fill up side by side lose nothing to each other: there are more of them than logs. */
static void test_waiting_together(void **unused)
{
	enum { SITES = OMPP_LOGS + 2 };
	static struct in_line s[SITES];
	static union {
		struct ompp_access_members members;
		size_t words[3 + 2];
	} tables[SITES];

	(void)unused;
	trace_pages();
	name_all();
	for (int i = 0; i < SITES; i++) {
		struct ompp_access_members *m = &tables[i].members;

		*m = (struct ompp_access_members){ .n = 1 };
		m->member[0].how = random_how();
		m->n_bytes = (size_t)1 << (m->member[0].how & 7);
		s[i].site = (struct ompp_access_site){ .members = m };
		reset(&s[i]);
	}
	for (int i = 0; i < 20 * SITES * OMPP_LOG_ADDRESSES; i++) {
		struct in_line *one = &s[random_below(SITES)];
		uintptr_t offset = random_below(BYTES - 16);

		count_in_line(one, (uintptr_t)memory + offset, 0, 1);
		expect(offset, (unsigned int)one->site.members->member[0].how);
	}
	for (int i = 0; i < SITES; i++)
		ompp_access_site_end(&s[i].site, s[i].n, s[i].lo, s[i].hi);
	assert_true(n_logged > SITES * OMPP_LOG_ADDRESSES);
	reach_end();
	check();
	assert_int_equal(ompp_access_known->n_logs, 0);
}

/* Without ticks nothing waits. */
static void test_sites_without_ticks(void **unused)
{
	trace_pages();
	ompp_page_ticks = OMPP_TICKS_IMPOSSIBLE;
	test_sites(unused);
	assert_null(ompp_access_known);
	assert_int_equal(n_logged, 0);
}

/* Ends an execution of a nest that counted a run of n accesses, and a site that was visited once. */
static size_t execute(size_t nest, size_t n)
{
	static const struct {
		size_t n, lo, n_bytes, distance, how;
	} members = { 1, 0, 8, 0, 3 };
	struct ompp_access_site site = { .members = (const struct ompp_access_members *)(const void *)&members };

	ompp_access_gain = 0;
	ompp_access_run((uintptr_t)memory + 200, 8, n, 3);
	ompp_access_site(&site, 0, UINTPTR_MAX, 0, (uintptr_t)memory + 400, 0, 1);
	ompp_access_site_end(&site, 0, UINTPTR_MAX, 0);
	ompp_access_nest_end(nest);
	return ompp_access_n_short[nest % OMPP_N_NESTS] ^ nest / OMPP_N_NESTS << 8;
}

/* A nest is short when its calls take longer than hooks, by how much longer; that is forgotten as far as other
 * executions save time, or when another nest that is short has its place, but not when one that is long has. */
static void test_short_nests(void **unused)
{
	enum { NEST = 3 * OMPP_N_NESTS + 7, OTHER = 4 * OMPP_N_NESTS + 7 };
	enum { BY_3 = 3, BY_1 = 4 }; /* how much an execution that counts a run of so many weighs */
	unsigned int i;

	(void)unused;
	name_all();
	for (i = BY_3; i < OMPP_NEST_TRIES; i += BY_3)
		assert_int_equal(execute(NEST, 3), i);
	assert_int_equal(execute(NEST, 100), 0);
	for (i = BY_3; i < OMPP_NEST_TRIES; i += BY_3)
		assert_int_equal(execute(NEST, 3), i);
	assert_int_equal(execute(NEST, 9), OMPP_NEST_TRIES - 1 - 1); /* it saved a little */
	for (i = 0; i < 2; i++)
		assert_int_equal(execute(NEST, 3), OMPP_NEST_TRIES); /* handlers' nests may come beside */
	assert_true(execute(OTHER, 100) > UINT8_MAX);
	assert_int_equal(execute(NEST, 3), OMPP_NEST_TRIES);
	assert_int_equal(execute(OTHER, 1), BY_1);
	assert_int_equal(execute(NEST, 3), BY_3);
	assert_int_equal(execute((1 << OMPP_NEST_BITS) - 1, 1), BY_1);
	assert_int_equal(execute(NEST, 100), 0);
	assert_int_equal(ompp_access_n_short[6] + ompp_access_n_short[8], 0);
}

/* What needs each access ends the use of runs, and those of loops under way are counted one by one. */
static void test_order(void **unused)
{
	(void)unused;
	name_all();
	ompp_access_run((uintptr_t)memory + 200, 8, 100, 3);
	ompp_order_need();
	assert_int_equal(ompp_access_runs, 0);
	ompp_order_start();
	assert_int_equal(ompp_access_runs, 0);
	for (uintptr_t i = 0; i < 100; i++)
		expect(200 + 8 * i, 3);
	for (uintptr_t i = 0; i < BYTES - 16; i++)
		for (unsigned int how = 0; how <= STORE; how += STORE)
			expect(i, how);
	ompp_access_run((uintptr_t)memory, 1, BYTES - 16, 0);
	ompp_access_run((uintptr_t)memory, 1, BYTES - 16, STORE);
	check();
}

/* What the compilers' plug-ins say is what the library takes it for. */
static void test_agreed(void **unused)
{
	(void)unused;
	assert_int_equal(HOW_SIZE, OMPP_HOW_SIZE);
	assert_int_equal(HOW_STORE, OMPP_HOW_STORE);
	assert_int_equal(N_ACCESS_SIZES, OMPP_SIZES);
	assert_int_equal(BLOCK_LOAD, OMPP_SLOT_BLOCK_LOAD);
	assert_int_equal(BLOCK_STORE, OMPP_SLOT_BLOCK_STORE);
	assert_int_equal(NEST_TRIES, OMPP_NEST_TRIES);
	assert_int_equal(N_NESTS, OMPP_N_NESTS);
	assert_int_equal(NEST_BITS, OMPP_NEST_BITS);
	assert_int_equal(N_WORK, OMPP_WORK_WORDS);
	assert_int_equal(N_WORK_KINDS, OMPP_WORK_KINDS);
	assert_int_equal(WORK_SQRT, OMPP_WORK_SQRT);
	assert_int_equal(WORK_OTHER, OMPP_WORK_OTHER);
	assert_int_equal(WORK_VECTOR, OMPP_WORK_VECTOR);
	assert_int_equal(WORK_COMPARE, OMPP_WORK_COMPARE);
	assert_int_equal(WORK_MATH, OMPP_WORK_MATH);
	assert_int_equal(WORK_INT_DIV, OMPP_WORK_INT_DIV);
	for (int i = 0; i < N_ACCESS_SIZES; i++)
		assert_int_equal(strtol(access_sizes[i], NULL, 10), 1 << i);
	for (int i = 0; i < MOST_DIMENSIONS; i++)
		assert_memory_equal(run_names[i], "ompp_access_run", strlen("ompp_access_run"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_agreed),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_paged_blocks),
		cmocka_unit_test(test_blocks_without_ticks),
		cmocka_unit_test(test_sites),
		cmocka_unit_test(test_visits_without_bounds),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_waiting_together),
		cmocka_unit_test(test_sites_without_ticks),
		cmocka_unit_test(test_short_nests),
		cmocka_unit_test(test_order),
	};

	return RUN_APART(tests);
}
