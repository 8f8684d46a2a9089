/*
 * CSV: tables as records for programs, RFC 4180 inside the marks "##BEG x" … "##END x" of ompP.
 *
 * Times are seconds with nine digits, the full precision of the profile; shares are per cent; computed numbers have all
 * their digits; nothing is grouped.
 */
#include "reports/writers/writer.h"

#include <string.h>

#include "reports/writers/decimal.h"
#include "runtime/base/text.h"

static void mark(struct ompp_out *out, const char *which, const char *tag, const char *rest)
{
	ompp_out_str(out, which);
	ompp_out_str(out, tag);
	ompp_out_str(out, rest);
	ompp_out_char(out, '\n');
}

static void begin(struct ompp_out *out, const char *title, const char *tag, const char *remark)
{
	(void)title;
	(void)remark;
	mark(out, "##BEG ", tag, strcmp(tag, "header") ? "" : " separator=,");
}

static void end(struct ompp_out *out, const char *title, const char *tag)
{
	(void)title;
	mark(out, "##END ", tag, "");
}

static void text_field(struct ompp_out *out, const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		ompp_out_str(out, s);
		return;
	}
	ompp_out_char(out, '"');
	for (; *s; s++) {
		if (*s == '"')
			ompp_out_char(out, '"');
		ompp_out_char(out, *s);
	}
	ompp_out_char(out, '"');
}

static void field(struct ompp_out *out, const struct ompp_value *v)
{
	char buffer[48];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	switch (v->kind) {
	case OMPP_KIND_TEXT:
		text_field(out, v->text);
		return;
	case OMPP_KIND_NONE:
		ompp_text_char(&t, '-');
		break;
	case OMPP_KIND_COUNT:
	case OMPP_KIND_METRIC:
		ompp_text_i64(&t, v->number);
		break;
	case OMPP_KIND_TIME:
		ompp_text_fixed(&t, v->number, 9, 9);
		break;
	case OMPP_KIND_SHARE:
		ompp_text_fixed(&t, v->number, 7, 6);
		break;
	case OMPP_KIND_DECIMAL:
		ompp_decimal_full(&t, v->decimal);
		break;
	}
	ompp_out_str(out, buffer);
}

static void table(struct ompp_out *out, const struct ompp_table *t)
{
	size_t n_rows = ompp_table_n_rows(t);

	if (t->tag[0])
		begin(out, "", t->tag, "");
	for (size_t i = 0; i < t->n_records; i++) {
		const struct ompp_record *r = &t->records[i];

		for (size_t k = 0; k < r->n; k++) {
			if (k)
				ompp_out_char(out, ',');
			field(out, &r->values[k]);
		}
		ompp_out_char(out, '\n');
	}
	for (size_t row = 0; row <= n_rows; row++) {            /* row 0: the titles */
		int n_fields = 0;

		if (!row && t->style != OMPP_STYLE_GRID)
			continue;
		for (size_t c = 0; c < t->n_columns; c++) {
			if (t->columns[c].where == OMPP_IN_TEXT)
				continue;
			if (n_fields++)
				ompp_out_char(out, ',');
			if (row)
				field(out, &t->values[(row - 1) * t->n_columns + c]);
			else
				text_field(out, t->columns[c].title);
		}
		if (n_fields)
			ompp_out_char(out, '\n');
	}
	if (t->tag[0])
		end(out, "", t->tag);
}

const struct ompp_writer ompp_writer_csv = {
	.name = "csv", .alias = "csv", .suffix = "csv", .prints = OMPP_IN_RECORDS,
	.begin = begin, .table = table, .end = end
};
