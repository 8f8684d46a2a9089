/*
 * Reuse: the misses of caches of any size, by region and by object: of the machine's own caches, and of sizes that are
 * powers of two.
 */
#include <errno.h>
#include <string.h>

#include "reports/bounds/reuse_curve.h"
#include "reports/tables/data_section.h"
#include "reports/tables/fit.h"
#include "reports/tables/table_region.h"
#include "reports/tables/view.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { MOST_CURVES = 6, MOST_SIZES = 32 };

/* One line: an object in a region, or in all regions that are shown. */
struct line {
	uint32_t object, region;
	int64_t weight; /* misses of the smallest cache */
	struct ompp_reuse_curve curve;
};

struct section {
	struct ompp_data_section data;
	const struct ompp_analysis *a;
	struct line *lines;
	size_t n, have;
};

static int is_shown(const struct ompp_analysis *a, uint32_t region)
{
	return region == OMPP_NONE ? a->n_order == a->profile->n_regions : a->shown[region];
}

/* Adds the distances of an object in a region to the line of the object in all regions, or makes a line of both. */
static int add_to_line(struct section *s, uint32_t object, uint32_t region, int in_all)
{
	struct line *l = NULL;

	for (size_t i = 0; i < s->n && in_all && !l; i++)
		if (s->lines[i].object == object)
			l = &s->lines[i];
	if (!l) {
		l = ompp_arena_grow(s->a->arena, s->lines, &s->have, s->n + 1, sizeof(*l));
		if (!l)
			return -ENOMEM;
		s->lines = l;
		l += s->n++;
		memset(l, 0, sizeof(*l));
		l->object = object;
		l->region = region;
	}
	ompp_reuse_add(s->a->profile, region, object, &l->curve);
	return 0;
}

/* The lines with most misses of the smallest cache come first. */
static int line_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct line *a = (const struct line *)context + x, *b = (const struct line *)context + y;

	return a->weight != b->weight ? a->weight < b->weight : x > y;
}

enum what { ALL_DATA, BY_REGION, BY_OBJECT, BY_BOTH };

/* Collects the lines of a table, and returns their order; NULL without memory. */
static uint32_t *collect(struct section *s, enum what what)
{
	const struct ompp_profile *p = s->a->profile;
	int64_t error;

	s->n = 0;
	for (size_t i = 0; i < p->n_distances; i++) {
		const struct ompp_distance *d = &p->distances[i];
		int is_all = d->object == OMPP_NONE, wants_all = what == ALL_DATA || what == BY_REGION;

		/* the first of each object and region stands for it; first accesses come before the least distance */
		if ((i && d[-1].region == d->region && d[-1].object == d->object) || is_all != wants_all ||
		    !is_shown(s->a, d->region))
			continue;
		if (add_to_line(s, d->object, d->region, what == ALL_DATA || what == BY_OBJECT))
			return NULL;
	}
	for (size_t i = 0; i < s->n; i++)
		s->lines[i].weight = ompp_reuse_misses(&s->lines[i].curve, OMPP_REUSE_LEAST_BYTES, &error);
	return ompp_sorted(s->a->arena, s->n, line_is_after, s->lines);
}

static const char *size_text(const struct section *s, int64_t bytes)
{
	char buffer[40];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_data_size(&t, bytes);
	return ompp_arena_strdup(s->a->arena, buffer);
}

/* Returns "L2 1M (%)". */
static const char *level_title(const struct section *s, unsigned int level)
{
	char buffer[60];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_char(&t, 'L');
	ompp_text_u64(&t, level + 1);
	ompp_text_char(&t, ' ');
	ompp_text_str(&t, size_text(s, ompp_reuse_level(s->a->profile, level)));
	return ompp_arena_strdup(s->a->arena, buffer);
}

static void number_columns(const struct section *s, struct ompp_table *table)
{
	static const char *const records[OMPP_REUSE_LEVELS] = { "L1 misses (%)", "L2 misses (%)", "L3 misses (%)" };

	ompp_table_column(table, "accesses", OMPP_IN_BOTH);
	ompp_table_column(table, "needs", OMPP_IN_TEXT);
	ompp_table_column(table, "needed bytes", OMPP_IN_RECORDS);
	ompp_table_column(table, "first (%)", OMPP_IN_BOTH);
	for (unsigned int i = 0; i < OMPP_REUSE_LEVELS; i++) {
		ompp_table_column(table, s->data.is_text ? level_title(s, i) : records[i], OMPP_IN_BOTH);
		ompp_table_column(table, "+-", OMPP_IN_RECORDS);
	}
	ompp_table_column(table, "+-", OMPP_IN_TEXT);
}

static void put_share(const struct ompp_reuse_curve *c, int64_t n, struct ompp_table *table)
{
	ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(n, c->accesses));
}

static void numbers(const struct section *s, const struct ompp_reuse_curve *c, struct ompp_table *table)
{
	int64_t needs = ompp_reuse_needs(c), most = OMPP_MISSING;

	ompp_table_number(table, OMPP_KIND_METRIC, c->accesses);
	ompp_table_text(table, size_text(s, needs));
	ompp_table_number(table, OMPP_KIND_COUNT, needs);
	put_share(c, c->cold, table);
	for (unsigned int i = 0; i < OMPP_REUSE_LEVELS; i++) {
		int64_t bytes = ompp_reuse_level(s->a->profile, i), error = OMPP_MISSING, n = OMPP_MISSING;

		if (bytes >= OMPP_REUSE_LEAST_BYTES)
			n = ompp_reuse_misses(c, bytes, &error);
		put_share(c, n, table);
		put_share(c, error, table);
		most = error > most ? error : most;
	}
	put_share(c, most, table);
}

/* Returns where a line is: object, region, or both, in text. */
static const char *place_text(const struct section *s, const struct line *l, size_t width, enum what what)
{
	const struct ompp_object_part part = { .object = l->object,
		                               .key = l->region == OMPP_NONE ? OMPP_SERIAL : 2 * (int64_t)l->region };
	const char *object = what == BY_REGION ? "" : ompp_data_short_name(&s->data, l->object);
	const char *region = what == BY_OBJECT ? "" : ompp_data_region_text(&s->data, &part);
	size_t n = region ? strlen(object) + width + strlen(region) + 3 : 0;
	char *buffer = region ? ompp_arena_alloc(s->a->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, object);
	if (what == BY_BOTH) {
		ompp_text_pad_right(&t, 0, width);
		ompp_text_char(&t, ' ');
	}
	if (region[0])
		ompp_fit_middle(&t, region, OMPP_FIT_REGION_COLUMNS);
	return buffer;
}

static void place_values(const struct section *s, const struct line *l, enum what what, struct ompp_table *table)
{
	const struct ompp_object_part part = { .object = l->object,
		                               .key = l->region == OMPP_NONE ? OMPP_SERIAL : 2 * (int64_t)l->region };

	if (what == BY_OBJECT || what == BY_BOTH)
		ompp_table_text(table, s->a->profile->objects[l->object].name);
	if (what == BY_REGION || what == BY_BOTH)
		ompp_data_region_values(&s->data, &part, table);
}

static void place_columns(enum what what, const char *title, struct ompp_table *table)
{
	ompp_table_left_column(table, title, OMPP_IN_TEXT);
	if (what == BY_OBJECT || what == BY_BOTH)
		ompp_table_column(table, "object", OMPP_IN_RECORDS);
	if (what == BY_REGION || what == BY_BOTH)
		ompp_region_columns(table);
}

static size_t names_width(const struct section *s, const uint32_t *order, size_t n)
{
	size_t width = strlen("object");

	for (size_t i = 0; i < n; i++) {
		size_t columns = ompp_text_columns(ompp_data_short_name(&s->data, s->lines[order[i]].object));

		width = columns > width ? columns : width;
	}
	return width;
}

/* Puts a table of lines. */
static int put_lines(struct section *s, enum what what, const char *tag, const char *heading, struct ompp_sheet *sheet)
{
	static const char *const titles[] = { "", "region", "object", "object, region" };
	uint32_t *order = collect(s, what);
	size_t n_lines, width;

	if (!order)
		return -ENOMEM;
	n_lines = ompp_data_n_printed(&s->data, s->n);
	width = what == BY_REGION ? 0 : names_width(s, order, n_lines);
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, tag, heading);
	place_columns(what, titles[what], &sheet->table);
	number_columns(s, &sheet->table);
	for (size_t i = 0; i < n_lines; i++) {
		const struct line *l = &s->lines[order[i]];

		ompp_table_text(&sheet->table, place_text(s, l, width, what));
		place_values(s, l, what, &sheet->table);
		numbers(s, &l->curve, &sheet->table);
	}
	return sheet->put(sheet);
}

/* Returns the largest size that is shown: the first power of two at which nothing but first accesses misses. */
static int64_t last_size(const struct section *s)
{
	int64_t last = OMPP_REUSE_LEAST_BYTES, error;
	int n_sizes = 0;

	for (size_t i = 0; i < s->n; i++)
		for (; n_sizes < MOST_SIZES && ompp_reuse_misses(&s->lines[i].curve, last, &error); n_sizes++)
			last *= 2;
	return last;
}

/* Puts the curves of the whole and of the objects with most misses, a column each. */
static int put_text_curves(struct section *s, struct ompp_sheet *sheet)
{
	struct ompp_reuse_curve whole = { 0 };
	uint32_t *order = collect(s, ALL_DATA);
	struct ompp_table *table = &sheet->table;
	int64_t last, error;
	size_t n;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < s->n; i++)
		whole = s->lines[i].curve;
	order = collect(s, BY_OBJECT);
	if (!order)
		return -ENOMEM;
	last = last_size(s);
	n = s->n < MOST_CURVES ? s->n : MOST_CURVES;
	ompp_table_start(table, OMPP_STYLE_GRID, "",
	                 "Misses of a cache of each size, in % of the accesses, without first ones:");
	ompp_table_left_column(table, "cache", OMPP_IN_TEXT);
	ompp_table_columns(table, OMPP_IN_TEXT, "all data", "+-");
	for (size_t k = 0; k < n; k++)
		ompp_table_column(table, ompp_data_short_name(&s->data, s->lines[order[k]].object), OMPP_IN_TEXT);
	for (int64_t bytes = OMPP_REUSE_LEAST_BYTES; bytes <= last; bytes *= 2) {
		ompp_table_text(table, size_text(s, bytes));
		put_share(&whole, ompp_reuse_misses(&whole, bytes, &error), table);
		put_share(&whole, error, table);
		for (size_t k = 0; k < n; k++) {
			const struct ompp_reuse_curve *c = &s->lines[order[k]].curve;

			put_share(c, ompp_reuse_misses(c, bytes, &error), table);
		}
	}
	return sheet->put(sheet);
}

/* Puts the curves of all lines, a row for each size. */
static int put_curves(struct section *s, enum what what, const char *tag, struct ompp_sheet *sheet)
{
	uint32_t *order = collect(s, what);
	struct ompp_table *table = &sheet->table;
	int64_t last, error;

	if (!order)
		return -ENOMEM;
	last = last_size(s);
	ompp_table_start(table, OMPP_STYLE_GRID, tag, "");
	place_columns(what, "", table);
	ompp_table_columns(table, OMPP_IN_RECORDS, "cache bytes", "misses", "misses (%)", "+-");
	for (size_t i = 0; i < s->n; i++)
		for (int64_t bytes = OMPP_REUSE_LEAST_BYTES; bytes <= last; bytes *= 2) {
			const struct line *l = &s->lines[order[i]];
			int64_t n = ompp_reuse_misses(&l->curve, bytes, &error);

			ompp_table_text(table, "");
			place_values(s, l, what, table);
			ompp_table_number(table, OMPP_KIND_COUNT, bytes);
			ompp_table_number(table, OMPP_KIND_COUNT, n);
			put_share(&l->curve, n, table);
			put_share(&l->curve, error, table);
		}
	return sheet->put(sheet);
}

static int reuse_is_empty(const struct ompp_analysis *a)
{
	return !a->profile->n_distances;
}

static int reuse_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct section s = { .a = a };
	int rc;

	if (reuse_is_empty(a))
		return ompp_data_remark("Reuse was not measured; build with kinst --access, and run with ompp run "
		                        "--reuse=1 (OMPP_REUSE=1).",
		                        sheet);
	rc = ompp_data_start(&s.data, a, sheet);
	if (!rc)
		rc = put_lines(&s, BY_REGION, "reuse by region",
		               "Misses of the machine's caches by region, without the regions below it:", sheet);
	if (!rc)
		rc = put_lines(&s, BY_OBJECT, "reuse by object", "The same by data object:", sheet);
	if (!rc)
		rc = put_lines(&s, BY_BOTH, "reuse by object and region", "The same by both:", sheet);
	if (!rc)
		rc = s.data.is_text ? put_text_curves(&s, sheet)
		                    : put_curves(&s, BY_REGION, "miss ratio by region", sheet);
	if (!rc && !s.data.is_text)
		rc = put_curves(&s, BY_BOTH, "miss ratio by object and region", sheet);
	return rc ? rc
	          : ompp_data_remark("Modelled from sampled lines: each thread has the cache for itself, which is LRU "
	                             "and fully associative, has lines of 64 bytes, and fetches nothing ahead. needs: "
	                             "the least size at which nine of ten of the misses of 16K are hits. first: "
	                             "accesses that miss in each cache, as the thread did not use the line before; "
	                             "they are in no other column. +-: the most by which two halves of the sample "
	                             "differ; sizes below 64K are accurate to some KiB.",
	                             sheet);
}

const struct ompp_view ompp_view_reuse = {
	.title = "Reuse", .tag = "reuse", .build = reuse_build, .is_empty = reuse_is_empty
};
