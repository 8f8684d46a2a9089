/*
 * Span, joins: what has ended is handed to who waits for it, and who waited goes on with the longest.
 */
#ifndef OMPP_SPAN_SPAN_JOIN_H
#define OMPP_SPAN_SPAN_JOIN_H

#include "runtime/span/span_record.h"

/* Makes a number the greater one of itself and another. */
static inline void ompp_span_raise(_Atomic uint64_t *number, uint64_t to)
{
	uint64_t now = atomic_load_explicit(number, memory_order_relaxed);

	while (now < to &&
	       !atomic_compare_exchange_weak_explicit(number, &now, to, memory_order_relaxed, memory_order_relaxed))
		;
}

static inline int ompp_span_join_is_empty(const struct ompp_span_join *join)
{
	return !join->mine && !atomic_load_explicit(&join->others, memory_order_acquire);
}

/* Raises the lengths that are maxima of their own, in the thread of who waits, before the task is handed over. */
static inline void ompp_span_raise_own(struct ompp_span_join *join, const struct ompp_span_task *task)
{
	if (!join->mine || ompp_span_burdened(task) > join->my_burdened_ticks)
		join->my_burdened_ticks = ompp_span_burdened(task);
	if (!join->mine || ompp_span_fixed(task) > join->my_fixed_ticks)
		join->my_fixed_ticks = ompp_span_fixed(task);
}

/* Frees the record of a join's `mine`.  Where nobody else knew it when it was handed over, n_shared is 0, and it is of
 * this thread's memory. */
static inline __attribute__((always_inline)) void ompp_span_free_mine(struct ompp_span *s, struct ompp_span_task *mine)
{
	if (__builtin_expect(!atomic_load_explicit(&mine->n_shared, memory_order_relaxed), 1))
		ompp_span_pool_give_plain(s, mine);
	else
		ompp_span_unref(s, mine);
}

/* Hands a task that has ended to one that ran in the same thread.  Returns 1 where it is the longest so far, else 0 and
 * has freed it.  HOT.
 * is_plain: nobody else knows it, and the join's reference is not counted in n_shared, which is 0; otherwise a
 *     reference of the task goes with it */
static inline __attribute__((always_inline)) int ompp_span_hand_to_own(struct ompp_span *s, struct ompp_span_join *join,
                                                                       struct ompp_span_task *task, int is_plain)
{
	struct ompp_span_task *best = join->mine;

	ompp_span_raise_own(join, task);
	if (best && best->path.ticks >= task->path.ticks) {
		if (is_plain)
			ompp_span_pool_give_plain(s, task);
		else
			ompp_span_unref(s, task);
		return 0;
	}
	join->mine = task;
	if (best)
		ompp_span_free_mine(s, best);
	return 1;
}

/* Hands a task that has ended to one in any thread.  A reference of the task goes with it. */
void ompp_span_hand_to(struct ompp_span *s, struct ompp_span_join *join, struct ompp_span_task *task);

/* Hands over the path of a task that goes on. */
void ompp_span_hand_path(struct ompp_span *s, struct ompp_span_join *join, const struct ompp_span_task *task,
                         uint64_t now);

static inline uint64_t ompp_span_longer(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Lets a task go on with the longest of its own path and another one, of which the burdened and the fixed length are
 * given. */
static inline void ompp_span_go_on(struct ompp_span_task *task, const struct ompp_span_task *other, uint64_t burdened,
                                   uint64_t fixed)
{
	burdened = ompp_span_longer(burdened, ompp_span_burdened(task));
	fixed = ompp_span_longer(fixed, ompp_span_fixed(task));
	if (other && other->path.ticks > task->path.ticks) {
		task->own_from_ticks += other->path.ticks - task->path.ticks;
		ompp_longest_copy(&task->path, &other->path);
		task->strand_ticks = task->path.ticks;
	}
	task->burden_ticks = ompp_span_longer(burdened, task->path.ticks) - task->path.ticks;
	task->loose_ticks = task->path.ticks - (fixed < task->path.ticks ? fixed : task->path.ticks);
}

/* The same with what has ended in this thread, and is in the join: mine is not NULL.  HOT. */
static inline __attribute__((always_inline)) void ompp_span_take_mine(struct ompp_span *s, struct ompp_span_task *task,
                                                                      struct ompp_span_join *join)
{
	struct ompp_span_task *mine = join->mine;

	ompp_span_go_on(task, mine, join->my_burdened_ticks, join->my_fixed_ticks);
	join->mine = NULL;
	ompp_span_free_mine(s, mine);
}

/* The same with what others have handed to a join, which others may go on with, too. */
void ompp_span_go_on_shared(struct ompp_span_task *task, const struct ompp_span_join *join);

/* The same with all that it waited for, of which nothing runs any more; and empties the join. */
void ompp_span_join_take(struct ompp_span *s, struct ompp_span_task *task, struct ompp_span_join *join);

/* Returns what a wait took after all was over that it waited for: the part of the thread's idle time behind that. */
uint64_t ompp_span_leaving(const struct ompp_span *s, const struct ompp_span_join *join, uint64_t now);

#endif
