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

void ompp_wait_end_for(const struct ompp_region_def *def, uint32_t holder)
{
	const struct ompp_callnode *node;
	uint64_t before;

	if (!def)
		return;
	node = ompp_self->top->node;
	before = OMPP_LOAD(&node->ticks);
	ompp_visit_exit(def->key);
	if (holder != OMPP_LOCK_HOLDER_NOBODY)
		ompp_lock_holder_waited(OMPP_KEY_ID(def->key), holder, OMPP_LOAD(&node->ticks) - before);
}

void ompp_wait_got(const void *lock, const struct ompp_region_def *def, enum ompp_construct construct)
{
	const struct ompp_thread *t = ompp_self;
	const struct ompp_region_def *outer;

	if (!def && ompp_wait_is_measured() && t->top > t->frames) { /* it may be a part of another one */
		outer = ompp_region_by_id(OMPP_KEY_ID(t->top->key));
		def = outer && outer->construct == construct ? outer : NULL;
	}
	ompp_lock_holder_set(lock, def ? OMPP_KEY_ID(def->key) : (uint32_t)OMPP_LOCK_HOLDER_UNKNOWN);
}
