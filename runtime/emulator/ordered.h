/*
 * Ordered: a thread's accesses in program order, until the library has counted them.
 *
 * The plug-in calls the library's function for that directly: the code is at the same address, and for the same
 * processor as the emulator's.  The function needs the program's thread-local storage, so the register that points
 * there is switched around the call.  All data belong to one thread; no thread waits for another.
 */
#ifndef OMPP_EMULATOR_ORDERED_H
#define OMPP_EMULATOR_ORDERED_H

#include "runtime/data/emulation.h"

/* Accesses that are handed over at once, for which there is always room; a thread that has not started yet gets more.
 */
enum { OMPP_ORDERED_PIECE = 4096 };

struct ompp_ordered {
	struct ompp_emulated_access *entries;
	size_t n, n_room;
	uint64_t n_lost;                           /* accesses for which there was no memory */
	const struct ompp_segment *way[OMPP_WAYS]; /* the segments of its recent accesses, by page */
};

/* Allows the library's code to be called.  Returns 0, or -1 when that cannot be.
 * lo, hi: where its code is */
int ompp_ordered_allow(uintptr_t lo, uintptr_t hi);

void ompp_ordered_put(struct ompp_ordered *o, struct ompp_emulated_access access);

/* Has the library take all; for a thread that has not started, nothing is done.  What it does not take is lost. */
void ompp_ordered_hand_over(struct ompp_ordered *o, struct ompp_emulated_thread *t,
                            int (*take)(const struct ompp_emulated_access *some, size_t n));

/* Returns the number of accesses that wait, and of those for which there was no memory. */
uint64_t ompp_ordered_sum(const struct ompp_ordered *o);

/* Forgets all.  Returns the number of accesses. */
uint64_t ompp_ordered_clear(struct ompp_ordered *o);

#endif
