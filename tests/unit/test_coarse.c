/*
 * Coarse: counters add up, with the time in which they grew; gauges are what they were last; what is not known of a
 * part is not known of the whole; and nothing is lost at other columns, pauses and labels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/watch/coarse.h"

static char got[4096];

static int say_sample(void *context, const struct ompp_sheet *sheet)
{
	size_t n = strlen(got);

	(void)context;
	n += (size_t)snprintf(got + n, sizeof(got) - n, "%lld:", (long long)sheet->time_ns);
	for (size_t i = 0; i < sheet->n; i++) {
		const struct ompp_sheet_column *column = &sheet->columns[i];

		if (column->is_known)
			n += (size_t)snprintf(got + n, sizeof(got) - n, " %g", column->number);
		else
			n += (size_t)snprintf(got + n, sizeof(got) - n, " -");
		n += (size_t)snprintf(got + n, sizeof(got) - n, "/%lld", (long long)column->elapsed_ns);
	}
	snprintf(got + n, sizeof(got) - n, "|");
	return 0;
}

static int say_threads(void *context, const struct ompp_sheet_threads *threads)
{
	size_t n = strlen(got);

	(void)context;
	snprintf(got + n, sizeof(got) - n, "threads %lld: %s %d %d|", (long long)threads->time_ns, threads->regions[0],
	         threads->in[0], threads->is_waiting[0]);
	return 0;
}

static int say_label(void *context, const char *text, int64_t time_ns)
{
	size_t n = strlen(got);

	(void)context;
	snprintf(got + n, sizeof(got) - n, "%s %lld|", text, (long long)time_ns);
	return 0;
}

static int say_pause(void *context, int is_paused, int64_t time_ns)
{
	return say_label(context, is_paused ? "pause" : "resume", time_ns);
}

/* Puts in a sample: a counter that grew by 2 and a gauge that is what the time is. */
static void sample(struct ompp_coarse *c, int64_t time_ns, unsigned int generation, int is_known)
{
	struct ompp_sheet_column columns[2] = {
		{ .is_known = is_known, .number = 2, .elapsed_ns = 10 },
		{ .is_gauge = 1, .is_known = 1, .number = (double)time_ns, .elapsed_ns = 10 }
	};
	struct ompp_sheet sheet = {
		.columns = columns, .n = 2, .room = 2, .generation = generation, .time_ns = time_ns
	};

	assert_int_equal(ompp_coarse_sample(c, &sheet), 0);
}

static void test_all(void **state)
{
	const struct ompp_sink sink = {
		.sample = say_sample, .threads = say_threads, .label = say_label, .pause = say_pause
	};
	struct ompp_coarse *c = ompp_coarse_open(&sink, 30);
	char name[] = "a.c";
	const char *regions[] = { name };
	int in[] = { 0 }, waits[] = { 1 };
	struct ompp_sheet_threads threads = { 40, regions, 1, in, waits, 1 };

	(void)state;
	/* The first one has the names, so it goes as it is; then three of them are one. */
	for (int64_t t = 10; t <= 40; t += 10)
		sample(c, t, 1, 1);
	assert_string_equal(got, "10: 2/10 10/10|40: 6/30 40/30|");
	got[0] = '\0';
	sample(c, 50, 1, 1);
	threads.time_ns = 50;
	ompp_coarse_threads(c, &threads);
	sample(c, 60, 1, 0);
	threads.time_ns = 60;
	waits[0] = 0;
	ompp_coarse_threads(c, &threads);
	name[0] = 'x'; /* it has a copy */
	assert_string_equal(got, "");
	sample(c, 70, 1, 1);
	assert_string_equal(got, "70: -/30 70/30|threads 60: a.c 0 0|");
	got[0] = '\0';
	sample(c, 80, 1, 1);
	ompp_coarse_label(c, "x", 83);
	ompp_coarse_pause(c, 1, 85);
	ompp_coarse_pause(c, 0, 200);
	sample(c, 210, 1, 1);
	sample(c, 220, 2, 1);
	sample(c, 230, 2, 1);
	assert_string_equal(got, "x 83|80: 2/10 80/10|pause 85|resume 200|210: 2/10 210/10|220: 2/10 220/10|");
	ompp_coarse_close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_all) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
