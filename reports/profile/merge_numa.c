/*
 * Merge NUMA: see merge_numa.h.  Only in the program ompp.
 */
#include "reports/profile/merge_numa.h"

#include <errno.h>

#include "reports/profile/merge_rows.h"
#include "reports/profile/merge_samples.h"
#include "reports/profile/number.h"
#include "reports/profile/profile_check.h"

/* ---- uses ---- */

static void map_use(void *row, const struct ompp_merge_map *map)
{
	struct ompp_use *u = row;

	u->node = map->nodes[u->node];
	u->row += map->first_row;
	u->object = map->objects[u->object];
	u->toucher += u->toucher == OMPP_NONE ? 0 : map->first_row;
	u->touched_at = u->touched_at == OMPP_NONE ? OMPP_NONE : map->nodes[u->touched_at];
}

static int compare_uses(const void *a, const void *b)
{
	return ompp_compare_uses(a, b);
}

static void add_use(void *sum, const void *row)
{
	ompp_use_add(sum, row);
}

/* ---- spots ---- */

/* The clocks of two processes began at other times, so that their slices have nothing in common. */
static void map_spot(void *row, const struct ompp_merge_map *map)
{
	struct ompp_spot *s = row;

	s->node = map->nodes[s->node];
	s->row += map->first_row;
	s->object = map->objects[s->object];
	s->slice = 0;
}

static int compare_spots(const void *a, const void *b)
{
	return ompp_compare_spots(a, b);
}

static void add_spot(void *sum, const void *row)
{
	ompp_spot_add(sum, row);
}

static void map_extent(void *row, const struct ompp_merge_map *map)
{
	struct ompp_extent *e = row;

	e->object = map->objects[e->object];
	e->row += e->row == OMPP_NONE ? 0 : map->first_row;
}

static int compare_extents(const void *a, const void *b)
{
	return ompp_compare_extents(a, b);
}

static void add_extent(void *sum, const void *row)
{
	ompp_extent_add(sum, row);
}

/* ---- placements ---- */

static void map_placement(void *row, const struct ompp_merge_map *map)
{
	struct ompp_placement *l = row;

	l->object = map->objects[l->object];
}

static int compare_placements(const void *a, const void *b)
{
	return ompp_compare_placements(a, b);
}

static void add_placement(void *to, const void *row)
{
	struct ompp_placement *sum = to;
	const struct ompp_placement *l = row;

	sum->n_pages = (uint64_t)ompp_add(ompp_count(sum->n_pages), ompp_count(l->n_pages));
	sum->n_moved = (uint64_t)ompp_add(ompp_count(sum->n_moved), ompp_count(l->n_moved));
	sum->step = l->step > sum->step ? l->step : sum->step;
}

/* ---- bindings ---- */

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

/* ---- all ---- */

static const struct ompp_merge_rows uses = { .n_bytes = sizeof(struct ompp_use),
	                                     .list = offsetof(struct ompp_profile, uses),
	                                     .n_list = offsetof(struct ompp_profile, n_uses),
	                                     .map = map_use,
	                                     .compare = compare_uses,
	                                     .add = add_use,
	                                     .are_meant = ompp_samples_are_alike };
static const struct ompp_merge_rows spots = { .n_bytes = sizeof(struct ompp_spot),
	                                      .list = offsetof(struct ompp_profile, spots),
	                                      .n_list = offsetof(struct ompp_profile, n_spots),
	                                      .map = map_spot,
	                                      .compare = compare_spots,
	                                      .add = add_spot,
	                                      .are_meant = ompp_samples_are_alike };
static const struct ompp_merge_rows extents = { .n_bytes = sizeof(struct ompp_extent),
	                                        .list = offsetof(struct ompp_profile, extents),
	                                        .n_list = offsetof(struct ompp_profile, n_extents),
	                                        .map = map_extent,
	                                        .compare = compare_extents,
	                                        .add = add_extent,
	                                        .are_meant = ompp_samples_are_alike };
static const struct ompp_merge_rows placements = { .n_bytes = sizeof(struct ompp_placement),
	                                           .list = offsetof(struct ompp_profile, placements),
	                                           .n_list = offsetof(struct ompp_profile, n_placements),
	                                           .map = map_placement,
	                                           .compare = compare_placements,
	                                           .add = add_placement };

int ompp_merge_numa(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                    struct ompp_arena *arena, struct ompp_profile *out)
{
	int rc = ompp_merge_rows(&uses, profiles, n, maps, arena, out);

	if (!rc)
		rc = ompp_merge_rows(&spots, profiles, n, maps, arena, out);
	if (!rc)
		rc = ompp_merge_rows(&extents, profiles, n, maps, arena, out);
	if (!rc)
		rc = ompp_merge_rows(&placements, profiles, n, maps, arena, out);
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
