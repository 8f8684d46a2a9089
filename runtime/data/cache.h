/*
 * Cache: a model of data caches, fed with the addresses of accesses.  Set-associative, write-allocate, LRU; L1 and L2
 * belong to a thread, the last level is shared.  What it answers is modelled, never measured: no prefetch, no
 * coherence, no instruction fetches.
 *
 * An access that reaches over two lines misses once if one of them does (as cachegrind counts); a lower level is asked
 * only when the one above missed.
 */
#ifndef OMPP_DATA_CACHE_H
#define OMPP_DATA_CACHE_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_CACHE_LEVELS = 3 };

struct ompp_cache_level_size {
	uint64_t bytes, ways, line_bytes;       /* bytes 0: there is no such level */
};

struct ompp_cache_geometry {
	struct ompp_cache_level_size level[OMPP_CACHE_LEVELS];  /* L1, L2, shared L3 */
};

/* Read a value of OMPP_CACHE: "0" or "" (all levels 0), "1" (the machine's own, from sysfs), or a list of
 * "L1=32K/8/64" (bytes with K M G / ways / bytes of a line); what the list leaves out is the machine's own where a list
 * begins with "1,", else absent.  Sets need not be a power of two.  0, or -EINVAL and a sentence in `why`: what is wrong
 * and what to write. */
int ompp_cache_geometry(const char *text, struct ompp_cache_geometry *geometry, char *why, size_t n_why);

/* Bytes of zeroed memory for one thread's L1 and L2, and for the shared level. */
size_t ompp_cache_private_bytes(const struct ompp_cache_geometry *geometry);
size_t ompp_cache_shared_bytes(const struct ompp_cache_geometry *geometry);

/* HOT, by the owner of `own`; `shared` may be in use by other threads.  Bit i of the result: level i + 1 missed.
 * n_bytes at least 1; blocks larger than a line touch each of their lines once and answer the OR. */
unsigned int ompp_cache_access(const struct ompp_cache_geometry *geometry, void *own, void *shared, uintptr_t address,
                               size_t n_bytes);

#endif
