/*
 * Clean: what a terminal could take as an order is written out; all other text stays as it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/base/clean.h"

static const char *clean(const char *s, int keep_lines)
{
	static char buffer[1024];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_clean(&t, s, keep_lines);
	assert_int_equal(ompp_is_clean(s, keep_lines), !strcmp(s, buffer));
	return buffer;
}

static void test_stays(void **state)
{
	static const char *const texts[] = { "", "solve", "a b\\x1b~", "größer → 数 🙂",
		                             "\u00a0\u200d\u2027\u202f\u2065\u206a\ue000\U0010ffff" };

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(texts); i++)
		assert_string_equal(clean(texts[i], 0), texts[i]);
}

static void test_controls(void **state)
{
	/* clang-format off */
	static const struct { const char *text, *clean; } cases[] = {
		{ "\033[31m", "\\x1b[31m" }, { "a\nb\tc\r", "a\\nb\\tc\\r" }, { "\001\037\177", "\\x01\\x1f\\x7f" },
		{ "\013\014\010", "\\x0b\\x0c\\x08" },
		{ "\xc2\x80\xc2\x9b" "5m\xc2\x9f", "\\u0080\\u009b5m\\u009f" },
		{ "\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069",
		  "\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a\\u202e\\u2066\\u2069" },
		{ "\x9b" "31m\xff", "\\x9b31m\\xff" },
		{ "\xc3", "\\xc3" }, { "\xc3(", "\\xc3(" }, { "\xe2\x82", "\\xe2\\x82" }, { "\xf0\x9f\x99", "\\xf0\\x9f\\x99" },
		{ "\xc0\x9b\xc1\xbf", "\\xc0\\x9b\\xc1\\xbf" },                 /* forms that are longer than needed */
		{ "\xe0\x82\x9b", "\\xe0\\x82\\x9b" }, { "\xf0\x80\x82\x9b", "\\xf0\\x80\\x82\\x9b" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" }, { "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
		{ "\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80" },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++)
		assert_string_equal(clean(cases[i].text, 0), cases[i].clean);
	assert_string_equal(clean("a\nb\033\r\n", 1), "a\nb\\x1b\\r\n");
}

/* Whatever the bytes are, only printable ASCII and other valid characters come out, at most four bytes for each byte,
 * and cleaning the result changes nothing. */
static void test_any(void **state)
{
	struct ompp_arena arena;

	(void)state;
	ompp_arena_init(&arena, 0);
	srand(1);
	for (int i = 0; i < 20000; i++) {
		char text[16], once[16 * OMPP_CLEAN_MOST + 1];
		const char *copy;
		size_t n = (size_t)rand() % sizeof(text);

		for (size_t k = 0; k < n; k++)
			text[k] = (char)(rand() % 255 + 1);
		text[n] = '\0';
		strcpy(once, clean(text, 0));
		assert_true(strlen(once) <= n * OMPP_CLEAN_MOST);
		for (const unsigned char *p = (const unsigned char *)once; *p; p++)
			assert_true(*p >= ' ' && *p != 0x7f);
		assert_string_equal(clean(once, 0), once);
		copy = ompp_clean_copy(text, 0, &arena);
		assert_string_equal(copy, once);
		assert_int_equal(copy == text, ompp_is_clean(text, 0));
	}
	ompp_arena_fini(&arena);
}

/* Returns 1 when a shell hands on a word as it is. */
static int is_handed_on(const char *word)
{
	char command[256], got[128] = "";
	FILE *shell;

	snprintf(command, sizeof(command), "set -f -- %s && printf %%s \"$1\"", word);
	shell = popen(command, "r");
	assert_non_null(shell);
	got[fread(got, 1, sizeof(got) - 1, shell)] = '\0';
	return !pclose(shell) && !strcmp(got, word);
}

static void test_plain_word(void **state)
{
	char all[128], word[] = "a?b";
	size_t n = 0;

	(void)state;
	for (int c = 1; c < 256; c++) {
		word[1] = (char)c;
		if (ompp_is_plain_word(word))
			all[n++] = (char)c;
		else /* neither letters and digits, nor what names of files and options often have */
			assert_null(c < 128 && strchr("azAZ09_-+=./,:@%", c));
	}
	all[n] = '\0';
	assert_in_range(n, 26 + 26 + 10, 26 + 26 + 10 + 11);
	assert_true(is_handed_on(all));
	for (const char *p = " \t\n'\"\\$`*?;&|<>()[]{}#!~^"; *p; p++) {
		word[1] = *p;
		assert_false(ompp_is_plain_word(word));
	}
	assert_false(ompp_is_plain_word(""));
	assert_false(ompp_is_plain_word("a b"));
	assert_true(ompp_is_plain_word("out/a-1.r0:2.ompp"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stays),
		cmocka_unit_test(test_controls),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_plain_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
