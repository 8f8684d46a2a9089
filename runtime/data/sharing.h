/*
 * Sharing: finds cache lines that several threads write (false sharing), by looking at each store to named data.
 *
 * Each thread keeps, for each line and call-tree node, which bytes it wrote and how often, and how often another thread
 * had written the line since.  All threads share a table that has a word for each line, with the thread that wrote it
 * last.  Tables have a fixed size; a store that finds no place is counted as lost.
 */
#ifndef OMPP_DATA_SHARING_H
#define OMPP_DATA_SHARING_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_LINE_BYTES = 64, OMPP_SHARING_ENTRIES = 1 << 16 };

struct ompp_sharing_entry {
	uintptr_t line; /* address / OMPP_LINE_BYTES; 0 when the entry is free */
	const void *node;
	uint32_t cover;                 /* of the first byte that was written */
	uint64_t bytes;                 /* bit i is set when byte i of the line was written */
	uint64_t n_stores, n_transfers; /* all stores, and those of them that found another thread's store before */
};

/* One thread's table; all of it is 0 when it is not made. */
struct ompp_sharing {
	struct ompp_sharing_entry *entries; /* OMPP_SHARING_ENTRIES, open addressing */
	uint32_t n;
	uint64_t n_lost; /* stores without a place */
};

/* Counts a store by thread `slot`, at a call-tree node, to memory with this cover. */
void ompp_sharing_store(struct ompp_sharing *own, uint32_t slot, const void *node, uint32_t cover, uintptr_t address,
                        size_t n_bytes);

#endif
