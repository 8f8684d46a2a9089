/*
 * Task: the creation and execution of tied and untied tasks, taskwait, and instances that go on in another thread.
 */
#include "tests/unit/steps.h"

#include "runtime/core/thread.h"

REGION(parallel, parallel, 10, 99);
REGION(task, task, 20, 29);
REGION_WITH(untied, task, 30, 39, "hasUntied=1*");
REGION(taskwait, taskwait, 35, 35);
REGION(atomic, atomic, 36, 36);
REGION(loop, for, 40, 49);
REGION(barrier, barrier, 50, 50);

static int64_t team;

/* Gives the handles their regions, as the creation does, which most tests leave out. */
static void assign_handles(void)
{
	POMP2_Assign_handle(&h_task, task_ctc);
	POMP2_Assign_handle(&h_untied, untied_ctc);
}

/* Opens a team of n threads; the clock: fork 1, 2; begin 3. */
static inline void open_team(int n)
{
	assign_handles();
	POMP2_Parallel_fork(&h_parallel, 1, n, &team, parallel_ctc);
	ompp_parallel_begin(&h_parallel, team);
}

static inline void close_team(void)
{
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
}

static inline void create(int64_t *old)
{
	int64_t new_task;

	POMP2_Task_create_begin(&h_task, &new_task, old, 1, task_ctc);
}

static void run_task(void)
{
	POMP2_Task_begin(&h_task, 0);
	POMP2_Task_end(&h_task);
}

/* The clock: begin 3; create 4, task 5–6, create end 7; barrier 8, task 9–10, barrier 11; end 12; join 13. */
static void tied_tasks(void **state)
{
	const struct ompp_cell *c;
	int64_t old;

	(void)state;
	open_team(1);
	create(&old);
	assert_int_equal(old, 0);
	run_task();
	POMP2_Task_create_end(&h_task, old);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	run_task();
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	close_team();
	collect();
	check_identities();
	c = cell("10/20", "0"); /* the creation, less the execution in it */
	assert_int_equal(c->n_exec, 1);
	assert_int_equal(c->exec_ns, us((7 - 4) - (6 - 5)));
	c = cell("10/20x", "0");
	assert_int_equal(c->n_exec, 2);
	assert_int_equal(c->exec_ns, us(2));
	c = cell("10", "0");
	assert_int_equal(c->exec_ns, us(13 - 2));
	assert_int_equal(c->exit_bar_ns, us((11 - 8) - (10 - 9)));
	assert_int_equal(c->task_ns, us(10 - 9));
	assert_int_equal(c->body_ns, us((12 - 3) - (11 - 8)));
}

/* An instance hangs below the parallel region, wherever the scheduler runs it; its own regions hang below it. */
static void instances_hang_below_the_parallel_region(void **state)
{
	int64_t old;

	(void)state;
	open_team(1);
	POMP2_For_enter(&h_loop, loop_ctc);
	create(&old);
	POMP2_Task_begin(&h_task, 0);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	run_task();
	POMP2_Task_end(&h_task);
	POMP2_Task_create_end(&h_task, old);
	POMP2_For_exit(&h_loop);
	close_team();
	collect();
	check_identities();
	assert_int_equal(cell("10/40/20", "0")->n_exec, 1);
	assert_int_equal(cell("10/20x", "0")->n_exec, 2);
	assert_int_equal(cell("10/20x/36", "0")->n_exec, 1);
	assert_false(has_cell("10/40/20/20x", "0"));
	assert_false(has_cell("10/20x/20x", "0"));
}

/* The clock: explicit barrier 4, task 5–6, its end 7; taskwait 8, task 9–10, its end 11. */
static void waits_tell_the_tasks_they_ran(void **state)
{
	int64_t old;

	(void)state;
	open_team(1);
	POMP2_Barrier_enter(&h_barrier, &old, barrier_ctc);
	run_task();
	POMP2_Barrier_exit(&h_barrier, old);
	POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc);
	run_task();
	POMP2_Taskwait_end(&h_taskwait, old);
	close_team();
	collect();
	check_identities();
	assert_int_equal(cell("10/50", "0")->exec_ns, us(3));
	assert_int_equal(cell("10/50", "0")->task_ns, us(1));
	assert_int_equal(cell("10/50", "0")->incl_ns, us(2));
	assert_int_equal(cell("10/35", "0")->exec_ns, us(3));
	assert_int_equal(cell("10/35", "0")->task_ns, us(1));
}

/* When a tied task waits and runs another one meanwhile, its own time does not contain the other's. */
static void nested_instances_keep_their_own_time(void **state)
{
	int64_t old;

	(void)state;
	open_team(1);
	POMP2_Task_begin(&h_task, 0);                          /* 4 */
	POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc); /* 5 */
	assert_int_equal(old, 0);                              /* a tied task can only go on in this thread */
	POMP2_Untied_task_begin(&h_untied, 0);                 /* 6 */
	POMP2_Untied_task_end(&h_untied);                      /* 7 */
	POMP2_Taskwait_end(&h_taskwait, old);                  /* 8 */
	POMP2_Task_end(&h_task);                               /* 9 */
	close_team();
	collect();
	check_identities();
	assert_int_equal(cell("10/20x", "0")->exec_ns, us((9 - 4) - (7 - 6)));
	assert_int_equal(cell("10/30x", "0")->exec_ns, us(1));
	assert_int_equal(cell("10/20x/35", "0")->exec_ns, us(3));
	assert_int_equal(cell("10/20x/35", "0")->task_ns, us(1));
}

/* ---- recursion: tasks wait for tasks that wait for tasks; all time counts once ---- */

static inline void wait_for(void (*inside)(void))
{
	int64_t old;

	POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc);
	if (inside)
		inside();
	POMP2_Taskwait_end(&h_taskwait, old);
}

static void innermost_task(void)
{
	POMP2_Task_begin(&h_task, 0);
	wait_for(NULL);
	POMP2_Task_end(&h_task);
}

static void inner_task(void)
{
	POMP2_Task_begin(&h_task, 0);
	wait_for(innermost_task);
	POMP2_Task_end(&h_task);
}

/* The clock: taskwait 4, task 5, its taskwait 6, task 7, its taskwait 8–9, end of task 10, of taskwait 11, of task 12,
 * of taskwait 13. */
static void waits_inside_each_other_count_once(void **state)
{
	const struct ompp_cell *c;

	(void)state;
	open_team(1);
	wait_for(inner_task);
	close_team();
	collect();
	check_identities();
	c = cell("10/35", "0");
	assert_int_equal(c->exec_ns, us((13 - 4) - (11 - 6))); /* without the time of the inner ones */
	assert_int_equal(c->incl_ns, us((13 - 4) - (12 - 5)));
	assert_int_equal(c->task_ns, c->exec_ns - c->incl_ns);
	c = cell("10/20x/35", "0");
	assert_int_equal(c->n_exec, 2);
	assert_int_equal(c->exec_ns, us(11 - 6)); /* which contains 8–9 */
	assert_int_equal(c->incl_ns, us((11 - 6) - (10 - 7) + (9 - 8)));
	assert_int_equal(c->task_ns, c->exec_ns - c->incl_ns);
	assert_int_equal(cell("10/20x", "0")->exec_ns, us((12 - 5) - (10 - 7) + (10 - 7)));
}

static uint64_t n_collected;

/* The clock: taskwait 4, task 5, its taskwait 6, task 7, its taskwait 8; each report reads it again, from 9 on. */
static void collect_in_between(void)
{
	int64_t old;

	POMP2_Task_begin(&h_task, 0);
	POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc);
	collect();
	check_identities();
	n_collected = cell("10/20x/35", "0")->n_exec;
	assert_int_equal(cell("10/35", "0")->exec_ns, us((9 - 4) - (9 - 6)));
	assert_int_equal(cell("10/35", "0")->incl_ns, us((9 - 4) - (9 - 5)));
	assert_int_equal(cell("10/20x/35", "0")->exec_ns, us(9 - 6));
	assert_int_equal(cell("10/20x/35", "0")->incl_ns, us((9 - 6) - (9 - 7) + (9 - 8)));
	assert_int_equal(cell("10/20x", "0")->exec_ns, us((9 - 5) - (9 - 7) + (9 - 7)));
	POMP2_Taskwait_end(&h_taskwait, old);
	POMP2_Task_end(&h_task);
}

static void inner_task_in_between(void)
{
	POMP2_Task_begin(&h_task, 0);
	wait_for(collect_in_between);
	POMP2_Task_end(&h_task);
}

/* All time counts once also in a report in the middle, when visits are still open. */
static void open_waits_count_once(void **state)
{
	(void)state;
	open_team(1);
	wait_for(inner_task_in_between);
	close_team();
	assert_int_equal(n_collected, 2);
}

/* ---- untied instances: when one is suspended, the task's function returns to the scheduler ---- */

static int64_t suspended;

static __attribute__((noinline)) void begin_and_suspend(void)
{
	char room[500];

	__asm__ volatile("" : : "r"(room) : "memory");
	POMP2_Untied_task_begin(&h_untied, 0);
	POMP2_Taskwait_begin(&h_taskwait, &suspended, taskwait_ctc);
	__asm__ volatile("" : : "r"(room) : "memory");
}

static __attribute__((noinline)) void resume_and_end(void)
{
	char room[500];

	__asm__ volatile("" : : "r"(room) : "memory");
	POMP2_Taskwait_end(&h_taskwait, suspended);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	POMP2_Untied_task_end(&h_untied);
	__asm__ volatile("" : : "r"(room) : "memory");
}

static __attribute__((noinline)) void another_task(void)
{
	char room[100];

	__asm__ volatile("" : : "r"(room) : "memory");
	run_task();
	__asm__ volatile("" : : "r"(room) : "memory");
}

/* The clock:
 * main:   fork 1,2  begin 3            barrier 5  untied 6  taskwait 7           barrier 14           end 16  join 17
 * other:                     begin 4   barrier 8     resume 9, end of taskwait 10, atomic 11–12, end 13   15 … */
static void other_thread(void)
{
	int64_t old;

	at(2);
	ompp_parallel_begin(&h_parallel, team);
	at(4);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	resume_and_end();
	at(6);
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	POMP2_Parallel_end(&h_parallel);
}

static void untied_instances_go_on_in_another_thread(void **state)
{
	const struct ompp_cell *c;
	int64_t old;

	(void)state;
	start_thread(1, other_thread);
	assign_handles();
	at(0);
	POMP2_Parallel_fork(&h_parallel, 1, 2, &team, parallel_ctc);
	at(1);
	ompp_parallel_begin(&h_parallel, team);
	at(3);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	begin_and_suspend();
	at(5);
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	at(7);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	join_threads();
	collect();
	check_identities();
	/* each thread is charged for the part that it ran; the instance ended once */
	assert_int_equal(cell("10/30x", "0")->exec_ns, us(7 - 6));
	assert_int_equal(cell("10/30x", "1")->exec_ns, us(13 - 9));
	assert_int_equal(cell("10/30x", "0")->n_exec + cell("10/30x", "1")->n_exec, 1);
	assert_int_equal(cell("10/30x/36", "1")->n_exec, 1);
	assert_false(has_cell("10/30x/36", "0"));
	assert_int_equal(cell("10/30x/35", "1")->n_exec, 1);
	c = cell("10", "1");
	assert_int_equal(c->n_exec, 1);
	assert_int_equal(c->task_ns, us(13 - 9));
	c = cell("10", "0");
	assert_int_equal(c->n_exec, 1);
	assert_int_equal(note(OMPP_NOTE_LEFT) + note(OMPP_NOTE_OPEN) + note(OMPP_NOTE_STRAY), 0);
	/* Each reading counts 1.  In this thread: the enter of the instance, and of the taskwait, where it was
	 * suspended. In the other: two frames that are entered anew, the end of the taskwait, the enter of the atomic
	 * (where it may be suspended), and its end. */
	assert_int_equal(metric("10/30x", "0"), 1);
	assert_int_equal(metric("10/30x", "1"), 4);
	assert_int_equal(metric("10/30x/35", "1"), 1);
	/* the team's own readings: begin, barrier and their ends make 3, less the barrier's 1, and none of the
	 * instance's */
	assert_int_equal(metric("10", "0"), 4 - 2);
	assert_int_equal(metric("10", "1"), 4 - 2);
}

/* An instance goes on in the same thread after another task.  The clock: barrier 4, untied 5, taskwait 6, task 7–8, end
 * of taskwait 9, atomic 10–11, end 12, barrier 13. */
static void untied_instances_go_on_after_another(void **state)
{
	const struct ompp_cell *c;
	int64_t old;

	(void)state;
	open_team(1);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	begin_and_suspend();
	another_task();
	resume_and_end();
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	close_team();
	collect();
	check_identities();
	assert_int_equal(cell("10/20x", "0")->exec_ns, us(1));
	c = cell("10/30x", "0");
	assert_int_equal(c->n_exec, 1);
	assert_int_equal(c->exec_ns, us((12 - 5) - (8 - 7)));
	c = cell("10", "0");
	assert_int_equal(c->task_ns, us(12 - 5));
	assert_int_equal(c->exit_bar_ns, us((13 - 4) - (12 - 5)));
	assert_int_equal(note(OMPP_NOTE_LEFT) + note(OMPP_NOTE_OPEN) + note(OMPP_NOTE_STRAY), 0);
	/* readings: begin 1, barrier 2, untied 3, taskwait 4, task 5–6, taskwait end 7, atomic 8, end 9, 10, 11 */
	assert_int_equal(metric("10/20x", "0"), 1);
	assert_int_equal(metric("10/30x", "0"), (9 - 3) - 1);
	assert_int_equal(metric("10/30x/35", "0"), (7 - 4) - 1);
	assert_int_equal(metric("10", "0"), (11 - 1) - (10 - 2));
}

/* A task that is left without its end (by a return or an exception) is closed by the end of the team's part. */
static void left_instances_are_closed(void **state)
{
	(void)state;
	open_team(1);
	POMP2_Task_begin(&h_task, 0);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	close_team();
	collect();
	check_identities();
	assert_int_equal(cell("10", "0")->n_exec, 1);
	assert_int_equal(cell("10/20x", "0")->n_exec, 1);
	assert_int_equal(note(OMPP_NOTE_LEFT), 2);
	assert_int_equal(note(OMPP_NOTE_OPEN), 0);
}

/* An untied instance ends while a region in it is open, which is left; the instance is none that has gone on. */
static void untied_instances_end_with_what_is_open(void **state)
{
	(void)state;
	open_team(1);
	POMP2_Untied_task_begin(&h_untied, 0);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Untied_task_end(&h_untied);
	run_task();
	close_team();
	collect();
	check_identities();
	assert_int_equal(cell("10/30x", "0")->n_exec, 1);
	assert_int_equal(cell("10/30x", "0")->exec_ns, us(2));
	assert_int_equal(cell("10/30x/36", "0")->n_exec, 1);
	assert_int_equal(note(OMPP_NOTE_LEFT), 1);
	assert_int_equal(note(OMPP_NOTE_STRAY), 0);
}

/* The clock: begin 3, barrier 4, task 5, which is cancelled, barrier 6, which shows that, end 7, join 8. */
static void cancelled_tasks_are_closed_by_the_barrier(void **state)
{
	const struct ompp_cell *c;
	int64_t old;

	(void)state;
	open_team(1);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	POMP2_Task_begin(&h_task, 0);
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	close_team();
	collect();
	check_identities();
	c = cell("10", "0");
	assert_int_equal(c->exec_ns, us(8 - 2));
	assert_int_equal(c->exit_bar_ns + c->task_ns, us(6 - 4));
	assert_int_equal(cell("10/20x", "0")->n_exec, 1);
	assert_int_equal(note(OMPP_NOTE_LEFT), 1);
	assert_int_equal(note(OMPP_NOTE_STRAY) + note(OMPP_NOTE_OPEN), 0);
}

static void stray_ends(void **state)
{
	(void)state;
	open_team(1);
	POMP2_Task_end(&h_task);
	POMP2_Taskwait_end(&h_taskwait, 0x123456789);
	close_team();
	collect();
	assert_int_equal(note(OMPP_NOTE_STRAY), 1);
	assert_int_equal(note(OMPP_NOTE_NO_HANDLE), 1);
	assert_int_equal(cell("10", "0")->n_exec, 1);
}

/* A wrong program ends a wait a second time when the instance has gone on, and has ended, above a tied task.  What was
 * there of the wait is gone with the instance's first segment, and is not to be ended again. */
static void ends_of_what_has_gone_on(void **state)
{
	const struct ompp_frame *top;

	(void)state;
	assign_handles();
	POMP2_For_enter(&h_loop, loop_ctc);
	top = ompp_self->top;
	POMP2_Untied_task_begin(&h_untied, 0);
	POMP2_Taskwait_begin(&h_taskwait, &suspended, taskwait_ctc);
	POMP2_Task_begin(&h_task, 0);
	POMP2_Taskwait_end(&h_taskwait, suspended);
	POMP2_Untied_task_end(&h_untied);
	POMP2_Taskwait_end(&h_taskwait, 0);
	assert_ptr_equal(ompp_self->top, top);
	assert_ptr_equal(ompp_self->base, ompp_self->frames);
	POMP2_For_exit(&h_loop);
	collect();
	check_identities();
	assert_int_equal(note(OMPP_NOTE_STRAY), 1);
}

/* Tasks that are switched off leave no trace, and their time belongs to the loop around them. */
static void tasks_can_be_disabled(void **state)
{
	int64_t old;

	(void)state;
	option("OMPP_DISABLE_TASK", "1");
	open_team(1);
	create(&old);
	run_task();
	POMP2_Task_create_end(&h_task, old);
	POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc);
	POMP2_Taskwait_end(&h_taskwait, old);
	close_team();
	collect();
	check_identities();
	assert_int_equal(collect()->n_nodes, 2);
	assert_int_equal(cell("10", "0")->task_ns, 0);
}

/* An orphaned task outside of every parallel region. */
static void tasks_without_a_team(void **state)
{
	(void)state;
	assign_handles();
	run_task();
	run_task();
	collect();
	check_identities();
	assert_int_equal(cell("20x", "0")->n_exec, 2);
	assert_int_equal(cell("20x", "0")->exec_ns, us(2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tied_tasks),
		cmocka_unit_test(instances_hang_below_the_parallel_region),
		cmocka_unit_test(waits_tell_the_tasks_they_ran),
		cmocka_unit_test(nested_instances_keep_their_own_time),
		cmocka_unit_test(waits_inside_each_other_count_once),
		cmocka_unit_test(open_waits_count_once),
		cmocka_unit_test(untied_instances_go_on_in_another_thread),
		cmocka_unit_test(untied_instances_go_on_after_another),
		cmocka_unit_test(left_instances_are_closed),
		cmocka_unit_test(untied_instances_end_with_what_is_open),
		cmocka_unit_test(cancelled_tasks_are_closed_by_the_barrier),
		cmocka_unit_test(stray_ends),
		cmocka_unit_test(ends_of_what_has_gone_on),
		cmocka_unit_test(tasks_can_be_disabled),
		cmocka_unit_test(tasks_without_a_team),
	};

	return RUN_APART(tests);
}
