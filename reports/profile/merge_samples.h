/*
 * Merge samples: the samples and first touches of several profiles as one, and, with the samples, the uses of memory by
 * node.  It is a part of merge.c.
 *
 * Rows stay apart, objects are the same when their names are, and sums and variances add up.  Samples can be added up
 * only if they were taken in the same way: by the same source, with the same period, of the same kinds of accesses,
 * with the same least latency and unit of latencies.  A profile whose samples were taken in another way than those of
 * the first that has any is left out with all its samples, and so is one without samples; a note says so.
 */
#ifndef OMPP_MERGE_SAMPLES_H
#define OMPP_MERGE_SAMPLES_H

#include <stddef.h>

#include "reports/profile/merge_data.h"

/* Fills in what out says of samples, and adds notes to those that it has.  The maps are in the order of the profiles.
 * Returns 0 or -ENOMEM. */
int ompp_merge_samples(const struct ompp_profile *profiles, size_t n, struct ompp_merge_map *maps,
                       struct ompp_arena *arena, struct ompp_profile *out);

#endif
