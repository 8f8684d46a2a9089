/*
 * Storm: estimates of times of which one in some was measured lie beside the truth as often as their errors say,
 * however regular the program is; and whatever happens in a visit that is not timed, all counts are exact.
 *
 * The clock is the fake one, which only goes on when it is read: a visit lasts as many microseconds as the test reads
 * it, and one for the event itself, whether it is timed or not.  So the truth is known.
 */
#include "tests/unit/storms.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/core/session.h"
#include "runtime/core/storm.h"
#include "runtime/core/thread.h"
#include "runtime/events/jump.h"
#include "runtime/events/thread_start.h"
#include "runtime/host/clock.h"
#include "runtime/terms/mode.h"

REGION_WITH(outer, userRegion, 1, 2, "userRegionName=outer*");
REGION_WITH(inner, userRegion, 3, 4, "userRegionName=inner*");
REGION(atomic, atomic, 20, 20);
REGION(task, task, 30, 39);

enum { N_RUNS = 150, N_VISITS = 60000, FIRST_LINE = 100, LONG_US = 300 };

static void visit(void **handle, const char *ctc, int us)
{
	POMP2_Atomic_enter(handle, ctc);
	pass_in_visit(us);
	POMP2_Atomic_exit(handle);
}

/* What the ith visit of a program takes. */
static int alternating(int i)
{
	return i % 2 ? 1 : 9;
}

static int in_rounds(int i)
{
	return i % 32 ? i % 3 : 40;
}

static int rarely_long(int i)
{
	return i % 100 ? 2 : LONG_US / 2;
}

static const struct ompp_cell *cell_at(const struct ompp_profile *p, uint32_t line)
{
	for (size_t i = 1; i < p->n_nodes; i++)
		if (p->regions[p->nodes[i].region].begin_line == line)
			return &p->cells[p->nodes[i].first_cell];
	fail_msg("no region at line %u", line);
	return NULL;
}

/* Runs the program in many regions, which choose by different random numbers, and compares with the truth. */
static void hold_for(int (*lasts)(int i), int least_percent, double most_squares)
{
	static void *handles[N_RUNS];
	const struct ompp_profile *p;
	double squares = 0, bias = 0, truth = 0, mean_off = 0;
	int n_near = 0;
	char ctc[256];

	start();
	for (int i = 0; i < N_VISITS; i++)
		truth += (lasts(i) + 1) * 1e3;
	for (uint32_t r = 0; r < N_RUNS; r++) {
		snprintf(ctc, sizeof(ctc), "0*regionType=atomic*sscl=dir/t.c:%u:%u*escl=dir/t.c:%u:%u**",
		         FIRST_LINE + r, FIRST_LINE + r, FIRST_LINE + r, FIRST_LINE + r);
		for (int i = 0; i < N_VISITS; i++)
			visit(&handles[r], ctc, lasts(i));
	}
	p = collect();
	for (uint32_t r = 0; r < N_RUNS; r++) {
		const struct ompp_cell *c = cell_at(p, FIRST_LINE + r);
		double off = (double)c->exec_ns - truth, error = (double)c->error_ns;

		assert_int_equal(c->n_exec, N_VISITS);
		assert_true(c->n_untimed > N_VISITS / 2 && c->n_untimed < N_VISITS);
		assert_true(error > 0 && error < truth / 4);
		n_near += off < 2 * error && off > -2 * error;
		squares += off * off / error / error / N_RUNS;
		bias += off / error / N_RUNS;
		mean_off += off / truth / N_RUNS;
	}
	printf("within 2 errors: %d of %d; mean of (off / error)^2: %.2f; mean of off / error: %.2f; of off / truth: "
	       "%.5f\n",
	       n_near, N_RUNS, squares, bias, mean_off);
	assert_true(n_near * 100 >= N_RUNS * least_percent);
	assert_true(squares > 0.6 && squares < most_squares); /* 1 by right; its own error is 0.12 */
	assert_true(bias > -0.4 && bias < 0.4);               /* 0 by right; its own error is 0.08 */
	assert_true(mean_off > -0.02 && mean_off < 0.02);
}

static void alternating_visits(void **state)
{
	(void)state;
	hold_for(alternating, 91, 1.4);
}

static void visits_in_rounds_of_the_mean_gap(void **state)
{
	(void)state;
	hold_for(in_rounds, 91, 1.4);
}

static void rarely_long_visits(void **state)
{
	(void)state;
	hold_for(rarely_long, 86, 2.2); /* a dozen of them are timed, so estimate and error go together */
}

static void short_runs_and_long_visits_are_timed(void **state)
{
	const struct ompp_cell *c;
	const struct ompp_profile *p;

	(void)state;
	start();
	for (int i = 0; i < 4000; i++)
		visit(&h_atomic, atomic_ctc, 1);
	POMP2_Begin(&h_outer, outer_ctc);
	for (int i = 0; i < 20000; i++)
		visit(&h_atomic, atomic_ctc, 120);
	POMP2_End(&h_outer);
	p = collect();
	for (size_t i = 0; i < p->n_cells; i++)
		assert_true(p->cells[i].n_untimed == 0 && p->cells[i].error_ns == 0);
	c = cell("20", "0");
	assert_int_equal(c->exec_ns, us(8000));
	assert_int_equal(cell("1/20", "0")->exec_ns, us(20000 * 121));
}

/* Without a storm's costs, as with OMPP_COSTLY=exact and with the fake clock, all visits are timed. */
static void no_storms_where_none_are_wanted(void **state)
{
	(void)state;
	POMP2_Init();
	ompp_mode_clear(OMPP_MODE_VALUES);
	for (int i = 0; i < N_VISITS; i++)
		visit(&h_atomic, atomic_ctc, 1);
	collect();
	assert_int_equal(cell("20", "0")->n_untimed, 0);
	assert_int_equal(cell("20", "0")->exec_ns, us(N_VISITS * 2));
}

static void a_storm_ends_when_visits_become_long(void **state)
{
	const struct ompp_cell *c;
	double truth = 0;

	(void)state;
	start();
	for (int i = 0; i < 3 * N_VISITS; i++) {
		int lasts = i < N_VISITS ? alternating(i) : i < 2 * N_VISITS ? 400 : 2;

		truth += (lasts + 1) * 1e3;
		visit(&h_atomic, atomic_ctc, lasts);
	}
	collect();
	c = cell("20", "0");
	assert_int_equal(c->n_exec, 3 * N_VISITS);
	printf("truth %.0f, measured %lld +- %lld, untimed %llu\n", truth, (long long)c->exec_ns,
	       (long long)c->error_ns, (unsigned long long)c->n_untimed);
	assert_true(c->n_untimed > N_VISITS / 2 && c->n_untimed < 2 * N_VISITS);
	assert_true((double)c->exec_ns < truth + 4.0 * (double)c->error_ns);
	assert_true((double)c->exec_ns > truth - 4.0 * (double)c->error_ns);
}

/* However long a storm is, and wherever it stops, its error is known and becomes smaller. */
static void long_storms_have_small_errors(void **state)
{
	int64_t last_ns = INT64_MAX;
	double truth = 0;

	(void)state;
	start();
	for (int i = 0; i < 16 * N_VISITS; i++) {
		const struct ompp_cell *c;

		truth += (alternating(i) + 1) * 1e3;
		visit(&h_atomic, atomic_ctc, alternating(i));
		if (i < N_VISITS / 2 || i % 997)
			continue;
		collect();
		c = cell("20", "0");
		assert_int_equal(c->n_exec, i + 1);
		assert_true(c->n_untimed > (uint64_t)i / 2 && c->n_untimed <= (uint64_t)i);
		assert_true(c->error_ns > 0 && (double)c->error_ns < truth / 20);
		assert_true((double)c->exec_ns < truth + 5.0 * (double)c->error_ns);
		assert_true((double)c->exec_ns > truth - 5.0 * (double)c->error_ns);
		last_ns = c->error_ns;
	}
	printf("at the end: truth %.0f, an error of %lld, %llu untimed\n", truth, (long long)last_ns,
	       (unsigned long long)cell("20", "0")->n_untimed);
	assert_true((double)last_ns < truth / 50);
	assert_true(cell("20", "0")->n_untimed > 16 * N_VISITS * 98 / 100);
}

/* A region begins in a visit: it is where it belongs, and that visit and all later ones are timed. */
static void a_region_begins_in_a_visit(void **state)
{
	const struct ompp_cell *c, *in;

	(void)state;
	start();
	for (int i = 0; i < N_VISITS; i++) {
		POMP2_Begin(&h_outer, outer_ctc);
		pass_in_visit(1);
		if (i > N_VISITS / 2 && i % 1000 == 7) {
			POMP2_Begin(&h_inner, inner_ctc);
			pass(5000);
			POMP2_End(&h_inner);
		}
		POMP2_End(&h_outer);
	}
	collect();
	c = cell("1", "0");
	in = cell("1/3", "0");
	assert_int_equal(in->n_exec, N_VISITS / 2000);
	assert_int_equal(in->exec_ns, in->n_exec * 5001 * 1000);
	assert_int_equal(in->n_untimed, 0);
	assert_int_equal(c->n_exec, N_VISITS);
	assert_true(c->n_untimed > N_VISITS / 4 && c->n_untimed < N_VISITS / 2);
	assert_true(c->exec_ns >= in->exec_ns + us(2 * N_VISITS - 10));
	assert_true(c->exec_ns <= in->exec_ns + us(2 * N_VISITS + 2 * N_VISITS / 2000));
}

/* An instance runs in a visit, which stays in its storm, as instances are children of the team: that visit's time is
 * its own from there on, and none of the estimate. */
static void an_instance_runs_in_a_visit(void **state)
{
	const struct ompp_cell *c, *ran;
	int n_late = 0;
	double truth;

	(void)state;
	start();
	POMP2_Assign_handle(&h_task, task_ctc);
	for (int i = 0; i < N_VISITS; i++) {
		POMP2_Begin(&h_outer, outer_ctc);
		if (i > N_VISITS / 2 && i % 100 == 7) {
			n_late += (ompp_self->top->flags & OMPP_FRAME_UNTIMED) != 0;
			POMP2_Task_begin(&h_task, 0);
			pass(5000);
			POMP2_Task_end(&h_task);
		}
		pass_in_visit(1);
		POMP2_End(&h_outer);
	}
	collect();
	c = cell("1", "0");
	ran = cell("30x", "0");
	assert_int_equal(ran->n_exec, N_VISITS / 200);
	assert_int_equal(ran->exec_ns, ran->n_exec * 5001 * 1000);
	assert_int_equal(c->n_exec, N_VISITS);
	assert_true(n_late > N_VISITS / 400 && c->n_untimed > N_VISITS / 2 &&
	            c->n_untimed < N_VISITS - (uint64_t)n_late);
	truth = 2e3 * N_VISITS + (double)ran->exec_ns;
	printf("truth %.0f, measured %lld +- %lld, %d late\n", truth, (long long)c->exec_ns, (long long)c->error_ns,
	       n_late);
	assert_true((double)c->exec_ns > truth * 0.99 && (double)c->exec_ns < truth * 1.01);
}

/* A process is copied in a visit without time: the child measures that visit from there on, and its own storms. */
static void a_forked_child_has_storms_of_its_own(void **state)
{
	int status;
	pid_t child;

	(void)state;
	start();
	for (int i = 0; i < N_VISITS; i++)
		visit(&h_atomic, atomic_ctc, 1);
	do {
		visit(&h_atomic, atomic_ctc, 1);
		POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	} while (!(ompp_self->top->flags & OMPP_FRAME_UNTIMED) && (POMP2_Atomic_exit(&h_atomic), 1));
	child = fork();
	if (!child) {
		ompp_session_after_fork();
		ompp_threads_after_fork();
		assert_false(ompp_self->top->flags & OMPP_FRAME_UNTIMED);
		pass(9);
		POMP2_Atomic_exit(&h_atomic);
		for (int i = 0; i < N_VISITS; i++)
			visit(&h_atomic, atomic_ctc, 1);
		collect();
		assert_int_equal(cell("20", "0")->n_exec, N_VISITS + 1);
		assert_true(cell("20", "0")->n_untimed > N_VISITS / 2 && cell("20", "0")->n_untimed < N_VISITS);
		assert_true(cell("20", "0")->exec_ns >= us(2 * N_VISITS) &&
		            cell("20", "0")->exec_ns <= us(2 * N_VISITS + 20));
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Visits that nobody sees ending: their function has returned, or their surrounding region ends. */
static __attribute__((noinline)) void leave_open(void)
{
	visit(&h_atomic, atomic_ctc, 1);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
}

static void visits_that_are_left(void **state)
{
	(void)state;
	start();
	for (int i = 0; i < N_VISITS; i++) {
		POMP2_Begin(&h_outer, outer_ctc);
		leave_open();
		POMP2_End(&h_outer);
	}
	collect();
	assert_int_equal(cell("1", "0")->n_exec, N_VISITS);
	assert_int_equal(cell("1/20", "0")->n_exec, 2 * N_VISITS);
	assert_true(cell("1/20", "0")->n_untimed > N_VISITS);
	assert_true(cell("1/20", "0")->exec_ns <= cell("1", "0")->exec_ns);
	assert_int_equal(note(OMPP_NOTE_LEFT), N_VISITS);
}

/* What is open at a setjmp() goes on behind a jump to it; what was opened since ends, at the same depth, too. */
static void visits_that_jumps_leave(void **state)
{
	static int buffer;

	(void)state;
	start();
	for (int i = 0; i < N_VISITS; i++) {
		POMP2_Atomic_enter(&h_atomic, atomic_ctc);
		ompp_jump_set(&buffer);
		if (i % 4 == 0) {
			ompp_jump_go(&buffer);
			POMP2_Atomic_exit(&h_atomic);
		} else {
			POMP2_Atomic_exit(&h_atomic);
			POMP2_Begin(&h_outer, outer_ctc);
			ompp_jump_go(&buffer);
		}
	}
	collect();
	check_identities();
	assert_int_equal(cell("20", "0")->n_exec, N_VISITS);
	assert_int_equal(cell("1", "0")->n_exec, N_VISITS * 3 / 4);
	assert_true(cell("1", "0")->n_untimed > 0);
	assert_false(has_cell("1/20", "0"));
	assert_int_equal(note(OMPP_NOTE_LEFT), 0);
	assert_int_equal(note(OMPP_NOTE_STRAY), 0);
}

/* While measuring is off the clock stands: a setjmp() does not wait for its next tick, and a jump to it leaves what was
 * opened since.  So it is where measuring goes on in between. */
static void jumps_while_off(void **state)
{
	static int buffer;
	const struct ompp_frame *open;

	(void)state;
	start();
	for (int is_on = 0; is_on < 2; is_on++) {
		POMP2_Begin(&h_outer, outer_ctc);
		POMP2_Off();
		POMP2_Atomic_enter(&h_atomic, atomic_ctc);
		open = ompp_self->top;
		ompp_jump_set(&buffer);
		if (is_on)
			POMP2_On();
		POMP2_Begin(&h_outer, outer_ctc);
		ompp_jump_go(&buffer);
		assert_ptr_equal(ompp_self->top, open);
		POMP2_Atomic_exit(&h_atomic);
		if (!is_on)
			POMP2_On();
		POMP2_End(&h_outer);
	}
	collect();
	check_identities();
	assert_int_equal(note(OMPP_NOTE_OPEN) + note(OMPP_NOTE_LEFT) + note(OMPP_NOTE_STRAY), 0);
}

static void off_and_on_in_a_visit(void **state)
{
	(void)state;
	start();
	for (int i = 0; i < N_VISITS; i++) {
		POMP2_Atomic_enter(&h_atomic, atomic_ctc);
		if (i % 100 == 50) {
			POMP2_Off();
			pass(1000);
			POMP2_On();
		}
		pass_in_visit(0);
		POMP2_Atomic_exit(&h_atomic);
	}
	collect();
	assert_int_equal(cell("20", "0")->n_exec, N_VISITS);
	assert_true(cell("20", "0")->n_untimed > N_VISITS / 2);
	assert_true(cell("20", "0")->exec_ns >= us(N_VISITS / 2) && cell("20", "0")->exec_ns <= us(2 * N_VISITS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alternating_visits),
		cmocka_unit_test(visits_in_rounds_of_the_mean_gap),
		cmocka_unit_test(rarely_long_visits),
		cmocka_unit_test(short_runs_and_long_visits_are_timed),
		cmocka_unit_test(no_storms_where_none_are_wanted),
		cmocka_unit_test(a_storm_ends_when_visits_become_long),
		cmocka_unit_test(long_storms_have_small_errors),
		cmocka_unit_test(a_region_begins_in_a_visit),
		cmocka_unit_test(an_instance_runs_in_a_visit),
		cmocka_unit_test(a_forked_child_has_storms_of_its_own),
		cmocka_unit_test(visits_that_are_left),
		cmocka_unit_test(visits_that_jumps_leave),
		cmocka_unit_test(jumps_while_off),
		cmocka_unit_test(off_and_on_in_a_visit),
	};

	return RUN_APART(tests);
}
