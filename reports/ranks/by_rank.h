/*
 * By rank: what text shows of many processes in place of a row for each thread: the least, the mean and the most of all
 * processes, and which ones these are.  A process's number is the sum of its threads.
 */
#ifndef OMPP_RANKS_BY_RANK_H
#define OMPP_RANKS_BY_RANK_H

#include "reports/tables/view.h"

enum { OMPP_BY_RANK_ROWS = 12 }; /* so many rows, at the most usually, a block has then */

/* Is it so in this report?  It is where text is of more processes than options->most_ranks, and no ranks were chosen.
 */
int ompp_by_rank_is(const struct ompp_analysis *a, const struct ompp_sheet *sheet);

/* Is the row shown where rows are?  It is unless ranks were chosen, and its process is none of them. */
int ompp_by_rank_shows(const struct ompp_analysis *a, uint32_t row);

/* Is the text a list of ranks such as 0,5-7? */
int ompp_by_rank_is_list(const char *list);

/* Turns a table with a row for each thread, the last one being SUM, into one with a row for each of its columns.  The
 * heading says how many ranks it is of. */
void ompp_by_rank_turn(const struct ompp_analysis *a, struct ompp_table *table);

/* Puts the sentence at the end of a section that has such tables.  Returns 0 or -errno. */
int ompp_by_rank_say(const struct ompp_analysis *a, struct ompp_sheet *sheet);

#endif
