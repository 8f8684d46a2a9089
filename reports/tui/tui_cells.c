/*
 * Cells: see tui_cells.h.
 */
#include "reports/tui/tui_cells.h"

#include <string.h>

enum { LEAST_PART = 8 };

static size_t cells_width(const struct ompp_cells *p, size_t i)
{
	return p->leaf->looks[p->leaf->shown[i]].width + (p->leaf->shown[i] == p->sorted);
}

/* Returns the width that a column needs at least: numbers all of theirs, texts that of their longest word. */
static size_t cells_need(const struct ompp_cells *p, size_t i)
{
	size_t c = p->leaf->shown[i], width = cells_width(p, i);

	if (p->leaf->words[c] + (c == p->sorted) < width)
		return p->leaf->words[c] + (c == p->sorted);
	return width;
}

/* Do names stand in the last column, behind numbers? */
static int has_right(const struct ompp_leaf *leaf)
{
	size_t last = leaf->n_shown - 1;

	return last >= 2 && leaf->table.columns[leaf->shown[last]].left && !leaf->table.columns[leaf->shown[0]].left;
}

/* Divides the width among the first column, the one at the cursor, and the last, where names stand there. */
static void cells_divide(struct ompp_cells *p, size_t cursor)
{
	const struct ompp_leaf *leaf = p->leaf;
	size_t last = leaf->n_shown - 1, beside = p->is_chosen ? cells_need(p, cursor) + 1 : 0;
	size_t need = cells_need(p, 0), room;

	if (p->pinned > p->width / 2) {
		room = beside < p->width ? p->width - beside : 0;
		room = room < need ? room : need;
		p->pinned = room > p->width / 2 ? room : p->width / 2;
	}
	if (!has_right(leaf))
		return;
	beside += p->pinned + 1;
	room = beside < p->width ? p->width - beside : 0;
	need = cells_need(p, last) > p->width / 3 ? cells_need(p, last) : p->width / 3;
	need = need < cells_width(p, last) ? need : cells_width(p, last);
	p->right = need < room ? need : room;
}

struct ompp_cells ompp_cells_place(const struct ompp_leaf *leaf, size_t sorted, size_t cursor, size_t width)
{
	struct ompp_cells p = { .leaf = leaf, .sorted = sorted, .first = 1, .width = width };
	size_t all = 0, used;

	for (size_t i = 0; i < leaf->n_shown; i++)
		all += cells_width(&p, i) + (i != 0);
	p.pinned = leaf->n_shown ? cells_width(&p, 0) : 0;
	if (all <= width || leaf->n_shown < 2) {
		p.pinned = p.pinned < width ? p.pinned : width;
		return p;
	}
	p.width -= width > 1;
	p.is_chosen = cursor >= 1 && cursor < leaf->n_shown - has_right(leaf);
	cells_divide(&p, cursor);
	if (!p.is_chosen)
		return p;
	used = p.pinned + 1 + cells_need(&p, cursor) + (p.right ? p.right + 1 : 0);
	for (p.first = cursor; p.first > 1 && used + 1 + cells_width(&p, p.first - 1) <= p.width; p.first--)
		used += 1 + cells_width(&p, p.first - 1);
	return p;
}

int ompp_cells_next(const struct ompp_cells *p, struct ompp_cell_at *at, int is_first)
{
	const struct ompp_leaf *leaf = p->leaf;
	size_t i = is_first ? 0 : at->i ? at->i + 1 : p->first, last = leaf->n_shown - 1;
	size_t x = is_first ? 0 : at->x + at->width + (size_t)at->has_mark + 1, width, end = p->width;

	at->i = i;
	at->is_behind = 0;
	if (i >= leaf->n_shown || x >= p->width)
		return 0;
	if (p->right && i < last)
		end -= p->right + 1 < end ? p->right + 1 : end;
	width = i ? cells_width(p, i) : p->pinned;
	if ((i > p->first || (i && !p->is_chosen)) && (i < last || !p->right) &&
	    cells_need(p, i) > (x < end ? end - x : 0)) {
		if (!p->right)
			return 0;
		at->is_behind = 1;
		at->i = i = last;
	}
	if (width > p->width - x || (i == last && leaf->table.columns[leaf->shown[i]].left))
		width = p->width - x;
	at->x = x;
	at->has_mark = p->sorted == leaf->shown[i] && width > 1;
	at->width = width - (size_t)at->has_mark;
	return 1;
}

struct ompp_shown ompp_cells_part(const char *text, size_t width, size_t k, size_t *indent)
{
	size_t branch = ompp_leaf_branch(text), word = ompp_leaf_word(text), n;
	struct ompp_shown part;

	branch = branch + LEAST_PART <= width ? branch : 0;
	*indent = k == 0 ? 0 : branch + word <= width ? branch : word < width ? width - word : 0;
	width = width ? width : 1;
	n = branch + ompp_look_line(text + branch, width - branch, 1);
	for (size_t i = 0; i < k; i++) {
		text += n;
		text += strspn(text, " ");
		n = ompp_look_line(text, width - *indent, 1);
	}
	part = (struct ompp_shown){ text, n, 0 };
	for (size_t i = 0; i < n; i++)
		part.n_columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return part;
}

size_t ompp_cells_lines(const struct ompp_cells *p, size_t row)
{
	const struct ompp_leaf *leaf = p->leaf;
	struct ompp_cell_at at;
	size_t n_lines = 1, indent;

	for (int more = ompp_cells_next(p, &at, 1); more; more = ompp_cells_next(p, &at, 0)) {
		size_t c = leaf->shown[at.i];
		const struct ompp_value *v = row == OMPP_NO_COLUMN ? NULL : ompp_leaf_value(leaf, row, c);
		const char *text = v ? v->text : ompp_look_title(&leaf->table, c);

		if ((v && (v->kind != OMPP_KIND_TEXT || leaf->is_source)) || leaf->looks[c].width <= at.width)
			continue;
		while (ompp_cells_part(text, at.width, n_lines, &indent).n_bytes)
			n_lines++;
	}
	return n_lines;
}
