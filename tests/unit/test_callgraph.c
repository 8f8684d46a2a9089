/*
 * Call graph: nodes are found or made, also by the fast path; folding, mirrors, and what happens when memory ends.
 */
#include "tests/unit/steps.h"

#include "runtime/core/callgraph.h"
#include "runtime/core/region.h"
#include "runtime/data/tally.h"

enum { DEEP = 1000 };

static struct ompp_callgraph graph;

static struct ompp_callnode *child(struct ompp_callnode *parent, uint32_t id)
{
	return ompp_callgraph_child(&graph, parent, OMPP_KEY(id, 0), DEEP);
}

static void init(size_t limit_bytes)
{
	assert_int_equal(ompp_callgraph_init(&graph, limit_bytes, 0), 0);
}

static void same_key_same_child(void **state)
{
	struct ompp_callnode *a, *b;
	uint32_t i;

	(void)state;
	init(16 << 20);
	a = child(graph.root, 1);
	b = child(a, 2);
	assert_ptr_equal(b->parent, a);
	assert_ptr_not_equal(child(graph.root, 2), b);
	/* more children than a node remembers */
	for (i = 1; i <= 1000; i++)
		assert_int_equal(OMPP_KEY_ID(child(a, i)->key), i);
	for (i = 1000; i >= 1; i--) {
		struct ompp_callnode *node = child(a, i);

		assert_int_equal(OMPP_KEY_ID(node->key), i);
		assert_ptr_equal(child(a, i), node);
		assert_ptr_equal(node->parent, a);
	}
	assert_ptr_equal(child(a, 2), b);
	ompp_callgraph_fini(&graph);
}

/* The list of nodes runs from the newest to the root, parents after children, indices without a gap. */
static void nodes_are_listed(void **state)
{
	struct ompp_callnode *node, *up;
	uint32_t i, n;

	(void)state;
	init(16 << 20);
	node = graph.root;
	for (i = 0; i < 5000; i++)
		node = child(i % 7 ? node : graph.root, i + 1);
	n = graph.n_nodes;
	for (node = graph.newest; node; node = node->older) {
		assert_int_equal(node->index, --n);
		for (up = node->parent; up; up = up->parent)
			assert_true(up->index < node->index);
	}
	assert_int_equal(n, 0);
	ompp_callgraph_fini(&graph);
}

static void deep_recursion_folds(void **state)
{
	struct ompp_callnode *node, *deepest = NULL;
	int i;

	(void)state;
	init(16 << 20);
	node = graph.root;
	for (i = 0; i < 10; i++) {
		node = ompp_callgraph_child(&graph, node, OMPP_KEY(1, 0), 4);
		if (i == 3)
			deepest = node;
		if (i > 3)
			assert_ptr_equal(node, deepest);
	}
	/* below another region the answer is the deepest level of the first one, each time that it is asked for */
	node = ompp_callgraph_child(&graph, deepest, OMPP_KEY(2, 0), 4);
	assert_ptr_equal(ompp_callgraph_child(&graph, node, OMPP_KEY(1, 0), 4), deepest);
	assert_ptr_equal(ompp_callgraph_child(&graph, node, OMPP_KEY(1, 0), 4), deepest);
	assert_ptr_equal(ompp_callgraph_child(&graph, node, OMPP_KEY(2, 0), 4)->parent, node);
	ompp_callgraph_fini(&graph);
}

static void mirrors_have_the_same_path(void **state)
{
	struct ompp_callgraph theirs;
	struct ompp_callnode *node;
	int i;

	(void)state;
	init(16 << 20);
	assert_int_equal(ompp_callgraph_init(&theirs, 16 << 20, 0), 0);
	node = theirs.root;
	for (i = 1; i <= 5; i++)
		node = ompp_callgraph_child(&theirs, node, OMPP_KEY(i, 0), DEEP);
	child(graph.root, 9);
	node = ompp_callgraph_mirror(&graph, node, DEEP);
	for (i = 5; i >= 1; i--, node = node->parent)
		assert_int_equal(OMPP_KEY_ID(node->key), i);
	assert_ptr_equal(node, graph.root);
	assert_ptr_equal(ompp_callgraph_mirror(&graph, theirs.root, DEEP), graph.root);
	assert_ptr_equal(ompp_callgraph_mirror(&graph, theirs.lost, DEEP), graph.lost);
	ompp_callgraph_fini(&theirs);
	ompp_callgraph_fini(&graph);
}

static void a_full_tree_answers_lost(void **state)
{
	struct ompp_callnode *first;
	uint32_t i, n;

	(void)state;
	init(256 * 1024);
	first = child(graph.root, 1);
	for (i = 2; child(graph.root, i) != graph.lost; i++)
		assert_true(i < 100000);
	assert_true(graph.used_bytes <= 256 * 1024);
	/* nodes that exist are still found, and the lost node has no children */
	assert_ptr_equal(child(graph.root, 1), first);
	assert_ptr_equal(child(graph.root, i - 1)->parent, graph.root);
	assert_ptr_equal(child(graph.lost, 5), graph.lost);
	n = graph.n_nodes;
	assert_ptr_equal(child(first, i + 7), graph.lost);
	assert_ptr_equal(child(first, i + 7), graph.lost);
	assert_int_equal(graph.n_nodes, n);
	assert_null(ompp_callgraph_alloc(&graph, 256 * 1024));
	ompp_callgraph_fini(&graph);
}

/* A thread with 1,000 nodes takes less than 1 MiB. */
static void a_thousand_nodes_are_small(void **state)
{
	uint32_t i;

	(void)state;
	init(64 << 20);
	for (i = 1; i <= 1000; i++)
		child(graph.root, i);
	assert_true(graph.used_bytes < 1 << 20);
	ompp_callgraph_fini(&graph);
}

static void clear_forgets_the_counts(void **state)
{
	static struct ompp_tally tally;
	struct ompp_callnode *node;

	(void)state;
	init(1 << 20);
	node = child(graph.root, 1);
	node->n = node->ticks = node->task_ticks = node->lead_ticks = node->body_ticks = node->exit_ticks = 7;
	node->n_folded = node->timed_at = 7;
	node->tally = node->tallies = &tally;
	graph.n_lost = 7;
	ompp_callgraph_clear(&graph);
	assert_null(node->tallies);
	assert_ptr_equal(node->tally, &ompp_no_tally);
	assert_int_equal(node->timed_at, 0);
	assert_int_equal(node->n + node->ticks + node->task_ticks + node->lead_ticks + node->body_ticks +
	                         node->exit_ticks + node->n_folded + graph.n_lost,
	                 0);
	assert_ptr_equal(child(graph.root, 1), node);
	ompp_callgraph_fini(&graph);
}

static void memory_that_is_not_there(void **state)
{
	(void)state;
	errno = 77;
	init((size_t)1 << 62); /* more than any machine has: it must be taken in steps */
	assert_int_equal(errno, 77);
	assert_true(graph.chunk_bytes <= 65536);
	assert_non_null(child(graph.root, 1));
	assert_null(ompp_callgraph_alloc(&graph, (size_t)1 << 60));
	assert_non_null(ompp_callgraph_alloc(&graph, 10 << 20));
	assert_non_null(child(graph.root, 2));
	assert_int_equal(errno, 77);
	ompp_callgraph_fini(&graph);
	assert_int_equal(ompp_callgraph_init(&graph, 1000, 0), -ENOMEM);
}

/* Any two children of a node are found without the table, whatever their keys are. */
static void pairs_are_remembered(void **state)
{
	uint32_t a, b;

	(void)state;
	init(1 << 20);
	for (a = 1; a < 20; a++)
		for (b = 1; b < 20; b++) {
			struct ompp_callnode *parent = child(graph.root, 100 * a + b);
			struct ompp_callnode *first = child(parent, a), *second = child(parent, b);

			assert_ptr_equal(ompp_callnode_child(parent, OMPP_KEY(a, 0)), first);
			assert_ptr_equal(ompp_callnode_child(parent, OMPP_KEY(b, 0)), second);
			assert_null(ompp_callnode_child(parent, OMPP_KEY(20, 0)));
		}
	ompp_callgraph_fini(&graph);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_key_same_child),        cmocka_unit_test(pairs_are_remembered),
		cmocka_unit_test(nodes_are_listed),           cmocka_unit_test(deep_recursion_folds),
		cmocka_unit_test(mirrors_have_the_same_path), cmocka_unit_test(a_full_tree_answers_lost),
		cmocka_unit_test(a_thousand_nodes_are_small), cmocka_unit_test(clear_forgets_the_counts),
		cmocka_unit_test(memory_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
