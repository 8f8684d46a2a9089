/*
 * Span pool: the memory of the records of live tasks.
 *
 * Each thread takes records from memory of its own, and gives those of other threads back to them, so that a thread
 * that creates tasks for others does not use ever more memory.  No lock, and no system call but for 256 further
 * records.
 */
#ifndef OMPP_SPAN_SPAN_POOL_H
#define OMPP_SPAN_SPAN_POOL_H

#include "runtime/span/span.h"

/* Takes records from memory that others gave back, or from new memory; NULL without any.  COLD. */
struct ompp_span_task *ompp_span_pool_more(struct ompp_span *s);

/* Gives a record back to the thread from whose memory it is. */
void ompp_span_pool_return(struct ompp_span_task *task);

/* Returns a record, whose join holds nobody and all else of which is undefined; NULL without memory.  HOT. */
static inline struct ompp_span_task *ompp_span_pool_take(struct ompp_span *s)
{
	struct ompp_span_task *task = s->free;

	if (__builtin_expect(!task, 0))
		return ompp_span_pool_more(s);
	s->free = task->next;
	return task;
}

/* Frees a record, whose join holds nobody.  HOT. */
static inline void ompp_span_pool_give(struct ompp_span *s, struct ompp_span_task *task)
{
	if (__builtin_expect(task->home != s, 0)) {
		ompp_span_pool_return(task);
		return;
	}
	task->next = s->free;
	s->free = task;
}

#endif
