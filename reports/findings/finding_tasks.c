/*
 * Finding, tasks: tasks that are too small, too few, made too slowly, or that cannot run side by side.
 *
 * A parallel region has one finding about its tasks at the most, by the first of these reasons that holds.  What it
 * would save is the time that its threads took less the time that the same work would take at best:
 *
 *   at best   the work in tasks and beside them, shared by all threads; but not less than what one thread does alone
 *
 * Tasks are too small when making them takes SMALL_PER_MILLE of the time that it and the work in them take: surely, by
 * the bounds of both times, or so clearly that bounds which are far apart do not matter.  That is so where the
 * profiler's own cost could not be measured well: it is some hundred nanoseconds a task at the most, and no task that
 * is as short as that is worth making.  Other reasons are looked for where threads wait for WAIT_PER_MILLE of their
 * time.
 */
#include "reports/findings/finding.h"

#include <errno.h>

#include "reports/analysis/label.h"
#include "reports/analysis/visits.h"
#include "reports/findings/tasking.h"
#include "runtime/terms/clauses.h"

enum {
	LEAST_TASKS = 1000, /* fewer cannot cost much, and one that lost its processor would be much of their time */
	SMALL_PER_MILLE = 50,
	CLEARLY_PER_MILLE = 250,
	MOST_SMALL_NS = 10000, /* for each thread: more work in a task is enough, whatever disturbed the making of it */
	WAIT_PER_MILLE = 50,
	BUSY_PER_MILLE = 800, /* of the span: a thread that does something alone for so long is what others wait for */
	MOST_LONG_SHARE = 20, /* more than one in so many are of another kind */
	TASKS_A_THREAD = 4,   /* fewer cannot be shared out well */
	PER_CENT = 100
};

struct tasks {
	struct ompp_finder *finder;
	const struct ompp_analysis *a;
	struct ompp_tasking t;
	const char *clauses; /* of the construct that makes most of them */
};

static int is_part(int64_t part_ns, int64_t whole_ns, int per_mille)
{
	return (__int128)part_ns * 1000 >= (__int128)whole_ns * per_mille && part_ns > 0;
}

/* Returns ns of all threads as wall-clock time. */
static int64_t tasks_wall(const struct tasks *s, int64_t ns)
{
	return s->t.total_ns > 0 ? (int64_t)((__int128)ns * s->t.span_ns / s->t.total_ns) : 0;
}

/* Returns the longest time that one thread spends beside tasks: what is done alone, and what a member does in its part.
 * All threads' time, that is, as if the others waited meanwhile. */
static int64_t longest_own_ns(const struct tasks *s)
{
	int64_t most_ns = 0, of_members_ns = s->t.own_ns - s->t.alone_ns;

	if (of_members_ns <= 0)
		return ompp_times(s->t.alone_ns, s->t.n_threads);
	for (size_t i = 0; i < s->t.n_rows; i++)
		if (s->t.rows[i].own_ns > most_ns)
			most_ns = s->t.rows[i].own_ns;
	/* the one that has most of it may be the one that works alone */
	return ompp_times(most_ns > s->t.alone_ns ? most_ns : s->t.alone_ns, s->t.n_threads);
}

/* Returns the time of all threads without that in which they had no processor in tasks. */
static int64_t had_ns(const struct tasks *s)
{
	return ompp_subtract(s->t.total_ns, s->t.off_ns);
}

/* Returns by how much the region would be shorter if its threads had nothing but this to do, best shared out, where one
 * thread has alone_ns (of all threads) to do. */
static int64_t gain_of(const struct tasks *s, int64_t work_ns, int64_t alone_ns)
{
	int64_t best_ns = work_ns > alone_ns ? work_ns : alone_ns;

	return tasks_wall(s, had_ns(s) > best_ns ? had_ns(s) - best_ns : 0);
}

static void tasks_find(const struct tasks *s, const char *name, int64_t ns, int64_t gain_ns, const struct ompp_text *t,
                       const char *advice)
{
	s->finder->explained[s->t.region] = 1;
	ompp_find(s->finder, &(struct ompp_finding){ .name = name,
	                                             .region = s->t.task,
	                                             .ns = ns,
	                                             .gain_ns = gain_ns,
	                                             .evidence = t->data,
	                                             .advice = advice });
}

/* Finds a reason for waiting, wait_ns of all. */
static void tasks_find_waiting(const struct tasks *s, const char *name, int64_t wait_ns, const struct ompp_text *t,
                               const char *advice)
{
	tasks_find(s, name, wait_ns, gain_of(s, had_ns(s) - wait_ns, longest_own_ns(s)), t, advice);
}

/* Returns ns for each of the other threads. */
static int64_t by_others(const struct tasks *s, int64_t ns)
{
	return ns > 0 ? ompp_times(ns, s->t.n_threads - 1) : 0;
}

/* Returns the waiting that the system is not to blame for, at least: while one thread has no processor in a task, all
 * others may wait for it. */
static int64_t own_wait_ns(const struct tasks *s)
{
	int64_t ns = ompp_subtract(s->t.wait_ns, by_others(s, s->t.off_ns));

	return ns > 0 ? ns : 0;
}

/* Is this waiting much of the time that the system left to the threads? */
static int is_much_waiting(const struct tasks *s, int64_t wait_ns)
{
	return is_part(wait_ns, had_ns(s), WAIT_PER_MILLE);
}

/* Adds "12.3 ns", or "12.3 ns (11.0 to 14.2 ns)" where the bounds are more than a tenth apart: a time of n tasks as
 * that of one. */
static void say_each(struct ompp_text *t, const struct ompp_bounded *sum, uint64_t n)
{
	int64_t count = ompp_count(n ? n : 1);

	ompp_say_time(t, sum->ns / count);
	if (sum->most_ns - sum->least_ns <= sum->ns / 10)
		return;
	ompp_text_str(t, " (");
	ompp_say_times(t, sum->least_ns / count, sum->most_ns / count);
	ompp_text_char(t, ')');
}

/* "2 000 000 tasks of 12.0 ns (6.75 to 22.6 ns) of work each" */
static void say_tasks(struct ompp_text *t, const struct tasks *s)
{
	ompp_say_count(t, s->t.n_tasks, "task");
	if (s->t.n_kinds > 1) {
		ompp_text_str(t, " of ");
		ompp_say_count(t, s->t.n_kinds, "construct");
	}
	ompp_text_str(t, s->t.n_tasks == 1 ? " with " : " with a mean of ");
	say_each(t, &s->t.run, s->t.n_tasks);
	ompp_text_str(t, s->t.n_tasks == 1 ? " of work" : " of work each");
}

/* What making and starting a task takes.  A TASKLOOP's making and waiting are one time. */
static struct ompp_bounded handling_of(const struct tasks *s)
{
	return (struct ompp_bounded){ ompp_add(s->t.make.ns, s->t.wait_ns), ompp_add(s->t.make.least_ns, s->t.wait_ns),
		                      ompp_add(s->t.make.most_ns, s->t.wait_ns) };
}

/* Advice that depends on what makes the tasks: a TASKLOOP, tasks themselves, or one thread. */
static const char *advise_size(const struct tasks *s)
{
	if (s->a->profile->regions[s->t.task].construct == OMPP_TASKLOOP)
		return ompp_has_clause(s->clauses, "grainsize") || ompp_has_clause(s->clauses, "num_tasks")
		             ? "Give each task more iterations (a larger grainsize, or a smaller num_tasks)."
		             : "Give each task more iterations: grainsize(), or num_tasks().";
	if (is_part(s->t.task_make_ns, s->t.make.ns, 500))
		return ompp_has_clause(s->clauses, "final") || ompp_has_clause(s->clauses, "if")
		             ? "Cut off earlier: below some size call the function directly. An if or final clause "
		               "alone still makes each task, and only runs it at once."
		             : "Cut off: below some size or depth call the function directly, without a task.";
	return "Give each task several iterations: a taskloop with grainsize(), or a loop of blocks.";
}

/* Adds the size of a task with which making it would be below a per cent. */
static void say_better_size(struct ompp_text *t, const struct tasks *s)
{
	int64_t each_ns = (s->t.loop_ns > s->t.make.ns / 2 ? handling_of(s).ns : s->t.make.ns) /
	                  ompp_count(s->t.n_tasks);

	ompp_text_str(t, " With ");
	ompp_say_time(t, each_ns * PER_CENT);
	ompp_text_str(t, " of work or more in each this would be below 1 %.");
}

/* Returns the number of iterations that the clause grainsize of a TASKLOOP gives a task at least; 0 where it does not
 * say so in digits. */
static uint64_t grain_of(const struct tasks *s)
{
	const char *args;
	size_t n;
	uint64_t grain = 0;

	if (!ompp_clause(s->clauses, "grainsize", &args, &n) || !n || n > 9)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (args[i] < '0' || args[i] > '9')
			return 0;
		grain = grain * 10 + (uint64_t)(args[i] - '0');
	}
	return grain;
}

/* Of a TASKLOOP executions are iterations, and making its tasks and waiting for them are one time.  It is making and
 * starting that costs, and not waiting for the last ones, where a task has little work by its grainsize. */
static int is_small_loop(const struct tasks *s)
{
	struct ompp_bounded handling = handling_of(s);
	uint64_t grain = grain_of(s);

	return grain && s->t.n_tasks / grain >= LEAST_TASKS &&
	       ompp_count(grain) < MOST_SMALL_NS / (s->t.run.ns / ompp_count(s->t.n_tasks) + 1) &&
	       is_part(handling.ns, ompp_add(handling.ns, s->t.run.ns), CLEARLY_PER_MILLE);
}

static int is_small(const struct tasks *s)
{
	const struct ompp_bounded *make = &s->t.make, *run = &s->t.run;
	int64_t ran_ns = ompp_add(run->ns, s->t.off_ns); /* as making has what the system took in it, too */

	if (s->t.n_tasks < LEAST_TASKS || ran_ns / ompp_count(s->t.n_tasks) >= (int64_t)s->t.n_threads * MOST_SMALL_NS)
		return 0;
	if (s->t.loop_ns > make->ns / 2)
		return is_small_loop(s);
	return is_part(make->least_ns, ompp_add(make->least_ns, run->most_ns), SMALL_PER_MILLE) ||
	       is_part(make->ns, ompp_add(make->ns, run->ns), CLEARLY_PER_MILLE);
}

static void find_small(const struct tasks *s)
{
	struct ompp_bounded handling = handling_of(s), wait = { s->t.wait_ns, s->t.wait_ns, s->t.wait_ns };
	int64_t work_ns = ompp_add(s->t.run.ns, s->t.own_ns);
	struct ompp_text t;

	ompp_say_start(&t, s->a->arena);
	say_tasks(&t, s);
	if (s->t.loop_ns > s->t.make.ns / 2) {
		ompp_text_str(&t, "; making, queueing and starting one takes ");
		say_each(&t, &handling, s->t.n_tasks);
	} else {
		ompp_text_str(&t, "; making and queueing one takes ");
		say_each(&t, &s->t.make, s->t.n_tasks);
		ompp_text_str(&t, ", and threads that wait for tasks take ");
		say_each(&t, &wait, s->t.n_tasks);
		ompp_text_str(&t, " more for each");
	}
	ompp_text_char(&t, '.');
	say_better_size(&t, s);
	tasks_find(s, "TasksTooSmall", handling.ns, gain_of(s, work_ns, longest_own_ns(s)), &t, advise_size(s));
}

/* Returns the row that made most tasks. */
static const struct ompp_tasking_row *maker_of(const struct tasks *s)
{
	const struct ompp_tasking_row *maker = s->t.rows;

	for (size_t i = 1; i < s->t.n_rows; i++)
		if (s->t.rows[i].n_made > maker->n_made)
			maker = &s->t.rows[i];
	return maker;
}

static uint64_t count_made(const struct tasks *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->t.n_rows; i++)
		n += s->t.rows[i].n_made;
	return n;
}

/* Returns how long the one thread that makes the tasks is busy with making them and with what it does besides; 0 when
 * several make them at a time. */
static int64_t making_alone_ns(const struct tasks *s)
{
	const struct ompp_tasking_row *maker = maker_of(s);

	if (is_part(s->t.task_make_ns, s->t.make.ns, 100))
		return 0;
	if (is_part(s->t.alone_make_ns, s->t.make.ns, 900))
		return ompp_add(s->t.alone_ns, s->t.alone_make_ns);
	return maker->n_made == count_made(s) ? ompp_add(maker->own_ns, maker->make_ns) : 0;
}

/* Returns what a thread had of the region, the one that makes all tasks where there is one: without what the system
 * took in tasks. */
static int64_t maker_ns(const struct tasks *s)
{
	const struct ompp_tasking_row *maker = maker_of(s);

	if (maker->n_made != count_made(s))
		return s->t.total_ns / s->t.n_threads;
	return ompp_add(ompp_add(maker->make_ns, maker->run_ns), ompp_add(maker->wait_ns, maker->own_ns));
}

static void say_wait(struct ompp_text *t, const struct tasks *s)
{
	ompp_text_str(t, " The threads wait ");
	ompp_say_time(t, s->t.wait_ns);
	ompp_text_str(t, " in all, ");
	ompp_say_share(t, ompp_share(s->t.wait_ns, s->t.total_ns));
	ompp_text_str(t, " of their time.");
	if (s->t.off_ns <= 0)
		return;
	ompp_text_str(t, " For ");
	ompp_say_time(t, s->t.off_ns);
	ompp_text_str(t, " a thread had no processor in a task; waiting for that is no part of this.");
}

/* Finds tasks that run in the thread that makes them, while the others have none. */
static int find_undeferred(const struct tasks *s)
{
	const struct ompp_tasking_row *maker = maker_of(s);
	struct ompp_text t;

	if (maker->n_made != count_made(s) || maker->n_run != s->t.n_tasks ||
	    !(ompp_has_clause(s->clauses, "if") || ompp_has_clause(s->clauses, "final")))
		return 0;
	ompp_say_start(&t, s->a->arena);
	say_tasks(&t, s);
	ompp_text_str(&t, " are all run at once by the thread that makes them (undeferred), as tasks are whose if "
	                  "clause is false, or that a final task makes.");
	say_wait(&t, s);
	tasks_find_waiting(s, "TasksRunByTheirMaker", own_wait_ns(s), &t,
	                   "Look at the conditions of its if and final clauses, and of those of the tasks around it: "
	                   "they should cut off small tasks, not all of them.");
	return 1;
}

/* Is one thread as good as always busy with what it does besides making tasks, so that the others wait for it? */
static int is_busy_maker(const struct tasks *s)
{
	int64_t alone_ns = making_alone_ns(s);

	return alone_ns / 2 > s->t.make.ns && is_much_waiting(s, own_wait_ns(s)) &&
	       is_part(alone_ns, maker_ns(s), BUSY_PER_MILLE);
}

static void find_one_maker(const struct tasks *s)
{
	struct ompp_text t;

	ompp_say_start(&t, s->a->arena);
	ompp_text_str(&t, "One thread makes ");
	say_tasks(&t, s);
	ompp_text_str(&t, ". Making them takes it ");
	ompp_say_time(&t, s->t.make.ns);
	ompp_text_str(&t, ", its other work ");
	ompp_say_time(&t, making_alone_ns(s) - s->t.make.ns);
	ompp_text_str(&t, ", nearly all of the ");
	ompp_say_time(&t, maker_ns(s));
	ompp_text_str(&t, " of a thread.");
	say_wait(&t, s);
	tasks_find(s, "TasksFromOneThread", own_wait_ns(s), gain_of(s, had_ns(s) - own_wait_ns(s), 0), &t,
	           "Move its other work into the tasks, or let several threads make tasks: a work-sharing loop with "
	           "tasks in it, or tasks that make tasks.");
}

/* Finds fewer tasks than can be shared out.  Those that one body of a SINGLE or MASTER makes have to do for the
 * threads. */
static int find_few(const struct tasks *s)
{
	uint64_t n_times = s->t.n_alone > s->t.n_visits ? s->t.n_alone : s->t.n_visits, n = s->t.n_tasks / n_times;
	struct ompp_text t;

	if (n >= (uint64_t)s->t.n_threads * TASKS_A_THREAD || s->t.n_threads < 2)
		return 0;
	ompp_say_start(&t, s->a->arena);
	ompp_say_count(&t, n, "task");
	ompp_text_str(&t, n_times > 1 ? " each time for " : " for ");
	ompp_say_count(&t, s->t.n_threads, "thread");
	ompp_text_str(&t, ", with a mean of ");
	say_each(&t, &s->t.run, s->t.n_tasks);
	ompp_text_str(&t, " of work.");
	say_wait(&t, s);
	tasks_find_waiting(s, "TooFewTasks", own_wait_ns(s), &t,
	                   "Divide the work into more tasks, several for each thread, or let tasks make tasks.");
	return 1;
}

/* Returns how long the longest task took. */
static int64_t longest_task_ns(const struct ompp_visits *visits)
{
	return visits->most_ns > visits->first_ns ? visits->most_ns : visits->first_ns;
}

/* Adds up those executions of the task construct that are long, the first ones of threads included, and at least half
 * as long as the longest: shorter ones may have lost their processor. */
static int long_tasks(const struct tasks *s, struct ompp_visits *visits, struct ompp_long *sum)
{
	int64_t least_ns;

	if (ompp_visits_of(s->a, s->t.task, 1, visits)) {
		s->finder->rc = -ENOMEM;
		return 0;
	}
	if (visits->n < OMPP_LEAST_VISITS)
		return 0;
	least_ns = longest_task_ns(visits) / 2;
	ompp_visits_long(s->a, s->t.task, 1, visits, least_ns, sum, sum);
	return sum->n > 0;
}

/* Returns what a hypervisor took from all processors, which kernels may count as CPU time of threads. */
static int64_t tasks_stolen_ns(const struct ompp_profile *p)
{
	return p->stolen_ns > 0 && p->processors_milli > 0
	             ? (int64_t)((__int128)p->stolen_ns * p->processors_milli / 1000)
	             : 0;
}

/* Finds tasks that take several times as long as the others, where that explains half of the waiting, but for what the
 * system does: the others have none left meanwhile. */
static int find_long(const struct tasks *s)
{
	struct ompp_long sum = { 0 };
	struct ompp_visits visits;
	int64_t wait_ns;
	struct ompp_text t;

	if (!long_tasks(s, &visits, &sum) || sum.n > s->t.n_tasks / MOST_LONG_SHARE)
		return 0;
	wait_ns = by_others(s, ompp_subtract(sum.ns, tasks_stolen_ns(s->a->profile)));
	if (wait_ns < own_wait_ns(s) / 2)
		return 0;
	wait_ns = wait_ns < own_wait_ns(s) ? wait_ns : own_wait_ns(s);
	ompp_say_start(&t, s->a->arena);
	ompp_text_grouped(&t, ompp_count(sum.n));
	ompp_text_str(&t, " of ");
	ompp_say_count(&t, s->t.n_tasks, "task");
	ompp_text_str(&t, sum.n == 1 ? " takes " : " take ");
	ompp_say_time(&t, sum.ns);
	ompp_text_str(&t, " more than is usual, the longest ");
	ompp_say_time(&t, longest_task_ns(&visits));
	ompp_text_str(&t, "; half of them take no more than ");
	ompp_say_time(&t, visits.median.most_ns);
	ompp_text_char(&t, '.');
	say_wait(&t, s);
	tasks_find_waiting(s, "FewTasksAreLong", wait_ns, &t,
	                   "Create the longest tasks first (a priority clause asks for that, too), or split them.");
	return 1;
}

static int find_in_turn(const struct tasks *s)
{
	struct ompp_text t;

	if (!ompp_has_clause(s->clauses, "depend"))
		return 0;
	ompp_say_start(&t, s->a->arena);
	say_tasks(&t, s);
	ompp_text_str(&t, ", and depend clauses: in the mean ");
	ompp_say_ratio(&t, s->t.run.ns, s->t.total_ns / s->t.n_threads);
	ompp_text_str(&t, " of them run at a time, on ");
	ompp_say_count(&t, s->t.n_threads, "thread");
	ompp_text_char(&t, '.');
	say_wait(&t, s);
	tasks_find_waiting(s, "TasksInTurn", own_wait_ns(s), &t,
	                   "Weaken the dependences: name only what a task needs (in instead of inout, single blocks "
	                   "instead of the whole array), or use smaller blocks, so that more tasks are ready at a "
	                   "time.");
	return 1;
}

static void find_waiting(const struct tasks *s)
{
	if (!find_undeferred(s) && !find_few(s) && !find_long(s))
		find_in_turn(s);
}

/* Returns for how long the threads had no processor before they came to the end of a construct. */
static int64_t off_in(const struct ompp_analysis *a, uint32_t region)
{
	const struct ompp_profile *p = a->profile;
	int64_t ns = 0;

	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			const struct ompp_wait *wait = a->wait[p->nodes[i].first_cell + k];

			ns = wait && wait->off_ns != OMPP_MISSING ? ompp_add(ns, wait->off_ns) : ns;
		}
	return ns;
}

/* The wait at the end of a construct that makes tasks is no finding about what stands in it, where the tasks are one,
 * or where what one thread does in it explains less than a quarter of the wait. */
static void explain(void *context, uint32_t region)
{
	const struct tasks *s = context;
	const struct ompp_cell *sum = &s->a->sums[0][region];
	int is_single = s->a->profile->regions[region].construct == OMPP_SINGLE;
	int64_t alone_ns = is_single ? sum->body_ns : sum->exec_ns,
		own_ns = ompp_add(s->t.alone_ns, s->t.alone_make_ns);
	int64_t wait_ns = is_single ? sum->exit_bar_ns : s->t.wait_ns;

	alone_ns = alone_ns < own_ns ? alone_ns : own_ns; /* without the tasks that were run in it */
	alone_ns = ompp_subtract(alone_ns, off_in(s->a, region));
	alone_ns = alone_ns > 0 ? alone_ns : 0;
	if (s->finder->explained[s->t.region] ||
	    (wait_ns != OMPP_MISSING && (__int128)alone_ns * (s->t.n_threads - 1) < wait_ns / 4))
		s->finder->explained[region] = 1;
}

static void tasks_judge(const struct tasks *s)
{
	if (is_busy_maker(s))
		find_one_maker(s);
	else if (is_small(s))
		find_small(s);
	else if (s->t.n_threads > 1 && is_much_waiting(s, own_wait_ns(s)))
		find_waiting(s);
}

static void tasks_find_in(struct ompp_finder *finder, uint32_t region, struct ompp_tasking_row *rows)
{
	const struct ompp_analysis *a = finder->analysis;
	struct tasks s = { .finder = finder, .a = a };

	ompp_tasking(a, region, rows, &s.t);
	if (s.t.task == OMPP_NONE || !s.t.n_tasks || !s.t.n_visits || !s.t.n_threads)
		return;
	s.clauses = a->profile->regions[s.t.task].clauses;
	if (!is_small(&s) && !is_part(ompp_add(s.t.run.ns, s.t.make.ns), s.t.alone_ns, 100))
		return;
	tasks_judge(&s);
	if (s.t.n_threads > 1)
		ompp_tasking_producers(a, region, explain, &s);
}

void ompp_find_tasks(struct ompp_finder *finder)
{
	const struct ompp_profile *p = finder->analysis->profile;
	struct ompp_tasking_row *rows = ompp_tasking_rows(finder->analysis);

	if (!rows) {
		finder->rc = -ENOMEM;
		return;
	}
	for (uint32_t r = 0; r < p->n_regions; r++)
		if (ompp_construct_is_parallel(p->regions[r].construct))
			tasks_find_in(finder, r, rows);
}
