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
	                    "85 % work: memory? kinst --access, ompp run --cache=1, ompp report --times=FILE");
	profile.queued_all_ns = 100 * MS;
	assert_non_null(next_of());
	profile.queued_all_ns = 101 * MS;
	assert_null(next_of());
	profile.queued_all_ns = OMPP_MISSING;
	cells[0].body_ns -= 101 * MS;
	cells[0].exit_bar_ns += 101 * MS;
	assert_null(next_of());
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_next, start, stop) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
