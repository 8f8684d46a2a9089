/*
 * Window: a table of fixed size from words to places, for any threads at once.  A key may be at one of the few places
 * that follow its hash, so an entry can be taken out without a mark that stays behind.
 */
#ifndef OMPP_BASE_WINDOW_H
#define OMPP_BASE_WINDOW_H

#include <stdint.h>

enum { OMPP_WINDOW = 16 }; /* places where a key may be; 16 keys are two cache lines */

enum { OMPP_WINDOW_FREE, OMPP_WINDOW_TAKEN, OMPP_WINDOW_FIRST }; /* no keys: free, somebody's, the least key */

/* keys: (1 << n_bits) + OMPP_WINDOW words, all 0 at first */
static inline uint32_t ompp_window_first(uintptr_t key, unsigned int n_bits)
{
	return (uint32_t)(((uint64_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - n_bits));
}

/* Returns a place of the key, which others may take at any time; -1 when it is not there.  HOT. */
static inline int32_t ompp_window_find(const uintptr_t *keys, unsigned int n_bits, uintptr_t key)
{
	uint32_t first = ompp_window_first(key, n_bits);

	for (uint32_t i = first; i < first + OMPP_WINDOW; i++)
		if (__atomic_load_n(&keys[i], __ATOMIC_ACQUIRE) == key)
			return (int32_t)i;
	return -1;
}

/* Changes what is at the first place of the window that has `from`, to `to`.  Returns the place, or -1. */
static inline int32_t ompp_window_change(uintptr_t *keys, unsigned int n_bits, uintptr_t key, uintptr_t from,
                                         uintptr_t to)
{
	uint32_t first = ompp_window_first(key, n_bits);

	for (uint32_t i = first; i < first + OMPP_WINDOW; i++) {
		uintptr_t have = from;

		if (__atomic_load_n(&keys[i], __ATOMIC_RELAXED) == from &&
		    __atomic_compare_exchange_n(&keys[i], &have, to, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return (int32_t)i;
	}
	return -1;
}

/* Takes a free place for a key: it is the caller's until ompp_window_set().  Returns -1 when all are in use. */
static inline int32_t ompp_window_new(uintptr_t *keys, unsigned int n_bits, uintptr_t key)
{
	return ompp_window_change(keys, n_bits, key, OMPP_WINDOW_FREE, OMPP_WINDOW_TAKEN);
}

/* Takes a place of the key away from all others.  Returns -1 when it is not there. */
static inline int32_t ompp_window_take(uintptr_t *keys, unsigned int n_bits, uintptr_t key)
{
	return ompp_window_change(keys, n_bits, key, key, OMPP_WINDOW_TAKEN);
}

/* Gives a place that is the caller's a key, or OMPP_WINDOW_FREE. */
static inline void ompp_window_set(uintptr_t *keys, int32_t place, uintptr_t key)
{
	__atomic_store_n(&keys[place], key, __ATOMIC_RELEASE);
}

#endif
