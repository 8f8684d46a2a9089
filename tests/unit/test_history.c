/*
 * History: which runs are one version, and in which order versions come: by the time of their commits where all have
 * one, and else by their first runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/compare/history.h"
#include "tests/unit/bare_profile.h"

enum { RUNS = 5 };

#define SECOND INT64_C(1000000000)

static struct ompp_arena arena;
static const struct ompp_row rows[] = { { "0", 1, 1, 0, OMPP_NONE } };
static struct ompp_profile profiles[RUNS];

/* Makes a run of so many seconds, by which the test knows it. */
static void make(int i, const char *stamp, const char *commit, int64_t commit_s, int64_t start_s)
{
	profiles[i] = (struct ompp_profile){ BARE_PROFILE,
		                             .duration_ns = (i + 1) * SECOND,
		                             .max_threads = 1,
		                             .build_commit_unix_s = commit_s,
		                             .start_unix_ns = start_s * SECOND,
		                             .rows = rows,
		                             .n_rows = 1 };
	profiles[i].build_stamp = stamp;
	profiles[i].build_commit = commit;
}

static struct ompp_history history_of(size_t n)
{
	struct ompp_history h;

	assert_int_equal(ompp_history(profiles, n, 0.02, &arena, &h), 0);
	assert_int_equal(h.n_runs, n);
	return h;
}

static void by_commit(void **state)
{
	struct ompp_history h;

	(void)state;
	make(0, "new", "c2", 2000, 10);
	make(1, "old", "c1", 1000, 30);
	make(2, "new", "c2", 2000, 5);
	make(3, "old", "c1", 1000, 40);
	h = history_of(4);
	assert_int_equal(h.n_versions, 2);
	assert_string_equal(h.versions[0].name, "old");
	assert_string_equal(h.versions[0].commit, "c1");
	assert_true(h.versions[0].commit_unix_s == 1000 && h.versions[0].start_unix_ns == 30 * SECOND);
	assert_true(h.versions[0].first == 0 && h.versions[0].n == 2);
	assert_string_equal(h.versions[1].name, "new");
	assert_true(h.versions[1].commit_unix_s == 2000 && h.versions[1].start_unix_ns == 5 * SECOND);
	assert_true(h.versions[1].first == 2 && h.versions[1].n == 2);
	/* runs of one version stay in their order */
	assert_true(profiles[0].duration_ns == 2 * SECOND && profiles[1].duration_ns == 4 * SECOND);
	assert_true(profiles[2].duration_ns == 1 * SECOND && profiles[3].duration_ns == 3 * SECOND);
}

/* Where the time of a commit is not known the first runs decide. */
static void by_first_run(void **state)
{
	struct ompp_history h;

	(void)state;
	for (int64_t unknown = -1; unknown <= 0; unknown++) {
		make(0, "a", "c2", 2000, 10);
		make(1, "b", "", unknown, 20);
		make(2, "c", "c1", 1000, 30);
		h = history_of(3);
		assert_int_equal(h.n_versions, 3);
		for (int i = 0; i < 3; i++)
			assert_true(profiles[i].duration_ns == (i + 1) * SECOND);
		assert_true(h.versions[1].commit_unix_s == OMPP_MISSING);
	}
}

/* Runs without a stamp are versions of their own, with the time of their start as name. */
static void without_stamp(void **state)
{
	struct ompp_history h;

	(void)state;
	make(0, "", "", 0, 86400);
	make(1, "", "", 0, 0);
	h = history_of(2);
	assert_int_equal(h.n_versions, 2);
	assert_true(profiles[0].duration_ns == 2 * SECOND);
	assert_non_null(strstr(h.versions[1].name, "1970-01-02"));
}

/* The program's own series has the wall times, and its medians. */
static void wall_times(void **state)
{
	struct ompp_history h;

	(void)state;
	make(0, "a", "", 0, 1);
	make(1, "a", "", 0, 2);
	make(2, "a", "", 0, 3);
	make(3, "b", "", 0, 4);
	h = history_of(4);
	assert_int_equal(h.n_series, 1);
	assert_string_equal(h.series[0].name, "wall time");
	for (int i = 0; i < 4; i++)
		assert_true(h.series[0].ns[i] == (double)((i + 1) * SECOND));
	assert_true(h.series[0].median_ns[0] == 2.0 * SECOND && h.series[0].median_ns[1] == 4.0 * SECOND);
	assert_string_equal(ompp_history_course(&h.series[0]), "few");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(by_commit), cmocka_unit_test(by_first_run),
		                            cmocka_unit_test(without_stamp), cmocka_unit_test(wall_times) };

	ompp_arena_init(&arena, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
