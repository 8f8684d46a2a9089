/*
 * Counted: see counted.h.
 */
#include "reports/tables/counted.h"

#include <errno.h>

#include "reports/analysis/formula.h"
#include "reports/analysis/numa.h"
#include "runtime/base/text.h"

/* The longest titles in text: for names of counters the limit is the width of a line, for expressions it is
 * legibility. */
enum { MAX_NAME_COLUMNS = 80, MAX_EXPRESSION_COLUMNS = 40 };

enum variable { CTR, EVAL };

static const struct {
	const char *name;
	size_t max_columns;
} variables[] = { [CTR] = { "OMPP_CTR", MAX_NAME_COLUMNS }, [EVAL] = { "OMPP_EVAL", MAX_EXPRESSION_COLUMNS } };

static int is_inexact(enum ompp_certainty certainty)
{
	return certainty != OMPP_EXACT && certainty != OMPP_NOT_COUNTED;
}

/* Returns the title of a column, "L3_MISSES/I~", or "OMPP_CTR2/I~" instead of a name that is too long. */
static const char *shown_name(const char *name, enum variable variable, size_t i, enum ompp_certainty certainty,
                              const char *suffix, struct ompp_arena *arena)
{
	char buffer[MAX_NAME_COLUMNS * 4 + 8]; /* a column has 4 bytes of UTF-8 at most */
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	if (ompp_text_columns(name) > variables[variable].max_columns) {
		ompp_text_str(&t, variables[variable].name);
		ompp_text_u64(&t, i + 1);
	} else {
		ompp_text_str(&t, name);
	}
	ompp_text_str(&t, suffix);
	ompp_text_str(&t, is_inexact(certainty) ? "~" : "");
	return ompp_arena_strdup(arena, buffer);
}

const char *ompp_counted_name(const struct ompp_metric *metric, size_t i, struct ompp_arena *arena)
{
	const char *name = shown_name(metric->name, CTR, i, metric->certainty, "", arena);

	if (name && metric->unit[0])
		name = ompp_table_title(name, " in ", arena);
	return name ? ompp_table_title(name, metric->unit, arena) : NULL;
}

static void counted_column(struct ompp_table *table, const char *name, enum variable variable, size_t i,
                           enum ompp_certainty certainty, const char *suffix)
{
	const char *shown = shown_name(name, variable, i, certainty, suffix, table->arena);

	ompp_table_wide_column(table, ompp_table_title(name, suffix, table->arena));
	if (!shown)
		table->rc = -ENOMEM;
	if (!table->rc)
		table->columns[table->n_columns - 1].text_title = shown;
}

static int is_shown(const struct ompp_formula *formula, int has_counters)
{
	return has_counters || !ompp_formula_has_counters(formula);
}

void ompp_counted_columns(const struct ompp_analysis *a, int has_counters, int with_exclusive, struct ompp_table *table)
{
	const struct ompp_profile *p = a->profile;
	const char *suffix = with_exclusive ? "/I" : "";

	for (size_t m = 0; m < p->n_metrics && has_counters; m++) {
		counted_column(table, p->metrics[m].name, CTR, m, p->metrics[m].certainty, suffix);
		if (with_exclusive)
			counted_column(table, p->metrics[m].name, CTR, m, p->metrics[m].certainty, "/E");
	}
	for (size_t i = 0; i < p->n_evals; i++) {
		const struct ompp_formula *f = &a->formulas[i];

		if (!is_shown(f, has_counters))
			continue;
		counted_column(table, f->eval->name, EVAL, i, f->certainty, suffix);
		if (with_exclusive)
			counted_column(table, f->eval->name, EVAL, i, f->certainty, "/E");
	}
}

static void put_counter(const struct ompp_profile *p, const struct ompp_line *line, size_t m, const int64_t *values,
                        struct ompp_table *table)
{
	int is_missing = line->only_data || p->metrics[m].certainty == OMPP_NOT_COUNTED;

	ompp_table_number(table, OMPP_KIND_METRIC, is_missing ? OMPP_MISSING : values[m]);
}

static void put_formula(const struct ompp_profile *p, const struct ompp_line *line, const struct ompp_formula *f,
                        const int64_t *values, int64_t exec_ns, struct ompp_table *table)
{
	uint64_t n_threads = line->row == OMPP_NONE ? line->n_rows : 1;
	struct ompp_decimal value = { OMPP_MISSING, 0 };

	if (!line->only_data)
		value = ompp_formula_value(f, p, values, exec_ns, line->cell.n_exec, n_threads);
	ompp_table_decimal(table, value);
}

void ompp_counted_values(const struct ompp_analysis *a, int has_counters, int with_exclusive,
                         const struct ompp_line *line, struct ompp_table *table)
{
	const struct ompp_profile *p = a->profile;

	for (size_t m = 0; m < p->n_metrics && has_counters; m++) {
		put_counter(p, line, m, line->values, table);
		if (with_exclusive)
			put_counter(p, line, m, line->exclusive_values, table);
	}
	for (size_t i = 0; i < p->n_evals; i++) {
		const struct ompp_formula *f = &a->formulas[i];

		if (!is_shown(f, has_counters))
			continue;
		put_formula(p, line, f, line->values, line->cell.exec_ns, table);
		if (with_exclusive)
			put_formula(p, line, f, line->exclusive_values, line->exclusive_ns, table);
	}
}

int ompp_counted_legend(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	unsigned int found = 0;
	char buffer[120];
	struct ompp_text t;

	for (size_t m = 0; m < p->n_metrics; m++)
		found |= (unsigned int)is_inexact(p->metrics[m].certainty) << p->metrics[m].certainty;
	for (size_t i = 0; a->numa && i < a->numa->n_metrics; i++)
		found |= (unsigned int)is_inexact(a->numa->metrics[i].certainty) << a->numa->metrics[i].certainty;
	found |= (unsigned int)(p->sample_source[0] != '\0') << OMPP_SAMPLED;
	if (!found || !a->n_order || sheet->prints != OMPP_IN_TEXT)
		return 0;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "~: not exact but ");
	for (int c = OMPP_SAMPLED; c < OMPP_NOT_COUNTED; c++) {
		if (!(found >> c & 1))
			continue;
		ompp_text_str(&t, found & ((1u << c) - 1) ? " or " : "");
		ompp_text_str(&t, ompp_certainty_name((enum ompp_certainty)c));
	}
	ompp_text_str(&t, "; General Information says more");
	ompp_table_start(&sheet->table, OMPP_STYLE_LINES, "", "");
	ompp_table_column(&sheet->table, "", OMPP_IN_TEXT);
	ompp_table_text(&sheet->table, ompp_arena_strdup(a->arena, buffer));
	return sheet->put(sheet);
}
