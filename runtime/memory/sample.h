/*
 * Sample: sums the samples of memory accesses and the first touches of pages, for each thread.
 *
 * Samples come from any source: the processor's (sources/source_samples.c), the hooks' own, and page faults.  They wait
 * in a small buffer until it is full, or until ompp_sample_settle(): then one system call gets the NUMA nodes of their
 * pages (move_pages(2), which moves nothing here), and they are added to the thread's sums.
 *
 * One thread at a time may work on a thread's samples, not necessarily that thread itself: it is the holder of struct
 * ompp_samples.  A signal handler that interrupts the holder loses its sample, which is counted.  Reports read the sums
 * at the same time, so they are written with relaxed stores; a sum is linked in with release after its key is filled,
 * and is never freed.
 */
#ifndef OMPP_MEMORY_SAMPLE_H
#define OMPP_MEMORY_SAMPLE_H

#include <stdint.h>

#include "runtime/base/histogram.h"
#include "runtime/memory/sample_tracked.h"
#include "runtime/memory/spread.h"
#include "runtime/ompp_mem.h"

struct ompp_callnode;
struct ompp_thread;

enum { OMPP_SAMPLES_PENDING = 64, OMPP_SAMPLES_CPUS = 1024 };
#define OMPP_NO_HOME UINT32_MAX /* the NUMA node of a page is not known */

enum ompp_sample_sum_kind {
	OMPP_SUM_OF_NODE,  /* samples by call-tree node, cover, home, kind and level */
	OMPP_SUM_OF_PLACE, /* the same samples by instruction, cover, kind and level */
	OMPP_SUM_OF_TOUCH, /* first touches by call-tree node, cover, home, instruction and small variable */
	OMPP_SUM_OF_USE /* the same samples as OF_NODE, by node, cover, home, kind, level, NUMA node of the processor,
	                   first toucher of the page, and small variable */
};

/* The key of a sum, common to all its samples; members that are not used by its kind are 0. */
struct ompp_sample_key {
	const struct ompp_callnode *node;
	uint64_t ip; /* as a key (host/past.h) */
	uint32_t cover;
	uint32_t home;    /* NUMA node of the page, or OMPP_NO_HOME */
	uint32_t from;    /* NUMA node of the processor, or OMPP_NO_HOME */
	uint64_t toucher; /* ompp_toucher() of the page; 0 when not known */
	uint32_t small;   /* number of the small variable (small.h); 0 for none */
	uint8_t sum;      /* enum ompp_sample_sum_kind */
	uint8_t kind;     /* OMPP_MEM_LOADS or OMPP_MEM_STORES */
	uint8_t level;    /* enum ompp_mem_level */
};

struct ompp_sample_sum {
	/* constant after linking */
	struct ompp_sample_key key;
	struct ompp_sample_sum *older;
	/* written by the holder, read by reports */
	uint64_t n;                                    /* samples, or touched pages */
	uint64_t n_far;                                /* those from a processor of another NUMA node than home */
	uint64_t n_timed;                              /* those whose latency is known */
	uint64_t estimate, variance, latency, squares; /* as in the profile's struct ompp_sampled_sum; they stay at
	                                                  OMPP_SAMPLE_MOST rather than overflow */
	uint64_t *histogram; /* [OMPP_HISTOGRAM_BUCKETS], of a sum by node; NULL before the first timed sample */
	uint64_t lo, hi;     /* of a sum by use: the lowest and the highest address */
};
#define OMPP_SAMPLE_MOST ((uint64_t)INT64_MAX / 2)

/* A sample that waits for the NUMA node of its page. */
struct ompp_sample_pending {
	const struct ompp_callnode *node;
	uint32_t cover;
	uint32_t is_touch;             /* then its page's NUMA node is known */
	int home;                      /* of a touch, or −1 */
	struct ompp_mem_sample sample; /* its ip is a key (host/past.h) */
};

/* The processors on which samples found the thread, and its moves.  Between two samples it may have moved more
 * often. */
struct ompp_sample_moves {
	uint64_t n;                            /* samples whose processor is known */
	uint64_t n_cpu, n_node;                /* moves to another processor, and to one of another NUMA node */
	uint64_t seen[OMPP_SAMPLES_CPUS / 64]; /* a bit for each processor */
	uint32_t last;                         /* processor + 1; 0 before the first */
};

struct ompp_samples {
	uint32_t holder; /* id of the thread that works here; 0 for none */
	uint32_t n_pending;
	uint64_t n_put;    /* samples received, including those already added; written by the holder */
	uint64_t n_marked; /* how many of them ompp_sample_mark() has marked; written only by its caller */
	struct ompp_sample_pending pending[OMPP_SAMPLES_PENDING];
	const void *pages[OMPP_SAMPLES_PENDING]; /* arguments of move_pages(2), and its result */
	int homes[OMPP_SAMPLES_PENDING];
	struct ompp_sample_sum **table; /* hash table with open addressing, by key; NULL in free slots */
	uint32_t n_slots, n_used;
	struct ompp_sample_sum *newest; /* head of the `older` list, which reports follow */
	uint64_t n_lost; /* samples that came while the holder was working, or for which there was no memory */
	struct ompp_sample_moves moves;   /* written by the holder */
	struct ompp_spread spread;        /* written by the holder; read only by ompp_sample_spread() */
	struct ompp_sample_places places; /* samples of tracked blocks, including those that wait */
};

/* Prepares for samples: reads the NUMA nodes of the processors.  COLD. */
void ompp_sample_start(void);

/* Takes a sample of the thread's accesses.  The estimate of its sum grows by the sample's period, and the variance by
 * period * (period - 1), as the gaps between samples are geometrically distributed.  WARM.
 * t: the thread of the access
 * node: the node of the access in the thread's call tree
 * cover: the accessed objects at that time; for a tracked block, the one that has the place now */
void ompp_sample_take(struct ompp_thread *t, const struct ompp_callnode *node, uint32_t cover,
                      const struct ompp_mem_sample *sample);

/* Does the same for a page that the thread touched first; only the sample's ip, address and cpu are used.
 * home: the NUMA node of the page, or −1 when it is not known */
void ompp_sample_touch(struct ompp_thread *t, const struct ompp_callnode *node, uint32_t cover,
                       const struct ompp_mem_sample *sample, int home);

/* Returns the number of the small variable (small.h) at an address, if the cover is the rest of a file's data; 0 for
 * none. */
uint32_t ompp_sample_small(uint32_t cover, uintptr_t address);

/* If not NULL, called for n samples of the thread that are about to be added.
 * homes: the NUMA nodes of their pages; negative numbers when they are not known */
extern void (*ompp_samples_settled)(const struct ompp_thread *t, const struct ompp_sample_pending *pending,
                                    const int *homes, uint32_t n);

/* If not NULL, called before samples are added, while no lock is held, so that earlier first touches are known. */
extern void (*ompp_samples_settling)(void);

/* Adds waiting samples to the thread's sums.  Any thread may call it.  Returns how many samples still wait, as another
 * thread that was adding them did not finish, or this thread was interrupted while doing so. */
uint32_t ompp_sample_settle(struct ompp_thread *t);

/* Marks the samples received so far.  The thread that reads the page faults of all threads (one at a time) first marks
 * the samples, and then has the marked ones added, whose first touches are known by then.  Samples that a thread takes
 * meanwhile wait for the next time; so do its latest marked samples if they came before their page faults, which may
 * not have happened yet. */
void ompp_sample_mark(struct ompp_thread *t);
void ompp_sample_settle_marked(struct ompp_thread *t);

/* Returns the thread's newest sum, from which `older` leads to all others; NULL when there is none. */
struct ompp_sample_sum *ompp_sample_sums(const struct ompp_thread *t);

/* Returns the thread's samples of the block that a place has as of a generation (data/tracked.h), including those that
 * wait. */
struct ompp_sample_tracked ompp_sample_of_tracked(const struct ompp_thread *t, uint32_t index, uint32_t generation);

/* Returns the processors where samples found the thread; NULL when there are no samples. */
const struct ompp_sample_moves *ompp_sample_moves(const struct ompp_thread *t);

/* Calls `each` for each spot of the thread's samples; gives up after some time if another thread works on them. */
void ompp_sample_spread(struct ompp_thread *t, void (*each)(void *context, const struct ompp_spread_spot *spot),
                        void *context);

/* Returns how many samples of a thread were lost on their way into the sums. */
uint64_t ompp_sample_lost(const struct ompp_thread *t);

/* The first records that the kernel does not tell the NUMA nodes of pages, with its errno; the second returns that
 * errno, or 0. */
void ompp_sample_no_homes(int error);
int ompp_sample_home_error(void);

/* Forgets all samples of a thread, in a forked child. */
void ompp_sample_after_fork(struct ompp_thread *t);

#endif
