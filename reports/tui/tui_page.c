/*
 * Page: see tui_page.h.
 */
#define _GNU_SOURCE
#include "reports/tui/tui_page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"

enum { LABEL_COLUMNS = 16, LEAST_WIDTH = 8, MARK_COLUMNS = OMPP_PAGE_MARK_COLUMNS };

int ompp_page_init(struct ompp_page *page, const struct ompp_leaves *leaves)
{
	memset(page, 0, sizeof(*page));
	page->leaves = *leaves;
	/* the arena was copied with the leaves, so its address has changed */
	page->leaves.analysis.arena = &page->leaves.arena;
	page->tables = calloc(page->leaves.n + 1, sizeof(*page->tables));
	for (size_t i = 0; i < page->leaves.n && page->tables; i++) {
		struct ompp_page_table *table = &page->tables[i];
		size_t n_rows = page->leaves.list[i].n_rows;

		page->leaves.list[i].table.arena = &page->leaves.arena;
		table->sorted = OMPP_NO_COLUMN;
		table->order = calloc(n_rows + 1, sizeof(*table->order));
		table->is_folded = calloc(n_rows + 1, 1);
		if (!table->order || !table->is_folded)
			return -ENOMEM;
		for (size_t row = 0; row < n_rows; row++)
			table->order[row] = row;
	}
	return page->tables ? 0 : -ENOMEM;
}

void ompp_page_fini(struct ompp_page *page)
{
	for (size_t i = 0; i < page->leaves.n && page->tables; i++) {
		free(page->tables[i].order);
		free(page->tables[i].is_folded);
	}
	free(page->tables);
	free(page->lines);
	ompp_book_close(&page->leaves);
	memset(page, 0, sizeof(*page));
}

/* ---- words ---- */

/* Has the text the words, in small or capital letters? */
static int page_has_words(const char *text, size_t n_bytes, const char *words)
{
	size_t n_words = strlen(words);

	for (size_t i = 0; i + n_words <= n_bytes; i++)
		if (ompp_text_same(text + i, n_words, words, n_words))
			return 1;
	return 0;
}

/* Do the visible columns of a row contain the words? */
static int row_has(const struct ompp_leaf *leaf, size_t row, const char *words)
{
	char buffer[OMPP_LOOK_BYTES];

	for (size_t i = 0; i < leaf->n_shown; i++) {
		size_t c = leaf->shown[i];
		struct ompp_shown shown = ompp_look_value(ompp_leaf_value(leaf, row, c), leaf->looks[c].n_decimals,
		                                          leaf->table.arena, buffer);

		if (page_has_words(shown.s, shown.n_bytes, words))
			return 1;
	}
	return 0;
}

/* ---- trees ---- */

static int64_t level_of(const struct ompp_leaf *leaf, size_t row)
{
	return ompp_leaf_value(leaf, row, leaf->level)->number;
}

/* Does the row at index i of the order have rows below it? */
static int has_children(const struct ompp_page *page, size_t leaf, size_t i)
{
	const struct ompp_leaf *l = &page->leaves.list[leaf];
	const size_t *order = page->tables[leaf].order;

	return l->level != OMPP_NO_COLUMN && i + 1 < l->n_rows && level_of(l, order[i + 1]) > level_of(l, order[i]);
}

/* Marks the visible rows of a table: those that pass the filter and are not folded away; in a tree also their
 * ancestors.  `seen` is by place in the order. */
static void tui_page_see(const struct ompp_page *page, size_t leaf, unsigned char *seen)
{
	const struct ompp_leaf *l = &page->leaves.list[leaf];
	const struct ompp_page_table *table = &page->tables[leaf];
	int64_t need = -1, folded = INT64_MAX;

	for (size_t i = l->n_rows; i-- > 0;) { /* backwards, so that rows below come first */
		seen[i] = !page->filter[0] || row_has(l, table->order[i], page->filter);
		if (l->level == OMPP_NO_COLUMN)
			continue;
		if (level_of(l, table->order[i]) == need) {
			seen[i] = 1;
			need = -1;
		}
		if (seen[i])
			need = level_of(l, table->order[i]) - 1;
	}
	for (size_t i = 0; i < l->n_rows && l->level != OMPP_NO_COLUMN; i++) {
		int64_t level = level_of(l, table->order[i]);

		if (level > folded) {
			seen[i] = 0;
			continue;
		}
		folded = table->is_folded[table->order[i]] ? level : INT64_MAX;
	}
}

/* ---- lines ---- */

static int add_line(struct ompp_page *page, enum ompp_page_line_kind kind, size_t leaf, size_t row, const char *text,
                    size_t n_bytes)
{
	if (page->n_lines == page->have_lines) {
		size_t have = page->have_lines ? page->have_lines * 2 : 64;
		struct ompp_page_line *lines = realloc(page->lines, have * sizeof(*lines));

		if (!lines)
			return -ENOMEM;
		page->lines = lines;
		page->have_lines = have;
	}
	page->lines[page->n_lines++] = (struct ompp_page_line){ kind, leaf, row, text, n_bytes };
	return 0;
}

/* Adds a text in as many lines as it takes. */
static int add_wrapped(struct ompp_page *page, enum ompp_page_line_kind kind, size_t leaf, size_t row, const char *s)
{
	int rc = 0;

	do {
		size_t n = ompp_look_line(s, page->width > LEAST_WIDTH ? page->width : LEAST_WIDTH, 1);

		rc = add_line(page, kind, leaf, row, s, n);
		s += n;
		while (*s == ' ')
			s++;
		if (*s == '\n')
			s++;
	} while (*s && !rc);
	return rc;
}

/* Returns "label          : value" in the page's memory. */
static const char *tui_page_fact(struct ompp_page *page, const struct ompp_leaf *leaf, size_t row)
{
	const struct ompp_value *v = ompp_leaf_value(leaf, row, leaf->shown[0]);
	const char *label = v->kind == OMPP_KIND_TEXT ? v->text : "";
	char buffer[OMPP_LOOK_BYTES];
	struct ompp_shown value = leaf->n_shown > 1 ? ompp_look_value(ompp_leaf_value(leaf, row, leaf->shown[1]), 2,
	                                                              leaf->table.arena, buffer)
	                                            : ompp_look_text("");
	size_t n = strlen(label) + value.n_bytes + LABEL_COLUMNS + 3;
	char *text = ompp_arena_alloc(&page->leaves.arena, n);
	struct ompp_text t;

	if (!text)
		return NULL;
	ompp_text_init(&t, text, n);
	ompp_text_str(&t, label);
	ompp_text_pad_right(&t, 0, LABEL_COLUMNS);
	ompp_text_str(&t, ": ");
	ompp_text_strn(&t, value.s, value.n_bytes);
	return text;
}

/* Adds the titles of a table, or a row, with the lines in which the texts go on. */
static int add_titles(struct ompp_page *page, const struct ompp_cells *cells, size_t leaf)
{
	size_t n = ompp_cells_lines(cells, OMPP_NO_COLUMN);
	int rc = 0;

	for (size_t k = 0; k < n && !rc; k++)
		rc = add_line(page, OMPP_LINE_TITLES, leaf, 0, "", k);
	return rc;
}

static int add_row(struct ompp_page *page, const struct ompp_cells *cells, size_t leaf, size_t i)
{
	size_t n = ompp_cells_lines(cells, page->tables[leaf].order[i]);
	int rc = 0;

	for (size_t k = 0; k < n && !rc; k++)
		rc = add_line(page, k ? OMPP_LINE_MORE : OMPP_LINE_ROW, leaf, i, "", k);
	return rc;
}

static int lay_out(struct ompp_page *page, size_t leaf)
{
	const struct ompp_leaf *l = &page->leaves.list[leaf];
	const struct ompp_page_table *table = &page->tables[leaf];
	unsigned char *seen = calloc(l->n_rows + 1, 1);
	int is_grid = l->table.style == OMPP_STYLE_GRID, rc = seen ? 0 : -ENOMEM;
	struct ompp_cells cells = ompp_page_cells(page, leaf);
	size_t n_seen = 0, n_before = page->n_lines;

	if (!rc)
		tui_page_see(page, leaf, seen);
	for (size_t i = 0; i < l->n_rows && !rc; i++)
		n_seen += seen[i];
	if (!rc && l->table.heading[0] && (n_seen || !page->filter[0]))
		rc = add_wrapped(page, OMPP_LINE_HEADING, leaf, 0, l->table.heading);
	if (!rc && is_grid && n_seen)
		rc = add_titles(page, &cells, leaf);
	for (size_t i = 0; i < l->n_rows && !rc && l->n_shown; i++) {
		const struct ompp_value *v = ompp_leaf_value(l, table->order[i], l->shown[0]);
		const char *text = v->kind == OMPP_KIND_TEXT ? v->text : "";

		if (!seen[i])
			continue;
		if (l->table.style == OMPP_STYLE_FACTS && !(text = tui_page_fact(page, l, table->order[i])))
			rc = -ENOMEM;
		else
			rc = is_grid ? add_row(page, &cells, leaf, i)
			             : add_wrapped(page, OMPP_LINE_TEXT, leaf, i, text);
	}
	free(seen);
	return rc || page->n_lines == n_before ? rc : add_line(page, OMPP_LINE_BLANK, leaf, 0, "", 0);
}

struct ompp_cells ompp_page_cells(const struct ompp_page *page, size_t leaf)
{
	const struct ompp_leaf *l = &page->leaves.list[leaf];
	size_t width = page->width > MARK_COLUMNS ? page->width - MARK_COLUMNS : 0,
	       last = l->n_shown ? l->n_shown - 1 : 0;
	size_t cursor = page->leaf_then != leaf ? 0 : page->column_then < last ? page->column_then : last;

	return ompp_cells_place(l, page->tables[leaf].sorted, cursor, width);
}

int ompp_page_is_old(const struct ompp_page *page, size_t width)
{
	return page->width != width || !page->lines || page->column_then != page->column ||
	       (page->cursor < page->n_lines && page->lines[page->cursor].leaf != page->leaf_then);
}

static int can_be_on(const struct ompp_page_line *line)
{
	return line->kind == OMPP_LINE_ROW || line->kind == OMPP_LINE_TEXT;
}

int ompp_page_layout(struct ompp_page *page, size_t width)
{
	struct ompp_page_line was = { .kind = OMPP_LINE_BLANK };
	size_t row = 0;
	int has_place = page->lines && page->cursor < page->n_lines && can_be_on(&page->lines[page->cursor]), rc = 0;

	if (has_place) {
		was = page->lines[page->cursor];
		row = page->tables[was.leaf].order[was.row];
	} else if (!page->lines) {
		has_place = 1;
		row = page->leaves.first_row;
	}
	page->width = width;
	page->column_then = page->column;
	page->leaf_then = was.leaf;
	page->n_lines = 0;
	for (size_t i = 0; i < page->leaves.n && !rc; i++)
		rc = lay_out(page, i);
	page->cursor = 0;
	for (size_t i = 0; i < page->n_lines && has_place; i++)
		if (can_be_on(&page->lines[i]) && page->lines[i].leaf == was.leaf &&
		    page->tables[was.leaf].order[page->lines[i].row] == row) {
			page->cursor = i;
			return rc;
		}
	while (page->cursor + 1 < page->n_lines && !can_be_on(&page->lines[page->cursor]))
		page->cursor++;
	return rc;
}

const struct ompp_page_line *ompp_page_line(const struct ompp_page *page)
{
	return page->cursor < page->n_lines && can_be_on(&page->lines[page->cursor]) ? &page->lines[page->cursor]
	                                                                             : NULL;
}

const struct ompp_leaf *ompp_page_leaf(const struct ompp_page *page)
{
	return page->cursor < page->n_lines ? &page->leaves.list[page->lines[page->cursor].leaf] : NULL;
}

/* Returns what the cursor is on; NULL where that is no value. *column is its column in the table. */
static const struct ompp_value *page_value(const struct ompp_page *page, size_t *column)
{
	const struct ompp_page_line *line = ompp_page_line(page);
	const struct ompp_leaf *leaf = ompp_page_leaf(page);

	if (!line || line->kind != OMPP_LINE_ROW || !leaf->n_shown)
		return NULL;
	*column = leaf->shown[page->column < leaf->n_shown ? page->column : leaf->n_shown - 1];
	return ompp_leaf_value(leaf, page->tables[line->leaf].order[line->row], *column);
}

void ompp_page_move(struct ompp_page *page, long n)
{
	size_t at = page->cursor;

	while (n && (n > 0 ? at + 1 < page->n_lines : at > 0)) {
		at = n > 0 ? at + 1 : at - 1;
		if (!can_be_on(&page->lines[at]))
			continue;
		page->cursor = at;
		n -= n > 0 ? 1 : -1;
	}
	if (n < 0) /* so that what is above the first row becomes visible, too */
		page->top = 0;
}

/* ---- order ---- */

/* Context of qsort_r(). */
struct sort {
	const struct ompp_leaf *leaf;
	size_t column;
	int is_down;
};

static long double number_of(const struct ompp_value *v)
{
	long double number;

	switch (v->kind) {
	case OMPP_KIND_DECIMAL:
	case OMPP_KIND_ROUNDED:
		number = (long double)v->decimal.mantissa;
		for (int32_t e = v->decimal.exponent; e > 0 && e < 5000; e--)
			number *= 10;
		for (int32_t e = v->decimal.exponent; e < 0 && e > -5000; e++)
			number /= 10;
		return number;
	case OMPP_KIND_RANGE:
		return (long double)v->range.most;
	default:
		return (long double)v->number;
	}
}

/* Returns 0 for numbers, 1 for texts, 2 for what is missing. */
static int class_of(const struct ompp_value *v)
{
	return v->kind == OMPP_KIND_NONE || (v->kind == OMPP_KIND_TEXT && !v->text[0]) ? 2 : v->kind == OMPP_KIND_TEXT;
}

static int is_sum(const struct ompp_leaf *leaf, size_t row)
{
	const struct ompp_value *v = ompp_leaf_value(leaf, row, leaf->shown[0]);

	return v->kind == OMPP_KIND_TEXT && !strcmp(v->text, "SUM");
}

static int compare_rows(const struct sort *s, size_t row_a, size_t row_b)
{
	const struct ompp_value *a = ompp_leaf_value(s->leaf, row_a, s->column);
	const struct ompp_value *b = ompp_leaf_value(s->leaf, row_b, s->column);
	int order = 0;

	if (is_sum(s->leaf, row_a) != is_sum(s->leaf, row_b))
		return is_sum(s->leaf, row_a) - is_sum(s->leaf, row_b);
	if (class_of(a) != class_of(b))
		return class_of(a) - class_of(b);
	if (class_of(a) == 1)
		order = strverscmp(a->text, b->text);
	else if (class_of(a) == 0)
		order = (number_of(a) > number_of(b)) - (number_of(a) < number_of(b));
	if (order)
		return s->is_down ? -order : order;
	return row_a < row_b ? -1 : row_a > row_b;
}

static int tui_page_compare(const void *a, const void *b, void *sort)
{
	return compare_rows(sort, *(const size_t *)a, *(const size_t *)b);
}

/* A row of a tree with its subtree. */
struct branch {
	size_t row, n_below; /* size of its subtree, itself included; the subtree follows it in the report */
};

static int compare_branches(const void *a, const void *b, void *sort)
{
	return compare_rows(sort, ((const struct branch *)a)->row, ((const struct branch *)b)->row);
}

/* Sorts the rows [from, to) of a tree, given in report order, into the order.  `scratch` has room for all of them. */
static void sort_tree(struct sort *s, size_t from, size_t to, size_t *order, struct branch *scratch)
{
	size_t n = 0;

	while (from < to) { /* the siblings at the top level */
		size_t end = from + 1;

		while (end < to && level_of(s->leaf, end) > level_of(s->leaf, from))
			end++;
		scratch[n++] = (struct branch){ from, end - from };
		from = end;
	}
	qsort_r(scratch, n, sizeof(*scratch), compare_branches, s);
	for (size_t i = 0; i < n; i++) {
		struct branch one = scratch[i];

		*order = one.row;
		if (one.n_below > 1)
			sort_tree(s, one.row + 1, one.row + one.n_below, order + 1, scratch + n);
		order += one.n_below;
	}
}

int ompp_page_sort(struct ompp_page *page)
{
	const struct ompp_page_line *line = ompp_page_line(page);
	const struct ompp_leaf *leaf = ompp_page_leaf(page);
	struct ompp_page_table *table;
	struct sort s;
	size_t column, cursor = page->cursor;
	int rc;

	if (!page_value(page, &column))
		return -ENOENT;
	table = &page->tables[line->leaf];
	s = (struct sort){ .leaf = leaf, .column = column };
	for (size_t row = 0; row < leaf->n_rows && !s.is_down; row++)
		s.is_down = class_of(ompp_leaf_value(leaf, row, column)) == 0;
	if (table->sorted == column) {
		if (table->is_down != s.is_down)
			column = OMPP_NO_COLUMN;
		s.is_down = !s.is_down;
	}
	table->sorted = column;
	table->is_down = s.is_down;
	for (size_t row = 0; row < leaf->n_rows; row++)
		table->order[row] = row;
	if (column != OMPP_NO_COLUMN && leaf->level != OMPP_NO_COLUMN) {
		struct branch *scratch = calloc(2 * leaf->n_rows + 1, sizeof(*scratch));

		if (!scratch)
			return -ENOMEM;
		sort_tree(&s, 0, leaf->n_rows, table->order, scratch);
		free(scratch);
	} else if (column != OMPP_NO_COLUMN) {
		qsort_r(table->order, leaf->n_rows, sizeof(*table->order), tui_page_compare, &s);
	}
	rc = ompp_page_layout(page, page->width);
	if (cursor < page->n_lines &&
	    can_be_on(&page->lines[cursor])) /* so that the first rows are seen after a sort */
		page->cursor = cursor;
	return rc;
}

int ompp_page_fold(struct ompp_page *page, int fold)
{
	const struct ompp_page_line *line = ompp_page_line(page);
	unsigned char *folded;

	if (!line || !has_children(page, line->leaf, line->row))
		return -ENOENT;
	folded = &page->tables[line->leaf].is_folded[page->tables[line->leaf].order[line->row]];
	if (*folded == fold)
		return -ENOENT;
	*folded = fold < 0 ? !*folded : (unsigned char)fold;
	return ompp_page_layout(page, page->width);
}

int ompp_page_fold_all(struct ompp_page *page, int fold)
{
	const struct ompp_leaf *leaf = ompp_page_leaf(page);
	size_t at;

	if (!leaf || leaf->level == OMPP_NO_COLUMN)
		return -ENOENT;
	at = page->lines[page->cursor].leaf;
	for (size_t row = 0; row < leaf->n_rows; row++)
		page->tables[at].is_folded[row] = fold && level_of(leaf, row) > 0;
	return ompp_page_layout(page, page->width);
}

int ompp_page_filter(struct ompp_page *page, const char *words)
{
	snprintf(page->filter, sizeof(page->filter), "%s", words);
	page->top = 0;
	return ompp_page_layout(page, page->width);
}

static int line_has(const struct ompp_page *page, size_t i, const char *words)
{
	const struct ompp_page_line *line = &page->lines[i];

	if (line->kind == OMPP_LINE_TEXT)
		return page_has_words(line->text, line->n_bytes, words);
	return line->kind == OMPP_LINE_ROW &&
	       row_has(&page->leaves.list[line->leaf], page->tables[line->leaf].order[line->row], words);
}

int ompp_page_find(struct ompp_page *page, const char *words, int is_back)
{
	size_t n = page->n_lines;

	for (size_t k = 1; k <= n; k++) {
		size_t i = (page->cursor + (is_back ? n - k : k)) % n;

		if (can_be_on(&page->lines[i]) && line_has(page, i, words)) {
			page->cursor = i;
			return 0;
		}
	}
	return -ENOENT;
}

/* ---- description of a value ---- */

/* Returns the metric whose column this is: PAPI_TOT_INS, L3_MISSES~, PAPI_TOT_INS/I; NULL for none. */
static const struct ompp_metric *metric_of(const struct ompp_profile *p, const char *title)
{
	for (size_t m = 0; m < p->n_metrics; m++) {
		size_t n = strlen(p->metrics[m].name);
		const char *rest = title + n;

		if (strncmp(title, p->metrics[m].name, n))
			continue;
		rest += *rest == '~';
		if (!*rest || !strcmp(rest, "/I") || !strcmp(rest, "/E"))
			return &p->metrics[m];
	}
	return NULL;
}

static const struct ompp_eval *eval_of(const struct ompp_profile *p, const char *title)
{
	for (size_t i = 0; i < p->n_evals; i++)
		if (!strncmp(title, p->evals[i].name, strlen(p->evals[i].name)))
			return &p->evals[i];
	return NULL;
}

/* Adds the certainty of a column's numbers, and what they count. */
static void put_certainty(struct ompp_text *t, const struct ompp_page *page, const struct ompp_leaf *leaf, size_t row,
                          size_t c)
{
	const struct ompp_profile *p = page->leaves.analysis.profile;
	const struct ompp_table *table = &leaf->table;
	const char *title = ompp_look_title(table, c);
	const struct ompp_value *v = ompp_leaf_value(leaf, row, c);
	const struct ompp_metric *metric = metric_of(p, title);
	const struct ompp_eval *eval = eval_of(p, title);

	for (size_t k = 0; k < table->n_columns && !metric; k++) /* in some tables each row has its own metric */
		if (!strcmp(table->columns[k].title, "certainty") &&
		    ompp_leaf_value(leaf, row, k)->kind == OMPP_KIND_TEXT && k != c) {
			ompp_text_str(t, ", ");
			ompp_text_str(t, ompp_leaf_value(leaf, row, k)->text);
			return;
		}
	if (metric) {
		ompp_text_str(t, ", ");
		ompp_text_str(t, ompp_certainty_name(metric->certainty));
		ompp_text_str(t, metric->detail[0] ? ", " : "");
		ompp_text_str(t, ompp_look_clean(metric->detail, 0, table->arena));
	} else if (eval && v->kind == OMPP_KIND_DECIMAL) {
		ompp_text_str(t, ", computed: ");
		ompp_text_str(t, ompp_look_clean(eval->expression, 0, table->arena));
	} else if (!strncmp(title, "+-", 2)) {
		ompp_text_str(t, c && strchr(ompp_look_title(table, c - 1), '~')
		                         ? ", standard error of the number before it"
		                         : ", the most by which the number before it is off");
	} else if (strchr(title, '~')) {
		ompp_text_str(t, ", sampled");
		ompp_text_str(t, v->kind == OMPP_KIND_TIME && leaf->has_hooks ? ", with the cost of access hooks" : "");
	} else if (strstr(title, "misses")) {
		ompp_text_str(t, ", modelled");
	} else if (!strcmp(title, "saves up to")) {
		ompp_text_str(t, ", estimated, at the most");
	} else if (v->kind == OMPP_KIND_SHARE) {
		size_t before = c;

		while (before && (ompp_leaf_value(leaf, row, before)->kind == OMPP_KIND_SHARE ||
		                  !strncmp(ompp_look_title(table, before), "+-", 2)))
			before--;
		if (ompp_leaf_value(leaf, row, before)->kind == OMPP_KIND_NONE ||
		    ompp_leaf_value(leaf, row, before)->kind == OMPP_KIND_TEXT ||
		    ompp_leaf_value(leaf, row, before)->kind == OMPP_KIND_SHARE)
			ompp_text_str(t, ", computed of measured numbers");
		else
			put_certainty(t, page, leaf, row, before);
	} else if (v->kind == OMPP_KIND_TIME) {
		ompp_text_str(t, ", measured");
		ompp_text_str(t, leaf->has_hooks ? ", with the cost of access hooks" : "");
	} else if (v->kind == OMPP_KIND_ROUNDED) {
		ompp_text_str(t, ", sampled");
	} else if (v->kind == OMPP_KIND_DECIMAL) {
		ompp_text_str(t, ", computed");
	} else {
		ompp_text_str(t, ", exact");
	}
}

/* Adds a number with all its digits, and its unit. */
static void put_number(struct ompp_text *t, const struct ompp_page *page, const struct ompp_leaf *leaf, size_t c,
                       const struct ompp_value *v)
{
	const struct ompp_profile *p = page->leaves.analysis.profile;
	const char *title = ompp_look_title(&leaf->table, c);
	const struct ompp_metric *metric = metric_of(p, title);
	char buffer[OMPP_LOOK_BYTES];

	switch (v->kind) {
	case OMPP_KIND_TIME:
		ompp_text_fixed(t, v->number, 9, 9);
		ompp_text_str(t, " s");
		return;
	case OMPP_KIND_SHARE:
		ompp_text_fixed(t, v->number, 7, 7);
		ompp_text_str(t, " %");
		return;
	default:
		ompp_text_str(t, ompp_look_value(v, 9, leaf->table.arena, buffer).s);
	}
	if (metric && metric->unit[0]) {
		ompp_text_char(t, ' ');
		ompp_text_str(t, ompp_look_clean(metric->unit, 0, leaf->table.arena));
	} else if (strstr(title, "bytes")) {
		ompp_text_str(t, " B");
	}
}

void ompp_page_tell(const struct ompp_page *page, char *buffer, size_t n_bytes)
{
	const struct ompp_page_line *line = ompp_page_line(page);
	const struct ompp_leaf *leaf = ompp_page_leaf(page);
	struct ompp_text t;
	size_t c;
	const struct ompp_value *v = page_value(page, &c);

	ompp_text_init(&t, buffer, n_bytes);
	if (!v)
		return;
	ompp_text_str(&t, ompp_look_title(&leaf->table, c));
	ompp_text_str(&t, ompp_look_title(&leaf->table, c)[0] ? ": " : "");
	if (v->kind == OMPP_KIND_NONE) {
		ompp_text_str(&t, "not measured");
	} else if (v->kind == OMPP_KIND_TEXT) {
		ompp_text_str(&t, v->text);
	} else {
		put_number(&t, page, leaf, c, v);
		put_certainty(&t, page, leaf, page->tables[line->leaf].order[line->row], c);
	}
}
