/*
 * Spots: see spots.h.
 */
#include "runtime/data_sums/spots.h"

#include <errno.h>
#include <stdatomic.h>

#include "reports/profile/number.h"
#include "reports/profile/record.h"
#include "runtime/base/auxv.h"
#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sort.h"
#include "runtime/data/object.h"
#include "runtime/data_sums/allocations.h"
#include "runtime/data_sums/uses.h"
#include "runtime/memory/block_extent.h"
#include "runtime/memory/spread.h"

/* A spot before its place in a block is known. */
struct entry {
	struct ompp_spot spot; /* row is not final; block, page and n_pages are not known */
	uint32_t object;       /* as the runtime has it: of several sites that are one object in the profile, the one */
	uintptr_t address;
	uint32_t step_bits;
};

/* The extents of one of the runtime's objects, in the order of their addresses. */
struct extents {
	const struct ompp_extent_of **sorted;
	uint32_t n;
	uint32_t first_order; /* what to add to orders, as several such objects may be one in the profile */
};

struct ompp_merge_spots {
	struct entry *entries;
	size_t n, have;
	struct extents *of; /* by object of the runtime */
	uint32_t n_of;
};

int ompp_spots_start(struct ompp_merge *c)
{
	c->spots = ompp_arena_alloc(c->arena, sizeof(*c->spots));
	return c->spots ? 0 : -ENOMEM;
}

void ompp_merge_spot(struct ompp_merge *c, const struct ompp_spread_spot *s, uint32_t path, uint32_t row)
{
	struct ompp_merge_spots *m = c->spots;
	const struct ompp_cover *cover = ompp_cover(s->cover);

	for (uint32_t k = 0; k < cover->n_objects && !c->failed; k++) {
		struct entry *all = ompp_arena_grow(c->arena, m->entries, &m->have, m->n + 1, sizeof(*all));

		c->failed |= !all;
		if (!all)
			return;
		m->entries = all;
		all[m->n++] = (struct entry){ .spot = { .node = path,
			                                .row = row,
			                                .object = ompp_allocation_object(c, cover->objects[k]),
			                                .from = s->from,
			                                .slice = s->slice,
			                                .n = s->n,
			                                .estimate = (int64_t)s->estimate,
			                                .half = (int64_t)s->half },
			                      .object = cover->objects[k],
			                      .address = s->address,
			                      .step_bits = s->step_bits };
	}
}

/* ---- extents ---- */

static int extent_is_after(const void *sorted, uint32_t x, uint32_t y)
{
	const struct ompp_extent_of *const *all = sorted;

	return all[x]->lo != all[y]->lo ? all[x]->lo > all[y]->lo : x > y;
}

static int sort_extents(struct ompp_merge *c, const struct ompp_extents *of, struct extents *out)
{
	uint32_t n = of ? __atomic_load_n(&of->n, __ATOMIC_ACQUIRE) : 0, *order;
	const struct ompp_extent_of *all = of ? __atomic_load_n(&of->all, __ATOMIC_ACQUIRE) : NULL;
	const struct ompp_extent_of **pointers;

	if (!n)
		return 0;
	pointers = ompp_arena_alloc(c->arena, n * sizeof(*pointers));
	out->sorted = ompp_arena_alloc(c->arena, n * sizeof(*out->sorted));
	if (!pointers || !out->sorted)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		pointers[i] = &all[i];
	order = ompp_sorted(c->arena, n, extent_is_after, pointers);
	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		out->sorted[i] = pointers[order[i]];
	for (uint32_t i = 0; i < n; i++)
		ompp_assert(out->sorted[i]->lo < out->sorted[i]->hi);
	out->n = n;
	return 0;
}

/* Returns the extent that holds an address, or the first one that begins within so many bytes behind it; of several at
 * one place the last one.  NULL when there is none. */
static const struct ompp_extent_of *find_extent(const struct extents *e, uintptr_t address, uintptr_t n_bytes)
{
	uint32_t low = 0, high = e->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (e->sorted[middle]->lo <= address)
			low = middle + 1;
		else
			high = middle;
	}
	ompp_assert(!low || e->sorted[low - 1]->lo <= address);
	ompp_assert(low == e->n || e->sorted[low]->lo > address);
	if (low && address < e->sorted[low - 1]->hi)
		return e->sorted[low - 1];
	return low < e->n && e->sorted[low]->lo - address < n_bytes ? e->sorted[low] : NULL;
}

/* The whole pages of an extent: what policies of the kernel are set for. */
static uintptr_t first_page(const struct ompp_extent_of *x)
{
	uintptr_t page = ompp_page_bytes();

	return (x->lo + page - 1) & -page;
}

static uint64_t pages_of(const struct ompp_extent_of *x)
{
	uintptr_t page = ompp_page_bytes(), hi = x->hi & -page;

	return hi > first_page(x) ? (hi - first_page(x)) / page : 0;
}

static int is_reused(const struct extents *e, uint32_t i)
{
	return (i && e->sorted[i - 1]->hi > e->sorted[i]->lo) ||
	       (i + 1 < e->n && e->sorted[i + 1]->lo < e->sorted[i]->hi);
}

/* Several sites may be one object in the profile: the blocks of the next one are numbered behind those of the last. */
static int list_extents(struct ompp_merge *c, const struct ompp_profile *p)
{
	struct ompp_merge_spots *m = c->spots;
	uint32_t *next;

	m->n_of = atomic_load_explicit(&ompp_n_objects, memory_order_acquire);
	m->of = ompp_arena_alloc(c->arena, (m->n_of + (size_t)1) * sizeof(*m->of));
	next = ompp_arena_alloc(c->arena, (p->n_objects + 1) * sizeof(*next));
	if (!m->of || !next)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->n_of; i++) {
		uint32_t object = ompp_extents_of(i) ? ompp_allocation_object(c, i) : OMPP_NONE, last = 0;

		if (object < OMPP_OBJECT_FIRST_NAMED || object >= p->n_objects)
			continue;
		if (sort_extents(c, ompp_extents_of(i), &m->of[i]))
			return -ENOMEM;
		m->of[i].first_order = next[object];
		for (uint32_t k = 0; k < m->of[i].n; k++)
			last = m->of[i].sorted[k]->order >= last ? m->of[i].sorted[k]->order + 1 : last;
		next[object] += last;
	}
	return 0;
}

static int extent_comes_after(const void *extents, uint32_t x, uint32_t y)
{
	const struct ompp_extent *e = extents;
	int d = ompp_record_compare(OMPP_SECTION_EXTENTS, &e[x], &e[y]);

	return d ? d > 0 : x > y;
}

static int finish_extents(struct ompp_merge *c, struct ompp_profile *p)
{
	const struct ompp_merge_spots *m = c->spots;
	struct ompp_extent *all, *out;
	size_t n_all = 0, n = 0;
	uint32_t *order;

	for (uint32_t i = 0; i < m->n_of; i++)
		n_all += m->of[i].n;
	all = ompp_arena_alloc(c->arena, (n_all + 1) * sizeof(*all));
	out = ompp_arena_alloc(c->arena, (n_all + 1) * sizeof(*out));
	if (!all || !out)
		return -ENOMEM;
	n_all = 0;
	for (uint32_t i = 0; i < m->n_of; i++)
		for (uint32_t k = 0; k < m->of[i].n; k++) {
			const struct ompp_extent_of *x = m->of[i].sorted[k];

			all[n_all++] = (struct ompp_extent){ .object = ompp_allocation_object(c, i),
				                             .order = m->of[i].first_order + x->order,
				                             .row = x->thread ? ompp_uses_row(c, x->thread - 1)
				                                              : OMPP_NONE,
				                             .is_reused = (uint32_t)is_reused(&m->of[i], k),
				                             .n_pages = pages_of(x) };
		}
	order = ompp_sorted(c->arena, n_all, extent_comes_after, all);
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n_all; i++)
		if (n && !ompp_record_compare(OMPP_SECTION_EXTENTS, &out[n - 1], &all[order[i]]))
			ompp_record_add(OMPP_SECTION_EXTENTS, &out[n - 1], &all[order[i]]);
		else
			out[n++] = all[order[i]];
	p->extents = out;
	p->n_extents = n;
	return 0;
}

/* ---- spots ---- */

/* Finds the block of a spot, and its pages there: those of the step that are whole pages of the block; of a step that
 * has none the nearest one. */
static void find_pages(const struct ompp_merge_spots *m, struct entry *e)
{
	uintptr_t page = ompp_page_bytes(), step = (uintptr_t)1 << e->step_bits, lo = e->address, hi = lo + step;
	const struct ompp_extent_of *x = e->object < m->n_of ? find_extent(&m->of[e->object], lo, step) : NULL;
	uint64_t n_pages = x ? pages_of(x) : 0;

	e->spot.block = OMPP_NONE;
	if (!x)
		return;
	e->spot.block = m->of[e->object].first_order + x->order;
	e->spot.n_pages = n_pages ? 1 : 0;
	if (!n_pages)
		return;
	lo = lo > first_page(x) ? (lo - first_page(x)) / page : 0;
	hi = hi > first_page(x) ? (hi - first_page(x)) / page : 0;
	lo = lo < n_pages ? lo : n_pages - 1;
	hi = hi < n_pages ? hi : n_pages;
	ompp_assert(lo < n_pages && hi <= n_pages);
	e->spot.page = lo;
	e->spot.n_pages = hi > lo ? hi - lo : 1;
}

static int spot_is_after(const void *entries, uint32_t x, uint32_t y)
{
	const struct entry *e = entries;
	int d = ompp_record_compare(OMPP_SECTION_SPOTS, &e[x].spot, &e[y].spot);

	return d ? d > 0 : x > y;
}

int ompp_collect_spots(struct ompp_merge *c, struct ompp_profile *p)
{
	struct ompp_merge_spots *m = c->spots;
	struct ompp_spot *out = ompp_arena_alloc(c->arena, (m->n + 1) * sizeof(*out));
	uint32_t *order;
	size_t n = 0;

	if (!out || list_extents(c, p))
		return -ENOMEM;
	for (size_t i = 0; i < m->n; i++) {
		m->entries[i].spot.row = c->rows[m->entries[i].spot.row].final;
		find_pages(m, &m->entries[i]);
	}
	order = ompp_sorted(c->arena, m->n, spot_is_after, m->entries);
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < m->n; i++) {
		const struct ompp_spot *s = &m->entries[order[i]].spot;

		if (s->object >= p->n_objects)
			continue;
		if (n && !ompp_record_compare(OMPP_SECTION_SPOTS, &out[n - 1], s))
			ompp_record_add(OMPP_SECTION_SPOTS, &out[n - 1], s);
		else
			out[n++] = *s;
	}
	p->spots = out;
	p->n_spots = n;
	return finish_extents(c, p);
}
