/*
 * Ended: which objects covered an address before ranges moved, ended, were named anew, or overlapped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "runtime/host/clock.h"
#include "runtime/host/stamp.h"
#include "runtime/ranges/ended.h"
#include "runtime/ranges/range.h"

#define BASE ((uintptr_t)1 << 40)

static uint64_t name(const char *object, uintptr_t lo, size_t n_bytes)
{
	return ompp_range_begin(object, OMPP_ORIGIN_CALL, lo, n_bytes, 0, 0);
}

/* Returns a time between what came before and what comes after. */
static uint64_t stamp(void)
{
	uint64_t before = ompp_stamp(), now;

	while (ompp_stamp() == before)
		;
	now = ompp_stamp();
	while (ompp_stamp() == now)
		;
	return now;
}

static void check(uintptr_t address, uint64_t at, const char *object)
{
	uint32_t cover = ompp_ended_cover(address, at);

	assert_true(cover != OMPP_ENDED_UNKNOWN);
	assert_int_equal(ompp_cover(cover)->n_objects, 1);
	assert_string_equal(ompp_object(ompp_cover(cover)->objects[0])->name, object);
}

static void test_moved(void **state)
{
	uint64_t t[5];

	(void)state;
	t[0] = stamp();
	name("a", BASE, 100);
	t[1] = stamp();
	name("a", BASE + 4096, 100);
	t[2] = stamp();
	name("b", BASE, 50);
	t[3] = stamp();
	ompp_range_freed(BASE, BASE + 8192);
	t[4] = stamp();
	check(BASE, t[0], "(other)");
	check(BASE, t[1], "a");
	check(BASE + 99, t[1], "a");
	check(BASE + 100, t[1], "(other)");
	check(BASE, t[2], "(other)");
	check(BASE + 4096, t[1], "(other)");
	check(BASE + 4096, t[2], "a");
	check(BASE, t[3], "b");
	check(BASE + 50, t[3], "(other)");
	check(BASE + 4096, t[3], "a");
	check(BASE, t[4], "(other)");
	check(BASE + 4096, t[4], "(other)");
}

/* A range inside of another one: its bytes were both's, and the others were the outer one's alone. */
static void test_overlap(void **state)
{
	uintptr_t lo = BASE + (1 << 20);
	uint64_t both, after, id, before;
	uint32_t cover;

	(void)state;
	name("outer", lo, 10000);
	before = stamp();
	id = name("inner", lo + 1000, 1000);
	both = stamp();
	ompp_range_end(id);
	after = stamp();
	check(lo + 1500, before, "outer");
	cover = ompp_ended_cover(lo + 1500, both);
	assert_int_equal(ompp_cover(cover)->n_objects, 2);
	check(lo + 500, both, "outer");
	check(lo + 1500, after, "outer");
}

/* After too many changes it is not known any more what was there; now it is always known. */
static void test_too_old(void **state)
{
	uintptr_t lo = BASE + (1 << 24);
	uint64_t old, recent = 0;
	int i;

	(void)state;
	name("c", lo, 64);
	old = stamp();
	for (i = 0; i < OMPP_ENDED_NOTES; i++) {
		if (i == OMPP_ENDED_NOTES - 100)
			recent = stamp();
		name("d", lo + 4096 + (uintptr_t)(i % 2) * 4096, 64);
	}
	assert_true(ompp_ended_cover(lo, old) == OMPP_ENDED_UNKNOWN);
	check(lo, recent, "c");
	check(lo, stamp(), "c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_too_old),
	};

	ompp_clock_open("monotonic");
	ompp_objects_start();
	if (ompp_ended_start())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
