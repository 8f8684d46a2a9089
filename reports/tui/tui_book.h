/*
 * Book: the sections of a report as pages for ompp tui.  A page stores the tables that the views make, so its numbers
 * are those of the text report; none is computed here.
 */
#ifndef OMPP_TUI_BOOK_H
#define OMPP_TUI_BOOK_H

#include "reports/analysis/analysis.h"
#include "reports/analysis/report_options.h"
#include "reports/tables/table.h"
#include "reports/writers/look.h"

/* A table of a view, as it was put.  All its texts are clean. */
struct ompp_leaf {
	struct ompp_table table;
	size_t n_rows;
	struct ompp_look *looks; /* by column */
	size_t *words; /* by column: the width of its longest word; that of the column, where it has a number */
	size_t *shown; /* the columns that people see */
	size_t n_shown;
	size_t level;    /* column of the level in a tree; OMPP_NO_COLUMN for other tables */
	uint32_t region; /* that all of it is about; OMPP_NONE for none */
	int is_source;   /* 1 for lines of a source, which may be cut */
	int has_hooks;   /* 1 when its times include the cost of access hooks */
};

#define OMPP_NO_COLUMN ((size_t)-1)

/* A page owns its memory. */
struct ompp_leaves {
	struct ompp_arena arena;
	struct ompp_analysis analysis;
	struct ompp_leaf *list;
	size_t n, have;
	const char *title;
	const char *note;   /* says what is left out, or "" */
	size_t first_row;   /* of the first table, where the page is opened */
	uint32_t of_region; /* the region or object that the page is about; OMPP_NONE for none */
	uint32_t of_object;
};

enum { OMPP_BOOK_SECTIONS = 13 };

struct ompp_book {
	const struct ompp_profile *profile;
	struct ompp_report_options options;
	int has[OMPP_BOOK_SECTIONS]; /* 1 for each section with content; filled in when a section is first opened */
};

/* Return the name of section i of a book, and what it is. */
const char *ompp_book_section(size_t i);
const char *ompp_book_about(size_t i);

/* Make a page: of a section; of a region: its threads and call paths; of a data object; of a source file, opened at a
 * line.  Return 0, -ENOMEM, or -ENOENT when *why says why there is no source.  A page that was made must be closed. */
int ompp_book_open(struct ompp_book *book, size_t section, struct ompp_leaves *page);
int ompp_book_region(const struct ompp_book *book, uint32_t region, struct ompp_leaves *page);
int ompp_book_object(const struct ompp_book *book, uint32_t object, struct ompp_leaves *page);
int ompp_book_source(const struct ompp_book *book, const char *path, uint32_t line, struct ompp_leaves *page,
                     const char **why);
void ompp_book_close(struct ompp_leaves *page);

/* Return the region, the object, and the location in the source that a row refers to; OMPP_NONE or NULL for none. */
uint32_t ompp_leaf_region(const struct ompp_leaf *leaf, size_t row, const struct ompp_profile *profile);
uint32_t ompp_leaf_object(const struct ompp_leaf *leaf, size_t row, const struct ompp_leaves *page);
const char *ompp_leaf_location(const struct ompp_leaf *leaf, size_t row, const struct ompp_leaves *page,
                               uint32_t *line);

/* Returns how many columns a text has in front of its name as a branch of a tree, "  |-R00002"; 0 where that is all. */
size_t ompp_leaf_branch(const char *text);

/* Returns how many columns the longest word behind that has. */
size_t ompp_leaf_word(const char *text);

/* Returns the value of a row in a column. */
const struct ompp_value *ompp_leaf_value(const struct ompp_leaf *leaf, size_t row, size_t column);

#endif
