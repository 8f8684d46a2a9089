/*
 * Finding: something that costs the program time, and the functions with which the themes (finding_*.c) report it.
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
	const char *evidence; /* sentences with the figures; "" when the tables have them all */
	const char *advice;
};

enum { OMPP_MOSTLY_LATE = 500 }; /* of late_milli */

struct ompp_finder {
	const struct ompp_analysis *analysis;
	struct ompp_classes classes;
	int64_t off_ns; /* time of all threads lost because processors were taken away, both while they worked and while
	                   they waited for such a thread */
	int is_busy;    /* 1 when off_ns is large enough to be the reason that threads arrive late */
	int64_t outside_ns; /* how long at least the first thread slept outside of parallel regions; 0 when not known */
	int64_t work_ns;    /* CPU time that is in no class of overhead, at least; OMPP_MISSING when not known */
	int64_t most_gain_ns; /* how much shorter the run could be without any overhead: what is left is the work, by
	                         all threads that have a processor */
	int is_short;         /* 1 when the run is too short for what the machine does to it to say anything */
	int64_t late_milli;   /* how many thousandths of the time by which threads begin and end late are due to the
	                         system: they waited for a processor, as the kernel says */
	uint8_t *explained;   /* by region: 1 when what its threads wait for is known better than from the wait alone */
	struct ompp_finding *list;
	size_t n, have;
	int rc; /* -ENOMEM once something did not fit; then the rest is ignored */
};

/* Adds a finding, whose number, meaning and severity need not be filled in.  A finding that costs nothing is left out.
 * Its gain is limited to its cost and to the length of the run. */
void ompp_find(struct ompp_finder *finder, const struct ompp_finding *finding);

/* Adds a finding that rests on counts, so that its cost in time is unknown: ns and severity become missing, and so does
 * a gain_ns of 0.  It is selected by its weight, or by what it would save. */
void ompp_find_counted(struct ompp_finder *finder, const struct ompp_finding *finding);

/* Returns the part of a delay at the begin or end of teams that the system is not to blame for. */
int64_t ompp_find_own_ns(const struct ompp_finder *finder, int64_t ns);

/* Adds what part of such a delay the system is to blame for, when there is one. */
void ompp_find_say_system(const struct ompp_finder *finder, struct ompp_text *t);

/* The themes.  Processors come first, as the others look at what they set, and tasks before those that look at
 * explained. */
void ompp_find_processors(struct ompp_finder *finder); /* processors that are taken away, too few, or not used */
void ompp_find_speed(struct ompp_finder *finder);      /* processors that are not equally fast */
void ompp_find_tasks(struct ompp_finder *finder);      /* tasks: too small, too few, made too slowly */
void ompp_find_serial(struct ompp_finder *finder);     /* work of one thread alone */
void ompp_find_teams(struct ompp_finder *finder);      /* making, starting and ending teams */
void ompp_find_chunks(struct ompp_finder *finder);     /* handing out iterations */
void ompp_find_barriers(struct ompp_finder *finder);   /* waiting at barriers, explicit and at the end of constructs */
void ompp_find_data(struct ompp_finder *finder);       /* false sharing, strides, pages first written by others */
void ompp_find_memory(struct ompp_finder *finder);     /* work that waits for memory, by counters */
void ompp_find_numa(struct ompp_finder *finder);       /* memory on other NUMA nodes than its users */
void ompp_find_entries(struct ompp_finder *finder);    /* waiting to get in: critical, locks, atomics */
void ompp_find_visits(struct ompp_finder *finder);     /* first visits, and few ones, that take long; slower ones */

#endif
