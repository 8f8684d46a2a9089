/*
 * ompp_flow.h: reads traces of memory accesses and of pages, which programs built by kinst write with OMPP_TRACE=1
 * (….ompp.flow) and OMPP_PAGES=auto (….ompp.pages), for programs of your own.  Link with -lompp_flow (pkg-config
 * ompp-flow).
 *
 * A trace has events in the order of their times: sampled accesses, first touches of pages, blocks of memory that begin
 * and end, changes of regions, messages of MPI, and threads that move to another processor; or uses of pages.  Events
 * refer to objects, regions, threads and places that allocate by numbers below ompp_flow_n_objects() and so on.
 *
 * All of a trace that can be read is read, and ompp_flow_info() tells what is damaged or missing.  Several threads may
 * read one trace at once.  Texts and structs that functions return are valid until ompp_flow_close().  What is not
 * known is 0, OMPP_FLOW_NONE or "", as said; functions that fail return one of enum ompp_flow_error, and
 * ompp_flow_message() tells in words what was wrong and what to do.
 */
#ifndef OMPP_FLOW_H
#define OMPP_FLOW_H

#include <stddef.h>
#include <stdint.h>

#include "ompp_mem.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OMPP_FLOW_NONE UINT32_MAX

enum ompp_flow_error {
	OMPP_FLOW_ERROR_FILE = -1,   /* it cannot be opened or read */
	OMPP_FLOW_ERROR_FORM = -2,   /* it is no trace, or one of another version */
	OMPP_FLOW_ERROR_MEMORY = -3, /* not enough memory */
	OMPP_FLOW_ERROR_ZSTD = -4    /* it is compressed, and this library was built without zstd */
};

/* Returns what was wrong with this thread's last call that failed, as "cause; what to do". */
const char *ompp_flow_message(void);

/* ---- a trace ---- */

struct ompp_flow;

/* Open a trace: a file, or bytes in memory, which are not needed any more then.  Return 0, or an error and then *flow
 * is NULL. */
int ompp_flow_open(struct ompp_flow **flow, const char *path);
int ompp_flow_open_bytes(struct ompp_flow **flow, const void *bytes, size_t n_bytes);
void ompp_flow_close(struct ompp_flow *flow); /* does nothing with NULL */

struct ompp_flow_info {
	const char *app;       /* the program's name, or "" */
	const char *latencies; /* the unit of latencies, "cycles", "TSC cycles", "cntvct ticks", or "" */
	uint64_t period;     /* accesses from one sample to the next, in the mean; 0 when accesses were not sampled, or
	                        processes differ in it */
	uint32_t page_bytes; /* of the system's pages */
	uint32_t pid;        /* 0 of several processes */
	uint64_t start_ns;   /* when the run started, by the clock of all events (CLOCK_MONOTONIC) */
	uint64_t start_unix_ns; /* the same since 1970 */
	uint64_t interval_ns;   /* of uses of pages; 0 when they are told apart by regions, or there are none */
	const char *method;     /* how uses of pages are found; "" when there are none */
	const char *unseen;     /* what that cannot see, or "" */
	size_t n_events;
	int is_whole;        /* 1 when the run came to its end, and the file has it */
	uint64_t n_left_out; /* events beyond OMPP_TRACE_LIMIT, or OMPP_PAGES_LIMIT; UINT64_MAX when the file has no end
	                      */
	uint64_t n_lost;     /* events that could not be written; the same */
	uint64_t n_bytes;    /* of the file */
	uint64_t n_damaged;  /* bytes of it that could not be read */
	uint64_t ahead_ns; /* uses by loops that are counted as a whole may be later than their times say by up to this
	                    */
};
const struct ompp_flow_info *ompp_flow_info(const struct ompp_flow *flow);

/* ---- the processes of one program as one trace ---- */

/* Opens the traces of several processes of one program: of a server that forks, or the ranks of an MPI program.  Their
 * threads and memory are kept apart; objects, sites and regions of the same name are merged.  All times are of one
 * clock: CLOCK_MONOTONIC, which the processes of one machine share.  Times of a process on another machine, with
 * another clock, are shifted by the difference of the system clocks. ompp_flow_info() covers all of them.  Returns 0,
 * or an error and then *flow is NULL.
 * failed: gets the index of the path that is not read; may be NULL */
int ompp_flow_open_all(struct ompp_flow **flow, const char *const *paths, size_t n_paths, size_t *failed);

struct ompp_flow_process {
	const char *path;           /* of its trace; "" of bytes in memory */
	struct ompp_flow_info info; /* of its trace alone; its start_ns is by its own clock */
	int64_t moved_ns;           /* what was added to its times; 0 when its clock is that of all events */
	uint32_t first_thread;      /* its threads are those from this one on, in the order of its own numbers */
	uint32_t n_threads;
	uint32_t mpi_rank, mpi_size; /* its rank in MPI_COMM_WORLD, or OMPP_FLOW_NONE; how many there are, or 0 */
};
size_t ompp_flow_n_processes(const struct ompp_flow *flow); /* 1 of one trace */
const struct ompp_flow_process *ompp_flow_process(const struct ompp_flow *flow, uint32_t process);

/* ---- emulated NUMA nodes ---- */

/* Replaces the machine's NUMA nodes by n_nodes emulated ones: the threads are assigned to them in the order of their
 * processes and ranks, and each page is on the node of the thread that touched it first, if the trace has this touch;
 * the node of other pages is not known.  No other thread may use the trace meanwhile.  Returns 0 or an error.
 */
int ompp_flow_emulate(struct ompp_flow *flow, uint32_t n_nodes);

/* ---- what events refer to ---- */

/* Data that has a name, or all blocks of memory that one call path allocated. */
struct ompp_flow_object {
	const char *name; /* "" when it is not known */
	const char
		*path; /* the calls that allocate it, the innermost first; "" when it is not known, or not allocated */
	uint32_t site; /* the place that allocates it, or OMPP_FLOW_NONE */
	uint32_t allocator; /* the thread that allocated it first, or OMPP_FLOW_NONE */
	uint64_t n_accesses, n_touches;
};
size_t ompp_flow_n_objects(const struct ompp_flow *flow);
const struct ompp_flow_object *ompp_flow_object(const struct ompp_flow *flow,
                                                uint32_t object); /* NULL: there is none */

/* A place of the program that allocates memory (OMPP_OBJECTS=all). */
struct ompp_flow_site {
	const char *name, *path; /* "" when they are not known */
	uint32_t thread;         /* of the first block, or OMPP_FLOW_NONE */
	uint64_t n_blocks, n_ended, n_bytes;
};
size_t ompp_flow_n_sites(const struct ompp_flow *flow);
const struct ompp_flow_site *ompp_flow_site(const struct ompp_flow *flow, uint32_t site);

/* A region within the one around it. */
struct ompp_flow_region {
	const char *construct, *name, *file; /* "" when there is none */
	uint32_t begin_line, end_line;       /* 0 when not known */
	uint32_t parent;                     /* the region around it, or OMPP_FLOW_NONE */
};
size_t ompp_flow_n_regions(const struct ompp_flow *flow);
const struct ompp_flow_region *ompp_flow_region(const struct ompp_flow *flow, uint32_t region);

/* A thread by the number that the runtime gave it at its first event.  Another one may take it over when it has ended.
 */
struct ompp_flow_thread {
	uint32_t tid;  /* as gettid() has it, of its latest event; 0 when not known */
	uint32_t rank; /* its number in the first team in which it had an access, or OMPP_FLOW_NONE */
	uint32_t node; /* the NUMA node that most of its accesses came from, or OMPP_FLOW_NONE */
	uint64_t n_accesses, n_touches, n_allocations, n_migrations;
	uint64_t first_ns, last_ns; /* of its events; 0 when it has none */
};
size_t ompp_flow_n_threads(const struct ompp_flow *flow);
const struct ompp_flow_thread *ompp_flow_thread(const struct ompp_flow *flow, uint32_t thread);

/* A variable that is too small for an object of its own, and lies in a page that was used: a trace of pages has them.
 * It lies there, but need not be what was used.  If a library was loaded where another one was before, both may have
 * variables at the same address. */
struct ompp_flow_variable {
	const char *name;
	uint64_t address, n_bytes;
	uint32_t process;
};
size_t ompp_flow_n_variables(const struct ompp_flow *flow);
const struct ompp_flow_variable *ompp_flow_variable(const struct ompp_flow *flow, size_t variable);

/* Where an instruction is in the source.  Returns 0, or -1 when it is not known.  Several processes may have different
 * instructions at one address: ompp_flow_event_line() finds that of an event. */
struct ompp_flow_line {
	const char *function, *file;
	uint32_t line;
};
int ompp_flow_line(const struct ompp_flow *flow, uint64_t ip, struct ompp_flow_line *line);

/* ---- events ---- */

enum ompp_flow_kind {
	OMPP_FLOW_ACCESS,     /* a sampled load or store */
	OMPP_FLOW_TOUCH,      /* a page got its memory */
	OMPP_FLOW_ALLOCATION, /* a block of memory begins */
	OMPP_FLOW_FREE,       /* and ends */
	OMPP_FLOW_CHANGE,     /* the thread is in another parallel or user region, or call of MPI, from now on */
	OMPP_FLOW_MIGRATION,  /* the thread is found on another processor than at its access before */
	OMPP_FLOW_USE,        /* the thread used pages in an interval (OMPP_PAGES) */
	OMPP_FLOW_WRITTEN,    /* pages were written in an interval, first by the thread, region and cpu, where they are
	                         known; how often, and by which other threads, is not */
	OMPP_FLOW_SEND,       /* the call of MPI began that sends a message */
	OMPP_FLOW_RECEIVE,    /* a message is received; the call of MPI that found it complete is about to end */
	OMPP_FLOW_N_KINDS
};

struct ompp_flow_event {
	enum ompp_flow_kind kind;
	uint32_t thread;  /* or OMPP_FLOW_NONE */
	uint64_t time_ns; /* 0 when not known; such events come first */
	uint32_t tid;     /* 0 when not known */
	uint32_t region;  /* the innermost one, or OMPP_FLOW_NONE outside of all */
	/* of accesses and touches; address, site and bytes also of blocks of memory */
	uint64_t ip, address, physical; /* 0 when not known; of the first page of a use, too */
	uint64_t period;                /* accesses that it stands for; 0 when not known */
	uint64_t page_bytes;            /* 0 when not known */
	uint64_t data_source;           /* the kernel's word, or 0 */
	uint32_t latency;               /* 0 when not known */
	uint32_t cpu, node;             /* the processor and its NUMA node, or OMPP_FLOW_NONE */
	uint32_t home;                  /* NUMA node of the page, or OMPP_FLOW_NONE */
	uint32_t object, n_objects; /* the first of its objects, or OMPP_FLOW_NONE; ompp_flow_nth_object() has all */
	uint32_t allocator;         /* the thread that allocated the memory, or OMPP_FLOW_NONE */
	uint8_t access;             /* OMPP_MEM_LOADS or OMPP_MEM_STORES */
	uint8_t level;              /* enum ompp_mem_level */
	uint8_t snoop, translation, lock;
	uint8_t is_kernel; /* 1 when the instruction is the kernel's */
	/* of blocks of memory; bytes also of messages, UINT64_MAX when they are not known */
	uint32_t site;
	uint64_t bytes;
	/* of migrations: where it was before */
	uint32_t from_cpu, from_node;
	/* of uses: from time_ns to until_ns; each of the n_pages pages from the address on had so many loads and stores
	 * in the 64ths of it that `parts` has a bit for; cpu is that of the first one.  Of pages that were written
	 * loads, stores and parts are 0, as they are not known */
	uint64_t until_ns, n_pages, loads, stores, parts;
	/* of messages */
	uint32_t partner;   /* the rank to or from which it goes, in MPI_COMM_WORLD, or OMPP_FLOW_NONE */
	uint32_t tag, comm; /* comm: the same number in all ranks of a communicator; 0 when not known */
	uint64_t posted_ns; /* when the call began that began to receive it */
	uint32_t number;    /* of the event */
};

/* Selects events: those that match all conditions.  ompp_flow_all() makes a filter for all events. */
struct ompp_flow_filter {
	uint32_t kinds;                  /* a set, 1 << OMPP_FLOW_ACCESS and so on */
	uint64_t from_ns, to_ns;         /* of the run, which starts at 0; to_ns is not included */
	uint32_t thread, object, region; /* region: also what lies within; OMPP_FLOW_NONE for all */
	uint32_t node, home;             /* from and to which NUMA node; OMPP_FLOW_NONE for all */
	uint32_t allocator;              /* memory that this thread allocated; OMPP_FLOW_NONE for all */
	uint32_t levels;                 /* a set, 1 << OMPP_MEM_LEVEL_L1 and so on */
	uint32_t accesses;               /* OMPP_MEM_LOADS, OMPP_MEM_STORES or OMPP_MEM_BOTH */
	uint32_t modes;                  /* 1: the program's own accesses, 2: the kernel's, 3: both */
	uint32_t least_latency, most_latency;
	uint64_t least_address, most_address; /* both included */
	const char *function;                 /* a part of its name; NULL for all */
};
struct ompp_flow_filter ompp_flow_all(void);

/* Finds the next event of a filter.  Returns 1, or 0 when there is none.
 * at: 0 for the first; each call moves it behind the event */
int ompp_flow_next(const struct ompp_flow *flow, const struct ompp_flow_filter *filter, size_t *at,
                   struct ompp_flow_event *event);

/* Returns the i-th object that the event is of; OMPP_FLOW_NONE past the last. */
uint32_t ompp_flow_nth_object(const struct ompp_flow *flow, const struct ompp_flow_event *event, uint32_t i);

/* Returns the process that the event is of. */
uint32_t ompp_flow_process_of(const struct ompp_flow *flow, const struct ompp_flow_event *event);

/* Where the instruction of an access or a touch is in the source.  Returns 0, or -1 when it is not known. */
int ompp_flow_event_line(const struct ompp_flow *flow, const struct ompp_flow_event *event,
                         struct ompp_flow_line *line);

/* Returns 1 when the region is the other one, or lies within it. */
int ompp_flow_is_within(const struct ompp_flow *flow, uint32_t region, uint32_t other);

#ifdef __cplusplus
}
#endif

#endif
