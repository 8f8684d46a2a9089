/*
 * Lock: OpenMP locks by address: waiting for them, holding them.  What region a lock is: lock_def.h.
 *
 * Entries are never given back; a destroyed lock keeps its region, and a lock that the same place makes there takes it
 * over.  set_ticks, node, owner, depth, counted and site belong to the thread that holds the lock.
 */
#ifndef OMPP_CORE_LOCK_H
#define OMPP_CORE_LOCK_H

#include <stdint.h>

#include "runtime/core/lock_def.h"
#include "runtime/core/thread.h"

struct ompp_lock {
	_Atomic uintptr_t              address;         /* 0: free; claimed with compare-and-swap */
	_Atomic uint64_t               key;             /* of its region; 0: not known yet, or nothing is measured */
	uint64_t                       set_ticks;
	struct ompp_callnode          *node;
	struct ompp_thread            *owner;
	uint32_t                       depth;           /* nested locks: sets without their unset */
	uint16_t                       counted;         /* 1: the set is; 0: measuring was off, so far */
	uint16_t                       is_common;       /* 1: it stands for many, and never holds a time */
	const char                    *site;            /* of the last set, as its call has it */
	struct ompp_lock_def *_Atomic  def;             /* before the key; NULL until the lock is used */
	struct ompp_lock_site         *maker;           /* where it was initialised; NULL: not known */
	uint32_t                       made;            /* the place among all that were, from 1; 0: not seen */
};

/* The lock's entry; NULL when locks are not measured (disabled, no thread).  site: of a call that sets it, or NULL. */
struct ompp_lock *ompp_lock_find(const void *address, enum ompp_construct construct, const char *site);

/* A lock is made by the program: from there on it is what this place makes. */
void ompp_lock_made(const void *address, struct ompp_lock_site *site);

/* After the real call: acquired 1, or a failed test 0.  before_ticks: read before the call. */
void ompp_lock_after_set(struct ompp_lock *lock, uint64_t before_ticks, int acquired);

/* The holder has set it at this site, which is not the one before. */
void ompp_lock_set_at(struct ompp_lock *lock, const char *site);

/* Around the real unset: the holder's numbers are taken before it, and counted after it. */
struct ompp_lock_release { struct ompp_callnode *node; uint64_t body_ticks, before_ticks, n; };
struct ompp_lock_release ompp_lock_before_unset(struct ompp_lock *lock);
void ompp_lock_after_unset(struct ompp_lock_release release);

/* For the report: call `each` with all entries. */
void ompp_locks_each(void (*each)(const struct ompp_lock *lock, void *context), void *context);

#endif
