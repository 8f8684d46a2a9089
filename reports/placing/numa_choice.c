/*
 * NUMA choice: see numa_choice.h.
 */
#include "reports/placing/numa_choice.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/bound.h"
#include "runtime/terms/served.h"

enum { PAGE_BYTES = 4096, LINE_BYTES = 64 };

struct builder {
	const struct ompp_places *places;
	const struct ompp_profile *profile;
	struct ompp_arena *arena;
	uint32_t object;
	struct ompp_placing_cell *cells;
	size_t n_cells;
	struct ompp_placing_block *blocks;
	uint32_t n_blocks;
	const struct ompp_extent *extents;
};

static uint32_t region_of(const struct ompp_profile *p, uint32_t node)
{
	return node ? p->nodes[node].region : OMPP_NONE;
}

/* Returns 1 when the object is written in one region alone, or outside of all, and mostly used in another one. */
static int numa_is_read_only(const struct ompp_places *places, const uint32_t *uses, uint32_t n)
{
	const struct ompp_profile *p = places->analysis->profile;
	struct ompp_placing_writing writing = { 0 };

	for (uint32_t i = 0, end; i < n; i = end) {
		uint32_t region = region_of(p, p->uses[uses[i]].node);
		int64_t all = 0, stores = 0;

		for (end = i; end < n && region_of(p, p->uses[uses[end]].node) == region; end++) {
			const struct ompp_use *use = &p->uses[uses[end]];

			all = ompp_add(all, use->sum.estimate);
			stores = ompp_add(stores, use->sum.kind == OMPP_MEM_STORES ? use->sum.estimate : 0);
		}
		ompp_placing_note_region(&writing, all, stores);
	}
	return ompp_placing_is_read_only(&writing);
}

/* ---- spots ---- */

/* Returns the place of most accesses of a thread. */
static uint32_t place_of_thread(const struct builder *b, uint32_t row)
{
	const struct ompp_profile *p = b->profile;
	int64_t most = 0;
	uint32_t best = OMPP_NONE;

	if (row == OMPP_NONE)
		return OMPP_NONE;
	if (b->places->kind != OMPP_PLACES_NODES)
		return ompp_place_from(b->places, &(struct ompp_use){ .row = row });
	/* threads are mostly bound to a node, so the first large use is enough */
	for (size_t i = 0; i < p->n_uses; i++)
		if (ompp_thread_row(p, p->uses[i].row) == ompp_thread_row(p, row) && p->uses[i].sum.estimate > most) {
			most = p->uses[i].sum.estimate;
			best = ompp_place_from(b->places, &p->uses[i]);
		}
	return best;
}

/* Makes a block of each extent. */
static int make_blocks(struct builder *b)
{
	const struct ompp_profile *p = b->profile;
	size_t first = OMPP_BOUND(p->extents, p->n_extents, object, b->object), end = first;
	uint32_t last_row = OMPP_NONE, last_place = OMPP_NONE;

	while (end < p->n_extents && p->extents[end].object == b->object)
		end++;
	b->extents = &p->extents[first];
	b->n_blocks = (uint32_t)(end - first);
	b->blocks = ompp_arena_alloc(b->arena, (b->n_blocks + (size_t)1) * sizeof(*b->blocks));
	if (!b->blocks)
		return -ENOMEM;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const struct ompp_extent *x = &b->extents[i];

		last_place = x->row == last_row ? last_place : place_of_thread(b, x->row);
		last_row = x->row;
		b->blocks[i] = (struct ompp_placing_block){ .order = x->order,
			                                    .allocator = last_place,
			                                    .n_pages = ompp_placing_few_pages(x->n_pages,
			                                                                      b->n_blocks) };
	}
	return 0;
}

static uint32_t block_of(const struct builder *b, uint32_t order)
{
	size_t i = OMPP_BOUND(b->blocks, b->n_blocks, order, order);

	return i < b->n_blocks && b->blocks[i].order == order ? (uint32_t)i : OMPP_NONE;
}

static void add_cell(struct builder *b, const struct ompp_placing_cell *cell)
{
	if (cell->from == OMPP_NONE || cell->all <= 0)
		return;
	b->cells[b->n_cells++] = *cell;
}

static int add_spots(struct builder *b)
{
	const struct ompp_profile *p = b->profile;
	size_t first = OMPP_BOUND(p->spots, p->n_spots, object, b->object), end = first;

	while (end < p->n_spots && p->spots[end].object == b->object)
		end++;
	b->cells = ompp_arena_alloc(b->arena, (end - first + 1) * sizeof(*b->cells));
	if (!b->cells)
		return -ENOMEM;
	for (size_t i = first; i < end; i++) {
		const struct ompp_spot *s = &p->spots[i];
		uint32_t block = block_of(b, s->block);

		if (block != OMPP_NONE)
			add_cell(b, &(struct ompp_placing_cell){
					    .block = block,
					    .region = region_of(p, s->node),
					    .slice = s->slice,
					    .from = ompp_place_from(b->places, &(struct ompp_use){ .row = s->row,
			                                                                           .from = s->from }),
					    .page = s->page,
					    .n_pages = s->n_pages,
					    .n = s->n,
					    .all = s->estimate,
					    .half = s->half });
	}
	return 0;
}

/* ---- without spots ---- */

static uint64_t pages_between(int64_t lo, int64_t hi)
{
	return ((uint64_t)hi - (uint64_t)lo) / PAGE_BYTES;
}

static int add_uses(struct builder *b, const uint32_t *uses, uint32_t n)
{
	const struct ompp_profile *p = b->profile;
	int64_t lo = INT64_MAX, hi = 0;

	b->blocks = ompp_arena_alloc(b->arena, sizeof(*b->blocks));
	b->cells = ompp_arena_alloc(b->arena, (n + (size_t)1) * sizeof(*b->cells));
	if (!b->blocks || !b->cells)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		lo = p->uses[uses[i]].lo < lo ? p->uses[uses[i]].lo : lo;
		hi = p->uses[uses[i]].hi > hi ? p->uses[uses[i]].hi : hi;
	}
	lo = lo / PAGE_BYTES * PAGE_BYTES;
	b->n_blocks = 1;
	b->blocks[0] = (struct ompp_placing_block){ .allocator = OMPP_NONE,
		                                    .n_pages = ompp_placing_few_pages(pages_between(lo, hi) + 1, 1) };
	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_use *u = &p->uses[uses[i]];

		if (ompp_may_be_of_memory(u->sum.level))
			add_cell(b, &(struct ompp_placing_cell){ .region = region_of(p, u->node),
			                                         .from = ompp_place_from(b->places, u),
			                                         .page = pages_between(lo, u->lo),
			                                         .n_pages = pages_between(u->lo, u->hi) + 1,
			                                         .n = u->sum.n,
			                                         .all = u->sum.estimate,
			                                         .half = u->sum.estimate / 2 });
	}
	return 0;
}

/* ---- the choice ---- */

/* Are all blocks of the object allocated by one call and one thread, and do they have places of their own? */
static int is_ordered(const struct builder *b)
{
	const struct ompp_profile *p = b->profile;

	for (uint32_t i = 0; b->extents && i < b->n_blocks; i++)
		if (b->extents[i].is_reused)
			return 0;
	if (p->objects[b->object].origin != OMPP_ORIGIN_HEAP)
		return 1;
	for (size_t i = 0; i < p->n_allocations; i++)
		if (p->allocations[i].object == b->object)
			return !p->allocations[i].several_threads && !strchr(p->allocations[i].calls, ' ');
	return 0;
}

static uint64_t *executions_of(const struct builder *b)
{
	const struct ompp_profile *p = b->profile;
	uint64_t *n = ompp_arena_alloc(b->arena, (p->n_regions + 1) * sizeof(*n));

	for (size_t i = 0; n && i < p->n_nodes; i++) {
		uint64_t most = 0;
		uint32_t region = region_of(p, (uint32_t)i);

		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++)
			if (p->cells[p->nodes[i].first_cell + k].n_exec > most)
				most = p->cells[p->nodes[i].first_cell + k].n_exec;
		if (region != OMPP_NONE)
			n[region + 1] += most < OMPP_PLACING_MOST_EXECUTIONS ? most : OMPP_PLACING_MOST_EXECUTIONS;
	}
	for (size_t i = 0; n && i <= p->n_regions; i++)
		n[i] = n[i] < OMPP_PLACING_MOST_EXECUTIONS ? n[i] : OMPP_PLACING_MOST_EXECUTIONS;
	return n;
}

int ompp_numa_choose(const struct ompp_places *places, uint32_t object, const uint32_t *uses, uint32_t n,
                     struct ompp_choice *choice)
{
	const struct ompp_analysis *a = places->analysis;
	const struct ompp_profile *p = a->profile;
	struct builder b = { .places = places, .profile = p, .arena = a->arena, .object = object };
	struct ompp_placing in = { .n_places = places->n,
		                   .n_regions = (uint32_t)p->n_regions,
		                   .is_exact = p->sample_period == 1,
		                   .is_allocated = p->objects[object].origin == OMPP_ORIGIN_HEAP,
		                   .is_read_only = numa_is_read_only(places, uses, n),
		                   .page_lines = PAGE_BYTES / LINE_BYTES };

	if (p->n_spots ? make_blocks(&b) || add_spots(&b) : add_uses(&b, uses, n))
		return -ENOMEM;
	ompp_placing_shrink(b.cells, b.n_cells);
	in.executions = executions_of(&b);
	if (!in.executions)
		return -ENOMEM;
	in.cells = b.cells;
	in.n_cells = b.n_cells;
	in.blocks = b.blocks;
	in.n_blocks = b.n_blocks;
	in.is_ordered = is_ordered(&b);
	return ompp_placing_choose(&in, a->arena, choice);
}
