/*
 * Sheet choice: passes on the columns of sheets that fit patterns, in the order of the patterns.
 */
#ifndef OMPP_SHEET_CHOICE_H
#define OMPP_SHEET_CHOICE_H

#include "reports/watch/sheet.h"

struct ompp_sheet_choice {
	const struct ompp_sink *to;
	const char *(*patterns)(const struct ompp_sheet *sheet); /* as in watch.h, with commas; of a sheet */
	struct ompp_sheet sheet;
	size_t *from;        /* by column: its number in the sheets that are passed on */
	size_t n_from, room; /* n_from is 0 after the end when no column fitted */
	int is_begun;
};

/* Fills the choice, which ompp_sheet_choice_free() frees, and returns the sink that uses it.  The sink ends at a sheet
 * of which no column fits. */
struct ompp_sink ompp_sheet_choice(struct ompp_sheet_choice *choice, const struct ompp_sink *to,
                                   const char *(*patterns)(const struct ompp_sheet *sheet));
void ompp_sheet_choice_free(struct ompp_sheet_choice *choice);

#endif
