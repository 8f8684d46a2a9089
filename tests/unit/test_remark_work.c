/*
 * Remark, work: when the summary asks what work waits for.
 */
#include "reports/tables/remark_work.h"
#include "tests/unit/finding_case.h"

static const char *next_of(void)
{
	assert_int_equal(ompp_analysis_init(&analysis, &profile, &options, &arena), 0);
	return ompp_remark_next(&analysis);
}

/* Two threads are at work for 1.7 s of 2 s.  It is no question of memory where they had no processor meanwhile. */
static void test_next(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 10, "");
	assert_string_equal(next_of(),
	                    "85 % work: memory? kinst --access, ompp run --objects --cache=1; report --times");
	profile.queued_all_ns = 100 * MS;
	assert_non_null(next_of());
	profile.queued_all_ns = 101 * MS;
	assert_null(next_of());
	profile.queued_all_ns = OMPP_MISSING;
	cells[0].body_ns -= 101 * MS;
	cells[0].exit_bar_ns += 101 * MS;
	assert_null(next_of());
}

/* The line of a hot function that was inlined into another one, of 10 samples, in so many columns. */
static const char *hot_of(const char *function, const char *within, size_t n_columns)
{
	static struct ompp_hot_spot spot;

	spot = (struct ompp_hot_spot){ 1, 0, "", function, within, "/src/a.c", 4, 10, 40 * MS, MS, 0 };
	one(OMPP_PARALLEL_LOOP, 10, "");
	profile.duration_ns = 950 * MS; /* less than a tenth of that is serial */
	profile.hot_spots = &spot;
	profile.n_hot_spots = 1;
	assert_int_equal(ompp_analysis_init(&analysis, &profile, &options, &arena), 0);
	analysis.columns = n_columns;
	return ompp_remark_hot(&analysis);
}

/* No name is cut where the function's and its place have room: the other name is left out as a whole. */
static void test_hot(void **state)
{
	static const char whole[] = "R00001: 100 +- 10 % in solve in relax_all_cells (a.c:4); see hot";
	static const char less[] = "R00001: 100 +- 10 % in solve (a.c:4); see hot";
	const char *line;

	(void)state;
	for (size_t n = sizeof(less) - 1; n < 100; n++)
		assert_string_equal(hot_of("solve", "relax_all_cells", n), n < sizeof(whole) - 1 ? less : whole);
	line = hot_of("a_function_with_a_name_that_no_line_of_a_terminal_has_room_for_whatever_is_left_out", "main",
	              80);
	assert_int_equal(ompp_text_columns(line), 80);
	assert_string_equal(line + strlen(line) - strlen(" (a.c:4); see hot"), " (a.c:4); see hot");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_next, start, stop),
		                            cmocka_unit_test_setup_teardown(test_hot, start, stop) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
