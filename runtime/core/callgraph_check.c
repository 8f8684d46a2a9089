/*
 * Call graph check: checks that the tree is well formed.  See callgraph.h.
 */
#include "runtime/base/check.h"
#include "runtime/core/callgraph.h"

/* Returns how many ancestors of the node have its key. */
static uint32_t n_same(const struct ompp_callnode *node)
{
	const struct ompp_callnode *up;

	for (up = node->parent; up; up = up->parent) {
		ompp_check(!up->parent || up->parent->index < up->index);
		if (up->key == node->key)
			return up->same + 1;
	}
	return 0;
}

static void check_ways(const struct ompp_callnode *node)
{
	for (unsigned int i = 0; i < OMPP_NODE_WAYS; i++) {
		const struct ompp_callnode *way = node->ways[i];

		if (way == &ompp_no_node)
			continue;
		ompp_check(way->parent == node);
		ompp_check((ompp_callnode_way(way->key) | 1) == (i | 1));
	}
}

/* A link of the table leads from a node to its child, from below an ancestor to that (a folded visit), or from the root
 * to the head of a key. */
static int is_link(const struct ompp_callgraph *graph, const struct ompp_callnode *parent,
                   const struct ompp_callnode *node, uint64_t key)
{
	const struct ompp_callnode *up = parent;

	if (parent == graph->root && node->key != key)
		return node->head == node;
	while (up && up != node)
		up = up->parent;
	return node->key == key && (node->parent == parent || up);
}

static void check_table(const struct ompp_callgraph *graph)
{
	size_t n_used = 0;

	for (size_t i = 0; i < graph->n_slots; i++) {
		const struct ompp_callnode *parent = graph->table[2 * i], *node = graph->table[2 * i + 1];

		if (!parent)
			continue;
		n_used++;
		ompp_check(parent->index < graph->n_nodes && node && node->index < graph->n_nodes);
		ompp_check(is_link(graph, parent, node, graph->table_keys[i]));
	}
	ompp_check(n_used == graph->n_used && n_used < graph->n_slots);
}

void ompp_callgraph_check(const struct ompp_callgraph *graph)
{
	const struct ompp_callnode *node;
	uint32_t n = graph->n_nodes;

	ompp_check(graph->used_bytes <= graph->chunk_bytes);
	for (node = graph->newest; node; node = node->older) {
		ompp_check(n && node->index == --n);
		ompp_check(node->parent ? node->parent->index < node->index : node == graph->root);
		ompp_check(node->same == n_same(node));
		ompp_check(node->head->key == node->key && node->head->index <= node->index);
		ompp_check(!node->ranks == !node->n_ranks);
		check_ways(node);
	}
	ompp_check(!n);
	check_table(graph);
}
