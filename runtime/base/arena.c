/*
 * Arena: see arena.h.  Chunks double from 64 KiB to 4 MiB, so a report of a small program costs one mmap; where the
 * system has less (ulimit -v), a chunk is as small as possible.
 */
#include "runtime/base/arena.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"

struct chunk {
	struct chunk *next;
	size_t n_bytes;
};

enum { CHUNK_MIN = 64 * 1024, CHUNK_MAX = 4 * 1024 * 1024, CHUNK_STEP = 4096, ALIGN = 16 };

void ompp_arena_init(struct ompp_arena *arena, size_t limit_bytes)
{
	memset(arena, 0, sizeof(*arena));
	arena->limit_bytes = limit_bytes;
}

static void chunks_free(struct chunk *c)
{
	while (c) {
		struct chunk *next = c->next;

		ompp_sys_munmap(c, c->n_bytes);
		c = next;
	}
}

void ompp_arena_fini(struct ompp_arena *arena)
{
	chunks_free(arena->chunks);
	ompp_arena_init(arena, arena->limit_bytes);
}

void ompp_arena_reset(struct ompp_arena *arena)
{
	struct chunk *last = arena->chunks; /* the largest one, mostly */

	if (!last || last->n_bytes > CHUNK_MAX) {
		ompp_arena_fini(arena);
		return;
	}
	chunks_free(last->next);
	last->next = NULL;
	memset((char *)last + ALIGN, 0, arena->used_bytes - ALIGN);
	arena->used_bytes = ALIGN;
	arena->total_bytes = 0;
}

static int new_chunk(struct ompp_arena *arena, size_t need)
{
	size_t n = arena->chunk_bytes ? arena->chunk_bytes * 2 : CHUNK_MIN, least;
	struct chunk *c;

	if (n > CHUNK_MAX)
		n = CHUNK_MAX;
	if (need > SIZE_MAX - ALIGN - CHUNK_MIN)
		return -ENOMEM;
	need += ALIGN; /* the chunk's own header, 16 bytes */
	least = (need + CHUNK_STEP - 1) / CHUNK_STEP * CHUNK_STEP;
	if (n < least)
		n = least;
	c = ompp_space_take(n);
	if (!c && n > least)
		c = ompp_space_take(n = least);
	if (!c)
		return -ENOMEM;
	c->next = arena->chunks;
	c->n_bytes = n;
	arena->chunks = c;
	arena->base = (char *)c;
	arena->used_bytes = ALIGN;
	arena->chunk_bytes = n;
	return 0;
}

void *ompp_arena_alloc(struct ompp_arena *arena, size_t n_bytes)
{
	size_t n;
	void *p;

	if (n_bytes > SIZE_MAX / 2)
		return NULL;
	n = (n_bytes + ALIGN - 1) / ALIGN * ALIGN;
	if (arena->limit_bytes && n > arena->limit_bytes - arena->total_bytes)
		return NULL;
	if (!arena->base || arena->chunk_bytes - arena->used_bytes < n)
		if (new_chunk(arena, n))
			return NULL;
	p = arena->base + arena->used_bytes;
	ompp_assert((uintptr_t)p % ALIGN == 0 && arena->used_bytes + n <= arena->chunk_bytes);
	arena->used_bytes += n;
	arena->total_bytes += n;
	return p;
}

char *ompp_arena_strndup(struct ompp_arena *arena, const char *text, size_t n_bytes)
{
	char *copy;

	if (!text)
		return NULL;
	n_bytes = strnlen(text, n_bytes);
	copy = ompp_arena_alloc(arena, n_bytes + 1);
	if (copy)
		memcpy(copy, text, n_bytes);
	return copy;
}

char *ompp_arena_strdup(struct ompp_arena *arena, const char *text)
{
	return text ? ompp_arena_strndup(arena, text, strlen(text)) : NULL;
}

void *ompp_arena_grow(struct ompp_arena *arena, void *old, size_t *n_have, size_t n_need, size_t element_bytes)
{
	size_t n = *n_have ? *n_have : 8;
	void *p;

	if (n_need <= *n_have)
		return old;
	while (n < n_need)
		n = n > SIZE_MAX / 2 ? n_need : n * 2;
	if (element_bytes && n > SIZE_MAX / 2 / element_bytes)
		return NULL;
	p = ompp_arena_alloc(arena, n * element_bytes);
	if (!p)
		return NULL;
	if (old)
		memcpy(p, old, *n_have * element_bytes);
	*n_have = n;
	return p;
}
