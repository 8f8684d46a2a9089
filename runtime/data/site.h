/*
 * Site: a place of the program that allocates memory, by the calls that led there, and the sums over its blocks.
 *
 * Sites are never taken away.  All calls are lock-free and keep errno, so that any thread may make them, also in a
 * signal handler.  Sums are exact when no thread is inside one of these calls.
 */
#ifndef OMPP_DATA_SITE_H
#define OMPP_DATA_SITE_H

#include <stddef.h>
#include <stdint.h>

/* A site has so many callers, and more only where these are in templates of the C++ library. */
enum { OMPP_SITE_CALLERS = 8, OMPP_SITE_MOST_CALLERS = 24 };
enum { OMPP_MAX_SITES = 1 << 16, OMPP_SITE_PARTS = 16, OMPP_SITE_PRECISION = 64 };
#define OMPP_SITE_MAIN UINT32_MAX

struct ompp_object_def;
struct ompp_text;

/* Sums of a group of threads. */
struct ompp_site_part {
	_Atomic uint64_t n_begun, n_ended;         /* blocks */
	_Atomic uint64_t begun_bytes, ended_bytes; /* of all of these */
	_Atomic uint64_t ticks;                    /* when they ended less when they began, modulo 2^64 */
	_Atomic int64_t told_not_yet;              /* bytes of which `now` does not know */
	_Atomic uint64_t n_small;                  /* of n_begun in all of the program's life, those without ranges */
} __attribute__((aligned(64)));

/* What a site has of tracked blocks (tracked.h), whose indices begin with 1.  It is written under the lock of range.c.
 */
struct ompp_site_tracked {
	uint32_t first, free, n; /* its places */
	uint32_t n_ended;        /* blocks that have ended since they were looked through */
	uint64_t n_ranged;       /* blocks with ranges in all of the program's life, */
	uint64_t n_large;        /* and those of the process */
	uint64_t n_told;         /* of these, those that were tracked */
	uint64_t may_look;       /* the time (ompp_stamp_slow) from which on they may be looked through again */
};

struct ompp_site {
	/* constant once the site is published */
	uint32_t index; /* from 1 */
	uint32_t n_callers;
	uintptr_t callers[OMPP_SITE_MOST_CALLERS]; /* keys (host/past.h) of return addresses, the innermost first */
	uintptr_t allocator;                       /* the handle of OpenMP's; 0 for other functions */
	/* of the first block: who allocated it, and where */
	uint32_t thread; /* slot + 1; 0 when the thread was not measured yet, OMPP_SITE_MAIN when that was the first one
	                  */
	uint32_t node;   /* index of the thread's call-graph node */
	/* the object of its large blocks, or NULL; written under the lock of range.c */
	struct ompp_object_def *object;
	struct ompp_site_tracked tracked;
	_Atomic uint32_t several_threads; /* 1 when other threads than the first one allocated, too */
	_Atomic uint32_t placed;          /* of memory/placement.c: 0 before it was looked for */
	/* What is allocated now, and the most at a time.  Once several threads allocate here, each group of threads
	 * tells of its changes only when they are more than a part of `live`, so that threads do not wait for each
	 * other. */
	struct {
		_Atomic int64_t live_bytes, peak_bytes;
	} now __attribute__((aligned(64)));
	struct ompp_site_part part[OMPP_SITE_PARTS]; /* by group of threads */
};

/* How many blocks have no site, for want of room. */
extern _Atomic uint64_t ompp_n_siteless;

/* Returns the site with these callers and this allocator, which is made where there is none; NULL without room.
 * thread, node: who allocates now, and where, for a new site */
struct ompp_site *ompp_site_of(const uintptr_t *callers, uint32_t n_callers, uintptr_t allocator, uint32_t thread,
                               uint32_t node);

/* Returns a site by its index; NULL when there is none. */
struct ompp_site *ompp_site(uint32_t index);

/* Adds one of a site's calls to the text by which the site is found again in another run: "exe+0x1149/libx.so+0x20".
 * path: of the file in memory, as of ompp_loaded_find() */
void ompp_site_put_call(struct ompp_text *t, const char *path, uintptr_t offset);

/* Returns how many indices of sites there may be, from 1 on. */
uint32_t ompp_n_sites(void);

/* Who does something to a block. */
struct ompp_site_who {
	uint32_t thread; /* as in a site */
	uint32_t part;   /* the number of its group */
};

/* Add a block to the sums, tell that one ended, that one that had ended goes on, and that one lost bytes and goes on.
 */
void ompp_site_begin(struct ompp_site *site, size_t n_bytes, uint64_t ticks, struct ompp_site_who who);
void ompp_site_end(struct ompp_site *site, size_t n_bytes, uint64_t ticks, struct ompp_site_who who);
void ompp_site_keep(struct ompp_site *site, size_t n_bytes, uint64_t ticks, struct ompp_site_who who);
void ompp_site_shrink(struct ompp_site *site, size_t n_bytes, struct ompp_site_who who);

/* Counts a block that has no range, and returns how many of these there were so far. */
void ompp_site_begin_small(struct ompp_site *site, struct ompp_site_who who);
uint64_t ompp_site_n_small(const struct ompp_site *site);

/* The sums over all threads. */
struct ompp_site_sum {
	uint64_t n_begun, n_ended, begun_bytes, live_bytes, ticks;
	uint64_t peak_bytes, peak_error; /* the peak is known to within so many bytes */
};
struct ompp_site_sum ompp_site_sum(const struct ompp_site *site);

/* Returns how many blocks began at all sites, in a forked child since the fork. */
uint64_t ompp_sites_n_begun(void);

/* Lets the sums of all sites begin anew, with the blocks that there are: in a forked child. */
void ompp_sites_after_fork(void);

#endif
