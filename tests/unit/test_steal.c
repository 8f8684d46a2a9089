/*
 * Steal: what /proc/stat says of processors, by constructed files, and whether the machine's own is read.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <sched.h>

#include "runtime/session/steal.h"

static char path[] = "/tmp/test_steal.XXXXXX";
static int64_t all_ns, most_ns;

/* Writes a file in the form of /proc/stat.  Processor i lost `one` ticks if it is `cpu`, else `others`; all other
 * columns are large. */
static void file(unsigned int n, unsigned int cpu, unsigned int one, unsigned int others)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs("cpu  9999999 99999 9999999 99999999 99999 9 99999 77777777 9 9\n", f);
	for (unsigned int i = 0; i < n; i++)
		fprintf(f, "cpu%u 551833 7795 202321 821481 2652 0 336 %u 81 82\n", i, i == cpu ? one : others);
	fputs("intr 1 2 3 4 5 6 7 8 9 10 11\nctxt 12\ncpu0 1 1 1 1 1 1 1 5555555\n", f);
	fclose(f);
}

/* Returns the processor with the highest number on which this thread may run, and how many there are. */
static unsigned int last_processor(unsigned int *n)
{
	cpu_set_t set;
	unsigned int last = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	for (unsigned int i = 0; i < CPU_SETSIZE; i++)
		last = CPU_ISSET(i, &set) ? i : last;
	*n = (unsigned int)CPU_COUNT(&set);
	return last;
}

/* What was stolen before does not count; of the processors that the process may use each counts once.  Hundreds of
 * lines are more than one reading of the file. */
static void test_counts(void **state)
{
	unsigned int n, last = last_processor(&n);

	(void)state;
	file(1000, last, 5000, 7000);
	ompp_steal_start(path);
	assert_int_equal(ompp_steal_read(path, &all_ns, &most_ns), 0);
	assert_int_equal(all_ns, 0);
	assert_int_equal(most_ns, 0);
	file(1000, last, 5025, 7003);
	assert_int_equal(ompp_steal_read(path, &all_ns, &most_ns), 0);
	assert_int_equal(most_ns, INT64_C(250000000));
	assert_int_equal(all_ns, INT64_C(250000000) + (n - 1) * INT64_C(30000000));
	file(1000, last, 4000, 7000); /* counts of a processor that was off and on again begin anew */
	assert_int_equal(ompp_steal_read(path, &all_ns, &most_ns), 0);
	assert_int_equal(all_ns, 0);
}

/* Another processor's steal is none of ours. */
static void test_others(void **state)
{
	unsigned int n, last = last_processor(&n);

	(void)state;
	if (last > 900)
		skip();
	file(1000, last + 1, 0, 10);
	ompp_steal_start(path);
	file(1000, last + 1, 900, 10);
	assert_int_equal(ompp_steal_read(path, &all_ns, &most_ns), 0);
	assert_int_equal(all_ns, 0);
}

/* Old kernels have fewer columns; without a file nothing is known. */
static void test_unknown(void **state)
{
	FILE *f;

	(void)state;
	ompp_steal_start("/tmp/no/such/file");
	assert_true(ompp_steal_read(path, &all_ns, &most_ns) < 0);
	file(1000, 0, 0, 0);
	ompp_steal_start(path);
	assert_true(ompp_steal_read("/tmp/no/such/file", &all_ns, &most_ns) < 0);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("cpu  1 2 3 4\ncpu0 1 2 3 4\ncpu1 1 2 3 4", f);
	fclose(f);
	assert_int_equal(ompp_steal_read(path, &all_ns, &most_ns), 0);
	assert_int_equal(all_ns, 0);
}

/* The machine's own file is of this form: its columns by another reader of it. */
static void test_machine(void **state)
{
	unsigned int n, last = last_processor(&n), cpu;
	unsigned long long steal = 0;
	char line[512];
	FILE *f = fopen("/proc/stat", "r");

	(void)state;
	if (!f)
		skip();
	file(1000, 0, 0, 0);
	ompp_steal_start(path);
	assert_int_equal(ompp_steal_read("/proc/stat", &all_ns, &most_ns), 0);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "cpu%u %*u %*u %*u %*u %*u %*u %*u %llu", &cpu, &steal) == 2 && cpu == last)
			break;
	fclose(f);
	assert_true(n == 1 || all_ns >= most_ns);
	assert_true(most_ns >= (int64_t)steal * 10000000 - 10000000000);
	assert_true(n > 1 || most_ns <= (int64_t)steal * 10000000);
}

static int start(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 || close(fd);
}

static int stop(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_counts), cmocka_unit_test(test_others),
		                            cmocka_unit_test(test_unknown), cmocka_unit_test(test_machine) };

	return cmocka_run_group_tests(tests, start, stop);
}
