/*
 * Thread names: what threads run that the program made itself, for the labels of their rows.
 */
#ifndef OMPP_COLLECT_THREAD_NAMES_H
#define OMPP_COLLECT_THREAD_NAMES_H

#include "runtime/sums/sum_merge.h"

/* Returns an array with the name of the function that the thread of each row runs; NULL for a row that has none, or
 * several, as its threads came one after another.  Returns NULL without memory. */
const char *const *ompp_thread_names(struct ompp_merge *merge);

#endif
