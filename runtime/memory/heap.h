/*
 * Heap: the blocks of memory that the program allocates and gives back, with OMPP_OBJECTS=all.
 *
 * A block belongs to the site that allocated it (data/site.h); a large one is a place of the site's object besides, so
 * that accesses, samples and first touches find it.  All calls keep errno, and any thread may make them.
 */
#ifndef OMPP_MEMORY_HEAP_H
#define OMPP_MEMORY_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/block.h"

/* 1 when all blocks are asked for. */
extern int ompp_heap_on;

struct ompp_mapped;

/* When it is not NULL, it is called for each block that begins or ends, with its site.  Of a mapping a part may end by
 * itself: without its site, as long as another part is left. */
extern void (*ompp_heap_told)(uint32_t site, const void *address, size_t n_bytes, int ends);

struct ompp_site;

/* When it is not NULL, it is called for each block that has begun, or is about to end. */
extern void (*ompp_heap_placing)(struct ompp_site *site, uintptr_t address, size_t n_bytes, int ends);

/* Reads the options.  It is called once, before any segment exists.  COLD. */
void ompp_heap_start(void);

/* Who allocates. */
struct ompp_heap_call {
	const uintptr_t *callers; /* return addresses, the innermost first */
	size_t n_callers;
	uintptr_t allocator; /* the handle of OpenMP's; 0 for other functions */
	int has_words;       /* 1 when the allocator has words of its own behind the block (data/grain.h) */
};

/* Tells that the program has got n_bytes at p. */
void ompp_heap_begin(const void *p, size_t n_bytes, const struct ompp_heap_call *call);

/* The first tells, before it happens, that the program gives the block at p back, and returns it; the second that it
 * has kept the block all the same. */
struct ompp_block ompp_heap_end(const void *p);
void ompp_heap_keep(const void *p, struct ompp_block block);

/* Tells that the program has mapped n_bytes at p, whatever was mapped there before. */
void ompp_heap_map(const void *p, size_t n_bytes, const struct ompp_heap_call *call);

/* The first tells, before it happens, that the program unmaps n_bytes at p, which may be a part of a mapping, or
 * several mappings; the second that it unmaps all but so many of these bytes; the third whether it did. */
struct ompp_mapped *ompp_heap_unmap(const void *p, size_t n_bytes);
struct ompp_mapped *ompp_heap_unmap_end(const void *p, size_t n_bytes, size_t n_left);
void ompp_heap_unmapped(struct ompp_mapped *cut, int has_failed);

/* Returns the end of the stack that the caller is on; 0 when that is not the thread's own one, or it is not known. */
uintptr_t ompp_heap_stack(void);

#endif
