/*
 * Tracked: a block's counts are those of the words of its row, each size of access with its bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/data/tally.h"
#include "runtime/data/tracked.h"

static void test_add(void **state)
{
	uint64_t words[OMPP_N_SLOTS + OMPP_ACCESS_LEVELS + 16] = { 0 }, fields[OMPP_TRACKED_FIELDS] = { 0 };

	(void)state;
	for (unsigned int i = 0; i < OMPP_SIZES; i++) {
		words[OMPP_SLOT_LOAD + i] = 1 + i;   /* 1, 2 … loads of 1, 2, 4 … bytes */
		words[OMPP_SLOT_STORE + i] = 10 + i; /* 10, 11 … stores of them */
	}
	words[OMPP_SLOT_BLOCK_LOAD] = 100, words[OMPP_SLOT_BLOCK_LOAD_BYTES] = 100 * 24;
	words[OMPP_SLOT_BLOCK_STORE] = 200, words[OMPP_SLOT_BLOCK_STORE_BYTES] = 200 * 40;
	assert_int_equal(OMPP_SIZES, 5);
	for (uint64_t n = 1; n <= 2; n++) { /* what is there stays */
		ompp_tracked_add(fields, words);
		assert_int_equal(fields[OMPP_ACCESS_LOADS], n * (1 + 2 + 3 + 4 + 5 + 100));
		assert_int_equal(fields[OMPP_ACCESS_STORES], n * (10 + 11 + 12 + 13 + 14 + 200));
		assert_int_equal(fields[OMPP_ACCESS_LOAD_BYTES], n * (1 + 2 * 2 + 3 * 4 + 4 * 8 + 5 * 16 + 2400));
		assert_int_equal(fields[OMPP_ACCESS_STORE_BYTES], n * (10 + 11 * 2 + 12 * 4 + 13 * 8 + 14 * 16 + 8000));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_add) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
