/*
 * Tasking: see tasking.h.
 */
#include "reports/findings/tasking.h"

#include <string.h>

#include "reports/analysis/visits.h"

/* Where a call path is: inside of a task, and inside of what one thread executes alone. */
enum { IN_TASK = 1, ALONE = 2 };

static int tasking_is_alone(enum ompp_construct construct)
{
	return construct == OMPP_SINGLE || construct == OMPP_MASTER || construct == OMPP_MASKED;
}

static int where_is(const struct ompp_analysis *a, uint32_t node, uint32_t team)
{
	int where = 0;

	for (; node != team; node = a->profile->nodes[node].parent) {
		where |= a->profile->nodes[node].construct == OMPP_TASKEXEC ? IN_TASK : 0;
		where |= tasking_is_alone(a->profile->nodes[node].construct) ? ALONE : 0;
	}
	return where;
}

/* Returns the node after this one in the tree below `team`, without the insides of nested teams; OMPP_NONE after the
 * last. */
static uint32_t next_in_team(const struct ompp_analysis *a, uint32_t node, uint32_t team)
{
	if (node == team || a->team[node] == team) {
		node = ompp_analysis_next(a, node);
	} else {
		while (node && a->next_sibling[node] == OMPP_NONE)
			node = a->profile->nodes[node].parent;
		node = node ? a->next_sibling[node] : OMPP_NONE;
	}
	return node != OMPP_NONE && a->level[node] > a->level[team] ? node : OMPP_NONE;
}

/* Returns what the row itself spent at the call path: its time less that of the call paths below. */
static struct ompp_bounded tasking_exclusive(const struct ompp_analysis *a, uint32_t node, const struct ompp_cell *cell)
{
	struct ompp_bounded own = { cell->incl_ns, ompp_subtract(cell->cost_ns, cell->cost_most_ns),
		                    ompp_subtract(cell->cost_ns, cell->cost_least_ns) };

	for (uint32_t i = a->first_child[node]; i != OMPP_NONE; i = a->next_sibling[i]) {
		const struct ompp_cell *below = ompp_analysis_child_cell(a->profile, i, cell->row);

		if (!below)
			continue;
		own.ns = ompp_subtract(own.ns, below->incl_ns);
		own.least_ns = ompp_add(own.least_ns, ompp_subtract(below->cost_most_ns, below->cost_ns));
		own.most_ns = ompp_add(own.most_ns, ompp_subtract(below->cost_least_ns, below->cost_ns));
	}
	own.ns = own.ns > 0 ? own.ns : 0;
	own.least_ns = own.least_ns < 0 ? ompp_add(own.ns, own.least_ns) : own.ns;
	own.least_ns = own.least_ns > 0 ? own.least_ns : 0;
	own.most_ns = own.most_ns > 0 ? ompp_add(own.ns, own.most_ns) : own.ns;
	return own;
}

static void bounded_add(struct ompp_bounded *sum, const struct ompp_bounded *more)
{
	sum->ns = ompp_add(sum->ns, more->ns);
	sum->least_ns = ompp_add(sum->least_ns, more->least_ns);
	sum->most_ns = ompp_add(sum->most_ns, more->most_ns);
}

static int tasking_waits(enum ompp_construct construct)
{
	return construct == OMPP_BARRIER || construct == OMPP_TASKWAIT || construct == OMPP_TASKYIELD;
}

/* Returns the part of the row's own time at a call path that is waiting. */
static int64_t tasking_wait(enum ompp_construct construct, const struct ompp_cell *cell, int64_t own_ns)
{
	int64_t ns;

	if (tasking_waits(construct))
		return own_ns;
	ns = cell->exit_bar_ns == OMPP_MISSING ? 0 : cell->exit_bar_ns;
	return ns < own_ns ? ns : own_ns;
}

static void add_making(struct ompp_tasking *t, struct ompp_tasking_row *row, enum ompp_construct construct, int where,
                       const struct ompp_cell *cell, const struct ompp_bounded *own)
{
	bounded_add(&t->make, own);
	row->make_ns = ompp_add(row->make_ns, own->ns);
	row->n_made += cell->n_exec;
	if (construct == OMPP_TASKLOOP)
		t->loop_ns = ompp_add(t->loop_ns, own->ns);
	if (where & IN_TASK)
		t->task_make_ns = ompp_add(t->task_make_ns, own->ns);
	else if (where & ALONE)
		t->alone_make_ns = ompp_add(t->alone_make_ns, own->ns);
}

static void add_rest(struct ompp_tasking *t, struct ompp_tasking_row *row, int where, const struct ompp_bounded *own,
                     int64_t wait_ns)
{
	struct ompp_bounded left = { own->ns - wait_ns, own->least_ns > wait_ns ? own->least_ns - wait_ns : 0,
		                     own->most_ns - wait_ns };

	t->wait_ns = ompp_add(t->wait_ns, wait_ns);
	row->wait_ns = ompp_add(row->wait_ns, wait_ns);
	if (where & IN_TASK) {
		bounded_add(&t->run, &left);
		row->run_ns = ompp_add(row->run_ns, left.ns);
	} else {
		t->own_ns = ompp_add(t->own_ns, left.ns);
		row->own_ns = ompp_add(row->own_ns, left.ns);
		if (where & ALONE)
			t->alone_ns = ompp_add(t->alone_ns, left.ns);
	}
}

/* Returns how long a row waited directly below a call path. */
static int64_t waits_below(const struct ompp_analysis *a, uint32_t node, uint32_t row)
{
	int64_t ns = 0;

	for (uint32_t i = a->first_child[node]; i != OMPP_NONE; i = a->next_sibling[i]) {
		const struct ompp_cell *cell = tasking_waits(a->profile->nodes[i].construct)
		                                     ? ompp_analysis_child_cell(a->profile, i, row)
		                                     : NULL;

		ns = cell ? ompp_add(ns, tasking_exclusive(a, i, cell).ns) : ns;
	}
	return ns;
}

/* Takes the time for which the thread of a cell had no processor in tasks out of their work: a part of it, as a task
 * that waits for others has none at times, too.  How large that part is, is not known. */
static void take_off(const struct ompp_analysis *a, uint32_t node, const struct ompp_cell *cell,
                     struct ompp_bounded *own, struct ompp_tasking *t)
{
	int64_t off_ns = ompp_visits_off_ns(a, (uint32_t)(cell - a->profile->cells));
	int64_t waits_ns = waits_below(a, node, cell->row), all_ns = ompp_add(own->ns, waits_ns);
	int64_t least_ns = off_ns > waits_ns ? off_ns - waits_ns : 0, most_ns, mean_ns;

	least_ns = least_ns < own->ns ? least_ns : own->ns;
	most_ns = off_ns < own->ns ? off_ns : own->ns;
	mean_ns = off_ns < all_ns ? (int64_t)((__int128)off_ns * own->ns / all_ns) : own->ns;
	own->ns -= mean_ns;
	own->least_ns = own->least_ns > most_ns ? own->least_ns - most_ns : 0;
	own->most_ns -= least_ns;
	t->off_ns = ompp_add(t->off_ns, mean_ns);
}

static void tasking_add_cell(const struct ompp_analysis *a, uint32_t node, int where, const struct ompp_cell *cell,
                             struct ompp_tasking_row *row, struct ompp_tasking *t)
{
	enum ompp_construct construct = a->profile->nodes[node].construct;
	struct ompp_bounded own = tasking_exclusive(a, node, cell);

	if (ompp_construct_is_parallel(construct)) { /* its start and end are no part of what the members did */
		own.ns = ompp_subtract(own.ns, ompp_add(cell->startup_ns, cell->shutdown_ns));
		own.ns = own.ns > 0 ? own.ns : 0;
	}
	if (construct == OMPP_TASKEXEC)
		take_off(a, node, cell, &own, t);
	if (ompp_construct_makes_tasks(construct))
		add_making(t, row, construct, where, cell, &own);
	else
		add_rest(t, row, where, &own, tasking_wait(construct, cell, own.ns));
	if (construct == OMPP_TASKEXEC) {
		t->n_tasks += cell->n_exec;
		row->n_run += cell->n_exec;
	}
}

/* Returns how often bodies were executed in which one thread makes tasks. */
static uint64_t count_alone(const struct ompp_analysis *a, uint32_t team)
{
	const struct ompp_profile *p = a->profile;
	uint64_t n = 0;
	uint32_t last = OMPP_NONE;

	for (uint32_t i = team; i != OMPP_NONE; i = next_in_team(a, i, team)) {
		uint32_t up = p->nodes[i].parent;

		if (a->team[i] != team || !ompp_construct_makes_tasks(p->nodes[i].construct) || up == last ||
		    !tasking_is_alone(p->nodes[up].construct))
			continue;
		for (uint32_t k = 0; k < p->nodes[up].n_cells; k++) {
			const struct ompp_cell *cell = &p->cells[p->nodes[up].first_cell + k];

			n += p->nodes[up].construct == OMPP_SINGLE ? cell->n_body : cell->n_exec;
		}
		last = up;
	}
	return n;
}

static void tasking_add_team(const struct ompp_analysis *a, uint32_t team, struct ompp_tasking_row *rows,
                             struct ompp_tasking *t)
{
	const struct ompp_profile *p = a->profile;
	uint64_t n_visits = 0;

	for (uint32_t i = team; i != OMPP_NONE; i = next_in_team(a, i, team)) {
		const struct ompp_node *node = &p->nodes[i];

		if (a->team[i] == team)
			for (uint32_t k = 0; k < node->n_cells; k++) {
				const struct ompp_cell *cell = &p->cells[node->first_cell + k];

				tasking_add_cell(a, i, where_is(a, i, team), cell, &rows[cell->row], t);
			}
	}
	for (uint32_t k = 0; k < p->nodes[team].n_cells; k++) {
		const struct ompp_cell *cell = &p->cells[p->nodes[team].first_cell + k];
		int64_t ns = ompp_subtract(cell->incl_ns, ompp_add(cell->startup_ns, cell->shutdown_ns));

		n_visits = cell->n_exec > n_visits ? cell->n_exec : n_visits;
		t->span_ns = ompp_add(t->span_ns, ompp_analysis_wall(a, p->nodes[team].first_cell + k, ns));
	}
	t->n_visits += n_visits;
	t->n_alone += count_alone(a, team);
	t->n_threads = p->nodes[team].n_cells > t->n_threads ? p->nodes[team].n_cells : t->n_threads;
}

/* Finds the construct that took longest to make its tasks, over all teams that it is in. */
static void find_task(const struct ompp_analysis *a, struct ompp_tasking *t)
{
	int64_t most_ns = -1;

	for (uint32_t team = a->same_first[0][t->region]; team != OMPP_NONE; team = a->same_next[team])
		for (uint32_t i = team; i != OMPP_NONE; i = next_in_team(a, i, team)) {
			uint32_t region = a->profile->nodes[i].region;
			int64_t ns = a->sums[0][region].incl_ns;

			if (a->team[i] == team && ompp_construct_makes_tasks(a->profile->nodes[i].construct) &&
			    ns > most_ns) {
				most_ns = ns;
				t->task = region;
			}
		}
}

static uint32_t count_kinds(const struct ompp_analysis *a, uint32_t region)
{
	const struct ompp_profile *p = a->profile;
	uint32_t n = 0;

	for (uint32_t r = 0; r < p->n_regions; r++) {
		uint32_t i = a->same_first[1][r];

		while (i != OMPP_NONE && (a->team[i] == OMPP_NONE || p->nodes[a->team[i]].region != region))
			i = a->same_next[i];
		n += i != OMPP_NONE;
	}
	return n;
}

struct ompp_tasking_row *ompp_tasking_rows(const struct ompp_analysis *a)
{
	return ompp_analysis_array(a, a->profile->n_rows, sizeof(struct ompp_tasking_row), 0);
}

void ompp_tasking(const struct ompp_analysis *a, uint32_t region, struct ompp_tasking_row *rows, struct ompp_tasking *t)
{
	size_t n_rows = a->profile->n_rows;

	memset(t, 0, sizeof(*t));
	t->region = region;
	t->task = OMPP_NONE;
	find_task(a, t);
	if (t->task == OMPP_NONE)
		return;
	memset(rows, 0, n_rows * sizeof(*rows));
	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE; i = a->same_next[i])
		tasking_add_team(a, i, rows, t);
	t->n_kinds = count_kinds(a, region);
	t->total_ns = ompp_add(ompp_add(t->make.ns, t->run.ns), ompp_add(t->wait_ns, t->own_ns));
	t->total_ns = ompp_add(t->total_ns, t->off_ns);
	t->rows = rows;
	t->n_rows = n_rows;
}

void ompp_tasking_producers(const struct ompp_analysis *a, uint32_t region, void (*producer)(void *, uint32_t),
                            void *context)
{
	const struct ompp_node *nodes = a->profile->nodes;

	for (uint32_t team = a->same_first[0][region]; team != OMPP_NONE; team = a->same_next[team])
		for (uint32_t i = team; i != OMPP_NONE; i = next_in_team(a, i, team)) {
			if (a->team[i] != team || !ompp_construct_makes_tasks(nodes[i].construct))
				continue;
			for (uint32_t up = nodes[i].parent; up != team; up = nodes[up].parent)
				if (tasking_is_alone(nodes[up].construct))
					producer(context, nodes[up].region);
		}
}
