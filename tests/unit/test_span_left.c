/*
 * Span, tasks that are left: two threads create, run, cancel and leave tasks in taskgroups in random orders, and paths
 * are those of a model that knows no records; none of these is lost or free twice.
 *
 * A taskgroup that is over waits for no task that was cancelled: those that had begun in the other thread are left at
 * that thread's next event, when the taskgroup's record may be another one's; those that had not never begin.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/span/span.h"

enum { LIMIT = 1 << 26, PLACE = 2, MOST = 40, DEPTH = 8, STEPS = 300, SEEDS = 3000, NONE = -1 };

/* Longest lengths are 0 where nothing was handed over. */
struct model_task {
	struct ompp_span_task *record;
	int parent, group;
	uint64_t length, kids;
	int has_begun, is_over, is_cancelled, is_lost; /* is_lost: it, or what it created, never begins */
};

struct model_group {
	int owner, outer; /* the task, and the taskgroup around */
	uint64_t tasks, children;
	int is_over;
};

static struct ompp_span *threads[2];
static struct ompp_span_team team;
static struct model_task tasks[MOST];
static struct model_group groups[MOST];
static int n_tasks, n_groups, stacks[2][DEPTH], depths[2];
static uint64_t now = 1000, seed, barrier;

static uint32_t below(uint32_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(seed >> 33) % n;
}

static void longer(uint64_t *a, uint64_t b)
{
	*a = b > *a ? b : *a;
}

/* Returns the task that runs in a thread. */
static int running(int thread)
{
	return stacks[thread][depths[thread]];
}

static struct model_task *task_of(int thread)
{
	return &tasks[running(thread)];
}

static void work(int thread, uint64_t ticks)
{
	now += ticks;
	threads[thread]->last_ticks = now - ticks;
	ompp_span_stretch(threads[thread], PLACE << OMPP_PLACE_SHIFT, now);
	task_of(thread)->length += ticks;
}

/* Returns the innermost taskgroup that a task has open, or is in. */
static int group_of(int task)
{
	for (int i = n_groups - 1; i >= 0; i--)
		if (!groups[i].is_over && groups[i].owner == task)
			return i;
	return tasks[task].group;
}

static int has_open_group(int task)
{
	return group_of(task) != tasks[task].group;
}

/* ---- what is done ---- */

static void create(int thread)
{
	int parent = running(thread);
	struct model_task *task = &tasks[n_tasks];

	if (n_tasks == MOST)
		return;
	*task = (struct model_task){ .parent = parent, .group = group_of(parent), .length = tasks[parent].length };
	task->record = ompp_span_create(threads[thread], 0, now);
	assert_non_null(task->record);
	n_tasks++;
}

static void begin(int thread)
{
	int task = (int)below((uint32_t)n_tasks);

	if (tasks[task].has_begun || tasks[task].is_cancelled || depths[thread] + 1 == DEPTH)
		return;
	ompp_span_begin(threads[thread], tasks[task].record, now);
	tasks[task].has_begun = 1;
	stacks[thread][++depths[thread]] = task;
}

static uint64_t *above(int group)
{
	return group == NONE ? &barrier : &groups[group].tasks;
}

/* Ends the running task in the model. */
static void model_end(int thread)
{
	struct model_task *task = task_of(thread), *parent = &tasks[task->parent];
	int group = task->group;

	depths[thread]--;
	task->is_over = 1;
	longer(above(group), task->kids);
	if (group != NONE && groups[group].owner == task->parent)
		longer(&groups[group].children, task->length);
	else
		longer(parent->is_over ? above(group) : &parent->kids, task->length);
}

static void end(int thread)
{
	if (!depths[thread] || has_open_group(running(thread)))
		return;
	ompp_span_end(threads[thread], NULL, now);
	model_end(thread);
}

static void leave(int thread)
{
	task_of(thread)->group = NONE;
	ompp_span_left(threads[thread], now);
	model_end(thread);
}

static void open_group(int thread)
{
	if (n_groups == MOST)
		return;
	ompp_span_group(threads[thread]);
	groups[n_groups] = (struct model_group){ .owner = running(thread), .outer = group_of(running(thread)) };
	n_groups++;
}

static int is_in_group(int task, int group)
{
	for (int at = tasks[task].group; at != NONE; at = groups[at].outer)
		if (at == group)
			return 1;
	return 0;
}

static void end_group(int thread)
{
	int group = group_of(running(thread));

	if (!has_open_group(running(thread)))
		return;
	for (int i = 0; i < n_tasks; i++)
		if (is_in_group(i, group) && !tasks[i].is_over)
			tasks[i].is_cancelled = 1;
	ompp_span_group_end(threads[thread], now);
	groups[group].is_over = 1;
	longer(&task_of(thread)->length, groups[group].tasks);
	longer(&task_of(thread)->length, groups[group].children);
}

static void wait_for_children(int thread)
{
	int task = running(thread);

	ompp_span_wait(threads[thread], now);
	longer(&tasks[task].length, tasks[task].kids);
	tasks[task].kids = 0;
	for (int i = 0; i < n_groups; i++)
		if (groups[i].owner == task && !groups[i].is_over)
			longer(&tasks[task].length, groups[i].children);
}

/* Does something in a thread.  What was cancelled in it is left first: a thread sees that at its next event. */
static void step(int thread)
{
	static void (*const actions[])(int thread) = { create, create, begin,      begin,     begin,
		                                       end,    end,    open_group, end_group, wait_for_children };

	while (task_of(thread)->is_cancelled)
		leave(thread);
	work(thread, below(3) ? 1 + below(50) : 0);
	actions[below(OMPP_COUNT_OF(actions))](thread);
	if (!task_of(thread)->is_cancelled)
		assert_int_equal((*threads[thread]->at)->path.ticks, task_of(thread)->length);
}

/* Ends all that runs, and what has not begun and was not cancelled. */
static void finish(void)
{
	for (int busy = 1; busy;) {
		busy = 0;
		for (int thread = 0; thread < 2; thread++)
			for (; depths[thread]; busy = 1) {
				if (task_of(thread)->is_cancelled) {
					leave(thread);
					continue;
				}
				while (has_open_group(running(thread)))
					end_group(thread);
				end(thread);
			}
		for (int i = 2; i < n_tasks; i++)
			if (!tasks[i].has_begun && !tasks[i].is_cancelled) {
				ompp_span_begin(threads[0], tasks[i].record, now);
				tasks[i].has_begun = 1;
				stacks[0][++depths[0]] = i;
				busy = 1;
				break;
			}
	}
}

/* ---- records ---- */

static size_t count_free(const struct ompp_span *s)
{
	size_t n = 0;

	for (int i = 0; i < 2; i++)
		for (const struct ompp_span_task *task = i ? s->returned : s->free; task; task = task->next) {
			assert_true(++n <= LIMIT / sizeof(*task)); /* no circle */
			assert_int_equal(task->n_refs, 1);
			assert_null(task->group);
		}
	return n;
}

static size_t count_used(void)
{
	size_t n = 0;

	for (int i = 0; i < 2; i++)
		n += (LIMIT - threads[i]->left_bytes) / sizeof(struct ompp_span_task) - count_free(threads[i]);
	return n;
}

/* Returns how many records are never free again: of tasks that never begin, of those that created one, as that might
 * hand over its path, and of taskgroups whose task was left.  Each of these may hold some that ended in it: *more at
 * the most. */
static size_t count_lost(size_t *more)
{
	size_t n = 0;

	*more = 0;

	for (int i = 2; i < n_tasks; i++)
		if (!tasks[i].has_begun)
			tasks[i].is_lost = tasks[tasks[i].parent].is_lost = 1;
	for (int i = 0; i < n_tasks; i++)
		n += (size_t)tasks[i].is_lost;
	for (int i = 0; i < n_groups; i++)
		if (!groups[i].is_over) {
			n += 2;
			*more += 4;
		}
	return n;
}

static void play(uint64_t its_seed)
{
	size_t n_used = count_used(), n_lost, more;

	seed = its_seed;
	barrier = 0;
	n_groups = 0;
	n_tasks = 2;
	ompp_span_fork(threads[0], &team, now);
	for (int i = 0; i < 2; i++) {
		ompp_span_member(threads[i], &team, (uint32_t)i, now);
		tasks[i] = (struct model_task){
			.record = threads[i]->member, .parent = NONE, .group = NONE, .has_begun = 1
		};
		tasks[i].length = threads[i]->member->path.ticks;
		depths[i] = 0;
		stacks[i][0] = i;
	}
	for (int i = 0; i < STEPS; i++)
		step((int)below(2));
	finish();
	for (int i = 0; i < 2; i++) {
		while (has_open_group(i))
			end_group(i);
		longer(&barrier, tasks[i].length);
		longer(&barrier, tasks[i].kids);
	}
	for (int i = 1; i >= 0; i--)
		ompp_span_member_end(threads[i], &team, !i, now);
	ompp_span_join_team(threads[0], &team, NULL, PLACE << OMPP_PLACE_SHIFT);
	if ((*threads[0]->at)->path.ticks != barrier)
		fail_msg("seed %llu: the path is %llu long, not %llu", (unsigned long long)its_seed,
		         (unsigned long long)(*threads[0]->at)->path.ticks, (unsigned long long)barrier);
	n_lost = count_lost(&more);
	if (count_used() - n_used - n_lost > more)
		fail_msg("seed %llu: %zu records in use, not %zu to %zu", (unsigned long long)its_seed, count_used(),
		         n_used + n_lost, n_used + n_lost + more);
}

static void random_orders(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		threads[i] = ompp_span_new(LIMIT);
		assert_non_null(threads[i]);
		ompp_span_host(threads[i], now);
	}
	for (uint64_t i = 0; i < SEEDS; i++)
		play(i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_orders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
