/*
 * Diff instances: which blocks of data objects are the same block in all runs that are compared.
 *
 * A block is identified by its object and its number among the object's allocations.  This is valid if the number is
 * the same in each run: a single thread allocates, the number of blocks is the same in each run, and each block number
 * has one size in all runs of a side.  For other objects the reason why their instances are not matched is given.
 *
 * Profiles have only the blocks that stand out.  The count of any other block is at most the object's less those of the
 * blocks that stand out.
 */
#ifndef OMPP_DIFF_INSTANCES_H
#define OMPP_DIFF_INSTANCES_H

#include "reports/compare/diff.h"

struct ompp_diff_instance {
	uint32_t object; /* among those of all runs */
	int64_t order;
	const struct ompp_instance **of; /* by run; NULL where it does not stand out */
};

struct ompp_diff_instances {
	struct ompp_diff_instance *list; /* by object and order */
	size_t n;
	struct ompp_diff_unmatched *unmatched;
	size_t n_unmatched;
};

/* What is compared: profiles, those of A first, and which of all objects those of each run are. */
struct ompp_diff_objects {
	const struct ompp_profile *profiles;
	size_t n_a, n_runs, n; /* n: objects of all runs */
	uint32_t *const *of;   /* by run and object of it */
	const char *const *names;
	const char *is_wanted; /* by object of all runs */
};

/* Returns 0 or -ENOMEM. */
int ompp_diff_instances(const struct ompp_diff_objects *objects, struct ompp_arena *arena,
                        struct ompp_diff_instances *instances);

#endif
