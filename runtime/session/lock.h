/*
 * Lock: measures how long threads wait for OpenMP locks and hold them.  Locks are looked up by address; lock_def.h maps
 * a lock to its region.
 *
 * In a storm (core/storm.h) most sets, and the unset of each, do not read the clock.  Beside the storm's sample these
 * are timed: tests, sets of a nested lock by the thread that holds it, and unsets by another thread.
 *
 * Entries are never freed.  A destroyed lock keeps its region, and a lock that the same place initialises at the same
 * address reuses it.  Only the thread that holds the lock reads and writes set_ticks, node, owner, depth, counted,
 * storm, enter_ticks, is_untimed, set_by and site; owner, depth and set_by are also read by threads that ask who holds
 * it.
 */
#ifndef OMPP_SESSION_LOCK_H
#define OMPP_SESSION_LOCK_H

#include <stdint.h>

#include "runtime/core/thread.h"
#include "runtime/session/lock_def.h"

struct ompp_lock {
	_Atomic uintptr_t address; /* 0 while the entry is free; claimed with compare-and-swap */
	_Atomic uint64_t key;      /* of its region; 0 while it is not known, or when nothing is measured */
	uint64_t set_ticks;
	struct ompp_callnode *node;
	struct ompp_thread *owner;
	uint64_t storm;                    /* number of the node's storm when the set is in its sample, else 0 */
	uint64_t enter_ticks;              /* then: how long it took */
	uint32_t depth;                    /* nested locks: number of sets without an unset */
	uint16_t is_untimed;               /* 1 when the set was not timed */
	uint16_t counted;                  /* 1 when the set was counted; 0 when measuring has been off so far */
	uint16_t is_common;                /* 1 when it stands for many locks, and never holds a time */
	const char *site;                  /* of the last set: the string argument of the call */
	struct ompp_lock_def *_Atomic def; /* written before the key; NULL until the lock is used */
	struct ompp_lock_site *maker;      /* where it was initialised; NULL when not known */
	uint32_t set_by; /* the region of the call that set it, of a file that kinst did not build; 0: not known */
	uint32_t made;   /* its number among all locks initialised, from 1; 0 when that was not seen */
	struct ompp_span_lock
		*path; /* what it hands on of the longest path (events/hold.h); the holder alone uses it */
};

/* Returns the lock's entry; NULL when locks are not measured (they are disabled, or there is no thread).
 * site: of a call that sets the lock, or NULL */
struct ompp_lock *ompp_lock_find(const void *address, enum ompp_construct construct, const char *site);

/* Returns 1 where another thread has set the lock, as far as calls of ours know. */
static inline int ompp_lock_is_taken(const struct ompp_lock *lock)
{
	return !lock->is_common && OMPP_LOAD(&lock->depth) && OMPP_LOAD(&lock->owner) != ompp_self;
}

/* Records that the program initialises a lock at this address, at this place of the source. */
void ompp_lock_made(const void *address, struct ompp_lock_site *site);

#define OMPP_LOCK_UNTIMED UINT64_MAX /* a time that is not known, as the call is in a storm */

/* Returns the time before a call that sets the lock, or OMPP_LOCK_UNTIMED. */
uint64_t ompp_lock_before_set(const struct ompp_lock *lock);

/* Counts a call that set or tested the lock, after the real call.
 * before_ticks: the time before the call
 * acquired: 1, or 0 when a test failed */
void ompp_lock_after_set(struct ompp_lock *lock, uint64_t before_ticks);
void ompp_lock_after_test(struct ompp_lock *lock, uint64_t before_ticks, int acquired);

/* Records that the holder has set the lock at this site, which differs from the previous one. */
void ompp_lock_set_at(struct ompp_lock *lock, const char *site);

/* The holder's data, which are read before the real unset, and counted after it. */
struct ompp_lock_release {
	struct ompp_callnode *node;
	uint64_t body_ticks, before_ticks, n; /* before_ticks: may be OMPP_LOCK_UNTIMED */
	uint64_t storm, enter_ticks;          /* those of the lock, where its own thread unsets it */
};
struct ompp_lock_release ompp_lock_before_unset(struct ompp_lock *lock);
void ompp_lock_after_unset(struct ompp_lock_release release);

/* Calls `each` with all entries, for the report. */
void ompp_locks_each(void (*each)(const struct ompp_lock *lock, void *context), void *context);

#endif
