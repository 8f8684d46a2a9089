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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

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
	ompp_machine_time_start(path, "/proc/self/task");
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

/* The processors of the threads at the start count, and those of the threads at the end, whatever they are bound to;
 * these folders name threads as /proc/self/task does. */
static void test_bound(void **state)
{
	static const char none[] = "/tmp/test_machine_time.none.XXXXXX";
	unsigned int n, last = last_processor(&n);
	char folder[sizeof(none)], thread[sizeof(none) + 32];
	cpu_set_t all, one;

	(void)state;
	strcpy(folder, none);
	assert_non_null(mkdtemp(folder));
	snprintf(thread, sizeof(thread), "%s/%d", folder, (int)getpid());
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	file(1000, last, 5000, 7000);
	assert_int_equal(mkdir(thread, 0700), 0);
	ompp_machine_time_start(path, folder);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	file(1000, last, 5001, 7003);
	assert_int_equal(ompp_machine_time_read(path, folder, &since), 0);
	assert_int_equal(since.n_threads, 1);
	assert_int_equal(since.stolen_ns, INT64_C(10000000) + (n - 1) * INT64_C(30000000));
	file(1000, last, 5000, 7000);
	ompp_machine_time_start(path, folder); /* bound before, as an OpenMP library does it */
	file(1000, last, 5001, 7003);
	assert_int_equal(ompp_machine_time_read(path, folder, &since), 0);
	assert_int_equal(since.stolen_ns, INT64_C(10000000));
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	assert_int_equal(ompp_machine_time_read(path, folder, &since), 0);
	assert_int_equal(since.stolen_ns, INT64_C(10000000) + (n - 1) * INT64_C(30000000));
	assert_int_equal(rmdir(thread), 0);
	assert_int_equal(rmdir(folder), 0);
}

/* Counts that no clock reaches give the largest time, of one processor and of all, and nothing is known of others. */
static void test_damaged(void **state)
{
	unsigned int n, last = last_processor(&n);
	FILE *f;

	(void)state;
	file(1000, last, 0, 0);
	ompp_machine_time_start(path, "/proc/self/task");
	f = fopen(path, "w");
	assert_non_null(f);
	for (unsigned int i = 0; i <= last; i++)
		fprintf(f, "cpu%u 1 1 1 9223372036854775807 1 1 1 9223372036854775807 1 1\n", i);
	fclose(f);
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	assert_int_equal(since.stolen_most_ns, INT64_MAX / 4);
	assert_int_equal(since.stolen_ns, INT64_MAX / 4);
	assert_int_equal(since.others_ns, OMPP_MISSING);
}

/* Another processor's steal is none of ours. */
static void test_others(void **state)
{
	unsigned int n, last = last_processor(&n);

	(void)state;
	if (last > 900)
		skip();
	file(1000, last + 1, 0, 10);
	ompp_machine_time_start(path, "/proc/self/task");
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

/* What processors did beside idling, being stolen and this process is for others.  The columns are made from the clock:
 * they idled for two fifths of the time, and were stolen for a tenth. */
static void test_busy(void **state)
{
	unsigned int n, last = last_processor(&n), ticks;
	int64_t begun_ns, own_ns, others_ns, ns;

	(void)state;
	if (last >= 1000)
		skip();
	busy_file(0, 0, 0);
	begun_ns = now_ns(CLOCK_MONOTONIC);
	own_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
	ompp_machine_time_start(path, "/proc/self/task");
	usleep(300000);
	ticks = (unsigned int)((now_ns(CLOCK_MONOTONIC) - begun_ns) / 10000000);
	busy_file(ticks - ticks / 10 * 5, ticks / 10 * 4, ticks / 10);
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	ns = now_ns(CLOCK_MONOTONIC) - begun_ns;
	own_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID) - own_ns;
	assert_int_equal(since.stolen_ns, n * (int64_t)(ticks / 10) * 10000000);
	if (ns - ticks * INT64_C(10000000) > ns / 10)
		skip(); /* the columns did not add up, as this was held up between */
	others_ns = n * (ns - (int64_t)(ticks / 10) * 50000000);
	assert_true(since.others_ns <= others_ns);
	assert_true(since.others_ns >= others_ns - own_ns - n * (ns / 10) - 20000000);
	/* each processor: 1 for cut ticks, and ticks × 0.4 × 0.6, in ticks of 10 ms squared */
	assert_true(since.others_variance >= n * (ticks / 5) * UINT64_C(100000000));
	assert_true(since.others_variance <= n * (2 + ticks / 3) * UINT64_C(100000000));
}

/* A file whose columns do not add up to the time is made up, and tells nothing of others; nor does one in which this
 * process used more than there was. */
static void test_made_up(void **state)
{
	int64_t begun_ns;
	unsigned int ticks;

	(void)state;
	busy_file(0, 0, 0);
	ompp_machine_time_start(path, "/proc/self/task");
	busy_file(0, 100000, 0);
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	assert_int_equal(since.others_ns, OMPP_MISSING);
	busy_file(0, 0, 0);
	begun_ns = now_ns(CLOCK_MONOTONIC);
	ompp_machine_time_start(path, "/proc/self/task");
	while (now_ns(CLOCK_PROCESS_CPUTIME_ID) < INT64_C(1000000000) &&
	       now_ns(CLOCK_MONOTONIC) - begun_ns < INT64_C(60000000000))
		;
	ticks = (unsigned int)((now_ns(CLOCK_MONOTONIC) - begun_ns) / 10000000);
	busy_file(0, ticks, 0);
	assert_int_equal(ompp_machine_time_read(path, "/proc/self/task", &since), 0);
	assert_int_equal(since.others_ns, OMPP_MISSING);
}

/* Old kernels have fewer columns; without a file nothing is known. */
static void test_unknown(void **state)
{
	unsigned int n;
	FILE *f;

	(void)state;
	ompp_machine_time_start("/tmp/no/such/file", "/proc/self/task");
	assert_true(ompp_machine_time_read(path, "/proc/self/task", &since) < 0);
	file(1000, 0, 0, 0);
	ompp_machine_time_start(path, "/proc/self/task");
	assert_true(ompp_machine_time_read("/tmp/no/such/file", "/proc/self/task", &since) < 0);
	assert_true(ompp_machine_time_read(path, "/tmp/no/such/folder", &since) < 0);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "cpu  1 2 3 4\ncpu%u 1 2 3 4", last_processor(&n));
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
	ompp_machine_time_start(path, "/proc/self/task");
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
		                            cmocka_unit_test(test_machine), cmocka_unit_test(test_damaged) };

	return cmocka_run_group_tests(tests, start, stop);
}
