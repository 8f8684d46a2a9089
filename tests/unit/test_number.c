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

/* Parts of a page, each by itself. */
static void test_paged_parts(void **state)
{
	uint64_t random = ompp_random_seed(2);

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t page_bytes = ompp_random(&random) % 2 ? 4096 : 2 << 20,
			 page = page_bytes * (1 + ompp_random(&random) % 9);
		uint64_t part_bytes = page_bytes / OMPP_PAGED_PARTS, set = 0;
		uint64_t lo = page - page_bytes + ompp_random(&random) % (2 * page_bytes);
		uint64_t hi = (lo > page ? lo : page) + 1 +
		              ompp_random(&random) % (i % 2 ? page_bytes : 2 * part_bytes);

		for (uint64_t k = 0; k < OMPP_PAGED_PARTS; k++)
			if (lo < page + (k + 1) * part_bytes && hi > page + k * part_bytes)
				set |= UINT64_C(1) << k;
		assert_int_equal(ompp_paged_parts(page, page_bytes, lo, hi), set);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_shares), cmocka_unit_test(test_paged_parts) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
