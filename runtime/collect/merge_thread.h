/*
 * Merging a thread: adds one thread's call tree to the sums of all (sums/sum_merge.h).  This is the first half of
 * collecting.
 *
 * The tree is walked parents first.  Every node gets its call path and its row.  Then times are summed per call path
 * and row, with the runtime's own cost subtracted: a visit's measured time contains the inner part of its own cost, and
 * the whole cost of every event below it.
 */
#ifndef OMPP_COLLECT_MERGE_THREAD_H
#define OMPP_COLLECT_MERGE_THREAD_H

#include "runtime/sums/sum_merge.h"

/* Adds one thread's tree.  Sets merge->failed when there is no memory. */
void ompp_merge_thread(struct ompp_merge *merge, struct ompp_thread *t);

#endif
