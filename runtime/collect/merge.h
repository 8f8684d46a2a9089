/*
 * Merge: the threads' call trees as one, with sums per call path and row; the first half of collecting.
 *
 * Each thread's tree is walked parents first: every node gets its place in the merged tree (region below region: the
 * parts of a construct fall together) and its row (the path of team ranks above it).  Then times are summed per
 * (place, row), with the runtime's own cost taken out: a visit's measured time contains the inner part of its own
 * cost, and the whole cost of every event below it.
 */
#ifndef OMPP_COLLECT_MERGE_H
#define OMPP_COLLECT_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "reports/profile/profile.h"
#include "runtime/collect/index.h"
#include "runtime/collect/locks.h"
#include "runtime/core/cost.h"
#include "runtime/core/thread.h"

/* A row while it is being found: ranks hang below ranks, the first below its host. */
struct ompp_merge_row {
	uint32_t host, depth, rank, parent;     /* parent OMPP_NONE at depth 1 */
	uint32_t final;                         /* index after sorting */
};

struct ompp_merge_place {
	uint32_t parent, region, first_cell;    /* region: id, 0 for the root */
	enum ompp_construct construct;
};

/* Of the barrier: sums in ticks. */
struct ompp_merge_waits {
	struct ompp_waits sum;
	uint64_t          made_ticks;
};

/* Sums in ticks × 256, own cost taken out. */
struct ompp_merge_sums {
	uint32_t place, row;
	uint32_t next;                          /* of the same place */
	uint64_t n, n_body;
	int64_t  exec, body, lead, barrier, barrier_task, task, team, startup, shutdown, lock_body, lock_exit;
	int64_t  cost[OMPP_N_COST_BOUNDS];
	uint64_t n_team;
	int64_t *values;                        /* [ompp_metrics.n] */
	struct ompp_merge_waits *waits;         /* NULL: there were none */
	int64_t *value_cost;                    /* what the runtime counted of itself: ompp_merge_finish() takes it out */
};

struct ompp_merge_line;                 /* accesses.c */
struct ompp_merge_pattern;              /* pattern.c */
struct ompp_merge_constants;
struct ompp_merge_extent;                /* parts.c */
struct ompp_merge_uncore;               /* uncore.c */

/* All of it; one per report. */
struct ompp_merge {
	struct ompp_arena *arena;
	struct ompp_merge_row        *rows;    size_t n_rows, have_rows;
	struct ompp_merge_place      *places;  size_t n_places, have_places;
	struct ompp_merge_sums       *sums;    size_t n_sums, have_sums;
	struct ompp_access           *accesses; size_t n_accesses, have_accesses;       /* node: place; row: not final */
	struct ompp_merge_extent     *extents;  size_t have_extents;                    /* of each of them */
	struct ompp_merge_line       *lines;    size_t n_lines, have_lines;
	struct ompp_merge_pattern    *patterns; size_t n_patterns, have_patterns;
	struct ompp_merge_uncore     *uncore;   size_t n_uncore, have_uncore;
	uint64_t           n_lost_lines, n_own_barriers;
	int                sums_accesses;       /* 1: counters ask for sums over objects */
	struct ompp_merge_constants *constants;
	struct ompp_locks  locks;
	struct ompp_index  place_index, sums_index, access_index;
	uint64_t           now;
	uint64_t           n_visits, n_open, n_left, n_lost;
	uint64_t           own_fp[OMPP_N_COST_BOUNDS];  /* the runtime's own cost in all, ticks × 256 */
	uint64_t           stretch_milli;       /* ompp_cpu_stretch_milli() of this thread */
	uint32_t           max_host;
	uint32_t           lost_id;             /* id shown for the (lost) region */
	int                failed;
};

/* Start with the root and the main thread's row.  now: ticks to which open regions run.  0 or -ENOMEM. */
int ompp_merge_init(struct ompp_merge *merge, struct ompp_arena *arena, uint64_t now_ticks);

/* Add one thread's tree; merge->failed is set when there is no memory. */
void ompp_merge_thread(struct ompp_merge *merge, struct ompp_thread *t);

/* After all threads: take the runtime's own counts out, of each place and row as a whole, so that none sinks below 0. */
void ompp_merge_finish(struct ompp_merge *merge);

#endif
