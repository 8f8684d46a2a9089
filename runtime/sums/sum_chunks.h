/*
 * Chunks: adds up the counts of nodes (core/chunks.h), and makes the profile's chunks of them.
 */
#ifndef OMPP_SUMS_SUM_CHUNKS_H
#define OMPP_SUMS_SUM_CHUNKS_H

#include "reports/profile/profile.h"
#include "runtime/host/clock.h"
#include "runtime/sums/sum_merge.h"

/* Adds the chunks of a node to a cell.  Sets merge->failed when there is no memory. */
void ompp_sum_chunks(struct ompp_merge *merge, struct ompp_merge_sums *sums, const struct ompp_callnode *node);

/* Makes room for the chunks of all sums.  Returns 0 or -ENOMEM. */
int ompp_collect_chunks_start(struct ompp_merge *merge, struct ompp_profile *profile);

/* Adds the chunks of one cell to the profile.  Cells must come in ascending order. */
void ompp_collect_chunks(const struct ompp_merge *merge, struct ompp_profile *profile, uint32_t cell,
                         const struct ompp_merge_sums *sums, struct ompp_clock_rate rate);

#endif
