/*
 * Interrupted: a signal handler with events of its own may come at each instruction of an event, and both are counted
 * as if it had come between events.  The processor's trap flag sends a signal behind each instruction.
 */
#define _GNU_SOURCE
#include "tests/unit/steps.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/events/visit.h"
#include "runtime/session/register.h"

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#include <x86intrin.h>

#define TRAP_FLAG UINT64_C(0x100)

/* The interrupted program's, and the handler's. */
REGION(parallel, parallel, 10, 99);
REGION(atomic, atomic, 20, 20);
REGION(critical, critical, 30, 39);
REGION(single, single, 40, 49);
REGION(loop, for, 50, 59);
REGION(task, task, 60, 69);
REGION_WITH(untied, task, 80, 85, "hasUntied=1*");
REGION(taskwait, taskwait, 90, 90);
REGION_WITH(user, userRegion, 95, 96, "userRegionName=u*");
REGION_WITH(tick, userRegion, 120, 121, "userRegionName=tick*");
REGION(of_handler, critical, 130, 139);
REGION(inner_task, task, 160, 169);

enum { N_ROUNDS = 20, N_SEEDS = 4, N_HANDLERS = 3, AT_LEAST = 100, PARTS = 2 };

static int has_handlers;
static uint32_t n_until; /* a handler comes behind so many instructions */
static uint32_t seed;
static uint64_t n_handlers[N_HANDLERS];

static uint32_t dice(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)seed * below >> 32);
}

static void handler_task(void)
{
	int64_t old, new_task;

	POMP2_Task_create_begin(&h_inner_task, &new_task, &old, 0, inner_task_ctc);
	POMP2_Task_begin(&h_inner_task, new_task);
	POMP2_Task_end(&h_inner_task);
	POMP2_Task_create_end(&h_inner_task, old);
}

/* Comes behind each instruction of an event, until it is time for the handler, of which an event has one at most. */
static void interrupt(int sig, siginfo_t *info, void *context)
{
	const struct ompp_thread *self = ompp_self;
	const struct ompp_frame *top = self->top, *base = self->base;
	ucontext_t *of = context;
	uint32_t which;

	(void)sig;
	(void)info;
	if (n_until > 0) {
		n_until--;
		return;
	}
	if (sigismember(&of->uc_sigmask, SIGALRM)) /* where other handlers are held back, this one is, too */
		return;
	of->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	which = dice(N_HANDLERS);
	n_handlers[which]++;
	switch (which) {
	case 0:
		POMP2_Begin(&h_tick, tick_ctc);
		POMP2_End(&h_tick);
		break;
	case 1:
		POMP2_Critical_enter(&h_of_handler, of_handler_ctc);
		POMP2_Critical_begin(&h_of_handler);
		POMP2_Critical_end(&h_of_handler);
		POMP2_Critical_exit(&h_of_handler);
		break;
	default:
		handler_task();
		break;
	}
	if (self == ompp_self && (self->top != top || self->base != base)) { /* else it was the thread's first event */
		printf("handler %u at instruction %p: frame %d, base %d before; %d, %d after\n", which,
		       (void *)of->uc_mcontext.gregs[REG_RIP], (int)(top - self->frames), (int)(base - self->frames),
		       (int)(self->top - self->frames), (int)(self->base - self->frames));
		fflush(stdout);
		_exit(1);
	}
}

/* Lets a handler come in the event that follows, or not: early ones are as likely as late ones. */
static void handlers_on(void)
{
	if (!has_handlers)
		return;
	n_until = dice(1u << dice(10));
	__writeeflags(__readeflags() | TRAP_FLAG);
}

static void handlers_off(void)
{
	if (has_handlers)
		__writeeflags(__readeflags() & ~TRAP_FLAG);
}

#define EVENT(call) (handlers_on(), (call), handlers_off())

static void run_task(int untied)
{
	int64_t old, new_task;

	if (untied) {
		EVENT(POMP2_Untied_task_create_begin(&h_untied, &new_task, &old, 0, untied_ctc));
		EVENT(POMP2_Untied_task_begin(&h_untied, new_task));
		EVENT(POMP2_Untied_task_end(&h_untied));
		EVENT(POMP2_Untied_task_create_end(&h_untied, old));
	} else {
		EVENT(POMP2_Task_create_begin(&h_task, &new_task, &old, 0, task_ctc));
		EVENT(POMP2_Task_begin(&h_task, new_task));
		EVENT(POMP2_Atomic_enter(&h_atomic, atomic_ctc));
		EVENT(POMP2_Atomic_exit(&h_atomic));
		EVENT(POMP2_Task_end(&h_task));
		EVENT(POMP2_Task_create_end(&h_task, old));
	}
}

/* One of each event. */
static __attribute__((noinline)) void all_events(void)
{
	int64_t old, token;

	EVENT(POMP2_Begin(&h_user, user_ctc));
	EVENT(POMP2_Atomic_enter(&h_atomic, atomic_ctc));
	EVENT(POMP2_Atomic_exit(&h_atomic));
	EVENT(POMP2_Critical_enter(&h_critical, critical_ctc));
	EVENT(POMP2_Critical_begin(&h_critical));
	EVENT(POMP2_Critical_end(&h_critical));
	EVENT(POMP2_Critical_exit(&h_critical));
	EVENT(POMP2_Single_enter(&h_single, single_ctc));
	EVENT(POMP2_Single_begin(&h_single));
	EVENT(POMP2_Single_end(&h_single));
	EVENT(POMP2_Single_exit(&h_single));
	EVENT(POMP2_For_enter(&h_loop, loop_ctc));
	EVENT(POMP2_For_exit(&h_loop));
	run_task(0);
	run_task(1);
	EVENT(POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc));
	EVENT(POMP2_Taskwait_end(&h_taskwait, old));
	EVENT(POMP2_Parallel_fork(&h_parallel, 1, 1, &token, parallel_ctc));
	EVENT(ompp_parallel_begin(&h_parallel, token));
	EVENT(POMP2_Atomic_enter(&h_atomic, atomic_ctc));
	EVENT(POMP2_Atomic_exit(&h_atomic));
	EVENT(POMP2_Parallel_end(&h_parallel));
	EVENT(POMP2_Parallel_join(&h_parallel, token));
	EVENT(POMP2_End(&h_user));
}

/* Returns how often a region with this first line was executed, wherever it was. */
static uint64_t executions(const struct ompp_profile *p, uint32_t line, int of_tasks)
{
	uint64_t n = 0;

	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const struct ompp_node *node = &p->nodes[i];

		if (p->regions[node->region].begin_line != line || (node->construct == OMPP_TASKEXEC) != of_tasks)
			continue;
		for (uint32_t k = node->first_cell; k < node->first_cell + node->n_cells; k++)
			n += p->cells[k].n_exec;
	}
	return n;
}

static void expect(const char *how, const struct ompp_profile *p, uint32_t line, int of_tasks, uint64_t wanted)
{
	uint64_t n = executions(p, line, of_tasks);

	if (n != wanted)
		fail_msg("%s: line %u, %s: %llu executions, not %llu", how, line, of_tasks ? "tasks" : "regions",
		         (unsigned long long)n, (unsigned long long)wanted);
}

/* Checks that nothing takes longer than the run. */
static void check_times(const struct ompp_profile *p)
{
	for (uint32_t i = 0; i < p->n_cells; i++) {
		const struct ompp_cell *c = &p->cells[i];
		const int64_t times[] = { c->exec_ns,    c->body_ns,     c->enter_ns, c->exit_ns, c->exit_bar_ns,
			                  c->startup_ns, c->shutdown_ns, c->mgmt_ns,  c->task_ns, c->incl_ns };

		for (size_t k = 0; k < OMPP_COUNT_OF(times); k++)
			assert_in_range(times[k], 0, p->duration_ns);
	}
}

/* Runs all events with handlers in between, and checks what is counted. */
static void play(const char *how, uint32_t its_seed)
{
	static const uint32_t once[] = { 10, 30, 40, 50, 60, 80, 90, 95 };
	uint64_t n = N_ROUNDS;
	const struct ompp_profile *p;
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = interrupt;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGTRAP, &action, NULL);
	POMP2_Init();
	if (its_seed % 2) { /* the others make all nodes while handlers come */
		all_events();
		n++;
	}
	seed = its_seed;
	has_handlers = 1;
	for (int i = 0; i < N_ROUNDS; i++) {
		all_events();
		assert_ptr_equal(ompp_self->top, ompp_self->frames);
		assert_ptr_equal(ompp_self->base, ompp_self->frames);
	}
	has_handlers = 0;
	p = collect();
	for (size_t i = 0; i < OMPP_COUNT_OF(once); i++)
		expect(how, p, once[i], 0, n);
	expect(how, p, 20, 0, 3 * n);
	expect(how, p, 60, 1, n);
	expect(how, p, 80, 1, n);
	expect(how, p, 120, 0, n_handlers[0]);
	expect(how, p, 130, 0, n_handlers[1]);
	expect(how, p, 160, 0, n_handlers[2]);
	expect(how, p, 160, 1, n_handlers[2]);
	for (int kind = 0; kind < OMPP_NOTE_NEGATIVE; kind++)
		if (note((enum ompp_note_kind)kind))
			fail_msg("%s: note %d", how, kind);
	check_times(p);
	assert_true(n_handlers[0] + n_handlers[1] + n_handlers[2] >= AT_LEAST);
}

static void each_seed(const char *how)
{
	for (uint32_t s = 1 + part_of_cases(PARTS); s <= N_SEEDS; s += PARTS) {
		pid_t child = fork();
		int status;

		if (!child) {
			play(how, s);
			_exit(0);
		}
		assert_true(child > 0);
		assert_int_equal(waitpid(child, &status, 0), child);
		if (status)
			fail_msg("%s: seed %u: status %x", how, s, (unsigned)status);
	}
}

static void usual(void **state)
{
	(void)state;
	option("OMPP_CLOCK", "auto");
	option("OMPP_HOT", "0");
	each_seed("usual");
}

static void by_a_call(void **state)
{
	(void)state;
	option("OMPP_CLOCK", "fake");
	option("OMPP_HOT", "0");
	each_seed("the clock is a call");
}

static void on_path(void **state)
{
	(void)state;
	option("OMPP_CLOCK", "auto");
	option("OMPP_HOT", "0");
	option("OMPP_SPAN", "1");
	each_seed("the longest path");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usual),
		cmocka_unit_test(by_a_call),
		cmocka_unit_test(on_path),
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
