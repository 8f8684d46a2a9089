/*
 * Accesses: see accesses.h.
 */
#include "runtime/data_sums/accesses.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/access/access.h"
#include "runtime/access/access_count.h"
#include "runtime/access/access_model.h"
#include "runtime/access/emulated.h"
#include "runtime/base/arena.h"
#include "runtime/base/auxv.h"
#include "runtime/base/proc.h"
#include "runtime/base/sort.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/session.h"
#include "runtime/data/cache.h"
#include "runtime/data/site.h"
#include "runtime/data_sums/allocations.h"
#include "runtime/data_sums/page_sum.h"
#include "runtime/data_sums/parts.h"
#include "runtime/data_sums/sum_lines.h"
#include "runtime/data_sums/sum_pattern.h"
#include "runtime/data_sums/sum_relayout.h"
#include "runtime/data_sums/sum_reuse.h"
#include "runtime/data_sums/sum_samples.h"
#include "runtime/data_sums/sum_tracked.h"
#include "runtime/host/note.h"
#include "runtime/program/maps.h"
#include "runtime/ranges/range.h"
#include "runtime/sources/source.h"
#include "runtime/terms/option.h"

enum { MANY_ROWS = 4096, MAX_CONSTANTS = 256 };

static int64_t accesses_least(uint64_t v)
{
	return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

/* The mappings of the program's files that cannot be written. */
struct ompp_merge_constants {
	uint32_t n;
	struct ompp_mapping mapping[MAX_CONSTANTS];
};

static int add_constant(const struct ompp_mapping *mapping, void *context)
{
	struct ompp_merge_constants *constants = context;

	if (mapping->file && !mapping->writable && constants->n < MAX_CONSTANTS)
		constants->mapping[constants->n++] = *mapping;
	return 0;
}

int ompp_accesses_start(struct ompp_merge *c)
{
	static const char unknown[] =
		"Which objects are constants is not known, so reads of them that are not counted "
		"are not marked; mount /proc, or raise `ulimit -n` where no file descriptor is free";
	size_t k;

	c->constants = ompp_arena_alloc(c->arena, sizeof(*c->constants));
	if (!c->constants)
		return -ENOMEM;
	if (ompp_maps_each(add_constant, c->constants) < 0 && ompp_access_is_hooked())
		ompp_note_say_once(unknown, sizeof(unknown) - 1);
	for (k = 0; k < ompp_metrics.n_columns; k++)
		c->sums_accesses |= ompp_metrics.column[k].is_access;
	return 0;
}

/* Returns whether some reads of an object were not counted.  Compilers do not hook reads that name a const object
 * directly, so an object in memory of a program or library that cannot be written has been read more often than was
 * counted. */
static int is_hidden(const struct ompp_merge *c, uint32_t object)
{
	uintptr_t address = OMPP_LOAD(&ompp_object(object)->address);
	uint32_t i;

	if (ompp_emulated_is_on())
		return 0;
	for (i = 0; i < c->constants->n; i++)
		if (c->constants->mapping[i].lo <= address && address < c->constants->mapping[i].hi)
			return 1;
	return 0;
}

static uint32_t hash_of(uint32_t path, uint32_t row, uint32_t object)
{
	uint64_t h = ((uint64_t)path << 40 ^ (uint64_t)row << 24 ^ object) * 0x9E3779B97F4A7C15u;

	return (uint32_t)(h ^ h >> 31);
}

static uint32_t access_hash(const void *context, uint32_t i)
{
	const struct ompp_access *a = &((const struct ompp_merge *)context)->accesses[i];

	return hash_of(a->node, a->row, a->object);
}

static struct ompp_access *find_access(struct ompp_merge *c, uint32_t path, uint32_t row, uint32_t object)
{
	size_t at = hash_of(path, row, object);
	struct ompp_merge_extent *e;
	struct ompp_access *a;
	uint32_t i;

	while ((i = ompp_index_next(&c->access_index, &at)) != OMPP_INDEX_FREE) {
		a = &c->accesses[i];
		if (a->node == path && a->row == row && a->object == object)
			return a;
	}
	a = ompp_arena_grow(c->arena, c->accesses, &c->have_accesses, c->n_accesses + 1, sizeof(*a));
	if (!a)
		goto failed;
	c->accesses = a;
	e = ompp_arena_grow(c->arena, c->extents, &c->have_extents, c->n_accesses + 1, sizeof(*e));
	if (!e)
		goto failed;
	c->extents = e;
	a += c->n_accesses;
	memset(a, 0, sizeof(*a));
	memset(e + c->n_accesses, 0, sizeof(*e));
	a->node = path;
	a->row = row;
	a->object = object;
	if (ompp_index_put(&c->access_index, c->arena, (uint32_t)c->n_accesses, access_hash, c))
		goto failed;
	c->n_accesses++;
	return a;
failed:
	c->failed = 1;
	return NULL;
}

/* Adds the words of a tally's row to the fields of an access. */
static void add_row(struct ompp_access *a, const uint64_t *words)
{
	int64_t *v = a->values;
	unsigned int i;

	for (i = 0; i < OMPP_SIZES; i++) {
		uint64_t loads = OMPP_LOAD(&words[OMPP_SLOT_LOAD + i]), stores = OMPP_LOAD(&words[OMPP_SLOT_STORE + i]);

		v[OMPP_ACCESS_LOADS] += accesses_least(loads);
		v[OMPP_ACCESS_STORES] += accesses_least(stores);
		v[OMPP_ACCESS_LOAD_BYTES] += accesses_least(loads << i);
		v[OMPP_ACCESS_STORE_BYTES] += accesses_least(stores << i);
	}
	v[OMPP_ACCESS_LOADS] += accesses_least(OMPP_LOAD(&words[OMPP_SLOT_BLOCK_LOAD]));
	v[OMPP_ACCESS_LOAD_BYTES] += accesses_least(OMPP_LOAD(&words[OMPP_SLOT_BLOCK_LOAD_BYTES]));
	v[OMPP_ACCESS_STORES] += accesses_least(OMPP_LOAD(&words[OMPP_SLOT_BLOCK_STORE]));
	v[OMPP_ACCESS_STORE_BYTES] += accesses_least(OMPP_LOAD(&words[OMPP_SLOT_BLOCK_STORE_BYTES]));
	v[OMPP_ACCESS_ATOMICS] += accesses_least(OMPP_LOAD(&words[OMPP_SLOT_ATOMIC]));
	v[OMPP_ACCESS_ATOMIC_BYTES] += accesses_least(OMPP_LOAD(&words[OMPP_SLOT_ATOMIC_BYTES]));
	v[OMPP_ACCESS_ALL] = v[OMPP_ACCESS_LOADS] + v[OMPP_ACCESS_STORES] + v[OMPP_ACCESS_ATOMICS];
	for (i = 0; i < OMPP_CACHE_LEVELS && ompp_access_modelled; i++)
		v[OMPP_ACCESS_L1_MISSES + i] += accesses_least(OMPP_LOAD(&words[OMPP_SLOT_MISS + i]));
}

static int is_empty(const uint64_t *words)
{
	unsigned int i;

	for (i = 0; i < OMPP_N_SLOTS; i++)
		if (OMPP_LOAD(&words[i]))
			return 0;
	return 1;
}

/* Returns 0 when the page was never written, by /proc/self/pagemap, and -1 when that says nothing.  Only a few
 * parts of a large tally are written, and the pages that were not are passed over. */
static int64_t page_flags(int fd, const char *at)
{
	uint64_t flags = 0;
	int64_t page_bytes = (int64_t)ompp_page_bytes();

	if (ompp_sys_pread(fd, &flags, sizeof(flags), (off_t)((int64_t)(uintptr_t)at / page_bytes * 8)) !=
	    sizeof(flags))
		return -1;
	return (int64_t)(flags >> 62); /* the bits "present" and "in the swap" */
}

static void add_to(struct ompp_merge *c, const uint64_t *words, uint32_t path, uint32_t row, uint32_t object)
{
	struct ompp_access *a = find_access(c, path, row, object);

	if (!a)
		return;
	add_row(a, words);
	ompp_parts_add(&c->extents[a - c->accesses], words);
}

/* The walks of one tally through objects whose blocks may have rows of their own. */
struct walks {
	uint32_t region, row;
	struct ompp_pattern_walk *list;
	size_t n, have;
};

static int are_blocks_tracked(uint32_t object)
{
	const struct ompp_site *site = ompp_site(ompp_object(object)->site);

	return site && OMPP_LOAD(&site->tracked.n);
}

/* Adds a row to the walk through an object; when it is the only one, it is all of it. */
static void add_walk(struct ompp_merge *c, struct walks *w, const uint64_t *words, uint32_t object, int is_one_of_many)
{
	struct ompp_pattern_walk alone = { .object = object }, *list;
	size_t i = w->n; /* from the latest on, as blocks of an object stand together */

	if (!is_one_of_many) {
		ompp_pattern_row(&alone, words);
		ompp_pattern_tally(c, &alone, w->region, w->row);
		return;
	}
	while (i > 0 && w->list[i - 1].object != object)
		i--;
	if (!i) {
		list = ompp_arena_grow(c->arena, w->list, &w->have, w->n + 1, sizeof(*list));
		if (!list) {
			c->failed = 1;
			return;
		}
		w->list = list;
		list[w->n++] = alone;
		i = w->n;
	}
	ompp_pattern_row(&w->list[i - 1], words);
}

/* Adds a row of a tally once to each object of its cover, once to the sum of all data, and once to the sum of all
 * named data. */
static void merge_row(struct ompp_merge *c, const uint64_t *words, uint32_t path, uint32_t row,
                      const struct ompp_cover *cover, struct walks *walks)
{
	int is_named = 0;
	uint32_t k;

	ompp_merge_tracked_row(c, cover, words);
	ompp_sum_reuse_row(c, walks->region, words);
	for (k = 0; k < cover->n_objects; k++) {
		uint32_t object = ompp_allocation_object(c, cover->objects[k]);

		add_to(c, words, path, row, object);
		ompp_sum_reuse_object(c, walks->region, object, words);
		ompp_sum_relayout_object(c, walks->region, cover->objects[k], object, words);
		if (object >= OMPP_OBJECT_FIRST_NAMED && ompp_access_modelled)
			add_walk(c, walks, words, object, are_blocks_tracked(cover->objects[k]));
		is_named |= object >= OMPP_OBJECT_FIRST_NAMED && !is_hidden(c, object);
	}
	if (!c->sums_accesses)
		return;
	add_to(c, words, path, row, OMPP_ALL_DATA);
	if (is_named)
		add_to(c, words, path, row, OMPP_NAMED_DATA);
}

void ompp_merge_accesses(struct ompp_merge *c, const struct ompp_callnode *node, uint32_t path, uint32_t row)
{
	uint32_t n_covers = atomic_load_explicit(&ompp_n_covers, memory_order_acquire), i;
	const struct ompp_tally *y;
	struct walks walks = { .region = c->paths[path].region, .row = row };

	for (y = __atomic_load_n(&node->tallies, __ATOMIC_ACQUIRE); y; y = y->older) {
		int fd = y->n_rows > MANY_ROWS ? ompp_proc_open("pagemap", O_RDONLY | O_CLOEXEC) : -1, written = 1;
		uintptr_t page = 0;

		for (i = 0; i < y->n_rows && i < n_covers; i++) {
			const char *at = (const char *)y + sizeof(*y) + (size_t)i * ompp_row_bytes;
			const uint64_t *words = (const uint64_t *)(const void *)at;

			if (fd >= 0 && (uintptr_t)(at + ompp_row_bytes - 1) >> 12 != page) {
				page = (uintptr_t)(at + ompp_row_bytes - 1) >> 12;
				written = page_flags(fd, at) || page_flags(fd, at + ompp_row_bytes - 1);
			}
			if (written && !is_empty(words))
				merge_row(c, words, path, row, ompp_cover(i), &walks);
		}
		if (fd >= 0)
			ompp_sys_close(fd);
		for (size_t k = 0; k < walks.n; k++)
			ompp_pattern_tally(c, &walks.list[k], walks.region, row);
		walks.n = 0;
	}
}

static int access_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_access *accesses = context, *a = &accesses[x], *b = &accesses[y];

	if (a->node != b->node)
		return a->node > b->node;
	return a->row != b->row ? a->row > b->row : a->object > b->object;
}

static int64_t accesses_masked(int64_t value, int given)
{
	return given ? value : OMPP_MISSING;
}

/* Makes those numbers of an access missing that are not known.  The object is no sum over objects. */
static void accesses_mask(const struct ompp_profile *p, struct ompp_access *a)
{
	int k;

	for (k = 0; k < OMPP_N_ACCESS_FIELDS; k++) {
		int level = k - OMPP_ACCESS_L1_MISSES;

		if (!p->objects[a->object].measured || (level >= 0 && !ompp_access_geometry.level[level].bytes))
			a->values[k] = OMPP_MISSING;
	}
	if (p->hooked)
		return;
	/* with breakpoints, the words of loads hold all accesses */
	a->values[OMPP_ACCESS_ALL] = a->values[OMPP_ACCESS_LOADS];
	a->values[OMPP_ACCESS_LOADS] = a->values[OMPP_ACCESS_ATOMICS] = OMPP_MISSING;
	a->values[OMPP_ACCESS_STORES] = accesses_masked(a->values[OMPP_ACCESS_STORES],
	                                                ompp_breakpoint_measured(a->object) > 1);
	for (k = OMPP_ACCESS_LOAD_BYTES; k <= OMPP_ACCESS_ATOMIC_BYTES; k++)
		a->values[k] = OMPP_MISSING;
}

/* Writes the accesses to the profile in their order.  Sums over objects stay in the merge, for the counters. */
static int finish_accesses(struct ompp_merge *c, struct ompp_profile *p)
{
	struct ompp_access *out = ompp_arena_alloc(c->arena, (c->n_accesses + 1) * sizeof(*out));
	uint32_t *order = ompp_arena_alloc(c->arena, (c->n_accesses + 1) * sizeof(*order));
	size_t i, n = 0;

	if (!out || !order)
		return -ENOMEM;
	for (i = 0; i < c->n_accesses; i++) {
		c->accesses[i].row = c->rows[c->accesses[i].row].final;
		order[i] = (uint32_t)i;
	}
	ompp_sort(order, c->n_accesses, access_is_after, c->accesses);
	for (i = 0; i < c->n_accesses; i++) {
		if (c->accesses[order[i]].object >= OMPP_NAMED_DATA)
			continue;
		out[n] = c->accesses[order[i]];
		accesses_mask(p, &out[n++]);
	}
	p->accesses = out;
	p->n_accesses = n;
	return 0;
}

static int finish_levels(struct ompp_merge *c, struct ompp_profile *p)
{
	static const char *const names[] = { "L1", "L2", "L3" };
	struct ompp_cache_level *out = ompp_arena_alloc(c->arena, OMPP_CACHE_LEVELS * sizeof(*out));
	int i;

	if (!out)
		return -ENOMEM;
	for (i = 0; i < OMPP_CACHE_LEVELS; i++) {
		const struct ompp_cache_level_size *l = &ompp_access_geometry.level[i];

		if (l->bytes)
			out[p->n_cache_levels++] = (struct ompp_cache_level){ names[i], (int64_t)l->bytes,
				                                              (int64_t)l->ways, (int64_t)l->line_bytes,
				                                              i == 2 };
	}
	p->cache_levels = out;
	return 0;
}

/* Gives what is known of objects for which another one stands to that one. */
static void join_copies(const struct ompp_merge *c, struct ompp_object *objects, uint32_t n)
{
	for (uint32_t i = OMPP_OBJECT_FIRST_NAMED; i < n; i++) {
		uint32_t to = ompp_allocation_object(c, i);

		if (to == i || to >= n)
			continue;
		objects[to].n_ranges += objects[i].n_ranges;
		objects[to].is_live |= objects[i].is_live;
		objects[to].has_names |= objects[i].has_names;
		objects[i].n_ranges = 0;
		objects[i].is_live = 0;
		objects[i].address = objects[i].bytes = OMPP_MISSING;
	}
}

int ompp_collect_accesses(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *region_index)
{
	uint32_t n = atomic_load_explicit(&ompp_n_objects, memory_order_acquire), i;
	struct ompp_object *out;

	p->data_method = "";
	p->hooked = ompp_access_objects.source || ompp_access_objects.plain;
	p->sharing = p->hooked && ompp_session.options.number[OMPP_OPT_SHARING];
	if (!p->hooked && n <= OMPP_OBJECT_FIRST_NAMED && !ompp_samples_any(c) && !ompp_page_sum_any())
		return 0;
	p->data_method = !p->hooked                  ? (OMPP_LOAD(&ompp_breakpoints_on) ? "breakpoints" : "none")
	               : ompp_emulated_is_on()       ? "emulation"
	               : !ompp_access_objects.source ? "hooks"
	               : ompp_access_objects.plain   ? "hooks, partly source level"
	                                             : "hooks, source level";
	out = ompp_arena_alloc(c->arena, n * sizeof(*out));
	if (!out)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		const struct ompp_object_def *def = ompp_object(i);
		uint32_t n_ranges = OMPP_LOAD(&def->n_ranges);

		const char *allocated = ompp_allocation_name(c, def->site);

		out[i] = (struct ompp_object){
			.name = allocated ? allocated : def->name,
			.origin = def->origin,
			.address = accesses_masked((int64_t)OMPP_LOAD(&def->address), n_ranges > 0),
			.bytes = accesses_masked((int64_t)OMPP_LOAD(&def->n_bytes), n_ranges > 0),
			.n_ranges = n_ranges,
			.is_private = OMPP_LOAD(&def->last_owner) != 0,
			.is_live = OMPP_LOAD(&def->n_live) > 0,
			.measured = p->hooked ? !is_hidden(c, i) : ompp_breakpoint_measured(i) > 0,
			.has_names = OMPP_LOAD(&def->has_names)
		};
	}
	join_copies(c, out, n);
	out[OMPP_OBJECT_STACK].address = out[OMPP_OBJECT_STACK].bytes = OMPP_MISSING;
	p->objects = out;
	p->n_objects = n;
	if (finish_accesses(c, p) || finish_levels(c, p) || (p->hooked && ompp_collect_parts(c, p, out)))
		return -ENOMEM;
	if (p->sharing && ompp_collect_lines(c, p, region_index))
		return -ENOMEM;
	return c->failed ? -ENOMEM : ompp_collect_patterns(c, p, region_index);
}
