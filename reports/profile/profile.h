/*
 * Profile: one measured run as plain arrays.  It is the contract between measuring and showing.
 *
 * runtime/collect fills it in the measured process, and ompp_profile_read() from a saved file.  The views read it and
 * nothing else, so both give the same report.  Everything points into one arena and lives as long as that arena.
 * Strings are "" when they are not known, and never NULL unless it is said here.  Indices begin with 0; OMPP_NONE is
 * the index of nothing.
 *
 * Times are in nanoseconds and without the profiler's own cost; counts are plain numbers.  A value that was not
 * measured is OMPP_MISSING, which reports print as "-" and never as 0.
 */
#ifndef OMPP_PROFILE_H
#define OMPP_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/access.h"
#include "runtime/base/arena.h"
#include "runtime/base/construct.h"
#include "runtime/base/wait.h"
#include "runtime/counters/metric.h"
#include "runtime/counters/value.h"

#define OMPP_NONE UINT32_MAX

const char *ompp_certainty_name(enum ompp_certainty certainty);

/* An OpenMP construct in the source, a user region, a function, or a lock.  Reports call it R%05u, by its id. */
struct ompp_region {
	uint32_t id; /* from 1, in order of first execution */
	enum ompp_construct construct;
	const char *file;              /* full path as compiled; of a lock, where it is initialised, or "" */
	uint32_t begin_line, end_line; /* 0 when they are not known */
	const char *name;              /* of a critical, user region or function; the variable of a lock; else "" */
	int costly;                    /* 1 when own cost may be above 10 % of its time; reports mark it */
	uint32_t n_locks;              /* of a LOCK: how many locks share this region; 0 when not known */
	const char *sites;             /* of a LOCK: where they are set, "a.c:12, a.c:40"; "" when not known */
	const char *clauses;           /* "schedule(dynamic, 4) nowait"; "" without clauses, or when not known */
};

/* A row of the tables: a thread, named by its ranks in the teams from the outermost to the innermost one: "0", "1",
 * "2.1".  The second host thread is "h2:0". */
struct ompp_row {
	const char *label;
	uint32_t host;   /* 1 for the first host thread */
	uint32_t depth;  /* number of ranks in the path, at least 1 */
	uint32_t rank;   /* the last rank of the path */
	uint32_t parent; /* row index of the path without its last rank; OMPP_NONE at depth 1 */
};

/* A call path: a region below another call path. nodes[0] is the root, whose region is OMPP_NONE.  Parents come before
 * children, and the children of one parent are in the order in which they were first executed. */
struct ompp_node {
	uint32_t parent;               /* OMPP_NONE for the root */
	uint32_t region;               /* index into regions */
	enum ompp_construct construct; /* the region's, or OMPP_TASKEXEC */
	uint32_t first_cell, n_cells;  /* its cells, by ascending index of the row */
};

/* What one row spent at one call path.  All but exec_ns and n_exec are 0 where the construct has no such part.  These
 * hold:
 *
 *   LOOP, WORKSHARE: exec = body + exit_bar + task
 *
 *   CRITICAL, LOCK, ORDERED: exec = enter + body + exit
 *
 *   PARALLEL and the combined ones: exec = startup + body + exit_bar + task + shutdown
 *
 *   SINGLE, SECTIONS: mgmt = exec - body - exit_bar - task, where body is the time of the n_body bodies
 *
 * Where nothing is known of the waiting at the end, exit_bar and task, and mgmt where there are sections or a SINGLE,
 * are OMPP_MISSING.  The equations hold as if they were 0; where mgmt is missing, the sum is at most exec. */
struct ompp_cell {
	uint32_t row;
	uint64_t n_exec; /* executions */
	uint64_t n_body; /* bodies that were run here (SINGLE, SECTIONS) */
	int64_t exec_ns; /* from enter to exit; of a PARALLEL, from fork to join */
	int64_t body_ns;
	int64_t enter_ns;                /* waiting to get in */
	int64_t exit_ns;                 /* leaving */
	int64_t exit_bar_ns;             /* the implicit barrier, without the tasks that were run in it */
	int64_t startup_ns, shutdown_ns; /* of a PARALLEL: from fork to this thread's begin; from its end to join */
	int64_t mgmt_ns;
	int64_t task_ns; /* tasks that were run while waiting here */
	int64_t incl_ns; /* time at and below this path; the exclusive time is this less that of
	                    the children.  Tasks are children of the PARALLEL around them, so that
	                    of a barrier does not contain task_ns; that of a LOCK is enter + exit,
	                    as its body is not nested in time */
	int64_t cost_ns; /* own cost of the profiler that was taken out of exec_ns; an estimate is one
	                    of times with that cost, although executions without time have less */
	int64_t cost_least_ns, cost_most_ns; /* its bounds; OMPP_MISSING when not known */
	uint64_t n_untimed;                  /* executions that were counted and not timed: exec_ns, and with it
	                                        incl_ns, is an estimate from those that were */
	int64_t error_ns;                    /* its standard error; OMPP_MISSING when not known */
};

/* How a row came to the barrier that ends a construct, or that is one, and why it waited there.  Short waits are looked
 * at about once in a fraction of a millisecond, long ones always; a wait that was not looked at has no cause.  Of a
 * PARALLEL and of an explicit BARRIER the work is what was done since the barrier before.  Sorted by cell. */
struct ompp_wait {
	uint32_t cell;                   /* index */
	uint64_t n;                      /* arrivals */
	int64_t work_ns;                 /* in the construct until the arrivals, without what was taken away */
	int64_t spread_ns;               /* its standard deviation over the arrivals; OMPP_MISSING for n < 2 */
	int64_t off_ns;                  /* how long the processor was taken away since the barrier before */
	int64_t asleep_ns;               /* how long it was without one since then, when it had gone to sleep */
	uint64_t n_looked;               /* waits whose causes were looked for */
	int64_t looked_ns;               /* their time */
	int64_t cause_ns[OMPP_N_CAUSES]; /* the same time, divided by cause */
	int64_t made_ns;                 /* of a PARALLEL: startup_ns of those teams for which threads were made */
	int64_t least_ns, most_ns;       /* the least and the most work_ns of one arrival */
};

/* Which parts of an object the threads access in parallel regions, as far as the first and the last byte of each thread
 * show it.  Two parts may have up to two cache lines in common at their edges and still count as apart. */
enum ompp_parts {
	OMPP_PARTS_UNKNOWN,
	OMPP_PARTS_OVERLAP, /* parts that several threads store to overlap */
	OMPP_PARTS_WRITTEN, /* each thread that stores has its own part, which others read */
	OMPP_PARTS_OWN,     /* each thread has its own part */
	OMPP_PARTS_ONE,     /* at most one thread accesses the object there */
	OMPP_N_PARTS
};

/* A data object: what the program accesses under one name. objects[0] is "(other)", all memory that no name covers.
 * objects[1] is "(stack)", that part of it which lies on the stack of the accessing thread.  The named ones follow in
 * the order of their naming.  Where accesses are not measured there are no objects at all. */
struct ompp_object {
	const char *name; /* as the user wrote it */
	enum ompp_origin origin;
	int64_t address, bytes; /* of the range that was set last; OMPP_MISSING without one */
	uint32_t n_ranges;      /* 1; more when it moved, or when each thread has one */
	int is_private;         /* 1 when each thread has its own range */
	int is_live;            /* 1 when it had a range at the time the profile was made */
	int measured;           /* 0 when the method could not cover it: all its numbers are missing */
	enum ompp_parts parts;
};

/* What one row did with one object at one call path itself, without the call paths below it.  Sorted by node, row and
 * object.  A measured object that is not listed here had no accesses. */
struct ompp_access {
	uint32_t node, row, object;           /* indices */
	int64_t values[OMPP_N_ACCESS_FIELDS]; /* each may be OMPP_MISSING */
};

/* A cache line of one object that several rows wrote within one region; only with OMPP_SHARING=1.  The line with most
 * stores comes first. */
struct ompp_shared_line {
	uint32_t object, region; /* indices */
	int64_t offset_bytes;    /* of the object's first byte in the line; OMPP_MISSING when its block is gone. In
	                          * files of before it may be negative: from the object's start to the line's */
	uint64_t n_stores;       /* of all rows, to this line in this region */
	uint64_t n_transfers;    /* those stores that came after a store of another row */
	const char *rows;        /* who wrote which bytes: "0: 0-7, 1: 8-15" */
};

/* What threads do with an object in a region and no single count shows. */
enum ompp_pattern_kind {
	OMPP_PATTERN_FALSE_SHARING, /* they write the same lines, but different bytes of them */
	OMPP_PATTERN_STRIDE,        /* modelled misses that have the same distance, a line or more */
	OMPP_PATTERN_FOREIGN,       /* modelled misses of pages that another thread wrote first */
	OMPP_N_PATTERNS
};

struct ompp_pattern {
	uint32_t object, region; /* indices; OMPP_NONE for outside of all regions */
	enum ompp_pattern_kind kind;
	uint64_t n, n_of;   /* n of n_of.  FALSE_SHARING: stores that came after a store of another
	                       row to the line, of all stores to such lines.  The others: misses of
	                       the first modelled level, of all such misses of these rows */
	uint64_t n_lines;   /* of FALSE_SHARING: the number of such lines in the object */
	int64_t step_bytes; /* of STRIDE: the distance, which may be negative */
	const char *rows;   /* the rows that do so, "0, 1"; at most 8 of them */
	uint32_t n_rows;
};

/* A level of the modelled caches. */
struct ompp_cache_level {
	const char *name; /* "L1" */
	int64_t bytes, ways, line_bytes;
	int shared; /* 1 when all threads share it, 0 when each has one */
};

/* What a counter of a whole NUMA node or socket (uncore) counted during the executions of a parallel region at one call
 * path.  It contains everything that the machine did meanwhile, in other programs, too.  Sorted by node. */
struct ompp_numa_value {
	uint32_t node;  /* call path */
	uint32_t place; /* NUMA node */
	struct ompp_metric metric;
	int64_t value;
	uint32_t process; /* in a merged profile 1 + rank, as two processes may have counted the same
	                     machine at the same time; else 0 */
};

/* What samples of memory accesses add up to: those of one kind, which one level served.
 *
 * A sample stands for as many accesses as its period.  The number of accesses is estimated by the sum of the periods,
 * and the variance of that estimate by `variance`; its standard error is the root of it.  Sums that would overflow stay
 * at INT64_MAX / 2. */
struct ompp_sampled_sum {
	uint32_t kind;         /* OMPP_MEM_LOADS or OMPP_MEM_STORES */
	uint32_t level;        /* enum ompp_mem_level */
	uint64_t n;            /* samples */
	uint64_t n_timed;      /* those of them whose latency is known */
	int64_t estimate;      /* accesses that they stand for */
	int64_t variance;      /* of the estimate, in accesses squared */
	int64_t latency_ticks; /* sum over the timed ones, in the profile's unit of latencies */
	int64_t squares;       /* sum over their squares */
};

/* The samples of what one row did with one object at one call path itself, in memory of one NUMA node.  Sorted by node,
 * row, object, kind, level and home. */
struct ompp_sampled {
	uint32_t node, row, object; /* indices */
	uint32_t home;              /* the NUMA node that has the memory; OMPP_NONE when it is not known */
	uint64_t n_far;             /* samples of processors of another NUMA node than home */
	struct ompp_sampled_sum sum;
};

/* How often a latency was sampled: a bucket of the histogram of one ompp_sampled.  Buckets are half octaves
 * (runtime/base/histogram.h).  Sorted by sampled and bucket. */
struct ompp_sampled_latency {
	uint32_t sampled; /* index */
	uint32_t bucket;
	uint64_t n;
};

/* The samples of one source line's accesses to one object, of all rows and call paths.  Sorted by file, line, function,
 * object, kind and level. */
struct ompp_sampled_line {
	const char *file;     /* full path; "" when the line is not known */
	uint32_t line;        /* 0 when it is not known */
	const char *function; /* "" when it is not known */
	uint32_t object;      /* index */
	struct ompp_sampled_sum sum;
};

/* Pages of an object that one row touched first at one call path itself, by one source line.  Sorted by node, row,
 * object, home, file and line. */
struct ompp_first_touch {
	uint32_t node, row, object; /* indices */
	uint32_t home;              /* the NUMA node that the pages are on; OMPP_NONE when it is not known */
	const char *file;           /* full path; "" when the line is not known */
	uint32_t line;              /* 0 when it is not known */
	uint64_t n_pages;           /* page faults; a huge page counts once */
	const char *small; /* of an object that is the rest of a file's data: the variable, too small for an object of
	                      its own, that the access was of; "" when not known */
};

enum { OMPP_MOST_SMALL = 64 };

/* The samples of what one row did with one object at one call path itself, by where processor and memory are, and by
 * who touched the pages first.  These are the samples of the ompp_sampled, told apart in another way: the sums of both
 * are the same, and their kinds and levels (in profiles of version 1.0.0 levels are unknown).  Sorted by node, row,
 * object, kind, level, home, from, toucher, touched_at and small. */
struct ompp_use {
	uint32_t node, row, object;   /* indices */
	uint32_t home, from;          /* NUMA nodes of the memory and of the processor; OMPP_NONE when not known */
	uint32_t toucher, touched_at; /* index of the row that touched the pages first, and of the node where; OMPP_NONE
	                                 when not known */
	int64_t lo, hi;               /* addresses of the samples, the least and the greatest */
	struct ompp_sampled_sum sum;
	const char *small; /* of an object that is the rest of a file's data: the variable, too small for an object of
	                      its own, that all of these samples are of; "" when not known.  At most OMPP_MOST_SMALL
	                      have their names, those with most samples */
};

/* Where in an object, when, and from which NUMA node one row accessed it at one call path itself, of the samples that
 * memory may have answered (runtime/base/served.h).  A spot has some neighbouring pages of one block of the object's
 * memory, and one of the slices of the run's time, which are of one length.  Sorted by object, node, row, from, block,
 * page, n_pages and slice. */
struct ompp_spot {
	uint32_t node, row, object; /* indices */
	uint32_t from;              /* NUMA node of the processor; OMPP_NONE when it is not known */
	uint32_t block;             /* order of the block; OMPP_NONE when it is not known */
	uint32_t slice;             /* from 0; all 0 when times are not known */
	uint64_t page, n_pages;     /* among the whole pages of the block, from 0; n_pages is 0 when it has none */
	uint64_t n;                 /* samples */
	int64_t estimate;           /* accesses that they stand for */
	int64_t half;               /* those of about every other sample, chosen by chance */
};

/* A block of an object's memory: what a call has allocated, or a range that got a name.  Of an object with very many
 * the first ones alone are listed.  Sorted by object and order. */
struct ompp_extent {
	uint32_t object;    /* index */
	uint32_t order;     /* among the blocks of the object, from 0, as they began */
	uint32_t row;       /* index of who allocated it; OMPP_NONE when not known, and for what is not allocated */
	uint32_t is_reused; /* 1 when another block of the object lay at the same place at another time */
	uint64_t n_pages;   /* whole pages, of the system's usual size */
};

/* How many pages of an object are on a NUMA node.  Pages have the system's usual size, 4 KiB mostly.  Sorted by object
 * and home. */
struct ompp_placement {
	uint32_t object;  /* index */
	uint32_t home;    /* NUMA node; OMPP_NONE for pages without memory, and those of which it is not known */
	uint64_t n_pages; /* when it was last looked for, at the end of a parallel region or for the report */
	uint64_t n_moved; /* pages that were found to have moved there from other nodes */
	uint64_t step;    /* 1; more when every step-th page was asked for, and the numbers are multiplied by it */
};

/* How the pages of an object were used, in a region or in the whole run, as far as accesses are counted.  All numbers
 * are exact but for n_pages_lost.  Sorted by scope, object and region. */
enum { OMPP_PAGED_RUN, OMPP_PAGED_REGION };
enum { OMPP_PAGED_PARTS = 64 }; /* of a page */
struct ompp_paged {
	uint32_t scope;     /* OMPP_PAGED_RUN or OMPP_PAGED_REGION */
	uint32_t object;    /* index; in the whole run also OMPP_NONE, for all objects together */
	uint32_t region;    /* index; OMPP_NONE outside of regions, and for the whole run */
	uint32_t n_threads; /* that used them */
	uint64_t n_pages;
	uint64_t n_private;      /* pages that one thread alone used */
	uint64_t n_read_shared;  /* that several threads used, and none wrote */
	uint64_t n_read_only;    /* that nobody wrote */
	uint64_t n_written_once; /* that were written in one interval alone */
	uint64_t n_parts;        /* of the OMPP_PAGED_PARTS of each page, that were used */
	uint64_t loads, stores;
	uint64_t n_unhooked;  /* pages that the kernel told to be written, and no hook saw a store to */
	uint64_t n_uncounted; /* of n_pages, those of which hooks saw nothing: nothing else is known of them */
};

/* One of the pages with most accesses.  Sorted by them, the most first, and by address. */
enum { OMPP_HOT_PAGES = 20 };
struct ompp_hot_page {
	uint64_t address;
	uint32_t object, region; /* indices of those with most of its accesses; region may be OMPP_NONE */
	uint32_t is_shared;      /* 1 when several threads used it */
	uint32_t n_parts;        /* of OMPP_PAGED_PARTS, that were used */
	uint64_t loads, stores;
	const char
		*smalls; /* names of variables, too small for objects of their own, that lie in those parts of it
	                    that were used of the rest of a file's data, with " …" when there are more; "" for none */
};

/* A variable, too small for an object of its own, that lies in parts of pages that were used of the object.  At most
 * OMPP_MOST_SMALL, those that lie in most.  Sorted by object and name. */
struct ompp_page_variable {
	uint32_t object; /* index: the rest of a file's data */
	const char *small;
	uint64_t n_bytes;
	uint64_t n_parts; /* that were used, of the OMPP_PAGED_PARTS of each page, and that it has bytes in */
	uint64_t n_alone; /* of these, those that no other such variable has bytes in */
};

/* Where a thread may run, and where samples found it.  By its row as of ompp_thread_row().  Sorted by row. */
struct ompp_binding {
	uint32_t row;          /* index */
	uint32_t n_allowed;    /* processors that it could use when it began; 0 when not known */
	const char *allowed;   /* their numbers, "0-3,8"; "" when not known */
	uint32_t n_seen;       /* processors on which samples found it */
	uint64_t n_looks;      /* samples whose processor is known */
	uint64_t n_moves;      /* times that a sample found it on another processor than the one before */
	uint64_t n_node_moves; /* those to a processor of another NUMA node */
};

/* A NUMA node of the machine.  Ascending numbers. */
struct ompp_numa_node {
	uint32_t number;
	const char *cpus;      /* its processors, "0-3,8"; "" for none */
	int64_t bytes;         /* of its memory; OMPP_MISSING when not known */
	const char *distances; /* to the nodes in their order, as the firmware says, "10 21"; "" when not known */
	/* of its memory from the processors that are nearest to it, as the firmware says (ACPI's HMAT): MB/s, ns;
	 * OMPP_MISSING when it does not */
	int64_t read_bandwidth, write_bandwidth, read_latency, write_latency;
};

/* The blocks of memory that one site of the program allocated: one call path.  Only with OMPP_OBJECTS=all.  Sorted by
 * peak_bytes, the most first. */
struct ompp_allocation {
	const char *name; /* as that of an object: "a.c:12 x = malloc(…)", "prog+0x1149" without debug information */
	const char *path; /* the calls, the innermost first: "a.c:12 make, main.c:40 main" */
	uint32_t object;  /* index of the object that its large blocks are; OMPP_NONE when it has none */
	uint32_t row, region; /* indices of who allocated the first block, and where; OMPP_NONE when not known, and
	                         outside of all regions */
	int several_threads;  /* 1 when other threads allocated here, too */
	uint64_t n_blocks, n_live;
	int64_t bytes, live_bytes, peak_bytes; /* of all blocks; of those that are live now; the most at a time */
	int64_t peak_error;                    /* peak_bytes is known to within so many bytes */
	int64_t lifetime_ns;                   /* of all blocks together, of live ones up to now */
	const char *calls; /* those by which OMPP_PLACE finds its large blocks (core/placement.h), with spaces between
	                      several;
	                      "" when it has none */
	const char *allocator; /* OpenMP's: "omp_high_bw_mem_alloc", of the program's own the number; "" for others */
	uint64_t n_large; /* of n_blocks, those of OMPP_OBJECT_MIN or more, while instances were looked for; else 0 */
	uint64_t n_told;  /* of n_large, those whose accesses were told apart from those of others */
};

/* A block of an object that is the blocks of one allocation, of those that stand out: by accesses, by samples, or by
 * size.  Its counts are exact where the object's are: all accesses from its allocation to its end.  Sorted by object
 * and time of allocation. */
struct ompp_instance {
	uint32_t object;      /* index */
	uint32_t row, region; /* indices of who allocated it, and where; as in an allocation */
	int64_t order;        /* its number among the blocks of the allocation, from 1; OMPP_MISSING when not known */
	int64_t bytes;
	int64_t address;
	int64_t begun_ns, ended_ns; /* since the start, without the time that measuring was off; ended_ns is
	                               OMPP_MISSING when not known */
	int is_live;                /* 1 when it had not ended */
	int is_partial;             /* 1 when some of its accesses are not in its counts, but only in the object's */
	int64_t loads, stores, atomics, load_bytes, store_bytes, atomic_bytes; /* OMPP_MISSING without hooks */
	uint64_t n_samples;
	int64_t estimate, variance; /* of the accesses that these stand for, as in an ompp_sampled_sum */
	/* The same of those of which is known what answered them, and of these, those that memory did. */
	int64_t known, known_variance, memory, memory_variance;
	int has_misses;                     /* 1 when caches were modelled; 0 in profiles of before */
	int64_t misses[OMPP_ACCESS_LEVELS]; /* OMPP_MISSING of a level that was not */
};

/* Something the reader must know: a loss, a source that failed, a limit reached. */
struct ompp_profile_note {
	const char *text; /* a whole sentence that says what and what to do */
	uint64_t n;       /* how often; 0 when it is not a matter of counting */
};

/* A condition of the run, in the order of the report: "Command Line", "Host", "CPU", "OMP_SCHEDULE" … */
struct ompp_condition {
	const char *label, *value;
};

struct ompp_profile {
	const char *app;
	const char *version;                /* of the runtime that measured, "1.0.0" */
	int64_t start_unix_ns, end_unix_ns; /* wall clock */
	int64_t utc_offset_s;               /* local time − UTC at the start, seconds */
	int64_t duration_ns;                /* from the measuring clock */
	int64_t user_ns, system_ns;         /* CPU time of the process */
	int final;                          /* 1 for the final report, 0 for an incremental one */
	uint32_t n_dump;                    /* 1, 2, … for incremental reports */
	int signal;                         /* the fatal signal that ended the run, else 0 */
	uint32_t max_threads;               /* omp_get_max_threads() at the start, or more where seen */
	int64_t pid;
	int mpi_rank;       /* −1 when this is no MPI run; in a merged profile the first process's */
	int mpi_size;       /* of the run; 0 when not known */
	uint32_t n_merged;  /* how many processes were added up; 0 for one alone, as in saved profiles */
	const char *clock;  /* "tsc", "monotonic" … */
	int64_t cost_ps;    /* own cost of one enter/exit pair, picoseconds */
	int64_t cost_ns;    /* own cost of all threads together, nanoseconds */
	uint64_t n_events;  /* of all threads */
	const char *filter; /* a value for OMPP_FILTER that leaves out the costly regions, or "" */
	int64_t off_ns;     /* part of duration_ns: measuring was switched off (ompp_off).  No time, count
	                       or value of the profile has anything of it: duration_ns - off_ns is what
	                       was measured, and the serial part is that less the parallel coverage */

	int64_t cost_least_ns, cost_most_ns; /* bounds of cost_ns; OMPP_MISSING when not known */
	int64_t queued_ns;        /* how long the process's first thread could have run but had no processor, as
	                             the kernel says; OMPP_MISSING when not known */
	int64_t processors_milli; /* processors that the process may use, in thousandths; may be OMPP_MISSING */
	uint32_t n_numa_nodes;    /* nodes that have memory; 0 when not known */

	const struct ompp_condition *conditions;
	size_t n_conditions;
	const struct ompp_region *regions;
	size_t n_regions; /* ascending id */
	const struct ompp_row *rows;
	size_t n_rows; /* host, then rank path, numerically ascending */
	const struct ompp_node *nodes;
	size_t n_nodes;
	const struct ompp_cell *cells;
	size_t n_cells;
	const struct ompp_wait *waits;
	size_t n_waits;
	const struct ompp_metric *metrics;
	size_t n_metrics;
	const int64_t *values; /* [cell * n_metrics + metric]: inclusive, for the part of the
	                          construct that counters cover; what tasks counted is at their
	                          TASKEXEC alone; each may be OMPP_MISSING */
	const struct ompp_eval *evals;
	size_t n_evals; /* computed by the views */
	const struct ompp_numa_value *numa_values;
	size_t n_numa_values;
	const struct ompp_profile_note *notes;
	size_t n_notes;

	const char *data_method; /* "hooks", "hooks, source level", "breakpoints", or "" */
	int hooked;              /* 1 when times contain the cost of access hooks */
	int sharing;             /* 1 when shared lines were looked for */
	const struct ompp_object *objects;
	size_t n_objects;
	const struct ompp_access *accesses;
	size_t n_accesses;
	const struct ompp_shared_line *shared_lines;
	size_t n_shared_lines;
	const struct ompp_cache_level *cache_levels;
	size_t n_cache_levels; /* 0, or at most 3 */
	const struct ompp_pattern *patterns;
	size_t n_patterns;

	const char *sample_source;    /* where samples come from: "pebs", "ibs", "spe", "hook"; or "" without any */
	uint32_t sample_kinds;        /* enum ompp_mem_kind: what was sampled */
	uint64_t sample_period;       /* accesses from one sample to the next, in the mean */
	uint32_t sample_latency;      /* loads that took fewer ticks were left out; 0 leaves out none */
	const char *sample_latencies; /* the unit of latencies: "cycles", "TSC cycles"; "" when none are known */
	uint64_t sample_seed;         /* of the random choices of its samples, of the first of merged processes; 0 when
	                                 not known */
	uint32_t sample_tick_fs;      /* femtoseconds of one such tick; 0 when not known, as a core's clock varies */
	int touched;                  /* 1 when first touches were looked for, 2 when also those in system calls */
	const struct ompp_sampled *samples;
	size_t n_samples;
	const struct ompp_sampled_latency *sample_histogram;
	size_t n_sample_histogram;
	const struct ompp_sampled_line *sample_lines;
	size_t n_sample_lines;
	const struct ompp_first_touch *first_touches;
	size_t n_first_touches;

	const struct ompp_use *uses;
	size_t n_uses;
	const char *pages_method; /* how uses of pages were found: "access hooks"; "" when they were not looked for */
	int pages_told;           /* 1 when the kernel was asked which pages are written */
	int64_t page_bytes;       /* of such a page */
	uint64_t n_pages_lost;    /* uses of pages that are not in the following */
	const struct ompp_paged *paged;
	size_t n_paged;
	const struct ompp_hot_page *hot_pages;
	size_t n_hot_pages;
	const struct ompp_page_variable *page_variables;
	size_t n_page_variables;
	const struct ompp_spot *spots;
	size_t n_spots;
	const struct ompp_extent *extents;
	size_t n_extents;
	const struct ompp_placement *placements;
	size_t n_placements;
	const struct ompp_binding *bindings;
	size_t n_bindings;
	const struct ompp_numa_node *numa_nodes;
	size_t n_numa_list;     /* of numa_nodes; 0 when they were not looked at */
	uint32_t numa_emulated; /* reports shall show so many imagined NUMA nodes; 0 for the machine's own */

	int all_objects; /* 1 when blocks of memory were looked for */
	const struct ompp_allocation *allocations;
	size_t n_allocations;
	const struct ompp_instance *instances;
	size_t n_instances;
};

/* Returns the row by which the thread of this row is known outside: rank 0 of a team is the thread that forked the
 * team. */
static inline uint32_t ompp_thread_row(const struct ompp_profile *p, uint32_t row)
{
	while (!p->rows[row].rank && p->rows[row].parent != OMPP_NONE)
		row = p->rows[row].parent;
	return row;
}

#endif
