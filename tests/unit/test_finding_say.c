/*
 * Finding, say: figures in sentences have three digits in the unit that suits them, and are as near to the number as
 * these digits allow.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/findings/finding_say.h"
#include "reports/profile/number.h"

enum { ROUNDS = 10000 };

static struct ompp_arena arena;

static void renew(void)
{
	ompp_arena_fini(&arena);
	ompp_arena_init(&arena, 0);
}

static uint64_t random_number(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Returns a number of any size, often a power of ten or one beside it; below 0, too. */
static int64_t number_by_chance(void)
{
	int64_t n = (int64_t)(random_number() >> 8 >> random_number() % 56);

	if (random_number() % 4 == 0)
		for (n = 1; n < INT64_MAX / 1000 && random_number() % 12;)
			n *= 10;
	n += random_number() % 8 ? 0 : (int64_t)(random_number() % 3) - 1;
	return random_number() % 8 ? n : -n;
}

/* Reads a number.  Sets how many digits stand before and behind its point, and what follows it. */
static long double number_of(const char *text, int *n_before, int *n_behind, const char **rest)
{
	char *end;
	long double value = strtold(text, &end);
	const char *point = memchr(text, '.', (size_t)(end - text));

	text += *text == '-';
	*n_before = (int)((point ? point : end) - text);
	*n_behind = point ? (int)(end - point) - 1 : 0;
	*rest = end;
	assert_true(end > text);
	return value;
}

/* The number is as near as its digits allow. */
static void check_near(long double said, long double exact, int n_behind)
{
	assert_true(fabsl(said - exact) <= 0.5000001L * powl(10, -n_behind));
}

static void times(void **unused)
{
	static const struct {
		const char *name;
		int64_t least, one; /* from `least` on times are in this unit */
	} units[] = {
		{ " s", 100000000, 1000000000 }, { " ms", 1000000, 1000000 }, { " us", 1000, 1000 }, { " ns", 0, 1 }
	};

	(void)unused;
	for (int i = 0; i < ROUNDS; i++, renew()) {
		int64_t ns = i < 3 ? i - 1 : number_by_chance(), size = ns < 0 ? -ns : ns;
		struct ompp_text t;
		int unit = 0, n_before, n_behind;
		const char *rest;
		long double said;

		while (size < units[unit].least)
			unit++;
		ompp_say_start(&t, &arena);
		ompp_say_time(&t, ns);
		said = number_of(t.data, &n_before, &n_behind, &rest);
		assert_string_equal(rest, units[unit].name);
		check_near(said, (long double)ns / (long double)units[unit].one, n_behind);
		if (units[unit].one == 1)
			assert_int_equal(n_behind, 0);
		else if (size >= units[unit].one && size < units[unit].one / 1000 * 999 * 1000)
			assert_in_range(n_before + n_behind, n_before > 3 ? n_before : 3, n_before > 3 ? n_before : 4);
		else if (size < units[unit].one)
			assert_int_equal(n_behind, 3);
	}
}

/* Both times are in the unit of the longer one. */
static void spans(void **unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS; i++, renew()) {
		int64_t a = llabs(number_by_chance()), b = llabs(number_by_chance()), least = a < b ? a : b,
			most = a < b ? b : a;
		struct ompp_text both, one;
		int n_before, n_behind;
		const char *rest, *unit;
		long double said, factor;

		ompp_say_start(&one, &arena);
		ompp_say_time(&one, most);
		unit = strchr(one.data, ' ');
		factor = !strcmp(unit, " s") ? 1e9L : !strcmp(unit, " ms") ? 1e6L : !strcmp(unit, " us") ? 1e3L : 1;
		ompp_say_start(&both, &arena);
		ompp_say_times(&both, least, most);
		said = number_of(both.data, &n_before, &n_behind, &rest);
		check_near(said, (long double)least / factor, n_behind);
		assert_memory_equal(rest, " to ", 4);
		assert_string_equal(rest + 4, one.data);
	}
}

static void shares_and_ratios(void **unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS; i++, renew()) {
		int64_t share = number_by_chance() % 100000000000;
		struct ompp_text t;
		int n_before, n_behind;
		const char *rest;
		long double said;

		ompp_say_start(&t, &arena);
		ompp_say_share(&t, share); /* 10^9 is all */
		said = number_of(t.data, &n_before, &n_behind, &rest);
		assert_string_equal(rest, " %");
		assert_int_equal(n_behind, share < 100000000 ? 2 : 1);
		check_near(said, (long double)share / 1e7L, n_behind);
		ompp_say_start(&t, &arena);
		ompp_say_ratio(&t, llabs(share), 1 + llabs(number_by_chance()) % 1000000000);
		number_of(t.data, &n_before, &n_behind, &rest);
		assert_string_equal(rest, "");
		assert_int_equal(n_behind, strtold(t.data, NULL) < 9.999L ? 2 : n_before > 1 && n_behind == 2 ? 2 : 1);
	}
}

static void seconds(void **unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS; i++, renew()) {
		int64_t ns = number_by_chance();
		unsigned int n_digits = 1 + (unsigned int)(random_number() % 3);
		struct ompp_text t;
		int n_before, n_behind;
		const char *rest;
		long double said;

		ompp_say_start(&t, &arena);
		ompp_say_seconds(&t, ns, n_digits);
		said = number_of(t.data, &n_before, &n_behind, &rest);
		assert_string_equal(rest, "");
		assert_in_range(n_behind, 2, 9);
		check_near(said, (long double)ns / 1e9L, n_behind);
		/* at least so many digits, of which the first is none of those before it */
		if (n_behind > 2)
			assert_true(fabsl(said) < powl(10, (int)n_digits - n_behind + 1) * 1.01L);
		if (n_behind < 9 && ns)
			assert_true(fabsl(said) >= powl(10, (int)n_digits - 1 - n_behind) * 0.99L);
	}
}

static void what_is_not_known(void **unused)
{
	struct ompp_text t;

	(void)unused;
	ompp_say_start(&t, &arena);
	ompp_say_time(&t, OMPP_MISSING);
	ompp_text_char(&t, ' ');
	ompp_say_share(&t, OMPP_MISSING);
	ompp_text_char(&t, ' ');
	ompp_say_ratio(&t, 1, 0);
	assert_string_equal(t.data, "- - % -");
	ompp_say_start_long(&t, &arena);
	ompp_say_count(&t, 0, "visit");
	ompp_text_char(&t, ' ');
	ompp_say_count(&t, 1, "visit");
	ompp_text_char(&t, ' ');
	ompp_say_count(&t, 1234567, "visit");
	assert_string_equal(t.data, "0 visits 1 visit 1 234 567 visits");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times),
		cmocka_unit_test(spans),
		cmocka_unit_test(seconds),
		cmocka_unit_test(shares_and_ratios),
		cmocka_unit_test(what_is_not_known),
	};
	int failed;

	ompp_arena_init(&arena, 0);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	ompp_arena_fini(&arena);
	return failed;
}
