/*
 * Flow layouts: the best NUMA layout of each object, and the share of its accesses that would be far with each layout.
 *
 * The choice is that of a report and of ompp place (placing/placing.h).  A trace does not have the bounds of objects
 * that are not allocated, so their pages are those from the first to the last one accessed.  The executions of a region
 * are the times that a thread enters it.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/analysis/sample_stats.h"
#include "reports/command/arguments.h"
#include "reports/placing/placing.h"
#include "reports/report.h"
#include "reports/tables/layouts.h"
#include "reports/traces/flow_blocks.h"
#include "reports/traces/flow_command.h"
#include "runtime/base/geometric.h"
#include "runtime/terms/option.h"
#include "runtime/terms/served.h"

enum { SLICES = 64, PAGE_BYTES = 4096, LINE_BYTES = 64, NO_PLACE = UINT8_MAX };

/* A sampled access to one object. */
struct access {
	uint64_t page; /* page number in memory; later its index in the block */
	int64_t period;
	uint32_t object, block; /* block: number of a block of memory, else of the process; OMPP_FLOW_NONE: not known */
	uint32_t region;
	uint8_t slice, from, home; /* places, or NO_PLACE */
	uint8_t is_store, is_memory, is_half;
};

struct layouts {
	struct ompp_flow_look *look;
	struct ompp_flow_blocks blocks;
	struct access *all;
	size_t n, have;
	uint64_t first_ns, length_ns;
	uint32_t n_places, numbers[OMPP_FLOW_MOST_NODES]; /* NUMA nodes of the places */
	uint8_t place_of[OMPP_FLOW_MOST_NODES];
	uint64_t *executions; /* by region + 1 */
	uint32_t n_regions;
};

/* What is known of one object. */
struct object {
	uint32_t number;
	struct access *accesses;
	size_t n;
	struct ompp_placing in;
	struct ompp_sampled_sum near, far;
	int64_t share, error;
};

/* ---- the run ---- */

/* Finds the NUMA nodes that occur, and the time span of the accesses. */
static void find_places(struct layouts *l)
{
	struct ompp_flow_filter filter = ompp_flow_all();
	uint64_t nodes = 0, last_ns = 0;
	struct ompp_flow_event e;

	filter.kinds = 1u << OMPP_FLOW_ACCESS;
	for (size_t at = 0; ompp_flow_next(l->look->flow, &filter, &at, &e);) {
		nodes |= e.node < OMPP_FLOW_MOST_NODES ? UINT64_C(1) << e.node : 0;
		nodes |= e.home < OMPP_FLOW_MOST_NODES ? UINT64_C(1) << e.home : 0;
		l->first_ns = l->first_ns ? l->first_ns : e.time_ns;
		last_ns = e.time_ns > last_ns ? e.time_ns : last_ns;
	}
	l->length_ns = last_ns - l->first_ns + 1;
	for (uint32_t node = 0; node < OMPP_FLOW_MOST_NODES; node++) {
		int is_there = l->look->emulated ? node < l->look->emulated : (int)(nodes >> node & 1);

		l->place_of[node] = is_there ? (uint8_t)l->n_places : NO_PLACE;
		if (is_there)
			l->numbers[l->n_places++] = node;
	}
}

/* Counts for each region the most entries by any thread.  Returns 0, or -1 without memory. */
static int count_executions(struct layouts *l)
{
	struct ompp_flow_filter filter = ompp_flow_all();
	struct ompp_flow_map counts = { 0 };
	struct ompp_flow_event e;
	int rc = 0;

	l->n_regions = (uint32_t)ompp_flow_n_regions(l->look->flow);
	l->executions = calloc(l->n_regions + (size_t)1, sizeof(*l->executions));
	filter.kinds = 1u << OMPP_FLOW_CHANGE;
	for (size_t at = 0; l->executions && !rc && ompp_flow_next(l->look->flow, &filter, &at, &e);) {
		uint64_t *most = e.region < l->n_regions ? &l->executions[e.region + 1] : NULL;
		uint32_t *n = most ? ompp_flow_map_at(&counts, (uint64_t)e.region << 32 | e.thread) : NULL;

		rc = most && !n ? -1 : 0;
		if (n && *n < OMPP_PLACING_MOST_EXECUTIONS)
			++*n;
		if (n && *n > *most)
			*most = *n;
	}
	ompp_flow_map_free(&counts);
	return l->executions ? rc : -1;
}

static uint8_t place_of(const struct layouts *l, uint32_t node)
{
	return node < OMPP_FLOW_MOST_NODES ? l->place_of[node] : NO_PLACE;
}

static uint8_t slice_of(const struct layouts *l, uint64_t time_ns)
{
	uint64_t since = time_ns > l->first_ns ? time_ns - l->first_ns : 0;

	return (uint8_t)((unsigned __int128)since * SLICES / l->length_ns);
}

/* Objects without a name cannot be placed. */
static int is_named(const struct ompp_flow_object *o)
{
	return o && o->name[0] && strcmp(o->name, "(other)") != 0 && strcmp(o->name, "(stack)") != 0;
}

/* Adds an access for each of its objects that is meant.  Returns 0, or -1 without memory. */
static int flow_layouts_add(struct layouts *l, const struct ompp_flow_event *e)
{
	const struct ompp_flow *flow = l->look->flow;
	uint32_t process = ompp_flow_process_of(flow, e);
	const struct ompp_flow_block *block = ompp_flow_block_at(&l->blocks, process, e->address);

	for (uint32_t k = 0; k < e->n_objects; k++) {
		uint32_t object = ompp_flow_nth_object(flow, e, k);
		const struct ompp_flow_object *o = ompp_flow_object(flow, object);
		struct access *a;

		if (!is_named(o) || (l->look->objects && !l->look->objects[object]))
			continue;
		a = ompp_flow_grow(&l->all, &l->n, &l->have, sizeof(*a));
		if (!a)
			return -1;
		*a = (struct access){ .page = e->address / PAGE_BYTES,
			              .period = (int64_t)(e->period < INT64_MAX / 2 ? e->period : INT64_MAX / 2),
			              .object = object,
			              .block = process,
			              .region = e->region,
			              .slice = slice_of(l, e->time_ns),
			              .from = place_of(l, e->node),
			              .home = place_of(l, e->home),
			              .is_store = e->access == OMPP_MEM_STORES,
			              .is_memory = (uint8_t)ompp_may_be_of_memory(e->level),
			              .is_half = (uint8_t)(ompp_random_seed(e->number) >> 63) };
		if (o->site != OMPP_FLOW_NONE)
			a->block = block && l->blocks.same[block->site] == l->blocks.same[o->site] ? block->index
			                                                                           : OMPP_FLOW_NONE;
	}
	return 0;
}

static int flow_layouts_compare(const void *x, const void *y)
{
	const struct access *a = x, *b = y;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->block != b->block)
		return a->block < b->block ? -1 : 1;
	if (a->page != b->page)
		return a->page < b->page ? -1 : 1;
	if (a->region != b->region)
		return a->region < b->region ? -1 : 1;
	if (a->slice != b->slice)
		return a->slice < b->slice ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static int read_all(struct layouts *l)
{
	struct ompp_flow_event e;

	find_places(l);
	if (ompp_flow_blocks_start(l->look, &l->blocks) || count_executions(l))
		return -1;
	for (size_t at = 0; ompp_flow_look_next(l->look, &at, &e);)
		if (e.kind == OMPP_FLOW_ACCESS &&
		    (ompp_flow_blocks_go_on(l->look, &l->blocks, e.time_ns) || flow_layouts_add(l, &e)))
			return -1;
	if (ompp_flow_blocks_go_on(l->look, &l->blocks, UINT64_MAX))
		return -1;
	if (l->n)
		qsort(l->all, l->n, sizeof(*l->all), flow_layouts_compare);
	return 0;
}

/* ---- blocks ---- */

/* For objects that are not allocated: numbers the pages of accesses [from, end) from the first one on, as one of n
 * blocks. */
static struct ompp_placing_block range_of(struct object *o, size_t from, size_t end, size_t n)
{
	uint64_t first = o->accesses[from].page;

	for (size_t i = from; i < end; i++)
		o->accesses[i].page -= first;
	return (struct ompp_placing_block){ .order = o->in.n_blocks,
		                            .allocator = OMPP_NONE,
		                            .n_pages = ompp_placing_few_pages(o->accesses[end - 1].page + 1,
		                                                              (uint32_t)n) };
}

/* Makes a block for the memory of each process.  Returns 0, or -1 without memory. */
static int make_ranges(const struct layouts *l, struct object *o)
{
	struct ompp_placing_block *blocks = ompp_arena_alloc(l->look->arena, l->blocks.n_processes * sizeof(*blocks));

	if (!blocks)
		return -1;
	for (size_t i = 0, end; i < o->n; i = end) {
		uint32_t process = o->accesses[i].block;

		for (end = i; end < o->n && o->accesses[end].block == process; end++)
			;
		blocks[o->in.n_blocks] = range_of(o, i, end, l->blocks.n_processes);
		for (; i < end; i++)
			o->accesses[i].block = o->in.n_blocks;
		o->in.n_blocks++;
	}
	o->in.blocks = blocks;
	o->in.is_ordered = 1;
	return 0;
}

static uint64_t first_page(const struct ompp_flow_block *b)
{
	return (b->tree.key + PAGE_BYTES - 1) / PAGE_BYTES;
}

/* Returns the number of whole pages in a block, the only ones for which memory policies can be set. */
static uint64_t pages_of(const struct ompp_flow_block *b)
{
	uint64_t end = (b->tree.key + b->bytes) / PAGE_BYTES;

	return end > first_page(b) ? end - first_page(b) : 0;
}

static uint64_t page_of(const struct ompp_flow_block *b, uint64_t page)
{
	uint64_t n = pages_of(b), i = page > first_page(b) ? page - first_page(b) : 0;

	return n && i >= n ? n - 1 : i;
}

static int by_address(const void *x, const void *y)
{
	const struct ompp_flow_block *a = *(struct ompp_flow_block *const *)x, *b = *(struct ompp_flow_block *const *)y;

	return (a->tree.key > b->tree.key) - (a->tree.key < b->tree.key);
}

/* Is the order of the blocks the same in each run: are they allocated by one call and one thread, each in pages of its
 * own?  Sorts them. */
static int are_ordered(struct ompp_flow_block **blocks, uint32_t n)
{
	qsort(blocks, n, sizeof(*blocks), by_address);
	for (uint32_t i = 1; i < n; i++)
		if (blocks[i]->site != blocks[0]->site || blocks[i]->thread != blocks[0]->thread ||
		    blocks[i]->process != blocks[0]->process ||
		    blocks[i - 1]->tree.key + blocks[i - 1]->bytes > blocks[i]->tree.key)
			return 0;
	return 1;
}

/* Gives the accesses their blocks and pages; accesses without a known block are sorted to the end and left out. */
static void number_blocks(const struct layouts *l, struct object *o, struct ompp_flow_block *const *blocks)
{
	uint32_t at = 0;

	while (o->n && o->accesses[o->n - 1].block == OMPP_FLOW_NONE)
		o->n--;
	for (size_t i = 0; i < o->n; i++) {
		struct access *a = &o->accesses[i];

		while (blocks[at]->index < a->block)
			at++;
		a->page = page_of(l->blocks.list[a->block], a->page);
		a->block = at;
	}
}

/* Makes a placing block of each block that the object's call allocated.  Returns 0, or -1 without memory. */
static int make_blocks(const struct layouts *l, struct object *o, uint32_t site)
{
	struct ompp_arena *arena = l->look->arena;
	struct ompp_flow_block **mine = ompp_arena_alloc(arena, (l->blocks.n + 1) * sizeof(struct ompp_flow_block *));
	struct ompp_placing_block *blocks;
	uint32_t n = 0;

	for (size_t i = 0; mine && i < l->blocks.n; i++)
		if (l->blocks.same[l->blocks.list[i]->site] == l->blocks.same[site])
			mine[n++] = l->blocks.list[i];
	blocks = ompp_arena_alloc(arena, (n + (size_t)1) * sizeof(*blocks));
	if (!mine || !blocks)
		return -1;
	number_blocks(l, o, mine);
	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_flow_thread *t = ompp_flow_thread(l->look->flow, mine[i]->thread);
		uint8_t place = place_of(l, t ? t->node : OMPP_FLOW_NONE);

		blocks[i] = (struct ompp_placing_block){ .order = i,
			                                 .allocator = place == NO_PLACE ? OMPP_NONE : place,
			                                 .n_pages = ompp_placing_few_pages(pages_of(mine[i]), n) };
	}
	o->in.blocks = blocks;
	o->in.n_blocks = n;
	o->in.is_allocated = 1;
	o->in.is_ordered = are_ordered(mine, n);
	return 0;
}

/* ---- cells ---- */

static int is_same_cell(const struct ompp_placing_cell *c, const struct access *a)
{
	return c->block == a->block && c->page == a->page && c->region == a->region && c->slice == a->slice &&
	       c->from == a->from;
}

/* Makes the cells: sums of the accesses that memory may have answered.  Returns 0, or -1 without memory. */
static int make_cells(const struct layouts *l, struct object *o)
{
	struct ompp_placing_cell *cells = ompp_arena_alloc(l->look->arena, (o->n + 1) * sizeof(*cells)), *c = cells;

	if (!cells)
		return -1;
	for (size_t i = 0; i < o->n; i++) {
		const struct access *a = &o->accesses[i];

		if (!a->is_memory || a->from == NO_PLACE || !a->period)
			continue;
		if (c == cells || !is_same_cell(c - 1, a))
			*c++ = (struct ompp_placing_cell){ .block = a->block,
				                           .region = a->region,
				                           .slice = a->slice,
				                           .from = a->from,
				                           .page = a->page,
				                           .n_pages = o->in.blocks[a->block].n_pages != 0 };
		c[-1].n++;
		c[-1].all = ompp_add(c[-1].all, a->period);
		c[-1].half = ompp_add(c[-1].half, a->is_half ? a->period : 0);
	}
	o->in.cells = cells;
	o->in.n_cells = (size_t)(c - cells);
	ompp_placing_shrink(cells, o->in.n_cells);
	return 0;
}

/* ---- the current layout, and better ones ---- */

/* Sums up the accesses that are near and far now, as a report does. */
static void sum_up(struct object *o)
{
	struct ompp_sampled_sum known;

	for (size_t i = 0; i < o->n; i++) {
		const struct access *a = &o->accesses[i];
		struct ompp_sampled_sum one = { .n = 1,
			                        .estimate = a->period,
			                        .variance = ompp_sample_variance((uint64_t)a->period) };

		if (a->is_memory && a->from != NO_PLACE && a->home != NO_PLACE)
			ompp_sampled_add(a->from == a->home ? &o->near : &o->far, &one);
	}
	known = o->near;
	ompp_sampled_add(&known, &o->far);
	o->share = ompp_share(o->far.estimate, known.estimate);
	o->error = ompp_sample_stats_cost_error(o->far.estimate, (unsigned __int128)o->far.variance, known.estimate,
	                                        (unsigned __int128)known.variance);
}

/* Is it written in one region alone, and used in another one?  Returns 0 or 1, or -1 without memory. */
static int is_read_only(const struct layouts *l, const struct object *o)
{
	struct ompp_placing_writing writing = { 0 };
	int64_t *sums = calloc(2 * (l->n_regions + (size_t)1), sizeof(*sums));

	if (!sums)
		return -1;
	for (size_t i = 0; i < o->n; i++) {
		int64_t *sum = sums +
		               2 * (size_t)(o->accesses[i].region < l->n_regions ? o->accesses[i].region + 1 : 0);

		sum[0] = ompp_add(sum[0], o->accesses[i].period);
		sum[1] = ompp_add(sum[1], o->accesses[i].is_store ? o->accesses[i].period : 0);
	}
	for (uint32_t r = 0; r <= l->n_regions; r++)
		ompp_placing_note_region(&writing, sums[2 * (size_t)r], sums[2 * (size_t)r + 1]);
	free(sums);
	return ompp_placing_is_read_only(&writing);
}

/* Makes the choice, and adds the object's line when enough is far.  Returns 0, or -1 without memory. */
static int look_at(const struct layouts *l, struct object *o)
{
	const struct ompp_flow_object *of = ompp_flow_object(l->look->flow, o->number);
	struct ompp_choice choice;

	sum_up(o);
	if (!ompp_placing_is_far(o->near.n + o->far.n, o->share, o->error, ompp_setting(OMPP_OPT_FAR_MIN)))
		return 0;
	o->in.is_read_only = is_read_only(l, o);
	if (o->in.is_read_only < 0 || (of->site == OMPP_FLOW_NONE ? make_ranges(l, o) : make_blocks(l, o, of->site)) ||
	    make_cells(l, o) || ompp_placing_choose(&o->in, l->look->arena, &choice))
		return -1;
	ompp_table_text(&l->look->table, ompp_flow_object_name(l->look, o->number));
	ompp_layouts_values(&choice, o->share, o->error, l->numbers, l->look->look.is_text, &l->look->table);
	return 0;
}

static int look_at_all(const struct layouts *l)
{
	int rc = 0;

	for (size_t i = 0, end; i < l->n && !rc; i = end) {
		struct object o = { .number = l->all[i].object,
			            .accesses = l->all + i,
			            .in = { .n_places = l->n_places,
			                    .executions = l->executions,
			                    .n_regions = l->n_regions,
			                    .is_exact = ompp_flow_info(l->look->flow)->period == 1,
			                    .page_lines = PAGE_BYTES / LINE_BYTES } };

		for (end = i; end < l->n && l->all[end].object == o.number; end++)
			;
		o.n = end - i;
		rc = look_at(l, &o);
	}
	return rc;
}

int ompp_flow_layouts_view(struct ompp_flow_look *look)
{
	struct layouts l = { .look = look };
	int status = OMPP_EXIT_FAILED;

	ompp_flow_table(look, "layouts",
	                "Accesses that memory may answer, far now and by other layouts, of objects of which enough is "
	                "far\n(touch, copies, move: by the program):");
	ompp_flow_left(look, "object", OMPP_IN_BOTH);
	ompp_layouts_columns(look->look.is_text, &look->table);
	if (read_all(&l) || (l.n_places > 1 && look_at_all(&l)))
		ompp_complain("flow", "not enough memory");
	else
		status = ompp_flow_print(look);
	ompp_flow_blocks_drop(&l.blocks);
	free(l.executions);
	free(l.all);
	return status;
}
