/*
 * Finding, barriers: threads that wait at a barrier, by what makes them wait.
 *
 * Unequal work before the barrier is one finding, with a name for each kind of region.  Other findings: threads come
 * late to the construct, threads begin late, and the barrier takes as long as the work before it.  A processor that was
 * taken away is a finding about the program (finding_processors.c), and a team for which threads were made is one about
 * the team (finding_team.c).
 */
#include "reports/findings/finding.h"

#include <string.h>

#include "reports/analysis/waiting.h"
#include "reports/findings/hooked.h"
#include "runtime/terms/clauses.h"

/* The kinds of unequal work.  For sections and single the reasons are of another kind. */
enum inequality {
	NONE,
	BARRIER,
	REGION,
	LOOP,
	WORKSHARE,
	SECTIONS,
	LONG_SECTION,
	UNEVEN_SECTIONS,
	FEW_SECTIONS,
	SINGLE
};

static const char *const names[] = { [BARRIER] = "WaitAtBarrier",
	                             [REGION] = "ImbalanceInParallelRegion",
	                             [LOOP] = "ImbalanceInParallelLoop",
	                             [WORKSHARE] = "ImbalanceInParallelWorkshare",
	                             [SECTIONS] = "ImbalanceInParallelSections",
	                             [LONG_SECTION] = "ImbalanceInParallelSections",
	                             [UNEVEN_SECTIONS] = "ImbalanceDueToUnevenSectionDistribution",
	                             [FEW_SECTIONS] = "ImbalanceDueToNotEnoughSections",
	                             [SINGLE] = "UnparallelizedInSingleRegion" };

enum { TAIL_PART = 10 }; /* of a body: so much of it, and less, is waited for its tasks alone */
enum { LONG_SHARE = 8 }; /* by less than one part in so many an execution is not longer than equal sections make it */
enum { NONE_LEFT = 10 }; /* less than one part in so many of the work of the others is no section */
enum { APART_BY_MEMORY = 2, SAME_PACE = 20 /* equal but for one part in so many */ };
enum { SHARED_CORE = 5 }; /* slower than at best by more than one part in so many */

/* What a region costs by one cause, and the call path where it costs most. */
struct cost {
	int64_t ns, gain_ns, most_ns;
	struct ompp_waiting most;
};

struct region {
	struct ompp_finder *finder;
	uint32_t index;
	const struct ompp_region *region;
	enum inequality inequality;
	struct cost unequal, varies, late, before, leave, sums;
};

static enum inequality of_sections(const struct ompp_cell *sum)
{
	if (sum->body_ns == OMPP_MISSING) /* nor is their number known */
		return SECTIONS;
	if (sum->n_body < sum->n_exec)
		return FEW_SECTIONS;
	return sum->n_exec && sum->n_body % sum->n_exec ? UNEVEN_SECTIONS : SECTIONS;
}

static enum inequality inequality_of(enum ompp_construct construct, const struct ompp_cell *sum)
{
	switch (construct) {
	case OMPP_BARRIER:
		return BARRIER;
	case OMPP_PARALLEL:
	case OMPP_SCOPE:
		return REGION;
	case OMPP_LOOP:
	case OMPP_PARALLEL_LOOP:
		return LOOP;
	case OMPP_WORKSHARE:
	case OMPP_PARALLEL_WORKSHARE:
		return WORKSHARE;
	case OMPP_SECTIONS:
	case OMPP_PARALLEL_SECTIONS:
		return of_sections(sum);
	case OMPP_SINGLE:
		return SINGLE;
	default:
		return NONE;
	}
}

static void finding_barrier_add(struct cost *cost, int64_t ns, int64_t gain_ns, const struct ompp_waiting *w)
{
	cost->ns = ompp_add(cost->ns, ns);
	cost->gain_ns = ompp_add(cost->gain_ns, gain_ns);
	if (ns > cost->most_ns) {
		cost->most_ns = ns;
		cost->most = *w;
	}
}

/* Is the inequality certain without a test?  It is when one thread does all the work, or when it follows from the
 * number of sections. */
static int is_certain(enum inequality inequality)
{
	return inequality == SINGLE || inequality == FEW_SECTIONS || inequality == UNEVEN_SECTIONS;
}

/* Is the wait at the end of a SINGLE that for its last tasks?  Others wait for its body as long as that takes, unless
 * they run its tasks meanwhile; then they wait for a small part of it. */
static int is_tail_of_tasks(const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *w)
{
	const struct ompp_node *n = &a->profile->nodes[node];
	int64_t body_ns = ompp_times(w->most.mean_ns, w->most.n);
	int makes = 0;

	for (uint32_t i = a->first_child[node]; i != OMPP_NONE; i = a->next_sibling[i])
		makes |= ompp_construct_makes_tasks(a->profile->nodes[i].construct);
	return makes && n->n_cells > 1 && w->body_ns / (n->n_cells - 1) < body_ns / TAIL_PART;
}

/* Did a thread find no section left at times, on a busy machine?  Sections go to who comes first: one that had to wait
 * for a processor comes late, and the others have its part. */
static int came_too_late(const struct region *r, const struct ompp_waiting *w)
{
	return r->inequality == SECTIONS && r->finder->is_busy && w->least.least_ns < w->most.mean_ns / NONE_LEFT;
}

/* Returns what of the waiting for work that varies the system is not to blame for, at least: while one member has no
 * processor the others wait for it, or do its part where work is handed out on demand. */
static int64_t without_system(const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *w)
{
	uint32_t n_rows = a->profile->nodes[node].n_cells;

	return ompp_subtract(w->body_ns, ompp_times(w->off_ns, n_rows > 1 ? n_rows - 1 : 0));
}

/* Returns how long threads surely waited because of work before the construct: what one waits more than the one that
 * waits least for the others, as the same one is late then; and what is left beside the part of the time without a
 * processor that may have been before. */
static int64_t before_ns(const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *w)
{
	const struct ompp_node *n = &a->profile->nodes[node];
	int64_t all_ns = w->cause_ns[OMPP_CAUSE_BEFORE], looked_ns = 0, least_ns = INT64_MAX, in_turn_ns, sure_ns;

	for (uint32_t k = 0; k < n->n_cells; k++) {
		const struct ompp_wait *wait = a->wait[n->first_cell + k];
		int64_t ns = wait ? wait->cause_ns[OMPP_CAUSE_BEFORE] : 0;

		looked_ns = ompp_add(looked_ns, ns);
		least_ns = ns < least_ns ? ns : least_ns;
	}
	if (looked_ns <= 0)
		return 0;
	in_turn_ns = (int64_t)((__int128)all_ns * ompp_times(least_ns, n->n_cells) / looked_ns);
	sure_ns = ompp_subtract(in_turn_ns, w->off_ns / OMPP_OFF_ERROR);
	return ompp_add(all_ns - in_turn_ns, sure_ns > 0 ? sure_ns : 0);
}

/* Returns the work between two barriers: what the shortest of the threads had a processor for in the region around the
 * construct, for each time here, without its waiting here.  OMPP_MISSING when that is not known. */
static int64_t work_between(const struct ompp_analysis *a, uint32_t node, int64_t n)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_node *at = &p->nodes[node];
	int64_t least_ns = INT64_MAX;

	for (uint32_t k = 0; k < at->n_cells && at->parent != OMPP_NONE; k++) {
		const struct ompp_cell *here = &p->cells[at->first_cell + k];
		const struct ompp_cell *around = ompp_analysis_cell(p, at->parent, here->row);
		const struct ompp_wait *wait = a->wait[at->first_cell + k];
		int64_t ns;

		if (!around || around->body_ns == OMPP_MISSING)
			continue;
		ns = ompp_subtract(around->body_ns, ompp_wait_ns(at->construct, here));
		if (wait && wait->off_ns != OMPP_MISSING && wait->asleep_ns != OMPP_MISSING)
			ns = ompp_subtract(ns, ompp_add(wait->off_ns, wait->asleep_ns));
		least_ns = ns < least_ns ? ns : least_ns;
	}
	if (least_ns == INT64_MAX || !n)
		return OMPP_MISSING;
	return least_ns > 0 ? least_ns / n : 0;
}

/* Is that more than the speed of their processors, and executions that were held up, explain? */
static int is_unequal_before(const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *w, int64_t ns)
{
	int64_t n = ompp_count(w->most.n), work_ns = work_between(a, node, n);

	if (!ns || ompp_hooked_explains_before(a, node, w))
		return 0;
	if (work_ns == OMPP_MISSING || !w->n_others)
		return 1;
	return ompp_waiting_is_more(w, work_ns, ns / n / w->n_others) && ompp_waiting_is_before(w, work_ns);
}

/* Remembers where most waiting is for work of which it is not sure that it is unequal. */
static void unsure_add(struct ompp_finder *finder, uint32_t region, const struct ompp_waiting *w)
{
	int64_t ns = w->body_ns < w->unequal_ns ? w->body_ns : w->unequal_ns;

	if (!w->is_unsure || w->verdict != OMPP_WORK_EQUAL || ns <= finder->unsure_ns)
		return;
	finder->unsure_ns = ns;
	finder->unsure_region = region;
	finder->unsure_milli = (w->most.apart_ns - w->least.apart_ns) * 1000 / w->most.mean_ns;
}

static void add_path(struct region *r, uint32_t node)
{
	const struct ompp_analysis *a = r->finder->analysis;
	struct ompp_waiting w;
	struct cost *cost = NULL;
	int64_t body_ns, sure_ns;

	if (!ompp_waiting_at(a, node, &w) || (r->inequality == SINGLE && is_tail_of_tasks(a, node, &w)))
		return;
	if (is_certain(r->inequality))
		cost = &r->unequal;
	else if (w.verdict >= OMPP_WORK_VARIES && (ompp_hooked_explains(a, node, &w) || came_too_late(r, &w)))
		cost = NULL;
	else if (w.verdict >= OMPP_WORK_UNEQUAL) /* waiting to get in is a finding of its own (finding_entry.c) */
		cost = ompp_waiting_for_entries(a, node) ? NULL : &r->unequal;
	else if (w.verdict == OMPP_WORK_VARIES) /* sections go to any thread, so the longest one does, too */
		cost = r->inequality == SECTIONS ? &r->unequal : &r->varies;
	unsure_add(r->finder, r->index, &w);
	body_ns = cost == &r->varies ? without_system(a, node, &w) : w.body_ns;
	if (cost && body_ns > 0)
		finding_barrier_add(cost, body_ns, ompp_waiting_wall(a, node, body_ns, w.wait_ns), &w);
	finding_barrier_add(&r->late, w.cause_ns[OMPP_CAUSE_START],
	                    ompp_waiting_wall(a, node, w.cause_ns[OMPP_CAUSE_START], w.wait_ns), &w);
	sure_ns = before_ns(a, node, &w);
	if (is_unequal_before(a, node, &w, sure_ns))
		finding_barrier_add(&r->before, sure_ns, ompp_waiting_wall(a, node, sure_ns, w.wait_ns), &w);
	finding_barrier_add(&r->leave, w.cause_ns[OMPP_CAUSE_LEAVE],
	                    ompp_waiting_wall(a, node, w.cause_ns[OMPP_CAUSE_LEAVE], w.wait_ns), &w);
}

/* For profiles without arrivals: judges by the sums of the bodies.  Work is unequal if that explains more than half of
 * the waiting. */
static void add_sums(struct region *r, uint32_t node)
{
	const struct ompp_analysis *a = r->finder->analysis;
	const struct ompp_node *n = &a->profile->nodes[node];
	const struct ompp_cell *cells = n->n_cells ? &a->profile->cells[n->first_cell] : NULL;
	int64_t most_ns = 0, unequal_ns = 0;
	struct ompp_waiting w = { 0 };

	if (n->n_cells < 2) /* a team of one waits for nobody; what its barrier takes is the system's */
		return;
	for (uint32_t k = 0; k < n->n_cells; k++) {
		if (cells[k].body_ns == OMPP_MISSING)
			return;
		most_ns = cells[k].body_ns > most_ns ? cells[k].body_ns : most_ns;
		w.wait_ns = ompp_add(w.wait_ns, ompp_wait_ns(n->construct, &cells[k]));
	}
	for (uint32_t k = 0; k < n->n_cells; k++)
		unequal_ns = ompp_add(unequal_ns, most_ns - cells[k].body_ns);
	if (is_certain(r->inequality) || n->construct == OMPP_BARRIER || unequal_ns >= w.wait_ns / 2)
		finding_barrier_add(&r->sums, w.wait_ns, ompp_waiting_wall(a, node, w.wait_ns, w.wait_ns), &w);
}

/* "Threads work 0.100 to 0.201 s in an execution of it (10 executions, standard deviation 1.20 ms)." */
static void say_work(struct ompp_text *t, const struct region *r, const struct ompp_waiting *w)
{
	ompp_text_str(t, r->inequality == BARRIER ? "Before it, threads work " : "Threads work ");
	ompp_say_times(t, w->least.mean_ns, w->most.mean_ns);
	ompp_text_str(t, r->region->construct == OMPP_PARALLEL ? " to its end, or since its last barrier" : "");
	ompp_text_str(t, w->most.n == 1 ? " (" : " each time (");
	ompp_say_count(t, w->most.n, "execution");
	if (w->most.n >= OMPP_MANY_EXECUTIONS) {
		ompp_text_str(t, ", standard deviation ");
		ompp_say_time(t, w->most.spread_ns);
	}
	ompp_text_char(t, ')');
}

/* Says how sure the share of a cause is. */
static void say_certainty(struct ompp_text *t, const struct ompp_waiting *w)
{
	if (w->verdict == OMPP_WORK_UNEQUAL_ONCE)
		ompp_text_str(t, " As these are few, CPU times were compared; other programs on the machine can change "
		                 "them.");
	if (w->looked_ns >= w->wait_ns / 10 * 9 || !w->n_looked)
		return;
	ompp_text_str(t, " Sampled: the causes of ");
	ompp_text_grouped(t, ompp_count(w->n_looked));
	ompp_text_str(t, " of ");
	ompp_say_count(t, w->n_waits, "wait");
	ompp_text_str(t, " were looked for.");
}

static void say_asleep(struct ompp_text *t, const struct ompp_waiting *w)
{
	if (w->cause_ns[OMPP_CAUSE_ASLEEP] <= w->body_ns / 10)
		return;
	ompp_text_str(t, " Of the waiting, ");
	ompp_say_time(t, w->cause_ns[OMPP_CAUSE_ASLEEP]);
	ompp_text_str(t, " is for threads that slept meanwhile: for input or output, or for locks of libraries.");
}

/* Returns advice for a loop: what can be tried depends on its schedule. */
static const char *advise_loop(const char *clauses)
{
	const char *schedule;
	size_t n;
	int has_collapse = ompp_has_clause(clauses, "collapse");

	if (ompp_schedule(clauses, &schedule, &n)) {
		if (ompp_schedule_is(clauses, "dynamic"))
			return memchr(schedule, ',', n) ? "The last chunks are too long although they are handed out "
			                                  "on demand. Try a smaller chunk, or "
			                                  "split the longest iterations."
			                                : "Single iterations are too long although they are handed out "
			                                  "on demand. Split the longest "
			                                  "ones, or start them first.";
		if (ompp_schedule_is(clauses, "guided"))
			return "Iterations differ in cost, and the first, largest chunks hold too many of them. Try "
			       "schedule(dynamic).";
		if (ompp_schedule_is(clauses, "runtime"))
			return "Iterations differ in cost. Try OMP_SCHEDULE=dynamic or guided, or a smaller chunk in "
			       "it.";
		if (ompp_schedule_is(clauses, "static") && memchr(schedule, ',', n))
			return "Iterations differ in cost. Try a smaller chunk, schedule(dynamic) or schedule(guided).";
	}
	return has_collapse ? "Iterations differ in cost. Try schedule(dynamic) or schedule(guided)."
	                    : "Iterations differ in cost. Try schedule(dynamic) or schedule(guided), or collapse(2) "
	                      "when there are few iterations and another loop directly inside.";
}

static const char *finding_barrier_advise(const struct region *r)
{
	switch (r->inequality) {
	case BARRIER:
		return "Balance the work before it, or drop the barrier where no data crosses it.";
	case REGION:
		return "Share the work out in a loop or in tasks, and look for code that only some threads run.";
	case LOOP:
		return advise_loop(r->region->clauses);
	case WORKSHARE:
		return "Array statements are shared out unevenly. Write the costly one as a loop with a schedule of "
		       "its own.";
	case SECTIONS:
		return "Sections differ in cost. Split the longest one, start it first, or use tasks.";
	case LONG_SECTION:
		return "Split the longest section, or start it first.";
	case UNEVEN_SECTIONS:
		return "The number of sections is not a multiple of the number of threads. Split sections further, or "
		       "use tasks.";
	case FEW_SECTIONS:
		return "There are fewer sections than threads. Add sections, use tasks, or ask for fewer threads here.";
	case SINGLE:
		return ompp_has_clause(r->region->clauses, "copyprivate") ? "Make its work parallel, or let all of "
		                                                            "them compute what is copied."
		                                                          : "Make its work parallel, or add nowait "
		                                                            "where the result is not needed yet.";
	default:
		return "";
	}
}

static void finding_barrier_find(const struct region *r, const char *name, const struct cost *cost,
                                 const char *evidence, const char *advice)
{
	ompp_find(r->finder, &(struct ompp_finding){ .name = name,
	                                             .region = r->index,
	                                             .ns = cost->ns,
	                                             .gain_ns = cost->gain_ns,
	                                             .evidence = evidence,
	                                             .advice = advice });
}

/* Says what else than the work may be unequal, where nothing tells.  A fixed piece of work without memory took all
 * threads the same time, so that what is left are caches and memory, which a factor of APART_BY_MEMORY or more is not
 * put down to. */
static void say_doubt(struct ompp_text *t, const struct region *r, const struct ompp_waiting *w)
{
	const struct ompp_work *least = &w->least, *most = &w->most;

	if (r->inequality != LOOP || least->pace_ps <= 0 || most->pace_ps <= 0 ||
	    most->pace_ps - least->pace_ps > least->pace_ps / SAME_PACE ||
	    most->mean_ns / APART_BY_MEMORY >= least->mean_ns)
		return;
	if (w->least_pace_ps > 0 && most->pace_ps - w->least_pace_ps > w->least_pace_ps / SHARED_CORE) {
		ompp_text_str(t, " Their processors were equally slow without memory accesses, ");
		ompp_say_ratio(t, most->pace_ps, w->least_pace_ps);
		ompp_text_str(t, " times as slow as at best: others worked on their cores.");
		return;
	}
	ompp_text_str(t, " Their processors were equally fast without memory accesses: if all iterations do the same "
	                 "work, one thread's data are farther away, or it shares its caches.");
}

/* Returns how long all threads were at work in a region: they had a processor, where that is known. */
static int64_t work_in(const struct region *r)
{
	const struct ompp_analysis *a = r->finder->analysis;
	int64_t sum_ns = 0;

	for (uint32_t i = a->same_first[0][r->index]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < a->profile->nodes[i].n_cells; k++) {
			uint32_t cell = a->profile->nodes[i].first_cell + k;
			const struct ompp_wait *wait = a->wait[cell];
			int64_t ns = wait && wait->n ? wait->work_ns : a->profile->cells[cell].body_ns;

			sum_ns = ompp_add(sum_ns, ns == OMPP_MISSING ? 0 : ns);
		}
	return sum_ns;
}

/* Returns how long the busiest thread is at work in an execution if all sections take the same time: for one section
 * more than each thread's part of them. */
static int64_t ns_of_equal_sections(const struct region *r, const struct ompp_cell *sum)
{
	uint64_t n_most = (sum->n_body + sum->n_exec - 1) / sum->n_exec;

	return ompp_times(work_in(r) / ompp_count(sum->n_body), n_most);
}

/* Returns how long it was at work: as long as any thread was at work or waited for one that was. */
static int64_t ns_of_execution(const struct region *r, const struct ompp_cell *sum)
{
	return ompp_add(work_in(r), r->unequal.ns) / ompp_count(sum->n_exec);
}

/* Does one section make the others wait, and not the number of them? */
static int has_long_section(const struct region *r, const struct ompp_cell *sum)
{
	int64_t equal_ns = r->inequality == UNEVEN_SECTIONS ? ns_of_equal_sections(r, sum) : 0;

	return equal_ns && ns_of_execution(r, sum) > equal_ns + equal_ns / LONG_SHARE;
}

static void find_unequal(const struct region *r, const struct ompp_cell *sum)
{
	const struct ompp_waiting *w = &r->unequal.most;
	struct ompp_text t;

	ompp_say_start(&t, r->finder->analysis->arena);
	say_work(&t, r, w);
	ompp_text_str(&t, "; meanwhile the others wait ");
	ompp_say_time(&t, r->unequal.ns);
	ompp_text_str(&t, " in all.");
	if (r->inequality == LONG_SECTION) {
		ompp_text_str(&t, " Equal sections would keep the busiest thread ");
		ompp_say_time(&t, ns_of_equal_sections(r, sum));
		ompp_text_str(&t, " at most each time, and it was ");
		ompp_say_time(&t, ns_of_execution(r, sum));
		ompp_text_str(&t, ": one section takes longer than the others.");
	}
	say_asleep(&t, w);
	say_doubt(&t, r, w);
	say_certainty(&t, w);
	finding_barrier_find(r, names[r->inequality], &r->unequal, t.data, finding_barrier_advise(r));
}

/* May all of it be the system's?  On a busy machine others wait for each thread that has no processor, as the kernel
 * counts that; a thread that went to sleep meanwhile seems to have slept. */
static int varies_by_system(const struct region *r)
{
	const struct ompp_analysis *a = r->finder->analysis;
	int64_t queued_ns = a->profile->queued_all_ns;

	return r->finder->is_busy && queued_ns > 0 && r->varies.ns <= ompp_times(queued_ns, a->n_threads - 1);
}

static void find_varying(const struct region *r)
{
	const struct ompp_waiting *w = &r->varies.most;
	struct ompp_text t;

	if (r->finder->is_short || varies_by_system(r))
		return;
	ompp_say_start(&t, r->finder->analysis->arena);
	say_work(&t, r, w);
	ompp_text_str(&t, ": which thread needs more CPU time changes from one execution to the next; meanwhile the "
	                  "others wait ");
	ompp_say_time(&t, r->varies.ns);
	ompp_text_str(&t, " in all.");
	say_asleep(&t, w);
	say_certainty(&t, w);
	finding_barrier_find(
		r, "WorkVariesBetweenThreads", &r->varies, t.data,
		r->finder->is_busy
			? "Measure again on a machine that does nothing else: other programs that share caches and "
			  "processors make times vary, too. If it stays, hand the work out on demand "
			  "(schedule(dynamic), tasks)."
			: "If the work of an iteration depends on the data, hand it out on demand "
			  "(schedule(dynamic), tasks). If it does not, the processors were not equally fast: other "
			  "programs, clock speed.");
}

static void find_late(const struct region *r)
{
	struct cost late = r->late;
	struct ompp_text t;

	late.ns = ompp_find_own_ns(r->finder, late.ns);
	late.gain_ns = ompp_find_own_ns(r->finder, late.gain_ns);
	if (!late.ns || r->finder->is_short || r->finder->late_milli >= OMPP_OFTEN_LATE)
		return;
	ompp_say_start(&t, r->finder->analysis->arena);
	ompp_text_str(&t, "Threads wait ");
	ompp_say_time(&t, r->late.ns);
	ompp_text_str(&t, ompp_construct_is_parallel(r->region->construct)
	                          ? " for others that began their part late, when their team was started or when a "
	                            "barrier let them go."
	                          : " for others that were late before they came to it: when their team was started, "
	                            "or when the barrier before let them go.");
	ompp_find_say_system(r->finder, &t);
	say_certainty(&t, &r->late.most);
	finding_barrier_find(r, "ThreadsComeLate", &late, t.data,
	                     "Waking threads takes this time. Make fewer and longer parallel regions and loops; "
	                     "OMP_WAIT_POLICY=active keeps "
	                     "threads awake, where each has a processor of its own.");
}

static void find_before(const struct region *r)
{
	struct ompp_text t;

	ompp_say_start(&t, r->finder->analysis->arena);
	ompp_text_str(&t, "Threads wait ");
	ompp_say_time(&t, r->before.ns);
	ompp_text_str(&t,
	              " at its end for others that came to it later, as they had more to do since the barrier before.");
	say_certainty(&t, &r->before.most);
	finding_barrier_find(r, "ImbalanceBefore", &r->before, t.data,
	                     "Balance the work before it: loops with nowait, work of one thread alone, code that "
	                     "depends on the thread.");
}

/* Finds a barrier that costs as much as the work before it. */
static void find_short(const struct region *r)
{
	const struct ompp_waiting *w = &r->leave.most;
	int64_t leave_ns = ompp_find_own_ns(r->finder, w->cause_ns[OMPP_CAUSE_LEAVE]);
	int64_t barrier_ns = w->n_waits ? leave_ns / ompp_count(w->n_waits) : 0;
	struct cost leave = r->leave;
	struct ompp_text t;

	if (w->most.n < OMPP_MANY_EXECUTIONS || barrier_ns < w->most.mean_ns / 10 || r->finder->is_busy)
		return; /* if processors are taken away, a barrier lasts until its last thread has one again */
	leave.ns = ompp_find_own_ns(r->finder, leave.ns);
	leave.gain_ns = ompp_find_own_ns(r->finder, leave.gain_ns);
	ompp_say_start(&t, r->finder->analysis->arena);
	say_work(&t, r, w);
	ompp_text_str(&t, "; when all have come, the barrier takes ");
	ompp_say_time(&t, barrier_ns);
	ompp_text_str(&t, " more each time.");
	ompp_find_say_system(r->finder, &t);
	say_certainty(&t, w);
	finding_barrier_find(r, "TooLittleWorkBetweenBarriers", &leave, t.data,
	                     ompp_construct_is_parallel(r->region->construct) || r->inequality == BARRIER
	                             ? "Do more between barriers: join loops or regions, parallelise an outer loop, "
	                               "use fewer threads."
	                             : "Do more between barriers: join loops, parallelise an outer loop, add nowait "
	                               "where the next construct does not need the result.");
}

static void find_in(struct ompp_finder *finder, uint32_t index)
{
	const struct ompp_analysis *a = finder->analysis;
	struct ompp_cell sum = ompp_analysis_sum(a, index, 0);
	struct region r = { .finder = finder, .index = index, .region = &a->profile->regions[index] };

	r.inequality = inequality_of(r.region->construct, &sum);
	if (r.inequality == NONE)
		return;
	for (uint32_t i = a->same_first[0][index]; i != OMPP_NONE; i = a->same_next[i])
		if (a->profile->n_waits)
			add_path(&r, i);
		else
			add_sums(&r, i);
	if (r.sums.ns && !finder->explained[index])
		finding_barrier_find(&r, names[r.inequality], &r.sums,
		                     "This profile does not say which thread came late and why, so only sums over "
		                     "all executions were compared.",
		                     finding_barrier_advise(&r));
	if (has_long_section(&r, &sum))
		r.inequality = LONG_SECTION;
	if (r.unequal.ns && !finder->explained[index])
		find_unequal(&r, &sum);
	if (r.varies.ns)
		find_varying(&r);
	if (r.late.ns)
		find_late(&r);
	if (r.before.ns)
		find_before(&r);
	if (r.leave.ns)
		find_short(&r);
}

void ompp_find_barriers(struct ompp_finder *finder)
{
	for (uint32_t r = 0; r < finder->analysis->profile->n_regions; r++)
		find_in(finder, r);
}
