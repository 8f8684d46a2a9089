/*
 * Hooked: how the search for shared lines (OMPP_SHARING) may have changed the times of threads.
 *
 * In code with many accesses, its hooks take most of the time, and not the same time in all threads.  The time of a
 * hook depends on where the thread's counts are in memory, by up to a factor of two; and a store to a line that another
 * thread wrote waits for two lines, the program's and one of the search.  None of that is the program's work.  Unequal
 * work can still be seen in the counts: a thread that has more of it makes more accesses.
 */
#ifndef OMPP_HOOKED_H
#define OMPP_HOOKED_H

#include "reports/analysis/waiting.h"

/* Returns 1 when the search alone may be why threads work for different times at a call path with a barrier. */
int ompp_hooked_explains(const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *waiting);

/* Returns 1 when it alone may be why some have more to do before they come there. */
int ompp_hooked_explains_before(const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *waiting);

#endif
