/*
 * Draw: see tui_draw.h.
 *
 * From top to bottom: the sections, the page, a description of the value at the cursor, and the keys.  On a screen with
 * fewer than five rows some are left out; the page is the last to go.
 */
#include "reports/tui/tui_draw.h"

#include <stdio.h>
#include <string.h>

#include "reports/tables/fit.h"
#include "reports/tui/tui_screen.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

enum { LINE_BYTES = 1024, MARK_COLUMNS = 1 };

static size_t n_head(void)
{
	return ompp_screen_rows() >= 3;
}

static size_t n_foot(void)
{
	return ompp_screen_rows() >= 5 ? 2 : ompp_screen_rows() >= 2;
}

size_t ompp_draw_height(void)
{
	return ompp_screen_rows() - n_head() - n_foot();
}

static size_t tui_draw_put(size_t y, size_t x, size_t width, const char *s, unsigned int attributes)
{
	return ompp_screen_put(y, x, width, s, strlen(s), attributes, OMPP_TONE_NONE);
}

/* ---- cells ---- */

/* Where the columns of a table stand. */
struct places {
	size_t pinned; /* width of the first column, which is always visible */
	size_t first;  /* the first visible one of the other columns */
	size_t width;  /* of all columns; one less than there is if not all fit, for the mark of those on the right */
};

/* Returns the width of a column; that by which rows are sorted has one more, for the mark. */
static size_t width_of(const struct ompp_leaf *leaf, size_t sorted, size_t i)
{
	return leaf->looks[leaf->shown[i]].width + (leaf->shown[i] == sorted);
}

/* Chooses the visible columns so that the one at the cursor is among them. */
static struct places tui_draw_place(const struct ompp_leaf *leaf, size_t sorted, size_t cursor, size_t width)
{
	struct places p = { leaf->n_shown ? width_of(leaf, sorted, 0) : 0, 1, width };
	size_t all = 0, used;

	for (size_t i = 0; i < leaf->n_shown; i++)
		all += width_of(leaf, sorted, i) + (i != 0);
	if (all <= width || leaf->n_shown < 2)
		return p;
	width = p.width -= width > 1;
	if (p.pinned > width / 2)
		p.pinned = width / 2;
	if (cursor < 1 || cursor >= leaf->n_shown)
		return p;
	used = p.pinned + 1 + width_of(leaf, sorted, cursor);
	for (p.first = cursor; p.first > 1 && used + 1 + width_of(leaf, sorted, p.first - 1) <= width; p.first--)
		used += 1 + width_of(leaf, sorted, p.first - 1);
	return p;
}

/* Would the text of a cell look like another one of its column if both were cut at their ends? */
static int is_alike(const struct ompp_leaf *leaf, size_t row, size_t c, size_t width)
{
	enum { NEAR = 1000 };
	const struct ompp_value *v = ompp_leaf_value(leaf, row, c), *w;
	size_t end = row + NEAR < leaf->n_rows ? row + NEAR : leaf->n_rows;

	if (v->kind != OMPP_KIND_TEXT || strlen(v->text) <= width)
		return 0;
	for (size_t i = row > NEAR ? row - NEAR : 0; i < end; i++) {
		w = ompp_leaf_value(leaf, i, c);
		if (w->kind == OMPP_KIND_TEXT && !strncmp(v->text, w->text, width) && strcmp(v->text, w->text))
			return 1;
	}
	return 0;
}

/* Takes the middle out of a text that is too wide. */
static struct ompp_shown without_middle(struct ompp_shown shown, size_t width, char buffer[LINE_BYTES])
{
	struct ompp_text t;

	if (ompp_screen_width(shown.s, shown.n_bytes) <= width || strlen(shown.s) >= LINE_BYTES)
		return shown;
	ompp_text_init(&t, buffer, LINE_BYTES);
	ompp_fit_middle(&t, shown.s, width);
	return ompp_look_text(buffer);
}

/* Writes one cell.  Returns where its text begins. */
static size_t put_cell(size_t y, size_t x, size_t width, struct ompp_shown shown, int is_left, unsigned int attributes,
                       enum ompp_tone tone)
{
	size_t n = ompp_screen_width(shown.s, shown.n_bytes), blanks = !is_left && n < width ? width - n : 0;
	if (attributes & OMPP_SCREEN_REVERSE)
		for (size_t i = 0; i < width; i++)
			ompp_screen_put(y, x + i, 1, " ", 1, attributes, tone);
	ompp_screen_put(y, x + blanks, width - blanks, shown.s, shown.n_bytes, attributes, tone);
	return x + blanks;
}

/* Writes a row of a table, or its titles when row is OMPP_NO_COLUMN.  Returns where the text at the cursor begins. */
static size_t put_row(size_t y, const struct ompp_page *page, const struct ompp_page_line *line, int is_titles,
                      int is_cursor)
{
	const struct ompp_leaf *leaf = &page->leaves.list[line->leaf];
	const struct ompp_page_table *table = &page->tables[line->leaf];
	size_t row = is_titles ? 0 : table->order[line->row], width = ompp_screen_columns() - MARK_COLUMNS, x = 0;
	size_t cursor = page->column < leaf->n_shown ? page->column : leaf->n_shown - 1, at = MARK_COLUMNS, i = 0;
	int is_here = ompp_page_leaf(page) == leaf;
	struct places p = tui_draw_place(leaf, table->sorted, is_here ? cursor : 0, width);
	enum ompp_tone tone = !is_titles && leaf->table.tones ? (enum ompp_tone)leaf->table.tones[row] : OMPP_TONE_NONE;
	unsigned int base = is_titles ? OMPP_SCREEN_BOLD : is_cursor ? OMPP_SCREEN_REVERSE : 0;

	if (is_cursor)
		for (size_t k = 0; k < width + MARK_COLUMNS; k++)
			ompp_screen_put(y, k, 1, " ", 1, base, OMPP_TONE_NONE);
	if (!is_titles && table->is_folded[row])
		tui_draw_put(y, 0, MARK_COLUMNS, ">", base | OMPP_SCREEN_BOLD);
	width = p.width;
	for (; i < leaf->n_shown && x < width; i = i ? i + 1 : p.first) {
		size_t c = leaf->shown[i], cell = i ? width_of(leaf, table->sorted, i) : p.pinned, for_mark;
		unsigned int attributes = base;
		char buffer[OMPP_LOOK_BYTES], middle[LINE_BYTES];
		struct ompp_shown shown = is_titles
		                                ? ompp_look_text(ompp_look_title(&leaf->table, c))
		                                : ompp_look_value(ompp_leaf_value(leaf, row, c),
		                                                  leaf->looks[c].n_decimals, leaf->table.arena, buffer);
		size_t begin;

		if (cell > width - x && i > p.first && !leaf->table.columns[c].left)
			break; /* a number is never cut */
		if (cell > width - x || (i + 1 == leaf->n_shown && leaf->table.columns[c].left))
			cell = width - x;
		for_mark = table->sorted == c && cell > 1;
		cell -= for_mark;
		if (!is_titles && is_alike(leaf, row, c, cell))
			shown = without_middle(shown, cell, middle);
		if (is_cursor && i == cursor)
			attributes |= OMPP_SCREEN_BOLD | OMPP_SCREEN_UNDERLINE;
		begin = put_cell(y, MARK_COLUMNS + x, cell, shown, leaf->table.columns[c].left, attributes, tone);
		if (is_titles && for_mark)
			tui_draw_put(y,
			             MARK_COLUMNS + x +
			                     (shown.n_columns < cell && leaf->table.columns[c].left ? shown.n_columns
			                                                                            : cell),
			             1, table->is_down ? "v" : "^", OMPP_SCREEN_BOLD);
		if (i == cursor)
			at = begin;
		x += cell + for_mark + 1;
	}
	if (is_titles && i < leaf->n_shown)
		tui_draw_put(y, MARK_COLUMNS + width, 1, ">", OMPP_SCREEN_BOLD);
	if (is_titles && p.first > 1)
		tui_draw_put(y, MARK_COLUMNS + p.pinned, 1, "<", OMPP_SCREEN_BOLD);
	return at;
}

/* ---- around the page ---- */

/* Writes the sections, or only the current one if not all fit. */
static void put_sections(const struct ompp_page *page, const struct ompp_draw *draw)
{
	size_t width = ompp_screen_columns(), all = 0, x = 0, n = 0, number = 0;
	char line[LINE_BYTES];

	for (size_t i = 0; i < OMPP_BOOK_SECTIONS; i++) {
		if (!draw->book->has[i])
			continue;
		n++;
		number = i == draw->section ? n : number;
		all += strlen(ompp_book_section(i)) + 3;
	}
	if (draw->n_above) {
		snprintf(line, sizeof(line), " %s > %s", ompp_book_section(draw->section), page->leaves.title);
		tui_draw_put(0, 0, width, line, OMPP_SCREEN_BOLD);
		return;
	}
	if (all > width) {
		snprintf(line, sizeof(line), " %zu/%zu %s: %s", number, n, ompp_book_section(draw->section),
		         ompp_book_about(draw->section));
		tui_draw_put(0, 0, width, line, OMPP_SCREEN_BOLD);
		return;
	}
	n = 0;
	for (size_t i = 0; i < OMPP_BOOK_SECTIONS; i++)
		if (draw->book->has[i]) {
			snprintf(line, sizeof(line), "%zu %s", ++n, ompp_book_section(i));
			x += tui_draw_put(0, x, width - x, line, i == draw->section ? OMPP_SCREEN_REVERSE : 0) + 1;
		}
}

static void put_foot(const struct ompp_page *page, const struct ompp_draw *draw)
{
	size_t y = ompp_screen_rows() - (n_foot() ? n_foot() : 1), width = ompp_screen_columns();
	char line[LINE_BYTES];

	if (!n_foot() && !draw->prompt)
		return;
	if (n_foot() == 2 || !draw->prompt) {
		if (draw->message[0])
			snprintf(line, sizeof(line), "%s", draw->message);
		else
			ompp_page_tell(page, line, sizeof(line));
		if (!line[0])
			snprintf(line, sizeof(line), "%s", page->leaves.note);
		tui_draw_put(y, 0, width, line, OMPP_SCREEN_BOLD);
	}
	if (n_foot() == 2)
		y++;
	if (draw->prompt) {
		snprintf(line, sizeof(line), "%s%-*s", draw->prompt, (int)(width < LINE_BYTES / 2 ? width : 0),
		         draw->typed);
		tui_draw_put(y, 0, width, line, 0);
	} else if (n_foot() == 2) {
		snprintf(line, sizeof(line), "%s%s%s%sq quit  ? help  Enter more  %s/ find  f filter  s sort  o source",
		         page->filter[0] ? "[only " : "", page->filter, page->filter[0] ? "] " : "",
		         page->filter[0] ? " " : "", draw->n_above ? "Esc back  " : "Tab next  ");
		tui_draw_put(y, 0, width, line, 0);
	}
}

/* Scrolls, so that the cursor is on the screen. */
static void tui_draw_scroll(struct ompp_page *page)
{
	size_t height = ompp_draw_height();
	size_t n_above = height > 1; /* lines kept above the cursor, as the top line may show a table's titles */

	if (page->cursor < page->top + (page->top ? n_above : 0))
		page->top = page->cursor > n_above ? page->cursor - n_above : 0;
	if (page->cursor >= page->top + height)
		page->top = page->cursor - (height - 1);
	if (page->top >= page->n_lines)
		page->top = 0;
}

/* Returns the titles of the table at the cursor when they are above what is seen; NULL otherwise. */
static const struct ompp_page_line *titles_above(const struct ompp_page *page)
{
	if (page->cursor >= page->n_lines || page->lines[page->cursor].kind != OMPP_LINE_ROW || ompp_draw_height() < 3)
		return NULL;
	for (size_t i = page->cursor; i-- > 0 && page->lines[i].leaf == page->lines[page->cursor].leaf;)
		if (page->lines[i].kind == OMPP_LINE_TITLES)
			return i < page->top ? &page->lines[i] : NULL;
	return NULL;
}

int ompp_draw(struct ompp_page *page, const struct ompp_draw *draw)
{
	size_t height = ompp_draw_height(), width = ompp_screen_columns(), y_cursor = n_head(), x_cursor = 0;
	const struct ompp_page_line *titles;
	int rc = page->width != width || !page->lines ? ompp_page_layout(page, width) : 0;

	if (rc)
		return rc;
	tui_draw_scroll(page);
	ompp_screen_erase();
	if (n_head())
		put_sections(page, draw);
	titles = titles_above(page);
	for (size_t k = 0; k < height && page->top + k < page->n_lines; k++) {
		const struct ompp_page_line *line = &page->lines[page->top + k];
		size_t y = n_head() + k, x = 0;
		int is_cursor = page->top + k == page->cursor;

		if (!k && titles) {
			put_row(y, page, titles, 1, 0);
			continue;
		}
		if (line->kind == OMPP_LINE_ROW || line->kind == OMPP_LINE_TITLES)
			x = put_row(y, page, line, line->kind == OMPP_LINE_TITLES, is_cursor);
		else if (line->kind != OMPP_LINE_BLANK)
			ompp_screen_put(y, 0, width, line->text, line->n_bytes,
			                line->kind == OMPP_LINE_HEADING ? OMPP_SCREEN_BOLD
			                : is_cursor                     ? OMPP_SCREEN_REVERSE
			                                                : 0,
			                OMPP_TONE_NONE);
		if (is_cursor) {
			y_cursor = y;
			x_cursor = x;
		}
	}
	if (!page->n_lines)
		tui_draw_put(n_head(), 0, width,
		             page->filter[0] ? "nothing has the words of the filter; f changes it" : "nothing", 0);
	put_foot(page, draw);
	if (draw->prompt) {
		y_cursor = ompp_screen_rows() - 1;
		x_cursor = ompp_screen_width(draw->prompt, strlen(draw->prompt)) +
		           ompp_screen_width(draw->typed, strlen(draw->typed));
	}
	ompp_screen_show(y_cursor, x_cursor);
	return 0;
}

/* ---- help ---- */

static const char *const help[] = {
	"Keys",
	"",
	"  Tab, Shift-Tab, 1 to 0  the next section, the one before, a section by its number",
	"  arrows, hjkl            the cursor; left and right move it by columns",
	"  PgUp, PgDn, Home, End   by screens; to the first and the last row (also g and G)",
	"  Enter                   more of the row: a region's threads and call paths, or a",
	"                          data object; in the source the region that begins there",
	"  o                       the source of the region, sample or object",
	"  Esc, Backspace          back",
	"",
	"  s                       sort by the column at the cursor; once more: the other way,",
	"                          and then as in the report",
	"  /  n  N                 find a row with some words; the next one, the one before",
	"  f                       only rows that have some words; none: all rows again",
	"  Space  -  +             fold a row of the tree; all of them; unfold all",
	"  c                       all columns of data objects, or the usual ones",
	"  Ctrl-L                  draw all anew",
	"  q                       end",
	"",
	"The numbers are those of the text report. The line below the page says what the",
	"number at the cursor is, with all its digits, its unit, and how sure it is. What",
	"is not known is -, never 0.",
};

void ompp_draw_help(size_t from)
{
	size_t rows = ompp_screen_rows(), n = OMPP_COUNT_OF(help);

	ompp_screen_erase();
	for (size_t k = 0; k < rows && from + k < n; k++)
		tui_draw_put(k, 0, ompp_screen_columns(), help[from + k], from + k ? 0 : OMPP_SCREEN_BOLD);
	ompp_screen_show(rows - 1, 0);
}
