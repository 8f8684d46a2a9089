/*
 * Source: sources are opened, stubs replace functions that one leaves out, values have their places, some cannot start.
 *
 * The list of sources is the test's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/host/note.h"
#include "runtime/sources/source.h"
#include "runtime/sources/sources.h"

static int n_closed, n_stopped, n_started;

static void add(struct ompp_metric_set *set, const char *name)
{
	set->column[set->n_columns++] = (struct ompp_source_column){ .metric = { .name = name },
		                                                     .value = (uint16_t)set->n++ };
}

static int open_two(const struct ompp_options *options, struct ompp_metric_set *set, struct ompp_why *why)
{
	(void)options, (void)why;
	add(set, "A");
	add(set, "B");
	return 0;
}

static int open_one(const struct ompp_options *options, struct ompp_metric_set *set, struct ompp_why *why)
{
	(void)options, (void)why;
	add(set, "C");
	return 0;
}

/* Adds a metric and then fails, so that the metric must be taken out again. */
static int open_fails(const struct ompp_options *options, struct ompp_metric_set *set, struct ompp_why *why)
{
	(void)options;
	add(set, "X");
	strcpy(why->text, "no counters here; run on another machine");
	return -1;
}

static int not_wanted(const struct ompp_options *options, struct ompp_why *why)
{
	(void)options, (void)why;
	return -1;
}

static int start(void *state, struct ompp_why *why)
{
	(void)why;
	n_started++;
	*(uint64_t *)state = 100;
	return 0;
}

static void read_two(void *state, uint64_t *values)
{
	values[0] = ++*(uint64_t *)state;
	values[1] = 2;
}

static void read_one(void *state, uint64_t *values)
{
	values[0] = ++((unsigned char *)state)[2];
}

static void stop(void *state)
{
	(void)state;
	n_stopped++;
}

static void close_it(void)
{
	n_closed++;
}

static const struct ompp_source two = { .name = "two",
	                                .thread_bytes = 8,
	                                .open = open_two,
	                                .thread_start = start,
	                                .read = read_two,
	                                .thread_stop = stop,
	                                .close = close_it };
static const struct ompp_source failing = {
	.name = "failing", .thread_bytes = 64, .open = open_fails, .close = close_it
};
static const struct ompp_source unwanted = { .name = "unwanted", .probe = not_wanted, .open = open_two };
static const struct ompp_source one = { .name = "one", .thread_bytes = 3, .open = open_one, .read = read_one };
static const struct ompp_source empty = { .name = "empty" };

const struct ompp_source *const ompp_source_list[] = { &two, &failing, &unwanted, &one, &empty, NULL };

static void sources_fan_out(void **state)
{
	struct ompp_options options;
	_Alignas(16) char memory[64] = { 0 };
	uint64_t values[OMPP_MAX_METRICS];

	(void)state;
	memset(&options, 0, sizeof(options));
	ompp_sources_open(&options);
	assert_int_equal(ompp_metrics.n, 3);
	assert_int_equal(ompp_metrics.n_columns, 3);
	assert_string_equal(ompp_metrics.column[0].metric.name, "A");
	assert_string_equal(ompp_metrics.column[2].metric.name, "C");
	assert_int_equal(ompp_note_n_said(), 1);
	assert_string_equal(ompp_note_said(0), "source failing is off: no counters here; run on another machine");

	assert_int_equal(ompp_sources_thread_bytes(), 32);
	ompp_sources_thread_start(memory);
	assert_int_equal(n_started, 1);
	ompp_sources_read(memory, values);
	ompp_sources_read(memory, values);
	assert_int_equal(values[0], 102);
	assert_int_equal(values[1], 2);
	assert_int_equal(values[2], 2);
	ompp_sources_thread_stop(memory);
	assert_int_equal(n_stopped, 1);
	ompp_sources_close();
	assert_int_equal(n_closed, 1);
	assert_int_equal(ompp_metrics.n, 0);
	assert_int_equal(ompp_sources_thread_bytes(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sources_fan_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
