/*
 * Finding, teams: the time that it takes to make threads for a team, and to start and end teams.
 */
#include "reports/findings/finding.h"

#include <errno.h>

#include "reports/analysis/waiting.h"
#include "reports/findings/finding_clause.h"

/* What is paid once is no finding of a run below a second, unless it is a tenth of it. */
enum { ONCE_NS = 1000000000, ONCE_SHARE = 10 };

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
	if (!f.ns || finder->is_short || (a->measured_ns < ONCE_NS && f.ns < a->capacity_ns / ONCE_SHARE))
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

static const char *finding_team_advise(const struct ompp_finder *finder, uint32_t region, const struct ompp_cell *sum)
{
	const struct ompp_profile *p = finder->analysis->profile;

	if (finder->late_milli > OMPP_MOSTLY_LATE)
		return "Processors were taken away from this program, so threads that are woken have to wait for one: "
		       "use fewer "
		       "threads, or a machine that does nothing else.";
	if (sum->n_exec / finder->analysis->n_threads < OMPP_MANY_EXECUTIONS)
		return "Teams were started only a few times, but that took long: ask for fewer threads here, if there "
		       "is little "
		       "work for each.";
	return ompp_has_clause(p->regions[region].clauses, "if")
	             ? "Join parallel regions, or parallelise an outer loop, so that teams are started less often."
	             : "Join parallel regions, or parallelise an outer loop, so that teams are started less often; an "
	               "if clause "
	               "keeps short ones serial.";
}

static void find_management(struct ompp_finder *finder, uint32_t region, const struct made *made)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	struct ompp_cell sum = ompp_analysis_sum(a, region, 0);
	struct ompp_finding f = { .name = "ManagementOfTeams", .region = region };
	int64_t n = ompp_count(sum.n_exec);
	struct ompp_text t;

	f.ns = ompp_subtract(ompp_add(sum.startup_ns, sum.shutdown_ns), made->start_ns);
	if (f.ns <= 0 || !n)
		return;
	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			uint32_t c = p->nodes[i].first_cell + k;

			f.gain_ns = ompp_add(f.gain_ns, ompp_analysis_wall(a, c,
			                                                   ompp_add(p->cells[c].startup_ns,
			                                                            p->cells[c].shutdown_ns)));
		}
	f.gain_ns = ompp_find_own_ns(finder, f.gain_ns < f.ns ? f.gain_ns : f.ns);
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "Starting and ending its teams takes a thread ");
	ompp_say_time(&t, f.ns / n);
	ompp_text_str(&t, " each time, the work in it ");
	ompp_say_time(&t, ompp_add(sum.body_ns, sum.task_ns == OMPP_MISSING ? 0 : sum.task_ns) / n);
	ompp_text_str(&t, " (");
	ompp_say_count(&t, sum.n_exec, "execution");
	ompp_text_str(&t, " of threads).");
	ompp_find_say_system(finder, &t);
	f.ns = ompp_find_own_ns(finder, f.ns);
	f.evidence = t.data;
	f.advice = finding_team_advise(finder, region, &sum);
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
