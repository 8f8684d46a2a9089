/*
 * Backlog: see backlog.h.
 */
#include "runtime/emulator/backlog.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_ROOM = 256, MOST_ROOM = 1 << 22, BUCKETS_EACH = 4 };

/* Entries of one row are one whatever their addresses. */
static uint64_t backlog_hash(const struct ompp_emulated_accesses *e)
{
	uint64_t h = e->row ? e->row : ~(uint64_t)e->lo;

	h = (h * 64 + e->slot) * 8 + e->size + ((uint64_t)e->n_bytes << 48);
	h *= 0x9E3779B97F4A7C15u;
	return h ^ h >> 29;
}

static int are_same(const struct ompp_emulated_accesses *a, const struct ompp_emulated_accesses *b)
{
	return a->row == b->row && a->slot == b->slot && a->size == b->size && a->n_bytes == b->n_bytes &&
	       (a->row || a->lo == b->lo);
}

/* Returns the bucket of an equal entry, or the empty bucket where it belongs.  A bucket may lead to an entry that was
 * taken. */
static uint32_t *find_bucket(struct ompp_backlog *w, const struct ompp_emulated_accesses *e)
{
	size_t mask = w->n_room * BUCKETS_EACH - 1, at = backlog_hash(e) & mask;

	while (w->buckets[at] && !(w->buckets[at] <= w->n && are_same(&w->entries[w->buckets[at] - 1], e)))
		at = (at + 1) & mask;
	return &w->buckets[at];
}

static int backlog_grow(struct ompp_backlog *w)
{
	size_t n_room = w->n_room ? w->n_room * 2 : LEAST_ROOM;
	struct ompp_emulated_accesses *entries = n_room > MOST_ROOM ? NULL
	                                                            : realloc(w->entries, n_room * sizeof(*entries));
	uint32_t *buckets;

	if (!entries)
		return -1;
	w->entries = entries;
	buckets = calloc(n_room * BUCKETS_EACH, sizeof(*buckets));
	if (!buckets)
		return -1;
	free(w->buckets);
	w->buckets = buckets;
	w->n_room = n_room;
	for (size_t i = 0; i < w->n; i++)
		*find_bucket(w, &entries[i]) = (uint32_t)i + 1;
	return 0;
}

static void backlog_put(struct ompp_backlog *w, struct ompp_emulated_accesses e)
{
	uint32_t *bucket = w->n_room ? find_bucket(w, &e) : NULL;

	if (bucket && *bucket) {
		struct ompp_emulated_accesses *to = &w->entries[*bucket - 1];

		to->n += e.n;
		to->lo = e.lo < to->lo ? e.lo : to->lo;
		to->hi = e.hi > to->hi ? e.hi : to->hi;
		return;
	}
	if (w->n == w->n_room) {
		if (backlog_grow(w)) {
			w->n_lost += e.n;
			return;
		}
		bucket = find_bucket(w, &e);
	}
	w->entries[w->n] = e;
	*bucket = (uint32_t)++w->n;
}

void ompp_backlog_add(struct ompp_backlog *w, uint32_t row, uintptr_t address, uint32_t n_bytes, uint32_t size,
                      uint32_t slot)
{
	backlog_put(w, (struct ompp_emulated_accesses){ address, address, 1, row, n_bytes, slot, size });
}

void ompp_backlog_ask(struct ompp_backlog *w, uintptr_t address)
{
	backlog_put(w, (struct ompp_emulated_accesses){ address, address, 0, 0, 0, OMPP_SLOT_BLOCK_LOAD, OMPP_SIZES });
}

static void clear_buckets(struct ompp_backlog *w)
{
	if (w->n_room)
		memset(w->buckets, 0, w->n_room * BUCKETS_EACH * sizeof(*w->buckets));
}

size_t ompp_backlog_take(struct ompp_backlog *w, struct ompp_emulated_accesses *to, size_t n)
{
	n = n < w->n ? n : w->n;
	if (!n)
		return 0;
	w->n -= n;
	memcpy(to, w->entries + w->n, n * sizeof(*to));
	if (!w->n)
		clear_buckets(w);
	return n;
}

uint64_t ompp_backlog_sum(const struct ompp_backlog *w)
{
	uint64_t sum = w->n_lost;

	for (size_t i = 0; i < w->n; i++)
		sum += w->entries[i].n;
	return sum;
}

uint64_t ompp_backlog_clear(struct ompp_backlog *w)
{
	uint64_t sum = ompp_backlog_sum(w);

	w->n = 0;
	w->n_lost = 0;
	clear_buckets(w);
	return sum;
}
