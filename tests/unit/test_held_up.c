/*
 * Findings about threads that wait for others, by runs of chance: executions of a loop by two or more threads, of which
 * some were held up, or which really differ.  The machine holds up a few executions, or many of one part of the run;
 * what the program does is there all the time.
 *
 * The test makes each execution, and whom each thread waits for, by arithmetic of its own; slices, profile and findings
 * are kinst's.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/analysis/init.h"
#include "reports/findings/findings.h"
#include "runtime/sums/sum_waits.h"
#include "tests/unit/bare_profile.h"

#define MS INT64_C(1000000)

enum { MOST_ROWS = 4, RUNS = 300, LEAST = 60, MOST = 900 };

/* What the executions have. */
enum kind {
	LONG_AND_SHORT, /* they take 1 or 3.3 ms, for all threads alike */
	OUTLIERS,       /* and in the mean in one of 40 a thread takes 10 ms more */
	IN_TURN,        /* which thread has twice as much to do is chance */
	AT_RANDOM,      /* each thread has half as much as usual to one and a half */
	IN_PART,        /* for 40 % of the run one thread takes four tenths longer */
	LASTING         /* it does all the time */
};

static uint64_t seed;
static struct ompp_arena arena;
static struct ompp_row rows[MOST_ROWS];
static struct ompp_region regions[] = { { 1, OMPP_PARALLEL, "a.c", 1, 9, "", 0, 0, "", "", "", 0 },
	                                { 2, OMPP_LOOP, "a.c", 2, 4, "", 0, 0, "", "", "", 0 } };
static struct ompp_node nodes[3];
static struct ompp_cell cells[2 * MOST_ROWS];
static struct ompp_merge_waits waits[MOST_ROWS];
static struct ompp_wait told[MOST_ROWS];

/* Returns a number from 0 to 1. */
static double at_random(void)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (double)(seed >> 11) / 9007199254740992.0;
}

/* Returns what execution i of n takes a row, in ns. */
static double takes(enum kind kind, uint64_t i, uint64_t n, uint32_t row, uint32_t chosen)
{
	double ns = (i % 2 ? 3.3 : 1.0) * 1e6 * (0.98 + 0.04 * at_random());
	int is_late = row == 1 && (kind == LASTING || (kind == IN_PART && i > n / 4 && i < n * 13 / 20));

	if (kind == OUTLIERS && row == chosen && at_random() < 1 / 40.0)
		ns += 1e7;
	if (kind == IN_TURN)
		ns *= row == chosen ? 2 : 1;
	if (kind == AT_RANDOM)
		ns *= 0.5 + at_random();
	return is_late ? ns * 1.4 : ns;
}

/* What one run had. */
struct made {
	double all_ns, wait_ns[MOST_ROWS], work_ns[MOST_ROWS], squares[MOST_ROWS];
};

/* Makes the executions.  is_before: they are what threads do before the construct, whose own work takes 0.1 ms. */
static struct made make(enum kind kind, int is_before, uint64_t n, uint32_t n_rows)
{
	struct made made = { 0 };

	memset(waits, 0, sizeof(waits));
	for (uint64_t i = 0; i < n; i++) {
		uint32_t chosen = (uint32_t)(at_random() * n_rows);
		double ns[MOST_ROWS], most = 0;

		for (uint32_t r = 0; r < n_rows; r++) {
			ns[r] = takes(kind, i, n, r, chosen);
			most = ns[r] > most ? ns[r] : most;
		}
		for (uint32_t r = 0; r < n_rows; r++) {
			uint64_t late = (uint64_t)(most - ns[r]);
			double work = is_before ? 1e5 : ns[r];

			made.wait_ns[r] += (double)late;
			made.work_ns[r] += work;
			made.squares[r] += work * work;
			ompp_series_add(&waits[r].sum.series, (uint64_t)work, 0);
			ompp_series_add(&waits[r].sum.looks, is_before ? 0 : late, is_before ? late : 0);
		}
		made.all_ns += most + (is_before ? 1e5 : 0);
	}
	return made;
}

static void tell(const struct made *made, int is_before, uint64_t n, uint32_t n_rows, struct ompp_profile *profile)
{
	struct ompp_merge_sums sums[MOST_ROWS];
	uint32_t order[MOST_ROWS];
	struct ompp_merge merge = { .sums = sums, .n_sums = n_rows, .waits = told };

	memset(told, 0, sizeof(told));
	memset(sums, 0, sizeof(sums));
	for (uint32_t r = 0; r < n_rows; r++) {
		double mean = made->work_ns[r] / (double)n;
		int64_t wait_ns = (int64_t)made->wait_ns[r], all_ns = (int64_t)made->all_ns;

		sums[r].waits = &waits[r];
		order[r] = r;
		rows[r] = (struct ompp_row){ "", 1, 1, r, OMPP_NONE };
		cells[r] = cells[n_rows + r] = (struct ompp_cell){
			.row = r, .n_exec = n, .exec_ns = all_ns, .incl_ns = all_ns, .body_ns = all_ns
		};
		cells[n_rows + r].exit_bar_ns = wait_ns;
		cells[n_rows + r].body_ns = all_ns - wait_ns;
		told[r] = (struct ompp_wait){ .cell = n_rows + r,
			                      .n = n,
			                      .work_ns = (int64_t)made->work_ns[r],
			                      .spread_ns = (int64_t)sqrt(made->squares[r] / (double)n - mean * mean),
			                      .n_looked = n,
			                      .looked_ns = wait_ns,
			                      .usual_ns = OMPP_MISSING };
		told[r].cause_ns[is_before ? OMPP_CAUSE_BEFORE : OMPP_CAUSE_BODY] = wait_ns;
	}
	nodes[0] = (struct ompp_node){ OMPP_NONE, OMPP_NONE, OMPP_PARALLEL, 0, 0 };
	nodes[1] = (struct ompp_node){ 0, 0, OMPP_PARALLEL, 0, n_rows };
	nodes[2] = (struct ompp_node){ 1, 1, OMPP_LOOP, n_rows, n_rows };
	*profile = (struct ompp_profile){ BARE_PROFILE,
		                          .duration_ns = (int64_t)made->all_ns,
		                          .user_ns = (int64_t)made->all_ns * n_rows,
		                          .max_threads = n_rows,
		                          .queued_all_ns = OMPP_MISSING,
		                          .processors_milli = 1000 * n_rows,
		                          .regions = regions,
		                          .n_regions = 2,
		                          .rows = rows,
		                          .n_rows = n_rows,
		                          .nodes = nodes,
		                          .n_nodes = 3,
		                          .cells = cells,
		                          .n_cells = 2 * n_rows,
		                          .waits = told,
		                          .n_waits = n_rows };
	ompp_collect_waits_compare(&merge, profile, 0, order, n_rows, (struct ompp_clock_rate){ 1, 1 });
}

/* Returns how many of a hundred runs have the finding. */
static int found_in(const char *name, enum kind kind, int is_before, uint32_t n_rows)
{
	static const struct ompp_report_options options;
	int n_found = 0;

	for (int i = 0; i < RUNS; i++) {
		uint64_t n = LEAST + (uint64_t)(at_random() * (MOST - LEAST));
		struct made made = make(kind, is_before, n, n_rows);
		struct ompp_profile profile;
		struct ompp_analysis analysis;
		struct ompp_findings findings;

		tell(&made, is_before, n, n_rows, &profile);
		ompp_arena_fini(&arena);
		ompp_arena_init(&arena, 0);
		assert_int_equal(ompp_analysis_init(&analysis, &profile, &options, &arena), 0);
		assert_int_equal(ompp_findings(&analysis, &findings), 0);
		for (size_t k = 0; k < findings.n; k++)
			n_found += !strcmp(findings.list[k].name, name);
	}
	return n_found * 100 / RUNS;
}

/* Work that varies between executions, or is held up in a few, does not vary between threads; chance does. */
static void test_varies(void **state)
{
	(void)state;
	for (uint32_t n_rows = 2; n_rows <= MOST_ROWS; n_rows++) {
		assert_int_equal(found_in("WorkVariesBetweenThreads", LONG_AND_SHORT, 0, n_rows), 0);
		assert_int_equal(found_in("WorkVariesBetweenThreads", OUTLIERS, 0, n_rows), 0);
		assert_int_equal(found_in("WorkVariesBetweenThreads", IN_PART, 0, n_rows), 0);
		assert_true(found_in("WorkVariesBetweenThreads", IN_TURN, 0, n_rows) >= 99);
		assert_true(found_in("WorkVariesBetweenThreads", AT_RANDOM, 0, n_rows) >= 99);
	}
}

/* So it is with what is done before a construct. */
static void test_before(void **state)
{
	(void)state;
	for (uint32_t n_rows = 2; n_rows <= MOST_ROWS; n_rows++) {
		assert_int_equal(found_in("ImbalanceBefore", LONG_AND_SHORT, 1, n_rows), 0);
		assert_int_equal(found_in("ImbalanceBefore", OUTLIERS, 1, n_rows), 0);
		assert_int_equal(found_in("ImbalanceBefore", IN_PART, 1, n_rows), 0);
		assert_true(found_in("ImbalanceBefore", LASTING, 1, n_rows) >= 99);
		assert_true(found_in("ImbalanceBefore", IN_TURN, 1, n_rows) >= 99);
		assert_true(found_in("ImbalanceBefore", AT_RANDOM, 1, n_rows) >= 99);
	}
}

/* Work in a construct that is unequal all the time is found beside outliers, and not where it comes and goes. */
static void test_lasting(void **state)
{
	(void)state;
	assert_true(found_in("ImbalanceInParallelLoop", LASTING, 0, 2) >= 99);
	assert_int_equal(found_in("ImbalanceInParallelLoop", IN_PART, 0, 2), 0);
	assert_int_equal(found_in("ImbalanceInParallelLoop", OUTLIERS, 0, 2), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_varies),
		cmocka_unit_test(test_before),
		cmocka_unit_test(test_lasting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
