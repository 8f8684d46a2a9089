/*
 * Data Structures: what the program did with each data object, in which region, by which threads; and the cache lines
 * that threads write side by side.  All numbers are exclusive to their region, so that shares add up to the whole.
 */
#include "reports/views/view.h"

#include <errno.h>
#include <string.h>

#include "reports/views/label.h"
#include "reports/views/pattern.h"
#include "reports/views/sort.h"
#include "reports/views/usage.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

enum { MAX_TEXT_LINES = 40, MAX_NAME_COLUMNS = 24 };

struct data {
	struct ompp_usage usage;
	int               is_text;              /* else records */
};

/* The order of the numbers: in text what the objects are sorted by comes first, in records what was counted. */
static const unsigned char *kinds(const struct data *d)
{
	static const unsigned char text[OMPP_N_TRAFFIC] = {
		OMPP_TRAFFIC_L1, OMPP_TRAFFIC_L2, OMPP_TRAFFIC_L3, OMPP_TRAFFIC_BYTES, OMPP_TRAFFIC_ACCESSES,
		OMPP_TRAFFIC_LOADS, OMPP_TRAFFIC_STORES, OMPP_TRAFFIC_ATOMICS
	};
	static const unsigned char records[OMPP_N_TRAFFIC] = {
		OMPP_TRAFFIC_LOADS, OMPP_TRAFFIC_STORES, OMPP_TRAFFIC_ATOMICS, OMPP_TRAFFIC_ACCESSES, OMPP_TRAFFIC_BYTES,
		OMPP_TRAFFIC_L1, OMPP_TRAFFIC_L2, OMPP_TRAFFIC_L3
	};

	return d->is_text ? text : records;
}

/* Columns of numbers.  Text leaves out what nobody counted, and atomics where there are none. */
static void traffic_columns(const struct data *d, struct ompp_table *table)
{
	for (int i = 0; i < OMPP_N_TRAFFIC; i++) {
		enum ompp_traffic_kind kind = (enum ompp_traffic_kind)kinds(d)[i];
		int in_text = ompp_traffic_has(d->usage.traffic->all_known, kind) &&
		              (kind != OMPP_TRAFFIC_ATOMICS || d->usage.has_atomics);

		ompp_table_column(table, ompp_traffic_title(kind), in_text ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
		if (kind == OMPP_TRAFFIC_BYTES)
			ompp_table_column(table, "(%)", d->usage.all_bytes == OMPP_MISSING ? OMPP_IN_RECORDS : OMPP_IN_BOTH);
	}
}

static void traffic_values(const struct data *d, const int64_t values[OMPP_N_TRAFFIC], struct ompp_table *table)
{
	int64_t bytes = values[OMPP_TRAFFIC_BYTES];

	for (int i = 0; i < OMPP_N_TRAFFIC; i++) {
		ompp_table_number(table, OMPP_KIND_METRIC, values[kinds(d)[i]]);
		if (kinds(d)[i] == OMPP_TRAFFIC_BYTES)
			ompp_table_number(table, OMPP_KIND_SHARE,
			                  bytes == OMPP_MISSING ? OMPP_MISSING : ompp_share(bytes, d->usage.all_bytes));
	}
}

/* "(12 more)" */
static const char *more_text(const struct data *d, size_t n)
{
	char buffer[40];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_char(&t, '(');
	ompp_text_u64(&t, n);
	ompp_text_str(&t, " more)");
	return ompp_arena_strdup(d->usage.analysis->arena, buffer);
}

static const char *heading(const struct data *d, const char *text)
{
	int is_modelled = ompp_traffic_last_level(d->usage.traffic) != OMPP_N_TRAFFIC;
	char buffer[160];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, text);
	ompp_text_str(&t, d->usage.all_bytes == OMPP_MISSING ? "" : ", (%) of all bytes");
	ompp_text_str(&t, is_modelled ? "; misses are modelled:" : ":");
	return ompp_arena_strdup(d->usage.analysis->arena, buffer);
}

static void use_values(const struct ompp_whole *w, struct ompp_table *table)
{
	int is_known = w->values[OMPP_TRAFFIC_ACCESSES] != OMPP_MISSING;

	ompp_table_number(table, OMPP_KIND_COUNT, is_known ? w->n_threads : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, is_known ? w->min : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, is_known ? w->avg : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, is_known ? w->max : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_SHARE, is_known ? ompp_share(w->max - w->avg, w->max) : OMPP_MISSING);
	if (ompp_class_name(w->class))
		ompp_table_text(table, ompp_class_name(w->class));
	else
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
}

static void use_columns(struct ompp_table *table, enum ompp_where where)
{
	static const char *const titles[] = { "threads", "min", "avg", "max", "imbal" };

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		ompp_table_column(table, titles[i], where);
	ompp_table_left_column(table, "class", where);
}

/* The objects, all regions together: their numbers, and in records their use. */
static int put_wholes(const struct data *d, const uint32_t *order, size_t n, size_t n_lines,
                      struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	int64_t rest[OMPP_N_TRAFFIC] = { 0 };

	ompp_table_start(table, OMPP_STYLE_GRID, "data objects",
	                 heading(d, "Data objects in the whole program"));
	ompp_table_left_column(table, "object", OMPP_IN_BOTH);
	traffic_columns(d, table);
	use_columns(table, OMPP_IN_RECORDS);
	for (size_t i = 0; i < n_lines; i++) {
		ompp_table_text(table, d->usage.profile->objects[order[i]].name);
		traffic_values(d, d->usage.wholes[order[i]].values, table);
		use_values(&d->usage.wholes[order[i]], table);
	}
	for (size_t i = n_lines; i < n; i++)
		ompp_traffic_add(rest, d->usage.wholes[order[i]].values);
	if (n_lines < n) {
		ompp_table_text(table, more_text(d, n - n_lines));
		traffic_values(d, rest, table);
		use_values(&(struct ompp_whole){ .values = { [OMPP_TRAFFIC_ACCESSES] = OMPP_MISSING } }, table);
	}
	return sheet->put(sheet);
}

/* Who uses the named objects, in text. */
static int put_uses(const struct data *d, const uint32_t *order, size_t n_lines, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "", "Threads that access them, accesses of each, and class:");
	ompp_table_left_column(table, "object", OMPP_IN_TEXT);
	use_columns(table, OMPP_IN_TEXT);
	for (size_t i = 0; i < n_lines; i++) {
		if (order[i] < OMPP_OBJECT_FIRST_NAMED)
			continue;
		ompp_table_text(table, d->usage.profile->objects[order[i]].name);
		use_values(&d->usage.wholes[order[i]], table);
	}
	if (!ompp_table_n_rows(table))
		return table->rc;
	return sheet->put(sheet);
}

/* Text shows the first of many lines; records show all. */
static size_t n_printed(const struct data *d, size_t n)
{
	return d->is_text && n > MAX_TEXT_LINES ? MAX_TEXT_LINES : n;
}

static int objects(const struct data *d, struct ompp_sheet *sheet)
{
	uint32_t *order = ompp_arena_alloc(d->usage.analysis->arena, d->usage.profile->n_objects * sizeof(*order));
	size_t n = 0, n_lines;
	int rc;

	if (!order)
		return -ENOMEM;
	for (uint32_t o = 0; o < d->usage.profile->n_objects; o++)
		if (d->usage.traffic->shown[o] &&
		    (!d->is_text || o >= OMPP_OBJECT_FIRST_NAMED || d->usage.profile->objects[o].measured))
			order[n++] = o;
	ompp_sort(order, n, ompp_usage_whole_is_after, &d->usage);
	n_lines = n_printed(d, n);
	rc = put_wholes(d, order, n, n_lines, sheet);
	return rc || !d->is_text ? rc : put_uses(d, order, n_lines, sheet);
}

static enum ompp_construct construct_of(const struct data *d, const struct ompp_part *part)
{
	return part->key & 1 ? OMPP_TASKEXEC : d->usage.profile->regions[part->key / 2].construct;
}

static const char *region_text(const struct data *d, const struct ompp_part *part)
{
	const char *label, *construct;
	struct ompp_text t;
	char *buffer;
	size_t n;

	if (part->key == OMPP_SERIAL)
		return "(serial)";
	label = ompp_region_label(d->usage.analysis, &d->usage.profile->regions[part->key / 2]);
	construct = ompp_construct_name(construct_of(d, part));
	n = label ? strlen(label) + strlen(construct) + 2 : 0;
	buffer = label ? ompp_arena_alloc(d->usage.analysis->arena, n) : NULL;
	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, label);
	ompp_text_char(&t, ' ');
	ompp_text_str(&t, construct);
	return buffer;
}

/* In text the first column is both: it is repeated where a table is too wide for one line. */
static const char *key_text(const struct data *d, const char *object, size_t object_columns, const char *region)
{
	size_t n = region ? strlen(object) + object_columns + strlen(region) + 2 : 0;
	char *buffer = region ? ompp_arena_alloc(d->usage.analysis->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, object);
	ompp_text_pad_right(&t, 0, object_columns);
	ompp_text_char(&t, ' ');
	ompp_text_str(&t, region);
	return buffer;
}

static void region_values(const struct data *d, const struct ompp_part *part, struct ompp_table *table)
{
	if (part && part->key != OMPP_SERIAL) {
		ompp_view_region_values(table, &d->usage.profile->regions[part->key / 2], construct_of(d, part));
		return;
	}
	ompp_table_text(table, part ? "(serial)" : "");
	for (int i = 0; i < 5; i++)
		ompp_table_text(table, "");
}

/* The name of an object as a part of a text for people. */
static const char *name_of(const struct data *d, uint32_t object)
{
	const char *name = ompp_clean_copy(d->usage.profile->objects[object].name, 0, d->usage.analysis->arena);

	return name ? name : "";
}

static int put_parts(const struct data *d, const uint32_t *order, size_t n, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	size_t n_lines = n_printed(d, n), width = strlen("object");
	int64_t rest[OMPP_N_TRAFFIC] = { 0 };

	for (size_t i = 0; i < n_lines; i++) {
		size_t columns = ompp_text_columns(name_of(d, d->usage.parts[order[i]].object));

		width = columns > width && columns <= MAX_NAME_COLUMNS ? columns : width;
	}
	ompp_table_start(table, OMPP_STYLE_GRID, "data objects by region",
	                 heading(d, "Data objects by region, each without the regions below it"));
	ompp_table_left_column(table, key_text(d, "object", width, "region"), OMPP_IN_TEXT);
	ompp_table_column(table, "object", OMPP_IN_RECORDS);
	ompp_view_region_columns(table);
	traffic_columns(d, table);
	for (size_t i = 0; i < n_lines; i++) {
		const struct ompp_part *part = &d->usage.parts[order[i]];

		ompp_table_text(table, key_text(d, name_of(d, part->object), width, region_text(d, part)));
		ompp_table_text(table, d->usage.profile->objects[part->object].name);
		region_values(d, part, table);
		traffic_values(d, part->values, table);
	}
	for (size_t i = n_lines; i < n; i++)
		ompp_traffic_add(rest, d->usage.parts[order[i]].values);
	if (n_lines < n) {
		ompp_table_text(table, more_text(d, n - n_lines));
		ompp_table_text(table, "");
		region_values(d, NULL, table);
		traffic_values(d, rest, table);
	}
	return sheet->put(sheet);
}

static int parts(const struct data *d, struct ompp_sheet *sheet)
{
	const struct ompp_analysis *a = d->usage.analysis;
	uint32_t *order = ompp_arena_alloc(a->arena, d->usage.n_parts * sizeof(*order));
	int all_regions = a->n_order == d->usage.profile->n_regions;
	size_t n = 0;

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < d->usage.n_parts; i++) {
		const struct ompp_part *part = &d->usage.parts[i];

		if (d->usage.traffic->shown[part->object] &&
		    (part->key == OMPP_SERIAL ? all_regions : a->shown[part->key / 2]))
			order[n++] = i;
	}
	ompp_sort(order, n, ompp_usage_part_is_after, &d->usage);
	return n ? put_parts(d, order, n, sheet) : 0;
}

/* "a+64 in R00002 main.c (30-37) LOOP: 1 000 stores, 900 of them after another thread's; 0: 0-7, 1: 8-15" */
static const char *line_text(const struct data *d, const struct ompp_shared_line *line)
{
	const char *object = name_of(d, line->object);
	const char *region = region_text(d, &(struct ompp_part){ .key = 2 * (int64_t)line->region });
	size_t n = region ? strlen(object) + strlen(region) + strlen(line->rows) + 160 : 0;
	char *buffer = region ? ompp_arena_alloc(d->usage.analysis->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, " * ");
	ompp_text_str(&t, object);
	ompp_text_str(&t, line->offset_bytes < 0 ? "" : "+");
	ompp_text_i64(&t, line->offset_bytes);
	ompp_text_str(&t, " in ");
	ompp_text_str(&t, region);
	ompp_text_str(&t, ": ");
	ompp_text_grouped(&t, ompp_count(line->n_stores));
	ompp_text_str(&t, " stores, ");
	ompp_text_grouped(&t, ompp_count(line->n_transfers));
	ompp_text_str(&t, " of them after another thread's; bytes by thread ");
	ompp_text_str(&t, line->rows);
	return buffer;
}

static int put_remark(const char *text, struct ompp_sheet *sheet)
{
	if (sheet->prints != OMPP_IN_TEXT)
		return 0;
	ompp_table_start(&sheet->table, OMPP_STYLE_LINES, "", "");
	ompp_table_left_column(&sheet->table, "", OMPP_IN_TEXT);
	ompp_table_text(&sheet->table, text);
	return sheet->put(sheet);
}

static int put_lines(const struct data *d, const uint32_t *chosen, size_t n, struct ompp_sheet *sheet)
{
	static const char *const titles[] = { "offset", "stores", "transfers", "rows" };
	int rc;
	struct ompp_table *table = &sheet->table;
	size_t n_lines = n_printed(d, n);

	ompp_table_start(table, d->is_text ? OMPP_STYLE_LINES : OMPP_STYLE_GRID, "shared cache lines",
	                 "Cache lines that several threads write within one region, by the offset in the object:");
	ompp_table_left_column(table, "line", OMPP_IN_TEXT);
	ompp_table_column(table, "object", OMPP_IN_RECORDS);
	ompp_view_region_columns(table);
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		ompp_table_column(table, titles[i], OMPP_IN_RECORDS);
	for (size_t i = 0; i < n_lines; i++) {
		const struct ompp_shared_line *line = &d->usage.profile->shared_lines[chosen[i]];

		ompp_table_text(table, d->is_text ? line_text(d, line) : "");
		ompp_table_text(table, d->usage.profile->objects[line->object].name);
		region_values(d, &(struct ompp_part){ .key = 2 * (int64_t)line->region }, table);
		ompp_table_number(table, OMPP_KIND_COUNT, line->offset_bytes);
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(line->n_stores));
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(line->n_transfers));
		ompp_table_text(table, line->rows);
	}
	rc = sheet->put(sheet);
	return !rc && n > n_lines ? put_remark(more_text(d, n - n_lines), sheet) : rc;
}

static int lines(const struct data *d, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = d->usage.profile;
	uint32_t *chosen = ompp_arena_alloc(d->usage.analysis->arena, p->n_shared_lines * sizeof(*chosen));
	int is_measured = 0, rc = 0;
	size_t n = 0;

	if (!chosen)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_shared_lines; i++)
		if (d->usage.traffic->shown[p->shared_lines[i].object] &&
		    d->usage.analysis->shown[p->shared_lines[i].region])
			chosen[n++] = i;
	for (size_t o = 0; o < p->n_objects; o++)
		is_measured |= p->objects[o].measured;
	if (n)
		rc = put_lines(d, chosen, n, sheet);
	if (!rc && is_measured && !p->sharing)
		rc = put_remark("Cache lines that several threads write (false sharing) were not looked for; set "
		                "OMPP_SHARING=1 in a program built with kinst --access.", sheet);
	else if (!rc && is_measured && !n)
		rc = put_remark("No cache line of these objects was written by several threads within one region.",
		                sheet);
	return rc;
}

/* " * R00001 a.c (3-7) PARALLEL LOOP, a: …" */
static const char *pattern_text(const struct data *d, const struct ompp_pattern *pattern, const struct ompp_part *part,
                                const struct ompp_pattern_sums *sums)
{
	const char *region = region_text(d, part), *what = ompp_pattern_say(d->usage.analysis, pattern, sums);
	size_t n = region ? strlen(region) + strlen(what) + 8 : 0;
	char *buffer = region ? ompp_arena_alloc(d->usage.analysis->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, " * ");
	ompp_text_str(&t, region);
	ompp_text_str(&t, ", ");
	ompp_text_str(&t, what);
	return buffer;
}

/* What shows in no count alone: a line for each in text. */
static int patterns(const struct data *d, struct ompp_sheet *sheet)
{
	static const char *const names[OMPP_N_PATTERNS] = {
		[OMPP_PATTERN_FALSE_SHARING] = "false sharing", [OMPP_PATTERN_STRIDE] = "stride",
		[OMPP_PATTERN_FOREIGN] = "first written by another thread"
	};
	const struct ompp_analysis *a = d->usage.analysis;
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	struct ompp_pattern_sums sums;
	size_t n = 0;

	ompp_table_start(table, d->is_text ? OMPP_STYLE_LINES : OMPP_STYLE_GRID, "data patterns",
	                 "What threads do with them, beside these numbers:");
	ompp_table_left_column(table, "pattern", OMPP_IN_BOTH);
	ompp_table_column(table, "object", OMPP_IN_RECORDS);
	ompp_view_region_columns(table);
	ompp_table_column(table, "n", OMPP_IN_RECORDS);
	ompp_table_column(table, "of", OMPP_IN_RECORDS);
	ompp_table_column(table, "lines", OMPP_IN_RECORDS);
	ompp_table_column(table, "step", OMPP_IN_RECORDS);
	ompp_table_column(table, "rows", OMPP_IN_RECORDS);
	for (size_t i = 0; i < p->n_patterns; i++) {
		const struct ompp_pattern *one = &p->patterns[i];
		struct ompp_part part = { .key = one->region == OMPP_NONE ? OMPP_SERIAL : 2 * (int64_t)one->region };

		if (!d->usage.traffic->shown[one->object] || (one->region == OMPP_NONE ? a->n_order != p->n_regions
		                                                                         : !a->shown[one->region]) ||
		    !ompp_pattern_holds(a, one, &sums) || (d->is_text && n == MAX_TEXT_LINES))
			continue;
		n++;
		ompp_table_text(table, d->is_text ? pattern_text(d, one, &part, &sums) : names[one->kind]);
		ompp_table_text(table, p->objects[one->object].name);
		region_values(d, &part, table);
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(one->n));
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(one->n_of));
		ompp_table_number(table, OMPP_KIND_COUNT, one->kind == OMPP_PATTERN_FALSE_SHARING ? ompp_count(one->n_lines)
		                                                                                    : OMPP_MISSING);
		ompp_table_number(table, OMPP_KIND_COUNT, one->kind == OMPP_PATTERN_STRIDE ? one->step_bytes : OMPP_MISSING);
		ompp_table_text(table, one->rows);
	}
	return n ? sheet->put(sheet) : 0;
}

static int is_empty(const struct ompp_analysis *a)
{
	return !a->traffic;
}

static int build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct data d = { .is_text = sheet->prints == OMPP_IN_TEXT };
	int rc;

	if (!a->traffic)
		return put_remark("No data object was measured; name data with inst data in the source, "
		                  "ompp_data_begin() or OMPP_DATA_NAME, and build with kinst --access.", sheet);
	rc = ompp_usage_init(&d.usage, a);
	if (!rc)
		rc = objects(&d, sheet);
	if (!rc)
		rc = parts(&d, sheet);
	if (!rc)
		rc = lines(&d, sheet);
	return rc ? rc : patterns(&d, sheet);
}

const struct ompp_view ompp_view_data = {
	.name = "data", .title = "Data Structures", .tag = "data structures", .build = build, .is_empty = is_empty
};
