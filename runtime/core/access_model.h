/*
 * Access model: what the cache model takes of an access that is counted: what it misses, beside the counts of its row.
 */
#ifndef OMPP_CORE_ACCESS_MODEL_H
#define OMPP_CORE_ACCESS_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/core/access_count.h"
#include "runtime/core/thread.h"
#include "runtime/data/cache.h"
#include "runtime/data/first.h"
#include "runtime/data/front.h"
#include "runtime/data/tally.h"

/* The caches that are modelled; level[0].bytes is 0 when the model is off. */
extern struct ompp_cache_geometry ompp_access_geometry;

/* 1 when the model is on.  It is written once, before any segment exists. */
extern int ompp_access_modelled __attribute__((visibility("hidden")));

/* Reads OMPP_CACHE.
 * sees_each: 1 when each access has to be seen, so that hooks may count none by themselves.  COLD. */
void ompp_access_model_start(const char *text, int sees_each) __attribute__((visibility("hidden")));

/* Gives a thread its part of the model, if it has none.  Returns 1 when it has one now. */
int ompp_access_model_new(struct ompp_thread *t) __attribute__((visibility("hidden")));

static inline int ompp_access_model_for(struct ompp_thread *t)
{
	return ompp_access_modelled && (__builtin_expect(t->cache != NULL, 1) || ompp_access_model_new(t));
}

/* Makes an access of any size that begins in segment s, and adds what it missed to a row of the tally, which is another
 * one than the segment's for a small block in memory without a name.  The thread has its part.  WARM. */
void ompp_access_model(struct ompp_thread *t, struct ompp_tally *y, const struct ompp_segment *s, uint32_t row,
                       uintptr_t address, size_t n_bytes, int stores) __attribute__((visibility("hidden")));

/* Adds what an access missed.  HOT.
 * missed: bit i for level i
 * is_other: 1 when another thread wrote its page first */
void ompp_access_missed(struct ompp_tally *y, uint32_t row, unsigned int missed, uintptr_t address, size_t n_bytes,
                        int is_other) __attribute__((visibility("hidden")));

/* Makes an access in one line, for a thread that has fronts, which know all names that ended (ompp_front_renew()).
 * Returns 1 when no store tells anything new about who wrote its page first.  HOT.
 * first: the line's ompp_cache_first_of() */
static inline int ompp_access_model_line(struct ompp_thread *t, struct ompp_tally *y, uint32_t row,
                                         _Atomic uint64_t *first, uintptr_t address, size_t n_bytes, int stores)
{
	unsigned int page = ompp_front_page(t->front, t->slot, address);
	unsigned int missed = ompp_cache_line(t->cache, first, address, n_bytes);

	if (missed)
		ompp_access_missed(y, row, missed, address, n_bytes, page == OMPP_FRONT_OTHERS);
	if (stores && page == OMPP_FRONT_UNKNOWN) {
		ompp_first_store(t->slot, &t->last_page, address, n_bytes);
		page = ompp_front_page(t->front, t->slot, address);
	}
	return page != OMPP_FRONT_UNKNOWN;
}

/* Does what ompp_access_model() does for an access in one line, for a thread that has fronts.  HOT. */
static inline void ompp_access_model_front(struct ompp_thread *t, struct ompp_tally *y, const struct ompp_segment *s,
                                           uintptr_t address, size_t n_bytes, int stores)
{
	_Atomic uint64_t *first = ompp_cache_first_of(t->cache, address >> t->front->shift);
	int is_written;

	ompp_front_renew(t->front);
	is_written = ompp_access_model_line(t, y, ompp_access_row(s), first, address, n_bytes, stores);
	ompp_access_front = t->front;
	y->way[ompp_way(address)] = ompp_front_enter(t->front, s, address, is_written);
}

#endif
