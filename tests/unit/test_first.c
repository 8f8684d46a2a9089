/*
 * First: which thread wrote a page first; it is remembered until the page's range ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/data/first.h"

#define PAGE ((uintptr_t)4096)
#define BASE ((uintptr_t)1 << 40)

static int is_other(uint32_t slot, uintptr_t address)
{
	return ompp_first_by(slot, address) == OMPP_FIRST_OTHERS;
}

static void store(uint32_t slot, uintptr_t address, size_t n_bytes)
{
	uintptr_t last = 0;

	ompp_first_store(slot, &last, address, n_bytes);
}

/* The first thread is kept, for each page that a store reaches. */
static void test_first(void **state)
{
	uintptr_t last = 0;

	(void)state;
	assert_false(is_other(1, BASE));
	store(1, BASE + 8, 8);
	store(2, BASE, 8);
	assert_false(is_other(1, BASE + 4095));
	assert_true(is_other(2, BASE));
	assert_false(is_other(2, BASE + PAGE));
	store(0, BASE + PAGE - 1, 2 * PAGE);
	for (uintptr_t i = 1; i < 3; i++)
		assert_true(is_other(2, BASE + i * PAGE) && !is_other(0, BASE + i * PAGE));
	assert_false(is_other(2, BASE + 3 * PAGE));
	ompp_first_store(3, &last, BASE + 5 * PAGE, 4);
	ompp_first_store(3, &last, BASE + 5 * PAGE + 8, 4);
	ompp_first_store(3, &last, BASE + 6 * PAGE - 2,
	                 4); /* the store goes from the thread's last page into the next one */
	assert_true(is_other(1, BASE + 6 * PAGE));
}

/* The pages of a range are forgotten, those of its neighbours are not; for a huge range all pages are forgotten. */
static void test_forget(void **state)
{
	(void)state;
	for (uintptr_t i = 10; i < 20; i++)
		store(1, BASE + i * PAGE, 8);
	ompp_first_forget(BASE + 12 * PAGE, BASE + 14 * PAGE - 1);
	for (uintptr_t i = 10; i < 20; i++)
		assert_int_equal(is_other(2, BASE + i * PAGE), i != 12 && i != 13);
	store(2, BASE + 12 * PAGE, 8);
	assert_true(is_other(1, BASE + 12 * PAGE));
	ompp_first_forget(BASE, BASE + ((uintptr_t)1 << 40));
	for (uintptr_t i = 10; i < 20; i++)
		assert_false(is_other(3, BASE + i * PAGE));
	store(2, BASE + 10 * PAGE, 8);
	assert_true(is_other(1, BASE + 10 * PAGE));
	ompp_first_forget(BASE, BASE);
	assert_true(is_other(1, BASE + 10 * PAGE));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_first), cmocka_unit_test(test_forget) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
