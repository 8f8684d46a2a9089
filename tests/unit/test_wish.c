/*
 * Wish: words that nothing met are told once, with the nearest name; those that were met are not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/terms/wish.h"

static char said[8192];

static void say(const char *line)
{
	strcat(said, line);
	strcat(said, "\n");
}

static const char *told(void)
{
	said[0] = '\0';
	ompp_wish_tell(say);
	return said;
}

static void test_met(void **state)
{
	(void)state;
	ompp_wish_begin(OMPP_WISH_FUNCTIONS, "OMPP_FUNCTIONS", "work, Solve ,method");
	assert_false(ompp_wish_is_empty(OMPP_WISH_FUNCTIONS));
	assert_true(ompp_wish_has(OMPP_WISH_FUNCTIONS, "solve"));
	assert_false(ompp_wish_has(OMPP_WISH_FUNCTIONS, "wor"));
	assert_false(ompp_wish_has(OMPP_WISH_FUNCTIONS, ""));
	ompp_wish_met(OMPP_WISH_FUNCTIONS, 2);
	ompp_wish_met(OMPP_WISH_FUNCTIONS, 3);
	ompp_wish_consider(OMPP_WISH_FUNCTIONS, "something");
	ompp_wish_consider(OMPP_WISH_FUNCTIONS, "wrok");
	ompp_wish_consider(OMPP_WISH_FUNCTIONS, "worm");
	assert_string_equal(told(),
	                    "OMPP_FUNCTIONS: no function 'work' was called in what kinst --functions compiled; did you "
	                    "mean 'wrok'?\n");
	assert_string_equal(told(), "");
}

static void test_empty(void **state)
{
	(void)state;
	ompp_wish_begin(OMPP_WISH_FUNCTIONS, "OMPP_FUNCTIONS", "");
	assert_true(ompp_wish_is_empty(OMPP_WISH_FUNCTIONS));
	assert_false(ompp_wish_has(OMPP_WISH_FUNCTIONS, "work"));
	ompp_wish_consider(OMPP_WISH_FUNCTIONS, "work");
	assert_string_equal(told(), "");
}

/* Words and names of any length fit; words for which there is no room work all the same, but are not told. */
static void test_many(void **state)
{
	static char words[64 * 1024];
	char name[300];

	(void)state;
	for (int i = 0; i < 100; i++)
		sprintf(words + strlen(words), "word%d,", i);
	ompp_wish_begin(OMPP_WISH_FILTER, "OMPP_FILTER", words);
	assert_true(ompp_wish_has(OMPP_WISH_FILTER, "word99"));
	assert_false(ompp_wish_has(OMPP_WISH_FILTER, "word100"));
	ompp_wish_met(OMPP_WISH_FILTER, 99);
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ompp_wish_consider(OMPP_WISH_FILTER, name);
	told();
	assert_non_null(strstr(said, "OMPP_FILTER: no region 'word63' was run\n"));
	assert_null(strstr(said, "word64"));

	memset(words, 'w', sizeof(words) - 1);
	ompp_wish_begin(OMPP_WISH_FILTER, "OMPP_FILTER", words);
	ompp_wish_consider(OMPP_WISH_FILTER, name + 200);
	told();
	assert_true(strlen(said) < 256);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_met),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
