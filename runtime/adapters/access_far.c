/*
 * Access, far: the part of the hooks that counts through the table of pages.
 */
#include "runtime/adapters/access_near.h"
#include "runtime/data/mixed.h"
#include "runtime/ranges/range.h"

enum { MIX_EACH = 32 }; /* so many accesses to small blocks in pages with names pass before a copy is made */

/* Counts an access in memory without a name that may have small blocks, or hands it to libompp. */
static inline void count_in_blocks(struct ompp_tally *tally, const struct ompp_segment *s, const uint32_t *grains,
                                   uintptr_t address, unsigned int size, unsigned int slot)
{
	uint32_t row = ompp_grain_row(grains, address, s->row & ~(uint32_t)OMPP_ROW_FLAGS);

	if (__builtin_expect(row && row < tally->row_end, 1))
		ompp_tally_count(tally, row, address, size, slot);
	else
		ompp_access_miss(address, size, slot);
}

/* Does so where the segment may know no grains. */
static __attribute__((noinline)) void count_without_grains(uintptr_t address, struct ompp_tally *tally,
                                                           const struct ompp_segment *s, unsigned int size,
                                                           unsigned int slot)
{
	count_in_blocks(tally, s, ompp_grains_in(s, address), address, size, slot);
}

void ompp_count_in_page(uintptr_t address, struct ompp_tally *tally, const struct ompp_segment *s, unsigned int size,
                        unsigned int slot)
{
	if (__builtin_expect(address - OMPP_LOAD(&s->lo) > (1u << OMPP_PAGE_BITS) - (1u << size), 0))
		ompp_count_far(address, tally, size, slot);
	else
		count_in_blocks(tally, s, ompp_grains_in(s, address), address, size, slot);
}

/* Counts an access to a small block in a page with names, which has no copy that knows it, and lets a way lead to one
 * now and then. */
static __attribute__((noinline)) void count_mixed(uintptr_t address, struct ompp_tally *tally,
                                                  const struct ompp_segment *s, unsigned int size, unsigned int slot)
{
	const struct ompp_segment *copy;

	count_in_blocks(tally, s, ompp_grains_of(address), address, size, slot);
	if (++tally->n_misses % MIX_EACH)
		return;
	copy = ompp_access_mix(address);
	if (copy)
		tally->way[ompp_mixed_way(address)] = copy;
}

/* Returns the row of a small block in a page with names, by a way to a copy (mixed.h); 0 where there is none. */
static inline uint32_t row_by_copy(const struct ompp_tally *tally, uintptr_t address, unsigned int size)
{
	const struct ompp_segment *s = tally->way[ompp_mixed_way(address)];
	uintptr_t offset = address - OMPP_READ(&s->lo);
	const uint32_t *grains;

	if (!(s->row & OMPP_ROW_PAGE) || offset > (1u << OMPP_PAGE_BITS) - (1u << size))
		return 0;
	grains = OMPP_READ(&((const struct ompp_grain_segment *)(const void *)s)->grains);
	return OMPP_READ(&grains[offset >> OMPP_GRAIN_BITS]) & ~(uint32_t)OMPP_GRAIN_FLAGS;
}

void ompp_count_far(uintptr_t address, struct ompp_tally *tally, unsigned int size, unsigned int slot)
{
	uint32_t row = row_by_copy(tally, address, size);
	const struct ompp_list *list;
	unsigned int offset, i;
	uintptr_t page;

	if (row && row < tally->row_end) {
		ompp_tally_count(tally, row, address, size, slot);
		return;
	}
	page = ompp_page_of(address);
	if (!(page & 1)) {
		const struct ompp_segment *s = (const struct ompp_segment *)page;

		if (__builtin_expect(s && ompp_segment_holds(s, address, size) && s->row < tally->row_end, 1)) {
			ompp_tally_count(tally, s->row, address, size, slot);
			tally->way[ompp_way(address)] = s;
			return;
		}
		if (s && s->row & OMPP_ROW_BLOCKS && ompp_segment_spans(s, address, size)) {
			tally->way[ompp_way(address)] = s;
			count_without_grains(address, tally, s, size, slot);
			return;
		}
		ompp_access_miss(address, size, slot);
		return;
	}
	list = (const struct ompp_list *)(page & ~(uintptr_t)OMPP_PAGE_TAGS);
	offset = (unsigned int)(address & ((1 << OMPP_PAGE_BITS) - 1));
	if (__builtin_expect(!(page & 2), 1)) {
		i = ompp_list_find(list, offset);
		row = OMPP_LOAD(&list->row[i]);
		/* start[i + 1] is the start of the next one, or far beyond; then the access must end within the page,
		 * as the segment may go on behind it */
		if (__builtin_expect(offset + (1u << size) <= (unsigned int)list->start[i + 1] &&
		                             offset + (1u << size) <= 1u << OMPP_PAGE_BITS && row < tally->row_end,
		                     1)) {
			ompp_tally_count(tally, row, address, size, slot);
			/* A way is set only now and then: where accesses jump between many objects, ways are of no
			 * use. */
			if (!(++tally->n_misses & 7)) {
				const struct ompp_segment *s = OMPP_LOAD(&list->entry[i].segment);

				/* the list may have changed since; the row of a way has room in any case */
				if (s && s->row == row)
					tally->way[ompp_way(address)] = s;
			}
			return;
		}
		if (row == UINT32_MAX) {
			const struct ompp_segment *s = OMPP_LOAD(&list->entry[i].segment);

			if (s && s->row & OMPP_ROW_BLOCKS && ompp_segment_spans(s, address, size)) {
				count_mixed(address, tally, s, size, slot);
				return;
			}
		}
	}
	ompp_access_miss(address, size, slot);
}
