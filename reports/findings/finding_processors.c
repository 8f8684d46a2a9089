/*
 * Finding, processors: threads that had no processor, and processors that were not used.
 */
#include "reports/findings/finding.h"

#include "reports/analysis/waiting.h"

enum { BUSY_SHARE = 20, IDLE_SHARE = 10 }; /* One part in twenty, and one in ten. */

/* What being without a processor cost all threads: at work, while waiting for those, after waiting, and asleep. */
struct off {
	int64_t work_ns, wait_ns, here_ns, asleep_ns;
};

static struct off find_off(const struct ompp_analysis *a)
{
	struct off off = { 0, 0, 0, 0 };
	struct ompp_waiting w;

	for (uint32_t i = 1; i < a->profile->n_nodes; i++) {
		if (!ompp_waiting_at(a, i, &w))
			continue;
		off.work_ns = ompp_add(off.work_ns, w.off_ns);
		off.wait_ns = ompp_add(off.wait_ns, w.cause_ns[OMPP_CAUSE_OFF]);
		off.here_ns = ompp_add(off.here_ns, w.cause_ns[OMPP_CAUSE_OFF_HERE]);
		off.asleep_ns = ompp_add(off.asleep_ns, w.asleep_ns);
	}
	return off;
}

/* Returns how many threads the program had: the rows that are threads of their own. */
static uint32_t count_rows(const struct ompp_profile *p)
{
	uint32_t n = 0;

	for (size_t i = 0; i < p->n_rows; i++)
		n += p->rows[i].rank || p->rows[i].parent == OMPP_NONE;
	return n;
}

/* Returns an upper bound of how much shorter the run would be with one thread per processor.  CPU time that was not
 * spent waiting is needed with any number of threads. */
static int64_t gain_of_fewer(const struct ompp_finder *finder)
{
	const struct ompp_profile *p = finder->analysis->profile;
	int64_t work_ns, gain_ns;

	if (p->user_ns == OMPP_MISSING || p->system_ns == OMPP_MISSING || p->processors_milli <= 0)
		return OMPP_MISSING;
	work_ns = ompp_add(p->user_ns, p->system_ns);
	for (int i = 0; i < OMPP_N_OVERHEADS; i++)
		work_ns = ompp_add(work_ns, -finder->classes.sum.overhead_ns[i]);
	work_ns = work_ns > 0 ? work_ns : 0;
	gain_ns = p->duration_ns - (int64_t)((__int128)work_ns * 1000 / p->processors_milli);
	return gain_ns > 0 ? gain_ns : 0;
}

static void find_taken(struct ompp_finder *finder, const struct off *off)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	uint32_t n_threads = count_rows(p);
	int are_many = p->processors_milli != OMPP_MISSING && (int64_t)n_threads * 1000 > p->processors_milli;
	struct ompp_finding f = { .name = are_many ? "MoreThreadsThanProcessors" : "ProcessorTakenAway",
		                  .region = OMPP_NONE,
		                  .ns = finder->off_ns,
		                  .gain_ns = OMPP_MISSING };
	struct ompp_text t;

	if (!f.ns)
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
	if (!are_many)
		t.data[0] = 'T';
	f.evidence = t.data;
	f.advice =
		are_many
			? "Ask for as many threads as there are processors (OMP_NUM_THREADS; OMP_DYNAMIC; inner teams)."
			: "Other programs, or other threads of this one, use the processors. Measure on a machine that "
			  "does "
			  "nothing else, or ask for fewer threads.";
	ompp_find(finder, &f);
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

/* Finds time in which threads should have worked but slept.  Work time less CPU time is time asleep or without a
 * processor.  The latter is known for parallel regions and for all that the first thread did.  (The first thread's time
 * without a processor in parallel regions counts twice, so the sentence says "or more".) */
static void find_unused(struct ompp_finder *finder, const struct off *off)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	const struct ompp_classes *c = &finder->classes;
	int64_t work_ns = c->sum.total_ns, cpu_ns;
	struct ompp_finding f = { .name = "LowProcessorUse", .region = OMPP_NONE };
	struct ompp_text t;

	if (p->user_ns == OMPP_MISSING || p->system_ns == OMPP_MISSING || c->serial_ns == OMPP_MISSING)
		return;
	if (p->queued_ns == OMPP_MISSING && finder->is_busy)
		return;
	cpu_ns = ompp_add(p->user_ns, p->system_ns);
	for (int i = 0; i < OMPP_N_OVERHEADS; i++)
		work_ns = ompp_add(work_ns, -c->sum.overhead_ns[i]);
	work_ns = ompp_add(ompp_add(work_ns, -off->work_ns), c->serial_ns);
	if (p->queued_ns != OMPP_MISSING)
		work_ns = ompp_add(work_ns, -ompp_add(p->queued_ns, queued_in_tasks(a)));
	f.ns = ompp_add(work_ns, -cpu_ns);
	if (f.ns < work_ns / IDLE_SHARE)
		return;
	f.gain_ns = f.ns;
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
		   "threads work "
		   "meanwhile.";
	ompp_find(finder, &f);
}

void ompp_find_processors(struct ompp_finder *finder)
{
	const struct ompp_profile *p = finder->analysis->profile;
	struct off off = find_off(finder->analysis);

	finder->off_ns = ompp_add(ompp_add(off.work_ns, off.wait_ns), off.here_ns);
	finder->is_busy = finder->off_ns > finder->classes.sum.total_ns / BUSY_SHARE ||
	                  (p->queued_ns != OMPP_MISSING && p->queued_ns > p->duration_ns / BUSY_SHARE);
	find_taken(finder, &off);
	find_unused(finder, &off);
}
