/*
 * Course charge: see course_charge.h.
 */
#include "runtime/core/course_charge.h"

#include <string.h>

#include "runtime/core/frame.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"

/* ---- which part a node's own time is ---- */

static enum ompp_course_part part_of_region(enum ompp_construct construct)
{
	static const enum ompp_course_part parts[] = { [OMPP_OWN_TIME_WORK] = OMPP_COURSE_WORK,
		                                       [OMPP_OWN_TIME_WAIT] = OMPP_COURSE_WAIT,
		                                       [OMPP_OWN_TIME_MANAGE] = OMPP_COURSE_MANAGE };

	return ompp_construct_is_mpi(construct) ? OMPP_COURSE_MPI : parts[ompp_constructs[construct].own];
}

/* Returns the part of what a thread does outside of teams.  Members of teams wait there for the next one. */
static enum ompp_course_part part_outside(const struct ompp_thread *t)
{
	return ompp_frame_node(&t->frames[0]) == t->graph.root ? OMPP_COURSE_IDLE : OMPP_COURSE_WORK;
}

static int is_outside(const struct ompp_callnode *node)
{
	return !node->parent || OMPP_KEY_PART(node->key) == OMPP_PART_HOST;
}

static enum ompp_course_part part_of(const struct ompp_thread *t, const struct ompp_callnode *node)
{
	enum ompp_part part = OMPP_KEY_PART(node->key);
	const struct ompp_region_def *def;

	if (is_outside(node))
		return part_outside(t);
	if (part == OMPP_PART_FORK)
		return OMPP_COURSE_MANAGE;
	if (part == OMPP_PART_BARRIER)
		return OMPP_COURSE_WAIT;
	def = part == OMPP_PART_REGION && node != t->graph.lost ? ompp_region_by_id(OMPP_KEY_ID(node->key)) : NULL;
	return def ? part_of_region(def->construct) : OMPP_COURSE_WORK;
}

/* ---- what the thread has spent ---- */

/* Adds the time of visits of a node, of which others are of other task instances, and takes it from what is around
 * them.  Around an instance is the team, of which it is a part; around a member's part of a team nothing is, but for
 * the thread that forked it, which has rank 0. */
static void add_visits(const struct ompp_thread *t, const struct ompp_callnode *node, uint64_t ticks, uint64_t others,
                       uint64_t totals[OMPP_N_COURSE_PARTS])
{
	enum ompp_part part = OMPP_KEY_PART(node->key);
	const struct ompp_callnode *up = node->parent;

	totals[part_of(t, node)] += ticks - others;
	if (part == OMPP_PART_TASKEXEC && !is_outside(up))
		return;
	if (part == OMPP_PART_TEAM)
		totals[OMPP_KEY_RANK(node->key) ? part_outside(t) : part_of(t, up)] -= ticks;
	else
		totals[part_of(t, up)] -= ticks - others;
}

static uint64_t frame_lasted(const struct ompp_frame *f, uint64_t now)
{
	uint64_t ticks = now - OMPP_LOAD(&f->start_ticks);

	return (int64_t)ticks > 0 && !(OMPP_LOAD(&f->flags) & OMPP_FRAME_UNTIMED) ? ticks : 0;
}

/* Adds the open frames, from the innermost: the time of an instance is not that of the frames below it. */
static void add_open(const struct ompp_thread *t, uint64_t now, uint64_t totals[OMPP_N_COURSE_PARTS])
{
	const struct ompp_frame *top = OMPP_LOAD(&t->top), *limit = OMPP_LOAD(&t->limit);
	uint64_t others = 0;

	for (const struct ompp_frame *f = top < limit ? top : limit; f > t->frames; f--) {
		const struct ompp_callnode *node = ompp_frame_node(f);
		uint64_t ticks = frame_lasted(f, now);
		uint32_t flags = OMPP_LOAD(&f->flags);

		others += ompp_frame_others(f);
		others = others < ticks ? others : ticks;
		if (node && node->parent && !(flags & OMPP_FRAME_FOLDED))
			add_visits(t, node, ticks, others, totals);
		if (flags & OMPP_FRAME_TASK)
			others = ticks - OMPP_LOAD(&f->suspended_ticks);
		else if (flags & OMPP_FRAME_TEAM)
			others = 0;
	}
}

/* Adds up all that the thread has ever done.  Time outside of teams is what is left of the time itself, so only
 * differences of two totals mean anything. */
static void course_totals(const struct ompp_thread *t, uint64_t now, uint64_t totals[OMPP_N_COURSE_PARTS])
{
	const struct ompp_callnode *node = __atomic_load_n(&t->graph.newest, __ATOMIC_ACQUIRE);

	memset(totals, 0, OMPP_N_COURSE_PARTS * sizeof(*totals));
	totals[part_outside(t)] = now;
	for (; node; node = node->older)
		if (node->parent && OMPP_LOAD(&node->ticks))
			add_visits(t, node, OMPP_LOAD(&node->ticks), OMPP_LOAD(&node->task_ticks), totals);
	add_open(t, now, totals);
}

/* Makes of two totals what was spent between them.  The parts add up to the time: work is the rest. */
static void find_spent(const uint64_t before[OMPP_N_COURSE_PARTS], const uint64_t after[OMPP_N_COURSE_PARTS],
                       uint64_t ticks, uint64_t spent[OMPP_N_COURSE_PARTS])
{
	for (int k = OMPP_N_COURSE_PARTS - 1; k > OMPP_COURSE_WORK; k--) {
		int64_t more = (int64_t)(after[k] - before[k]);

		spent[k] = more <= 0 ? 0 : (uint64_t)more < ticks ? (uint64_t)more : ticks;
		ticks -= spent[k];
	}
	spent[OMPP_COURSE_WORK] = ticks;
}

static int is_later(const struct ompp_course *c, uint64_t now)
{
	return (int64_t)(now - c->last_ticks) > 0 && (int64_t)(c->last_ticks - ompp_session.start.ticks) >= 0;
}

static uint32_t region_of(const struct ompp_callnode *node)
{
	return is_outside(node) ? 0 : OMPP_KEY_ID(node->key);
}

void ompp_course_charge(struct ompp_course *c, const struct ompp_thread *t, const struct ompp_callnode *at,
                        uint64_t now)
{
	uint64_t totals[OMPP_N_COURSE_PARTS], spent[OMPP_N_COURSE_PARTS];

	if (!is_later(c, now))
		return;
	course_totals(t, now, totals);
	find_spent(c->totals, totals, now - c->last_ticks, spent);
	ompp_course_add(c, spent, part_of(t, at), region_of(at), ompp_session.start.ticks, now, totals);
}

void ompp_course_charge_all(struct ompp_course *c, const struct ompp_thread *t, const struct ompp_callnode *at,
                            uint64_t now)
{
	uint64_t spent[OMPP_N_COURSE_PARTS] = { 0 };

	if (!is_later(c, now))
		return;
	spent[part_of(t, at)] = now - c->last_ticks;
	ompp_course_add(c, spent, part_of(t, at), region_of(at), ompp_session.start.ticks, now, NULL);
}

/* ---- events ---- */

static void start_slice(struct ompp_thread *t, uint64_t now)
{
	t->slice_end_ticks = ompp_course_slice_end(&t->course, ompp_session.start.ticks, now);
}

/* Returns the least shift of slices in which reading the whole tree and all open frames takes little of the time. */
static uint32_t shift_of(const struct ompp_thread *t)
{
	uint64_t n_read = t->graph.n_nodes + (uint64_t)(t->top - t->frames);
	uint32_t shift = OMPP_COURSE_LEAST_SHIFT;

	while (n_read << OMPP_COURSE_NODE_SHIFT > 1ull << shift)
		shift++;
	return shift;
}

/* A signal handler that comes in between leaves what it did to the next event. */
static void course_take(struct ompp_thread *t, const struct ompp_callnode *at, uint64_t now)
{
	if (t->slice_end_ticks == UINT64_MAX || t->course.n_changes & 1)
		return;
	ompp_course_lengthen(&t->course, shift_of(t));
	ompp_course_charge(&t->course, t, at, now);
	start_slice(t, now);
}

__attribute__((noinline, cold)) struct ompp_frame *ompp_course_enter(struct ompp_thread *t, struct ompp_frame *f)
{
	course_take(t, f[-1].node, f->start_ticks);
	return f;
}

__attribute__((noinline, cold)) void ompp_course_exit(struct ompp_thread *t, uint64_t now)
{
	course_take(t, t->top->node, now);
}

void ompp_course_begin(struct ompp_thread *t, uint64_t now)
{
	struct ompp_course *c = &t->course;
	uint64_t totals[OMPP_N_COURSE_PARTS];

	t->slice_end_ticks = UINT64_MAX;
	if (!c->slices)
		return;
	course_totals(t, now, totals);
	ompp_course_start(c, totals, now);
	start_slice(t, now);
}

void ompp_course_end(struct ompp_thread *t, uint64_t now)
{
	course_take(t, t->frames[0].node, now);
	t->slice_end_ticks = UINT64_MAX;
	OMPP_STORE(&t->course.is_over, 1);
}

void ompp_course_after_fork(struct ompp_thread *t, int goes_on, uint64_t now)
{
	struct ompp_course *c = &t->course;
	struct ompp_course_slice *slices = c->slices;

	*c = (struct ompp_course){ .slices = slices, .is_over = 1 };
	if (slices)
		memset(slices, 0, OMPP_COURSE_SLICES * sizeof(*slices));
	if (goes_on)
		ompp_course_begin(t, now);
}
