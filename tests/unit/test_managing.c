/*
 * Managing: what teams take each time, and what some of them take beyond that, from generated times whose usual part is
 * known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/core/managing.h"

static uint64_t seed;

static uint64_t random_below(uint64_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % n;
}

/* Teams that take what they usually do, by a factor of up to two: nothing is left out. */
static void test_usual(void **state)
{
	(void)state;
	for (int run = 0; run < 300; run++) {
		uint64_t base = 1 + random_below(1000000), n = OMPP_LEAST_TEAMS + random_below(300), sum = 0;
		struct ompp_managing m = { { 0 }, { 0 } };

		for (uint64_t i = 0; i < n; i++) {
			uint64_t ticks = base + random_below(base);

			sum += ticks;
			ompp_managing_add(&m, ticks);
		}
		assert_int_equal(ompp_managing_usual(&m), sum);
	}
}

/* Of teams that were held up, fewer than half, by 16 times as long as the longest usual one or more, is left what a
 * usual one takes. */
static void test_held_up(void **state)
{
	(void)state;
	for (int run = 0; run < 300; run++) {
		uint64_t base = 1 + random_below(100000), n = OMPP_LEAST_TEAMS + random_below(300), n_long = n / 2 - 1;
		struct ompp_managing m = { { 0 }, { 0 } };

		for (uint64_t i = 0; i < n; i++)
			ompp_managing_add(&m, i < n_long ? base * 32 + random_below(1000000000)
			                                 : base + random_below(base));
		assert_in_range(ompp_managing_usual(&m), n * base, n * 2 * base);
	}
}

/* Teams that all take long do so each time, whatever else there is. */
static void test_costly(void **state)
{
	struct ompp_managing m = { { 0 }, { 0 } };
	(void)state;

	for (int i = 0; i < 1000; i++)
		ompp_managing_add(&m, i % 3 ? 1000000 : 1);
	assert_in_range(ompp_managing_usual(&m), 666000000, 667000000);
}

static void test_few(void **state)
{
	struct ompp_managing m = { { 0 }, { 0 } }, one = { { 0 }, { 0 } };
	(void)state;

	assert_int_equal(ompp_managing_usual(&m), UINT64_MAX);
	for (int i = 0; i < OMPP_LEAST_TEAMS - 1; i++)
		ompp_managing_add(&m, 100);
	assert_int_equal(ompp_managing_usual(&m), UINT64_MAX);
	ompp_managing_add(&one, 0); /* shorter than a tick */
	ompp_managing_join(&m, &one);
	assert_int_equal(ompp_managing_usual(&m), 100 * (OMPP_LEAST_TEAMS - 1));
	ompp_managing_add(&m, UINT64_MAX / 2); /* longer than the last octave begins */
	assert_int_equal(ompp_managing_usual(&m), 100 * OMPP_LEAST_TEAMS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usual),
		cmocka_unit_test(test_held_up),
		cmocka_unit_test(test_costly),
		cmocka_unit_test(test_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
