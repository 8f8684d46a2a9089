/*
 * Roofline: compares the operations and bytes of each region with what the machine can do at most: how long they would
 * take at each roof alone, and so which roof bounds the region.
 *
 * Operations are counted by code of kinst --work, bytes by access hooks.  Bytes between caches are modelled: each miss
 * fetches a line, and a line that was stored to is written back once.  For an object, the lines written back are those
 * that were fetched, but not more than its stores; for memory without a name, they are in proportion to its stores.
 *
 * Times are those of a run without hooks, if the profile at hand has any.
 */
#ifndef OMPP_BOUNDS_ROOFLINE_H
#define OMPP_BOUNDS_ROOFLINE_H

#include "reports/analysis/analysis.h"
#include "reports/bounds/region_time.h"
#include "reports/bounds/roofs.h"

enum { OMPP_ROOFLINE_LEVELS = 3 }; /* L1 to L3 */

/* Times of another run of the program, joined by region (reports/show/times.h). */
struct ompp_times {
	const char *file;                    /* the other profile's name */
	int64_t delayed;                     /* share of its run without a processor (ompp_region_delayed()) */
	int64_t duration_ns;                 /* of its run, less the time that measuring was off */
	const struct ompp_region_time *time; /* by region of the profile at hand */
	const char *const *why;              /* by region: why it has no time there; NULL when it has one */
	const char *const *others;           /* regions of the other profile that this one has not */
	size_t n_others;
};

/* What bounds a region. */
enum ompp_ceiling {
	OMPP_CEILING_UNKNOWN, /* a roof, a time or a count is not known, or others had the processors */
	OMPP_CEILING_NONE,    /* no roof is near, and it is not idle either */
	OMPP_CEILING_BYTES,   /* bandwidth */
	OMPP_CEILING_VECTOR,  /* operations, as vectors */
	OMPP_CEILING_SCALAR,  /* operations, one at a time */
	OMPP_CEILING_DIVISION,
	OMPP_CEILING_LATENCY, /* each waits for the one before */
	OMPP_CEILING_OVERHEAD /* threads wait: for each other, or for work */
};

/* A roof that a region uses, and for how long it would need it. */
struct ompp_roof_use {
	const struct ompp_roof *roof; /* NULL: not known */
	int64_t ns;                   /* what the region does, at this roof; OMPP_MISSING without a roof or a count */
	int64_t rate;                 /* of the roof for the region's threads */
	int64_t rate_small;           /* of a cache, with data that the level above just does not hold; 0: not known */
};

struct ompp_roofline_line {
	uint32_t region, object; /* object: OMPP_NONE for all of the region */
	uint32_t n_threads;
	/* of a region's line; each OMPP_MISSING where it was not counted */
	int64_t flops, flops_single, n_divisions, intops;
	int64_t n_calls;           /* of mathematical functions whose operations are not among these */
	int64_t n_accesses, bytes; /* of the program: loads, stores, atomics */
	/* of the modelled caches by level: bytes that come from below, and that go there; OMPP_MISSING without the
	 * level */
	int64_t fetched[OMPP_ROOFLINE_LEVELS], written[OMPP_ROOFLINE_LEVELS];
	/* of a region's line, from here on */
	int64_t wall_ns; /* OMPP_MISSING without a time that is the program's */
	int64_t overhead;
	uint64_t n_exec;
	struct ompp_roof_use peak, scalar, division; /* of operations */
	struct ompp_roof_use
		stream[1 + OMPP_ROOFLINE_LEVELS]; /* of bytes: [0] those of the program, [k] below level k */
	const struct ompp_roof_use *nearest; /* of peak, division and stream: that with most time; NULL without any */
	int64_t share;                       /* of the time that it would need, 10^-9; OMPP_MISSING without a time */
	enum ompp_ceiling ceiling;
	const char *roof, *bound_by; /* their names; "" where they are not known */
	int64_t roof_ns;             /* of the nearest roof; OMPP_MISSING without any */
};

struct ompp_roofline {
	struct ompp_roofline_line *lines; /* each region before its objects, these by bytes below the last level */
	size_t n;
	int64_t delayed; /* share of the run whose times they are in which its threads had no processor, 10^-9 */
	int has_flops, has_bytes;
	int has_times; /* 1 when times are the program's: of another run, or of this one, which had no access hooks */
};

/* Returns the lines of the regions that are shown, and caches them in the analysis; NULL without memory. */
const struct ompp_roofline *ompp_roofline(const struct ompp_analysis *a);

/* More than this of a run without a processor, and times do not tell that a region is far from all roofs. */
#define OMPP_ROOFLINE_MOST_DELAYED INT64_C(50000000)

/* Were operations counted? */
int ompp_roofline_is_there(const struct ompp_profile *p);

/* Returns the bytes that went between a level and what is below it; OMPP_MISSING when not known. */
static inline int64_t ompp_roofline_below(const struct ompp_roofline_line *line, int level)
{
	return ompp_add_known(line->fetched[level], line->written[level]);
}

/* Is the level modelled? */
int ompp_roofline_has_level(const struct ompp_analysis *a, int level);

const char *ompp_ceiling_name(enum ompp_ceiling ceiling);

#endif
