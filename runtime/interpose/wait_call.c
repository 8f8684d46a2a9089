/*
 * Wait call: see wait_call.h.
 */
#include "runtime/interpose/wait_call.h"

/* Is the thread in a wait of this kind?  The C++ library's functions call those of the C library. */
static int is_inside(const struct ompp_thread *t, enum ompp_construct construct, struct ompp_caller caller)
{
	const struct ompp_frame *top = t->top;
	const struct ompp_region_def *def = top > t->frames ? ompp_region_by_id(OMPP_KEY_ID(top->key)) : NULL;

	return def && def->construct == construct && top->stack >= caller.stack;
}

const struct ompp_region_def *ompp_wait_begin(enum ompp_construct construct, struct ompp_caller caller)
{
	const struct ompp_region_def *def;
	struct ompp_thread *t = ompp_self;

	if (!ompp_wait_is_measured() || is_inside(t, construct, caller))
		return NULL;
	def = ompp_call_region(construct, NULL, caller.site);
	if (def->off)
		return NULL;
	ompp_callnode_settle(ompp_callgraph_child(&t->graph, t->top->node, def->key, t->max_depth));
	ompp_visit_enter(def->key, caller);
	return def;
}
