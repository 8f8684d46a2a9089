/*
 * Page tables: see page_tables.h.
 */
#include "reports/web/page_tables.h"

#include <errno.h>
#include <string.h>

#include "reports/tables/view.h"
#include "reports/writers/decimal.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

/* A sheet that writes the tables put on it into the page. */
struct page_sheet {
	struct ompp_sheet sheet; /* first, so that the sheet's address is this one's */
	struct ompp_embed *embed;
	const char *view;
};

static const char *kind_name(enum ompp_kind kind)
{
	static const char *const names[] = {
		[OMPP_KIND_NONE] = "none",       [OMPP_KIND_TEXT] = "text",       [OMPP_KIND_COUNT] = "count",
		[OMPP_KIND_METRIC] = "count",    [OMPP_KIND_TIME] = "time",       [OMPP_KIND_SHARE] = "share",
		[OMPP_KIND_DECIMAL] = "decimal", [OMPP_KIND_ROUNDED] = "decimal", [OMPP_KIND_RANGE] = "range"
	};

	return names[kind];
}

static void put_value(struct ompp_embed *e, const struct ompp_value *v)
{
	char buffer[48];
	struct ompp_text t;

	switch (v->kind) {
	case OMPP_KIND_NONE:
		ompp_embed_null(e);
		break;
	case OMPP_KIND_TEXT:
		ompp_embed_text(e, v->text);
		break;
	case OMPP_KIND_COUNT:
	case OMPP_KIND_METRIC:
	case OMPP_KIND_TIME:
	case OMPP_KIND_SHARE:
		ompp_embed_number(e, v->number);
		break;
	case OMPP_KIND_DECIMAL:
	case OMPP_KIND_ROUNDED:
		ompp_text_init(&t, buffer, sizeof(buffer));
		ompp_decimal_full(&t, v->decimal);
		ompp_embed_text(e, buffer);
		break;
	case OMPP_KIND_RANGE:
		ompp_embed_open(e, '[');
		ompp_embed_number(e, v->range.least);
		ompp_embed_number(e, v->range.most);
		ompp_embed_close(e, ']');
		break;
	}
}

/* Returns the kind of the values of a column that are not missing; TEXT where they differ. */
static enum ompp_kind kind_of(const struct ompp_table *t, size_t column)
{
	enum ompp_kind kind = OMPP_KIND_NONE;

	for (size_t i = column; i < t->n_values; i += t->n_columns) {
		enum ompp_kind one = t->values[i].kind;

		if (one == OMPP_KIND_NONE || !strcmp(kind_name(one), kind_name(kind)))
			continue;
		if (kind != OMPP_KIND_NONE)
			return OMPP_KIND_TEXT;
		kind = one;
	}
	return kind;
}

void ompp_embed_table(struct ompp_embed *e, const char *view, const struct ompp_table *t)
{
	size_t n_rows = ompp_table_n_rows(t);

	ompp_embed_open(e, '{');
	ompp_embed_text_of(e, "view", view);
	ompp_embed_text_of(e, "tag", t->tag);
	ompp_embed_text_of(e, "heading", t->heading);
	ompp_embed_key(e, "columns");
	ompp_embed_open(e, '[');
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->columns[c].where == OMPP_IN_TEXT)
			continue;
		ompp_embed_open(e, '{');
		ompp_embed_text_of(e, "title", t->columns[c].title);
		ompp_embed_text_of(e, "kind", kind_name(kind_of(t, c)));
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
	ompp_embed_key(e, "rows");
	ompp_embed_open(e, '[');
	for (size_t row = 0; row < n_rows; row++) {
		ompp_embed_open(e, '[');
		for (size_t c = 0; c < t->n_columns; c++)
			if (t->columns[c].where != OMPP_IN_TEXT)
				put_value(e, &t->values[row * t->n_columns + c]);
		ompp_embed_close(e, ']');
	}
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
}

static int put_table(struct ompp_sheet *sheet)
{
	const struct page_sheet *page = (const struct page_sheet *)sheet;

	if (sheet->table.rc)
		return sheet->table.rc;
	/* a curve for each object in each region would be most of the page, and is not drawn */
	if (strcmp(sheet->table.tag, "miss ratio by object and region") != 0)
		ompp_embed_table(page->embed, page->view, &sheet->table);
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "", "");
	return 0;
}

int ompp_page_tables(struct ompp_embed *e, const struct ompp_analysis *a)
{
	static const char *const wanted[] = { "summary",    "general", "durations", "data", "fields",
		                              "memory",     "lines",   "touch",     "numa", "roofline",
		                              "efficiency", "reuse",   "course",    "span" };
	struct page_sheet page = { .sheet = { .put = put_table, .prints = OMPP_IN_RECORDS }, .embed = e };
	int rc = 0;

	ompp_table_init(&page.sheet.table, a->arena);
	ompp_embed_key(e, "tables");
	ompp_embed_open(e, '[');
	for (size_t i = 0; ompp_view(i) && !rc; i++) {
		const struct ompp_view *view = ompp_view(i);

		page.view = ompp_view_name(i);
		for (size_t k = 0; k < OMPP_COUNT_OF(wanted) && !rc; k++)
			if (!strcmp(wanted[k], page.view) && !ompp_view_is_empty(view, a))
				rc = view->build(a, &page.sheet);
	}
	ompp_embed_close(e, ']');
	return rc;
}
