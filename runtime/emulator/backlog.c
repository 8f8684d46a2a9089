/*
 * Backlog: see backlog.h.
 */
#include "runtime/emulator/backlog.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_ROOM = 256, MOST_ROOM = 1 << 22, PLACES_EACH = 4 };

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

/* Returns the place of an equal entry, or the empty place where it belongs.  A place may lead to an entry that was
 * taken. */
static uint32_t *find_place(struct ompp_backlog *w, const struct ompp_emulated_accesses *e)
{
	size_t mask = w->n_room * PLACES_EACH - 1, at = backlog_hash(e) & mask;

	while (w->places[at] && !(w->places[at] <= w->n && are_same(&w->entries[w->places[at] - 1], e)))
		at = (at + 1) & mask;
	return &w->places[at];
}

static int backlog_grow(struct ompp_backlog *w)
{
	size_t n_room = w->n_room ? w->n_room * 2 : LEAST_ROOM;
	struct ompp_emulated_accesses *entries = n_room > MOST_ROOM ? NULL
	                                                            : realloc(w->entries, n_room * sizeof(*entries));
	uint32_t *places;

	if (!entries)
		return -1;
	w->entries = entries;
	places = calloc(n_room * PLACES_EACH, sizeof(*places));
	if (!places)
		return -1;
	free(w->places);
	w->places = places;
	w->n_room = n_room;
	for (size_t i = 0; i < w->n; i++)
		*find_place(w, &entries[i]) = (uint32_t)i + 1;
	return 0;
}

void ompp_backlog_add(struct ompp_backlog *w, uint32_t row, uintptr_t address, uint32_t n_bytes, uint32_t size,
                      uint32_t slot)
{
	struct ompp_emulated_accesses e = { address, address, 1, row, n_bytes, slot, size };
	uint32_t *place = w->n_room ? find_place(w, &e) : NULL;

	if (place && *place) {
		struct ompp_emulated_accesses *to = &w->entries[*place - 1];

		to->n++;
		to->lo = address < to->lo ? address : to->lo;
		to->hi = address > to->hi ? address : to->hi;
		return;
	}
	if (w->n == w->n_room) {
		if (backlog_grow(w)) {
			w->n_lost++;
			return;
		}
		place = find_place(w, &e);
	}
	w->entries[w->n] = e;
	*place = (uint32_t)++w->n;
}

static void empty_places(struct ompp_backlog *w)
{
	if (w->n_room)
		memset(w->places, 0, w->n_room * PLACES_EACH * sizeof(*w->places));
}

size_t ompp_backlog_take(struct ompp_backlog *w, struct ompp_emulated_accesses *to, size_t n)
{
	n = n < w->n ? n : w->n;
	if (!n)
		return 0;
	w->n -= n;
	memcpy(to, w->entries + w->n, n * sizeof(*to));
	if (!w->n)
		empty_places(w);
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
	empty_places(w);
	return sum;
}
