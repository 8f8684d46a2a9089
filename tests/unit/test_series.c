/*
 * Series: however arrivals lie in time, the slices have all of them, each in the slice of its time; and series that
 * began at different times are cut alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/core/series.h"

enum { MOST_ARRIVALS = 400, N_RUNS = 500 };

struct arrival {
	uint64_t ticks, work, pace;
};

static uint64_t seed;

static uint64_t random_below(uint64_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % n;
}

/* Makes arrivals in ascending time, whose distances differ from run to run by many powers of two.  Returns how many. */
static int make(struct arrival arrivals[MOST_ARRIVALS])
{
	int n = 1 + (int)random_below(MOST_ARRIVALS);
	uint64_t ticks = random_below(UINT64_C(1) << 30) << random_below(20), step = UINT64_C(1) << random_below(31);

	for (int i = 0; i < n; i++) {
		ticks += random_below(step + 1);
		arrivals[i] = (struct arrival){ ticks, random_below(1000000), random_below(1000) };
	}
	return n;
}

static void fill(struct ompp_series *s, const struct arrival *arrivals, int n)
{
	memset(s, 0, sizeof(*s));
	for (int i = 0; i < n; i++)
		ompp_series_add(s, arrivals[i].ticks, arrivals[i].work, arrivals[i].pace);
}

/* Checks each slice against the arrivals themselves, of up to two threads. */
static void check_slices(const struct ompp_series *s, const struct arrival *a, int n_a, const struct arrival *b,
                         int n_b)
{
	struct ompp_slice slices[OMPP_N_SLICES] = { { 0, 0, 0 } };

	for (int i = 0; i < n_a + n_b; i++) {
		const struct arrival *one = i < n_a ? &a[i] : &b[i - n_a];
		uint64_t k = (one->ticks >> s->shift) - s->first;

		assert_true(k < OMPP_N_SLICES);
		slices[k].n++;
		slices[k].work_ticks += one->work;
		slices[k].pace_ticks += one->pace;
	}
	assert_int_equal(s->n_arrivals, n_a + n_b);
	assert_memory_equal(s->slices, slices, sizeof(slices));
}

static void test_add(void **state)
{
	static struct arrival arrivals[MOST_ARRIVALS];

	(void)state;
	for (int run = 0; run < N_RUNS; run++) {
		struct ompp_series s, copy;
		int n = make(arrivals);
		uint64_t span;

		fill(&s, arrivals, n);
		check_slices(&s, arrivals, n, NULL, 0);
		assert_int_equal(s.n_changes % 2, 0);
		/* no longer slices than are needed */
		span = (arrivals[n - 1].ticks >> (s.shift - 1)) - (arrivals[0].ticks >> (s.shift - 1));
		assert_true(s.shift == OMPP_SLICE_LEAST_SHIFT || span >= OMPP_N_SLICES);
		assert_int_equal(ompp_series_read(&s, &copy), 1);
		copy.n_changes = s.n_changes;
		assert_memory_equal(&copy, &s, sizeof(s));
	}
}

static void test_two(void **state)
{
	static struct arrival a[MOST_ARRIVALS], b[MOST_ARRIVALS];

	(void)state;
	for (int run = 0; run < N_RUNS; run++) {
		struct ompp_series first, second, sum;
		int n_a = make(a), n_b = make(b);

		fill(&first, a, n_a);
		fill(&second, b, n_b);
		sum = first;
		ompp_series_join(&sum, &second);
		check_slices(&sum, a, n_a, b, n_b);
		ompp_series_align(&first, &second);
		assert_int_equal(first.shift, second.shift);
		assert_int_equal(first.first, second.first);
		check_slices(&first, a, n_a, NULL, 0);
		check_slices(&second, b, n_b, NULL, 0);
	}
}

/* A series that is being changed is not read, and an empty one adds nothing. */
static void test_unreadable(void **state)
{
	struct ompp_series s, copy, none;

	(void)state;
	memset(&none, 0, sizeof(none));
	fill(&s, &(struct arrival){ 1000000, 7, 1 }, 1);
	s.n_changes = 1;
	assert_int_equal(ompp_series_read(&s, &copy), 0);
	assert_memory_equal(&copy, &none, sizeof(none));
	ompp_series_join(&s, &none);
	assert_int_equal(s.n_arrivals, 1);
	ompp_series_join(&none, &s);
	assert_int_equal(none.n_arrivals, 1);
	/* a time before the first, as clocks of processors differ, counts for the first */
	s.n_changes = 0;
	ompp_series_add(&s, 900000, 5, 1);
	assert_int_equal(s.slices[0].work_ticks, 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_add), cmocka_unit_test(test_two),
		                            cmocka_unit_test(test_unreadable) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
