/*
 * Arena: memory that only grows, from mmap(2); the only allocator of the runtime and of the report code.
 *
 * One arena has one user at a time.  Nothing is freed before ompp_arena_fini().  All memory is zeroed and
 * aligned to 16 bytes.  Safe in a signal handler: mmap and munmap are all that it calls.
 */
#ifndef OMPP_BASE_ARENA_H
#define OMPP_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct ompp_arena {
	char *base;         /* first byte of the current chunk, NULL before the first allocation */
	size_t used_bytes;  /* of the current chunk */
	size_t chunk_bytes; /* length of the current chunk */
	size_t total_bytes; /* handed out since init; never more than limit_bytes */
	size_t limit_bytes; /* an allocation beyond it returns NULL; 0 means no limit */
	void *chunks;       /* list of all chunks */
};

/* Starts an empty arena.  limit_bytes 0 means no limit. */
void ompp_arena_init(struct ompp_arena *arena, size_t limit_bytes);

/* Gives all memory back to the system; every pointer into the arena is dead afterwards. */
void ompp_arena_fini(struct ompp_arena *arena);

/* Makes the arena empty like ompp_arena_fini(), but keeps a chunk for what comes next: zeroing memory anew is faster
 * than page faults. */
void ompp_arena_reset(struct ompp_arena *arena);

/* Returns n_bytes zeroed bytes, or NULL when the limit or the system's memory is reached.  n_bytes may be 0; then the
 * pointer is valid, too. */
void *ompp_arena_alloc(struct ompp_arena *arena, size_t n_bytes);

/* Return a copy of a string, or of its first n_bytes bytes, always terminated.  They return NULL without memory, and
 * when the text is NULL. */
char *ompp_arena_strdup(struct ompp_arena *arena, const char *text);
char *ompp_arena_strndup(struct ompp_arena *arena, const char *text, size_t n_bytes);

/* Returns an array of at least n_need elements that has the old one's content, and updates *n_have; each time the
 * number of elements doubles.  Returns NULL without memory; then *n_have and the old array stay valid. */
void *ompp_arena_grow(struct ompp_arena *arena, void *old, size_t *n_have, size_t n_need, size_t element_bytes);

#endif
