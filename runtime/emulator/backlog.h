/*
 * Backlog: a thread's accesses that the plug-in cannot count itself, as the thread's tally has no room for their row,
 * or the table of pages has no row for them: the library in the program counts them later.  Only the thread uses it.
 */
#ifndef OMPP_EMULATOR_BACKLOG_H
#define OMPP_EMULATOR_BACKLOG_H

#include "runtime/data/emulation.h"

struct ompp_backlog {
	struct ompp_emulated_accesses *entries;
	uint32_t *buckets; /* a hash table of the entries: their number + 1 */
	size_t n, n_room;  /* there are 4 buckets for each entry of the room, a power of two */
	uint64_t n_lost;   /* accesses for which there was no memory */
};

/* Adds an access.
 * row: 0 when it is not known */
void ompp_backlog_add(struct ompp_backlog *w, uint32_t row, uintptr_t address, uint32_t n_bytes, uint32_t size,
                      uint32_t slot);

/* Adds an entry of no accesses: the library is to meet the page of the address. */
void ompp_backlog_ask(struct ompp_backlog *w, uintptr_t address);

/* Moves at most n entries to `to`.  Returns their number. */
size_t ompp_backlog_take(struct ompp_backlog *w, struct ompp_emulated_accesses *to, size_t n);

/* Returns the number of accesses, also of those for which there was no memory. */
uint64_t ompp_backlog_sum(const struct ompp_backlog *w);

/* Forgets all.  Returns the number of accesses. */
uint64_t ompp_backlog_clear(struct ompp_backlog *w);

#endif
