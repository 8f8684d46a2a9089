/*
 * Scaling: how the time of a program and of its parts depends on the number of threads, or on the size of its problem.
 *
 * A part is a parallel region, outside of other ones, or the serial part.  Amdahl's law, T(p) = a + b / p, is fitted to
 * the wall times of all runs, each with a weight for the same relative error; a / (a + b) is the serial fraction.  What
 * of a part does not become shorter with more threads is its own a.  The law knows neither what more threads cost nor
 * caches; so extrapolations say what it says, with the interval that the noise of the runs leaves.
 *
 * By size the law is T(n) = c × n^k, fitted to the logarithms of all runs, which have one number of threads.
 */
#ifndef OMPP_SCALING_H
#define OMPP_SCALING_H

#include "reports/compare/statistic.h"
#include "reports/profile/profile.h"
#include "runtime/terms/construct.h"

struct ompp_scaling_point {
	uint32_t n_threads;
	double size; /* NaN when it is by threads */
	size_t n_runs;
	struct ompp_sample wall_ns;
	double speedup, efficiency; /* against the fewest threads, which count as ideal; NaN when it is by size */
	double capacity_ns;         /* time of all threads */
};

struct ompp_scaling_part {
	const char *name;
	int is_serial;
	double *wall_ns, *total_ns;              /* by point: means */
	double (*overhead_ns)[OMPP_N_OVERHEADS]; /* by point, of all threads; of the serial part 0 */
	double (*error_ns)[OMPP_N_OVERHEADS];    /* standard errors of these means by visits that were not timed */
	struct ompp_line_fit fit; /* seconds over 1 / threads; by size, of both logarithms, where the slope
	                             is the power, NaN when a run spent no time there */
};

struct ompp_scaling {
	int by_size;
	struct ompp_scaling_point *points; /* ascending threads, or sizes */
	size_t n_points, n_runs;
	struct ompp_line_fit fit;
	double fraction, fraction_error; /* the serial fraction and its standard error; NaN when not known, as where
	                                    more threads made nothing shorter */
	struct ompp_scaling_part *parts; /* what does not become shorter: the longest first; by size, what takes longest
	                                    at the largest one */
	size_t n_parts;
};

/* Looks at the runs.  There must be two numbers of threads, or sizes, at least.  Returns 0 or -ENOMEM.
 * sizes: of the problems, by run, all above 0; NULL to look at the numbers of threads */
int ompp_scaling(const struct ompp_profile *profiles, const double *sizes, size_t n, struct ompp_arena *arena,
                 struct ompp_scaling *scaling);

/* Returns the seconds that the power laws of all parts give a size, added up, as the sum of two powers is none, and
 * their interval at the level; NaN where it is not known.  A part without a law counts when it takes a thousandth of
 * the largest run. */
double ompp_scaling_seconds(const struct ompp_scaling *scaling, double size, double level, double *low, double *high);

/* Returns the part whose time grows with a larger power of the size than the program's, where that is more than their
 * errors at the level, and which takes a hundredth of the largest run at least: the one with the largest power.  NULL
 * when there is none. */
const struct ompp_scaling_part *ompp_scaling_fastest(const struct ompp_scaling *scaling, double level);

/* Sets the interval of a fitted power at the level; NaN where it is not known. */
void ompp_scaling_power(const struct ompp_line_fit *fit, double level, double *low, double *high);

/* Returns the speed-up that Amdahl's law gives so many threads (0: any number), against one, and its interval at the
 * level; NaN where it is not known. */
double ompp_scaling_at(const struct ompp_scaling *scaling, uint32_t n_threads, double level, double *low, double *high);

/* Is there a part of which something stays with any number of threads, and is that more than its error at the level?
 * It is the first part. */
enum ompp_scaling_limit { OMPP_LIMIT_NONE, OMPP_LIMIT_UNSURE, OMPP_LIMIT_SURE };
enum ompp_scaling_limit ompp_scaling_limit(const struct ompp_scaling *scaling, double level);

#endif
