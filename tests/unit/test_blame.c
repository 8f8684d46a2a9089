/* Blame: which construct or directive an error of a compiler is about, and its first error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "opari/source/blame.h"
#include "runtime/base/array.h"

static void first_is(const char *messages, const char *error)
{
	char *first = kinst_blame_first_error(messages);

	assert_string_equal(first, error);
	free(first);
}

static void the_first_error_has_its_place(void **state)
{
	(void)state;
	first_is("a.c: In function 'f':\na.c:7:3: warning: w\na.c:12:34: error: 'x' undeclared\na.c:13:1: error: y\n",
	         "a.c:12:34: error: 'x' undeclared");
	first_is("a.c:5: error: no column\n", "a.c:5: error: no column");
	first_is("cc1: error: no place\n", "error: no place");
	first_is("5: error: no file\n", "error: no file");
	first_is(": error: too short\n", "error: too short");
	first_is("cc1plus: all warnings: error: later\n", "error: later");
	first_is("ld: cannot find -lx\nmore\n", "ld: cannot find -lx");
	first_is("", "");
}

static void gfortran_names_the_place_before(void **state)
{
	(void)state;
	first_is("a.f90:3:7:\n\n    3 | x = :\n      |       1\nError: Syntax error at (1)\n",
	         "a.f90:3:7: Error: Syntax error at (1)");
	first_is("a.f90:1:2:\n\n  1 | w:\nWarning: w\nb.f90:4:9:\n\n  4 | y\n  | 1:\nError: e\nc.f90:5:1:\nError: f\n",
	         "b.f90:4:9: Error: e");
}

static void the_innermost_construct_is_to_blame(void **state)
{
	static struct kinst_construct constructs[] = {
		{ .name = "parallel",
		  .file = "a.c",
		  .directive_file = "a.c",
		  .directive_line = 10,
		  .first_line = 10,
		  .last_line = 40,
		  .is_measured = 1 },
		{ .name = "for",
		  .file = "a.c",
		  .directive_file = "a.c",
		  .directive_line = 12,
		  .first_line = 12,
		  .last_line = 20,
		  .is_measured = 1 },
		{ .name = "single",
		  .file = "a.c",
		  .directive_file = "a.c",
		  .directive_line = 15,
		  .first_line = 15,
		  .last_line = 16 },
		{ .name = "task",
		  .file = "b.c",
		  .directive_file = "b.c",
		  .directive_line = 15,
		  .first_line = 15,
		  .last_line = 16,
		  .is_measured = 1 },
		{ .name = "parallel",
		  .file = "c.c",
		  .directive_file = "c.c",
		  .directive_line = 2,
		  .first_line = 2,
		  .last_line = 4,
		  .is_measured = 1 },
		{ .name = "for",
		  .file = "c.c",
		  .directive_file = "d.h",
		  .directive_line = 7,
		  .first_line = 2,
		  .last_line = 4,
		  .is_measured = 1 },
	};
	static const struct {
		const char *messages;
		long construct;
	} rows[] = {
		{ "a.c:10:1: error: e\n", 0 },
		{ "a.c:12:1: error: e\n", 1 },
		{ "a.c:15:1: error: e\n", 1 },
		{ "a.c:20:1: error: e\n", 1 },
		{ "a.c:21:1: error: e\n", 0 },
		{ "a.c:40:1: error: e\n", 0 },
		{ "a.c:9:1: error: e\n", -1 },
		{ "a.c:41:1: error: e\n", -1 },
		{ "b.c:15:1: error: e\n", 3 },
		{ "b.c:15:1: warning: w\na.c:30:2: note: n\n", -1 },
		{ "a.c:15:1: warning: w\nb.c:16:2: error: n\n", 3 },
		{ "a.c:1:1: error: elsewhere\na.c:12:2: error: n\n", 1 },
		{ "c.c:3:1: error: e\n", 5 }, /* of two on the same lines the second one stands in the first */
		{ "d.h:7:1: error: e\n", 5 }, /* where its directive stands, in an included file */
		{ "d.h:8:1: error: e\n", -1 },
		{ "aa.c:12:1: error: e\n", -1 },
		{ "a.c:12 error: e\n", -1 },
		{ "a.c:x:1: error: e\n", -1 },
		{ "a.c:12:5:\n\n   12 | x\n      | 1\nError: e\n", 1 },
		{ "a.c:12:5:\nWarning: w\nb.c:16:5:\nError: e\na.c:12:5:\nError: e\n", 3 },
		{ "Error: nowhere\n", -1 },
		{ "a.c:12:1: error: e", 1 },
	};
	struct kinst_emitted emitted = { .constructs = constructs, .n_constructs = OMPP_COUNT_OF(constructs) };

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(rows); i++)
		if (kinst_blame_construct(&emitted, rows[i].messages) != rows[i].construct)
			fail_msg("%s: not %ld", rows[i].messages, rows[i].construct);
}

/* Tells which of two directives, of lines 3 and 5 to 6, messages are about (bits), as kinst gives them up. */
static unsigned int blamed(const char *messages)
{
	struct kinst_mark items[] = {
		{ .what = "inst data", .file = "a.c", .first_line = 3, .last_line = 3 },
		{ .what = "inst data", .file = "a.c", .first_line = 5, .last_line = 6 },
	};
	struct kinst_marks marks = { .items = items, .n = OMPP_COUNT_OF(items) };
	size_t n = kinst_blame_marks(&marks, messages);

	assert_int_equal(n, items[0].is_given_up + items[1].is_given_up);
	return (unsigned int)(items[0].is_given_up | items[1].is_given_up << 1);
}

static void all_directives_with_errors_are_given_up(void **state)
{
	(void)state;
	assert_int_equal(blamed("a.c:3:1: error: e\n"), 1);
	assert_int_equal(blamed("a.c:6:1: error: e\na.c:3:1: error: e\na.c:3:1: error: again\n"), 3);
	assert_int_equal(blamed("a.c:5:1: warning: w\na.c:4:1: error: e\n"), 0);
	assert_int_equal(blamed("a.c:7:1: error: e\n"), 0);
	assert_int_equal(blamed("a.c:5:1:\n\n  5 | x\n  | 1\nError: e\n"), 2);
	/* the place of an error is the last one before it, wherever that is */
	assert_int_equal(blamed("a.c:5:1:\n\n  5 | x\nWarning: w\nb.c:5:1:\n\n  5 | y\nError: e\n"), 0);
	assert_int_equal(blamed("b.c:5:1:\nError: e\na.c:3:1:\nError: e\n"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_error_has_its_place),
		cmocka_unit_test(gfortran_names_the_place_before),
		cmocka_unit_test(the_innermost_construct_is_to_blame),
		cmocka_unit_test(all_directives_with_errors_are_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
