/*
 * Probe ranges: latencies are told apart between levels whose times differ, and nowhere else; the time of an empty
 * probe, which is taken off.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/ompp_mem.h"
#include "runtime/sources/probe.h"
#include "runtime/sources/probe_ranges.h"

/* Finds the ranges of levels that take low to high. */
static struct ompp_probe_levels ranges_of(const uint32_t (*times)[2], int n)
{
	struct ompp_probe_measured measured[OMPP_PROBE_LEVELS];
	struct ompp_probe_levels levels = { 0 };

	for (int i = 0; i < n; i++)
		measured[i] = (struct ompp_probe_measured){ times[i][0], (times[i][0] + times[i][1]) / 2, times[i][1],
			                                    (uint8_t)(i == n - 1 ? 3 : i) };
	ompp_probe_find_ranges(measured, n, &levels);
	return levels;
}

static void check_range(const struct ompp_probe_range *range, int first, int last, int level)
{
	assert_int_equal(range->first, first);
	assert_int_equal(range->last, last);
	assert_int_equal(range->level, level);
}

/* Each level takes longer than the one before: a bound lies between two. */
static void test_apart(void **state)
{
	static const uint32_t times[][2] = { { 2, 6 }, { 12, 20 }, { 40, 80 }, { 200, 400 } };
	static const int levels[] = { OMPP_MEM_LEVEL_L1, OMPP_MEM_LEVEL_L2, OMPP_MEM_LEVEL_L3,
		                      OMPP_MEM_LEVEL_LOCAL_MEMORY };
	struct ompp_probe_levels found = ranges_of(times, 4);

	(void)state;
	assert_int_equal(found.n, 4);
	for (int i = 0; i < 4; i++) {
		check_range(&found.range[i], i, i, levels[i]);
		assert_true(i == 3 || (found.range[i].most >= times[i][1] && found.range[i].most < times[i + 1][0]));
	}
	assert_true(found.range[3].most == UINT32_MAX);
	assert_int_equal(found.longest, 40 * 300);
}

/* Neighbours that overlap share a range: of caches it is known that it is one, where memory takes part nothing is. */
static void test_neighbours(void **state)
{
	static const uint32_t caches[][2] = { { 2, 14 }, { 12, 20 }, { 40, 80 }, { 200, 400 } };
	static const uint32_t far[][2] = { { 2, 6 }, { 12, 20 }, { 40, 250 }, { 200, 400 } };
	struct ompp_probe_levels found = ranges_of(caches, 4);

	(void)state;
	assert_int_equal(found.n, 3);
	check_range(&found.range[0], 0, 1, OMPP_MEM_LEVEL_CACHE);
	check_range(&found.range[1], 2, 2, OMPP_MEM_LEVEL_L3);
	found = ranges_of(far, 4);
	assert_int_equal(found.n, 3);
	check_range(&found.range[2], 2, 3, OMPP_MEM_LEVEL_UNKNOWN);
}

/* Flushed lines that come as fast as those of the nearest cache, as in an emulator, tell no level; those as fast as the
 * second one's leave the nearest one alone. */
static void test_not_flushed(void **state)
{
	static const uint32_t none[][2] = { { 10, 20 }, { 30, 60 }, { 80, 120 }, { 8, 18 } };
	static const uint32_t some[][2] = { { 10, 20 }, { 30, 60 }, { 80, 120 }, { 40, 50 } };
	struct ompp_probe_levels found = ranges_of(none, 4);

	(void)state;
	assert_int_equal(found.n, 1);
	check_range(&found.range[0], 0, 3, OMPP_MEM_LEVEL_UNKNOWN);
	assert_int_equal(found.longest, 40 * 100);
	found = ranges_of(some, 4);
	assert_int_equal(found.n, 2);
	check_range(&found.range[0], 0, 0, OMPP_MEM_LEVEL_L1);
	check_range(&found.range[1], 1, 3, OMPP_MEM_LEVEL_UNKNOWN);
	assert_int_equal(found.range[0].most, 25); /* the root of 15 times 45, rounded down, below 30 */
}

/* The ranges in words. */
static void test_words(void **state)
{
	static const struct ompp_probe_levels three = { .n = 3,
		                                        .range = { { 40, 0, 1, OMPP_MEM_LEVEL_CACHE },
		                                                   { 200, 2, 2, OMPP_MEM_LEVEL_L3 },
		                                                   { UINT32_MAX, 3, 3, 0 } } };
	static const struct ompp_probe_levels one = { .n = 1,
		                                      .range = { { UINT32_MAX, 0, 3, OMPP_MEM_LEVEL_UNKNOWN } } };
	char buffer[100];
	struct ompp_text t;

	(void)state;
	ompp_probe_levels = three;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_probe_describe(&t);
	assert_string_equal(buffer, "L1 and L2 up to 40, L3 up to 200, memory above");
	ompp_probe_levels = one;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_probe_describe(&t);
	assert_string_equal(buffer, "L1, L2, L3 and memory are not told apart");
}

static int compare_ticks(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

/* What is subtracted as the time of an empty probe is the usual one; readings differ by multiples of the clock's step.
 */
static void test_empty(void **state)
{
	static uint64_t ticks[1001];
	struct ompp_why why;

	(void)state;
	if (ompp_probe_start(&why))
		skip();
	for (size_t i = 0; i < OMPP_COUNT_OF(ticks); i++) {
		struct ompp_probe probe = ompp_probe_nothing();

		ticks[i] = probe.end_ticks - probe.start_ticks;
	}
	qsort(ticks, OMPP_COUNT_OF(ticks), sizeof(ticks[0]), compare_ticks);
	assert_in_range(ompp_probe_levels.empty, ticks[0] / 2, 2 * ticks[OMPP_COUNT_OF(ticks) / 2]);
	assert_true(ompp_probe_levels.step >= 1);
	assert_int_equal(ticks[OMPP_COUNT_OF(ticks) / 2] % ompp_probe_levels.step, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_apart), cmocka_unit_test(test_neighbours), cmocka_unit_test(test_not_flushed),
		cmocka_unit_test(test_words), cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
