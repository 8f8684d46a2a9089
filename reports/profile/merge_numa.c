/*
 * Merge NUMA: see merge_numa.h.  Only in the program ompp.
 */
#include "reports/profile/merge_numa.h"

#include <errno.h>

#include "reports/profile/merge_samples.h"
#include "reports/profile/number.h"
#include "reports/profile/profile_check.h"
#include "runtime/base/sort.h"

static int use_is_after(const void *uses, uint32_t x, uint32_t y)
{
	const struct ompp_use *u = uses;
	int d = ompp_compare_uses(&u[x], &u[y]);

	return d ? d > 0 : x > y;
}

static int placement_is_after(const void *placements, uint32_t x, uint32_t y)
{
	const struct ompp_placement *l = placements;
	int d = ompp_compare_placements(&l[x], &l[y]);

	return d ? d > 0 : x > y;
}

static int merge_uses(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                      struct ompp_arena *arena, struct ompp_profile *out)
{
	struct ompp_use *all, *sums;
	size_t n_all = 0, n_sums = 0;
	uint32_t *order;

	for (size_t i = 0; i < n; i++)
		n_all += profiles[i].n_uses;
	all = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*all));
	sums = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*sums));
	if (!all || !sums || n_all > UINT32_MAX)
		return -ENOMEM;
	n_all = 0;
	for (size_t i = 0; i < n; i++) {
		size_t n_uses = ompp_samples_are_alike(&profiles[i], out) ? profiles[i].n_uses : 0;

		for (size_t k = 0; k < n_uses; k++) {
			struct ompp_use *u = &all[n_all++];

			*u = profiles[i].uses[k];
			u->node = maps[i].nodes[u->node];
			u->row += maps[i].first_row;
			u->object = maps[i].objects[u->object];
			u->toucher += u->toucher == OMPP_NONE ? 0 : maps[i].first_row;
			u->touched_at = u->touched_at == OMPP_NONE ? OMPP_NONE : maps[i].nodes[u->touched_at];
		}
	}
	order = ompp_sorted(arena, n_all, use_is_after, all);
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n_all; i++) {
		const struct ompp_use *u = &all[order[i]];

		if (n_sums && !ompp_compare_uses(&sums[n_sums - 1], u))
			ompp_use_add(&sums[n_sums - 1], u);
		else
			sums[n_sums++] = *u;
	}
	out->uses = sums;
	out->n_uses = n_sums;
	return 0;
}

static int merge_placements(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                            struct ompp_arena *arena, struct ompp_profile *out)
{
	struct ompp_placement *all, *sums;
	size_t n_all = 0, n_sums = 0;
	uint32_t *order;

	for (size_t i = 0; i < n; i++)
		n_all += profiles[i].n_placements;
	all = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*all));
	sums = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*sums));
	if (!all || !sums || n_all > UINT32_MAX)
		return -ENOMEM;
	n_all = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < profiles[i].n_placements; k++) {
			all[n_all] = profiles[i].placements[k];
			all[n_all].object = maps[i].objects[all[n_all].object];
			n_all++;
		}
	order = ompp_sorted(arena, n_all, placement_is_after, all);
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n_all; i++) {
		const struct ompp_placement *l = &all[order[i]];

		if (n_sums && !ompp_compare_placements(&sums[n_sums - 1], l)) {
			struct ompp_placement *sum = &sums[n_sums - 1];

			sum->n_pages = (uint64_t)ompp_add(ompp_count(sum->n_pages), ompp_count(l->n_pages));
			sum->n_moved = (uint64_t)ompp_add(ompp_count(sum->n_moved), ompp_count(l->n_moved));
			sum->step = l->step > sum->step ? l->step : sum->step;
		} else {
			sums[n_sums++] = *l;
		}
	}
	out->placements = sums;
	out->n_placements = n_sums;
	return 0;
}

static int merge_bindings(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                          struct ompp_arena *arena, struct ompp_profile *out)
{
	struct ompp_binding *all;
	size_t n_all = 0;

	for (size_t i = 0; i < n; i++)
		n_all += profiles[i].n_bindings;
	all = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*all));
	if (!all)
		return -ENOMEM;
	n_all = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < profiles[i].n_bindings; k++) {
			all[n_all] = profiles[i].bindings[k];
			all[n_all++].row += maps[i].first_row;
		}
	out->bindings = all;
	out->n_bindings = n_all;
	return 0;
}

int ompp_merge_numa(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                    struct ompp_arena *arena, struct ompp_profile *out)
{
	int rc = merge_uses(profiles, n, maps, arena, out);

	if (!rc)
		rc = merge_placements(profiles, n, maps, arena, out);
	for (size_t i = 0; i < n; i++) {
		if (profiles[i].n_numa_list > out->n_numa_list) {
			out->numa_nodes = profiles[i].numa_nodes;
			out->n_numa_list = profiles[i].n_numa_list;
		}
		if (profiles[i].numa_emulated > out->numa_emulated)
			out->numa_emulated = profiles[i].numa_emulated;
	}
	return rc ? rc : merge_bindings(profiles, n, maps, arena, out);
}
