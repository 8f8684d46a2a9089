/*
 * Tally: what one thread counted at one call-tree node, by cover.  The access hooks add to it.
 *
 * The hot path is: find the way of the address's page; if its segment holds the whole access, add 1 to one word of the
 * segment's row.  A way, once filled, is right for as long as its segment lives, and a segment that ends gets the
 * limits 0, so that all ways with it fail.  Each word has one writer, its thread; an addition is one instruction, so
 * that a signal handler's additions are not lost.
 *
 * Bigger tallies are put in front of smaller ones; the older ones keep their counts, and a hook that a signal
 * interrupted may still add to them.
 */
#ifndef OMPP_DATA_TALLY_H
#define OMPP_DATA_TALLY_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_WAYS = 256, OMPP_RECENT = 4, OMPP_SIZES = 5 };

/* The words of a row. */
enum ompp_slot {
	OMPP_SLOT_LOAD,                 /* loads of 1, 2, 4, 8, 16 bytes */
	OMPP_SLOT_STORE = OMPP_SIZES,   /* stores */
	OMPP_SLOT_BLOCK_LOAD = 2 * OMPP_SIZES, OMPP_SLOT_BLOCK_LOAD_BYTES,      /* other sizes and block copies */
	OMPP_SLOT_BLOCK_STORE, OMPP_SLOT_BLOCK_STORE_BYTES,
	OMPP_SLOT_ATOMIC, OMPP_SLOT_ATOMIC_BYTES,
	OMPP_N_SLOTS,
	OMPP_SLOT_MISS = OMPP_N_SLOTS,  /* modelled, one a level; rows have them only with the cache model */
	OMPP_N_MODEL_SLOTS = OMPP_N_SLOTS + 4
};

/* A piece of memory with one cover.  Constant but for the limits. */
struct ompp_segment {
	uintptr_t lo;
	uintptr_t limit[OMPP_SIZES];            /* an access of 1 << i bytes at lo + x is inside if x < limit[i]; 0: ended */
	uint32_t  row;                          /* bytes from the start of a tally to the cover's row */
	uint32_t  cover;
	uintptr_t hi;                           /* not included */
};

struct ompp_tally {
	const struct ompp_segment *way[OMPP_WAYS];
	const struct ompp_segment *recent[OMPP_RECENT];         /* found last, for strides of more than a page */
	uint32_t           at;                  /* of recent: the one to replace next */
	uint32_t           n_rows;
	uint32_t           row_bytes;
	uint32_t           spare;
	size_t             n_bytes;             /* of the mapping */
	struct ompp_tally *older;
	const void        *node;                /* whose it is */
	uint8_t           *touched;             /* [row / 32]: 1 when some word of these rows may have been written */
} __attribute__((aligned(64)));

static inline unsigned int ompp_way(uintptr_t address)
{
	return (uint32_t)(address >> 12) * 0x9E3779B1u >> 24;
}

/* The word of a slot. */
static inline uint64_t *ompp_tally_word(struct ompp_tally *tally, uint32_t row, unsigned int slot)
{
	return (uint64_t *)(void *)((char *)tally + row) + slot;
}

static inline void ompp_tally_add(uint64_t *word, uint64_t n)
{
#if defined(__x86_64__)
	__asm__ volatile("addq %1, %0" : "+m"(*word) : "er"(n) : "cc");
#else
	*word += n;
#endif
}

#endif
