/*
 * Efficiency: see efficiency.h.
 */
#include "reports/analysis/efficiency.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/classes.h"
#include "reports/analysis/rank_waiting.h"

const struct ompp_efficiency_info ompp_efficiency_infos[OMPP_N_EFFICIENCIES] = {
#define EFFICIENCY(id, depth, name, title, column, words) { name, title, column, words, depth },
#include "reports/analysis/efficiency.def"
#undef EFFICIENCY
};

enum { LEAST_SURE = 20 }; /* waiting for ranks is told where its error is at most such a part of the time */

/* What one process did in a part of the run.  Own cost is in none of the times. */
struct tally {
	int64_t wall_ns;                        /* how long it was there, without starting and ending MPI */
	int64_t mpi_ns;                         /* in MPI outside of teams */
	int64_t parallel_ns;                    /* in parallel regions: from fork to join */
	int64_t team_ns;                        /* of all threads there */
	int64_t team_mpi_ns;                    /* of that, in MPI */
	struct ompp_waited waited, team_waited; /* for other ranks, in MPI outside of teams and in them */
	int64_t balance_ns, scheduling_ns, balance_error_ns, scheduling_error_ns; /* of that, lost to OpenMP */
};

struct process {
	uint32_t n_threads, rank;
	int64_t measured_ns; /* from main() on, while measuring was on */
};

struct judge {
	const struct ompp_analysis *a;
	struct process *processes;
	uint32_t n;
	uint32_t *of_row;       /* the process of each row */
	struct tally *tallies;  /* by process, of the part at hand */
	struct ompp_cell *sums; /* the same, of the call path at hand */
	const struct ompp_efficiencies *all;
};

/* ---- processes ---- */

/* Adds a process with the rows from first on, before end.  Returns 1 when it has one host thread. */
static int add_process(struct judge *j, uint32_t who, uint32_t first, size_t end, uint32_t max_threads,
                       int64_t measured_ns, int64_t before_main_ns)
{
	const struct ompp_row *rows = j->a->profile->rows;
	uint32_t n_threads = 0;
	int is_one = 1;

	for (size_t i = first; i < end; i++) {
		j->of_row[i] = who;
		n_threads += rows[i].rank || rows[i].parent == OMPP_NONE;
		is_one &= rows[i].host == rows[first].host;
	}
	n_threads = n_threads > max_threads ? n_threads : max_threads;
	if (before_main_ns != OMPP_MISSING)
		measured_ns = ompp_subtract(measured_ns, before_main_ns);
	j->processes[who] = (struct process){ n_threads ? n_threads : 1, OMPP_NONE, measured_ns };
	return is_one;
}

static int judge_init(struct judge *j, const struct ompp_analysis *a, struct ompp_efficiencies *e)
{
	const struct ompp_profile *p = a->profile;

	j->a = a;
	j->all = e;
	j->n = p->n_processes ? (uint32_t)p->n_processes : 1;
	j->processes = ompp_analysis_array(a, j->n, sizeof(*j->processes), 0);
	j->of_row = ompp_analysis_array(a, p->n_rows + 1, sizeof(*j->of_row), 0);
	j->tallies = ompp_analysis_array(a, j->n, sizeof(*j->tallies), 0);
	j->sums = ompp_analysis_array(a, j->n, sizeof(*j->sums), 0);
	if (!j->processes || !j->of_row || !j->tallies || !j->sums)
		return -ENOMEM;
	if (!p->n_processes)
		e->has_hosts = !add_process(j, 0, 0, p->n_rows, p->max_threads, a->measured_ns, p->before_main_ns);
	for (uint32_t i = 0; i < p->n_processes; i++) {
		const struct ompp_process *process = &p->processes[i];
		size_t end = i + 1 < p->n_processes ? p->processes[i + 1].first_row : p->n_rows;

		if (!add_process(j, i, process->first_row, end, process->max_threads,
		                 ompp_subtract(process->duration_ns, process->off_ns), process->before_main_ns))
			e->has_hosts = 1;
		j->processes[i].rank = ompp_rank_of_process(process);
	}
	return 0;
}

/* ---- what each process did ---- */

/* Is the row that of a process's first thread? */
static int is_main(const struct ompp_row *row)
{
	return row->parent == OMPP_NONE && !row->rank;
}

static int is_in_team(const struct ompp_analysis *a, uint32_t node)
{
	return a->team[node] != OMPP_NONE;
}

/* Is it a call that starts or ends MPI, which is no part of the program's run? */
static int is_start_of_mpi(const struct ompp_profile *p, const struct ompp_node *node)
{
	static const char *const names[] = { "MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Session_init",
		                             "MPI_Session_finalize" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(p->regions[node->region].name, names[i]))
			return 1;
	return 0;
}

/* Adds a parallel region at one call path. */
static void tally_team(struct judge *j, uint32_t node)
{
	const struct ompp_profile *p = j->a->profile;
	int is_outer = !is_in_team(j->a, p->nodes[node].parent);

	for (uint32_t k = 0; k < p->nodes[node].n_cells; k++) {
		const struct ompp_cell *cell = &p->cells[p->nodes[node].first_cell + k];
		struct tally *t = &j->tallies[j->of_row[cell->row]];

		if (is_outer || p->rows[cell->row].rank) /* rank 0 of an inner team is a thread of the outer one */
			t->team_ns = ompp_add(t->team_ns, cell->exec_ns);
		if (is_outer && is_main(&p->rows[cell->row]))
			t->parallel_ns = ompp_add(t->parallel_ns, cell->exec_ns);
	}
}

/* Adds the overheads of a process at one call path. */
static void tally_overhead(struct tally *t, enum ompp_construct construct, const struct ompp_cell *sum)
{
	int64_t ns[OMPP_N_OVERHEADS] = { 0 }, error_ns[OMPP_N_OVERHEADS] = { 0 };

	ompp_overhead_charge(construct, sum, ns);
	ompp_overhead_charge_error(construct, sum, error_ns);
	t->balance_ns = ompp_add(t->balance_ns, ompp_add(ns[OMPP_IMBAL], ns[OMPP_LIMPAR]));
	t->scheduling_ns = ompp_add(t->scheduling_ns, ompp_add(ns[OMPP_SYNCH], ns[OMPP_MGMT]));
	t->balance_error_ns = ompp_error_add(t->balance_error_ns,
	                                     ompp_error_add(error_ns[OMPP_IMBAL], error_ns[OMPP_LIMPAR]));
	t->scheduling_error_ns = ompp_error_add(t->scheduling_error_ns,
	                                        ompp_error_add(error_ns[OMPP_SYNCH], error_ns[OMPP_MGMT]));
}

/* Adds what of the time in calls of MPI was waiting. */
static void tally_waited(const struct judge *j, uint32_t who, uint32_t region, int64_t time_ns, struct ompp_waited *sum)
{
	struct ompp_waited w = ompp_rank_waited(j->a->profile, region, j->processes[who].rank, time_ns);

	sum->ns = ompp_add(sum->ns, w.ns);
	sum->error_ns = ompp_add(sum->error_ns, w.error_ns);
}

/* Adds a call path in a team. */
static void tally_inside(struct judge *j, uint32_t node)
{
	const struct ompp_profile *p = j->a->profile;
	const struct ompp_node *n = &p->nodes[node];

	for (uint32_t k = 0, end; k < n->n_cells; k = end) { /* the rows of a process are neighbours */
		const struct ompp_cell *cells = &p->cells[n->first_cell];
		struct ompp_cell sum = { 0 };
		uint32_t who = j->of_row[cells[k].row];

		for (end = k; end < n->n_cells && j->of_row[cells[end].row] == who; end++)
			ompp_cell_add(&sum, &cells[end]);
		tally_overhead(&j->tallies[who], n->construct, &sum);
		if (ompp_construct_is_mpi(n->construct)) {
			j->tallies[who].team_mpi_ns = ompp_add(j->tallies[who].team_mpi_ns, sum.exec_ns);
			tally_waited(j, who, n->region, sum.exec_ns, &j->tallies[who].team_waited);
		}
	}
	if (j->a->team[node] == node)
		tally_team(j, node);
}

/* Adds calls of MPI outside of teams. */
static void tally_mpi(struct judge *j, uint32_t node)
{
	const struct ompp_profile *p = j->a->profile;
	const struct ompp_node *n = &p->nodes[node];
	int is_start = is_start_of_mpi(p, n);

	for (uint32_t k = 0; k < n->n_cells; k++) {
		const struct ompp_cell *cell = &p->cells[n->first_cell + k];
		struct tally *t = &j->tallies[j->of_row[cell->row]];

		if (is_start) {
			t->wall_ns = ompp_subtract(t->wall_ns, cell->exec_ns);
			continue;
		}
		t->mpi_ns = ompp_add(t->mpi_ns, cell->exec_ns);
		tally_waited(j, j->of_row[cell->row], n->region, cell->exec_ns, &t->waited);
	}
}

/* Adds what is at and below a call path.  The calls that MPI's functions make back count as MPI. */
static void tally_tree(struct judge *j, uint32_t top)
{
	const struct ompp_analysis *a = j->a;
	const struct ompp_profile *p = a->profile;
	uint32_t mpi = OMPP_NONE;

	for (uint32_t i = top; i != OMPP_NONE && (i == top || a->level[i] > a->level[top]);
	     i = ompp_analysis_next(a, i)) {
		if (mpi != OMPP_NONE && a->level[i] > a->level[mpi])
			continue;
		mpi = OMPP_NONE;
		if (!i)
			continue;
		if (is_in_team(a, i)) {
			tally_inside(j, i);
		} else if (ompp_construct_is_mpi(p->nodes[i].construct)) {
			tally_mpi(j, i);
			mpi = i;
		}
	}
}

/* ---- the efficiencies ---- */

/* Returns n threads' time of ns nanoseconds. */
static int64_t of_threads(int64_t ns, uint32_t n)
{
	int64_t product;

	return __builtin_mul_overflow(ns, (int64_t)n, &product) ? INT64_MAX : product;
}

static int64_t not_negative(int64_t ns)
{
	return ns > 0 ? ns : 0;
}

static int64_t tally_alone_ns(const struct tally *t)
{
	return not_negative(ompp_subtract(ompp_subtract(t->wall_ns, t->mpi_ns), t->parallel_ns));
}

/* Adds the time of a process, or of the slowest of several, if MPI moved data at once.  One that may have more is a
 * part of the error. */
static void ideal_add(struct ompp_efficiency_total *total, int64_t ns, int64_t error_ns, int64_t most_ns)
{
	if (most_ns > total->ideal_most_ns)
		total->ideal_most_ns = most_ns;
	if (ns < total->ideal_ns)
		return;
	total->ideal_ns = ns;
	total->ideal_error_ns = error_ns;
}

/* Adds the time of a process outside of MPI, the mean of its threads, and what it waited. */
static void add_ideal(struct ompp_efficiency_total *total, const struct tally *t, int64_t outside_ns,
                      uint32_t n_threads)
{
	int64_t ns = ompp_add(ompp_add(outside_ns, t->waited.ns), t->team_waited.ns / n_threads);

	int64_t error_ns = ompp_add(t->waited.error_ns, t->team_waited.error_ns / n_threads);

	ideal_add(total, ns, error_ns, ompp_add(ns, error_ns));
}

/* Adds a process.  Returns its time outside of MPI, the mean of its threads. */
static int64_t add_tally(struct ompp_efficiency_total *total, const struct tally *t, uint32_t n_threads)
{
	int64_t outside_ns = not_negative(
		ompp_subtract(of_threads(ompp_subtract(t->wall_ns, t->mpi_ns), n_threads), t->team_mpi_ns));
	int64_t in_teams_ns = not_negative(ompp_subtract(ompp_add(tally_alone_ns(t), t->team_ns), t->team_mpi_ns));

	total->outside_ns = ompp_add(total->outside_ns, outside_ns);
	if (outside_ns / n_threads > total->most_ns)
		total->most_ns = outside_ns / n_threads;
	total->in_teams_ns = ompp_add(total->in_teams_ns, in_teams_ns < outside_ns ? in_teams_ns : outside_ns);
	total->balance_ns = ompp_add(total->balance_ns, t->balance_ns);
	total->scheduling_ns = ompp_add(total->scheduling_ns, t->scheduling_ns);
	total->balance_error_ns = ompp_error_add(total->balance_error_ns, t->balance_error_ns);
	total->scheduling_error_ns = ompp_error_add(total->scheduling_error_ns, t->scheduling_error_ns);
	add_ideal(total, t, outside_ns / n_threads, n_threads);
	return outside_ns / n_threads;
}

/* Returns a share, at most 1: parts and wholes are not read at the same moments. */
static int64_t efficiency_share(int64_t part_ns, int64_t whole_ns)
{
	int64_t share = ompp_share(part_ns, whole_ns);

	return share > 1000000000 ? 1000000000 : share;
}

static void set_openmp(struct ompp_efficiency *e)
{
	const struct ompp_efficiency_total *t = &e->total;
	int64_t teams_ns = not_negative(ompp_subtract(t->in_teams_ns, t->scheduling_ns)), error_ns;

	e->useful_ns = not_negative(ompp_subtract(teams_ns, t->balance_ns));
	error_ns = ompp_error_add(t->balance_error_ns, t->scheduling_error_ns);
	e->share[OMPP_EFFICIENCY_OPENMP] = efficiency_share(e->useful_ns, t->outside_ns);
	e->error[OMPP_EFFICIENCY_OPENMP] = ompp_share(error_ns, t->outside_ns);
	e->share[OMPP_EFFICIENCY_OPENMP_SERIAL] = efficiency_share(t->in_teams_ns, t->outside_ns);
	e->share[OMPP_EFFICIENCY_OPENMP_REGION] = efficiency_share(e->useful_ns, t->in_teams_ns);
	e->error[OMPP_EFFICIENCY_OPENMP_REGION] = ompp_share(error_ns, t->in_teams_ns);
	e->share[OMPP_EFFICIENCY_OPENMP_BALANCE] = efficiency_share(e->useful_ns, teams_ns);
	e->error[OMPP_EFFICIENCY_OPENMP_BALANCE] = ompp_share(error_ns, teams_ns);
	e->share[OMPP_EFFICIENCY_OPENMP_SCHEDULING] = efficiency_share(teams_ns, t->in_teams_ns);
	e->error[OMPP_EFFICIENCY_OPENMP_SCHEDULING] = ompp_share(t->scheduling_error_ns, t->in_teams_ns);
}

static void set_mpi(struct ompp_efficiency *e, const struct ompp_efficiencies *all)
{
	const struct ompp_efficiency_total *t = &e->total;
	int64_t ideal_ns, error_ns = t->ideal_most_ns - t->ideal_ns;

	error_ns = error_ns > t->ideal_error_ns ? error_ns : t->ideal_error_ns;
	e->share[OMPP_EFFICIENCY_MPI] = efficiency_share(t->outside_ns, of_threads(e->wall_ns, e->n_threads));
	if (all->is_part)
		return;
	e->share[OMPP_EFFICIENCY_MPI_BALANCE] = efficiency_share(t->outside_ns, of_threads(t->most_ns, e->n_threads));
	e->share[OMPP_EFFICIENCY_MPI_COMMUNICATION] = efficiency_share(t->most_ns, e->wall_ns);
	if (error_ns > e->wall_ns / LEAST_SURE || t->ideal_ns <= 0)
		return;
	ideal_ns = t->ideal_ns < e->wall_ns ? t->ideal_ns : e->wall_ns;
	e->share[OMPP_EFFICIENCY_MPI_SERIALISATION] = efficiency_share(t->most_ns, ideal_ns);
	e->error[OMPP_EFFICIENCY_MPI_SERIALISATION] = ompp_share(error_ns, ideal_ns);
	e->share[OMPP_EFFICIENCY_MPI_TRANSFER] = efficiency_share(ideal_ns, e->wall_ns);
	e->error[OMPP_EFFICIENCY_MPI_TRANSFER] = ompp_share(error_ns, e->wall_ns);
}

void ompp_efficiency_set(struct ompp_efficiency *e, const struct ompp_efficiencies *all)
{
	int64_t all_ns = of_threads(e->wall_ns, e->n_threads);

	for (int k = 0; k < OMPP_N_EFFICIENCIES; k++)
		e->share[k] = OMPP_MISSING;
	e->useful_ns = OMPP_MISSING;
	if (all->has_hosts || e->wall_ns <= 0)
		return;
	set_openmp(e);
	if (all->has_mpi)
		set_mpi(e, all);
	if (all->has_mpi || (e->n_processes == 1 && !all->is_part)) {
		e->share[OMPP_EFFICIENCY_PARALLEL] = efficiency_share(e->useful_ns, all_ns);
		e->error[OMPP_EFFICIENCY_PARALLEL] = ompp_share(ompp_error_add(e->total.balance_error_ns,
		                                                               e->total.scheduling_error_ns),
		                                                all_ns);
	}
}

void ompp_efficiency_add(struct ompp_efficiency *e, const struct ompp_efficiency *other)
{
	struct ompp_efficiency_total *t = &e->total;
	const struct ompp_efficiency_total *o = &other->total;

	e->n_processes += other->n_processes;
	e->n_threads += other->n_threads;
	e->wall_ns = other->wall_ns > e->wall_ns ? other->wall_ns : e->wall_ns;
	t->outside_ns = ompp_add(t->outside_ns, o->outside_ns);
	t->most_ns = o->most_ns > t->most_ns ? o->most_ns : t->most_ns;
	ideal_add(t, o->ideal_ns, o->ideal_error_ns, o->ideal_most_ns);
	t->in_teams_ns = ompp_add(t->in_teams_ns, o->in_teams_ns);
	t->balance_ns = ompp_add(t->balance_ns, o->balance_ns);
	t->scheduling_ns = ompp_add(t->scheduling_ns, o->scheduling_ns);
	t->balance_error_ns = ompp_error_add(t->balance_error_ns, o->balance_error_ns);
	t->scheduling_error_ns = ompp_error_add(t->scheduling_error_ns, o->scheduling_error_ns);
}

/* Returns 0 or -ENOMEM. */
static int judge_set(const struct judge *j, struct ompp_efficiency *e)
{
	int64_t *outside_ns = ompp_analysis_array(j->a, j->n, sizeof(*outside_ns), 0);
	int64_t *alone_ns = ompp_analysis_array(j->a, j->n, sizeof(*alone_ns), 0);

	if (!outside_ns || !alone_ns)
		return -ENOMEM;
	e->outside_ns = outside_ns;
	e->alone_ns = alone_ns;
	e->n_processes = j->n;
	for (uint32_t i = 0; i < j->n; i++) {
		struct tally *t = &j->tallies[i];

		t->wall_ns = not_negative(t->wall_ns);
		e->n_threads += j->processes[i].n_threads;
		e->wall_ns = t->wall_ns > e->wall_ns ? t->wall_ns : e->wall_ns;
		alone_ns[i] = tally_alone_ns(t);
		outside_ns[i] = add_tally(&e->total, t, j->processes[i].n_threads);
	}
	ompp_efficiency_set(e, j->all);
	return 0;
}

/* ---- parts of the run ---- */

/* Returns 0 or -ENOMEM. */
static int judge_run(struct judge *j, struct ompp_efficiency *e)
{
	const struct ompp_profile *p = j->a->profile;

	for (uint32_t i = 0; i < j->n; i++)
		j->tallies[i] = (struct tally){ .wall_ns = j->processes[i].measured_ns };
	for (uint32_t c = p->n_nodes ? j->a->first_child[0] : OMPP_NONE; c != OMPP_NONE; c = j->a->next_sibling[c])
		for (uint32_t k = 0; k < p->nodes[c].n_cells; k++) {
			const struct ompp_cell *cell = &p->cells[p->nodes[c].first_cell + k];
			struct tally *t = &j->tallies[j->of_row[cell->row]];

			if (is_main(&p->rows[cell->row]))
				t->wall_ns = ompp_subtract(t->wall_ns, cell->cost_ns);
		}
	if (p->n_nodes)
		tally_tree(j, 0);
	return judge_set(j, e);
}

/* Is the call path inside a team, or inside the same region? */
static int is_inside(const struct ompp_analysis *a, uint32_t node)
{
	const struct ompp_node *nodes = a->profile->nodes;

	for (uint32_t i = nodes[node].parent; i; i = nodes[i].parent)
		if (is_in_team(a, i) || nodes[i].region == nodes[node].region)
			return 1;
	return 0;
}

/* Judges a region.  Returns 1, 0 when it was executed in teams alone, or -ENOMEM. */
static int judge_region(struct judge *j, uint32_t region, struct ompp_efficiency *e)
{
	const struct ompp_analysis *a = j->a;
	const struct ompp_profile *p = a->profile;
	int is_there = 0;

	memset(j->tallies, 0, j->n * sizeof(*j->tallies));
	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE; i = a->same_next[i]) {
		if (is_inside(a, i))
			continue;
		is_there = 1;
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			const struct ompp_cell *cell = &p->cells[p->nodes[i].first_cell + k];
			struct tally *t = &j->tallies[j->of_row[cell->row]];

			if (is_main(&p->rows[cell->row]))
				t->wall_ns = ompp_add(t->wall_ns, cell->exec_ns);
		}
		tally_tree(j, i);
	}
	return is_there && judge_set(j, e) ? -ENOMEM : is_there;
}

static int has_efficiency(enum ompp_construct construct)
{
	return ompp_construct_is_parallel(construct) || construct == OMPP_USER_REGION || construct == OMPP_FUNCTION;
}

/* Returns 0 or -ENOMEM. */
static int efficiencies_make(const struct ompp_analysis *a, struct ompp_efficiencies *e)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_efficiency *list = ompp_analysis_array(a, p->n_regions + 1, sizeof(*list), 0);
	struct judge j;

	if (!list || judge_init(&j, a, e))
		return -ENOMEM;
	for (size_t i = 0; i < p->n_regions; i++)
		e->has_mpi |= ompp_construct_is_mpi(p->regions[i].construct);
	e->is_part = p->mpi_size > (int)j.n;
	e->list = list;
	list[e->n].region = OMPP_NONE;
	if (judge_run(&j, &list[e->n++]))
		return -ENOMEM;
	for (uint32_t r = 0; r < p->n_regions; r++) {
		int is_there = 0;

		list[e->n].region = r;
		if (has_efficiency(p->regions[r].construct))
			is_there = judge_region(&j, r, &list[e->n]);
		if (is_there < 0)
			return is_there;
		e->n += (size_t)is_there;
	}
	return 0;
}

const struct ompp_efficiencies *ompp_efficiencies(const struct ompp_analysis *a)
{
	struct ompp_efficiencies *made = a->made->efficiencies;

	if (made)
		return made;
	made = ompp_analysis_array(a, 1, sizeof(*made), 0);
	if (!made || efficiencies_make(a, made))
		return NULL;
	a->made->efficiencies = made;
	return made;
}

int ompp_efficiencies_are_there(const struct ompp_profile *p)
{
	if (p->n_processes > 1)
		for (size_t i = 0; i < p->n_regions; i++)
			if (ompp_construct_is_mpi(p->regions[i].construct))
				return 1;
	return 0;
}
