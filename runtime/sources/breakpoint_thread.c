/*
 * Breakpoint, a thread's counters: see breakpoint.h.
 *
 * They form one group of events, so that they are read with one system call and start together.  The group's leader is
 * an event that never happens, as a group whose leader is stopped stops as a whole.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/sys.h"
#include "runtime/counters/event.h"
#include "runtime/sources/breakpoint_set.h"

enum {
	LEAST_HITS = 1000, /* a counter that is allowed fewer hits is not opened */
	OPEN_READS = 20    /* this many readings cost about as much as opening the counters again */
};

/* ---- what counters may cost ---- */

/* Returns the ns that this thread may still spend; a negative number when it has spent more. */
static int64_t left_ns(const struct ompp_breakpoints *own)
{
	return ompp_breakpoint_allowed_ns() - (int64_t)own->spent_ns;
}

/* Returns how many hits each of n counters may still have; 0 when there is no limit. */
static uint64_t allowed_hits(const struct ompp_breakpoints *own, uint32_t n)
{
	int64_t hits;

	if (!ompp_breakpoint_cost.begun_ns)
		return 0;
	hits = left_ns(own) / ((int64_t)ompp_breakpoint_cost.hit_ns * n + 1);
	return hits > LEAST_HITS ? (uint64_t)hits : LEAST_HITS;
}

/* After a reading, gives up the counters that were stopped, or all of them when reading itself costs too much.  A
 * counter that has used half of its hits gets more, if more are allowed.  For that all are opened again, as kernels
 * differ in how one counter of a group continues. */
static void breakpoint_thread_spend(struct ompp_breakpoints *own, const struct ompp_breakpoint_slot *slots)
{
	int is_low = 0;
	uint32_t i;

	if (!ompp_breakpoint_cost.begun_ns)
		return;
	own->spent_ns += ompp_breakpoint_cost.read_ns;
	for (i = 0; i < own->n; i++) {
		if (slots[i].kind == OMPP_BREAKPOINT_ALL) /* a store hits both of a word's counters at once */
			own->spent_ns += slots[i].n * ompp_breakpoint_cost.hit_ns;
		is_low |= own->last[i] >= own->allowed / 2;
		if (own->last[i] >= own->allowed)
			ompp_breakpoint_give_up(slots[i].object);
	}
	if (left_ns(own) < 0)
		ompp_breakpoint_give_up(OMPP_BREAKPOINT_ALL_OBJECTS);
	else if (is_low && allowed_hits(own, own->n) > LEAST_HITS)
		own->generation = 0;
}

/* ---- opening and closing ---- */

static int open_leader(struct ompp_breakpoints *own)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	own->leader = ompp_event_identify(ompp_event_open(&attr, -1), &own->leader_id);
	return own->leader < 0 ? own->leader : 0;
}

static void close_counters(struct ompp_breakpoints *own)
{
	while (own->n) {
		own->n--;
		ompp_event_close(own->fd[own->n], own->id[own->n]);
	}
	ompp_event_close(own->leader, own->leader_id);
	own->leader_id = 0;
}

/* Opens all counters, or none. */
static int open_counters(struct ompp_breakpoints *own, const struct ompp_breakpoint_counter *counters, uint32_t n)
{
	uint64_t hits = n ? allowed_hits(own, n) : 0;
	int rc = !n ? 0 : ompp_breakpoint_is_guarded() ? open_leader(own) : -OMPP_BREAKPOINT_UNGUARDED;
	uint32_t i;

	for (i = 0; i < n && !rc; i++) {
		int fd = ompp_event_identify(ompp_breakpoint_open(&counters[i], own->leader, hits), &own->id[i]);

		if (fd < 0) {
			rc = fd;
			break;
		}
		own->fd[i] = fd;
		own->object[i] = counters[i].object;
		own->kind[i] = counters[i].kind;
		own->last[i] = 0;
		own->n = i + 1;
	}
	if (n && !rc)
		rc = ompp_event_enable(own->leader);
	if (rc)
		close_counters(own);
	own->allowed = hits ? hits : UINT64_MAX;
	own->spent_ns += OPEN_READS * ompp_breakpoint_cost.read_ns;
	return rc;
}

/* Makes this thread count nothing until the set changes. */
static void breakpoint_thread_lose(struct ompp_breakpoints *own, int error)
{
	int none = 0;

	close_counters(own);
	atomic_compare_exchange_strong(&ompp_breakpoint_error, &none, -error);
}

static void lose_unguarded(void)
{
	if (ompp_breakpoint_n_open() && !ompp_breakpoint_is_guarded())
		breakpoint_thread_lose(ompp_breakpoint_mine, -OMPP_BREAKPOINT_UNGUARDED);
}

void ompp_breakpoint_block(int is_blocked)
{
	ompp_breakpoint_blocked = is_blocked;
	lose_unguarded();
}

void ompp_breakpoint_unguard(void)
{
	atomic_store(&ompp_breakpoint_unguarded, 1);
	lose_unguarded();
}

/* ---- reading ---- */

static size_t take_hits(struct ompp_breakpoints *own, struct ompp_breakpoint_slot *slots)
{
	uint64_t counts[OMPP_BREAKPOINTS + 1];
	uint32_t i;
	int rc;

	if (!own->n)
		return 0;
	if (!ompp_breakpoint_is_guarded())
		breakpoint_thread_lose(own, -OMPP_BREAKPOINT_UNGUARDED);
	if (atomic_load(&ompp_breakpoint_error)) {
		close_counters(own); /* no object is measured any more */
		return 0;
	}
	rc = ompp_event_id(own->leader) == own->leader_id ? ompp_event_read(own->leader, own->n + 1, counts) : -EBADF;
	if (rc) {
		breakpoint_thread_lose(own, rc);
		return 0;
	}
	for (i = 0; i < own->n; i++) {
		uint64_t count = counts[i + 1];

		slots[i] = (struct ompp_breakpoint_slot){ own->object[i], own->kind[i], count - own->last[i] };
		own->last[i] = count;
	}
	breakpoint_thread_spend(own, slots);
	return own->n;
}

size_t ompp_breakpoint_read(struct ompp_breakpoints *own, struct ompp_breakpoint_slot slots[OMPP_BREAKPOINTS])
{
	struct ompp_breakpoint_counter counters[OMPP_BREAKPOINTS];
	int rc;
	size_t n_slots = take_hits(own, slots);
	uint32_t now, n;

	if (ompp_breakpoint_mine != own && ompp_breakpoint_mine)
		ompp_breakpoint_stop(ompp_breakpoint_mine); /* its debug registers are needed here */
	ompp_breakpoint_mine = own;
	if (atomic_load_explicit(&ompp_breakpoint_generation, memory_order_relaxed) != own->generation &&
	    !atomic_load(&ompp_breakpoint_error)) {
		now = ompp_breakpoint_copy(counters, &n);
		if (now) {
			close_counters(own);
			own->generation = now;
			rc = open_counters(own, counters, n);
			if (rc)
				breakpoint_thread_lose(own, rc);
		}
	}
	return n_slots;
}

void ompp_breakpoint_stop(struct ompp_breakpoints *own)
{
	close_counters(own);
	own->generation = 0;
	if (ompp_breakpoint_mine == own)
		ompp_breakpoint_mine = NULL;
}

void ompp_breakpoint_after_fork(struct ompp_breakpoints *own)
{
	ompp_breakpoint_set_after_fork();
	close_counters(own);
	own->generation = 0;
}
