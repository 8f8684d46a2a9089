/*
 * Access, run: what compiled code calls where opari/hooks/plugin counts many accesses at once.
 *
 * A run is n accesses of one size, each a step behind the one before.  A site is a place in a loop that counts in line
 * the accesses to the object which it met last; it hands them over when it meets another, and behind the loop.
 */
#include "runtime/adapters/access_run.h"

#include <stdint.h>

#include "runtime/adapters/access_near.h"

#pragma GCC visibility push(hidden)

/* The plug-in's `how`. */
enum { HOW_SIZE = 7, HOW_STORE = 8, HOW_BITS = 4 };
_Static_assert((int)OMPP_SLOT_STORE == (int)HOW_STORE && OMPP_SLOT_LOAD == 0, "a store's bit is its slot");

const int *const ompp_access_by_runs = &ompp_access_runs;
const int *const ompp_access_by_order = &ompp_access_ordered;

/* Adds n accesses between lo and hi, their lowest and their highest address. */
static inline void add(uint64_t *words, unsigned int size, uintptr_t lo, uintptr_t hi, size_t n)
{
	uint64_t *extent = words + OMPP_SIZES;

	ompp_tally_add(words + size, n);
	if (__builtin_expect(lo - extent[0] >= extent[1] || hi - extent[0] >= extent[1], 0))
		ompp_tally_extend(extent, lo, hi - lo + ((size_t)1 << size));
}

/* Adds n accesses when a way holds all of them.  Returns where the way leads, or NULL. */
static inline const struct ompp_segment *count_near(struct ompp_tally *tally, uintptr_t lo, uintptr_t hi, size_t n,
                                                    unsigned int how)
{
	const struct ompp_segment *s = tally->way[ompp_way(lo)];
	unsigned int size = how & HOW_SIZE;

	if (__builtin_expect(!ompp_segment_holds(s, lo, size) || !ompp_segment_holds(s, hi, size), 0))
		return NULL;
	add(ompp_tally_word(tally, s->row, how & HOW_STORE), size, lo, hi, n);
	return s;
}

/* ---- accesses that wait ---- */

void ompp_count_waiting(struct ompp_known *known)
{
	struct ompp_tally *now = ompp_access_tally;
	uint32_t n = known->n_waiting, i;

	if (known->is_gathering)
		return;
	known->is_gathering = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (known->tally != now) /* a handler's loop finds what it interrupted */
		ompp_access_tally = (struct ompp_tally *)(uintptr_t)known->tally;
	for (i = 0; i < n; i++) {
		uintptr_t address = (uintptr_t)(known->waiting[i] >> HOW_BITS);
		unsigned int how = (unsigned int)known->waiting[i];

		if (!ompp_known_count(known, ompp_access_tally, address, how & HOW_SIZE, how & HOW_STORE))
			ompp_access_miss(address, how & HOW_SIZE, how & HOW_STORE);
	}
	if (known->tally != now)
		ompp_access_tally = now;
	known->n_waiting = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	known->is_gathering = 0;
}

/* Lets a single member wait.  Returns 0 when it cannot. */
static inline int may_wait_alone(const struct ompp_access_members *members, uintptr_t base)
{
	struct ompp_known *known = ompp_access_known;
	uint32_t n;

	if (!known || members->n != 1 || known->tally != ompp_access_tally || known->is_gathering)
		return 0;
	known->is_gathering = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	n = known->n_waiting;
	if (n < OMPP_KNOWN_WAITING) {
		known->waiting[n] = (uint64_t)base << HOW_BITS | members->member[0].how;
		known->n_waiting = n + 1;
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	known->is_gathering = 0;
	return n < OMPP_KNOWN_WAITING;
}

/* Lets the members of one visit wait.  Returns 0 when they cannot. */
static int may_wait(const struct ompp_access_members *members, uintptr_t base)
{
	struct ompp_known *known = ompp_access_known;
	uint32_t n;
	size_t i;

	if (!known || known->tally != ompp_access_tally || known->is_gathering)
		return 0;
	known->is_gathering = 1; /* as above */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	n = known->n_waiting;
	for (i = 0; i < members->n && n < OMPP_KNOWN_WAITING; i++)
		known->waiting[n++] = (uint64_t)(base + members->member[i].distance) << HOW_BITS |
		                      members->member[i].how;
	if (i == members->n)
		known->n_waiting = n;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	known->is_gathering = 0;
	return i == members->n;
}

/* Counts the members of one visit when each access is looked at closely. */
static __attribute__((noinline)) void count_members(const struct ompp_access_members *members, uintptr_t base)
{
	struct ompp_known *known = ompp_access_known;
	size_t i;

	if (may_wait(members, base))
		return;
	ompp_end_waiting();
	if (known && !known->is_gathering && ompp_access_tally->n_rows) {
		known->tally = ompp_access_tally;
		if (may_wait(members, base))
			return;
	}
	for (i = 0; i < members->n; i++) {
		uintptr_t address = base + members->member[i].distance;
		unsigned int how = (unsigned int)members->member[i].how;

		if (!ompp_count_known(ompp_access_tally, address, how & HOW_SIZE, how & HOW_STORE))
			ompp_access_miss(address, how & HOW_SIZE, how & HOW_STORE);
	}
}

/* ---- runs ---- */

/* Returns how far the last of n accesses is from the first one, in bytes. */
static inline size_t span(size_t step, size_t n)
{
	return step * (n - 1);
}

void ompp_access_run(uintptr_t base, size_t step, size_t n, unsigned int how)
{
	uintptr_t last, lo, hi;

	if (!n)
		return;
	last = base + span(step, n);
	lo = base < last ? base : last;
	hi = base < last ? last : base;
	if (count_near(ompp_access_tally, lo, hi, n, how))
		return;
	ompp_end_waiting();
	ompp_access_run_far(base, step, n, how & HOW_SIZE, how & HOW_STORE);
}

void ompp_access_blocks(uintptr_t base, size_t step, size_t n, size_t n_bytes, unsigned int slot)
{
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s;
	uintptr_t last, lo, hi;
	uint64_t *words;
	size_t i;

	if (!n)
		return;
	last = base + span(step, n);
	lo = base < last ? base : last;
	hi = (base < last ? last : base) + n_bytes - 1;
	s = tally->way[ompp_way(lo)];
	if (!OMPP_LOAD(ompp_access_by_runs) || !ompp_segment_holds(s, lo, 0) || !ompp_segment_holds(s, hi, 0)) {
		for (i = 0; i < n; i++)
			ompp_count_block(base + i * step, n_bytes, slot);
		return;
	}
	words = ompp_tally_word(tally, s->row, 0);
	ompp_tally_add(words + slot, n);
	ompp_tally_add(words + slot + 1, n * n_bytes);
	ompp_tally_extend(words + (slot == OMPP_SLOT_BLOCK_LOAD ? OMPP_SLOT_LOAD_EXTENT : OMPP_SLOT_STORE_EXTENT), lo,
	                  hi - lo + 1);
}

void ompp_access_order(const struct ompp_ordered_access *list, size_t n_list)
{
	ompp_access_in_order(list, n_list);
}

void ompp_access_run2(uintptr_t base, size_t step, size_t n, size_t step2, size_t n2, unsigned int how)
{
	size_t far, far2, i;
	uintptr_t lo = base, hi = base;

	if (!n || !n2)
		return;
	far = span(step, n);
	far2 = span(step2, n2);
	*((intptr_t)far < 0 ? &lo : &hi) += far;
	*((intptr_t)far2 < 0 ? &lo : &hi) += far2;
	if (count_near(ompp_access_tally, lo, hi, n * n2, how))
		return;
	for (i = 0; i < n; i++)
		ompp_access_run(base + i * step, step2, n2, how);
}

void ompp_access_run3(uintptr_t base, size_t step, size_t n, size_t step2, size_t n2, size_t step3, size_t n3,
                      unsigned int how)
{
	size_t i;

	for (i = 0; i < n && n2 && n3; i++)
		ompp_access_run2(base + i * step, step2, n2, step3, n3, how);
}

/* ---- sites ---- */

static void end_site(const struct ompp_access_site *site, size_t n, uintptr_t lo, uintptr_t hi)
{
	const struct ompp_access_members *members = site->members;
	size_t i;

	for (i = 0; n && i < members->n; i++) {
		size_t distance = members->member[i].distance, how = members->member[i].how;

		add(site->row + (how & HOW_STORE), how & HOW_SIZE, lo + distance, hi + distance, n);
	}
}

void ompp_access_site_end(struct ompp_access_site *site, size_t n, uintptr_t lo, uintptr_t hi)
{
	ompp_end_waiting();
	end_site(site, n, lo, hi);
}

/* Sets the bounds of a site to those of the segment that holds the members when the first one is at an address. */
static void find_bounds(struct ompp_access_site *site, uintptr_t address)
{
	const struct ompp_access_members *members = site->members;
	const struct ompp_segment *s = ompp_access_tally->way[ompp_way(address)];
	uintptr_t lo = OMPP_READ(&s->lo), n_bytes = OMPP_LOAD(&s->limit[0]);

	/* A segment that has ended may begin elsewhere: its limits are 0 meanwhile. */
	ompp_fence_acquire();
	site->limit = 0;
	if (n_bytes < members->n_bytes || lo != OMPP_LOAD(&s->lo))
		return;
	site->lo = lo - members->lo;
	site->limit = n_bytes - members->n_bytes + 1;
	site->row = ompp_tally_word(ompp_access_tally, s->row, 0);
}

enum { FEW = 4, MOST_MISSES = 32 };

static __attribute__((noinline)) void visit(struct ompp_access_site *site, size_t n_before, uintptr_t lo_before,
                                            uintptr_t hi_before, uintptr_t base, size_t step, size_t n)
{
	const struct ompp_access_members *members = site->members;
	size_t i;

	if (n == 1 && !n_before && !ompp_access_tally->row_end) { /* each access is looked at closely */
		count_members(members, base);
		return;
	}
	end_site(site, n_before, lo_before, hi_before);
	for (i = 0; i < members->n; i++)
		ompp_access_run(base + members->member[i].distance, step, n, (unsigned int)members->member[i].how);
	/* Bounds that are left at once are not worth finding. */
	if (n_before < FEW && site->n_misses == MOST_MISSES) {
		site->limit = 0;
		return;
	}
	site->n_misses = n_before < FEW ? site->n_misses + 1 : 0;
	find_bounds(site, base + span(step, n));
}

void ompp_access_site(struct ompp_access_site *site, size_t n_before, uintptr_t lo_before, uintptr_t hi_before,
                      uintptr_t base, size_t step, size_t n)
{
	if (n != 1 || n_before || !may_wait_alone(site->members, base))
		visit(site, n_before, lo_before, hi_before, base, step, n);
}

#pragma GCC visibility pop
