/*
 * Value: how the value of a counter that counted only for a part of the time is scaled to all of it.
 */
#include "tests/unit/steps.h"

#include "runtime/counters/value.h"

static void all_of_the_time(void **state)
{
	(void)state;
	assert_int_equal(ompp_value_is_partial(100, 100), 0);
	assert_int_equal(ompp_value_of_all(7, 100, 100), 7);
	assert_int_equal(ompp_value_of_all(7, 0, 0), 7);
	assert_int_equal(ompp_value_of_share(7, 100, 100), 7);
	assert_int_equal(ompp_value_percent(100, 100), 100);
}

static void a_share_of_it(void **state)
{
	(void)state;
	assert_int_equal(ompp_value_is_partial(300, 100), 1);
	assert_int_equal(ompp_value_of_all(INT64_C(2000000000000000000), 300, 100), INT64_C(6000000000000000000));
	assert_int_equal(ompp_value_of_share(INT64_C(6000000000000000000), 300, 100), INT64_C(2000000000000000000));
	assert_int_equal(ompp_value_percent(300, 100), 33);
	assert_int_equal(ompp_value_percent(1000, 9), 0);
}

static void never(void **state)
{
	(void)state;
	assert_true(ompp_value_of_all(0, 300, 0) == OMPP_MISSING);
	assert_int_equal(ompp_value_of_share(5, 300, 0), 0);
	assert_int_equal(ompp_value_percent(300, 0), 0);
}

static void units(void **state)
{
	(void)state;
	assert_int_equal(ompp_value_in_unit(10, 1, 0), 10);
	assert_int_equal(ompp_value_in_unit((__int128)INT64_MAX, 64, 6), INT64_MAX);
	assert_int_equal(ompp_value_in_unit(-8, 3, 1), -12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_the_time),
		cmocka_unit_test(a_share_of_it),
		cmocka_unit_test(never),
		cmocka_unit_test(units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
