/*
 * Element: which accesses fit a structure whose members are written down here: of whole scalars, of parts from their
 * begin, and of several at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/program/element.h"

/* { double x; int a[2]; char c; (7 bytes); struct { short s; (2) int i; } in[2]; } */
static const struct ompp_element_member members[] = {
	{ .name = "x", .type = "double", .offset = 0, .n_bytes = 8, .unit = 8 },
	{ .name = "a", .type = "int[2]", .offset = 8, .n_bytes = 8, .unit = 4 },
	{ .name = "c", .type = "char", .offset = 16, .n_bytes = 1, .unit = 1 },
	{ .name = "", .type = "", .offset = 17, .n_bytes = 7, .kind = OMPP_ELEMENT_PADDING },
	{ .name = "in[].s",
	  .type = "short",
	  .offset = 24,
	  .n_bytes = 2,
	  .unit = 2,
	  .n_arrays = 1,
	  .arrays = { { 8, 2 } } },
	{ .name = "in[].i",
	  .type = "int",
	  .offset = 28,
	  .n_bytes = 4,
	  .unit = 4,
	  .n_arrays = 1,
	  .arrays = { { 8, 2 } } },
};
static const struct ompp_element element = { .type = "all", .n_bytes = 40, .members = members, .n = 6 };

static int fits(uint64_t offset, uint64_t n_bytes)
{
	return ompp_element_fits(&element, offset, n_bytes);
}

static void parts_of_a_scalar_fit_from_its_begin(void **state)
{
	(void)state;
	for (uint64_t n_bytes = 1; n_bytes <= 8; n_bytes *= 2)
		for (uint64_t offset = 0; offset + n_bytes <= 8; offset++)
			assert_int_equal(fits(offset, n_bytes), offset == 0);
	assert_true(fits(8, 2) && fits(12, 2)); /* lower halves of each of a[] */
	assert_true(fits(36, 2));               /* that of in[1].i */
	assert_false(fits(10, 2));              /* upper halves */
	assert_false(fits(38, 2));
}

static void several_scalars_fit_from_a_begin_to_an_end(void **state)
{
	(void)state;
	assert_true(fits(8, 4) && fits(12, 4) && fits(8, 8)); /* each of a[], and both */
	assert_true(fits(12, 8));                             /* a[1], c, and padding */
	assert_true(fits(24, 8) && fits(32, 8));              /* each of in[] */
	assert_false(fits(4, 8));                             /* half of x, and a[0] */
	assert_false(fits(10, 4));                            /* halves of a[0] and a[1] */
	assert_false(fits(14, 4));                            /* half of a[1], and c */
	assert_false(fits(30, 4));                            /* half of in[0].i, and in[1].s */
	assert_false(fits(18, 4));                            /* padding alone */
}

static void of_unions_bits_and_open_arrays_anything_does(void **state)
{
	static const struct ompp_element_member loose[] = {
		{ .name = "u", .type = "union", .offset = 0, .n_bytes = 8, .unit = 8, .kind = OMPP_ELEMENT_UNION },
		{ .name = "b", .type = "bits", .offset = 8, .n_bytes = 4, .unit = 4, .kind = OMPP_ELEMENT_BITS },
		{ .name = "d", .type = "double", .offset = 16, .n_bytes = 8, .unit = 8 },
		{ .name = "end", .type = "int[]", .offset = 24, .n_bytes = 8, .unit = 4 },
	};
	const struct ompp_element e = {
		.type = "loose", .n_bytes = 32, .members = loose, .n = 4, .flags = OMPP_ELEMENT_OPEN
	};

	(void)state;
	assert_true(ompp_element_fits(&e, 3, 4));
	assert_true(ompp_element_fits(&e, 9, 2));
	assert_false(ompp_element_fits(&e, 18, 4));
	assert_true(ompp_element_fits(&e, 27, 4));
	assert_true(ompp_element_fits(&e, 4001, 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_a_scalar_fit_from_its_begin),
		cmocka_unit_test(several_scalars_fit_from_a_begin_to_an_end),
		cmocka_unit_test(of_unions_bits_and_open_arrays_anything_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
