/*
 * Merge meetings: who waited for whom in calls of MPI, by what the profiles of all ranks kept of them, and how the
 * clocks of ranks on different machines differ.  It is a part of merge.c.
 *
 * Of two ranks that do not read the same clock, what each kept bounds the offset of the one from the other: nobody
 * leaves a barrier before all have come, and no message arrives before it is sent (A. Duda et al., "Estimating Global
 * Time in Distributed Systems", 1987).  So its error is known, and nothing has to be sent for it.
 */
#ifndef OMPP_MERGE_MEETINGS_H
#define OMPP_MERGE_MEETINGS_H

#include "reports/profile/merge_data.h"

/* Fills in rank_waits and rank_clocks of out, to which the maps lead, where the profiles are those of different ranks
 * of one run.  Returns 0 or -ENOMEM. */
int ompp_merge_meetings(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                        struct ompp_arena *arena, struct ompp_profile *out);

#endif
