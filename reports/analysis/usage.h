/*
 * Usage: what the program did with each data object, altogether and in each region; how many threads use the object,
 * how evenly, and in which way (its class).
 */
#ifndef OMPP_USAGE_H
#define OMPP_USAGE_H

#include "reports/analysis/analysis.h"
#include "reports/analysis/traffic.h"

/* How threads use an object, ordered by what that may cost. */
enum ompp_usage_class {
	OMPP_USAGE_UNKNOWN,
	OMPP_USAGE_UNTOUCHED,
	OMPP_USAGE_READ_ONLY,
	OMPP_USAGE_WRITE_ONCE,    /* one thread stored at most as many bytes as it has; its range was set once */
	OMPP_USAGE_PRIVATE,       /* only one thread accessed it, or each has its own range */
	OMPP_USAGE_PARTITIONED,   /* in parallel regions each thread accesses its own part */
	OMPP_USAGE_SHARED_READ,   /* one thread wrote it, others read it */
	OMPP_USAGE_PARTS_WRITTEN, /* in parallel regions each thread writes its own part, which others read */
	OMPP_USAGE_SHARED_WRITTEN /* several threads wrote it */
};

/* An object in the whole program. */
struct ompp_object_whole {
	int64_t values[OMPP_N_TRAFFIC];
	uint32_t n_threads;          /* threads that access it */
	int64_t min, avg, max;       /* accesses of a thread: the least, the mean, the most */
	enum ompp_usage_class class; /* of several processes, the costliest class */
};

/* An object in one region, without the regions below it. */
enum { OMPP_SERIAL = -1 };
struct ompp_object_part {
	uint32_t object;
	int64_t key; /* 2 × region, + 1 for its TASKEXEC; OMPP_SERIAL outside of all regions */
	int64_t values[OMPP_N_TRAFFIC];
};

/* What one thread did with the object at hand. */
struct ompp_object_use {
	int64_t accesses, writes, store_bytes;
};

struct ompp_usage {
	const struct ompp_analysis *analysis;
	const struct ompp_profile *profile;
	struct ompp_traffic *traffic;
	struct ompp_object_whole *wholes; /* by object */
	struct ompp_object_part *parts;
	size_t n_parts;
	int64_t all_bytes;   /* of all objects whose bytes are known; OMPP_MISSING without any */
	int has_atomics;     /* 1 when some object has atomic accesses */
	uint32_t *first;     /* by object: its first element of by_object; one more at the end */
	uint32_t *by_object; /* the accesses, sorted by object */
	/* of the object that is looked at */
	struct ompp_object_use *uses; /* by row of a thread */
	uint32_t *users;
	size_t n_users;    /* these rows */
	uint32_t *part_of; /* by key + 1: its part + 1 */
};

/* Fills in the usage of a profile that has objects.  Returns 0 or -ENOMEM. */
int ompp_usage_init(struct ompp_usage *u, const struct ompp_analysis *a);

/* Say for ompp_sort() whether object x comes after object y, and the same of parts: named ones come first, the
 * costliest first; then (other) and (stack). */
int ompp_usage_whole_is_after(const void *usage, uint32_t x, uint32_t y);
int ompp_usage_part_is_after(const void *usage, uint32_t x, uint32_t y);

/* Returns the name of a class, "read-only"; NULL when it is unknown. */
const char *ompp_usage_class_name(enum ompp_usage_class class);

#endif
