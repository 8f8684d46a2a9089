/*
 * Rank sums: sums up many ranks, whose profiles are read one at a time: the least, the mean and the most of all ranks,
 * by region and for the run.  Of each rank are kept its name and host, its time outside of MPI by region, for the
 * findings about ranks, and its calls at which ranks wait for each other.  The more ranks there are, the fewer of these
 * calls are kept of each, so that memory hardly grows with the number of ranks.
 */
#ifndef OMPP_RANKS_RANK_SUMS_H
#define OMPP_RANKS_RANK_SUMS_H

#include "reports/analysis/analysis.h"
#include "reports/analysis/efficiency.h"
#include "reports/ranks/rank_spread.h"

enum { OMPP_RANK_SUMS_COLUMNS = 12 }; /* of a region, at most */

/* What is told of the run, in this order: of a rank, of all its threads where nothing else is said. */
enum ompp_rank_time {
	OMPP_RANK_WALL,     /* from the start to the end, less the time that measuring was off */
	OMPP_RANK_WORK,     /* in parallel regions */
	OMPP_RANK_WAITING,  /* synchronisation, imbalance and limited parallelism in these */
	OMPP_RANK_MANAGING, /* of teams and tasks */
	OMPP_RANK_MPI,      /* in calls of MPI: outside of parallel regions the one thread's, and that of all in them */
	OMPP_RANK_SERIAL,   /* outside of parallel regions and of MPI: of one thread */
	OMPP_RANK_OUTSIDE,  /* outside of MPI, the mean of the threads, as ompp-efficiency(7) has it */
	OMPP_N_RANK_TIMES
};

/* A region, itself or its tasks' executions. */
struct ompp_rank_part {
	struct ompp_region region; /* of the first rank that has it */
	enum ompp_construct construct;
	const char *label;
	size_t n_columns;
	const char *titles[OMPP_RANK_SUMS_COLUMNS];
	enum ompp_kind kinds[OMPP_RANK_SUMS_COLUMNS];
	struct ompp_rank_spread spreads[OMPP_RANK_SUMS_COLUMNS];
	int64_t *outside_ns; /* by rank: the time outside of MPI; NULL for a region that has no efficiencies */
	int64_t mpi_ns;      /* of a call of MPI: outside of parallel regions, in all ranks */
};

struct ompp_rank_sums {
	struct ompp_arena *arena; /* of all that is kept */
	struct ompp_rank_part *parts;
	size_t n_parts, have_parts, last; /* last: the part that was found last */
	struct ompp_rank_spread times[OMPP_N_RANK_TIMES];
	uint32_t n_ranks, most_ranks;   /* most_ranks: how many are going to be added; set before */
	struct ompp_process *processes; /* by rank, in the order in which they were added, and so on */
	struct ompp_profile *met; /* what each kept of its waits for others: its rank, clock_domain, and meetings, whose
	                             regions are parts */
	int64_t *outside_ns, *alone_ns; /* as efficiency.h has them, of the run */
	int64_t mpi_ns, idle_ns; /* in calls of MPI outside of parallel regions, and of other threads meanwhile */
	int64_t queued_ns;       /* for which threads waited for a processor; OMPP_MISSING when not known */
	uint64_t n_notes;
	struct ompp_efficiency run;   /* of all ranks, without its shares and what it has by process */
	struct ompp_efficiencies all; /* what is said of all parts: has_mpi and has_hosts */
	int has_untimed, has_counters, has_data;
};

/* Adds a rank.  scratch: memory for what is computed of it.  Returns 0 or -ENOMEM. */
int ompp_rank_sums_add(struct ompp_rank_sums *s, const struct ompp_profile *p, struct ompp_arena *scratch);

#endif
