/* Tests of reports/compare/match.c: versions of sources, as lists of regions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/compare/match.h"
#include "runtime/base/array.h"

#define R(construct, file, first, last, name) \
	{ \
		0, construct, file, first, last, name, 0, 0, "", "", "", 0 \
	}
#define NONE OMPP_NONE

static struct ompp_arena arena;

/* Checks which region of a each of b is. */
#define CHECK(a, b, ...) \
	do { \
		static const uint32_t wanted[] = { __VA_ARGS__ }; \
		uint32_t match[OMPP_COUNT_OF(wanted)]; \
\
		assert_int_equal(OMPP_COUNT_OF(wanted), OMPP_COUNT_OF(b)); \
		assert_int_equal(ompp_match(a, OMPP_COUNT_OF(a), b, OMPP_COUNT_OF(b), match, &arena), 0); \
		for (size_t check = 0; check < OMPP_COUNT_OF(wanted); check++) \
			if (match[check] != wanted[check]) \
				fail_msg("region %zu is %d, not %d", check, (int)match[check], (int)wanted[check]); \
	} while (0)

/* What is in the lines now is not what was there before. */
static void test_moved(void **state)
{
	static const struct ompp_region a[] = { R(OMPP_PARALLEL, "/s/a.c", 10, 40, ""),
		                                R(OMPP_LOOP, "/s/a.c", 12, 16, ""), R(OMPP_LOOP, "/s/a.c", 22, 26, ""),
		                                R(OMPP_LOOP, "/s/a.c", 32, 36, "") };
	static const struct ompp_region b[] = { R(OMPP_PARALLEL, "/s/a.c", 20, 50, ""),
		                                R(OMPP_LOOP, "/s/a.c", 22, 26, ""), R(OMPP_LOOP, "/s/a.c", 32, 36, ""),
		                                R(OMPP_LOOP, "/s/a.c", 42, 46, "") };

	(void)state;
	CHECK(a, b, 0, 1, 2, 3);
	CHECK(a, a, 0, 1, 2, 3);
}

/* One is new at the top, and one of the same kind is gone at the end. */
static void test_new_and_gone(void **state)
{
	static const struct ompp_region a[] = { R(OMPP_LOOP, "/s/a.c", 10, 14, ""), R(OMPP_LOOP, "/s/a.c", 20, 29, ""),
		                                R(OMPP_LOOP, "/s/a.c", 33, 35, ""),
		                                R(OMPP_LOOP, "/s/a.c", 50, 58, "") };
	static const struct ompp_region b[] = { R(OMPP_LOOP, "/s/a.c", 5, 7, ""), R(OMPP_LOOP, "/s/a.c", 18, 22, ""),
		                                R(OMPP_LOOP, "/s/a.c", 28, 37, ""),
		                                R(OMPP_LOOP, "/s/a.c", 41, 43, "") };

	(void)state;
	CHECK(a, b, NONE, 0, 1, 2);
	CHECK(b, a, 1, 2, 3, NONE);
}

/* A body became longer in the middle. */
static void test_longer(void **state)
{
	static const struct ompp_region a[] = { R(OMPP_LOOP, "/s/a.c", 10, 14, ""),
		                                R(OMPP_SINGLE, "/s/a.c", 20, 21, ""),
		                                R(OMPP_LOOP, "/s/a.c", 30, 34, ""),
		                                R(OMPP_BARRIER, "/s/a.c", 36, 36, "") };
	static const struct ompp_region b[] = { R(OMPP_LOOP, "/s/a.c", 10, 24, ""),
		                                R(OMPP_SINGLE, "/s/a.c", 30, 31, ""),
		                                R(OMPP_LOOP, "/s/a.c", 40, 44, ""),
		                                R(OMPP_ATOMIC, "/s/a.c", 46, 46, "") };

	(void)state;
	CHECK(a, b, 0, 1, 2, NONE);
}

/* Names go before places, in other files, too; what is there twice is told by its place. */
static void test_names(void **state)
{
	static const struct ompp_region a[] = {
		R(OMPP_CRITICAL, "/s/a.c", 10, 14, "x"), R(OMPP_CRITICAL, "/s/a.c", 20, 24, "y"),
		R(OMPP_FUNCTION, "/s/b.c", 3, 0, "f"),   R(OMPP_LOCK, "", 0, 0, "l[*]"),
		R(OMPP_CRITICAL, "/s/a.c", 30, 31, "z"), R(OMPP_CRITICAL, "/s/a.c", 40, 42, "z")
	};
	static const struct ompp_region b[] = {
		R(OMPP_CRITICAL, "/s/a.c", 40, 42, "z"),  R(OMPP_LOCK, "", 0, 0, "l[*]"),
		R(OMPP_CRITICAL, "/s/c.c", 90, 94, "x"),  R(OMPP_CRITICAL, "/s/a.c", 10, 14, "y"),
		R(OMPP_USER_REGION, "/s/b.c", 3, 0, "f"), R(OMPP_FUNCTION, "/s/x.c", 9, 0, "f")
	};

	(void)state;
	CHECK(a, b, 5, 3, 0, 1, NONE, 2);
}

/* The source is in another folder; two files of one name stay apart. */
static void test_folders(void **state)
{
	static const struct ompp_region a[] = { R(OMPP_LOOP, "/old/a.c", 10, 14, ""),
		                                R(OMPP_LOOP, "/old/x/b.c", 20, 24, ""),
		                                R(OMPP_LOOP, "/old/y/b.c", 20, 24, "") };
	static const struct ompp_region b[] = { R(OMPP_LOOP, "/new/a.c", 11, 15, ""),
		                                R(OMPP_LOOP, "/old/x/b.c", 20, 24, ""),
		                                R(OMPP_LOOP, "/old/y/b.c", 20, 24, "") };

	(void)state;
	CHECK(a, b, 0, 1, 2);
}

/* Nothing on one side, and more regions in a file than are aligned. */
static void test_sizes(void **state)
{
	enum { MANY = 5000 };
	static struct ompp_region many[MANY];
	static uint32_t match[MANY];

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		many[i] = (struct ompp_region){
			0, OMPP_ATOMIC, "/s/a.c", 2 * i + 1, 2 * i + 1, "", 0, 0, "", "", "", 0
		};
	assert_int_equal(ompp_match(many, MANY, many, 0, match, &arena), 0);
	assert_int_equal(ompp_match(many, 0, many, 3, match, &arena), 0);
	assert_true(match[0] == NONE && match[2] == NONE);
	assert_int_equal(ompp_match(many, MANY, many, MANY, match, &arena), 0);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(match[i], i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moved), cmocka_unit_test(test_new_and_gone), cmocka_unit_test(test_longer),
		cmocka_unit_test(test_names), cmocka_unit_test(test_folders),      cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
