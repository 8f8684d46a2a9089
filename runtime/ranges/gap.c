/*
 * Gap: see gap.h.
 */
#include "runtime/ranges/gap.h"

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/data/object.h"
#include "runtime/data/page.h"
#include "runtime/ranges/piece.h"

/* Once so many gaps have ended, names come and go, and a gap is within one part of memory of 2^PART_BITS bytes: what
 * ends elsewhere leaves it. */
enum { MOST_GAPS = 64, MANY_ENDED = 256, PART_BITS = OMPP_PAGE_BITS + OMPP_BRANCH_BITS };

/* Segments of ompp_segment_find().  Readers may find one that has ended, or that is another gap by now. */
static struct ompp_segment *gaps[MOST_GAPS];
static uint32_t n_gaps, n_ended;

const struct ompp_segment *ompp_gap_known(uintptr_t address)
{
	uint32_t n = OMPP_LOAD(&n_gaps);

	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_segment *s = __atomic_load_n(&gaps[i], __ATOMIC_ACQUIRE);

		if (ompp_segment_holds(s, address, 0))
			return s;
	}
	return NULL;
}

static uintptr_t page_down(uintptr_t address)
{
	return address & ~(OMPP_PAGE_BYTES - 1);
}

static uintptr_t page_up(uintptr_t address)
{
	return page_down(address + OMPP_PAGE_BYTES - 1);
}

const struct ompp_segment *ompp_gap_make(uintptr_t address)
{
	const struct ompp_segment *known = ompp_gap_known(address);
	const struct ompp_piece *before = ompp_piece_upto(address), *after = ompp_piece_from(address);
	uintptr_t lo = before ? page_up(before->hi) : 0, hi = after ? page_down(after->lo) : OMPP_LAST_ADDRESS;
	uintptr_t part = address >> PART_BITS << PART_BITS;
	struct ompp_segment *s;

	if (n_ended >= MANY_ENDED) {
		lo = part > lo ? part : lo;
		hi = part + ((uintptr_t)1 << PART_BITS) < hi ? part + ((uintptr_t)1 << PART_BITS) : hi;
	}
	if (known || n_gaps == MOST_GAPS || address < lo || address >= hi)
		return known;
	ompp_assert(lo <= address && address < hi && !((lo | hi) & (OMPP_PAGE_BYTES - 1)) && n_gaps < MOST_GAPS);
	s = ompp_segment_find(lo, hi, OMPP_OBJECT_OTHER, NULL);
	if (s) {
		__atomic_store_n(&gaps[n_gaps], s, __ATOMIC_RELEASE);
		__atomic_store_n(&n_gaps, n_gaps + 1, __ATOMIC_RELEASE);
	}
	return s;
}

void ompp_gaps_end(uintptr_t lo, uintptr_t hi)
{
	uint32_t i = 0;

	lo = page_down(lo);
	hi = page_up(hi);
	while (i < n_gaps) {
		struct ompp_segment *s = gaps[i];

		if (s->lo > hi || s->hi < lo) {
			i++;
			continue;
		}
		OMPP_STORE(&n_gaps, n_gaps - 1);
		__atomic_store_n(&gaps[i], gaps[n_gaps], __ATOMIC_RELEASE);
		ompp_segment_drop(s);
		n_ended += n_ended < MANY_ENDED;
	}
}
