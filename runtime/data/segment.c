/*
 * Segment: see segment.h.  Both are found again by their content, so that the same state of a place is the same segment
 * or list.
 */
#include "runtime/data/segment.h"

#include <string.h>

#include "runtime/base/space.h"
#include "runtime/data/object.h"

enum { N_LIST_HASH = 1 << 16 };

uint32_t ompp_row_bytes = OMPP_N_SLOTS * sizeof(uint64_t);

static struct ompp_segment **interned;          /* open addressing by (lo, hi, row) */
static size_t n_interned, have_interned;
static void *lists;                             /* struct ompp_list *[N_LIST_HASH]: all that were made, by content */

/* ---- segments ---- */

void ompp_segment_revive(struct ompp_segment *s)
{
	if (s->row & OMPP_ROW_WATCHED)
		return;
	for (unsigned int i = 0; i < OMPP_SIZES; i++) {
		uintptr_t n = s->hi - s->lo, size = (uintptr_t)1 << i;

		__atomic_store_n(&s->limit[i], n >= size ? n - size + 1 : 0, __ATOMIC_RELEASE);
	}
}

void ompp_segment_end(struct ompp_segment *s)
{
	for (unsigned int i = 0; i < OMPP_SIZES; i++)
		__atomic_store_n(&s->limit[i], 0, __ATOMIC_RELEASE);
}

static struct ompp_segment *new_segment(uintptr_t lo, uintptr_t hi, uint32_t cover,
                                        const struct ompp_container *container)
{
	size_t n_bytes = container ? sizeof(struct ompp_watched_segment) : sizeof(struct ompp_segment);
	char *room = ompp_data_alloc(n_bytes + 48);
	struct ompp_segment *s = (void *)(((uintptr_t)room + 63) & ~(uintptr_t)63);

	if (!room)
		return NULL;
	s->lo = lo;
	s->hi = hi;
	s->cover = cover;
	s->row = (uint32_t)sizeof(struct ompp_tally) + cover * ompp_row_bytes;
	if (container) {
		s->row |= OMPP_ROW_WATCHED;
		((struct ompp_watched_segment *)(void *)s)->container = container;
	}
	ompp_segment_revive(s);
	return s;
}

struct ompp_segment *ompp_segment_new(uintptr_t lo, uintptr_t hi, uint32_t cover)
{
	return new_segment(lo, hi, cover, NULL);
}

static size_t segment_hash(uintptr_t lo, uintptr_t hi, uint32_t cover)
{
	uint64_t h = (lo ^ hi << 23 ^ (uint64_t)cover << 41) * 0x9E3779B97F4A7C15u;

	return (size_t)(h ^ h >> 31);
}

struct ompp_segment *ompp_segment_find(uintptr_t lo, uintptr_t hi, uint32_t cover,
                                       const struct ompp_container *container)
{
	size_t at, i, have = have_interned;
	struct ompp_segment *s, **old = interned;

	for (at = segment_hash(lo, hi, cover); have; at++) {
		s = interned[at & (have - 1)];
		if (!s)
			break;
		if (s->lo == lo && s->hi == hi && s->cover == cover && ompp_segment_watch(s) == container) {
			if (!s->limit[0])
				ompp_segment_revive(s);
			return s;
		}
	}
	if (2 * n_interned >= have) {
		size_t n = have ? have * 2 : 1024;
		struct ompp_segment **fresh = ompp_data_alloc(n * sizeof(*fresh));

		if (!fresh)
			return NULL;
		for (i = 0; i < have; i++) {
			if (!old[i])
				continue;
			for (at = segment_hash(old[i]->lo, old[i]->hi, old[i]->cover); fresh[at & (n - 1)]; at++)
				;
			fresh[at & (n - 1)] = old[i];
		}
		interned = fresh;
		have_interned = n;
	}
	s = new_segment(lo, hi, cover, container);
	if (!s)
		return NULL;
	for (at = segment_hash(lo, hi, cover); interned[at & (have_interned - 1)]; at++)
		;
	interned[at & (have_interned - 1)] = s;
	n_interned++;
	return s;
}

/* ---- lists ---- */

static uintptr_t list_value(const struct ompp_list *l)
{
	return (uintptr_t)l | (l->n < OMPP_LIST_HEAD ? 1 : 3);
}

uintptr_t ompp_list_of(const struct ompp_list *wanted)
{
	size_t n_entries = wanted->n * sizeof(wanted->entry[0]);
	struct ompp_list **table = ompp_space_table(&lists, N_LIST_HASH * sizeof(*table)), *l, *fresh;
	uint64_t h = 0;
	char *room;
	uint32_t i;

	if (!table)
		return 0;
	for (i = 0; i < wanted->n; i++)
		h = (h ^ (uintptr_t)wanted->entry[i].segment) * 0x9E3779B97F4A7C15u;
	h = (h ^ h >> 31) % N_LIST_HASH;
	for (l = table[h]; l; l = l->next)
		if (l->n == wanted->n && !memcmp(l->entry, wanted->entry, n_entries))
			return list_value(l);
	room = ompp_data_alloc(sizeof(*fresh) + n_entries + 48);
	fresh = (void *)(((uintptr_t)room + 63) & ~(uintptr_t)63);
	if (!room)
		return 0;
	memcpy(fresh, wanted, sizeof(*fresh) + n_entries);
	for (i = 0; i < OMPP_LIST_HEAD; i++) {
		fresh->start[i] = i < wanted->n ? (int16_t)wanted->entry[i].start : INT16_MAX;
		fresh->row[i] = i < wanted->n && !(wanted->entry[i].segment->row & OMPP_ROW_WATCHED) ?
		                wanted->entry[i].segment->row : UINT32_MAX;
	}
	fresh->next = table[h];
	table[h] = fresh;
	return list_value(fresh);
}
