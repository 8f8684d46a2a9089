/*
 * Classes: how the time of parallel regions' threads, and of the whole program's, divides into work and classes of
 * overhead.
 *
 * Every overhead is charged once, to the innermost PARALLEL around it.  The time of a PARALLEL is fork to join times
 * team size.  Sums over regions leave out what a nested team's first thread did, as it is in the outer team's time
 * already.  Outside of all parallel regions one thread works and the others could not: that is limited parallelism
 * too, and is kept apart as `idle_ns`, as no region has it.
 */
#ifndef OMPP_CLASSES_H
#define OMPP_CLASSES_H

#include "reports/views/analysis.h"

enum ompp_overhead { OMPP_SYNCH, OMPP_IMBAL, OMPP_LIMPAR, OMPP_MGMT, OMPP_N_OVERHEADS };

struct ompp_parallel {
	uint32_t region;
	int64_t  total_ns;              /* of all threads, fork to join */
	int64_t  own_ns;                /* of it, what no outer team's time contains */
	int64_t  wall_ns;               /* wall-clock, where the region is inside itself the outer one alone */
	int64_t  outer_wall_ns;         /* wall-clock of what is not inside another PARALLEL */
	int64_t  cost_ns;               /* the profiler's own cost that was taken out of own_ns */
	int64_t  overhead_ns[OMPP_N_OVERHEADS];
};

struct ompp_classes {
	struct ompp_parallel *list;  size_t n;  /* parallel regions, by id */
	struct ompp_parallel  sum;              /* of all of them; total_ns is of own_ns */
	int64_t               covered_ns;       /* wall-clock: in parallel regions; at most all of it */
	int64_t               serial_ns;        /* wall-clock: outside of them, and of teams and target; without the time
	                                           that measuring was off; OMPP_MISSING: not known, as a process has
	                                           several host threads, which run side by side */
	int64_t               idle_ns;          /* of all threads but one of each process during that */
};

/* Memory is the analysis's arena.  0 or -ENOMEM. */
int ompp_classes(const struct ompp_analysis *a, struct ompp_classes *classes);

/* Adds the overhead of such a construct's cells, of which this is the sum, to its classes. */
void ompp_overhead_charge(enum ompp_construct construct, const struct ompp_cell *sum, int64_t overhead_ns[OMPP_N_OVERHEADS]);

/* "Synch", and "synchronisation". */
const char *ompp_overhead_title(enum ompp_overhead overhead);
const char *ompp_overhead_name(enum ompp_overhead overhead);

#endif
