/*
 * Reuse: compares the misses for all sizes of cache with those by exact stack distances (Mattson et al., 1970) of
 * traces that are made here: within 2 points of the accesses at each size, and what the two halves of the sample say of
 * the error is no less than a part of it.
 *
 * The sampled lines themselves are compared exactly with a model that keeps each rung as an array in the order of the
 * latest uses, and moves its lines.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/data/reuse.h"

enum { MOST_TIMES = 1 << 22, TABLE = 1 << 22, BASE = 0x10000 };

static uint64_t seed = 1;

static uint64_t roll(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

/* ---- exact distances: a tree of the times of the latest access to each line ---- */

static uint32_t *tree, *latest; /* tree[time], from 1 on; by line: time, or 0 */
static uint32_t n_times;
static uint64_t exact[OMPP_REUSE_BUCKETS];

static void tree_add(uint32_t time, uint32_t n)
{
	for (; time <= MOST_TIMES; time += time & -time)
		tree[time] += n;
}

static uint32_t tree_sum(uint32_t time)
{
	uint32_t n = 0;

	for (; time; time -= time & -time)
		n += tree[time];
	return n;
}

static void access_exactly(uint64_t line)
{
	uint32_t *time = &latest[line];

	n_times++;
	assert_true(line < TABLE && n_times <= MOST_TIMES);
	if (*time) {
		uint32_t distance = tree_sum(n_times - 1) - tree_sum(*time);

		if (distance >= OMPP_REUSE_LEAST)
			exact[ompp_reuse_bucket(distance)]++;
		tree_add(*time, (uint32_t)-1);
	} else {
		exact[OMPP_REUSE_COLD]++;
	}
	*time = n_times;
	tree_add(n_times, 1);
}

/* ---- both ---- */

static struct ompp_reuse *reuse;
static uint64_t slots[OMPP_REUSE_SLOTS];

static void start(void)
{
	tree = calloc(MOST_TIMES + 1, sizeof(*tree));
	latest = calloc(TABLE, sizeof(*latest));
	reuse = calloc(1, ompp_reuse_bytes());
	assert_true(tree && latest && reuse);
	memset(exact, 0, sizeof(exact));
	memset(slots, 0, sizeof(slots));
	n_times = 0;
}

static void touch(uint64_t line)
{
	access_exactly(line);
	if (ompp_reuse_is_sampled(line + BASE))
		ompp_reuse_access(reuse, line + BASE, slots);
}

static uint64_t sampled(unsigned int bucket)
{
	return slots[bucket] + slots[OMPP_REUSE_BUCKETS + bucket];
}

static double away(double a, double b)
{
	return a < b ? b - a : a - b;
}

/* Returns by how much a share is below the first of two others, or above the second. */
static double outside(double share, double least, double most)
{
	return share < least ? least - share : share > most ? share - most : 0;
}

/* Compares both, with first accesses apart.  A step of the curve may be as far away as the next bucket's boundary. */
static void finish(const char *name)
{
	static double misses[OMPP_REUSE_FAR + 3], by_sample[OMPP_REUSE_FAR + 3]; /* at [i + 1] of a cache of bucket i */
	double most = 0, sum = 0, halves = 0, most_halves = 0, n = n_times, cold;

	for (int b = OMPP_REUSE_FAR; b >= 0; b--) {
		misses[b + 1] = misses[b + 2] + (double)exact[b] / n;
		by_sample[b + 1] = by_sample[b + 2] + (double)sampled((unsigned int)b) / n;
		halves += ((double)slots[b] - (double)slots[OMPP_REUSE_BUCKETS + b]) / n;
		most_halves = away(halves, 0) > most_halves ? away(halves, 0) : most_halves;
		sum += away(misses[b + 1], by_sample[b + 1]);
	}
	misses[0] = misses[1];
	for (int b = 1; b <= OMPP_REUSE_FAR; b++) {
		double error = outside(by_sample[b], misses[b + 1], misses[b - 1]);

		most = error > most ? error : most;
	}
	cold = away((double)exact[OMPP_REUSE_COLD], (double)sampled(OMPP_REUSE_COLD)) / n;
	printf("%-13s %7.0f accesses, %6.0f lines: off by %.4f at most, %.4f in the mean, halves %.4f, cold %.4f\n",
	       name, n, (double)exact[OMPP_REUSE_COLD], most, sum / (OMPP_REUSE_FAR + 1), most_halves, cold);
	assert_true(most <= 0.02);
	assert_true(sum / (OMPP_REUSE_FAR + 1) <= 0.005);
	assert_true(most_halves <= 0.06);
	assert_true(cold <= 0.02);
	free(tree);
	free(latest);
	free(reuse);
}

/* Each line of an array, as often as its elements, again and again: all reuses have one distance. */
static void test_sweeps(void **state)
{
	static const uint32_t sizes[] = { 100, 200, 500, 700, 3000, 20000, 120000 };
	char name[32];

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(sizes); i++) {
		start();
		for (uint32_t n = 0; n < 3000000; n += sizes[i] * 8)
			for (uint32_t line = 0; line < sizes[i] && n_times < MOST_TIMES; line++)
				for (int k = 0; k < 8 && n_times < MOST_TIMES; k++)
					touch(line);
		snprintf(name, sizeof(name), "sweep %u", sizes[i]);
		finish(name);
	}
}

static void test_random(void **state)
{
	static const uint32_t sizes[] = { 1000, 30000, 400000 };
	char name[32];

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(sizes); i++) {
		start();
		for (uint32_t n = 0; n < 4000000; n++)
			touch(roll(sizes[i]));
		snprintf(name, sizeof(name), "random %u", sizes[i]);
		finish(name);
	}
}

/* Few lines are accessed often, and many seldom. */
static void test_skewed(void **state)
{
	(void)state;
	start();
	for (uint32_t n = 0; n < 4000000; n++)
		touch(roll(1 + roll(1 + roll(1 + roll(300000)))) * 7 % 300000);
	finish("skewed");
}

/* C = A B of doubles, as it is written, with rows that do not begin with a line. */
static void test_product(void **state)
{
	enum { N = 100, ROWS = 4 };

	(void)state;
	start();
	for (uint32_t i = 0; i < ROWS * 30; i++)
		for (uint32_t j = 0; j < N; j++)
			for (uint32_t k = 0; k < N && n_times + 3 <= MOST_TIMES; k++) {
				touch((i % N * N + k) / 8);
				touch(2000 + (k * N + j) / 8);
				touch(4000 + (i % N * N + j) / 8);
			}
	finish("product");
}

/* Columns of a matrix whose rows are powers of two, one of which per access; and then its rows. */
static void test_columns(void **state)
{
	enum { N = 512 };

	(void)state;
	start();
	for (uint32_t again = 0; again < 4; again++) {
		for (uint32_t j = 0; j < N; j++)
			for (uint32_t i = 0; i < N; i++)
				touch((i * N + j) / 8);
		for (uint32_t i = 0; i < N * N; i++)
			touch(i / 8);
	}
	finish("columns");
}

static void test_stencil(void **state)
{
	enum { N = 700 };

	(void)state;
	start();
	for (uint32_t again = 0; again < 2; again++)
		for (uint32_t i = 1; i < N - 1; i++)
			for (uint32_t j = 1; j < N - 1 && n_times + 4 <= MOST_TIMES; j++) {
				touch(((i - 1) * N + j) / 8);
				touch((i * N + j) / 8);
				touch(((i + 1) * N + j) / 8);
				touch(100000 + (i * N + j) / 8);
			}
	finish("stencil");
}

/* A list whose nodes lie in memory by chance, with a large array that is read once between its walks. */
static void test_list(void **state)
{
	enum { N = 40000 };
	uint32_t *order = malloc(N * sizeof(*order));

	(void)state;
	assert_non_null(order);
	for (uint32_t i = 0; i < N; i++) {
		uint32_t k = (uint32_t)roll(i + 1);

		order[i] = order[k];
		order[k] = i;
	}
	start();
	for (uint32_t again = 0; again < 20; again++) {
		for (uint32_t i = 0; i < N; i++)
			for (int k = 0; k < 3; k++)
				touch(order[i] * 3u);
		for (uint32_t i = 0; i < N; i++)
			touch(200000 + again * N + i);
	}
	free(order);
	finish("list");
}

/* The boundaries of buckets are those of caches of 4, 5, 6 and 7 times a power of two. */
static void test_buckets(void **state)
{
	(void)state;
	assert_int_equal(ompp_reuse_bucket(OMPP_REUSE_LEAST), 0);
	for (unsigned int b = 1; b < OMPP_REUSE_FAR; b++) {
		assert_int_equal(ompp_reuse_bucket(ompp_reuse_least(b)), b);
		assert_int_equal(ompp_reuse_bucket(ompp_reuse_least(b) - 1), b - 1);
	}
	assert_int_equal(ompp_reuse_least(0), OMPP_REUSE_LEAST);
	assert_int_equal(ompp_reuse_bucket(ompp_reuse_least(OMPP_REUSE_FAR)), OMPP_REUSE_FAR);
	assert_int_equal(ompp_reuse_bucket(UINT64_MAX), OMPP_REUSE_FAR);
}

/* Of neighbours one is in the sample. */
static void test_sample(void **state)
{
	(void)state;
	for (uint64_t group = 0; group < 100000; group++) {
		uint64_t n = 0, first = group << OMPP_REUSE_GROUP_BITS;

		for (uint64_t line = first; line < first + (1 << OMPP_REUSE_GROUP_BITS); line++)
			n += (uint64_t)ompp_reuse_is_sampled(line);
		assert_int_equal(n, 1);
	}
}

/* ---- the sampled lines, exactly ---- */

enum { RUNGS = 4, RUNG_LINES = 4096 };

static struct {
	uint64_t line[RUNG_LINES]; /* the one used last comes first */
	uint32_t n, has_lost;
} model[RUNGS];
static uint64_t model_latest, by_model[OMPP_REUSE_SLOTS], n_seen[OMPP_REUSE_BUCKETS];

static void model_count(uint64_t group, unsigned int bucket, unsigned int bits)
{
	unsigned int half = (unsigned int)((group >> 1) * UINT64_C(0x9E3779B97F4A7C15) >> 63 ^ group) & 1;

	by_model[half * OMPP_REUSE_BUCKETS + bucket] += UINT64_C(1) << bits;
	n_seen[bucket]++;
}

/* Makes a line the first of a rung.  Returns where it was, or -1. */
static int model_use(unsigned int rung, uint64_t line)
{
	uint64_t *lines = model[rung].line;
	uint32_t at = 0, n = model[rung].n;

	while (at < n && lines[at] != line)
		at++;
	if (at == n && n == RUNG_LINES)
		model[rung].has_lost = 1;
	else if (at == n)
		model[rung].n++;
	memmove(lines + 1, lines, (at < RUNG_LINES ? at : RUNG_LINES - 1) * sizeof(*lines));
	lines[0] = line;
	return at == n ? -1 : (int)at;
}

static void model_access(uint64_t line, int is_counted)
{
	uint64_t group = line;

	if (line == model_latest)
		return;
	model_latest = line;
	for (unsigned int i = 0; i < RUNGS && ompp_reuse_is_sampled(group); i++) {
		unsigned int bits = (i + 1) * OMPP_REUSE_GROUP_BITS;
		int was_complete = !model[i].has_lost, at = model_use(i, line);
		uint64_t distance = at > 0 ? ((uint64_t)at << bits) + (UINT64_C(1) << (bits - 1)) : 0;

		group >>= OMPP_REUSE_GROUP_BITS;
		if (!is_counted || (at < 0 && !was_complete && i < RUNGS - 1))
			continue;
		if (at < 0)
			model_count(group, was_complete ? OMPP_REUSE_COLD : OMPP_REUSE_FAR, bits);
		else if (distance >= OMPP_REUSE_LEAST)
			model_count(group, ompp_reuse_bucket(distance), bits);
		is_counted = 0;
	}
}

static void model_start(void)
{
	memset(model, 0, sizeof(model));
	memset(by_model, 0, sizeof(by_model));
	memset(slots, 0, sizeof(slots));
	model_latest = UINT64_MAX;
	reuse = calloc(1, ompp_reuse_bytes());
	assert_non_null(reuse);
}

static void model_finish(void)
{
	assert_memory_equal(slots, by_model, sizeof(slots));
	free(reuse);
}

static void access_both(uint64_t line, int is_counted)
{
	ompp_reuse_access(reuse, line, is_counted ? slots : NULL);
	model_access(line, is_counted);
	assert_int_equal(ompp_reuse_latest(reuse), model_latest);
}

/* Returns a line of the first n rungs, and of no further one. */
static uint64_t line_of_rungs(unsigned int n, uint64_t number)
{
	uint64_t line = number + 1;

	while (ompp_reuse_is_sampled(line))
		line += 100000;
	while (n--)
		line = ompp_reuse_sampled(line);
	return line;
}

/* Lines of all rungs, of which there are more than rungs have: sweeps, sweeps in which some lines are left out or used
 * again, and lines by chance, some of which are used more often. */
static void test_exact(void **state)
{
	static const uint32_t sizes[] = { 1, 2, 15, 16, 17, 18, 63, 64, 65, 300, 4095, 4096, 4097, 5000, 20000 };

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(sizes); i++)
		for (int kind = 0; kind < 4; kind++) {
			uint64_t at = 0;

			model_start();
			for (uint32_t n = 0; n < 12000 || n < 3 * sizes[i]; n++) {
				uint64_t number = kind == 2 ? roll(sizes[i])
				                : kind == 3 ? roll(1 + roll(sizes[i]))
				                            : at++ % sizes[i];

				if (kind == 1)
					at = roll(8) ? at : roll(2) ? at + roll(4) : at - roll(at < 40 ? at : 40);
				access_both(line_of_rungs(1 + (kind % 2 ? number % 7 % RUNGS : number % 16 == 0),
				                          number),
				            roll(10) != 0);
			}
			model_finish();
		}
}

/* Sweeps of all sizes that have buckets of their own, in each rung; meanwhile so many lines are used that the rungs
 * before have lost them. */
static void test_each_bucket(void **state)
{
	(void)state;
	memset(n_seen, 0, sizeof(n_seen));
	for (unsigned int rungs = 1; rungs <= RUNGS; rungs++)
		for (uint32_t part = rungs == 1 ? 16 : 256; part < RUNG_LINES; part *= 2)
			for (uint32_t n = part + 1; n <= 2 * part; n += part / 4) {
				model_start();
				for (int again = 0; again < 2; again++) {
					for (uint32_t i = 0; i < RUNG_LINES + 1 && rungs > 1; i++)
						access_both(line_of_rungs(rungs - 1, 10000 + i), 1);
					for (uint32_t i = 0; i < n; i++)
						access_both(line_of_rungs(rungs, i), 1);
				}
				model_finish();
			}
	for (unsigned int bucket = 0; bucket < OMPP_REUSE_BUCKETS; bucket++)
		if (!n_seen[bucket])
			fail_msg("no access was in bucket %u", bucket);
}

/* ---- signals ---- */

/* An access of the signal handler that was seen; those that came when the main program had made its own access of this
 * step have the next number. */
static struct {
	uint64_t line, when;
} taken[1 << 16];
static volatile sig_atomic_t n_taken, n_left_out;
static volatile uint64_t step, step_line;

static void use_in_signal(int signal)
{
	uint64_t line = line_of_rungs(1, 10000 + (uint64_t)n_taken % 40), before = ompp_reuse_latest(reuse);

	(void)signal;
	if (n_taken == OMPP_COUNT_OF(taken) || line == before)
		return;
	ompp_reuse_access(reuse, line, slots);
	if (ompp_reuse_latest(reuse) != line) {
		n_left_out++;
		return;
	}
	taken[n_taken].line = line;
	taken[n_taken].when = 2 * step + (before == step_line || (n_taken && taken[n_taken - 1].when == 2 * step + 1));
	n_taken++;
}

/* An access of a signal handler is seen, unless it interrupts another one, which it does not disturb. */
static void test_signal(void **state)
{
	struct sigaction on = { .sa_handler = use_in_signal, .sa_flags = SA_RESTART };
	struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
	int i = 0;

	(void)state;
	model_start();
	sigaction(SIGALRM, &on, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while ((n_taken < 200 || n_left_out < 50) && n_taken < (int)OMPP_COUNT_OF(taken)) {
		uint64_t line = line_of_rungs(1, step % 4000 < 3000 ? step % 100 : roll(300));

		if (line == step_line)
			line = line_of_rungs(1, 5000);
		step_line = line;
		step = step + 1;
		ompp_reuse_access(reuse, line, slots);
		for (; i < n_taken && taken[i].when < 2 * step + 1; i++)
			model_access(taken[i].line, 1);
		model_access(line, 1);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	for (; i < n_taken; i++)
		model_access(taken[i].line, 1);
	printf("%u accesses, and of signals %d, and %d that were left out\n", (unsigned int)step, (int)n_taken,
	       (int)n_left_out);
	model_finish();
}

/* Holds it at one address, and then at another one.  Returns whether accesses are let in behind the latter. */
static int is_let_in(const char *held, const char *next)
{
	static uint64_t at = 20000;
	uint64_t line = line_of_rungs(1, at++);
	int first = ompp_reuse_hold(reuse, (uintptr_t)held), second = ompp_reuse_hold(reuse, (uintptr_t)next), lets_in;

	assert_int_equal(first, 0);
	ompp_reuse_go_on(reuse, second);
	ompp_reuse_access(reuse, line, slots);
	lets_in = ompp_reuse_latest(reuse) == line;
	if (!lets_in)
		ompp_reuse_go_on(reuse, first);
	ompp_reuse_access(reuse, line_of_rungs(1, at++), slots);
	return lets_in;
}

/* A frame that is left by a jump holds nothing, but one that a handler has interrupted does, wherever the handler's
 * stack is. */
static void test_held(void **state)
{
	char *own = malloc(3 * (size_t)SIGSTKSZ), *other = own + SIGSTKSZ, *end = other + SIGSTKSZ;
	stack_t stack = { .ss_sp = other, .ss_size = (size_t)SIGSTKSZ }, none = { .ss_flags = SS_DISABLE };

	(void)state;
	assert_non_null(own);
	model_start();
	for (int has_other = 0; has_other < 2; has_other++) {
		assert_int_equal(is_let_in(own + 500, own + 400), 0);
		assert_int_equal(is_let_in(own + 500, own + 500), 1);
		assert_int_equal(is_let_in(own + 500, own + 600), 1);
		assert_int_equal(is_let_in(other + 500, other + 400), 0);
		assert_int_equal(is_let_in(other + 500, other + 600), 1);
		assert_int_equal(sigaltstack(&stack, NULL), 0);
	}
	assert_int_equal(is_let_in(own + 500, other + 500), 0); /* a handler */
	assert_int_equal(is_let_in(end + 500, other + 500), 0);
	assert_int_equal(is_let_in(other + 500, own + 500), 1); /* a handler was left */
	assert_int_equal(is_let_in(other + 500, end + 500), 1);
	assert_int_equal(sigaltstack(&none, NULL), 0);
	free(own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets), cmocka_unit_test(test_sample),      cmocka_unit_test(test_sweeps),
		cmocka_unit_test(test_random),  cmocka_unit_test(test_skewed),      cmocka_unit_test(test_product),
		cmocka_unit_test(test_columns), cmocka_unit_test(test_stencil),     cmocka_unit_test(test_list),
		cmocka_unit_test(test_exact),   cmocka_unit_test(test_each_bucket), cmocka_unit_test(test_signal),
		cmocka_unit_test(test_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
