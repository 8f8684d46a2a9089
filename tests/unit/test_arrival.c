/*
 * Arrival: why threads wait at barriers.  The fake clock advances by a microsecond with each reading, and this test
 * says what the CPU times are, so that each cause is known exactly.
 */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/core/session.h"
#include "runtime/events/arrival.h"
#include "runtime/events/cost.h"
#include "runtime/host/cpu.h"
#include "runtime/session/session_start.h"
#include "runtime/sums/sum_waits.h"
#include "tests/unit/steps.h"

REGION(parallel, parallel, 10, 19);
REGION(loop, for, 11, 12);
REGION(barrier, barrier, 13, 13);
REGION_WITH(untied, task, 14, 17, "hasUntied=1*");
REGION(taskwait, taskwait, 15, 15);
REGION(task, task, 18, 18);

static int64_t team;

/* How long the thread has had no processor so far, and how often it went to sleep. */
static __thread int64_t missing_ns;
static __thread uint64_t n_sleeps;
static _Atomic int64_t passed_ns;
static _Atomic int n_readings;
static __thread uint64_t n_faults;

static int read_cpu(struct ompp_cpu_reading *reading)
{
	atomic_fetch_add(&n_readings, 1);
	reading->monotonic_ns = atomic_fetch_add(&passed_ns, 1000000) + 1000000;
	reading->cpu_ns = reading->monotonic_ns - missing_ns;
	reading->n_voluntary = n_sleeps;
	reading->n_faults = n_faults;
	return 0;
}

/* Lets n microseconds pass for this thread. */
static void work(int n)
{
	while (n--)
		ompp_clock();
}

/* What the two threads do.  At step 1 thread 0 begins, at 2 thread 1.  At 3 thread 0 enters its loop and arrives at the
 * end.  At 4 thread 1 works for `before`, enters, works for `body`, and arrives.  At 5 thread 0 leaves, at 6 thread 1.
 * When `late` is not 0, thread 1 begins only at 4, after that time.  When `leave` is not 0, it leaves the loop's
 * barrier at 8, after that time, of which it had no processor for leave_off_ns. */
static struct {
	int late, before, body, leave;
	int64_t off_ns, leave_off_ns;
	int n_sleeps;
	uint64_t n_faults;
} plan;

static void second(void)
{
	int64_t old;

	at(2);
	if (!plan.late)
		ompp_parallel_begin(&h_parallel, team);
	at(4);
	work(plan.late);
	if (plan.late)
		ompp_parallel_begin(&h_parallel, team);
	work(plan.before);
	POMP2_For_enter(&h_loop, loop_ctc);
	work(plan.body);
	missing_ns += plan.off_ns;
	n_sleeps += (uint64_t)plan.n_sleeps;
	n_faults += plan.n_faults;
	POMP2_Implicit_barrier_enter(&h_loop, &old);
	at(6);
	if (plan.leave) {
		at(8);
		work(plan.leave);
		missing_ns += plan.leave_off_ns;
		n_sleeps += (uint64_t)plan.n_sleeps;
	}
	POMP2_Implicit_barrier_exit(&h_loop, old);
	POMP2_For_exit(&h_loop);
	if (!plan.leave)
		at(8);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	POMP2_Parallel_end(&h_parallel);
}

static uint64_t interval; /* ompp_arrival_interval of the run */

/* Runs the plan, and returns the wait of thread 0 at the end of this construct. */
static const struct ompp_wait *run_to(const char *path)
{
	const struct ompp_profile *p;
	const struct ompp_cell *c;
	int64_t old;

	ompp_session_start();
	ompp_arrival_interval = interval;
	ompp_arrival_read = read_cpu;
	start_thread(1, second);
	at(0);
	POMP2_Parallel_fork(&h_parallel, 1, 2, &team, parallel_ctc);
	at(1);
	ompp_parallel_begin(&h_parallel, team);
	at(3);
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_Implicit_barrier_enter(&h_loop, &old);
	at(5);
	POMP2_Implicit_barrier_exit(&h_loop, old);
	POMP2_For_exit(&h_loop);
	at(7);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	at(9);
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	join_threads();
	p = collect();
	check_identities();
	c = cell(path, "0");
	for (size_t i = 0; i < p->n_waits; i++)
		if (&p->cells[p->waits[i].cell] == c)
			return &p->waits[i];
	fail_msg("no wait");
	return NULL;
}

static const struct ompp_wait *run(void)
{
	return run_to("10/11");
}

/* Thread 0 enters and arrives with readings 1 and 2 after at(3).  Thread 1 enters later, which the construct's work is
 * not to blame for. */
static void works_longer(void **state)
{
	const struct ompp_wait *w;

	(void)state;
	plan.body = 50;
	w = run();
	/* thread 1 worked for 51 and thread 0 for 1 */
	assert_int_equal(w->cause_ns[OMPP_CAUSE_BODY], us(50));
	assert_int_equal(w->work_ns, us(1));
	/* one arrival each: thread 0 is 25 below the mean of 1 and 51, and nothing is known of an error */
	assert_int_equal(w->n_slices, 1);
	assert_int_equal(w->apart_ns, -us(25));
	assert_int_equal(w->apart_error_ns, OMPP_MISSING);
	assert_int_equal(w->pace_ps, OMPP_MISSING); /* the fake clock has none */
	assert_int_equal(w->looked_ns, w->cause_ns[OMPP_CAUSE_BODY] + w->cause_ns[OMPP_CAUSE_LEAVE] +
	                                       w->cause_ns[OMPP_CAUSE_MADE] + w->cause_ns[OMPP_CAUSE_BEFORE]);
}

static void began_late(void **state)
{
	const struct ompp_wait *w;

	(void)state;
	plan.late = 70;
	w = run();
	assert_int_equal(w->cause_ns[OMPP_CAUSE_BODY], 0);
	assert_int_equal(w->cause_ns[OMPP_CAUSE_START], 0);
	assert_in_range(w->cause_ns[OMPP_CAUSE_MADE], us(70), us(74)); /* its thread is new */
}

static void came_late_to_the_loop(void **state)
{
	const struct ompp_wait *w;

	(void)state;
	plan.before = 90;
	w = run();
	assert_int_equal(w->cause_ns[OMPP_CAUSE_BODY], 0);
	assert_in_range(w->cause_ns[OMPP_CAUSE_BEFORE], us(90), us(92));
}

/* Thread 1 is in the loop for 50, and has no processor for 40 of them. */
static void taken_away(void **state)
{
	const struct ompp_wait *w;

	(void)state;
	plan.body = 50;
	plan.off_ns = us(40);
	w = run();
	assert_int_equal(w->cause_ns[OMPP_CAUSE_BODY], us(10));
	assert_in_range(w->cause_ns[OMPP_CAUSE_OFF], us(36), us(40)); /* thread 1 comes last, but by less than 50 */
}

/* Thread 1 has no processor for as long, but because it sleeps; then the construct is the cause. */
static void slept(void **state)
{
	const struct ompp_wait *w;

	(void)state;
	plan.body = 50;
	plan.off_ns = us(40);
	plan.n_sleeps = 1;
	w = run();
	assert_int_equal(w->cause_ns[OMPP_CAUSE_ASLEEP], us(40));
	assert_int_equal(w->cause_ns[OMPP_CAUSE_BODY], us(10));
	assert_int_equal(w->cause_ns[OMPP_CAUSE_OFF], 0);
}

/* Thread 1 leaves the loop's barrier late, which makes thread 0 wait at the region's end.  Where it slept, it may have
 * been woken late; else it lost its processor to another thread, or to nobody that the kernel knows of. */
static void left_late(void **state)
{
	const struct ompp_wait *w;

	(void)state;
	interval = 4000; /* ticks of the fake clock, which are nanoseconds */
	plan.leave = 500;
	plan.leave_off_ns = us(300);
	plan.n_sleeps = 1;
	w = run_to("10");
	assert_int_equal(w->cause_ns[OMPP_CAUSE_STOLEN], 0);
	assert_int_equal(w->cause_ns[OMPP_CAUSE_OFF], 0);
	assert_in_range(w->cause_ns[OMPP_CAUSE_START], us(490), us(520));
}

static void left_late_off(void **state)
{
	const struct ompp_wait *w;

	(void)state;
	interval = 3000;
	plan.leave = 500;
	plan.leave_off_ns = us(300);
	w = run_to("10");
	assert_int_equal(w->cause_ns[OMPP_CAUSE_STOLEN], 0);
	assert_int_equal(w->cause_ns[OMPP_CAUSE_START], 0);
	assert_in_range(w->cause_ns[OMPP_CAUSE_OFF], us(490), us(520));
}

static void left_late_awake(void **state)
{
	const struct ompp_wait *w;

	(void)state;
	interval = 3000;
	plan.leave = 500;
	w = run_to("10");
	assert_int_equal(w->cause_ns[OMPP_CAUSE_START], 0);
	assert_in_range(w->cause_ns[OMPP_CAUSE_STOLEN], us(490), us(520));
}

/* The numbers of each arrival are the times begin, enter, arrive, off and asleep. */
static void explained(void **state)
{
	const struct ompp_arrival mine = { 100, 110, 210, 0, 0 };
	const struct ompp_arrival late = { 1100, 1110, 1200, 0, 0 }; /* its work is shorter than mine */
	const struct ompp_arrival off = { 100, 110, 610, 300, 0 };
	const struct ompp_arrival off_before = { 100, 600, 610, 410, 0 };
	const struct ompp_arrival early = { 50, 60, 150, 0, 0 };
	uint64_t c[OMPP_N_CAUSES];

	(void)state;
	ompp_arrival_explain(&mine, &late, 0, 1000, 0, c);
	assert_int_equal(c[OMPP_CAUSE_START], 990);
	assert_int_equal(c[OMPP_CAUSE_LEAVE], 10);
	ompp_arrival_explain(&mine, &late, 1, 1000, 4, c);
	assert_int_equal(c[OMPP_CAUSE_MADE], 990);
	assert_int_equal(c[OMPP_CAUSE_START], 0);
	assert_int_equal(c[OMPP_CAUSE_OFF_HERE], 4);
	assert_int_equal(c[OMPP_CAUSE_LEAVE], 6);
	ompp_arrival_explain(&mine, &off, 0, 400, 0, c);
	assert_int_equal(c[OMPP_CAUSE_BODY], 100);
	assert_int_equal(c[OMPP_CAUSE_OFF], 300);
	/* one that came earlier makes nobody wait, and no cause is longer than the wait */
	ompp_arrival_explain(&mine, &early, 0, 30, 0, c);
	assert_int_equal(c[OMPP_CAUSE_LEAVE], 30);
	ompp_arrival_explain(&mine, &off, 0, 40, 0, c);
	assert_int_equal(c[OMPP_CAUSE_BODY], 40);
	/* 410 of 510 were taken away, at most 10 of that in the construct: so 100 were work before it, and mine were 10
	 */
	ompp_arrival_explain(&mine, &off_before, 0, 500, 0, c);
	assert_int_equal(c[OMPP_CAUSE_BEFORE], 90);
	assert_int_equal(c[OMPP_CAUSE_OFF], 310);
	assert_int_equal(c[OMPP_CAUSE_LEAVE], 100);
	ompp_arrival_explain(&mine, &off, 0, 40, 0, c);
	for (int i = 0; i < OMPP_N_CAUSES; i++)
		assert_true(i == OMPP_CAUSE_BODY || !c[i]);
}

enum { N_ROUNDS = 200, N_THREADS = 3 };

/* Three threads arrive in turn, with work that changes over time.  What is told of the slices is
 * what plain arithmetic makes of them. */
static void compared_over_time(void **state)
{
	static struct ompp_merge_waits waits[N_THREADS];
	static struct ompp_merge_sums sums[N_THREADS];
	struct ompp_wait told[N_THREADS];
	const uint32_t order[N_THREADS] = { 0, 1, 2 };
	struct ompp_merge merge = { .sums = sums, .n_sums = N_THREADS, .waits = told };
	struct ompp_profile profile = { .waits = told, .n_waits = N_THREADS };
	double mean[N_THREADS][OMPP_N_SLICES] = { { 0 } }, weight[OMPP_N_SLICES] = { 0 }, most = 0, n_slices = 0;

	(void)state;
	memset(told, 0, sizeof(told));
	for (uint64_t i = 0; i < N_ROUNDS; i++)
		for (uint64_t r = 0; r < N_THREADS; r++)
			ompp_series_add(&waits[r].sum.series, 1000 + r * i * 31 % 5000, 200 + r);
	for (uint32_t r = 0; r < N_THREADS; r++)
		sums[r].waits = &waits[r];
	ompp_collect_waits_compare(&merge, &profile, 0, order, N_THREADS, (struct ompp_clock_rate){ 1, 1 });
	for (int k = 0; k < OMPP_N_SLICES; k++) {
		for (int r = 0; r < N_THREADS; r++) {
			const struct ompp_slice *s = &waits[r].sum.series.slices[k];

			weight[k] += (double)s->n;
			mean[r][k] = s->n ? (double)s->ticks / (double)s->n : 0;
		}
		most = weight[k] > most ? weight[k] : most;
	}
	for (int k = 0; k < OMPP_N_SLICES; k++) {
		weight[k] = weight[k] < most / 10 ? 0 : weight[k];
		n_slices += weight[k] > 0;
	}
	assert_true(n_slices >= 8);
	for (int r = 0; r < N_THREADS; r++) {
		double sum = 0, weights = 0, squares = 0, error;

		for (int k = 0; k < OMPP_N_SLICES; k++) {
			sum += weight[k] * (mean[r][k] - (mean[0][k] + mean[1][k] + mean[2][k]) / 3);
			weights += weight[k];
		}
		for (int k = 0; k < OMPP_N_SLICES; k++) {
			double off = mean[r][k] - (mean[0][k] + mean[1][k] + mean[2][k]) / 3 - sum / weights;

			squares += weight[k] * weight[k] * off * off;
		}
		error = sqrt(squares * n_slices / (n_slices - 1)) / weights;
		assert_true(told[r].n_slices >= n_slices && told[r].n_slices <= n_slices);
		assert_true(fabs((double)told[r].apart_ns - sum / weights) < 4);
		assert_true(fabs((double)told[r].apart_error_ns - error) < 4 + error / 50);
		assert_int_equal(told[r].pace_ps, (200 + r) * 1000);
	}
}

/* A team of one waits for nobody, so no CPU time is read. */
static void alone(void **state)
{
	int64_t old;

	(void)state;
	ompp_session_start();
	ompp_arrival_interval = 0;
	ompp_arrival_read = NULL;
	POMP2_Parallel_fork(&h_parallel, 1, 1, &team, parallel_ctc);
	ompp_parallel_begin(&h_parallel, team);
	POMP2_Barrier_enter(&h_barrier, &old, barrier_ctc);
	POMP2_Barrier_exit(&h_barrier, old);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	assert_int_equal(collect()->n_waits, 0);
	check_identities();
}

static __attribute__((noinline)) void begin_and_suspend(void)
{
	char room[500];
	int64_t old;

	__asm__ volatile("" : : "r"(room) : "memory");
	POMP2_Untied_task_begin(&h_untied, 0);
	POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc);
	__asm__ volatile("" : : "r"(room) : "memory");
}

/* An instance is suspended in a barrier, and lies on the frames when that ends: what the thread was without a processor
 * until then is not of what it does next. */
static void suspended_in_the_barrier(void **state)
{
	const struct ompp_profile *p;
	int64_t old;

	(void)state;
	ompp_session_start();
	ompp_arrival_interval = 0;
	ompp_arrival_read = read_cpu;
	POMP2_Assign_handle(&h_untied, untied_ctc);
	POMP2_Parallel_fork(&h_parallel, 1, 2, &team, parallel_ctc);
	ompp_parallel_begin(&h_parallel, team);
	POMP2_Barrier_enter(&h_barrier, &old, barrier_ctc);
	begin_and_suspend();
	missing_ns += us(40);
	POMP2_Barrier_exit(&h_barrier, old);
	missing_ns += us(3);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	p = collect();
	for (size_t i = 0; i < p->n_waits; i++)
		if (&p->cells[p->waits[i].cell] == cell("10", "0"))
			assert_int_equal(p->waits[i].off_ns, us(3));
	assert_int_equal(p->n_waits, 2);
}

/* Page faults before an arrival are the work's; those of before the thread's first reading are nobody's. */
static void faults(void **state)
{
	const struct ompp_profile *p;

	(void)state;
	n_faults = 1000;
	plan.body = 50;
	plan.n_faults = 77;
	run();
	p = collect();
	for (size_t i = 0; i < p->n_waits; i++)
		if (p->waits[i].n)
			assert_int_equal(p->waits[i].n_faults,
			                 &p->cells[p->waits[i].cell] == cell("10/11", "1") ? 77 : 0);
}

/* Runs a task of n_us, for off_us of which the thread has no processor. */
static void run_task(int n_us, int off_us)
{
	POMP2_Task_begin(&h_task, 0);
	work(n_us);
	missing_ns += us(off_us);
	POMP2_Task_end(&h_task);
}

/* Returns the durations of the tasks. */
static const struct ompp_duration *task_durations(const struct ompp_profile *p)
{
	for (size_t i = 0; i < p->n_durations; i++)
		for (size_t k = 0; k < p->n_nodes; k++)
			if (p->nodes[k].construct == OMPP_TASKEXEC && p->nodes[k].first_cell == p->durations[i].cell)
				return &p->durations[i];
	fail_msg("no durations");
	return NULL;
}

/* How long tasks took is without the time in which their thread had no processor: of the first one, and of later ones;
 * but not of tasks that are shorter than the interval, nor what was taken before a task. */
static void tasks_without_processor(void **state)
{
	const struct ompp_duration *d;
	int64_t old;

	(void)state;
	ompp_session_start();
	ompp_arrival_interval = (uint64_t)us(20);
	ompp_arrival_read = read_cpu;
	POMP2_Assign_handle(&h_task, task_ctc);
	work(30); /* so that the first reading is at the begin of the team */
	POMP2_Parallel_fork(&h_parallel, 1, 2, &team, parallel_ctc);
	ompp_parallel_begin(&h_parallel, team);
	run_task(100, 70); /* the first */
	for (int i = 0; i < 10; i++)
		run_task(5, 0);
	run_task(300, 0); /* this one has all of its time */
	work(200);
	missing_ns += us(150);
	run_task(250, 0);
	run_task(400, 390);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	d = task_durations(collect());
	assert_int_equal(d->off_ns, us(70 + 390));
	assert_in_range(d->first_ns, us(30), us(33));
	assert_int_equal(d->n, 13);
	assert_in_range(d->least_ns, us(5), us(7));
	assert_in_range(d->most_ns, us(300), us(303));
	assert_int_equal(d->most_at, 12);
}

/* What is taken while a task waits for one that it made may be of either: it is in neither's duration, at the most. */
static void tasks_in_tasks(void **state)
{
	const struct ompp_duration *d;
	int64_t old;

	(void)state;
	ompp_session_start();
	ompp_arrival_interval = (uint64_t)us(20);
	ompp_arrival_read = read_cpu;
	POMP2_Assign_handle(&h_task, task_ctc);
	work(30); /* so that the first reading is at the begin of the team */
	POMP2_Parallel_fork(&h_parallel, 1, 2, &team, parallel_ctc);
	ompp_parallel_begin(&h_parallel, team);
	POMP2_Task_begin(&h_task, 0);
	work(100);
	missing_ns += us(90);
	run_task(40, 0);
	work(10);
	POMP2_Task_end(&h_task);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	d = task_durations(collect());
	assert_int_equal(d->off_ns, us(90));
	assert_in_range(d->first_ns + d->most_ns, us(40 + 110 - 90), us(40 + 110 - 90 + 6));
}

/* Each reading counts as own cost, be it in the wait, after it, or where a thread's part of the team begins. */
static void readings_are_own_cost(void **state)
{
	(void)state;
	plan.body = 50;
	run();
	assert_int_equal(collect()->cost_ns, 0); /* with the fake clock events cost nothing */
	for (int b = 0; b < OMPP_N_COST_BOUNDS; b++)
		ompp_arrival_reading_ticks[b] = 7;
	assert_true(n_readings >= 8);
	assert_int_equal(collect()->cost_ns, 7 * n_readings);
	assert_int_equal(collect()->cost_most_ns, 7 * n_readings);
	check_identities();
}

/* A reading during which the system took the processor says nothing of what readings cost; one with cold caches does.
 */
static void interrupted_readings_cost_nothing(void **state)
{
	(void)state;
	for (uint64_t least = 100; least < 20000; least = least * 3 / 2) {
		uint64_t cold[] = { least, least + 9, least + 10, least * 2, least * 15 };
		uint64_t taken[] = { least, least + 9, least + 10, least * 2, least * 17 + 9000000 };
		uint64_t taken_twice[] = { least, least + 9, least + 10, least + 4000000, least + 4000000 };

		ompp_arrival_set_costs(cold, 5);
		assert_int_equal(ompp_arrival_reading_ticks[OMPP_COST_MOST], least * 15);
		ompp_arrival_set_costs(taken, 5);
		assert_int_equal(ompp_arrival_reading_ticks[OMPP_COST_LEAST], least);
		assert_int_equal(ompp_arrival_reading_ticks[OMPP_COST_TYPICAL], least + 10);
		assert_int_equal(ompp_arrival_reading_ticks[OMPP_COST_MOST], least * 2);
		ompp_arrival_set_costs(taken_twice, 5);
		assert_int_equal(ompp_arrival_reading_ticks[OMPP_COST_MOST], least + 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(works_longer),
		cmocka_unit_test(began_late),
		cmocka_unit_test(came_late_to_the_loop),
		cmocka_unit_test(taken_away),
		cmocka_unit_test(slept),
		cmocka_unit_test(left_late),
		cmocka_unit_test(left_late_off),
		cmocka_unit_test(left_late_awake),
		cmocka_unit_test(explained),
		cmocka_unit_test(compared_over_time),
		cmocka_unit_test(alone),
		cmocka_unit_test(suspended_in_the_barrier),
		cmocka_unit_test(faults),
		cmocka_unit_test(tasks_without_processor),
		cmocka_unit_test(tasks_in_tasks),
		cmocka_unit_test(readings_are_own_cost),
		cmocka_unit_test(interrupted_readings_cost_nothing),
	};

	return RUN_APART(tests);
}
