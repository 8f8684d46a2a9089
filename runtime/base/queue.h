/*
 * Queue: a lock whose waiters sleep (futex), for long critical sections that a thousand threads may want at once.
 * Waiters that called sched_yield() instead would all be scheduled again and again.
 */
#ifndef OMPP_BASE_QUEUE_H
#define OMPP_BASE_QUEUE_H

#include <stdint.h>

#include "runtime/base/sys.h"

enum ompp_queue { OMPP_QUEUE_FREE, OMPP_QUEUE_TAKEN, OMPP_QUEUE_AWAITED };

/* queue: OMPP_QUEUE_FREE at first; set it to that in a forked child.  The caller has blocked signals whose handlers may
 * take the same lock. */
static inline void ompp_queue_take(uint32_t *queue)
{
	uint32_t found = OMPP_QUEUE_FREE;

	if (__atomic_compare_exchange_n(queue, &found, OMPP_QUEUE_TAKEN, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	while (__atomic_exchange_n(queue, OMPP_QUEUE_AWAITED, __ATOMIC_ACQUIRE) != OMPP_QUEUE_FREE)
		ompp_sys_wait_while(queue, OMPP_QUEUE_AWAITED, 1000000000);
}

static inline void ompp_queue_drop(uint32_t *queue)
{
	if (__atomic_exchange_n(queue, OMPP_QUEUE_FREE, __ATOMIC_RELEASE) == OMPP_QUEUE_AWAITED)
		ompp_sys_wake_one(queue);
}

#endif
