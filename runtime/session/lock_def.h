/*
 * Lock definition: finds the LOCK region of a lock, and where it is initialised and set.  COLD, except when a known
 * site is looked up.
 *
 * Each lock has its own region, unless OMPP_COLLAPSE_LOCKS=1, or one place has initialised very many: the further locks
 * of that place share one.  When a report is made, sums/locks.c finds their names, and which of them are shown as one.
 */
#ifndef OMPP_SESSION_LOCK_DEF_H
#define OMPP_SESSION_LOCK_DEF_H

#include <stdatomic.h>
#include <stdint.h>

#include "runtime/core/region.h"

/* In the order of the words of OMPP_COLLAPSE_LOCKS in env/options.def. */
enum ompp_collapse { OMPP_COLLAPSE_AUTO, OMPP_COLLAPSE_ARRAY, OMPP_COLLAPSE_NONE, OMPP_COLLAPSE_ALL };

enum {
	OMPP_LOCKS_OF_ONE_PLACE = 256, /* this many get their own region; others share one, except with COLLAPSE_NONE */
	OMPP_LOCK_SITES = 4            /* this many are recorded per region */
};

/* A call of a lock function in the program's text: "12:6:file.c:&l[i]" has the line, the length of the file's name, the
 * name, and the argument.  Of one in a file that kinst did not build, only the region of its place is known. */
struct ompp_lock_site {
	const char *file, *argument;         /* "" of such a call */
	uint32_t line;                       /* 0 of such a call */
	const struct ompp_region_def *place; /* of such a call; else NULL */
	uint32_t n_defs;                     /* n_defs and rest are guarded by the lock of lock_def.c */
	struct ompp_lock_def *rest;          /* shared by the further locks of this place; NULL while there are none */
	struct ompp_lock_site *next;
};

struct ompp_lock_def {
	struct ompp_region_def *region;
	uintptr_t address; /* of the first lock with this definition */
	_Atomic uint32_t n_locks;
	struct ompp_lock_site *maker;                          /* where they were initialised; NULL when not known */
	struct ompp_lock_site *_Atomic sites[OMPP_LOCK_SITES]; /* where they were set */
	_Atomic uint32_t has_more_sites;
	struct ompp_lock_def *next; /* the definition created before it */
};

/* Returns the site of a call's string, which is looked up by the string's address; NULL when there is no room. n_bytes:
 * the maximum length of the string */
struct ompp_lock_site *ompp_lock_site(const char *text, size_t n_bytes);

/* Returns the site of a call by the region of its place; NULL when there is no room. */
struct ompp_lock_site *ompp_lock_site_of(const struct ompp_region_def *place);

/* Creates the definition of a lock that is used for the first time, and stores it in *def, unless another thread has
 * done so.  Returns it, or NULL when the lock gets no region, without memory or when there are too many.
 * maker: where the lock was initialised; NULL when not known
 * site: where it is used, or NULL */
struct ompp_lock_def *ompp_lock_define(struct ompp_lock_def *_Atomic *def, uintptr_t address,
                                       enum ompp_construct construct, struct ompp_lock_site *maker,
                                       struct ompp_lock_site *site);

/* Returns the definition shared by locks without their own, and by all locks with OMPP_COLLAPSE_LOCKS=1. */
struct ompp_lock_def *ompp_lock_common(enum ompp_construct construct);

/* Adds a place where the lock was set. */
void ompp_lock_def_add_site(struct ompp_lock_def *def, struct ompp_lock_site *site);

/* Returns the newest of all definitions; `next` leads to the others, and the list only grows. */
const struct ompp_lock_def *ompp_lock_defs(void);

/* Frees the lock of lock_def.c in a forked child, where the thread that held it is gone. */
void ompp_lock_defs_after_fork(void);

#endif
