/*
 * Page: the view state of a page of ompp tui: order of rows, folds, filter, the resulting lines for a terminal's width,
 * and the cursor.  It draws nothing.
 */
#ifndef OMPP_TUI_PAGE_H
#define OMPP_TUI_PAGE_H

#include "reports/tui/tui_cells.h"

enum ompp_page_line_kind {
	OMPP_LINE_BLANK,
	OMPP_LINE_HEADING,
	OMPP_LINE_TITLES,
	OMPP_LINE_ROW,
	OMPP_LINE_MORE,
	OMPP_LINE_TEXT
};

struct ompp_page_line {
	enum ompp_page_line_kind kind;
	size_t leaf, row;
	const char *text; /* of headings and texts */
	size_t n_bytes; /* of that; of TITLES, ROW and MORE, which goes on where texts do not fit: which line, from 0 */
};

/* How a table is shown. */
struct ompp_page_table {
	size_t *order; /* rows as they are sorted */
	size_t sorted; /* by this column; OMPP_NO_COLUMN for the order of the report */
	int is_down;
	unsigned char *is_folded; /* by row of a tree */
};

enum { OMPP_WORDS_BYTES = 128, OMPP_PAGE_MARK_COLUMNS = 1 };

struct ompp_page {
	struct ompp_leaves leaves;
	struct ompp_page_table *tables; /* one for each leaf */
	struct ompp_page_line *lines;
	size_t n_lines, have_lines;
	size_t width;       /* terminal width for which the lines were made, … */
	size_t column_then; /* … and column of the cursor, … */
	size_t leaf_then;   /* … which was in this table */
	size_t cursor, top; /* lines */
	size_t column;      /* of the cursor, among those that are shown */
	char filter[OMPP_WORDS_BYTES];
};

/* Takes over the leaves.  Returns 0 or -ENOMEM. */
int ompp_page_init(struct ompp_page *page, const struct ompp_leaves *leaves);
void ompp_page_fini(struct ompp_page *page);

/* Makes the lines for a width; the cursor stays at its row.  Returns 0 or -ENOMEM. */
int ompp_page_layout(struct ompp_page *page, size_t width);

/* Returns where the columns of a table stand. */
struct ompp_cells ompp_page_cells(const struct ompp_page *page, size_t leaf);

/* Have the lines to be made anew for this width, as the cursor is in another column? */
int ompp_page_is_old(const struct ompp_page *page, size_t width);

/* Return the line of the cursor, the table that it is in, and the row; NULL for none. */
const struct ompp_page_line *ompp_page_line(const struct ompp_page *page);
const struct ompp_leaf *ompp_page_leaf(const struct ompp_page *page);

/* Moves the cursor by n lines, counting only lines that it can be on. */
void ompp_page_move(struct ompp_page *page, long n);

/* Sorts the table at the cursor by the cursor's column: first by the greatest numbers (or texts from A to Z), then the
 * other way, then as in the report.  Rows without the number come last, SUM behind them.  In a tree, siblings are
 * sorted.  Returns 0, -ENOMEM, or -ENOENT when there is nothing to sort. */
int ompp_page_sort(struct ompp_page *page);

/* Folds and unfolds the row at the cursor; fold is 1, 0, or -1 to toggle.  Returns -ENOENT when the row has no
 * children.  The second applies it to all rows. */
int ompp_page_fold(struct ompp_page *page, int fold);
int ompp_page_fold_all(struct ompp_page *page, int fold);

/* Shows only rows that have the words, or all again with "". */
int ompp_page_filter(struct ompp_page *page, const char *words);

/* Moves the cursor to the next line, or the one before, that has the words; at the end it wraps around.  Returns 0, or
 * -ENOENT when none has. */
int ompp_page_find(struct ompp_page *page, const char *words, int is_back);

/* Describes the value at the cursor in a buffer: its title, all its digits, its unit and its certainty. */
void ompp_page_tell(const struct ompp_page *page, char *buffer, size_t n_bytes);

#endif
