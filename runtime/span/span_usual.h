/*
 * Span, usual: what most events of tasks do to records, in as few instructions as can be, in the caller's code.
 *
 * Each function returns 0, and has changed nothing, where the event is unusual: then the function of span.h of the same
 * name does all that may be needed.  The usual case is that no clocks of variants are kept, which the caller has seen,
 * but for a wait, which leaves clocks alone (events/task.c calls ompp_span_variants_wait()); that tasks have no flags,
 * and no taskgroup is open; that a task's children end in its own thread; and that strands are short.  A record that
 * has no flags has nothing else that is unusual (span_pool.h).
 */
#ifndef OMPP_SPAN_SPAN_USUAL_H
#define OMPP_SPAN_SPAN_USUAL_H

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/span/span_join.h"
#include "runtime/span/span_pool.h"
#include "runtime/span/span_record.h"
#include "runtime/span/span_strand.h"

enum { OMPP_SPAN_CREATE_SHIFT = 3 }; /* the mean of creations forgets an eighth at each */

#define OMPP_USUAL static inline __attribute__((always_inline))

/* Ends a stretch that was no work.  Returns how long it was, which is not kept in the thread's idle_ticks; 0 where a
 * handler has ended one since the clock was read. */
OMPP_USUAL uint64_t ompp_span_idle(struct ompp_span *s, uint64_t now)
{
	uint64_t ticks = now - s->last_ticks;

	if (__builtin_expect((int64_t)ticks < 0, 0))
		return 0;
	s->last_ticks = now;
	return ticks;
}

/* Ends a stretch of a task's work, behind which nobody asks how long the thread was idle.
 * place: of the node; not 0, as a stretch ended there before: when the node got the child that is created in it now, or
 *     when it got the sum that the task's end is added to
 * copy: a record that is to have the same path, and has that of before the stretch; or NULL */
OMPP_USUAL int ompp_span_work_usual(struct ompp_span *s, struct ompp_span_task *task, struct ompp_span_task *copy,
                                    uint32_t place, uint64_t now)
{
	uint64_t ticks = now - s->last_ticks - ompp_span_cost_ticks;
	uint32_t number = place >> OMPP_PLACE_SHIFT;

	if (__builtin_expect((place & (OMPP_PLACE_WAITS | OMPP_PLACE_LOOP | OMPP_PLACE_LOCKED)) != 0, 0) ||
	    __builtin_expect(--s->left_events < 0, 0))
		return 0;
	if (__builtin_expect((int64_t)ticks > 0, 1)) {
		ompp_assert(number);
		if (__builtin_expect(number >= s->n_work, 0) || !ompp_longest_add_at_seat(&task->path, number, ticks))
			return 0;
		if (copy)
			ompp_longest_add_at_seat(&copy->path, number, ticks);
		s->work[number] += ticks;
		s->work_ticks += ticks;
	} else if (__builtin_expect((int64_t)(now - s->last_ticks) < 0, 0)) {
		return 0;
	}
	s->last_ticks = now;
	return 1;
}

/* Fills the record of a task that the running one creates, and that has the path already. */
OMPP_USUAL void ompp_span_fill_created(struct ompp_span *s, struct ompp_span_task *parent, struct ompp_span_task *task,
                                       uint64_t now)
{
	OMPP_STORE(&task->burden_ticks, parent->burden_ticks + s->create_ticks);
	OMPP_STORE(&task->loose_ticks, parent->loose_ticks);
	task->ready_ticks = now;
	task->parent = parent;
	parent->n_refs++;
}

/* Returns a free record that has the path of the running task, which may create a task without flags; it stays free.
 * Returns NULL where that is unusual.  The path is copied before the stretch up to the creation is added to both: to
 * load what has just been stored in other pieces takes a processor longer than all else at a creation. */
OMPP_USUAL struct ompp_span_task *ompp_span_prepare_usual(const struct ompp_span *s,
                                                          const struct ompp_span_task *parent)
{
	struct ompp_span_task *task = s->free;

	if (__builtin_expect(!task, 0) ||
	    __builtin_expect(parent->flags && (parent->flags & OMPP_SPAN_FINAL || parent->groups), 0))
		return NULL;
	ompp_longest_copy(&task->path, &parent->path);
	return task;
}

/* Creates the task that was prepared. */
OMPP_USUAL int ompp_span_create_usual(struct ompp_span *s, struct ompp_span_task *parent, struct ompp_span_task *task,
                                      uint64_t now)
{
	if (ompp_span_strand_is_long(parent))
		return 0;
	s->free = task->next;
	s->n_created++;
	ompp_span_fill_created(s, parent, task, now);
	return 1;
}

/* Adds what a creation took.
 * task: the running one, or NULL */
OMPP_USUAL void ompp_span_add_creation(struct ompp_span *s, struct ompp_span_task *task, uint64_t ticks)
{
	s->create_ticks += ((int64_t)(ticks - s->create_ticks)) >> OMPP_SPAN_CREATE_SHIFT;
	if (__builtin_expect(task != NULL, 1))
		task->burden_ticks += ticks;
	if (s->strands)
		s->strands->managing_ticks += ticks;
}

/* Lets a record begin, which is on top. */
OMPP_USUAL void ompp_span_start_running(struct ompp_span *s, struct ompp_span_task *task, uint64_t idle_ticks,
                                        uint64_t now)
{
	uint64_t since = now - task->ready_ticks, length = task->path.ticks;

	task->burden_ticks += since < idle_ticks ? since : idle_ticks;
	task->runs_in = s;
	OMPP_STORE(&task->start_path_ticks, length);
	OMPP_STORE(&task->own_from_ticks, length);
	OMPP_STORE(&task->strand_ticks, length);
}

OMPP_USUAL int ompp_span_begin_usual(struct ompp_span *s, struct ompp_span_task *task, uint64_t idle_ticks,
                                     uint64_t now)
{
	if (__builtin_expect(s->at == s->stack + s->room, 0) || __builtin_expect(!task || task->flags, 0))
		return 0;
	*++s->at = task;
	ompp_span_start_running(s, task, idle_ticks, now);
	return 1;
}

OMPP_USUAL void ompp_span_add_end(struct ompp_span_sum *sum, const struct ompp_span_task *task)
{
	uint64_t ticks = task->path.ticks - task->start_path_ticks, own_ticks = task->path.ticks - task->own_from_ticks;

	if (!sum)
		return;
	OMPP_ADD(&sum->n, 1);
	OMPP_ADD(&sum->span_ticks, ticks);
	if (__builtin_expect(ticks > sum->most_span_ticks, 0))
		OMPP_STORE(&sum->most_span_ticks, ticks);
	if (__builtin_expect(own_ticks > sum->most_own_ticks, 0))
		OMPP_STORE(&sum->most_own_ticks, own_ticks);
}

/* Ends a task of which nobody else knows, and whose creator runs in this thread and has not closed.  Where n_refs is 1,
 * it has no child left, so none that another thread gave back in n_shared, either.
 * task: the running one; sum: of its node */
OMPP_USUAL int ompp_span_end_usual(struct ompp_span *s, struct ompp_span_task *task, struct ompp_span_sum *sum,
                                   uint64_t now)
{
	struct ompp_span_task *parent = task->parent;
	uint64_t from = task->strand_ticks, strand_ticks = task->path.ticks - from;

	if (__builtin_expect(task->flags, 0) || __builtin_expect(strand_ticks >> OMPP_STRAND_SHORT_BITS != 0, 0) ||
	    __builtin_expect(task->n_refs != 1 || task->kids.mine, 0) || __builtin_expect(parent->runs_in != s, 0) ||
	    __builtin_expect(atomic_load_explicit(&parent->is_closed, memory_order_relaxed), 0))
		return 0;
	ompp_assert(!s->n_over && !atomic_load_explicit(&task->n_shared, memory_order_relaxed));
	s->at--;
	ompp_span_add_end(sum, task);
	if (s->strands && strand_ticks)
		ompp_strands_add_short(s->strands, from, strand_ticks, s->last_ticks);
	parent->n_refs--;
	if (ompp_span_hand_to_own(s, &parent->kids, task, 1))
		task->ready_ticks = now;
	return 1;
}

/* Goes on after a taskwait. */
OMPP_USUAL int ompp_span_wait_usual(struct ompp_span *s, struct ompp_span_task *task, uint64_t idle_ticks)
{
	if (__builtin_expect(task->flags && (task->groups || task->addresses), 0) ||
	    __builtin_expect(atomic_load_explicit(&task->kids.end_ticks, memory_order_relaxed) != 0, 0) ||
	    __builtin_expect(atomic_load_explicit(&task->has_long_kids, memory_order_relaxed), 0) ||
	    ompp_span_strand_is_long(task))
		return 0;
	if (!task->kids.mine)
		return 1;
	ompp_span_end_short_strand(s, task);
	task->strand_ticks = task->path.ticks;
	ompp_span_take_mine(s, task, &task->kids);
	task->burden_ticks += idle_ticks;
	return 1;
}

#endif
