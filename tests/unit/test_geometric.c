/*
 * Geometric: the gaps between samples have the distribution that they should have, against the C library's logarithms.
 * The seeds are fixed, so that a test that passes once always does.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/base/geometric.h"

enum { DRAWS = 200000 };

static const uint64_t means[] = { 2, 3, 10, 1000, 4095, 4096, 10007, 1000000000, 1000000000000 };

static void test_logarithm(void **state)
{
	uint64_t random = ompp_random_seed(1);

	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint64_t u = ompp_random(&random) >> (i & 63) | 1;
		double expected = 64 - log2((double)u);

		assert_true(fabs((double)ompp_minus_log2(u) / 2147483648.0 - expected) < 2e-6);
	}
}

static void test_scale(void **state)
{
	(void)state;
	assert_int_equal(ompp_geometric(1).scale, 0);
	for (size_t i = 0; i < OMPP_COUNT_OF(means); i++) {
		double expected = -1 / (log1p(-1 / (double)means[i]) / log(2));

		assert_true(fabs((double)ompp_geometric(means[i]).scale / 1048576.0 / expected - 1) < 1e-6);
	}
}

/* Mean and variance are within 4 standard errors of theirs, and so is the share of gaps up to each of some lengths. */
static void test_gaps(void **state)
{
	(void)state;
	for (size_t m = 0; m < OMPP_COUNT_OF(means); m++) {
		struct ompp_geometric g = ompp_geometric(means[m]);
		uint64_t random = ompp_random_seed(m);
		double mean = (double)means[m], variance = mean * (mean - 1), sum = 0, squares = 0;
		unsigned int n_short[3] = { 0 };
		static const double lengths[3] = { 0.1, 1, 3 }; /* × mean */

		for (int i = 0; i < DRAWS; i++) {
			double gap = (double)ompp_geometric_draw(g, &random);

			assert_true(gap >= 1);
			sum += gap;
			squares += (gap - mean) * (gap - mean);
			for (int k = 0; k < 3; k++)
				n_short[k] += gap <= floor(lengths[k] * mean);
		}
		assert_true(fabs(sum / DRAWS - mean) < 4 * sqrt(variance / DRAWS));
		/* the fourth moment of a geometric variable is at most 10 times the squared variance */
		assert_true(fabs(squares / DRAWS - variance) < 4 * sqrt(10 / (double)DRAWS) * variance + 1);
		for (int k = 0; k < 3; k++) {
			double p = -expm1(floor(lengths[k] * mean) * log1p(-1 / mean));

			assert_true(fabs(n_short[k] / (double)DRAWS - p) <= 4 * sqrt(p * (1 - p) / DRAWS));
		}
	}
}

static void test_each(void **state)
{
	struct ompp_geometric g = ompp_geometric(1);
	uint64_t random = ompp_random_seed(0);

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_int_equal(ompp_geometric_draw(g, &random), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_logarithm), cmocka_unit_test(test_scale),
		                            cmocka_unit_test(test_gaps), cmocka_unit_test(test_each) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
