/*
 * Frame: see frame.h.
 */
#include "runtime/core/frame.h"

#include "runtime/core/callgraph.h"
#include "runtime/core/storm.h"
#include "runtime/host/clock.h"

/* Where the same key was visited in other instances that ran inside, that time is counted at their nodes and is left
 * out here.  The head tells the visits below how much of an instance this visit itself takes: all from its enter to its
 * end, whatever was inside. */
void ompp_frame_time(const struct ompp_thread *t, const struct ompp_frame *f, uint64_t elapsed)
{
	uint64_t most = f->task_ticks < elapsed ? f->task_ticks : elapsed, inside = 0;
	struct ompp_callnode *node = f->node;

	if (ompp_frame_has_once(f)) {
		inside = node->head->once_ticks - f->once_before;
		if (inside > most) /* time of a signal handler, or of an instance that went on in another thread */
			inside = most;
		if (t->base->flags & OMPP_FRAME_TASK && !node->same)
			OMPP_STORE(&node->head->once_ticks, f->once_before + elapsed);
	}
	OMPP_ADD(&node->ticks, elapsed - inside);
	OMPP_ADD(&node->task_ticks, f->task_ticks - inside);
}

/* OFF: the visit counts as any other when a part of it was measured.  FOLDED: the ancestor's own frame already counts
 * the time.  A visit of the (lost) node: no one knows where it belongs, but it is shown. */
void ompp_frame_visit(struct ompp_thread *t, struct ompp_frame *f)
{
	if (f->flags & OMPP_FRAME_COUNTED)
		return;
	if (!(f->flags & OMPP_FRAME_FOLDED)) {
		OMPP_ADD(&f->node->n, 1);
	} else if (f->node == t->graph.lost) {
		OMPP_ADD(&t->graph.n_lost, 1);
		OMPP_ADD(&f->node->n, 1);
	} else {
		OMPP_ADD(&f->node->n_folded, 1);
		OMPP_ADD(&t->n_folded, 1);
	}
}

static void begin_at(struct ompp_frame *f, uint64_t now)
{
	OMPP_STORE(&f->task_ticks, 0);
	OMPP_STORE(&f->once_before, f->node->head->once_ticks);
	OMPP_STORE(&f->start_ticks, now);
	OMPP_STORE(&f->flags, OMPP_FRAME_BESIDE);
}

void ompp_frame_begin_late(struct ompp_frame *f)
{
	uint64_t now = ompp_clock();

	if (OMPP_LOAD(&f[-1].flags) & OMPP_FRAME_UNTIMED) /* it is a body: the construct around it */
		begin_at(f - 1, now);
	begin_at(f, now);
}

uint32_t ompp_frame_beside(struct ompp_callnode *node)
{
	if (node->storm->body)
		OMPP_STORE(&node->storm->body->timed_at, 0);
	return OMPP_FRAME_BESIDE;
}

static int is_body(const struct ompp_callnode *node)
{
	return node->storm->body == node;
}

/* Ends a visit of a storm's node that is timed and not in its sample. */
static void end_beside(struct ompp_callnode *node)
{
	if (node->look_at || is_body(node))
		return;
	OMPP_ADD(&node->storm->n_beside, 1);
	ompp_storm_lead(node);
}

/* Ends the body of a visit that may be in a storm's sample: the visit's own end tells. */
static void end_chosen_body(struct ompp_storm *s, const struct ompp_frame *f, uint64_t elapsed)
{
	uint64_t enter = f->start_ticks - f[-1].start_ticks;

	if (f[-1].node != f->node->parent || (int64_t)enter < 0)
		return;
	s->enter_ticks = enter;
	s->body_ticks = elapsed;
	s->has_body = 1;
}

/* Adds a visit that was alone, as those without time are, to the sample. */
static void add_chosen(const struct ompp_frame *f, uint64_t elapsed)
{
	struct ompp_storm *s = f->node->storm;
	uint64_t end = ompp_frame_spent(f - 1, f->start_ticks + elapsed);
	uint64_t times[OMPP_STORM_TIMES] = { [OMPP_STORM_WHOLE] = elapsed,
		                             [OMPP_STORM_ENTER] = s->enter_ticks,
		                             [OMPP_STORM_BODY] = s->body_ticks,
		                             [OMPP_STORM_EXIT] = elapsed - s->enter_ticks - s->body_ticks };

	ompp_storm_span(f->node, end - elapsed, end);
	ompp_storm_add(f->node, times);
}

/* Ends a visit of a storm's sample, which tells of the others. */
static void end_chosen(struct ompp_thread *t, struct ompp_frame *f, uint64_t elapsed)
{
	struct ompp_storm *s = f->node->storm;

	ompp_frame_count(t, f, elapsed);
	if (f->node->look_at)
		return;
	if (is_body(f->node))
		end_chosen_body(s, f, elapsed);
	else if (f->task_ticks || (s->body && (!s->has_body || s->enter_ticks + s->body_ticks > elapsed)))
		end_beside(f->node);
	else
		add_chosen(f, elapsed);
}

void ompp_pop_flagged(struct ompp_thread *t, struct ompp_frame *f, uint64_t elapsed)
{
	if (f->flags & OMPP_FRAME_UNTIMED) {
		OMPP_ADD(&f->node->n, 1);
		return;
	}
	if (f->flags & OMPP_FRAME_CHOSEN) {
		end_chosen(t, f, elapsed);
		return;
	}
	if (f->flags & OMPP_FRAME_OFF && !elapsed) {
		if (ompp_metrics.n)
			ompp_values_folded(t, f);
		return;
	}
	ompp_frame_visit(t, f);
	if (f->flags & OMPP_FRAME_BESIDE)
		end_beside(f->node);
	if (!(f->flags & OMPP_FRAME_FOLDED)) {
		ompp_frame_time(t, f, elapsed);
		if (f->flags & OMPP_FRAME_BESIDE)
			ompp_frame_took(t, f, elapsed);
		if (ompp_metrics.n)
			ompp_values_exit(t, f);
		return;
	}
	if (ompp_metrics.n)
		ompp_values_folded(t, f);
	if (f->node == t->graph.lost && f[-1].node != f->node)
		OMPP_ADD(&f->node->ticks, elapsed);
}
