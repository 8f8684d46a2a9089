/*
 * Recent: see recent.h.
 */
#include "runtime/core/recent.h"

#include <stddef.h>

#include "runtime/base/relaxed.h"
#include "runtime/host/stamp.h"

enum { MOST_OFF = 64 };

/* When measuring was off; `to` is UINT64_MAX while it is. */
static struct {
	uint64_t from, to;
} off_times[MOST_OFF];
static uint32_t n_off_times;

void ompp_recent_end(struct ompp_recent *recent, const struct ompp_callnode *node, uint64_t until)
{
	uint64_t n = recent->n;
	struct ompp_recent_change *change = &recent->change[n % OMPP_RECENT_CHANGES];

	OMPP_STORE(&change->until, until);
	OMPP_STORE(&change->node, node);
	__atomic_store_n(&recent->n, n + 1, __ATOMIC_RELEASE);
	ompp_fence_release(); /* whoever sees the next node sees this change, too */
}

const struct ompp_callnode *ompp_recent_node(const struct ompp_recent *recent, uint64_t stamp,
                                             const struct ompp_callnode *now)
{
	uint64_t n, first, lo, hi;
	const struct ompp_callnode *node = now;

	ompp_fence_acquire();
	n = __atomic_load_n(&recent->n, __ATOMIC_ACQUIRE);
	first = n < OMPP_RECENT_CHANGES ? 0 : n - OMPP_RECENT_CHANGES + 1; /* the oldest may be overwritten just now */
	for (lo = first, hi = n; lo < hi;) { /* finds the first change after the time stamp */
		uint64_t middle = lo + (hi - lo) / 2;

		if (OMPP_LOAD(&recent->change[middle % OMPP_RECENT_CHANGES].until) <= stamp)
			lo = middle + 1;
		else
			hi = middle;
	}
	if (lo < n)
		node = OMPP_LOAD(&recent->change[lo % OMPP_RECENT_CHANGES].node);
	ompp_fence_acquire();
	if ((lo == first && first) || OMPP_LOAD(&recent->n) - lo >= OMPP_RECENT_CHANGES)
		return NULL; /* it is older, or the thread used the place again meanwhile */
	return node;
}

void ompp_recent_switch(int off)
{
	uint32_t n = OMPP_LOAD(&n_off_times);

	if (off) {
		OMPP_STORE(&off_times[n % MOST_OFF].from, ompp_stamp());
		OMPP_STORE(&off_times[n % MOST_OFF].to, UINT64_MAX);
		__atomic_store_n(&n_off_times, n + 1, __ATOMIC_RELEASE);
	} else if (n) {
		OMPP_STORE(&off_times[(n - 1) % MOST_OFF].to, ompp_stamp());
	}
}

int ompp_recent_was_off(uint64_t stamp)
{
	uint32_t n = __atomic_load_n(&n_off_times, __ATOMIC_ACQUIRE), i;

	for (i = n; i-- > 0 && n - i <= MOST_OFF;)
		if (stamp >= OMPP_LOAD(&off_times[i % MOST_OFF].from))
			return stamp < OMPP_LOAD(&off_times[i % MOST_OFF].to);
	return 0;
}
