/*
 * Sample stats: what is said of samples holds as often as its error says, by accesses that are drawn here and whose
 * true numbers are known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/analysis/sample_stats.h"

enum { RUNS = 2000, ACCESSES = 3000, PERIOD = 20 };

static uint64_t state_of_random;

static uint32_t random_below(uint32_t n)
{
	state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state_of_random >> 33) % n);
}

/* Adds a sample of one access. */
static void take(struct ompp_sample_stats *s, uint32_t latency, uint32_t level)
{
	s->sum.n++;
	s->sum.n_timed++;
	s->sum.estimate += PERIOD;
	s->sum.variance += PERIOD * (PERIOD - 1);
	s->sum.latency_ticks += latency;
	s->sum.squares += (int64_t)latency * latency;
	s->levels[level]++;
	s->buckets[ompp_histogram_bucket(latency)]++;
}

/* Latencies of two kinds of accesses, the second of which are rare and take long. */
static uint32_t latency_of(int is_far)
{
	return is_far ? 300 + random_below(300) : 4 + random_below(8);
}

static int is_within(int64_t a, int64_t b, int64_t error)
{
	return a - b <= error && b - a <= error;
}

static void roots(void **state)
{
	(void)state;
	assert_int_equal(ompp_root(0), 0);
	assert_int_equal(ompp_root(99), 9);
	assert_int_equal(ompp_root(100), 10);
	assert_true(ompp_root(~(unsigned __int128)0) == UINT64_MAX);
	for (int i = 0; i < 1000; i++) {
		uint64_t n = (uint64_t)random_below(1u << 30) << random_below(33);
		unsigned __int128 square = (unsigned __int128)n * n;

		assert_true(ompp_root(square) == n);
		assert_true(!n || ompp_root(square - 1) == n - 1);
	}
}

/* Numbers of accesses, shares of latency and of levels, and means lie within one standard error of the truth in 68 of
 * 100 runs, and within two in 95. */
static void errors(void **state)
{
	enum { NUMBER, COST, LEVEL, MEAN, N };
	int n_one[N] = { 0 }, n_two[N] = { 0 };

	(void)state;
	for (int run = 0; run < RUNS; run++) {
		struct ompp_sample_stats near_ones, all;
		int64_t ticks[2] = { 0, 0 }, n[2] = { 0, 0 };
		int64_t truth[N], seen[N], error[N];

		memset(&near_ones, 0, sizeof(near_ones));
		memset(&all, 0, sizeof(all));
		for (int i = 0; i < ACCESSES; i++) {
			int is_far = random_below(8) == 0;
			uint32_t latency = latency_of(is_far),
				 level = is_far ? OMPP_MEM_LEVEL_LOCAL_MEMORY : OMPP_MEM_LEVEL_L1;

			ticks[is_far] += latency;
			n[is_far]++;
			if (random_below(PERIOD))
				continue;
			take(&all, latency, level);
			if (!is_far)
				take(&near_ones, latency, level);
		}
		truth[NUMBER] = n[0];
		seen[NUMBER] = near_ones.sum.estimate;
		error[NUMBER] = ompp_sampled_error(&near_ones.sum);
		truth[COST] = ompp_share(ticks[0], ticks[0] + ticks[1]);
		seen[COST] = ompp_share(near_ones.sum.latency_ticks, all.sum.latency_ticks);
		error[COST] = ompp_sample_stats_cost_error(near_ones.sum.latency_ticks,
		                                           ompp_sampled_cost_variance(1, &near_ones.sum),
		                                           all.sum.latency_ticks,
		                                           ompp_sampled_cost_variance(1, &all.sum));
		truth[LEVEL] = ompp_share(n[0], ACCESSES);
		seen[LEVEL] = ompp_share((int64_t)all.levels[OMPP_MEM_LEVEL_L1], (int64_t)all.sum.n);
		error[LEVEL] = ompp_sample_stats_level_error(&all);
		truth[MEAN] = (ticks[0] + ticks[1]) * 1000 / ACCESSES;
		seen[MEAN] = ompp_sampled_mean(&all.sum);
		error[MEAN] = ompp_sampled_mean_error(&all.sum);
		for (int i = 0; i < N; i++) {
			n_one[i] += is_within(truth[i], seen[i], error[i]);
			n_two[i] += is_within(truth[i], seen[i], 2 * error[i]);
		}
	}
	for (int i = 0; i < N; i++) {
		if (n_one[i] < RUNS * 62 / 100 || n_one[i] > RUNS * 76 / 100)
			fail_msg("number %d is within its error in %d of %d runs", i, n_one[i], RUNS);
		if (n_two[i] < RUNS * 92 / 100 || n_two[i] > RUNS * 985 / 1000)
			fail_msg("number %d is within two errors in %d of %d runs", i, n_two[i], RUNS);
	}
}

/* The range of a quantile contains the true one in more than two of three runs, as it is of whole buckets. */
static void quantiles(void **state)
{
	int n_median = 0, n_tail = 0, n_runs = 500;
	uint32_t least, most;

	(void)state;
	for (int run = 0; run < n_runs; run++) {
		struct ompp_sample_stats s;

		memset(&s, 0, sizeof(s));
		for (int i = 0; i < 200; i++)
			take(&s, 1 + random_below(1000), OMPP_MEM_LEVEL_L1); /* the median is 500, 95 % are below 951 */
		assert_true(ompp_sample_stats_quantile(&s, 50, &least, &most));
		assert_true(least <= most && most <= 1023);
		n_median += least <= 500 && 500 <= most;
		assert_true(ompp_sample_stats_quantile(&s, 95, &least, &most));
		assert_true(least <= most && most <= 1023);
		n_tail += least <= 950 && 950 <= most;
	}
	assert_true(n_median > n_runs * 2 / 3 && n_tail > n_runs * 2 / 3);
}

/* Of few samples nothing is said that they do not show. */
static void few(void **state)
{
	struct ompp_sample_stats s;
	uint32_t least = 0, most = 0;

	(void)state;
	memset(&s, 0, sizeof(s));
	assert_int_equal(ompp_sampled_mean(&s.sum), OMPP_MISSING);
	assert_int_equal(ompp_sampled_mean_error(&s.sum), OMPP_MISSING);
	assert_int_equal(ompp_sample_stats_level_error(&s), OMPP_MISSING);
	assert_int_equal(ompp_sample_stats_cost_error(0, 0, 0, 0), OMPP_MISSING);
	assert_false(ompp_sample_stats_quantile(&s, 50, &least, &most));
	take(&s, 100, OMPP_MEM_LEVEL_L3);
	assert_int_equal(ompp_sampled_mean(&s.sum), 100000);
	assert_int_equal(ompp_sampled_mean_error(&s.sum), OMPP_MISSING);
	assert_true(ompp_sample_stats_level_error(&s) > 100000000); /* one of one is no certainty */
	for (int i = 1; i < 20; i++) {
		assert_int_equal(ompp_sample_stats_quantile(&s, 95, &least, &most), 0);
		take(&s, 100, OMPP_MEM_LEVEL_L3);
	}
	assert_int_equal(ompp_sample_stats_quantile(&s, 95, &least, &most), 1);
	assert_int_equal(least, 96);
	assert_int_equal(most, 127);
	assert_int_equal(ompp_sample_stats_quantile(&s, 50, &least, &most), 1);
	assert_int_equal(least, 96);
}

/* The error of a mean by hand, of latencies that do not differ, and of sums that cannot be of latencies. */
static void mean_errors(void **state)
{
	struct ompp_sampled_sum sum = { .n = 4, .n_timed = 4, .latency_ticks = 40, .squares = 4 * 100 };

	(void)state;
	assert_int_equal(ompp_sampled_mean_error(&sum), 166); /* the root of 1/12, of 3, in thousandths */
	sum.squares = 2 * 64 + 2 * 144;
	assert_int_equal(ompp_sampled_mean_error(&sum), 1166); /* the root of (4 + 1/12) / 3 */
	sum.squares = 399;
	assert_int_equal(ompp_sampled_mean_error(&sum), OMPP_MISSING);
	sum.squares = 0;
	assert_int_equal(ompp_sampled_mean_error(&sum), OMPP_MISSING);
	assert_true(ompp_sampled_cost_variance(1, &sum) == 400);
	sum.squares = INT64_MAX / 2;
	assert_int_equal(ompp_sampled_mean_error(&sum), OMPP_MISSING);
	sum = (struct ompp_sampled_sum){ .n_timed = UINT64_C(1) << 61, .latency_ticks = INT64_MAX / 2 };
	sum.squares = INT64_MAX / 2 - 1;
	assert_int_equal(ompp_sampled_mean_error(&sum), OMPP_MISSING);
	sum.latency_ticks = INT64_C(1) << 61;
	assert_int_equal(ompp_sampled_mean_error(&sum), 0);
}

static void rounds(void **state)
{
	(void)state;
	assert_int_equal(ompp_round_to(143987213, 1200362), 144000000);
	assert_int_equal(ompp_round_to(1200362, 1200362), 1200000);
	assert_int_equal(ompp_round_to(30021, 99), 30021);
	assert_int_equal(ompp_round_to(30021, 100), 30020);
	assert_int_equal(ompp_round_to(OMPP_MISSING, 100), OMPP_MISSING);
	assert_int_equal(ompp_round_to(7, 0), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(roots),       cmocka_unit_test(errors),
		                            cmocka_unit_test(quantiles),   cmocka_unit_test(few),
		                            cmocka_unit_test(mean_errors), cmocka_unit_test(rounds) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
