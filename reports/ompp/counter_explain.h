/*
 * Counter explain: what `ompp counters NAME` prints of each name, for people.
 */
#ifndef OMPP_COUNTER_EXPLAIN_H
#define OMPP_COUNTER_EXPLAIN_H

#include <stddef.h>

/* Prints what these names of counters and of ready groups mean, and whether they count here.  Returns the exit status.
 */
int ompp_counters_explain(const char *const *names, size_t n_names);

#endif
