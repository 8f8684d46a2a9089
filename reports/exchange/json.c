/*
 * JSON: a whole profile for scripts; env/ompp-profile-1.schema.json says what stands where.
 *
 * A number whose size is at most 2^53 - 1 is a number, which each reader of JSON has exactly; a larger one is a text of
 * its decimal digits, as many readers would round it.  What was not measured, and what a construct does not have, is
 * null.
 */
#include "reports/exchange/exchange.h"

#include <errno.h>
#include <string.h>

#include "config.h"
#include "reports/analysis/classes.h"
#include "reports/analysis/formula.h"
#include "reports/exchange/columns.h"
#include "reports/exchange/flat.h"
#include "reports/exchange/quote.h"
#include "reports/findings/findings.h"
#include "reports/writers/decimal.h"
#include "runtime/base/text.h"

/* The version of the format.  It changes when a reader of the version before could misread something. */
enum { FORMAT_VERSION = 1 };

static const uint64_t most_exact = (UINT64_C(1) << 53) - 1;

/* A document, and whether the next member of the list or object at hand is its first. */
struct json {
	struct ompp_out *out;
	int is_first;
};

static void put_bytes(void *out, const char *bytes, size_t n_bytes)
{
	ompp_out_write(out, bytes, n_bytes);
}

static void json_text(struct json *j, const char *s)
{
	ompp_json_quote(s, put_bytes, j->out);
}

static void json_separate(struct json *j)
{
	if (!j->is_first)
		ompp_out_char(j->out, ',');
	j->is_first = 0;
}

/* Begins a member of an object. */
static void json_key(struct json *j, const char *name)
{
	json_separate(j);
	json_text(j, name);
	ompp_out_char(j->out, ':');
}

static void json_open(struct json *j, char bracket)
{
	ompp_out_char(j->out, bracket);
	j->is_first = 1;
}

static void json_close(struct json *j, char bracket)
{
	ompp_out_char(j->out, bracket);
	j->is_first = 0;
}

/* Begins a member of the document, on a line of its own. */
static void json_section(struct json *j, const char *name)
{
	json_separate(j);
	ompp_out_char(j->out, '\n');
	json_text(j, name);
	ompp_out_char(j->out, ':');
}

static void json_null(struct json *j)
{
	ompp_out_str(j->out, "null");
}

static void json_magnitude(struct json *j, int is_negative, uint64_t n)
{
	char buffer[32];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, n > most_exact ? "\"" : "");
	ompp_text_str(&t, is_negative ? "-" : "");
	ompp_text_u64(&t, n);
	ompp_text_str(&t, n > most_exact ? "\"" : "");
	ompp_out_str(j->out, buffer);
}

static void json_number(struct json *j, int64_t n)
{
	if (n == OMPP_MISSING)
		json_null(j);
	else
		json_magnitude(j, n < 0, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

static void text_member(struct json *j, const char *name, const char *value)
{
	json_key(j, name);
	json_text(j, value);
}

static void json_member(struct json *j, const char *name, int64_t value)
{
	json_key(j, name);
	json_number(j, value);
}

static void fixed_member(struct json *j, const char *name, int64_t value, unsigned int n_digits)
{
	json_key(j, name);
	if (value == OMPP_MISSING)
		json_null(j);
	else
		ompp_out_fixed(j->out, value, n_digits);
}

static void json_value(struct json *j, struct ompp_data_value v)
{
	switch (v.kind) {
	case OMPP_DATA_MISSING:
		json_null(j);
		break;
	case OMPP_DATA_NUMBER:
		if (v.n_digits)
			ompp_out_fixed(j->out, (int64_t)v.number, v.n_digits);
		else
			json_magnitude(j, v.is_negative, v.number);
		break;
	case OMPP_DATA_FLAG:
		ompp_out_str(j->out, v.number ? "true" : "false");
		break;
	case OMPP_DATA_TEXT:
		json_text(j, v.text);
		break;
	}
}

/* ---- the parts of the document ---- */

static void put_run(struct json *j, const struct ompp_analysis *a)
{
	struct ompp_data_table head = ompp_data_head(a->profile);
	const struct ompp_data_column *c;

	json_section(j, head.name);
	json_open(j, '{');
	for (size_t i = 0; (c = ompp_data_column(&head, i)); i++) {
		json_key(j, c->name);
		json_value(j, ompp_data_value(&head, c, 0));
	}
	json_member(j, "threads", a->n_threads);
	json_close(j, '}');
}

static void put_lists(struct json *j, const struct ompp_profile *p)
{
	json_section(j, "conditions");
	json_open(j, '[');
	for (size_t i = 0; i < p->n_conditions; i++) {
		json_separate(j);
		json_open(j, '{');
		text_member(j, "label", p->conditions[i].label);
		text_member(j, "value", p->conditions[i].value);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_section(j, "notes");
	json_open(j, '[');
	for (size_t i = 0; i < p->n_notes; i++) {
		json_separate(j);
		json_open(j, '{');
		text_member(j, "text", p->notes[i].text);
		json_member(j, "times", p->notes[i].n ? ompp_count(p->notes[i].n) : OMPP_MISSING);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static int put_program(struct json *j, const struct ompp_analysis *a)
{
	struct ompp_classes c;

	if (ompp_classes(a, &c))
		return -ENOMEM;
	json_section(j, "program");
	json_open(j, '{');
	json_member(j, "measured_ns", a->measured_ns);
	json_member(j, "capacity_ns", a->capacity_ns);
	json_member(j, "parallel_wall_ns", c.covered_ns);
	json_member(j, "parallel_ns", c.sum.total_ns);
	json_member(j, "serial_wall_ns", c.serial_ns);
	json_member(j, "serial_idle_ns", c.idle_ns);
	json_member(j, "synchronisation_ns", c.sum.overhead_ns[OMPP_SYNCH]);
	json_member(j, "imbalance_ns", c.sum.overhead_ns[OMPP_IMBAL]);
	json_member(j, "limited_parallelism_ns", c.sum.overhead_ns[OMPP_LIMPAR]);
	json_member(j, "management_ns", c.sum.overhead_ns[OMPP_MGMT]);
	json_member(j, "synchronisation_error_ns", c.sum.error_ns[OMPP_SYNCH]);
	json_member(j, "imbalance_error_ns", c.sum.error_ns[OMPP_IMBAL]);
	json_member(j, "limited_parallelism_error_ns", c.sum.error_ns[OMPP_LIMPAR]);
	json_member(j, "management_error_ns", c.sum.error_ns[OMPP_MGMT]);
	json_close(j, '}');
	return 0;
}

static int put_findings(struct json *j, const struct ompp_analysis *a)
{
	struct ompp_findings findings;
	int rc = ompp_findings(a, &findings);

	json_section(j, "findings");
	json_open(j, '{');
	fixed_member(j, "least_severity", a->property_min, 9);
	json_member(j, "below", rc ? OMPP_MISSING : ompp_count(findings.n_below));
	json_key(j, "list");
	json_open(j, '[');
	for (size_t i = 0; !rc && i < findings.n; i++) {
		const struct ompp_finding *f = &findings.list[i];
		const char *location = ompp_finding_location(a, f);

		json_separate(j);
		json_open(j, '{');
		json_member(j, "number", f->number);
		text_member(j, "name", f->name);
		text_member(j, "meaning", f->meaning);
		json_member(j, "region", f->region == OMPP_NONE ? OMPP_MISSING : f->region);
		text_member(j, "place", location ? location : "");
		json_member(j, "time_ns", f->ns);
		fixed_member(j, "severity", f->severity, 9);
		json_member(j, "gain_ns", f->gain_ns);
		text_member(j, "evidence", f->evidence);
		text_member(j, "advice", f->advice);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
	return rc;
}

/* ---- counters ---- */

/* Writes the values of a counter: of n lines; values of successive lines are n_metrics apart. */
static void put_values(struct json *j, const char *name, const int64_t *values, size_t n, size_t n_metrics)
{
	json_key(j, name);
	json_open(j, '[');
	for (size_t i = 0; i < n; i++) {
		json_separate(j);
		json_number(j, values[i * n_metrics]);
	}
	json_close(j, ']');
}

static void put_metric(struct json *j, const struct ompp_profile *p, size_t m, const struct ompp_flat *flat)
{
	const struct ompp_metric *metric = &p->metrics[m];

	json_separate(j);
	json_open(j, '{');
	text_member(j, "name", metric->name);
	text_member(j, "unit", metric->unit[0] ? metric->unit : "1");
	text_member(j, "certainty", ompp_certainty_name(metric->certainty));
	text_member(j, "detail", metric->detail);
	put_values(j, "values", p->values + m, p->n_cells, p->n_metrics);
	put_values(j, "flat_values", flat->n ? flat->lines[0].values + m : NULL, flat->n, p->n_metrics);
	json_close(j, '}');
}

static void put_computed(struct json *j, const struct ompp_analysis *a, size_t e, const struct ompp_flat *flat)
{
	const struct ompp_formula *f = &a->formulas[e];

	json_separate(j);
	json_open(j, '{');
	text_member(j, "name", f->eval->name);
	text_member(j, "expression", f->eval->expression);
	text_member(j, "unit", f->eval->unit[0] ? f->eval->unit : "1");
	text_member(j, "certainty", ompp_certainty_name(f->certainty));
	text_member(j, "detail", f->why);
	json_key(j, "flat_values");
	json_open(j, '[');
	for (size_t i = 0; i < flat->n; i++) {
		const struct ompp_flat_line *line = &flat->lines[i];
		struct ompp_decimal d = ompp_formula_value(f, a->profile, line->values, line->cell.exec_ns,
		                                           line->cell.n_exec, 1);
		char buffer[48];
		struct ompp_text t;

		json_separate(j);
		ompp_text_init(&t, buffer, sizeof(buffer));
		if (d.mantissa != OMPP_MISSING)
			ompp_decimal_full(&t, d);
		ompp_out_str(j->out, d.mantissa == OMPP_MISSING ? "null" : buffer);
	}
	json_close(j, ']');
	json_close(j, '}');
}

static int put_counters(struct json *j, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_flat flat;

	if (ompp_flat(a, &flat))
		return -ENOMEM;
	json_section(j, "counters");
	json_open(j, '[');
	for (size_t m = 0; m < p->n_metrics; m++)
		put_metric(j, p, m, &flat);
	json_close(j, ']');
	json_section(j, "computed");
	json_open(j, '[');
	for (size_t e = 0; e < p->n_evals; e++)
		put_computed(j, a, e, &flat);
	json_close(j, ']');
	return 0;
}

/* ---- tables ---- */

static void put_units(struct json *j, const struct ompp_data_table *tables, int n)
{
	const struct ompp_data_column *c;

	json_section(j, "units");
	json_open(j, '{');
	for (int i = 0; i < n; i++) {
		json_key(j, tables[i].name);
		json_open(j, '{');
		for (size_t k = 0; (c = ompp_data_column(&tables[i], k)); k++) {
			if (!c->unit[0])
				continue; /* a name, an index or a number of something */
			json_key(j, c->name);
			json_open(j, '{');
			text_member(j, "unit", c->unit);
			text_member(j, "certainty", c->certainty);
			json_close(j, '}');
		}
		json_close(j, '}');
	}
	json_close(j, '}');
}

static void put_table(struct json *j, const struct ompp_data_table *table)
{
	const struct ompp_data_column *c;

	json_section(j, table->name);
	json_open(j, '{');
	for (size_t i = 0; (c = ompp_data_column(table, i)); i++) {
		json_key(j, c->name);
		json_open(j, '[');
		for (size_t row = 0; row < table->n_rows; row++) {
			json_separate(j);
			json_value(j, ompp_data_value(table, c, row));
		}
		json_close(j, ']');
	}
	json_close(j, '}');
}

static int write_json(const struct ompp_analysis *a, struct ompp_out *out)
{
	struct ompp_data_table tables[OMPP_MAX_DATA_TABLES];
	int n = ompp_data_tables(a, tables), rc;
	struct json j = { out, 1 };

	if (n < 0)
		return n;
	json_open(&j, '{');
	text_member(&j, "format", "ompp-profile");
	json_member(&j, "version", FORMAT_VERSION);
	text_member(&j, "generator", "ompp " PACKAGE_VERSION);
	put_run(&j, a);
	put_lists(&j, a->profile);
	rc = put_program(&j, a);
	if (!rc)
		rc = put_findings(&j, a);
	if (!rc)
		rc = put_counters(&j, a);
	put_units(&j, tables, n);
	for (int i = 0; i < n; i++)
		put_table(&j, &tables[i]);
	ompp_out_str(out, "\n}\n");
	return rc;
}

const struct ompp_exchange ompp_exchange_json = { .write = write_json };
