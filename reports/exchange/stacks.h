/*
 * Stacks: the call paths as stacks of frames, and what each thread spent at a path itself, for formats that show
 * stacks.
 *
 * The frames of a path are the program and the regions down to it.  Waiting and management of a construct are frames
 * above it, "[waiting]" and "[management]", so that they can be told from its work.  What one thread did outside of all
 * regions is the program's own time, known only as wall-clock time.
 */
#ifndef OMPP_STACKS_H
#define OMPP_STACKS_H

#include "reports/analysis/analysis.h"

enum ompp_stack_part { OMPP_STACK_WORK, OMPP_STACK_WAITING, OMPP_STACK_MANAGEMENT, OMPP_N_STACK_PARTS };

struct ompp_stacks {
	const char **names; /* by path: name of its last frame, clean: "LOOP a.c (12-16)"; it ends in " ~" if times are
	                       estimates because some visits were not timed */
	int64_t (*parts)[OMPP_N_STACK_PARTS]; /* by cell: ns at the path itself, none below 0 */
	int64_t serial_ns;                    /* the program's own time */
};

/* Fills it in, in the analysis's arena.  Returns 0 or -ENOMEM. */
int ompp_stacks(const struct ompp_analysis *a, struct ompp_stacks *stacks);

/* Returns the name of the frame that a part has above its construct; "" for work, which has none. */
const char *ompp_stack_part_name(enum ompp_stack_part part);

#endif
