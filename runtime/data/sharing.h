/*
 * Sharing: which cache lines several threads write (false sharing), found by looking at each store to named data.
 *
 * Each thread keeps, by (line, call-tree node), which bytes it wrote and how often, and how often another thread had
 * written the line since; who wrote a line last is one word of a table that all threads share.  Tables have a fixed
 * size; what finds no place is counted as lost.
 */
#ifndef OMPP_DATA_SHARING_H
#define OMPP_DATA_SHARING_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_LINE_BYTES = 64, OMPP_SHARING_ENTRIES = 1 << 16 };

struct ompp_sharing_entry {
	uintptr_t   line;                       /* address / OMPP_LINE_BYTES; 0: free */
	const void *node;
	uint32_t    cover;                      /* of the first byte that was written */
	uint64_t    bytes;                      /* bit i: byte i of the line was written */
	uint64_t    n_stores, n_transfers;      /* stores; of them, those that found another thread's */
};

/* One thread's table; zeroed: not made. */
struct ompp_sharing {
	struct ompp_sharing_entry *entries;     /* OMPP_SHARING_ENTRIES, open addressing */
	uint32_t                   n;
	uint64_t                   n_lost;      /* stores without a place */
};

/* A store by thread `slot` at a call-tree node to memory with this cover. */
void ompp_sharing_store(struct ompp_sharing *own, uint32_t slot, const void *node, uint32_t cover,
                        uintptr_t address, size_t n_bytes);

#endif
