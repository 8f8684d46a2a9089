/*
 * ompp_mem.h: samples the memory accesses of any threads, and counts the traffic of memory controllers, for programs of
 * your own.  Link with -lompp_mem (pkg-config ompp-mem).  It needs no profile, and no program built by kinst.
 *
 * A processor with Intel's PEBS, AMD's IBS or Arm's SPE looks closely at one memory access in so many: where it was, in
 * program and memory, how long it took, and what served it.  Virtual machines mostly have none of these.
 *
 * Functions return 0 or one of enum ompp_mem_error; after an error, ompp_mem_message() tells in words what is missing
 * and what to do.  Only one thread at a time may use a session.  No function prints (except those for printing), ends
 * the program, or takes any of its signals; a session has a thread of its own, which blocks all signals.
 */
#ifndef OMPP_MEM_H
#define OMPP_MEM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Loads and stores, and sets of them. */
enum ompp_mem_kind { OMPP_MEM_NEITHER, OMPP_MEM_LOADS, OMPP_MEM_STORES, OMPP_MEM_BOTH };

/* The place that served an access, from near to far. */
enum ompp_mem_level {
	OMPP_MEM_LEVEL_UNKNOWN,
	OMPP_MEM_LEVEL_L1,
	OMPP_MEM_LEVEL_LFB, /* a line that was already under way (line fill buffer) */
	OMPP_MEM_LEVEL_L2,
	OMPP_MEM_LEVEL_L3,
	OMPP_MEM_LEVEL_L4,
	OMPP_MEM_LEVEL_CACHE,        /* some cache; the processor does not tell which */
	OMPP_MEM_LEVEL_PEER_CACHE,   /* a cache of another core of the same NUMA node */
	OMPP_MEM_LEVEL_REMOTE_CACHE, /* a cache of another NUMA node */
	OMPP_MEM_LEVEL_LOCAL_MEMORY,
	OMPP_MEM_LEVEL_REMOTE_MEMORY, /* memory of another NUMA node */
	OMPP_MEM_LEVEL_PERSISTENT,    /* persistent memory */
	OMPP_MEM_LEVEL_CXL,           /* memory behind the CXL bus */
	OMPP_MEM_LEVEL_IO,
	OMPP_MEM_LEVEL_UNCACHED,
	OMPP_MEM_N_LEVELS
};

/* What other caches had of the line when the access asked for it. */
enum ompp_mem_snoop {
	OMPP_MEM_SNOOP_UNKNOWN,
	OMPP_MEM_SNOOP_NONE,     /* no other cache was asked */
	OMPP_MEM_SNOOP_MISS,     /* no other cache had it */
	OMPP_MEM_SNOOP_HIT,      /* another cache had it, unchanged */
	OMPP_MEM_SNOOP_MODIFIED, /* another cache had it, changed: the line moved between cores */
	OMPP_MEM_SNOOP_FORWARD,  /* another cache sent it, unchanged */
	OMPP_MEM_SNOOP_PEER      /* another cache sent it */
};

/* How the address was translated. */
enum ompp_mem_translation {
	OMPP_MEM_TRANSLATION_UNKNOWN,
	OMPP_MEM_TRANSLATION_L1_TLB,
	OMPP_MEM_TRANSLATION_L2_TLB,
	OMPP_MEM_TRANSLATION_TLB,  /* some TLB */
	OMPP_MEM_TRANSLATION_WALK, /* the page table was walked */
	OMPP_MEM_TRANSLATION_FAULT /* the kernel was asked */
};

/* Whether the access locked the line, as atomic operations do. */
enum ompp_mem_lock { OMPP_MEM_LOCK_UNKNOWN, OMPP_MEM_LOCK_NO, OMPP_MEM_LOCK_YES };

/* One access that the processor has looked at.  A number is 0 when it is not known, but for cpu. */
struct ompp_mem_sample {
	uint64_t time_ns;     /* when it was, by the session's clock */
	uint64_t ip;          /* address of the instruction */
	uint64_t address;     /* address of the data */
	uint64_t physical;    /* physical address of the data */
	uint64_t data_source; /* the kernel's word (union perf_mem_data_src), or 0 */
	uint64_t period;      /* accesses that the sample stands for */
	uint64_t page_bytes;  /* size of the page in which the data is */
	uint32_t latency;     /* cycles from the request to the data */
	uint32_t pid, tid;
	uint32_t cpu;        /* UINT32_MAX when it is not known */
	uint8_t kind;        /* OMPP_MEM_LOADS or OMPP_MEM_STORES; OMPP_MEM_NEITHER when it was no access to memory */
	uint8_t level;       /* enum ompp_mem_level */
	uint8_t snoop;       /* enum ompp_mem_snoop */
	uint8_t translation; /* enum ompp_mem_translation */
	uint8_t lock;        /* enum ompp_mem_lock */
};

enum ompp_mem_error {
	OMPP_MEM_ERROR_ARGUMENT = -1, /* a value that makes no sense: a thread that is not there, a period of 0 */
	OMPP_MEM_ERROR_MACHINE = -2,  /* the processor, or the virtual machine, has no such samples or counts */
	OMPP_MEM_ERROR_KIND = -3,     /* it has samples of loads alone, or of stores alone */
	OMPP_MEM_ERROR_RIGHTS = -4,   /* the system does not allow it to this user */
	OMPP_MEM_ERROR_MEMORY = -5,
	OMPP_MEM_ERROR_STATE = -6, /* started twice, or stopped before it was started */
	OMPP_MEM_ERROR_SYSTEM = -7 /* the kernel refused for another reason */
};

/* Returns what was wrong with this thread's last call that failed, as "cause; what to do".  It is valid until the
 * thread's next call. */
const char *ompp_mem_message(void);

/* ---- samples ---- */

struct ompp_mem_options {
	uint64_t period;     /* accesses from one sample to the next; 0 means 1000 */
	uint32_t latency;    /* in cycles; loads that took fewer are left out; 0 leaves out none */
	uint32_t ring_pages; /* pages of the kernel's ring for each thread; 0 means 16; fewer are taken where the system
	                        allows no more */
	size_t most_samples; /* samples kept for each thread; 0 means 1,000,000; further ones are counted as lost */
	int physical;        /* 1 for physical addresses, too, where the user may see them */
};

/* What became of those accesses of a thread that the processor has looked at. */
struct ompp_mem_counts {
	uint64_t samples;     /* kept */
	uint64_t others;      /* of another kind, below the latency, or no access to memory */
	uint64_t lost;        /* there was no room for them */
	uint64_t throttled;   /* how often the kernel stopped sampling for a while, as it took too long */
	uint64_t undecodable; /* records of the kernel that made no sense */
};

struct ompp_mem; /* a session */

/* Returns 0 when accesses of these kinds can be sampled here, or an error.  It opens and closes events to find out. */
int ompp_mem_supported(enum ompp_mem_kind kinds);

/* Makes a session.  Returns 0, or an error and then *mem is NULL.
 * tids: n_tids threads of this process, or of others that the user may look at, with numbers as gettid() returns them;
 * NULL for the calling thread alone
 * options: NULL for all defaults */
int ompp_mem_new(struct ompp_mem **mem, const pid_t *tids, size_t n_tids, const struct ompp_mem_options *options);
void ompp_mem_free(struct ompp_mem *mem); /* stops it, too; does nothing with NULL */

/* Start to sample.  ompp_mem_start() forgets the samples of a run before, and ompp_mem_resume() keeps them.  They
 * return 0 or an error. */
int ompp_mem_start(struct ompp_mem *mem, enum ompp_mem_kind kinds);
int ompp_mem_resume(struct ompp_mem *mem, enum ompp_mem_kind kinds);

/* Stops, and takes in the samples that the rings still hold.  Returns 0 or an error. */
int ompp_mem_stop(struct ompp_mem *mem);

/* Sets a handler, or none with NULL, while the session is stopped.  Returns 0 or an error.  The session's own thread
 * calls the handler each time that a sampled thread has n_samples more; the handler may take them with ompp_mem_take().
 * thread: the sampled thread's index in tids */
int ompp_mem_set_handler(struct ompp_mem *mem, size_t n_samples,
                         void (*handler)(struct ompp_mem *mem, size_t thread, void *context), void *context);

/* The first function returns how many samples a thread has.  The second copies them, the oldest first, from number
 * `first` on and `most` at most, and returns how many it has copied. */
size_t ompp_mem_n_samples(struct ompp_mem *mem, size_t thread);
size_t ompp_mem_copy(struct ompp_mem *mem, size_t thread, size_t first, struct ompp_mem_sample *samples, size_t most);

/* Copies a thread's oldest samples, `most` at most, and forgets them, so that there is room for new ones.  Returns
 * how many. */
size_t ompp_mem_take(struct ompp_mem *mem, size_t thread, struct ompp_mem_sample *samples, size_t most);

struct ompp_mem_counts ompp_mem_counts(struct ompp_mem *mem, size_t thread);

/* Prints, for each thread, how many samples it has, what was lost, and the share of each level with its mean latency.
 * Returns 0 or an error.
 * each_sample: 1 to print the samples, too */
int ompp_mem_print(struct ompp_mem *mem, FILE *stream, int each_sample);

/* Prints the same to the end of a file, for Fortran, which has no FILE.
 * path: the file's name; "" for standard output */
int ompp_mem_print_file(struct ompp_mem *mem, const char *path, int each_sample);

/* Returns the level's name, for example "L2" or "remote memory". */
const char *ompp_mem_level_name(enum ompp_mem_level level);

/* ---- traffic of memory controllers ---- */

struct ompp_mem_traffic;

/* Makes a counter of the bytes that the memory controllers of each NUMA node read and write.  Returns 0 or an error.
 * The controllers serve the whole machine, so other programs' bytes are among them, and most systems ask for rights
 * (kernel.perf_event_paranoid 0). */
int ompp_mem_traffic_new(struct ompp_mem_traffic **traffic);
void ompp_mem_traffic_free(struct ompp_mem_traffic *traffic);

int ompp_mem_traffic_start(struct ompp_mem_traffic *traffic);
int ompp_mem_traffic_stop(struct ompp_mem_traffic *traffic);

/* A NUMA node that has memory controllers, and the bytes from start to stop, or so far; UINT64_MAX when they are not
 * known, as a reading failed.  ompp_mem_n_nodes() returns how many such nodes there are, and ompp_mem_node() fills
 * in the i-th one and returns 0 or an error. */
struct ompp_mem_node {
	uint32_t node;
	uint64_t bytes_read, bytes_written;
};
size_t ompp_mem_n_nodes(const struct ompp_mem_traffic *traffic);
int ompp_mem_node(struct ompp_mem_traffic *traffic, size_t i, struct ompp_mem_node *node);

#ifdef __cplusplus
}
#endif

#endif
