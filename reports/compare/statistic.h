/*
 * Statistic: what a few runs say about a difference.
 *
 * Welch's t-test compares the means of two samples whose variances may differ; Holm's method corrects many tests, so
 * that the chance that any of them is wrong is at most the level.  Floating point: this is for the program ompp alone.
 *
 * Where each value has an error of its own, which is known (that of samples, or what a busy machine did), the variance
 * of a mean is never taken below what these errors make of it: few values may lie close together by chance, or because
 * all have the same error.
 */
#ifndef OMPP_STATISTIC_H
#define OMPP_STATISTIC_H

#include <stddef.h>

struct ompp_sample {
	size_t n;
	double mean;
	double variance; /* of one value, from the sample (n - 1); NaN for n < 2 */
	double least;    /* variance of the mean by the values' own errors; NaN when these are not known */
};

/* Returns the sample that the values are; those that are NaN are left out.  The values' own errors are not known. */
struct ompp_sample ompp_sample_of(const double *values, size_t n);

struct ompp_difference {
	double change;    /* b - a */
	double low, high; /* its confidence interval; NaN when it is not known */
	double p;         /* the chance of a change as large where there is none; NaN when it is not known */
};

/* Compares two samples by Welch's t-test, with the variance of each mean at least what its values' own errors make of
 * it.  With one value on a side, and its own error, the values of the other side alone tell how values differ beside
 * their errors; with one on each side nothing does.
 * level: the interval has the true change with the chance 1 - level */
struct ompp_difference ompp_welch(const struct ompp_sample *a, const struct ompp_sample *b, double level);

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
