/*
 * Access count: adds an access of the program to the tally of its thread's innermost node.  Containers are handled
 * before, by follow.h.
 */
#ifndef OMPP_ACCESS_ACCESS_COUNT_H
#define OMPP_ACCESS_ACCESS_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/tally.h"
#include "runtime/ranges/range_block.h"

struct ompp_callnode;

/* The number of accesses that could not be counted, without a thread slot or memory. */
extern _Atomic uint64_t ompp_n_lost_accesses;

/* Reads OMPP_CACHE, OMPP_REUSE, OMPP_LAYOUTS, OMPP_TLB and OMPP_SHARING.  Called once, before any segment exists. COLD.
 */
void ompp_access_start(void);

/* Counts an access of 1 << size bytes that is not to a container.  WARM.
 * slot: OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
void ompp_access_count(uintptr_t address, unsigned int size, unsigned int slot) __attribute__((visibility("hidden")));

/* Does the same for an access of any size; slot is as for ompp_access_block(). */
void ompp_access_count_block(uintptr_t address, size_t n_bytes, unsigned int slot)
	__attribute__((visibility("hidden")));

/* Counts an access of which the cover is known, as it was when the access was made: the memory may have another name by
 * now.  The emulator makes it, which looks for shared lines itself.
 * size: its class; OMPP_SIZES for another size
 * slot: as for ompp_access_count() where the size has a class and it is no atomic; else as for ompp_access_block() */
void ompp_access_count_known(uint32_t cover, uintptr_t address, size_t n_bytes, unsigned int size, unsigned int slot)
	__attribute__((visibility("hidden")));

/* Removes the tallies from all threads when measuring is switched off; each thread gets its tally back at its first
 * access after measuring is on again. */
void ompp_access_off(void);

/* Returns the tally of the thread's innermost node with room for row `cover`, and creates or enlarges it if necessary.
 * Returns NULL when nothing may be counted. */
struct ompp_tally *ompp_access_new_tally(uint32_t cover);

/* Returns the same, quickly when the tally has the room already. */
static inline struct ompp_tally *ompp_access_tally_for(uint32_t cover)
{
	struct ompp_tally *y = ompp_access_tally;

	return __builtin_expect(y->n_rows > cover, 1) ? y : ompp_access_new_tally(cover);
}

/* Returns the row of a segment, without its flags. */
static inline uint32_t ompp_access_row(const struct ompp_segment *s)
{
	return s->row & ~(uint32_t)OMPP_ROW_FLAGS;
}

/* Returns the cover of an address in its segment: that of a small block where the segment has no name. */
static inline uint32_t ompp_access_cover(const struct ompp_segment *s, uintptr_t address)
{
	return __builtin_expect(s->row & OMPP_ROW_BLOCKS, 0) ? ompp_range_block_cover(address) : s->cover;
}

#endif
