/*
 * Stacks: the call paths as stacks of frames, with the exclusive time of each thread, for formats that show stacks.
 *
 * The frames of a path are the program and the regions down to it.  Waiting and management of a construct are frames
 * above it, "[waiting]" and "[management]", to separate them from its work.  What one thread did outside of all regions
 * is the program's own time, known only as wall-clock time.  Where processor time was sampled, functions are the last
 * frames of work; kinst's own code there, as hooks of accesses, is one more, "(kinst)".
 */
#ifndef OMPP_STACKS_H
#define OMPP_STACKS_H

#include "reports/analysis/hot_functions.h"

enum ompp_stack_part { OMPP_STACK_WORK, OMPP_STACK_WAITING, OMPP_STACK_MANAGEMENT, OMPP_N_STACK_PARTS };

struct ompp_stacks {
	const char **names; /* by path: name of its last frame, clean: "LOOP a.c (12-16)"; it ends in " ~" if times are
	                       estimates because some visits were not timed */
	int64_t (*parts)[OMPP_N_STACK_PARTS]; /* by cell: ns at the path itself, none below 0 */
	int64_t serial_ns;                    /* the program's own time */
};

/* Fills it in, in the analysis's arena.  Returns 0 or -ENOMEM. */
int ompp_stacks(const struct ompp_analysis *a, struct ompp_stacks *stacks);

/* Returns the standard error of the time of all threads at and below a path of which not all visits were timed;
 * OMPP_MISSING where it is not known. */
int64_t ompp_stack_error_ns(const struct ompp_analysis *a, uint32_t node);

/* A part of the work at a path: in a function, or, where there is no sample, in an unknown one (NULL). */
struct ompp_stack_work {
	const struct ompp_hot_spot *spot;
	int64_t ns; /* above 0 */
};

struct ompp_stack_works {
	struct ompp_stack_work *list;
	size_t n;
};

/* Divides the work of a thread's row at a path among the functions, by its samples, in the analysis's arena; with
 * OMPP_NONE that of all threads, by all samples.  Returns 0 or -ENOMEM. */
int ompp_stack_works(const struct ompp_analysis *a, uint32_t node, uint32_t row, int64_t ns,
                     struct ompp_stack_works *works);

/* Returns the name of the frame that a part has above its construct; "" for work, which has none. */
const char *ompp_stack_part_name(enum ompp_stack_part part);

#endif
