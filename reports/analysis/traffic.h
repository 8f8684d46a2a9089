/*
 * Traffic: sums of the accesses to data objects, and of the samples of such accesses, as tables show them, for one
 * block of the report at a time.
 *
 * A block is a region or a call path.  Its inclusive sums are those of its call paths and of all below them, of all
 * threads.  Of a recursive region only the outermost call paths are added up, so that each access counts once.  The
 * block has the same rows as the table of times: rank 0 of a team is the same thread as the row that forked the team,
 * so its accesses are shown in whichever of the two rows has times.  Rows without times are added.  A sum with a
 * missing term is missing.
 */
#ifndef OMPP_TRAFFIC_H
#define OMPP_TRAFFIC_H

#include "reports/analysis/analysis.h"

/* The kinds of numbers that the tables have columns for. */
enum ompp_traffic_kind {
	OMPP_TRAFFIC_LOADS,
	OMPP_TRAFFIC_STORES,
	OMPP_TRAFFIC_ATOMICS,
	OMPP_TRAFFIC_ACCESSES,
	OMPP_TRAFFIC_BYTES,
	OMPP_TRAFFIC_L1,
	OMPP_TRAFFIC_L2,
	OMPP_TRAFFIC_L3,
	OMPP_N_TRAFFIC
};

/* Most objects of a block with a column each.  Further named objects share the last column. */
enum { OMPP_MAX_BLOCK_OBJECTS = 256 };

struct ompp_block {
	uint32_t node; /* the call path; OMPP_NONE when the block is a region */
	uint32_t *objects;
	size_t n_objects; /* by column: named ones in their order, then (other), (stack); the last may be OMPP_NONE for
	                     the sum of n_more further named ones */
	size_t n_named;   /* named objects with accesses, also those without a column */
	size_t n_more;
	uint32_t *line_of; /* by row: its line; OMPP_NONE without accesses */
	size_t n_lines;
	int64_t *values;    /* [(line * n_objects + column) * OMPP_N_TRAFFIC + kind] */
	int64_t *exclusive; /* the same for the call path itself; 0 for a region */
	struct ompp_sampled_sum *sampled, *sampled_exclusive; /* by line: samples of all objects together */
};

struct ompp_traffic {
	const struct ompp_analysis *analysis;
	int is_counted; /* 0 when accesses were only sampled */
	/* by node */
	uint32_t *first;          /* its first access; one more element at the end */
	uint32_t *first_sample;   /* the same of its samples */
	uint32_t *position, *end; /* its place by ompp_analysis_next(), and where its subtree ends */
	uint8_t *is_inner;        /* 1 when it is below a node of the same region and kind */
	uint32_t *node_at;        /* by position */
	/* by object */
	uint16_t *known; /* a bit for each kind that some access has */
	uint8_t *shown;  /* 1 when it is to be shown */
	uint16_t all_known;
	enum ompp_traffic_kind cost; /* the kind by which objects are sorted */
	/* the block at hand */
	struct ompp_block block;
	size_t have_values, have_exclusive, have_sampled, have_sampled_exclusive;
	uint32_t *column;     /* by object */
	int64_t *object_cost; /* by object */
	uint32_t *touched;
	size_t n_touched;
	uint32_t *named; /* those of them that are named, to be sorted */
	uint32_t *lines; /* rows by line */
	/* by row */
	uint8_t *has_cell; /* 1 when the block has times of it */
	uint32_t *rank_0;  /* the first thread of a team that it forked, or OMPP_NONE */
};

/* Is the name in the comma list?  A name with a comma in it is found as the last one. */
int ompp_traffic_is_listed(const char *name, const char *list);

/* Makes *traffic, which is NULL when there are no objects. `object` is a comma list of those to be shown; NULL or ""
 * means all. */
int ompp_traffic_init(const struct ompp_analysis *a, const char *object, struct ompp_traffic **traffic);

/* Return the sums of a region (kind 1 means its TASKEXEC), or of a call path, which are valid until the next call.
 * NULL when none of the objects to be shown has accesses or samples there; also NULL without memory, and *rc is then
 * -ENOMEM. */
const struct ompp_block *ompp_traffic_region(struct ompp_traffic *t, uint32_t region, int kind, int *rc);
const struct ompp_block *ompp_traffic_node(struct ompp_traffic *t, uint32_t node, int *rc);

/* Gets the numbers of one access record; each may be OMPP_MISSING. */
void ompp_traffic_of(const struct ompp_profile *profile, const struct ompp_access *access,
                     int64_t values[OMPP_N_TRAFFIC]);

/* Adds the values to the sum. */
void ompp_traffic_add(int64_t sum[OMPP_N_TRAFFIC], const int64_t values[OMPP_N_TRAFFIC]);

/* Returns the number by which objects are sorted: the cost where it is known, else bytes or accesses; -1 when nothing
 * is known. */
int64_t ompp_traffic_cost(const struct ompp_traffic *t, const int64_t values[OMPP_N_TRAFFIC]);

/* Returns the title of a column, "loads" or "L1 misses". */
const char *ompp_traffic_title(enum ompp_traffic_kind kind);

/* Is there a column for this kind? `known` has the bits of the objects in the table. */
int ompp_traffic_has(unsigned int known, enum ompp_traffic_kind kind);

/* Returns the last modelled level; OMPP_N_TRAFFIC when nothing was modelled. */
enum ompp_traffic_kind ompp_traffic_last_level(const struct ompp_traffic *t);

#endif
