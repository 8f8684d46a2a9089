/* Diff: how large a change is, relative to the first side, and at least where one side is known by a bound alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/compare/diff.h"
#include "runtime/base/array.h"

static void relative(void **state)
{
	static const struct {
		double a, b, at_most_a, at_most_b, change, low, high; /* of the row */
		double relative, least;
	} cases[] = {
		{ 4, 6, NAN, NAN, 2, 1, 3, 0.5, 0.5 },
		{ 4, 1, NAN, NAN, -3, -4, -2, -0.75, -0.75 },
		{ -4, -6, NAN, NAN, -2, -3, -1, -0.5, -0.5 },
		{ 0, 0, NAN, NAN, 0, 0, 0, 0, 0 },
		{ 0, 6, NAN, NAN, 6, 5, 7, INFINITY, INFINITY },
		/* a change that is known needs no bound */
		{ 4, 6, 8, NAN, 2, 1, 3, 0.5, 0.5 },
		{ 4, 6, NAN, 8, 2, 1, 3, 0.5, 0.5 },
		/* nothing is known */
		{ 4, 6, NAN, NAN, NAN, 1, 3, NAN, NAN },
		/* A was at most 10, and B is above that by 3 at least */
		{ NAN, 14, 10, NAN, NAN, 3, 14, NAN, 0.3 },
		/* B was at most 10, and A was above that by 10 at least */
		{ 20, NAN, NAN, 10, NAN, -20, -10, NAN, -0.5 },
		/* it may be none */
		{ NAN, 14, 20, NAN, NAN, -6, 14, NAN, 0 },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct ompp_diff_row row = {
			.a = { .mean = cases[i].a },
			.b = { .mean = cases[i].b },
			.at_most_a = cases[i].at_most_a,
			.at_most_b = cases[i].at_most_b,
			.difference = { .change = cases[i].change, .low = cases[i].low, .high = cases[i].high }
		};
		double found[] = { ompp_diff_relative(&row), ompp_diff_least_relative(&row) };
		double expected[] = { cases[i].relative, cases[i].least };

		for (int k = 0; k < 2; k++)
			if (!(found[k] <= expected[k] && found[k] >= expected[k]) &&
			    !(isnan(found[k]) && isnan(expected[k])))
				fail_msg("case %zu, %d: %g, expected %g", i, k, found[k], expected[k]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(relative),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
