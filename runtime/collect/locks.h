/*
 * Locks: what the LOCK regions of a report are called, and which of them are one, so that the same program says the
 * same in each run.
 *
 * A lock in static memory has the name of its variable, "l" or "l[3]" or "cells[3].lock", by the symbol tables and by
 * the argument with which the program calls omp_init_lock().  Others, on the heap or a stack, are known by that
 * argument alone: "node->lock", and "node->lock #2" for the second that this place made.  Where the call was not seen,
 * a call that sets the lock stands for it.
 */
#ifndef OMPP_COLLECT_LOCKS_H
#define OMPP_COLLECT_LOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"

/* A LOCK region of the report. */
struct ompp_lock_name {
	const char *name, *file;                /* file: where it is initialised, "" when that is not known */
	uint32_t    line;                       /* 0: not known */
	uint32_t    n_locks;
	const char *sites;                      /* "a.c:12, a.c:40": where it is set; "" when that is not known */
	uint32_t    shown_as;                   /* the id of the region that it is shown as */
	int         is_off;                     /* 1: OMPP_FILTER names it */
};

struct ompp_locks {
	struct ompp_lock_name *names;           /* by region id, below n; name NULL: no lock with a name */
	uint32_t               n;
};

/* Name all locks; memory is the arena's.  0 or -ENOMEM. */
int ompp_locks_name(struct ompp_locks *locks, struct ompp_arena *arena);

/* Its name, or NULL. */
const struct ompp_lock_name *ompp_locks_at(const struct ompp_locks *locks, uint32_t region);

#endif
