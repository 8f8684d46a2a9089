/*
 * Race: threads run in no order but that of OpenMP's own barriers, while reports are made.  The counts are known by
 * arithmetic; built with -fsanitize=thread, the test shows data races of the runtime.
 */
#include "tests/unit/steps.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "runtime/collect/collect.h"

enum { THREADS = 4, ROUNDS = 300, INNER = 5 };

REGION(parallel, parallel, 10, 19);
REGION(loop, for, 20, 29);
REGION(critical, critical, 30, 39);
REGION(task, task, 40, 49);
REGION(taskwait, taskwait, 45, 45);
REGION(user, userRegion, 50, 59);

static int64_t team;
static _Atomic int done;
static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;

static void work(void)
{
	int64_t old, new_task;
	int i;

	ompp_parallel_begin(&h_parallel, team);
	POMP2_For_enter(&h_loop, loop_ctc);
	for (i = 0; i < INNER; i++) {
		POMP2_Critical_enter(&h_critical, critical_ctc);
		pthread_mutex_lock(&section);
		POMP2_Critical_begin(&h_critical);
		POMP2_Critical_end(&h_critical);
		pthread_mutex_unlock(&section);
		POMP2_Critical_exit(&h_critical);
	}
	POMP2_Task_create_begin(&h_task, &new_task, &old, 1, task_ctc);
	POMP2_Task_begin(&h_task, new_task);
	POMP2_Task_end(&h_task);
	POMP2_Task_create_end(&h_task, old);
	POMP2_Implicit_barrier_enter(&h_loop, &old);
	POMP2_Implicit_barrier_exit(&h_loop, old);
	POMP2_For_exit(&h_loop);
	POMP2_Parallel_end(&h_parallel);
}

static void pool_thread(void)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		barrier_wait();
		work();
		barrier_wait();
	}
}

static void *reporter(void *arg)
{
	struct ompp_profile profile;
	struct ompp_arena arena;

	ompp_arena_init(&arena, 0);
	while (!atomic_load(&done)) {
		if (ompp_collect(&profile, &arena, 0, 0))
			return arg;
		ompp_arena_fini(&arena);
	}
	return NULL;
}

static void a_pool_and_a_reporter(void **state)
{
	pthread_t other;
	void *failed;
	int i;

	(void)state;
	barrier_init(THREADS);
	POMP2_Assign_handle(&h_parallel, parallel_ctc);
	pthread_create(&other, NULL, reporter, &team);
	for (i = 1; i < THREADS; i++)
		start_thread(i, pool_thread);
	for (i = 0; i < ROUNDS; i++) {
		POMP2_Parallel_fork(&h_parallel, 1, THREADS, &team, parallel_ctc);
		barrier_wait();
		work();
		barrier_wait();
		POMP2_Parallel_join(&h_parallel, team);
	}
	join_threads();
	atomic_store(&done, 1);
	pthread_join(other, &failed);
	assert_null(failed);
	collect();
	check_identities();
	for (i = 0; i < THREADS; i++) {
		char row[2] = { (char)('0' + i), '\0' };

		assert_int_equal(cell("10", row)->n_exec, ROUNDS);
		assert_int_equal(cell("10/20", row)->n_exec, ROUNDS);
		assert_int_equal(cell("10/20/30", row)->n_exec, ROUNDS * INNER);
		assert_int_equal(cell("10/20/40", row)->n_exec, ROUNDS);
		assert_int_equal(cell("10/40x", row)->n_exec, ROUNDS);
	}
	assert_int_equal(note(OMPP_NOTE_LOST_TEAM), 0);
}

/* Regions that are new while reports are made are whole in a report, or not yet in it. */
enum { NEW_REGIONS = 3000 };

static _Atomic int n_met;

static void meet_regions(void)
{
	static void *handles[NEW_REGIONS];
	static char ctc[NEW_REGIONS][128];

	for (int i = 0; i < NEW_REGIONS; i++) {
		snprintf(ctc[i], sizeof(ctc[i]), "0*regionType=%s*sscl=t.c:1:1*escl=t.c:1:1*%s=new_%d*",
		         i % 2 ? "userRegion" : "critical", i % 2 ? "userRegionName" : "criticalName", i);
		if (i % 2) {
			POMP2_Begin(&handles[i], ctc[i]);
			POMP2_End(&handles[i]);
		} else {
			POMP2_Critical_enter(&handles[i], ctc[i]);
			POMP2_Critical_begin(&handles[i]);
			POMP2_Critical_end(&handles[i]);
			POMP2_Critical_exit(&handles[i]);
		}
		atomic_store(&n_met, i + 1);
	}
}

static int is_whole(const struct ompp_profile *p)
{
	for (size_t i = 1; i < p->n_nodes; i++) {
		const struct ompp_node *node = &p->nodes[i];

		if (node->region >= p->n_regions || node->construct != p->regions[node->region].construct ||
		    strncmp(p->regions[node->region].name, "new_", 4))
			return 0;
	}
	return 1;
}

static void regions_appear_during_reports(void **state)
{
	struct ompp_profile profile;
	struct ompp_arena arena;

	(void)state;
	ompp_arena_init(&arena, 0);
	start_thread(0, meet_regions);
	while (!atomic_load(&n_met)) /* there is no session before the first event */
		sched_yield();
	while (atomic_load(&n_met) < NEW_REGIONS) {
		assert_int_equal(ompp_collect(&profile, &arena, 0, 0), 0);
		assert_true(is_whole(&profile));
		ompp_arena_fini(&arena);
	}
	join_threads();
	assert_int_equal(collect()->n_regions, NEW_REGIONS);
}

/* Runs host threads that come and go, each of which has its own regions and team. */
static void host(void)
{
	int64_t mine;
	int i;

	for (i = 0; i < 20; i++) {
		POMP2_Begin(&h_user, user_ctc);
		POMP2_Parallel_fork(&h_parallel, 1, 1, &mine, parallel_ctc);
		ompp_parallel_begin(&h_parallel, mine);
		POMP2_Parallel_end(&h_parallel);
		POMP2_Parallel_join(&h_parallel, mine);
		POMP2_End(&h_user);
	}
}

static void hosts_come_and_go(void **state)
{
	const struct ompp_profile *p;
	uint64_t n = 0;
	uint32_t k;
	int i, j;

	(void)state;
	for (i = 0; i < 20; i++) {
		for (j = 0; j < THREADS; j++)
			start_thread(0, host);
		join_threads();
	}
	p = collect();
	check_identities();
	for (i = 0; i < (int)p->n_nodes; i++)
		for (k = 0; p->nodes[i].construct == OMPP_PARALLEL && k < p->nodes[i].n_cells; k++)
			n += p->cells[p->nodes[i].first_cell + k].n_exec;
	assert_int_equal(n, 20 * THREADS * 20);
	assert_true(p->n_rows <= THREADS + 1); /* slots are used again, and so are the rows of hosts */
}

/* Untied instances go from thread to thread: one suspends them, the next resumes them. */
static int64_t token;

static __attribute__((noinline)) void suspend(void)
{
	char room[300];

	__asm__ volatile("" : : "r"(room) : "memory");
	POMP2_Untied_task_begin(&h_task, 0);
	POMP2_Taskwait_begin(&h_taskwait, &token, taskwait_ctc);
	__asm__ volatile("" : : "r"(room) : "memory");
}

static __attribute__((noinline)) void resume(int last)
{
	char room[300];

	__asm__ volatile("" : : "r"(room) : "memory");
	POMP2_Taskwait_end(&h_taskwait, token);
	if (last)
		POMP2_Untied_task_end(&h_task);
	else
		POMP2_Taskwait_begin(&h_taskwait, &token, taskwait_ctc);
	__asm__ volatile("" : : "r"(room) : "memory");
}

static void hand_over(void)
{
	int64_t old;
	int turn, i;

	for (i = 0; i < ROUNDS; i++) {
		barrier_wait();
		ompp_parallel_begin(&h_parallel, team);
		POMP2_Implicit_barrier_enter(&h_parallel, &old);
		for (turn = 0; turn <= THREADS; turn++) {
			if (turn % THREADS == rank) {
				if (turn)
					resume(turn == THREADS);
				else
					suspend();
			}
			barrier_wait();
		}
		POMP2_Implicit_barrier_exit(&h_parallel, old);
		POMP2_Parallel_end(&h_parallel);
		barrier_wait();
		if (!rank) {
			POMP2_Parallel_join(&h_parallel, team);
			if (i + 1 < ROUNDS)
				POMP2_Parallel_fork(&h_parallel, 1, THREADS, &team, parallel_ctc);
		}
	}
}

static void untied_instances_wander(void **state)
{
	uint64_t n = 0;
	int i;

	(void)state;
	POMP2_Assign_handle(&h_task, task_ctc);
	barrier_init(THREADS);
	POMP2_Parallel_fork(&h_parallel, 1, THREADS, &team, parallel_ctc);
	for (i = 1; i < THREADS; i++)
		start_thread(i, hand_over);
	hand_over();
	join_threads();
	collect();
	check_identities();
	for (i = 0; i < THREADS; i++) {
		char row[2] = { (char)('0' + i), '\0' };

		assert_int_equal(cell("10", row)->n_exec, ROUNDS);
		n += cell("10/40x", row)->n_exec;
	}
	assert_int_equal(n, ROUNDS);
	assert_int_equal(note(OMPP_NOTE_LEFT) + note(OMPP_NOTE_STRAY) + note(OMPP_NOTE_OPEN), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pool_and_a_reporter),
		cmocka_unit_test(hosts_come_and_go),
		cmocka_unit_test(regions_appear_during_reports),
		cmocka_unit_test(untied_instances_wander),
	};

	return RUN_APART(tests);
}
