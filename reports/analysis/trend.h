/*
 * Trend: whether the visits of a cell become longer in the course of the run, by their slices.
 *
 * With noise alone, as many pairs of slices rise as fall.  Kendall's rank correlation gives the probability that so few
 * pairs do not rise by chance, if every order of the slices is equally likely.  It uses only the order of the times, so
 * that a few very long visits weigh no more than others.  A single step, as when another program starts or the thread
 * moves to another core, is no trend.  So two more conditions must hold: wherever the run is cut in two, the pairs
 * within each part rise, too; and the visits in each quarter of the slices take at least a tenth longer than in the
 * quarter before.
 */
#ifndef OMPP_ANALYSIS_TREND_H
#define OMPP_ANALYSIS_TREND_H

#include "reports/profile/profile.h"

enum { OMPP_LEAST_TREND_SLICES = 8 };

/* All 0 when there are fewer slices. */
struct ompp_trend {
	uint64_t n_early, n_late;  /* visits in the first and in the last quarter of the slices */
	int64_t early_ns, late_ns; /* what these took */
	uint64_t n_pairs;          /* pairs of slices; a last one that is less than half full is left out */
	uint64_t n_rising;         /* those in whose later slice the mean visit took longer */
	uint64_t n;                /* all visits */
	int64_t more_ns;           /* what they took above as many early ones */
	int is_slower; /* 1 when late visits take half as long again, and chance makes such a trend in fewer than one
	                  run of 10,000, and with one step in fewer than one of 1,000 */
};

/* Tells the trend of a cell. */
void ompp_trend_of(const struct ompp_profile *profile, uint32_t cell, struct ompp_trend *trend);

/* Adds another cell's visits and pairs. */
void ompp_trend_add(struct ompp_trend *sum, const struct ompp_trend *more);

/* Returns what the mean of n visits took; OMPP_MISSING without any. */
int64_t ompp_trend_mean(int64_t ns, uint64_t n);

#endif
