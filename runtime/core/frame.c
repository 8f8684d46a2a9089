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

void ompp_frame_begin_late(struct ompp_frame *f)
{
	OMPP_STORE(&f->task_ticks, 0);
	OMPP_STORE(&f->once_before, f->node->head->once_ticks);
	OMPP_STORE(&f->start_ticks, ompp_clock());
	OMPP_STORE(&f->flags, OMPP_FRAME_BESIDE);
}

/* Ends a visit of a storm's sample, which tells of the others, where it was alone as they are. */
static void end_chosen(struct ompp_thread *t, struct ompp_frame *f, uint64_t elapsed)
{
	ompp_frame_count(t, f, elapsed);
	if (!f->node->look_at && !f->task_ticks)
		ompp_storm_add(f->node, elapsed);
	else if (!f->node->look_at)
		OMPP_ADD(&f->node->storm->n_beside, 1);
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
	if (f->flags & OMPP_FRAME_BESIDE && !f->node->look_at)
		OMPP_ADD(&f->node->storm->n_beside, 1);
	if (!(f->flags & OMPP_FRAME_FOLDED)) {
		ompp_frame_time(t, f, elapsed);
		if (ompp_metrics.n)
			ompp_values_exit(t, f);
		return;
	}
	if (ompp_metrics.n)
		ompp_values_folded(t, f);
	if (f->node == t->graph.lost && f[-1].node != f->node)
		OMPP_ADD(&f->node->ticks, elapsed);
}
