/*
 * Access reuse: passes accesses to sampled cache lines to the thread's reuse (data/reuse.h), with the row in which they
 * are counted.
 *
 * Where nothing else needs individual accesses, hooks count most of them without a call.  For this the thread has
 * fronts (data/front.h): each is a group of neighbouring lines without its sampled line; or that line, as long as no
 * other sampled line has been used since.  With the cache model the thread has the model's fronts, if their lines are
 * of the same size; such a front holds a sampled line for as long, too.
 */
#ifndef OMPP_ACCESS_ACCESS_REUSE_H
#define OMPP_ACCESS_ACCESS_REUSE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/core/thread.h"
#include "runtime/data/front.h"
#include "runtime/data/reuse.h"

struct ompp_ordered_access;

/* Rows in each tally at least. */
enum { OMPP_REUSE_COVERS = 128 };

enum { OMPP_REUSE_MOST_WALKS = 32 }; /* accesses of a loop that is handed over */

/* 1 when reuse is measured.  It is written once, before any segment exists. */
extern int ompp_access_reused __attribute__((visibility("hidden")));

/* 1 when nothing else looks at single accesses, so that threads have fronts. */
extern int ompp_access_reuse_has_fronts __attribute__((visibility("hidden")));

/* Starts it.
 * sees_each: 1 when something else has to see each access.  COLD. */
void ompp_access_reuse_start(int sees_each) __attribute__((visibility("hidden")));

/* Creates a thread's part, if it has none.  Returns 1 when it has one now. */
int ompp_access_reuse_new(struct ompp_thread *t) __attribute__((visibility("hidden")));

static inline int ompp_access_reuse_for(struct ompp_thread *t)
{
	return __builtin_expect(ompp_access_reused, 0) &&
	       (__builtin_expect(t->reuse != NULL, 1) || ompp_access_reuse_new(t));
}

/* Ends the front of the line of the sample that was used last, before another one is.  The thread has its part. */
void ompp_access_reuse_leave(struct ompp_thread *t) __attribute__((visibility("hidden")));

/* Makes an access of any size.  The thread has its part.  WARM.
 * slots: of its row, from OMPP_SLOT_REUSE on */
void ompp_access_reuse(struct ompp_thread *t, uint64_t *slots, uintptr_t address, size_t n_bytes)
	__attribute__((visibility("hidden")));

/* Does so for an access to one front, just after ompp_front_renew(); s is as for ompp_front_enter(). */
void ompp_access_reuse_front(struct ompp_thread *t, struct ompp_tally *y, const struct ompp_segment *s,
                             uintptr_t address, size_t n_bytes) __attribute__((visibility("hidden")));

/* Counts the accesses of a loop (ompp_access_in_order()) and makes those that need it.  Returns 0 when they are to be
 * counted one by one. */
int ompp_access_reuse_in_order(struct ompp_thread *t, const struct ompp_ordered_access *list, size_t n_list)
	__attribute__((visibility("hidden")));

/* Makes those that need it, and counts none, as the cache model does that next, which in the meantime makes none of
 * them again; then ompp_access_reuse_go_on() takes what this returns.  The list is no longer than for the model. */
int ompp_access_reuse_before_model(struct ompp_thread *t, const struct ompp_ordered_access *list, size_t n_list)
	__attribute__((visibility("hidden")));
void ompp_access_reuse_go_on(struct ompp_thread *t, int before) __attribute__((visibility("hidden")));

#endif
