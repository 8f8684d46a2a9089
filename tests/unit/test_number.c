/*
 * Number: shares are rounded to the nearest 10^-9, halves away from zero, as long division by hand has them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/profile/number.h"
#include "reports/profile/profile.h"
#include "runtime/base/geometric.h"

/* Returns the share by one digit after the other. */
static int64_t by_hand(int64_t part, int64_t whole)
{
	uint64_t rest = part < 0 ? 0 - (uint64_t)part : (uint64_t)part, share = rest / (uint64_t)whole;

	rest %= (uint64_t)whole;
	for (int digit = 0; digit < 9; digit++) {
		share = share * 10 + rest * 10 / (uint64_t)whole;
		rest = rest * 10 % (uint64_t)whole;
	}
	share += rest >= (uint64_t)whole - rest;
	return part < 0 ? -(int64_t)share : (int64_t)share;
}

static void test_shares(void **state)
{
	uint64_t random = ompp_random_seed(1);

	(void)state;
	assert_true(ompp_share(2, 3) == 666666667 && ompp_share(-2, 3) == -666666667);
	assert_true(ompp_share(1, 2000000000) == 1 && ompp_share(-1, 2000000000) == -1);
	assert_true(ompp_share(1, 0) == OMPP_MISSING && ompp_share(OMPP_MISSING, 1) == OMPP_MISSING);
	for (int i = 0; i < 100000; i++) {
		int64_t whole = (int64_t)(1 + ompp_random(&random) % 1000000000000);
		int64_t part = (int64_t)(ompp_random(&random) % 2000000000000) - 1000000000000;

		if (part / whole < 1000000000 && part / whole > -1000000000)
			assert_true(ompp_share(part, whole) == by_hand(part, whole));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_shares) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
