/*
 * Say: figures in sentences for people: "0.100 s", "62.5 us", "5 000", "87.0 %".
 */
#ifndef OMPP_FINDING_SAY_H
#define OMPP_FINDING_SAY_H

#include "reports/analysis/analysis.h"
#include "runtime/base/text.h"

enum { OMPP_SAY_BYTES = 1024, OMPP_SAY_LONG_BYTES = 3072 }; /* room for a few sentences, and for names in them */

/* Starts sentences in the arena.  Without memory they are "", and nothing is added to them. */
void ompp_say_start(struct ompp_text *t, struct ompp_arena *arena);
void ompp_say_start_long(struct ompp_text *t, struct ompp_arena *arena);

/* Adds a time with three digits and a unit; "-" when it is not known. */
void ompp_say_time(struct ompp_text *t, int64_t ns);

/* Adds seconds without a unit.  They have n_digits digits at least, but two decimals at least and nine at most. */
void ompp_say_seconds(struct ompp_text *t, int64_t ns, unsigned int n_digits);

/* Adds two times in one unit, "0.100 to 0.201 s". */
void ompp_say_times(struct ompp_text *t, int64_t least_ns, int64_t most_ns);

/* Adds a share of 10^-9 as "87.0 %". */
void ompp_say_share(struct ompp_text *t, int64_t share);

/* Adds a number and what it counts, "1 thread", "5 000 executions": the word gets an s but for one. */
void ompp_say_count(struct ompp_text *t, uint64_t n, const char *word);

/* Adds part / whole with one decimal, "7.7"; "-" when the whole is 0. */
void ompp_say_ratio(struct ompp_text *t, int64_t part, int64_t whole);

#endif
