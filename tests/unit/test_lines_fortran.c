/*
 * Lines of Fortran: how texts in free and in fixed form are read.  Included files are real ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "opari/read/cycles.h"
#include "opari/read/extent_fortran.h"
#include "opari/read/lines_fortran.h"
#include "opari/read/statements.h"
#include "runtime/base/array.h"

#define M(line) "# " #line " \"f\"\n"

static const struct {
	int fixed;
	const char *text, *want;
} cases[] = {
	{ 0, "a = 1; b = 2\n", "a = 1; b = 2\n" },
	{ 0, "do i = 1, 2; a = i; end do\nb\n", "do i = 1, 2\n" M(1) "       a = i\n" M(1) "       end do\nb\n" },
	{ 0, "x\nn: do i = 1, 2; a; end do n ! ; c\n",
	  "x\nn: do i = 1, 2\n" M(2) "       a\n" M(2) "       end do n ! ; c\n" },
	{ 0, "a = 'do; end do'; b\n", "a = 'do; end do'; b\n" },
	{ 0, "a = 'x &\n &; end do'\n", "a = 'x &\n &; end do'\n" },
	{ 0, "! it's; do\ndo; end do\n", "! it's; do\ndo\n" M(2) "       end do\n" },
	{ 0, "done = 1; dot = 2; end if\n", "done = 1; dot = 2; end if\n" },
	{ 0, "!$omp atomic capture\n! and\nv = x; x = 1\nv; x\n",
	  "!$omp atomic capture\n! and\nv = x\n" M(3) "       x = 1\nv; x\n" },
	{ 0, "# 7 \"f\"\ndo;; end do", "# 7 \"f\"\ndo\n" M(7) "       end do\n" },
	{ 1, "c do; end do\n      do; enddo\n", "c do; end do\n      do\n" M(2) "       enddo\n" },
	{ 1, "      do 10 i = 1, 2; a = i                                            ; do\n",
	  "      do 10 i = 1, 2\n" M(1) "       a = i                                            \n" },
	{ 0, "include 'no such file'\nx\n", "include 'no such file'\nx\n" },
};

static void lines_of_a_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct kinst_fortran_lines how = { .fixed = cases[i].fixed, .file = "f" };
		struct kinst_text text = { 0 }, out = { 0 };

		kinst_text_puts(&text, cases[i].text);
		kinst_fortran_lines(&text, &how, &out);
		assert_string_equal(out.data, cases[i].want);
		kinst_text_free(&text);
		kinst_text_free(&out);
	}
}

/* A file without directives stays an include line; a file that includes itself is not read for ever. */
static void included_files(void **state)
{
	static const char part[] = "!$omp barrier\ninclude 'lines_fortran.self'\n", plain[] = "a = 1\n";
	struct kinst_words folders = { 0 };
	struct kinst_fortran_lines how = { .file = "nowhere/f", .folders = &folders };
	struct kinst_text text = { 0 }, out = { 0 };
	size_t n = 0;

	(void)state;
	kinst_words_add(&folders, ".");
	assert_int_equal(kinst_write_file("lines_fortran.self", part, sizeof(part) - 1), 0);
	assert_int_equal(kinst_write_file("lines_fortran.plain", plain, sizeof(plain) - 1), 0);
	kinst_text_puts(&text, "include \"lines_fortran.plain\"\nINCLUDE 'lines_fortran.self' ! all\nb\n");
	kinst_fortran_lines(&text, &how, &out);
	assert_non_null(
		strstr(out.data, "include \"lines_fortran.plain\"\n# 1 \"./lines_fortran.self\" 1\n!$omp barrier\n"));
	assert_true(kinst_ends(out.data, "# 3 \"nowhere/f\" 2\nb\n"));
	for (const char *p = out.data; (p = strstr(p, "!$omp barrier")); p++)
		n++;
	assert_in_range(n, 2, 64);
	unlink("lines_fortran.self");
	unlink("lines_fortran.plain");
	kinst_text_free(&text);
	kinst_text_free(&out);
	kinst_words_free(&folders);
}

/* Which lines begin with a directive that names data: in fixed form column 6 has a blank or 0, in free form a blank
 * follows the sentinel. */
static void data_lines(void **state)
{
	static const struct {
		const char *line;
		int is_free, is_fixed; /* 1 where it is one */
	} rows[] = {
		{ "!$omp inst data(x)", 1, 1 },
		{ "!$POMP  Inst Data (x)", 1, 1 },
		{ "!$pomp inst data", 1, 1 },
		{ "  !$omp inst data(x)", 1, 0 },
		{ "c$omp inst data(x)", 0, 1 },
		{ "*$omp0inst data(x)", 0, 1 },
		{ "!$omp0inst data(x)", 0, 1 },
		{ "!$omp1inst data(x)", 0, 0 },
		{ "!$omp&inst data(x)", 0, 0 },
		{ "!$ompinst data(x)", 0, 0 },
		{ "!$omp inst database(x)", 0, 0 },
		{ "!$omp inst date(x)", 0, 0 },
		{ "! $omp inst data(x)", 0, 0 },
		{ "!$omp", 0, 0 },
		{ "", 0, 0 },
		{ "x$omp inst data(x)", 0, 0 },
		{ "!$acc inst data(x)", 0, 0 },
		{ "!$omp inst", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(rows); i++)
		for (int fixed = 0; fixed < 2; fixed++) {
			const char *line = rows[i].line, *end = line + strlen(line),
				   *at = kinst_after_data(line, end, fixed);
			const char *data = strstr(line, "ata");

			if ((at != NULL) != (fixed ? rows[i].is_fixed : rows[i].is_free))
				fail_msg("%s, %s", line, fixed ? "fixed" : "free");
			if (at)
				assert_ptr_equal(at, data + strlen("ata"));
		}
}

/* Which CYCLE statements belong to the first DO of a text, and where that is not clear. */
static void cycles_of_a_loop(void **state)
{
	static const struct {
		const char *text;
		int is_clear;
		size_t n, cycles[2];
	} loops[] = {
		{ "do i = 1, 3\nx = i\nend do\n", 1, 0, { 0 } },
		{ "do i = 1, 3\nif (x > 1) cycle\ncycle\nend do\n", 1, 2, { 1, 2 } },
		{ "do i = 1, 3\ndo j = 1, 3\ncycle\nend do\ncycle\nend do\n", 1, 1, { 4 } },
		{ "a: do i = 1, 3\ndo j = 1, 3\nif (x) cycle a\ncycle\nend do\nend do a\n", 1, 1, { 2 } },
		{ "do i = 1, 3; x = 1\ncycle\nend do\n", 0, 0, { 0 } },
		{ "do i = 1, 3\nx = 1; cycle\nend do\n", 0, 0, { 0 } },
		{ "do i = 1, 3\n10 cycle\nend do\n", 0, 0, { 0 } },
		{ "do 10 i = 1, 3\ncycle\n10 continue\n", 0, 0, { 0 } },
		{ "do i = 1, 3\ncycle\n10 end do\n", 0, 0, { 0 } },
		{ "do i = 1, 3\ncycle\nend do; x = 1\n", 0, 0, { 0 } },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(loops); i++) {
		struct kinst_statements all;
		struct kinst_cycles cycles;
		size_t last;
		int is_clear;

		kinst_statements_read(&all, loops[i].text, strlen(loops[i].text), 0, "");
		last = kinst_fortran_do_end(&all, 0);
		is_clear = last != KINST_NOWHERE && kinst_cycles_find(&all, 0, last, &cycles);
		if (is_clear != loops[i].is_clear)
			fail_msg("%s: %d", loops[i].text, is_clear);
		if (is_clear) {
			assert_int_equal(cycles.n, loops[i].n);
			for (size_t k = 0; k < cycles.n; k++)
				assert_int_equal(cycles.items[k], loops[i].cycles[k]);
			kinst_cycles_free(&cycles);
		}
		kinst_statements_free(&all);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_a_text),
		cmocka_unit_test(included_files),
		cmocka_unit_test(data_lines),
		cmocka_unit_test(cycles_of_a_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
