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

enum { LINE_BYTES = 1024, MARK_COLUMNS = OMPP_PAGE_MARK_COLUMNS };

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

/* Writes a line of words; where it is too long it ends with … behind a word. */
static void put_words(size_t y, size_t width, const char *s, unsigned int attributes)
{
	size_t n = ompp_look_line(s, width, 1), x;

	if (s[n])
		n = ompp_look_line(s, width > 1 ? width - 1 : 1, 1);
	x = ompp_screen_put(y, 0, width, s, n, attributes, OMPP_TONE_NONE);
	if (s[n] && x < width)
		tui_draw_put(y, x, width - x, "…", attributes);
}

/* Writes the section and the name of a page: of what is too long the name stays, and of that its ends. */
static void put_name(size_t width, const char *section, const char *name)
{
	char line[LINE_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	if (ompp_text_columns(section) + ompp_text_columns(name) + 4 <= width) {
		ompp_text_char(&t, ' ');
		ompp_text_str(&t, section);
		ompp_text_str(&t, " > ");
	}
	ompp_fit_middle(&t, name, width);
	tui_draw_put(0, 0, width, line, OMPP_SCREEN_BOLD);
}

/* ---- cells ---- */

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

/* What a cell has in a line of a row, from 0. */
static struct ompp_shown shown_in(const struct ompp_leaf *leaf, size_t row, size_t c, const struct ompp_cell_at *at,
                                  size_t line, size_t *indent, char buffer[OMPP_LOOK_BYTES])
{
	const struct ompp_value *v = ompp_leaf_value(leaf, row, c);

	*indent = 0;
	if (v->kind == OMPP_KIND_TEXT && !leaf->is_source)
		return ompp_cells_part(v->text, at->width, line, indent);
	return line ? ompp_look_text("") : ompp_look_value(v, leaf->looks[c].n_decimals, leaf->table.arena, buffer);
}

/* Writes a line of a row of a table, or its titles.  Returns where the text at the cursor begins. */
static size_t put_row(size_t y, const struct ompp_page *page, const struct ompp_page_line *line, int is_titles,
                      int is_cursor)
{
	const struct ompp_leaf *leaf = &page->leaves.list[line->leaf];
	const struct ompp_page_table *table = &page->tables[line->leaf];
	size_t row = is_titles ? 0 : table->order[line->row], part = line->n_bytes;
	size_t cursor = page->column < leaf->n_shown ? page->column : leaf->n_shown - 1, begin_of_cursor = MARK_COLUMNS;
	struct ompp_cells p = ompp_page_cells(page, line->leaf);
	enum ompp_tone tone = !is_titles && leaf->table.tones ? (enum ompp_tone)leaf->table.tones[row] : OMPP_TONE_NONE;
	unsigned int base = is_titles ? OMPP_SCREEN_BOLD : is_cursor ? OMPP_SCREEN_REVERSE : 0;
	struct ompp_cell_at at;

	if (is_cursor)
		for (size_t k = 0; k < ompp_screen_columns(); k++)
			ompp_screen_put(y, k, 1, " ", 1, base, OMPP_TONE_NONE);
	if (!is_titles && !part && table->is_folded[row])
		tui_draw_put(y, 0, MARK_COLUMNS, ">", base | OMPP_SCREEN_BOLD);
	for (int more = ompp_cells_next(&p, &at, 1); more; more = ompp_cells_next(&p, &at, 0)) {
		size_t c = leaf->shown[at.i], x = MARK_COLUMNS + at.x, indent = 0, begin;
		unsigned int attributes = base;
		char buffer[OMPP_LOOK_BYTES];
		int is_left = leaf->table.columns[c].left;
		struct ompp_shown shown = is_titles ? ompp_cells_part(ompp_look_title(&leaf->table, c), at.width, part,
		                                                      &indent)
		                                    : shown_in(leaf, row, c, &at, part, &indent, buffer);

		if (is_cursor && at.i == cursor)
			attributes |= OMPP_SCREEN_BOLD | OMPP_SCREEN_UNDERLINE;
		begin = put_cell(y, x + indent, at.width - indent, shown, is_left, attributes, tone);
		if (is_titles && !part && at.has_mark)
			tui_draw_put(y, x + (shown.n_columns < at.width && is_left ? shown.n_columns : at.width), 1,
			             table->is_down ? "v" : "^", OMPP_SCREEN_BOLD);
		if (is_titles && !part && at.is_behind)
			tui_draw_put(y, x - 1, 1, ">", OMPP_SCREEN_BOLD);
		if (at.i == cursor)
			begin_of_cursor = begin;
	}
	if (!is_titles || part)
		return begin_of_cursor;
	if (at.i < leaf->n_shown)
		tui_draw_put(y, MARK_COLUMNS + p.width, 1, ">", OMPP_SCREEN_BOLD);
	if (p.first > 1)
		tui_draw_put(y, MARK_COLUMNS + p.pinned, 1, "<", OMPP_SCREEN_BOLD);
	return begin_of_cursor;
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
		put_name(width, ompp_book_section(draw->section), page->leaves.title);
		return;
	}
	if (all > width) {
		snprintf(line, sizeof(line), " %zu/%zu %s: %s", number, n, ompp_book_section(draw->section),
		         ompp_book_about(draw->section));
		put_words(0, width, line, OMPP_SCREEN_BOLD);
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
		put_words(y, width, line, OMPP_SCREEN_BOLD);
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
		put_words(y, width, line, 0);
	}
}

/* Scrolls, so that the cursor is on the screen. */
static void tui_draw_scroll(struct ompp_page *page)
{
	size_t height = ompp_draw_height(), last = page->cursor; /* the last line of the row at the cursor */
	size_t n_above = height > 1; /* lines kept above the cursor, as the top line may show a table's titles */

	if (page->cursor < page->top + (page->top ? n_above : 0))
		page->top = page->cursor > n_above ? page->cursor - n_above : 0;
	while (last + 1 < page->n_lines && page->lines[last + 1].kind == OMPP_LINE_MORE)
		last++;
	last = last < page->cursor + height - 1 ? last : page->cursor + height - 1;
	if (last >= page->top + height)
		page->top = last - (height - 1);
	if (page->top >= page->n_lines)
		page->top = 0;
}

/* Returns the titles of the table at the cursor when they are above what is seen; NULL otherwise. */
static const struct ompp_page_line *titles_above(const struct ompp_page *page)
{
	if (page->cursor >= page->n_lines || page->lines[page->cursor].kind != OMPP_LINE_ROW || ompp_draw_height() < 3)
		return NULL;
	for (size_t i = page->cursor; i-- > 0 && page->lines[i].leaf == page->lines[page->cursor].leaf;)
		if (page->lines[i].kind == OMPP_LINE_TITLES && !page->lines[i].n_bytes)
			return i < page->top ? &page->lines[i] : NULL;
	return NULL;
}

int ompp_draw(struct ompp_page *page, const struct ompp_draw *draw)
{
	size_t height = ompp_draw_height(), width = ompp_screen_columns(), y_cursor = n_head(), x_cursor = 0;
	const struct ompp_page_line *titles;
	int rc = ompp_page_is_old(page, width) ? ompp_page_layout(page, width) : 0;

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
		int is_cursor = page->top + k == page->cursor, is_more = line->kind == OMPP_LINE_MORE;

		if (!k && titles) {
			put_row(y, page, titles, 1, 0);
			continue;
		}
		if (line->kind == OMPP_LINE_ROW || is_more || line->kind == OMPP_LINE_TITLES)
			x = put_row(y, page, line, line->kind == OMPP_LINE_TITLES,
			            is_cursor || (is_more && page->top + k - line->n_bytes == page->cursor));
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
