/*
 * Say: figures in sentences, for people: "0.100 s", "62.5 us", "5 000", "87.0 %".
 */
#ifndef OMPP_SAY_H
#define OMPP_SAY_H

#include "reports/views/analysis.h"
#include "runtime/base/text.h"

enum { OMPP_SAY_BYTES = 768 };          /* what a few sentences take */

/* Start sentences in the arena; without memory they are "" and nothing is added. */
void ompp_say_start(struct ompp_text *t, struct ompp_arena *arena);

/* Three digits and a unit; "-" where it is not known. */
void ompp_say_time(struct ompp_text *t, int64_t ns);

/* "0.100 to 0.201 s", of one unit. */
void ompp_say_times(struct ompp_text *t, int64_t least_ns, int64_t most_ns);

/* A share of 10^-9, "87.0 %". */
void ompp_say_share(struct ompp_text *t, int64_t share);

/* "1 thread", "5 000 executions": the word with an s but for one. */
void ompp_say_count(struct ompp_text *t, uint64_t n, const char *word);

/* part / whole with a decimal, "7.7"; "-" where the whole is 0. */
void ompp_say_ratio(struct ompp_text *t, int64_t part, int64_t whole);

#endif
