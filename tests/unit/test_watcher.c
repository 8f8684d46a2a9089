/*
 * Watcher: where reading takes longer than an interval, as it does here by a sink that sleeps, the intervals that pass
 * without a sample are counted, and samples go on at the ends of intervals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/watch/watcher.h"

enum { SAMPLES = 24 };

#define MS INT64_C(1000000)

static struct ompp_watcher watcher;
static int64_t sleep_ns[SAMPLES], at_ns[SAMPLES], over_ns[SAMPLES]; /* of each sample: it began, and was over */
static uint64_t n_missed[SAMPLES];
static int n_samples, n_ends;

static int64_t since_start(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 * MS + t.tv_nsec - watcher.start_ns;
}

static int take(void *context, const struct ompp_sheet *sheet)
{
	struct timespec t = { 0, sleep_ns[n_samples] };

	assert_ptr_equal(context, &n_samples);
	at_ns[n_samples] = sheet->time_ns;
	n_missed[n_samples] = sheet->n_missed;
	nanosleep(&t, NULL);
	over_ns[n_samples++] = since_start();
	return 0;
}

static int end_it(void *context, int64_t time_ns)
{
	(void)context, (void)time_ns;
	n_ends++;
	return 0;
}

static int open_sink(struct ompp_watcher *w, struct ompp_sink *sink)
{
	(void)w;
	*sink = (struct ompp_sink){ .sample = take, .end = end_it, .context = &n_samples };
	return 0;
}

static void test_missed(void **state)
{
	int64_t n = 0; /* intervals until a sample's end, of those that have passed */

	(void)state;
	watcher = (struct ompp_watcher){
		.command = "stat", .events = "vmstat", .interval_ns = 4 * MS, .n_samples = SAMPLES, .open = open_sink
	};
	for (int i = 0; i < SAMPLES; i++)
		sleep_ns[i] = i % 3 ? 0 : i * MS;
	assert_int_equal(ompp_watcher_run(&watcher, "vmstat"), 0);
	assert_int_equal(n_samples, SAMPLES);
	assert_int_equal(n_ends, 1);
	for (int i = 0; i < SAMPLES; i++) {
		int64_t n_first = 1 + (int64_t)n_missed[0];

		n += 1 + (int64_t)n_missed[i];
		assert_true(at_ns[i] >= n * watcher.interval_ns);
		/* The interval ended after the sample before was over; where the first one began is not known. */
		if (i)
			assert_true((n - n_first) * watcher.interval_ns + at_ns[0] >= over_ns[i - 1]);
		assert_true(!i || at_ns[i] >= over_ns[i - 1]);
	}
	assert_true(n > SAMPLES);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_missed) };

	alarm(60); /* a wait without end */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
