/*
 * Classes: see classes.h.
 */
#include "reports/analysis/classes.h"

#include <errno.h>
#include <string.h>

const char *ompp_overhead_title(enum ompp_overhead overhead)
{
	static const char *const titles[] = {
		[OMPP_SYNCH] = "Synch", [OMPP_IMBAL] = "Imbal", [OMPP_LIMPAR] = "Limpar", [OMPP_MGMT] = "Mgmt"
	};

	return titles[overhead];
}

const char *ompp_overhead_name(enum ompp_overhead overhead)
{
	static const char *const names[] = { [OMPP_SYNCH] = "synchronisation",
		                             [OMPP_IMBAL] = "imbalance",
		                             [OMPP_LIMPAR] = "limited parallelism",
		                             [OMPP_MGMT] = "management" };

	return names[overhead];
}

/* Did some threads get no section?  Then the construct was executed more often than section bodies ran, where these are
 * known. */
static int has_idle_threads(const struct ompp_cell *sum)
{
	return sum->body_ns != OMPP_MISSING && sum->n_body < sum->n_exec;
}

void ompp_overhead_charge(enum ompp_construct construct, const struct ompp_cell *sum,
                          int64_t overhead_ns[OMPP_N_OVERHEADS])
{
	int64_t add[OMPP_N_OVERHEADS + 1] = { 0 }; /* the last one is work, and is left out */
	int class = ompp_constructs[construct].overhead;

	switch (ompp_constructs[construct].form) {
	case OMPP_FORM_PLAIN:
	case OMPP_FORM_TARGET:
	case OMPP_FORM_MESSAGE:
	case OMPP_FORM_TASK:
	case OMPP_FORM_TASKS:
		add[class] = ompp_subtract(sum->exec_ns, sum->task_ns);
		break;
	case OMPP_FORM_WAIT:
		add[OMPP_SYNCH] = sum->incl_ns; /* waitT, less the tasks that ran during the wait */
		break;
	case OMPP_FORM_CRITICAL:
	case OMPP_FORM_LOCK:
		add[OMPP_SYNCH] = sum->enter_ns;
		add[OMPP_MGMT] = sum->exit_ns;
		break;
	case OMPP_FORM_LOOP:
	case OMPP_FORM_SINGLE:
		add[class] = sum->exit_bar_ns;
		break;
	case OMPP_FORM_SECTIONS:
		add[OMPP_MGMT] = sum->mgmt_ns;
		add[has_idle_threads(sum) ? OMPP_LIMPAR : class] = sum->exit_bar_ns;
		break;
	case OMPP_FORM_TEAM:
		add[OMPP_MGMT] = ompp_add(sum->startup_ns, sum->shutdown_ns);
		add[class] = sum->exit_bar_ns;
		break;
	case OMPP_FORM_TEAM_SECTIONS:
		add[OMPP_MGMT] = ompp_add(sum->startup_ns, sum->shutdown_ns);
		add[has_idle_threads(sum) ? OMPP_LIMPAR : class] = sum->exit_bar_ns;
		break;
	}
	for (int i = 0; i < OMPP_N_OVERHEADS; i++) /* an unknown time goes to no class; a note says so */
		overhead_ns[i] = ompp_add(overhead_ns[i], add[i] == OMPP_MISSING ? 0 : add[i]);
}

void ompp_overhead_charge_error(enum ompp_construct construct, const struct ompp_cell *sum,
                                int64_t error_ns[OMPP_N_OVERHEADS])
{
	enum ompp_form form = ompp_constructs[construct].form;
	int class = ompp_constructs[construct].overhead;

	if (!sum->n_untimed)
		return;
	if (form == OMPP_FORM_PLAIN && class < OMPP_N_OVERHEADS)
		error_ns[class] = ompp_error_add(error_ns[class], sum->error_ns);
	if (form == OMPP_FORM_CRITICAL || form == OMPP_FORM_LOCK) {
		error_ns[OMPP_SYNCH] = ompp_error_add(error_ns[OMPP_SYNCH], sum->enter_error_ns);
		error_ns[OMPP_MGMT] = ompp_error_add(error_ns[OMPP_MGMT], sum->exit_error_ns);
	}
}

int64_t ompp_overhead_error_ns(const int64_t error_ns[OMPP_N_OVERHEADS])
{
	int64_t sum_ns = 0;

	for (int i = 0; i < OMPP_N_OVERHEADS; i++)
		sum_ns = ompp_error_add(sum_ns, error_ns[i]);
	return sum_ns;
}

/* Is the PARALLEL inside the same region? */
static int is_inside_itself(const struct ompp_analysis *a, uint32_t node)
{
	const struct ompp_node *nodes = a->profile->nodes;
	uint32_t team = a->team[nodes[node].parent];

	while (team != OMPP_NONE && nodes[team].region != nodes[node].region)
		team = a->team[nodes[team].parent];
	return team != OMPP_NONE;
}

/* Adds a PARALLEL at one call path.
 *
 *   sum: the sum of its cells
 *
 *   first: the sum of the cells of the first threads of its teams */
static void add_team(const struct ompp_analysis *a, uint32_t node, const struct ompp_cell *sum,
                     const struct ompp_cell *first, struct ompp_parallel *p)
{
	int is_outer = a->team[a->profile->nodes[node].parent] == OMPP_NONE;

	p->total_ns = ompp_add(p->total_ns, sum->exec_ns);
	p->own_ns = ompp_add(p->own_ns, is_outer ? sum->exec_ns : ompp_subtract(sum->exec_ns, first->exec_ns));
	p->cost_ns = ompp_add(p->cost_ns, is_outer ? sum->cost_ns : ompp_subtract(sum->cost_ns, first->cost_ns));
	if (!is_inside_itself(a, node))
		p->wall_ns = ompp_add(p->wall_ns, a->wall_ns[node]);
	if (is_outer)
		p->outer_wall_ns = ompp_add(p->outer_wall_ns, a->wall_ns[node]);
}

static void add_node(const struct ompp_analysis *a, uint32_t node, struct ompp_parallel *p)
{
	const struct ompp_profile *profile = a->profile;
	struct ompp_cell sum = { 0 }, first = { 0 };

	for (uint32_t k = 0; k < profile->nodes[node].n_cells; k++) {
		const struct ompp_cell *cell = &profile->cells[profile->nodes[node].first_cell + k];

		ompp_cell_add(&sum, cell);
		if (!profile->rows[cell->row].rank)
			ompp_cell_add(&first, cell);
	}
	ompp_overhead_charge(profile->nodes[node].construct, &sum, p->overhead_ns);
	ompp_overhead_charge_error(profile->nodes[node].construct, &sum, p->error_ns);
	if (a->team[node] == node)
		add_team(a, node, &sum, &first, p);
}

/* Does more than one thread, or another device, work in this construct? */
static int is_parallel(enum ompp_construct construct)
{
	return ompp_construct_is_parallel(construct) || construct == OMPP_TEAMS || construct == OMPP_TARGET;
}

/* Returns the profiler's own cost that was taken out of the times of a call path, as the mean of its threads. */
static int64_t cost_of(const struct ompp_profile *p, uint32_t node)
{
	int64_t ns = 0, n = p->nodes[node].n_cells;

	for (uint32_t k = 0; k < n; k++)
		ns = ompp_add(ns, p->cells[p->nodes[node].first_cell + k].cost_ns);
	return n ? ns / n : 0;
}

/* Returns the wall-clock time of the outermost constructs for which is_parallel() holds, own cost included.  Marks the
 * nodes inside them. */
static int64_t parallel_ns(const struct ompp_analysis *a, uint8_t *inside)
{
	const struct ompp_profile *p = a->profile;
	int64_t ns = 0;

	for (uint32_t i = 1; i < p->n_nodes; i++) {
		inside[i] = inside[p->nodes[i].parent] || is_parallel(p->nodes[i].construct);
		if (inside[i] && !inside[p->nodes[i].parent])
			ns = ompp_add(ns, ompp_add(a->wall_ns[i], cost_of(p, i)));
	}
	return ns;
}

/* Returns the wall-clock time of calls of MPI outside of the marked nodes. */
static int64_t mpi_ns(const struct ompp_analysis *a, const uint8_t *inside)
{
	const struct ompp_profile *p = a->profile;
	int64_t ns = 0;

	for (uint32_t i = 1; i < p->n_nodes; i++)
		if (!inside[i] && ompp_construct_is_mpi(p->nodes[i].construct))
			ns = ompp_add(ns, a->wall_ns[i]);
	return ns;
}

/* Returns the time of all threads in calls of MPI within parallel regions. */
static int64_t team_mpi_ns(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t ns = 0;

	for (uint32_t i = 1; i < p->n_nodes; i++)
		if (a->team[i] != OMPP_NONE && ompp_construct_is_mpi(p->nodes[i].construct))
			for (uint32_t k = 0; k < p->nodes[i].n_cells; k++)
				ns = ompp_add(ns, p->cells[p->nodes[i].first_cell + k].exec_ns);
	return ns;
}

/* Returns the number of host threads.  Rows of one host are neighbours. */
static uint32_t count_hosts(const struct ompp_profile *p)
{
	uint32_t n = p->n_rows != 0;

	for (size_t i = 1; i < p->n_rows; i++)
		n += p->rows[i].host != p->rows[i - 1].host;
	return n;
}

static void find_serial(const struct ompp_analysis *a, struct ompp_classes *c, uint8_t *inside)
{
	uint32_t n_processes = a->profile->n_merged ? a->profile->n_merged : 1;

	c->serial_ns = c->idle_ns = OMPP_MISSING;
	if (count_hosts(a->profile) > n_processes)
		return;
	c->serial_ns = ompp_subtract(a->measured_ns, parallel_ns(a, inside));
	if (c->serial_ns < 0)
		c->serial_ns = 0;
	if (a->profile->before_main_ns > 0)
		c->before_ns = a->profile->before_main_ns < c->serial_ns ? a->profile->before_main_ns : c->serial_ns;
	c->mpi_ns = mpi_ns(a, inside);
	if (c->mpi_ns > c->serial_ns - c->before_ns)
		c->mpi_ns = c->serial_ns - c->before_ns;
	if (__builtin_mul_overflow(c->serial_ns, (int64_t)a->n_threads - n_processes, &c->idle_ns) || c->idle_ns < 0)
		c->idle_ns = 0;
}

/* Sums up what threads do that the program made without OpenMP.
 * inside: room for a byte a node */
static void find_threads(const struct ompp_analysis *a, struct ompp_classes *c, uint8_t *inside)
{
	const struct ompp_profile *p = a->profile;

	for (uint32_t i = 1; i < p->n_nodes; i++) {
		enum ompp_construct construct = p->nodes[i].construct;

		inside[i] = inside[p->nodes[i].parent] || construct == OMPP_THREAD;
		if (a->team[i] != OMPP_NONE)
			continue;
		if (ompp_construct_is_wait(construct))
			c->thread_wait_ns = ompp_add(c->thread_wait_ns, ompp_analysis_exclusive_ns(a, i));
		else if (inside[i])
			c->thread_work_ns = ompp_add(c->thread_work_ns, ompp_analysis_exclusive_ns(a, i));
	}
}

static void sum_up(const struct ompp_analysis *a, struct ompp_classes *c)
{
	for (size_t i = 0; i < c->n; i++) {
		c->sum.total_ns = ompp_add(c->sum.total_ns, c->list[i].own_ns);
		c->sum.cost_ns = ompp_add(c->sum.cost_ns, c->list[i].cost_ns);
		c->sum.outer_wall_ns = ompp_add(c->sum.outer_wall_ns, c->list[i].outer_wall_ns);
		for (int k = 0; k < OMPP_N_OVERHEADS; k++) {
			c->sum.overhead_ns[k] = ompp_add(c->sum.overhead_ns[k], c->list[i].overhead_ns[k]);
			c->sum.error_ns[k] = ompp_error_add(c->sum.error_ns[k], c->list[i].error_ns[k]);
		}
	}
	c->sum.own_ns = c->sum.total_ns;
	c->team_mpi_ns = team_mpi_ns(a);
	/* host threads that are in parallel regions at the same time can make it more */
	c->covered_ns = c->sum.outer_wall_ns < a->measured_ns ? c->sum.outer_wall_ns : a->measured_ns;
}

static int classes_make(const struct ompp_analysis *a, struct ompp_classes *c)
{
	const struct ompp_profile *p = a->profile;
	uint32_t *index = ompp_arena_alloc(a->arena, p->n_regions * sizeof(*index));
	uint8_t *inside = ompp_arena_alloc(a->arena, p->n_nodes);

	memset(c, 0, sizeof(*c));
	c->list = ompp_arena_alloc(a->arena, p->n_regions * sizeof(*c->list));
	if (!index || !inside || !c->list)
		return -ENOMEM;
	for (uint32_t r = 0; r < p->n_regions; r++)
		if (ompp_construct_is_parallel(p->regions[r].construct)) {
			index[r] = (uint32_t)c->n;
			c->list[c->n++].region = r;
		}
	for (uint32_t i = 1; i < p->n_nodes; i++)
		if (a->team[i] != OMPP_NONE)
			add_node(a, i, &c->list[index[p->nodes[a->team[i]].region]]);
	sum_up(a, c);
	find_serial(a, c, inside);
	memset(inside, 0, p->n_nodes);
	find_threads(a, c, inside);
	return 0;
}

int ompp_classes(const struct ompp_analysis *a, struct ompp_classes *c)
{
	struct ompp_classes *made = a->made->classes;

	if (!made) {
		made = ompp_arena_alloc(a->arena, sizeof(*made));
		if (!made || classes_make(a, made))
			return -ENOMEM;
		a->made->classes = made;
	}
	*c = *made;
	return 0;
}
