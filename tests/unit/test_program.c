/*
 * Program: labels that a program sets are handed over once, in their order, and those that came faster than they were
 * read are counted; from the program's memory, and from a file.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/sensors/program.h"
#include "runtime/host/published.h"

enum { LABELS = OMPP_PUBLISHED_LABELS, ROUNDS = 500 };

static unsigned long n_set, next_found; /* labels so far; the number of the one that comes next */
static int64_t last_ns;

static void set_labels(unsigned long n)
{
	char text[32];

	for (; n; n--) {
		snprintf(text, sizeof(text), "label %lu", n_set++);
		ompp_published_label(text);
	}
}

static void take(void *context, const char *text, int64_t monotonic_ns)
{
	char expected[32];

	(void)context;
	snprintf(expected, sizeof(expected), "label %lu", next_found++);
	assert_string_equal(text, expected);
	assert_true(monotonic_ns >= last_ns);
	last_ns = monotonic_ns;
}

/* Reads what was set since the last time, of which the last ones are still there. */
static void read_labels(unsigned long n)
{
	unsigned long n_lost = n > LABELS ? n - LABELS : 0;

	next_found += n_lost;
	assert_int_equal(ompp_program_labels(getpid(), take, NULL), n_lost);
	assert_int_equal(next_found, n_set);
}

static void labels_at_random(void)
{
	srand(1);
	for (int i = 0; i < ROUNDS; i++) {
		unsigned long n = (unsigned long)rand() % (rand() % 4 ? LABELS : 4 * LABELS);

		set_labels(n);
		read_labels(n);
	}
	for (unsigned long n = LABELS - 1; n <= LABELS + 1; n++) {
		set_labels(n);
		read_labels(n);
	}
}

static void from_memory(void **state)
{
	struct ompp_published_label *l;
	uint64_t number;

	(void)state;
	labels_at_random();

	/* A label that is being written is waited for, and so are those behind it. */
	set_labels(3);
	l = &ompp_published.labels[(n_set - 2) % LABELS];
	number = l->number;
	l->number = 0;
	assert_int_equal(ompp_program_labels(getpid(), take, NULL), 0);
	assert_int_equal(next_found, n_set - 2);
	l->number = number;
	read_labels(2);

	/* One that is not written the second time either is lost alone. */
	set_labels(3);
	ompp_published.labels[(n_set - 3) % LABELS].number = 0;
	assert_int_equal(ompp_program_labels(getpid(), take, NULL), 0);
	assert_int_equal(next_found, n_set - 3);
	next_found++;
	assert_int_equal(ompp_program_labels(getpid(), take, NULL), 1);
	assert_int_equal(next_found, n_set);
}

static void from_a_file(void **state)
{
	const char *path = ompp_program_make_file();

	(void)state;
	assert_non_null(path);
	assert_int_equal(ompp_published_open(path), 0);
	ompp_program_remove_file();
	ompp_program.n_labels = n_set = next_found = 0;
	labels_at_random();
	close(ompp_program.file);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(from_memory), cmocka_unit_test(from_a_file) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
