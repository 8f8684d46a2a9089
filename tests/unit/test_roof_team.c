/*
 * Roof team: the threads of a team run on the processors that they are given, pass over their buffers and nothing else,
 * and the rates are those of what the kernels did.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "reports/roofs/roof_team.h"

enum { MOST = 1024, BUFFER_BYTES = 3 << 20 };

static _Atomic uint64_t n_done, on_cpu[MOST];
static _Atomic uintptr_t lowest, highest;
static int cpus[MOST];
static size_t n_cpus;

static void compute(uint64_t n_rounds)
{
	int cpu = sched_getcpu();

	atomic_fetch_add(&n_done, n_rounds);
	if (cpu >= 0 && cpu < MOST)
		atomic_fetch_add(&on_cpu[cpu], 1);
}

static void stream(char *buffer, size_t n_bytes)
{
	uintptr_t lo = (uintptr_t)buffer, hi = lo + n_bytes, was = atomic_load(&lowest);

	while (lo < was && !atomic_compare_exchange_weak(&lowest, &was, lo))
		;
	was = atomic_load(&highest);
	while (hi > was && !atomic_compare_exchange_weak(&highest, &was, hi))
		;
	atomic_fetch_add(&n_done, n_bytes);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int start(void **state)
{
	cpu_set_t set;

	(void)state;
	n_cpus = 0;
	if (sched_getaffinity(0, sizeof(set), &set))
		return -1;
	for (int i = 0; i < CPU_SETSIZE && i < MOST; i++)
		if (CPU_ISSET(i, &set))
			cpus[n_cpus++] = i;
	atomic_store(&n_done, 0);
	memset(on_cpu, 0, sizeof(on_cpu));
	return n_cpus ? 0 : -1;
}

/* The best rate is at least what all the work in all the time gives, and at most all the work in the least time of a
 * repeat. */
static void check_rates(const double *rates, double each, double seconds)
{
	double most = 0, done = each * (double)atomic_load(&n_done);

	for (int i = 0; i < OMPP_ROOF_REPEATS; i++)
		most = rates[i] > most ? rates[i] : most;
	assert_true(most >= done / seconds);
	assert_true(most <= done / 0.003);
}

/* A thread alone, on each of the processors in turn; and all of them together. */
static void test_processors(void **state)
{
	struct ompp_roof_work work = { .compute = compute, .each = 3, .node = -1 };
	double rates[OMPP_ROOF_REPEATS], begin;

	for (size_t i = 0; i < n_cpus && i < 4; i++) {
		start(state);
		begin = now();
		assert_int_equal(ompp_roof_team(&work, &cpus[i], 1, rates), 0);
		check_rates(rates, 3, now() - begin);
		for (size_t k = 0; k < n_cpus; k++)
			assert_int_equal(atomic_load(&on_cpu[cpus[k]]) > 0, k == i);
	}
	start(state);
	assert_int_equal(ompp_roof_team(&work, cpus, n_cpus, rates), 0);
	for (size_t k = 0; k < n_cpus; k++)
		assert_true(atomic_load(&on_cpu[cpus[k]]) > 0);
}

static void test_buffer(void **state)
{
	struct ompp_roof_work work = { .stream = stream, .buffer_bytes = BUFFER_BYTES, .each = 1, .node = -1 };
	double rates[OMPP_ROOF_REPEATS], begin = now();

	(void)state;
	atomic_store(&lowest, UINTPTR_MAX);
	atomic_store(&highest, 0);
	assert_int_equal(ompp_roof_team(&work, cpus, 1, rates), 0);
	check_rates(rates, 1, now() - begin);
	assert_int_equal(atomic_load(&highest) - atomic_load(&lowest), BUFFER_BYTES); /* all of it, and no more */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_processors, start),
		cmocka_unit_test_setup(test_buffer, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
