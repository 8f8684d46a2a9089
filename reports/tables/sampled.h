/*
 * Sampled: columns of numbers that come from samples.  Text shows only the digits that are significant by their errors.
 */
#ifndef OMPP_TABLES_SAMPLED_H
#define OMPP_TABLES_SAMPLED_H

#include "reports/analysis/sample_stats.h"
#include "reports/analysis/traffic.h"
#include "reports/tables/view.h"

/* ---- beside the times of a construct ---- */

/* Add the columns of the samples of a block, and the values of one of its rows; OMPP_NONE means the sums. */
void ompp_sampled_columns(int with_exclusive, struct ompp_table *table);
void ompp_sampled_values(int with_exclusive, const struct ompp_block *block, uint32_t row, struct ompp_table *table);

/* ---- in tables of their own ---- */

/* What all lines of a section have in common. */
struct ompp_sampled_look {
	int is_text;
	int by_latency; /* 1 when the cost is the latency */
	int64_t cost;   /* the whole of which costs are shares, and its variance */
	unsigned __int128 variance;
	uint8_t occurs[OMPP_MEM_N_LEVELS];
	int has_levels, has_homes, has_many;
};

/* Fills in what the profile has; the cost and its variance are the caller's. */
void ompp_sampled_look(struct ompp_sampled_look *look, const struct ompp_profile *profile, int is_text);

/* Add columns: samples, accesses, their error, the share of the cost; mean latency, its error, its quantiles; the
 * shares of levels, their error, and the share of samples of another node's memory. */
void ompp_sampled_cost_columns(const struct ompp_sampled_look *look, struct ompp_table *table);
void ompp_sampled_latency_columns(const struct ompp_sampled_look *look, struct ompp_table *table);
void ompp_sampled_level_columns(const struct ompp_sampled_look *look, struct ompp_table *table);

/* Add their values.
 * variance: of the cost */
void ompp_sampled_cost_values(const struct ompp_sampled_look *look, const struct ompp_sampled_sum *sum,
                              unsigned __int128 variance, struct ompp_table *table);
void ompp_sampled_latency_values(const struct ompp_sampled_look *look, const struct ompp_sample_stats *s,
                                 struct ompp_table *table);
void ompp_sampled_level_values(const struct ompp_sampled_look *look, const struct ompp_sample_stats *s,
                               struct ompp_table *table);

/* Adds a number of accesses and its error, which are missing without samples. */
void ompp_sampled_accesses(const struct ompp_sampled_sum *sum, int is_text, struct ompp_table *table);

/* Add a mean latency and its error. */
void ompp_sampled_mean_columns(const struct ompp_sampled_look *look, struct ompp_table *table);
void ompp_sampled_mean_values(const struct ompp_sampled_sum *sum, int is_text, struct ompp_table *table);

/* Add a share in 10^-9 and its error, or the share alone, which is text's: both rounded in text. */
void ompp_sampled_share(int64_t share, int64_t error, int is_text, struct ompp_table *table);
void ompp_sampled_share_alone(int64_t share, int64_t error, struct ompp_table *table);

/* Returns why there are no samples, and what to do, as a sentence. */
const char *ompp_sampled_none(const struct ompp_profile *profile);

/* Returns "loads" or "stores". */
const char *ompp_sampled_kind(uint32_t kind);

#endif
