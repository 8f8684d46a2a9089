/*
 * Usage: what the program did with each data object in all and in each region, how many threads use it, how evenly,
 * and how: its class.
 */
#ifndef OMPP_USAGE_H
#define OMPP_USAGE_H

#include "reports/views/analysis.h"
#include "reports/views/traffic.h"

/* How threads use an object, in the order of what it may cost. */
enum ompp_class {
	OMPP_CLASS_UNKNOWN,
	OMPP_CLASS_UNTOUCHED,
	OMPP_CLASS_READ_ONLY,
	OMPP_CLASS_WRITE_ONCE,          /* one thread stored no more bytes than it has, its range set once */
	OMPP_CLASS_PRIVATE,             /* one thread alone accessed it, or each has a range of its own */
	OMPP_CLASS_PARTITIONED,         /* in parallel regions each thread accesses a part of its own */
	OMPP_CLASS_SHARED_READ,         /* one thread wrote it, others read it */
	OMPP_CLASS_PARTS_WRITTEN,       /* in parallel regions each thread writes a part of its own, and others read it */
	OMPP_CLASS_SHARED_WRITTEN       /* several threads wrote it */
};

/* An object in the whole program. */
struct ompp_whole {
	int64_t         values[OMPP_N_TRAFFIC];
	uint32_t        n_threads;              /* that access it */
	int64_t         min, avg, max;          /* accesses of each of them */
	enum ompp_class class;                  /* of several processes the costliest one */
};

/* An object in one region, without the regions below it. */
enum { OMPP_SERIAL = -1 };
struct ompp_part {
	uint32_t object;
	int64_t  key;                           /* 2 × region, + 1 for its TASKEXEC; OMPP_SERIAL: outside all regions */
	int64_t  values[OMPP_N_TRAFFIC];
};

/* What one thread did with the object at hand. */
struct ompp_use { int64_t accesses, writes, store_bytes; };

struct ompp_usage {
	const struct ompp_analysis *analysis;
	const struct ompp_profile  *profile;
	struct ompp_traffic *traffic;
	struct ompp_whole   *wholes;            /* by object */
	struct ompp_part    *parts;  size_t n_parts;
	int64_t   all_bytes;                    /* of all objects whose bytes are known; OMPP_MISSING: of none */
	int       has_atomics;                  /* some object has */
	uint32_t *first;                        /* by object: of by_object; one more at the end */
	uint32_t *by_object;                    /* accesses */
	/* of the object at hand */
	struct ompp_use *uses;                  /* by row of a thread */
	uint32_t *users;  size_t n_users;       /* these rows */
	uint32_t *part_of;                      /* by key + 1: its part + 1 */
};

/* There are objects.  0 or -ENOMEM. */
int ompp_usage_init(struct ompp_usage *u, const struct ompp_analysis *a);

/* The order of objects, and of parts, by index, for ompp_sort(): named ones first, the costliest first; then (other)
 * and (stack). */
int ompp_usage_whole_is_after(const void *usage, uint32_t x, uint32_t y);
int ompp_usage_part_is_after(const void *usage, uint32_t x, uint32_t y);

/* "read-only"; NULL: unknown. */
const char *ompp_class_name(enum ompp_class class);

#endif
