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

/* Two threads with 8 iterations each, of which the ninth takes as long as ten others.  It is the first one of a range,
 * so it ends at 10, and both threads share the other 7 before and after that; one after the other it begins at 4. */
static void threads_steal(void **state)
{
	static const uint64_t both[] = { 5000, 5000 }, late[] = { 5000, 25000 };
	struct ompp_stealing *stealing = NULL;
	uint64_t begin[2];

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		memset(&lists[i], 0, sizeof(lists[i]));
		lists[i].order.known = OMPP_ORDER_RANKS;
		pointers[i] = &lists[i];
		for (int k = 0; k < 8; k++)
			ompp_iterations_add(&lists[i], i && !k ? 10000 : 1000);
	}
	memcpy(begin, both, sizeof(begin));
	assert_int_equal(ompp_iterations_schedule(pointers, 2, 1, begin), 5000 + 14000);
	assert_int_equal(ompp_iterations_steal(&stealing, pointers, 2, 1, both), 5000 + 13000);
	/* who comes at 20 finds its range in another thread's, which has executed three of it and is at the fourth */
	assert_int_equal(ompp_iterations_steal(&stealing, pointers, 2, 1, late), 5000 + 23000);
	/* chunks of 8: each has one, whatever the other does */
	assert_int_equal(ompp_iterations_steal(&stealing, pointers, 2, 8, both), 5000 + 17000);
}

/* More chunks than there is room for, each as long as any other. */
static void many_chunks_are_stolen_two_at_once(void **state)
{
	enum { MANY = 20, EACH = 1000 * OMPP_ITERATION_CELLS };
	static const struct ompp_iteration_list *same[MANY];
	static const uint64_t begin[MANY];
	struct ompp_stealing *stealing = NULL;

	(void)state;
	memset(&lists[0], 0, sizeof(lists[0]));
	lists[0].order.known = OMPP_ORDER_RANKS;
	for (int k = 0; k < OMPP_ITERATION_CELLS; k++)
		ompp_iterations_add(&lists[0], 1000);
	for (int i = 0; i < MANY; i++)
		same[i] = &lists[0];
	assert_in_range(ompp_iterations_steal(&stealing, same, MANY, 1, begin), EACH, EACH + 10000);
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
		cmocka_unit_test(random_lists),    cmocka_unit_test(long_lists),
		cmocka_unit_test(threads_steal),   cmocka_unit_test(many_chunks_are_stolen_two_at_once),
		cmocka_unit_test(sums_are_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
