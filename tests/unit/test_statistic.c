/* Tests of reports/compare/statistic.c: against numbers that were integrated by another program, and by simulation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/compare/statistic.h"
#include "runtime/base/array.h"

static void near(double found, double wanted, double relative)
{
	if (!(fabs(found - wanted) <= relative * fabs(wanted)))
		fail_msg("%.12g, not %.12g", found, wanted);
}

static void test_tail(void **state)
{
	static const struct {
		double t, degrees, p;
	} known[] = { { 2, 3.7, 0.12181720190523848 }, { 0.5, 1, 0.704832764699137 },
		      { 12.706204736, 1, 0.05 },       { 4.5, 25.3, 0.0001329250682450267 },
		      { 8, 9, 2.213481677904028e-05 }, { 1.959963984540054, INFINITY, 0.05 } };

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(known); i++) {
		near(ompp_t_tail(known[i].t, known[i].degrees), known[i].p, 1e-8);
		near(ompp_t_tail(-known[i].t, known[i].degrees), known[i].p, 1e-8);
		near(ompp_t_quantile(known[i].p, known[i].degrees), known[i].t, 1e-8);
	}
	assert_true(ompp_t_tail(0, 5) == 1);
	assert_true(ompp_t_tail(INFINITY, 5) == 0);
	assert_true(isnan(ompp_t_tail(1, 0)) && isnan(ompp_t_quantile(0, 5)));
}

static void test_welch(void **state)
{
	static const double a[] = { 10.1, 9.8, NAN, 10.4, 10.0, 9.9 }, b[] = { 10.6, 10.9, 10.2, 11.0 };
	struct ompp_sample x = ompp_sample_of(a, OMPP_COUNT_OF(a)), y = ompp_sample_of(b, OMPP_COUNT_OF(b));
	struct ompp_difference d = ompp_welch(&x, &y, 0.05);

	(void)state;
	assert_int_equal(x.n, 5);
	near(d.change, 0.635, 1e-12);
	near(d.p, 0.02867651144290473, 1e-9);
	near((d.low + d.high) / 2, 0.635, 1e-9);
	assert_true(d.low > 0);
	/* the interval of just this p has the difference 0 at its end */
	d = ompp_welch(&x, &y, d.p);
	assert_true(fabs(d.low) < 1e-9);
}

static void test_few_runs(void **state)
{
	static const double one[] = { 5 }, same[] = { 3, 3, 3 };
	struct ompp_sample x = ompp_sample_of(one, 1), y = ompp_sample_of(same, 3), none = ompp_sample_of(one, 0);
	struct ompp_difference d = ompp_welch(&x, &y, 0.05);

	(void)state;
	assert_true(isnan(d.p) && isnan(d.low) && d.change == -2);
	d = ompp_welch(&none, &y, 0.05);
	assert_true(isnan(d.p) && isnan(d.change));
	d = ompp_welch(&y, &y, 0.05);
	assert_true(d.p == 1 && d.low == 0 && d.high == 0);
	y = x;
	x.least = 4;
	y.least = 5;
	d = ompp_welch(&x, &y, 0.05); /* one value of a known error a side */
	assert_true(d.p == 1);
	near(d.high, 1.959963984540054 * 3, 1e-8);
}

static void test_holm(void **state)
{
	double p[] = { 0.01, NAN, 0.04, 0.03, 0.005 };
	size_t order[OMPP_COUNT_OF(p)];

	(void)state;
	ompp_holm(p, OMPP_COUNT_OF(p), order);
	near(p[4], 0.02, 1e-12);
	near(p[0], 0.03, 1e-12);
	near(p[3], 0.06, 1e-12);
	near(p[2], 0.06, 1e-12); /* never below a smaller one's */
	assert_true(isnan(p[1]));
}

static double uniform(uint64_t *x)
{
	*x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(*x >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *x)
{
	double u = uniform(x);

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * uniform(x));
}

/* Of samples without a difference, 3 and 5 values whose variances differ, the test is wrong at its level; and the
 * interval has the true difference. */
static void test_level(void **state)
{
	enum { TRIALS = 20000 };
	uint64_t x = 12345;
	int n_wrong = 0, n_outside = 0;

	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		double a[4], b[6];
		struct ompp_sample s, t;
		struct ompp_difference d;

		for (size_t k = 0; k < OMPP_COUNT_OF(a); k++)
			a[k] = 7 + normal(&x);
		for (size_t k = 0; k < OMPP_COUNT_OF(b); k++)
			b[k] = 7 + 2 * normal(&x);
		s = ompp_sample_of(a, OMPP_COUNT_OF(a));
		t = ompp_sample_of(b, OMPP_COUNT_OF(b));
		d = ompp_welch(&s, &t, 0.05);
		n_wrong += d.p <= 0.05;
		n_outside += d.low > 0 || d.high < 0;
	}
	assert_int_equal(n_wrong, n_outside);
	/* 5 % are 1000, with a standard error of 31; Welch's approximation is a little off for so few values */
	assert_in_range(n_wrong, 700, 1200);
}

/* Of a ratio of means, of 3 and 5 values with 3 and 6 % of spread, the interval has the true one as often as it says;
 * and its width is that of the arithmetic by hand. */
static void test_ratio(void **state)
{
	static const double one[] = { 5 }, none[] = { NAN }, x4[] = { 9, 10, 10, 11 }, y4[] = { 4.5, 5, 5, 5.5 };
	enum { TRIALS = 20000 };
	struct ompp_sample s = ompp_sample_of(x4, 4), t = ompp_sample_of(y4, 4), u = ompp_sample_of(one, 1);
	struct ompp_ratio r = ompp_welch_ratio(&s, &t, 0.05);
	uint64_t x = 54321;
	int n_outside = 0;

	(void)state;
	near(r.ratio, 2, 1e-12);
	/* both have a relative standard error of the mean of sqrt(2/3) / 10 / 2, and 3 + 3 degrees of freedom */
	near(r.error, 2 * sqrt(2 * 2. / 3 / 100 / 4) * 2.446911848791681, 1e-7);
	r = ompp_welch_ratio(&u, &u, 0.05);
	assert_true(r.ratio == 1 && isnan(r.error));
	t = ompp_sample_of(none, 1);
	assert_true(isnan(ompp_welch_ratio(&t, &u, 0.05).ratio));
	for (int i = 0; i < TRIALS; i++) {
		double a[4], b[6];

		for (size_t k = 0; k < OMPP_COUNT_OF(a); k++)
			a[k] = 118 * (1 + 0.03 * normal(&x));
		for (size_t k = 0; k < OMPP_COUNT_OF(b); k++)
			b[k] = 100 * (1 + 0.06 * normal(&x));
		s = ompp_sample_of(a, OMPP_COUNT_OF(a));
		t = ompp_sample_of(b, OMPP_COUNT_OF(b));
		r = ompp_welch_ratio(&s, &t, 0.05);
		n_outside += fabs(r.ratio - 1.18) > r.error;
	}
	assert_in_range(n_outside, 800, 1200); /* as in test_level() */
}

static void test_line(void **state)
{
	static const double x[] = { 1, 0.5, 0.25, 0.125, 0.125 }, y[] = { 10.1, 5.4, 3.2, 2.05, 2.05 };
	static const double w[] = { 2, 2, 2, 1, 1 };
	struct ompp_line_fit f = ompp_fit_line(x, y, NULL, 4);

	(void)state;
	near(f.slope, 9.193043478260869, 1e-12);
	near(f.intercept, 0.8782608695652181, 1e-12);
	near(f.slope_error, 0.09123392729463578, 1e-9);
	near(f.intercept_error, 0.052570953044145094, 1e-9);
	f = ompp_fit_line(x, y, w, 5); /* the same, when one point is there twice, each half as heavy */
	near(f.slope, 9.193043478260869, 1e-12);
	near(f.intercept, 0.8782608695652181, 1e-12);
	f = ompp_fit_line(x, y, NULL, 2);
	assert_true(!isnan(f.slope) && isnan(f.slope_error));
	f = ompp_fit_line(x, y, NULL, 1);
	assert_true(isnan(f.slope));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tail),  cmocka_unit_test(test_welch), cmocka_unit_test(test_few_runs),
		cmocka_unit_test(test_holm),  cmocka_unit_test(test_level), cmocka_unit_test(test_line),
		cmocka_unit_test(test_ratio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
