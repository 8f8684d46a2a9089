/*
 * Tests of reports/compare/change_point.c by series with known changes: steps of 5, 10 and 30 % with noise of 1 to 5 %,
 * drifts, outliers, sessions that differ, and nothing.  Hits and false alarms are counted; CHANGE_SEED takes other
 * series, and the bounds hold for any.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/compare/change_point.h"
#include "runtime/base/array.h"

enum { N_SERIES = 100, MOST_VERSIONS = 24, MOST_RUNS = 5 };

static const double level = 0.05, pi = 3.14159265358979323846;
static uint64_t state;

static double uniform(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	double radius = sqrt(-2 * log(uniform()));

	return radius * cos(2 * pi * uniform());
}

static size_t below(size_t n)
{
	return (size_t)(uniform() * (double)n);
}

/* How a series is made. */
struct kind {
	size_t n_versions, n_runs;
	double step, noise; /* of one run */
	double drift;       /* in all versions together */
	double outliers;    /* share of runs that take 1.3 to 3 times as long */
	double sessions;    /* noise that the runs of a version have in common */
	int is_last;        /* the change is in the newest version */
};

struct made {
	double times[MOST_VERSIONS * MOST_RUNS];
	size_t versions[MOST_VERSIONS * MOST_RUNS], n, at;
};

static void make(struct made *m, const struct kind *k)
{
	m->n = 0;
	m->at = k->is_last ? k->n_versions - 1 : 4 + below(k->n_versions - 8);
	for (size_t v = 0; v < k->n_versions; v++) {
		double session = k->sessions * normal(),
		       level_of = 2e9 * (1 + k->drift * (double)v / (double)k->n_versions);

		for (size_t r = 0; r < k->n_runs; r++) {
			double time = level_of * exp(session + k->noise * normal()) * (v >= m->at ? 1 + k->step : 1);

			if (k->outliers > 0 && uniform() < k->outliers)
				time *= 1.3 + 1.7 * uniform();
			m->times[m->n] = time;
			m->versions[m->n++] = v;
		}
	}
}

/* What was found in N_SERIES series. */
struct counts {
	int changed, hits, exact, covered, alarms, drifts;
};

static struct counts count(const struct kind *k)
{
	struct counts c = { 0 };

	for (int i = 0; i < N_SERIES; i++) {
		struct ompp_change_points points;
		struct ompp_arena arena;
		struct made made;
		int is_hit = 0;

		make(&made, k);
		ompp_arena_init(&arena, 0);
		assert_int_equal(ompp_change_points(made.times, made.versions, made.n, level, 0.01, &arena, &points),
		                 0);
		ompp_arena_fini(&arena);
		c.changed += points.course == OMPP_VERSIONS_CHANGED;
		c.drifts += points.course == OMPP_VERSIONS_DRIFT;
		assert_true((points.n > 0) == (points.course == OMPP_VERSIONS_CHANGED));
		for (size_t p = 0; p < points.n; p++) {
			const struct ompp_change_point *one = &points.list[p];
			int is_here = made.at >= one->from && made.at <= one->to;

			assert_true(one->from <= one->at && one->at <= one->to && one->to < k->n_versions);
			assert_true(one->low <= one->ratio && one->ratio <= one->high && one->p <= level);
			if (k->step != 0 && is_here && !is_hit && (one->ratio > 1) == (k->step > 0)) {
				is_hit = 1;
				c.exact += one->at == made.at;
				c.covered += one->low <= 1 + k->step && 1 + k->step <= one->high;
			} else {
				c.alarms++;
			}
		}
		c.hits += is_hit;
	}
	printf("step %+5.0f %% noise %1.0f %% runs %zu x %zu drift %3.0f %% outliers %2.0f %% sessions %1.0f %%%s: "
	       "hits %3d exact %3d "
	       "interval right %3d false alarms %3d drifts %3d of %d\n",
	       100 * k->step, 100 * k->noise, k->n_versions, k->n_runs, 100 * k->drift, 100 * k->outliers,
	       100 * k->sessions, k->is_last ? " newest" : "", c.hits, c.exact, c.covered, c.alarms, c.drifts,
	       N_SERIES);
	return c;
}

/* Of a chance of 5 % more than 17 of 100 is one of a million. */
enum { MOST_ALARMS = 17 };

static void test_steps(void **unused)
{
	static const double steps[] = { 0.05, 0.1, 0.3, -0.1 }, noises[] = { 0.01, 0.02, 0.05 };

	(void)unused;
	for (size_t s = 0; s < OMPP_COUNT_OF(steps); s++)
		for (size_t n = 0; n < OMPP_COUNT_OF(noises); n++)
			for (size_t runs = 1; runs <= MOST_RUNS; runs += 2) {
				struct kind k = {
					.n_versions = 20, .n_runs = runs, .step = steps[s], .noise = noises[n]
				};
				struct counts c = count(&k);
				/* by how many standard errors of a side of four versions the step is larger */
				double size = fabs(log1p(k.step)) / k.noise * sqrt((double)(4 * runs)) / 1.25;

				assert_true(c.alarms <= 2 * MOST_ALARMS);
				if (size > 7)
					assert_true(c.hits >= 65);
				if (size > 12)
					assert_true(c.hits >= 90 && c.exact >= 60);
				if (size > 7)
					assert_true(c.covered * 10 >= c.hits * 7);
			}
}

static void test_newest(void **unused)
{
	(void)unused;
	for (size_t versions = 6; versions <= 20; versions += 14) {
		struct kind k = { .n_versions = versions, .n_runs = 5, .step = 0.1, .noise = 0.02, .is_last = 1 };
		struct counts c = count(&k);

		assert_true(c.hits >= 45 && c.alarms <= MOST_ALARMS);
		k.n_runs = 1; /* one run tells nothing of the newest version */
		c = count(&k);
		assert_true(c.exact == 0 && c.changed <= MOST_ALARMS);
	}
}

static void test_nothing(void **unused)
{
	static const struct kind kinds[] = {
		{ .n_versions = 20, .n_runs = 1, .noise = 0.02 },
		{ .n_versions = 20, .n_runs = 5, .noise = 0.05 },
		{ .n_versions = 6, .n_runs = 5, .noise = 0.01 },
		{ .n_versions = 2, .n_runs = 5, .noise = 0.02, .is_last = 1 },
		{ .n_versions = 4, .n_runs = 5, .noise = 0.02, .is_last = 1 },
		{ .n_versions = 4, .n_runs = 5, .noise = 0.01, .sessions = 0.03, .is_last = 1 },
		{ .n_versions = 20, .n_runs = 3, .noise = 0.02, .outliers = 0.1 },
		{ .n_versions = 20, .n_runs = 1, .noise = 0.02, .outliers = 0.1 },
		{ .n_versions = 20, .n_runs = 5, .noise = 0.01, .sessions = 0.03 },
	};

	(void)unused;
	for (size_t i = 0; i < OMPP_COUNT_OF(kinds); i++) {
		struct counts c = count(&kinds[i]);

		assert_true(c.changed <= MOST_ALARMS);
		assert_true(c.changed + c.drifts <= 2 * MOST_ALARMS);
	}
}

static void test_outliers(void **unused)
{
	static const struct kind k = { .n_versions = 20, .n_runs = 5, .step = 0.1, .noise = 0.02, .outliers = 0.1 };
	struct counts c = count(&k);

	(void)unused;
	assert_true(c.hits >= 55 && c.alarms <= 2 * MOST_ALARMS);
}

static void test_drift(void **unused)
{
	static const double drifts[] = { 0.1, 0.3 };

	(void)unused;
	for (size_t i = 0; i < OMPP_COUNT_OF(drifts); i++) {
		struct kind k = { .n_versions = 20, .n_runs = 5, .noise = 0.02, .drift = drifts[i] };
		struct counts c = count(&k);

		assert_true(c.drifts >= 80 && c.changed <= 20);
	}
}

/* Up at 6 and down again at 12: both are found, and stairs are no drift. */
static void test_two(void **unused)
{
	int n_found[2] = { 0, 0 };

	(void)unused;
	for (int i = 0; i < 2 * N_SERIES; i++) {
		double times[18 * 3];
		size_t versions[18 * 3], n = 0;
		struct ompp_change_points points;
		struct ompp_arena arena;

		for (size_t v = 0; v < 18; v++)
			for (int r = 0; r < 3; r++) {
				times[n] = 1e9 * exp(0.01 * normal()) * (v < 6 ? 1 : v < 12 ? 1.1 : i % 2 ? 1.21 : 1);
				versions[n++] = v;
			}
		ompp_arena_init(&arena, 0);
		assert_int_equal(ompp_change_points(times, versions, n, level, 0.01, &arena, &points), 0);
		ompp_arena_fini(&arena);
		n_found[i % 2] += points.n == 2 && points.list[0].at == 6 && points.list[1].at == 12;
	}
	printf("two changes: there and back %d, stairs %d of %d\n", n_found[0], n_found[1], N_SERIES);
	assert_true(n_found[0] >= 75 && n_found[1] >= 75);
}

static void test_few(void **unused)
{
	static const double times[] = { 1e9, 1.01e9, 2e9, 2.02e9, NAN, 0, -1 };
	static const size_t versions[] = { 0, 0, 1, 1, 2, 2, 2 };
	struct ompp_change_points points;
	struct ompp_arena arena;

	(void)unused;
	ompp_arena_init(&arena, 0);
	for (size_t n = 0; n <= OMPP_COUNT_OF(times); n++) {
		assert_int_equal(ompp_change_points(times, versions, n, level, 0, &arena, &points), 0);
		assert_true(points.course == OMPP_VERSIONS_FEW && !points.n);
	}
	ompp_arena_fini(&arena);
}

/* Times that are the same in each run have no noise: any change is certain. */
static void test_exact(void **unused)
{
	double times[12];
	size_t versions[12];
	struct ompp_change_points points;
	struct ompp_arena arena;

	(void)unused;
	for (size_t i = 0; i < 12; i++) {
		versions[i] = i;
		times[i] = i < 7 ? 1e6 : 1.5e6;
	}
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_change_points(times, versions, 12, level, 0.01, &arena, &points), 0);
	assert_true(points.n == 1 && points.list[0].at == 7 && points.list[0].from == 7 && points.list[0].to == 7);
	assert_true(fabs(points.list[0].ratio - 1.5) < 1e-9);
	for (size_t i = 0; i < 12; i++)
		times[i] = 1e6;
	assert_int_equal(ompp_change_points(times, versions, 12, level, 0, &arena, &points), 0);
	assert_true(points.course == OMPP_VERSIONS_STEADY && !points.n);
	ompp_arena_fini(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),    cmocka_unit_test(test_newest), cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_outliers), cmocka_unit_test(test_drift),  cmocka_unit_test(test_two),
		cmocka_unit_test(test_few),      cmocka_unit_test(test_exact),
	};
	const char *seed = getenv("CHANGE_SEED");

	state = 0x9e3779b97f4a7c15u ^ (seed ? strtoull(seed, NULL, 10) * 0xbf58476d1ce4e5b9u : 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
