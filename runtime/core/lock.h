/*
 * Lock: OpenMP locks by address, one LOCK region for each (or one for all, with OMPP_COLLAPSE_LOCKS).
 *
 * The table never shrinks; a destroyed lock keeps its region, and a new lock at the same address takes it over.
 * set_ticks, node, owner and depth belong to the thread that holds the lock.
 */
#ifndef OMPP_CORE_LOCK_H
#define OMPP_CORE_LOCK_H

#include <stdint.h>

#include "runtime/core/thread.h"

struct ompp_lock {
	_Atomic uintptr_t              address;         /* 0: free; claimed with compare-and-swap */
	struct ompp_region_def *_Atomic def;            /* NULL until the claimer has made it */
	uint64_t                       set_ticks;
	struct ompp_callnode          *node;
	struct ompp_thread            *owner;
	uint32_t                       depth;           /* nested locks: sets without their unset */
	uint32_t                       counted;         /* 1: the set is; 0: measuring was off, so far */
};

/* The lock's entry; NULL when locks are not measured (disabled, no thread). */
struct ompp_lock *ompp_lock_find(const void *address, enum ompp_construct construct);

/* After the real call: acquired 1, or a failed test 0.  before_ticks: read before the call. */
void ompp_lock_after_set(struct ompp_lock *lock, uint64_t before_ticks, int acquired);

/* Around the real unset: the holder's numbers are taken before it, and counted after it. */
struct ompp_lock_release { struct ompp_callnode *node; uint64_t body_ticks, before_ticks, n; };
struct ompp_lock_release ompp_lock_before_unset(struct ompp_lock *lock);
void ompp_lock_after_unset(struct ompp_lock_release release);

#endif
