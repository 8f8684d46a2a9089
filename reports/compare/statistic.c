/*
 * Statistic: see statistic.h.
 */
#include "reports/compare/statistic.h"

#include <math.h>

struct ompp_sample ompp_sample_of(const double *values, size_t n)
{
	struct ompp_sample s = { 0, 0, NAN, NAN };
	double squares = 0;

	for (size_t i = 0; i < n; i++) { /* Welford's sums lose no digits */
		double d;

		if (isnan(values[i]))
			continue;
		s.n++;
		d = values[i] - s.mean;
		s.mean += d / (double)s.n;
		squares += d * (values[i] - s.mean);
	}
	if (s.n > 1)
		s.variance = squares / (double)(s.n - 1);
	if (!s.n)
		s.mean = NAN;
	return s;
}

/* ---- Student's t ---- */

/* The continued fraction of the incomplete beta function, evaluated from the front (Lentz). */
static double beta_fraction(double x, double a, double b)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), value;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	value = d;
	for (int m = 1; m < 500; m++) {
		double step;

		for (int half = 0; half < 2; half++) {
			double k = half ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
			                : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));

			d = 1 + k * d;
			c = 1 + k / c;
			d = 1 / (fabs(d) < tiny ? tiny : d);
			c = fabs(c) < tiny ? tiny : c;
			step = c * d;
			value *= step;
		}
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return value;
}

/* Returns the regularised incomplete beta function. */
static double statistic_beta(double x, double a, double b)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double ompp_t_tail(double t, double degrees)
{
	t = fabs(t);
	if (isnan(t) || isnan(degrees) || degrees <= 0)
		return NAN;
	if (isinf(t))
		return 0;
	if (degrees > 1e7)
		return erfc(t / sqrt(2));
	return statistic_beta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

double ompp_t_quantile(double p, double degrees)
{
	double low = 0, high = 1;

	if (!(p > 0 && p < 1) || !(degrees > 0))
		return NAN;
	while (ompp_t_tail(high, degrees) > p && high < 1e300)
		high *= 2;
	for (int i = 0; i < 200 && low < high; i++) {
		double middle = low + (high - low) / 2;

		if (ompp_t_tail(middle, degrees) > p)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

/* ---- tests ---- */

/* Returns the variance of a mean from the spread of its values; with one value, from the spread of the other side's. */
static double statistic_spread(const struct ompp_sample *s, const struct ompp_sample *other)
{
	return s->n > 1 ? s->variance / (double)s->n : other->n > 1 ? other->variance : NAN;
}

/* Returns Welch's degrees of freedom for two means' variances; NaN when both are 0.  Known errors of the values count
 * as infinitely many degrees. */
static double degrees_of(const struct ompp_sample *a, const struct ompp_sample *b, double va, double vb)
{
	if (a->n < 2 && b->n < 2)
		return INFINITY;
	if (a->n < 2 || b->n < 2)
		return (double)(a->n < 2 ? b->n : a->n) - 1;
	return (va + vb) * (va + vb) / (va * va / ((double)a->n - 1) + vb * vb / ((double)b->n - 1));
}

/* The degrees of freedom are the minimum of those from the values alone and those from the variances used.  So the test
 * is at least as strict as Welch's, whose level holds if values spread by more than their errors. */
struct ompp_difference ompp_welch(const struct ompp_sample *a, const struct ompp_sample *b, double level)
{
	struct ompp_difference d = { b->mean - a->mean, NAN, NAN, NAN };
	double of_a = statistic_spread(a, b), of_b = statistic_spread(b, a), va = fmax(of_a, a->least),
	       vb = fmax(of_b, b->least);
	double degrees = fmin(degrees_of(a, b, of_a, of_b), degrees_of(a, b, va, vb)), variance, error;

	if ((a->n < 2 && isnan(a->least)) || (b->n < 2 && isnan(b->least)))
		return d;
	variance = va + vb;
	if (!a->n || !b->n || isnan(variance))
		return d;
	if (variance <= 0) { /* the same in each run */
		d.low = d.high = d.change;
		d.p = d.change < 0 || d.change > 0 ? 0 : 1;
		return d;
	}
	error = sqrt(variance);
	d.p = ompp_t_tail(d.change / error, degrees);
	error *= ompp_t_quantile(level, degrees);
	d.low = d.change - error;
	d.high = d.change + error;
	return d;
}

struct ompp_ratio ompp_welch_ratio(const struct ompp_sample *a, const struct ompp_sample *b, double level)
{
	struct ompp_ratio r = { NAN, NAN };
	struct ompp_difference d;
	struct ompp_sample x = *a, y = *b;

	if (!(a->mean > 0 && b->mean > 0))
		return r;
	r.ratio = a->mean / b->mean;
	/* the logarithms' variances are the relative ones, while these are small */
	x.variance /= a->mean * a->mean;
	x.least /= a->mean * a->mean;
	y.variance /= b->mean * b->mean;
	y.least /= b->mean * b->mean;
	d = ompp_welch(&x, &y, level);
	r.error = r.ratio * (d.high - d.low) / 2;
	return r;
}

/* Sifts the element at the root of a heap down; the greatest p comes to the top. */
static void statistic_sift(const double *p, size_t *order, size_t root, size_t n)
{
	for (;;) {
		size_t child = 2 * root + 1, swap;

		if (child >= n)
			return;
		if (child + 1 < n && p[order[child + 1]] > p[order[child]])
			child++;
		if (p[order[root]] >= p[order[child]])
			return;
		swap = order[root];
		order[root] = order[child];
		order[child] = swap;
		root = child;
	}
}

void ompp_holm(double *p, size_t n, size_t *order)
{
	size_t n_tests = 0;
	double most = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(p[i]))
			order[n_tests++] = i;
	for (size_t i = n_tests / 2; i-- > 0;)
		statistic_sift(p, order, i, n_tests);
	for (size_t end = n_tests; end > 1; end--) {
		size_t swap = order[0];

		order[0] = order[end - 1];
		order[end - 1] = swap;
		statistic_sift(p, order, 0, end - 1);
	}
	/* the smallest p is multiplied by the number of tests, the next by one less, and so on */
	for (size_t i = 0; i < n_tests; i++) {
		double adjusted = p[order[i]] * (double)(n_tests - i);

		most = adjusted > most ? adjusted : most;
		p[order[i]] = most < 1 ? most : 1;
	}
}

struct ompp_line_fit ompp_fit_line(const double *x, const double *y, const double *weights, size_t n)
{
	struct ompp_line_fit f = { n, NAN, NAN, NAN, NAN, NAN };
	double x_mean = 0, y_mean = 0, all = 0, xx = 0, xy = 0, rest = 0, variance;

	for (size_t i = 0; i < n; i++) {
		double w = weights ? weights[i] : 1;

		all += w;
		x_mean += w * x[i];
		y_mean += w * y[i];
	}
	x_mean /= all;
	y_mean /= all;
	for (size_t i = 0; i < n; i++) {
		double w = weights ? weights[i] : 1;

		xx += w * (x[i] - x_mean) * (x[i] - x_mean);
		xy += w * (x[i] - x_mean) * (y[i] - y_mean);
	}
	if (n < 2 || !(xx > 0))
		return f;
	f.slope = xy / xx;
	f.intercept = y_mean - f.slope * x_mean;
	if (n < 3)
		return f;
	for (size_t i = 0; i < n; i++) {
		double d = y[i] - f.intercept - f.slope * x[i];

		rest += (weights ? weights[i] : 1) * d * d;
	}
	variance = rest / (double)(n - 2);
	f.slope_error = sqrt(variance / xx);
	f.intercept_error = sqrt(variance * (1 / all + x_mean * x_mean / xx));
	f.covariance = -x_mean * variance / xx;
	return f;
}
