/*
 * Counter try: see counter_try.h.
 */
#define _GNU_SOURCE
#include "runtime/counters/counter_try.h"

#include <errno.h>

#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/counters/event.h"
#include "runtime/counters/value.h"

enum { LOOP_STEPS = 20000, LOOP_PAGES = 4, PAGE_BYTES = 65536 }; /* a page has at most PAGE_BYTES */

void ompp_counter_work(void)
{
	size_t n_bytes = (size_t)LOOP_PAGES * PAGE_BYTES;
	unsigned char *p = ompp_space_take(n_bytes);
	volatile double sum = 0;
	uint32_t i, x = 1;

	if (!p)
		return;
	for (i = 0; i < LOOP_STEPS; i++) {
		volatile unsigned char *at = p + (size_t)(x >> 8) % n_bytes;

		x = x * 1664525 + 1013904223;
		*at = (unsigned char)(*at + i);
		if (x & 0x40000000)
			sum = sum * 0.5 + x;
	}
	ompp_sys_munmap(p, n_bytes);
}

static int try_event(const struct ompp_counter *counter, const struct ompp_event_code *code, int64_t *value)
{
	struct ompp_event_reading reading;
	const char *cpu = counter->cpus;
	int fd, rc;

	fd = counter->kind == OMPP_COUNTER_NODE ? ompp_event_open_on_cpu(code, (int)ompp_text_digits(&cpu))
	                                        : ompp_event_open_code(code, -1);
	if (fd < 0)
		return fd;
	rc = ompp_event_enable(fd);
	ompp_counter_work();
	if (!rc)
		rc = ompp_event_read_group(fd, 0, 1, &reading);
	ompp_sys_close(fd);
	if (rc)
		return rc;
	if (!reading.running_ns)
		return code->pmu ? 0 : -EBUSY; /* the event belongs to other cores than this one */
	if (code->busy && !reading.counts[0])
		return -ENODATA;
	*value += (int64_t)reading.counts[0] * code->factor;
	return 0;
}

int ompp_counter_try(const struct ompp_counter *counter, int64_t *value, struct ompp_text *why)
{
	*value = 0;
	for (uint32_t i = 0; i < counter->n_events; i++) {
		int rc = try_event(counter, &counter->event[i], value);

		if (rc) {
			ompp_event_explain_counting(why, -rc,
			                            counter->kind == OMPP_COUNTER_NODE
			                                    ? 2
			                                    : counter->event[i].counts_kernel,
			                            counter->n_events);
			return rc;
		}
	}
	*value = ompp_value_in_unit(*value, counter->scale_mul, counter->scale_shift);
	return 0;
}

int (*ompp_counter_trial)(const struct ompp_counter *counter, int64_t *value, struct ompp_text *why) = ompp_counter_try;
