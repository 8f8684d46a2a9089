/*
 * Order: sorts the events of a trace by time, and derives what depends on the order.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "reports/flow/flow.h"
#include "runtime/base/check.h"

/* Events of a thread are written in the order of their times, except accesses and first touches, which are written
 * later, and messages, which are written before the change to the call of MPI that they belong to.  So each class is
 * sorted by itself, and the classes are merged. */
enum { N_CLASSES = 4 };

/* ---- sorting ---- */

struct sorting {
	const struct ompp_flow *flow;
	size_t n_steps;
};

static int order_compare(const void *a, const void *b, void *context)
{
	struct sorting *s = context;
	const struct ompp_flow_record *records = s->flow->records;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t t = records[x].time_ns, u = records[y].time_ns;

	ompp_flow_walked(s->flow, ++s->n_steps);
	return t != u ? (t > u) - (t < u) : (x > y) - (x < y);
}

static size_t class_of(const struct ompp_flow_record *r)
{
	size_t here = r->kind == OMPP_FLOW_ACCESS                               ? 0
	            : r->kind == OMPP_FLOW_TOUCH                                ? 1
	            : r->kind == OMPP_FLOW_SEND || r->kind == OMPP_FLOW_RECEIVE ? 2
	                                                                        : 3;

	return (size_t)r->thread * N_CLASSES + here;
}

/* Sorts the records of a class unless they are sorted already. */
static void sort_class(const struct ompp_flow *flow, uint32_t *from, size_t n)
{
	struct sorting s = { flow, 0 };

	for (size_t i = 1; i < n; i++) {
		ompp_flow_walked(flow, i);
		if (flow->records[from[i]].time_ns < flow->records[from[i - 1]].time_ns) {
			qsort_r(from, n, sizeof(*from), order_compare, &s);
			return;
		}
	}
}

/* The next record of a class that is not taken yet. */
struct head {
	uint64_t time_ns;
	uint32_t record;
	const uint32_t *next, *end;
};

static int is_before(const struct head *a, const struct head *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->record < b->record;
}

/* Sifts a head down in the heap. */
static void order_sink(struct head *heap, size_t n, size_t at)
{
	struct head moved = heap[at];

	for (size_t below; (below = 2 * at + 1) < n; at = below) {
		below += below + 1 < n && is_before(&heap[below + 1], &heap[below]);
		if (!is_before(&heap[below], &moved))
			break;
		heap[at] = heap[below];
	}
	heap[at] = moved;
}

static void merge_classes(const struct ompp_flow *flow, struct head *heap, size_t n_heads)
{
	uint32_t *to = flow->order;

	for (size_t i = n_heads / 2; i-- > 0;)
		order_sink(heap, n_heads, i);
	while (n_heads) {
		*to++ = heap->record;
		ompp_flow_walked(flow, (size_t)(to - flow->order));
		if (heap->next < heap->end) {
			heap->record = *heap->next++;
			heap->time_ns = flow->records[heap->record].time_ns;
		} else {
			*heap = heap[--n_heads];
		}
		order_sink(heap, n_heads, 0);
	}
	ompp_assert((size_t)(to - flow->order) == flow->n_records);
}

int ompp_flow_sort(struct ompp_flow *flow)
{
	size_t n = flow->n_records, n_classes = (flow->n_threads + 1) * N_CLASSES, n_heads = 0, sum = 0;
	struct ompp_flow_room room = { 0 };
	uint32_t *by_class;
	size_t *ends = calloc(n_classes, sizeof(*ends));
	struct head *heap = malloc(n_classes * sizeof(*heap));
	int rc = -1;

	if (ompp_flow_room_grow(&room, (n + 1) * sizeof(*by_class)) ||
	    ompp_flow_room_grow(&flow->order_room, (n + 1) * sizeof(*flow->order)) || !ends || !heap)
		goto out;
	flow->order = flow->order_room.at;
	by_class = room.at;
	for (size_t i = 0; i < n; i++) {
		ends[class_of(&flow->records[i])]++;
		ompp_flow_walked(flow, i);
	}
	for (size_t c = 0; c < n_classes; c++) {
		size_t here = ends[c];

		ends[c] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++) {
		by_class[ends[class_of(&flow->records[i])]++] = (uint32_t)i;
		ompp_flow_walked(flow, i);
	}
	ompp_flow_room_rest(&room);
	for (size_t c = 0, from = 0; c < n_classes; from = ends[c++]) {
		if (from == ends[c])
			continue;
		sort_class(flow, by_class + from, ends[c] - from);
		heap[n_heads++] = (struct head){ flow->records[by_class[from]].time_ns, by_class[from],
			                         by_class + from + 1, by_class + ends[c] };
	}
	merge_classes(flow, heap, n_heads);
	rc = 0;
out:
	ompp_flow_room_free(&room);
	free(ends);
	free(heap);
	return rc;
}

/* ---- migrations ---- */

static int is_access(const struct ompp_flow_record *r)
{
	return r->kind == OMPP_FLOW_ACCESS || r->kind == OMPP_FLOW_TOUCH;
}

int ompp_flow_add_migrations(struct ompp_flow *flow)
{
	uint32_t *last = calloc(flow->n_threads + 1, sizeof(*last)); /* index + 1 of the event before, by thread + 1 */
	size_t n = flow->n_records;

	if (!last)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct ompp_flow_record *r = &flow->records[flow->order[i]], *before;
		uint32_t tid, tid_before;
		struct ompp_flow_record *m, from;

		ompp_flow_walked(flow, i);
		if (!is_access(r) || !r->thread || !r->cpu || !r->time_ns)
			continue;
		before = last[r->thread] ? &flow->records[last[r->thread] - 1] : NULL;
		last[r->thread] = flow->order[i] + 1;
		if (!before || before->cpu == r->cpu)
			continue;
		tid = r->extra ? flow->extras[r->extra - 1].tid : 0;
		tid_before = before->extra ? flow->extras[before->extra - 1].tid : 0;
		if (tid && tid_before && tid != tid_before)
			continue; /* the number was reused by another thread */
		from = *before;
		m = ompp_flow_more(&flow->records, &flow->n_records, &flow->records_room, 1, sizeof(*m));
		if (!m) {
			free(last);
			return -1;
		}
		r = &flow->records[flow->order[i]]; /* the table may have moved */
		*m = *r;
		m->kind = OMPP_FLOW_MIGRATION;
		m->of.from.cpu = from.cpu;
		m->of.from.node = from.node;
		m->set = m->level = m->home = 0;
		m->address = m->physical = 0;
	}
	free(last);
	return flow->n_records > n ? ompp_flow_sort(flow) : 0;
}

/* ---- who allocated ---- */

/* A live block of memory.  The blocks are in a treap: a search tree by start address, in which the weight of a node is
 * above those of its children. */
struct live {
	uint64_t lo, hi;
	uint32_t left, right, weight; /* indices + 1 */
	uint16_t thread;              /* + */
};

struct tree {
	struct live *blocks;
	size_t n, have;
	uint32_t root, free, seed;
};

static uint32_t order_merge(struct tree *t, uint32_t a, uint32_t b)
{
	uint32_t top = 0, *at = &top;

	while (a && b) {
		if (t->blocks[a - 1].weight > t->blocks[b - 1].weight) {
			*at = a;
			at = &t->blocks[a - 1].right;
			a = *at;
		} else {
			*at = b;
			at = &t->blocks[b - 1].left;
			b = *at;
		}
	}
	*at = a ? a : b;
	return top;
}

/* Splits the subtree of a node into the blocks that begin before an address, and the others. */
static void order_split(struct tree *t, uint32_t node, uint64_t lo, uint32_t *before, uint32_t *behind)
{
	while (node) {
		if (t->blocks[node - 1].lo < lo) {
			*before = node;
			before = &t->blocks[node - 1].right;
			node = *before;
		} else {
			*behind = node;
			behind = &t->blocks[node - 1].left;
			node = *behind;
		}
	}
	*before = *behind = 0;
}

static void take_away(struct tree *t, uint64_t lo)
{
	uint32_t *at = &t->root, node;

	while (*at && t->blocks[*at - 1].lo != lo)
		at = lo < t->blocks[*at - 1].lo ? &t->blocks[*at - 1].left : &t->blocks[*at - 1].right;
	node = *at;
	if (!node)
		return;
	*at = order_merge(t, t->blocks[node - 1].left, t->blocks[node - 1].right);
	t->blocks[node - 1].left = t->free;
	t->free = node;
}

static int put_in(struct tree *t, uint64_t lo, uint64_t n_bytes, uint16_t thread)
{
	uint32_t before, behind, node = t->free;
	struct live *b;

	take_away(t, lo);
	node = t->free;
	if (node) {
		t->free = t->blocks[node - 1].left;
	} else {
		if (!ompp_flow_grow(&t->blocks, &t->n, &t->have, sizeof(*t->blocks)))
			return -1;
		node = (uint32_t)t->n;
	}
	t->seed = t->seed * 1664525u + 1013904223u;
	b = &t->blocks[node - 1];
	*b = (struct live){ lo, n_bytes > UINT64_MAX - lo ? UINT64_MAX : lo + n_bytes, 0, 0, t->seed >> 1, thread };
	order_split(t, t->root, lo, &before, &behind);
	t->root = order_merge(t, order_merge(t, before, node), behind);
	return 0;
}

/* Returns the block that holds the address; NULL when there is none. */
static const struct live *block_at(const struct tree *t, uint64_t address)
{
	const struct live *last = NULL;

	for (uint32_t node = t->root; node;) {
		const struct live *b = &t->blocks[node - 1];

		if (b->lo <= address)
			last = b;
		node = b->lo <= address ? b->right : b->left;
	}
	return last && address < last->hi ? last : NULL;
}

static uint16_t holder_of(const struct tree *t, uint64_t address)
{
	const struct live *block = block_at(t, address);

	return block ? block->thread : 0;
}

/* Ends a block, or a part of one (munmap); the rest of it stays live. */
static int end_at(struct tree *t, uint64_t address, uint64_t n_bytes)
{
	const struct live *block = block_at(t, address);
	struct live was;
	int rc = 0;

	if (!block)
		return 0;
	was = *block;
	ompp_assert(was.lo <= address && address < was.hi);
	take_away(t, was.lo);
	if (was.lo < address)
		rc = put_in(t, was.lo, address - was.lo, was.thread);
	if (!rc && n_bytes && n_bytes < was.hi - address)
		rc = put_in(t, address + n_bytes, was.hi - address - n_bytes, was.thread);
	return rc;
}

int ompp_flow_find_allocators(struct ompp_flow *flow)
{
	struct tree t = { .seed = 1 };
	int rc = 0;

	for (size_t i = 0; i < flow->n_records && !rc; i++) {
		struct ompp_flow_record *r = &flow->records[flow->order[i]];

		ompp_flow_walked(flow, i);
		ompp_assert(!i || flow->records[flow->order[i - 1]].time_ns <= r->time_ns);
		if (r->kind == OMPP_FLOW_ALLOCATION) {
			r->allocator = r->thread;
			rc = put_in(&t, r->address, r->of.bytes, r->thread);
		} else if (r->kind == OMPP_FLOW_FREE) {
			r->allocator = holder_of(&t, r->address);
			rc = end_at(&t, r->address, r->of.bytes);
		} else if (is_access(r)) {
			r->allocator = holder_of(&t, r->address);
		}
	}
	free(t.blocks);
	return rc;
}

/* ---- counts ---- */

/* Names the objects of blocks of memory by their sites.  Sites with equal names are one object, as in a report:
 * compilers duplicate calls. */
static int name_objects(struct ompp_flow *flow)
{
	struct ompp_flow_map names = { 0 };
	uint32_t *same = malloc((flow->n_objects + 1) * sizeof(*same));
	int rc = same ? 0 : -1;

	for (uint32_t i = 0; i < flow->n_objects && !rc; i++) {
		struct ompp_flow_object *o = &flow->objects[i];
		const struct ompp_flow_site *s = o->site == OMPP_FLOW_NONE ? NULL : &flow->sites[o->site];
		uint32_t *at;

		same[i] = i;
		if (!s)
			continue;
		o->name = s->name;
		o->path = s->path;
		o->allocator = s->thread;
		if (!s->name[0])
			continue;
		at = ompp_flow_map_at(&names, ompp_flow_hash_text(ompp_flow_hash_text(0, s->name), s->path));
		if (!at)
			rc = -1;
		else if (!*at)
			*at = i + 1;
		else if (!strcmp(flow->objects[*at - 1].name, o->name) && !strcmp(flow->objects[*at - 1].path, o->path))
			same[i] = *at - 1;
	}
	for (size_t i = 0; i < flow->n_members && !rc; i++)
		flow->members[i] = same[flow->members[i]];
	ompp_flow_map_free(&names);
	free(same);
	return rc;
}

static void count_objects(struct ompp_flow *flow, const struct ompp_flow_record *r)
{
	const struct ompp_flow_cover *c = r->set ? &flow->covers[r->set - 1] : NULL;

	for (uint32_t k = 0; c && k < c->n; k++) {
		struct ompp_flow_object *o = &flow->objects[flow->members[c->first + k]];

		if (r->kind == OMPP_FLOW_ACCESS)
			o->n_accesses++;
		else
			o->n_touches++;
	}
}

static void count_site(struct ompp_flow *flow, const struct ompp_flow_record *r)
{
	struct ompp_flow_site *s = &flow->sites[r->set - 1];

	if (r->kind == OMPP_FLOW_FREE) {
		s->n_ended++;
		return;
	}
	s->n_blocks++;
	s->n_bytes += r->of.bytes;
	if (s->thread == OMPP_FLOW_NONE && r->thread)
		s->thread = r->thread - 1u;
}

static void count_thread(struct ompp_flow *flow, const struct ompp_flow_record *r)
{
	struct ompp_flow_thread *t = &flow->threads[r->thread - 1];

	t->n_accesses += r->kind == OMPP_FLOW_ACCESS;
	t->n_touches += r->kind == OMPP_FLOW_TOUCH;
	t->n_allocations += r->kind == OMPP_FLOW_ALLOCATION;
	t->n_migrations += r->kind == OMPP_FLOW_MIGRATION;
	if (r->extra && flow->extras[r->extra - 1].tid)
		t->tid = flow->extras[r->extra - 1].tid;
	if (r->time_ns) {
		t->first_ns = t->first_ns ? t->first_ns : r->time_ns;
		t->last_ns = r->time_ns;
	}
}

int ompp_flow_find_nodes(struct ompp_flow *flow)
{
	uint32_t n_nodes = 0;
	uint64_t *counts, *best;

	for (size_t i = 0; i < flow->n_records; i++) {
		n_nodes = flow->records[i].node > n_nodes ? flow->records[i].node : n_nodes;
		ompp_flow_walked(flow, i);
	}
	if (n_nodes > 4096) /* no machine has as many */
		n_nodes = 0;
	counts = calloc(flow->n_threads * (n_nodes + 1) + 1, sizeof(*counts));
	if (!counts)
		return -1;
	for (size_t i = 0; i < flow->n_records && n_nodes; i++) {
		const struct ompp_flow_record *r = &flow->records[i];

		ompp_flow_walked(flow, i);
		if ((is_access(r) || r->kind == OMPP_FLOW_USE) && r->thread && r->node)
			counts[(r->thread - 1u) * (n_nodes + 1) + r->node]++;
	}
	for (size_t k = 0; k < flow->n_threads; k++) {
		best = &counts[k * (n_nodes + 1)];
		for (uint32_t node = 1; node <= n_nodes; node++)
			if (counts[k * (n_nodes + 1) + node] > *best)
				best = &counts[k * (n_nodes + 1) + node];
		flow->threads[k].node = *best ? (uint32_t)(best - &counts[k * (n_nodes + 1)]) - 1 : OMPP_FLOW_NONE;
	}
	free(counts);
	return 0;
}

int (*ompp_flow_find_names)(struct ompp_flow *flow);

int ompp_flow_count(struct ompp_flow *flow)
{
	for (size_t i = 0; i < flow->n_records; i++) {
		const struct ompp_flow_record *r = &flow->records[flow->order[i]];

		ompp_flow_walked(flow, i);
		if (r->thread)
			count_thread(flow, r);
		if ((r->kind == OMPP_FLOW_ALLOCATION || r->kind == OMPP_FLOW_FREE) && r->set)
			count_site(flow, r);
	}
	if (ompp_flow_find_names && flow->info.n_lost == UINT64_MAX && ompp_flow_find_names(flow))
		return -1;
	if (name_objects(flow))
		return -1;
	for (size_t i = 0; i < flow->n_records; i++) {
		if (is_access(&flow->records[i]))
			count_objects(flow, &flow->records[i]);
		ompp_flow_walked(flow, i);
	}
	return ompp_flow_find_nodes(flow);
}
