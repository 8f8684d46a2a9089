/*
 * Pages sum: adds the uses of pages up.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/pages/pages.h"

enum { FIRST_PAGES = 1024, WORD_BITS = 64 };

uint64_t ompp_pages_interval(const struct ompp_flow_look *look, const struct ompp_flow_event *e)
{
	const struct ompp_flow_info *info = ompp_flow_info(look->flow);
	uint64_t ns = e->time_ns > info->start_ns ? e->time_ns - info->start_ns : 0;

	return info->interval_ns ? ns / info->interval_ns : ns;
}

int ompp_pages_has(const struct ompp_flow_look *look, enum ompp_flow_kind kind)
{
	struct ompp_flow_filter filter = ompp_flow_all();
	struct ompp_flow_event e;
	size_t at = 0;

	filter.kinds = 1u << kind;
	return ompp_flow_next(look->flow, &filter, &at, &e);
}

struct ompp_pages_worth ompp_pages_worth(const struct ompp_flow_look *look)
{
	uint64_t interval = ompp_flow_info(look->flow)->interval_ns;
	struct ompp_flow_filter filter = ompp_flow_all();
	struct ompp_pages_worth worth = { 0 };
	struct ompp_flow_event e;

	filter.kinds = 1u << OMPP_FLOW_USE | 1u << OMPP_FLOW_WRITTEN;
	for (size_t at = 0; ompp_flow_next(look->flow, &filter, &at, &e);) {
		uint64_t ns = e.until_ns - e.time_ns;

		worth.n++;
		if (ns > worth.longest_ns)
			worth.longest_ns = ns;
		if (interval && ns > interval + interval / 2)
			worth.n_long++;
		else if (ns > worth.short_ns)
			worth.short_ns = ns;
	}
	return worth;
}

int ompp_pages_next(const struct ompp_flow_look *look, size_t *at, struct ompp_flow_event *e)
{
	uint64_t page_bytes = ompp_flow_info(look->flow)->page_bytes, n;

	while (page_bytes && ompp_flow_look_next(look, at, e)) {
		if ((e->kind != OMPP_FLOW_USE && e->kind != OMPP_FLOW_WRITTEN) || !e->n_pages)
			continue;
		if (look->filter.least_address > e->address) {
			n = (look->filter.least_address - e->address) / page_bytes;
			e->address += n * page_bytes;
			e->physical += e->physical ? n * page_bytes : 0;
			e->n_pages -= n;
		}
		if (look->filter.most_address < UINT64_MAX &&
		    (look->filter.most_address - e->address) / page_bytes < e->n_pages)
			e->n_pages = (look->filter.most_address - e->address) / page_bytes + 1;
		return 1;
	}
	return 0;
}

/* ---- one page ---- */

static size_t slot_of(const struct ompp_pages *p, uint64_t address, uint64_t group)
{
	uint64_t h = ((address >> 12) + group * 0xC2B2AE3D27D4EB4Fu) * 0x9E3779B97F4A7C15u;
	size_t at = (size_t)(h ^ h >> 32) & (p->n_slots - 1);

	while (p->slots[at] && (p->all[p->slots[at] - 1].address != address || p->all[p->slots[at] - 1].group != group))
		at = (at + 1) & (p->n_slots - 1);
	return at;
}

void ompp_pages_index(struct ompp_pages *p)
{
	if (p->n_slots)
		memset(p->slots, 0, p->n_slots * sizeof(*p->slots));
	for (size_t i = 0; i < p->n; i++)
		p->slots[slot_of(p, p->all[i].address, p->all[i].group)] = (uint32_t)i + 1;
}

/* Gives the pages room for one more.  Returns 0 or -1. */
static int make_room(struct ompp_pages *p)
{
	size_t have = p->have ? 2 * p->have : FIRST_PAGES;
	struct ompp_pages_page *all;
	uint64_t *threads;

	if (p->n < p->have)
		return 0;
	all = realloc(p->all, have * sizeof(*all));
	p->all = all ? all : p->all;
	threads = all ? realloc(p->threads, have * 2 * p->n_words * sizeof(*threads)) : NULL;
	if (!threads)
		return -1;
	p->threads = threads;
	p->have = have;
	free(p->slots);
	p->n_slots = 4 * have;
	p->slots = calloc(p->n_slots, sizeof(*p->slots));
	if (p->slots)
		ompp_pages_index(p);
	return p->slots ? 0 : -1;
}

/* Returns the page of a group, made if need be; NULL without memory. */
static struct ompp_pages_page *page_of(struct ompp_pages *p, uint64_t address, uint64_t group)
{
	size_t at;

	if (make_room(p))
		return NULL;
	at = slot_of(p, address, group);
	if (!p->slots[at]) {
		p->all[p->n] = (struct ompp_pages_page){ .address = address,
			                                 .group = group,
			                                 .index = UINT64_MAX,
			                                 .written_index = UINT64_MAX,
			                                 .first_thread = OMPP_FLOW_NONE,
			                                 .home = OMPP_FLOW_NONE };
		memset(p->threads + p->n * 2 * p->n_words, 0, 2 * p->n_words * sizeof(*p->threads));
		p->slots[at] = (uint32_t)++p->n;
	}
	return &p->all[p->slots[at] - 1];
}

size_t ompp_pages_find(const struct ompp_pages *p, uint64_t address, uint64_t group)
{
	return p->n_slots ? (size_t)p->slots[slot_of(p, address, group)] - 1 : SIZE_MAX;
}

static uint64_t *set_of(const struct ompp_pages *p, size_t page, int writers)
{
	return p->threads + (2 * page + (size_t)writers) * p->n_words;
}

int ompp_pages_uses(const struct ompp_pages *p, size_t page, uint32_t thread)
{
	return set_of(p, page, 0)[thread / WORD_BITS] >> thread % WORD_BITS & 1;
}

int ompp_pages_writes(const struct ompp_pages *p, size_t page, uint32_t thread)
{
	return set_of(p, page, 1)[thread / WORD_BITS] >> thread % WORD_BITS & 1;
}

/* Adds a thread to a set.  Returns 1 when it is new there. */
static uint32_t add_thread(uint64_t *set, uint32_t thread)
{
	uint64_t bit = UINT64_C(1) << thread % WORD_BITS, was = set[thread / WORD_BITS] & bit;

	set[thread / WORD_BITS] |= bit;
	return !was;
}

static void pages_sum_add(struct ompp_pages *p, struct ompp_pages_page *page, const struct ompp_flow_event *e,
                          uint64_t index)
{
	size_t i = (size_t)(page - p->all);

	if (e->thread != OMPP_FLOW_NONE) {
		page->n_threads += add_thread(set_of(p, i, 0), e->thread);
		if (e->stores || e->kind == OMPP_FLOW_WRITTEN)
			page->n_writers += add_thread(set_of(p, i, 1), e->thread);
	}
	if (!page->last_ns) {
		page->first_ns = e->time_ns;
		page->first_thread = e->thread;
	}
	page->is_counted |= e->kind == OMPP_FLOW_USE;
	page->is_told |= e->kind == OMPP_FLOW_WRITTEN;
	page->loads += e->loads;
	page->stores += e->stores;
	page->parts |= e->parts;
	page->last_ns = e->until_ns > page->last_ns ? e->until_ns : page->last_ns;
	page->n_intervals += page->index != index;
	page->index = index;
	if (e->stores || e->kind == OMPP_FLOW_WRITTEN) {
		page->n_written += page->written_index != index;
		page->written_index = index;
	}
	page->n_moved += e->home != OMPP_FLOW_NONE && page->home != OMPP_FLOW_NONE && e->home != page->home;
	page->home = e->home != OMPP_FLOW_NONE ? e->home : page->home;
	page->page_bytes = e->page_bytes ? e->page_bytes : page->page_bytes;
}

/* ---- all events ---- */

/* stored: the pages to which hooks saw stores */
static int add_event(struct ompp_flow_look *look, enum ompp_pages_groups groups, struct ompp_pages *p,
                     const struct ompp_pages *stored, const struct ompp_flow_event *e)
{
	uint64_t page_bytes = ompp_flow_info(look->flow)->page_bytes, index = ompp_pages_interval(look, e);
	int has_objects = groups == OMPP_PAGES_BY_OBJECT || groups == OMPP_PAGES_BY_REGION;
	uint32_t n = has_objects && e->n_objects ? e->n_objects : 1;

	if (index >= p->n_intervals)
		p->n_intervals = index + 1;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t object = ompp_flow_nth_object(look->flow, e, k);
		uint64_t group = has_objects ? object : groups == OMPP_PAGES_BY_INTERVAL ? index : 0;

		if (look->objects && has_objects && (object == OMPP_FLOW_NONE || !look->objects[object]))
			continue;
		if (groups == OMPP_PAGES_BY_REGION)
			group |= (uint64_t)e->region << 32;
		for (uint64_t i = 0; i < e->n_pages; i++) {
			uint64_t address = e->address + i * page_bytes;
			struct ompp_pages_page *page;

			if (e->kind == OMPP_FLOW_WRITTEN && ompp_pages_find(stored, address, 0) != SIZE_MAX)
				continue;
			page = page_of(p, address, group);
			if (!page)
				return -1;
			if (!page->n_intervals) {
				page->object = object;
				page->region = e->region;
			}
			pages_sum_add(p, page, e, index);
		}
	}
	return 0;
}

/* Removes the pages that only one thread uses. */
static void keep_shared(struct ompp_pages *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->all[i].n_threads < 2)
			continue;
		p->all[n] = p->all[i];
		memmove(set_of(p, n, 0), set_of(p, i, 0), 2 * p->n_words * sizeof(*p->threads));
		n++;
	}
	p->n = n;
	ompp_pages_index(p);
}

/* If asked for, finds the pages to which hooks saw stores in the run: for these, the kernel may only report the same
 * stores.  Returns 0 or -1 without memory. */
static int find_stored(const struct ompp_flow_look *look, struct ompp_pages *stored)
{
	uint64_t page_bytes = ompp_flow_info(look->flow)->page_bytes;
	struct ompp_flow_filter filter = ompp_flow_all();
	struct ompp_flow_event e;

	filter.kinds = 1u << OMPP_FLOW_USE;
	filter.accesses = OMPP_MEM_STORES;
	stored->n_words = 1;
	for (size_t at = 0; ompp_flow_next(look->flow, &filter, &at, &e);)
		for (uint64_t i = 0; i < e.n_pages; i++)
			if (!page_of(stored, e.address + i * page_bytes, 0))
				return -1;
	return 0;
}

int ompp_pages_sum(struct ompp_flow_look *look, enum ompp_pages_groups groups, struct ompp_pages *p)
{
	struct ompp_pages stored = { 0 };
	struct ompp_flow_event e;
	int rc;

	memset(p, 0, sizeof(*p));
	p->n_words = ompp_flow_n_threads(look->flow) / WORD_BITS + 1;
	p->has_counts = ompp_pages_has(look, OMPP_FLOW_USE);
	p->has_told = ompp_pages_has(look, OMPP_FLOW_WRITTEN);
	rc = p->has_told && p->has_counts ? find_stored(look, &stored) : 0;
	for (size_t at = 0; !rc && ompp_pages_next(look, &at, &e);)
		if (e.kind == OMPP_FLOW_USE || e.thread != OMPP_FLOW_NONE || groups != OMPP_PAGES_BY_REGION)
			rc = add_event(look, groups, p, &stored, &e);
	ompp_pages_free(&stored);
	if (rc) {
		ompp_pages_free(p);
		ompp_complain("pages", "not enough memory");
		return -1;
	}
	if (look->only_shared)
		keep_shared(p);
	return 0;
}

void ompp_pages_free(struct ompp_pages *p)
{
	free(p->all);
	free(p->slots);
	free(p->threads);
	memset(p, 0, sizeof(*p));
}
