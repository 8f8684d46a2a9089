/*
 * Label: see label.h.
 */
#include "reports/analysis/label.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/clean.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

/* ---- files ---- */

/* Are the paths, read from their ends, in the wrong order? */
static int is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_region *regions = context;
	const char *a = regions[x].file, *b = regions[y].file;
	size_t n_a = strlen(a), n_b = strlen(b);

	while (n_a && n_b && a[n_a - 1] == b[n_b - 1]) {
		n_a--;
		n_b--;
	}
	return n_a && n_b ? (unsigned char)a[n_a - 1] > (unsigned char)b[n_b - 1] : n_a > n_b;
}

/* Returns the shortest trailing part of the path, from some folder on, that is not also the end of the other path.
 * `other` may be NULL. */
static const char *label_distinct(const char *path, const char *other)
{
	const char *part = strrchr(path, '/');
	size_t n_path = strlen(path), n_other = other ? strlen(other) : 0, n = 0;

	if (!other || n_path == 0 || !strcmp(path, other))
		return part ? part + 1 : path;
	while (n < n_path && n < n_other && path[n_path - 1 - n] == other[n_other - 1 - n])
		n++;
	if (n == n_path)
		return path;
	for (part = path + n_path - n; part > path && part[-1] != '/'; part--)
		;
	return part;
}

/* Sorted by their ends, paths with the longest common ending are neighbours, and so are equal paths. */
int ompp_label_files(struct ompp_analysis *a)
{
	const struct ompp_region *regions = a->profile->regions;
	size_t n = a->profile->n_regions, begin, end;
	uint32_t *order = ompp_arena_alloc(a->arena, (n + 1) * sizeof(*order));

	a->files = ompp_arena_alloc(a->arena, (n + 1) * sizeof(*a->files));
	if (!order || !a->files)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	ompp_sort(order, n, is_after, regions);
	for (begin = 0; begin < n; begin = end) {
		const char *path = regions[order[begin]].file, *before, *behind;

		for (end = begin + 1; end < n && !strcmp(regions[order[end]].file, path); end++)
			;
		before = label_distinct(path, begin ? regions[order[begin - 1]].file : NULL);
		behind = label_distinct(path, end < n ? regions[order[end]].file : NULL);
		for (size_t i = begin; i < end; i++)
			a->files[order[i]] = before < behind ? before : behind;
	}
	return 0;
}

/* ---- texts ---- */

static void put_location(struct ompp_text *t, const struct ompp_analysis *a, const struct ompp_region *region)
{
	ompp_clean(t, a->files[region - a->profile->regions], 0);
	if (region->begin_line) {
		ompp_text_str(t, region->file[0] ? " (" : "(");
		ompp_text_u64(t, region->begin_line);
		if (region->construct != OMPP_FUNCTION) { /* of a function the end is not known */
			ompp_text_char(t, '-');
			ompp_text_u64(t, region->end_line);
		}
		ompp_text_char(t, ')');
	}
	if (region->name[0] || region->construct == OMPP_CRITICAL || region->n_locks > 1) {
		ompp_text_str(t, t->n_bytes && t->data[t->n_bytes - 1] != ' ' ? " (" : "(");
		ompp_clean(t, region->name[0] || region->n_locks > 1 ? region->name : "unnamed", 0);
		if (region->n_locks > 1) {
			ompp_text_str(t, region->name[0] ? ", " : "");
			ompp_text_u64(t, region->n_locks);
			ompp_text_str(t, " locks");
		}
		ompp_text_char(t, ')');
	}
	if (ompp_region_instantiation(region)[0]) {
		ompp_text_str(t, " in ");
		ompp_clean(t, ompp_region_instantiation(region), 0);
	}
}

static int label_start(struct ompp_text *t, const struct ompp_region *region, size_t more, struct ompp_arena *arena)
{
	size_t n = OMPP_CLEAN_MOST *
	                   (strlen(region->file) + strlen(region->name) + strlen(ompp_region_instantiation(region))) +
	           64 + more;
	char *buffer = ompp_arena_alloc(arena, n);

	if (buffer)
		ompp_text_init(t, buffer, n);
	return buffer ? 0 : -ENOMEM;
}

static void put_number(struct ompp_text *t, const struct ompp_region *region)
{
	ompp_text_char(t, 'R');
	ompp_text_zeros(t, region->id, 5);
}

const char *ompp_region_title(const struct ompp_analysis *a, const struct ompp_region *region,
                              enum ompp_construct construct)
{
	const char *what = ompp_construct_name(construct), *location = ompp_region_location(a, region);
	size_t n = location ? strlen(what) + strlen(location) + 2 : 0;
	char *buffer = location ? ompp_arena_alloc(a->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, what);
	ompp_text_str(&t, location[0] ? " " : "");
	ompp_text_str(&t, location);
	return buffer;
}

const char *ompp_region_tag(const struct ompp_region *region, const char *after, struct ompp_arena *arena)
{
	struct ompp_text t;

	if (label_start(&t, region, strlen(after), arena))
		return NULL;
	put_number(&t, region);
	ompp_text_str(&t, after);
	return t.data;
}

const char *ompp_region_location(const struct ompp_analysis *a, const struct ompp_region *region)
{
	struct ompp_text t;

	if (label_start(&t, region, 0, a->arena))
		return NULL;
	put_location(&t, a, region);
	return t.data;
}

const char *ompp_region_label(const struct ompp_analysis *a, const struct ompp_region *region)
{
	struct ompp_text t;

	if (label_start(&t, region, 0, a->arena))
		return NULL;
	put_number(&t, region);
	ompp_text_char(&t, ' ');
	put_location(&t, a, region);
	return t.data;
}
