/*
 * Course: whatever a thread does, and however long, its slices have all of it, each in its place; charges come as
 * events do, at the first one behind the end of a slice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/statistics/course.h"

enum { N_RUNS = 200, START = 12345 };

static uint64_t seed;

static uint64_t random_below(uint64_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % n;
}

/* What was done, exactly: in slices of the least length, of which a run has at most so many. */
enum { MOST_FINE = 20000 };

struct model {
	uint64_t parts[MOST_FINE][OMPP_N_COURSE_PARTS];
	uint64_t now; /* since the start */
};

static void model_add(struct model *m, int part, uint64_t ticks)
{
	while (ticks) {
		uint64_t slice = m->now >> OMPP_COURSE_LEAST_SHIFT, left;

		left = ((slice + 1) << OMPP_COURSE_LEAST_SHIFT) - m->now;
		left = left < ticks ? left : ticks;
		assert_true(slice < MOST_FINE);
		m->parts[slice][part] += left;
		m->now += left;
		ticks -= left;
	}
}

static uint64_t stretch_ticks(void)
{
	switch (random_below(8)) {
	case 0:
		return random_below(1 << 24);
	case 1:
		return random_below(1 << 21);
	default:
		return random_below(1 << 17);
	}
}

/* Does something for a while, as often as that, with an event behind each stretch. */
static void do_things(struct ompp_course *c, struct model *m, uint64_t n)
{
	uint64_t spent[OMPP_N_COURSE_PARTS] = { 0 }, end = ompp_course_slice_end(c, START, START + m->now);

	for (uint64_t i = 0; i < n && m->now < (uint64_t)(MOST_FINE - 20) << OMPP_COURSE_LEAST_SHIFT; i++) {
		enum ompp_course_part part = (enum ompp_course_part)random_below(OMPP_N_COURSE_PARTS);
		uint64_t ticks = stretch_ticks();

		model_add(m, part, ticks);
		spent[part] += ticks;
		if (START + m->now < end && i + 1 < n)
			continue;
		if (!random_below(500))
			ompp_course_lengthen(c, c->shift + 1);
		ompp_course_add(c, spent, part, 1 + part, START, START + m->now, NULL);
		end = ompp_course_slice_end(c, START, START + m->now);
		memset(spent, 0, sizeof(spent));
	}
}

/* Each part of each slice is right within what rounding to 65536ths loses, a few of them a slice. */
static void check_slices(const struct ompp_course *c, const struct model *m)
{
	uint32_t each = 1u << (c->shift - OMPP_COURSE_LEAST_SHIFT);

	for (uint64_t i = 0; i < OMPP_COURSE_SLICES; i++)
		for (int k = 0; k < OMPP_N_COURSE_PARTS; k++) {
			uint64_t want = 0, have = c->slices[i].parts[k];

			for (uint64_t f = i * each; f < (i + 1) * each && f < MOST_FINE; f++)
				want += m->parts[f][k];
			want >>= c->shift - 16;
			assert_in_range(have, want > 80 ? want - 80 : 0, want + 80);
		}
}

static void test_add(void **state)
{
	static struct ompp_course_slice slices[OMPP_COURSE_SLICES];
	static struct model m;
	uint32_t most = 0;

	(void)state;
	for (int run = 0; run < N_RUNS; run++) {
		struct ompp_course c = { .last_ticks = START, .shift = OMPP_COURSE_LEAST_SHIFT, .slices = slices };

		memset(slices, 0, sizeof(slices));
		memset(&m, 0, sizeof(m));
		do_things(&c, &m, 1 + random_below(random_below(2) ? 100 : 10000));
		check_slices(&c, &m);
		assert_int_equal(c.last_ticks, START + m.now);
		assert_int_equal(c.n_changes % 2, 0);
		most = c.shift > most ? c.shift : most;
	}
	assert_true(most > OMPP_COURSE_LEAST_SHIFT + 2); /* slices were joined */
}

/* The region of a slice is that in which the thread was at its end. */
static void test_region(void **state)
{
	struct ompp_course_slice slices[OMPP_COURSE_SLICES] = { { { 0 }, 0 } };
	struct ompp_course c = { .last_ticks = START, .shift = OMPP_COURSE_LEAST_SHIFT, .slices = slices };
	uint64_t slice = 1 << OMPP_COURSE_LEAST_SHIFT, spent[OMPP_N_COURSE_PARTS] = { 0 };

	(void)state;
	spent[OMPP_COURSE_WORK] = slice / 2;
	spent[OMPP_COURSE_WAIT] = 2 * slice;
	ompp_course_add(&c, spent, OMPP_COURSE_WAIT, 7, START, START + slice * 5 / 2, NULL);
	assert_int_equal(slices[0].region, 7);
	assert_int_equal(slices[1].region, 7);
	assert_int_equal(slices[2].region, 0);
	assert_int_equal(slices[0].parts[OMPP_COURSE_WORK], 32768);
	assert_int_equal(slices[0].parts[OMPP_COURSE_WAIT], 32768);
	assert_int_equal(slices[1].parts[OMPP_COURSE_WAIT], 65535);
	slices[4].region = 9; /* the run ends in it, or the thread was in no region at the end of the next one */
	ompp_course_lengthen(&c, c.shift + 1);
	assert_int_equal(slices[0].region, 7);
	assert_int_equal(slices[2].region, 9);
	assert_int_equal(slices[0].parts[OMPP_COURSE_WORK], 16384);
}

static void test_read(void **state)
{
	struct ompp_course_slice slices[OMPP_COURSE_SLICES] = { { { 1, 2, 3, 4 }, 5 } }, copied[OMPP_COURSE_SLICES];
	struct ompp_course c = { .last_ticks = 9, .shift = OMPP_COURSE_LEAST_SHIFT, .slices = slices }, copy;

	(void)state;
	assert_true(ompp_course_read(&c, &copy, copied));
	assert_memory_equal(copied, slices, sizeof(slices));
	assert_int_equal(copy.last_ticks, 9);
	c.n_changes = 1; /* its thread is writing */
	assert_false(ompp_course_read(&c, &copy, copied));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_region),
		cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
