/*
 * Sum pattern: which walks are strides, which pages another thread wrote, and which lines are shared falsely, of
 * tallies whose numbers are made up here; the profile names the threads of each in the order of its rows.
 */
#include "tests/unit/steps.h"

#include "runtime/access/access_model.h"
#include "runtime/data/tally.h"
#include "runtime/data_sums/sum_pattern.h"

enum { LINE = 64, OBJECT = 4, ROWS = 12 };

static struct ompp_arena arena;
static struct ompp_merge merge;
static struct ompp_merge_row rows[ROWS];
static struct ompp_profile profile;

/* Merged rows are in the opposite order of the profile's. */
static int start(void **state)
{
	static const char *const labels[ROWS] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11" };
	static struct ompp_row final[ROWS];

	(void)state;
	ompp_arena_init(&arena, 0);
	merge = (struct ompp_merge){ .arena = &arena, .rows = rows, .n_rows = ROWS };
	profile = (struct ompp_profile){ .rows = final, .n_rows = ROWS };
	for (uint32_t i = 0; i < ROWS; i++) {
		rows[i].final = ROWS - 1 - i;
		final[i].label = labels[i];
	}
	ompp_access_geometry = (struct ompp_cache_geometry){ 0 };
	ompp_access_geometry.level[0].bytes = 32768;
	ompp_access_geometry.level[0].line_bytes = LINE;
	return 0;
}

static int stop(void **state)
{
	(void)state;
	ompp_arena_fini(&arena);
	return 0;
}

/* Adds a tally of one row: misses of a level, of which some have the step, and 8-byte loads. */
static void add_walk(uint32_t region, uint32_t row, int level, uint64_t n_misses, uint64_t n_steps, int64_t step,
                     uint64_t n_loads)
{
	uint64_t words[OMPP_N_MODEL_SLOTS] = { 0 };
	struct ompp_pattern_walk walk = { .object = OBJECT };

	words[OMPP_SLOT_MISS + level] = n_misses;
	words[OMPP_SLOT_STEP] = (uint64_t)step;
	words[OMPP_SLOT_STEPS] = n_steps;
	words[OMPP_SLOT_LOAD + 3] = n_loads;
	ompp_pattern_row(&walk, words);
	ompp_pattern_tally(&merge, &walk, region, row);
}

static const struct ompp_pattern *collect_patterns(size_t n)
{
	static const uint32_t region_index[] = { OMPP_NONE, 7, 3 };

	assert_int_equal(merge.failed, 0);
	assert_int_equal(ompp_collect_patterns(&merge, &profile, region_index), 0);
	assert_int_equal(profile.n_patterns, n);
	return profile.patterns;
}

/* Three of four misses with the same step of two lines or more are a stride; of one line only where half of the bytes
 * that are fetched, or more, are not used. */
static void test_strides(void **state)
{
	static const struct {
		uint64_t n_misses, n_steps;
		int64_t step;
		uint64_t n_loads;
		int is_stride;
	} cases[] = {
		{ 1000, 750, 2 * LINE, 8000, 1 },  { 1000, 749, 2 * LINE, 8000, 0 }, { 1000, 750, -4096, 8000, 1 },
		{ 64, 64, 4096, 64, 1 },           { 63, 63, 4096, 63, 0 },       /* too few */
		{ 1000, 1000, LINE - 1, 1000, 0 }, { 1000, 1000, LINE, 4000, 1 }, /* each second word */
		{ 1000, 1000, LINE, 8000, 0 },                                    /* each word */
		{ 1000, 1000, -LINE, 4000, 1 },
	};
	int n = 0;

	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		const struct ompp_pattern *p;

		start(state);
		add_walk(1, 0, 0, cases[i].n_misses, cases[i].n_steps, cases[i].step, cases[i].n_loads);
		p = collect_patterns((size_t)cases[i].is_stride);
		n += cases[i].is_stride;
		if (cases[i].is_stride) {
			assert_int_equal(p->kind, OMPP_PATTERN_STRIDE);
			assert_int_equal(p->object, OBJECT);
			assert_int_equal(p->region, 7);
			assert_int_equal(p->n, cases[i].n_steps);
			assert_int_equal(p->n_of, cases[i].n_misses);
			assert_int_equal(p->step_bytes, cases[i].step);
			assert_string_equal(p->rows, "11");
		}
		stop(state);
	}
	assert_int_equal(n, 5);
}

/* Makes the misses of a walk through structures of n_bytes, of which members at these offsets are loaded, in this
 * order, by a thread whose cache keeps few lines.  Returns the number of patterns. */
static size_t n_of_members(uint64_t n_bytes, const uint64_t *offsets, size_t n_offsets)
{
	uint64_t words[OMPP_N_MODEL_SLOTS] = { 0 }, lines[8] = { 0 };
	struct ompp_pattern_walk walk = { .object = OBJECT };
	size_t at = 0;

	for (uint64_t i = 0; i < 1000; i++)
		for (size_t k = 0; k < n_offsets; k++) {
			uint64_t address = (1 << 20) + i * n_bytes + offsets[k];
			int is_hit = 0;

			for (size_t l = 0; l < OMPP_COUNT_OF(lines); l++)
				is_hit |= lines[l] == address / LINE;
			words[OMPP_SLOT_LOAD + 3]++;
			if (is_hit)
				continue;
			lines[at++ % OMPP_COUNT_OF(lines)] = address / LINE;
			ompp_access_missed(words, 1, address, 8, 0);
		}
	start(NULL);
	ompp_pattern_row(&walk, words);
	ompp_pattern_tally(&merge, &walk, 1, 0);
	collect_patterns(merge.n_patterns);
	return profile.n_patterns;
}

/* Whatever the order of the members, half of the lines or more is not used where less than a half of the structure is.
 */
static void test_members(void **state)
{
	static const uint64_t sizes[] = { 64, 72, 128, 136, 256, 512 };

	(void)state;
	for (size_t s = 0; s < OMPP_COUNT_OF(sizes); s++)
		for (uint64_t a = 0; a < sizes[s]; a += 8)
			for (uint64_t b = 0; b < sizes[s]; b += 8) {
				const uint64_t offsets[] = { a, b };

				assert_int_equal(n_of_members(sizes[s], offsets, 2), 1);
				assert_true(profile.patterns[0].step_bytes || profile.patterns[0].n >= 999);
				stop(NULL);
			}
	for (size_t s = 0; s < OMPP_COUNT_OF(sizes); s++) { /* all members, from the last to the first */
		uint64_t offsets[64];

		for (uint64_t k = 0; k < sizes[s] / 8; k++)
			offsets[k] = sizes[s] - 8 - 8 * k;
		assert_int_equal(n_of_members(sizes[s], offsets, sizes[s] / 8), 0);
		stop(NULL);
	}
	{
		const uint64_t far[] = { 3000, 0 }; /* these distances say nothing of structures */

		assert_int_equal(n_of_members(4096, far, 2), 0);
		stop(NULL);
	}
}

/* The misses are those of the first level that is modelled. */
static void test_first_level(void **state)
{
	(void)state;
	ompp_access_geometry.level[0].bytes = 0;
	for (int level = 1; level < 3; level++) {
		ompp_access_geometry.level[level].bytes = 1 << 20;
		ompp_access_geometry.level[level].line_bytes = 2 * LINE;
	}
	add_walk(2, 0, 1, 100, 100, 4096, 100);
	add_walk(2, 1, 2, 100, 0, 0, 100);
	ompp_access_geometry.level[1].bytes = 0;
	add_walk(0, 1, 2, 200, 200, 4096, 100);
	collect_patterns(2);
	assert_int_equal(profile.patterns[0].region, 3);
	assert_int_equal(profile.patterns[0].n_of, 100);
	assert_int_equal(profile.patterns[1].region, OMPP_NONE);
	assert_int_equal(profile.patterns[1].n_of, 200);
}

/* Of rows with other steps the most frequent ones count, whichever row they are in. */
static void test_rows_of_a_tally(void **state)
{
	(void)state;
	for (int64_t most = 0; most < 2 * OMPP_WALK_STEPS; most++) {
		struct ompp_pattern_walk walk = { .object = OBJECT };

		for (int64_t i = 0; i < 2 * OMPP_WALK_STEPS; i++) {
			uint64_t words[OMPP_N_MODEL_SLOTS] = { 0 };

			words[OMPP_SLOT_MISS] = words[OMPP_SLOT_STEPS] = i == most ? 700 : 10;
			words[OMPP_SLOT_STEP] = (uint64_t)(1024 * (i + 1));
			for (int times = 0; times < 2; times++)
				ompp_pattern_row(&walk, words);
		}
		ompp_pattern_tally(&merge, &walk, 1, (uint32_t)most);
	}
	collect_patterns(2 * OMPP_WALK_STEPS);
	for (size_t i = 0; i < profile.n_patterns; i++) {
		assert_int_equal(profile.patterns[i].step_bytes, 1024 * (i + 1));
		assert_int_equal(profile.patterns[i].n, 1400);
		assert_int_equal(profile.patterns[i].n_of, 1400 + 20 * (2 * OMPP_WALK_STEPS - 1));
	}
}

/* Three of four misses of pages that another thread wrote first. */
static void test_foreign(void **state)
{
	(void)state;
	for (uint64_t n = 749; n <= 750; n++) {
		uint64_t words[OMPP_N_MODEL_SLOTS] = { 0 };
		struct ompp_pattern_walk walk = { .object = OBJECT };

		words[OMPP_SLOT_MISS] = 1000;
		words[OMPP_SLOT_FOREIGN] = n;
		ompp_pattern_row(&walk, words);
		ompp_pattern_tally(&merge, &walk, 2, 5);
	}
	collect_patterns(1);
	assert_int_equal(profile.patterns[0].kind, OMPP_PATTERN_FOREIGN);
	assert_int_equal(profile.patterns[0].n, 750);
	assert_int_equal(profile.patterns[0].n_of, 1000);
	assert_int_equal(profile.patterns[0].region, 3);
}

/* The transfers of a line's writers add up; the first eight of them are named. */
static void test_lines(void **state)
{
	(void)state;
	for (uint32_t row = 0; row < ROWS; row++) {
		ompp_pattern_line(&merge, 1, row, OBJECT, 10 + row, 100, row == 0);
		ompp_pattern_line(&merge, 1, row, OBJECT, 1, 1, row == 3);
	}
	collect_patterns(1);
	assert_int_equal(profile.patterns[0].kind, OMPP_PATTERN_FALSE_SHARING);
	assert_int_equal(profile.patterns[0].n_lines, 2);
	assert_int_equal(profile.patterns[0].n, ROWS * 11 + ROWS * (ROWS - 1) / 2);
	assert_int_equal(profile.patterns[0].n_of, ROWS * 101);
	assert_int_equal(profile.patterns[0].n_most, 11 + ROWS - 1);
	assert_int_equal(profile.patterns[0].n_rows, ROWS);
	assert_string_equal(profile.patterns[0].rows, "0, 1, 2, 3, 4, 5, 6, 7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strides),
		cmocka_unit_test(test_members),
		cmocka_unit_test_setup_teardown(test_first_level, start, stop),
		cmocka_unit_test_setup_teardown(test_rows_of_a_tally, start, stop),
		cmocka_unit_test_setup_teardown(test_foreign, start, stop),
		cmocka_unit_test_setup_teardown(test_lines, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
