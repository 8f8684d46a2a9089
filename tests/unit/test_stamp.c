/*
 * Stamp: times of the kernel's clocks are converted to the processor's counter and back, and the kernel's own samples
 * lie between the stamps around them.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "runtime/base/text.h"
#include "runtime/host/stamp.h"
#include "runtime/samples/sampler.h"

/* What the kernel computes (struct perf_event_mmap_page in linux/perf_event.h). */
static uint64_t kernel_ns(const struct ompp_stamp_scale *s, uint64_t counter)
{
	uint64_t whole = counter >> s->shift, rest = counter & ((UINT64_C(1) << s->shift) - 1);

	return s->zero + whole * s->mult + (rest * s->mult >> s->shift);
}

/* For counters of 24 MHz to 5 GHz, whose clocks began before and after the kernel's: what comes back is the first value
 * of the counter that has this time. */
static void test_scales(void **state)
{
	static const struct ompp_stamp_scale scales[] = {
		{ 0, 1, 0 },
		{ 0, UINT32_MAX, 31 },
		{ 123456789, 0x29AAAAAA, 24 },          /* 24 MHz */
		{ (uint64_t)-5000000000, 3435973, 23 }, /* about 2.4 GHz */
		{ 77, 1677721, 23 },                    /* 5 GHz */
	};
	uint64_t counter;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
		for (counter = 1; counter < UINT64_C(1) << 52; counter = counter * 3 + 1) {
			uint64_t ns = kernel_ns(&scales[i], counter), back = ompp_stamp_of(&scales[i], ns);

			assert_true(back <= counter);
			assert_true(kernel_ns(&scales[i], back) == ns);
			assert_true(!back || kernel_ns(&scales[i], back - 1) < ns);
		}
}

/* A counter of 3 GHz, of which two readings are a minute apart: times between them, before and behind. */
static void test_readings(void **state)
{
	const struct ompp_stamp_reading first = { UINT64_MAX - 1000, 5000000000 },
					last = { first.stamp + 180000000000, 65000000000 };
	uint64_t t;

	(void)state;
	for (t = 0; t <= 180000000000; t += 999999999)
		assert_true(ompp_stamp_ns(first.stamp + t, &first, &last) == first.ns + t / 3);
	assert_true(ompp_stamp_ns(first.stamp - 300, &first, &last) == first.ns - 100);
	assert_true(ompp_stamp_ns(last.stamp + 300, &first, &last) == last.ns + 100);
	assert_true(ompp_stamp_ns(7, &last, &last) == last.ns);
}

struct seen {
	uintptr_t page;
	uint64_t time_ns;
	int n;
};

static void see(void *context, const struct ompp_mem_sample *sample)
{
	struct seen *seen = context;

	if (sample->address == seen->page) {
		seen->time_ns = sample->time_ns;
		seen->n++;
	}
}

/* Touches a new page, and returns its page fault's stamp; 0 when the kernel gives none here.  *before and *after are
 * the stamps around it. */
static uint64_t fault_stamp(int counter, uint64_t *before, uint64_t *after)
{
	const struct ompp_sampler_options options = { .period = 1,
		                                      .ring_pages = 1,
		                                      .clock = counter ? -1 : CLOCK_MONOTONIC };
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ompp_stamp_scale scale = { 0, 1, 0 };
	struct seen seen = { (uintptr_t)page, 0, 0 };
	struct ompp_memory_event event;
	struct ompp_sampler sampler;
	struct ompp_text why;
	char text[256];
	int has_scale;

	ompp_memory_faults(&event, 0);
	ompp_text_init(&why, text, sizeof(text));
	if (ompp_sampler_open(&sampler, 0, &event, 1, &options, &why))
		return 0;
	has_scale = ompp_sampler_scale(&sampler, &scale);
	ompp_stamp_is_counter = counter;
	if (!counter || has_scale) {
		assert_int_equal(ompp_sampler_enable(&sampler), 0);
		*before = ompp_stamp();
		*(volatile char *)page = 1;
		*after = ompp_stamp();
		ompp_sampler_drain(&sampler, see, &seen);
	}
	ompp_sampler_close(&sampler);
	munmap(page, 4096);
	if (seen.n != 1)
		return 0;
	return counter ? ompp_stamp_of(&scale, seen.time_ns) : seen.time_ns;
}

static void check_kernel(int counter)
{
	uint64_t before, after, stamp = fault_stamp(counter, &before, &after);

	if (!stamp)
		skip(); /* no such events, or a kernel whose clock is not the counter's (in virtual machines) */
	/* The kernel reads a clock that may lag by some ticks. */
	assert_in_range(stamp, before - 10000, after + 10000);
}

static void test_monotonic(void **state)
{
	(void)state;
	check_kernel(0);
}

static void test_counter(void **state)
{
	(void)state;
	if (ompp_clock_open("tsc"))
		skip();
	check_kernel(1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scales),
		cmocka_unit_test(test_readings),
		cmocka_unit_test(test_monotonic),
		cmocka_unit_test(test_counter),
	};

	ompp_clock_open("monotonic");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
