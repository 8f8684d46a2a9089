/*
 * Finding, visits: regions whose first visit, or a few of whose visits, take much longer than the others, or whose
 * visits become longer and longer.
 *
 * Where that is so in a region inside as well, the region inside is the one that is named.  Constructs in which threads
 * wait for others are left out, as the reason is elsewhere.
 */
#include "reports/findings/finding.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/visits.h"
#include "reports/analysis/waiting.h"
#include "runtime/terms/clauses.h"

enum {
	MOST_LONG_SHARE = 20,   /* at most one in so many is long */
	LEAST_GAIN_SHARE = 20,  /* what they take above the median is one part of so many of the run, or more */
	MOST_STOLEN_SHARE = 100 /* of the run: where a hypervisor took more, the machine may have become slower */
};

struct visits {
	struct ompp_visits durations;
	struct ompp_long first, later;
	struct ompp_long slower; /* what visits of cells that become slower take above early ones */
	uint32_t slow_cell;      /* the one with most of that */
	int64_t work_ns; /* the most work before one arrival at its barrier, with a processor; OMPP_MISSING when not
	                    known */
	int is_inside;   /* 1 when a region inside has at least half of it */
	int is_hooked;   /* 1 when accesses in it were counted */
	int has_turns;   /* 1 when threads wait for each other in it, before its barrier */
};

static int is_waiting(enum ompp_construct construct)
{
	return construct == OMPP_BARRIER || construct == OMPP_TASKWAIT || construct == OMPP_TASKGROUP ||
	       construct == OMPP_TASKYIELD || construct == OMPP_CRITICAL || construct == OMPP_ORDERED;
}

/* Does a thread wait in the construct until others have done their part in one? */
static int is_turn(enum ompp_construct construct)
{
	return construct == OMPP_CRITICAL || construct == OMPP_ORDERED || construct == OMPP_LOCK ||
	       construct == OMPP_NEST_LOCK || construct == OMPP_TASKWAIT || construct == OMPP_TASKGROUP;
}

/* A thread that went to sleep may have waited for a processor, too, so what it slept in all visits is left out. */
static void add_work(const struct ompp_wait *wait, struct visits *v)
{
	int64_t slept_ns, work_ns;

	if (!wait || wait->most_ns == OMPP_MISSING)
		return;
	slept_ns = wait->asleep_ns == OMPP_MISSING ? 0 : wait->asleep_ns;
	work_ns = ompp_subtract(wait->most_ns, slept_ns);
	v->work_ns = work_ns > v->work_ns ? work_ns : v->work_ns; /* OMPP_MISSING is the least number */
}

static void add_slower(const struct ompp_analysis *a, uint32_t node, uint32_t cell, struct visits *v)
{
	struct ompp_trend trend;

	ompp_trend_of(a->profile, cell, &trend);
	if (!trend.is_slower || ompp_analysis_is_inner(a->profile, node, a->profile->cells[cell].row))
		return;
	v->slower.n += trend.n;
	v->slower.ns = ompp_add(v->slower.ns, trend.more_ns);
	if (trend.more_ns <= v->slower.most_ns)
		return;
	v->slower.most_ns = trend.more_ns;
	v->slow_cell = cell;
}

static int measure(const struct ompp_analysis *a, uint32_t region, struct visits *v)
{
	const struct ompp_profile *p = a->profile;
	int rc = ompp_visits_of(a, region, 0, &v->durations);

	v->work_ns = OMPP_MISSING;
	if (rc || v->durations.n < OMPP_LEAST_VISITS || is_waiting(p->regions[region].construct))
		return rc;
	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			add_work(a->wait[p->nodes[i].first_cell + k], v);
			add_slower(a, i, p->nodes[i].first_cell + k, v);
		}
	ompp_visits_long(a, region, 0, &v->durations, 0, &v->first, &v->later);
	return 0;
}

/* Takes the making of teams out of first visits: that is a finding of its own (TeamMade). */
static void take_making(const struct ompp_analysis *a, struct visits *visits)
{
	struct ompp_waiting w;

	for (uint32_t i = 1; i < a->profile->n_nodes; i++)
		if (ompp_waiting_at(a, i, &w) && w.made_ns > 0) {
			struct ompp_long *first = &visits[a->profile->nodes[i].region].first;

			first->ns = ompp_subtract(first->ns, w.made_ns);
			first->most_ns = ompp_subtract(first->most_ns, w.made_ns);
		}
}

/* Marks the regions in which threads wait for their turns: an ordered loop waits for them without an ordered region,
 * too. Such a thread may spin, so its CPU time there is no work, and a processor that another one lost lengthens it. */
static void mark_turns(const struct ompp_analysis *a, struct visits *visits)
{
	const struct ompp_profile *p = a->profile;

	for (uint32_t i = 1; i < p->n_nodes; i++)
		if (is_turn(p->nodes[i].construct) ||
		    ompp_has_clause(p->regions[p->nodes[i].region].clauses, "ordered"))
			for (uint32_t up = i; up; up = p->nodes[up].parent)
				visits[p->nodes[up].region].has_turns = 1;
}

/* Marks the regions in which accesses were counted.  What their hooks prepare for data that is new to them is in first
 * visits, and no part of the program. */
static void mark_hooked(const struct ompp_analysis *a, struct visits *visits)
{
	const struct ompp_profile *p = a->profile;

	for (size_t i = 0; i < p->n_accesses; i++)
		for (uint32_t up = p->accesses[i].node; up; up = p->nodes[up].parent)
			visits[p->nodes[up].region].is_hooked = 1;
}

/* Returns what all visits that are longer than others have of that, in the threads that have most. */
static int64_t longer_ns(const struct visits *v)
{
	return ompp_add(ompp_add(v->first.most_ns, v->later.most_ns), v->slower.most_ns);
}

/* Marks the regions around those that have as much of it. */
static void mark_around(const struct ompp_analysis *a, struct visits *visits)
{
	const struct ompp_profile *p = a->profile;

	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const struct visits *v = &visits[p->nodes[i].region];
		int64_t ns = longer_ns(v);

		for (uint32_t up = p->nodes[i].parent; up && ns > 0; up = p->nodes[up].parent) {
			struct visits *around = &visits[p->nodes[up].region];

			if (around != v && ns >= longer_ns(around) / 2)
				around->is_inside = 1;
		}
	}
}

/* Returns what the system took: as barriers have seen it, or as the kernel counts it, where there are none (a team of
 * one, a function outside of parallel regions). */
static int64_t visits_taken_ns(const struct ompp_finder *finder)
{
	const struct ompp_profile *p = finder->analysis->profile;
	int64_t queued_ns = p->queued_all_ns != OMPP_MISSING ? p->queued_all_ns : p->queued_ns;

	return queued_ns > finder->off_ns ? queued_ns : finder->off_ns; /* OMPP_MISSING is the least number */
}

/* Leaves of what visits took above the median what the system did not take: the most work that there was in a visit, or
 * all but the time that threads had no processor, whichever is more, and less what a hypervisor took.  Where threads
 * take turns it is the latter. */
static void take_system(const struct ompp_finder *finder, const struct visits *v, struct ompp_long *excess)
{
	int64_t all_ns = excess->most_ns, own_ns = ompp_subtract(all_ns, visits_taken_ns(finder)), worked_ns = 0;

	if (v->work_ns != OMPP_MISSING && !v->has_turns)
		worked_ns = ompp_subtract(v->work_ns, v->durations.median.most_ns);
	own_ns = worked_ns > own_ns ? worked_ns : own_ns;
	own_ns = ompp_subtract(own_ns, ompp_find_stolen_ns(finder));
	if (own_ns >= all_ns || all_ns <= 0)
		return;
	excess->most_ns = own_ns > 0 ? own_ns : 0;
	excess->ns = (int64_t)((__int128)excess->ns * excess->most_ns / all_ns);
}

/* Is it much of the run without what the system took? */
static int is_much(const struct ompp_finder *finder, const struct ompp_long *excess)
{
	const struct ompp_analysis *a = finder->analysis;
	int64_t run_ns = ompp_subtract(a->measured_ns, visits_taken_ns(finder) / (int64_t)a->n_threads);

	return excess->most_ns > 0 && excess->most_ns >= run_ns / LEAST_GAIN_SHARE;
}

static void say_usual(struct ompp_text *t, const struct visits *v)
{
	ompp_text_str(t, "; half of the others take no more than ");
	ompp_say_time(t, v->durations.median.most_ns);
	ompp_text_char(t, '.');
}

static void find_visits(struct ompp_finder *finder, const char *name, uint32_t region, const struct ompp_long *excess,
                        const char *evidence, const char *advice)
{
	int is_parallel = ompp_construct_is_parallel(finder->analysis->profile->regions[region].construct);

	ompp_find(finder,
	          &(struct ompp_finding){ .name = name,
	                                  .region = region,
	                                  .ns = is_parallel ? ompp_times(excess->most_ns, finder->analysis->n_threads)
	                                                    : excess->ns,
	                                  .gain_ns = excess->most_ns,
	                                  .of_work = 1,
	                                  .evidence = evidence,
	                                  .advice = advice });
}

static void find_first(struct ompp_finder *finder, uint32_t region, const struct visits *v)
{
	struct ompp_text t;

	ompp_say_start(&t, finder->analysis->arena);
	ompp_text_str(&t, "It takes ");
	ompp_say_time(&t, v->durations.first_ns);
	say_usual(&t, v);
	find_visits(finder, "FirstVisitIsLong", region, &v->first, t.data,
	            "It pays for what later visits find ready: first touches of memory, cold caches, set-up in "
	            "libraries. Do that before, with all threads; leave this visit out where you compare kernels.");
}

static void find_long(struct ompp_finder *finder, uint32_t region, const struct visits *v)
{
	const struct ompp_analysis *a = finder->analysis;
	struct ompp_text t;

	ompp_say_start(&t, a->arena);
	ompp_text_grouped(&t, ompp_count(v->later.n));
	ompp_text_str(&t, " of ");
	ompp_say_count(&t, v->durations.n, "visit");
	ompp_text_str(&t, v->later.n == 1 ? " takes " : " take ");
	ompp_say_time(&t, v->later.ns);
	ompp_text_str(&t, " more than usual");
	say_usual(&t, v);
	ompp_text_str(&t, " The longest, visit ");
	ompp_text_grouped(&t, ompp_count(v->durations.most_at));
	ompp_text_str(&t, " of thread ");
	ompp_text_str(&t, a->profile->rows[v->durations.most_row].label);
	ompp_text_str(&t, ", takes ");
	ompp_say_time(&t, v->durations.most_ns);
	ompp_text_char(&t, '.');
	find_visits(finder, "FewVisitsAreLong", region, &v->later, t.data,
	            "Look for what these do and the others do not: input and output, memory that grows, structures "
	            "that are built anew. --view=durations has the distribution.");
}

/* Leaves what the system cannot have taken: nothing where it took processors away, as that may have become more. */
static void take_system_slower(const struct ompp_finder *finder, struct visits *v)
{
	const struct ompp_profile *p = finder->analysis->profile;
	int64_t own_ns = ompp_subtract(v->slower.most_ns, visits_taken_ns(finder));

	if (finder->is_busy || own_ns <= 0 ||
	    (p->stolen_most_ns != OMPP_MISSING && p->stolen_most_ns > p->duration_ns / MOST_STOLEN_SHARE)) {
		memset(&v->slower, 0, sizeof(v->slower));
		return;
	}
	v->slower.ns = (int64_t)((__int128)v->slower.ns * own_ns / v->slower.most_ns);
	v->slower.most_ns = own_ns;
}

static void find_slower(struct ompp_finder *finder, uint32_t region, const struct visits *v)
{
	const struct ompp_profile *p = finder->analysis->profile;
	struct ompp_trend trend;
	struct ompp_text t;

	ompp_trend_of(p, v->slow_cell, &trend);
	ompp_say_start_long(&t, finder->analysis->arena);
	ompp_text_str(&t, "Of ");
	ompp_say_count(&t, trend.n, "visit");
	ompp_text_str(&t, " of thread ");
	ompp_text_str(&t, p->rows[p->cells[v->slow_cell].row].label);
	ompp_text_str(&t, " the first quarter takes ");
	ompp_say_time(&t, ompp_trend_mean(trend.early_ns, trend.n_early));
	ompp_text_str(&t, " each, the last ");
	ompp_say_time(&t, ompp_trend_mean(trend.late_ns, trend.n_late));
	ompp_text_str(&t, ". Of ");
	ompp_text_grouped(&t, ompp_count(trend.n_pairs));
	ompp_text_str(&t, " pairs of slices of the run ");
	ompp_text_grouped(&t, ompp_count(trend.n_rising));
	ompp_text_str(&t, " rise, which chance makes in fewer than one run of 10 000.");
	find_visits(finder, "VisitsSlowDown", region, &v->slower, t.data,
	            "Look for what grows from visit to visit: lists and tables that are searched, memory that is kept. "
	            "Where each visit has more to do, as in some factorisations, that is why. --view=durations has "
	            "early and late visits, --format=json all slices.");
}

void ompp_find_visits(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	struct visits *visits = ompp_arena_alloc(a->arena, (a->profile->n_regions + 1) * sizeof(*visits));

	if (!visits || finder->is_short) {
		finder->rc = visits ? finder->rc : -ENOMEM;
		return;
	}
	for (uint32_t r = 0; r < a->profile->n_regions; r++)
		if (measure(a, r, &visits[r])) {
			finder->rc = -ENOMEM;
			return;
		}
	take_making(a, visits);
	mark_around(a, visits);
	mark_turns(a, visits);
	mark_hooked(a, visits);
	for (uint32_t r = 0; r < a->profile->n_regions; r++) {
		struct visits *v = &visits[r];

		if (v->is_inside)
			continue;
		take_system_slower(finder, v);
		take_system(finder, v, &v->first);
		take_system(finder, v, &v->later);
		if (!v->is_hooked && is_much(finder, &v->first))
			find_first(finder, r, v);
		if (is_much(finder, &v->slower))
			find_slower(finder, r, v);
		else if (v->later.n <= v->durations.n / MOST_LONG_SHARE && is_much(finder, &v->later))
			find_long(finder, r, v);
	}
}
