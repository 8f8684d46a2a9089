/*
 * Machine time: what /proc/stat says of processors, by constructed files, and whether the machine's own is read.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>

#include "runtime/counters/value.h"
#include "runtime/session/machine_time.h"

static char path[] = "/tmp/test_machine_time.XXXXXX";
static struct ompp_machine_time since;

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
	ompp_machine_time_start(path);
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	assert_int_equal(since.stolen_ns, 0);
	assert_int_equal(since.stolen_most_ns, 0);
	file(1000, last, 5025, 7003);
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	assert_int_equal(since.stolen_most_ns, INT64_C(250000000));
	assert_int_equal(since.stolen_ns, INT64_C(250000000) + (n - 1) * INT64_C(30000000));
	file(1000, last, 4000, 7000); /* counts of a processor that was off and on again begin anew */
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	assert_int_equal(since.stolen_ns, 0);
}

static void *wait_for_a_byte(void *from)
{
	char c;

	return read(*(int *)from, &c, 1) == 1 ? from : NULL;
}

/* A thread that is bound to one processor does not hide those of the others. */
static void test_bound(void **state)
{
	unsigned int n, last = last_processor(&n);
	cpu_set_t all, one;
	int ends[2];
	pthread_t thread;

	(void)state;
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_a_byte, &ends[0]), 0);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	file(1000, last, 5000, 7000);
	ompp_machine_time_start(path);
	file(1000, last, 5001, 7003);
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	assert_int_equal(since.stolen_ns, INT64_C(10000000) + (n - 1) * INT64_C(30000000));
	assert_int_equal(write(ends[1], "", 1), 1);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	assert_int_equal(since.stolen_ns, INT64_C(10000000));
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	close(ends[0]);
	close(ends[1]);
}

/* Another processor's steal is none of ours. */
static void test_others(void **state)
{
	unsigned int n, last = last_processor(&n);

	(void)state;
	if (last > 900)
		skip();
	file(1000, last + 1, 0, 10);
	ompp_machine_time_start(path);
	file(1000, last + 1, 900, 10);
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	assert_int_equal(since.stolen_ns, 0);
}

static int64_t now_ns(clockid_t clock)
{
	struct timespec now;

	assert_int_equal(clock_gettime(clock, &now), 0);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Writes a file in which each processor has since the start of the machine been so long in programs, in the kernel, and
 * idle, in ticks, the latter also while disks worked. */
static void busy_file(unsigned int used, unsigned int idle, unsigned int stolen)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	for (unsigned int i = 0; i < 1000; i++)
		fprintf(f, "cpu%u %u 1 %u %u %u 0 7 %u 0 0\n", i, 100 + used / 2, 200 + used - used / 2, 300 + idle / 2,
		        400 + idle - idle / 2, stolen);
	fclose(f);
}

/* What processors did beside idling, being stolen and this process is for others: of 30 ticks they idled 12, and were
 * stolen for 3. */
static void test_busy(void **state)
{
	unsigned int n, last = last_processor(&n), slept = 0;
	int64_t begun_ns, own_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID), others_ns, late_ns;

	(void)state;
	if (last >= 1000)
		skip();
	busy_file(0, 0, 0);
	begun_ns = now_ns(CLOCK_MONOTONIC);
	ompp_machine_time_start(path);
	while (now_ns(CLOCK_MONOTONIC) - begun_ns < INT64_C(300000000))
		slept += !usleep(1000);
	assert_true(slept > 0);
	busy_file(15, 12, 3);
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	late_ns = now_ns(CLOCK_MONOTONIC) - begun_ns - INT64_C(300000000);
	own_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID) - own_ns;
	assert_int_equal(since.stolen_ns, n * INT64_C(30000000));
	others_ns = n * INT64_C(150000000);
	assert_true(since.others_ns <= others_ns + n * late_ns);
	assert_true(since.others_ns >= others_ns - own_ns - 20000000); /* what was used before is in own_ns, by ticks */
	/* each processor: 1 for cut ticks, and 30 × 0.4 × 0.6, in ticks of 10 ms squared */
	assert_true(since.others_variance >= n * (1 + 7) * UINT64_C(100000000));
	assert_true(since.others_variance <= n * (1 + 12) * UINT64_C(100000000));
}

/* A file whose columns do not add up to the time is made up, and tells nothing of others. */
static void test_made_up(void **state)
{
	(void)state;
	busy_file(0, 0, 0);
	ompp_machine_time_start(path);
	busy_file(0, 9, 0);
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	assert_int_equal(since.others_ns, OMPP_MISSING);
	busy_file(0, 2, 0); /* two ticks may be an error */
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	assert_true(since.others_ns >= 0);
}

/* Old kernels have fewer columns; without a file nothing is known. */
static void test_unknown(void **state)
{
	FILE *f;

	(void)state;
	ompp_machine_time_start("/tmp/no/such/file");
	assert_true(ompp_machine_time_read(path, "/proc/self/task", &since) < 0);
	file(1000, 0, 0, 0);
	ompp_machine_time_start(path);
	assert_true(ompp_machine_time_read("/tmp/no/such/file", "/proc/self/task", &since) < 0);
	assert_true(ompp_machine_time_read(path, "/tmp/no/such/folder", &since) < 0);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("cpu  1 2 3 4\ncpu0 1 2 3 4\ncpu1 1 2 3 4", f);
	fclose(f);
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	assert_int_equal(since.stolen_ns, 0);
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
	ompp_machine_time_start(path);
	assert_int_equal(ompp_machine_time_read("/proc/stat", "/proc/self/task", &since), 0);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "cpu%u %*u %*u %*u %*u %*u %*u %*u %llu", &cpu, &steal) == 2 && cpu == last)
			break;
	fclose(f);
	assert_true(n == 1 || since.stolen_ns >= since.stolen_most_ns);
	assert_true(since.stolen_most_ns >= (int64_t)steal * 10000000 - 10000000000);
	assert_true(n > 1 || since.stolen_most_ns <= (int64_t)steal * 10000000);
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
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_counts),  cmocka_unit_test(test_bound),
		                            cmocka_unit_test(test_others),  cmocka_unit_test(test_busy),
		                            cmocka_unit_test(test_made_up), cmocka_unit_test(test_unknown),
		                            cmocka_unit_test(test_machine) };

	return cmocka_run_group_tests(tests, start, stop);
}
