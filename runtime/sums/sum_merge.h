/*
 * Merge: what one report adds up over all threads: call paths, rows, and the sums of each row at each call path.
 *
 * The call paths are one tree, which has only regions as nodes: the parts of a construct share a call path.  A row is
 * the path of team ranks under a host thread.  The files of this folder and of data_sums fill in the arrays, a thread
 * after the other (collect/merge_thread.h), and make the profile's arrays of them.
 */
#ifndef OMPP_SUMS_SUM_MERGE_H
#define OMPP_SUMS_SUM_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "reports/profile/profile.h"
#include "runtime/core/thread.h"
#include "runtime/events/cost.h"
#include "runtime/sums/index.h"
#include "runtime/sums/locks.h"

/* A row before all rows are known and sorted.  Its parent is the row of the enclosing rank; that of the first rank is
 * its host. */
struct ompp_merge_row {
	uint32_t host, depth, rank, parent; /* parent is OMPP_NONE at depth 1 */
	uint32_t final;                     /* its index after sorting */
};

struct ompp_merge_path {
	uint32_t parent, region, first_cell; /* region is an id, 0 for the root */
	enum ompp_construct construct;
};

/* Sums of the arrivals at a barrier, in ticks. */
struct ompp_merge_waits {
	struct ompp_waits sum;
	uint64_t made_ticks;
	struct ompp_managing *managing; /* of a parallel region, in the row that forks; NULL when there was none */
};

/* How long visits took: the longest of the first visits; of all others the shortest, the longest, which one that was,
 * and their buckets. */
struct ompp_merge_durations {
	uint64_t n_first, first_ticks, least_ticks, most_ticks, most_at, off_ticks;
	struct ompp_series series;
	uint64_t buckets[OMPP_DURATION_BUCKETS];
};

/* Sums of one row at one call path, in ticks × 256, with the runtime's own cost subtracted. */
struct ompp_merge_sums {
	uint32_t path, row;
	uint32_t next; /* index of the next sums of the same call path */
	uint64_t n, n_body;
	int64_t exec, body, lead, barrier, barrier_task, task, team, startup, shutdown, lock_body, lock_exit;
	int64_t cost[OMPP_N_COST_BOUNDS];
	uint64_t n_untimed;                           /* those of the n visits whose time is estimated (core/storm.h) */
	unsigned __int128 variance[OMPP_STORM_TIMES]; /* of their times, ticks² */
	int lacks_error;                              /* 1 when it is not known */
	uint64_t n_team;
	uint64_t to_bytes, from_bytes;          /* mapped by clauses, or moved by MPI (core/mapped.h) */
	int lacks_to, lacks_from;               /* 1 when some of them are not known */
	int64_t *values;                        /* [ompp_metrics.n] */
	struct ompp_merge_waits *waits;         /* NULL when there were none */
	struct ompp_chunks *chunks;             /* NULL when there were none */
	struct ompp_merge_durations *durations; /* the same */
	int64_t *value_cost;                    /* counts of the runtime itself, subtracted by ompp_merge_finish() */
};

/* What single files keep of their own: those of data_sums, and sum_hot.c and sum_uncore.c. */
struct ompp_merge_allocations;
struct ompp_merge_constants; /* accesses.c */
struct ompp_merge_extent;    /* parts.c */
struct ompp_merge_hot;
struct ompp_merge_line; /* accesses.c */
struct ompp_merge_members;
struct ompp_merge_pattern;
struct ompp_merge_relayout;
struct ompp_merge_reuse;
struct ompp_merge_samples;
struct ompp_merge_spans;
struct ompp_merge_spots;
struct ompp_merge_tracked;
struct ompp_merge_uncore;
struct ompp_merge_uses;

/* Everything that one report merges. */
struct ompp_merge {
	struct ompp_arena *arena;
	struct ompp_merge_row *rows;
	size_t n_rows, have_rows;
	struct ompp_merge_path *paths;
	size_t n_paths, have_paths;
	struct ompp_merge_sums *sums;
	size_t n_sums, have_sums;
	struct ompp_access *accesses;
	size_t n_accesses, have_accesses; /* node is a call path, row is not final yet */
	struct ompp_merge_extent *extents;
	size_t have_extents; /* one for each access */
	struct ompp_merge_line *lines;
	size_t n_lines, have_lines;
	struct ompp_merge_pattern *patterns;
	size_t n_patterns, have_patterns;
	struct ompp_merge_relayout *relayouts;
	size_t n_relayouts, have_relayouts;
	struct ompp_merge_reuse *reuses;
	size_t n_reuses, have_reuses;
	struct ompp_merge_uncore *uncore;
	size_t n_uncore, have_uncore;
	struct ompp_merge_samples *samples;
	struct ompp_merge_allocations *allocations;
	struct ompp_merge_tracked *tracked;
	struct ompp_merge_hot *hot;
	struct ompp_merge_uses *uses;
	struct ompp_merge_spans *spans;
	struct ompp_merge_spots *spots;
	struct ompp_merge_members *members;
	/* The profile's own arrays while they are filled.  The profile itself points to them as constants. */
	struct ompp_region *regions;
	struct ompp_metric *metrics;
	int64_t *values;
	struct ompp_wait *waits;
	struct ompp_chunk_sum *chunks;
	struct ompp_duration *durations;
	struct ompp_duration_bucket *duration_buckets;
	struct ompp_duration_slice *duration_slices;
	uint64_t n_lost_lines, n_own_barriers;
	int sums_accesses; /* 1 when counters ask for sums over objects */
	struct ompp_merge_constants *constants;
	struct ompp_locks locks;
	struct ompp_index row_index, path_index, sums_index, access_index, relayout_index, reuse_index;
	uint64_t now;
	uint64_t n_visits, n_open, n_left, n_lost;
	uint64_t n_lost_samples, n_busy_samples;
	uint64_t own_fp[OMPP_N_COST_BOUNDS]; /* the runtime's own cost of all threads together, ticks × 256 */
	uint64_t stretch_milli;              /* ompp_cpu_stretch_milli() of the thread that makes the report */
	uint32_t max_host;
	uint32_t lost_id; /* the id under which the (lost) region is shown; later regions may have it, too */
	int failed;
};

/* Starts a merge with the root and the main thread's row.  Open regions count up to now_ticks.  Returns 0 or
 * -ENOMEM. */
int ompp_merge_init(struct ompp_merge *merge, struct ompp_arena *arena, uint64_t now_ticks);

/* Returns the row of a rank, which is made if there is none; 0 after a failure.
 * parent: the row of the enclosing rank; OMPP_NONE for the first ranks of a host thread */
uint32_t ompp_merge_find_row(struct ompp_merge *merge, uint32_t host, uint32_t parent, uint32_t rank);

/* Returns the call path of a region under another one, which is made if there is none; 0 after a failure.
 * parent: a call path; OMPP_NONE for the root alone */
uint32_t ompp_merge_find_path(struct ompp_merge *merge, uint32_t parent, uint32_t region,
                              enum ompp_construct construct);

/* Returns the sums of a row at a call path, which are made if there are none; never NULL.  The next call may move them.
 * Sets merge->failed when there is no memory, as both functions above do. */
struct ompp_merge_sums *ompp_merge_find_sums(struct ompp_merge *merge, uint32_t path, uint32_t row);

/* Subtracts the counts of the runtime itself, after all threads were added: from the whole sum of each call path and
 * row, so that none becomes negative. */
void ompp_merge_finish(struct ompp_merge *merge);

#endif
