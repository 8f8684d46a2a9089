/*
 * Lock holder: see lock_holder.h.
 */
#include "runtime/core/lock_holder.h"

#include <string.h>

#include "runtime/host/note.h"

uint64_t ompp_lock_holders[1 << OMPP_LOCK_HOLDER_BITS];
struct ompp_lock_pair ompp_lock_pairs[OMPP_LOCK_PAIRS];

void ompp_lock_holder_waited(uint32_t waiter, uint32_t holder, uint64_t ticks)
{
	uint64_t key = (uint64_t)waiter << 32 | holder, at = key * UINT64_C(0x9E3779B97F4A7C15) >> 32;

	for (uint64_t i = 0; i < OMPP_LOCK_PAIRS; i++) {
		struct ompp_lock_pair *pair = &ompp_lock_pairs[(at + i) % OMPP_LOCK_PAIRS];
		uint64_t have = OMPP_LOAD(&pair->key);

		if (!have && __atomic_compare_exchange_n(&pair->key, &have, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			have = key;
		if (have != key)
			continue;
		__atomic_fetch_add(&pair->n, 1, __ATOMIC_RELAXED);
		__atomic_fetch_add(&pair->ticks, ticks, __ATOMIC_RELAXED);
		return;
	}
	ompp_note_add(OMPP_NOTE_LOST_HOLDER, 1);
}

void ompp_lock_holders_after_fork(void)
{
	memset(ompp_lock_pairs, 0, sizeof(ompp_lock_pairs));
}
