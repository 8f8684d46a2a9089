/*
 * Rank facts: the conditions and notes of many processes, of which many say the same, in a few lines.
 */
#ifndef OMPP_RANKS_RANK_FACTS_H
#define OMPP_RANKS_RANK_FACTS_H

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

/* Puts the conditions and the notes: what several ranks say alike is one line with their names and number, and of each
 * kind of line some are put, and how many are left out. */
void ompp_rank_facts(const struct ompp_analysis *a, struct ompp_table *table);

/* Puts a note: "12 samples were lost"; of one process of several "r17: 12 samples were lost". */
void ompp_rank_note(const struct ompp_profile_note *note, struct ompp_table *table);

#endif
