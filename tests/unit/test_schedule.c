/*
 * Schedule: the lists of what threads executed, and the schedules of them, beside a plain one that looks at each
 * iteration and each thread in turn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/span/schedule.h"

enum { MOST_LISTS = 9, MOST = 40000 };

static struct ompp_iteration_list lists[MOST_LISTS];
static const struct ompp_iteration_list *pointers[MOST_LISTS];
static uint64_t raw[MOST];
static uint32_t n_raw;
static uint64_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(seed >> 33) % n;
}

/* Gives a list so many iterations of random lengths. */
static void fill(uint32_t list, uint32_t n, uint32_t most)
{
	memset(&lists[list], 0, sizeof(lists[list]));
	pointers[list] = &lists[list];
	for (uint32_t i = 0; i < n; i++) {
		raw[n_raw] = below(most);
		ompp_iterations_add(&lists[list], raw[n_raw++]);
	}
}

/* Hands out all iterations; begin: when each thread comes. */
static uint64_t plain(uint32_t n, uint64_t chunk, const uint64_t *begin)
{
	uint64_t at[MOST_LISTS], end = 0;

	memcpy(at, begin, n * sizeof(at[0]));
	for (uint32_t i = 0; i < n_raw;) {
		uint32_t first = 0;

		for (uint32_t k = 1; k < n; k++)
			first = at[k] < at[first] ? k : first;
		for (uint64_t k = 0; k < chunk && i < n_raw; k++)
			at[first] += raw[i++];
	}
	for (uint32_t k = 0; k < n; k++)
		end = at[k] > end ? at[k] : end;
	return end;
}

static void compare(uint32_t n, uint64_t chunk)
{
	uint64_t begin[MOST_LISTS], busy[MOST_LISTS];

	for (uint32_t i = 0; i < n; i++)
		begin[i] = busy[i] = 1000000 + below(3) * 500;
	assert_int_equal(ompp_iterations_schedule(pointers, n, chunk, busy), plain(n, chunk, begin));
}

static void random_lists(void **state)
{
	(void)state;
	for (seed = 0; seed < 1000;) {
		uint64_t turn = seed;
		uint32_t n = 1 + below(MOST_LISTS);

		n_raw = 0;
		for (uint32_t i = 0; i < n; i++)
			fill(i, below(30), 1 + below(1000));
		compare(n, 1 + below(6));
		seed = turn + 1;
	}
}

/* Where a list has more iterations than cells, chunks of whole cells are exact. */
static void long_lists(void **state)
{
	(void)state;
	seed = 7;
	for (uint32_t n = 1; n < 5; n++) {
		n_raw = 0;
		for (uint32_t i = 0; i < n; i++)
			fill(i, 4 * OMPP_ITERATION_CELLS, 1000);
		assert_int_equal(lists[0].shift, 2);
		compare(n, 4);
		compare(n, 64);
	}
}

static void sums_are_of_all(void **state)
{
	uint64_t total = 0, most = 0, cells = 0;

	(void)state;
	n_raw = 0;
	fill(0, 5 * OMPP_ITERATION_CELLS + 3, 1000);
	for (uint32_t i = 0; i < n_raw; i++) {
		total += raw[i];
		most = raw[i] > most ? raw[i] : most;
	}
	for (uint32_t i = 0; i < lists[0].n; i++)
		cells += lists[0].ticks[i];
	assert_int_equal(lists[0].n_iterations, n_raw);
	assert_int_equal(lists[0].total_ticks, total);
	assert_int_equal(lists[0].most_ticks, most);
	assert_int_equal(cells, total);
	assert_int_equal(lists[0].shift, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_lists),
		cmocka_unit_test(long_lists),
		cmocka_unit_test(sums_are_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
