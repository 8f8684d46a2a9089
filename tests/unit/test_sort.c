/*
 * Sort: indices of arrays of all small sizes, with few and with many different elements, come into order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/base/geometric.h"
#include "runtime/base/sort.h"

enum { MOST = 40, ROUNDS = 50 };

static int is_after(const void *values, uint32_t x, uint32_t y)
{
	const uint64_t *v = values;

	assert_true(x < MOST && y < MOST); /* nothing else is compared */
	return v[x] > v[y];
}

static void sort_and_check(const uint64_t *values, size_t n)
{
	uint32_t order[MOST + 2];
	uint8_t seen[MOST] = { 0 };

	for (uint32_t i = 0; i < MOST + 2; i++)
		order[i] = i < n ? i : UINT32_MAX; /* behind the array: never read, never written */
	ompp_sort(order, n, is_after, values);
	for (size_t i = 0; i < n; i++) {
		assert_true(order[i] < n && !seen[order[i]]++);
		assert_true(!i || values[order[i - 1]] <= values[order[i]]);
	}
	for (size_t i = n; i < MOST + 2; i++)
		assert_true(order[i] == UINT32_MAX);
}

static void test_orders(void **state)
{
	uint64_t random = ompp_random_seed(1), values[MOST];

	(void)state;
	for (size_t n = 0; n <= MOST; n++)
		for (int round = 0; round < ROUNDS; round++) {
			uint64_t n_different = 1 + ompp_random(&random) % (2 * MOST);

			for (size_t i = 0; i < n; i++)
				values[i] = ompp_random(&random) % n_different;
			sort_and_check(values, n);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_orders) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
