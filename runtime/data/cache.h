/*
 * Cache: a model of data caches, fed with the addresses of accesses.  Its levels are set-associative, write-allocate
 * and LRU; L1 and L2 belong to a thread, the last level is shared.  Its results are modelled, never measured: there is
 * no prefetching, no coherence and no instruction fetch in the model.
 *
 * An access that spans two lines counts as one miss if either line misses (as in cachegrind); a lower level is accessed
 * only when the level above missed.
 */
#ifndef OMPP_DATA_CACHE_H
#define OMPP_DATA_CACHE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { OMPP_CACHE_LEVELS = 3 };

struct ompp_cache_level_size {
	uint64_t bytes, ways, line_bytes; /* bytes is 0 when there is no such level */
};

struct ompp_cache_geometry {
	struct ompp_cache_level_size level[OMPP_CACHE_LEVELS]; /* L1, L2, shared L3 */
};

/* What is needed to test for a hit in the most recently used line of a first-level set.  It is at the start of a
 * thread's memory.  rows is NULL where the number of sets is no power of two. */
struct ompp_cache_front {
	_Atomic uint64_t *rows;  /* one per set; its first word is the number of the line used last + 1 */
	uint64_t mask;           /* the number of sets - 1 */
	uint32_t n_words, shift; /* of a row; of a line */
};

/* Reads a value of OMPP_CACHE: "0" or "" (no level), "1" (the machine's own levels, from sysfs), or a list of levels
 * like "L1=32K/8/64" (bytes with K M G, ways, bytes of a line; 0 for no such level).  A level that is not in the list
 * is the machine's own when the list begins with "1,", else it is absent.  The number of sets need not be a power of
 * two.  Returns 0, or -EINVAL and in `why` a sentence that says what is wrong and what to write.  errno is kept. */
int ompp_cache_geometry(const char *text, struct ompp_cache_geometry *geometry, char *why, size_t n_why);

/* Reads the geometry of the data and unified caches of levels 1 to 3 from a folder laid out as
 * /sys/devices/system/cpu/cpu0/cache.  Returns 0, or -EINVAL and a sentence in `why` when the folder has no L1 or lacks
 * data of a level. */
int ompp_cache_machine(const char *folder, struct ompp_cache_geometry *geometry, char *why, size_t n_why);

/* Return how many bytes of zeroed memory, aligned to at least 16, the model needs for one thread's L1 and L2, and for
 * the shared level.  The first is 0 only when there is no level at all. */
size_t ompp_cache_private_bytes(const struct ompp_cache_geometry *geometry);
size_t ompp_cache_shared_bytes(const struct ompp_cache_geometry *geometry);

/* Returns the number of sets of the first level, the binary logarithm of its line size, and its number of ways; 0 when
 * that level is shared, or there is none. */
uint64_t ompp_cache_private_sets(const struct ompp_cache_geometry *geometry, uint32_t *shift, uint32_t *n_ways);

/* Prepares a thread's memory, which remembers the geometry and `shared`.  COLD.
 * geometry: has at least one level
 * shared: the memory of the shared level; other threads may use it meanwhile */
void ompp_cache_prepare(const struct ompp_cache_geometry *geometry, void *own, void *shared);

/* Makes an access, and returns a word whose bit i is set when level i + 1 missed.  A block larger than a line touches
 * each of its lines once; the results are ORed.  It never waits long: the lock of a shared set is taken over when its
 * holder makes no progress.  HOT.
 * own: the calling thread's memory, prepared
 * n_bytes: at least 1 */
unsigned int ompp_cache_access(void *own, uintptr_t address, size_t n_bytes);

/* Returns the word that equals a line's number + 1 while the line is the one used last in its set.  Only where
 * ompp_cache_front has rows.  HOT. */
static inline _Atomic uint64_t *ompp_cache_first_of(const void *own, uint64_t line)
{
	const struct ompp_cache_front *front = own;

	return front->rows + (line & front->mask) * front->n_words;
}

/* Does what ompp_cache_access() does for an access in one line that is not the one used last in its set; `row` is its
 * ompp_cache_first_of().  HOT. */
unsigned int ompp_cache_find(void *own, _Atomic uint64_t *row, uintptr_t address, size_t n_bytes);

/* Copies a line's sets of all levels.  Returns 1, or 0 when they need more than n_words. */
int ompp_cache_keep(const void *own, uintptr_t address, uint64_t *to, size_t n_words);

/* Restores these sets in the levels that accesses reach which miss at most the levels in `missed`. */
void ompp_cache_restore(void *own, uintptr_t address, const uint64_t *from, unsigned int missed);

/* Returns 1 when accesses that missed at most these levels reached no level that other threads use, too. */
int ompp_cache_is_own(const void *own, unsigned int missed);

/* Returns 1 when a line is the one used last in its set; `row` is its ompp_cache_first_of(). */
static inline int ompp_cache_is_first(_Atomic uint64_t *row, uint64_t line)
{
	return atomic_load_explicit(row, memory_order_relaxed) == line + 1;
}

#endif
