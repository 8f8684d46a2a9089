/*
 * Uses: computes from the threads' sums by use which threads use whose memory, where the pages of objects are, and
 * where threads ran.
 */
#ifndef OMPP_DATA_SUMS_USES_H
#define OMPP_DATA_SUMS_USES_H

#include "runtime/memory/sample.h"
#include "runtime/sums/sum_merge.h"

struct ompp_thread;

/* Called before the first thread is added.  Returns 0 or -ENOMEM. */
int ompp_uses_start(struct ompp_merge *merge);

/* Adds a thread's sum by use (OMPP_SUM_OF_USE), or records where it touched pages first (OMPP_SUM_OF_TOUCH). */
void ompp_merge_use(struct ompp_merge *merge, const struct ompp_thread *t, const struct ompp_sample_sum *s,
                    uint32_t path, uint32_t row);

/* Fills in the profile's uses, placements, bindings and NUMA nodes, when its rows and objects are known.  Returns 0 or
 * -ENOMEM. */
int ompp_collect_uses(struct ompp_merge *merge, struct ompp_profile *profile);

/* Returns the row that represents the thread of a slot: the one with most of its samples; OMPP_NONE when it has none.
 * Call it when rows are final. */
uint32_t ompp_uses_row(const struct ompp_merge *merge, uint32_t slot);

/* Fills in the machine's NUMA nodes.  Returns 0 or -ENOMEM.
 * root: a folder laid out as /sys/devices/system/node */
int ompp_collect_numa_nodes(struct ompp_profile *profile, const char *root, struct ompp_arena *arena);

#endif
