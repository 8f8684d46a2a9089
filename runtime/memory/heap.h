/*
 * Heap: follows the program's allocation and freeing of memory, with OMPP_OBJECTS=all.
 *
 * A block belongs to the site that allocated it (data/site.h); a large one is also a place of the site's object, so
 * that accesses, samples and first touches find it.  All calls keep errno, and any thread may make them.
 */
#ifndef OMPP_MEMORY_HEAP_H
#define OMPP_MEMORY_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/block.h"

/* 1 when all blocks are recorded. */
extern int ompp_heap_on;

struct ompp_mapped;

/* If not NULL, called for each block that begins or ends, with its site.  A part of a mapping may end separately: the
 * site is missing then, as long as another part is left. */
extern void (*ompp_heap_told)(uint32_t site, const void *address, size_t n_bytes, int ends);

/* If not NULL, called before a block or a mapping ends, while it is still known: what the calling thread has accessed
 * there, and not counted yet, is to be counted now. */
extern void (*ompp_heap_ending)(void);

struct ompp_site;

/* If not NULL, called for each block that has begun, or is about to end. */
extern void (*ompp_heap_placing)(struct ompp_site *site, uintptr_t address, size_t n_bytes, int ends);

/* Reads the options.  Called once, before any segment exists.  COLD. */
void ompp_heap_start(void);

/* The call that allocates. */
struct ompp_heap_call {
	const uintptr_t *callers; /* return addresses, the innermost first */
	size_t n_callers;
	uintptr_t allocator; /* handle of an OpenMP allocator; 0 for other functions */
	int has_words;       /* 1 when the allocator keeps its own words after the block (data/grain.h) */
};

/* Reports that the program has allocated n_bytes at p. */
void ompp_heap_begin(const void *p, size_t n_bytes, const struct ompp_heap_call *call);

/* The first reports in advance that the program frees the block at p, and returns the block; the second that the
 * program has kept it after all (a failed realloc). */
struct ompp_block ompp_heap_end(const void *p);
void ompp_heap_keep(const void *p, struct ompp_block block);

/* Reports that the program has mapped n_bytes at p, replacing earlier mappings there. */
void ompp_heap_map(const void *p, size_t n_bytes, const struct ompp_heap_call *call);

/* The first reports in advance that the program unmaps n_bytes at p, which may be a part of a mapping, or several
 * mappings; the second that it unmaps all but the given number of these bytes; the third whether it succeeded. */
struct ompp_mapped *ompp_heap_unmap(const void *p, size_t n_bytes);
struct ompp_mapped *ompp_heap_unmap_end(const void *p, size_t n_bytes, size_t n_left);
void ompp_heap_unmapped(struct ompp_mapped *cut, int has_failed);

/* Returns the end of the current stack; 0 when it is not the thread's own stack, or is not known. */
uintptr_t ompp_heap_stack(void);

#endif
