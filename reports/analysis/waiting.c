/*
 * Waiting: see waiting.h.
 */
#include "reports/analysis/waiting.h"

#include <string.h>

#include "runtime/terms/wait.h"

static int64_t waiting_known(int64_t ns)
{
	return ns == OMPP_MISSING ? 0 : ns;
}

int64_t ompp_wait_ns(enum ompp_construct construct, const struct ompp_cell *cell)
{
	int64_t ns = construct == OMPP_BARRIER ? ompp_subtract(cell->exec_ns, waiting_known(cell->task_ns))
	                                       : waiting_known(cell->exit_bar_ns);

	return ns < 0 ? 0 : ns;
}

/* Returns ns × part / whole. */
static int64_t share_of(int64_t ns, int64_t part, int64_t whole)
{
	__int128 share = whole > 0 ? (__int128)ns * part / whole : 0;

	return share > INT64_MAX ? INT64_MAX : (int64_t)share;
}

/* The slices of a team's rows are the same ones.  Those of several processes are not: with the fewest, a difference has
 * to be largest, and where one has none, nothing is known of all rows. */
static void add_early(struct ompp_waiting *w, const struct ompp_wait *wait, int is_first)
{
	struct ompp_early early = { wait->earlier_ns, wait->earlier_error_ns };

	if (is_first || early.ns > w->earliest.ns)
		w->earliest = early;
	if (is_first || early.ns < w->latest.ns)
		w->latest = early;
	w->usual_body_ns = ompp_add_known(is_first ? 0 : w->usual_body_ns, wait->usual_body_ns);
	w->usual_before_ns = ompp_add_known(is_first ? 0 : w->usual_before_ns, wait->usual_before_ns);
	if (is_first || wait->n_look_slices < w->n_look_slices)
		w->n_look_slices = wait->n_look_slices;
}

static void add_row(struct ompp_waiting *w, const struct ompp_wait *wait, int is_first)
{
	struct ompp_work work = { wait->n,         wait->n ? wait->work_ns / (int64_t)ompp_count(wait->n) : 0,
		                  wait->spread_ns, wait->least_ns,
		                  wait->most_ns,   wait->n_slices,
		                  wait->apart_ns,  wait->apart_error_ns,
		                  wait->pace_ps,   waiting_known(wait->n_faults) };

	w->n_waits += wait->n;
	w->n_looked += wait->n_looked;
	w->looked_ns = ompp_add(w->looked_ns, waiting_known(wait->looked_ns));
	for (int i = 0; i < OMPP_N_CAUSES; i++)
		w->cause_ns[i] = ompp_add(w->cause_ns[i], waiting_known(wait->cause_ns[i]));
	w->off_ns = ompp_add(w->off_ns, waiting_known(wait->off_ns));
	w->asleep_ns = ompp_add(w->asleep_ns, waiting_known(wait->asleep_ns));
	w->made_ns = ompp_add(w->made_ns, waiting_known(wait->made_ns));
	add_early(w, wait, is_first);
	if (!wait->n || wait->work_ns == OMPP_MISSING)
		return;
	if (!w->most.n || work.mean_ns > w->most.mean_ns)
		w->most = work;
	if (!w->least.n || work.mean_ns < w->least.mean_ns)
		w->least = work;
}

/* Returns the square of the standard error of a mean, times 2^20 so that short ones do not vanish. */
static unsigned __int128 error_square(const struct ompp_work *work)
{
	uint64_t spread = (uint64_t)(work->spread_ns > INT64_MAX >> 12 ? INT64_MAX >> 12 : work->spread_ns);

	return ((unsigned __int128)spread * spread << 20) / work->n;
}

/* Returns how long a hypervisor had the processor of which it took most, in thousandths of the time that was left of
 * the run; 0 where nobody knows, or nothing was taken. */
static int64_t waiting_stolen_milli(const struct ompp_profile *p)
{
	if (p->stolen_most_ns <= 0)
		return 0;
	if (p->stolen_most_ns >= p->duration_ns - p->stolen_most_ns)
		return 1000;
	return share_of(1000, p->stolen_most_ns, p->duration_ns - p->stolen_most_ns);
}

static int is_significant(const struct ompp_work *least, const struct ompp_work *most)
{
	uint64_t apart = (uint64_t)(most->mean_ns - least->mean_ns);
	unsigned __int128 errors = error_square(least) + error_square(most);

	if (apart > (uint64_t)INT64_MAX >> 12)
		apart = (uint64_t)INT64_MAX >> 12;
	return (unsigned __int128)apart * apart << 20 > errors * (OMPP_STANDARD_ERRORS * OMPP_STANDARD_ERRORS);
}

/* Thousandths of Student's t that one in 10,000 exceeds, for 3 to 15 degrees of freedom. */
static const int64_t student_milli[] = {
	22204, 13034, 9678, 8025, 7063, 6442, 6010, 5694, 5453, 5263, 5111, 4985, 4880
};

enum { NEIGHBOURS_PART = 5 };
enum { MOST_BY_CHANCE = 3 }; /* times the error that the executions' own spread leads to */

/* Returns by how much longer work_ns could take one row than the other because its processor was slower: the square of
 * the ratio of the paces, less 1; and what a hypervisor took from one processor, in the same proportion to the rest of
 * the run as to the work. */
static int64_t by_speed(const struct ompp_waiting *w, int64_t work_ns, int64_t fast_ps, int64_t slow_ps)
{
	__int128 by = 0;

	if (fast_ps > 0 && slow_ps > fast_ps)
		by = (__int128)work_ns * slow_ps / fast_ps * slow_ps / fast_ps - work_ns;
	by += (__int128)work_ns * w->stolen_milli / 1000;
	return by > INT64_MAX ? INT64_MAX : (int64_t)by;
}

/* Returns what of work_ns may be the neighbours' on the core of a thread of that pace, and not on another's: a part of
 * what they take from the pace, whose additions lose more than most work does. */
static int64_t by_neighbours(const struct ompp_waiting *w, int64_t work_ns, int64_t pace_ps)
{
	if (w->least_pace_ps <= 0 || pace_ps <= w->least_pace_ps)
		return 0;
	return share_of(work_ns, pace_ps - w->least_pace_ps, w->least_pace_ps) / NEIGHBOURS_PART;
}

/* Returns by how much longer work_ns could take a row of one pace than one of another. */
static int64_t by_machine(const struct ompp_waiting *w, int64_t work_ns, int64_t fast_ps, int64_t slow_ps)
{
	int64_t speed = by_speed(w, work_ns, fast_ps, slow_ps), neighbours = by_neighbours(w, work_ns, slow_ps);

	return speed > neighbours ? speed : neighbours;
}

static int64_t slower_by(const struct ompp_waiting *w)
{
	return by_machine(w, w->least.mean_ns, w->least.pace_ps, w->most.pace_ps);
}

int ompp_waiting_is_more(const struct ompp_waiting *w, int64_t work_ns, int64_t apart_ns)
{
	int64_t one_ps = w->least.pace_ps, other_ps = w->most.pace_ps;
	int64_t by_ns = by_machine(w, work_ns, one_ps < other_ps ? one_ps : other_ps,
	                           one_ps < other_ps ? other_ps : one_ps);

	return apart_ns > work_ns / OMPP_LEAST_DIFFERENCE && apart_ns > by_ns &&
	       (w->most.n >= OMPP_MANY_EXECUTIONS || apart_ns > OMPP_LEAST_DIFFERENCE_NS);
}

/* Do the page faults that the row with most work has beyond those of the one with least explain a third of the
 * difference, by what a fault takes at least?  That is measured with few pages, which are in the caches; those of the
 * program take up to three times as long. */
static int is_by_faults(const struct ompp_waiting *w, int64_t apart_ns)
{
	__int128 ps;

	if (w->fault_ps <= 0 || !w->most.n || !w->least.n)
		return 0;
	ps = (__int128)w->fault_ps * w->most.faults / w->most.n - (__int128)w->fault_ps * w->least.faults / w->least.n;
	return ps / 1000 >= apart_ns / 3 && ps > 0;
}

/* Returns the standard deviation of a row's executions without the longest one, which is often the first: it touches
 * memory first, or fetches everything. */
static int64_t usual_spread(const struct ompp_work *work)
{
	unsigned __int128 squares, longest;
	uint64_t above = work->most_ns > work->mean_ns ? (uint64_t)(work->most_ns - work->mean_ns) : 0;

	if (work->spread_ns == OMPP_MISSING || work->n < 3)
		return work->spread_ns == OMPP_MISSING ? 0 : work->spread_ns;
	squares = (unsigned __int128)work->spread_ns * (uint64_t)work->spread_ns * (work->n - 1);
	longest = (unsigned __int128)above * above;
	return squares > longest ? (int64_t)ompp_root((squares - longest) / (work->n - 2)) : 0;
}

/* Returns the standard error of a row's mean if executions were independent. */
static int64_t error_by_chance(const struct ompp_work *work)
{
	return usual_spread(work) / (int64_t)ompp_root(work->n);
}

/* Is a difference that n slices tell beyond chance? */
static int is_lasting(int64_t apart_ns, int64_t error_ns, uint64_t n)
{
	n = n < OMPP_N_SLICES ? n : OMPP_N_SLICES;
	return (__int128)apart_ns * 1000 > (__int128)error_ns * student_milli[n - OMPP_LEAST_SLICES];
}

/* Do rows wait for each other's work longer than machines let them, in the mean of all executions, where all_ns is the
 * sum, and in the median slice?  usual_ns: what all rows wait there in an execution */
static int is_varying(const struct ompp_waiting *w, int64_t usual_ns, int64_t all_ns, int64_t work_ns)
{
	int64_t least_ns = all_ns / ompp_count(w->most.n);

	if (w->n_look_slices >= OMPP_LEAST_SLICES && usual_ns != OMPP_MISSING && usual_ns < least_ns)
		least_ns = usual_ns;
	return w->n_others && least_ns > ompp_times(work_ns, w->n_others) / OMPP_LEAST_SPREAD;
}

int ompp_waiting_is_before(const struct ompp_waiting *w, int64_t work_ns)
{
	int64_t apart_ns = w->earliest.ns - w->latest.ns;

	if (w->n_look_slices < OMPP_LEAST_SLICES || w->earliest.error_ns == OMPP_MISSING ||
	    w->latest.error_ns == OMPP_MISSING ||
	    is_lasting(apart_ns, ompp_add(w->earliest.error_ns, w->latest.error_ns), w->n_look_slices))
		return 1;
	return is_varying(w, w->usual_before_ns, w->cause_ns[OMPP_CAUSE_BEFORE], work_ns);
}

/* Returns by how much the executions of rows have to differ.  What slows a processor lasts for up to minutes: of those
 * of less than a second in all nothing tells whether it did, and they must differ by more than it does. */
static int64_t least_apart(const struct ompp_work *most)
{
	int is_long = (__int128)most->mean_ns * most->n >= OMPP_LONG_NS;

	return most->mean_ns / (is_long ? OMPP_LEAST_DIFFERENCE : OMPP_LEAST_SPREAD);
}

static int has_slices(const struct ompp_waiting *w)
{
	return w->most.n_slices >= OMPP_LEAST_SLICES && w->most.apart_error_ns != OMPP_MISSING &&
	       w->least.apart_error_ns != OMPP_MISSING;
}

/* Judges by slices of the run.
 * least_ns: by how much the executions have to differ */
static enum ompp_verdict judge_slices(const struct ompp_waiting *w, int64_t least_ns)
{
	const struct ompp_work *least = &w->least, *most = &w->most;
	int64_t apart = most->apart_ns - least->apart_ns;
	/* for two rows these are the same observations; for more the sum is an upper bound */
	int64_t error = ompp_add(most->apart_error_ns, least->apart_error_ns);
	int lasts = is_lasting(apart, error, most->n_slices) && apart > least_ns;

	if (lasts && apart > slower_by(w))
		return is_by_faults(w, apart) ? OMPP_WORK_FAULTS : OMPP_WORK_UNEQUAL;
	if (lasts)
		return OMPP_WORK_SPEED;
	return error / MOST_BY_CHANCE > ompp_add(error_by_chance(most), error_by_chance(least)) ? OMPP_WORK_SPEED
	                                                                                        : OMPP_WORK_EQUAL;
}

static enum ompp_verdict judge_few(const struct ompp_waiting *w)
{
	int64_t apart = w->most.mean_ns - w->least.mean_ns;

	if (apart <= least_apart(&w->most) || apart <= OMPP_LEAST_DIFFERENCE_NS || apart <= w->off_ns / OMPP_OFF_ERROR)
		return OMPP_WORK_EQUAL;
	return apart > slower_by(w) ? OMPP_WORK_UNEQUAL_ONCE : OMPP_WORK_SPEED;
}

static enum ompp_verdict waiting_judge(const struct ompp_waiting *w, int is_cpu_known)
{
	uint64_t n = w->least.n < w->most.n ? w->least.n : w->most.n;

	if (!n)
		return OMPP_WORK_UNKNOWN;
	if (has_slices(w))
		return judge_slices(w, least_apart(&w->most));
	if (n < OMPP_MANY_EXECUTIONS || w->least.spread_ns == OMPP_MISSING || w->most.spread_ns == OMPP_MISSING)
		return is_cpu_known ? judge_few(w) : OMPP_WORK_UNKNOWN;
	return is_significant(&w->least, &w->most) || w->most.least_ns > w->least.most_ns ? OMPP_WORK_UNEQUAL
	                                                                                  : OMPP_WORK_EQUAL;
}

/* Returns by how much all rows together worked less than the one that worked most. */
static int64_t waiting_unequal(const struct ompp_analysis *a, const struct ompp_node *node,
                               const struct ompp_waiting *w)
{
	int64_t sum = 0;

	for (uint32_t k = 0; k < node->n_cells; k++) {
		const struct ompp_wait *wait = a->wait[node->first_cell + k];

		if (!wait || !wait->n || wait->work_ns == OMPP_MISSING)
			continue;
		sum = ompp_add(sum, share_of(w->most.mean_ns - wait->work_ns / (int64_t)ompp_count(wait->n),
		                             ompp_count(wait->n), 1));
	}
	return sum;
}

/* Computes how much of the waiting the verdict explains.  Waits too short to have a cause of their own are explained by
 * the inequality over all executions. */
static void waiting_explain(struct ompp_waiting *w, int is_cpu_known)
{
	int64_t left = w->wait_ns - w->looked_ns, looked = w->looked_ns;

	if (w->n_looked)
		for (int i = 0; i < OMPP_N_CAUSES && looked > 0; i++)
			w->cause_ns[i] = share_of(w->wait_ns, w->cause_ns[i], looked);
	w->body_ns = ompp_add(w->cause_ns[OMPP_CAUSE_BODY], w->cause_ns[OMPP_CAUSE_ASLEEP]);
	if (!w->n_looked && w->verdict >= OMPP_WORK_UNEQUAL)
		w->body_ns = w->unequal_ns < left ? w->unequal_ns : left;
	if (w->body_ns > 0 && is_cpu_known && w->most.n >= OMPP_MANY_EXECUTIONS && w->unequal_ns < w->body_ns / 2 &&
	    (w->verdict == OMPP_WORK_EQUAL || w->verdict == OMPP_WORK_UNEQUAL))
		w->verdict = is_varying(w, w->usual_body_ns, w->body_ns, w->most.mean_ns) ? OMPP_WORK_VARIES
		                                                                          : OMPP_WORK_SPEED;
}

int ompp_waiting_at(const struct ompp_analysis *a, uint32_t node, struct ompp_waiting *w)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_node *n = &p->nodes[node];
	uint32_t n_rows = 0, n_teams = 0;
	int is_cpu_known = 1;

	memset(w, 0, sizeof(*w));
	for (uint32_t k = 0; k < n->n_cells; k++) {
		const struct ompp_wait *wait = a->wait[n->first_cell + k];

		w->wait_ns = ompp_add(w->wait_ns, ompp_wait_ns(n->construct, &p->cells[n->first_cell + k]));
		if (!wait)
			continue;
		add_row(w, wait, !n_rows);
		n_rows++;
		n_teams += !p->rows[p->cells[n->first_cell + k].row].rank;
		is_cpu_known &= wait->off_ns != OMPP_MISSING;
	}
	if (!n_rows)
		return 0;
	w->n_others = n_rows - (n_teams ? n_teams : 1);
	w->stolen_milli = waiting_stolen_milli(p);
	w->fault_ps = p->fault_ps;
	w->least_pace_ps = p->least_pace_ps;
	w->verdict = waiting_judge(w, is_cpu_known);
	w->is_unsure = w->verdict == OMPP_WORK_EQUAL && has_slices(w) &&
	               judge_slices(w, w->most.mean_ns / OMPP_LEAST_DIFFERENCE) == OMPP_WORK_UNEQUAL;
	w->unequal_ns = waiting_unequal(a, n, w);
	waiting_explain(w, is_cpu_known);
	return 1;
}

int64_t ompp_waiting_wall(const struct ompp_analysis *a, uint32_t node, int64_t part_ns, int64_t whole_ns)
{
	const struct ompp_node *n = &a->profile->nodes[node];
	int64_t wall_ns = 0;

	for (uint32_t k = 0; k < n->n_cells; k++)
		wall_ns = ompp_add(wall_ns, ompp_analysis_wall(a, n->first_cell + k,
		                                               ompp_wait_ns(n->construct,
		                                                            &a->profile->cells[n->first_cell + k])));
	return whole_ns > 0 ? (int64_t)((__int128)wall_ns * part_ns / whole_ns) : 0;
}

/* Returns the row that a row has outside of a node: of the team that was forked there, the one that forked it. */
static uint32_t row_around(const struct ompp_profile *p, uint32_t node, uint32_t row)
{
	uint32_t parent = p->rows[row].parent;
	const struct ompp_cell *cell = parent == OMPP_NONE || !ompp_construct_is_parallel(p->nodes[node].construct)
	                                     ? NULL
	                                     : ompp_analysis_child_cell(p, node, parent);

	return cell && cell->row == row ? parent : row;
}

/* Returns how long a row waited to enter what a cell is of, or for the team that it forked there: for its members to
 * begin, to work, and to end. */
static int64_t waits_in(enum ompp_construct construct, const struct ompp_cell *cell)
{
	int64_t ns = waiting_known(cell->enter_ns);

	if (ompp_construct_is_parallel(construct))
		ns = ompp_add(ns,
		              ompp_add(waiting_known(cell->exit_bar_ns),
		                       ompp_add(waiting_known(cell->startup_ns), waiting_known(cell->shutdown_ns))));
	return ns;
}

/* Returns how long a row waited in this way below the node. */
static int64_t waits_below(const struct ompp_analysis *a, uint32_t node, uint32_t row)
{
	const struct ompp_profile *p = a->profile;
	int64_t sum = 0;

	for (uint32_t i = a->first_child[node]; i && i != OMPP_NONE;) {
		const struct ompp_cell *cell = ompp_analysis_child_cell(p, i, row);
		uint32_t up;

		sum = cell ? ompp_add(sum, waits_in(p->nodes[i].construct, cell)) : sum;
		row = cell ? cell->row : row;
		if (a->first_child[i] != OMPP_NONE) {
			i = a->first_child[i];
			continue;
		}
		row = row_around(p, i, row);
		for (up = i; up != node && a->next_sibling[up] == OMPP_NONE;) {
			up = p->nodes[up].parent;
			row = up == node ? row : row_around(p, up, row);
		}
		i = up == node ? OMPP_NONE : a->next_sibling[up];
	}
	return sum;
}

int ompp_waiting_for_entries(const struct ompp_analysis *a, uint32_t node)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_node *n = &p->nodes[node];
	int64_t least_ns = INT64_MAX, most_ns = INT64_MIN, least_left_ns = INT64_MAX, most_left_ns = INT64_MIN;

	for (uint32_t k = 0; k < n->n_cells; k++) {
		const struct ompp_wait *wait = a->wait[n->first_cell + k];
		int64_t mean_ns, left_ns;

		if (!wait || !wait->n || wait->work_ns == OMPP_MISSING)
			continue;
		mean_ns = wait->work_ns / ompp_count(wait->n);
		left_ns = mean_ns - waits_below(a, node, p->cells[n->first_cell + k].row) / ompp_count(wait->n);
		least_ns = mean_ns < least_ns ? mean_ns : least_ns;
		most_ns = mean_ns > most_ns ? mean_ns : most_ns;
		least_left_ns = left_ns < least_left_ns ? left_ns : least_left_ns;
		most_left_ns = left_ns > most_left_ns ? left_ns : most_left_ns;
	}
	return most_ns > least_ns && most_left_ns - least_left_ns < (most_ns - least_ns) / 2;
}
