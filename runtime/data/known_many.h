/*
 * Known, many: counts many accesses to known pages (known.h) at once: runs over several pages, and logged addresses.
 *
 * They look up each page, and compare its row in the tally, which belongs to one node and one cover.  Whether the
 * accesses lie in memory of this cover is checked once per run, and with bounds for logged addresses.
 */
#ifndef OMPP_DATA_KNOWN_MANY_H
#define OMPP_DATA_KNOWN_MANY_H

#include "runtime/data/known.h"

/* ---- runs over several pages ---- */

/* A nested run: n2 accesses of 1 << size bytes, each a step2 after the one before; this n times, each time a step
 * further.  All are aligned to their size. */
struct ompp_known_runs {
	uintptr_t base;
	size_t step, n, step2, n2;
	unsigned int size, slot; /* OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
};

enum { OMPP_KNOWN_MOST = 1024 }; /* the most pages to count while signal handlers find none known */

static inline size_t ompp_absolute(size_t step)
{
	return (intptr_t)step < 0 ? -step : step;
}

/* Extends [*lo, *hi], the range of the first bytes of accesses, to n accesses that are a step apart. */
static inline void ompp_known_reach(uintptr_t *lo, uintptr_t *hi, size_t step, size_t n)
{
	size_t far = step * (n - 1);

	*((intptr_t)far < 0 ? lo : hi) += far;
}

/* Returns the parts of their page that n accesses touch, each a step after the one before, and each within one part. */
static inline uint64_t ompp_known_parts(unsigned int page_bits, uintptr_t first, size_t step, size_t n)
{
	uintptr_t last = first + step * (n - 1);
	uint64_t parts = 0;

	if (ompp_absolute(step) <= (uintptr_t)1 << (page_bits - OMPP_PART_BITS))
		return ompp_page_parts(page_bits, first < last ? first : last, first < last ? last : first);
	for (; n; n--, first += step)
		parts = ompp_page_with_part(parts, page_bits, first);
	return parts;
}

/* Counts n accesses of the runs, each a step2 after the one before, until a page is not known or *n_most pages are
 * counted; reduces *n_most by the pages counted.  Returns how many accesses it has counted. */
static inline __attribute__((always_inline)) size_t ompp_known_count_pages(const struct ompp_known *p,
                                                                           const uint64_t *words,
                                                                           const struct ompp_known_runs *r,
                                                                           uintptr_t at, uint32_t *n_most)
{
	unsigned int bits = ompp_known_bits(p);
	uintptr_t rest = ((uintptr_t)1 << bits) - 1;
	size_t left = r->n2, step = r->step2, now;

	for (; left && *n_most; at += now * step, left -= now, --*n_most) {
		struct ompp_page_use *use = (struct ompp_page_use *)(void *)(p->first + *ompp_known_offset(p, at));
		uintptr_t from = (intptr_t)step < 0 ? at & rest : rest - (at & rest);

		if (__builtin_expect((at ^ use->page) > rest || use->words != words, 0))
			break;
		now = left;
		if ((at ^ (at + step * (left - 1))) > rest)
			now = from / ompp_absolute(step) + 1;
		ompp_tally_add(ompp_page_use_count(use, r->slot), now);
		OMPP_STORE(&use->parts, use->parts | ompp_known_parts(bits, at, step, now));
	}
	return r->n2 - left;
}

/* Counts runs in one segment, in their order, as far as their pages are known.  Returns how many accesses it has
 * counted. */
static __attribute__((noinline, unused)) size_t ompp_known_count_runs(struct ompp_known *p, struct ompp_tally *tally,
                                                                      const struct ompp_known_runs *r)
{
	uintptr_t lo = r->base, hi = r->base, bytes = (uintptr_t)1 << r->size;
	size_t i, now = 0;
	uint32_t n_most = OMPP_KNOWN_MOST;
	struct ompp_page_use *use;
	uint64_t *words;

	if (!(use = ompp_known_begin(p, tally, lo, lo + bytes - 1)))
		return 0;
	ompp_known_reach(&lo, &hi, r->step, r->n);
	ompp_known_reach(&lo, &hi, r->step2, r->n2);
	if (!ompp_segment_holds(use->segment, lo, r->size) || !ompp_segment_holds(use->segment, hi, r->size)) {
		ompp_known_end(p);
		return 0;
	}
	words = ompp_tally_word(tally, use->segment->row, 0);
	for (i = 0; i < r->n; i++) {
		now = ompp_known_count_pages(p, words, r, r->base + i * r->step, &n_most);
		if (now < r->n2)
			break;
	}
	if (i) {
		lo = hi = r->base;
		ompp_known_reach(&lo, &hi, r->step, i);
		ompp_known_reach(&lo, &hi, r->step2, r->n2);
		ompp_tally_count_run(words + r->slot, lo, hi, i * r->n2, r->size);
	}
	if (i < r->n && now) {
		lo = hi = r->base + i * r->step;
		ompp_known_reach(&lo, &hi, r->step2, now);
		ompp_tally_count_run(words + r->slot, lo, hi, now, r->size);
	}
	ompp_known_end(p);
	return i < r->n ? i * r->n2 + now : r->n * r->n2;
}

/* ---- rows of addresses ---- */

/* The range of addresses of a site's first byte for which all its members are in one segment, and begin within the
 * extents of the segment's row. */
struct ompp_known_bounds {
	uintptr_t lo, n;
};

/* Computes these bounds; they are empty when the segment has ended.
 * words: of its row in the tally */
static __attribute__((noinline, unused)) struct ompp_known_bounds ompp_known_bounds_of(
	const struct ompp_segment *s, const uint64_t *words, const struct ompp_access_members *members)
{
	uintptr_t lo = OMPP_READ(&s->lo), n_bytes = OMPP_LOAD(&s->limit[0]), hi;

	/* an ended segment may be reused elsewhere: its limits are 0 meanwhile */
	ompp_fence_acquire();
	if (n_bytes < members->n_bytes || lo != OMPP_LOAD(&s->lo))
		return (struct ompp_known_bounds){ 0, 0 };
	hi = lo + (n_bytes - members->n_bytes) + 1;
	for (size_t i = 0; i < members->n; i++) {
		const uint64_t *extent = words + (members->member[i].how & OMPP_HOW_STORE) + OMPP_SIZES;
		uintptr_t from = extent[0] - (members->member[i].distance - members->lo), end = from + extent[1];

		lo = from > lo ? from : lo;
		hi = end < hi ? end : hi;
	}
	return (struct ompp_known_bounds){ lo, hi > lo ? hi - lo : 0 };
}

/* Extends the extents of a row to the members at an address, if these are in the segment.  Returns the new bounds,
 * which contain the address, or else empty ones. */
static __attribute__((noinline, unused)) struct ompp_known_bounds ompp_known_extend(
	const struct ompp_segment *s, uint64_t *words, const struct ompp_access_members *members, uintptr_t address)
{
	if (!ompp_segment_has(s, address + members->lo, members->n_bytes))
		return (struct ompp_known_bounds){ 0, 0 };
	for (size_t i = 0; i < members->n; i++) {
		size_t how = members->member[i].how;

		ompp_tally_extend(address + members->member[i].distance, words + (how & OMPP_HOW_STORE) + OMPP_SIZES,
		                  (size_t)1 << (how & OMPP_HOW_SIZE));
	}
	return ompp_known_bounds_of(s, words, members);
}

/* The kind of accesses that ompp_known_count_row() counts at each address. */
enum ompp_known_kind {
	OMPP_KNOWN_ONE,  /* accesses of one kind, within one part of a page when that begins at a multiple of its bytes
	                  */
	OMPP_KNOWN_PART, /* the same, but loads and stores */
	OMPP_KNOWN_ANY
};

/* Counts the members at n addresses by page, for one segment and tally.  Returns the number of addresses counted; stops
 * at the first that it cannot count.
 * words: of the segment's row
 * n_stores: stores among the members
 * kind: with others than OMPP_KNOWN_ANY the bytes are a power of two */
static inline __attribute__((always_inline)) uint32_t ompp_known_count_visits(const struct ompp_known *p,
                                                                              const struct ompp_segment *s,
                                                                              uint64_t *words,
                                                                              const struct ompp_access_members *members,
                                                                              uint64_t n_stores, const uint64_t *row,
                                                                              uint32_t n_row, enum ompp_known_kind kind)
{
	struct ompp_known_bounds bounds = ompp_known_bounds_of(s, words, members);
	uintptr_t before = members->lo, n_bytes = members->n_bytes, rest = n_bytes - 1;
	const uint64_t *at = row, *end = row + n_row;
	const uint32_t *offsets = p->offsets;
	unsigned int bits = ompp_known_bits(p);
	uintptr_t within = ((uintptr_t)1 << bits) - n_bytes;
	uint64_t n_all = members->n, mask = p->mask, slot = n_stores ? OMPP_SLOT_STORE : OMPP_SLOT_LOAD;
	char *uses = p->first;

	for (; at < end; at++) {
		uintptr_t first = (uintptr_t)*at + before;
		struct ompp_page_use *use = (struct ompp_page_use *)(void *)(uses + offsets[first >> bits & mask]);

		if (__builtin_expect(first - bounds.lo >= bounds.n, 0)) {
			bounds = ompp_known_extend(s, words, members, (uintptr_t)*at);
			if (!bounds.n)
				break;
		}
		if (__builtin_expect((kind == OMPP_KNOWN_ANY ? first - use->page > within
		                                             : ((first ^ use->page) & ~within) != 0) ||
		                             use->words != words,
		                     0))
			break;
		if (kind == OMPP_KNOWN_ONE) {
			ompp_tally_add((uint64_t *)(void *)((char *)&use->loads + slot), n_all);
		} else {
			ompp_tally_add(&use->loads, n_all - n_stores);
			ompp_tally_add(&use->stores, n_stores);
		}
		OMPP_STORE(&use->parts, kind == OMPP_KNOWN_ANY ? use->parts | ompp_page_parts(bits, first, first + rest)
		                                               : ompp_page_with_part(use->parts, bits, first));
	}
	return (uint32_t)(at - row);
}

/* Counts the members of a site at n addresses, at least 1, like ompp_known_count().  Returns the number of addresses
 * counted; stops at the first that it cannot count.  HOT. */
static inline uint32_t ompp_known_count_row(struct ompp_known *p, struct ompp_tally *tally,
                                            const struct ompp_access_members *members, const uint64_t *row,
                                            uint32_t n_row)
{
	uintptr_t first = (uintptr_t)row[0] + members->lo;
	size_t n_bytes = members->n_bytes, n_stores = 0, i;
	struct ompp_page_use *use;
	uint64_t *words;
	uint32_t n;

	use = ompp_known_begin(p, tally, first, first + n_bytes - 1);
	if (!use)
		return 0;
	for (i = 0; i < members->n; i++)
		n_stores += members->member[i].how / OMPP_HOW_STORE;
	words = ompp_tally_word(tally, use->segment->row, 0);
	if (n_bytes > 1u << (OMPP_SIZES - 1) || n_bytes & (n_bytes - 1) || first & (n_bytes - 1))
		n = ompp_known_count_visits(p, use->segment, words, members, n_stores, row, n_row, OMPP_KNOWN_ANY);
	else if (n_stores && n_stores != members->n)
		n = ompp_known_count_visits(p, use->segment, words, members, n_stores, row, n_row, OMPP_KNOWN_PART);
	else
		n = ompp_known_count_visits(p, use->segment, words, members, n_stores, row, n_row, OMPP_KNOWN_ONE);
	for (i = 0; n && i < members->n; i++) {
		size_t how = members->member[i].how;

		ompp_tally_add(words + (how & OMPP_HOW_STORE) + (how & OMPP_HOW_SIZE), n);
	}
	ompp_known_end(p);
	return n;
}

#endif
