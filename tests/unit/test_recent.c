/*
 * Recent: samples that come in any order and late find the node in which their thread was; too late ones find none.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/core/callgraph.h"
#include "runtime/core/recent.h"
#include "runtime/host/clock.h"
#include "runtime/host/stamp.h"

static struct ompp_recent recent;
static struct ompp_callnode nodes[8];

static int forget(void **state)
{
	(void)state;
	memset(&recent, 0, sizeof(recent));
	return 0;
}

static const struct ompp_callnode *at(uint64_t stamp, int now)
{
	return ompp_recent_node(&recent, stamp, &nodes[now]);
}

/* Before the first change the thread was in its first node, and after the last one it is where it is now. */
static void test_any_order(void **state)
{
	(void)state;
	assert_ptr_equal(at(5, 3), &nodes[3]);
	ompp_recent_end(&recent, &nodes[0], 100);
	ompp_recent_end(&recent, &nodes[1], 200);
	ompp_recent_end(&recent, &nodes[2], 200); /* shorter than a tick */
	ompp_recent_end(&recent, &nodes[1], 300);
	assert_ptr_equal(at(301, 4), &nodes[4]);
	assert_ptr_equal(at(5, 4), &nodes[0]);
	assert_ptr_equal(at(299, 4), &nodes[1]);
	assert_ptr_equal(at(100, 4), &nodes[1]); /* it ended just before */
	assert_ptr_equal(at(99, 4), &nodes[0]);
	assert_ptr_equal(at(200, 4), &nodes[1]);
	assert_ptr_equal(at(UINT64_MAX, 5), &nodes[5]);
}

/* What is older than the ring has no node, and is never that of another time. */
static void test_very_late(void **state)
{
	uint64_t n = 3 * OMPP_RECENT_CHANGES + 7, i;

	(void)state;
	for (i = 0; i < n; i++)
		ompp_recent_end(&recent, &nodes[i % 8], 10 * (i + 1));
	for (i = 0; i < n; i++) {
		const struct ompp_callnode *node = at(10 * i + 5, 0);

		assert_ptr_equal(node, i <= n - OMPP_RECENT_CHANGES + 1 ? NULL : &nodes[i % 8]);
	}
}

static _Atomic int done;

/* Each change number i is of node i % 8, and ends at the time i + 1. */
static void *change(void *arg)
{
	uint64_t i;

	(void)arg;
	for (i = 0; i < 2000000; i++)
		ompp_recent_end(&recent, &nodes[i % 8], i + 1);
	done = 1;
	return NULL;
}

/* A thread that reads while the other one changes gets the right node or none. */
static void test_another_reads(void **state)
{
	uint64_t n_found = 0, n_old = 0;
	pthread_t thread;
	int is_last;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, change, NULL), 0);
	do { /* the last round may come after all changes */
		uint64_t n, back;

		is_last = done;
		n = __atomic_load_n(&recent.n, __ATOMIC_ACQUIRE);

		for (back = 1; back < 3 * OMPP_RECENT_CHANGES / 2 && back <= n; back += 97) {
			const struct ompp_callnode *node = ompp_recent_node(&recent, n - back, NULL);

			n_old += !node;
			n_found += node != NULL;
			if (node && node != &nodes[(n - back) % 8])
				fail();
		}
	} while (!is_last);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(n_found && n_found + n_old > 1);
}

static void wait_a_stamp(void)
{
	uint64_t now = ompp_stamp();

	while (ompp_stamp() == now)
		;
}

static void test_off(void **state)
{
	uint64_t before, inside, between, second;

	(void)state;
	before = ompp_stamp();
	wait_a_stamp();
	ompp_recent_switch(1);
	inside = ompp_stamp();
	assert_false(ompp_recent_was_off(before));
	assert_true(ompp_recent_was_off(inside));
	wait_a_stamp();
	ompp_recent_switch(0);
	between = ompp_stamp();
	wait_a_stamp();
	assert_true(ompp_recent_was_off(inside));
	assert_false(ompp_recent_was_off(between));
	ompp_recent_switch(1);
	second = ompp_stamp();
	wait_a_stamp();
	ompp_recent_switch(0);
	assert_true(ompp_recent_was_off(inside) && ompp_recent_was_off(second));
	assert_false(ompp_recent_was_off(between) || ompp_recent_was_off(before) || ompp_recent_was_off(ompp_stamp()));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_any_order, forget),
		cmocka_unit_test_setup(test_very_late, forget),
		cmocka_unit_test_setup(test_another_reads, forget),
		cmocka_unit_test(test_off),
	};

	ompp_clock_open("monotonic");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
