/*
 * Hooked: what the search for shared lines (OMPP_SHARING) may have done to the times of threads.
 *
 * Its hooks are most of the time of code with many accesses, and do not take all threads the same time: how long one
 * takes depends on where the thread's counts happen to lie, up to a factor of two, and a store that finds another
 * thread's waits for two lines, that of the search and the program's.  None of that is the program's work.  What is,
 * shows in the counts: a thread with more work that consists of accesses has more of them.
 */
#ifndef OMPP_HOOKED_H
#define OMPP_HOOKED_H

#include "reports/analysis/waiting.h"

/* Returns 1 when the search alone may be why threads work for different times at a call path with a barrier. */
int ompp_hooked_explains(const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *waiting);

/* Returns 1 when it alone may be why some have more to do before they come there. */
int ompp_hooked_explains_before(const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *waiting);

#endif
