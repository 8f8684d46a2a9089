/*
 * Selection: see selection.h.
 */
#define _GNU_SOURCE
#include "reports/analysis/selection.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/sort.h"
#include "runtime/base/text.h"

static int is_same(const char *text, const char *word, size_t n)
{
	return strlen(text) == n && !memcmp(text, word, n);
}

/* Is the word the path, or the end of the path from some folder on? */
static int is_file(const char *path, const char *word, size_t n)
{
	size_t n_path = strlen(path);

	return n && n <= n_path && is_same(path + n_path - n, word, n) && (n == n_path || path[n_path - n - 1] == '/');
}

int ompp_region_is_meant(const struct ompp_region *region, const char *word, size_t n)
{
	char id[16];
	struct ompp_text t;
	const char *colon = memrchr(word, ':', n);
	size_t n_file = colon ? (size_t)(colon - word) : n;
	uint64_t line = 0;

	ompp_text_init(&t, id, sizeof(id));
	ompp_text_char(&t, 'R');
	ompp_text_zeros(&t, region->id, 5);
	if (!n || is_same(id, word, n) || is_same(region->name, word, n) ||
	    is_same(ompp_region_instantiation(region), word, n) || is_file(region->file, word, n))
		return n != 0;
	if (!colon || !is_file(region->file, word, n_file))
		return 0;
	for (const char *d = colon + 1; d < word + n; d++) {
		if (*d < '0' || *d > '9' || line > UINT32_MAX)
			return 0;
		line = line * 10 + (uint64_t)(*d - '0');
	}
	return line == region->begin_line || (line > region->begin_line && line <= region->end_line);
}

/* Does the comma list name the region?  A name may have commas in it. */
static int is_named(const struct ompp_region *region, const char *list)
{
	while (*list) {
		size_t n = strcspn(list, ",");

		if (ompp_region_is_meant(region, list, strlen(list)) || ompp_region_is_meant(region, list, n))
			return 1;
		list += n + (list[n] == ',');
	}
	return 0;
}

/* Returns the number by which regions are sorted, the greatest first. */
static int64_t sort_key(const struct ompp_analysis *a, uint32_t region, int by_count)
{
	struct ompp_cell sum = ompp_analysis_sum(a, region, 0);

	return by_count ? ompp_count(sum.n_exec) : sum.exec_ns;
}

struct order {
	const struct ompp_profile *profile;
	const int64_t *keys;
	int by_name;
};

static int is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct order *o = context;
	int d = o->by_name ? strcmp(o->profile->regions[x].name, o->profile->regions[y].name) : 0;

	if (o->keys && o->keys[x] != o->keys[y])
		return o->keys[x] < o->keys[y];
	return d ? d > 0 : x > y;
}

int ompp_analysis_select(struct ompp_analysis *a, const struct ompp_report_options *options)
{
	const struct ompp_profile *p = a->profile;
	const char *sort = options->sort && options->sort[0] ? options->sort : options->top ? "time" : "id";
	int by_count = !strcmp(sort, "count"), by_name = !strcmp(sort, "name");
	int64_t *keys = NULL;
	struct order order;

	if (!by_count && !by_name && strcmp(sort, "time") && strcmp(sort, "id"))
		return -EINVAL;
	a->shown = ompp_analysis_array(a, p->n_regions, 1, 0);
	a->named = ompp_analysis_array(a, p->n_regions, 1, 0);
	a->order = ompp_analysis_array(a, p->n_regions, sizeof(uint32_t), 0);
	if (by_count || !strcmp(sort, "time")) {
		keys = ompp_analysis_array(a, p->n_regions, sizeof(int64_t), 0);
		if (!keys)
			return -ENOMEM;
	}
	if (!a->shown || !a->named || !a->order)
		return -ENOMEM;
	for (uint32_t r = 0; r < p->n_regions; r++) {
		if (options->region && options->region[0] && !is_named(&p->regions[r], options->region))
			continue;
		a->named[r] = 1;
		a->order[a->n_order++] = r;
		if (keys)
			keys[r] = sort_key(a, r, by_count);
	}
	order = (struct order){ p, keys, by_name };
	a->n_named = a->n_order;
	ompp_sort(a->order, a->n_order, is_after, &order);
	if (options->top && a->n_order > options->top)
		a->n_order = options->top;
	for (size_t i = 0; i < a->n_order; i++)
		a->shown[a->order[i]] = 1;
	return 0;
}
