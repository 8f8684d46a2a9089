/*
 * Span, limit: the longest path is given up where events cost more than a fiftieth of a thread's time, and not before
 * that is a time to speak of; whatever the events are, and also when many of them cost little in a long run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/span/span_limit.h"
#include "runtime/span/span_record.h"

enum { PLACE = 10 << OMPP_PLACE_SHIFT, EVENT_TICKS = 100, ENOUGH = 1 << 21, LOOK = 1024 };

static uint64_t now, begun, per_mille; /* of the time, which is nanoseconds here, is the thread's processor time */
static struct ompp_span *self;

static int read_clocks(struct ompp_cpu_reading *reading)
{
	reading->monotonic_ns = (int64_t)now;
	reading->cpu_ns = (int64_t)((now - begun) * per_mille / 1000);
	return per_mille ? 0 : -1;
}

static int setup(void **state)
{
	(void)state;
	now = begun = 1000;
	per_mille = 1000;
	ompp_span_read = read_clocks;
	ompp_span_is_limited = 1;
	ompp_span_more_fp = EVENT_TICKS * 256;
	ompp_mode_set(OMPP_MODE_SPAN);
	self = ompp_span_new(1 << 24);
	ompp_span_host(self, now);
	ompp_span_limit_begin(self, now);
	return 0;
}

/* Ends stretches of work, until the path is over.  Returns how many. */
static uint64_t work(uint64_t n, uint64_t ticks)
{
	uint64_t i;

	for (i = 0; i < n && !ompp_span_is_over(); i++) {
		now += ticks;
		ompp_span_stretch(self, PLACE, now);
	}
	return i;
}

/* What is looked at is whole rounds of events; the last one of a round may count twice. */
static void check_rounds(uint64_t n, uint64_t least)
{
	assert_true(n >= least - least / 200);
	assert_true(n <= least + least / 200 + 2 * LOOK);
}

static void short_work_is_given_up(void **state)
{
	(void)state;
	check_rounds(work(1000000, 10 * EVENT_TICKS), ENOUGH / EVENT_TICKS);
	assert_true(ompp_span_is_over());
	assert_false(OMPP_LOAD(&ompp_modes) & OMPP_MODE_SPAN);
}

static void a_fiftieth_is_the_limit(void **state)
{
	(void)state;
	assert_int_equal(work(300000, 51 * EVENT_TICKS), 300000);
	assert_false(ompp_span_is_over());
	setup(state);
	check_rounds(work(300000, 48 * EVENT_TICKS), ENOUGH / EVENT_TICKS);
}

/* Short events may come as long as all that was before is 50 times as long. */
static void the_whole_run_counts(void **state)
{
	uint64_t n_long = 100000, n_short = n_long * (1000 - 50) / (50 - 10);

	(void)state;
	assert_int_equal(work(n_long, 1000 * EVENT_TICKS), n_long);
	check_rounds(work(10 * n_short, 10 * EVENT_TICKS), n_short);
}

/* A thread that waits, or for which there was no processor, had less time. */
static void processor_time_counts(void **state)
{
	uint64_t n = 300000;

	(void)state;
	per_mille = 200;
	assert_int_equal(work(n, 255 * EVENT_TICKS), n);
	setup(state);
	per_mille = 200;
	check_rounds(work(n, 240 * EVENT_TICKS), ENOUGH / EVENT_TICKS);
	setup(state);
	per_mille = 0; /* it is not told */
	ompp_span_limit_begin(self, now);
	assert_int_equal(work(n, 51 * EVENT_TICKS), n);
	check_rounds(work(n * 1000, EVENT_TICKS), n * 1 / 49);
}

static void a_burst_tells_nothing(void **state)
{
	(void)state;
	assert_int_equal(work(ENOUGH / EVENT_TICKS - LOOK, 1), ENOUGH / EVENT_TICKS - LOOK);
	assert_false(ompp_span_is_over());
	now += 100 * (uint64_t)ENOUGH;
	assert_int_equal(work(2 * LOOK, 1), 2 * LOOK);
}

static void what_takes_long_counts_more(void **state)
{
	static struct ompp_span_team team;
	uint64_t n = 0;

	(void)state;
	for (; n < ENOUGH / EVENT_TICKS && !ompp_span_is_over(); n++) {
		now += EVENT_TICKS;
		ompp_span_stretch(self, PLACE, now);
		ompp_span_fork(self, &team, now);
		ompp_span_join_team(self, &team, NULL, PLACE);
	}
	assert_true(ompp_span_is_over());
	assert_true(n < ENOUGH / EVENT_TICKS / 8);
}

static void who_asked_keeps_it(void **state)
{
	(void)state;
	ompp_span_is_limited = 0;
	ompp_span_more_fp = 0;
	self = ompp_span_new(1 << 24); /* without a limit's begin */
	ompp_span_host(self, now);
	assert_int_equal(work(1000000, 1), 1000000);
	assert_false(ompp_span_is_over());
	assert_true(OMPP_LOAD(&ompp_modes) & OMPP_MODE_SPAN);
}

/* A child counts its own time; where its parent has given the path up, it has no path, and created none of its tasks.
 */
static void a_fork_begins_anew(void **state)
{
	(void)state;
	work(ENOUGH / EVENT_TICKS - LOOK, 1);
	now += 1000;
	ompp_span_after_fork(self, now);
	assert_int_equal(work(ENOUGH / EVENT_TICKS - LOOK, 1), ENOUGH / EVENT_TICKS - LOOK);
	assert_false(ompp_span_is_over());
	work(2 * LOOK, 1);
	assert_true(ompp_span_is_over());
	self->n_created = 7;
	assert_false(ompp_span_was_over);
	ompp_span_after_fork(self, now);
	assert_int_equal(self->n_created, 0);
	assert_true(ompp_span_was_over);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(short_work_is_given_up, setup),
		cmocka_unit_test_setup(a_fiftieth_is_the_limit, setup),
		cmocka_unit_test_setup(the_whole_run_counts, setup),
		cmocka_unit_test_setup(processor_time_counts, setup),
		cmocka_unit_test_setup(a_burst_tells_nothing, setup),
		cmocka_unit_test_setup(what_takes_long_counts_more, setup),
		cmocka_unit_test_setup(who_asked_keeps_it, setup),
		cmocka_unit_test_setup(a_fork_begins_anew, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
