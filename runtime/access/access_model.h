/*
 * Access model: passes a counted access to the cache model, and adds its misses to its row.
 */
#ifndef OMPP_ACCESS_ACCESS_MODEL_H
#define OMPP_ACCESS_ACCESS_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/access/access_count.h"
#include "runtime/core/thread.h"
#include "runtime/data/cache.h"
#include "runtime/data/first.h"
#include "runtime/data/front.h"
#include "runtime/data/reuse.h"
#include "runtime/data/tally.h"

/* The modelled caches; level[0].bytes is 0 when the model is off. */
extern struct ompp_cache_geometry ompp_access_geometry;

/* 1 when the model is on.  It is written once, before any segment exists. */
extern int ompp_access_modelled __attribute__((visibility("hidden")));

/* Reads OMPP_CACHE.
 * sees_each: 1 when each access has to be seen, so that hooks may not count any themselves
 * line_bytes: hooks may do so in lines of this size alone; 0 for any.  COLD. */
void ompp_access_model_start(const char *text, int sees_each, uint64_t line_bytes)
	__attribute__((visibility("hidden")));

/* Creates a thread's part of the model, if it has none.  Returns 1 when it has one now. */
int ompp_access_model_new(struct ompp_thread *t) __attribute__((visibility("hidden")));

/* Returns memory for a model of a thread's accesses, as ompp_data_alloc() does; NULL without memory, which a note says.
 * The thread then goes without all models that it has not got, so that its later accesses do not ask again.  COLD. */
void *ompp_access_model_memory(struct ompp_thread *t, size_t n_bytes) __attribute__((visibility("hidden")));

/* Returns a thread's part of a model of caches; NULL without memory.
 * shared: the level that all threads share; NULL where there is none */
void *ompp_access_model_cache(struct ompp_thread *t, const struct ompp_cache_geometry *geometry, void *shared)
	__attribute__((visibility("hidden")));

static inline int ompp_access_model_for(struct ompp_thread *t)
{
	return ompp_access_modelled && (__builtin_expect(t->cache != NULL, 1) || ompp_access_model_new(t));
}

/* Makes an access of any size that begins in segment s, and adds its misses to a row of the tally, which for a small
 * block in memory without a name is not the segment's.  Returns a bit for each level that missed; 0 in a thread that
 * has fronts.  The thread has its part of the model.  WARM. */
unsigned int ompp_access_model(struct ompp_thread *t, struct ompp_tally *y, const struct ompp_segment *s, uint32_t row,
                               uintptr_t address, size_t n_bytes, int stores) __attribute__((visibility("hidden")));

/* Records an access that moves lines in the model. */
static inline void ompp_access_moves(struct ompp_thread *t, uintptr_t address)
{
	if (t->n_moved < OMPP_MOST_MOVED)
		t->moved[t->n_moved] = address;
	t->n_moved++;
}

/* Is a step, ahead or back, a short one? */
static inline int ompp_access_is_near(uint64_t step)
{
	return step + (OMPP_NEAR_BYTES - 1) <= 2 * (OMPP_NEAR_BYTES - 1);
}

/* Records the step from the previous miss to this one, and votes for the most frequent step.
 * words: the row of its tally */
static inline void ompp_access_add_step(uint64_t *words, uintptr_t address)
{
	uint64_t now = address - words[OMPP_SLOT_LAST], votes = words[OMPP_SLOT_VOTES];

	OMPP_STORE(&words[OMPP_SLOT_LAST], address);
	if (ompp_access_is_near(now))
		OMPP_STORE(&words[OMPP_SLOT_NEAR], words[OMPP_SLOT_NEAR] + 1);
	if (__builtin_expect(now == words[OMPP_SLOT_STEP], 1)) {
		OMPP_STORE(&words[OMPP_SLOT_VOTES], votes + 1);
		OMPP_STORE(&words[OMPP_SLOT_STEPS], words[OMPP_SLOT_STEPS] + 1);
	} else if (votes) {
		OMPP_STORE(&words[OMPP_SLOT_VOTES], votes - 1);
	} else {
		OMPP_STORE(&words[OMPP_SLOT_STEP], now);
		OMPP_STORE(&words[OMPP_SLOT_STEPS], 0);
	}
}

/* Adds the misses of an access.  HOT.
 * words: the row of its tally
 * missed: bit i for level i; not 0
 * is_other: 1 when another thread wrote its page first */
static inline void ompp_access_missed(uint64_t *words, unsigned int missed, uintptr_t address, size_t n_bytes,
                                      int is_other)
{
	if (__builtin_expect(n_bytes <= 1u << (OMPP_SIZES - 1), 1))
		ompp_access_add_step(words, address);
	if (__builtin_expect(is_other, 0))
		ompp_tally_add(&words[OMPP_SLOT_FOREIGN], 1);
	for (unsigned int i = 0; i < OMPP_CACHE_LEVELS; i++)
		ompp_tally_add(&words[OMPP_SLOT_MISS + i], missed >> i & 1);
}

/* Does what ompp_access_model() does for an access in one line, for a thread that has fronts, just after
 * ompp_front_renew(); s is as for ompp_front_enter().  HOT. */
static inline void ompp_access_model_front(struct ompp_thread *t, struct ompp_tally *y, const struct ompp_segment *s,
                                           uintptr_t address, size_t n_bytes, int stores)
{
	struct ompp_front *front = t->front;
	uint64_t line = address >> front->shift;
	_Atomic uint64_t *first = ompp_cache_first_of(t->cache, line);
	enum ompp_first page = ompp_front_page(front, t->slot, address);
	unsigned int missed;

	if (!ompp_cache_is_first(first, line)) {
		missed = ompp_cache_find(t->cache, first, address, n_bytes);
		if (missed)
			ompp_access_missed(ompp_tally_word(y, s->row, 0), missed, address, n_bytes,
			                   page == OMPP_FIRST_OTHERS);
		ompp_access_moves(t, line << front->shift);
	}
	if (stores && __builtin_expect(page == OMPP_FIRST_UNKNOWN, 0)) {
		ompp_first_store(t->slot, &t->last_page, address, n_bytes);
		page = ompp_front_page(front, t->slot, address);
	}
	ompp_access_front = front;
	y->way[ompp_way(address)] = ompp_front_enter(front, s, address, page != OMPP_FIRST_UNKNOWN);
	if (__builtin_expect(t->reuse != NULL, 0) && ompp_reuse_needs(t->reuse, line))
		ompp_front_limit(&front->line[line & front->mask], 0);
}

#endif
