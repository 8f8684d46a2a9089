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
 * "L1=32K/8/64" (bytes with K M G / ways / bytes of a line; 0: no such level); what the list leaves out is the
 * machine's own where a list begins with "1,", else absent.  Sets need not be a power of two.  0, or -EINVAL and a
 * sentence in `why`: what is wrong and what to write.  errno is kept. */
int ompp_cache_geometry(const char *text, struct ompp_cache_geometry *geometry, char *why, size_t n_why);

/* The geometry that a folder laid out as /sys/devices/system/cpu/cpu0/cache describes: its data and unified caches of
 * levels 1 to 3.  0, or -EINVAL and a sentence in `why` when it has no L1 or does not tell all of a level. */
int ompp_cache_machine(const char *folder, struct ompp_cache_geometry *geometry, char *why, size_t n_why);

/* Bytes of zeroed memory for one thread's L1 and L2, and for the shared level; aligned to 16 at least.  Private: 0 only
 * without any level; it remembers geometry and `shared` from its first access on. */
size_t ompp_cache_private_bytes(const struct ompp_cache_geometry *geometry);
size_t ompp_cache_shared_bytes(const struct ompp_cache_geometry *geometry);

/* HOT, by the owner of `own`, of a geometry with some level; `shared` may be in use by other threads.  Bit i of the
 * result: level i + 1 missed.  n_bytes at least 1; blocks larger than a line touch each of their lines once and answer
 * the OR.  Never waits long: a set of the shared level whose holder does not go on is taken over. */
unsigned int ompp_cache_access(const struct ompp_cache_geometry *geometry, void *own, void *shared, uintptr_t address,
                               size_t n_bytes);

#endif
