/*
 * Uncore: one value for each NUMA node, sums over processors and events, scaling, and what is refused.
 *
 * No memory controller is needed: the kernel's own clock event can be opened for a whole processor as well, and what it
 * counts is known.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <cmocka.h>

#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/sources/source_uncore.h"

enum { MS = 1000000 };

static struct ompp_counter clock_of(const char *cpus, int32_t factor)
{
	struct ompp_counter c;

	memset(&c, 0, sizeof(c));
	strcpy(c.name, "clock");
	strcpy(c.cpus, cpus);
	c.unit = "ns";
	c.kind = OMPP_COUNTER_NODE;
	c.n_events = 1;
	c.event[0].type = PERF_TYPE_SOFTWARE;
	c.event[0].config = PERF_COUNT_SW_CPU_CLOCK;
	c.event[0].factor = factor;
	c.scale_mul = 1;
	return c;
}

static int add(const struct ompp_counter *c, char *text, size_t n)
{
	struct ompp_text why;

	ompp_text_init(&why, text, n);
	return ompp_uncore_add(c, &why);
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int is_refused(void)
{
	struct ompp_counter c = clock_of("0", 1);
	char text[256];
	int rc = add(&c, text, sizeof(text));

	ompp_uncore_close();
	return rc;
}

/* One processor's clock event counts wall time; a factor of 2, or two processors, make twice that. */
static void counts_processors(void **state)
{
	static struct ompp_counter one, both, twice;
	struct ompp_uncore_reading from[64], to[64];
	struct timespec nap = { 0, 30 * MS };
	uint64_t count[3];
	int64_t inner, outer;
	char text[256] = "";
	uint32_t i;

	(void)state;
	if (is_refused())
		skip();
	one = clock_of("0", 1);
	twice = clock_of("0", 2);
	both = clock_of(sysconf(_SC_NPROCESSORS_ONLN) > 1 ? "0,1" : "0", 1);
	assert_int_equal(add(&one, text, sizeof(text)), 0);
	assert_int_equal(add(&twice, text, sizeof(text)), 0);
	assert_int_equal(add(&both, text, sizeof(text)), 0);
	assert_true(ompp_n_uncore >= 3);
	assert_string_equal(ompp_uncore[0].metric.name, "clock");
	assert_string_equal(ompp_uncore[0].metric.unit, "ns");
	assert_int_equal(ompp_uncore[0].node, 0);
	outer = now_ns();
	ompp_uncore_read(from);
	inner = now_ns();
	nanosleep(&nap, NULL);
	inner = now_ns() - inner;
	ompp_uncore_read(to);
	outer = now_ns() - outer;
	for (i = 0; i < 3; i++)
		assert_int_equal(ompp_uncore_between(i, &from[i], &to[i], &count[i]), 0);
	assert_in_range(count[0], inner - MS, outer + MS);
	assert_in_range(count[1], 2 * (inner - MS), 2 * (outer + MS));
	if (ompp_n_uncore == 3 && strcmp(both.cpus, "0"))
		assert_in_range(count[2], 2 * (inner - MS), 2 * (outer + MS));
	ompp_uncore_close();
	assert_int_equal(ompp_n_uncore, 0);
}

/* There is no limit to counters and processors: more than any array of a fixed size had room for. */
static void grows(void **state)
{
	enum { COUNTERS = 100, EVENTS = 6 };
	static struct ompp_counter counters[COUNTERS];
	static struct ompp_uncore_reading from[COUNTERS], to[COUNTERS];
	struct timespec nap = { 0, 2 * MS };
	char text[256] = "";

	(void)state;
	if (is_refused())
		skip();
	for (int i = 0; i < COUNTERS; i++) {
		counters[i] = clock_of("0", 1);
		snprintf(counters[i].name, sizeof(counters[i].name), "clock%d", i);
		counters[i].n_events = EVENTS;
		for (int k = 1; k < EVENTS; k++)
			counters[i].event[k] = counters[i].event[0];
		if (add(&counters[i], text, sizeof(text))) {
			assert_non_null(strstr(text, "ulimit -n")); /* the system has a limit */
			ompp_uncore_close();
			skip();
		}
	}
	assert_int_equal(ompp_n_uncore, COUNTERS);
	ompp_uncore_read(from);
	nanosleep(&nap, NULL);
	ompp_uncore_read(to);
	for (uint32_t i = 0; i < COUNTERS; i++) {
		uint64_t count = 0;

		assert_string_equal(ompp_uncore[i].metric.name, counters[i].name);
		assert_int_equal(ompp_uncore_between(i, &from[i], &to[i], &count), 0);
		assert_true(count >= EVENTS * 2 * (uint64_t)MS);
	}
	ompp_uncore_close();
	assert_int_equal(ompp_n_uncore, 0);
}

static void scales(void **state)
{
	struct ompp_uncore_reading from = { 1000, 100, 100, 1 }, to = { 1500, 300, 200, 1 }, gone = { 0, 0, 0, 0 };
	uint64_t count = 0;

	(void)state;
	assert_int_equal(ompp_uncore_between(0, &from, &to, &count), 0);
	assert_int_equal(count, 1000); /* 500 in half of the time */
	assert_int_equal(ompp_uncore[0].metric.certainty, OMPP_SCALED);
	to.running = from.running;
	assert_int_equal(ompp_uncore_between(0, &from, &to, &count), -ENODATA);
	assert_int_equal(ompp_uncore_between(0, &from, &gone, &count), -ENODATA);
	assert_int_equal(ompp_uncore_between(0, &gone, &gone, &count), -ENODATA);
	to = from;
	to.count += 7;
	assert_int_equal(ompp_uncore_between(0, &from, &to, &count), 0);
	assert_int_equal(count, 7); /* within one step of the kernel's clock */
}

/* A missing processor, too many processors, or no event at all are refused, and nothing is left behind. */
static void refuses(void **state)
{
	struct ompp_counter c = clock_of("99999", 1);
	char text[256] = "";

	(void)state;
	assert_true(add(&c, text, sizeof(text)) < 0);
	assert_true(text[0] != '\0');
	assert_int_equal(ompp_n_uncore, 0);
	c = clock_of("", 1);
	assert_int_equal(add(&c, text, sizeof(text)), -ENODEV);
	assert_int_equal(ompp_n_uncore, 0);
}

/* An ordinary user is told which value the setting has and which it needs. */
static void says_what_is_needed(void **state)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
	char found[8] = "", wanted[64], text[256] = "";
	int level = 0, status;
	pid_t child;

	(void)state;
	if (!file || fscanf(file, "%d", &level) != 1 || level < 1 || geteuid()) {
		if (file)
			fclose(file);
		skip();
	}
	fclose(file);
	snprintf(found, sizeof(found), "%d", level);
	snprintf(wanted, sizeof(wanted), "kernel.perf_event_paranoid is %s; set it to 0", found);
	child = fork();
	if (!child) {
		struct ompp_counter c = clock_of("0", 1);

		if (setuid(65534))
			_exit(3);
		_exit(add(&c, text, sizeof(text)) == -EACCES && strstr(text, wanted) ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_processors),
		cmocka_unit_test(grows),
		cmocka_unit_test(scales),
		cmocka_unit_test(refuses),
		cmocka_unit_test(says_what_is_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
