/*
 * Nearest: the distance of two words counts edits, and swaps of neighbours, without regard to case.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/nearest.h"

static unsigned int distance(const char *a, const char *b)
{
	unsigned int forth = ompp_distance(a, strlen(a), b, strlen(b));

	assert_int_equal(forth, ompp_distance(b, strlen(b), a, strlen(a)));
	return forth;
}

static void edits_are_counted(void **state)
{
	(void)state;
	assert_int_equal(distance("", ""), 0);
	assert_int_equal(distance("", "abc"), 3);
	assert_int_equal(distance("QUIET", "quiet"), 0);
	assert_int_equal(distance("QUIET", "QUITE"), 1);
	assert_int_equal(distance("OUTFORMAT", "OUTFROMAT"), 1);
	assert_int_equal(distance("MEM", "MEN"), 1);
	assert_int_equal(distance("MEM", "MEMS"), 1);
	assert_int_equal(distance("kitten", "sitting"), 3);
	assert_int_equal(distance("abc", "xyz"), 3);
}

static void long_words_are_far(void **state)
{
	char word[100];

	(void)state;
	memset(word, 'a', 99);
	word[99] = '\0';
	assert_int_equal(distance(word, word), 99);
	assert_int_equal(distance(word, "a"), 99);
	word[63] = '\0';
	assert_int_equal(distance(word, word), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_are_counted),
		cmocka_unit_test(long_words_are_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
