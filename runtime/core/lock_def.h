/*
 * Lock definition: which LOCK region a lock is, where it is made and set.  COLD, but for finding a site again.
 *
 * A lock is a region of its own, unless OMPP_COLLAPSE_LOCKS=1, or one place has made very many: those share one.  What
 * they are called, and which of them are shown as one, is found out when a report is made (collect/locks.c).
 */
#ifndef OMPP_CORE_LOCK_DEF_H
#define OMPP_CORE_LOCK_DEF_H

#include <stdatomic.h>
#include <stdint.h>

#include "runtime/core/region.h"

/* As the words of OMPP_COLLAPSE_LOCKS stand in env/options.def. */
enum ompp_collapse { OMPP_COLLAPSE_AUTO, OMPP_COLLAPSE_ARRAY, OMPP_COLLAPSE_NONE, OMPP_COLLAPSE_ALL };

enum {
	OMPP_LOCKS_OF_ONE_PLACE = 256,          /* with regions of their own; the others share one, but for COLLAPSE_NONE */
	OMPP_LOCK_SITES = 4                     /* remembered of a region */
};

/* A call of a lock function in the program's text: "12:6:file.c:&l[i]", a line, the length of the name, the name, the
 * argument. */
struct ompp_lock_site {
	const char                   *file, *argument;
	uint32_t                      line;
	uint32_t                      n_defs;           /* under the lock of lock_def.c, as is rest */
	struct ompp_lock_def         *rest;             /* what further locks of this place share; NULL: nothing so far */
	struct ompp_lock_site        *next;
};

struct ompp_lock_def {
	struct ompp_region_def       *region;
	uintptr_t                     address;          /* of the first lock that it is */
	_Atomic uint32_t              n_locks;
	struct ompp_lock_site        *maker;            /* where they were initialised; NULL: not known */
	struct ompp_lock_site *_Atomic sites[OMPP_LOCK_SITES];  /* where they were set */
	_Atomic uint32_t              has_more_sites;
	struct ompp_lock_def         *next;             /* the one before: newest first */
};

/* The site of a call's string, found again by its address; NULL when there is no room.  n_bytes: at most. */
struct ompp_lock_site *ompp_lock_site(const char *text, size_t n_bytes);

/* What a lock is that was made at `maker` (NULL: not known) and is used for the first time, at `site` (or NULL); into
 * *def, unless another thread has put it there.  NULL when it gets no region: no memory, or too many. */
struct ompp_lock_def *ompp_lock_define(struct ompp_lock_def *_Atomic *def, uintptr_t address,
                                       enum ompp_construct construct, struct ompp_lock_site *maker,
                                       struct ompp_lock_site *site);

/* What locks without one of their own are, and all with OMPP_COLLAPSE_LOCKS=1. */
struct ompp_lock_def *ompp_lock_common(enum ompp_construct construct);

/* One more place where it was set. */
void ompp_lock_def_add_site(struct ompp_lock_def *def, struct ompp_lock_site *site);

/* All definitions, newest first; the list only grows. */
const struct ompp_lock_def *ompp_lock_defs(void);

/* In a forked child: whoever held the lock is gone. */
void ompp_lock_defs_after_fork(void);

#endif
