/*
 * Sum chunks: the chunks of a loop's nodes add up, and the error of their times is that of the times themselves, whose
 * squares need more than 64 bits when calls take seconds.
 */
#include "tests/unit/steps.h"

#include <math.h>

#include "runtime/core/callgraph.h"
#include "runtime/core/chunks.h"
#include "runtime/sums/sum_chunks.h"

enum { NODES = 3, MOST_CALLS = 40, ROUNDS = 200 };

static uint64_t seed = 1;

static uint64_t random_below(uint64_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 16) % n;
}

static void add_call(struct ompp_chunks *c, int64_t ticks)
{
	unsigned __int128 squares = (unsigned __int128)c->squares[1] << 64 | c->squares[0];

	squares += (unsigned __int128)((__int128)ticks * ticks);
	c->n += 7; /* of which one is timed */
	c->n_timed++;
	c->timed_ticks += ticks;
	c->squares[0] = (uint64_t)squares;
	c->squares[1] = (uint64_t)(squares >> 64);
}

/* Returns the standard error of the sum of n times. */
static double error_of(const int64_t *apart, uint32_t n)
{
	double mean = 0, squares = 0;

	for (uint32_t i = 0; i < n; i++)
		mean += (double)apart[i] / n;
	for (uint32_t i = 0; i < n; i++)
		squares += ((double)apart[i] - mean) * ((double)apart[i] - mean);
	return n > 1 ? sqrt(squares / (n - 1) * n) : 0;
}

/* Adds up calls that take some ticks more than `least`, and as many more as chance has it. */
static void check_sums(int64_t least, uint64_t spread)
{
	static struct ompp_callnode nodes[NODES + 1]; /* the last one has none */
	struct ompp_chunks chunks[NODES] = { 0 };
	struct ompp_merge_sums sums = { 0 };
	struct ompp_arena arena;
	struct ompp_merge merge = { .arena = &arena, .sums = &sums, .n_sums = 1 };
	struct ompp_clock_rate rate = { 1, 1 };
	struct ompp_profile p = { 0 };
	int64_t apart[MOST_CALLS], sum = 0;
	uint32_t n = 1 + (uint32_t)random_below(MOST_CALLS);

	ompp_arena_init(&arena, 0);
	for (uint32_t i = 0; i < n; i++) {
		apart[i] = (int64_t)random_below(spread);
		add_call(&chunks[i % NODES], least + apart[i]);
		sum += least + apart[i];
	}
	for (int i = 0; i < NODES; i++) {
		chunks[i].n_long = (uint64_t)i;
		nodes[i].chunks = &chunks[i];
	}
	for (int i = 0; i <= NODES; i++)
		ompp_sum_chunks(&merge, &sums, &nodes[i]);
	assert_int_equal(merge.failed, 0);
	assert_int_equal(ompp_collect_chunks_start(&merge, &p), 0);
	ompp_collect_chunks(&merge, &p, 5, &sums, rate);
	assert_int_equal(p.n_chunks, 1);
	assert_int_equal(p.chunks[0].cell, 5);
	assert_int_equal(p.chunks[0].n, 7 * n);
	assert_int_equal(p.chunks[0].n_timed, n);
	assert_int_equal(p.chunks[0].n_long, n < 2 ? 0 : n < 3 ? 1 : 3);
	assert_int_equal(p.chunks[0].timed_ns, sum);
	assert_float_equal(sqrt((double)p.chunks[0].variance), error_of(apart, n), n + error_of(apart, n) / 1e6);
	ompp_arena_fini(&arena);
}

static void test_sums(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		check_sums(0, 1000);
		check_sums(-500, 1000);
		check_sums(INT64_C(5000000000), 1000000); /* 5 s: squares of 2^64 and more */
		check_sums(INT64_C(600000000), 1000000);  /* each below that, and several above */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_sums) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
