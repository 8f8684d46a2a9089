/*
 * Frame: see frame.h.
 */
#include "runtime/core/frame.h"

#include "runtime/core/callgraph.h"
#include "runtime/core/storm.h"
#include "runtime/host/clock.h"
#include "runtime/span/place.h"
#include "runtime/terms/clauses.h"

/* ---- the longest path ---- */

/* Returns whether the time of a part of a construct, less that of what is inside, is no work: waiting, and managing
 * tasks and teams.  Calls of MPI are work of their thread, as no path leads to
 * other ranks; the end of a taskgroup is told apart from what is in it. */
static int is_waiting(enum ompp_construct construct, enum ompp_part part)
{
	return part == OMPP_PART_FORK || part == OMPP_PART_BARRIER ||
	       (part == OMPP_PART_REGION && ompp_constructs[construct].own != OMPP_OWN_TIME_WORK &&
	        construct != OMPP_TASKGROUP && !ompp_construct_is_mpi(construct));
}

static int is_loop(enum ompp_construct construct, enum ompp_part part)
{
	return (construct == OMPP_LOOP && part == OMPP_PART_REGION) ||
	       ((construct == OMPP_PARALLEL_LOOP || construct == OMPP_PARALLEL_WORKSHARE) && part == OMPP_PART_WORK);
}

/* Returns whether one thread of the team executes a part, or the code in it is no other thread's. */
static int is_apart(enum ompp_construct construct, enum ompp_part part)
{
	return part == OMPP_PART_TASKEXEC || construct == OMPP_MASTER || construct == OMPP_MASKED ||
	       (part == OMPP_PART_BODY && construct != OMPP_CRITICAL && construct != OMPP_ORDERED);
}

/* Returns whether the time at a part could be divided further.
 * above: the flags of the parent's place */
static uint32_t divided_flags(const struct ompp_region_def *def, enum ompp_part part, uint32_t above)
{
	uint32_t divided = above & (OMPP_PLACE_LOOP | OMPP_PLACE_OWN);

	if (above & OMPP_PLACE_NESTED)
		return divided | OMPP_PLACE_NESTED;
	if (part == OMPP_PART_FORK)
		return divided ? divided | OMPP_PLACE_NESTED : 0;
	if (part == OMPP_PART_TEAM)
		return OMPP_PLACE_LOOP | OMPP_PLACE_OWN;
	if (is_loop(def->construct, part))
		return OMPP_PLACE_LOOP | (ompp_schedule_is(def->clauses, "guided")    ? OMPP_PLACE_GUIDED
		                          : ompp_schedule_is(def->clauses, "runtime") ? OMPP_PLACE_ANY
		                                                                      : 0);
	return is_apart(def->construct, part) ? 0 : divided;
}

static int is_locked(enum ompp_construct construct, enum ompp_part part)
{
	return part == OMPP_PART_BODY && (construct == OMPP_CRITICAL || construct == OMPP_ORDERED);
}

/* The parts of a construct are one place, as they are one call path in reports. */
uint32_t ompp_frame_find_place(struct ompp_callnode *node)
{
	uint32_t id = OMPP_KEY_ID(node->key), above, up, flags;
	enum ompp_part part = OMPP_KEY_PART(node->key);
	const struct ompp_region_def *def = node->key == UINT64_MAX || !id ? NULL : ompp_region_by_id(id);

	if (!node->parent || !def) {
		OMPP_STORE(&node->place, OMPP_SERIAL_PLACE << OMPP_PLACE_SHIFT);
		return node->place;
	}
	above = ompp_frame_place(node->parent);
	up = above >> OMPP_PLACE_SHIFT;
	if (part == OMPP_PART_REGION || part == OMPP_PART_FORK || part == OMPP_PART_TASKEXEC ||
	    (part != OMPP_PART_TEAM && ompp_place_region(up) != id))
		up = ompp_place_find(up, id, part == OMPP_PART_TASKEXEC);
	flags = divided_flags(def, part, above);
	if (is_waiting(def->construct, part))
		flags |= OMPP_PLACE_WAITS | (def->construct == OMPP_TASK ? OMPP_PLACE_MAKES : 0u);
	if (is_locked(def->construct, part) || above & OMPP_PLACE_LOCKED)
		flags |= OMPP_PLACE_LOCKED;
	OMPP_STORE(&node->place, up << OMPP_PLACE_SHIFT | flags);
	return node->place;
}

void ompp_frame_end_stretch(struct ompp_thread *t, struct ompp_callnode *node, uint64_t now)
{
	ompp_frame_end_stretch_inline(t, node, now);
}

void ompp_frame_begin_off_path(struct ompp_thread *t, struct ompp_frame *base, uint32_t n_tasks)
{
	if (!t->kept_span)
		return;
	OMPP_OR(&base->flags, OMPP_FRAME_OFF_PATH);
	OMPP_ADD(&t->kept_span->n_lost, n_tasks);
}

struct ompp_span_sum *ompp_frame_make_span_sum(struct ompp_thread *t, struct ompp_callnode *node)
{
	struct ompp_span_sum *sum = ompp_callgraph_alloc(&t->graph, sizeof(*sum));

	__atomic_store_n(&node->span, sum, __ATOMIC_RELEASE);
	return sum;
}

/* ---- frames ---- */

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
