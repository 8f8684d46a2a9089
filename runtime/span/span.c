/*
 * Span: see span.h.
 */
#include "runtime/span/span.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/span/span_coarser.h"
#include "runtime/span/span_depend.h"
#include "runtime/span/span_join.h"
#include "runtime/span/span_limit.h"
#include "runtime/span/span_pool.h"
#include "runtime/span/span_record.h"
#include "runtime/span/span_stack.h"
#include "runtime/span/span_strand.h"
#include "runtime/span/span_usual.h"
#include "runtime/span/span_variant.h"

enum { FIRST_ROOM = 256, FIRST_PLACES = 64 };

uint64_t ompp_span_cost_ticks;

struct ompp_span *ompp_span_new(size_t limit_bytes)
{
	struct ompp_span *s = ompp_space_take(sizeof(*s) + (FIRST_ROOM + 1) * sizeof(*s->stack));

	if (!s)
		return NULL;
	s->stack = (struct ompp_span_task **)(void *)(s + 1);
	s->room = FIRST_ROOM;
	s->at = s->stack;
	s->left_bytes = limit_bytes;
	s->left_events = INT64_MAX;
	s->shown = s;
	return s;
}

void ompp_span_reset(struct ompp_span *s)
{
	s->shown = s;
	s->at = s->stack;
	s->n_over = 0;
	s->member = NULL;
	s->strands = NULL;
	s->idle_ticks = 0;
}

void ompp_span_break(struct ompp_span *s)
{
	if (s->shown)
		OMPP_ADD(&s->n_lost, 1);
	s->shown = NULL;
}

struct ompp_span *ompp_span_renew(struct ompp_span *old)
{
	struct ompp_span *s = ompp_span_new(old->left_bytes);

	ompp_span_break(old);
	if (!s)
		return NULL;
	s->work = old->work;
	s->n_work = old->n_work;
	s->work_ticks = old->work_ticks;
	s->clock = old->clock;
	s->n_created = old->n_created;
	s->n_unknown = old->n_unknown;
	s->n_lost = old->n_lost;
	s->n_unseen = old->n_unseen;
	return s;
}

void ompp_span_after_fork(struct ompp_span *s, uint64_t now)
{
	if (ompp_span_is_over()) {
		s->n_created = 0;
		ompp_span_was_over = 1;
		return;
	}
	if (ompp_span_more_fp)
		ompp_span_limit_begin(s, now);
	if (s->n_work)
		memset(s->work, 0, s->n_work * sizeof(*s->work));
	s->work_ticks = s->n_created = s->n_unknown = s->n_lost = s->n_unseen = 0;
	s->last_ticks = now;
	s->strands = NULL;
	ompp_span_variants_after_fork(s);
	for (struct ompp_span_task **task = s->stack; task <= s->at; task++) {
		if (!*task)
			continue;
		memset(&(*task)->path, 0, sizeof((*task)->path));
		(*task)->burden_ticks = (*task)->loose_ticks = (*task)->start_path_ticks = (*task)->work_before = 0;
		(*task)->strand_ticks = (*task)->own_from_ticks = 0;
		(*task)->strands = NULL;
	}
}

/* Makes room for the work of a place.  Returns 0 without memory.  COLD. */
static int span_room(struct ompp_span *s, uint32_t place)
{
	uint32_t n = s->n_work ? s->n_work : FIRST_PLACES;
	uint64_t *work;

	while (n <= place)
		n *= 2;
	work = ompp_space_take(n * sizeof(*work));
	if (!work)
		return 0;
	if (s->n_work)
		memcpy(work, s->work, s->n_work * sizeof(*work));
	__atomic_store_n(&s->work, work, __ATOMIC_RELEASE);
	__atomic_store_n(&s->n_work, n, __ATOMIC_RELEASE);
	return 1;
}

void ompp_span_stretch_long(struct ompp_span *s, uint32_t place, uint64_t now)
{
	struct ompp_span_task *task = *s->at;
	uint64_t ticks = now - s->last_ticks;
	uint32_t number = place >> OMPP_PLACE_SHIFT;

	if (--s->left_events < 0)
		ompp_span_look(s, now);
	s->idle_ticks = 0;
	if ((int64_t)ticks < 0) /* a handler has ended a stretch since the clock was read */
		return;
	s->last_ticks = now;
	s->idle_ticks = place & OMPP_PLACE_WAITS ? ticks : 0;
	if (place & OMPP_PLACE_MAKES && s->clock && (int64_t)(ticks - ompp_span_cost_ticks) > 0)
		ompp_span_variants_make(s, ticks - ompp_span_cost_ticks);
	if (place & OMPP_PLACE_WAITS || !task || (int64_t)(ticks -= ompp_span_cost_ticks) <= 0)
		return;
	if (number >= s->n_work && !span_room(s, number))
		return;
	s->work[number] += ticks;
	s->work_ticks += ticks;
	if (place & (OMPP_PLACE_LOOP | OMPP_PLACE_LOCKED))
		ompp_span_divided(s, task, place, ticks);
	ompp_longest_add(&task->path, number, ticks);
	if (s->clock)
		ompp_span_variants_work(s, number, ticks);
}

/* ---- the stack ---- */

/* The old stack stays, as it is not known who frees memory here. */
int ompp_span_more_room(struct ompp_span *s)
{
	struct ompp_span_task **stack = ompp_space_take((2 * (size_t)s->room + 1) * sizeof(*stack));

	if (!stack)
		return 0;
	memcpy(stack, s->stack, (s->room + 1) * sizeof(*stack));
	s->at = stack + (s->at - s->stack);
	s->stack = stack;
	s->room *= 2;
	return 1;
}

/* ---- ends ---- */

/* Returns the join of those that wait for a task whose creator waits for nothing any more: of the taskgroup around it,
 * or of the team's next barrier.  NULL where there is neither. */
static struct ompp_span_join *join_above(const struct ompp_span *s, const struct ompp_span_task *group)
{
	const struct ompp_span_task *member = s->member;

	if (group)
		return (struct ompp_span_join *)(uintptr_t)&group->kids;
	return member && member->team ? &member->team->joins[member->n_barriers & 1] : NULL;
}

/* Hands on what a task or member that waits for nothing any more has collected.  Its children may do so at the same
 * time. */
static void hand_on(struct ompp_span *s, struct ompp_span_task *from)
{
	struct ompp_span_join *above = join_above(s, from->group), *join = &from->kids;
	struct ompp_span_task *others = atomic_exchange_explicit(&join->others, NULL, memory_order_acq_rel);

	if (above && others) {
		ompp_span_raise(&above->burdened_ticks,
		                atomic_load_explicit(&join->burdened_ticks, memory_order_relaxed));
		ompp_span_raise(&above->fixed_ticks, atomic_load_explicit(&join->fixed_ticks, memory_order_relaxed));
	}
	if (others && above)
		ompp_span_hand_to(s, above, others);
	else if (others)
		ompp_span_unref(s, others);
}

/* The same for what ended in its own thread. */
static void hand_on_mine(struct ompp_span *s, struct ompp_span_task *from)
{
	struct ompp_span_join *above = join_above(s, from->group), *join = &from->kids;
	struct ompp_span_task *mine = join->mine;

	if (!mine)
		return;
	if (above) {
		ompp_span_raise(&above->burdened_ticks, join->my_burdened_ticks);
		ompp_span_raise(&above->fixed_ticks, join->my_fixed_ticks);
		if (!atomic_load_explicit(&mine->n_shared, memory_order_relaxed))
			atomic_store_explicit(&mine->n_shared, 1, memory_order_relaxed);
		ompp_span_hand_to(s, above, mine);
	} else {
		ompp_span_free_mine(s, mine);
	}
	join->mine = NULL;
}

void ompp_span_close(struct ompp_span *s, struct ompp_span_task *task)
{
	hand_on_mine(s, task);
	task->flags |= OMPP_SPAN_OTHER;
	atomic_store_explicit(&task->is_closed, 1, memory_order_seq_cst);
	hand_on(s, task);
}

/* Hands a task that has ended to those that wait for it. */
static inline void hand_over(struct ompp_span *s, struct ompp_span_task *task)
{
	struct ompp_span_task *parent = task->parent, *group = task->group;
	int is_own = parent && parent->runs_in == s;
	struct ompp_span_join *join;

	if (group && group->parent == parent) {
		join = &group->groups->kids;
	} else if (parent && !atomic_load_explicit(&parent->is_closed, memory_order_seq_cst)) {
		join = &parent->kids;
	} else {
		join = join_above(s, group);
		is_own = 0;
	}
	if (!join) {
		ompp_span_unref(s, task);
	} else if (is_own) {
		ompp_span_hand_to_own(s, join, task, 0);
	} else {
		ompp_span_hand_to(s, join, task);
		if (parent && join == &parent->kids && atomic_load_explicit(&parent->is_closed, memory_order_seq_cst))
			hand_on(s, parent);
	}
}

/* ---- tasks ---- */

struct ompp_span_task *ompp_span_create(struct ompp_span *s, uint32_t flags, uint64_t now)
{
	struct ompp_span_task *parent = *s->at, *task = NULL;

	if (parent && !flags && !ompp_span_has_clocks())
		task = ompp_span_prepare_usual(s, parent);
	if (task && ompp_span_create_usual(s, parent, task, now))
		return task;
	s->n_created++;
	task = parent ? ompp_span_pool_take(s) : NULL;
	if (!task)
		return NULL;
	if (ompp_span_strand_is_long(parent))
		ompp_span_cut(s, parent); /* the new task waits for what was before */
	ompp_longest_copy(&task->path, &parent->path);
	ompp_span_fill_created(s, parent, task, now);
	task->group = task->groups = parent->groups;
	task->flags = (uint8_t)(flags | (parent->groups ? OMPP_SPAN_OTHER : 0) |
	                        (parent->flags & OMPP_SPAN_FINAL ? OMPP_SPAN_FINAL | OMPP_SPAN_UNDEFERRED : 0));
	if (ompp_span_has_clocks())
		ompp_span_variants_start(s, task);
	return task;
}

void ompp_span_created(struct ompp_span *s, uint64_t ticks)
{
	ompp_span_add_creation(s, *s->at, ticks);
}

/* Makes a record for a task without one: it begins with the team around it. */
static __attribute__((noinline, cold)) struct ompp_span_task *make_unknown(struct ompp_span *s, uint64_t now)
{
	const struct ompp_span_task *member = s->member, *from = member && member->team ? member->team->start : member;
	struct ompp_span_task *task = from ? ompp_span_pool_take(s) : NULL;

	s->n_unknown++;
	if (!task)
		return NULL;
	ompp_span_start(task, from, now);
	task->parent = NULL;
	return task;
}

void ompp_span_begin(struct ompp_span *s, struct ompp_span_task *task, uint64_t now)
{
	if (!ompp_span_has_clocks() && ompp_span_begin_usual(s, task, s->idle_ticks, now))
		return;
	if (__builtin_expect(!task, 0))
		task = make_unknown(s, now);
	ompp_span_push(s, task);
	if (!task)
		return;
	if (ompp_span_has_clocks())
		ompp_span_variants_begin(s, task);
	if (__builtin_expect(task->items != NULL, 0))
		task->n_refs += ompp_span_depend_begin(s, task);
	ompp_span_start_running(s, task, s->idle_ticks, now);
}

/* The creator of an undeferred task goes on behind it. */
static void end_undeferred(struct ompp_span *s, struct ompp_span_task *task)
{
	struct ompp_span_task *parent = task->parent;

	if (parent && *s->at == parent) {
		ompp_span_cut(s, parent);
		ompp_span_go_on(parent, task, ompp_span_burdened(task), ompp_span_fixed(task));
	}
}

static __attribute__((noinline)) void end_long(struct ompp_span *s, struct ompp_span_task *task, uint64_t now)
{
	struct ompp_span_task *parent = task->parent;
	int has_parent;

	ompp_span_cut(s, task);
	task->ready_ticks = now;
	if (ompp_span_has_clocks())
		ompp_span_variants_end(s, task);
	if (__builtin_expect(task->chunk != NULL, 0)) {
		*task->chunk = (int64_t)task->path.ticks;
		if (task->variants && task->variants->taskloop)
			ompp_span_coarser_iterated(task);
	}
	if (task->n_refs > 1 || !ompp_span_join_is_empty(&task->kids) ||
	    atomic_load_explicit(&task->n_shared, memory_order_relaxed))
		ompp_span_close(s, task);
	task->runs_in = NULL;
	if (__builtin_expect(task->addresses != NULL, 0))
		ompp_span_depend_forget(s, task);
	ompp_span_settle(task);
	if (__builtin_expect(task->items != NULL, 0))
		ompp_span_depend_end(s, task);
	if (__builtin_expect(task->flags & OMPP_SPAN_UNDEFERRED, 0))
		end_undeferred(s, task);
	has_parent = parent && !(task->flags & OMPP_SPAN_ITERATION);
	hand_over(s, task); /* it may be another task's record from here on */
	if (has_parent)
		ompp_span_leave_parent(s, parent);
}

void ompp_span_end(struct ompp_span *s, struct ompp_span_sum *sum, uint64_t now)
{
	struct ompp_span_task *task = *s->at;

	if (task && !ompp_span_has_clocks() && ompp_span_end_usual(s, task, sum, now))
		return;
	task = ompp_span_pop(s);
	if (!task)
		return;
	if (sum)
		ompp_span_add_end(sum, task);
	end_long(s, task, now);
}

void ompp_span_left(struct ompp_span *s, uint64_t now)
{
	struct ompp_span_task *task = *s->at;

	if (task) {
		task->group = NULL;
		task->chunk = NULL;
	}
	ompp_span_end(s, NULL, now);
}

struct ompp_span_task *ompp_span_suspend(struct ompp_span *s)
{
	struct ompp_span_task *task = ompp_span_pop(s);

	ompp_span_variants_suspend(s, task);
	return task;
}

void ompp_span_resume(struct ompp_span *s, struct ompp_span_task *task, uint64_t now)
{
	s->last_ticks = now;
	ompp_span_push(s, task);
	if (task)
		ompp_span_variants_begin(s, task);
}

void ompp_span_iterate(struct ompp_span *s, const struct ompp_span_task *loop, int64_t *chunk, uint32_t place,
                       uint64_t now)
{
	struct ompp_span_task *task = loop ? ompp_span_pool_take(s) : NULL;

	ompp_span_takes_long(s, OMPP_SPAN_RECORD_EVENTS);
	if (!task) {
		ompp_span_begin(s, NULL, now);
		return;
	}
	ompp_span_start(task, loop, loop->ready_ticks);
	if ((uint64_t)*chunk > task->path.ticks && !(place & OMPP_PLACE_WAITS))
		ompp_longest_add(&task->path, place >> OMPP_PLACE_SHIFT, (uint64_t)*chunk - task->path.ticks);
	task->parent = loop->parent;
	task->group = task->groups = loop->group;
	task->flags |= (loop->flags & (OMPP_SPAN_FINAL | OMPP_SPAN_GROUPED)) | OMPP_SPAN_ITERATION;
	task->chunk = chunk;
	if (ompp_span_has_clocks() && loop->variants)
		ompp_span_coarser_iterate(s, loop, !*chunk, now);
	ompp_span_variants_start_from(s, task, loop);
	ompp_span_begin(s, task, now);
}

void ompp_span_chunk(struct ompp_span *s, uint32_t place, uint64_t now)
{
	ompp_span_stretch(s, place, now);
	if (s->strands && *s->at == s->member && (!(place & OMPP_PLACE_GUIDED) || s->strands->chunk.n)) {
		s->strands->has_any |= place & OMPP_PLACE_ANY && !s->strands->chunk.n;
		ompp_strands_end_chunk(s->strands, (*s->at)->path.ticks);
	}
}

void ompp_span_begin_loop(const struct ompp_span *s, struct ompp_strand_bounds bounds,
                          enum ompp_strand_schedule schedule, uint32_t chunk)
{
	if (s->strands && *s->at == s->member)
		ompp_strands_begin_loop(s->strands, bounds, schedule, chunk);
}

void ompp_span_begin_chunk(const struct ompp_span *s, int64_t lower, int64_t upper)
{
	if (s->strands && *s->at == s->member)
		ompp_strands_begin_chunk(s->strands, lower, upper, s->last_ticks);
}

/* The children since the begin of its open taskgroups are kept for these. */
static void wait_in_groups(struct ompp_span_task *task)
{
	for (const struct ompp_span_task *g = task->groups; g && g->parent == task; g = g->group) {
		const struct ompp_span_join *join = &g->groups->kids;

		if (join->mine)
			ompp_span_go_on(task, join->mine, join->my_burdened_ticks, join->my_fixed_ticks);
		ompp_span_go_on_shared(task, join);
	}
}

void ompp_span_wait(struct ompp_span *s, uint64_t now)
{
	struct ompp_span_task *task = *s->at;
	uint64_t ticks;

	if (!task || ompp_span_wait_usual(s, task, s->idle_ticks))
		return;
	if (task->groups) {
		ompp_span_cut(s, task);
		wait_in_groups(task);
	}
	if (ompp_span_join_is_empty(&task->kids))
		return;
	ompp_span_cut(s, task);
	ticks = ompp_span_leaving(s, &task->kids, now);
	ompp_span_join_take(s, task, &task->kids);
	task->burden_ticks += ticks;
	ompp_span_waited(s, task);
	if (task->addresses)
		ompp_span_depend_forget(s, task);
}

void ompp_span_group(struct ompp_span *s)
{
	struct ompp_span_task *task = *s->at, *group = task ? ompp_span_pool_take(s) : NULL, *children;

	ompp_span_takes_long(s, OMPP_SPAN_RECORD_EVENTS);
	children = group ? ompp_span_pool_take(s) : NULL;
	if (!children) {
		if (group)
			ompp_span_pool_give(s, group);
		return;
	}
	ompp_span_start(group, task, 0);
	ompp_span_start(children, task, 0);
	group->parent = task;
	group->group = task->groups;
	group->groups = children;
	task->flags |= OMPP_SPAN_OTHER;
	task->groups = group;
	ompp_span_variants_start(s, group);
}

void ompp_span_group_waits(struct ompp_span *s)
{
	struct ompp_span_task *task = *s->at, *group = task ? task->groups : NULL;

	if (group && group->parent == task)
		atomic_store_explicit(&group->is_closed, 1, memory_order_relaxed);
}

void ompp_span_group_end(struct ompp_span *s, uint64_t now)
{
	struct ompp_span_task *task = *s->at, *group = task ? task->groups : NULL;
	uint64_t ticks;

	if (!group || group->parent != task)
		return;
	ompp_span_cut(s, task);
	ompp_span_variants_take(s, group, OMPP_NO_VARIANT);
	ticks = ompp_span_leaving(s, &group->kids, now);
	if (ompp_span_leaving(s, &group->groups->kids, now) < ticks)
		ticks = ompp_span_leaving(s, &group->groups->kids, now);
	ompp_span_join_take(s, task, &group->kids);
	ompp_span_join_take(s, task, &group->groups->kids);
	task->burden_ticks += ticks;
	task->groups = group->group;
	ompp_span_pool_give(s, group->groups);
	ompp_span_pool_give(s, group);
}

struct ompp_span_task *ompp_span_create_loop(struct ompp_span *s, uint32_t flags, int waits, uint64_t now)
{
	struct ompp_span_task *loop;

	if (waits)
		ompp_span_group(s);
	loop = ompp_span_create(s, flags | (waits ? OMPP_SPAN_GROUPED : 0), now);
	if (!loop)
		return NULL;
	loop->next = s->loops;
	s->loops = loop;
	return loop;
}

void ompp_span_loop_end(struct ompp_span *s, uint64_t now)
{
	struct ompp_span_task *loop = s->loops;

	if (!loop || loop->parent != *s->at)
		return;
	s->loops = loop->next;
	if (loop->flags & OMPP_SPAN_GROUPED) {
		ompp_span_leave_parent(s, loop->parent);
		ompp_span_group_end(s, now);
		ompp_span_pool_give(s, loop);
	} else {
		loop->next = s->templates;
		s->templates = loop;
	}
}
