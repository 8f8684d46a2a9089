/*
 * Diff instances: which blocks of data objects are the same block in all runs that are compared.
 *
 * A block is the same by its object and its number among the allocations of that.  This holds where the number is that
 * of each run: one thread alone allocates, as many blocks in each run, and blocks of one number have one size in all
 * runs of a side.  Of other objects it is said why their instances are not matched.
 *
 * Profiles have only those blocks that stand out.  What a block that does not has of a count is at most what the object
 * has less what those have that do.
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
