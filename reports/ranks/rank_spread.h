/*
 * Rank spread: a number of many ranks: the least, the mean and the most, and which ranks have these.
 */
#ifndef OMPP_RANKS_RANK_SPREAD_H
#define OMPP_RANKS_RANK_SPREAD_H

#include "reports/tables/table.h"

struct ompp_rank_spread {
	uint32_t n; /* ranks of which the number is known */
	int64_t least, most;
	__int128 all;
	const char *least_rank, *most_rank; /* "r3", or the label of a row, "r3:0" */
};

/* Adds the number of a rank; one that is missing is left out.  Of equal numbers the first is kept. */
void ompp_rank_spread_add(struct ompp_rank_spread *s, int64_t number, const char *rank);

/* Add the columns of a table that has a row for each number, and put those of a row up to the mean and the most; a
 * column SUM is the last, with one of its errors where there are some. */
void ompp_rank_spread_columns(struct ompp_table *table, int has_errors);
void ompp_rank_spread_put(struct ompp_table *table, enum ompp_kind kind, const struct ompp_rank_spread *s);

#endif
