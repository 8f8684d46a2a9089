/*
 * Data sharing: see data_sharing.h.
 */
#include "reports/tables/data_sharing.h"

#include <errno.h>
#include <string.h>

#include "reports/findings/pattern.h"
#include "reports/tables/table_region.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

/* Returns "a+64 in R00002 main.c (30-37) LOOP: 1 000 stores, 900 of them after another thread's; bytes by thread 0:
 * 0-7, 1: 8-15". */
static const char *line_text(const struct ompp_data_section *d, const struct ompp_shared_line *line)
{
	const char *object = ompp_data_name(d, line->object);
	const char *region = ompp_data_region_text(d, &(struct ompp_object_part){ .key = 2 * (int64_t)line->region });
	size_t n = region ? strlen(object) + strlen(region) + strlen(line->rows) + 160 : 0;
	char *buffer = region ? ompp_arena_alloc(d->usage.analysis->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, " * ");
	ompp_text_str(&t, object);
	if (line->offset_bytes != OMPP_MISSING) {
		ompp_text_str(&t, line->offset_bytes < 0 ? "" : "+");
		ompp_text_i64(&t, line->offset_bytes);
	}
	ompp_text_str(&t, " in ");
	ompp_text_str(&t, region);
	ompp_text_str(&t, ": ");
	ompp_text_grouped(&t, ompp_count(line->n_stores));
	ompp_text_str(&t, " stores, ");
	ompp_text_grouped(&t, ompp_count(line->n_transfers));
	ompp_text_str(&t, " of them after another thread's; bytes ");
	ompp_text_str(&t, line->offset_bytes == OMPP_MISSING ? "of the line " : "");
	ompp_text_str(&t, "by thread ");
	ompp_text_str(&t, line->rows);
	return buffer;
}

static int put_lines(const struct ompp_data_section *d, const uint32_t *chosen, size_t n, struct ompp_sheet *sheet)
{
	static const char *const titles[] = { "offset", "stores", "transfers", "rows" };
	int rc;
	struct ompp_table *table = &sheet->table;
	size_t n_lines = ompp_data_n_printed(d, n);

	ompp_table_start(table, d->is_text ? OMPP_STYLE_LINES : OMPP_STYLE_GRID, "shared cache lines",
	                 "Cache lines that several threads write within one region, by the offset in the object:");
	ompp_table_left_column(table, "line", OMPP_IN_TEXT);
	ompp_table_column(table, "object", OMPP_IN_RECORDS);
	ompp_region_columns(table);
	for (size_t i = 0; i < OMPP_COUNT_OF(titles); i++)
		ompp_table_column(table, titles[i], OMPP_IN_RECORDS);
	for (size_t i = 0; i < n_lines; i++) {
		const struct ompp_shared_line *line = &d->usage.profile->shared_lines[chosen[i]];

		ompp_table_text(table, d->is_text ? line_text(d, line) : "");
		ompp_table_text(table, d->usage.profile->objects[line->object].name);
		ompp_data_region_values(d, &(struct ompp_object_part){ .key = 2 * (int64_t)line->region }, table);
		ompp_table_number(table, OMPP_KIND_COUNT, line->offset_bytes);
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(line->n_stores));
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(line->n_transfers));
		ompp_table_text(table, line->rows);
	}
	rc = sheet->put(sheet);
	return !rc && n > n_lines ? ompp_data_remark(ompp_data_more_text(d, n - n_lines), sheet) : rc;
}

int ompp_data_lines(const struct ompp_data_section *d, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = d->usage.profile;
	uint32_t *chosen = ompp_arena_alloc(d->usage.analysis->arena, p->n_shared_lines * sizeof(*chosen));
	int is_measured = 0, is_named = 0, rc = 0;
	size_t n = 0;

	if (!chosen)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_shared_lines; i++)
		if (d->usage.traffic->shown[p->shared_lines[i].object] &&
		    d->usage.analysis->shown[p->shared_lines[i].region])
			chosen[n++] = i;
	for (size_t o = 0; o < p->n_objects; o++) {
		is_measured |= p->objects[o].measured;
		is_named |= p->objects[o].measured && strcmp(p->objects[o].name, "(other)") != 0 &&
		            strcmp(p->objects[o].name, "(stack)") != 0;
	}
	if (n)
		rc = put_lines(d, chosen, n, sheet);
	if (!rc && is_measured && !p->sharing)
		rc = ompp_data_remark("Cache lines that several threads write (false sharing) were not looked for; set "
		                      "OMPP_SHARING=1 in a program built with kinst --access.",
		                      sheet);
	else if (!rc && is_measured && !n)
		rc = ompp_data_remark(is_named
		                              ? "No cache line of memory with a name was seen to be written by several "
		                                "threads within one region."
		                              : "No memory has a name, and only lines of such memory are looked at: "
		                                "OMPP_OBJECTS=1 (ompp run --objects) names what is allocated.",
		                      sheet);
	return rc;
}

/* " * R00001 a.c (3-7) PARALLEL LOOP, a: …" */
static const char *pattern_text(const struct ompp_data_section *d, const struct ompp_pattern *pattern,
                                const struct ompp_object_part *part, const struct ompp_pattern_sums *sums)
{
	const char *region = ompp_data_region_text(d, part), *what = ompp_pattern_say(d->usage.analysis, pattern, sums);
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

/* In text a pattern is a sentence. */
int ompp_data_patterns(const struct ompp_data_section *d, struct ompp_sheet *sheet)
{
	static const char *const names[OMPP_N_PATTERNS] = {
		[OMPP_PATTERN_FALSE_SHARING] = "false sharing",
		[OMPP_PATTERN_STRIDE] = "stride",
		[OMPP_PATTERN_FOREIGN] = "first written by another thread",
		[OMPP_PATTERN_READERS] = "read beside what another thread writes"
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
	ompp_region_columns(table);
	ompp_table_columns(table, OMPP_IN_RECORDS, "n", "of", "lines", "step", "rows");
	for (size_t i = 0; i < p->n_patterns; i++) {
		const struct ompp_pattern *one = &p->patterns[i];
		struct ompp_object_part part = { .key = one->region == OMPP_NONE ? OMPP_SERIAL
			                                                         : 2 * (int64_t)one->region };

		if (!d->usage.traffic->shown[one->object] ||
		    (one->region == OMPP_NONE ? a->n_order != p->n_regions : !a->shown[one->region]) ||
		    !ompp_pattern_holds(a, one, &sums) || (d->is_text && n == OMPP_DATA_MOST_LINES))
			continue;
		n++;
		ompp_table_text(table, d->is_text ? pattern_text(d, one, &part, &sums) : names[one->kind]);
		ompp_table_text(table, p->objects[one->object].name);
		ompp_data_region_values(d, &part, table);
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(one->n));
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(one->n_of));
		ompp_table_number(table, OMPP_KIND_COUNT,
		                  ompp_pattern_is_of_lines(one->kind) ? ompp_count(one->n_lines) : OMPP_MISSING);
		ompp_table_number(table, OMPP_KIND_COUNT,
		                  one->kind == OMPP_PATTERN_STRIDE && one->step_bytes ? one->step_bytes : OMPP_MISSING);
		ompp_table_text(table, one->rows);
	}
	return n ? sheet->put(sheet) : 0;
}
