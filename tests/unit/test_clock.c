/*
 * Clock: its kinds, the step of the fake clock, and the exact conversion of ticks.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/host/clock.h"

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void fake_clock_steps_by_a_microsecond(void **state)
{
	uint64_t first;

	(void)state;
	assert_int_equal(ompp_clock_open("fake"), 0);
	assert_string_equal(ompp_clock_name(), "fake");
	first = ompp_clock();
	assert_int_equal(ompp_clock(), first + 1000);
	assert_int_equal(ompp_clock(), first + 2000);
}

/* While the clock stands, no interval grows, but the raw ticks go on. */
static void a_clock_stands_and_goes_on(void **state)
{
	static const char *const names[] = { "fake", "auto", "monotonic" };
	struct ompp_clock_anchor start, standing, end;

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++) {
		uint64_t before, held, after;

		assert_int_equal(ompp_clock_open(names[i]), 0);
		before = ompp_clock();
		ompp_clock_anchor(&start);
		ompp_clock_stop();
		held = ompp_clock();
		assert_true(held >= before);
		ompp_clock_anchor(&standing);
		for (int64_t t = now_ns(); now_ns() - t < 20000000;)
			assert_int_equal(ompp_clock(), held);
		assert_int_equal(standing.ticks, held);
		assert_true(standing.raw_ticks > start.raw_ticks);
		ompp_clock_go();
		after = ompp_clock();
		ompp_clock_anchor(&end);
		assert_true(after >= held && end.ticks > start.ticks);
		if (i) /* the 20 ms, and a little more, were not measured */
			assert_true(end.raw_ticks - end.ticks - (start.raw_ticks - start.ticks) >
			            end.ticks - start.ticks);
		else
			assert_int_equal(end.raw_ticks - end.ticks, 2 * 1000); /* two readings, each 1000 ticks */
	}
}

static void ticks_convert_by_the_ratio(void **state)
{
	struct ompp_clock_rate rate = { 1, 3 };

	(void)state;
	assert_int_equal(ompp_clock_ns(rate, 300), 100);
	assert_int_equal(ompp_clock_ns(rate, 301), 100);
	assert_int_equal(ompp_clock_ns(rate, 302), 101);
	assert_int_equal(ompp_clock_ns(rate, -302), -101);
	assert_int_equal(ompp_clock_ns(rate, 0), 0);
	/* a week of 3 GHz ticks does not overflow */
	rate = (struct ompp_clock_rate){ 604800000000000, 1814400000000000 };
	assert_int_equal(ompp_clock_ns(rate, 1814400000000000), 604800000000000);
}

static void rate_without_a_distance_is_one(void **state)
{
	struct ompp_clock_anchor a = { 5, 5, 7 };
	struct ompp_clock_rate rate;

	(void)state;
	ompp_clock_open("auto");
	rate = ompp_clock_rate(&a, &a);
	assert_int_equal(rate.num, 1);
	assert_int_equal(rate.den, 1);
}

/* The clock that was chosen and CLOCK_MONOTONIC agree on 50 ms within 2 %. */
static void real_clock_measures(void **state)
{
	struct ompp_clock_anchor start, end;
	int64_t before, after, ns;

	(void)state;
	assert_int_equal(ompp_clock_open("auto"), 0);
	ompp_clock_anchor(&start);
	before = now_ns();
	while (now_ns() - before < 50000000)
		;
	after = now_ns();
	ompp_clock_anchor(&end);
	ns = ompp_clock_ns(ompp_clock_rate(&start, &end), (int64_t)(end.ticks - start.ticks));
	assert_in_range(ns, after - before, (after - before) * 102 / 100 + 1000000);
}

static void monotonic_can_be_asked_for(void **state)
{
	int rc;

	(void)state;
	assert_int_equal(ompp_clock_open("monotonic"), 0);
	assert_string_equal(ompp_clock_name(), "monotonic");
	rc = ompp_clock_open("tsc");
	assert_true(rc == 0 || rc == -ENOTSUP);
#if defined(__aarch64__)
	assert_string_equal(ompp_clock_name(), rc ? "monotonic" : "cntvct");
#else
	assert_string_equal(ompp_clock_name(), rc ? "monotonic" : "tsc");
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fake_clock_steps_by_a_microsecond),
		cmocka_unit_test(a_clock_stands_and_goes_on),
		cmocka_unit_test(ticks_convert_by_the_ratio),
		cmocka_unit_test(rate_without_a_distance_is_one),
		cmocka_unit_test(real_clock_measures),
		cmocka_unit_test(monotonic_can_be_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
