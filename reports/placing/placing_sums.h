/*
 * Placing, sums: the accesses to an object by place, by part of its blocks, by block, and in time; what each way to lay
 * it out costs follows from these (placing.h).
 */
#ifndef OMPP_PLACING_SUMS_H
#define OMPP_PLACING_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "reports/placing/placing.h"

/* Which samples' accesses: those of one half, of the other half, or all. */
enum ompp_half { OMPP_EVEN, OMPP_ODD, OMPP_ALL, OMPP_N_HALVES };

/* A cell's accesses to one slot: one of n_slots equal parts of its block. */
struct ompp_placing_item {
	uint32_t block, slot, region, slice, from;
	int64_t n[OMPP_N_HALVES];
};

/* Sums over all items are by half; those by place, slot and place, or block and place are tables, a row for each slot
 * or block. */
struct ompp_placing_sums {
	const struct ompp_placing *in;
	struct ompp_arena *arena;
	struct ompp_placing_item *items;
	size_t n_items, have_items;
	uint32_t *by_block, *by_time; /* the items by block, slot and time, and by time alone */
	uint32_t n_slots;
	uint32_t main_region;
	int64_t all[OMPP_N_HALVES], *place[OMPP_N_HALVES], *slot[OMPP_N_HALVES], *block[OMPP_N_HALVES];
	uint64_t *repetitions; /* by region + 1: how often it is executed in one of its slices */
	uint64_t n;            /* samples */
};

/* Adds up the accesses of all cells.  Returns 0 or -ENOMEM. */
int ompp_placing_sums(const struct ompp_placing *in, struct ompp_arena *arena, struct ompp_placing_sums *sums);

/* Returns the index of the largest of n numbers; the first of those. */
uint32_t ompp_placing_most(const int64_t *numbers, uint32_t n);

/* Is an item of a later slice or region? */
int ompp_placing_is_after(const struct ompp_placing_item *a, const struct ompp_placing_item *b);

/* Returns the group of slots whose pages move together. */
uint32_t ompp_placing_group(const struct ompp_placing_sums *sums, const struct ompp_placing_item *item);

/* Returns the items by block, group of slots, and time; NULL without memory. */
uint32_t *ompp_placing_by_group(struct ompp_placing_sums *sums);

#endif
