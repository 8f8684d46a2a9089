/*
 * Diff tree: see diff_tree.h.
 */
#include "reports/compare/diff_tree.h"

#include <errno.h>
#include <string.h>

/* The tree while it is made.  A child is found by a table with open addressing, from its parent and its subject. */
struct maker {
	const struct ompp_diff_values *values;
	struct ompp_diff_tree *tree;
	uint32_t *subjects; /* by node */
	double *ns;         /* [node * n_runs + run] */
	uint32_t *table;    /* of nodes, by hash; OMPP_NONE where there is none */
	size_t n_table;     /* a power of two */
};

static size_t tree_hash(const struct maker *m, uint32_t parent, uint32_t subject)
{
	uint64_t key = (uint64_t)parent << 32 | subject;

	return (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (m->n_table - 1);
}

static const char *tree_name(const struct maker *m, uint32_t subject)
{
	const struct ompp_diff_subject *told = &m->values->subjects[subject].told;

	return told->name_b ? told->name_b : told->name_a;
}

/* Returns the node of a subject below its parent, which is made if it is new. */
static uint32_t tree_child(struct maker *m, uint32_t parent, uint32_t subject)
{
	size_t at = tree_hash(m, parent, subject);
	uint32_t node;

	for (; (node = m->table[at]) != OMPP_NONE; at = (at + 1) & (m->n_table - 1))
		if (m->tree->nodes[node].parent == parent && m->subjects[node] == subject)
			return node;
	node = (uint32_t)m->tree->n++;
	m->table[at] = node;
	m->subjects[node] = subject;
	m->tree->nodes[node] = (struct ompp_diff_node){ .parent = parent,
		                                        .name = subject ? tree_name(m, subject) : NULL };
	return node;
}

/* Adds the paths of a run.  nodes: gets the node of each of its paths */
static void tree_add(struct maker *m, size_t run, uint32_t *nodes)
{
	const struct ompp_analysis *a = &m->values->analyses[run];
	const struct ompp_profile *p = a->profile;

	for (uint32_t i = 0; i < p->n_nodes; i++) {
		const struct ompp_node *node = &p->nodes[i];
		uint32_t subject = i ? ompp_diff_region_subject(m->values->region_of[run][node->region],
		                                                node->construct == OMPP_TASKEXEC)
		                     : 0;

		nodes[i] = tree_child(m, i ? nodes[node->parent] : OMPP_NONE, subject);
		m->ns[nodes[i] * m->values->n_runs + run] += (double)a->wall_ns[i];
	}
}

int ompp_diff_tree_make(const struct ompp_diff_values *values, struct ompp_diff_tree *tree)
{
	struct maker m = { .values = values, .tree = tree, .n_table = 16 };
	size_t most = 1, most_of_run = 1;
	uint32_t *nodes;

	for (size_t run = 0; run < values->n_runs; run++) {
		size_t n = values->profiles[run].n_nodes;

		most += n;
		most_of_run = n > most_of_run ? n : most_of_run;
	}
	while (m.n_table < 2 * most)
		m.n_table *= 2;
	tree->n = 0;
	tree->nodes = ompp_arena_alloc(values->arena, most * sizeof(*tree->nodes));
	m.subjects = ompp_arena_alloc(values->arena, most * sizeof(*m.subjects));
	m.ns = ompp_arena_alloc(values->arena, most * values->n_runs * sizeof(*m.ns));
	m.table = ompp_arena_alloc(values->arena, m.n_table * sizeof(*m.table));
	nodes = ompp_arena_alloc(values->arena, most_of_run * sizeof(*nodes));
	if (!tree->nodes || !m.subjects || !m.ns || !m.table || !nodes)
		return -ENOMEM;
	memset(m.table, 0xff, m.n_table * sizeof(*m.table)); /* OMPP_NONE */
	for (size_t run = 0; run < values->n_runs; run++)
		tree_add(&m, run, nodes);
	for (size_t i = 0; i < tree->n; i++) {
		struct ompp_diff_node *node = &tree->nodes[i];
		const double *ns = &m.ns[i * values->n_runs];

		node->a = ompp_sample_of(ns, values->n_a);
		node->b = ompp_sample_of(ns + values->n_a, values->n_runs - values->n_a);
	}
	return 0;
}
