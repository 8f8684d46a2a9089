/*
 * Sample stats: see sample_stats.h.
 */
#include "reports/analysis/sample_stats.h"

enum { MILLI = 1000, FRACTION_BITS = 20 };

#define OMPP_SAMPLED_MOST ((uint64_t)INT64_MAX / 2)

/* clang-format off */
static const struct { const char *name, *title; } levels[OMPP_MEM_N_LEVELS] = {
	[OMPP_MEM_LEVEL_UNKNOWN]       = { "unknown",           "unknown" },
	[OMPP_MEM_LEVEL_L1]            = { "L1",                "L1" },
	[OMPP_MEM_LEVEL_LFB]           = { "line fill buffer",  "LFB" },
	[OMPP_MEM_LEVEL_L2]            = { "L2",                "L2" },
	[OMPP_MEM_LEVEL_L3]            = { "L3",                "L3" },
	[OMPP_MEM_LEVEL_L4]            = { "L4",                "L4" },
	[OMPP_MEM_LEVEL_CACHE]         = { "some cache",        "cache" },
	[OMPP_MEM_LEVEL_PEER_CACHE]    = { "peer cache",        "peer$" },
	[OMPP_MEM_LEVEL_REMOTE_CACHE]  = { "remote cache",      "remote$" },
	[OMPP_MEM_LEVEL_LOCAL_MEMORY]  = { "local memory",      "local" },
	[OMPP_MEM_LEVEL_REMOTE_MEMORY] = { "remote memory",     "remote" },
	[OMPP_MEM_LEVEL_PERSISTENT]    = { "persistent memory", "persist" },
	[OMPP_MEM_LEVEL_CXL]           = { "CXL memory",        "CXL" },
	[OMPP_MEM_LEVEL_IO]            = { "I/O",               "I/O" },
	[OMPP_MEM_LEVEL_UNCACHED]      = { "uncached memory",   "uncached" },
};
/* clang-format on */

const char *ompp_sample_stats_level_name(uint32_t level)
{
	return levels[level].name;
}

const char *ompp_sample_stats_level_title(uint32_t level)
{
	return levels[level].title;
}

void ompp_sample_stats_add(struct ompp_sample_stats *sum, const struct ompp_sample_stats *more)
{
	ompp_sampled_add(&sum->sum, &more->sum);
	sum->n_homed += more->n_homed;
	sum->n_far += more->n_far;
	for (int i = 0; i < OMPP_MEM_N_LEVELS; i++)
		sum->levels[i] += more->levels[i];
	for (int i = 0; i < OMPP_HISTOGRAM_BUCKETS; i++)
		sum->buckets[i] += more->buckets[i];
}

int ompp_sample_stats_has_latencies(const struct ompp_profile *p)
{
	for (size_t i = 0; i < p->n_samples; i++)
		if (p->samples[i].sum.latency_ticks)
			return 1;
	return 0;
}

int64_t ompp_sampled_cost(int by_latency, const struct ompp_sampled_sum *sum)
{
	return by_latency ? sum->latency_ticks : sum->estimate;
}

int64_t ompp_sampled_error(const struct ompp_sampled_sum *sum)
{
	return (int64_t)ompp_root((unsigned __int128)sum->variance);
}

int64_t ompp_sampled_mean(const struct ompp_sampled_sum *sum)
{
	uint64_t whole = sum->n_timed ? (uint64_t)sum->latency_ticks / sum->n_timed : 0;

	if (!sum->n_timed)
		return OMPP_MISSING;
	if (whole > UINT32_MAX) /* no latency is longer */
		return (int64_t)UINT32_MAX * MILLI;
	return (int64_t)((__int128)sum->latency_ticks * MILLI / (__int128)sum->n_timed);
}

/* Returns the first latency behind a bucket. */
static uint64_t bucket_end(uint32_t bucket)
{
	return bucket + 1 < OMPP_HISTOGRAM_BUCKETS ? ompp_histogram_least(bucket + 1) : UINT64_C(1) << 32;
}

/* The squared deviations of the latencies from their mean add up to squares - ticks^2 / n.  Each latency is rounded to
 * a whole number, which adds a variance of 1/12.  The error of the mean is the root of the sum of both by n (n - 1). */
int64_t ompp_sampled_mean_error(const struct ompp_sampled_sum *sum)
{
	unsigned __int128 n = sum->n_timed, ticks = (unsigned __int128)sum->latency_ticks, distances;
	unsigned __int128 squares = (unsigned __int128)sum->squares * n;
	int shift = FRACTION_BITS;

	if (n < 2 || squares < ticks * ticks || (uint64_t)sum->squares >= OMPP_SAMPLED_MOST)
		return OMPP_MISSING;
	distances = 12 * (squares - ticks * ticks) + n * n;
	while (shift && distances >> (127 - shift))
		shift--;
	return (int64_t)ompp_root(((distances << shift) / (n * (n - 1)) * MILLI * MILLI / (12 * n)) >> shift);
}

int ompp_sample_stats_quantile(const struct ompp_sample_stats *s, unsigned int percent, uint32_t *least, uint32_t *most)
{
	uint64_t n = 0, seen = 0, rank, error, low, high;
	int found = 0;

	for (uint32_t b = 0; b < OMPP_HISTOGRAM_BUCKETS; b++)
		n += s->buckets[b];
	if (!n || n * (100 - percent) < 100)
		return 0;
	rank = (uint64_t)((unsigned __int128)n * percent / 100);
	error = ompp_root((unsigned __int128)n * percent * (100 - percent)) / 100 + 1;
	low = rank > error ? rank - error : 0;
	high = rank + error < n ? rank + error : n - 1;
	for (uint32_t b = 0; b < OMPP_HISTOGRAM_BUCKETS && seen <= high; b++) {
		seen += s->buckets[b];
		if (!found && seen > low) {
			*least = ompp_histogram_least(b);
			found = 1;
		}
		*most = (uint32_t)(bucket_end(b) - 1);
	}
	return found;
}

unsigned __int128 ompp_sampled_cost_variance(int by_latency, const struct ompp_sampled_sum *sum)
{
	unsigned __int128 ticks = (unsigned __int128)sum->latency_ticks, least;

	if (!by_latency)
		return (unsigned __int128)sum->variance;
	least = sum->n_timed ? ticks * ticks / sum->n_timed : 0; /* of a profile that has no squares */
	return (unsigned __int128)sum->squares > least ? (unsigned __int128)sum->squares : least;
}

/* Returns the error of a share of which no sample was seen.  The effective number of samples is the square of the whole
 * by its variance: so many samples of equal cost would have the whole's error. */
static int64_t error_of_none(unsigned __int128 square, unsigned __int128 variance)
{
	return variance ? ompp_sample_stats_share_error(0, (uint64_t)(square / variance)) : 0;
}

int64_t ompp_sample_stats_cost_error(int64_t part, unsigned __int128 part_variance, int64_t whole,
                                     unsigned __int128 whole_variance)
{
	const uint64_t one = 1000000000;
	unsigned __int128 square = (unsigned __int128)whole * (unsigned __int128)whole, of_part, of_rest;
	int64_t share = ompp_share(part, whole);

	if (share == OMPP_MISSING || share < 0 || (uint64_t)share > one)
		return OMPP_MISSING;
	while (square >> 64 || whole_variance >> 64 || part_variance >> 64) {
		square >>= 1;
		whole_variance >>= 1;
		part_variance >>= 1;
	}
	if (!square)
		return OMPP_MISSING;
	whole_variance = whole_variance < part_variance ? part_variance : whole_variance;
	of_part = part_variance * one * one / square;
	of_rest = (whole_variance - part_variance) * one * one / square;
	of_part = of_part > one * one ? one * one : of_part;
	of_rest = of_rest > one * one ? one * one : of_rest;
	of_part = of_part * (one - (uint64_t)share) * (one - (uint64_t)share);
	of_rest = of_rest * (uint64_t)share * (uint64_t)share;
	if (!part_variance || part_variance == whole_variance) /* no sample of the part, or none of the rest */
		return error_of_none(square, whole_variance);
	return (int64_t)ompp_root((of_part + of_rest) / one / one);
}

uint64_t ompp_sample_stats_n_levels(const struct ompp_sample_stats *s)
{
	return s->sum.n - s->levels[OMPP_MEM_LEVEL_UNKNOWN];
}

int64_t ompp_sample_stats_share_error(uint64_t k, uint64_t n)
{
	const unsigned __int128 one = 1000000000;
	unsigned __int128 part = (unsigned __int128)(k + 2) * one / (n + 4);

	return n ? (int64_t)ompp_root(part * (one - part) / (n + 4)) : OMPP_MISSING;
}

int64_t ompp_sample_stats_level_error(const struct ompp_sample_stats *s)
{
	uint64_t n = s->sum.n;
	int64_t most = OMPP_MISSING;

	for (int i = 0; i < OMPP_MEM_N_LEVELS && ompp_sample_stats_n_levels(s); i++) {
		int64_t error = s->levels[i] ? ompp_sample_stats_share_error(s->levels[i], n) : 0;

		most = most == OMPP_MISSING || error > most ? error : most;
	}
	return most;
}

int64_t ompp_round_to(int64_t number, int64_t error)
{
	int64_t unit = 1;

	if (number == OMPP_MISSING || error == OMPP_MISSING)
		return number;
	while (error / unit >= 100)
		unit *= 10;
	return (number + unit / 2) / unit * unit;
}
