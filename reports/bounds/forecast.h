/*
 * Forecast: how long the run, and each of its parallel regions, would take with other numbers of threads, and what
 * limits it then.
 *
 * A region's times are those of the runtime (runtime/span/predict.h), and at least what its bytes take at the roof of
 * the machine's memory, where both are known (bounds/roofline.h).  The run takes those of all regions that are in no
 * other one, and its serial part, which is what the longest path has outside of them.  The number of threads is that
 * of these teams; teams inside of them have as many as they had.
 */
#ifndef OMPP_BOUNDS_FORECAST_H
#define OMPP_BOUNDS_FORECAST_H

#include "reports/analysis/analysis.h"

enum { OMPP_FORECASTS = 9 }; /* 1, 2, 4 … 256 threads */

enum ompp_limit {
	OMPP_LIMITED_BY_WORK,   /* each thread has its share of it */
	OMPP_LIMITED_BY_SERIAL, /* the part of the run in no region */
	OMPP_LIMITED_BY_SPAN,
	OMPP_LIMITED_BY_LOCK,       /* a critical or ordered region */
	OMPP_LIMITED_BY_MANAGEMENT, /* of teams and tasks */
	OMPP_LIMITED_BY_BANDWIDTH,
	OMPP_LIMITED_BY_IMBALANCE, /* strands are too long to be shared evenly */
	OMPP_N_LIMITS
};

/* Times of one number of threads; each OMPP_MISSING when it is not known. */
struct ompp_forecast {
	uint32_t n_threads;
	int64_t least_ns, likely_ns, most_ns;
	enum ompp_limit limit;
	int64_t limit_ns; /* what that alone takes; of the run: the likely time of all parts that it limits */
};

/* Of a parallel region at a call path; executions that the runtime could not look at are as long as the others. */
struct ompp_region_forecast {
	uint32_t node;
	struct ompp_forecast by[OMPP_FORECASTS];
};

struct ompp_forecasts {
	struct ompp_forecast run[OMPP_FORECASTS]; /* all missing where a part is not known */
	int64_t serial_ns;                        /* OMPP_MISSING where it is not known */
	struct ompp_region_forecast *regions;     /* in the order of the profile's nodes */
	size_t n;
};

/* Makes the forecasts of a profile, in the analysis' arena.  Returns NULL without memory. */
const struct ompp_forecasts *ompp_forecasts(const struct ompp_analysis *a);

/* Returns the forecast for a number of threads; NULL where there is none. */
const struct ompp_forecast *ompp_forecast_of(const struct ompp_forecast by[OMPP_FORECASTS], uint32_t n_threads);

/* Returns "critical region". */
const char *ompp_limit_text(enum ompp_limit limit);

#endif
