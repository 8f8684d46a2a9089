/*
 * Page: see page.h.
 */
#include "runtime/data/page.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/data/object.h"

enum { PAGE_BYTES = OMPP_PAGE_BYTES, N_LIST_HASH = 1 << 16 };

uint32_t ompp_row_bytes = OMPP_N_SLOTS * sizeof(uint64_t);
_Atomic(ompp_page *) ompp_access_root[1 << OMPP_ROOT_BITS];

/* Addresses that the table does not reach.  Limits 0: no way that fits. */
static const struct ompp_segment beyond = { .row = sizeof(struct ompp_tally), .hi = UINTPTR_MAX };

/* Under the lock. */
static struct ompp_segment **interned;          /* open addressing by (lo, hi, row) */
static size_t n_interned, have_interned;
static struct ompp_list *lists[N_LIST_HASH];    /* all that were made, by their content */

/* ---- segments ---- */

static void set_limits(struct ompp_segment *s)
{
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

static struct ompp_segment *new_segment(uintptr_t lo, uintptr_t hi, uint32_t cover)
{
	char *room = ompp_data_alloc(sizeof(struct ompp_segment) + 48);
	struct ompp_segment *s = (void *)(((uintptr_t)room + 63) & ~(uintptr_t)63);

	if (!room)
		return NULL;
	s->lo = lo;
	s->hi = hi;
	s->cover = cover;
	s->row = (uint32_t)sizeof(struct ompp_tally) + cover * ompp_row_bytes;
	set_limits(s);
	return s;
}

static size_t segment_hash(uintptr_t lo, uintptr_t hi, uint32_t cover)
{
	uint64_t h = (lo ^ hi << 23 ^ (uint64_t)cover << 41) * 0x9E3779B97F4A7C15u;

	return (size_t)(h ^ h >> 31);
}

/* The segment of this state, alive. */
struct ompp_segment *ompp_segment_find(uintptr_t lo, uintptr_t hi, uint32_t cover)
{
	size_t at, i, have = have_interned;
	struct ompp_segment *s, **old = interned;

	for (at = segment_hash(lo, hi, cover); have; at++) {
		s = interned[at & (have - 1)];
		if (!s)
			break;
		if (s->lo == lo && s->hi == hi && s->cover == cover) {
			if (!s->limit[0])
				set_limits(s);
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
	s = new_segment(lo, hi, cover);
	if (!s)
		return NULL;
	for (at = segment_hash(lo, hi, cover); interned[at & (have_interned - 1)]; at++)
		;
	interned[at & (have_interned - 1)] = s;
	n_interned++;
	return s;
}

/* ---- the table of pages ---- */

static ompp_page *slot_of(uintptr_t address, int make)
{
	size_t i = address >> (OMPP_PAGE_BITS + OMPP_LEAF_BITS);
	ompp_page *leaf, *fresh;

	if (i >= (size_t)1 << OMPP_ROOT_BITS)
		return NULL;
	leaf = atomic_load_explicit(&ompp_access_root[i], memory_order_acquire);
	if (!leaf && make) {
		fresh = ompp_data_alloc(sizeof(*fresh) << OMPP_LEAF_BITS);
		if (!fresh)
			return NULL;
		if (atomic_compare_exchange_strong(&ompp_access_root[i], &leaf, fresh))
			leaf = fresh;           /* else another thread's; ours is lost, once */
	}
	return leaf ? &leaf[address >> OMPP_PAGE_BITS & (((size_t)1 << OMPP_LEAF_BITS) - 1)] : NULL;
}

static struct ompp_list *list_of(uintptr_t value)
{
	return value & 1 ? (struct ompp_list *)(value & ~(uintptr_t)OMPP_PAGE_TAGS) : NULL;
}

static const struct ompp_segment *in_slot(uintptr_t value, uintptr_t address)
{
	const struct ompp_list *l = list_of(value);
	uint32_t offset = address & (PAGE_BYTES - 1), i = 0, n;

	if (!l)
		return (const struct ompp_segment *)value;
	for (n = l->n; n > 1;) {
		uint32_t half = n / 2;

		if (l->entry[i + half].start <= offset) {
			i += half;
			n -= half;
		} else {
			n = half;
		}
	}
	return l->entry[i].segment;
}

const struct ompp_segment *ompp_segment_at(uintptr_t address)
{
	ompp_page *slot = slot_of(address, 1);
	uintptr_t value, page = address & ~(uintptr_t)(PAGE_BYTES - 1);
	struct ompp_segment *s;

	if (!slot)
		goto none;
	value = atomic_load_explicit(slot, memory_order_acquire);
	if (value)
		return in_slot(value, address);
	s = new_segment(page, page + PAGE_BYTES, OMPP_OBJECT_OTHER);
	if (!s)
		goto none;
	if (atomic_compare_exchange_strong(slot, &value, (uintptr_t)s))
		return s;
	return in_slot(value, address);
none:
	return &beyond;
}

int ompp_pages_may_be_named(uintptr_t lo, uintptr_t hi)
{
	int i;

	for (i = 0; i < 64 && lo < hi; i++) {
		ompp_page *slot = slot_of(lo, 0);
		uintptr_t value = slot ? atomic_load_explicit(slot, memory_order_acquire) : 0;
		const struct ompp_segment *s;

		if (!value) {
			lo = (lo | (PAGE_BYTES - 1)) + 1;
			continue;
		}
		s = in_slot(value, lo);
		if (s->cover >= OMPP_OBJECT_FIRST_NAMED)
			return 1;
		lo = s->hi > lo ? s->hi : hi;
	}
	return lo < hi;
}

/* ---- writers ---- */

/* What a page's segments were: those inside the page alone end, unless the new list has them. */
static void end_page(uintptr_t old, uintptr_t new, uintptr_t page)
{
	const struct ompp_list *was = list_of(old), *is = list_of(new);
	struct ompp_segment *s;
	uint32_t i, j;

	if (!old || old == new)
		return;
	if (!was) {
		s = (struct ompp_segment *)old;
		if (s->cover == OMPP_OBJECT_OTHER && s->lo == page && s->hi == page + PAGE_BYTES)
			ompp_segment_end(s);
		return;
	}
	for (i = 0; i < was->n; i++) {
		s = (struct ompp_segment *)(uintptr_t)was->entry[i].segment;
		if (s->cover != OMPP_OBJECT_OTHER || s->lo < page || s->hi > page + PAGE_BYTES)
			continue;
		for (j = 0; is && j < is->n && is->entry[j].segment != s; j++)
			;
		if (!is || j == is->n)
			ompp_segment_end(s);
	}
}

static uintptr_t list_value(const struct ompp_list *l)
{
	return (uintptr_t)l | (l->n < OMPP_LIST_HEAD ? 1 : 3);
}

/* The list of a page, found again when there was one like it: no two pages have the same. */
static uintptr_t page_list(const struct ompp_list *wanted)
{
	size_t n_entries = wanted->n * sizeof(wanted->entry[0]);
	struct ompp_list *l, *fresh;
	uint64_t h = 0;
	char *room;
	uint32_t i;

	for (i = 0; i < wanted->n; i++)
		h = (h ^ (uintptr_t)wanted->entry[i].segment) * 0x9E3779B97F4A7C15u;
	h = (h ^ h >> 31) % N_LIST_HASH;
	for (l = lists[h]; l; l = l->next)
		if (l->n == wanted->n && !memcmp(l->entry, wanted->entry, n_entries))
			return list_value(l);
	room = ompp_data_alloc(sizeof(*fresh) + n_entries + 48);
	fresh = (void *)(((uintptr_t)room + 63) & ~(uintptr_t)63);
	if (!room)
		return 0;
	memcpy(fresh, wanted, sizeof(*fresh) + n_entries);
	for (i = 0; i < OMPP_LIST_HEAD; i++) {
		fresh->start[i] = i < wanted->n ? (int16_t)wanted->entry[i].start : INT16_MAX;
		fresh->row[i] = i < wanted->n ? wanted->entry[i].segment->row : UINT32_MAX;
	}
	fresh->next = lists[h];
	lists[h] = fresh;
	return list_value(fresh);
}

int ompp_page_put(uintptr_t page, const struct ompp_list *parts)
{
	ompp_page *slot = slot_of(page, 1);
	uintptr_t old, new;

	if (!slot)
		return -1;
	new = parts->n == 1 ? (uintptr_t)parts->entry[0].segment : page_list(parts);
	if (!new)
		return -1;
	old = atomic_exchange_explicit(slot, new, memory_order_acq_rel);
	end_page(old, new, page);
	return 0;
}

uintptr_t ompp_pages_fill(uintptr_t page, uintptr_t end, struct ompp_segment *segment)
{
	ompp_page *slot = slot_of(page, 1);
	uintptr_t old;

	while (slot && page < end) {
		old = atomic_load_explicit(slot, memory_order_relaxed);
		if (old != (uintptr_t)segment) {
			old = atomic_exchange_explicit(slot, (uintptr_t)segment, memory_order_acq_rel);
			end_page(old, (uintptr_t)segment, page);
		}
		page += PAGE_BYTES;
		slot++;
		if (!(page & (((uintptr_t)1 << (OMPP_PAGE_BITS + OMPP_LEAF_BITS)) - 1)))
			break;
	}
	return page;
}
