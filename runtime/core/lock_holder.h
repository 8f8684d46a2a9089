/*
 * Lock holder: which call acquired a lock last, and how long calls waited for locks that other calls held.
 *
 * A lock is identified by its address.  The thread that acquires it writes one word into a table of fixed size, at the
 * entry of that address: the address and the id of the call's region in a single word, so that no reader sees only one
 * of them.  A release writes nothing, except for locks that do not show by themselves whether they are held.  If two
 * locks share an entry, it belongs to the one that was acquired last, and the holder of the other is not known.  Any
 * thread reads and writes the table, without a lock.
 */
#ifndef OMPP_CORE_LOCK_HOLDER_H
#define OMPP_CORE_LOCK_HOLDER_H

#include <stdint.h>

#include "runtime/base/relaxed.h"

enum {
	OMPP_LOCK_HOLDER_BITS = 12, /* log2 of the entries */
	OMPP_LOCK_HOLDER_ID_BITS = 19,
	OMPP_LOCK_PAIRS = 1024,
	OMPP_LOCK_HOLDER_UNKNOWN = 0,
	OMPP_LOCK_HOLDER_READERS = (1 << OMPP_LOCK_HOLDER_ID_BITS) - 1, /* several may have it, of whom none is named */
	OMPP_LOCK_HOLDER_FREE = OMPP_LOCK_HOLDER_READERS - 1,           /* it was released, and that was said */
	OMPP_LOCK_HOLDER_NOBODY = 1 << OMPP_LOCK_HOLDER_ID_BITS         /* the lock was free: no word has this */
};

/* Calls of one region that waited while the lock was that of another one. */
struct ompp_lock_pair {
	uint64_t key; /* the region that waited << 32 | the holder's, or one of the constants above; 0: free */
	uint64_t n, ticks;
};

extern uint64_t ompp_lock_holders[1 << OMPP_LOCK_HOLDER_BITS] __attribute__((visibility("hidden")));
extern struct ompp_lock_pair ompp_lock_pairs[OMPP_LOCK_PAIRS] __attribute__((visibility("hidden")));

/* Returns the entry of a lock in the table. */
static inline uint64_t *ompp_lock_holder_entry(const void *lock)
{
	return &ompp_lock_holders[(uintptr_t)lock * UINT64_C(0x9E3779B97F4A7C15) >> (64 - OMPP_LOCK_HOLDER_BITS)];
}

/* Returns a lock's word: locks are aligned to 8 bytes, and addresses of programs are below 2^48. */
static inline uint64_t ompp_lock_holder_word(const void *lock, uint32_t id)
{
	return (uint64_t)(uintptr_t)lock >> 3 << OMPP_LOCK_HOLDER_ID_BITS | id;
}

/* Notes that a call of this region, or one of the constants above, has got the lock.  A word that says so already is
 * not written, so that readers do not take the cache line from each other.  HOT. */
static inline void ompp_lock_holder_set(const void *lock, uint32_t id)
{
	uint64_t *entry = ompp_lock_holder_entry(lock);
	uint64_t word = ompp_lock_holder_word(lock, __builtin_expect(id < OMPP_LOCK_HOLDER_NOBODY, 1)
	                                                    ? id
	                                                    : OMPP_LOCK_HOLDER_UNKNOWN);

	if (OMPP_LOAD(entry) != word)
		OMPP_STORE(entry, word);
}

/* Returns who got it last. */
static inline uint32_t ompp_lock_holder_of(const void *lock)
{
	uint64_t word = OMPP_LOAD(ompp_lock_holder_entry(lock));

	return (word ^ ompp_lock_holder_word(lock, 0)) >> OMPP_LOCK_HOLDER_ID_BITS
	             ? (uint32_t)OMPP_LOCK_HOLDER_UNKNOWN
	             : (uint32_t)(word & OMPP_LOCK_HOLDER_READERS);
}

/* Notes that the holder is about to release the lock.  HOT. */
static inline void ompp_lock_holder_free(const void *lock, uint32_t id)
{
	uint64_t *entry = ompp_lock_holder_entry(lock);

	if (OMPP_LOAD(entry) == ompp_lock_holder_word(lock, id))
		OMPP_STORE(entry, ompp_lock_holder_word(lock, OMPP_LOCK_HOLDER_FREE));
}

/* Notes that the holder has released the lock: not where another one has got it meanwhile. */
static inline void ompp_lock_holder_freed(const void *lock, uint32_t id)
{
	uint64_t *entry = ompp_lock_holder_entry(lock), mine = ompp_lock_holder_word(lock, id);

	if (OMPP_LOAD(entry) == mine)
		__atomic_compare_exchange_n(entry, &mine, ompp_lock_holder_word(lock, OMPP_LOCK_HOLDER_FREE), 0,
		                            __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Returns who has got a lock that does not say itself whether it is taken; OMPP_LOCK_HOLDER_NOBODY where it is free, or
 * that is not known. */
static inline uint32_t ompp_lock_holder_now(const void *lock)
{
	uint32_t id = ompp_lock_holder_of(lock);

	return id == OMPP_LOCK_HOLDER_UNKNOWN || id == OMPP_LOCK_HOLDER_FREE ? (uint32_t)OMPP_LOCK_HOLDER_NOBODY : id;
}

/* Adds a call of a region that waited for the holder.  WARM. */
void ompp_lock_holder_waited(uint32_t waiter, uint32_t holder, uint64_t ticks);

/* Forgets all pairs, in a forked child. */
void ompp_lock_holders_after_fork(void);

#endif
