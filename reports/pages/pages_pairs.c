/*
 * Pages pairs: a list of the threads that use the same pages, and which of them should be on one NUMA node.
 */
#include <stdlib.h>

#include "reports/pages/pages_sharing.h"
#include "runtime/base/text.h"

/* ---- the pairs ---- */

static void show_pairs(struct ompp_flow_look *look, const struct ompp_pages_sharing *s)
{
	ompp_flow_table(look, "",
	                ompp_pages_heading(look,
	                                   "Pairs of threads that use the same pages; together: in the same interval, "
	                                   "where accesses are those of the thread with fewer:"));
	ompp_flow_columns(look, OMPP_IN_BOTH, "thread", "and", "pages", "written", "together", "accesses", "node",
	                  "and node");
	for (uint32_t a = 0; a < s->n_threads; a++)
		for (uint32_t b = a + 1; b < s->n_threads; b++) {
			const struct ompp_pages_pair *p = &s->pairs[a * s->n_threads + b];

			if (!p->n_pages)
				continue;
			ompp_flow_number(look, a);
			ompp_flow_number(look, b);
			ompp_flow_count_value(look, p->n_pages);
			ompp_flow_count_value(look, p->n_written);
			ompp_flow_count_value(look, p->n_together);
			ompp_flow_count_value(look, p->n_accesses);
			ompp_flow_number(look, ompp_flow_thread(look->flow, a)->node);
			ompp_flow_number(look, ompp_flow_thread(look->flow, b)->node);
		}
}

/* ---- which threads should be on one NUMA node ---- */

enum { MOST_ADVISED = 512 /* threads: the time grows with the cube of their number */ };

/* A partition of the threads, with as many on each node as now. */
struct groups {
	uint32_t *node;  /* by thread: the node where it is now, or OMPP_FLOW_NONE */
	uint32_t *group; /* by thread: the node where it should be, or OMPP_FLOW_NONE while it is unassigned */
	uint64_t total;  /* common accesses of all pairs of threads whose nodes are known */
};

/* Returns the common accesses of pairs within the same group. */
static uint64_t pages_pairs_within(const struct ompp_pages_sharing *s, const uint32_t *group)
{
	uint64_t sum = 0;

	for (uint32_t a = 0; a < s->n_threads; a++)
		for (uint32_t b = a + 1; b < s->n_threads; b++)
			if (group[a] != OMPP_FLOW_NONE && group[a] == group[b])
				sum += ompp_pages_pair(s, a, b)->n_accesses;
	return sum;
}

/* Returns the unassigned thread with most in common with a group; for an empty group, with any unassigned thread. */
static uint32_t best_for(const struct ompp_pages_sharing *s, const struct groups *g, uint32_t node, int is_empty)
{
	uint32_t best = OMPP_FLOW_NONE;
	uint64_t most = 0;

	for (uint32_t a = 0; a < s->n_threads; a++) {
		uint64_t sum = 0;

		if (g->node[a] == OMPP_FLOW_NONE || g->group[a] != OMPP_FLOW_NONE)
			continue;
		for (uint32_t b = 0; b < s->n_threads; b++)
			if (b != a && g->node[b] != OMPP_FLOW_NONE &&
			    (is_empty ? g->group[b] == OMPP_FLOW_NONE : g->group[b] == node))
				sum += ompp_pages_pair(s, a, b)->n_accesses;
		if (best == OMPP_FLOW_NONE || sum > most) {
			best = a;
			most = sum;
		}
	}
	return best;
}

/* Partitions the threads anew (greedy), with as many on each node as now: each node in turn takes the thread with most
 * in common with those it has. */
static void deal_out(const struct ompp_pages_sharing *s, struct groups *g)
{
	for (uint32_t a = 0; a < s->n_threads; a++) {
		uint32_t node = g->node[a], n = 0;
		int is_done = node == OMPP_FLOW_NONE;

		for (uint32_t b = 0; b < s->n_threads; b++) {
			n += g->node[b] == node;
			is_done |= b < a && g->node[b] == node;
		}
		for (uint32_t k = 0; !is_done && k < n; k++) {
			uint32_t thread = best_for(s, g, node, !k);

			if (thread != OMPP_FLOW_NONE)
				g->group[thread] = node;
		}
	}
}

static void say_groups(struct ompp_flow_look *look, const struct ompp_pages_sharing *s, const struct groups *g)
{
	uint64_t now = pages_pairs_within(s, g->node), then = pages_pairs_within(s, g->group);
	char buffer[4096];
	struct ompp_text t;

	/* less than a tenth is not worth advice */
	if (then <= now || (then - now) * 10 < g->total)
		return;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "Of what threads have in common, ");
	ompp_text_u64(&t, now * 100 / g->total);
	ompp_text_str(&t, " % is within NUMA nodes.  It would be ");
	ompp_text_u64(&t, then * 100 / g->total);
	ompp_text_str(&t, " % with threads");
	for (uint32_t node = 0; node < OMPP_FLOW_MOST_NODES; node++) {
		int n = 0;

		for (uint32_t a = 0; a < s->n_threads; a++)
			if (g->group[a] == node) {
				ompp_text_char(&t, ' ');
				ompp_text_u64(&t, a);
				n++;
			}
		if (n) {
			ompp_text_str(&t, " on node ");
			ompp_text_u64(&t, node);
			ompp_text_char(&t, ',');
		}
	}
	t.n_bytes--;
	buffer[t.n_bytes] = '\0';
	ompp_text_str(&t, " (OMP_PLACES lists the places of threads in their order).");
	ompp_flow_table(look, "", "");
	look->table.style = OMPP_STYLE_LINES;
	ompp_flow_left(look, "advice", OMPP_IN_BOTH);
	ompp_table_text(&look->table, ompp_arena_strdup(look->arena, buffer));
	ompp_flow_print(look);
}

/* Says which threads should be on one node together, if it would keep far more accesses within nodes. */
static void pages_pairs_advise(struct ompp_flow_look *look, const struct ompp_pages_sharing *s)
{
	struct groups g = { calloc(s->n_threads + 1, sizeof(uint32_t)), calloc(s->n_threads + 1, sizeof(uint32_t)), 0 };

	for (uint32_t a = 0; g.node && g.group && a < s->n_threads; a++) {
		g.node[a] = ompp_flow_thread(look->flow, a)->node;
		g.group[a] = OMPP_FLOW_NONE;
		for (uint32_t b = 0; b < a; b++)
			if (g.node[a] != OMPP_FLOW_NONE && g.node[b] != OMPP_FLOW_NONE)
				g.total += ompp_pages_pair(s, a, b)->n_accesses;
	}
	if (g.node && g.group && g.total) {
		deal_out(s, &g);
		say_groups(look, s, &g);
	}
	free(g.node);
	free(g.group);
}

/* ---- the view ---- */

int ompp_pages_sharing_view(struct ompp_flow_look *look)
{
	struct ompp_pages_sharing s;
	int status = ompp_pages_sharing_sum(look, &s);

	if (!status && look->svg) {
		status = ompp_pages_matrix_picture(look, &s);
	} else if (!status) {
		show_pairs(look, &s);
		status = ompp_flow_print(look);
		if (!status && look->look.is_text)
			status = ompp_pages_matrix_text(look, &s);
		if (!status && s.n_threads <= MOST_ADVISED)
			pages_pairs_advise(look, &s);
	}
	ompp_pages_sharing_free(&s);
	return status;
}
