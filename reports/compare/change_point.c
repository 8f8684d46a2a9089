/*
 * Change point: see change_point.h.
 */
#include "reports/compare/change_point.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/compare/statistic.h"

static const double confidence = 0.95; /* of the versions that may be the first one behind a change */

enum { LEAST_DEGREES = 2 };  /* with fewer, versions tell nothing of how they vary */
enum { LEAST_DRIFT = 6 };    /* versions of a drift */
enum { LEAST_TRIMMED = 10 }; /* runs: of fewer, too few would be left to tell how they vary */
enum { MOST_WINDOWS = 24 };  /* of first, and of last versions, as many are looked at alone */

/* A version: its runs' median, and where its runs are among all. */
struct version {
	size_t number; /* as the caller has it */
	size_t first, n;
	double median;
};

struct points {
	double *logs; /* of all runs, by version */
	double *room; /* as many, for sorting */
	struct version *list;
	size_t n; /* versions that have runs */
	double level, least;
	struct ompp_change_points *told;
};

static int point_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double ompp_median(double *values, size_t n)
{
	if (!n)
		return NAN;
	qsort(values, n, sizeof(*values), point_compare);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* ---- sums over versions ---- */

static size_t points_runs(const struct points *p, size_t from, size_t end)
{
	return end > from ? p->list[end - 1].first + p->list[end - 1].n - p->list[from].first : 0;
}

/* Returns the mean of the medians of versions [from, end), weighted by their runs. */
static double points_mean(const struct points *p, size_t from, size_t end)
{
	double sum = 0, weight = 0;

	for (size_t i = from; i < end; i++) {
		sum += (double)p->list[i].n * p->list[i].median;
		weight += (double)p->list[i].n;
	}
	return sum / weight;
}

/* Returns the weighted squares of the medians around their mean. */
static double points_squares(const struct points *p, size_t from, size_t end)
{
	double mean = points_mean(p, from, end), sum = 0;

	for (size_t i = from; i < end; i++)
		sum += (double)p->list[i].n * pow(p->list[i].median - mean, 2);
	return sum;
}

/* ---- tests ---- */

/* The mean without a fifth of the values at each end, its variance, and the degrees of freedom of that. */
struct trimmed {
	double mean, variance, degrees;
};

static struct trimmed points_trim(const struct points *p, size_t from, size_t end)
{
	size_t first = p->list[from].first, n = points_runs(p, from, end), cut = n < LEAST_TRIMMED ? 0 : n / 5,
	       kept = n - 2 * cut;
	struct trimmed t = { 0, NAN, (double)kept - 1 };
	double mean = 0, squares = 0;
	double *sorted = p->room;

	memcpy(sorted, p->logs + first, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), point_compare);
	for (size_t i = cut; i < n - cut; i++)
		t.mean += sorted[i] / (double)kept;
	for (size_t i = 0; i < n; i++) /* what was cut counts as the value beside it */
		sorted[i] = sorted[i < cut ? cut : i >= n - cut ? n - cut - 1 : i];
	for (size_t i = 0; i < n; i++)
		mean += sorted[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += pow(sorted[i] - mean, 2);
	if (kept > 1)
		t.variance = squares / ((double)kept * ((double)kept - 1));
	return t;
}

/* What a split says of a change: the difference of the logarithms, its standard error, and the chance of one that is as
 * large without a change. */
struct split {
	double change, error, degrees, p;
};

static double split_p(double change, double error, double degrees)
{
	if (isnan(error))
		return NAN;
	return error > 0 ? ompp_t_tail(change / error, degrees) : fabs(change) > 0 ? 0 : 1;
}

/* Tests a split by the runs of both sides. */
static struct split points_by_runs(const struct points *p, size_t from, size_t at, size_t end)
{
	struct trimmed a = points_trim(p, from, at), b = points_trim(p, at, end);
	struct split s = { b.mean - a.mean, sqrt(a.variance + b.variance), NAN, NAN };

	s.degrees = a.variance + b.variance > 0
	                  ? pow(a.variance + b.variance, 2) /
	                            (a.variance * a.variance / a.degrees + b.variance * b.variance / b.degrees)
	                  : a.degrees + b.degrees;
	s.p = split_p(s.change, s.error, s.degrees);
	return s;
}

/* Tests it by the medians of the versions; p is NaN where these are too few. */
static struct split points_by_versions(const struct points *p, size_t from, size_t at, size_t end)
{
	double a = (double)points_runs(p, from, at), b = (double)points_runs(p, at, end);
	struct split s = { points_mean(p, at, end) - points_mean(p, from, at), NAN, (double)(end - from) - 2, NAN };

	if (s.degrees < LEAST_DEGREES)
		return s;
	s.error = sqrt((points_squares(p, from, at) + points_squares(p, at, end)) / s.degrees * (1 / a + 1 / b));
	s.p = split_p(s.change, s.error, s.degrees);
	return s;
}

static int points_may_split(const struct points *p, size_t from, size_t at, size_t end)
{
	return points_runs(p, from, at) >= OMPP_LEAST_SIDE && points_runs(p, at, end) >= OMPP_LEAST_SIDE;
}

/* Returns the split that leaves the least squares, and counts those that are possible; end when there is none. */
static size_t points_best(const struct points *p, size_t from, size_t end, size_t *n_splits)
{
	double least = INFINITY;
	size_t best = end;

	*n_splits = 0;
	for (size_t at = from + 1; at < end; at++) {
		double squares;

		if (!points_may_split(p, from, at, end))
			continue;
		(*n_splits)++;
		squares = points_squares(p, from, at) + points_squares(p, at, end);
		if (squares < least) {
			least = squares;
			best = at;
		}
	}
	return best;
}

/* ---- where it is ---- */

/* Returns how likely a split is beside the best one, by the squares that it leaves more. */
static double points_likeness(const struct points *p, size_t from, size_t at, size_t end, double best, double variance,
                              double degrees)
{
	double more = points_squares(p, from, at) + points_squares(p, at, end) - best;

	return variance > 0 ? pow(1 + more / (degrees * variance), -(degrees + 1) / 2) : more > 0 ? 0 : 1;
}

/* Finds the versions that may be the first one behind the change: the likeliest ones, until the confidence is reached.
 * The variance of a run is that which the test took. */
static void points_where(const struct points *p, size_t from, size_t end, const struct split *s,
                         struct ompp_change_point *c)
{
	double a = (double)points_runs(p, from, c->at), b = (double)points_runs(p, c->at, end);
	double variance = s->error * s->error / (1 / a + 1 / b), sum = 0, held,
	       best = points_squares(p, from, c->at) + points_squares(p, c->at, end);
	size_t first = c->at, last = c->at;

	for (size_t at = from + 1; at < end; at++)
		sum += points_likeness(p, from, at, end, best, variance, s->degrees);
	held = points_likeness(p, from, c->at, end, best, variance, s->degrees);
	while (held < confidence * sum && (first > from + 1 || last + 1 < end)) {
		double below = first > from + 1 ? points_likeness(p, from, first - 1, end, best, variance, s->degrees)
		                                : -1,
		       above = last + 1 < end ? points_likeness(p, from, last + 1, end, best, variance, s->degrees)
		                              : -1;

		held += fmax(below, above);
		if (above > below)
			last++;
		else
			first--;
	}
	c->from = first;
	c->to = last;
}

/* ---- all of it ---- */

/* Versions [from, end) with their best split; at is end when there is none. */
struct window {
	size_t from, at, end, n_splits;
	struct split split;
};

static struct window points_window(const struct points *p, size_t from, size_t end)
{
	struct window w = { .from = from, .end = end, .split = { .p = NAN } };
	struct split runs, versions;

	w.at = points_best(p, from, end, &w.n_splits);
	if (w.at == end)
		return w;
	runs = points_by_runs(p, from, w.at, end);
	versions = points_by_versions(p, from, w.at, end);
	/* where some versions tell how they vary, runs alone are not believed */
	w.split = isnan(versions.p) && p->n >= LEAST_DEGREES + 2 ? versions : versions.p > runs.p ? versions : runs;
	return w;
}

static int points_is_change(const struct points *p, const struct window *w, size_t n_splits)
{
	return w->split.p * (double)n_splits <= p->level && fabs(w->split.change) >= log1p(p->least);
}

/* Looks at the first and at the last versions alone: a time that rises and falls again has no single split.  Returns
 * the window whose split is surest; n_splits gets the number of splits of all windows. */
static struct window points_parts(const struct points *p, size_t from, size_t end, size_t *n_splits)
{
	struct window best = points_window(p, from, end);
	size_t step = (end - from) / MOST_WINDOWS + 1;

	*n_splits = best.n_splits;
	for (size_t cut = step; cut + 2 < end - from; cut += step)
		for (int is_last = 0; is_last < 2; is_last++) {
			struct window w = is_last ? points_window(p, from + cut, end)
			                          : points_window(p, from, end - cut);

			*n_splits += w.n_splits;
			if (w.split.p < best.split.p || isnan(best.split.p))
				best = w;
		}
	return best;
}

/* Finds the changes of versions [from, end), in their order. */
static void points_divide(struct points *p, size_t from, size_t end)
{
	struct ompp_change_points *told = p->told;
	struct ompp_change_point c = { 0 };
	struct window w = points_window(p, from, end);
	size_t n_splits = w.n_splits, at;
	struct split s;
	double reach;

	if (w.at == end)
		return;
	if (told->course == OMPP_VERSIONS_FEW)
		told->course = OMPP_VERSIONS_STEADY;
	if (!points_is_change(p, &w, n_splits))
		w = points_parts(p, from, end, &n_splits);
	if (!points_is_change(p, &w, n_splits))
		return;
	at = w.at;
	s = w.split;
	c.p = fmin(1, s.p * (double)n_splits);
	points_divide(p, from, at);
	if (told->n == OMPP_MOST_CHANGES)
		return;
	c.at = at;
	points_where(p, w.from, w.end, &s, &c);
	reach = s.error > 0 ? s.error * ompp_t_quantile(p->level, s.degrees) : 0;
	c.ratio = exp(s.change);
	c.low = exp(s.change - reach);
	c.high = exp(s.change + reach);
	told->list[told->n++] = c;
	points_divide(p, at, end);
}

/* Returns Schwarz's criterion of a model that leaves these squares. */
static double points_criterion(double squares, size_t n, size_t n_parameters)
{
	return (double)n * log(squares / (double)n) + (double)n_parameters * log((double)n);
}

/* Looks whether a straight line says more than the changes do; then it is a drift. */
static void points_drift(struct points *p)
{
	struct ompp_change_points *told = p->told;
	double *x = p->room, *y = p->room + p->n, *weights = p->room + 2 * p->n, steps = 0, line = 0, reach;
	struct ompp_line_fit fit;
	size_t from = 0;

	if (p->n < LEAST_DRIFT || told->course == OMPP_VERSIONS_FEW)
		return;
	for (size_t i = 0; i <= told->n; i++) {
		size_t end = i < told->n ? told->list[i].at : p->n;

		steps += points_squares(p, from, end);
		from = end;
	}
	for (size_t i = 0; i < p->n; i++) {
		x[i] = (double)i;
		y[i] = p->list[i].median;
		weights[i] = (double)p->list[i].n;
	}
	fit = ompp_fit_line(x, y, weights, p->n);
	for (size_t i = 0; i < p->n; i++)
		line += weights[i] * pow(y[i] - fit.intercept - fit.slope * x[i], 2);
	if (!(split_p(fit.slope, fit.slope_error, (double)p->n - 2) <= p->level) ||
	    fabs(fit.slope) * (double)(p->n - 1) < log1p(p->least) ||
	    !(line <= 0 || points_criterion(line, p->n, 2) < points_criterion(steps, p->n, 1 + 2 * told->n)))
		return;
	reach = fit.slope_error * ompp_t_quantile(p->level, (double)p->n - 2);
	told->course = OMPP_VERSIONS_DRIFT;
	told->n = 0;
	told->drift = exp(fit.slope * (double)(p->n - 1));
	told->drift_low = exp((fit.slope - reach) * (double)(p->n - 1));
	told->drift_high = exp((fit.slope + reach) * (double)(p->n - 1));
}

/* Takes the logarithms and the medians of the versions. */
static void points_take(struct points *p, const double *times, const size_t *versions, size_t n)
{
	size_t n_runs = 0;

	for (size_t i = 0; i < n; i++) {
		struct version *v = p->n ? &p->list[p->n - 1] : NULL;

		if (!(times[i] > 0) || !isfinite(times[i]))
			continue;
		if (!v || v->number != versions[i]) {
			v = &p->list[p->n++];
			*v = (struct version){ versions[i], n_runs, 0, NAN };
		}
		p->logs[n_runs++] = log(times[i]);
		v->n++;
	}
	for (size_t i = 0; i < p->n; i++) {
		memcpy(p->room, p->logs + p->list[i].first, p->list[i].n * sizeof(*p->room));
		p->list[i].median = ompp_median(p->room, p->list[i].n);
	}
}

int ompp_change_points(const double *times, const size_t *versions, size_t n, double level, double least,
                       struct ompp_arena *arena, struct ompp_change_points *points)
{
	struct points p = { .level = level, .least = least, .told = points };

	memset(points, 0, sizeof(*points));
	points->drift = points->drift_low = points->drift_high = NAN;
	p.logs = ompp_arena_alloc(arena, (n + 1) * sizeof(*p.logs));
	p.room = ompp_arena_alloc(arena, (3 * n + 1) * sizeof(*p.room));
	p.list = ompp_arena_alloc(arena, (n + 1) * sizeof(*p.list));
	if (!p.logs || !p.room || !p.list)
		return -ENOMEM;
	points_take(&p, times, versions, n);
	points_divide(&p, 0, p.n);
	if (points->n)
		points->course = OMPP_VERSIONS_CHANGED;
	points_drift(&p);
	for (size_t i = 0; i < points->n; i++) { /* back to the caller's numbers */
		struct ompp_change_point *c = &points->list[i];

		c->at = p.list[c->at].number;
		c->from = p.list[c->from].number;
		c->to = p.list[c->to].number;
	}
	return 0;
}
