/*
 * Course charge: what a thread has spent up to an event becomes part of its course (course.h).
 */
#ifndef OMPP_CORE_COURSE_CHARGE_H
#define OMPP_CORE_COURSE_CHARGE_H

#include "runtime/core/thread.h"

/* Begins and ends the course of the thread in a slot; what was measured stays.  COLD. */
void ompp_course_begin(struct ompp_thread *t, uint64_t now);
void ompp_course_end(struct ompp_thread *t, uint64_t now);

/* Forgets in a forked child what was measured before.
 * goes_on: it is the thread that forked */
void ompp_course_after_fork(struct ompp_thread *t, int goes_on, uint64_t now);

/* Is the slice over, so that an event has to call one of the functions below?  HOT: 2 instructions.  Never, where no
 * course is kept. */
static inline int ompp_course_is_due(const struct ompp_thread *t, uint64_t now)
{
	return __builtin_expect(now >= t->slice_end_ticks, 0);
}

/* Charges what was before the frame f, which has just been pushed and started.  Returns f.  COLD: once a slice. */
struct ompp_frame *ompp_course_enter(struct ompp_thread *t, struct ompp_frame *f);

/* Charges what was before the innermost frame ends.  COLD: once a slice. */
void ompp_course_exit(struct ompp_thread *t, uint64_t now);

/* Charges what the thread has done up to now to a copy of its course that has slices.
 * at: the node in which it was at the end */
void ompp_course_charge(struct ompp_course *copy, const struct ompp_thread *t, const struct ompp_callnode *at,
                        uint64_t now);

/* The same, where all of it is of the part of that node. */
void ompp_course_charge_all(struct ompp_course *copy, const struct ompp_thread *t, const struct ompp_callnode *at,
                            uint64_t now);

#endif
