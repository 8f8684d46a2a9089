/*
 * Holder: a lock that stores the id of the thread that holds it, as the kernel's helper thread has no thread-local
 * storage.  When the calling thread itself already holds it, the caller is a signal handler that interrupted the
 * holder: the lock is refused.  It is also refused after too long a wait, as the holder may have been cancelled.
 */
#ifndef OMPP_HOST_HOLDER_H
#define OMPP_HOST_HOLDER_H

#include <stdint.h>

#include "runtime/base/sys.h"

enum { OMPP_HOLDER_SLEEP_NS = 20000 };

/* Returns 0 when the calling thread has the lock now, else -1.
 * holder: 0 while nobody has it; set it to 0 in a forked child
 * most_yields, most_sleeps: how often to yield, and then to sleep, before giving up */
static inline int ompp_holder_take(uint32_t *holder, int most_yields, int most_sleeps)
{
	uint32_t me = (uint32_t)ompp_sys_gettid(), other = 0;
	int n = 0;

	while (!__atomic_compare_exchange_n(holder, &other, me, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		if (other == me || n >= most_yields + most_sleeps)
			return -1;
		other = 0;
		if (n++ < most_yields)
			ompp_sys_yield();
		else
			ompp_sys_sleep(OMPP_HOLDER_SLEEP_NS);
	}
	return 0;
}

static inline void ompp_holder_drop(uint32_t *holder)
{
	__atomic_store_n(holder, 0, __ATOMIC_RELEASE);
}

#endif
