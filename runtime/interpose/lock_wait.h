/*
 * Lock wait: which thread was in a critical section while another one waited for it (core/lock_holder.h).
 *
 * The section's own data do not show whether a thread is in it, so its end is recorded, too.  The clock is only read
 * when the section was taken.
 */
#ifndef OMPP_INTERPOSE_LOCK_WAIT_H
#define OMPP_INTERPOSE_LOCK_WAIT_H

#include "runtime/core/lock_holder.h"
#include "runtime/core/region.h"
#include "runtime/host/clock.h"

struct ompp_lock_wait {
	uint64_t ticks; /* when it began, where somebody has it */
	uint32_t holder;
};

/* Returns what to pass to ompp_lock_wait_end().
 * def: the section
 * lock: by which it is known, an address that is a multiple of 8; NULL: what is begun is no such section */
static inline struct ompp_lock_wait ompp_lock_wait_begin(const struct ompp_region_def *def, const void *lock)
{
	uint32_t holder = lock && !def->off ? ompp_lock_holder_now(lock) : (uint32_t)OMPP_LOCK_HOLDER_NOBODY;

	return (struct ompp_lock_wait){ __builtin_expect(holder != OMPP_LOCK_HOLDER_NOBODY, 0) ? ompp_clock() : 0,
		                        holder };
}

/* Notes that the thread is in the section. */
static inline void ompp_lock_wait_end(struct ompp_lock_wait wait, const struct ompp_region_def *def, const void *lock)
{
	if (!lock || def->off)
		return;
	ompp_lock_holder_set(lock, OMPP_KEY_ID(def->key));
	if (__builtin_expect(wait.holder != OMPP_LOCK_HOLDER_NOBODY, 0))
		ompp_lock_holder_waited(OMPP_KEY_ID(def->key), wait.holder, ompp_clock() - wait.ticks);
}

/* Notes that the thread is about to leave it. */
static inline void ompp_lock_wait_leave(const struct ompp_region_def *def, const void *lock)
{
	if (lock && def && !def->off)
		ompp_lock_holder_free(lock, OMPP_KEY_ID(def->key));
}

/* Notes that the thread has left it, where this is told late. */
static inline void ompp_lock_wait_left(const struct ompp_region_def *def, const void *lock)
{
	if (lock && def && !def->off)
		ompp_lock_holder_freed(lock, OMPP_KEY_ID(def->key));
}

#endif
