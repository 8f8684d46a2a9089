/*
 * Sample stats: what samples of memory accesses add up to, and how sure that is.  All errors are standard errors.
 *
 *   accesses    the sum of the periods; its variance is the sum of the samples' variances
 *
 *   mean        of the latencies; its error comes from the sum of their squares
 *
 *   quantile    two bounds: the buckets of the samples whose ranks are one standard error below and above the
 *               quantile's
 *
 *   cost        the latency, or the accesses; the error of its share is that of part / (part + rest), whose errors are
 *               independent.  If no sample or all of them are of the part, it is the error of 0 of n samples
 *
 *   share       k of n; its error is that of (k + 2) of (n + 4), which is not 0 where all samples or none are of a kind
 */
#ifndef OMPP_SAMPLE_STATS_H
#define OMPP_SAMPLE_STATS_H

#include "reports/analysis/analysis.h"
#include "runtime/base/histogram.h"
#include "runtime/ompp_mem.h"

/* Text shows neither latencies nor levels of fewer samples. */
enum { OMPP_LEAST_SAMPLES = 10 };

struct ompp_sample_stats {
	struct ompp_sampled_sum sum; /* of all levels */
	uint64_t n_homed, n_far; /* samples that memory answered and whose node is known; those of them from a processor
	                            of another node */
	uint64_t levels[OMPP_MEM_N_LEVELS];
	uint64_t buckets[OMPP_HISTOGRAM_BUCKETS];
};

/* Adds the samples of another group. */
void ompp_sample_stats_add(struct ompp_sample_stats *sum, const struct ompp_sample_stats *more);

/* Is a profile's cost of samples their latency?  Where no latency is known it is the number of accesses. */
int ompp_sample_stats_has_latencies(const struct ompp_profile *profile);

/* Returns what a sum costs: its latency, or the accesses. */
int64_t ompp_sampled_cost(int by_latency, const struct ompp_sampled_sum *sum);

/* Returns the standard error of the number of accesses. */
int64_t ompp_sampled_error(const struct ompp_sampled_sum *sum);

/* Returns the mean latency in thousandths; OMPP_MISSING when no latency is known. */
int64_t ompp_sampled_mean(const struct ompp_sampled_sum *sum);

/* Returns the error of the mean in thousandths; OMPP_MISSING of fewer than two latencies. */
int64_t ompp_sampled_mean_error(const struct ompp_sampled_sum *sum);

/* Gets the bounds of a percentile: the latency that so many per cent of the accesses do not exceed.  Returns 0 when
 * there are too few latencies for any to be above it. */
int ompp_sample_stats_quantile(const struct ompp_sample_stats *s, unsigned int percent, uint32_t *least,
                               uint32_t *most);

/* Returns the variance of a sum's cost.  For latencies it is the sum of their squares, as each access is either sampled
 * or not. */
unsigned __int128 ompp_sampled_cost_variance(int by_latency, const struct ompp_sampled_sum *sum);

/* Returns the error of the share that a part has of a whole of costs, in 10^-9; OMPP_MISSING when the whole is 0. */
int64_t ompp_sample_stats_cost_error(int64_t part, unsigned __int128 part_variance, int64_t whole,
                                     unsigned __int128 whole_variance);

/* Returns the samples whose level is known. */
uint64_t ompp_sample_stats_n_levels(const struct ompp_sample_stats *s);

/* Returns the error of the share k of n, in 10^-9; OMPP_MISSING when n is 0. */
int64_t ompp_sample_stats_share_error(uint64_t k, uint64_t n);

/* Returns the greatest error of the shares of the levels, of which `unknown` is one: all of them add up to the whole.
 * OMPP_MISSING where the level of no sample is known. */
int64_t ompp_sample_stats_level_error(const struct ompp_sample_stats *s);

/* Returns the number without the digits that its error makes meaningless: two digits of the error are left. */
int64_t ompp_round_to(int64_t number, int64_t error);

/* Return the name of a level, "local memory", and a short title of a column, "local". */
const char *ompp_sample_stats_level_name(uint32_t level);
const char *ompp_sample_stats_level_title(uint32_t level);

#endif
