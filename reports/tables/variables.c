/*
 * Variables: see variables.h.
 */
#include "reports/tables/variables.h"

#include <errno.h>

#include "reports/findings/smalls.h"
#include "reports/tables/sampled.h"
#include "runtime/base/text.h"

enum { SENTENCE_BYTES = 2000 };

static void variables_columns(const struct ompp_sampled_look *look, struct ompp_table *table)
{
	ompp_table_left_columns(table, OMPP_IN_BOTH, "object", "variable");
	ompp_table_column(table, "samples", OMPP_IN_BOTH);
	ompp_table_column(table, look->is_text ? "accesses~" : "accesses", OMPP_IN_BOTH);
	ompp_table_column(table, look->is_text ? "+-" : "accesses +-", OMPP_IN_BOTH);
	ompp_table_column(table, look->is_text ? "%~" : "share", OMPP_IN_BOTH);
	ompp_table_column(table, look->is_text ? "+-" : "share +-", OMPP_IN_BOTH);
	if (look->by_latency)
		ompp_sampled_mean_columns(look, table);
}

static void variables_line(const struct ompp_data_section *d, const struct ompp_sampled_look *look,
                           const struct ompp_smalls *s, const char *name, const struct ompp_sampled_sum *sum,
                           struct ompp_table *table)
{
	ompp_table_text(table,
	                d->is_text ? ompp_data_short_name(d, s->object) : d->usage.profile->objects[s->object].name);
	ompp_table_text(table, name);
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(sum->n));
	ompp_sampled_accesses(sum, d->is_text, table);
	ompp_sampled_share(ompp_share(sum->estimate, s->all.estimate), ompp_smalls_error(s, sum), d->is_text, table);
	if (look->by_latency)
		ompp_sampled_mean_values(sum, d->is_text, table);
}

/* Puts the lines of one object: text has those that are large enough to be named, records have all. */
static void variables_lines(const struct ompp_data_section *d, const struct ompp_sampled_look *look,
                            const struct ompp_smalls *s, struct ompp_table *table)
{
	struct ompp_sampled_sum others = d->is_text ? s->others : s->nameless;
	size_t n = d->is_text ? s->n_said : s->n;

	for (size_t i = 0; i < n; i++)
		variables_line(d, look, s, s->list[i].name, &s->list[i].sum, table);
	if (others.n)
		variables_line(d, look, s, "(others)", &others, table);
}

int ompp_variables(const struct ompp_data_section *d, struct ompp_sheet *sheet)
{
	const struct ompp_analysis *a = d->usage.analysis;
	struct ompp_sampled_look look;
	struct ompp_smalls smalls;
	int n = 0;

	ompp_sampled_look(&look, a->profile, d->is_text);
	for (uint32_t i = OMPP_OBJECT_FIRST_NAMED; i < a->profile->n_objects; i++) {
		if (!a->traffic->shown[i])
			continue;
		ompp_smalls_find_all(&smalls, a, i);
		if (!smalls.n)
			continue;
		if (!n++) {
			ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "small variables",
			                 "Variables that are too small for objects of their own, by all samples:");
			variables_columns(&look, &sheet->table);
		}
		variables_lines(d, &look, &smalls, &sheet->table);
	}
	return n ? sheet->put(sheet) : 0;
}

int ompp_variables_remark(const struct ompp_data_section *d, struct ompp_sheet *sheet)
{
	const struct ompp_analysis *a = d->usage.analysis;
	char buffer[SENTENCE_BYTES];
	struct ompp_smalls smalls;
	struct ompp_text t;
	int rc = 0;

	for (uint32_t i = OMPP_OBJECT_FIRST_NAMED; d->is_text && !rc && i < a->profile->n_objects; i++) {
		if (!d->named[i])
			continue;
		ompp_smalls_find_all(&smalls, a, i);
		if (!smalls.is_rest)
			continue;
		ompp_text_init(&t, buffer, sizeof(buffer));
		ompp_smalls_say_all(&t, &smalls);
		rc = ompp_data_remark(ompp_arena_strdup(a->arena, buffer), sheet);
	}
	return rc;
}
