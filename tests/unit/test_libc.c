/*
 * Libc: libompp's own copies and fills write all bytes that they have to, and no other one, at any place and length.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

void *ompp_libc_memcpy(void *to, const void *from, size_t n);
void *ompp_libc_memmove(void *to, const void *from, size_t n);
void *ompp_libc_memset(void *to, int c, size_t n);

enum { MOST = 80, MARGIN = 32, BYTES = MOST + 2 * MARGIN };

static unsigned char from[BYTES], got[BYTES], expected[BYTES];

static void start(void)
{
	for (size_t i = 0; i < BYTES; i++) {
		from[i] = (unsigned char)(i * 7 + 1);
		got[i] = expected[i] = (unsigned char)(i * 13 + 5);
	}
}

static void test_copy(void **state)
{
	(void)state;
	for (size_t n = 0; n <= MOST; n++)
		for (size_t at = 0; at < 9; at++) {
			start();
			for (size_t i = 0; i < n; i++)
				expected[MARGIN + at + i] = from[3 + at / 2 + i];
			assert_ptr_equal(ompp_libc_memcpy(got + MARGIN + at, from + 3 + at / 2, n), got + MARGIN + at);
			assert_memory_equal(got, expected, BYTES);
		}
}

static void test_fill(void **state)
{
	(void)state;
	for (size_t n = 0; n <= MOST; n++)
		for (size_t at = 0; at < 9; at++) {
			start();
			for (size_t i = 0; i < n; i++)
				expected[MARGIN + at + i] = 0xa5;
			assert_ptr_equal(ompp_libc_memset(got + MARGIN + at, 0x7a5, n), got + MARGIN + at);
			assert_memory_equal(got, expected, BYTES);
		}
}

/* Copies that overlap, both ways. */
static void test_move(void **state)
{
	(void)state;
	for (size_t n = 0; n <= MOST; n++)
		for (size_t by = 0; by <= 2 * 16; by++) {
			start();
			for (size_t i = 0; i < n; i++)
				expected[16 + by + i] = got[MARGIN + i];
			ompp_libc_memmove(got + 16 + by, got + MARGIN, n);
			assert_memory_equal(got, expected, BYTES);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
