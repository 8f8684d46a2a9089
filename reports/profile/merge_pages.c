/*
 * Merge pages: see merge_pages.h.  Only in the program ompp.
 */
#include "reports/profile/merge_pages.h"

#include <errno.h>

#include "reports/profile/number.h"
#include "reports/profile/profile_check.h"
#include "runtime/base/sort.h"

static int paged_is_after(const void *paged, uint32_t x, uint32_t y)
{
	const struct ompp_paged *l = paged;
	int d = ompp_compare_paged(&l[x], &l[y]);

	return d ? d > 0 : x > y;
}

static int hot_is_after(const void *hot, uint32_t x, uint32_t y)
{
	const struct ompp_hot_page *h = hot;
	int d = ompp_compare_hot_pages(&h[x], &h[y]);

	return d ? d > 0 : x > y;
}

static uint32_t mapped(const uint32_t *map, uint32_t i)
{
	return i == OMPP_NONE ? OMPP_NONE : map[i];
}

static void add_to(uint64_t *sum, uint64_t n)
{
	*sum = (uint64_t)ompp_add(ompp_count(*sum), ompp_count(n));
}

static void add(struct ompp_paged *sum, const struct ompp_paged *l)
{
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

static int merge_paged(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                       struct ompp_arena *arena, struct ompp_profile *out)
{
	struct ompp_paged *all, *sums;
	size_t n_all = 0, n_sums = 0;
	uint32_t *order;

	for (size_t i = 0; i < n; i++)
		n_all += profiles[i].n_paged;
	all = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*all));
	sums = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*sums));
	if (!all || !sums || n_all > UINT32_MAX)
		return -ENOMEM;
	n_all = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < profiles[i].n_paged; k++) {
			struct ompp_paged *l = &all[n_all++];

			*l = profiles[i].paged[k];
			l->object = mapped(maps[i].objects, l->object);
			l->region = mapped(maps[i].regions, l->region);
		}
	order = ompp_sorted(arena, n_all, paged_is_after, all);
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n_all; i++)
		if (n_sums && !ompp_compare_paged(&sums[n_sums - 1], &all[order[i]]))
			add(&sums[n_sums - 1], &all[order[i]]);
		else
			sums[n_sums++] = all[order[i]];
	out->paged = sums;
	out->n_paged = n_sums;
	return 0;
}

static int merge_hot_pages(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                           struct ompp_arena *arena, struct ompp_profile *out)
{
	struct ompp_hot_page *all, *hot;
	size_t n_all = 0;
	uint32_t *order;

	for (size_t i = 0; i < n; i++)
		n_all += profiles[i].n_hot_pages;
	all = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*all));
	hot = ompp_arena_alloc(arena, OMPP_HOT_PAGES * sizeof(*hot));
	if (!all || !hot || n_all > UINT32_MAX)
		return -ENOMEM;
	n_all = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < profiles[i].n_hot_pages; k++) {
			struct ompp_hot_page *h = &all[n_all++];

			*h = profiles[i].hot_pages[k];
			h->object = mapped(maps[i].objects, h->object);
			h->region = mapped(maps[i].regions, h->region);
		}
	order = ompp_sorted(arena, n_all, hot_is_after, all);
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n_all && out->n_hot_pages < OMPP_HOT_PAGES; i++)
		hot[out->n_hot_pages++] = all[order[i]];
	out->hot_pages = hot;
	return 0;
}

int ompp_merge_pages(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                     struct ompp_arena *arena, struct ompp_profile *out)
{
	int rc;

	out->pages_method = "";
	out->pages_told = 0;
	out->n_pages_lost = 0;
	out->n_hot_pages = 0;
	for (size_t i = 0; i < n; i++) {
		if (!profiles[i].pages_method[0])
			continue;
		out->pages_method = profiles[i].pages_method;
		out->page_bytes = profiles[i].page_bytes;
		out->pages_told |= profiles[i].pages_told;
		add_to(&out->n_pages_lost, profiles[i].n_pages_lost);
	}
	rc = merge_paged(profiles, n, maps, arena, out);
	return rc ? rc : merge_hot_pages(profiles, n, maps, arena, out);
}
