/*
 * Placing, sums: see placing_sums.h.
 */
#include "reports/placing/placing_sums.h"

#include <errno.h>

#include "reports/profile/profile.h"
#include "runtime/base/sort.h"

uint32_t ompp_placing_most(const int64_t *sums, uint32_t n)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < n; i++)
		best = sums[i] > sums[best] ? i : best;
	return best;
}

static uint32_t slot_of(const struct ompp_placing_sums *s, uint32_t block, uint64_t page)
{
	uint64_t n_pages = s->in->blocks[block].n_pages;

	return n_pages && page < n_pages ? (uint32_t)((unsigned __int128)page * s->n_slots / n_pages) : 0;
}

/* Returns the i-th of n parts of a number, which together are the number. */
static int64_t part_of(int64_t number, uint32_t i, uint32_t n)
{
	return (int64_t)((__int128)number * (i + 1) / n - (__int128)number * i / n);
}

static int add_item(struct ompp_placing_sums *s, const struct ompp_placing_cell *c, uint32_t slot, uint32_t i,
                    uint32_t n)
{
	uint32_t p = s->in->n_places;
	int64_t all = part_of(c->all, i, n), odd = part_of(c->half, i, n);
	struct ompp_placing_item *items = ompp_arena_grow(s->arena, s->items, &s->have_items, s->n_items + 1,
	                                                  sizeof(*items));

	if (!items)
		return -ENOMEM;
	odd = odd < all ? odd : all;
	s->items = items;
	items[s->n_items++] = (struct ompp_placing_item){
		c->block, slot,    c->region,
		c->slice, c->from, { [OMPP_EVEN] = all - odd, [OMPP_ODD] = odd, [OMPP_ALL] = all }
	};
	for (int h = 0; h < OMPP_N_HALVES; h++) {
		int64_t n_more = items[s->n_items - 1].n[h];

		s->all[h] += n_more;
		s->place[h][c->from] += n_more;
		s->slot[h][(size_t)slot * p + c->from] += n_more;
		s->block[h][(size_t)c->block * p + c->from] += n_more;
	}
	return 0;
}

/* Adds each cell's accesses to all slots in which the cell has pages. */
static int add_cells(struct ompp_placing_sums *s)
{
	for (size_t i = 0; i < s->in->n_cells; i++) {
		const struct ompp_placing_cell *c = &s->in->cells[i];
		uint32_t first = slot_of(s, c->block, c->page);
		uint32_t last = slot_of(s, c->block, c->page + (c->n_pages ? c->n_pages - 1 : 0));

		last = last < first ? first : last;
		s->n += c->n;
		for (uint32_t slot = first; slot <= last; slot++)
			if (add_item(s, c, slot, slot - first, last - first + 1))
				return -ENOMEM;
	}
	return 0;
}

int ompp_placing_is_after(const struct ompp_placing_item *a, const struct ompp_placing_item *b)
{
	return a->slice != b->slice ? a->slice > b->slice : a->region > b->region;
}

uint32_t ompp_placing_group(const struct ompp_placing_sums *s, const struct ompp_placing_item *i)
{
	uint32_t n_groups = s->n_slots < OMPP_PLACING_GROUPS ? s->n_slots : OMPP_PLACING_GROUPS;

	return i->slot * n_groups / s->n_slots;
}

static int is_of_block_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_placing_sums *s = context;
	const struct ompp_placing_item *a = &s->items[x], *b = &s->items[y];

	if (a->block != b->block)
		return a->block > b->block;
	return a->slot != b->slot ? a->slot > b->slot : x > y;
}

static int is_in_time_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_placing_sums *s = context;
	const struct ompp_placing_item *a = &s->items[x], *b = &s->items[y];

	return ompp_placing_is_after(a, b) || ompp_placing_is_after(b, a) ? ompp_placing_is_after(a, b) : x > y;
}

/* By block, group of slots, and time. */
static int is_in_group_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_placing_sums *s = context;
	const struct ompp_placing_item *a = &s->items[x], *b = &s->items[y];

	if (a->block != b->block)
		return a->block > b->block;
	return ompp_placing_group(s, a) != ompp_placing_group(s, b)
	             ? ompp_placing_group(s, a) > ompp_placing_group(s, b)
	             : is_in_time_after(context, x, y);
}

/* Finds the region with most accesses, and how often each one is executed in one of its slices. */
static int look_at_regions(struct ompp_placing_sums *s)
{
	size_t n = (size_t)s->in->n_regions + 1;
	int64_t *sums = ompp_arena_alloc(s->arena, n * sizeof(*sums)), most = 0;
	uint64_t *slices = ompp_arena_alloc(s->arena, n * sizeof(*slices));

	s->repetitions = ompp_arena_alloc(s->arena, n * sizeof(*s->repetitions));
	if (!sums || !slices || !s->repetitions)
		return -ENOMEM;
	s->main_region = OMPP_NONE;
	for (size_t i = 0; i < s->n_items; i++) {
		uint32_t region = s->items[i].region;

		sums[region + 1] += s->items[i].n[OMPP_ALL];
		slices[region + 1] |= UINT64_C(1) << s->items[i].slice % 64;
	}
	for (size_t r = 0; r < n; r++) {
		uint64_t n_slices = (uint64_t)__builtin_popcountll(slices[r]);
		uint64_t executions = s->in->executions ? s->in->executions[r] : 1;

		s->repetitions[r] = n_slices && executions > n_slices ? executions / n_slices : 1;
		if (r && sums[r] > most) {
			most = sums[r];
			s->main_region = (uint32_t)r - 1;
		}
	}
	return 0;
}

int ompp_placing_sums(const struct ompp_placing *in, struct ompp_arena *arena, struct ompp_placing_sums *s)
{
	size_t p = in->n_places, n = 0;
	uint64_t most_pages = 1;

	*s = (struct ompp_placing_sums){ .in = in, .arena = arena };
	for (uint32_t b = 0; b < s->in->n_blocks; b++)
		most_pages = s->in->blocks[b].n_pages > most_pages ? s->in->blocks[b].n_pages : most_pages;
	s->n_slots = most_pages < OMPP_PLACING_SLOTS ? (uint32_t)most_pages : OMPP_PLACING_SLOTS;
	for (int h = 0; h < OMPP_N_HALVES; h++) {
		int64_t *sums = ompp_arena_alloc(s->arena,
		                                 (1 + s->n_slots + (size_t)s->in->n_blocks) * p * sizeof(*sums));

		if (!sums)
			return -ENOMEM;
		s->place[h] = sums;
		s->slot[h] = sums + p;
		s->block[h] = sums + p * (1 + (size_t)s->n_slots);
	}
	if (add_cells(s))
		return -ENOMEM;
	n = s->n_items;
	s->by_block = ompp_sorted(s->arena, n, is_of_block_after, s);
	s->by_time = ompp_sorted(s->arena, n, is_in_time_after, s);
	return s->by_block && s->by_time ? look_at_regions(s) : -ENOMEM;
}

uint32_t *ompp_placing_by_group(struct ompp_placing_sums *s)
{
	return ompp_sorted(s->arena, s->n_items, is_in_group_after, s);
}
