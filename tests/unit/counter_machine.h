/*
 * Counter machine: a constructed machine, whose counters tests look up.  To include first.
 */
#ifndef TESTS_COUNTER_MACHINE_H
#define TESTS_COUNTER_MACHINE_H

#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/counters/counter_try.h"
#include "tests/unit/fake_sysfs.h"

static struct ompp_counter counter;

static char why[256];

static inline int find(const char *name)
{
	struct ompp_text t;

	ompp_text_init(&t, why, sizeof(why));
	errno = 77;
	memset(&counter, 0x55, sizeof(counter));
	int rc = ompp_counter_find(name, strlen(name), &counter, &t);

	assert_int_equal(errno, 77);
	assert_int_equal(rc != 0, why[0] != '\0');
	if (!rc)
		assert_string_equal(counter.name, name);
	return rc;
}

static inline void fails(const char *name, int rc, const char *part)
{
	assert_int_equal(find(name), rc);
	if (!strstr(why, part))
		fail_msg("%s: '%s' without '%s'", name, why, part);
}

/* The kernel that a test pretends to have opens all events but those that are listed here. */
static struct {
	uint32_t type;
	uint64_t config;
} lacking[8];

static size_t n_lacking;

static inline int fake_open(const struct ompp_event_code *code)
{
	for (size_t i = 0; i < n_lacking; i++)
		if (lacking[i].type == code->type && lacking[i].config == code->config)
			return -ENOENT;
	return 0;
}

static inline int fake_trial(const struct ompp_counter *c, int64_t *value, struct ompp_text *text)
{
	(void)text;
	assert_true(c->n_events > 0 && !c->event[0].software);
	*value = 1;
	return 0;
}

static int (*real_open)(const struct ompp_event_code *code);

static inline int machine(void **state)
{
	real_open = ompp_pmu_try;
	ompp_pmu_try = fake_open;
	ompp_counter_trial = fake_trial;
	n_lacking = 0;
	return fake_new(state);
}

static inline int machine_end(void **state)
{
	(void)state;
	ompp_pmu_try = real_open;
	ompp_counter_trial = ompp_counter_try;
	ompp_counter_hooked = 0;
	ompp_pmu_root = "/sys/bus/event_source/devices";
	ompp_pmu_forget();
	fake_drop();
	return 0;
}

#endif
