/*
 * Access relayout: replays the accesses of each thread through further models of its caches, in which objects have
 * other layouts (OMPP_LAYOUTS), and counts the misses there beside those of today's layout.
 *
 * There is a model for each kind of layout.  In it all objects that can have this layout have it, and all others keep
 * their addresses.  The groups of a split are found while the program runs: they are the members that it loads together
 * while the object misses the last level but one.  When an object's groups change, its counts start again from 0, as
 * those of the earlier groups do not apply to the new ones.
 */
#ifndef OMPP_ACCESS_ACCESS_RELAYOUT_H
#define OMPP_ACCESS_ACCESS_RELAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/core/thread.h"
#include "runtime/data/cache.h"
#include "runtime/data/relayout.h"
#include "runtime/data/tally.h"

enum ompp_relayout_kind {
	OMPP_RELAYOUT_APART,  /* structure of arrays */
	OMPP_RELAYOUT_SPLIT,  /* members that are used together */
	OMPP_RELAYOUT_HALF,   /* elements of half the size */
	OMPP_RELAYOUT_PADDED, /* no distance at which lines have the same set */
	OMPP_N_RELAYOUT_MODELS,
	/* orders of loops, of which access_interchange.h has the models */
	OMPP_RELAYOUT_INTERCHANGED = OMPP_N_RELAYOUT_MODELS,
	OMPP_RELAYOUT_BLOCKED,
	OMPP_N_RELAYOUTS
};

/* The words of a kind in a row. */
enum {
	OMPP_RELAYOUT_N,          /* accesses that were replayed */
	OMPP_RELAYOUT_GENERATION, /* of the groups for which this is; 0 but for a split */
	OMPP_RELAYOUT_NOW,        /* their misses today, by level */
	OMPP_RELAYOUT_THEN = OMPP_RELAYOUT_NOW + OMPP_CACHE_LEVELS,
	OMPP_RELAYOUT_WORDS = OMPP_RELAYOUT_THEN + OMPP_CACHE_LEVELS
};

/* The words of stores in a row, behind those of all kinds: how many are followed by line and byte (data/last_writer.h).
 * Behind them are those of the TLBs (access_tlb.h). */
enum { OMPP_RELAYOUT_STORES, OMPP_RELAYOUT_HANDED, OMPP_RELAYOUT_HANDED_THEN, OMPP_RELAYOUT_STORE_WORDS };

/* What is known of an object's layouts. */
struct ompp_relayout_object {
	struct ompp_relayout_units units; /* n is 0 when it has no layouts of structures */
	struct ompp_relayout apart;
	const struct ompp_relayout *_Atomic split; /* all units in one group until others are found */
	_Atomic uint64_t generation;               /* how often that has changed */
};

/* 1 when layouts are compared.  Written once, before any segment exists. */
extern int ompp_access_relayouts_on __attribute__((visibility("hidden")));

/* 1 when stores are followed, too, as the search for shared lines sees each of them.  Written once, likewise. */
extern int ompp_access_relayouts_stores __attribute__((visibility("hidden")));

/* The first slot of the first kind in a row.  Written once. */
extern uint32_t ompp_access_relayout_slot __attribute__((visibility("hidden")));

/* Starts it, after the cache model and the search for reuse.  COLD.
 * with_stores: 1 when threads' stores come in the order in which they are made */
void ompp_access_relayouts_start(int with_stores) __attribute__((visibility("hidden")));

/* Replays an access that was counted in the row of a cover, and missed these levels.  WARM.
 * is_load: 0 for stores and atomics */
void ompp_access_relayout(struct ompp_thread *t, struct ompp_tally *y, uint32_t cover, uintptr_t address,
                          size_t n_bytes, int is_load, unsigned int missed) __attribute__((visibility("hidden")));

/* Returns what is known of an object's layouts; NULL when it was not accessed, or they are not compared. */
const struct ompp_relayout_object *ompp_access_relayout_object(uint32_t object);

#endif
