/*
 * Rank waiting: how long a rank waited for other ranks in its calls of MPI, as those that were compared tell
 * (profile/merge_meetings.h).
 */
#ifndef OMPP_RANK_WAITING_H
#define OMPP_RANK_WAITING_H

#include "reports/profile/profile.h"

/* Returns the rank of a process in MPI_COMM_WORLD; OMPP_NONE for none. */
uint32_t ompp_rank_of_process(const struct ompp_process *process);

/* Returns the waiting in all three ways. */
int64_t ompp_rank_wait_sum(const struct ompp_rank_wait *w);

/* What of the time in calls was waiting, and by how much that may be wrong.  Calls that were not compared are taken to
 * have waited as much as the others of their region; where there are no others, for half of their time. */
struct ompp_waited {
	int64_t ns, error_ns;
};
struct ompp_waited ompp_rank_waited(const struct ompp_profile *p, uint32_t region, uint32_t rank, int64_t time_ns);

/* What all ranks waited in a region, and for whom most. */
struct ompp_region_waits {
	struct ompp_rank_wait sum; /* of all ranks; rank: the one for which others waited longest, OMPP_NONE for none */
	int64_t for_it_ns;         /* what others waited for that one */
	uint64_t n_it_last;        /* collective calls in which it was the last; those of all ranks are sum.n_last */
};

/* region: OMPP_NONE for all regions together.  Memory: in the arena; returns 0 or -ENOMEM. */
int ompp_region_waits(const struct ompp_profile *p, struct ompp_arena *arena, uint32_t region,
                      struct ompp_region_waits *waits);

#endif
