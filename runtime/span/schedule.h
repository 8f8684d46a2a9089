/*
 * Schedule: the iterations that threads executed of a loop, how long they would take if these were handed out on
 * demand, and the sums of that by variant (variant.h).
 *
 * The thread that executes iterations writes its list; who leaves the barrier behind the loop reads those of all.
 */
#ifndef OMPP_SPAN_SCHEDULE_H
#define OMPP_SPAN_SCHEDULE_H

#include <stdint.h>

enum { OMPP_ITERATION_CELLS = 1024 };

/* The iterations of one thread, as many to a cell as it takes. */
struct ompp_iteration_list {
	struct ompp_iteration_list *next;               /* of the team's other threads */
	uint32_t rank;                                  /* the number of the thread in the team */
	uint32_t shift, n;                              /* a cell has 2^shift iterations; cells in use */
	uint32_t is_in;                                 /* an iteration has begun */
	uint64_t n_iterations, total_ticks, most_ticks; /* those that have ended: how many; all, and the longest one */
	uint64_t from_ticks;                            /* the path's length at the begin of the current one */
	uint64_t begin_ticks; /* when the thread came to the loop, in the variant of the loop */
	uint64_t ticks[OMPP_ITERATION_CELLS];
};

/* Adds an iteration that has ended. */
void ompp_iterations_add(struct ompp_iteration_list *list, uint64_t ticks);

/* Returns when the loop is over whose iterations are those of n lists, one list after another, if so many are handed
 * out at a time to the thread that is free first.
 * free_ticks: for each thread, when it comes to the loop; it has what is in it then no longer */
uint64_t ompp_iterations_schedule(const struct ompp_iteration_list *const *lists, uint32_t n, uint64_t chunk,
                                  uint64_t *free_ticks);

/* Sums over the executions of a loop whose iterations are told, or of a taskloop, by its variant. */
struct ompp_scheduled {
	uint64_t n;            /* iterations; tasks */
	uint64_t spread_ticks; /* by how much later it may be over than its variant is */
	uint64_t chunk;        /* how many of them are one */
};
struct ompp_scheduled ompp_scheduled_of(int variant);
void ompp_scheduled_add(int variant, const struct ompp_scheduled *more);

#endif
