/*
 * Sample groups: the samples that belong to one line of a table: those of one object and of one kind (loads or stores)
 * and, where the table divides them so, of one region and of one thread.
 */
#ifndef OMPP_SAMPLE_GROUPS_H
#define OMPP_SAMPLE_GROUPS_H

#include "reports/analysis/sample_stats.h"
#include "reports/analysis/usage.h"

/* What groups are divided by, besides object and kind. */
enum ompp_sample_grouping { OMPP_BY_OBJECT = 0, OMPP_BY_REGION = 1, OMPP_BY_THREAD = 2 };

struct ompp_sample_group {
	uint32_t object, kind;
	int64_t key;         /* as of struct ompp_object_part; OMPP_SERIAL where regions are not told apart */
	uint32_t row;        /* of a thread; 0 where threads are not told apart */
	uint32_t first, end; /* its elements of by_group */
	int64_t cost;        /* as ompp_sampled_cost() says */
};

struct ompp_sample_groups {
	const struct ompp_analysis *analysis;
	unsigned int by;    /* enum ompp_sample_grouping, several of them */
	uint32_t *first;    /* by sample: its first element of the histogram; one more at the end */
	uint32_t *by_group; /* the samples of objects and regions that are asked for, sorted by group */
	struct ompp_sample_group *groups;
	size_t n;
	int by_latency;             /* 1 when the cost is the latency */
	int64_t cost;               /* of all groups */
	unsigned __int128 variance; /* of it */
};

/* Fills in the groups of a profile that has samples, in the order of object, region, thread and kind.  Returns 0 or
 * -ENOMEM. */
int ompp_sample_groups_init(struct ompp_sample_groups *g, const struct ompp_analysis *a, unsigned int by);

/* Adds up a group. */
void ompp_sample_group_sum(const struct ompp_sample_groups *g, const struct ompp_sample_group *group,
                           struct ompp_sample_stats *sum);

/* Says for ompp_sort() whether group x costs less than group y; named objects come first. */
int ompp_sample_group_is_after(const void *groups, uint32_t x, uint32_t y);

/* Is the object, and a region by this key, among those that are asked for? */
int ompp_samples_want(const struct ompp_analysis *a, uint32_t object, int64_t key);

/* Returns the key of a call path's region. */
int64_t ompp_sample_key(const struct ompp_profile *profile, uint32_t node);

#endif
