/*
 * Forest: tasks that create tasks and wait for them, and how long GCC's library takes for them.
 *
 * A thread that waits for children in that library executes those of its own task alone, the youngest first, and idles
 * while others are ready; threads that have no task take the oldest one that is ready.  So what a recursion takes is
 * not that of a greedy scheduler.  It depends, too, on who takes a child first: its creator, which comes to its
 * taskwait, or an idle thread, which has to wake up.  Where the creator comes second, it waits without work.  On a
 * quiet machine idle threads come OMPP_FOREST_WAKE_TICKS later; on a busy one the kernel may let them go before who
 * wakes them.
 *
 * The strands of one run have which task each one is of, and who created it (strand.h).  From them the events of any
 * number of threads are executed in order, with each of the ways in which that race may end.
 */
#ifndef OMPP_SPAN_FOREST_H
#define OMPP_SPAN_FOREST_H

#include "runtime/span/strand.h"

/* Who takes the children of a task that goes on to its taskwait, where threads are idle. */
enum ompp_forest_race {
	OMPP_RACE_EVEN,    /* idle threads take them at once, but come to an only child later */
	OMPP_RACE_CREATOR, /* idle threads come later, so the creator takes the last one */
	OMPP_RACE_IDLE,    /* idle threads take all at once */
	OMPP_RACES
};

/* How long an idle thread takes to wake up: some 100 us.  What a creator may do before its taskwait is mostly less. */
enum { OMPP_FOREST_WAKE_TICKS = 1 << (OMPP_STRAND_SHORT_BITS + 3) };

struct ompp_forest;

/* Gathers the tasks of a team.  Returns 1 where tasks create tasks, and all that is known of the order of tasks is who
 * created them, and waits for children; else 0, as without memory.
 * forest: memory that is used again; NULL before the first */
int ompp_forest_gather(struct ompp_forest **forest, const struct ompp_strands *members);

/* Returns the work of the tasks that were gathered. */
uint64_t ompp_forest_work(const struct ompp_forest *forest);

/* Returns how long n threads take for them, at most 256. */
uint64_t ompp_forest_schedule(struct ompp_forest *forest, uint32_t n, enum ompp_forest_race race);

#endif
