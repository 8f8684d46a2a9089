/*
 * Counter explain: what `ompp counters NAME` prints of each name, for people.
 */
#ifndef OMPP_COUNTER_EXPLAIN_H
#define OMPP_COUNTER_EXPLAIN_H

#include <stddef.h>

/* Prints what these names of counters, ready groups and sources of samples mean, and whether they work here.  Returns
 * the exit status.
 */
int ompp_counters_explain(const char *const *names, size_t n_names);

#endif
