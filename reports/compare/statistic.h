/*
 * Statistic: what a few runs say about a difference.
 *
 * Welch's t-test compares the means of two samples whose variances may differ; Holm's method corrects for many tests,
 * so that the chance of any false positive is at most the level.  It uses floating point, so it is only for the program
 * ompp.
 *
 * If each value has a known error (of sampling, or due to a busy machine), the variance of a mean is never assumed to
 * be below that of these errors: few values may be close together by chance, or because all have the same error.
 */
#ifndef OMPP_STATISTIC_H
#define OMPP_STATISTIC_H

#include <stddef.h>

struct ompp_sample {
	size_t n;
	double mean;
	double variance; /* of one value, from the sample (n - 1); NaN for n < 2 */
	double least;    /* variance of the mean due to the values' own errors; NaN when these are not known */
};

/* Returns the sample that the values are; those that are NaN are left out.  The values' own errors are not known. */
struct ompp_sample ompp_sample_of(const double *values, size_t n);

struct ompp_difference {
	double change;    /* b - a */
	double low, high; /* its confidence interval; NaN when it is not known */
	double p;         /* p-value: the probability of such a change if there is none; NaN when it is not known */
};

/* Compares two samples by Welch's t-test; the variance of each mean is at least that of its values' own errors.  With
 * one value on a side the spread is taken from the other side; with one on each side, only the values' own errors are
 * known.
 * level: the interval contains the true change with probability 1 - level */
struct ompp_difference ompp_welch(const struct ompp_sample *a, const struct ompp_sample *b, double level);

/* How many times as much the mean of a is as that of b, as far as these are above 0; and half the width of the
 * confidence interval, by the relative variances of the means, which ompp_welch() takes, too.  NaN: not known. */
struct ompp_ratio {
	double ratio, error;
};
struct ompp_ratio ompp_welch_ratio(const struct ompp_sample *a, const struct ompp_sample *b, double level);

/* Replaces p-values by Holm's adjusted ones, each of which is significant when it is at most the level.  NaN stays.
 * order: room for n numbers */
void ompp_holm(double *p, size_t n, size_t *order);

/* Returns the chance that |t| is above t, with so many degrees of freedom, which may be infinite; and the t that it is
 * above with the chance p. */
double ompp_t_tail(double t, double degrees);
double ompp_t_quantile(double p, double degrees);

/* A straight line fitted to n points, y = intercept + slope × x.  The errors are standard errors; NaN below 3 points.
 * weights: one over the variance of each point, but for a factor that all have; NULL when they are alike */
struct ompp_line_fit {
	size_t n;
	double intercept, slope, intercept_error, slope_error, covariance;
};
struct ompp_line_fit ompp_fit_line(const double *x, const double *y, const double *weights, size_t n);

#endif
