/*
 * Locks: names the LOCK regions of a report, and decides which of them are shown as one.  Names do not depend on
 * addresses, so that the same program gives the same report in each run.
 *
 * A lock in static memory has the name of its variable, "l" or "l[3]" or "cells[3].lock".  It comes from the symbol
 * tables and from the argument with which the program calls omp_init_lock().  Locks on the heap or a stack are known
 * by that argument alone: "node->lock", and "node->lock #2" for the second that this place made.  Where the call was
 * not seen, a call that sets the lock is used instead.
 */
#ifndef OMPP_SUMS_LOCKS_H
#define OMPP_SUMS_LOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"

/* A LOCK region of the report. */
struct ompp_lock_name {
	const char *name, *file; /* file: where it is initialised, or "" when not known */
	uint32_t line;           /* 0 when not known */
	uint32_t n_locks;
	const char *sites; /* where it is set, "a.c:12, a.c:40"; "" when not known */
	uint32_t shown_as; /* id of the region under which it is shown */
	int is_off;        /* 1 when OMPP_FILTER names it */
};

struct ompp_locks {
	struct ompp_lock_name *names; /* [n], by region id; name is NULL where the region is not a named lock */
	uint32_t n;
};

/* Names all locks, in memory of the arena.  Returns 0 or -ENOMEM. */
int ompp_locks_name(struct ompp_locks *locks, struct ompp_arena *arena);

/* Returns the name of a region by its id, or NULL when the region is not a named lock. */
const struct ompp_lock_name *ompp_locks_at(const struct ompp_locks *locks, uint32_t region);

#endif
