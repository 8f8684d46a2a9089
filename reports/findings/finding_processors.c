/*
 * Finding, processors: threads that had no processor, and processors that were not used.
 */
#include "reports/findings/finding.h"

#include <string.h>

#include "reports/analysis/hot_functions.h"
#include "reports/analysis/waiting.h"
#include "runtime/terms/clauses.h"

enum { BUSY_SHARE = 20, IDLE_SHARE = 10 }; /* One part in twenty, and one in ten. */
enum { SURE_ERRORS = 3 };                  /* so many standard errors are added to what samples say */
enum { SHORT_NS = 100000000 }; /* below it, single time slices of a scheduler, of milliseconds, are shares of the run */

/* What being without a processor cost all threads: at work, while waiting for those, after waiting, and asleep; and
 * how long they began, left or ended late, which may have the same reason, and others waited for those. */
struct off {
	int64_t work_ns, wait_ns, here_ns, asleep_ns, stolen_ns;
	int64_t late_ns, late_wait_ns;
	int64_t asleep_wait_ns; /* how long others waited for threads that slept */
	int64_t known_wait_ns;  /* waits that were looked at, whose cause is known */
	/* by the kernel's count alone, as nothing was read there: in tasks, and on the way into locks and turns */
	int64_t unseen_ns, unseen_wait_ns; /* surely at work; and how long others may have waited for such threads */
};

static struct off find_off(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	struct off off = { 0 };
	struct ompp_waiting w;

	for (uint32_t i = 1; i < p->n_nodes; i++) {
		for (uint32_t k = 0; ompp_construct_is_parallel(p->nodes[i].construct) && k < p->nodes[i].n_cells;
		     k++) {
			const struct ompp_cell *cell = &p->cells[p->nodes[i].first_cell + k];

			off.late_ns = ompp_add(off.late_ns, ompp_add(cell->startup_ns, cell->shutdown_ns));
		}
		if (!ompp_waiting_at(a, i, &w))
			continue;
		off.known_wait_ns = ompp_add(off.known_wait_ns, w.n_looked ? w.wait_ns : 0);
		off.work_ns = ompp_add(off.work_ns, w.off_ns);
		off.wait_ns = ompp_add(off.wait_ns, w.cause_ns[OMPP_CAUSE_OFF]);
		off.here_ns = ompp_add(off.here_ns, w.cause_ns[OMPP_CAUSE_OFF_HERE]);
		off.asleep_ns = ompp_add(off.asleep_ns, w.asleep_ns);
		off.asleep_wait_ns = ompp_add(off.asleep_wait_ns, w.cause_ns[OMPP_CAUSE_ASLEEP]);
		off.stolen_ns = ompp_add(off.stolen_ns, w.cause_ns[OMPP_CAUSE_STOLEN]);
		off.late_ns = ompp_add(off.late_ns, w.cause_ns[OMPP_CAUSE_LEAVE]);
		off.late_wait_ns = ompp_add(off.late_wait_ns,
		                            ompp_add(w.cause_ns[OMPP_CAUSE_START], w.cause_ns[OMPP_CAUSE_MADE]));
	}
	return off;
}

/* Returns how long threads waited for a processor, as the kernel counts it, without what barriers have seen of it, and
 * without the first thread's share outside of parallel regions; 0 where the kernel does not tell. */
static int64_t queued_unseen(const struct ompp_finder *finder, const struct off *off)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	int64_t queued_ns, serial_ns;

	if (p->queued_all_ns == OMPP_MISSING || p->queued_ns == OMPP_MISSING || a->measured_ns <= 0)
		return 0;
	serial_ns = (int64_t)((__int128)p->queued_ns * (a->measured_ns - finder->classes.covered_ns) / a->measured_ns);
	queued_ns = ompp_subtract(p->queued_all_ns, ompp_add(serial_ns, ompp_add(off->work_ns, off->here_ns)));
	return queued_ns > 0 ? queued_ns : 0;
}

/* Returns how many thousandths ns is of all_ns, 1000 at most. */
static int64_t milli_of(int64_t ns, int64_t all_ns)
{
	if (ns <= 0 || all_ns <= 0)
		return 0;
	return ns >= all_ns ? 1000 : (int64_t)((__int128)ns * 1000 / all_ns);
}

/* Returns the thousandths of off->late_ns in which threads waited for a processor.  These and the waiting for such
 * threads cost no more than room_ns, what is left of all threads' time. */
static int64_t late_milli(const struct off *off, int64_t queued_ns, int64_t room_ns)
{
	int64_t milli = milli_of(queued_ns, off->late_ns),
		most = milli_of(room_ns, ompp_add(off->late_ns, off->late_wait_ns));

	return milli < most ? milli : most;
}

static int64_t at_most(int64_t ns, int64_t most_ns)
{
	ns = ns < most_ns ? ns : most_ns;
	return ns > 0 ? ns : 0;
}

/* Were there calls of MPI?  They poll for what others do, so that CPU time in them is waiting as well as work. */
static int polls_in_mpi(const struct ompp_classes *c)
{
	return c->mpi_ns > 0 || c->team_mpi_ns > 0;
}

/* Fills in what the rest of queued_ns cost, of which begins and ends of teams come first.  Threads have nothing to do
 * outside of work: what is longer than all that time was at work.  Each other thread may have waited for all of it,
 * where no cause of its wait is known.  room_ns: all threads' time that is left beside what is known already */
static void find_unseen(const struct ompp_finder *finder, struct off *off, int64_t queued_ns, int64_t room_ns)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_classes *c = &finder->classes;
	int64_t waits_ns = 0, idle_ns, others_ns;

	queued_ns = ompp_subtract(queued_ns, off->late_ns);
	if (queued_ns <= 0 || polls_in_mpi(c)) /* such a thread loses nothing with its processor */
		return;
	for (int i = 0; i < OMPP_N_OVERHEADS; i++)
		waits_ns = ompp_add(waits_ns, c->sum.overhead_ns[i]);
	idle_ns = ompp_subtract(a->capacity_ns, ompp_subtract(c->sum.total_ns, waits_ns));
	idle_ns = ompp_subtract(idle_ns, ompp_add(off->here_ns, off->late_ns));
	idle_ns = ompp_subtract(idle_ns, c->serial_ns == OMPP_MISSING ? 0 : c->serial_ns);
	off->unseen_ns = at_most(ompp_subtract(queued_ns, idle_ns > 0 ? idle_ns : 0), room_ns);
	waits_ns = ompp_subtract(waits_ns, ompp_add(off->known_wait_ns, off->late_ns));
	others_ns = ompp_times(queued_ns, a->n_threads ? a->n_threads - 1 : 0);
	off->unseen_wait_ns = at_most(others_ns < waits_ns ? others_ns : waits_ns, room_ns - off->unseen_ns);
}

/* Returns the CPU time in the program's own functions, by samples, less a standard error: no overhead is there. */
static int64_t sampled_work(const struct ompp_profile *p)
{
	int64_t ns = 0;
	uint64_t n = 0;

	for (size_t i = 0; i < p->n_hot_spots; i++) {
		const struct ompp_hot_spot *spot = &p->hot_spots[i];

		if (ompp_hot_is_openmp(spot) || ompp_hot_is_own(spot))
			continue;
		ns = ompp_add(ns, spot->ns);
		n += spot->n;
	}
	return ompp_subtract(ns, ompp_hot_error_ns(ns, n));
}

/* Returns the CPU time that is in no class of overhead, at least.  Waiting takes between no CPU time and all of it, so
 * it is what is left beside all waiting, that for the serial part included; and the time that threads were not waiting,
 * less what they had no processor for; and what samples tell. */
static int64_t processors_work(const struct ompp_analysis *a, const struct ompp_classes *c, const struct off *off)
{
	const struct ompp_profile *p = a->profile;
	int64_t cpu_ns, left_ns, busy_ns;

	if (p->user_ns == OMPP_MISSING || p->system_ns == OMPP_MISSING)
		return OMPP_MISSING;
	cpu_ns = left_ns = ompp_add(p->user_ns, p->system_ns);
	busy_ns = c->sum.total_ns;
	for (int i = 0; i < OMPP_N_OVERHEADS; i++) {
		left_ns = ompp_subtract(left_ns, c->sum.overhead_ns[i]);
		busy_ns = ompp_subtract(busy_ns, c->sum.overhead_ns[i]);
	}
	if (c->idle_ns != OMPP_MISSING)
		left_ns = ompp_subtract(left_ns, c->idle_ns);
	busy_ns = p->n_waits ? ompp_subtract(busy_ns, ompp_add(off->work_ns, off->asleep_ns)) : 0;
	busy_ns = busy_ns < cpu_ns ? busy_ns : cpu_ns;
	left_ns = left_ns > busy_ns ? left_ns : busy_ns;
	busy_ns = polls_in_mpi(c) ? 0 : sampled_work(p);
	busy_ns = busy_ns < cpu_ns ? busy_ns : cpu_ns;
	left_ns = left_ns > busy_ns ? left_ns : busy_ns;
	return left_ns > 0 ? left_ns : 0;
}

/* Returns how much shorter the run could be at most without overheads: less the work, by as many threads as have a
 * processor; all of it where the CPU time is not known, or cannot be right. */
static int64_t processors_most(const struct ompp_analysis *a, int64_t work_ns)
{
	int64_t n_milli = (int64_t)a->n_threads * 1000;

	if (work_ns == OMPP_MISSING)
		return a->measured_ns;
	if (a->profile->processors_milli > 0 && a->profile->processors_milli < n_milli)
		n_milli = a->profile->processors_milli;
	work_ns = (int64_t)((__int128)work_ns * 1000 / n_milli);
	return work_ns < a->measured_ns ? a->measured_ns - work_ns : a->measured_ns;
}

/* Returns how many threads the program had at a time: the rows that are threads of their own.  Processes that are no
 * ranks of one run may have come one after another: then those of the one that had most. */
static uint32_t count_rows(const struct ompp_profile *p)
{
	int is_one = p->n_merged <= 1 || p->mpi_rank >= 0;
	uint32_t n = 0, most = 0, process = 1;

	for (size_t i = 0; i < p->n_rows; i++) {
		if (!is_one && process < p->n_processes && i == p->processes[process].first_row) {
			process++;
			n = 0;
		}
		n += p->rows[i].rank || p->rows[i].parent == OMPP_NONE;
		most = n > most ? n : most;
	}
	return most;
}

/* Returns how long other programs surely had processors; 0 where that is not known. */
static int64_t others_least(const struct ompp_profile *p)
{
	int64_t ns = 0;

	if (p->others_ns != OMPP_MISSING && p->others_error_ns != OMPP_MISSING)
		ns = ompp_subtract(p->others_ns, ompp_times(p->others_error_ns, SURE_ERRORS));
	return ns > 0 ? ns : 0;
}

/* Returns the time of all the program's processors. */
static int64_t processors_ns(const struct ompp_profile *p)
{
	return (int64_t)((__int128)p->duration_ns * p->processors_milli / 1000);
}

/* Returns an upper bound of how much shorter the run would be with one thread per processor.  CPU time that was not
 * spent waiting is needed with any number of threads, and other programs leave no more of the processors to fewer
 * threads. */
static int64_t gain_of_fewer(const struct ompp_finder *finder)
{
	const struct ompp_profile *p = finder->analysis->profile;
	int64_t gain_ns, free_ns;

	if (finder->work_ns == OMPP_MISSING || p->processors_milli <= 0)
		return OMPP_MISSING;
	free_ns = processors_ns(p) - others_least(p);
	if (free_ns <= finder->work_ns)
		return 0;
	gain_ns = p->duration_ns - (int64_t)((__int128)finder->work_ns * p->duration_ns / free_ns);
	return gain_ns > 0 ? gain_ns : 0;
}

/* Says what the kernel's own count, and a hypervisor, add to that. */
static void say_late(struct ompp_text *t, const struct ompp_finder *finder, const struct off *off)
{
	const struct ompp_profile *p = finder->analysis->profile;
	int64_t late_ns = ompp_add(off->late_ns, off->late_wait_ns);

	if (finder->late_milli) {
		ompp_text_str(t, " Beginning and ending teams late for that cost ");
		ompp_say_time(t, ompp_subtract(late_ns, ompp_find_own_ns(finder, late_ns)));
		ompp_text_str(t, " more, by the kernel's count of the time in which threads waited for one.");
	}
	if (off->unseen_ns || off->unseen_wait_ns) {
		ompp_text_str(t, " Where only the kernel's count tells of it, as in tasks, in teams of one and on the "
		                 "way into locks, threads had none for ");
		ompp_say_time(t, off->unseen_ns);
		ompp_text_str(t, " more at work, and others may have waited ");
		ompp_say_time(t, off->unseen_wait_ns);
		ompp_text_str(t, " for them.");
	}
	if (off->stolen_ns > 0) {
		ompp_text_str(t, " For ");
		ompp_say_time(t, off->stolen_ns);
		ompp_text_str(t, " threads were late though they neither slept nor lost their processor to another "
		                 "thread: a hypervisor, or the firmware, had it.");
	}
	if (p->stolen_ns > p->duration_ns / BUSY_SHARE) {
		ompp_text_str(t, " On the processors of this program a hypervisor ran something else for ");
		ompp_say_time(t, p->stolen_ns);
		ompp_text_str(t, " (steal in /proc/stat).");
	}
}

/* Did threads surely wait for each other for most of off->ns, so that no other program had their processors?  While a
 * thread waits for a processor, another one has it, of another program or of this one, or a hypervisor.  All threads
 * may wait at once for the one that another program has; and for each that waits all others may wait.  With more
 * threads than processors they have to. */
static int are_others_own(const struct ompp_profile *p, const struct off *off, int64_t ns)
{
	int64_t others_ns, stolen_ns = p->stolen_ns > 0 ? p->stolen_ns : 0, n = p->n_living;

	if (p->others_ns == OMPP_MISSING || p->others_error_ns == OMPP_MISSING || p->queued_all_ns == OMPP_MISSING ||
	    p->n_merged > 1 || n < 2 || p->processors_milli == OMPP_MISSING || n * 1000 > p->processors_milli)
		return 0;
	others_ns = ompp_add(ompp_add(p->others_ns, ompp_times(p->others_error_ns, SURE_ERRORS)), stolen_ns);
	return ompp_times(others_ns, n) < p->queued_all_ns / 2 &&
	       ompp_times(p->queued_all_ns, n) >= ompp_subtract(ns, off->stolen_ns) / 2 && off->stolen_ns < ns / 2;
}

/* Says how long others had them, where that is known. */
static void say_others(struct ompp_text *t, const struct ompp_profile *p, int are_own)
{
	if (p->others_ns == OMPP_MISSING || p->others_error_ns == OMPP_MISSING || p->queued_all_ns == OMPP_MISSING)
		return;
	ompp_text_str(t, " By the kernel's count all threads together waited ");
	ompp_say_time(t, p->queued_all_ns);
	ompp_text_str(t, " for a processor, and other programs had those of this one for ");
	ompp_text_str(t, p->n_merged > 1 ? "at least " : "");
	ompp_say_time(t, p->others_ns);
	ompp_text_str(t, " +- ");
	ompp_say_time(t, p->others_error_ns);
	ompp_text_str(t, are_own ? ": mostly they waited for each other." : ".");
}

/* Did other programs surely have a twentieth of the processors or more?  That is not mended by fewer threads. */
static int have_others(const struct ompp_profile *p)
{
	return p->processors_milli > 0 && others_least(p) > processors_ns(p) / BUSY_SHARE;
}

static void find_taken(struct ompp_finder *finder, const struct off *off)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	uint32_t n_threads = count_rows(p);
	int are_many = p->processors_milli != OMPP_MISSING && (int64_t)n_threads * 1000 > p->processors_milli;
	int are_own = !are_many && are_others_own(p, off, finder->off_ns), are_there = have_others(p);
	struct ompp_finding f = { .name = are_many ? "MoreThreadsThanProcessors"
		                        : are_own  ? "ThreadsOnOneProcessor"
		                                   : "ProcessorTakenAway",
		                  .region = OMPP_NONE,
		                  .ns = finder->off_ns,
		                  .gain_ns = OMPP_MISSING };
	struct ompp_text t;

	if (!f.ns || finder->is_short)
		return;
	f.gain_ns = are_many ? gain_of_fewer(finder) : f.ns / (int64_t)a->n_threads;
	ompp_say_start(&t, a->arena);
	if (are_many) {
		ompp_say_count(&t, n_threads, "thread");
		ompp_text_str(&t, " on ");
		ompp_say_ratio(&t, p->processors_milli, 1000);
		ompp_text_str(&t, " processors: ");
	}
	ompp_text_str(&t, "threads that could have run had no processor for ");
	ompp_say_time(&t, off->work_ns);
	ompp_text_str(&t, " at work; others waited ");
	ompp_say_time(&t, off->wait_ns);
	ompp_text_str(&t, " for them; and threads that barriers had let go waited ");
	ompp_say_time(&t, off->here_ns);
	ompp_text_str(&t, " for a processor. CPU times and context switches show this.");
	say_late(&t, finder, off);
	if (are_many && are_there)
		f.advice = "Measure on a machine that does nothing else, as fewer threads do not give back what other "
			   "programs have; and ask for as many threads as there are processors (OMP_NUM_THREADS; "
			   "OMP_DYNAMIC; inner teams).";
	else if (are_many)
		f.advice = "Ask for as many threads as there are processors (OMP_NUM_THREADS; OMP_DYNAMIC; inner "
			   "teams).";
	else if (are_own)
		f.advice = "Bind threads, so that the system leaves each on a processor of its own "
			   "(OMP_PROC_BIND=true, OMP_PLACES=cores); where they are bound, look whether two have the "
			   "same place.";
	else
		f.advice = "Other programs, or other threads of this one, use the processors. Measure on a machine "
			   "that does nothing else, bind threads (OMP_PROC_BIND=true), or ask for fewer of them.";
	if (!are_many || are_there)
		say_others(&t, p, are_own);
	if (!are_many)
		t.data[0] = 'T';
	f.evidence = t.data;
	ompp_find_machine(finder, &f);
}

/* Returns how long threads other than the first may have had no processor in tasks that they ran while waiting, which
 * is not measured: the bound for each is the time that the first thread had none anywhere. */
static int64_t queued_in_tasks(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t tasks_ns = 0, queued_ns;

	for (size_t i = 0; i < p->n_cells; i++)
		if (p->cells[i].task_ns != OMPP_MISSING)
			tasks_ns = ompp_add(tasks_ns, p->cells[i].task_ns);
	if (p->queued_ns == OMPP_MISSING || a->n_threads < 2)
		return 0;
	if (__builtin_mul_overflow(p->queued_ns, (int64_t)a->n_threads - 1, &queued_ns) || queued_ns > tasks_ns)
		queued_ns = tasks_ns;
	return queued_ns;
}

/* Returns how long threads may have slept for their turns in ordered loops while others had no processor, which is in
 * the time of these loops' bodies: for all that the kernel counts, each of the other threads at most. */
static int64_t queued_in_turns(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t bodies_ns = 0, waited_ns;

	if (p->queued_all_ns == OMPP_MISSING || a->n_threads < 2)
		return 0;
	for (uint32_t i = 1; i < p->n_nodes; i++)
		for (uint32_t k = 0;
		     ompp_has_clause(p->regions[p->nodes[i].region].clauses, "ordered") && k < p->nodes[i].n_cells; k++)
			if (p->cells[p->nodes[i].first_cell + k].body_ns != OMPP_MISSING)
				bodies_ns = ompp_add(bodies_ns, p->cells[p->nodes[i].first_cell + k].body_ns);
	waited_ns = ompp_times(p->queued_all_ns, a->n_threads - 1);
	return waited_ns < bodies_ns ? waited_ns : bodies_ns;
}

/* How long the first thread had a processor outside of parallel regions in user mode: by samples, or else as long as
 * the process had at most. */
struct sampled {
	int64_t ns, error_ns; /* the error is a standard error and a period */
	int is_bound;
};

/* Returns 0 when that is not known. */
static int sample_outside(const struct ompp_analysis *a, struct sampled *s)
{
	const struct ompp_profile *p = a->profile;
	uint64_t n = 0;

	if (p->n_merged > 1 || p->user_ns == OMPP_MISSING || p->system_ns == OMPP_MISSING)
		return 0;
	*s = (struct sampled){ p->user_ns, 0, 1 };
	if (!p->hot_period_ns || !p->n_hot_spots || p->n_hot_stopped)
		return 1;
	*s = (struct sampled){ 0 };
	for (size_t i = 0; i < p->n_hot_spots; i++)
		if (a->team[p->hot_spots[i].node] == OMPP_NONE) {
			s->ns = ompp_add(s->ns, p->hot_spots[i].ns);
			n += p->hot_spots[i].n;
		}
	s->error_ns = ompp_add(ompp_hot_error_ns(s->ns, n), ompp_count(p->hot_period_ns));
	return 1;
}

/* Finds how much of the serial time is no work.  The first thread surely slept for what is left without its samples
 * with so many times what they may be wrong by, all time of the process in the kernel, and all time that it waited for
 * a processor anywhere, or a hypervisor had its processor.  Beside that it may have waited for a processor there for as
 * long as it did anywhere, but not while it surely ran. */
static void find_outside(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	int64_t serial_ns = finder->classes.serial_ns, queued_ns = a->profile->queued_ns,
		least_ns = serial_ns / BUSY_SHARE, slept_ns, idle_ns, surely_ns;
	struct sampled ran;

	if (serial_ns == OMPP_MISSING || queued_ns == OMPP_MISSING || !sample_outside(a, &ran))
		return;
	slept_ns = ompp_subtract(serial_ns, ompp_add(ran.ns, ompp_times(ran.error_ns, SURE_ERRORS)));
	slept_ns = ompp_subtract(slept_ns, ompp_add(a->profile->system_ns, queued_ns));
	slept_ns = ompp_subtract(slept_ns, ompp_find_stolen_ns(finder));
	slept_ns = slept_ns > least_ns ? slept_ns : 0;
	surely_ns = ran.ns > ran.error_ns && !ran.is_bound ? ran.ns - ran.error_ns : 0;
	idle_ns = ompp_subtract(serial_ns, surely_ns);
	if (idle_ns > ompp_add(slept_ns, queued_ns))
		idle_ns = ompp_add(slept_ns, queued_ns);
	finder->outside_ns = slept_ns;
	finder->outside_most_ns = slept_ns ? ompp_subtract(serial_ns, surely_ns) : 0;
	finder->idle_outside_ns = idle_ns > least_ns ? idle_ns : slept_ns;
}

/* Returns how much shorter the run would be if threads had not slept for ns: by the threads' part of it and of the
 * waiting for those that slept.  Outside of parallel regions it would be by all of it; how much of it was there is not
 * known. */
static int64_t gain_of_sleep(const struct ompp_finder *finder, int64_t ns, const struct off *off)
{
	int64_t n = finder->analysis->n_threads,
		alone_ns = ompp_subtract(finder->classes.serial_ns, finder->outside_ns);
	__int128 all_ns;

	alone_ns = alone_ns < ns ? alone_ns : ns;
	all_ns = (__int128)ns + off->asleep_wait_ns + (__int128)alone_ns * (n - 1);
	return all_ns / n < ns ? (int64_t)(all_ns / n) : ns;
}

/* Finds time in which threads should have worked but slept.  Work time less CPU time is time asleep or without a
 * processor.  The latter is known for parallel regions and for all that the first thread did.  (The first thread's time
 * without a processor in parallel regions counts twice, so the sentence says "or more".) */
static void find_unused(struct ompp_finder *finder, const struct off *off)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	const struct ompp_classes *c = &finder->classes;
	int64_t work_ns = c->sum.total_ns, cpu_ns, taken_ns;
	struct ompp_finding f = { .name = "LowProcessorUse", .region = OMPP_NONE };
	struct ompp_text t;

	if (p->user_ns == OMPP_MISSING || p->system_ns == OMPP_MISSING || c->serial_ns == OMPP_MISSING)
		return;
	if ((p->queued_ns == OMPP_MISSING && finder->is_busy) ||
	    p->n_nodes < 2) /* without regions nothing tells of teams */
		return;
	cpu_ns = ompp_add(p->user_ns, p->system_ns);
	for (int i = 0; i < OMPP_N_OVERHEADS; i++)
		work_ns = ompp_subtract(work_ns, c->sum.overhead_ns[i]);
	taken_ns = off->work_ns;
	if (p->queued_ns != OMPP_MISSING)
		taken_ns = ompp_add(taken_ns, ompp_add(p->queued_ns, queued_in_tasks(a)));
	/* a thread that went to sleep now and then, as locks let it, has what the system took counted as sleep, too */
	if (p->queued_all_ns != OMPP_MISSING && p->queued_all_ns > taken_ns)
		taken_ns = p->queued_all_ns;
	taken_ns = ompp_add(taken_ns, queued_in_turns(a));
	taken_ns = ompp_add(taken_ns, ompp_times(ompp_find_stolen_ns(finder), a->n_threads));
	work_ns = ompp_subtract(ompp_add(work_ns, c->serial_ns), taken_ns);
	/* sleeping outside of regions is a finding of its own, and the time without a processor need not have been
	 * there */
	work_ns = ompp_subtract(work_ns, finder->outside_most_ns);
	f.ns = ompp_subtract(work_ns, cpu_ns);
	if (f.ns < work_ns / IDLE_SHARE)
		return;
	f.gain_ns = gain_of_sleep(finder, f.ns, off);
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "The CPU time is ");
	ompp_say_time(&t, cpu_ns);
	ompp_text_str(&t, " of ");
	ompp_say_time(&t, a->capacity_ns);
	ompp_text_str(&t, " that ");
	ompp_say_count(&t, a->n_threads, "thread");
	ompp_text_str(&t, " had. Beside serial parts and waiting for each other, they were at work for ");
	ompp_say_time(&t, work_ns);
	ompp_text_str(&t, ": so they slept for ");
	ompp_say_time(&t, f.ns);
	ompp_text_str(&t, " of that or more");
	if (off->asleep_ns > 0) {
		ompp_text_str(&t, ", ");
		ompp_say_time(&t, off->asleep_ns);
		ompp_text_str(&t, " before barriers of parallel regions");
	}
	ompp_text_char(&t, '.');
	f.evidence = t.data;
	f.advice = "Look for input and output, sleeps, page faults from disk, and locks of libraries; let other "
		   "threads work meanwhile.";
	ompp_find(finder, &f);
}

int ompp_find_is_short(const struct ompp_analysis *a)
{
	return a->measured_ns < SHORT_NS && strcmp(a->profile->clock, "fake") != 0;
}

int ompp_find_is_queued(const struct ompp_profile *p)
{
	/* of merged profiles it is the sum over the processes, and duration_ns the longest */
	return p->queued_ns != OMPP_MISSING &&
	       p->queued_ns > ompp_times(p->duration_ns, p->n_merged ? p->n_merged : 1) / BUSY_SHARE;
}

void ompp_find_processors(struct ompp_finder *finder)
{
	const struct ompp_profile *p = finder->analysis->profile;
	struct off off = find_off(finder->analysis);
	int64_t late_ns, capacity_ns = finder->analysis->capacity_ns, queued_ns = queued_unseen(finder, &off);

	finder->work_ns = processors_work(finder->analysis, &finder->classes, &off);
	finder->most_gain_ns = processors_most(finder->analysis, finder->work_ns);
	/* each is measured by itself, with an error, so that their sum may be more than there is */
	finder->off_ns = ompp_add(ompp_add(off.work_ns, off.wait_ns), ompp_add(off.here_ns, off.stolen_ns));
	finder->off_ns = at_most(finder->off_ns, capacity_ns);
	finder->late_milli = late_milli(&off, queued_ns, ompp_subtract(capacity_ns, finder->off_ns));
	late_ns = ompp_add(off.late_ns, off.late_wait_ns);
	finder->off_ns = ompp_add(finder->off_ns, ompp_subtract(late_ns, ompp_find_own_ns(finder, late_ns)));
	find_unseen(finder, &off, queued_ns, ompp_subtract(capacity_ns, finder->off_ns));
	finder->off_ns = ompp_add(finder->off_ns, ompp_add(off.unseen_ns, off.unseen_wait_ns));
	finder->is_short = ompp_find_is_short(finder->analysis);
	finder->is_busy = finder->off_ns > finder->classes.sum.total_ns / BUSY_SHARE || ompp_find_is_queued(p);
	find_outside(finder);
	find_taken(finder, &off);
	find_unused(finder, &off);
}
