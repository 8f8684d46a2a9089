/*
 * Merge allocations: see merge_allocations.h.  Only in the program ompp.
 */
#include "reports/profile/merge_allocations.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/merge_rows.h"
#include "reports/profile/record.h"
#include "runtime/base/sort.h"

static int merge_allocations_compare(const struct ompp_allocation *a, const struct ompp_allocation *b)
{
	int d = strcmp(a->name, b->name);

	d = d ? d : strcmp(a->path, b->path);
	return d ? d : strcmp(a->allocator, b->allocator);
}

static int is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_allocation *all = context;
	int d = merge_allocations_compare(&all[x], &all[y]);

	return d ? d > 0 : x > y;
}

static int peak_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_allocation *all = context;

	return all[x].peak_bytes != all[y].peak_bytes ? all[x].peak_bytes < all[y].peak_bytes : x > y;
}

static void merge_allocations_add(struct ompp_allocation *to, const struct ompp_allocation *from)
{
	to->several_threads = 1;
	to->peak_error = to->peak_bytes > from->peak_bytes ? to->peak_error : from->peak_error;
	ompp_record_add(OMPP_SECTION_ALLOCATIONS, to, from);
}

int ompp_merge_blocks(const struct ompp_profile *profiles, size_t n, struct ompp_merge_map *maps,
                      struct ompp_arena *arena, struct ompp_profile *out)
{
	struct ompp_allocation *all, *sums, *sorted;
	size_t n_all = 0, n_sums = 0;
	uint32_t *order;

	for (size_t i = 0; i < n; i++)
		n_all += profiles[i].n_allocations;
	all = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*all));
	sums = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*sums));
	sorted = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*sorted));
	order = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*order));
	if (!all || !sums || !sorted || !order)
		return -ENOMEM;
	n_all = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < profiles[i].n_allocations; k++) {
			struct ompp_allocation *a = &all[n_all];

			*a = profiles[i].allocations[k];
			ompp_merge_map_record(OMPP_SECTION_ALLOCATIONS, a, &maps[i]);
			order[n_all] = (uint32_t)n_all;
			n_all++;
		}
	ompp_sort(order, n_all, is_after, all);
	for (size_t i = 0; i < n_all; i++)
		if (n_sums && !merge_allocations_compare(&sums[n_sums - 1], &all[order[i]]))
			merge_allocations_add(&sums[n_sums - 1], &all[order[i]]);
		else
			sums[n_sums++] = all[order[i]];
	for (size_t i = 0; i < n_sums; i++)
		order[i] = (uint32_t)i;
	ompp_sort(order, n_sums, peak_is_after, sums);
	for (size_t i = 0; i < n_sums; i++)
		sorted[i] = sums[order[i]];
	out->allocations = sorted;
	out->n_allocations = n_sums;
	return ompp_merge_rows(OMPP_SECTION_INSTANCES, profiles, n, maps, arena, out, NULL);
}
