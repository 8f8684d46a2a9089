/*
 * Schedule: the iterations that threads executed of a loop, how long they would take if these were handed out on
 * demand, and the sums of that by variant (variant.h).
 *
 * The thread that executes iterations writes its list; who leaves the barrier behind the loop reads those of all.
 */
#ifndef OMPP_SPAN_SCHEDULE_H
#define OMPP_SPAN_SCHEDULE_H

#include <stdint.h>

enum { OMPP_ITERATION_CELLS = 1024, OMPP_MOST_LISTS = 256 };

/* What is known of the order of a loop's iterations: those of a thread are in the loop's order, and of all threads
 * which come first? */
enum ompp_iteration_order {
	OMPP_ORDER_UNKNOWN,
	OMPP_ORDER_RANKS,  /* those of one thread behind all of the thread before: schedule(static) */
	OMPP_ORDER_CHUNKS, /* chunks of threads in turn: schedule(static, 4) */
	OMPP_ORDER_TIMES   /* the chunks that began first: schedule(dynamic) and guided */
};

/* How a schedule hands out iterations; and of OMPP_ORDER_CHUNKS how many at a time. */
struct ompp_loop_order {
	enum ompp_iteration_order known;
	uint64_t chunk;
};

/* The iterations of one thread, as many to a cell as it takes. */
struct ompp_iteration_list {
	struct ompp_iteration_list *next;               /* of the team's other threads */
	uint32_t rank;                                  /* the number of the thread in the team */
	uint32_t shift, n;                              /* a cell has 2^shift iterations; cells in use */
	uint32_t is_in;                                 /* an iteration has begun */
	uint64_t n_iterations, total_ticks, most_ticks; /* those that have ended: how many; all, and the longest one */
	struct ompp_loop_order order;
	uint32_t is_chunk_over, n_chunks; /* the next iteration begins another chunk; calls for a chunk */
	uint64_t chunk_time;              /* when the chunk of the current iteration began */
	uint64_t from_ticks;              /* the path's length at the begin of the current iteration */
	uint64_t begin_ticks;             /* when the thread came to the loop, in the variant of the loop */
	uint64_t ticks[OMPP_ITERATION_CELLS], times[OMPP_ITERATION_CELLS]; /* of a cell; when its first chunk began */
};

/* Adds an iteration that has ended. */
void ompp_iterations_add(struct ompp_iteration_list *list, uint64_t ticks);

/* Returns when the loop is over whose iterations are those of n lists, by rank, and in an order that is known, if so
 * many are handed out at a time to the thread that is free first.  n: at most OMPP_MOST_LISTS
 * free_ticks: for each thread, when it comes to the loop; it has what is in it then no longer */
uint64_t ompp_iterations_schedule(const struct ompp_iteration_list *const *lists, uint32_t n, uint64_t chunk,
                                  uint64_t *free_ticks);

/* Memory for the following. */
struct ompp_stealing;

/* Returns the same for threads that steal, as those of LLVM's library do (deal.h); 0 without memory.
 * stealing: NULL before the first time */
uint64_t ompp_iterations_steal(struct ompp_stealing **stealing, const struct ompp_iteration_list *const *lists,
                               uint32_t n, uint64_t chunk, const uint64_t *free_ticks);

/* Sums over the executions of a loop whose iterations are told, or of a taskloop, by its variant. */
struct ompp_scheduled {
	uint64_t n;            /* iterations; tasks */
	uint64_t spread_ticks; /* by how much later it may be over than its variant is */
	uint64_t chunk;        /* how many of them are one */
};
struct ompp_scheduled ompp_scheduled_of(int variant);
void ompp_scheduled_add(int variant, const struct ompp_scheduled *more);

#endif
