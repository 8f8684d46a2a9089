/*
 * Object: see object.h.  Entries are stored in chunks, each twice as large as the one before, so that entries never
 * move.
 */
#define _GNU_SOURCE
#include "runtime/data/object.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"

enum {
	FIRST_BLOCK = 64,
	N_BLOCKS = 15,
	N_HASH = 1 << 14,
	CHUNK_BYTES = 1 << 18,
	HUGE_BYTES = 8 << 20,
	LONGEST_NAME = 255
};

/* A piece of memory that is handed out from the front.  A full one is replaced by another. */
struct chunk {
	_Atomic size_t used_bytes;
	size_t n_bytes;
};

_Atomic uint32_t ompp_n_objects, ompp_n_covers;

static struct ompp_object_def *objects[N_BLOCKS];
static struct ompp_cover *covers[N_BLOCKS];
static struct ompp_numbered *all_numbered;
static uint32_t object_hash[N_HASH], cover_hash[N_HASH]; /* hold an index + 1; 0 when there is none */
static _Atomic(struct chunk *) current;

static void *object_map(size_t n_bytes)
{
	return ompp_space_reserve(n_bytes);
}

void *ompp_data_alloc(size_t n_bytes)
{
	size_t head = 64, at, n_chunk;
	struct chunk *c, *fresh;

	n_bytes = (n_bytes + 15) / 16 * 16;
	if (n_bytes > CHUNK_BYTES / 4)
		return object_map(n_bytes);
	/* The second chunk and all further ones are large: many objects are looked up at random. */
	for (;;) {
		c = atomic_load_explicit(&current, memory_order_acquire);
		if (c) {
			at = atomic_fetch_add_explicit(&c->used_bytes, n_bytes, memory_order_relaxed);
			ompp_assert(!(((uintptr_t)c + at) & 15));
			if (at + n_bytes <= c->n_bytes)
				return (char *)c + at;
		}
		n_chunk = c ? HUGE_BYTES : CHUNK_BYTES;
		fresh = object_map(n_chunk);
		if (!fresh)
			return NULL;
		if (c)
			ompp_sys_madvise(fresh, n_chunk, MADV_HUGEPAGE);
		fresh->n_bytes = n_chunk;
		atomic_store_explicit(&fresh->used_bytes, head, memory_order_relaxed);
		if (!atomic_compare_exchange_strong(&current, &c, fresh))
			ompp_sys_munmap(fresh, n_chunk);
	}
}

int ompp_data_grow(void *table, size_t *have, size_t n_need, size_t entry_bytes)
{
	void **old = table, *fresh;
	size_t n = *have ? *have * 2 : 256;

	if (n_need <= *have)
		return 0;
	while (n < n_need)
		n *= 2;
	fresh = ompp_data_alloc(n * entry_bytes);
	if (!fresh)
		return -1;
	if (*old)
		memcpy(fresh, *old, *have * entry_bytes);
	*old = fresh;
	*have = n;
	return 0;
}

/* Returns the block of entry i, and its index in that block.  Blocks have 64, 128, 256 entries and so on. */
static unsigned int block_of(uint32_t i, uint32_t *at)
{
	unsigned int b = 31 - (unsigned int)__builtin_clz(i / FIRST_BLOCK + 1);

	*at = i - (((uint32_t)1 << b) - 1) * FIRST_BLOCK;
	ompp_assert(*at < (uint32_t)FIRST_BLOCK << b);
	return b;
}

static struct ompp_object_def *object_at(uint32_t index)
{
	uint32_t at;
	unsigned int b = block_of(index, &at);

	return &__atomic_load_n(&objects[b], __ATOMIC_RELAXED)[at];
}

struct ompp_object_def *ompp_object(uint32_t index)
{
	ompp_assert(index < atomic_load_explicit(&ompp_n_objects, memory_order_acquire));
	return object_at(index);
}

static struct ompp_cover *cover_at(uint32_t index)
{
	uint32_t at;
	unsigned int b = block_of(index, &at);

	return &__atomic_load_n(&covers[b], __ATOMIC_RELAXED)[at];
}

const struct ompp_cover *ompp_cover(uint32_t index)
{
	ompp_assert(index < atomic_load_explicit(&ompp_n_covers, memory_order_acquire));
	return cover_at(index);
}

/* Makes room for entry i in its block.  Returns 0 or -ENOMEM. */
static int make_room(void *blocks, uint32_t i, size_t entry_bytes)
{
	void **list = blocks, *fresh;
	uint32_t at;
	unsigned int b = block_of(i, &at);

	if (b >= N_BLOCKS)
		return -ENOMEM;
	if (list[b])
		return 0;
	fresh = ompp_data_alloc(((size_t)FIRST_BLOCK << b) * entry_bytes);
	if (!fresh)
		return -ENOMEM;
	__atomic_store_n(&list[b], fresh, __ATOMIC_RELAXED);
	return 0;
}

static uint32_t hash_name(const char *name)
{
	uint32_t h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return (h ^ h >> 15) % N_HASH;
}

struct ompp_object_def *ompp_object_find(const char *name)
{
	struct ompp_object_def *def;
	uint32_t i;

	for (i = object_hash[hash_name(name)]; i; i = def->next) {
		def = ompp_object(i - 1);
		if (!strcmp(def->name, name))
			return def;
	}
	return NULL;
}

/* Adds an object, for which there is room.
 * name: is kept */
static struct ompp_object_def *object_add(const char *name, enum ompp_origin origin)
{
	uint32_t h = hash_name(name), n = atomic_load_explicit(&ompp_n_objects, memory_order_relaxed);
	struct ompp_object_def *def = object_at(n);

	*def = (struct ompp_object_def){ .name = name, .index = n, .next = object_hash[h], .origin = origin };
	object_hash[h] = n + 1;
	atomic_store_explicit(&ompp_n_objects, n + 1, memory_order_release);
	ompp_assert(ompp_object_find(name) == def);
	return def;
}

struct ompp_object_def *ompp_object_named(const char *name, enum ompp_origin origin)
{
	uint32_t n = atomic_load_explicit(&ompp_n_objects, memory_order_relaxed);
	struct ompp_object_def *def = ompp_object_find(name);
	char *copy;

	if (def)
		return def;
	if (n >= OMPP_MAX_OBJECTS || make_room(objects, n, sizeof(*def)))
		return NULL;
	copy = ompp_data_alloc(strlen(name) + 1);
	if (!copy)
		return NULL;
	strcpy(copy, name);
	return object_add(copy, origin);
}

struct ompp_numbered *ompp_object_numbered(const char *name, int make)
{
	struct ompp_numbered *m;
	char *copy;

	for (m = all_numbered; m; m = m->next)
		if (!strcmp(m->name, name))
			return m;
	m = make ? ompp_data_alloc(sizeof(*m) + strlen(name) + 1) : NULL;
	if (!m)
		return NULL;
	copy = (char *)(m + 1);
	strcpy(copy, name);
	m->name = copy;
	m->next = all_numbered;
	all_numbered = m;
	return m;
}

struct ompp_object_def *ompp_object_next(struct ompp_numbered *m, enum ompp_origin origin)
{
	char name[LONGEST_NAME + 32];
	struct ompp_object_def *def;
	struct ompp_text t;

	while (m->first_free < m->n && m->objects[m->first_free]->n_live)
		m->first_free++;
	if (m->first_free < m->n)
		return m->objects[m->first_free];
	ompp_text_init(&t, name, sizeof(name));
	ompp_text_strn(&t, m->name, strnlen(m->name, LONGEST_NAME));
	ompp_text_char(&t, '[');
	ompp_text_u64(&t, m->n);
	ompp_text_char(&t, ']');
	if (ompp_data_grow(&m->objects, &m->n_have, m->n + 1, sizeof(*m->objects)))
		return NULL;
	def = ompp_object_named(name, origin);
	if (!def)
		return NULL;
	ompp_assert(m->n < m->n_have);
	def->numbered = m;
	def->number = (uint32_t)m->n;
	m->objects[m->n++] = def;
	return def;
}

static uint32_t hash_set(const uint32_t *set, uint32_t n, uint32_t tracked)
{
	uint32_t h = 2166136261u ^ tracked;

	for (uint32_t i = 0; i < n; i++) {
		ompp_assert(!i || set[i - 1] < set[i]);
		h = (h ^ set[i]) * 16777619u;
	}
	ompp_assert(n && set[n - 1] < atomic_load_explicit(&ompp_n_objects, memory_order_relaxed));
	return (h ^ h >> 15) % N_HASH;
}

/* Adds a cover, for which there is room, and returns it.
 * set: is kept */
static uint32_t cover_add(const uint32_t *set, uint32_t n, uint32_t tracked, uint32_t *head)
{
	uint32_t h = hash_set(set, n, tracked), index = atomic_load_explicit(&ompp_n_covers, memory_order_relaxed);

	*cover_at(index) = (struct ompp_cover){ n, set, cover_hash[h], tracked, head ? *head : 0 };
	cover_hash[h] = index + 1;
	if (head)
		*head = index;
	atomic_store_explicit(&ompp_n_covers, index + 1, memory_order_release);
	return index;
}

uint32_t ompp_cover_of_tracked(const uint32_t *set, uint32_t n, uint32_t tracked, uint32_t *head)
{
	uint32_t n_covers = atomic_load_explicit(&ompp_n_covers, memory_order_relaxed), i;
	uint32_t *copy;

	for (i = cover_hash[hash_set(set, n, tracked)]; i; i = cover_at(i - 1)->next) {
		const struct ompp_cover *c = cover_at(i - 1);

		if (c->n_objects == n && c->tracked == tracked && !memcmp(c->objects, set, n * sizeof(*set)))
			return i - 1;
	}
	if (n_covers >= OMPP_MAX_COVERS || make_room(covers, n_covers, sizeof(struct ompp_cover)))
		return OMPP_OBJECT_OTHER;
	copy = ompp_data_alloc(n * sizeof(*copy) + 1);
	if (!copy)
		return OMPP_OBJECT_OTHER;
	memcpy(copy, set, n * sizeof(*copy));
	return cover_add(copy, n, tracked, head);
}

uint32_t ompp_cover_of(const uint32_t *set, uint32_t n)
{
	return ompp_cover_of_tracked(set, n, 0, NULL);
}

/* The first two exist whether or not the system has memory. */
void ompp_objects_start(void)
{
	static struct ompp_object_def first_objects[FIRST_BLOCK];
	static struct ompp_cover first_covers[FIRST_BLOCK];
	static const uint32_t own[] = { OMPP_OBJECT_OTHER, OMPP_OBJECT_STACK };

	ompp_assert(!ompp_n_objects);
	__atomic_store_n(&objects[0], first_objects, __ATOMIC_RELAXED);
	__atomic_store_n(&covers[0], first_covers, __ATOMIC_RELAXED);
	object_add("(other)", OMPP_ORIGIN_NONE);
	object_add("(stack)", OMPP_ORIGIN_NONE);
	cover_add(&own[0], 1, 0, NULL);
	cover_add(&own[1], 1, 0, NULL);
	ompp_assert(ompp_object_find("(other)") == ompp_object(OMPP_OBJECT_OTHER));
	ompp_assert(ompp_object_find("(stack)") == ompp_object(OMPP_OBJECT_STACK));
	ompp_assert(ompp_cover(OMPP_OBJECT_OTHER)->objects[0] == OMPP_OBJECT_OTHER);
	ompp_assert(ompp_cover(OMPP_OBJECT_STACK)->objects[0] == OMPP_OBJECT_STACK);
}
