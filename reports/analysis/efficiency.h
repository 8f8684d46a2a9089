/*
 * Efficiency: which part of the time of all threads was useful, and where the rest was lost, as factors whose product
 * is the parallel efficiency: those of the POP project (efficiency.def; ompp-efficiency(7) has the formulas and their
 * sources).
 *
 * The time of a run is that of the longest process, from main() on, without starting and ending MPI.  A thread's useful
 * time is the time outside of MPI and of OpenMP's overheads (classes.h).
 */
#ifndef OMPP_EFFICIENCY_H
#define OMPP_EFFICIENCY_H

#include "reports/analysis/analysis.h"

enum ompp_efficiency_id {
#define EFFICIENCY(id, depth, name, title, column, words) OMPP_EFFICIENCY_##id,
#include "reports/analysis/efficiency.def"
#undef EFFICIENCY
	OMPP_N_EFFICIENCIES
};

struct ompp_efficiency_info {
	const char *name, *title, *column, *words;
	int depth;
};

extern const struct ompp_efficiency_info ompp_efficiency_infos[OMPP_N_EFFICIENCIES];

/* The times of all threads of some processes, from which the efficiencies follow.  Own cost is in none of them. */
struct ompp_efficiency_total {
	int64_t outside_ns; /* outside of MPI */
	int64_t most_ns;    /* the same of the process with most of it, divided by its threads */
	int64_t ideal_ns;   /* of the process that would take longest if MPI moved data at once, by its threads */
	int64_t ideal_error_ns, ideal_most_ns; /* of that process; that of the one with most, with its error */
	int64_t in_teams_ns;                   /* outside of MPI, where the thread is in a team, or works alone */
	int64_t balance_ns, scheduling_ns, balance_error_ns, scheduling_error_ns; /* of that, lost to OpenMP */
};

struct ompp_efficiency {
	struct ompp_efficiency_total total;
	uint32_t region;                 /* OMPP_NONE: the run */
	uint32_t n_processes, n_threads; /* of all */
	int64_t wall_ns;                 /* of the process that was longest in it */
	int64_t useful_ns;               /* of all threads; OMPP_MISSING when not known */
	const int64_t *outside_ns;       /* by process: outside of MPI, the mean of its threads */
	const int64_t *alone_ns;         /* by process: of its first thread, outside of MPI and of parallel regions */
	int64_t share[OMPP_N_EFFICIENCIES]; /* 10^-9; OMPP_MISSING when not known */
	int64_t error[OMPP_N_EFFICIENCIES]; /* due to visits that were not timed (untimed.h): standard errors; of
	                                       serialisation and transfer due to calls of MPI that were not compared,
	                                       and to clocks (rank_waiting.h) */
};

struct ompp_efficiencies {
	const struct ompp_efficiency
		*list; /* the run, then by region: parallel, user and functions, outside of teams */
	size_t n;
	int has_mpi;   /* calls of MPI were measured */
	int is_part;   /* 1 when ranks of the run are missing, so that nothing is known of their balance */
	int has_hosts; /* 1 when a process has several host threads, so that nothing is known */
};

/* Adds the part of other processes: numbers of processes and threads, times, and the longest of times. */
void ompp_efficiency_add(struct ompp_efficiency *e, const struct ompp_efficiency *other);

/* Fills in the shares, their errors and useful_ns, from the rest of it and what is said of all parts. */
void ompp_efficiency_set(struct ompp_efficiency *e, const struct ompp_efficiencies *all);

/* Returns the efficiencies, and caches them in the analysis; NULL without memory. */
const struct ompp_efficiencies *ompp_efficiencies(const struct ompp_analysis *a);

/* Were ranks of MPI added up?  Reports of other programs show no efficiencies unless they are asked for. */
int ompp_efficiencies_are_there(const struct ompp_profile *p);

#endif
