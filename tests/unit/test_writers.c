/*
 * Writers: how values look, and that neither the locale nor floating-point traps change them.
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/profile/profile.h"
#include "reports/report.h"
#include "reports/writers/writer.h"
#include "runtime/base/array.h"
#include "tests/golden/example.h"

static struct ompp_arena arena;

static int start(void **state)
{
	(void)state;
	ompp_arena_init(&arena, 0);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	ompp_arena_fini(&arena);
	return 0;
}

static char *contents(int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char *data = ompp_arena_alloc(&arena, (size_t)end + 1);

	assert_non_null(data);
	assert_int_equal(pread(fd, data, (size_t)end, 0), end);
	close(fd);
	return data;
}

static char *print(const struct ompp_writer *writer, const struct ompp_table *table)
{
	int fd = memfd_create("table", 0);
	struct ompp_out out;

	assert_int_equal(ompp_out_init(&out, fd, &arena), 0);
	writer->table(&out, table);
	assert_int_equal(ompp_out_flush(&out), 0);
	return contents(fd);
}

static struct ompp_table grid(size_t n_columns)
{
	struct ompp_table table;

	ompp_table_init(&table, &arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, "", "");
	ompp_table_column(&table, "TID", OMPP_IN_BOTH);
	for (size_t i = 1; i < n_columns; i++)
		ompp_table_column(&table, "x", OMPP_IN_BOTH);
	return table;
}

/* A table has a title for people and another one for programs. */
static void test_titles(void **state)
{
	struct ompp_table table = grid(2);

	(void)state;
	table.columns[1].text_title = "x/I~";
	ompp_table_text(&table, "0");
	ompp_table_number(&table, OMPP_KIND_COUNT, 7);
	assert_string_equal(print(&ompp_writer_csv, &table), "TID,x\n0,7\n");
	assert_string_equal(print(&ompp_writer_text, &table), "TID x/I~\n  0    7\n\n");
}

static void test_kinds(void **state)
{
	struct ompp_table table = grid(6);

	(void)state;
	ompp_table_text(&table, "0");
	ompp_table_number(&table, OMPP_KIND_TIME, 12345678901);
	ompp_table_number(&table, OMPP_KIND_SHARE, 702812345);
	ompp_table_number(&table, OMPP_KIND_METRIC, 534513);
	ompp_table_number(&table, OMPP_KIND_COUNT, 534513);
	ompp_table_number(&table, OMPP_KIND_METRIC, OMPP_MISSING);
	assert_string_equal(print(&ompp_writer_csv, &table),
	                    "TID,x,x,x,x,x\n0,12.345678901,70.281235,534513,534513,-\n");
	assert_string_equal(print(&ompp_writer_text, &table), "TID     x        x       x      x x\n"
	                                                      "  0 12.35 (70.28%) 534 513 534513 -\n\n");
}

static const char *decimal(const struct ompp_writer *writer, int64_t mantissa, int32_t exponent)
{
	struct ompp_table table = grid(1);
	char *text;

	ompp_table_decimal(&table, (struct ompp_decimal){ mantissa, exponent });
	text = strchr(print(writer, &table), '\n'); /* behind the title */
	text += strspn(text, "\n ");
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static void shown(int64_t mantissa, int32_t exponent, const char *in_text, const char *in_csv)
{
	assert_string_equal(decimal(&ompp_writer_text, mantissa, exponent), in_text);
	assert_string_equal(decimal(&ompp_writer_csv, mantissa, exponent), in_csv);
}

static void test_decimals(void **state)
{
	(void)state;
	shown(0, 0, "0", "0");
	shown(0, -2, "0.00000", "0.00");
	shown(OMPP_MISSING, 0, "-", "-");
	shown(1234, -5, "0.01234", "0.01234");
	shown(12345, -1, "1 234.5", "1234.5");
	shown(1234567, -2, "12 345.7", "12345.67");
	shown(1234567, -1, "123 457", "123456.7");
	shown(5, -1, "0.5000", "0.5");
	shown(-5, -1, "-0.5000", "-0.5");
	shown(333333333333333333, -18, "0.3333", "0.333333333333333333");
	shown(666666666666666667, -17, "6.667", "6.66666666666666667");
	shown(12, 0, "12", "12");
	shown(12, 3, "12 000", "12000");
	shown(-144, 6, "-144 000 000", "-144000000");
	shown(999999999999999, 0, "999 999 999 999 999", "999999999999999");
	shown(1, 15, "1e+15", "1000000000000000");
	shown(1234567, 9, "1.235e+15", "1234567000000000");
	shown(99996, 11, "1.000e+16", "9999600000000000");
	shown(99994, 11, "9.999e+15", "9999400000000000");
	shown(-15, 20, "-1.5e+21", "-1.5e+21");
	shown(1, 20, "1e+20", "100000000000000000000");
	shown(1, 99, "1e+99", "1e+99");
	shown(123456789012345678, -100, "1.235e-83", "1.23456789012345678e-83");
	shown(1, -4, "0.0001000", "0.0001");
	shown(9, -5, "9e-05", "0.00009");
	shown(1, -10, "1e-10", "1e-10");
	shown(123456789012345678, -26, "1.235e-09", "0.00000000123456789012345678");
	shown(-123456789012345678, -20, "-0.001235", "-0.00123456789012345678");
	shown(99996, -4, "10.000", "9.9996");
	shown(99996, -2, "1 000.0", "999.96");
	shown(99999996, -3, "100 000.0", "99999.996");
}

/* Records have all digits and text has at least four; read again, they are the number. */
static void test_random_decimals(void **state)
{
	(void)state;
	srand(1);
	for (int i = 0; i < 4000; i++) {
		int64_t mantissa = ((int64_t)rand() * RAND_MAX + rand()) % INT64_C(1000000000000000000);
		int32_t exponent = rand() % 60 - 45;
		long double wanted, ratio;
		char plain[64], number[64], *to = plain;

		for (int n = rand() % 19; n > 0 || mantissa % 10 == 0; n--)
			mantissa = mantissa > 10 ? mantissa / 10 : 7;
		if (rand() % 2)
			mantissa = -mantissa;
		snprintf(number, sizeof(number), "%llde%d", (long long)mantissa, (int)exponent);
		wanted = strtold(number, NULL);
		assert_true(strtold(decimal(&ompp_writer_csv, mantissa, exponent), NULL) == wanted);
		for (const char *from = decimal(&ompp_writer_text, mantissa, exponent); *from; from++)
			if (*from != ' ')
				*to++ = *from;
		*to = '\0';
		ratio = strtold(plain, NULL) / wanted;
		if (to - plain > 20 || ratio > 1.000501L || ratio < 0.999499L)
			fail_msg("%s is printed as %s", number, plain);
	}
}

static char *one_time(int64_t a, int64_t b)
{
	struct ompp_table table = grid(3);
	char *text, *line;

	ompp_table_text(&table, "0");
	ompp_table_number(&table, OMPP_KIND_TIME, a);
	ompp_table_text(&table, "");
	ompp_table_text(&table, "1");
	ompp_table_number(&table, OMPP_KIND_TIME, b);
	ompp_table_text(&table, "");
	text = print(&ompp_writer_text, &table);
	line = strchr(text, '\n') + 1 + 4;
	line += strspn(line, " ");
	line[strcspn(line, " ")] = '\0';
	return line;
}

/* Long times have fewer digits, and what was measured is never shown as 0.00. */
static void test_digits(void **state)
{
	(void)state;
	assert_string_equal(one_time(0, 0), "0.00");
	assert_string_equal(one_time(7394000000, 0), "7.39");
	assert_string_equal(one_time(7394000000, 4000000), "7.39400");
	assert_string_equal(one_time(1234567890123, 1), "1234.57");
	assert_string_equal(one_time(223400000, 223400000), "0.223");
	assert_string_equal(one_time(4321000, 4321000), "0.00432");
	assert_string_equal(one_time(1234, 1234), "0.00000123");
	assert_string_equal(one_time(7, 7), "0.000000007");
	assert_string_equal(one_time(-7394000000, 0), "-7.39");
}

static void test_quoting(void **state)
{
	struct ompp_table table;

	(void)state;
	ompp_table_init(&table, &arena);
	ompp_table_start(&table, OMPP_STYLE_LINES, "R1", "heading");
	ompp_table_record(&table);
	ompp_record_text(&table, "a,b");
	ompp_record_number(&table, -3);
	ompp_table_column(&table, "", OMPP_IN_TEXT);
	ompp_table_column(&table, "", OMPP_IN_RECORDS);
	ompp_table_column(&table, "", OMPP_IN_RECORDS);
	ompp_table_text(&table, "only text");
	ompp_table_text(&table, "say \"x\"");
	ompp_table_text(&table, "two\nlines");
	assert_string_equal(print(&ompp_writer_csv, &table),
	                    "##BEG R1\n\"a,b\",-3\n\"say \"\"x\"\"\",two\\nlines\n##END R1\n");
	assert_string_equal(print(&ompp_writer_csv_raw, &table),
	                    "##BEG R1\n\"a,b\",-3\n\"say \"\"x\"\"\",\"two\nlines\"\n##END R1\n");
	assert_string_equal(print(&ompp_writer_text, &table), "heading\nonly text\n\n");
}

/* Values of no record, and those for which one has no room, are passed over. */
static void test_records(void **state)
{
	struct ompp_table table;

	(void)state;
	for (size_t n = 0; n < OMPP_RECORD_MAX + 4; n++) {
		ompp_table_init(&table, &arena);
		ompp_table_start(&table, OMPP_STYLE_LINES, "R1", "heading");
		ompp_record_number(&table, 1);
		assert_int_equal(table.n_records, 0);
		for (int k = 0; k < 2; k++) {
			ompp_table_record(&table);
			for (size_t i = 0; i < n; i++)
				ompp_record_number(&table, (int64_t)i);
			assert_int_equal(table.records[k].n, n < OMPP_RECORD_MAX ? n : OMPP_RECORD_MAX);
		}
		assert_int_equal(table.rc, 0);
	}
}

/* Returns one row with a text and a number. */
static const char *cells(const struct ompp_writer *writer, const char *text)
{
	struct ompp_table table;

	ompp_table_init(&table, &arena);
	ompp_table_start(&table, OMPP_STYLE_LINES, "", "");
	ompp_table_column(&table, "", OMPP_IN_RECORDS);
	ompp_table_column(&table, "", OMPP_IN_RECORDS);
	ompp_table_column(&table, "", OMPP_IN_RECORDS);
	ompp_table_text(&table, text);
	ompp_table_number(&table, OMPP_KIND_TIME, -1500000000);
	ompp_table_number(&table, OMPP_KIND_COUNT, OMPP_MISSING);
	return print(writer, &table);
}

/* Names that a spreadsheet would run get an apostrophe in front; numbers, and cells of csv-raw, stay as they are. */
static void test_formulas(void **state)
{
	/* clang-format off */
	static const struct { const char *text, *safe; } cases[] = {
		{ "=1+1", "'=1+1" }, { "+1", "'+1" }, { "-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0" }, { "@SUM(A1)", "'@SUM(A1)" },
		{ "=a,\"b\"", "\"'=a,\"\"b\"\"\"" }, { "\uff1d1", "'\uff1d1" }, { "\uff201", "'\uff201" },
		{ "-", "-" }, { "=", "=" }, { "a=b", "a=b" }, { "", "" }, { "'x", "'x" }, { "\uff211", "\uff211" },
		{ "a;=1", "a;'=1" }, { "a;-1;@x", "a;'-1;'@x" }, { "a;b=1", "a;b=1" }, { "a; b", "a; b" }, { "a;", "a;" },
		{ "a;\"=1\"", "\"a;'\"\"=1\"\"\"" }, { "a,;=1", "\"a,;'=1\"" }, { "a;\uff1d1", "a;'\uff1d1" },
		{ "\t=1", "\\t=1" }, { "\r=1", "\\r=1" }, { "\033]0;x\007", "\\x1b]0;x\\x07" }, { "\"\033\",", "\"\"\"\\x1b\"\",\"" },
		/* clang-format on */
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		const char *rest = ",-1.500000000,-\n", *safe = cells(&ompp_writer_csv, cases[i].text);
		size_t n = strlen(cases[i].safe);

		assert_memory_equal(safe, cases[i].safe, n);
		assert_string_equal(safe + n, rest);
		if (!strpbrk(cases[i].text, ",\"\r\n")) {
			n = strlen(cases[i].text);
			assert_memory_equal(cells(&ompp_writer_csv_raw, cases[i].text), cases[i].text, n);
			assert_string_equal(cells(&ompp_writer_csv_raw, cases[i].text) + n, rest);
		}
	}
}

/* Whatever titles, labels, headings and cells contain, a terminal gets no control character, and columns are aligned.
 */
static void test_controls(void **state)
{
	static const char name[] = "\033]0;x\007\r\n\xc2\x9b";
	struct ompp_table table;
	const char *text;

	(void)state;
	for (int style = OMPP_STYLE_GRID; style <= OMPP_STYLE_LINES; style++) {
		ompp_table_init(&table, &arena);
		ompp_table_start(&table, (enum ompp_style)style, "", name);
		ompp_table_left_column(&table, name, OMPP_IN_TEXT);
		ompp_table_column(&table, name, OMPP_IN_TEXT);
		ompp_table_text(&table, name);
		ompp_table_text(&table, name);
		text = print(&ompp_writer_text, &table);
		for (const char *p = text; *p; p++)
			assert_true((unsigned char)*p >= ' ' || *p == '\n');
		assert_null(strstr(text, "\xc2\x9b"));
		assert_non_null(strstr(text, "\\x1b]0;x\\x07\\r"));
		if (style == OMPP_STYLE_GRID)
			assert_non_null(strstr(text, "\\x1b]0;x\\x07\\r\\n\\u009b \\x1b]0;x\\x07\\r\\n\\u009b\n"));
	}
}

/* Lines have at most 100 columns: sentences wrap, and wide grids continue below, with their first column again. */
static void test_width(void **state)
{
	struct ompp_table table = grid(40);
	char *text;
	size_t n_lines = 0;

	(void)state;
	for (size_t i = 0; i < 40; i++)
		ompp_table_number(&table, OMPP_KIND_METRIC, 100000 + (int64_t)i);
	text = print(&ompp_writer_text, &table);
	for (char *line = text; *line; line += strcspn(line, "\n") + 1) {
		assert_true(strcspn(line, "\n") <= 100);
		n_lines++;
	}
	assert_int_equal(n_lines, 4 * 2 + 1); /* 11 columns a part */
	assert_non_null(strstr(text, "100 039"));
	ompp_table_start(&table, OMPP_STYLE_LINES, "", "");
	ompp_table_column(&table, "", OMPP_IN_TEXT);
	ompp_table_text(&table,
	                "word word word word word word word word word word word word word word word word word word "
	                "word word word word");
	assert_string_equal(print(&ompp_writer_text, &table),
	                    "word word word word word word word word word word word word word word word word word word "
	                    "word\n    word word word\n\n");
}

/* Prints a table as a terminal gets it. */
static char *print_on_terminal(const struct ompp_table *table, int has_blocks, unsigned int bar_columns)
{
	int fd = memfd_create("table", 0);
	struct ompp_out out;

	assert_int_equal(ompp_out_init(&out, fd, &arena), 0);
	out.has_blocks = has_blocks;
	out.bar_columns = bar_columns;
	out.columns = 80;
	ompp_writer_text.table(&out, table);
	assert_int_equal(ompp_out_flush(&out), 0);
	return contents(fd);
}

/* A bar stands in front of the last column, and takes the same columns in each row. */
static void test_bars(void **state)
{
	static const int64_t shares[] = { 0, 531250000, 1000000000, OMPP_MISSING };
	struct ompp_table table;

	(void)state;
	ompp_table_init(&table, &arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, "", "");
	ompp_table_column(&table, "n", OMPP_IN_BOTH);
	ompp_table_column(&table, "x", OMPP_IN_BOTH);
	ompp_table_left_column(&table, "name", OMPP_IN_BOTH);
	for (size_t i = 0; i < OMPP_COUNT_OF(shares); i++) {
		ompp_table_number(&table, OMPP_KIND_COUNT, (int64_t)i);
		ompp_table_number(&table, OMPP_KIND_SHARE, shares[i]);
		ompp_table_text(&table, "a bc");
	}
	table.has_bars = 1;
	assert_string_equal(print_on_terminal(&table, 0, 0), "n        x name\n"
	                                                     "0 ( 0.00%) a bc\n"
	                                                     "1 (53.13%) a bc\n"
	                                                     "2 (100.0%) a bc\n"
	                                                     "3        - a bc\n\n");
	assert_string_equal(print_on_terminal(&table, 0, 4), "n        x      name\n"
	                                                     "0 ( 0.00%)      a bc\n"
	                                                     "1 (53.13%) ##   a bc\n"
	                                                     "2 (100.0%) #### a bc\n"
	                                                     "3        -      a bc\n\n");
	assert_string_equal(print_on_terminal(&table, 1, 4), "n        x      name\n"
	                                                     "0 ( 0.00%)      a bc\n"
	                                                     "1 (53.13%) \u2588\u2588\u258f  a bc\n"
	                                                     "2 (100.0%) \u2588\u2588\u2588\u2588 a bc\n"
	                                                     "3        -      a bc\n\n");
	table.has_bars = 0;
	assert_string_equal(print_on_terminal(&table, 1, 4), print_on_terminal(&table, 0, 0));
}

/* The buffer is written when it is full, and nothing behind it changes, whatever is written by one call. */
static void test_buffer(void **state)
{
	enum { MOST = 200000, BEHIND = 64 };
	static const char none[BEHIND];
	char *behind, *got, word[16];
	int fd = memfd_create("buffer", 0);
	struct ompp_out out;

	(void)state;
	assert_int_equal(ompp_out_init(&out, fd, &arena), 0);
	behind = ompp_arena_alloc(&arena, BEHIND);
	assert_non_null(behind);
	for (int i = 0; i < MOST; i++)
		ompp_out_char(&out, (char)('a' + i % 23));
	for (int i = 0; i < MOST / 7; i++) {
		snprintf(word, sizeof(word), "%07d", i);
		ompp_out_str(&out, word);
	}
	for (int i = 0; i < MOST / 5; i++)
		ompp_out_fill(&out, (char)('A' + i % 23), 5);
	assert_int_equal(ompp_out_flush(&out), 0);
	assert_memory_equal(behind, none, BEHIND);
	got = contents(fd);
	assert_int_equal(strlen(got), MOST + MOST / 7 * 7 + MOST / 5 * 5);
	for (int i = 0; i < MOST; i++)
		assert_true(*got++ == 'a' + i % 23);
	for (int i = 0; i < MOST / 7; i++, got += 7)
		assert_int_equal(strtol(memcpy(word, got, 7), NULL, 10), i);
	for (int i = 0; i < MOST / 5 * 5; i++)
		assert_true(*got++ == 'A' + i / 5 % 23);
}

/* The banner of a section has one width, whatever stands in it. */
static void test_banner(void **state)
{
	int fd = memfd_create("banner", 0);
	struct ompp_out out;

	(void)state;
	assert_int_equal(ompp_out_init(&out, fd, &arena), 0);
	ompp_writer_text.begin(&out, "Title", "title", "");
	ompp_writer_text.begin(&out, "Title", "title", "a remark");
	assert_int_equal(ompp_out_flush(&out), 0);
	assert_string_equal(contents(fd), "----------------------------------------------------------------------\n"
	                                  "----     ompP Title                                               ----\n"
	                                  "----------------------------------------------------------------------\n"
	                                  "----------------------------------------------------------------------\n"
	                                  "----     ompP Title                                               ----\n"
	                                  "----     a remark                                                 ----\n"
	                                  "----------------------------------------------------------------------\n");
}

static char *whole_report(const char *format)
{
	struct ompp_profile profile;
	int fd = memfd_create("report", 0);

	example_data_profile(&profile, 1);
	assert_int_equal(ompp_report_write(&profile, "", format, fd, &arena), 0);
	example_counter_profile(&profile);
	assert_int_equal(ompp_report_write(&profile, "", format, fd, &arena), 0);
	return contents(fd);
}

/* Sets a locale with a decimal comma, the system's or one made for this test; returns 0 when there is none. */
static int set_german(void)
{
	char folder[] = "/tmp/locale.XXXXXX", command[128];
	int ok;

	if (setlocale(LC_ALL, "de_DE.UTF-8"))
		return 1;
	if (!mkdtemp(folder))
		return 0;
	snprintf(command, sizeof(command), "localedef -f UTF-8 -i de_DE %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
	setenv("LOCPATH", folder, 1);
	ok = !system(command) && setlocale(LC_ALL, "de_DE.UTF-8");
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return !system(command) && ok;
}

static void test_decimal_comma(void **state)
{
	char *before = whole_report("csv"), *text = whole_report("text");

	(void)state;
	if (!set_german())
		skip();
	assert_string_equal(localeconv()->decimal_point, ",");
	assert_string_equal(before, whole_report("csv"));
	assert_string_equal(text, whole_report("text"));
	setlocale(LC_ALL, "C");
}

static void test_traps(void **state)
{
	char *before = whole_report("text"), *after;

	(void)state;
#ifdef __x86_64__
	feclearexcept(FE_ALL_EXCEPT);
	feenableexcept(FE_ALL_EXCEPT);
	after = whole_report("text");
	fedisableexcept(FE_ALL_EXCEPT);
	assert_int_equal(fetestexcept(FE_ALL_EXCEPT), 0);
#else
	after = whole_report("text");
#endif
	assert_string_equal(before, after);
}

static void *on_small_stack(void *unused)
{
	(void)unused;
	return whole_report("text");
}

/* A report takes less than 16 KiB of stack: the rest of the stack keeps its pattern. */
static void test_stack(void **state)
{
	size_t n_bytes = 256 * 1024, untouched = 0;
	unsigned char *stack = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;

	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip(); /* the sanitizer's redzones take stack, too */
#endif
	assert_ptr_not_equal(stack, MAP_FAILED);
	memset(stack, 0xa5, n_bytes);
	pthread_attr_init(&attributes);
	assert_int_equal(pthread_attr_setstack(&attributes, stack, n_bytes), 0);
	assert_int_equal(pthread_create(&thread, &attributes, on_small_stack, NULL), 0);
	pthread_join(thread, NULL);
	while (stack[untouched] == 0xa5)
		untouched++;
	/* the thread's descriptor and TLS lie at the top, and take some 4 KiB */
	assert_true(n_bytes - untouched < 16 * 1024 + 8 * 1024);
	munmap(stack, n_bytes);
}

/* There is one file for each suffix; words that are no format do not count. */
static void test_formats(void **state)
{
	(void)state;
	assert_string_equal(ompp_report_format(0), "text");
	assert_string_equal(ompp_report_suffix(0), "txt");
	assert_int_equal(ompp_report_formats("PLAIN"), 1);
	assert_int_equal(ompp_report_formats("text, plain"), 1);
	assert_int_equal(ompp_report_formats("csv,text"), 3);
	assert_int_equal(ompp_report_formats("csv-raw,csv"), 4);
	assert_int_equal(ompp_report_formats("xml"), 0);
	for (size_t i = 0; ompp_report_format(i); i++)
		assert_true(ompp_report_has_format(ompp_report_format(i)) && ompp_report_suffix(i));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_kinds, start, stop),
		cmocka_unit_test_setup_teardown(test_titles, start, stop),
		cmocka_unit_test_setup_teardown(test_decimals, start, stop),
		cmocka_unit_test_setup_teardown(test_random_decimals, start, stop),
		cmocka_unit_test_setup_teardown(test_digits, start, stop),
		cmocka_unit_test_setup_teardown(test_quoting, start, stop),
		cmocka_unit_test_setup_teardown(test_formulas, start, stop),
		cmocka_unit_test_setup_teardown(test_controls, start, stop),
		cmocka_unit_test_setup_teardown(test_width, start, stop),
		cmocka_unit_test_setup_teardown(test_bars, start, stop),
		cmocka_unit_test_setup_teardown(test_banner, start, stop),
		cmocka_unit_test_setup_teardown(test_buffer, start, stop),
		cmocka_unit_test_setup_teardown(test_decimal_comma, start, stop),
		cmocka_unit_test_setup_teardown(test_traps, start, stop),
		cmocka_unit_test_setup_teardown(test_stack, start, stop),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
