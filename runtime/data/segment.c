/*
 * Segment: see segment.h.
 */
#include "runtime/data/segment.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/space.h"
#include "runtime/data/front.h"
#include "runtime/data/grain.h"
#include "runtime/data/mixed.h"
#include "runtime/data/object.h"

enum { N_LIST_HASH = 1 << 16, WAITING_SEGMENTS = 1 << 14, WAITING_LISTS = 1 << 10 };
/* Lists come in classes by their length.  Of a class of larger lists fewer wait, so that the waiting lists of each
 * class take some 256 KiB. */
enum { LIST_CLASSES = 16 }; /* class 0 has room for a head, class c for OMPP_LIST_HEAD << c entries */

uint32_t ompp_row_bytes = OMPP_N_SLOTS * sizeof(uint64_t);
int ompp_segments_have_blocks;

/* A segment that is found again by its content. */
struct interned {
	struct ompp_watched_segment watched;
	struct interned *next; /* the next one that waits, or that is free */
	int is_waiting;
	int is_live; /* 1 when some piece has it */
};

static struct interned **interned; /* a hash table with open addressing by (lo, hi, cover) */
static size_t n_interned, have_interned;
static struct interned *waiting, **last_waiting = &waiting; /* those that have ended, the oldest first */
static size_t n_waiting;
static struct interned **free_of; /* by cover: these may become other segments of the same cover */
static size_t have_free_of;

static void *lists; /* struct ompp_list *[N_LIST_HASH], by content: the lists that pages have, and those that wait */
static struct waiting_lists {
	struct ompp_list *first, **last, *free;
	size_t n;
} waiting_lists[LIST_CLASSES];
enum { LIST_USED = 1, LIST_WAITS = 2 };

/* ---- segments ---- */

void ompp_segment_revive(struct ompp_segment *s)
{
	if (s->row & OMPP_ROW_PAGE)
		OMPP_STORE(&s->lo, s->hi - ((uintptr_t)1 << OMPP_PAGE_BITS));
	if (s->row & OMPP_ROW_FLAGS) {
		ompp_assert(!s->limit[0]);
		return;
	}
	for (unsigned int i = 0; i < OMPP_SIZES; i++) {
		uintptr_t n = s->hi - s->lo, size = (uintptr_t)1 << i;

		__atomic_store_n(&s->limit[i], n >= size ? n - size + 1 : 0, __ATOMIC_RELEASE);
	}
}

void ompp_segment_end(struct ompp_segment *s)
{
	for (unsigned int i = 0; i < OMPP_SIZES; i++)
		__atomic_store_n(&s->limit[i], 0, __ATOMIC_RELEASE);
	ompp_front_end(s->lo, s->hi);
	if (s->row & OMPP_ROW_PAGE)
		__atomic_store_n(&s->lo, s->hi, __ATOMIC_RELEASE);
}

/* Returns zeroed memory for a struct that begins a cache line; NULL without memory. */
static void *new_line(size_t n_bytes)
{
	char *room = ompp_data_alloc(n_bytes + 48);

	return room ? (void *)(((uintptr_t)room + 63) & ~(uintptr_t)63) : NULL;
}

static uint32_t row_of(uint32_t cover)
{
	uint32_t flags = cover == OMPP_OBJECT_OTHER && ompp_segments_have_blocks ? OMPP_ROW_BLOCKS : 0;

	ompp_assert(!(ompp_cover_row(cover) & OMPP_ROW_FLAGS) && ompp_row_cover(ompp_cover_row(cover)) == cover);
	return ompp_cover_row(cover) | flags;
}

struct ompp_segment *ompp_segment_new(uintptr_t page)
{
	struct ompp_segment *s = new_line(ompp_segments_have_blocks ? sizeof(struct ompp_grain_segment) : sizeof(*s));

	ompp_assert(!(page & (((uintptr_t)1 << OMPP_PAGE_BITS) - 1)));
	if (!s)
		return NULL;
	s->lo = page;
	s->hi = page + ((uintptr_t)1 << OMPP_PAGE_BITS);
	s->cover = OMPP_OBJECT_OTHER;
	s->row = row_of(OMPP_OBJECT_OTHER) | (ompp_segments_have_blocks ? OMPP_ROW_PAGE : 0);
	if (s->row & OMPP_ROW_PAGE)
		((struct ompp_grain_segment *)(void *)s)->grains = ompp_access_no_grains;
	ompp_segment_revive(s);
	return s;
}

static size_t segment_hash(uintptr_t lo, uintptr_t hi, uint32_t cover)
{
	uint64_t h = (lo ^ hi << 23 ^ (uint64_t)cover << 41) * 0x9E3779B97F4A7C15u;

	return (size_t)(h ^ h >> 31);
}

static size_t hash_of(const struct interned *e)
{
	const struct ompp_segment *s = &e->watched.segment;

	return segment_hash(s->lo, s->hi, s->cover);
}

/* Puts an entry into a table that has room. */
static void segment_put(struct interned **table, size_t have, struct interned *e)
{
	size_t at = hash_of(e);

	ompp_assert(have && !(have & (have - 1)) && 2 * n_interned <= have);
	while (table[at & (have - 1)])
		at++;
	table[at & (have - 1)] = e;
}

static int make_room(void)
{
	size_t n = have_interned ? have_interned * 2 : 1024;
	struct interned **fresh;

	if (2 * n_interned < have_interned)
		return 0;
	fresh = ompp_data_alloc(n * sizeof(*fresh));
	if (!fresh)
		return -1;
	for (size_t i = 0; i < have_interned; i++)
		if (interned[i])
			segment_put(fresh, n, interned[i]);
	interned = fresh;
	have_interned = n;
	return 0;
}

/* Takes an entry out of the table.  The entries behind it, up to the next gap, move up, except those that would come
 * before the place where they belong. */
static void segment_take(const struct interned *e)
{
	size_t mask = have_interned - 1, gap = hash_of(e), at;

	while (interned[gap & mask] != e)
		gap++;
	interned[gap & mask] = NULL;
	n_interned--;
	for (at = gap + 1; interned[at & mask]; at++) {
		size_t home = hash_of(interned[at & mask]);

		if (((at - home) & mask) < ((at - gap) & mask))
			continue;
		interned[gap & mask] = interned[at & mask];
		interned[at & mask] = NULL;
		gap = at;
	}
}

/* Lets the segment that has waited longest become another one from now on, unless it has come back meanwhile. */
static void free_oldest(void)
{
	struct interned *e = waiting;
	uint32_t cover = e->watched.segment.cover;

	ompp_assert(e && e->is_waiting && n_waiting);
	waiting = e->next;
	if (!waiting)
		last_waiting = &waiting;
	n_waiting--;
	e->is_waiting = 0;
	e->next = NULL;
	if (e->is_live || ompp_data_grow(&free_of, &have_free_of, cover + (size_t)1, sizeof(*free_of)))
		return;
	segment_take(e);
	e->next = free_of[cover];
	ompp_assert(!free_of[cover] || free_of[cover]->watched.segment.cover == cover);
	free_of[cover] = e;
}

void ompp_segment_drop(struct ompp_segment *s)
{
	struct interned *e = (struct interned *)(void *)s;

	ompp_segment_end(s);
	e->is_live = 0;
	if (s->row & OMPP_ROW_WATCHED || e->is_waiting)
		return;
	e->is_waiting = 1;
	e->next = NULL;
	*last_waiting = e;
	last_waiting = &e->next;
	if (++n_waiting > WAITING_SEGMENTS)
		free_oldest();
}

/* Returns a segment of this cover that nobody has; NULL without memory. */
static struct interned *new_interned(uint32_t cover, const struct ompp_container *container)
{
	struct interned *e = container || cover >= have_free_of ? NULL : free_of[cover];

	if (e) {
		free_of[cover] = e->next;
		e->next = NULL;
		ompp_assert(e->watched.segment.cover == cover && !e->is_live && !e->is_waiting);
		ompp_assert(e->watched.segment.row == row_of(cover) && !e->watched.segment.limit[0]);
		return e;
	}
	e = new_line(sizeof(*e));
	if (!e)
		return NULL;
	e->watched.segment.cover = cover;
	e->watched.segment.row = row_of(cover) | (container ? OMPP_ROW_WATCHED : 0);
	e->watched.container = container;
	return e;
}

struct ompp_segment *ompp_segment_find(uintptr_t lo, uintptr_t hi, uint32_t cover,
                                       const struct ompp_container *container)
{
	struct interned *e;
	struct ompp_segment *s;

	for (size_t at = segment_hash(lo, hi, cover); have_interned; at++) {
		e = interned[at & (have_interned - 1)];
		if (!e)
			break;
		s = &e->watched.segment;
		if (s->lo == lo && s->hi == hi && s->cover == cover && ompp_segment_watch(s) == container) {
			if (!e->is_live)
				ompp_segment_revive(s);
			e->is_live = 1;
			return s;
		}
	}
	ompp_assert(lo < hi);
	e = make_room() ? NULL : new_interned(cover, container);
	if (!e)
		return NULL;
	s = &e->watched.segment;
	OMPP_STORE(&s->lo, lo); /* some thread may still look at the segment that it was, whose limits are 0 */
	OMPP_STORE(&s->hi, hi);
	ompp_segment_revive(s);
	e->is_live = 1;
	segment_put(interned, have_interned, e);
	n_interned++;
	return s;
}

/* ---- lists ---- */

static uintptr_t list_value(const struct ompp_list *l)
{
	return (uintptr_t)l | (l->n < OMPP_LIST_HEAD ? 1 : 3);
}

static uint32_t class_of(uint32_t n)
{
	uint32_t class = 0;

	while (n >= (uint32_t)OMPP_LIST_HEAD << class)
		class ++;
	return class;
}

static uint64_t list_hash(const struct ompp_list *l)
{
	uint64_t h = 0;

	for (uint32_t i = 0; i < l->n; i++)
		h = (h ^ (uintptr_t)l->entry[i].segment) * 0x9E3779B97F4A7C15u;
	return (h ^ h >> 31) % N_LIST_HASH;
}

/* Lets the list that has waited longest become another one from now on, unless a page has it again. */
static void free_oldest_list(struct waiting_lists *w)
{
	struct ompp_list **table = lists, *l = w->first, **at = &table[list_hash(l)];

	ompp_assert(l && w->n && l->state & LIST_WAITS);
	w->first = l->after;
	w->n--;
	l->state &= ~LIST_WAITS;
	if (l->state & LIST_USED)
		return;
	while (*at != l)
		at = &(*at)->next;
	*at = l->next;
	l->after = w->free;
	w->free = l;
}

/* Returns a list with room for n entries that no page refers to any more; NULL without memory. */
static struct ompp_list *new_list(uint32_t n)
{
	uint32_t class = class_of(n);
	struct waiting_lists *w = &waiting_lists[class];
	struct ompp_list *l = w->free;

	if (!l)
		return new_line(sizeof(*l) + ((size_t)OMPP_LIST_HEAD << class) * sizeof(l->entry[0]));
	w->free = l->after;
	return l;
}

/* Writes a list anew.  A thread that still looks at the list that it was finds some segment, and none that does not
 * exist. */
static void write_list(struct ompp_list *l, const struct ompp_list *wanted)
{
	ompp_assert(wanted->n < (uint32_t)OMPP_LIST_HEAD << class_of(wanted->n));
	ompp_assert(wanted->n > 1 && !wanted->entry[0].start);
	for (uint32_t i = 0; i < wanted->n; i++) {
		OMPP_STORE(&l->entry[i].segment, wanted->entry[i].segment);
		OMPP_STORE(&l->entry[i].start, wanted->entry[i].start);
	}
	for (uint32_t i = 0; i < OMPP_LIST_HEAD; i++) {
		int is_shown = i < wanted->n && !(wanted->entry[i].segment->row & OMPP_ROW_FLAGS);

		OMPP_STORE(&l->start[i], i < wanted->n ? (int16_t)wanted->entry[i].start : INT16_MAX);
		OMPP_STORE(&l->row[i], is_shown ? wanted->entry[i].segment->row : UINT32_MAX);
	}
	__atomic_store_n(&l->n, wanted->n, __ATOMIC_RELEASE);
}

uintptr_t ompp_list_of(const struct ompp_list *wanted)
{
	struct ompp_list **table = ompp_space_table(&lists, N_LIST_HASH * sizeof(*table)), *l;
	size_t n_entries = wanted->n * sizeof(wanted->entry[0]);
	uint64_t h = list_hash(wanted);

	if (!table)
		return 0;
	for (l = table[h]; l; l = l->next)
		if (l->n == wanted->n && !memcmp(l->entry, wanted->entry, n_entries)) {
			l->state |= LIST_USED;
			return list_value(l);
		}
	l = new_list(wanted->n);
	if (!l)
		return 0;
	write_list(l, wanted);
	l->state = LIST_USED;
	l->next = table[h];
	table[h] = l;
	return list_value(l);
}

void ompp_list_drop(struct ompp_list *list)
{
	struct waiting_lists *w = &waiting_lists[class_of(list->n)];
	int waits = list->state & LIST_WAITS;

	ompp_assert(list->state & LIST_USED);
	if (list->mixed)
		ompp_grains_end(&list->mixed->own);
	list->state = LIST_WAITS;
	if (waits)
		return;
	list->after = NULL;
	*(w->first ? w->last : &w->first) = list;
	w->last = &list->after;
	if (++w->n > (size_t)WAITING_LISTS >> class_of(list->n))
		free_oldest_list(w);
}
