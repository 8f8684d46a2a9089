/*
 * Finding: something that costs the program time, and the functions by which the themes (finding_*.c) report it.
 * findings.c calls the themes one after another.
 */
#ifndef OMPP_FINDING_H
#define OMPP_FINDING_H

#include "reports/analysis/classes.h"
#include "reports/findings/finding_say.h"

struct ompp_finding {
	const char *name;    /* the name of the property, "ImbalanceInParallelLoop" */
	const char *meaning; /* a sentence, property.def */
	uint32_t number; /* from 1, in the order of findings.h; reports print it as P%05u, also when they show a part of
	                    the findings */
	uint32_t region; /* index; OMPP_NONE for the whole program */
	int64_t ns;      /* what it costs, time of all threads; OMPP_MISSING when it was counted, not timed */
	int64_t severity; /* ns in 10^-9 of duration × threads; OMPP_MISSING when ns is */
	int64_t weight;   /* compared with the threshold: the severity or the share of the run that it would save,
	                     whichever is larger; if both are missing, a share of counts */
	int of_work;      /* 1 when what it costs is part of the work, and not of an overhead */
	int64_t gain_ns;  /* upper bound of how much shorter the run would be without it; OMPP_MISSING when not known */
	const char *object;   /* the data object that it is about; NULL for none */
	const char *evidence; /* sentences with the figures; "" when the tables have them all */
	const char *advice;
};

/* Of late_milli: from here on it is the system that lets threads begin and end late, and the rest of it is no finding,
 * as a thread that gets its processor back is slow at first. */
enum { OMPP_OFTEN_LATE = 250 };

struct ompp_finder {
	const struct ompp_analysis *analysis;
	struct ompp_classes classes;
	int64_t off_ns; /* time of all threads lost because processors were taken away, both while they worked and while
	                   they waited for such a thread */
	int is_busy;    /* 1 when off_ns is large enough to be the reason that threads arrive late */
	int64_t outside_ns; /* how long at least the first thread slept outside of parallel regions; 0 when not known */
	int64_t outside_most_ns; /* how long at most it slept there or had no processor; 0 when outside_ns is */
	int64_t idle_outside_ns; /* how long it slept there or waited for a processor; 0 when not known */
	int64_t work_ns;         /* CPU time that is in no class of overhead, at least; OMPP_MISSING when not known */
	int64_t most_gain_ns;    /* how much shorter the run could be without any overhead: what is left is the work, by
	                            all threads that have a processor */
	int is_short;            /* 1 when the run is too short for what the machine does to it to say anything */
	int64_t late_milli;      /* how many thousandths of the time by which threads begin and end late are due to the
	                            system: they waited for a processor, as the kernel says */
	uint8_t *explained; /* by region: 1 when what its threads wait for is known better than from the wait alone */
	uint32_t unsure_region; /* where most waiting is for work that may be unequal, but in too short a time to tell
	                           it from a slow processor; with unsure_ns alone */
	int64_t unsure_ns;      /* that waiting, of all threads */
	int64_t unsure_milli;   /* by how many thousandths of the longest the threads' work differs there */
	size_t machine;         /* 1 + the index of the finding about the machine; 0 without one */
	struct ompp_finding *list;
	size_t n, have;
	int rc; /* -ENOMEM once something did not fit; then the rest is ignored */
};

/* Returns the share of the run that a gain is: of the plain one, where such a run was given and the finding is counted
 * by hooks, whose run is longer. */
int64_t ompp_finding_gain_share(const struct ompp_analysis *a, const struct ompp_finding *finding);

/* Returns the name of an object of the profile; NULL past the last. */
static inline const char *ompp_finding_object(const struct ompp_analysis *a, uint32_t object)
{
	return object < a->profile->n_objects ? a->profile->objects[object].name : NULL;
}

/* Adds a finding, whose number, meaning and severity need not be filled in.  A finding that costs nothing is left out.
 * Its gain is limited to its cost and to the length of the run. */
void ompp_find(struct ompp_finder *finder, const struct ompp_finding *finding);

/* Adds a finding about what the machine does to the program, which no change of the program would mend: a second one
 * becomes part of the first, as its evidence, so that this is said once.  SpeedVaries gives way to a name that says who
 * had the processors, as that may be why their speed varied. */
void ompp_find_machine(struct ompp_finder *finder, const struct ompp_finding *finding);

/* Adds a finding that rests on counts, so that its cost in time is unknown: ns and severity become missing, and so does
 * a gain_ns of 0.  It is selected by its weight, or by what it would save. */
void ompp_find_counted(struct ompp_finder *finder, const struct ompp_finding *finding);

/* Returns how long a hypervisor may have had the processor of one thread, which some kernels count as CPU time and
 * others as neither that nor waiting; 0 where nobody knows. */
int64_t ompp_find_stolen_ns(const struct ompp_finder *finder);

/* Returns the part of a delay at the begin or end of teams that the system is not to blame for. */
int64_t ompp_find_own_ns(const struct ompp_finder *finder, int64_t ns);

/* Adds what part of such a delay the system is to blame for, when there is one. */
void ompp_find_say_system(const struct ompp_finder *finder, struct ompp_text *t);

/* Is the run too short for what the machine does to it to say anything?  Did its threads wait for processors so long
 * that this may be why others wait for them, as the kernel says? */
int ompp_find_is_short(const struct ompp_analysis *a);
int ompp_find_is_queued(const struct ompp_profile *p);

/* Time in calls of MPI outside of parallel regions, in the mean of the ranks, and of all their other threads, which
 * have nothing to do meanwhile. */
struct ompp_mpi_outside {
	uint32_t region; /* that with most of it; OMPP_NONE: none */
	int64_t ns, idle_ns;
};

/* Returns the time of such calls, but for those that start and end MPI or make communicators, in wall-clock time.
 * ns: gets it by region; all 0 before */
int64_t ompp_mpi_outside_ns(const struct ompp_analysis *a, int64_t *ns);

/* Finds that. */
void ompp_find_mpi_outside(struct ompp_finder *finder, const struct ompp_mpi_outside *mpi);

/* The themes.  Processors come first, as the others look at what they set, and tasks before those that look at
 * explained. */
void ompp_find_processors(struct ompp_finder *finder); /* processors that are taken away, too few, or not used */
void ompp_find_speed(struct ompp_finder *finder);      /* processors that are not equally fast */
void ompp_find_tasks(struct ompp_finder *finder);      /* tasks: too small, too few, made too slowly */
void ompp_find_serial(struct ompp_finder *finder);     /* work of one thread alone */
void ompp_find_mpi(struct ompp_finder *finder);        /* MPI while other threads have nothing to do */
void ompp_find_ranks(struct ompp_finder *finder);      /* ranks of MPI that have more to do than others */
void ompp_find_teams(struct ompp_finder *finder);      /* making, starting and ending teams */
void ompp_find_chunks(struct ompp_finder *finder);     /* handing out iterations */
void ompp_find_barriers(struct ompp_finder *finder);   /* waiting at barriers, explicit and at the end of constructs */
void ompp_find_data(struct ompp_finder *finder);       /* false sharing, strides, pages first written by others */
void ompp_find_memory(struct ompp_finder *finder);     /* work that waits for memory, by counters */
void ompp_find_roofs(struct ompp_finder *finder);      /* work that one of the machine's roofs bounds, by counts */
void ompp_find_loops(struct ompp_finder *finder);      /* loops that the compiler did not vectorise */
void ompp_find_reuse(struct ompp_finder *finder);      /* data that would be used again, but for the size of L2 */
void ompp_find_layouts(struct ompp_finder *finder);    /* data that would be fetched less in another layout */

void ompp_find_orders(struct ompp_finder *finder); /* loops that would fetch less in another order */

/* Does ompp_find_orders() name a region for what an object saves there? */
int ompp_find_orders_says(const struct ompp_analysis *analysis, uint32_t object, uint32_t region);

/* Does ompp_find_layouts() name a layout of structures for an object in a region? */
int ompp_find_layouts_says(const struct ompp_analysis *analysis, uint32_t object, uint32_t region);

void ompp_find_numa(struct ompp_finder *finder);    /* memory on other NUMA nodes than its users */
void ompp_find_entries(struct ompp_finder *finder); /* waiting to get in: critical, locks, atomics */
void ompp_find_visits(struct ompp_finder *finder);  /* first visits, and few ones, that take long; slower ones */

#endif
