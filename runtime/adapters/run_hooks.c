/*
 * Run, hooks: the functions that code compiled with opari/hooks/plugin calls to count a run at once, which is n
 * accesses of one size, each a step after the one before.  Those of sites are in run_sites.c.
 */
#include "runtime/adapters/run_hooks.h"

#include <stdint.h>

#include "runtime/adapters/access_near.h"
#include "runtime/adapters/nest_gain.h"
#include "runtime/adapters/run_ends.h"
#include "runtime/adapters/run_log.h"
#include "runtime/data/grain.h"
#include "runtime/data/known_many.h"
#include "runtime/data/page.h"

#pragma GCC visibility push(hidden)

/* The plug-in's `how`. */
enum { HOW_BEHIND = 16 /* the run is over */ };
_Static_assert((int)OMPP_RUN_BEHIND == (int)HOW_BEHIND, "access/access_run.c has the same");

const int *const ompp_access_by_runs = &ompp_access_runs;
const int *const ompp_access_by_order = &ompp_access_ordered;

/* Adds n accesses when a way holds all of them.  Returns 1 when it does. */
static inline int count_near(struct ompp_tally *tally, struct ompp_run_ends e, size_t n, unsigned int how)
{
	const struct ompp_segment *s = tally->way[ompp_way(e.lo)];
	unsigned int size = how & OMPP_HOW_SIZE;

	if (__builtin_expect(!ompp_segment_holds(s, e.lo, size) || !ompp_segment_holds(s, e.hi, size), 0))
		return 0;
	ompp_tally_count_run(ompp_tally_word(tally, s->row, how & OMPP_HOW_STORE), e.lo, e.hi, n, size);
	return 1;
}

/* An execution's gain, in halves of a hook, at which it counts for as much as the bare fact that it was short or long.
 */
enum { GAIN_UNIT = 4, MOST_WEIGHT = 4 };

/* Returns how short a nest was, 0 to OMPP_NEST_TRIES, after an execution with this gain.  A single execution says
 * little. */
static unsigned int access_run_shorter(unsigned int n, int64_t gain)
{
	uint64_t weight = 1 + (uint64_t)(gain < 0 ? -gain : gain) / GAIN_UNIT;

	if (gain >= 0)
		return n > weight ? n - (unsigned int)weight : 0;
	if (weight > MOST_WEIGHT)
		weight = MOST_WEIGHT;
	return weight < OMPP_NEST_TRIES - n ? n + (unsigned int)weight : OMPP_NEST_TRIES;
}

void ompp_access_nest_end(size_t nest)
{
	uint16_t *n_short = &ompp_access_n_short[nest % OMPP_N_NESTS];
	unsigned int above = (unsigned int)nest / OMPP_N_NESTS << 8, n = *n_short ^ above;
	int64_t gain = ompp_access_gain;

	if (n > UINT8_MAX) { /* another nest's number is there */
		if (gain < 0)
			*n_short = (uint16_t)(above + access_run_shorter(0, gain));
	} else if (n < OMPP_NEST_TRIES && (n || gain < 0)) {
		*n_short = (uint16_t)(above + access_run_shorter(n, gain));
	}
}

/* Counts a run in memory that may have small blocks.  Returns 1 when all of it is in memory with one row. */
static inline int count_in_blocks(struct ompp_tally *tally, const struct ompp_segment *s, struct ompp_run_ends e,
                                  size_t n, unsigned int how)
{
	uint32_t row;

	if (!(s->row & OMPP_ROW_BLOCKS) || !ompp_segment_spans(s, e.hi, how & OMPP_HOW_SIZE))
		return 0;
	row = ompp_grain_row_of(ompp_grains_in(s, e.lo), e.lo, e.hi, s->row & ~(uint32_t)OMPP_ROW_FLAGS);
	if (!row || row >= tally->row_end)
		return 0;
	ompp_tally_count_run(ompp_tally_word(tally, row, how & OMPP_HOW_STORE), e.lo, e.hi, n, how & OMPP_HOW_SIZE);
	return 1;
}

/* Counts a run that is not within the segment of a way. */
static __attribute__((noinline)) void count_far(uintptr_t base, size_t step, size_t n, unsigned int how)
{
	struct ompp_tally *tally = ompp_access_tally;
	struct ompp_run_ends e = ompp_run_ends(base, step, n);
	const struct ompp_segment *s = tally->way[ompp_way(e.lo)];

	if (s->row & OMPP_ROW_PAGE && ompp_segment_spans(s, e.lo, 0) && count_in_blocks(tally, s, e, n, how))
		return;
	s = ompp_lead_to(tally, e.lo);
	if (s && (count_near(tally, e, n, how) || count_in_blocks(tally, s, e, n, how)))
		return;
	ompp_access_run_far(base, step, n, how & OMPP_HOW_SIZE, how & (OMPP_HOW_STORE | HOW_BEHIND));
}

/* Returns how many of n accesses of n_bytes are in the page of the first one, if that is wholly there; else 1. */
static inline size_t n_in_page(const struct ompp_known *known, uintptr_t base, size_t step, size_t n, size_t n_bytes)
{
	uintptr_t page = (uintptr_t)1 << ompp_known_bits(known), from = base & (page - 1);
	size_t further;

	if (from + n_bytes > page || !step)
		return from + n_bytes > page ? 1 : n;
	further = (intptr_t)step > 0 ? (page - n_bytes - from) / step : from / -step;
	return further < n - 1 ? further + 1 : n;
}

/* Hands the first accesses of the first run, up to the n-th one, to libompp. */
static void hand_run(struct ompp_known *known, const struct ompp_known_runs *r, size_t n, unsigned int how)
{
	ompp_log_end_tick(known);
	ompp_access_run_far(r->base, r->step2, n, how & OMPP_HOW_SIZE, how & (OMPP_HOW_STORE | HOW_BEHIND));
}

/* Takes accesses away from the begin of one run. */
static void take_away(struct ompp_known_runs *r, size_t n)
{
	r->base += n * r->step2;
	r->n2 -= n;
}

/* Returns 1 when runs may be counted by pages that are known: one that is over may have begun before what is in the
 * table, which access/access_run.c looks at. */
static inline int may_be_known(const struct ompp_known *known, unsigned int how)
{
	return OMPP_LOAD(&known->mine) && OMPP_LOAD(ompp_access_by_runs) &&
	       (!(how & HOW_BEHIND) || known->since_ns <= known->calm_ns);
}

/* Counts one run page by page, by itself where pages are known.  A handler, for which none are, hands over all. */
static void count_by_pages(struct ompp_known *known, struct ompp_known_runs *r, unsigned int how)
{
	uintptr_t odd = (r->base | r->step2) & (((uintptr_t)1 << r->size) - 1);
	size_t now;

	for (; r->n2 && OMPP_LOAD(&known->mine) && OMPP_LOAD(ompp_access_by_runs); take_away(r, now)) {
		now = !odd && may_be_known(known, how) ? ompp_known_count_runs(known, ompp_access_tally, r) : 0;
		if (!now) {
			now = n_in_page(known, r->base, r->step2, r->n2, (size_t)1 << r->size);
			hand_run(known, r, now, how);
		}
	}
	if (r->n2)
		hand_run(known, r, r->n2, how);
}

/* Counts runs while pages are traced. */
static __attribute__((noinline)) void count_runs(struct ompp_known *known, struct ompp_known_runs *r, unsigned int how)
{
	uintptr_t odd = (r->base | r->step2 | r->step) & (((uintptr_t)1 << r->size) - 1);
	struct ompp_known_runs first;
	size_t now;

	while (r->n) {
		now = !odd && may_be_known(known, how) ? ompp_known_count_runs(known, ompp_access_tally, r) : 0;
		r->base += now / r->n2 * r->step;
		r->n -= now / r->n2;
		now %= r->n2;
		if (!r->n)
			return;
		first = *r;
		first.n = 1;
		take_away(&first, now);
		count_by_pages(known, &first, how);
		r->base += r->step;
		r->n--;
	}
}

/* Counts a run while each access is looked at closely. */
static __attribute__((noinline)) void count_closely(uintptr_t base, size_t step, size_t n, unsigned int how,
                                                    struct ompp_run_ends e)
{
	struct ompp_known *known = ompp_access_known;

	if (known && may_be_known(known, how) &&
	    ompp_known_count_run(known, ompp_access_tally, base, step, n, e.lo, e.hi, how & OMPP_HOW_SIZE,
	                         how & OMPP_HOW_STORE))
		return;
	if (known)
		count_runs(known,
		           &(struct ompp_known_runs){ base, 0, 1, step, n, how & OMPP_HOW_SIZE, how & OMPP_HOW_STORE },
		           how);
	else
		ompp_access_run_far(base, step, n, how & OMPP_HOW_SIZE, how & (OMPP_HOW_STORE | HOW_BEHIND));
}

/* All calls are at the end, so that it saves no registers. */
void ompp_access_run(uintptr_t base, size_t step, size_t n, unsigned int how)
{
	struct ompp_tally *tally = ompp_access_tally;
	struct ompp_run_ends e;

	if (!n)
		return;
	ompp_nest_gain(n, 2, OMPP_RUN_COST);
	e = ompp_run_ends(base, step, n);
	if (count_near(tally, e, n, how))
		return;
	if (!tally->row_end)
		count_closely(base, step, n, how, e);
	else if (n == 1)
		ompp_count_far(base, tally, how & OMPP_HOW_SIZE, how & OMPP_HOW_STORE);
	else
		count_far(base, step, n, how);
}

/* Adds n blocks when the segment holds the lowest and the highest byte of all of them, and blocks may be counted at
 * once. Returns 1 then. */
static inline int count_blocks_in(struct ompp_tally *tally, const struct ompp_segment *s, struct ompp_run_ends e,
                                  size_t n, size_t n_bytes, unsigned int slot)
{
	uintptr_t last = e.hi + n_bytes - 1;

	if (__builtin_expect(!OMPP_LOAD(ompp_access_by_runs) || !ompp_segment_holds(s, e.lo, 0) ||
	                             !ompp_segment_holds(s, last, 0),
	                     0))
		return 0;
	ompp_tally_count_blocks(tally, s->row, e.lo, last, n, n_bytes, slot);
	return 1;
}

/* Counts as many of n blocks as are in the page of the first one, where that is known.  Returns how many that are. */
static size_t count_blocks_known(struct ompp_tally *tally, uintptr_t base, size_t step, size_t n, size_t n_bytes,
                                 unsigned int slot)
{
	struct ompp_known *known = ompp_access_known;
	struct ompp_run_ends e;

	if (!known || !OMPP_LOAD(ompp_access_by_runs))
		return 0;
	n = n_in_page(known, base, step, n, n_bytes);
	e = ompp_run_ends(base, step, n);
	return ompp_known_count_blocks(known, tally, base, step, n, n_bytes, e.lo, e.hi + n_bytes - 1, slot) ? n : 0;
}

/* Counts blocks that are not within the segment of a way. */
static __attribute__((noinline)) void count_blocks_far(uintptr_t base, size_t step, size_t n, size_t n_bytes,
                                                       unsigned int slot)
{
	struct ompp_run_ends e = ompp_run_ends(base, step, n);
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s = ompp_lead_to(tally, e.lo);
	size_t i, now;

	if (s && count_blocks_in(tally, s, e, n, n_bytes, slot))
		return;
	for (i = 0; i < n; i += now) {
		now = count_blocks_known(tally, base + i * step, step, n - i, n_bytes, slot);
		if (!now) {
			ompp_count_block(base + i * step, n_bytes, slot);
			now = 1;
		}
	}
}

void ompp_access_blocks(uintptr_t base, size_t step, size_t n, size_t n_bytes, unsigned int slot)
{
	struct ompp_tally *tally = ompp_access_tally;
	struct ompp_run_ends e;

	if (!n)
		return;
	ompp_nest_gain(n, 2, OMPP_RUN_COST);
	e = ompp_run_ends(base, step, n);
	if (!count_blocks_in(tally, tally->way[ompp_way(e.lo)], e, n, n_bytes, slot))
		count_blocks_far(base, step, n, n_bytes, slot);
}

void ompp_access_order(const struct ompp_ordered_access *list, size_t n_list)
{
	ompp_access_in_order(list, n_list, (uintptr_t)__builtin_return_address(0));
}

/* Returns what it takes to count n runs, in pages to look up. */
static size_t access_run_lookups(size_t n, size_t step, size_t n2)
{
	size_t far = ompp_absolute(step);

	return n * (2 + (far < OMPP_PAGE_BYTES ? n2 * far / OMPP_PAGE_BYTES : n2));
}

/* Counts n runs while pages are traced, in the order that takes less. */
static __attribute__((noinline)) void count_runs_closely(struct ompp_known *known, uintptr_t base, size_t step,
                                                         size_t n, size_t step2, size_t n2, unsigned int how)
{
	int is_other = n > n2 && access_run_lookups(n2, step, n) < access_run_lookups(n, step2, n2);
	struct ompp_known_runs r = { base,
		                     is_other ? step2 : step,
		                     is_other ? n2 : n,
		                     is_other ? step : step2,
		                     is_other ? n : n2,
		                     how & OMPP_HOW_SIZE,
		                     how & OMPP_HOW_STORE };

	ompp_access_gain += (int64_t)(n * n2 * 2) - (int64_t)r.n * OMPP_RUN_COST;
	count_runs(known, &r, how);
}

void ompp_access_run2(uintptr_t base, size_t step, size_t n, size_t step2, size_t n2, unsigned int how)
{
	struct ompp_tally *tally = ompp_access_tally;
	struct ompp_run_ends e = { base, base };
	size_t far, far2, i;

	if (!n || !n2)
		return;
	far = step * (n - 1);
	far2 = step2 * (n2 - 1);
	*((intptr_t)far < 0 ? &e.lo : &e.hi) += far;
	*((intptr_t)far2 < 0 ? &e.lo : &e.hi) += far2;
	if (count_near(tally, e, n * n2, how)) {
		ompp_nest_gain(n * n2, 2, OMPP_RUN_COST);
		return;
	}
	if (!tally->row_end && ompp_access_known) {
		count_runs_closely(ompp_access_known, base, step, n, step2, n2, how);
		return;
	}
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

#pragma GCC visibility pop
