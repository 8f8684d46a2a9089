/*
 * Probe ranges: see probe_ranges.h.
 */
#include "runtime/sources/probe_ranges.h"

#include "runtime/ompp_mem.h"

enum { MEMORY = 3, N_LONGEST = 40 /* times the median of the slowest level */ };

/* Returns the geometric mean of two numbers, rounded down. */
static uint32_t middle_of(uint32_t a, uint32_t b)
{
	uint64_t product = (uint64_t)a * b, root = 0;

	for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= product)
			root |= bit;
	return (uint32_t)root;
}

/* Levels that are not told apart. */
struct group {
	int first, last; /* of them */
	uint32_t low, high, least_middle, most_middle;
};

static uint32_t least_of(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t most_of(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Returns the largest latency of a load from the nearer group: the geometric mean of the medians, moved to where
 * neither group has any latencies. */
static uint32_t probe_ranges_bound(const struct group *near, const struct group *far)
{
	uint32_t most = middle_of(near->most_middle, far->least_middle);

	return most < near->high ? near->high : most >= far->low ? far->low - 1 : most;
}

static uint8_t level_of(int first, int last)
{
	static const uint8_t levels[] = { OMPP_MEM_LEVEL_L1, OMPP_MEM_LEVEL_L2, OMPP_MEM_LEVEL_L3,
		                          OMPP_MEM_LEVEL_LOCAL_MEMORY };

	return first == last ? levels[first] : last < MEMORY ? OMPP_MEM_LEVEL_CACHE : OMPP_MEM_LEVEL_UNKNOWN;
}

/* Adds a nearer group to a farther one. */
static void probe_ranges_join(struct group *far, const struct group *near)
{
	far->first = near->first;
	far->low = least_of(near->low, far->low);
	far->high = most_of(near->high, far->high);
	far->least_middle = least_of(near->least_middle, far->least_middle);
	far->most_middle = most_of(near->most_middle, far->most_middle);
}

void ompp_probe_find_ranges(const struct ompp_probe_measured *m, int n, struct ompp_probe_levels *l)
{
	struct group groups[OMPP_PROBE_LEVELS];
	int n_groups = 0;

	l->longest = 0;
	for (int i = 0; i < n; i++) {
		struct group group = { m[i].level, m[i].level, m[i].low, m[i].high, m[i].middle, m[i].middle };

		l->longest = most_of(l->longest, N_LONGEST * m[i].middle);
		while (n_groups && group.low <= groups[n_groups - 1].high)
			probe_ranges_join(&group, &groups[--n_groups]);
		groups[n_groups++] = group;
	}
	for (int i = 0; i < n_groups; i++)
		l->range[i] = (struct ompp_probe_range){
			i + 1 < n_groups ? probe_ranges_bound(&groups[i], &groups[i + 1]) : UINT32_MAX,
			(uint8_t)groups[i].first, (uint8_t)groups[i].last, level_of(groups[i].first, groups[i].last)
		};
	l->n = (uint32_t)n_groups;
}
