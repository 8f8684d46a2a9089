/*
 * Storm times: of constructs that let in one thread at a time the storm has three times of each visit: waiting, what is
 * done inside, and leaving.  Each estimate lies beside the truth as often as its own error says, also where a wait is
 * so rare that few samples have one; all counts are exact.
 *
 * The clock is the fake one (see test_storm.c), so the truth is known.
 */
#define _GNU_SOURCE
#include "tests/unit/storms.h"

#include <stdio.h>

#include "runtime/core/storm.h"
#include "runtime/core/thread.h"
#include "runtime/host/clock.h"
#include "runtime/interpose/lock_calls.h"
#include "runtime/terms/mode.h"

REGION_WITH(inner, userRegion, 3, 4, "userRegionName=inner*");
REGION(critical, critical, 20, 21);
REGION(task, task, 30, 39);

enum { N_RUNS = 80, N_VISITS = 40000, FIRST_LINE = 100, RARE_US = 20000 };

/* What a visit takes, without the readings of the clock. */
struct visit {
	int enter_us, body_us, exit_us;
};

static struct visit changing(int i)
{
	return (struct visit){ i % 5, i % 2 ? 1 : 6, i % 3 ? 0 : 4 };
}

/* A thread waits so rarely that most samples have no such visit, and so long that it is most of the time. */
static struct visit rarely_waiting(int i)
{
	return (struct visit){ i % 4001 == 4000 ? RARE_US : 1 + i % 2, 2, 1 };
}

/* Inlined in any build, as a region that begins in the caller shows that a function which opened a visit was left. */
static inline __attribute__((always_inline)) void enter(void **handle, const char *ctc, struct visit v)
{
	POMP2_Critical_enter(handle, ctc);
	pass_in_visit(v.enter_us);
	POMP2_Critical_begin(handle);
	pass_in_visit(v.body_us);
}

static inline __attribute__((always_inline)) void leave(void **handle, struct visit v)
{
	POMP2_Critical_end(handle);
	pass_in_visit(v.exit_us);
	POMP2_Critical_exit(handle);
}

static inline __attribute__((always_inline)) void visit_critical(void **handle, const char *ctc, struct visit v)
{
	enter(handle, ctc, v);
	leave(handle, v);
}

static const struct ompp_cell *cell_at(const struct ompp_profile *p, uint32_t line)
{
	for (size_t i = 1; i < p->n_nodes; i++)
		if (p->regions[p->nodes[i].region].begin_line == line)
			return &p->cells[p->nodes[i].first_cell];
	fail_msg("no region at line %u", line);
	return NULL;
}

/* How often estimates are within two errors, and their mean distance in errors and in times of the truth. */
struct score {
	int n_near;
	double mean_off, squares;
};

static void score_one(struct score *s, int64_t ns, int64_t error_ns, double truth)
{
	double off = (double)ns - truth, error = (double)error_ns;

	assert_true(error > 0);
	s->n_near += off < 2 * error && off > -2 * error;
	s->squares += off * off / error / error / N_RUNS;
	s->mean_off += off / truth / N_RUNS;
}

/* most_off: of the mean of all runs, in times of the truth */
static void check_score(const char *what, const struct score *s, int least_percent, double most_off)
{
	printf("%s: within 2 errors %d of %d; mean of (off / error)^2 %.2f, of off / truth %.4f\n", what, s->n_near,
	       N_RUNS, s->squares, s->mean_off);
	assert_true(s->n_near * 100 >= N_RUNS * least_percent);
	assert_true(s->mean_off > -most_off && s->mean_off < most_off);
}

/* Most visits are not timed; but where rare ones wait long, most are.  Returns 1 when the lower bound has most of the
 * waiting then. */
static int check_untimed(const struct ompp_cell *c, struct visit (*takes)(int i), double enter)
{
	assert_int_equal(c->n_exec, N_VISITS);
	if (takes == rarely_waiting) {
		assert_true(c->n_untimed > 0 && c->n_untimed < N_VISITS / 4);
		return (double)c->enter_ns - 2 * (double)c->enter_error_ns > enter / 2;
	}
	assert_true(c->n_untimed > N_VISITS / 2 && c->n_untimed < N_VISITS);
	return 1;
}

struct truth {
	double enter, body, exit;
};

static struct truth truth_of(struct visit (*takes)(int i))
{
	struct truth truth = { 0 };

	for (int i = 0; i < N_VISITS; i++) {
		struct visit v = takes(i);

		truth.enter += (v.enter_us + 1) * 1e3;
		truth.body += (v.body_us + 1) * 1e3;
		truth.exit += (v.exit_us + 1) * 1e3;
	}
	return truth;
}

/* Runs the program in many regions, which choose by different random numbers, and compares with the truth. */
static void hold_for(struct visit (*takes)(int i), int least_percent, double most_off)
{
	static void *handles[N_RUNS];
	struct score enters = { 0 }, bodies = { 0 }, exits = { 0 }, wholes = { 0 };
	struct truth truth = truth_of(takes);
	const struct ompp_profile *p;
	int n_found = 0;
	char ctc[256];

	start();
	for (uint32_t r = 0; r < N_RUNS; r++) {
		snprintf(ctc, sizeof(ctc), "0*regionType=critical*sscl=dir/t.c:%u:%u*escl=dir/t.c:%u:%u**",
		         FIRST_LINE + r, FIRST_LINE + r, FIRST_LINE + r, FIRST_LINE + r);
		for (int i = 0; i < N_VISITS; i++)
			visit_critical(&handles[r], ctc, takes(i));
	}
	p = collect();
	check_identities();
	for (uint32_t r = 0; r < N_RUNS; r++) {
		const struct ompp_cell *c = cell_at(p, FIRST_LINE + r);

		n_found += check_untimed(c, takes, truth.enter);
		assert_int_equal(c->n_body, N_VISITS);
		score_one(&enters, c->enter_ns, c->enter_error_ns, truth.enter);
		score_one(&bodies, c->body_ns, c->body_error_ns, truth.body);
		score_one(&exits, c->exit_ns, c->exit_error_ns, truth.exit);
		score_one(&wholes, c->exec_ns, c->error_ns, truth.enter + truth.body + truth.exit);
	}
	assert_true(n_found >= N_RUNS * 9 / 10); /* the others have a wait in the sample, and a large error */
	check_score("enter", &enters, least_percent, most_off);
	check_score("body", &bodies, least_percent, 0.08);
	check_score("exit", &exits, least_percent, 0.08);
	check_score("whole", &wholes, least_percent, most_off);
}

static void times_that_change(void **state)
{
	(void)state;
	hold_for(changing, 91, 0.02);
}

static void waits_that_the_sample_hardly_meets(void **state)
{
	(void)state;
	hold_for(rarely_waiting, 90, 0.5);
}

/* Where the time around is long, nothing is gained: all visits are timed. */
static void none_where_the_cost_is_small(void **state)
{
	(void)state;
	start();
	for (int i = 0; i < N_VISITS / 2; i++) {
		visit_critical(&h_critical, critical_ctc, changing(i));
		pass(4500);
	}
	collect();
	assert_int_equal(cell("20", "0")->n_untimed, 0);
	assert_int_equal(cell("20", "0")->error_ns, 0);
	assert_int_equal(cell("20", "0")->body_error_ns, 0);
}

/* A region begins in a body: it is where it belongs, and that visit and all later ones are timed. */
static void a_region_begins_in_a_body(void **state)
{
	const struct ompp_cell *c, *in;
	double body = 0;

	(void)state;
	start();
	for (int i = 0; i < N_VISITS; i++) {
		struct visit v = changing(i);

		enter(&h_critical, critical_ctc, v);
		body += v.body_us + 1;
		if (i > N_VISITS / 2 && i % 1000 == 7) {
			POMP2_Begin(&h_inner, inner_ctc);
			pass(5000);
			POMP2_End(&h_inner);
			body += 5002;
		}
		leave(&h_critical, v);
	}
	collect();
	check_identities();
	c = cell("20", "0");
	in = cell("20/3", "0");
	assert_int_equal(in->n_exec, N_VISITS / 2000);
	assert_int_equal(in->exec_ns, in->n_exec * 5001 * 1000);
	assert_int_equal(c->n_exec, N_VISITS);
	assert_int_equal(c->n_body, N_VISITS);
	assert_true(c->n_untimed > N_VISITS / 4 && c->n_untimed < N_VISITS * 3 / 5);
	printf("body: truth %.0f us, %lld +- %lld ns\n", body, (long long)c->body_ns, (long long)c->body_error_ns);
	assert_true((double)c->body_ns < body * 1e3 + 4.0 * (double)c->body_error_ns);
	assert_true((double)c->body_ns > body * 1e3 - 4.0 * (double)c->body_error_ns - 10e3);
}

/* An instance runs in a body: the visit is timed from there on, and none of the sample. */
static void an_instance_runs_in_a_body(void **state)
{
	const struct ompp_cell *c;

	(void)state;
	start();
	POMP2_Assign_handle(&h_task, task_ctc);
	for (int i = 0; i < N_VISITS; i++) {
		enter(&h_critical, critical_ctc, changing(i));
		if (i > N_VISITS / 2 && i % 100 == 7) {
			POMP2_Task_begin(&h_task, 0);
			pass(5000);
			POMP2_Task_end(&h_task);
		}
		leave(&h_critical, changing(i));
	}
	collect();
	check_identities();
	c = cell("20", "0");
	assert_int_equal(cell("30x", "0")->exec_ns, N_VISITS / 200 * us(5001));
	assert_int_equal(c->n_exec, N_VISITS);
	assert_int_equal(c->n_body, N_VISITS);
	assert_true(c->n_untimed > N_VISITS / 2);
	printf("body of %lld ns, +- %lld\n", (long long)c->body_ns, (long long)c->body_error_ns);
	assert_true(c->body_ns > us(N_VISITS / 200 * 5001));
	assert_true(c->body_error_ns < c->body_ns / 50); /* the instances are no time in which visits could have been */
}

/* Bodies that never end, as their function is left by a jump or a return, do not bring the two nodes out of step. */
static __attribute__((noinline)) void leave_open(int i)
{
	enter(&h_critical, critical_ctc, changing(i));
}

static void bodies_that_are_left(void **state)
{
	const struct ompp_cell *c;
	double body = 0;

	(void)state;
	start();
	for (int i = 0; i < N_VISITS; i++) {
		if (i % 500 == 3)
			leave_open(i);
		visit_critical(&h_critical, critical_ctc, changing(i));
		body += changing(i).body_us + 1;
	}
	collect();
	c = cell("20", "0");
	assert_int_equal(c->n_exec, N_VISITS + N_VISITS / 500);
	assert_int_equal(c->n_body, N_VISITS + N_VISITS / 500);
	assert_true(c->n_untimed > N_VISITS / 2);
	printf("body: truth %.0f us, %lld +- %lld ns\n", body, (long long)c->body_ns, (long long)c->body_error_ns);
	assert_true((double)c->body_ns < body * 1.1e3 && (double)c->body_ns > body * 0.9e3);
}

/* ---- locks ---- */

static struct visit next; /* of the lock that is set */

static void real_set(void *s)
{
	(void)s;
	pass(next.enter_us);
}

static void real_unset(void *s)
{
	(void)s;
	pass(next.exit_us);
}

static int real_test(void *s)
{
	(void)s;
	return 1;
}

static int is_untimed(void *s, enum ompp_construct construct)
{
	return ompp_lock_find(s, construct, NULL)->is_untimed;
}

/* Sets and unsets a lock; the readings of a visit that is not timed pass, too. */
static void visit_lock(void *s, enum ompp_construct construct, struct visit v)
{
	next = v;
	ompp_lock_set(s, NULL, construct, real_set);
	pass(v.body_us + (is_untimed(s, construct) ? 4 : 0));
	ompp_lock_unset(s, construct, real_unset);
}

static const struct ompp_cell *lock_cell(const struct ompp_profile *p, size_t n)
{
	for (size_t i = 1; i < p->n_nodes; i++)
		if (ompp_construct_is_lock(p->nodes[i].construct) && !n--)
			return &p->cells[p->nodes[i].first_cell];
	fail_msg("no such lock");
	return NULL;
}

static void hold_locks(struct visit (*takes)(int i), int least_percent, double most_off)
{
	static int locks[N_RUNS][16];
	struct score enters = { 0 }, bodies = { 0 }, exits = { 0 }, wholes = { 0 };
	struct truth truth = truth_of(takes);
	const struct ompp_profile *p;
	int n_found = 0;

	option("OMPP_COLLAPSE_LOCKS", "0");
	start();
	for (size_t r = 0; r < N_RUNS; r++)
		for (int i = 0; i < N_VISITS; i++)
			visit_lock(locks[r], OMPP_LOCK, takes(i));
	p = collect();
	check_identities();
	for (size_t r = 0; r < N_RUNS; r++) {
		const struct ompp_cell *c = lock_cell(p, r);

		n_found += check_untimed(c, takes, truth.enter);
		score_one(&enters, c->enter_ns, c->enter_error_ns, truth.enter);
		score_one(&bodies, c->body_ns, c->body_error_ns, truth.body);
		score_one(&exits, c->exit_ns, c->exit_error_ns, truth.exit);
		score_one(&wholes, c->exec_ns, c->error_ns, truth.enter + truth.body + truth.exit);
	}
	assert_true(n_found >= N_RUNS * 9 / 10);
	check_score("set", &enters, least_percent, most_off);
	check_score("held", &bodies, least_percent, 0.08);
	check_score("unset", &exits, least_percent, 0.08);
	check_score("whole", &wholes, least_percent, most_off);
}

static void locks_that_change(void **state)
{
	(void)state;
	hold_locks(changing, 88, 0.02);
}

static void locks_that_rarely_wait(void **state)
{
	(void)state;
	hold_locks(rarely_waiting, 90, 0.5);
}

/* Sets by a thread that has the lock, and tests, are timed beside the sample, whatever else is not. */
static void nested_and_tested_locks(void **state)
{
	static int lock[16];
	const struct ompp_cell *c;

	(void)state;
	start();
	for (int i = 0; i < N_VISITS; i++) {
		next = (struct visit){ 1, 1, 1 };
		ompp_lock_set(lock, NULL, OMPP_NEST_LOCK, real_set);
		if (i % 10 == 0) {
			ompp_lock_set(lock, NULL, OMPP_NEST_LOCK, real_set);
			ompp_lock_unset(lock, OMPP_NEST_LOCK, real_unset);
		}
		pass(is_untimed(lock, OMPP_NEST_LOCK) ? 4 : 0);
		ompp_lock_unset(lock, OMPP_NEST_LOCK, real_unset);
		if (i % 10 == 1) {
			ompp_lock_test(lock, NULL, OMPP_NEST_LOCK, real_test);
			ompp_lock_unset(lock, OMPP_NEST_LOCK, real_unset);
		}
	}
	c = lock_cell(collect(), 0);
	assert_int_equal(c->n_exec, N_VISITS + N_VISITS / 5);
	assert_true(c->n_untimed > N_VISITS / 2 && c->n_untimed < N_VISITS);
	printf("set %lld +- %lld, held %lld +- %lld, unset %lld +- %lld ns\n", (long long)c->enter_ns,
	       (long long)c->enter_error_ns, (long long)c->body_ns, (long long)c->body_error_ns, (long long)c->exit_ns,
	       (long long)c->exit_error_ns);
	/* A set takes 2 us, a test 1; an unset 2; a lock is held for 1 us, for 7 where it is set once more inside. */
	assert_true(c->enter_ns > us(N_VISITS * 223 / 100) && c->enter_ns < us(N_VISITS * 237 / 100));
	assert_true(c->exit_ns > us(N_VISITS * 233 / 100) && c->exit_ns < us(N_VISITS * 247 / 100));
	assert_true(c->body_ns > us(N_VISITS * 12 / 10) && c->body_ns < us(N_VISITS * 22 / 10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_that_change),
		cmocka_unit_test(waits_that_the_sample_hardly_meets),
		cmocka_unit_test(none_where_the_cost_is_small),
		cmocka_unit_test(a_region_begins_in_a_body),
		cmocka_unit_test(an_instance_runs_in_a_body),
		cmocka_unit_test(bodies_that_are_left),
		cmocka_unit_test(locks_that_change),
		cmocka_unit_test(locks_that_rarely_wait),
		cmocka_unit_test(nested_and_tested_locks),
	};

	return RUN_APART(tests);
}
