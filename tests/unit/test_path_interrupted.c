/*
 * Path, interrupted: a signal handler that creates tasks and waits for them may come behind each instruction of an
 * event, as test_interrupted.c has it of other events, and no record of the longest path is used twice or lost, and no
 * time is counted twice.  Here the handler comes behind the first instruction of each event, then behind the second one
 * of each, and so on.
 */
#define _GNU_SOURCE
#include "tests/unit/steps.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/events/task.h"
#include "runtime/events/thread_start.h"
#include "runtime/host/clock.h"
#include "runtime/span/span.h"
#include "runtime/span/span_depend.h"

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#include <x86intrin.h>

#define TRAP_FLAG UINT64_C(0x100)

/* The interrupted program's, and the handler's. */
REGION(parallel, parallel, 10, 99);
REGION(barrier, barrier, 20, 20);
REGION(group, taskgroup, 30, 59);
REGION(task, task, 40, 49);
REGION(taskwait, taskwait, 60, 60);
REGION(taskloop, taskloop, 70, 79);
REGION_WITH(untied, task, 80, 85, "hasUntied=1*");
REGION(its_group, taskgroup, 130, 159);
REGION(its_task, task, 140, 149);
REGION(its_wait, taskwait, 160, 160);

/* Behind so many instructions most events have ended; beyond the first ones one in STRIDE is enough.  A taskloop, which
 * is created once, begins two tasks. */
enum { EACH = 130, MOST = 400, STRIDE = 9, N_TASKS = 9, N_BEGUN = 10, N_ITS_TASKS = 4, PARTS = 3 };

/* An instruction of an event, where a sanitizer adds others to it. */
#ifdef __SANITIZE_ADDRESS__
enum { INSTRUCTIONS = 8 };
#else
enum { INSTRUCTIONS = 1 };
#endif

static int has_handlers;
static uint32_t behind, n_until;
static uint64_t n_handlers, n_in_handlers;
static int x, y;

static int64_t create(void **handle, const char *ctc, int depend, const void *address)
{
	int64_t old, task;

	POMP2_Task_create_begin(handle, &task, &old, OMPP_TASK_IF, ctc);
	ompp_task_depends(task, depend, address);
	POMP2_Task_create_end(handle, old);
	return task;
}

static void run(void **handle, int64_t task)
{
	POMP2_Task_begin(handle, task);
	POMP2_Task_end(handle);
}

static void handler_tasks(void)
{
	int64_t old, old_wait, a, b, c;

	POMP2_Taskwait_begin(&h_its_group, &old, its_group_ctc);
	a = create(&h_its_task, its_task_ctc, OMPP_SPAN_OUT, &x);
	b = create(&h_its_task, its_task_ctc, OMPP_SPAN_OUT, &x);
	run(&h_its_task, a);
	c = create(&h_its_task, its_task_ctc, OMPP_SPAN_IN, &y);
	POMP2_Task_begin(&h_its_task, b);
	run(&h_its_task, create(&h_its_task, its_task_ctc, OMPP_SPAN_IN, &y));
	POMP2_Taskwait_begin(&h_its_wait, &old_wait, its_wait_ctc);
	POMP2_Taskwait_end(&h_its_wait, old_wait);
	POMP2_Task_end(&h_its_task);
	run(&h_its_task, c);
	ompp_taskgroup_ends(&h_its_group);
	POMP2_Taskwait_end(&h_its_group, old);
	n_handlers++;
}

/* Comes behind each instruction of an event, until it is time for the handler, of which an event has one at most. */
static void interrupt(int sig, siginfo_t *info, void *context)
{
	ucontext_t *of = context;

	(void)sig;
	(void)info;
	if (n_until > 0) {
		n_until--;
		return;
	}
	if (sigismember(&of->uc_sigmask, SIGALRM)) /* where other handlers are held back, this one is, too */
		return;
	of->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	n_in_handlers++;
	handler_tasks();
}

static void handlers_on(void)
{
	if (!has_handlers)
		return;
	n_until = behind * INSTRUCTIONS;
	__writeeflags(__readeflags() | TRAP_FLAG);
}

static void handlers_off(void)
{
	if (has_handlers)
		__writeeflags(__readeflags() & ~TRAP_FLAG);
}

#define EVENT(call) (handlers_on(), (call), handlers_off())

static int64_t create_task(int depend, const void *address)
{
	int64_t old, task;

	EVENT(POMP2_Task_create_begin(&h_task, &task, &old, OMPP_TASK_IF, task_ctc));
	if (depend)
		EVENT(ompp_task_depends(task, depend, address));
	EVENT(POMP2_Task_create_end(&h_task, old));
	return task;
}

static void run_task(int64_t task)
{
	EVENT(POMP2_Task_begin(&h_task, task));
	EVENT(POMP2_Task_end(&h_task));
}

static void wait_for_tasks(void)
{
	int64_t old;

	EVENT(POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc));
	EVENT(POMP2_Taskwait_end(&h_taskwait, old));
}

static void run_taskloop(void)
{
	int64_t old, task, chunk = 0;
	void **handle;

	EVENT(POMP2_Task_create_begin(&h_taskloop, &task, &old, OMPP_TASK_IF, taskloop_ctc));
	for (int i = 0; i < 2; i++) {
		EVENT(handle = ompp_iteration_begun(&h_taskloop, task, &chunk));
		EVENT(ompp_task_left(&handle));
	}
	EVENT(POMP2_Task_create_end(&h_taskloop, old));
}

static void run_untied(void)
{
	int64_t old, task;

	EVENT(POMP2_Untied_task_create_begin(&h_untied, &task, &old, OMPP_TASK_IF, untied_ctc));
	EVENT(POMP2_Untied_task_create_end(&h_untied, old));
	EVENT(POMP2_Untied_task_begin(&h_untied, task));
	EVENT(POMP2_Untied_task_end(&h_untied));
}

/* Tasks of each kind: with dependences, children, in a taskgroup, undeferred, of a taskloop. */
static void all_tasks(void)
{
	int64_t old, a, b, c;

	EVENT(POMP2_Taskwait_begin(&h_group, &old, group_ctc));
	a = create_task(OMPP_SPAN_OUT, &x);
	b = create_task(OMPP_SPAN_IN, &x);
	run_task(a);
	EVENT(ompp_taskgroup_ends(&h_group));
	run_task(b);
	EVENT(POMP2_Taskwait_end(&h_group, old));
	a = create_task(0, NULL);
	b = create_task(0, NULL);
	EVENT(POMP2_Task_begin(&h_task, a));
	c = create_task(0, NULL);
	run_task(c);
	wait_for_tasks();
	EVENT(POMP2_Task_end(&h_task));
	run_task(b);
	wait_for_tasks();
	run_task(create_task(0, NULL));
	EVENT(POMP2_Task_create_begin(&h_task, &a, &old, 0, task_ctc));
	run_task(a);
	EVENT(POMP2_Task_create_end(&h_task, old));
	run_untied();
	run_taskloop();
}

static __attribute__((noinline)) void all_events(void)
{
	int64_t old, token;

	POMP2_Parallel_fork(&h_parallel, 1, 1, &token, parallel_ctc); /* its place is found, and times at its join */
	EVENT(ompp_parallel_begin(&h_parallel, token));
	all_tasks();
	EVENT(POMP2_Barrier_enter(&h_barrier, &old, barrier_ctc));
	EVENT(POMP2_Barrier_exit(&h_barrier, old));
	EVENT(POMP2_Parallel_end(&h_parallel));
	POMP2_Parallel_join(&h_parallel, token);
}

/* ---- what must hold between events ---- */

/* Counts the records of a list, each of which is what a free one is.  A list that is a circle never ends; so no more
 * than `most` are counted. */
static size_t count_free(const struct ompp_span_task *task, size_t most)
{
	size_t n = 0;

	for (; task && n <= most; task = task->next, n++)
		if (task->n_refs != 1 || task->flags || task->group || task->groups || task->items || task->chunk ||
		    task->addresses || task->kids.mine || task->is_closed || task->number || task->n_shared)
			fail_msg("a free record is none: %u references, flags %x", task->n_refs, task->flags);
	return n;
}

/* Returns how many records are in use. */
static size_t count_used(const struct ompp_span *s, size_t n_bytes)
{
	size_t n = (n_bytes - s->left_bytes) / sizeof(*s->free);
	size_t n_free = count_free(s->free, n) + count_free(s->returned, n);

	if (n_free > n)
		fail_msg("behind %u instructions: %zu records are free of %zu", behind, n_free, n);
	return n - n_free;
}

static void check_times(const struct ompp_span *s, uint64_t begin)
{
	uint64_t ticks = ompp_clock() - begin, work = 0, parts = 0;
	const struct ompp_longest *path = &(*s->at)->path;

	for (uint32_t i = 0; i < s->n_work; i++)
		work += s->work[i];
	for (uint32_t i = 0; i < OMPP_LONGEST_PLACES; i++)
		parts += path->part[i];
	assert_int_equal(path->ticks, parts + path->rest_ticks);
	if (work > ticks || path->ticks > work)
		fail_msg("behind %u instructions: %llu ticks of work, %llu on the path, in %llu ticks", behind,
		         (unsigned long long)work, (unsigned long long)path->ticks, (unsigned long long)ticks);
}

/* Runs all events with a handler behind so many instructions of each.  Returns how many came. */
static uint64_t round_of(struct ompp_span *s, size_t n_bytes, size_t n_used)
{
	struct ompp_span_task *const *at = s->at;
	uint64_t created = s->n_created, lost = s->n_lost + s->n_unknown, before = n_handlers;

	all_events();
	if (ompp_self->span != s || s->at != at || *at != s->member)
		fail_msg("behind %u instructions: another task is on top", behind);
	if (count_used(s, n_bytes) != n_used)
		fail_msg("behind %u instructions: %zu records in use, not %zu", behind, count_used(s, n_bytes), n_used);
	assert_int_equal(n_in_handlers, n_handlers);
	assert_int_equal(s->n_created - created, N_TASKS + N_ITS_TASKS * (n_handlers - before));
	assert_in_range(s->n_lost + s->n_unknown - lost, 0, N_ITS_TASKS * (n_handlers - before));
	return n_handlers - before;
}

static void no_record_is_used_twice(void **state)
{
	struct sigaction action = { .sa_sigaction = interrupt, .sa_flags = SA_SIGINFO };
	struct ompp_span *s;
	uint64_t begin, n = 1;
	size_t n_bytes, n_used;

	(void)state;
	option("OMPP_CLOCK", "auto");
	option("OMPP_HOT", "0");
	option("OMPP_SPAN", "1");
	sigaction(SIGTRAP, &action, NULL);
	begin = ompp_clock();
	POMP2_Init();
	all_events();
	handler_tasks();
	n_in_handlers++;
	all_events();
	s = ompp_self->span;
	assert_non_null(s);
	n_bytes = (size_t)ompp_session.options.number[OMPP_OPT_MEM];
	n_used = count_used(s, n_bytes);
	has_handlers = 1;
	for (behind = part_of_cases(PARTS); n && behind < MOST; behind += PARTS * (behind < EACH ? 1 : STRIDE))
		n = round_of(s, n_bytes, n_used);
	has_handlers = 0;
	check_times(s, begin);
	assert_true(n_handlers > 1000 / PARTS);
	assert_true(s->n_lost > 1000 / PARTS); /* or none came inside a change */
}

/* ---- a handler in a handler that forks ---- */

static volatile int n_deep; /* handlers of a round that have come */
static volatile uint32_t
	behind_its; /* instructions of the first handler's own event behind which the second one comes */
static volatile pid_t child;

static void interrupt_and_fork(int sig, siginfo_t *info, void *context)
{
	ucontext_t *of = context;
	int64_t task;

	(void)sig;
	(void)info;
	if (n_until > 0 && n_deep < 2) {
		n_until--;
		return;
	}
	of->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	if (n_deep == 0) {
		n_deep = 1;
		n_until = behind_its * INSTRUCTIONS;
		__writeeflags(__readeflags() | TRAP_FLAG);
		task = create(&h_its_task, its_task_ctc, 0, NULL);
		__writeeflags(__readeflags() & ~TRAP_FLAG);
		run(&h_its_task, task);
	} else if (n_deep == 1) {
		n_deep = 2;
		child = fork();
		if (!child)
			ompp_threads_after_fork();
	}
}

enum { WITHOUT = 77 };

/* In the child: where a handler interrupted a change, no task is on the path any more, and all count as lost.  Exits
 * with WITHOUT then, with 0 where all go on, and with another number where counts are wrong. */
static void child_counts(void)
{
	const struct ompp_span *s = ompp_self->kept_span;
	uint64_t created, lost;

	if (!s)
		_exit(1);
	created = s->n_created;
	lost = s->n_lost + s->n_unknown;
	all_events();
	if (s != ompp_self->kept_span || s->n_created - created != N_TASKS)
		_exit(2);
	if (s->n_lost + s->n_unknown - lost != (ompp_self->span ? 0 : N_BEGUN))
		_exit(3);
	_exit(ompp_self->span ? 0 : WITHOUT);
}

/* The child is not on the path then, as nobody knows what was being changed; its events go on without. */
static void children_go_on_without(void **state)
{
	struct sigaction action = { .sa_sigaction = interrupt_and_fork, .sa_flags = SA_SIGINFO | SA_NODEFER };
	int n_children = 0, n_without = 0, status;
	int64_t token;

	(void)state;
	option("OMPP_CLOCK", "auto");
	option("OMPP_HOT", "0");
	option("OMPP_SPAN", "1");
	option("OMPP_REPORTFILE", "none");
	sigaction(SIGTRAP, &action, NULL);
	POMP2_Init();
	all_events();
	POMP2_Parallel_fork(&h_parallel, 1, 1, &token, parallel_ctc);
	ompp_parallel_begin(&h_parallel, token);
	for (int kind = 0; kind < 3; kind++)
		for (behind = 2 * part_of_cases(PARTS); behind < 120; behind += 2 * PARTS)
			for (behind_its = 60; behind_its < 150; behind_its += 15) {
				n_deep = 0;
				child = -1;
				has_handlers = 1;
				if (kind == 2)
					wait_for_tasks();
				else if (kind)
					run_task(create_task(0, NULL));
				else
					create_task(0, NULL);
				has_handlers = 0;
				if (!child)
					child_counts();
				if (child < 0)
					continue;
				n_children++;
				assert_int_equal(waitpid(child, &status, 0), child);
				if (status && status != WITHOUT << 8)
					fail_msg("kind %d, behind %u and %u: a child ended with %x", kind, behind,
					         behind_its, status);
				n_without += status != 0;
			}
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, token);
	if (n_children < 300 / PARTS || n_without < 10 / PARTS)
		fail_msg("%d children, %d without the path", n_children, n_without);
}

/* ---- a handler that jumps out of an event ---- */

static sigjmp_buf back;
static struct ompp_thread *slot; /* the last thread's */
static uint64_t n_lost;          /* before the jump */

static void interrupt_and_jump(int sig, siginfo_t *info, void *context)
{
	ucontext_t *of = context;

	(void)sig;
	(void)info;
	if (n_until > 0) {
		n_until--;
		return;
	}
	of->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	if (!sigismember(&of->uc_sigmask, SIGALRM))
		siglongjmp(back, 1);
}

static void *is_left_by_a_jump(void *argument)
{
	int64_t token;

	all_events();
	slot = ompp_self;
	n_lost = slot->kept_span->n_lost;
	POMP2_Parallel_fork(&h_parallel, 1, 1, &token, parallel_ctc);
	ompp_parallel_begin(&h_parallel, token);
	if (!sigsetjmp(back, 1)) {
		has_handlers = 1;
		create_task(OMPP_SPAN_OUT, &x);
	}
	has_handlers = 0;
	return argument;
}

static void *goes_on(void *argument)
{
	all_events();
	slot = ompp_self;
	return argument;
}

static void run_thread(void *(*body)(void *argument))
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, body, NULL), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

/* The next thread in its place has a part of its own, and a task more counts as lost. */
static void no_part_that_was_left_is_used(void **state)
{
	struct sigaction action = { .sa_sigaction = interrupt_and_jump, .sa_flags = SA_SIGINFO };
	int n_left = 0, n_whole = 0;

	(void)state;
	option("OMPP_CLOCK", "auto");
	option("OMPP_HOT", "0");
	option("OMPP_SPAN", "1");
	option("OMPP_REPORTFILE", "none");
	sigaction(SIGTRAP, &action, NULL);
	POMP2_Init();
	for (behind = 0; behind < 200; behind++) {
		const struct ompp_thread *left;
		const struct ompp_span *s;
		uint64_t created;
		int is_left;

		run_thread(is_left_by_a_jump);
		left = slot;
		s = left->kept_span;
		is_left = !left->span;
		is_left ? n_left++ : n_whole++;
		created = s->n_created;
		run_thread(goes_on);
		if (slot != left || is_left == (s == slot->kept_span))
			fail_msg("behind %u instructions: a part that is not whole is used again", behind);
		s = slot->kept_span;
		assert_ptr_equal(s, slot->span);
		assert_int_equal(s->n_created - created, N_TASKS);
		assert_int_equal(s->n_lost - n_lost, is_left);
	}
	if (n_left < 10 || n_whole < 10)
		fail_msg("%d parts were left, %d not", n_left, n_whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_record_is_used_twice),
		cmocka_unit_test(children_go_on_without),
		cmocka_unit_test(no_part_that_was_left_is_used),
	};

	return RUN_APART(tests);
}

#else

int main(void)
{
	puts("skip: no trap flag, or signals are held back");
	return 77;
}

#endif
