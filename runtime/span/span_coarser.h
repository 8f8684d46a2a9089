/*
 * Span, coarser: what a taskloop would gain, if each of its tasks had OMPP_COARSER times as many iterations.
 *
 * Fewer tasks take less time to create.  That time is measured at each execution, until the creator begins a task
 * itself.  It is not known of a taskloop whose tasks are not deferred, as its creator executes each of them at once.
 * GCC's library creates no tasks at all where there would be more than 64 for each thread: the creator executes all
 * iterations itself.  With fewer, they would be shared.
 *
 * In both cases the team may wait longer for the last tasks: for the longest one, which becomes OMPP_COARSER times as
 * long, less each thread's share of it (R. L. Graham, Bounds on multiprocessing timing anomalies, 1969).
 */
#ifndef OMPP_SPAN_SPAN_COARSER_H
#define OMPP_SPAN_SPAN_COARSER_H

#include "runtime/span/span_variant.h"

enum { OMPP_COARSER = 8, OMPP_MOST_TASKS = 64 };

/* What all threads of a team gain that share the tasks which one has executed. */
struct ompp_coarser_gain {
	int variant;
	uint64_t ticks;
};

/* Begin a taskloop that the running task has created, and end it, before ompp_span_loop_end(); and take what it gains
 * behind that, as its tasks hand on the clock as it was. */
void ompp_span_coarser_begin(struct ompp_span *s, uint32_t region, uint64_t now);
struct ompp_coarser_gain ompp_span_coarser_end(const struct ompp_span *s);
void ompp_span_coarser_gain(const struct ompp_span *s, struct ompp_coarser_gain gain);

/* Begin an iteration of one of its tasks; and end it.
 * is_first: of the task */
void ompp_span_coarser_iterate(struct ompp_span *s, const struct ompp_span_task *loop, int is_first, uint64_t now);
void ompp_span_coarser_iterated(const struct ompp_span_task *iteration);

#endif
