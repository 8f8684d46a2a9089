/*
 * Last writer: what is said of stores by line and byte is what a plain list of all bytes says; lines without room are
 * not followed, and nothing is said of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/data/last_writer.h"

enum { BYTES = 1 << 14, STORES = 300000, THREADS = 5, MOST = 200 };
#define BASE ((uintptr_t)1 << 40)

static int by_line[BYTES / 64 + 8], by_byte[BYTES + MOST]; /* threads + 1 */

static void test_stores(void **state)
{
	uint64_t n_now = 0, n_then = 0;

	(void)state;
	srand(7);
	for (int i = 0; i < STORES; i++) {
		int thread = rand() % THREADS, n_bytes = rand() % 8 ? 1 << rand() % 4 : 1 + rand() % MOST;
		int at = rand() % 4 ? rand() % BYTES : rand() % 256;
		struct ompp_last_writer_count want = { 0 }, got;

		for (int line = at / 64; line <= (at + n_bytes - 1) / 64; line++) {
			int is_then = 0;

			for (int b = line * 64; b < line * 64 + 64; b++) {
				if (b < at || b >= at + n_bytes)
					continue;
				is_then |= by_byte[b] && by_byte[b] != thread + 1;
				by_byte[b] = thread + 1;
			}
			want.n++;
			want.n_now += by_line[line] && by_line[line] != thread + 1;
			want.n_then += is_then;
			by_line[line] = thread + 1;
		}
		got = ompp_last_writer_store(BASE + (uintptr_t)at, (size_t)n_bytes, (uint32_t)thread);
		assert_int_equal(got.n, want.n);
		assert_int_equal(got.n_now, want.n_now);
		assert_int_equal(got.n_then, want.n_then);
		n_now += got.n_now;
		n_then += got.n_then;
	}
	assert_true(n_then > 1000 && n_now > 1000 && n_now != n_then);
}

static void test_no_room(void **state)
{
	uint64_t n = 0, n_again = 0;

	(void)state;
	for (uintptr_t line = 0; line < 1 << 19; line++)
		n += ompp_last_writer_store(2 * BASE + line * 64, 8, 1).n;
	assert_in_range(n, 1 << 16, 1 << 17);
	/* those that have room are followed, and no other */
	for (uintptr_t line = 0; line < 1 << 19; line++) {
		struct ompp_last_writer_count got = ompp_last_writer_store(2 * BASE + line * 64, 16, 2);

		assert_int_equal(got.n, got.n_now);
		assert_int_equal(got.n, got.n_then);
		n_again += got.n;
	}
	assert_int_equal(n, n_again);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_stores), cmocka_unit_test(test_no_room) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
