/*
 * Merge pages: see merge_pages.h.  Only in the program ompp.
 */
#include "reports/profile/merge_pages.h"

#include "reports/profile/merge_rows.h"
#include "reports/profile/number.h"
#include "reports/profile/profile_check.h"

static uint32_t merge_pages_mapped(const uint32_t *map, uint32_t i)
{
	return i == OMPP_NONE ? OMPP_NONE : map[i];
}

static void add_to(uint64_t *sum, uint64_t n)
{
	*sum = (uint64_t)ompp_add(ompp_count(*sum), ompp_count(n));
}

/* ---- sums by object and region ---- */

static void map_paged(void *row, const struct ompp_merge_map *map)
{
	struct ompp_paged *l = row;

	l->object = merge_pages_mapped(map->objects, l->object);
	l->region = merge_pages_mapped(map->regions, l->region);
}

static int compare_paged(const void *a, const void *b)
{
	return ompp_compare_paged(a, b);
}

static void add_paged(void *to, const void *row)
{
	struct ompp_paged *sum = to;
	const struct ompp_paged *l = row;

	sum->n_threads += l->n_threads;
	add_to(&sum->n_pages, l->n_pages);
	add_to(&sum->n_private, l->n_private);
	add_to(&sum->n_read_shared, l->n_read_shared);
	add_to(&sum->n_read_only, l->n_read_only);
	add_to(&sum->n_written_once, l->n_written_once);
	add_to(&sum->n_parts, l->n_parts);
	add_to(&sum->loads, l->loads);
	add_to(&sum->stores, l->stores);
	add_to(&sum->n_unhooked, l->n_unhooked);
	add_to(&sum->n_uncounted, l->n_uncounted);
}

/* ---- hot pages ---- */

static void map_hot(void *row, const struct ompp_merge_map *map)
{
	struct ompp_hot_page *h = row;

	h->object = merge_pages_mapped(map->objects, h->object);
	h->region = merge_pages_mapped(map->regions, h->region);
}

static int compare_hot(const void *a, const void *b)
{
	return ompp_compare_hot_pages(a, b);
}

/* ---- small variables ---- */

static void map_variable(void *row, const struct ompp_merge_map *map)
{
	struct ompp_page_variable *v = row;

	v->object = merge_pages_mapped(map->objects, v->object);
}

static int compare_variables(const void *a, const void *b)
{
	return ompp_compare_page_variables(a, b);
}

static void add_variable(void *to, const void *row)
{
	struct ompp_page_variable *sum = to;
	const struct ompp_page_variable *v = row;

	sum->n_bytes = v->n_bytes > sum->n_bytes ? v->n_bytes : sum->n_bytes;
	add_to(&sum->n_parts, v->n_parts);
	add_to(&sum->n_alone, v->n_alone);
}

/* ---- all ---- */

static const struct ompp_merge_rows paged = { .n_bytes = sizeof(struct ompp_paged),
	                                      .list = offsetof(struct ompp_profile, paged),
	                                      .n_list = offsetof(struct ompp_profile, n_paged),
	                                      .map = map_paged,
	                                      .compare = compare_paged,
	                                      .add = add_paged };
static const struct ompp_merge_rows hot = { .n_bytes = sizeof(struct ompp_hot_page),
	                                    .list = offsetof(struct ompp_profile, hot_pages),
	                                    .n_list = offsetof(struct ompp_profile, n_hot_pages),
	                                    .map = map_hot,
	                                    .compare = compare_hot };
static const struct ompp_merge_rows variables = { .n_bytes = sizeof(struct ompp_page_variable),
	                                          .list = offsetof(struct ompp_profile, page_variables),
	                                          .n_list = offsetof(struct ompp_profile, n_page_variables),
	                                          .map = map_variable,
	                                          .compare = compare_variables,
	                                          .add = add_variable };

int ompp_merge_pages(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                     struct ompp_arena *arena, struct ompp_profile *out)
{
	int rc;

	out->pages_method = "";
	out->pages_told = 0;
	out->n_pages_lost = 0;
	out->n_hot_pages = out->n_page_variables = 0;
	for (size_t i = 0; i < n; i++) {
		if (!profiles[i].pages_method[0])
			continue;
		out->pages_method = profiles[i].pages_method;
		out->page_bytes = profiles[i].page_bytes;
		out->pages_told |= profiles[i].pages_told;
		add_to(&out->n_pages_lost, profiles[i].n_pages_lost);
	}
	rc = ompp_merge_rows(&paged, profiles, n, maps, arena, out);
	if (!rc)
		rc = ompp_merge_rows(&hot, profiles, n, maps, arena, out);
	if (!rc)
		rc = ompp_merge_rows(&variables, profiles, n, maps, arena, out);
	if (out->n_hot_pages > OMPP_HOT_PAGES)
		out->n_hot_pages = OMPP_HOT_PAGES;
	return rc;
}
