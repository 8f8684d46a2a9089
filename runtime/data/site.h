/*
 * Site: an allocation site, identified by its call path, and the sums over its blocks.
 *
 * Sites are never removed.  All calls are lock-free and keep errno, so that any thread may make them, also in a signal
 * handler.  Sums are exact when no thread is inside one of these calls.
 */
#ifndef OMPP_DATA_SITE_H
#define OMPP_DATA_SITE_H

#include <stddef.h>
#include <stdint.h>

/* The number of return addresses of a site; more only when these are in templates of the C++ library. */
enum { OMPP_SITE_CALLERS = 8, OMPP_SITE_MOST_CALLERS = 24 };
enum { OMPP_MAX_SITES = 1 << 16, OMPP_SITE_PARTS = 16, OMPP_SITE_PRECISION = 64 };
#define OMPP_SITE_MAIN UINT32_MAX

struct ompp_object_def;
struct ompp_text;

/* Sums of a group of threads. */
struct ompp_site_part {
	_Atomic uint64_t n_begun, n_ended;         /* blocks */
	_Atomic uint64_t begun_bytes, ended_bytes; /* of all these blocks */
	_Atomic uint64_t ticks;                    /* sum of end times minus sum of begin times, modulo 2^64 */
	_Atomic int64_t told_not_yet;              /* change in bytes that is not yet in `now` */
	_Atomic uint64_t n_small;                  /* blocks without ranges, in all of the program's life */
} __attribute__((aligned(64)));

/* A site's tracked blocks (tracked.h), whose indices begin with 1.  Written under the lock of range.c. */
struct ompp_site_tracked {
	uint32_t first, free, n; /* its places */
	uint32_t n_ended;        /* blocks that have ended since the last search for places to reuse */
	uint64_t n_ranged;       /* blocks with ranges in all of the program's life, */
	uint64_t n_large;        /* and those of the process */
	uint64_t n_told;         /* of these, the tracked ones */
	uint64_t may_look;       /* the earliest time (ompp_stamp_slow) of the next search */
};

struct ompp_site {
	/* constant once the site is published */
	uint32_t index; /* from 1 */
	uint32_t n_callers;
	uintptr_t callers[OMPP_SITE_MOST_CALLERS]; /* keys (host/past.h) of return addresses, the innermost first */
	uintptr_t allocator;                       /* handle of an OpenMP allocator; 0 for other functions */
	/* the thread and the node that allocated the first block */
	uint32_t thread; /* slot + 1; 0 for a thread not yet measured, OMPP_SITE_MAIN for the main thread
	                  */
	uint32_t node;   /* index of the thread's call-graph node */
	uint32_t before; /* the site of that thread's block before; 0 when there is none */
	/* the object of its large blocks, or NULL; written under the lock of range.c */
	struct ompp_object_def *object;
	struct ompp_site_tracked tracked;
	_Atomic uint32_t several_threads; /* 1 when other threads than the first one allocated, too */
	_Atomic uint32_t placed;          /* of memory/placement.c: 0 before it was looked for */
	/* What is allocated now, and the peak.  Once several threads allocate here, each group of threads adds its
	 * changes only when they exceed a fraction of `live`, to avoid contention. */
	struct {
		_Atomic int64_t live_bytes, peak_bytes;
	} now __attribute__((aligned(64)));
	struct ompp_site_part part[OMPP_SITE_PARTS]; /* by group of threads */
};

/* The number of blocks that have no site, for lack of room. */
extern _Atomic uint64_t ompp_n_siteless;

/* Returns the site with these callers and this allocator, and creates it if there is none; NULL without room.
 * thread, node, before: which thread allocates now, at which node, and after which site; for a new site */
struct ompp_site *ompp_site_of(const uintptr_t *callers, uint32_t n_callers, uintptr_t allocator, uint32_t thread,
                               uint32_t node, uint32_t before);

/* Returns a site by its index; NULL when there is none. */
struct ompp_site *ompp_site(uint32_t index);

/* Appends one of a site's calls to the text that identifies the site across runs: "exe+0x1149/libx.so+0x20".
 * path: of the file in memory, as of ompp_loaded_find() */
void ompp_site_put_call(struct ompp_text *t, const char *path, uintptr_t offset);

/* Returns how many indices of sites there may be, from 1 on. */
uint32_t ompp_n_sites(void);

/* The thread that allocates or frees a block. */
struct ompp_site_who {
	uint32_t thread; /* as in a site */
	uint32_t part;   /* the index of its group */
};

/* Count a new block; the end of a block; a block that had ended and continues; one that lost bytes and continues. */
void ompp_site_begin(struct ompp_site *site, size_t n_bytes, uint64_t ticks, struct ompp_site_who who);
void ompp_site_end(struct ompp_site *site, size_t n_bytes, uint64_t ticks, struct ompp_site_who who);
void ompp_site_keep(struct ompp_site *site, size_t n_bytes, uint64_t ticks, struct ompp_site_who who);
void ompp_site_shrink(struct ompp_site *site, size_t n_bytes, struct ompp_site_who who);

/* Counts a block that has no range, and returns the number of such blocks so far. */
void ompp_site_begin_small(struct ompp_site *site, struct ompp_site_who who);
uint64_t ompp_site_n_small(const struct ompp_site *site);

/* The sums over all threads. */
struct ompp_site_sum {
	uint64_t n_begun, n_ended, begun_bytes, live_bytes, ticks;
	uint64_t peak_bytes, peak_error; /* peak_error: uncertainty of the peak */
};
struct ompp_site_sum ompp_site_sum(const struct ompp_site *site);

/* Returns how many blocks all sites have allocated, in a forked child since the fork. */
uint64_t ompp_sites_n_begun(void);

/* Resets the sums of all sites to the blocks that exist now, in a forked child. */
void ompp_sites_after_fork(void);

#endif
