/*
 * Weights: see weights.h.
 */
#include "reports/analysis/weights.h"

#include <errno.h>

#include "runtime/base/check.h"

/* Working memory of the weights. */
struct weights {
	const struct ompp_profile *profile;
	uint32_t *family;    /* by row: its team, by the parent row, or n_rows + the first row of its host */
	uint32_t *n_members; /* by family: how many rows it has in the whole profile */
	uint32_t *n_here;    /* by family: how many rows it has at the node that is weighed */
	uint32_t *anchor;    /* by node: the innermost PARALLEL at or above it, else the node below the root */
	uint32_t *n_hosts;   /* by node below the root: its host threads */
	uint64_t *divisor;   /* by cell */
};

static uint64_t weights_times(uint64_t a, uint64_t b)
{
	return b && a > UINT32_MAX / b ? UINT32_MAX : a * b; /* no program has more threads */
}

/* Returns what the time of a row is divided by at an anchor.  The anchor may be OMPP_NONE, or a node that does not have
 * the row.
 */
static uint64_t divisor_of(const struct weights *w, uint32_t anchor, uint32_t row)
{
	uint64_t d = 1;

	if (anchor != OMPP_NONE) {
		const struct ompp_cell *cell = ompp_analysis_cell(w->profile, anchor, row);

		ompp_assert(!cell || w->divisor[cell - w->profile->cells]);
		if (cell)
			return w->divisor[cell - w->profile->cells];
	}
	for (; row != OMPP_NONE; row = w->profile->rows[row].parent)
		d = weights_times(d, w->n_members[w->family[row]]);
	return d;
}

static void weigh_anchor(struct weights *w, uint32_t i, uint32_t top)
{
	const struct ompp_profile *p = w->profile;
	const struct ompp_node *node = &p->nodes[i];
	uint32_t above = node->parent ? w->anchor[node->parent] : OMPP_NONE;

	ompp_assert(!i || node->parent < i);
	for (uint32_t k = 0; k < node->n_cells; k++)
		w->n_here[w->family[p->cells[node->first_cell + k].row]]++;
	for (uint32_t k = 0; k < node->n_cells; k++) {
		uint32_t c = node->first_cell + k, row = p->cells[c].row, parent = p->rows[row].parent;

		w->divisor[c] = weights_times(w->n_here[w->family[row]],
		                              parent == OMPP_NONE ? w->n_hosts[top] : divisor_of(w, above, parent));
	}
	for (uint32_t k = 0; k < node->n_cells; k++)
		w->n_here[w->family[p->cells[node->first_cell + k].row]] = 0;
}

/* Returns a sum of times that were divided, in 2^-20 ns, as ns. */
static int64_t whole_ns(__int128 sum)
{
	sum = (sum + (1 << 19)) >> 20;
	return sum > INT64_MAX ? INT64_MAX : sum <= INT64_MIN ? INT64_MIN + 1 : (int64_t)sum;
}

/* Returns the most that may have been taken out of a node's time for the profiler's own cost. */
static int64_t most_cost_ns(const struct ompp_analysis *a, uint32_t node)
{
	const struct ompp_profile *p = a->profile;
	__int128 sum = 0;

	for (uint32_t k = 0; k < p->nodes[node].n_cells; k++) {
		const struct ompp_cell *cell = &p->cells[p->nodes[node].first_cell + k];
		int64_t most = cell->cost_most_ns > cell->cost_ns ? cell->cost_most_ns : cell->cost_ns;

		sum += (__int128)most * (1 << 20) / (int64_t)a->divisor[cell - p->cells];
	}
	return whole_ns(sum);
}

/* Returns how much longer the children of a node take than the node. */
static __int128 excess_ns(const struct ompp_analysis *a, uint32_t node)
{
	__int128 sum = -(__int128)a->wall_ns[node];

	for (uint32_t c = a->first_child[node]; c != OMPP_NONE; c = a->next_sibling[c])
		sum += a->wall_ns[c];
	return sum;
}

/* Makes the children of each node take no longer than the node.  The cost subtracted from a node is that of a mean
 * event times its events; if its events took less, the node's time comes out too short, and its children take longer
 * than it does.  They are shortened by at most that difference, all by the same factor.  Nodes come after their
 * parents.  Returns 0 or -ENOMEM. */
static int fit_children(struct ompp_analysis *a)
{
	uint32_t n_nodes = (uint32_t)a->profile->n_nodes;
	uint8_t *is_explained = ompp_analysis_array(a, n_nodes, sizeof(uint8_t), 0);

	if (!is_explained)
		return -ENOMEM;
	for (uint32_t i = 1; i < n_nodes; i++)
		is_explained[i] = excess_ns(a, i) <= most_cost_ns(a, i);
	for (uint32_t i = 1; i < n_nodes; i++) {
		__int128 wall_ns = a->wall_ns[i], excess = excess_ns(a, i);

		if (excess <= 0 || wall_ns < 0 || !is_explained[i])
			continue;
		for (uint32_t c = a->first_child[i]; c != OMPP_NONE; c = a->next_sibling[c])
			a->wall_ns[c] = (int64_t)(a->wall_ns[c] * wall_ns / (wall_ns + excess));
	}
	return 0;
}

int ompp_analysis_weigh(struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	struct weights w = { .profile = p, .divisor = ompp_analysis_array(a, p->n_cells, sizeof(uint64_t), 0) };
	uint32_t *top = ompp_analysis_array(a, p->n_nodes, sizeof(uint32_t), 0);

	w.family = ompp_analysis_array(a, p->n_rows, sizeof(uint32_t), 0);
	w.n_members = ompp_analysis_array(a, 2 * p->n_rows, sizeof(uint32_t), 0);
	w.n_here = ompp_analysis_array(a, 2 * p->n_rows, sizeof(uint32_t), 0);
	w.anchor = ompp_analysis_array(a, p->n_nodes, sizeof(uint32_t), 0);
	w.n_hosts = ompp_analysis_array(a, p->n_nodes, sizeof(uint32_t), 0);
	a->wall_ns = ompp_analysis_array(a, p->n_nodes, sizeof(int64_t), 0);
	if (!top || !w.family || !w.n_members || !w.n_here || !w.anchor || !w.n_hosts || !w.divisor || !a->wall_ns)
		return -ENOMEM;
	for (uint32_t r = 0, first = 0; r < p->n_rows; r++) { /* rows of a host are neighbours */
		if (p->rows[r].host != p->rows[first].host)
			first = r;
		w.family[r] = p->rows[r].parent == OMPP_NONE ? (uint32_t)p->n_rows + first : p->rows[r].parent;
		w.n_members[w.family[r]]++;
	}
	if (p->n_nodes)
		a->wall_ns[0] = p->duration_ns;
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const struct ompp_node *node = &p->nodes[i];
		__int128 sum = 0;

		top[i] = node->parent ? top[node->parent] : i;
		w.anchor[i] = a->team[i] != OMPP_NONE ? a->team[i] : top[i];
		if (top[i] == i) {
			uint32_t host = 0;

			w.n_hosts[i] = !node->n_cells;
			for (uint32_t k = 0; k < node->n_cells; k++) {
				uint32_t h = p->rows[p->cells[node->first_cell + k].row].host;

				w.n_hosts[i] += !k || h != host;
				host = h;
			}
		}
		if (w.anchor[i] == i)
			weigh_anchor(&w, i, top[i]);
		for (uint32_t k = 0; k < node->n_cells; k++) { /* in 2^-20 ns */
			const struct ompp_cell *cell = &p->cells[node->first_cell + k];

			w.divisor[cell - p->cells] = divisor_of(&w, w.anchor[i], cell->row);
			sum += (__int128)cell->incl_ns * (1 << 20) / (int64_t)w.divisor[cell - p->cells];
		}
		a->wall_ns[i] = whole_ns(sum);
	}
	a->divisor = w.divisor;
	return fit_children(a);
}
