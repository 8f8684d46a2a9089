/*
 * Call graph: nodes, their hash table and their memory.  See callgraph.h.
 */
#define _GNU_SOURCE
#include "runtime/core/callgraph.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/chunks.h"
#include "runtime/core/mapped.h"
#include "runtime/core/region.h"
#include "runtime/sources/source_uncore.h"

enum { FIRST_SLOTS = 64, SMALLEST_CHUNK = 16 * 1024, LARGEST_CHUNK = 4 * 1024 * 1024, DEEPEST_MIRROR = 512 };

struct chunk {
	char *before;
	size_t before_bytes;
};

#define LOST_KEY UINT64_MAX
#define HEAD_BIT (UINT64_C(1) << 31) /* a bit that the key of no part has */

struct ompp_callnode ompp_no_node;

/* Adds a chunk for n_bytes and more.  It is twice as large as the one before, or smaller when the system does not give
 * that. */
static int add_chunk(struct ompp_callgraph *graph, size_t n_bytes)
{
	size_t least = sizeof(struct chunk) + n_bytes, n = 2 * graph->chunk_bytes;
	char *chunk;

	least = (least + SMALLEST_CHUNK - 1) / SMALLEST_CHUNK * SMALLEST_CHUNK;
	n = n > LARGEST_CHUNK ? LARGEST_CHUNK : n;
	n = n > graph->left_bytes ? graph->left_bytes / SMALLEST_CHUNK * SMALLEST_CHUNK : n;
	n = n < least ? least : n;
	if (n > graph->left_bytes)
		return -ENOMEM;
	while (!(chunk = ompp_space_reserve(n))) {
		n = n / 2 / SMALLEST_CHUNK * SMALLEST_CHUNK;
		if (n < least)
			return -ENOMEM;
	}
	*(struct chunk *)(void *)chunk = (struct chunk){ graph->chunk, graph->chunk_bytes };
	graph->chunk = chunk;
	graph->chunk_bytes = n;
	graph->used_bytes = sizeof(struct chunk);
	graph->left_bytes -= n;
	return 0;
}

/* Takes memory while handlers are held back. */
static void *take_room(struct ompp_callgraph *graph, size_t n_bytes)
{
	void *p;

	n_bytes = (n_bytes + 15) / 16 * 16;
	if (n_bytes > graph->chunk_bytes - graph->used_bytes &&
	    (n_bytes > graph->left_bytes || add_chunk(graph, n_bytes)))
		return NULL;
	p = graph->chunk + graph->used_bytes;
	graph->used_bytes += n_bytes;
	return p;
}

void *ompp_callgraph_alloc(struct ompp_callgraph *graph, size_t n_bytes)
{
	uint64_t signals;
	void *p;

	ompp_sys_hold_signals(&signals);
	p = take_room(graph, n_bytes);
	ompp_sys_release_signals(&signals);
	return p;
}

static size_t callgraph_hash(const struct ompp_callnode *parent, uint64_t key)
{
	uint64_t h = (key ^ ((uint64_t)parent->index << 20)) * 0x9E3779B97F4A7C15u;

	return (size_t)(h ^ h >> 29);
}

static int keeps_durations(uint64_t key)
{
	const struct ompp_region_def *def = ompp_region_by_id(OMPP_KEY_ID(key));

	return def && ompp_region_has_durations(def->construct, OMPP_KEY_PART(key));
}

static struct ompp_callnode *link_node(struct ompp_callgraph *graph, struct ompp_callnode *parent, uint64_t key)
{
	struct ompp_callnode *node = take_room(graph, sizeof(*node) + graph->n_values * sizeof(uint64_t));
	const struct ompp_callnode *up;

	if (!node)
		return NULL;
	node->key = key;
	node->parent = parent;
	OMPP_STORE(&node->index, graph->n_nodes);
	node->older = graph->newest;
	node->tally = &ompp_no_tally;
	for (size_t i = 0; i < OMPP_NODE_WAYS; i++)
		node->ways[i] = &ompp_no_node;
	node->head = node;
	node->look_at = OMPP_STORM_FIRST_LOOK;
	node->durations = keeps_durations(key) ? &ompp_no_durations : NULL;
	if (graph->n_values) {
		node->is_read = (uint32_t)ompp_region_counts(ompp_region_by_id(OMPP_KEY_ID(key)), OMPP_KEY_PART(key));
		node->values[graph->n_values - 1] = 0; /* touches its page, before page faults are counted */
	}
	for (up = parent; up; up = up->parent)
		if (up->key == key) {
			node->same = up->same + 1;
			break;
		}
	OMPP_STORE(&graph->n_nodes, graph->n_nodes + 1);
	__atomic_store_n(&graph->newest, node, __ATOMIC_RELEASE);
	return node;
}

/* Doubles the hash table.  The old tables are left behind in the memory, together as much as a quarter of the new
 * one. */
static int grow_table(struct ompp_callgraph *graph)
{
	size_t n = graph->n_slots * 2, i;
	struct ompp_callnode **table;
	uint64_t *keys;
	size_t used = graph->used_bytes;

	table = take_room(graph, n * 2 * sizeof(*table));
	keys = table ? take_room(graph, n * sizeof(*keys)) : NULL;
	if (!keys) {
		graph->used_bytes = used;
		return -ENOMEM;
	}
	/* Slot i holds a parent in table[2 i] and its child in table[2 i + 1]. */
	for (i = 0; i < graph->n_slots; i++) {
		size_t at;

		if (!graph->table[2 * i])
			continue;
		at = callgraph_hash(graph->table[2 * i], graph->table_keys[i]) & (n - 1);
		while (table[2 * at])
			at = (at + 1) & (n - 1);
		table[2 * at] = graph->table[2 * i];
		table[2 * at + 1] = graph->table[2 * i + 1];
		keys[at] = graph->table_keys[i];
	}
	graph->table = table;
	graph->table_keys = keys;
	graph->n_slots = n;
	return 0;
}

int ompp_callgraph_init(struct ompp_callgraph *graph, size_t limit_bytes, size_t n_values)
{
	memset(graph, 0, sizeof(*graph));
	graph->left_bytes = limit_bytes;
	graph->least_left_bytes = limit_bytes / 4 * 3;
	if (add_chunk(graph, 0))
		return -ENOMEM;
	graph->n_values = n_values;
	graph->n_slots = FIRST_SLOTS;
	graph->table = ompp_callgraph_alloc(graph, FIRST_SLOTS * 2 * sizeof(*graph->table));
	graph->table_keys = ompp_callgraph_alloc(graph, FIRST_SLOTS * sizeof(*graph->table_keys));
	graph->root = link_node(graph, NULL, 0);
	/* It lies one level down, so that no node that asks for a child is its parent. */
	graph->lost = link_node(graph, link_node(graph, graph->root, LOST_KEY), LOST_KEY);
	return 0;
}

void ompp_callgraph_fini(struct ompp_callgraph *graph)
{
	while (graph->chunk) {
		struct chunk before = *(struct chunk *)(void *)graph->chunk;

		ompp_sys_munmap(graph->chunk, graph->chunk_bytes);
		graph->chunk = before.before;
		graph->chunk_bytes = before.before_bytes;
	}
}

int ompp_callgraph_has_visits(const struct ompp_callgraph *graph)
{
	const struct ompp_callnode *node = __atomic_load_n(&graph->newest, __ATOMIC_ACQUIRE);

	while (node && !OMPP_LOAD(&node->n) && !OMPP_LOAD(&node->n_folded) && !OMPP_LOAD(&node->n_lock_exits))
		node = node->older;
	return node != NULL;
}

void ompp_callgraph_clear(struct ompp_callgraph *graph)
{
	struct ompp_callnode *node;
	uint32_t i;

	for (node = graph->newest; node; node = node->older) {
		node->n = node->ticks = node->task_ticks = node->once_ticks = node->lead_ticks = 0;
		node->n_tasks = node->body_ticks = node->exit_ticks = node->n_lock_exits = 0;
		node->n_quick = node->off_ticks = 0;
		node->n_folded = node->n_readings_inside = node->n_readings_outside = 0;
		node->sample_ticks = 0;
		for (i = 0; i < node->n_ranks; i++)
			memset(&node->ranks[i], 0, sizeof(node->ranks[i]));
		if (node->managing)
			memset(node->managing, 0, sizeof(*node->managing));
		if (node->storm)
			memset(node->storm, 0, sizeof(*node->storm));
		node->timed_at = 0;
		if (node->look_at != OMPP_STORM_NEVER)
			node->look_at = OMPP_STORM_FIRST_LOOK;
		if (node->waits)
			memset(node->waits, 0, sizeof(*node->waits));
		if (node->durations && node->durations != &ompp_no_durations)
			*node->durations = (struct ompp_durations)OMPP_DURATIONS_EMPTY;
		if (node->chunks)
			*node->chunks = (struct ompp_chunks){ .left = node->chunks->left,
				                              .random = node->chunks->random };
		if (node->mapped)
			memset(node->mapped, 0, sizeof(*node->mapped));
		for (i = 0; node->uncore && i < ompp_n_uncore; i++)
			memset(&node->uncore[i], 0, sizeof(node->uncore[i]));
		node->span = NULL;
		OMPP_STORE(&node->tallies, NULL);
		OMPP_STORE(&node->tally, &ompp_no_tally);
		memset(node->values, 0, graph->n_values * sizeof(uint64_t));
	}
	graph->n_lost = 0;
}

/* Makes a node's durations with its second visit, as many nodes have one alone.  Without memory it keeps none. */
static struct ompp_durations *make_durations(struct ompp_callgraph *graph, struct ompp_callnode *node)
{
	struct ompp_durations *d;
	uint64_t signals;

	ompp_sys_hold_signals(&signals);
	d = node->durations;
	if (d == &ompp_no_durations)
		d = graph->left_bytes < graph->least_left_bytes ? NULL : take_room(graph, sizeof(*d));
	if (d && !d->n_first)
		d->least_ticks = UINT64_MAX;
	__atomic_store_n(&node->durations, d, __ATOMIC_RELEASE);
	ompp_sys_release_signals(&signals);
	return d;
}

/* Adds the first visits.  What the first one took is then the node's time without that of the second; where visits
 * before were not timed, this one counts as the first. */
static void first_took(struct ompp_callgraph *graph, struct ompp_callnode *node, uint64_t ticks)
{
	struct ompp_durations *d = node->n > 1 ? make_durations(graph, node) : NULL;
	uint64_t others = node->task_ticks + ticks + node->off_ticks;

	if (!d)
		return;
	if (node->n == 2)
		OMPP_STORE(&d->first_ticks, node->ticks > others ? node->ticks - others : 0);
	else
		OMPP_STORE(&d->first_ticks, ticks);
	if (node->n == 2)
		ompp_durations_wait(d, ticks, node->n);
	OMPP_STORE(&d->n_first, 1);
}

void ompp_callgraph_took(struct ompp_callgraph *graph, struct ompp_callnode *node, uint64_t ticks)
{
	struct ompp_durations *d = node->durations;

	if (!d)
		return;
	if (!d->n_first) {
		first_took(graph, node, ticks);
		return;
	}
	if (d->last_n)
		ompp_durations_add(d, d->last_ticks, d->last_n);
	ompp_durations_wait(d, ticks, node->n);
}

/* The last visit still waits to be counted (durations.h), unless it was the first one. */
void ompp_callgraph_took_less(struct ompp_callnode *node, uint64_t off_ticks)
{
	struct ompp_durations *d = node->durations;

	OMPP_ADD(&node->off_ticks, off_ticks);
	if (d && d->last_n && d->last_n == node->n)
		OMPP_STORE(&d->last_ticks, d->last_ticks > off_ticks ? d->last_ticks - off_ticks : 0);
}

/* Returns the place of a link in the table, or the free place where it belongs. */
static size_t place_of(const struct ompp_callgraph *graph, const struct ompp_callnode *parent, uint64_t key)
{
	size_t mask = graph->n_slots - 1, at = callgraph_hash(parent, key) & mask;

	while (graph->table[2 * at] && (graph->table[2 * at] != parent || graph->table_keys[at] != key))
		at = (at + 1) & mask;
	return at;
}

static void put_link(struct ompp_callgraph *graph, size_t at, struct ompp_callnode *parent, uint64_t key,
                     struct ompp_callnode *node)
{
	graph->table[2 * at] = parent;
	graph->table[2 * at + 1] = node;
	graph->table_keys[at] = key;
	graph->n_used++;
}

/* Finds the first node with the key of this one, by a link in the table that no parent asks for. */
static void find_head(struct ompp_callgraph *graph, struct ompp_callnode *node)
{
	uint64_t key = node->key | HEAD_BIT;
	size_t at = place_of(graph, graph->root, key);

	if (graph->table[2 * at])
		OMPP_STORE(&node->head, graph->table[2 * at + 1]);
	else
		put_link(graph, at, graph->root, key, node);
}

int ompp_callgraph_knows(const struct ompp_callgraph *graph, const struct ompp_callnode *parent, uint64_t key)
{
	const struct ompp_callnode *way = ompp_callnode_child(parent, key);

	return way || graph->table[2 * place_of(graph, parent, key)] != NULL;
}

/* Remembers the child.  When another child has its place, that one moves to the other place of the pair. */
static void callgraph_remember(struct ompp_callnode *parent, struct ompp_callnode *node)
{
	unsigned int at = ompp_callnode_way(node->key);

	if (parent->ways[at] != &ompp_no_node)
		parent->ways[at ^ 1] = parent->ways[at];
	parent->ways[at] = node;
}

/* Returns what the table has for the child; NULL when it has none. */
static struct ompp_callnode *known_child(const struct ompp_callgraph *graph, struct ompp_callnode *parent, uint64_t key)
{
	size_t at = place_of(graph, parent, key);
	struct ompp_callnode *node = graph->table[2 * at + 1];

	/* a handler may have made another table meanwhile */
	if (graph->table[2 * at] != parent || graph->table_keys[at] != key || !node || node->key != key)
		return NULL;
	if (node->parent == parent) /* a folded link must not look like a child */
		callgraph_remember(parent, node);
	return node;
}

/* Makes the child, and a link to it, while handlers are held back. */
static struct ompp_callnode *make_child(struct ompp_callgraph *graph, struct ompp_callnode *parent, uint64_t key,
                                        uint32_t max_depth)
{
	struct ompp_callnode *node = known_child(graph, parent, key), *up;

	if (node)
		return node;
	if ((graph->n_used + 1) * 2 >= graph->n_slots && grow_table(graph))
		return graph->lost;
	for (up = parent; up && up->key != key; up = up->parent)
		;
	if (up && up->same + 1 >= max_depth) {
		node = up;
	} else {
		node = link_node(graph, parent, key);
		if (!node)
			return graph->lost;
		find_head(graph, node);
		callgraph_remember(parent, node);
	}
	put_link(graph, place_of(graph, parent, key), parent, key, node);
	if (key != parent->key + OMPP_KEY(0, OMPP_PART_BODY))
		ompp_callnode_settle(parent);
	return node;
}

struct ompp_callnode *ompp_callgraph_find(struct ompp_callgraph *graph, struct ompp_callnode *parent, uint64_t key,
                                          uint32_t max_depth)
{
	struct ompp_callnode *node = parent == graph->lost ? parent : known_child(graph, parent, key);
	uint64_t signals;

	if (node)
		return node;
	ompp_sys_hold_signals(&signals);
	node = make_child(graph, parent, key, max_depth);
	ompp_sys_release_signals(&signals);
	return node;
}

struct ompp_callnode *ompp_callgraph_mirror(struct ompp_callgraph *graph, const struct ompp_callnode *other,
                                            uint32_t max_depth)
{
	struct ompp_callnode *node = graph->root;
	const struct ompp_callnode *at;
	int n = 0, i;

	/* Paths deeper than this come from recursion through many regions; the top of such a path is left out.  The
	 * path is walked anew from each level, as the stack may have no room for it. */
	for (at = other; at->parent && n < DEEPEST_MIRROR; at = at->parent)
		n++;
	while (n-- > 0) {
		for (at = other, i = 0; i < n; i++)
			at = at->parent;
		if (at->key == LOST_KEY)
			return graph->lost;
		node = ompp_callgraph_child(graph, node, at->key, max_depth);
	}
	return node;
}
