/*
 * CSV: tables as records for programs, as in RFC 4180, inside the marks "##BEG x" and "##END x" of ompP.
 *
 * Times are seconds with nine digits, which is the full precision of the profile.  Shares are per cent.  Computed
 * numbers have all their digits.  Nothing is grouped.  Texts are cells (cell.h): made harmless or, in the format
 * csv-raw, the bytes as they are.
 */
#include "reports/writers/writer.h"

#include <string.h>

#include "reports/writers/cell.h"
#include "reports/writers/decimal.h"
#include "runtime/base/text.h"

static void csv_mark(struct ompp_out *out, const char *which, const char *tag, const char *rest)
{
	ompp_out_str(out, which);
	ompp_out_str(out, tag);
	ompp_out_str(out, rest);
	ompp_out_char(out, '\n');
}

static void csv_begin(struct ompp_out *out, const char *title, const char *tag, const char *remark)
{
	(void)title;
	(void)remark;
	csv_mark(out, "##BEG ", tag, strcmp(tag, "header") ? "" : " separator=,");
}

static void csv_end(struct ompp_out *out, const char *title, const char *tag)
{
	(void)title;
	csv_mark(out, "##END ", tag, "");
}

static void put_bytes(void *out, const char *bytes, size_t n_bytes)
{
	ompp_out_write(out, bytes, n_bytes);
}

static void csv_field(struct ompp_out *out, const struct ompp_value *v, int is_raw)
{
	char buffer[48];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	switch (v->kind) {
	case OMPP_KIND_TEXT:
		ompp_cell(v->text, is_raw, put_bytes, out);
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
	case OMPP_KIND_ROUNDED:
		ompp_decimal_full(&t, v->decimal);
		break;
	case OMPP_KIND_RANGE:
		ompp_text_u64(&t, v->range.least);
		ompp_text_char(&t, '-');
		ompp_text_u64(&t, v->range.most);
		break;
	}
	ompp_out_str(out, buffer);
}

static void csv_print(struct ompp_out *out, const struct ompp_table *t, int is_raw)
{
	size_t n_rows = ompp_table_n_rows(t);

	if (t->tag[0])
		csv_begin(out, "", t->tag, "");
	for (size_t i = 0; i < t->n_records; i++) {
		const struct ompp_record *r = &t->records[i];

		for (size_t k = 0; k < r->n; k++) {
			if (k)
				ompp_out_char(out, ',');
			csv_field(out, &r->values[k], is_raw);
		}
		ompp_out_char(out, '\n');
	}
	for (size_t row = 0; row <= n_rows; row++) { /* row 0 is that of the titles */
		int n_fields = 0;

		if (!row && t->style != OMPP_STYLE_GRID)
			continue;
		for (size_t c = 0; c < t->n_columns; c++) {
			if (t->columns[c].where == OMPP_IN_TEXT)
				continue;
			if (n_fields++)
				ompp_out_char(out, ',');
			if (row)
				csv_field(out, &t->values[(row - 1) * t->n_columns + c], is_raw);
			else
				ompp_cell(t->columns[c].title, is_raw, put_bytes, out);
		}
		if (n_fields)
			ompp_out_char(out, '\n');
	}
	if (t->tag[0])
		csv_end(out, "", t->tag);
}

static void csv_table(struct ompp_out *out, const struct ompp_table *t)
{
	csv_print(out, t, 0);
}

static void raw_table(struct ompp_out *out, const struct ompp_table *t)
{
	csv_print(out, t, 1);
}

const struct ompp_writer ompp_writer_csv = {
	.prints = OMPP_IN_RECORDS, .begin = csv_begin, .table = csv_table, .end = csv_end
};

const struct ompp_writer ompp_writer_csv_raw = {
	.prints = OMPP_IN_RECORDS, .begin = csv_begin, .table = raw_table, .end = csv_end
};
