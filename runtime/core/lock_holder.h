/*
 * Lock holder: which call got a lock last, and how long calls waited for locks that other calls had got.
 *
 * A lock is known by its address.  Whoever gets it writes one word of a table of fixed size, in the place that the
 * address has there: the address and the id of the call's region in one, so that no reader sees them apart.  Nothing
 * is written when a lock is released.  Where two locks have the same place the last one has it, and of the other the
 * holder is not known.  Any thread writes and reads all of it, without a lock.
 */
#ifndef OMPP_CORE_LOCK_HOLDER_H
#define OMPP_CORE_LOCK_HOLDER_H

#include <stdint.h>

#include "runtime/base/relaxed.h"

enum {
	OMPP_LOCK_HOLDER_BITS = 12, /* log2 of the places */
	OMPP_LOCK_HOLDER_ID_BITS = 19,
	OMPP_LOCK_PAIRS = 1024,
	OMPP_LOCK_HOLDER_UNKNOWN = 0,
	OMPP_LOCK_HOLDER_READERS = (1 << OMPP_LOCK_HOLDER_ID_BITS) - 1, /* several may have it, of whom none is named */
	OMPP_LOCK_HOLDER_NOBODY = 1 << OMPP_LOCK_HOLDER_ID_BITS         /* the lock was free: no word has this */
};

/* Calls of one region that waited while the lock was that of another one. */
struct ompp_lock_pair {
	uint64_t key; /* the region that waited << 32 | the holder's, or one of the constants above; 0: free */
	uint64_t n, ticks;
};

extern uint64_t ompp_lock_holders[1 << OMPP_LOCK_HOLDER_BITS] __attribute__((visibility("hidden")));
extern struct ompp_lock_pair ompp_lock_pairs[OMPP_LOCK_PAIRS] __attribute__((visibility("hidden")));

/* Returns the place of a lock. */
static inline uint64_t *ompp_lock_holder_place(const void *lock)
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
	uint64_t *place = ompp_lock_holder_place(lock);
	uint64_t word = ompp_lock_holder_word(lock, __builtin_expect(id < OMPP_LOCK_HOLDER_NOBODY, 1)
	                                                    ? id
	                                                    : OMPP_LOCK_HOLDER_UNKNOWN);

	if (OMPP_LOAD(place) != word)
		OMPP_STORE(place, word);
}

/* Returns who got it last. */
static inline uint32_t ompp_lock_holder_of(const void *lock)
{
	uint64_t word = OMPP_LOAD(ompp_lock_holder_place(lock));

	return (word ^ ompp_lock_holder_word(lock, 0)) >> OMPP_LOCK_HOLDER_ID_BITS
	             ? (uint32_t)OMPP_LOCK_HOLDER_UNKNOWN
	             : (uint32_t)(word & OMPP_LOCK_HOLDER_READERS);
}

/* Adds a call of a region that waited for the holder.  WARM. */
void ompp_lock_holder_waited(uint32_t waiter, uint32_t holder, uint64_t ticks);

/* Forgets all pairs, in a forked child. */
void ompp_lock_holders_after_fork(void);

#endif
