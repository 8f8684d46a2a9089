/*
 * Run, sites: a site is an access in a loop, compiled so that accesses to the object that it accessed last are counted
 * inline; it hands the counts over when it gets to another object, and after the loop.  See run_hooks.h.
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

enum { FEW = 4, MOST_MISSES = 32, N_UNBOUNDED = 224, N_TRIES = 8 };

/* Of a site's n_misses: visits in a row with few accesses counted in line before; 1 when its bounds are of
 * WIDE_PAGES or more; and all its visits, from ONE_VISIT on. */
enum { MISSES_IN_ROW = 0x7fff, IS_WIDE = 0x8000, ONE_VISIT = 0x10000 };

/* Bounds of several pages are looked for at each visit with a number that is a power of two from LEAST_VISITS on, with
 * so many pages for each visit so far on either side, and when a site without bounds tries some again; they are kept at
 * KEPT_MISSES misses in a row at most.  A page costs so many halves of a hook. */
enum {
	LEAST_VISITS = 4,
	PAGES_PER_VISIT = 2,
	PAGES_PER_TRY = 16,
	MOST_PAGES = 1024,
	KEPT_MISSES = 8,
	PAGE_COST = 16,
	WIDE_PAGES = 4
};

/* Counts n executions of members in one row, in which the first member was from lo to hi.
 * words: of the row */
static inline void count_in(uint64_t *words, const struct ompp_access_members *members, size_t n, uintptr_t lo,
                            uintptr_t hi)
{
	size_t i;

	for (i = 0; i < members->n; i++) {
		size_t distance = members->member[i].distance, how = members->member[i].how;

		ompp_tally_count_run(words + (how & OMPP_HOW_STORE), lo + distance, hi + distance, n,
		                     how & OMPP_HOW_SIZE);
	}
}

/* Does the same for a site's members within its bounds. */
static inline void count_within(const struct ompp_access_site *site, size_t n, uintptr_t lo, uintptr_t hi)
{
	count_in(site->row, site->members, n, lo, hi);
}

void ompp_access_site_end(struct ompp_access_site *site, size_t n, uintptr_t lo, uintptr_t hi)
{
	if (n || site->n_misses)
		ompp_nest_gain(n, 2 * site->members->n - 1, OMPP_END_COST);
	else
		ompp_nest_gain(0, 0, OMPP_UNVISITED_COST);
	if (n >= FEW) /* a site that pauses goes on */
		site->n_misses &= ~(size_t)MISSES_IN_ROW;
	if (site->room)
		ompp_log_close(site, n);
	else if (n)
		count_within(site, n, lo, hi);
}

/* Returns 1 when a page is of the same memory as a segment with OMPP_ROW_BLOCKS, and all of it has a row; sets its
 * grains. */
static int is_like(const struct ompp_segment *s, uintptr_t page, const uint32_t **grains)
{
	uintptr_t value = ompp_page_of(page);
	const struct ompp_segment *own = (const struct ompp_segment *)value;

	if (!value || value & OMPP_PAGE_TAGS || (own->row ^ s->row) & ~(uint32_t)OMPP_ROW_PAGE ||
	    !ompp_segment_spans(own, page, 0) || !ompp_segment_spans(own, page + OMPP_PAGE_BYTES - 1, 0))
		return 0;
	*grains = ompp_grains_in(own, page);
	return *grains != NULL && *grains != ompp_access_no_grains;
}

/* Extends bounds that end with their page into the neighbouring pages.
 * is: what the grains have
 * n_pages: at most so many on either side */
static __attribute__((noinline)) void access_run_widen(const struct ompp_segment *s, uint32_t is, size_t n_pages,
                                                       uintptr_t *lo, uintptr_t *hi)
{
	const uint32_t *grains;
	size_t i;

	for (i = 0; i < n_pages && !(*hi & (OMPP_PAGE_BYTES - 1)) && is_like(s, *hi, &grains); i++) {
		unsigned int n = ompp_grain_after(grains, 0, OMPP_GRAINS, is);

		if (!n)
			break;
		*hi += (uintptr_t)n << OMPP_GRAIN_BITS;
	}
	ompp_nest_gain(0, 0, PAGE_COST * (int)(i + 1));
	for (i = 0; i < n_pages && !(*lo & (OMPP_PAGE_BYTES - 1)) && is_like(s, *lo - OMPP_PAGE_BYTES, &grains); i++) {
		unsigned int n = OMPP_GRAINS - ompp_grain_before(grains, OMPP_GRAINS, 0, is);

		if (!n)
			break;
		*lo -= (uintptr_t)n << OMPP_GRAIN_BITS;
	}
	ompp_nest_gain(0, 0, PAGE_COST * (int)i);
}

/* Returns how many pages on either side a site may look at now for its bounds. */
static size_t pages_for(const struct ompp_access_site *site)
{
	size_t n = site->n_misses / ONE_VISIT + 1;

	if ((site->n_misses & MISSES_IN_ROW) == MOST_MISSES - N_TRIES + 1)
		return PAGES_PER_TRY;
	if (n < LEAST_VISITS || n & (n - 1))
		return 0;
	return n < MOST_PAGES / PAGES_PER_VISIT ? n * PAGES_PER_VISIT : MOST_PAGES;
}

/* Sets the bounds of a site, which has none, to those of memory with one row, where there may be small blocks. */
static __attribute__((noinline)) void find_block(struct ompp_access_site *site, uintptr_t address)
{
	const struct ompp_access_members *members = site->members;
	struct ompp_tally *tally = ompp_access_tally;
	uintptr_t first = address + members->lo, lo, hi;
	const struct ompp_segment *s = ompp_lead_to(tally, first);
	const uint32_t *grains;
	size_t n_pages = pages_for(site);
	uint32_t row, other;

	if (!s || !(s->row & OMPP_ROW_BLOCKS))
		return;
	lo = OMPP_LOAD(&s->lo);
	hi = OMPP_LOAD(&s->hi);
	other = s->row & ~(uint32_t)OMPP_ROW_FLAGS;
	grains = ompp_grains_in(s, first);
	row = ompp_grain_bounds(grains, first, other, &lo, &hi);
	if (!row || row >= tally->row_end)
		return;
	if (n_pages && row != other) {
		access_run_widen(s, row, n_pages, &lo, &hi);
		site->n_misses &= ~(size_t)MISSES_IN_ROW;
		if (hi - lo >= WIDE_PAGES * OMPP_PAGE_BYTES)
			site->n_misses |= IS_WIDE;
	}
	if (hi < lo + members->n_bytes)
		return;
	site->lo = lo - members->lo;
	site->limit = hi - lo - members->n_bytes + 1;
	site->row = ompp_tally_word(tally, row, 0);
}

/* Sets the bounds of a site to those of the segment that holds the members when the first one is at an address. */
static inline void find_bounds(struct ompp_access_site *site, uintptr_t address)
{
	const struct ompp_access_members *members = site->members;
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s = tally->way[ompp_way(address)];
	uintptr_t lo = OMPP_READ(&s->lo), n_bytes = OMPP_LOAD(&s->limit[0]);

	/* A segment that has ended may begin elsewhere: its limits are 0 meanwhile. */
	ompp_fence_acquire();
	site->limit = 0;
	site->n_misses &= ~(size_t)IS_WIDE;
	if (n_bytes < members->n_bytes || lo != OMPP_LOAD(&s->lo)) {
		if (OMPP_LOAD(&ompp_access_grains))
			find_block(site, address);
		return;
	}
	site->lo = lo - members->lo;
	site->limit = n_bytes - members->n_bytes + 1;
	site->row = ompp_tally_word(tally, s->row, 0);
}

/* Counts that bounds were left at once, which is not worth finding them.  Returns 1 when the site is to do without
 * bounds at its next visits: so it does N_UNBOUNDED times after that happened MOST_MISSES times in a row, and tries
 * again N_TRIES times. */
static inline int is_missing(struct ompp_access_site *site)
{
	size_t n = (site->n_misses & MISSES_IN_ROW) + 1, rest = site->n_misses & ~(size_t)MISSES_IN_ROW;

	site->n_misses = rest + ONE_VISIT + (n < MOST_MISSES + N_UNBOUNDED ? n : MOST_MISSES - N_TRIES);
	return n > MOST_MISSES;
}

/* Counts n executions, each member by itself. */
static void visit_each(struct ompp_access_site *site, uintptr_t base, size_t step, size_t n)
{
	const struct ompp_access_members *members = site->members;

	for (size_t i = 0; i < members->n; i++)
		ompp_access_run(base + members->member[i].distance, step, n, (unsigned int)members->member[i].how);
}

/* Counts n executions that are not within the bounds of a way. */
static __attribute__((noinline)) void visit_far(struct ompp_access_site *site, uintptr_t base, size_t step, size_t n)
{
	visit_each(site, base, step, n);
	if (!(site->n_misses & IS_WIDE))
		find_bounds(site, base + step * (n - 1));
}

/* Returns 1 when bounds that were left are likely to hold the next accesses again. */
static int keeps_bounds(const struct ompp_access_site *site)
{
	return site->n_misses & IS_WIDE && site->limit && (site->n_misses & MISSES_IN_ROW) < KEPT_MISSES &&
	       !pages_for(site);
}

/* Returns the row of all members of a site when its first one is between two addresses, where they are in one page that
 * may have small blocks, to which a way leads; else 0. */
static inline uint32_t row_in_blocks(const struct ompp_tally *tally, const struct ompp_access_members *members,
                                     uintptr_t lo, uintptr_t hi)
{
	uintptr_t first = lo + members->lo, last = hi + members->lo + members->n_bytes - 1;
	const struct ompp_segment *s = tally->way[ompp_way(first)];
	uint32_t row;

	if (!(s->row & OMPP_ROW_PAGE) || !ompp_segment_spans(s, first, 0) || !ompp_segment_spans(s, last, 0))
		return 0;
	row = ompp_grain_row_of(ompp_grains_in(s, first), first, last, s->row & ~(uint32_t)OMPP_ROW_FLAGS);
	return row < tally->row_end ? row : 0;
}

/* Returns the row of all members of a site when its first one is at an address, where a way knows it; else 0. */
static inline uint32_t row_of_members(const struct ompp_tally *tally, const struct ompp_access_members *members,
                                      uintptr_t base)
{
	uintptr_t first = base + members->lo, last = first + members->n_bytes - 1;
	const struct ompp_segment *s = tally->way[ompp_way(first)];

	if (ompp_segment_holds(s, first, 0) && ompp_segment_holds(s, last, 0))
		return s->row;
	return row_in_blocks(tally, members, base, base);
}

/* Counts one execution of a site that has given up bounds. */
static __attribute__((noinline)) void visit_once(struct ompp_access_site *site, uintptr_t base)
{
	const struct ompp_access_members *members = site->members;
	struct ompp_tally *tally = ompp_access_tally;
	uint32_t row = row_of_members(tally, members, base);
	size_t i;

	ompp_nest_gain(0, 2 * members->n - 1, OMPP_SITE_COST);
	is_missing(site);
	site->limit = 0;
	if (row) {
		site->row = ompp_tally_word(tally, row, 0);
		count_within(site, 1, base, base);
		return;
	}
	for (i = 0; i < members->n; i++)
		ompp_count_far(base + members->member[i].distance, tally, members->member[i].how & OMPP_HOW_SIZE,
		               members->member[i].how & OMPP_HOW_STORE);
}

/* Sets the bounds anew, but to fewer bytes only when those of several pages missed often. */
static inline void renew_bounds(struct ompp_access_site *site, uintptr_t address)
{
	uintptr_t lo = site->lo, limit = site->limit;
	size_t n_misses = site->n_misses;
	uint64_t *row = site->row;

	find_bounds(site, address);
	if (n_misses & IS_WIDE && (n_misses & MISSES_IN_ROW) < KEPT_MISSES && limit > site->limit) {
		site->lo = lo;
		site->limit = limit;
		site->row = row;
		site->n_misses = n_misses;
	}
}

/* Counts n executions outside of bounds that are kept. */
static void visit_beside(struct ompp_access_site *site, size_t n_before, uintptr_t base, size_t step, size_t n)
{
	struct ompp_tally *tally = ompp_access_tally;
	uint32_t row = n == 1 ? row_of_members(tally, site->members, base) : 0;

	if (row)
		count_in(ompp_tally_word(tally, row, 0), site->members, 1, base, base);
	else
		visit_each(site, base, step, n);
	is_missing(site);
	if (n_before >= FEW)
		site->n_misses &= ~(size_t)MISSES_IN_ROW;
}

/* What ompp_access_site() does. */
static __attribute__((noinline)) void access_run_visit(struct ompp_access_site *site, size_t n_before,
                                                       uintptr_t lo_before, uintptr_t hi_before, uintptr_t base,
                                                       size_t step, size_t n)
{
	struct ompp_run_ends e = ompp_run_ends(base, step, n);
	int is_missing_much;
	uint32_t row;

	ompp_nest_gain(n_before + n - 1, 2 * site->members->n - 1, OMPP_SITE_COST);
	if (site->room) {
		ompp_log_close(site, n_before);
		n_before = 0;
	}
	if (n_before)
		count_within(site, n_before, lo_before, hi_before);
	else if (n == 1 && !ompp_access_tally->row_end) { /* each access is looked at closely */
		ompp_log_members(site, base, !step);      /* the run of an inner loop has a step, and does not wait */
		return;
	}
	row = n > 1 ? row_in_blocks(ompp_access_tally, site->members, e.lo, e.hi) : 0;
	if (row) { /* another execution of the inner loop is to another block, as a rule */
		site->limit = 0;
		site->row = ompp_tally_word(ompp_access_tally, row, 0);
		count_within(site, n, e.lo, e.hi);
		return;
	}
	if (keeps_bounds(site)) {
		visit_beside(site, n_before, base, step, n);
		return;
	}
	renew_bounds(site, e.lo);
	if (e.lo - site->lo < site->limit && e.hi - site->lo < site->limit)
		count_within(site, n, e.lo, e.hi);
	else
		visit_far(site, base, step, n);
	is_missing_much = is_missing(site);
	if (n_before >= FEW)
		site->n_misses &= ~(size_t)MISSES_IN_ROW;
	else if (is_missing_much)
		site->limit = 0;
}

/* Counts one access of a site without bounds. */
static inline void count_single(struct ompp_access_site *site, uintptr_t address)
{
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s = tally->way[ompp_way(address)];
	unsigned int how = (unsigned int)site->members->member[0].how;

	ompp_nest_gain(0, 0, OMPP_SITE_COST);
	is_missing(site);
	site->limit = 0;
	if (ompp_segment_holds(s, address, how & OMPP_HOW_SIZE))
		ompp_tally_count(tally, s->row, address, how & OMPP_HOW_SIZE, how & OMPP_HOW_STORE);
	else if (s->row & OMPP_ROW_PAGE)
		ompp_count_in_page(address, tally, s, how & OMPP_HOW_SIZE, how & OMPP_HOW_STORE);
	else
		ompp_count_far(address, tally, how & OMPP_HOW_SIZE, how & OMPP_HOW_STORE);
}

/* Counts executions of an inner loop while each access is looked at closely: they do not wait. */
static __attribute__((noinline)) void visit_closely(struct ompp_access_site *site, uintptr_t base, size_t step,
                                                    size_t n)
{
	ompp_nest_gain(n - 1, 2 * site->members->n - 1, OMPP_SITE_COST);
	is_missing(site);
	visit_each(site, base, step, n);
}

/* Many sites are visited once in each execution of their nest, or do without bounds: one access is counted without
 * saving registers, as all calls are at the end. */
void ompp_access_site(struct ompp_access_site *site, size_t n_before, uintptr_t lo_before, uintptr_t hi_before,
                      uintptr_t base, size_t step, size_t n)
{
	const struct ompp_access_members *members = site->members;
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s;
	uintptr_t lo, limit;
	unsigned int how, size;

	if ((site->n_misses & MISSES_IN_ROW) >= MOST_MISSES && n == 1 && !n_before && !site->room && tally->row_end) {
		if (members->n == 1)
			count_single(site, base);
		else
			visit_once(site, base);
		return;
	}
	if (!tally->row_end && n > 1 && !n_before && !site->room) {
		visit_closely(site, base, step, n);
		return;
	}
	s = tally->way[ompp_way(base)];
	how = (unsigned int)members->member[0].how;
	size = how & OMPP_HOW_SIZE;
	lo = OMPP_READ(&s->lo);
	limit = OMPP_LOAD(&s->limit[size]);
	ompp_fence_acquire();
	if (__builtin_expect(n_before || n != 1 || members->n != 1 || site->room || base - lo >= limit ||
	                             lo != OMPP_LOAD(&s->lo),
	                     0)) {
		access_run_visit(site, n_before, lo_before, hi_before, base, step, n);
		return;
	}
	site->lo = lo;
	site->limit = is_missing(site) ? 0 : limit;
	ompp_nest_gain(0, 0, OMPP_SITE_COST);
	site->row = ompp_tally_word(tally, s->row, 0);
	ompp_tally_count_run(site->row + (how & OMPP_HOW_STORE), base, base, 1, size);
}

#pragma GCC visibility pop
