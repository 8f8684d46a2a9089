/*
 * Access, run: the functions that code compiled with opari/hooks/plugin calls; the plug-in knows their arguments.
 *
 * how: the size of an access is 1 << (how & 7) bytes; bit 3 (8) is set for stores, and clear for loads
 */
#ifndef OMPP_ADAPTERS_RUN_HOOKS_H
#define OMPP_ADAPTERS_RUN_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/known.h"

/* The state of a site: seven words in the stack frame of its function.  Code of the plug-in sets lo, limit, n_misses
 * and room to 0, and sets members.  It checks an access with the first two; if they do not contain it, it uses the last
 * two: as long as fewer than `room` accesses wait in the log, it appends the address there instead of a call. */
struct ompp_access_site {
	uintptr_t lo, limit; /* with a first member at lo + x, all are in the object accessed last if x < limit */
	uint64_t *row;       /* where these are counted */
	const struct ompp_access_members *members;
	size_t n_misses; /* visits, and consecutive ones with few accesses counted inline before */
	size_t room;     /* room in the log; 0 without one.  With one the limit is 0 */
	uint64_t *log;   /* addresses of the first member (data/known.h) */
};

/* Counts n accesses, the first at `base`, each `step` bytes after the one before; step may be negative or 0. */
void ompp_access_run(uintptr_t base, size_t step, size_t n, unsigned int how);

/* Count nested runs: n such runs, or n times n2, whose first addresses are a step apart; the last parameters are the
 * innermost loop. */
void ompp_access_run2(uintptr_t base, size_t step, size_t n, size_t step2, size_t n2, unsigned int how);
void ompp_access_run3(uintptr_t base, size_t step, size_t n, size_t step2, size_t n2, size_t step3, size_t n3,
                      unsigned int how);

/* Counts the reads or writes of n copies of n_bytes each, the first at `base`.  slot: as for ompp_access_block() */
void ompp_access_blocks(uintptr_t base, size_t step, size_t n, size_t n_bytes, unsigned int slot);

/* Counts the accesses of a loop in their order: in each iteration those of the list, in order (access/access.h).
 * Called where *ompp_access_by_order is 1. */
struct ompp_ordered_access;
void ompp_access_order(const struct ompp_ordered_access *list, size_t n_list);

/* Counts n executions of the members that are not all within the bounds of a site, after those that it has counted
 * inline, and sets new bounds.
 * base, step: the addresses of the first member
 * n_before, lo_before, hi_before: how often the members were counted inline since the last visit, and the lowest and
 * the highest address of the first one; with a log, only the number of addresses in it */
void ompp_access_site(struct ompp_access_site *site, size_t n_before, uintptr_t lo_before, uintptr_t hi_before,
                      uintptr_t base, size_t step, size_t n);

/* Adds what the site has counted inline. */
void ompp_access_site_end(struct ompp_access_site *site, size_t n_before, uintptr_t lo_before, uintptr_t hi_before);

/* Ends an execution of a nest with sites, after all its counts: determines whether it was short (data/tally.h).
 * nest: its hash of OMPP_NEST_BITS */
void ompp_access_nest_end(size_t nest);

#endif
