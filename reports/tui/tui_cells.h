/*
 * Cells: which columns of a table fit into a width, where they are, and how their texts are wrapped.  Neither numbers
 * nor texts are ever cut off: the rest of a text continues in the lines below.  If not all columns fit, the one with
 * the names stays: the first column, or the last if the first has numbers.
 */
#ifndef OMPP_TUI_CELLS_H
#define OMPP_TUI_CELLS_H

#include "reports/tui/tui_book.h"

/* Where the columns of a table stand. */
struct ompp_cells {
	const struct ompp_leaf *leaf;
	size_t sorted; /* the column by which rows are sorted, whose mark takes one more; OMPP_NO_COLUMN for none */
	size_t pinned; /* width of the first column, which is always visible */
	size_t first;  /* the first visible one of the other columns */
	int is_chosen; /* 1 when the cursor is in one of those, which then is visible however narrow it is */
	size_t width;  /* of all columns; one less than there is if not all fit, for the mark of those on the right */
	size_t right;  /* width that the last column has at least, where it is always visible, too; else 0 */
};

/* Chooses the visible columns so that the one at the cursor is among them. */
struct ompp_cells ompp_cells_place(const struct ompp_leaf *leaf, size_t sorted, size_t cursor, size_t width);

/* One visible column: its place among those that are shown, where it begins, and its width without the sort mark. */
struct ompp_cell_at {
	size_t i, x, width;
	int has_mark;
	int is_behind; /* 1 when columns before it are not visible */
};

/* Goes on to the next visible column; begin with all 0 and is_first.  Returns 0 past the last; then at->i is the first
 * of those that do not fit, or their number. */
int ompp_cells_next(const struct ompp_cells *cells, struct ompp_cell_at *at, int is_first);

/* Returns line number k of a text that is divided into lines of a width; *indent is how far it is moved to the right,
 * so that it stands below the name in the first one.  The text is empty past its last line. */
struct ompp_shown ompp_cells_part(const char *text, size_t width, size_t k, size_t *indent);

/* Returns how many lines a row takes, 1 at least; that of the titles is OMPP_NO_COLUMN. */
size_t ompp_cells_lines(const struct ompp_cells *cells, size_t row);

#endif
