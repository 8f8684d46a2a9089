/*
 * Data Structures: what the program did with each data object, in which region and by which threads, and the cache
 * lines that several threads write.  All numbers are exclusive to their region, so that shares add up to the whole.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/tables/data_blocks.h"
#include "reports/tables/data_instances.h"
#include "reports/tables/data_section.h"
#include "reports/tables/data_sharing.h"
#include "reports/tables/fit.h"
#include "reports/tables/table_region.h"
#include "reports/tables/variables.h"
#include "runtime/base/array.h"
#include "runtime/base/clean.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { TIMES_LOADED = 16, MOST_UNREAD = 4, UNREAD_BYTES = 1024 };

/* Returns the kinds of numbers in their order: in text the kind by which objects are sorted comes first, in records the
 * counted one. */
static const unsigned char *data_kinds(const struct ompp_data_section *d)
{
	static const unsigned char text[OMPP_N_TRAFFIC] = { OMPP_TRAFFIC_L1,       OMPP_TRAFFIC_L2,
		                                            OMPP_TRAFFIC_L3,       OMPP_TRAFFIC_BYTES,
		                                            OMPP_TRAFFIC_ACCESSES, OMPP_TRAFFIC_LOADS,
		                                            OMPP_TRAFFIC_STORES,   OMPP_TRAFFIC_ATOMICS };
	static const unsigned char records[OMPP_N_TRAFFIC] = { OMPP_TRAFFIC_LOADS,   OMPP_TRAFFIC_STORES,
		                                               OMPP_TRAFFIC_ATOMICS, OMPP_TRAFFIC_ACCESSES,
		                                               OMPP_TRAFFIC_BYTES,   OMPP_TRAFFIC_L1,
		                                               OMPP_TRAFFIC_L2,      OMPP_TRAFFIC_L3 };

	return d->is_text ? text : records;
}

/* Adds columns of numbers.  Text leaves out what nobody counted, and atomics where there are none. */
static void traffic_columns(const struct ompp_data_section *d, struct ompp_table *table)
{
	for (int i = 0; i < OMPP_N_TRAFFIC; i++) {
		enum ompp_traffic_kind kind = (enum ompp_traffic_kind)data_kinds(d)[i];
		int in_text = ompp_traffic_has(d->usage.traffic->all_known, kind) &&
		              (kind != OMPP_TRAFFIC_ATOMICS || d->usage.has_atomics);

		ompp_table_column(table, ompp_traffic_title(kind), in_text ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
		if (kind == OMPP_TRAFFIC_BYTES)
			ompp_table_column(table, "(%)",
			                  d->usage.all_bytes == OMPP_MISSING ? OMPP_IN_RECORDS : OMPP_IN_BOTH);
	}
}

static void traffic_values(const struct ompp_data_section *d, const int64_t values[OMPP_N_TRAFFIC],
                           struct ompp_table *table)
{
	int64_t bytes = values[OMPP_TRAFFIC_BYTES];

	for (int i = 0; i < OMPP_N_TRAFFIC; i++) {
		ompp_table_number(table, OMPP_KIND_METRIC, values[data_kinds(d)[i]]);
		if (data_kinds(d)[i] == OMPP_TRAFFIC_BYTES)
			ompp_table_number(table, OMPP_KIND_SHARE,
			                  bytes == OMPP_MISSING ? OMPP_MISSING : ompp_share(bytes, d->usage.all_bytes));
	}
}

static const char *data_heading(const struct ompp_data_section *d, const char *text)
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

static void use_values(const struct ompp_object_whole *w, struct ompp_table *table)
{
	int is_known = w->values[OMPP_TRAFFIC_ACCESSES] != OMPP_MISSING;

	ompp_table_number(table, OMPP_KIND_COUNT, is_known ? w->n_threads : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, is_known ? w->min : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, is_known ? w->avg : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, is_known ? w->max : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_SHARE, is_known ? ompp_share(w->max - w->avg, w->max) : OMPP_MISSING);
	if (ompp_usage_class_name(w->class))
		ompp_table_text(table, ompp_usage_class_name(w->class));
	else
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
}

static void use_columns(struct ompp_table *table, enum ompp_where where)
{
	static const char *const titles[] = { "threads", "min", "avg", "max", "imbal" };

	for (size_t i = 0; i < OMPP_COUNT_OF(titles); i++)
		ompp_table_column(table, titles[i], where);
	ompp_table_left_column(table, "class", where);
}

/* Puts the objects over all regions: their numbers and, in records, their use. */
static int put_wholes(const struct ompp_data_section *d, const uint32_t *order, size_t n, size_t n_lines,
                      struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	int64_t rest[OMPP_N_TRAFFIC] = { 0 };

	ompp_table_start(table, OMPP_STYLE_GRID, "data objects", data_heading(d, "Data objects in the whole program"));
	ompp_table_left_column(table, "object", OMPP_IN_BOTH);
	traffic_columns(d, table);
	use_columns(table, OMPP_IN_RECORDS);
	for (size_t i = 0; i < n_lines; i++) {
		ompp_data_object(d, order[i], table);
		traffic_values(d, d->usage.wholes[order[i]].values, table);
		use_values(&d->usage.wholes[order[i]], table);
	}
	for (size_t i = n_lines; i < n; i++)
		ompp_traffic_add(rest, d->usage.wholes[order[i]].values);
	if (n_lines < n) {
		ompp_table_text(table, ompp_data_more_text(d, n - n_lines));
		traffic_values(d, rest, table);
		use_values(&(struct ompp_object_whole){ .values = { [OMPP_TRAFFIC_ACCESSES] = OMPP_MISSING } }, table);
	}
	return sheet->put(sheet);
}

/* Puts, in text, who uses the named objects. */
static int put_uses(const struct ompp_data_section *d, const uint32_t *order, size_t n_lines, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "", "Threads that access them, accesses of each, and class:");
	ompp_table_left_column(table, "object", OMPP_IN_TEXT);
	use_columns(table, OMPP_IN_TEXT);
	for (size_t i = 0; i < n_lines; i++) {
		if (order[i] < OMPP_OBJECT_FIRST_NAMED)
			continue;
		ompp_data_object(d, order[i], table);
		use_values(&d->usage.wholes[order[i]], table);
	}
	if (!ompp_table_n_rows(table))
		return table->rc;
	return sheet->put(sheet);
}

/* Bytes of an object in the whole program. */
struct moved {
	int64_t loaded, stored; /* OMPP_MISSING where that is not known of each access */
};

static struct moved bytes_moved(const struct ompp_data_section *d, uint32_t object)
{
	const struct ompp_usage *u = &d->usage;
	struct moved sum = { 0, 0 };

	for (uint32_t i = u->first[object]; i < u->first[object + 1]; i++) {
		const int64_t *values = u->profile->accesses[u->by_object[i]].values;

		if (values[OMPP_ACCESS_LOAD_BYTES] == OMPP_MISSING || values[OMPP_ACCESS_STORE_BYTES] == OMPP_MISSING ||
		    values[OMPP_ACCESS_ATOMIC_BYTES] > 0)
			return (struct moved){ OMPP_MISSING, OMPP_MISSING };
		sum.loaded = ompp_add(sum.loaded, values[OMPP_ACCESS_LOAD_BYTES]);
		sum.stored = ompp_add(sum.stored, values[OMPP_ACCESS_STORE_BYTES]);
	}
	return sum;
}

/* Is so much more of an object stored than loaded that its stores may be for nothing?  Those of less than a hundredth
 * of all bytes cost little. */
static int is_unread(const struct ompp_data_section *d, uint32_t object, const struct moved *moved)
{
	return object >= OMPP_OBJECT_FIRST_NAMED && moved->stored > 0 &&
	       moved->stored / TIMES_LOADED >= moved->loaded && d->usage.all_bytes != OMPP_MISSING &&
	       moved->stored >= d->usage.all_bytes / 100;
}

/* Says which objects are stored and hardly loaded, in their order; nothing when there is none. */
static int put_unread(const struct ompp_data_section *d, const uint32_t *order, size_t n, struct ompp_sheet *sheet)
{
	struct ompp_arena *arena = d->usage.analysis->arena;
	char *buffer = ompp_arena_alloc(arena, UNREAD_BYTES);
	struct ompp_text t;
	size_t n_unread = 0;

	if (!buffer)
		return -ENOMEM;
	ompp_text_init(&t, buffer, UNREAD_BYTES);
	ompp_text_str(&t, "Of these 16 times as many bytes are stored as loaded, or more: ");
	for (size_t i = 0; i < n; i++) {
		struct moved moved = bytes_moved(d, order[i]);
		const char *name;

		if (!is_unread(d, order[i], &moved) || n_unread++ >= MOST_UNREAD)
			continue;
		name = ompp_clean_copy(d->usage.profile->objects[order[i]].name, 0, arena);
		ompp_text_str(&t, n_unread > 1 ? "; " : "");
		ompp_text_str(&t, name ? name : "");
		ompp_text_str(&t, " (");
		ompp_text_grouped(&t, moved.stored);
		ompp_text_str(&t, " stored, ");
		ompp_text_grouped(&t, moved.loaded);
		ompp_text_str(&t, " loaded)");
	}
	if (n_unread > MOST_UNREAD) {
		ompp_text_str(&t, "; ");
		ompp_text_u64(&t, n_unread - MOST_UNREAD);
		ompp_text_str(&t, " more");
	}
	ompp_text_str(&t, ". If nothing else needs what is stored, leave it out; what libraries load is not counted.");
	return n_unread ? ompp_data_remark(buffer, sheet) : 0;
}

static int data_objects(const struct ompp_data_section *d, struct ompp_sheet *sheet)
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
	n_lines = ompp_data_n_printed(d, n);
	rc = put_wholes(d, order, n, n_lines, sheet);
	if (!rc && d->is_text)
		rc = put_uses(d, order, n_lines, sheet);
	if (!rc && d->is_text)
		rc = put_unread(d, order, n, sheet);
	return rc ? rc : ompp_variables_remark(d, sheet);
}

/* Returns object and region as one text: the first column in text, which is repeated where a table is too wide for one
 * line. */
static const char *key_text(const struct ompp_data_section *d, const char *object, size_t object_columns,
                            const char *region)
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
	ompp_fit_middle(&t, region, OMPP_FIT_REGION_COLUMNS); /* it begins with a number */
	return buffer;
}

static int put_parts(const struct ompp_data_section *d, const uint32_t *order, size_t n, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	size_t n_lines = ompp_data_n_printed(d, n), width = strlen("object");
	int64_t rest[OMPP_N_TRAFFIC] = { 0 };

	for (size_t i = 0; i < n_lines; i++) {
		size_t columns = ompp_text_columns(ompp_data_short_name(d, d->usage.parts[order[i]].object));

		width = columns > width ? columns : width;
	}
	ompp_table_start(table, OMPP_STYLE_GRID, "data objects by region",
	                 data_heading(d, "Data objects by region, each without the regions below it"));
	ompp_table_left_column(table, key_text(d, "object", width, "region"), OMPP_IN_TEXT);
	ompp_table_column(table, "object", OMPP_IN_RECORDS);
	ompp_region_columns(table);
	traffic_columns(d, table);
	for (size_t i = 0; i < n_lines; i++) {
		const struct ompp_object_part *part = &d->usage.parts[order[i]];

		ompp_table_text(table, key_text(d, ompp_data_short_name(d, part->object), width,
		                                ompp_data_region_text(d, part)));
		ompp_data_object(d, part->object, table);
		ompp_data_region_values(d, part, table);
		traffic_values(d, part->values, table);
	}
	for (size_t i = n_lines; i < n; i++)
		ompp_traffic_add(rest, d->usage.parts[order[i]].values);
	if (n_lines < n) {
		ompp_table_text(table, ompp_data_more_text(d, n - n_lines));
		ompp_table_text(table, "");
		ompp_data_region_values(d, NULL, table);
		traffic_values(d, rest, table);
	}
	return sheet->put(sheet);
}

static int data_parts(const struct ompp_data_section *d, struct ompp_sheet *sheet)
{
	const struct ompp_analysis *a = d->usage.analysis;
	uint32_t *order = ompp_arena_alloc(a->arena, d->usage.n_parts * sizeof(*order));
	int all_regions = a->n_order == d->usage.profile->n_regions;
	size_t n = 0;

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < d->usage.n_parts; i++) {
		const struct ompp_object_part *part = &d->usage.parts[i];

		if (d->usage.traffic->shown[part->object] &&
		    (part->key == OMPP_SERIAL ? all_regions : a->shown[part->key / 2]))
			order[n++] = i;
	}
	ompp_sort(order, n, ompp_usage_part_is_after, &d->usage);
	return n ? put_parts(d, order, n, sheet) : 0;
}

static int is_empty(const struct ompp_analysis *a)
{
	return (!a->traffic || !a->traffic->is_counted) && !a->profile->n_allocations;
}

static int data_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct ompp_data_section d;
	int rc;

	if (is_empty(a))
		return ompp_data_remark("No data object was measured; name data with inst data in the source, "
		                        "ompp_data_begin() or OMPP_DATA_NAME, and build with kinst --access.",
		                        sheet);
	rc = ompp_data_start(&d, a, sheet);
	if (!rc && (!a->traffic || !a->traffic->is_counted)) {
		rc = ompp_data_blocks(&d, sheet);
		return rc ? rc : ompp_data_instances(&d, sheet);
	}
	if (!rc)
		rc = ompp_usage_init(&d.usage, a);
	if (!rc)
		rc = data_objects(&d, sheet);
	if (!rc)
		rc = data_parts(&d, sheet);
	if (!rc)
		rc = ompp_data_blocks(&d, sheet);
	if (!rc)
		rc = ompp_data_instances(&d, sheet);
	if (!rc)
		rc = ompp_data_lines(&d, sheet);
	return rc ? rc : ompp_data_patterns(&d, sheet);
}

const struct ompp_view ompp_view_data = {
	.title = "Data Structures", .tag = "data structures", .build = data_build, .is_empty = is_empty
};
