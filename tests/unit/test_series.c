/*
 * Series: however many arrivals there are, the slices have all of them, each in the slice of its number; and series of
 * different lengths are cut alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/statistics/series.h"

enum { MOST_ARRIVALS = 3000, N_RUNS = 300 };

struct arrival {
	uint64_t work, pace;
};

static uint64_t seed;

static uint64_t random_below(uint64_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % n;
}

/* Makes arrivals, as often few as many.  Returns how many. */
static uint64_t make(struct arrival arrivals[MOST_ARRIVALS])
{
	uint64_t n = 1 + random_below(random_below(2) ? 40 : MOST_ARRIVALS);

	for (uint64_t i = 0; i < n; i++)
		arrivals[i] = (struct arrival){ random_below(1000000), random_below(1000) };
	return n;
}

static void fill(struct ompp_series *s, const struct arrival *arrivals, uint64_t n)
{
	memset(s, 0, sizeof(*s));
	for (uint64_t i = 0; i < n; i++)
		ompp_series_add(s, arrivals[i].work, arrivals[i].pace);
}

static void slices_of(struct ompp_slice *slices, uint32_t shift, const struct arrival *arrivals, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		assert_true(i >> shift < OMPP_N_SLICES);
		slices[i >> shift].n++;
		slices[i >> shift].ticks += arrivals[i].work;
		slices[i >> shift].with_ticks += arrivals[i].pace;
	}
}

/* Checks the slices against the arrivals themselves, of up to two threads. */
static void check_slices(const struct ompp_series *s, const struct arrival *a, uint64_t n_a, const struct arrival *b,
                         uint64_t n_b)
{
	struct ompp_slice slices[OMPP_N_SLICES] = { { 0, 0, 0 } };

	slices_of(slices, s->shift, a, n_a);
	slices_of(slices, s->shift, b, n_b);
	assert_memory_equal(s->slices, slices, sizeof(slices));
}

static void test_add(void **state)
{
	static struct arrival arrivals[MOST_ARRIVALS];

	(void)state;
	for (int run = 0; run < N_RUNS; run++) {
		struct ompp_series s, copy;
		uint64_t n = make(arrivals);

		fill(&s, arrivals, n);
		check_slices(&s, arrivals, n, NULL, 0);
		assert_int_equal(s.n_changes % 2, 0);
		assert_true(!s.shift ||
		            (n - 1) >> (s.shift - 1) >= OMPP_N_SLICES); /* no longer slices than are needed */
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
		uint64_t n_a = make(a), n_b = make(b);

		fill(&first, a, n_a);
		fill(&second, b, n_b);
		sum = first;
		ompp_series_join(&sum, &second);
		check_slices(&sum, a, n_a, b, n_b);
		ompp_series_align(&first, &second);
		assert_int_equal(first.shift, second.shift);
		check_slices(&first, a, n_a, NULL, 0);
		check_slices(&second, b, n_b, NULL, 0);
	}
}

/* Its thread may fill a slice and go on to the next one while the series is read: a time that is added to the copy
 * comes behind all that the copy has. */
static void test_torn(void **state)
{
	struct ompp_series s, copy;

	(void)state;
	fill(&s, (struct arrival[]){ { 7, 1 }, { 8, 1 } }, 2);
	s.at = 0; /* as it was read before the second one came */
	assert_int_equal(ompp_series_read(&s, &copy), 1);
	ompp_series_add(&copy, 9, 1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(copy.slices[i].n, 1);
		assert_int_equal(copy.slices[i].ticks, 7 + i);
	}
}

/* A handler may jump away after an event that it interrupted has found no room, and before that has gone on to the next
 * slice: no slice gets more for that. */
static void test_left(void **state)
{
	struct ompp_series s;

	(void)state;
	fill(&s, &(struct arrival){ 7, 1 }, 1);
	assert_true(ompp_count_down(&s.left));
	ompp_series_add(&s, 8, 1);
	assert_int_equal(s.slices[0].n, 1);
	assert_int_equal(s.slices[1].n, 1);
}

/* A series that is being changed is not read, and an empty one adds nothing. */
static void test_unreadable(void **state)
{
	struct ompp_series s, copy, none;

	(void)state;
	memset(&none, 0, sizeof(none));
	fill(&s, &(struct arrival){ 7, 1 }, 1);
	s.n_changes = 1;
	assert_int_equal(ompp_series_read(&s, &copy), 0);
	assert_memory_equal(&copy, &none, sizeof(none));
	ompp_series_join(&s, &none);
	assert_int_equal(s.slices[0].n, 1);
	ompp_series_join(&none, &s);
	assert_int_equal(none.slices[0].ticks, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_add), cmocka_unit_test(test_two),
		                            cmocka_unit_test(test_torn), cmocka_unit_test(test_left),
		                            cmocka_unit_test(test_unreadable) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
