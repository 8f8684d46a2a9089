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

/* Finish ompp_enter() and ompp_exit() in unusual cases: the thread is not started, measuring is off, its frame stack is
 * full, or the event ends another frame than the innermost.  COLD. */
struct ompp_frame *ompp_enter_cold(uint64_t key, struct ompp_caller caller);
void ompp_exit_cold(struct ompp_thread *t, uint64_t key, uint64_t now);

/* Opens (region, part) below the innermost frame.  Returns the frame, or NULL when nothing may be measured. */
static inline struct ompp_frame *ompp_enter(uint64_t key, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *top = t->top, *f;
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
	f = ompp_push(t, parent, ompp_callgraph_child(&t->graph, parent, key, t->max_depth), key, caller);
	OMPP_STORE(&f->start_ticks, ompp_clock());
	return f;
}

#endif
