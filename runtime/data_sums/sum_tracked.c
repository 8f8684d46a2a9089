/*
 * Tracked: see sum_tracked.h.
 */
#include "runtime/data_sums/sum_tracked.h"

#include <errno.h>
#include <string.h>

#include "runtime/access/access_model.h"
#include "runtime/base/sort.h"
#include "runtime/core/session.h"
#include "runtime/data/site.h"
#include "runtime/data/tracked.h"
#include "runtime/data_sums/allocations.h"
#include "runtime/memory/sample.h"

enum { BY_ACCESSES, BY_SAMPLES, BY_SIZE, N_RANKINGS };

/* How many instances of an object stand out by each number, of those that are not among the smallest. */
static const uint32_t most_of[N_RANKINGS] = { 32, 16, 8 };

/* A block as it was when the report began, and what was found of it. */
struct found {
	struct ompp_tracked of;
	uint64_t fields[OMPP_TRACKED_FIELDS];
	uint64_t n_samples;
	int64_t estimate, variance;
	int64_t known, known_variance, memory, memory_variance; /* as in an ompp_instance */
	uint32_t path, row;                                     /* OMPP_NONE when not known; the row is not final */
	uint32_t object; /* that it is an instance of; OMPP_NONE when it is none any more */
	uint32_t is_chosen;
};

struct ompp_merge_tracked {
	struct found *all; /* [index - 1] */
	uint32_t n;
};

/* Copies a block that nobody writes meanwhile.  Returns 0 when somebody does, and for a place without a block. */
static int tracked_copy(struct ompp_tracked *to, const struct ompp_tracked *from)
{
	uint32_t generation = __atomic_load_n(&from->generation, __ATOMIC_ACQUIRE);

	to->site = OMPP_LOAD(&from->site);
	to->n_parts = OMPP_LOAD(&from->n_parts);
	to->thread = OMPP_LOAD(&from->thread);
	to->node = OMPP_LOAD(&from->node);
	to->is_partial = OMPP_LOAD(&from->is_partial);
	to->is_free = OMPP_LOAD(&from->is_free);
	to->order = OMPP_LOAD(&from->order);
	to->address = OMPP_LOAD(&from->address);
	to->n_bytes = OMPP_LOAD(&from->n_bytes);
	to->begun_ticks = OMPP_LOAD(&from->begun_ticks);
	to->ended_ticks = OMPP_LOAD(&from->ended_ticks);
	for (int i = 0; i < OMPP_TRACKED_FIELDS; i++)
		to->base[i] = OMPP_LOAD(&from->base[i]);
	ompp_fence_acquire();
	to->generation = OMPP_LOAD(&from->generation);
	return to->generation == generation && !(generation & 1) && !to->is_free;
}

int ompp_tracked_collect_start(struct ompp_merge *c)
{
	struct ompp_merge_tracked *m = c->tracked = ompp_arena_alloc(c->arena, sizeof(*m));

	if (!m)
		return -ENOMEM;
	m->n = ompp_n_tracked();
	m->all = ompp_arena_alloc(c->arena, (m->n + (size_t)1) * sizeof(*m->all));
	if (!m->all)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->n; i++) {
		struct found *f = &m->all[i];
		const struct ompp_object_def *object;

		*f = (struct found){ .path = OMPP_NONE, .row = OMPP_NONE, .object = OMPP_NONE };
		if (!tracked_copy(&f->of, ompp_tracked(i + 1)))
			continue;
		object = __atomic_load_n(&ompp_site(f->of.site)->object, __ATOMIC_ACQUIRE);
		f->object = object ? ompp_allocation_object(c, object->index) : OMPP_NONE;
	}
	return 0;
}

static struct found *found_of(const struct ompp_merge *c, const struct ompp_cover *cover)
{
	struct ompp_merge_tracked *m = c->tracked;

	return cover->tracked && cover->tracked <= m->n ? &m->all[cover->tracked - 1] : NULL;
}

void ompp_merge_tracked_row(struct ompp_merge *c, const struct ompp_cover *cover, const uint64_t *words)
{
	struct found *f = found_of(c, cover);

	if (f)
		ompp_tracked_add(f->fields, words);
}

/* Adds to a sum that stays at its most. */
static void tracked_add(int64_t *to, uint64_t n)
{
	if (n > INT64_MAX || __builtin_add_overflow(*to, (int64_t)n, to))
		*to = INT64_MAX;
}

static void add_samples(struct found *f, const struct ompp_sample_tracked *s)
{
	f->n_samples += s->n;
	tracked_add(&f->estimate, s->estimate);
	tracked_add(&f->variance, s->variance);
	tracked_add(&f->known, s->known);
	tracked_add(&f->known_variance, s->known_variance);
	tracked_add(&f->memory, s->memory);
	tracked_add(&f->memory_variance, s->memory_variance);
}

void ompp_merge_tracked(struct ompp_merge *c, const struct ompp_thread *t, const uint32_t *path, const uint32_t *row,
                        uint32_t n_nodes)
{
	for (uint32_t i = 0; i < c->tracked->n; i++) {
		struct found *f = &c->tracked->all[i];
		struct ompp_sample_tracked s = ompp_sample_of_tracked(t, i + 1, f->of.generation);

		add_samples(f, &s);
		if (f->of.thread != t->slot + 1 || f->of.node >= n_nodes || path[f->of.node] == OMPP_NONE)
			continue;
		f->path = path[f->of.node];
		f->row = row[f->of.node];
	}
}

/* ---- those that stand out ---- */

static uint64_t accesses_of(const struct found *f)
{
	return f->fields[OMPP_ACCESS_LOADS] + f->fields[OMPP_ACCESS_STORES] + f->fields[OMPP_ACCESS_ATOMICS];
}

static uint64_t number_of(const struct found *f, int ranking)
{
	return ranking == BY_ACCESSES ? accesses_of(f) : ranking == BY_SAMPLES ? f->n_samples : f->of.n_bytes;
}

static int is_before(const struct found *a, const struct found *b)
{
	return a->of.begun_ticks != b->of.begun_ticks ? a->of.begun_ticks < b->of.begun_ticks
	                                              : a->of.order < b->of.order;
}

struct sorting {
	const struct found *all;
	int ranking;
};

static int stands_behind(const void *context, uint32_t x, uint32_t y)
{
	const struct sorting *s = context;
	const struct found *a = &s->all[x], *b = &s->all[y];
	uint64_t n = number_of(a, s->ranking), k = number_of(b, s->ranking);

	return n != k ? n < k : is_before(b, a);
}

static int comes_later(const void *context, uint32_t x, uint32_t y)
{
	const struct found *a = (const struct found *)context + x, *b = (const struct found *)context + y;

	return a->object != b->object ? a->object > b->object : is_before(b, a);
}

/* Chooses among the n blocks of one object, in the order of their allocation. */
static void tracked_choose(struct found *all, const uint32_t *order, uint32_t *scratch, size_t n)
{
	for (int ranking = 0; ranking < N_RANKINGS; ranking++) {
		struct sorting s = { all, ranking };
		uint64_t least;

		memcpy(scratch, order, n * sizeof(*scratch));
		ompp_sort(scratch, n, stands_behind, &s);
		least = ranking == BY_SIZE ? number_of(&all[scratch[n - 1]], ranking) : 0;
		for (size_t i = 0; i < n && i < most_of[ranking]; i++)
			all[scratch[i]].is_chosen |= number_of(&all[scratch[i]], ranking) > least;
	}
}

/* Where the source does not tell several sites apart, the numbers of each are none of the object: these follow from the
 * times when all blocks are known.  0 is a number that is not known. */
static void tracked_number(const struct ompp_merge *c, const uint32_t *order, size_t n, uint64_t n_blocks)
{
	struct found *all = c->tracked->all;

	for (size_t i = 0; i < n && ompp_allocation_is_joined(c, all[order[0]].of.site); i++)
		all[order[i]].of.order = n == n_blocks ? i + 1 : 0;
}

/* ---- the profile ---- */

static int64_t count_of(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static int64_t time_of(uint64_t ticks, struct ompp_clock_rate rate)
{
	return ticks > ompp_session.start.ticks ? ompp_clock_ns(rate, (int64_t)(ticks - ompp_session.start.ticks)) : 0;
}

static struct ompp_instance instance_of(const struct ompp_merge *c, const struct found *f, const struct ompp_profile *p,
                                        const uint32_t *region_index, struct ompp_clock_rate rate)
{
	struct ompp_instance out = { .object = f->object,
		                     .row = OMPP_NONE,
		                     .region = OMPP_NONE,
		                     .order = f->of.order ? count_of(f->of.order) : OMPP_MISSING,
		                     .bytes = count_of(f->of.n_bytes),
		                     .address = (int64_t)f->of.address,
		                     .begun_ns = time_of(f->of.begun_ticks, rate),
		                     .ended_ns = f->of.ended_ticks ? time_of(f->of.ended_ticks, rate) : OMPP_MISSING,
		                     .is_live = f->of.n_parts != 0,
		                     .is_partial = f->of.is_partial != 0,
		                     .n_samples = f->n_samples,
		                     .estimate = f->estimate,
		                     .variance = f->variance,
		                     .known = f->known,
		                     .known_variance = f->known_variance,
		                     .memory = f->memory,
		                     .memory_variance = f->memory_variance,
		                     .has_misses = p->n_cache_levels > 0 };
	int64_t *values[] = { &out.loads,      &out.stores,      &out.atomics,
		              &out.load_bytes, &out.store_bytes, &out.atomic_bytes };

	for (int i = 0; i < OMPP_ACCESS_LEVELS; i++)
		out.misses[i] = p->hooked && ompp_access_geometry.level[i].bytes
		                      ? count_of(f->fields[OMPP_TRACKED_MISSES + i])
		                      : OMPP_MISSING;
	for (int i = 0; i < OMPP_TRACKED_MISSES; i++)
		*values[i] = p->hooked ? count_of(f->fields[i]) : OMPP_MISSING;
	if (f->row != OMPP_NONE || f->of.thread == OMPP_SITE_MAIN)
		out.row = f->row != OMPP_NONE ? c->rows[f->row].final : 0;
	if (f->path != OMPP_NONE && c->paths[f->path].region)
		out.region = region_index[c->paths[f->path].region];
	return out;
}

static uint64_t n_blocks_of(const struct ompp_profile *p, uint32_t object)
{
	for (size_t i = 0; i < p->n_allocations; i++)
		if (p->allocations[i].object == object)
			return p->allocations[i].n_blocks;
	return 0;
}

/* Takes what blocks counted that had the places before, and leaves out those whose places were used again meanwhile.
 * Returns how many are left, in the order of their objects and allocations. */
static size_t take_known(struct ompp_merge_tracked *m, const struct ompp_profile *p, uint32_t *order)
{
	size_t n = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		struct found *f = &m->all[i];

		if (f->object >= p->n_objects || OMPP_LOAD(&ompp_tracked(i + 1)->generation) != f->of.generation)
			continue;
		for (int k = 0; k < OMPP_TRACKED_FIELDS; k++)
			f->fields[k] -= f->of.base[k];
		order[n++] = i;
	}
	ompp_sort(order, n, comes_later, m->all);
	return n;
}

int ompp_collect_tracked(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *region_index,
                         struct ompp_clock_rate rate)
{
	struct ompp_merge_tracked *m = c->tracked;
	uint32_t *order = ompp_arena_alloc(c->arena, 2 * (m->n + (size_t)1) * sizeof(*order));
	struct ompp_instance *out = ompp_arena_alloc(c->arena, (m->n + (size_t)1) * sizeof(*out));
	size_t n, end;

	if (!order || !out)
		return -ENOMEM;
	n = take_known(m, p, order);
	p->instances = out;
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && m->all[order[end]].object == m->all[order[i]].object; end++)
			;
		tracked_number(c, order + i, end - i, n_blocks_of(p, m->all[order[i]].object));
		tracked_choose(m->all, order + i, order + m->n + 1, end - i);
		for (size_t k = i; k < end; k++)
			if (m->all[order[k]].is_chosen)
				out[p->n_instances++] = instance_of(c, &m->all[order[k]], p, region_index, rate);
	}
	return 0;
}
