/*
 * Scaling: how the time of a program and of its parts depends on the number of threads, or on the size of its problem.
 *
 * A part is a parallel region, outside of other ones, or the serial part.  Amdahl's law, T(p) = a + b / p, is fitted to
 * the wall times of all runs, weighted for equal relative errors; a / (a + b) is the serial fraction.  The a of a part
 * is the part of its time that more threads do not shorten.  The law includes neither the cost of more threads nor
 * effects of caches.  So extrapolations are only as good as the law; their interval is due to the noise of the runs.
 *
 * Runs with the same number of threads in another number of processes are a separate point.
 *
 * By size the law is T(n) = c × n^k, fitted to the logarithms of all runs, which must have the same number of threads.
 */
#ifndef OMPP_SCALING_H
#define OMPP_SCALING_H

#include "reports/analysis/efficiency.h"
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
	uint32_t n_processes;
	double shares[OMPP_N_EFFICIENCIES]; /* efficiencies of the run: means of the runs; NaN when not known */
	double useful_ns;                   /* useful time of all threads, the same */
	/* what one run says that others take (reports/bounds/forecast.h); NaN when it does not */
	double predicted_least_ns, predicted_ns, predicted_most_ns;
	double computation; /* useful time with the fewest threads by that of this point */
	double global;      /* the product of the parallel efficiency and that */
};

struct ompp_scaling_part {
	const char *name;
	int is_serial;
	double *wall_ns, *total_ns;              /* by point: means */
	double (*overhead_ns)[OMPP_N_OVERHEADS]; /* by point, of all threads; of the serial part 0 */
	double (*error_ns)[OMPP_N_OVERHEADS];    /* standard errors of these means due to visits that were not timed */
	struct ompp_line_fit fit; /* seconds over 1 / threads; by size, of both logarithms, where the slope
	                             is the power, NaN when a run spent no time there */
};

/* A row of the table of efficiencies: an efficiency of a run, or one by which runs are compared. */
struct ompp_scaling_efficiency {
	const char *name, *title, *words; /* in exports; in the table; what is lost where it is below 1 */
	int depth;                        /* the product of those one step deeper is the one above them */
	double (*value)(const struct ompp_scaling_point *point, int k); /* NaN when not known */
	int k;                                                          /* what the function is given */
};

/* A construct for a device, with the bytes that its clauses map, by point: means, NaN where a run does not know them.
 */
struct ompp_scaling_mapped {
	const char *name;
	double *to_bytes, *from_bytes;
};

struct ompp_scaling {
	int by_size;
	struct ompp_scaling_point *points; /* ascending threads, or sizes */
	size_t n_points, n_runs;
	uint32_t predicting_threads; /* of the run that predicts: the one with fewest threads, but more than one if
	                                there is such, that looked for its longest path; 0 without any */
	struct ompp_line_fit fit;
	double fraction, fraction_error; /* the serial fraction and its standard error; NaN when not known, as when more
	                                    threads did not shorten the run */
	struct ompp_scaling_part *parts; /* by threads: sorted by the time that is not shortened, longest first; by
	                                    size: by the time at the largest size */
	size_t n_parts;
	struct ompp_scaling_mapped *mapped; /* in the order of the runs' regions */
	size_t n_mapped;
};

/* Looks at the runs.  There must be two numbers of threads, or sizes, at least.  Returns 0 or -ENOMEM.
 * sizes: of the problems, by run, all above 0; NULL to look at the numbers of threads */
int ompp_scaling(const struct ompp_profile *profiles, const double *sizes, size_t n, struct ompp_arena *arena,
                 struct ompp_scaling *scaling);

/* Returns row i of the table of efficiencies; that of no value past the last. */
struct ompp_scaling_efficiency ompp_scaling_efficiency(int i);

/* Returns the predicted seconds for a size and their interval at the level; NaN when not known.  The power laws of the
 * parts are added up, as a sum of powers is not a power.  A part without a law makes the result unknown if it takes a
 * thousandth of the largest run. */
double ompp_scaling_seconds(const struct ompp_scaling *scaling, double size, double level, double *low, double *high);

/* Returns the part with the largest power of the size, if that is significantly larger than the program's at the level,
 * and the part takes at least a hundredth of the largest run.  NULL when there is none. */
const struct ompp_scaling_part *ompp_scaling_fastest(const struct ompp_scaling *scaling, double level);

/* Sets the interval of a fitted power at the level; NaN where it is not known. */
void ompp_scaling_power(const struct ompp_line_fit *fit, double level, double *low, double *high);

/* Returns the speed-up that Amdahl's law gives so many threads (0: any number), against one, and its interval at the
 * level; NaN where it is not known. */
double ompp_scaling_at(const struct ompp_scaling *scaling, uint32_t n_threads, double level, double *low, double *high);

/* Does a part of the time remain with any number of threads, and is it larger than its error at the level?  It is that
 * of the first part. */
enum ompp_scaling_limit { OMPP_LIMIT_NONE, OMPP_LIMIT_UNSURE, OMPP_LIMIT_SURE };
enum ompp_scaling_limit ompp_scaling_limit(const struct ompp_scaling *scaling, double level);

#endif
