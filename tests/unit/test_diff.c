/*
 * Diff: how large a change is, relative to the first side, and at least where one side is known by a bound alone; what
 * two runs a side may have lost to other programs, times and latencies; which blocks of an object are the same ones in
 * all runs.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/compare/diff.h"
#include "reports/compare/diff_instances.h"
#include "runtime/base/array.h"
#include "tests/golden/example.h"

#define MS INT64_C(1000000)

static struct ompp_arena arena;

static void relative(void **state)
{
	static const struct {
		double a, b, at_most_a, at_most_b, change, low, high; /* of the row */
		double relative, least;
	} cases[] = {
		{ 4, 6, NAN, NAN, 2, 1, 3, 0.5, 0.5 },
		{ 4, 1, NAN, NAN, -3, -4, -2, -0.75, -0.75 },
		{ -4, -6, NAN, NAN, -2, -3, -1, -0.5, -0.5 },
		{ 0, 0, NAN, NAN, 0, 0, 0, 0, 0 },
		{ 0, 6, NAN, NAN, 6, 5, 7, INFINITY, INFINITY },
		/* a change that is known needs no bound */
		{ 4, 6, 8, NAN, 2, 1, 3, 0.5, 0.5 },
		{ 4, 6, NAN, 8, 2, 1, 3, 0.5, 0.5 },
		/* nothing is known */
		{ 4, 6, NAN, NAN, NAN, 1, 3, NAN, NAN },
		/* A was at most 10, and B is above that by 3 at least */
		{ NAN, 14, 10, NAN, NAN, 3, 14, NAN, 0.3 },
		/* B was at most 10, and A was above that by 10 at least */
		{ 20, NAN, NAN, 10, NAN, -20, -10, NAN, -0.5 },
		/* it may be none */
		{ NAN, 14, 20, NAN, NAN, -6, 14, NAN, 0 },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct ompp_diff_row row = {
			.a = { .mean = cases[i].a },
			.b = { .mean = cases[i].b },
			.at_most_a = cases[i].at_most_a,
			.at_most_b = cases[i].at_most_b,
			.difference = { .change = cases[i].change, .low = cases[i].low, .high = cases[i].high }
		};
		double found[] = { ompp_diff_relative(&row), ompp_diff_least_relative(&row) };
		double expected[] = { cases[i].relative, cases[i].least };

		for (int k = 0; k < 2; k++)
			if (!(found[k] <= expected[k] && found[k] >= expected[k]) &&
			    !(isnan(found[k]) && isnan(expected[k])))
				fail_msg("case %zu, %d: %g, expected %g", i, k, found[k], expected[k]);
	}
}

/* Returns the row of the program's wall time in a comparison of runs that took so long. */
static const struct ompp_diff_row *wall_row(const int64_t *ns, size_t n_a, size_t n_b)
{
	struct ompp_profile profiles[4];
	struct ompp_diff_options options = { .level = 0.05 };
	struct ompp_diff *diff = ompp_arena_alloc(&arena, sizeof(*diff));

	assert_non_null(diff);
	for (size_t i = 0; i < n_a + n_b; i++) {
		example_profile(&profiles[i]);
		profiles[i].duration_ns = ns[i];
	}
	assert_int_equal(ompp_diff(profiles, n_a, n_b, &options, &arena, diff), 0);
	for (size_t i = 0; i < diff->n_rows; i++)
		if (diff->rows[i].group == OMPP_DIFF_PROGRAM && diff->rows[i].is_time &&
		    diff->rows[i].a.mean > 5e9) /* no other time of the program is as long */
			return &diff->rows[i];
	fail_msg("no wall time");
	return NULL;
}

/* Other programs may have taken 3 ms of each run, of which a tenth may be missed: two runs a side that are closer than
 * that by chance say nothing of a change of 0.3 ms, and much of one of 100 ms. */
static void two_against_two(void **state)
{
	static const int64_t near[] = { 10000 * MS, 10000 * MS + 1000, 10000 * MS + 300000, 10000 * MS + 301000 };
	static const int64_t far[] = { 10000 * MS, 10000 * MS + 1000, 10100 * MS, 10100 * MS + 1000 };
	const struct ompp_diff_row *row;

	(void)state;
	ompp_arena_init(&arena, 0);
	row = wall_row(near, 2, 2);
	assert_true(row->a.least > 1e10 && row->b.least > 1e10); /* 0.1 ms, squared */
	assert_int_equal(row->verdict, OMPP_DIFF_UNCHANGED);
	assert_int_equal(wall_row(far, 2, 2)->verdict, OMPP_DIFF_CHANGED);
	row = wall_row(near, 1, 2);
	assert_true(isnan(row->a.least) && isnan(row->b.least));
	assert_true(isnan(wall_row(near, 2, 1)->a.least));
	ompp_arena_fini(&arena);
}

/* Latencies are uncertain by their samples, and the more so the larger the part of a run that others may have had. */
static void latencies(void **state)
{
	struct ompp_profile profiles[4];
	struct ompp_diff_options options = { .level = 0.05 };
	struct ompp_diff calm, busy;
	int n = 0;

	(void)state;
	ompp_arena_init(&arena, 0);
	for (size_t i = 0; i < OMPP_COUNT_OF(profiles); i++)
		example_sample_profile(&profiles[i]);
	assert_int_equal(ompp_diff(profiles, 2, 2, &options, &arena, &calm), 0);
	for (size_t i = 0; i < OMPP_COUNT_OF(profiles); i++)
		profiles[i].queued_ns = profiles[i].duration_ns / 2;
	assert_int_equal(ompp_diff(profiles, 2, 2, &options, &arena, &busy), 0);
	assert_int_equal(calm.n_rows, busy.n_rows);
	for (size_t i = 0; i < calm.n_rows; i++) {
		const struct ompp_diff_row *row = &busy.rows[i];
		double others = pow(row->a.mean * busy.others_a / 10,
		                    2); /* as all runs lost the same, a tenth is missed */

		assert_ptr_equal(row->measure, calm.rows[i].measure);
		if (strcmp(row->measure, "mean latency"))
			continue;
		n++;
		assert_true(others > 0 && row->a.least >= others && row->b.least >= others);
		assert_true(row->a.least > calm.rows[i].a.least && row->b.least > calm.rows[i].b.least);
	}
	assert_true(n > 0);
	ompp_arena_fini(&arena);
}

enum { RUNS = 2, BLOCKS = 3 };

/* Matches the blocks of one object in two runs, A's and B's, where they have these numbers. */
static struct ompp_diff_instances matched(int64_t orders[RUNS][BLOCKS])
{
	static const char *const names[] = { "x" };
	static uint32_t of_run[] = { 0 };
	static uint32_t *const of[RUNS] = { of_run, of_run };
	static struct ompp_allocation allocation;
	static struct ompp_instance blocks[RUNS][BLOCKS];
	struct ompp_profile profiles[RUNS];
	struct ompp_diff_objects objects = { profiles, 1, RUNS, 1, of, names, "\1" };
	struct ompp_diff_instances found;

	allocation = (struct ompp_allocation){ .n_blocks = 7, .n_told = 7 };
	for (size_t run = 0; run < RUNS; run++) {
		profiles[run] = (struct ompp_profile){
			.allocations = &allocation, .n_allocations = 1, .instances = blocks[run], .n_instances = BLOCKS
		};
		for (size_t i = 0; i < BLOCKS; i++)
			blocks[run][i] = (struct ompp_instance){ .order = orders[run][i], .bytes = 64 };
	}
	assert_int_equal(ompp_diff_instances(&objects, &arena, &found), 0);
	return found;
}

/* Blocks are the same by their number.  No block of a run is matched when the number of one is not known, whichever it
 * is. */
static void instances(void **state)
{
	int64_t orders[RUNS][BLOCKS] = { { 2, 5, 7 }, { 5, 1, 7 } };
	static const int64_t all[] = { 1, 2, 5, 7 };
	struct ompp_diff_instances found;

	(void)state;
	ompp_arena_init(&arena, 0);
	found = matched(orders);
	assert_int_equal(found.n_unmatched, 0);
	assert_int_equal(found.n, OMPP_COUNT_OF(all));
	for (size_t i = 0; i < found.n; i++) {
		assert_int_equal(found.list[i].order, all[i]);
		assert_int_equal(found.list[i].of[0] != NULL, all[i] != 1);
		assert_int_equal(found.list[i].of[1] != NULL, all[i] != 2);
	}
	for (size_t run = 0; run < RUNS; run++)
		for (size_t i = 0; i < BLOCKS; i++) {
			int64_t was = orders[run][i];

			orders[run][i] = OMPP_MISSING;
			found = matched(orders);
			orders[run][i] = was;
			assert_int_equal(found.n, 0);
			assert_int_equal(found.n_unmatched, 1);
			assert_non_null(strstr(found.unmatched[0].why, run ? "in a run of B" : "in a run of A"));
		}
	ompp_arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(relative),
		cmocka_unit_test(two_against_two),
		cmocka_unit_test(latencies),
		cmocka_unit_test(instances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
