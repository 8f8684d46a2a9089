/*
 * Parts: see parts.h.
 */
#include "runtime/data_sums/parts.h"

#include <errno.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sort.h"

/* Two lines at the edge of a part are no evidence: one that lies in two parts, and one beside it, whose first or last
 * element a neighbour reads.  Nothing is said of parts that are not much larger. */
enum { EDGE_BYTES = 2 * OMPP_EXTENT_BYTES, LEAST_TIMES_EDGE = 4 };

static void parts_join(uint64_t *lo, uint64_t *hi, uint64_t other_lo, uint64_t other_hi)
{
	if (!other_hi)
		return;
	*lo = !*hi || other_lo < *lo ? other_lo : *lo;
	*hi = other_hi > *hi ? other_hi : *hi;
}

void ompp_parts_add(struct ompp_merge_extent *extent, const uint64_t *words)
{
	static const int slots[] = { OMPP_SLOT_LOAD_EXTENT, OMPP_SLOT_STORE_EXTENT };

	for (int i = 0; i < 2; i++) {
		uint64_t lo = OMPP_LOAD(&words[slots[i]]), n_bytes = OMPP_LOAD(&words[slots[i] + 1]);

		parts_join(&extent->lo[i], &extent->hi[i], lo, n_bytes ? lo + n_bytes : 0);
	}
}

static int is_in_parallel(const struct ompp_merge *c, uint32_t path)
{
	for (; path && path != OMPP_NONE; path = c->paths[path].parent)
		if (ompp_construct_is_parallel(c->paths[path].construct))
			return 1;
	return 0;
}

/* The part of one object that one thread accesses. */
struct part {
	uint32_t object, thread;
	uint64_t lo[3], hi[3]; /* by loads [0], stores [1], and both [2] */
};

struct order {
	const struct part *parts;
	int which;
};

static int is_of_later(const void *context, uint32_t x, uint32_t y)
{
	const struct part *parts = context;

	return parts[x].object != parts[y].object ? parts[x].object > parts[y].object
	                                          : parts[x].thread > parts[y].thread;
}

static int begins_later(const void *context, uint32_t x, uint32_t y)
{
	const struct order *o = context;

	return o->parts[x].lo[o->which] > o->parts[y].lo[o->which];
}

static int is_edge(uint64_t overlap, uint64_t n_bytes)
{
	return overlap <= EDGE_BYTES && overlap * LEAST_TIMES_EDGE <= n_bytes;
}

/* Returns whether the parts lie beside each other without overlap.  *n_with becomes the number of parts that have such
 * accesses.
 * which: 0 for what they load, 1 for what they store, 2 for both */
static int are_apart(const struct part *parts, uint32_t *some, size_t n, int which, size_t *n_with)
{
	struct order order = { parts, which };
	const struct part *last = NULL;
	int apart = 1;

	*n_with = 0;
	ompp_sort(some, n, begins_later, &order);
	for (size_t i = 0; i < n; i++) {
		const struct part *p = &parts[some[i]];

		if (!p->hi[which])
			continue;
		ompp_assert(p->lo[which] < p->hi[which] && (!last || last->lo[which] <= p->lo[which]));
		++*n_with;
		if (last && last->hi[which] > p->lo[which]) {
			uint64_t hi = last->hi[which] < p->hi[which] ? last->hi[which] : p->hi[which];

			apart = apart && is_edge(hi - p->lo[which], p->hi[which] - p->lo[which]) &&
			        is_edge(hi - p->lo[which], last->hi[which] - last->lo[which]);
		}
		last = last && last->hi[which] > p->hi[which] ? last : p;
	}
	return apart;
}

static enum ompp_parts parts_judge(const struct part *parts, uint32_t *some, size_t n)
{
	size_t n_with;

	if (n < 2)
		return OMPP_PARTS_ONE;
	if (are_apart(parts, some, n, 2, &n_with))
		return OMPP_PARTS_OWN;
	return are_apart(parts, some, n, 1, &n_with) && n_with > 1 ? OMPP_PARTS_WRITTEN : OMPP_PARTS_OVERLAP;
}

/* Lists the parts in parallel regions, one for each access record.  Returns how many there are. */
static size_t list_parts(const struct ompp_merge *c, const struct ompp_profile *p, struct part *parts)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_accesses; i++) {
		const struct ompp_access *a = &c->accesses[i];
		const struct ompp_merge_extent *e = &c->extents[i];

		if (a->object < OMPP_OBJECT_FIRST_NAMED || a->object >= p->n_objects || !is_in_parallel(c, a->node))
			continue;
		parts[n] = (struct part){ .object = a->object,
			                  .thread = ompp_thread_row(p, a->row),
			                  .lo = { e->lo[0], e->lo[1] },
			                  .hi = { e->hi[0], e->hi[1] } };
		parts_join(&parts[n].lo[2], &parts[n].hi[2], e->lo[0], e->hi[0]);
		parts_join(&parts[n].lo[2], &parts[n].hi[2], e->lo[1], e->hi[1]);
		n += parts[n].hi[2] != 0;
	}
	return n;
}

/* Sorts the parts, and joins those of each thread and object to one.  Returns how many are left. */
static size_t join_parts(struct part *parts, uint32_t *order, size_t n)
{
	size_t n_left = 0;

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	ompp_sort(order, n, is_of_later, parts);
	for (size_t i = 0; i < n; i++) {
		struct part *last = n_left ? &parts[order[n_left - 1]] : NULL, *part = &parts[order[i]];

		if (last && last->object == part->object && last->thread == part->thread)
			for (int k = 0; k < 3; k++)
				parts_join(&last->lo[k], &last->hi[k], part->lo[k], part->hi[k]);
		else
			order[n_left++] = order[i];
	}
	return n_left;
}

int ompp_collect_parts(struct ompp_merge *c, const struct ompp_profile *p, struct ompp_object *objects)
{
	struct part *parts = ompp_arena_alloc(c->arena, (c->n_accesses + 1) * sizeof(*parts));
	uint32_t *order = ompp_arena_alloc(c->arena, (c->n_accesses + 1) * sizeof(*order));
	size_t n, i, end;

	if (!parts || !order)
		return -ENOMEM;
	for (i = OMPP_OBJECT_FIRST_NAMED; i < p->n_objects; i++)
		objects[i].parts = OMPP_PARTS_ONE;
	n = join_parts(parts, order, list_parts(c, p, parts));
	for (i = 0; i < n; i = end) {
		uint32_t object = parts[order[i]].object;

		for (end = i + 1; end < n && parts[order[end]].object == object; end++)
			;
		ompp_assert(end > i && object < p->n_objects);
		objects[object].parts = parts_judge(parts, order + i, end - i);
	}
	return 0;
}
