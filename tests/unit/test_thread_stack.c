/*
 * Thread stack: the stack of a thread is found where the C library has put it, and is named once.
 */
#define _GNU_SOURCE
#include "tests/unit/steps.h"

#include <pthread.h>
#include <unistd.h>

#include "runtime/core/thread.h"
#include "runtime/core/thread_stack.h"
#include "runtime/ompp.h"

static void *find_stack(void *unused)
{
	uintptr_t lo, hi, here = (uintptr_t)__builtin_frame_address(0), page = (uintptr_t)sysconf(_SC_PAGESIZE);
	pthread_attr_t attr;
	size_t n_bytes;
	void *address;

	assert_int_equal(pthread_getattr_np(pthread_self(), &attr), 0);
	assert_int_equal(pthread_attr_getstack(&attr, &address, &n_bytes), 0);
	pthread_attr_destroy(&attr);
	for (int i = 0; i < 2; i++) { /* again, as the size of the last one is taken for granted at first */
		ompp_thread_find_stack(&lo, &hi);
		assert_in_range(lo, (uintptr_t)address - page, (uintptr_t)address + page);
		assert_in_range(hi, here, (uintptr_t)address + n_bytes);
	}
	return unused;
}

/* With the usual size, with a small one, and with that of before again. */
static void test_threads(void **state)
{
	static const size_t sizes[] = { 0, 256 * 1024, 0 };
	pthread_attr_t attr;
	pthread_t thread;

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(sizes); i++) {
		assert_int_equal(pthread_attr_init(&attr), 0);
		if (sizes[i])
			assert_int_equal(pthread_attr_setstacksize(&attr, sizes[i]), 0);
		assert_int_equal(pthread_create(&thread, &attr, find_stack, NULL), 0);
		pthread_join(thread, NULL);
		pthread_attr_destroy(&attr);
	}
}

/* A stack gets its name once, with the first data that the thread names. */
static void test_named_once(void **state)
{
	static char memory[200];
	uint64_t range;

	(void)state;
	ompp_data_begin(memory, 100, "first");
	range = ompp_self->stack_range;
	assert_true(ompp_self->stack_named && range);
	ompp_data_begin(memory + 100, 100, "second");
	assert_int_equal(ompp_self->stack_range, range);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_threads), cmocka_unit_test(test_named_once) };

	return RUN_APART(tests);
}
