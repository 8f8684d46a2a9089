/*
 * Finding, teams: the time that it takes to make threads for a team, and to start and end teams.
 */
#include "reports/findings/finding.h"

#include <errno.h>

#include "reports/analysis/label.h"
#include "reports/analysis/waiting.h"
#include "runtime/terms/clauses.h"

/* What is paid once is no finding of a run below a second, unless it is a tenth of it. */
enum { ONCE_NS = 1000000000, ONCE_SHARE = 10 };
enum { WAKE_NS = 50000 }; /* waking a thread takes no longer, and a team wakes its threads one after another */
/* Starting and ending teams is no finding below one part in so many of the region's time, as with tasks and chunks:
 * teams that are seldom enough cost little more on any machine. */
enum { LEAST_SHARE = 20 };
enum { SAID_SHARE = 20 }; /* less than one part in so many beside it is not spoken of */

/* What the creation of threads cost a region: waiting at its own barriers and at those inside, and time before its
 * start. */
struct made {
	int64_t wait_ns, start_ns;
};

static struct made *find_made(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	struct made *made = ompp_arena_alloc(a->arena, p->n_regions * sizeof(*made));
	struct ompp_waiting w;

	for (uint32_t i = 1; made && i < p->n_nodes; i++) {
		struct made *of;

		if (a->team[i] == OMPP_NONE || !ompp_waiting_at(a, i, &w))
			continue;
		of = &made[p->nodes[a->team[i]].region];
		of->wait_ns = ompp_add(of->wait_ns, w.cause_ns[OMPP_CAUSE_MADE]);
		of->start_ns = ompp_add(of->start_ns, w.made_ns);
	}
	return made;
}

static void find_making(struct ompp_finder *finder, uint32_t region, const struct made *made)
{
	const struct ompp_analysis *a = finder->analysis;
	struct ompp_finding f = { .name = "TeamMade", .region = region, .ns = ompp_add(made->wait_ns, made->start_ns) };
	struct ompp_text t;

	f.ns = ompp_find_own_ns(finder, f.ns);
	if (!f.ns || finder->is_short || finder->late_milli >= OMPP_OFTEN_LATE ||
	    (a->measured_ns < ONCE_NS && f.ns < a->capacity_ns / ONCE_SHARE))
		return;
	f.gain_ns = f.ns / (int64_t)a->n_threads;
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "Threads had to be created for it: they began ");
	ompp_say_time(&t, made->start_ns);
	ompp_text_str(&t, " (all together) after the fork, and those that existed already waited ");
	ompp_say_time(&t, made->wait_ns);
	ompp_text_str(&t, " for them.");
	ompp_find_say_system(finder, &t);
	f.evidence = t.data;
	f.advice = "This happens once for each thread, so it weighs less in longer runs; nothing in the region itself "
		   "causes it.";
	ompp_find(finder, &f);
}

static const char *finding_team_advise(const struct ompp_finder *finder, uint32_t region)
{
	const struct ompp_profile *p = finder->analysis->profile;

	return ompp_has_clause(p->regions[region].clauses, "if")
	             ? "Join parallel regions, or parallelise an outer loop, so that teams are started less often."
	             : "Join parallel regions, or parallelise an outer loop, so that teams are started less often; an "
	               "if clause keeps short ones serial.";
}

/* Returns what the region's teams took to start and end each time, of all_ns: without what a few of them took beyond
 * that, as the system held them up.  Profiles of before do not tell, and of few teams nothing does: returns 0. */
static int64_t usual_of(const struct ompp_analysis *a, uint32_t region, int64_t all_ns)
{
	const struct ompp_profile *p = a->profile;
	int64_t usual_ns = OMPP_MISSING;
	uint64_t n_most = 0; /* executions by one thread at one call path */

	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			uint32_t cell = p->nodes[i].first_cell + k;
			const struct ompp_wait *wait = a->wait[cell];

			n_most = p->cells[cell].n_exec > n_most ? p->cells[cell].n_exec : n_most;
			if (wait && wait->usual_ns != OMPP_MISSING)
				usual_ns = ompp_add(usual_ns == OMPP_MISSING ? 0 : usual_ns, wait->usual_ns);
		}
	if (usual_ns == OMPP_MISSING)
		return n_most < OMPP_MANY_EXECUTIONS ? 0 : all_ns;
	return usual_ns < all_ns ? usual_ns : all_ns;
}

/* Returns how long a hypervisor may have had processors of the program, at most: each of merged profiles may have lost
 * as much as the one that lost most.  0 where nobody knows. */
static int64_t most_stolen(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;

	return p->stolen_ns > 0 ? ompp_times(p->stolen_ns, p->n_merged ? p->n_merged : 1) : 0;
}

/* Returns ns less all steal of the run: the least part that is the program's own. */
static int64_t not_stolen(const struct ompp_analysis *a, int64_t ns)
{
	int64_t stolen_ns = most_stolen(a);

	return ns > stolen_ns ? ns - stolen_ns : 0;
}

/* Can the part of it explain why teams are late? */
static int explains(int64_t part_ns, int64_t ns)
{
	return (__int128)part_ns * 1000 >= (__int128)ns * OMPP_OFTEN_LATE;
}

/* Does the machine let teams start and end late?  They take longer than waking their threads does, and it is not known
 * to be the program's own threads that share processors: the kernel counts how long they wait for one, or there is as
 * much steal. */
static int are_held_up(const struct ompp_analysis *a, int64_t ns, int64_t n)
{
	return ns / n > ompp_times(WAKE_NS, a->n_threads) &&
	       (a->profile->queued_all_ns != OMPP_MISSING || explains(most_stolen(a), ns));
}

/* "takes a thread 2.00 us each time, the work in it 13.0 us (6 000 executions of threads)." */
static void say_teams(struct ompp_text *t, const struct ompp_cell *sum, int64_t ns)
{
	int64_t n = ompp_count(sum->n_exec);

	ompp_text_str(t, "takes a thread ");
	ompp_say_time(t, ns / n);
	ompp_text_str(t, " each time, the work in it ");
	ompp_say_time(t, ompp_add(sum->body_ns, sum->task_ns == OMPP_MISSING ? 0 : sum->task_ns) / n);
	ompp_text_str(t, " (");
	ompp_say_count(t, sum->n_exec, "execution");
	ompp_text_str(t, " of threads).");
}

/* Finds that the machine holds up teams, unless the kernel counts as much waiting for a processor, wherever it was, as
 * is often late: that is found already. */
static void find_held_up(struct ompp_finder *finder, uint32_t region, const struct ompp_cell *sum, int64_t ns,
                         int64_t gain_ns)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	struct ompp_finding f = { .name = "ProcessorTakenAway", .region = OMPP_NONE, .ns = ns, .gain_ns = gain_ns };
	struct ompp_text t;

	if (finder->is_short || (p->queued_all_ns != OMPP_MISSING && explains(p->queued_all_ns, ns)))
		return;
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "Starting and ending teams of ");
	ompp_text_str(&t, ompp_region_title(a, &p->regions[region], p->regions[region].construct));
	ompp_text_char(&t, ' ');
	say_teams(&t, sum, ns);
	ompp_text_str(&t, " No waking of threads takes that long");
	if (p->stolen_ns > 0) {
		ompp_text_str(&t, "; a hypervisor had processors for ");
		ompp_say_time(&t, p->stolen_ns);
		ompp_text_str(&t, " of the run (steal in /proc/stat).");
	} else {
		ompp_text_str(&t, ", and threads waited for a processor ");
		ompp_say_time(&t, p->queued_all_ns);
		ompp_text_str(&t, " in all, as the kernel counts that: what had the processors is nothing that it "
		                  "tells of, such as a hypervisor or the firmware.");
	}
	f.evidence = t.data;
	f.advice = "Measure on a machine that does nothing else, or ask for fewer threads; fewer and longer parallel "
		   "regions wait less often.";
	ompp_find_machine(finder, &f);
}

static void find_management(struct ompp_finder *finder, uint32_t region, const struct made *made)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	struct ompp_cell sum = ompp_analysis_sum(a, region, 0);
	struct ompp_finding f = { .name = "ManagementOfTeams", .region = region };
	int64_t n = ompp_count(sum.n_exec);
	int64_t all_ns = ompp_subtract(ompp_add(sum.startup_ns, sum.shutdown_ns), made->start_ns);
	struct ompp_text t;

	f.ns = usual_of(a, region, all_ns);
	if (f.ns <= 0 || !n || finder->late_milli >= OMPP_OFTEN_LATE || not_stolen(a, f.ns) < sum.exec_ns / LEAST_SHARE)
		return;
	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			uint32_t c = p->nodes[i].first_cell + k;

			f.gain_ns = ompp_add(f.gain_ns, ompp_analysis_wall(a, c,
			                                                   ompp_add(p->cells[c].startup_ns,
			                                                            p->cells[c].shutdown_ns)));
		}
	f.gain_ns = (int64_t)((__int128)f.gain_ns * f.ns / all_ns);
	if (are_held_up(a, f.ns, n)) {
		find_held_up(finder, region, &sum, f.ns, f.gain_ns);
		return;
	}
	f.gain_ns = ompp_find_own_ns(finder, f.gain_ns < f.ns ? f.gain_ns : f.ns);
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "Starting and ending its teams ");
	say_teams(&t, &sum, f.ns);
	if (all_ns - f.ns > f.ns / SAID_SHARE) {
		ompp_text_str(&t, " Another ");
		ompp_say_time(&t, all_ns - f.ns);
		ompp_text_str(&t, ", which a few teams took beyond that, are left out: they were held up, and that is "
		                  "not paid each time.");
	}
	if (most_stolen(a) > f.ns / SAID_SHARE) {
		ompp_text_str(&t, " Up to ");
		ompp_say_time(&t, most_stolen(a));
		ompp_text_str(&t, " of all may be a hypervisor's part (steal in /proc/stat).");
	}
	ompp_find_say_system(finder, &t);
	f.ns = ompp_find_own_ns(finder, f.ns);
	f.evidence = t.data;
	f.advice = finding_team_advise(finder, region);
	ompp_find(finder, &f);
}

void ompp_find_teams(struct ompp_finder *finder)
{
	const struct ompp_profile *p = finder->analysis->profile;
	const struct made *made = find_made(finder->analysis);

	if (!made) {
		finder->rc = -ENOMEM;
		return;
	}
	for (uint32_t r = 0; r < p->n_regions; r++)
		if (ompp_construct_is_parallel(p->regions[r].construct)) {
			find_making(finder, r, &made[r]);
			find_management(finder, r, &made[r]);
		}
}
