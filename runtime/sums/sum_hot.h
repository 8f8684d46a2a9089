/*
 * Hot: makes the profile's samples of processor time, by call path, thread, function and line.
 */
#ifndef OMPP_SUMS_SUM_HOT_H
#define OMPP_SUMS_SUM_HOT_H

#include "runtime/sums/sum_merge.h"

struct ompp_hot_sum;

/* Prepares the merge.  It is called before the first thread is added.  Returns 0 or -ENOMEM. */
int ompp_hot_merge_start(struct ompp_merge *merge);

/* Adds one sum of a thread; path and row are those of its node in the merged tree.  Sets merge->failed when there is
 * no memory. period_ns: the time that one sample stands for */
void ompp_hot_merge(struct ompp_merge *merge, const struct ompp_hot_sum *sum, uint64_t period_ns, uint32_t path,
                    uint32_t row);

/* Fills in the profile's hot spots.  The rows must be final.  Returns 0 or -ENOMEM. */
int ompp_hot_collect(struct ompp_merge *merge, struct ompp_profile *profile);

#endif
