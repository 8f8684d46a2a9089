/*
 * Classes: how the time of the threads of parallel regions, and of the whole program, divides into work and classes of
 * overhead.
 *
 * Every overhead is charged once, to the innermost PARALLEL around it.  The time of a PARALLEL is the time from fork to
 * join times the size of its team.  Sums over regions leave out what the first thread of a nested team did, as the time
 * of the outer team has it already.  Outside of all parallel regions one thread works and the others cannot.  That is
 * limited parallelism, too; it is kept apart as idle_ns, as no region has it.
 */
#ifndef OMPP_CLASSES_H
#define OMPP_CLASSES_H

#include "reports/analysis/analysis.h"

struct ompp_parallel {
	uint32_t region;
	int64_t total_ns;      /* of all threads, fork to join */
	int64_t own_ns;        /* that part which no outer team's time contains */
	int64_t wall_ns;       /* wall-clock; of a region inside itself, the outer one alone */
	int64_t outer_wall_ns; /* wall-clock, of the executions that are not inside another PARALLEL */
	int64_t cost_ns;       /* the profiler's own cost that was taken out of own_ns */
	int64_t overhead_ns[OMPP_N_OVERHEADS];
	int64_t error_ns[OMPP_N_OVERHEADS]; /* standard errors of these by visits that were not timed (untimed.h) */
};

struct ompp_classes {
	struct ompp_parallel *list;
	size_t n;                 /* parallel regions, by id */
	struct ompp_parallel sum; /* of all of them; its total_ns is the sum of own_ns */
	int64_t covered_ns;       /* wall-clock time in parallel regions, at most measured_ns */
	int64_t serial_ns;        /* wall-clock time outside of them, and of teams and target, without the
	                             time that measuring was off; OMPP_MISSING when a process has several
	                             host threads, which run side by side */
	int64_t idle_ns;          /* time of all threads but one of each process meanwhile */
};

/* Computes the classes of all parallel regions, in the analysis's arena, where they stay for who asks again.  Returns 0
 * or -ENOMEM. */
int ompp_classes(const struct ompp_analysis *a, struct ompp_classes *classes);

/* Adds the overhead of a construct, of whose cells this is the sum, to the classes. */
void ompp_overhead_charge(enum ompp_construct construct, const struct ompp_cell *sum,
                          int64_t overhead_ns[OMPP_N_OVERHEADS]);

/* Adds to the errors of the classes what visits that were not timed make of them. */
void ompp_overhead_charge_error(enum ompp_construct construct, const struct ompp_cell *sum,
                                int64_t error_ns[OMPP_N_OVERHEADS]);

/* Returns the standard error of all overheads together. */
int64_t ompp_overhead_error_ns(const int64_t error_ns[OMPP_N_OVERHEADS]);

/* Returns a class as columns call it, "Synch", and as sentences do, "synchronisation". */
const char *ompp_overhead_title(enum ompp_overhead overhead);
const char *ompp_overhead_name(enum ompp_overhead overhead);

#endif
