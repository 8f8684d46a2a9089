/*
 * Page sum: see page_sum.h.
 */
#include "runtime/data_sums/page_sum.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "reports/profile/record.h"
#include "runtime/base/auxv.h"
#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sort.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/region.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/data_sums/allocations.h"
#include "runtime/data_sums/page_smalls.h"
#include "runtime/memory/touch.h"
#include "runtime/ranges/small.h"

enum {
	CHUNK = 1 << 16, /* entries that get memory together */
	MOST_CHUNKS = 1 << 10,
	FIRST_SLOTS = 1 << 14,
	MOST_GROUPS = 1 << 16,
	N_GROUP_SLOTS = 2 * MOST_GROUPS,
	NEIGHBOURS = 64, /* pages whose slots are side by side */
	UNKNOWN = -2,    /* in place of a region: the kernel told that pages are written, and not by whom */
	WORD_BITS = 64
};

/* What uses of pages have in common: the objects and the region. */
struct group {
	uint32_t cover, region; /* region is an id; 0 for none, or UNKNOWN */
	int is_told;            /* 1 when it is what the kernel told to be written, else what hooks counted */
	uint64_t few_threads;   /* bit i for the thread of slot i */
	uint64_t *threads;      /* the further ones, [OMPP_MAX_THREADS / WORD_BITS]; NULL while there are none */
};

/* How all threads used a page as a part of a group, in 40 bytes. */
struct entry {
	uint64_t number : 45; /* of the page: addresses have 57 bits, and pages 4 KiB or more */
	uint64_t group : 16;
	uint64_t is_counted : 1;   /* 1 when hooks have counted accesses */
	uint64_t is_shared : 1;    /* 1 when there are other threads */
	uint64_t is_rewritten : 1; /* 1 when it was written in other intervals, too */
	uint64_t loads, stores, parts;
	uint64_t thread : 14;  /* the slot of the first thread, of those that are known */
	uint64_t written : 50; /* the mark of the interval in which it was written first; 0 for never */
};
_Static_assert(sizeof(struct entry) == 40 && OMPP_MAX_THREADS <= 1 << 14 && MOST_GROUPS <= 1 << 16, "room in an entry");

static struct {
	struct entry *chunks[MOST_CHUNKS];
	uint32_t n, n_slots, n_groups;
	uint32_t *slots;                  /* hash table of the entries: number + 1 */
	struct group *groups;             /* [MOST_GROUPS] */
	uint32_t *group_slots;            /* hash table of them: number + 1 */
	const struct ompp_callnode *node; /* the latest one, and its region */
	uint32_t region, group;           /* the latest group + 1 */
	uint32_t written_group;           /* the same of what the kernel told */
	int expects_written;
	uint64_t n_lost;
	const char *method;
	int has_ended;
} sums;

/* ---- adding ---- */

static struct entry *entry_of(uint32_t i)
{
	return &sums.chunks[i / CHUNK][i % CHUNK];
}

static uintptr_t page_of(const struct entry *e)
{
	return (uintptr_t)e->number * ompp_page_bytes();
}

/* Returns memory that is ours as first touches and pages are counted; NULL without any. */
static void *page_sum_reserve(size_t n_bytes)
{
	void *p = ompp_space_reserve(n_bytes);

	if (p)
		ompp_touches_own(p, n_bytes);
	return p;
}

/* Returns the first slot that a page of a group may have.  Neighbours have neighbouring ones, which lie in the same
 * cache lines.  The next one is a step further, by NEIGHBOURS + 1 so that all are met. */
static size_t first_slot(uintptr_t page, uint32_t group)
{
	uint64_t number = page / ompp_page_bytes();
	uint64_t h = (number / NEIGHBOURS + (uint64_t)group * 0xC2B2AE3D27D4EB4Fu) * 0x9E3779B97F4A7C15u;

	return (size_t)(h >> 32) * NEIGHBOURS + number % NEIGHBOURS;
}

static uint32_t *slot_of(uint32_t *slots, uint32_t n_slots, uintptr_t page, uint32_t group)
{
	size_t at = first_slot(page, group);

	ompp_assert(n_slots && !(n_slots & (n_slots - 1)) && sums.n < n_slots);
	for (;; at += NEIGHBOURS + 1) {
		uint32_t *slot = &slots[at & (n_slots - 1)];

		if (!*slot || (page_of(entry_of(*slot - 1)) == page && entry_of(*slot - 1)->group == group))
			return slot;
	}
}

/* Gives the hash table room for one more.  Returns 0 or -1. */
static int make_room(void)
{
	uint32_t n = sums.n_slots ? sums.n_slots * 2 : FIRST_SLOTS, *slots;

	if (sums.n < sums.n_slots / 3 * 2)
		return 0;
	slots = n ? page_sum_reserve(sizeof(*slots) * n) : NULL;
	if (!slots)
		return -1;
	for (uint32_t i = 0; i < sums.n; i++)
		*slot_of(slots, n, page_of(entry_of(i)), entry_of(i)->group) = i + 1;
	if (sums.slots) /* its addresses stay ours */
		ompp_sys_madvise(sums.slots, sizeof(*slots) * sums.n_slots, MADV_DONTNEED);
	sums.slots = slots;
	sums.n_slots = n;
	ompp_assert(sums.n < n);
	return 0;
}

/* Returns the entry of a page, made if need be; NULL without memory. */
static struct entry *page_sum_find(uintptr_t page, uint32_t group)
{
	uint32_t *slot;

	if (make_room())
		return NULL;
	slot = slot_of(sums.slots, sums.n_slots, page, group);
	if (*slot)
		return entry_of(*slot - 1);
	if (sums.n / CHUNK == MOST_CHUNKS)
		return NULL;
	if (!sums.chunks[sums.n / CHUNK])
		sums.chunks[sums.n / CHUNK] = page_sum_reserve(sizeof(struct entry) * CHUNK);
	if (!sums.chunks[sums.n / CHUNK])
		return NULL;
	ompp_assert(!(page & (ompp_page_bytes() - 1)) && group < sums.n_groups);
	*entry_of(sums.n) = (struct entry){ .number = page / ompp_page_bytes(), .group = group };
	*slot = ++sums.n;
	return entry_of(*slot - 1);
}

/* Returns the id of the region that a node is of; 0 outside. */
static uint32_t region_of(const struct ompp_callnode *node)
{
	for (; node; node = node->parent) {
		uint32_t id = OMPP_KEY_ID(node->key);

		if (id && id != UINT32_MAX)
			return id;
	}
	return 0;
}

static int is_group(uint32_t i, uint32_t cover, uint32_t region, int is_told)
{
	const struct group *g = &sums.groups[i];

	return g->cover == cover && g->region == region && g->is_told == is_told;
}

/* Returns a group's number + 1, and makes it if need be; 0 without memory. */
static uint32_t find_group(uint32_t cover, uint32_t region, int is_told)
{
	uint32_t at = (uint32_t)(((uint64_t)cover << 32 | region) * 0x9E3779B97F4A7C15u >> 40), i;

	if (!sums.groups) {
		sums.groups = page_sum_reserve(sizeof(*sums.groups) * MOST_GROUPS);
		sums.group_slots = page_sum_reserve(sizeof(*sums.group_slots) * N_GROUP_SLOTS);
	}
	if (!sums.groups || !sums.group_slots)
		return 0;
	for (; (i = sums.group_slots[at % N_GROUP_SLOTS]); at++)
		if (is_group(i - 1, cover, region, is_told))
			return i;
	if (sums.n_groups == MOST_GROUPS)
		return 0;
	sums.groups[sums.n_groups] = (struct group){ .cover = cover, .region = region, .is_told = is_told };
	return sums.group_slots[at % N_GROUP_SLOTS] = ++sums.n_groups;
}

/* Returns 0, or -1 without memory. */
static int add_thread(struct group *g, uint32_t slot)
{
	uint64_t *words = g->threads;

	if (slot < WORD_BITS) {
		g->few_threads |= UINT64_C(1) << slot;
		return 0;
	}
	if (!words)
		words = g->threads = ompp_data_alloc(OMPP_MAX_THREADS / 8);
	if (!words)
		return -1;
	words[slot / WORD_BITS] |= UINT64_C(1) << slot % WORD_BITS;
	return 0;
}

/* An interval is a number, or where it ends with its region the nanosecond at which it began: those of one mark begin
 * 13 days apart, to the nanosecond. */
static void note_write(struct entry *e, uint64_t interval)
{
	uint64_t mark = interval % ((UINT64_C(1) << 50) - 1) + 1;

	ompp_assert(mark);
	e->is_rewritten |= e->written && e->written != mark;
	e->written = mark;
}

void ompp_page_sum_add(const struct ompp_thread *t, const struct ompp_page_use *use, uint64_t interval)
{
	struct entry *e;

	if (use->node != sums.node || !sums.node) {
		sums.node = use->node;
		sums.region = region_of(use->node);
	}
	if (!sums.group || !is_group(sums.group - 1, use->cover, sums.region, 0))
		sums.group = find_group(use->cover, sums.region, 0);
	e = sums.group && !add_thread(&sums.groups[sums.group - 1], t->slot) ? page_sum_find(use->page, sums.group - 1)
	                                                                     : NULL;
	if (!e) {
		sums.n_lost++;
		return;
	}
	e->loads += use->loads;
	e->stores += use->stores;
	e->parts |= use->parts;
	ompp_assert(e->group == sums.group - 1 && t->slot < OMPP_MAX_THREADS);
	if (!e->is_counted)
		e->thread = t->slot % OMPP_MAX_THREADS;
	e->is_shared |= e->thread != t->slot;
	e->is_counted = 1;
	if (use->stores)
		note_write(e, interval);
}

void ompp_page_sum_expect_written(void)
{
	sums.expects_written = 1;
}

void ompp_page_sum_written(uintptr_t page, uint32_t cover, const struct ompp_callnode *node, uint64_t interval)
{
	uint32_t region = node ? region_of(node) : (uint32_t)UNKNOWN;
	struct entry *e;

	if (!sums.written_group || !is_group(sums.written_group - 1, cover, region, 1))
		sums.written_group = find_group(cover, region, 1);
	e = sums.written_group ? page_sum_find(page, sums.written_group - 1) : NULL;
	if (e)
		note_write(e, interval);
	else
		sums.n_lost++;
}

void ompp_page_sum_end(const char *method)
{
	sums.method = method;
	sums.has_ended = 1;
}

int ompp_page_sum_any(void)
{
	return sums.has_ended && sums.n;
}

void ompp_page_sum_after_fork(void)
{
	uint32_t *slots = sums.slots;

	if (slots)
		ompp_sys_madvise(slots, sizeof(*slots) * sums.n_slots, MADV_DONTNEED);
	for (uint32_t i = 0; i < sums.n_groups; i++)
		sums.groups[i].few_threads = 0;
	for (uint32_t i = 0; i < sums.n_groups; i++)
		if (sums.groups[i].threads)
			memset(sums.groups[i].threads, 0, OMPP_MAX_THREADS / 8);
	sums.n = 0;
	sums.n_lost = 0;
	sums.node = NULL;
	sums.has_ended = 0;
}

/* ---- the report ---- */

/* What becomes one line of the report. */
struct line {
	struct ompp_paged out;
	uint64_t *threads; /* [words] */
};

struct report {
	struct ompp_merge *merge;
	const uint32_t *region_index;
	uint32_t *order; /* of the entries, by page */
	struct line *lines;
	size_t n, have, words;
	struct ompp_index index;
	size_t last;                          /* the line that was asked for last */
	struct ompp_hot_page *hot;            /* the pages with most accesses so far, in descending order */
	struct ompp_page_small_use *hot_uses; /* of each, those of what is the rest of a file's data */
	size_t n_hot;
	struct ompp_page_smalls smalls;
};

static int page_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct entry *a = entry_of(x), *b = entry_of(y);

	(void)context;
	return a->number != b->number ? a->number > b->number : x > y;
}

static int is_told(const struct entry *e)
{
	return sums.groups[e->group].is_told;
}

static int has_region(const struct entry *e)
{
	return sums.groups[e->group].region != (uint32_t)UNKNOWN;
}

/* Is it of the rest of a file's data? */
static int is_rest(const struct entry *e)
{
	return ompp_small_may_be(sums.groups[e->group].cover);
}

/* Returns the name of its first object. */
static const char *name_of(const struct entry *e)
{
	return ompp_object(ompp_cover(sums.groups[e->group].cover)->objects[0])->name;
}

static uint32_t region_at(const struct report *r, uint32_t id)
{
	return !id ? OMPP_NONE : r->region_index[id < r->merge->lost_id ? id : r->merge->lost_id];
}

static uint32_t line_hash(const void *context, uint32_t i)
{
	const struct ompp_paged *p = &((const struct line *)context)[i].out;

	return (uint32_t)((((uint64_t)p->object << 32 | p->region) + p->scope) * 0x9E3779B97F4A7C15u >> 32);
}

/* Returns the line of an object and a region, made if need be; NULL without memory. */
static struct line *line_of(struct report *r, uint32_t object, uint32_t region, uint32_t scope)
{
	const struct line wanted = { .out = { .object = object, .region = region, .scope = scope } };
	size_t at = line_hash(&wanted, 0);
	struct line *all;
	uint32_t i;

	if (r->last < r->n && !ompp_record_compare(OMPP_SECTION_PAGED, &r->lines[r->last].out, &wanted.out))
		return &r->lines[r->last];
	while ((i = ompp_index_next(&r->index, &at)) != OMPP_INDEX_FREE)
		if (!ompp_record_compare(OMPP_SECTION_PAGED, &r->lines[i].out, &wanted.out))
			return &r->lines[r->last = i];
	all = ompp_arena_grow(r->merge->arena, r->lines, &r->have, r->n + 1, sizeof(*all));
	if (!all)
		return NULL;
	r->lines = all;
	all[r->n] = wanted;
	all[r->n].threads = ompp_arena_alloc(r->merge->arena, r->words * sizeof(uint64_t));
	if (!all[r->n].threads || ompp_index_put(&r->index, r->merge->arena, (uint32_t)r->n, line_hash, all))
		return NULL;
	return &all[r->last = r->n++];
}

/* Returns 1 when the entry is of the object, or for OMPP_NONE always. */
static int has_object(const struct report *r, const struct entry *e, uint32_t object)
{
	const struct ompp_cover *cover = ompp_cover(sums.groups[e->group].cover);

	for (uint32_t k = 0; object != OMPP_NONE && k < cover->n_objects; k++)
		if (ompp_allocation_object(r->merge, cover->objects[k]) == object)
			return 1;
	return object == OMPP_NONE;
}

/* Adds an entry of the same page, as if both had been one. */
static void page_sum_join(struct entry *sum, const struct entry *e)
{
	ompp_assert(sum->number == e->number);
	sum->loads += e->loads;
	sum->stores += e->stores;
	sum->parts |= e->parts;
	sum->is_shared |= e->is_shared | (e->is_counted & sum->is_counted & (e->thread != sum->thread));
	sum->thread = sum->is_counted ? sum->thread : e->thread;
	sum->is_counted |= e->is_counted;
	sum->is_rewritten |= e->is_rewritten | (e->written && sum->written && e->written != sum->written);
	sum->written = sum->written ? sum->written : e->written;
}

/* In a page that the kernel told to be written, as far as it comes here, no hook saw a store. */
static void add_page(struct ompp_paged *p, const struct entry *e)
{
	p->n_pages++;
	p->n_uncounted += !e->is_counted;
	p->n_unhooked += e->written && !e->stores;
	p->n_private += e->is_counted && !e->is_shared;
	p->n_read_shared += e->is_shared && !e->stores;
	p->n_read_only += !e->written;
	p->n_written_once += e->written && !e->is_rewritten;
	p->n_parts += (uint64_t)__builtin_popcountll(e->parts);
	p->loads += e->loads;
	p->stores += e->stores;
}

/* Adds the entries from..to of one page, those that are of an object and in a region, to their line; but only when
 * number `at` is the first of them, so that they are added once.  Returns 0 or -ENOMEM.
 * scope: OMPP_PAGED_RUN for all regions */
static int add_to_line(struct report *r, size_t from, size_t to, size_t at, uint32_t object, uint32_t scope)
{
	const struct entry *first = entry_of(r->order[at]);
	uint32_t region = scope == OMPP_PAGED_RUN ? OMPP_NONE : region_at(r, sums.groups[first->group].region);
	struct entry sum = *first;
	struct line *line;

	for (size_t i = from; i < to; i++) {
		const struct entry *e = entry_of(r->order[i]);

		if (i == at ||
		    (scope != OMPP_PAGED_RUN &&
		     (!has_region(e) || region_at(r, sums.groups[e->group].region) != region)) ||
		    !has_object(r, e, object))
			continue;
		if (i < at)
			return 0;
		page_sum_join(&sum, e);
	}
	line = line_of(r, object, region, scope);
	if (!line)
		return -ENOMEM;
	add_page(&line->out, &sum);
	if (scope == OMPP_PAGED_RUN && object != OMPP_NONE && is_rest(first))
		ompp_page_smalls_add(&r->smalls, object,
		                     &(struct ompp_page_small_use){ name_of(first), page_of(&sum), sum.parts });
	return 0;
}

/* Keeps the page when it is one of those with most accesses. */
static void add_hot(struct report *r, size_t from, size_t to)
{
	const struct entry *most = entry_of(r->order[from]);
	struct ompp_hot_page page;
	uint64_t parts = is_rest(most) ? most->parts : 0;
	struct entry sum = *most;
	size_t i;

	for (i = from + 1; i < to; i++) {
		const struct entry *e = entry_of(r->order[i]);

		page_sum_join(&sum, e);
		parts |= is_rest(e) ? e->parts : 0;
		most = e->loads + e->stores > most->loads + most->stores ? e : most;
	}
	if (!sum.is_counted)
		return;
	page = (struct ompp_hot_page){
		.address = page_of(&sum),
		.object = ompp_allocation_object(r->merge, ompp_cover(sums.groups[most->group].cover)->objects[0]),
		.region = region_at(r, sums.groups[most->group].region),
		.is_shared = sum.is_shared,
		.n_parts = (uint32_t)__builtin_popcountll(sum.parts),
		.loads = sum.loads,
		.stores = sum.stores
	};
	if (r->n_hot == OMPP_HOT_PAGES &&
	    ompp_record_compare(OMPP_SECTION_HOT_PAGES, &r->hot[OMPP_HOT_PAGES - 1], &page) < 0)
		return;
	r->n_hot += r->n_hot < OMPP_HOT_PAGES;
	for (i = r->n_hot - 1; i > 0 && ompp_record_compare(OMPP_SECTION_HOT_PAGES, &r->hot[i - 1], &page) > 0; i--) {
		r->hot[i] = r->hot[i - 1];
		r->hot_uses[i] = r->hot_uses[i - 1];
	}
	r->hot[i] = page;
	ompp_assert(r->n_hot <= OMPP_HOT_PAGES);
	ompp_assert(!i || ompp_record_compare(OMPP_SECTION_HOT_PAGES, &r->hot[i - 1], &page) <= 0);
	r->hot_uses[i] = (struct ompp_page_small_use){ name_of(most), page.address, parts };
}

/* Returns 1 when an object of the cover stands in the profile for one before it, too. */
static int is_repeated(const struct report *r, const struct ompp_cover *cover, uint32_t k)
{
	uint32_t object = ompp_allocation_object(r->merge, cover->objects[k]);

	for (uint32_t i = 0; i < k; i++)
		if (ompp_allocation_object(r->merge, cover->objects[i]) == object)
			return 1;
	return 0;
}

static int add_lines(struct report *r, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const struct ompp_cover *cover = ompp_cover(sums.groups[entry_of(r->order[i])->group].cover);

		for (uint32_t k = 0; k < cover->n_objects; k++) {
			uint32_t object = ompp_allocation_object(r->merge, cover->objects[k]);

			if (is_repeated(r, cover, k))
				continue;
			if (add_to_line(r, from, to, i, object, OMPP_PAGED_RUN) ||
			    (has_region(entry_of(r->order[i])) &&
			     add_to_line(r, from, to, i, object, OMPP_PAGED_REGION)))
				return -ENOMEM;
		}
	}
	add_hot(r, from, to);
	return add_to_line(r, from, to, from, OMPP_NONE, OMPP_PAGED_RUN);
}

static void join_threads(uint64_t *threads, size_t words, const struct group *g)
{
	threads[0] |= g->few_threads;
	for (size_t i = 1; g->threads && i < words; i++)
		threads[i] |= g->threads[i];
}

/* Adds the threads of each group to its lines. */
static int add_threads(struct report *r)
{
	for (uint32_t i = 0; i < sums.n_groups; i++) {
		const struct group *g = &sums.groups[i];
		const struct ompp_cover *cover = ompp_cover(g->cover);
		uint32_t object, region = region_at(r, g->region);
		struct line *lines[2];

		if (!g->few_threads && !g->threads) /* of before a fork */
			continue;
		for (uint32_t k = 0; k <= cover->n_objects; k++) {
			object = k < cover->n_objects ? ompp_allocation_object(r->merge, cover->objects[k]) : OMPP_NONE;
			lines[0] = line_of(r, object, OMPP_NONE, OMPP_PAGED_RUN);
			if (!lines[0])
				return -ENOMEM;
			join_threads(lines[0]->threads, r->words, g);
			if (object == OMPP_NONE)
				continue;
			lines[1] = line_of(r, object, region, OMPP_PAGED_REGION);
			if (!lines[1])
				return -ENOMEM;
			join_threads(lines[1]->threads, r->words, g);
		}
	}
	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0; k < r->words; k++)
			r->lines[i].out.n_threads += (uint32_t)__builtin_popcountll(r->lines[i].threads[k]);
	return 0;
}

static int line_is_after(const void *lines, uint32_t x, uint32_t y)
{
	const struct line *l = lines;

	return ompp_record_compare(OMPP_SECTION_PAGED, &l[x].out, &l[y].out) > 0;
}

/* Puts the lines into the profile in their order. */
static int page_sum_finish(struct report *r, struct ompp_profile *p)
{
	struct ompp_paged *out = ompp_arena_alloc(r->merge->arena, (r->n + 1) * sizeof(*out));
	uint32_t *order = ompp_sorted(r->merge->arena, r->n, line_is_after, r->lines);

	if (!out || !order)
		return -ENOMEM;
	for (size_t i = 0; i < r->n; i++)
		if (r->lines[order[i]].out.n_pages)
			out[p->n_paged++] = r->lines[order[i]].out;
	p->paged = out;
	for (size_t i = 0; i < r->n_hot; i++) {
		r->hot[i].smalls = ompp_page_smalls_text(r->merge->arena, &r->hot_uses[i]);
		if (!r->hot[i].smalls)
			return -ENOMEM;
	}
	p->hot_pages = r->hot;
	p->n_hot_pages = r->n_hot;
	return ompp_page_smalls_put(&r->smalls, r->merge->arena, p);
}

/* Removes what the kernel told of pages to which hooks saw stores.  Returns how many entries are left.
 * order: by page */
static size_t leave_out_explained(uint32_t *order, size_t n)
{
	size_t n_left = 0, end;

	for (size_t i = 0; i < n; i = end) {
		int is_stored_to = 0;

		for (end = i; end < n && entry_of(order[end])->number == entry_of(order[i])->number; end++)
			is_stored_to |= entry_of(order[end])->stores != 0;
		for (size_t k = i; k < end; k++)
			if (!is_stored_to || !is_told(entry_of(order[k])))
				order[n_left++] = order[k];
	}
	return n_left;
}

int ompp_collect_pages(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *region_index)
{
	struct report r = { .merge = c, .region_index = region_index };
	size_t n_threads = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), n;

	p->pages_method = "";
	if (!sums.has_ended)
		return 0;
	p->pages_method = sums.method;
	p->pages_told = sums.expects_written;
	p->page_bytes = (int64_t)ompp_page_bytes();
	p->n_pages_lost = sums.n_lost + ompp_page_use_lost();
	r.words = n_threads / WORD_BITS + 1;
	r.order = ompp_sorted(c->arena, sums.n, page_is_after, NULL);
	r.hot = ompp_arena_alloc(c->arena, OMPP_HOT_PAGES * sizeof(*r.hot));
	r.hot_uses = ompp_arena_alloc(c->arena, OMPP_HOT_PAGES * sizeof(*r.hot_uses));
	if (!r.order || !r.hot || !r.hot_uses || ompp_page_smalls_start(&r.smalls, c->arena))
		return -ENOMEM;
	n = leave_out_explained(r.order, sums.n);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n; end++)
			if (entry_of(r.order[end])->number != entry_of(r.order[i])->number)
				break;
		if (add_lines(&r, i, end))
			return -ENOMEM;
	}
	if (sums.n && add_threads(&r))
		return -ENOMEM;
	return page_sum_finish(&r, p);
}
