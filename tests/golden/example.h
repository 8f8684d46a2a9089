/*
 * Example: a constructed profile with every construct, nested teams, a second host thread, tasks, counters, a costly
 * region, losses, and names that need quoting.  Its numbers are round, so that reports can be checked by head.
 */
#ifndef OMPP_EXAMPLE_H
#define OMPP_EXAMPLE_H

#include "reports/profile/profile.h"

/* Rows, as indices. */
enum { ROW_0, ROW_0_0, ROW_0_1, ROW_1, ROW_1_0, ROW_1_1, ROW_H2, EXAMPLE_ROWS };

/* All of it lives in static memory. */
void example_profile(struct ompp_profile *profile);

/* The same with data objects, counted under hooks: nested, private, moved, ended and unmeasured ones, and lines that
 * threads share; with the misses of modelled caches where asked for. */
void example_data_profile(struct ompp_profile *profile, int is_modelled);

/* The same with counters of each certainty, one that is missing in a row, one with a long name; numbers computed from
 * them, by 0 in some rows; and counters of the whole machine. */
void example_counter_profile(struct ompp_profile *profile);

/* The data profile with samples: of loads and stores, of known levels and not, timed and not, too few to say much, of
 * memory of another NUMA node; with source lines and first touches. */
void example_sample_profile(struct ompp_profile *profile);

/* The plain profile with durations of visits and samples of processor time. */
void example_visits_profile(struct ompp_profile *profile);

/* The profile with samples, whose names are what could harm a terminal, a page, a spreadsheet or a script, and with
 * numbers around 2^53 and at the end of 64 bits. */
void example_hostile_profile(struct ompp_profile *profile);

#endif
