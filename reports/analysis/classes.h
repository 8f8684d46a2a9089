/*
 * Classes: how the time of the threads of parallel regions, and of the whole program, divides into work and classes of
 * overhead.
 *
 * Every overhead is charged once, to the innermost PARALLEL around it.  The time of a PARALLEL is the time from fork to
 * join times the size of its team.  Sums over regions leave out the time of a nested team's first thread, as the outer
 * team's time contains it.  Outside of all parallel regions one thread works and the others cannot.  That is limited
 * parallelism, too; it is kept in idle_ns, as it belongs to no region.
 */
#ifndef OMPP_CLASSES_H
#define OMPP_CLASSES_H

#include "reports/analysis/analysis.h"

struct ompp_parallel {
	uint32_t region;
	int64_t total_ns;      /* of all threads, fork to join */
	int64_t own_ns;        /* the part of it that is not in an outer team's time */
	int64_t wall_ns;       /* wall-clock; of a recursive region, the outermost execution alone */
	int64_t outer_wall_ns; /* wall-clock, of the executions that are not inside another PARALLEL */
	int64_t cost_ns;       /* the profiler's own cost that was taken out of own_ns */
	int64_t overhead_ns[OMPP_N_OVERHEADS];
	int64_t error_ns[OMPP_N_OVERHEADS]; /* their standard errors, due to visits that were not timed (untimed.h) */
};

struct ompp_classes {
	struct ompp_parallel *list;
	size_t n;                 /* parallel regions, by id */
	struct ompp_parallel sum; /* of all of them; its total_ns is the sum of own_ns */
	int64_t covered_ns;       /* wall-clock time in parallel regions, at most measured_ns */
	int64_t serial_ns;        /* wall-clock time outside of parallel, teams and target regions, less the time while
	                             measuring was off; OMPP_MISSING when a process has several host threads, which run
	                             concurrently */
	int64_t before_ns;        /* the part of serial_ns before main(); 0 when that is not known */
	int64_t mpi_ns;           /* the part of serial_ns in calls of MPI */
	int64_t team_mpi_ns;      /* time of all threads in calls of MPI within parallel regions, which is none of their
	                             overheads */
	int64_t idle_ns;          /* the time of all threads but one of each process during serial_ns */
	/* of threads that the program made without OpenMP, and of the one that made them, outside of parallel regions:
	 */
	int64_t thread_work_ns; /* from their begin to their end, without waiting for each other */
	int64_t thread_wait_ns; /* waiting for each other */
};

/* Computes the classes of all parallel regions.  They are cached in the analysis's arena for later calls.  Returns 0 or
 * -ENOMEM. */
int ompp_classes(const struct ompp_analysis *a, struct ompp_classes *classes);

/* Adds the overhead of a construct to the classes; sum: of the construct's cells. */
void ompp_overhead_charge(enum ompp_construct construct, const struct ompp_cell *sum,
                          int64_t overhead_ns[OMPP_N_OVERHEADS]);

/* Adds the errors that are due to visits that were not timed to the errors of the classes. */
void ompp_overhead_charge_error(enum ompp_construct construct, const struct ompp_cell *sum,
                                int64_t error_ns[OMPP_N_OVERHEADS]);

/* Returns the standard error of all overheads together. */
int64_t ompp_overhead_error_ns(const int64_t error_ns[OMPP_N_OVERHEADS]);

/* Return the name of a class for columns, "Synch", and for sentences, "synchronisation". */
const char *ompp_overhead_title(enum ompp_overhead overhead);
const char *ompp_overhead_name(enum ompp_overhead overhead);

#endif
