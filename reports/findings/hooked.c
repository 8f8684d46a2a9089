/*
 * Hooked: see hooked.h.
 */
#include "reports/findings/hooked.h"

#include "reports/analysis/traffic.h"

/* A hook of the search takes 5 to 15 ns where no other thread has the line (runtime/data/NOTES); slow processors and
 * those that several programs share take a multiple of that. */
enum { MOST_HOOK_NS = 50 };

/* What the threads of a call path did below it. */
struct hooked {
	int64_t least, most; /* accesses of the rows with the fewest and the most */
	int64_t n_transfers; /* of all rows, in the regions below */
};

/* Returns how many accesses a row made itself at a call path. */
static int64_t accesses_at(const struct ompp_analysis *a, uint32_t node, uint32_t row)
{
	const struct ompp_profile *p = a->profile;
	int64_t values[OMPP_N_TRAFFIC], n = 0;

	for (uint32_t i = a->traffic->first[node]; i < a->traffic->first[node + 1]; i++) {
		if (p->accesses[i].row != row)
			continue;
		ompp_traffic_of(p, &p->accesses[i], values);
		n = ompp_add(n, values[OMPP_TRAFFIC_ACCESSES] == OMPP_MISSING ? 0 : values[OMPP_TRAFFIC_ACCESSES]);
	}
	return n;
}

static int64_t transfers_in(const struct ompp_profile *p, uint32_t region)
{
	int64_t n = 0;

	for (size_t i = 0; i < p->n_shared_lines; i++)
		if (p->shared_lines[i].region == region)
			n = ompp_add(n, ompp_count(p->shared_lines[i].n_transfers));
	return n;
}

/* Adds up what the rows of the call path did there and below. */
static struct hooked hooked_below(const struct ompp_analysis *a, uint32_t node)
{
	const struct ompp_traffic *t = a->traffic;
	const struct ompp_profile *p = a->profile;
	struct hooked sum = { .least = INT64_MAX };

	for (uint32_t at = t->position[node]; at < t->end[node]; at++)
		sum.n_transfers = ompp_add(sum.n_transfers, transfers_in(p, p->nodes[t->node_at[at]].region));
	for (uint32_t k = 0; k < p->nodes[node].n_cells; k++) {
		uint32_t row = p->cells[p->nodes[node].first_cell + k].row;
		int64_t n = 0;

		for (uint32_t at = t->position[node]; at < t->end[node]; at++)
			n = ompp_add(n, accesses_at(a, t->node_at[at], row));
		sum.least = n < sum.least ? n : sum.least;
		sum.most = n > sum.most ? n : sum.most;
	}
	return sum;
}

/* Returns 1 when the search may be why an execution takes the slowest thread so much longer than the fastest.
 * node: what they do is below it */
static int hooked_may_take(const struct ompp_analysis *a, uint32_t node, uint64_t n, int64_t least_ns, int64_t apart_ns)
{
	int64_t hooks_ns, most_ps = a->profile->transfer_most_ps;
	struct hooked sum;

	if (!a->profile->sharing || !a->traffic || !n || node == OMPP_NONE || least_ns < 0)
		return 0;
	sum = hooked_below(a, node);
	/* half of the difference or more is that of the counts */
	if (sum.most > sum.least && (__int128)least_ns * (sum.most - sum.least) >= (__int128)(apart_ns / 2) * sum.least)
		return 0;
	hooks_ns = ompp_times(sum.most, MOST_HOOK_NS) / (int64_t)ompp_count(n);
	hooks_ns = hooks_ns < least_ns ? hooks_ns : least_ns;
	/* a row has half of the transfers at most, as each follows another row's store, and waits for two lines each */
	if (most_ps > 0)
		hooks_ns = ompp_add(hooks_ns,
		                    ompp_times(most_ps, (uint64_t)sum.n_transfers) / 1000 / (int64_t)ompp_count(n));
	return apart_ns <= hooks_ns;
}

/* Returns the part of some waiting that is a thread's of an execution, where one of them does not wait. */
static int64_t hooked_each(const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *w, int64_t ns)
{
	uint32_t n_cells = a->profile->nodes[node].n_cells;
	int64_t n = ompp_times((int64_t)ompp_count(w->most.n), n_cells > 1 ? n_cells - 1 : 1);

	return n ? ns / n : 0;
}

int ompp_hooked_explains(const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *w)
{
	const struct ompp_node *n = &a->profile->nodes[node];
	int64_t apart_ns = w->most.mean_ns - w->least.mean_ns, each_ns = hooked_each(a, node, w, w->body_ns);

	return hooked_may_take(a, n->construct == OMPP_BARRIER ? n->parent : node, w->most.n, w->least.mean_ns,
	                       each_ns > apart_ns ? each_ns : apart_ns);
}

int ompp_hooked_explains_before(const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *w)
{
	const struct ompp_profile *p = a->profile;
	uint32_t parent = p->nodes[node].parent;
	int64_t least_ns = INT64_MAX;

	for (uint32_t k = 0; parent != OMPP_NONE && k < p->nodes[parent].n_cells; k++) {
		int64_t ns = p->cells[p->nodes[parent].first_cell + k].body_ns;

		least_ns = ns != OMPP_MISSING && ns < least_ns ? ns : least_ns;
	}
	if (least_ns == INT64_MAX || !w->most.n)
		return 0;
	return hooked_may_take(a, parent, w->most.n, least_ns / (int64_t)ompp_count(w->most.n),
	                       hooked_each(a, node, w, w->cause_ns[OMPP_CAUSE_BEFORE]));
}
