/*
 * Run, log: the addresses of accesses that a site's loop left in a log, while each access is looked at closely, and
 * that are counted together (data/known.h).
 */
#ifndef OMPP_ADAPTERS_RUN_LOG_H
#define OMPP_ADAPTERS_RUN_LOG_H

#include "runtime/adapters/access_near.h"
#include "runtime/adapters/run_hooks.h"

/* Counts what waits when a tick has come, as the interval may end now.  What comes into a log later needs no order: a
 * tick that comes meanwhile gives it its time. */
static inline void ompp_log_end_tick(struct ompp_known *known)
{
	if (__builtin_expect(known->n_logs && OMPP_LOAD(&known->mine) != OMPP_LOAD(&known->tick), 0))
		ompp_count_waiting(known);
}

/* Counts what waits, n accesses of this site, and takes the log from it.  Whoever gathers now has left that for good,
 * by a jump out of a handler, as a handler that finds somebody gathering gets no log. */
void ompp_log_close(struct ompp_access_site *site, size_t n) __attribute__((visibility("hidden")));

/* Counts the members of one visit when each access is looked at closely.
 * may_wait: it may, as those of the next visits */
void ompp_log_members(struct ompp_access_site *site, uintptr_t base, int may_wait)
	__attribute__((visibility("hidden")));

#endif
