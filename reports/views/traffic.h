/*
 * Traffic: sums of the accesses to data objects, as the tables show them; for one block of the report at a time.
 *
 * A block is a region or a call path.  Its inclusive sums are those of its call paths and of all below them, of all
 * threads; where a region is inside itself, its outermost call paths alone are added up, so that each access counts
 * once.  Its rows are those of the region's times: of a team that a row forked, rank 0 is that row itself, by
 * whichever of the two names it has times.  Other rows are added.  A sum of something missing is missing.
 */
#ifndef OMPP_TRAFFIC_H
#define OMPP_TRAFFIC_H

#include "reports/views/analysis.h"

/* What the tables have columns for. */
enum ompp_traffic_kind {
	OMPP_TRAFFIC_LOADS, OMPP_TRAFFIC_STORES, OMPP_TRAFFIC_ATOMICS, OMPP_TRAFFIC_ACCESSES, OMPP_TRAFFIC_BYTES,
	OMPP_TRAFFIC_L1, OMPP_TRAFFIC_L2, OMPP_TRAFFIC_L3, OMPP_N_TRAFFIC
};

/* Objects of a block that have columns of their own; the named ones beyond share the last one. */
enum { OMPP_MAX_BLOCK_OBJECTS = 256 };

struct ompp_block {
	uint32_t  node;                         /* OMPP_NONE: a region */
	uint32_t *objects;  size_t n_objects;   /* columns: named ones in their order, then (other), (stack); the last
	                                           may be OMPP_NONE: the sum of n_more named ones */
	size_t    n_named;                      /* touched, with those that have no column */
	size_t    n_more;
	uint32_t *line_of;                      /* by row: its line, OMPP_NONE without accesses */
	size_t    n_lines;
	int64_t  *values;                       /* [(line * n_objects + column) * OMPP_N_TRAFFIC + kind] */
	int64_t  *exclusive;                    /* the same of the call path itself; of a region nothing */
};

struct ompp_traffic {
	const struct ompp_analysis *analysis;
	/* by node */
	uint32_t *first;                        /* of its accesses; one more at the end */
	uint32_t *position, *end;               /* in the order of ompp_analysis_next(); those below it end there */
	uint8_t  *is_inner;                     /* 1: below a node of its region and kind */
	uint32_t *node_at;                      /* by position */
	/* by object */
	uint16_t *known;                        /* bit of each kind that some access has */
	uint8_t  *shown;                        /* 1: chosen */
	uint16_t  all_known;
	enum ompp_traffic_kind cost;            /* by which objects are sorted */
	/* the block at hand */
	struct ompp_block block;
	size_t    have_values, have_exclusive;
	uint32_t *column;                       /* by object */
	int64_t  *object_cost;                  /* by object */
	uint32_t *touched;  size_t n_touched;
	uint32_t *named;                        /* of them, to be sorted */
	uint32_t *lines;                        /* rows by line */
	/* by row */
	uint8_t  *has_cell;                     /* 1: the block has times of it */
	uint32_t *rank_0;                       /* the first of a team that it forked; OMPP_NONE */
};

/* *traffic is NULL when there are no objects.  object: comma list of those to show, NULL or "": all. */
int ompp_traffic_init(const struct ompp_analysis *a, const char *object, struct ompp_traffic **traffic);

/* The sums of a region (kind 1: its TASKEXEC), or of a call path; valid until the next.  NULL: none of the objects that
 * are to be shown was touched; *rc is −ENOMEM without memory. */
const struct ompp_block *ompp_traffic_region(struct ompp_traffic *t, uint32_t region, int kind, int *rc);
const struct ompp_block *ompp_traffic_node(struct ompp_traffic *t, uint32_t node, int *rc);

/* The numbers of one record: OMPP_MISSING possible. */
void ompp_traffic_of(const struct ompp_profile *profile, const struct ompp_access *access,
                     int64_t values[OMPP_N_TRAFFIC]);

/* sum += values. */
void ompp_traffic_add(int64_t sum[OMPP_N_TRAFFIC], const int64_t values[OMPP_N_TRAFFIC]);

/* What objects are sorted by: the cost where it is known, else bytes or accesses; −1: nothing is known. */
int64_t ompp_traffic_cost(const struct ompp_traffic *t, const int64_t values[OMPP_N_TRAFFIC]);

/* "loads", "L1 misses". */
const char *ompp_traffic_title(enum ompp_traffic_kind kind);

/* Is there a column for it?  `known` is that of the objects in the table. */
int ompp_traffic_has(unsigned int known, enum ompp_traffic_kind kind);

/* The last modelled level; OMPP_N_TRAFFIC: nothing was modelled. */
enum ompp_traffic_kind ompp_traffic_last_level(const struct ompp_traffic *t);

#endif
