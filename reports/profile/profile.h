/*
 * Profile: one measured run as plain arrays.  The contract between measuring and showing.
 *
 * runtime/collect fills it in the measured process, or ompp_profile_read() from a saved file; the views read it and
 * nothing else, so both give the same report.  Everything points into one arena and lives as long as that arena.
 * Strings are never NULL unless said so ("" when unknown).  Indices are 0-based; OMPP_NONE means "no such".
 *
 * Units: times in nanoseconds (int64_t), already without the profiler's own cost; counts are plain.
 * A value that was not measured is OMPP_MISSING and printed as "-", never as 0.
 */
#ifndef OMPP_PROFILE_H
#define OMPP_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/access.h"
#include "runtime/base/arena.h"
#include "runtime/base/construct.h"
#include "runtime/base/metric.h"
#include "runtime/base/wait.h"

#define OMPP_NONE    UINT32_MAX
#define OMPP_MISSING INT64_MIN

const char *ompp_certainty_name(enum ompp_certainty certainty);

/* One OpenMP construct in the source, one user region, function, or lock.  The report calls it R%05u of id. */
struct ompp_region {
	uint32_t            id;                 /* from 1, in order of first execution */
	enum ompp_construct construct;
	const char         *file;               /* full path as compiled; of locks where they are initialised, or "" */
	uint32_t            begin_line, end_line;     /* 0: unknown */
	const char         *name;               /* critical, user region, function, the variable of a lock; else "" */
	int                 costly;             /* 1: own cost may exceed 10 % of its time; the report marks it */
	uint32_t            n_locks;            /* of LOCK: how many locks it is; 0: not known */
	const char         *sites;              /* of LOCK: where they are set, "a.c:12, a.c:40"; "" when not known */
	const char         *clauses;            /* "schedule(dynamic, 4) nowait"; "" where there are none, or it is not known */
};

/* A row of the tables: the path of team ranks, "0", "1", "2.1"; "h2:0" for the second host thread. */
struct ompp_row {
	const char *label;
	uint32_t    host;                       /* 1 for the first host thread */
	uint32_t    depth;                      /* number of ranks in the path, at least 1 */
	uint32_t    rank;                       /* the last rank of the path */
	uint32_t    parent;                     /* row index of the path without its last rank; OMPP_NONE at depth 1 */
};

/* A call path: a region below another.  nodes[0] is the root (region OMPP_NONE); parents come before children,
 * children of one parent in order of first execution. */
struct ompp_node {
	uint32_t            parent;             /* OMPP_NONE for the root */
	uint32_t            region;             /* index into regions */
	enum ompp_construct construct;          /* the region's, or OMPP_TASKEXEC */
	uint32_t            first_cell, n_cells;      /* into cells: rows in ascending order of row index */
};

/* What one row spent at one call path.  All but exec_ns and n_exec are 0 where the construct has no such part.
 * Identities: LOOP, WORKSHARE:  exec = body + exit_bar + task;  CRITICAL, LOCK, ORDERED: exec = enter + body + exit;
 * PARALLEL*: exec = startup + body + exit_bar + task + shutdown;
 * SINGLE, SECTIONS: body is the single's or the sections' bodies, n_body their number,
 *                   mgmt = exec - body - exit_bar - task.
 * Where the waiting at the end is not known, exit_bar, and mgmt of SINGLE and SECTIONS, are OMPP_MISSING, task too, and in
 * the identities as if 0. */
struct ompp_cell {
	uint32_t row;
	uint64_t n_exec;                        /* executions */
	uint64_t n_body;                        /* bodies run here (SINGLE, SECTIONS) */
	int64_t  exec_ns;                       /* enter to exit; PARALLEL: fork to join */
	int64_t  body_ns;
	int64_t  enter_ns;                      /* waiting to get in */
	int64_t  exit_ns;                       /* leaving */
	int64_t  exit_bar_ns;                   /* implicit barrier less the tasks that it ran */
	int64_t  startup_ns, shutdown_ns;       /* PARALLEL: fork to this thread's begin; its end to join */
	int64_t  mgmt_ns;
	int64_t  task_ns;                       /* tasks run while waiting here */
	int64_t  incl_ns;                       /* for the call graph: time below this path.  The exclusive time is this
	                                           less the children's; tasks are children of the enclosing PARALLEL, so
	                                           incl_ns of a barrier does not contain task_ns; of a LOCK it is
	                                           enter + exit, as its body is not nested in time */
	int64_t  cost_ns;                       /* own cost of the profiler that was taken out of exec_ns */
	int64_t  cost_least_ns, cost_most_ns;   /* what that may have been at least and at most; OMPP_MISSING possible */
};

/* How a row came to the barrier that ends a construct (or is one), and why it waited there.  Waits are looked at about once
 * in a fraction of a millisecond, longer ones always; what was not looked at has no cause.  Sorted by cell.
 * Of a PARALLEL and of an explicit BARRIER the work is that since the barrier before. */
struct ompp_wait {
	uint32_t cell;                          /* index */
	uint64_t n;                             /* arrivals */
	int64_t  work_ns;                       /* in the construct up to the arrivals, less what was taken away */
	int64_t  spread_ns;                     /* standard deviation of that from arrival to arrival; OMPP_MISSING: n < 2 */
	int64_t  off_ns;                        /* since the barrier before: the processor was taken away */
	int64_t  asleep_ns;                     /* since then: without a processor, where it slept by itself */
	uint64_t n_looked;                      /* waits whose causes were looked for */
	int64_t  looked_ns;                     /* their time */
	int64_t  cause_ns[OMPP_N_CAUSES];       /* of that, by cause */
	int64_t  made_ns;                       /* PARALLEL: of startup_ns, for teams for which threads were made */
	int64_t  least_ns, most_ns;             /* of work_ns, one arrival */
};

/* What of an object the threads access in parallel regions, as far as the first and the last byte of each show it.  An edge
 * of up to two cache lines in common is nobody's. */
enum ompp_parts {
	OMPP_PARTS_UNKNOWN,
	OMPP_PARTS_OVERLAP,                     /* parts that several of them store to overlap, or lie in each other */
	OMPP_PARTS_WRITTEN,                     /* each that stores has a part of its own, but others read it */
	OMPP_PARTS_OWN,                         /* each has a part of its own */
	OMPP_PARTS_ONE,                         /* at most one thread accesses it there */
	OMPP_N_PARTS
};

/* A data object: what the program accesses under one name.  objects[0] is (other), what no name covers;
 * objects[1] is (stack), of it what lies on the stack of the accessing thread; the named ones follow in the order of
 * naming.  There are none at all (n_objects 0) when nothing measured accesses. */
struct ompp_object {
	const char      *name;                  /* as the user wrote it */
	enum ompp_origin origin;
	int64_t          address, bytes;        /* of the range set last; OMPP_MISSING: there was none */
	uint32_t         n_ranges;              /* ranges set: 1; more when it moved, or of a private object one a thread */
	int              is_private;            /* 1: each thread has a range of its own */
	int              is_live;               /* 1: a range was in force when the profile was made */
	int              measured;              /* 0: the method could not cover it; all its numbers are missing */
	enum ompp_parts  parts;
};

/* What one row did with one object at one call path itself, not below it (exclusive).  Sorted by node, row, object;
 * what is not listed is 0 for measured objects. */
struct ompp_access {
	uint32_t node, row, object;             /* indices */
	int64_t  values[OMPP_N_ACCESS_FIELDS];  /* OMPP_MISSING possible */
};

/* A cache line of one object that several rows wrote within one region (with OMPP_SHARING=1).  Most stores first. */
struct ompp_shared_line {
	uint32_t    object, region;             /* indices */
	int64_t     offset_bytes;               /* from the object's start to the line's first byte; may be negative */
	uint64_t    n_stores;                   /* to the line in the region, of all rows */
	uint64_t    n_transfers;                /* of them, those after a store of another row */
	const char *rows;                       /* who wrote which bytes: "0: 0-7, 1: 8-15" */
};

/* What threads do with an object in a region that shows in no count alone. */
enum ompp_pattern_kind {
	OMPP_PATTERN_FALSE_SHARING,             /* they write the same lines, but no byte of them in common */
	OMPP_PATTERN_STRIDE,                    /* modelled misses that are the same distance apart, two lines or more */
	OMPP_PATTERN_FOREIGN,                   /* modelled misses of pages that another thread wrote first */
	OMPP_N_PATTERNS
};

struct ompp_pattern {
	uint32_t               object, region;  /* indices; region OMPP_NONE: outside of all regions */
	enum ompp_pattern_kind kind;
	uint64_t               n, n_of;         /* of FALSE_SHARING stores after a store of another row to the line, of all
	                                           stores to such lines; else misses of the first modelled level, of all
	                                           those of these rows */
	uint64_t               n_lines;         /* of FALSE_SHARING: all lines of the object where that is so */
	int64_t                step_bytes;      /* of STRIDE: how far apart; may be negative */
	const char            *rows;            /* whose they are: "0, 1"; at most 8 of them */
	uint32_t               n_rows;
};

/* A level of the modelled caches. */
struct ompp_cache_level {
	const char *name;                       /* "L1" */
	int64_t     bytes, ways, line_bytes;
	int         shared;                     /* 0: one a thread */
};

/* A counter of a whole NUMA node or socket (uncore) during the executions of a parallel region at one call path; all that
 * the machine did meanwhile, other programs included.  Sorted by node. */
struct ompp_node_value {
	uint32_t           node;                /* call path */
	uint32_t           place;               /* NUMA node */
	struct ompp_metric metric;
	int64_t            value;
	uint32_t           process;             /* of several that were merged: 1 + rank, as two may have counted one machine
	                                           at the same time; else 0 */
};

/* Something the reader must know: a loss, a source that failed, a limit reached. */
struct ompp_profile_note {
	const char *text;                       /* a whole sentence that says what and what to do */
	uint64_t    n;                          /* how often; 0 when it is not a matter of counting */
};

/* A condition of the run, in the order of the report: "Command Line", "Host", "CPU", "OMP_SCHEDULE" … */
struct ompp_condition { const char *label, *value; };

struct ompp_profile {
	const char *app;
	const char *version;                    /* of the runtime that measured, "1.0.0" */
	int64_t     start_unix_ns, end_unix_ns; /* wall clock */
	int64_t     utc_offset_s;               /* local time − UTC at the start, seconds */
	int64_t     duration_ns;                /* from the measuring clock */
	int64_t     user_ns, system_ns;         /* CPU time of the process */
	int         final;                      /* 1 final, 0 incremental */
	uint32_t    n_dump;                     /* 1, 2, … for incremental reports */
	int         signal;                     /* the fatal signal that ended the run, else 0 */
	uint32_t    max_threads;                /* omp_get_max_threads() at the start, or more where seen */
	int64_t     pid;
	int         mpi_rank;                   /* −1: not an MPI run; of several that were merged the first one's */
	int         mpi_size;                   /* of the run; 0: unknown */
	uint32_t    n_merged;                   /* processes that were added up; 0: one alone, as in each saved profile */
	const char *clock;                      /* "tsc", "monotonic" … */
	int64_t     cost_ps;                    /* own cost of one enter/exit pair, picoseconds */
	int64_t     cost_ns;                    /* own cost in all threads in all, nanoseconds */
	uint64_t    n_events;                   /* events in all */
	const char *filter;                     /* a value for OMPP_FILTER that leaves out the costly regions, or "" */
	int64_t     off_ns;                     /* of duration_ns, how long measuring was switched off (ompp_off): no time, count
	                                           or value of the profile has anything of it, so that duration_ns - off_ns is
	                                           what was measured, and the serial part is that less the parallel coverage */

	int64_t     cost_least_ns, cost_most_ns;        /* what cost_ns may be at least and at most; OMPP_MISSING possible */
	int64_t     queued_ns;                  /* how long the process's first thread could have run and had no processor, as
	                                           the kernel says; OMPP_MISSING possible */
	int64_t     processors_milli;           /* processors that the process may use, in thousandths; OMPP_MISSING possible */
	uint32_t    n_numa_nodes;               /* that have memory; 0: not known */

	const struct ompp_condition    *conditions; size_t n_conditions;
	const struct ompp_region       *regions;    size_t n_regions;     /* ascending id */
	const struct ompp_row          *rows;       size_t n_rows;        /* host, then rank path, numerically ascending */
	const struct ompp_node         *nodes;      size_t n_nodes;
	const struct ompp_cell         *cells;      size_t n_cells;
	const struct ompp_wait         *waits;      size_t n_waits;
	const struct ompp_metric       *metrics;    size_t n_metrics;
	const int64_t                  *values;     /* [cell * n_metrics + metric], inclusive, for the part of the
	                                               construct that counters cover; what tasks counted is at their
	                                               TASKEXEC alone; OMPP_MISSING possible */
	const struct ompp_eval         *evals;      size_t n_evals;       /* computed by the views */
	const struct ompp_node_value   *node_values; size_t n_node_values;
	const struct ompp_profile_note *notes;      size_t n_notes;

	const char *data_method;                /* "hooks", "hooks, source level", "breakpoints", or "" */
	int         hooked;                     /* 1: times contain the cost of access hooks */
	int         sharing;                    /* 1: shared lines were looked for */
	const struct ompp_object       *objects;    size_t n_objects;
	const struct ompp_access       *accesses;   size_t n_accesses;
	const struct ompp_shared_line  *shared_lines; size_t n_shared_lines;
	const struct ompp_cache_level  *cache_levels; size_t n_cache_levels;  /* 0, or at most 3 */
	const struct ompp_pattern      *patterns;   size_t n_patterns;
};

/* The row of the thread that a row is of: rank 0 of a team is the thread that forked it. */
static inline uint32_t ompp_thread_row(const struct ompp_profile *p, uint32_t row)
{
	while (!p->rows[row].rank && p->rows[row].parent != OMPP_NONE)
		row = p->rows[row].parent;
	return row;
}

#endif
