/*
 * Sum, reuse: see sum_reuse.h.
 */
#include "runtime/data_sums/sum_reuse.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/record.h"
#include "runtime/access/access_reuse.h"
#include "runtime/base/sort.h"
#include "runtime/data/cache.h"
#include "runtime/data/object.h"

enum { LINE_BYTES = 1 << OMPP_REUSE_LINE_BITS };

/* What was summed up of an object in a region; object is OMPP_NONE for all data. */
struct ompp_merge_reuse {
	uint32_t region, object;
	uint64_t n_accesses;
	uint64_t slots[OMPP_REUSE_HALVES * OMPP_REUSE_BUCKETS];
};

static uint32_t reuse_hash(const void *context, uint32_t i)
{
	const struct ompp_merge_reuse *r = &((const struct ompp_merge *)context)->reuses[i];

	return ompp_index_pair(r->region, r->object);
}

static struct ompp_merge_reuse *reuse_find(struct ompp_merge *c, uint32_t region, uint32_t object)
{
	size_t at = ompp_index_pair(region, object);
	struct ompp_merge_reuse *list;
	uint32_t i;

	while ((i = ompp_index_next(&c->reuse_index, &at)) != OMPP_INDEX_FREE)
		if (c->reuses[i].region == region && c->reuses[i].object == object)
			return &c->reuses[i];
	list = ompp_arena_grow(c->arena, c->reuses, &c->have_reuses, c->n_reuses + 1, sizeof(*list));
	if (!list)
		return NULL;
	c->reuses = list;
	memset(&list[c->n_reuses], 0, sizeof(*list));
	list[c->n_reuses].region = region;
	list[c->n_reuses].object = object;
	if (ompp_index_put(&c->reuse_index, c->arena, (uint32_t)c->n_reuses, reuse_hash, c))
		return NULL;
	return &list[c->n_reuses++];
}

/* Returns the accesses of a row; a copy is one for each line that it needs. */
static uint64_t accesses_of(const uint64_t *words)
{
	uint64_t n = OMPP_LOAD(&words[OMPP_SLOT_ATOMIC]);

	for (unsigned int i = 0; i < OMPP_SIZES; i++)
		n += OMPP_LOAD(&words[OMPP_SLOT_LOAD + i]) + OMPP_LOAD(&words[OMPP_SLOT_STORE + i]);
	for (unsigned int slot = OMPP_SLOT_BLOCK_LOAD; slot <= OMPP_SLOT_BLOCK_STORE;
	     slot += OMPP_SLOT_BLOCK_STORE - OMPP_SLOT_BLOCK_LOAD) {
		uint64_t n_blocks = OMPP_LOAD(&words[slot]), n_lines = OMPP_LOAD(&words[slot + 1]) / LINE_BYTES;

		n += n_blocks > n_lines ? n_blocks : n_lines;
	}
	return n;
}

void ompp_sum_reuse_object(struct ompp_merge *c, uint32_t region, uint32_t object, const uint64_t *words)
{
	struct ompp_merge_reuse *r;

	if (!ompp_access_reused)
		return;
	r = reuse_find(c, region, object);
	if (!r) {
		c->failed = 1;
		return;
	}
	r->n_accesses += accesses_of(words);
	for (unsigned int i = 0; i < OMPP_REUSE_HALVES * OMPP_REUSE_BUCKETS; i++)
		r->slots[i] += OMPP_LOAD(&words[OMPP_SLOT_REUSE + i]);
}

void ompp_sum_reuse_row(struct ompp_merge *c, uint32_t region, const uint64_t *words)
{
	ompp_sum_reuse_object(c, region, OMPP_NONE, words);
}

static int is_after(const void *all, uint32_t x, uint32_t y)
{
	const struct ompp_distance *distances = all;

	return ompp_record_compare(OMPP_SECTION_DISTANCES, &distances[x], &distances[y]) > 0;
}

/* Returns a number of a sample that says there were n_found of n. */
static uint64_t scaled(uint64_t part, uint64_t n, uint64_t n_found)
{
	return n_found > n ? (uint64_t)((unsigned __int128)part * n / n_found) : part;
}

/* Fills in the distances of one sum, which are no more than its accesses, as these were counted.  Returns their
 * number. */
static size_t reuse_put(const struct ompp_merge_reuse *r, const uint32_t *region_index, struct ompp_distance *out)
{
	const struct ompp_distance like = { .region = r->region ? region_index[r->region] : OMPP_NONE,
		                            .object = r->object };
	uint64_t rest = r->n_accesses, n_found = 0;
	size_t n = 1;

	for (unsigned int i = 0; i < OMPP_REUSE_HALVES * OMPP_REUSE_BUCKETS; i++)
		n_found += r->slots[i];
	for (unsigned int b = 0; b < OMPP_REUSE_BUCKETS; b++) {
		uint64_t first = scaled(r->slots[b], r->n_accesses, n_found);
		uint64_t all = first + scaled(r->slots[OMPP_REUSE_BUCKETS + b], r->n_accesses, n_found);

		if (!all)
			continue;
		out[n] = like;
		out[n].from_bytes = b == OMPP_REUSE_COLD ? OMPP_MISSING : (int64_t)ompp_reuse_least(b) * LINE_BYTES;
		out[n].to_bytes = b < OMPP_REUSE_FAR ? (int64_t)ompp_reuse_least(b + 1) * LINE_BYTES : OMPP_MISSING;
		out[n].n = all;
		out[n++].half = first;
		rest -= all < rest ? all : rest;
	}
	out[0] = like;
	out[0].to_bytes = (int64_t)OMPP_REUSE_LEAST * LINE_BYTES;
	out[0].n = rest;
	out[0].half = rest / 2;
	return n;
}

static void put_machine(struct ompp_profile *p)
{
	struct ompp_cache_geometry machine;
	char why[256];

	if (ompp_cache_geometry("1", &machine, why, sizeof(why)))
		return;
	p->reuse_l1_bytes = machine.level[0].bytes;
	p->reuse_l2_bytes = machine.level[1].bytes;
	p->reuse_l3_bytes = machine.level[2].bytes;
}

int ompp_collect_reuse(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *region_index)
{
	struct ompp_distance *all, *out;
	uint32_t *order;
	size_t n = 0;

	p->reuse = ompp_access_reused;
	if (!c->n_reuses)
		return 0;
	put_machine(p);
	all = ompp_arena_alloc(c->arena, c->n_reuses * (OMPP_REUSE_BUCKETS + 1) * sizeof(*all));
	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_reuses; i++)
		n += reuse_put(&c->reuses[i], region_index, &all[n]);
	order = ompp_sorted(c->arena, n, is_after, all);
	out = ompp_arena_alloc(c->arena, n * sizeof(*out));
	if (!order || !out)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		out[i] = all[order[i]];
	p->distances = out;
	p->n_distances = n;
	return 0;
}
