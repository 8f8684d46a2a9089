/*
 * Sheet all: the columns of all sheets of a recording, in the order in which they come first, found by their names.
 */
#ifndef OMPP_SHEET_ALL_H
#define OMPP_SHEET_ALL_H

#include "reports/watch/sheet.h"

/* Starts as zeros. */
struct ompp_sheet_all {
	struct ompp_sheet sheet; /* with copies of names; without numbers */
	size_t *slots, n_slots;  /* a hash table with open addressing: the number of a column, from 1 on */
};

/* Adds the columns of a sheet that are not there yet.  Returns 0 or -ENOMEM. */
int ompp_sheet_all_join(struct ompp_sheet_all *all, const struct ompp_sheet *sheet);

/* Returns the number of the column of these names; SIZE_MAX when there is none. */
size_t ompp_sheet_all_find(const struct ompp_sheet_all *all, const struct ompp_sheet_column *column);

void ompp_sheet_all_free(struct ompp_sheet_all *all);

#endif
