/*
 * Text: writes numbers and padding, and never beyond the buffer.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/text.h"

static char buffer[80];
static struct ompp_text t;

static void start(void)
{
	ompp_text_init(&t, buffer, sizeof(buffer));
}

static const char *fixed(int64_t value, unsigned int scale, unsigned int shown)
{
	start();
	ompp_text_fixed(&t, value, scale, shown);
	return t.data;
}

static void test_numbers(void **state)
{
	(void)state;
	start();
	ompp_text_u64(&t, 0);
	ompp_text_char(&t, ' ');
	ompp_text_u64(&t, UINT64_MAX);
	ompp_text_char(&t, ' ');
	ompp_text_i64(&t, INT64_MIN);
	assert_string_equal(t.data, "0 18446744073709551615 -9223372036854775808");
	start();
	ompp_text_hex(&t, UINT64_C(0x7fffdeadbeef0));
	ompp_text_char(&t, ' ');
	ompp_text_zeros(&t, 42, 5);
	ompp_text_char(&t, ' ');
	ompp_text_zeros(&t, 123456, 5);
	assert_string_equal(t.data, "7fffdeadbeef0 00042 123456");
	start();
	ompp_text_grouped(&t, 534513);
	ompp_text_char(&t, '|');
	ompp_text_grouped(&t, -1234567890);
	ompp_text_char(&t, '|');
	ompp_text_grouped(&t, 999);
	assert_string_equal(t.data, "534 513|-1 234 567 890|999");
}

static void test_fixed(void **state)
{
	(void)state;
	assert_string_equal(fixed(1234567, 6, 2), "1.23");
	assert_string_equal(fixed(1235000, 6, 2), "1.24");
	assert_string_equal(fixed(-1235000, 6, 2), "-1.24");
	assert_string_equal(fixed(-4999, 6, 2), "0.00");
	assert_string_equal(fixed(5000, 6, 2), "0.01");
	assert_string_equal(fixed(999999999, 9, 2), "1.00");
	assert_string_equal(fixed(7, 0, 2), "7.00");
	assert_string_equal(fixed(15, 1, 0), "2");
	assert_string_equal(fixed(1, 9, 9), "0.000000001");
	assert_string_equal(fixed(12, 3, 6), "0.012000");
	assert_string_equal(fixed(INT64_MAX, 9, 9), "9223372036.854775807");
	assert_string_equal(fixed(INT64_MIN, 18, 18), "-9.223372036854775808");
	assert_string_equal(fixed(INT64_MAX, 18, 0), "9");
}

/* Numbers of all lengths look as printf() has them. */
static void test_digits(void **state)
{
	char expected[64];

	(void)state;
	for (uint64_t seed = 1; seed < 200000; seed++) {
		uint64_t value = seed * UINT64_C(0x9e3779b97f4a7c15) >> seed % 64;

		start();
		ompp_text_u64(&t, value);
		ompp_text_char(&t, ' ');
		ompp_text_i64(&t, (int64_t)value);
		ompp_text_char(&t, ' ');
		ompp_text_zeros(&t, value, 19);
		snprintf(expected, sizeof(expected), "%" PRIu64 " %" PRId64 " %019" PRIu64, value, (int64_t)value,
		         value);
		assert_string_equal(t.data, expected);
		value %= UINT64_C(1000000000000000000);
		snprintf(expected, sizeof(expected), "%" PRIu64 ".%09" PRIu64, value / 1000000000, value % 1000000000);
		assert_string_equal(fixed((int64_t)value, 9, 9), expected);
	}
	start();
	ompp_text_zeros(&t, 0, 0);
	assert_string_equal(t.data, "");
}

static void test_padding(void **state)
{
	size_t from;

	(void)state;
	start();
	ompp_text_str(&t, "a");
	from = t.n_bytes;
	ompp_text_str(&t, "bc");
	ompp_text_pad_left(&t, from, 5);
	from = t.n_bytes;
	ompp_text_str(&t, "ü"); /* two bytes, one column */
	ompp_text_pad_right(&t, from, 3);
	ompp_text_char(&t, '|');
	assert_string_equal(t.data, "a   bcü  |");
	assert_int_equal(ompp_text_columns("über"), 4);
	start();
	ompp_text_str(&t, "long");
	ompp_text_pad_left(&t, 0, 2);
	assert_string_equal(t.data, "long");
}

/* With any capacity from 1 on, the text is cut off and terminated, and no byte behind it is touched. */
static void test_never_overflows(void **state)
{
	char whole[80];

	(void)state;
	for (size_t capacity = 1; capacity <= sizeof(whole); capacity++) {
		size_t from;

		memset(buffer, '#', sizeof(buffer));
		ompp_text_init(&t, buffer, capacity);
		ompp_text_str(&t, "text ");
		ompp_text_i64(&t, -123456);
		from = t.n_bytes;
		ompp_text_fixed(&t, 1234567890, 6, 3);
		ompp_text_pad_left(&t, from, 20);
		ompp_text_pad_right(&t, from, 30);
		ompp_text_grouped(&t, 1234567);
		ompp_text_fill(&t, 'x', 5);
		assert_true(t.n_bytes < capacity);
		assert_int_equal(strlen(buffer), t.n_bytes);
		for (size_t i = capacity; i < sizeof(buffer); i++)
			assert_int_equal(buffer[i], '#');
	}
	assert_string_equal(buffer, "text -123456            1234.568          1 234 567xxxxx");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_fixed),           cmocka_unit_test(test_digits),
		cmocka_unit_test(test_padding), cmocka_unit_test(test_never_overflows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
