/*
 * Enter: the events of a region, including all unusual cases.  The usual case takes a shorter path (visit.h).
 */
#ifndef OMPP_EVENTS_ENTER_H
#define OMPP_EVENTS_ENTER_H

#include <stdint.h>

#include "runtime/core/callgraph.h"
#include "runtime/core/frame.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/core/unwind.h"
#include "runtime/host/clock.h"

/* Finish ompp_enter_untimed() and ompp_exit() in unusual cases: the thread is not started, measuring is off, its frame
 * stack is full, or the event ends another frame than the innermost.  COLD. */
struct ompp_frame *ompp_enter_cold(uint64_t key, struct ompp_caller caller);
void ompp_exit_cold(struct ompp_thread *t, uint64_t key, uint64_t now);

/* Sets the start time of a frame that was just opened, which ends a stretch of the path of the frame around it. */
static inline void ompp_enter_start(struct ompp_thread *t, struct ompp_frame *f)
{
	OMPP_STORE(&f->start_ticks, ompp_clock());
	if (ompp_course_is_due(t, f->start_ticks))
		ompp_course_enter(t, f);
	ompp_frame_stretch(t, f[-1].node, f->start_ticks);
}

/* Opens (region, part) below the innermost frame.  Returns the frame, or NULL when nothing may be measured.  The caller
 * lets it start, last. */
static inline struct ompp_frame *ompp_enter_untimed(uint64_t key, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *top = t->top;
	struct ompp_callnode *parent;

	if (__builtin_expect(top >= t->limit, 0) || __builtin_expect(OMPP_LOAD(&ompp_session.off), 0))
		return ompp_enter_cold(key, caller);
	if (__builtin_expect(top->stack < caller.stack, 0) ||
	    (__builtin_expect(top->key == key, 0) && ompp_frame_is_left(top, key, caller))) {
		ompp_unwind_left(t, key, caller);
		top = t->top;
	}
	if (__builtin_expect(!ompp_callgraph_knows(&t->graph, top->node, key), 0))
		ompp_unwind_again(t, key, caller);
	parent = t->top->node;
	return ompp_push(t, parent, ompp_callgraph_child(&t->graph, parent, key, t->max_depth), key, caller);
}

/* The same, with the start time. */
static inline struct ompp_frame *ompp_enter(uint64_t key, struct ompp_caller caller)
{
	struct ompp_frame *f = ompp_enter_untimed(key, caller);

	if (f)
		ompp_enter_start(ompp_self, f);
	return f;
}

#endif
