/*
 * Scaling: see scaling.h.
 */
#include "reports/compare/scaling.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/analysis/classes.h"
#include "reports/analysis/init.h"
#include "reports/analysis/label.h"
#include "reports/bounds/forecast.h"
#include "reports/compare/match.h"
#include "reports/exchange/flat.h"
#include "runtime/base/array.h"
#include "runtime/base/sort.h"

struct scaler {
	struct ompp_arena *arena;
	const struct ompp_profile *profiles;
	const double *sizes; /* NULL when it is by threads */
	struct ompp_analysis *analyses;
	struct ompp_classes *classes;
	struct ompp_efficiency *efficiencies; /* of each run as a whole */
	size_t n_runs;
	struct ompp_region *regions; /* of all runs */
	const char **names;
	size_t n_regions;
	uint32_t **region_of, *point_of;
	double *x, *y, *weights; /* by run, for fits */
};

static int find_regions(struct scaler *s)
{
	size_t n = 0;

	for (size_t run = 0; run < s->n_runs; run++)
		n += s->profiles[run].n_regions;
	s->regions = ompp_arena_alloc(s->arena, (n + 1) * sizeof(*s->regions));
	s->names = ompp_arena_alloc(s->arena, (n + 1) * sizeof(*s->names));
	s->region_of = ompp_arena_alloc(s->arena, s->n_runs * sizeof(*s->region_of));
	if (!s->regions || !s->names || !s->region_of)
		return -ENOMEM;
	for (size_t run = 0; run < s->n_runs; run++) {
		const struct ompp_profile *p = &s->profiles[run];
		uint32_t *of = ompp_arena_alloc(s->arena, (p->n_regions + 1) * sizeof(*of));

		if (!of || ompp_match(s->regions, s->n_regions, p->regions, p->n_regions, of, s->arena))
			return -ENOMEM;
		for (uint32_t i = 0; i < p->n_regions; i++) {
			if (of[i] != OMPP_NONE)
				continue;
			of[i] = (uint32_t)s->n_regions++;
			s->regions[of[i]] = p->regions[i];
			s->names[of[i]] = ompp_region_title(&s->analyses[run], &p->regions[i], p->regions[i].construct);
			if (!s->names[of[i]])
				return -ENOMEM;
		}
		s->region_of[run] = of;
	}
	return 0;
}

/* ---- points ---- */

/* Returns what tells a run's point: the size of its problem, or the number of threads. */
static double scaling_key(const struct scaler *s, uint32_t run)
{
	return s->sizes ? s->sizes[run] : s->profiles[run].max_threads;
}

static int is_after(const void *of, uint32_t x, uint32_t y)
{
	const struct scaler *s = of;
	double a = scaling_key(s, x), b = scaling_key(s, y);

	return a > b || (!(a < b) && s->efficiencies[x].n_processes > s->efficiencies[y].n_processes);
}

/* Adds the efficiencies of a run to the means of its point. */
static void add_efficiency(struct ompp_scaling_point *point, const struct ompp_efficiency *e)
{
	double n = (double)point->n_runs;

	point->n_processes = e->n_processes;
	point->useful_ns += e->useful_ns == OMPP_MISSING ? NAN : (double)e->useful_ns / n;
	for (int k = 0; k < OMPP_N_EFFICIENCIES; k++)
		point->shares[k] += e->share[k] == OMPP_MISSING ? NAN : (double)e->share[k] / 1e9 / n;
}

static void make_efficiencies(const struct scaler *s, struct ompp_scaling *scaling)
{
	for (uint32_t run = 0; run < s->n_runs; run++)
		add_efficiency(&scaling->points[s->point_of[run]], &s->efficiencies[run]);
	for (size_t i = 0; i < scaling->n_points; i++) {
		struct ompp_scaling_point *point = &scaling->points[i];

		point->computation = s->sizes || !(point->useful_ns > 0)
		                           ? NAN
		                           : scaling->points[0].useful_ns / point->useful_ns;
		point->global = point->computation * point->shares[OMPP_EFFICIENCY_PARALLEL];
	}
}

/* Sorts the runs into points. */
static int make_points(struct scaler *s, struct ompp_scaling *scaling)
{
	uint32_t *order = ompp_sorted(s->arena, s->n_runs, is_after, s);
	double *walls = ompp_arena_alloc(s->arena, s->n_runs * sizeof(*walls));

	scaling->points = ompp_arena_alloc(s->arena, s->n_runs * sizeof(*scaling->points));
	s->point_of = ompp_arena_alloc(s->arena, s->n_runs * sizeof(*s->point_of));
	if (!order || !walls || !scaling->points || !s->point_of)
		return -ENOMEM;
	for (size_t i = 0, from = 0; i < s->n_runs; i++) {
		struct ompp_scaling_point *point;

		if (!i || is_after(s, order[i], order[i - 1])) {
			scaling->n_points++;
			from = i;
		}
		point = &scaling->points[scaling->n_points - 1];
		s->point_of[order[i]] = (uint32_t)scaling->n_points - 1;
		point->n_threads = s->profiles[order[i]].max_threads;
		point->size = s->sizes ? s->sizes[order[i]] : NAN;
		walls[i] = (double)s->analyses[order[i]].measured_ns;
		point->n_runs = i - from + 1;
		point->wall_ns = ompp_sample_of(walls + from, point->n_runs);
		point->capacity_ns = point->wall_ns.mean * point->n_threads;
	}
	for (size_t i = 0; i < scaling->n_points; i++) {
		struct ompp_scaling_point *point = &scaling->points[i], *first = &scaling->points[0];

		point->speedup = s->sizes ? NAN : first->wall_ns.mean * first->n_threads / point->wall_ns.mean;
		point->efficiency = point->speedup / point->n_threads;
	}
	make_efficiencies(s, scaling);
	return 0;
}

/* ---- predictions ---- */

static double known(int64_t ns)
{
	return ns == OMPP_MISSING ? NAN : (double)ns;
}

/* Chooses the forecasts from which all points are predicted; NULL without any. */
static const struct ompp_forecasts *predicting(const struct scaler *s, struct ompp_scaling *scaling)
{
	const struct ompp_forecasts *chosen = NULL;

	for (size_t run = 0; run < s->n_runs && !s->sizes; run++) {
		uint32_t n = s->profiles[run].max_threads, best = scaling->predicting_threads;
		const struct ompp_forecasts *f = s->profiles[run].n_predictions ? ompp_forecasts(&s->analyses[run])
		                                                                : NULL;

		if (!f || f->serial_ns == OMPP_MISSING || (best && (best > 1 ? n == 1 || n >= best : n == 1)))
			continue;
		chosen = f;
		scaling->predicting_threads = n;
	}
	return chosen;
}

static void predict_points(const struct scaler *s, struct ompp_scaling *scaling)
{
	const struct ompp_forecasts *f = predicting(s, scaling);

	for (size_t i = 0; i < scaling->n_points; i++) {
		struct ompp_scaling_point *point = &scaling->points[i];
		const struct ompp_forecast *at = f && point->n_processes < 2
		                                       ? ompp_forecast_of(f->run, point->n_threads)
		                                       : NULL;

		point->predicted_least_ns = at ? known(at->least_ns) : NAN;
		point->predicted_ns = at ? known(at->likely_ns) : NAN;
		point->predicted_most_ns = at ? known(at->most_ns) : NAN;
	}
}

static double global_of(const struct ompp_scaling_point *point, int k)
{
	(void)k;
	return point->global;
}

static double computation_of(const struct ompp_scaling_point *point, int k)
{
	(void)k;
	return point->computation;
}

static double share_of(const struct ompp_scaling_point *point, int k)
{
	return point->shares[k];
}

struct ompp_scaling_efficiency ompp_scaling_efficiency(int i)
{
	static const struct ompp_scaling_efficiency compared[] = {
		{ "global_efficiency", "global efficiency", "all of the below", 0, global_of, 0 },
		{ "computation_scaling", "computation scaling", "useful work takes all threads together longer", 1,
		  computation_of, 0 },
	};
	int n = (int)OMPP_COUNT_OF(compared), k = i - n;

	if (i < n)
		return compared[i];
	if (k >= OMPP_N_EFFICIENCIES)
		return (struct ompp_scaling_efficiency){ .value = NULL };
	return (struct ompp_scaling_efficiency){ .name = ompp_efficiency_infos[k].name,
		                                 .title = ompp_efficiency_infos[k].title,
		                                 .words = ompp_efficiency_infos[k].words,
		                                 .depth = ompp_efficiency_infos[k].depth + 1,
		                                 .value = share_of,
		                                 .k = k };
}

/* ---- parts ---- */

static struct ompp_scaling_part *new_part(struct scaler *s, struct ompp_scaling *scaling, const char *name)
{
	struct ompp_scaling_part *part = &scaling->parts[scaling->n_parts++];
	size_t n = scaling->n_points;

	part->name = name;
	part->wall_ns = ompp_arena_alloc(s->arena, n * sizeof(*part->wall_ns));
	part->total_ns = ompp_arena_alloc(s->arena, n * sizeof(*part->total_ns));
	part->overhead_ns = ompp_arena_alloc(s->arena, n * sizeof(*part->overhead_ns));
	part->error_ns = ompp_arena_alloc(s->arena, n * sizeof(*part->error_ns));
	return part->wall_ns && part->total_ns && part->overhead_ns && part->error_ns ? part : NULL;
}

/* Fits the law to the seconds that s->y has, of each run; by threads, the weights are those of the program. */
static struct ompp_line_fit fit(struct scaler *s)
{
	if (!s->sizes)
		return ompp_fit_line(s->x, s->y, s->weights, s->n_runs);
	for (size_t run = 0; run < s->n_runs; run++)
		s->y[run] = s->y[run] > 0 ? log(s->y[run]) : NAN;
	return ompp_fit_line(s->x, s->y, NULL, s->n_runs);
}

static int add_serial(struct scaler *s, struct ompp_scaling *scaling)
{
	struct ompp_scaling_part *part = new_part(s, scaling, "the serial part");

	if (!part)
		return -ENOMEM;
	part->is_serial = 1;
	for (size_t run = 0; run < s->n_runs; run++) {
		uint32_t at = s->point_of[run];
		double n = (double)scaling->points[at].n_runs, ns = (double)s->classes[run].serial_ns;

		if (s->classes[run].serial_ns == OMPP_MISSING)
			ns = NAN;
		s->y[run] = ns / 1e9;
		part->wall_ns[at] += ns / n;
		part->total_ns[at] += ns / n * scaling->points[at].n_threads;
	}
	part->fit = fit(s);
	return 0;
}

static int add_region(struct scaler *s, struct ompp_scaling *scaling, uint32_t region)
{
	struct ompp_scaling_part *part = new_part(s, scaling, s->names[region]);
	int is_outer = 0;

	if (!part)
		return -ENOMEM;
	for (size_t run = 0; run < s->n_runs; run++) {
		uint32_t at = s->point_of[run];
		double n = (double)scaling->points[at].n_runs;

		s->y[run] = 0; /* a run that does not have the region spent no time there */
		for (size_t i = 0; i < s->classes[run].n; i++) {
			const struct ompp_parallel *p = &s->classes[run].list[i];

			if (s->region_of[run][p->region] != region)
				continue;
			is_outer |= p->outer_wall_ns > 0;
			s->y[run] += (double)p->outer_wall_ns / 1e9;
			part->wall_ns[at] += (double)p->outer_wall_ns / n;
			part->total_ns[at] += (double)p->total_ns / n;
			for (int k = 0; k < OMPP_N_OVERHEADS; k++) {
				part->overhead_ns[at][k] += (double)p->overhead_ns[k] / n;
				part->error_ns[at][k] = hypot(part->error_ns[at][k],
				                              p->error_ns[k] == OMPP_MISSING
				                                      ? NAN
				                                      : (double)p->error_ns[k] / n);
			}
		}
	}
	part->fit = fit(s);
	scaling->n_parts -= is_outer ? 0 : 1; /* inner teams are in the time of the outer ones */
	return 0;
}

/* Returns what parts are sorted by. */
static double scaling_weight(const struct ompp_scaling *scaling, uint32_t part)
{
	const struct ompp_scaling_part *p = &scaling->parts[part];

	return scaling->by_size ? p->wall_ns[scaling->n_points - 1] : p->fit.intercept;
}

static int is_shorter(const void *scaling, uint32_t x, uint32_t y)
{
	double a = scaling_weight(scaling, x), b = scaling_weight(scaling, y);

	a = isnan(a) ? -INFINITY : a;
	b = isnan(b) ? -INFINITY : b;
	return a < b || (!(a > b) && x > y);
}

static int make_parts(struct scaler *s, struct ompp_scaling *scaling)
{
	struct ompp_scaling_part *sorted;
	uint32_t *order;
	int rc;

	scaling->parts = ompp_arena_alloc(s->arena, (s->n_regions + 2) * sizeof(*scaling->parts));
	if (!scaling->parts)
		return -ENOMEM;
	rc = add_serial(s, scaling);
	for (uint32_t i = 0; i < s->n_regions && !rc; i++)
		if (ompp_construct_is_parallel(s->regions[i].construct))
			rc = add_region(s, scaling, i);
	order = rc ? NULL : ompp_sorted(s->arena, scaling->n_parts, is_shorter, scaling);
	sorted = ompp_arena_alloc(s->arena, (scaling->n_parts + 1) * sizeof(*sorted));
	if (!order || !sorted)
		return -ENOMEM;
	for (size_t i = 0; i < scaling->n_parts; i++)
		sorted[i] = scaling->parts[order[i]];
	scaling->parts = sorted;
	return 0;
}

/* ---- mapped bytes ---- */

/* Adds what a run maps in one of its constructs for a device. */
static void add_mapped(const struct scaler *s, const struct ompp_scaling *scaling, uint32_t run,
                       const struct ompp_flat_line *line, const uint32_t *mapped_of)
{
	const struct ompp_scaling_mapped *m;
	uint32_t at = s->point_of[run];
	double n = (double)scaling->points[at].n_runs;

	if (ompp_constructs[line->construct].form != OMPP_FORM_TARGET)
		return;
	m = &scaling->mapped[mapped_of[s->region_of[run][line->region]]];
	m->to_bytes[at] += line->cell.to_bytes == OMPP_MISSING ? NAN : (double)line->cell.to_bytes / n;
	m->from_bytes[at] += line->cell.from_bytes == OMPP_MISSING ? NAN : (double)line->cell.from_bytes / n;
}

static int make_mapped(struct scaler *s, struct ompp_scaling *scaling)
{
	uint32_t *mapped_of = ompp_arena_alloc(s->arena, (s->n_regions + 1) * sizeof(*mapped_of));
	size_t bytes = scaling->n_points * sizeof(double);

	scaling->mapped = ompp_arena_alloc(s->arena, (s->n_regions + 1) * sizeof(*scaling->mapped));
	if (!scaling->mapped || !mapped_of)
		return -ENOMEM;
	for (size_t i = 0; i < s->n_regions; i++) {
		struct ompp_scaling_mapped *m = &scaling->mapped[scaling->n_mapped];

		if (ompp_constructs[s->regions[i].construct].form != OMPP_FORM_TARGET)
			continue;
		*m = (struct ompp_scaling_mapped){ s->names[i], ompp_arena_alloc(s->arena, bytes),
			                           ompp_arena_alloc(s->arena, bytes) };
		if (!m->to_bytes || !m->from_bytes)
			return -ENOMEM;
		mapped_of[i] = (uint32_t)scaling->n_mapped++;
	}
	for (uint32_t run = 0; run < s->n_runs; run++) {
		struct ompp_flat flat;

		if (ompp_flat(&s->analyses[run], &flat))
			return -ENOMEM;
		for (size_t i = 0; i < flat.n; i++)
			add_mapped(s, scaling, run, &flat.lines[i], mapped_of);
	}
	return 0;
}

/* ---- the law ---- */

static int fit_program(struct scaler *s, struct ompp_scaling *scaling)
{
	const struct ompp_line_fit *f = &scaling->fit;
	double sum;

	s->x = ompp_arena_alloc(s->arena, s->n_runs * sizeof(*s->x));
	s->y = ompp_arena_alloc(s->arena, s->n_runs * sizeof(*s->y));
	s->weights = ompp_arena_alloc(s->arena, s->n_runs * sizeof(*s->weights));
	if (!s->x || !s->y || !s->weights)
		return -ENOMEM;
	for (size_t run = 0; run < s->n_runs; run++) {
		double mean = scaling->points[s->point_of[run]].wall_ns.mean / 1e9;

		s->x[run] = s->sizes ? log(s->sizes[run]) : 1.0 / s->profiles[run].max_threads;
		s->y[run] = (double)s->analyses[run].measured_ns / 1e9;
		s->weights[run] = 1 / (mean * mean);
	}
	scaling->fit = fit(s);
	scaling->fraction = scaling->fraction_error = NAN;
	if (s->sizes || !(f->slope > 0)) /* more threads made nothing shorter, of which the law knows nothing */
		return 0;
	sum = f->intercept + f->slope;
	scaling->fraction = f->intercept / sum;
	scaling->fraction_error = sqrt(f->slope * f->slope * f->intercept_error * f->intercept_error +
	                               f->intercept * f->intercept * f->slope_error * f->slope_error -
	                               2 * f->intercept * f->slope * f->covariance) /
	                          (sum * sum);
	return 0;
}

int ompp_scaling(const struct ompp_profile *profiles, const double *sizes, size_t n, struct ompp_arena *arena,
                 struct ompp_scaling *scaling)
{
	struct scaler s = { .arena = arena, .profiles = profiles, .sizes = sizes, .n_runs = n };
	struct ompp_report_options all = { 0 };
	int rc = 0;

	memset(scaling, 0, sizeof(*scaling));
	scaling->n_runs = n;
	scaling->by_size = sizes != NULL;
	s.analyses = ompp_arena_alloc(arena, n * sizeof(*s.analyses));
	s.classes = ompp_arena_alloc(arena, n * sizeof(*s.classes));
	s.efficiencies = ompp_arena_alloc(arena, n * sizeof(*s.efficiencies));
	if (!s.analyses || !s.classes || !s.efficiencies)
		return -ENOMEM;
	for (size_t i = 0; i < n && !rc; i++) {
		rc = ompp_analysis_init(&s.analyses[i], &profiles[i], &all, arena);
		if (!rc)
			rc = ompp_classes(&s.analyses[i], &s.classes[i]);
		if (!rc) {
			const struct ompp_efficiencies *e = ompp_efficiencies(&s.analyses[i]);

			rc = e ? 0 : -ENOMEM;
			if (e)
				s.efficiencies[i] = e->list[0];
		}
	}
	if (!rc)
		rc = find_regions(&s);
	if (!rc)
		rc = make_points(&s, scaling);
	if (!rc)
		predict_points(&s, scaling);
	if (!rc)
		rc = make_mapped(&s, scaling);
	if (!rc)
		rc = fit_program(&s, scaling);
	return rc ? rc : make_parts(&s, scaling);
}

static double scaling_speedup(double fraction, uint32_t n_threads)
{
	double serial = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;

	return 1 / (serial + (n_threads ? (1 - serial) / n_threads : 0)); /* may be infinite */
}

double ompp_scaling_at(const struct ompp_scaling *scaling, uint32_t n_threads, double level, double *low, double *high)
{
	double error = NAN;

	if (scaling->n_runs > 2)
		error = scaling->fraction_error * ompp_t_quantile(level, (double)scaling->n_runs - 2);
	*low = isnan(error) ? NAN : scaling_speedup(scaling->fraction + error, n_threads);
	*high = isnan(error) ? NAN : scaling_speedup(scaling->fraction - error, n_threads);
	return isnan(scaling->fraction) ? NAN : scaling_speedup(scaling->fraction, n_threads);
}

enum ompp_scaling_limit ompp_scaling_limit(const struct ompp_scaling *scaling, double level)
{
	const struct ompp_line_fit *f = &scaling->parts[0].fit;

	if (isnan(f->intercept) || f->intercept <= 0)
		return OMPP_LIMIT_NONE;
	if (scaling->n_runs < 3 || isnan(f->intercept_error))
		return OMPP_LIMIT_UNSURE;
	return f->intercept > ompp_t_quantile(level, (double)scaling->n_runs - 2) * f->intercept_error
	             ? OMPP_LIMIT_SURE
	             : OMPP_LIMIT_UNSURE;
}

double ompp_scaling_seconds(const struct ompp_scaling *scaling, double size, double level, double *low, double *high)
{
	double largest_ns = scaling->points[scaling->n_points - 1].wall_ns.mean, x = log(size), sum = 0, variance = 0,
	       error;

	for (size_t i = 0; i < scaling->n_parts; i++) {
		const struct ompp_scaling_part *part = &scaling->parts[i];
		const struct ompp_line_fit *f = &part->fit;
		double seconds = exp(f->intercept + f->slope * x);

		if (isnan(f->slope) && !(part->wall_ns[scaling->n_points - 1] > largest_ns / 1000))
			continue;
		sum += seconds;
		variance += seconds * seconds *
		            (f->intercept_error * f->intercept_error + x * x * f->slope_error * f->slope_error +
		             2 * x * f->covariance);
	}
	error = scaling->n_runs > 2 ? ompp_t_quantile(level, (double)scaling->n_runs - 2) * sqrt(variance) : NAN;
	*low = sum > error ? sum - error : isnan(error) ? NAN : 0;
	*high = sum + error;
	return sum;
}

void ompp_scaling_power(const struct ompp_line_fit *fit, double level, double *low, double *high)
{
	double error = fit->n > 2 ? ompp_t_quantile(level, (double)fit->n - 2) * fit->slope_error : NAN;

	*low = fit->slope - error;
	*high = fit->slope + error;
}

/* Each part is a test, so each has its share of the level. */
const struct ompp_scaling_part *ompp_scaling_fastest(const struct ompp_scaling *scaling, double level)
{
	double least_ns = scaling->points[scaling->n_points - 1].wall_ns.mean / 100, t = NAN;
	const struct ompp_scaling_part *fastest = NULL;

	if (scaling->n_runs > 2)
		t = ompp_t_quantile(level / (double)scaling->n_parts, (double)scaling->n_runs - 2);
	for (size_t i = 0; i < scaling->n_parts; i++) {
		const struct ompp_scaling_part *part = &scaling->parts[i];
		double error = hypot(part->fit.slope_error, scaling->fit.slope_error);

		if (part->wall_ns[scaling->n_points - 1] >= least_ns &&
		    part->fit.slope - scaling->fit.slope > t * error &&
		    (!fastest || part->fit.slope > fastest->fit.slope))
			fastest = part;
	}
	return fastest;
}
