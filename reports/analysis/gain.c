/*
 * Gain: see gain.h.
 */
#include "reports/analysis/gain.h"

#include "reports/profile/number.h"
#include "runtime/terms/clauses.h"

enum {
	LEAST_PER_MILLE = 80, /* by which single parts of a run differ in another one */
	MOST_PER_MILLE = 500, /* with more than that unexplained, nothing is said */
	MUCH_LONGER = 2,      /* times */
	RUNS_DIFFER = 100     /* two runs differ by a hundredth */
};

/* Returns the longest time that one of a construct's tasks took for itself.  Profiles of earlier versions have only the
 * longest one with the children that it waited for; there a task that is much longer than the mean is taken for one.  0
 * where neither is known. */
static int64_t longest_task(const struct ompp_span_record *s)
{
	int64_t many_ns;

	if (s->most_own_ns != OMPP_MISSING)
		return s->most_own_ns;
	if (s->most_span_ns == OMPP_MISSING || s->work_ns == OMPP_MISSING)
		return 0;
	many_ns = ompp_times(s->work_ns / ompp_count(s->n), MUCH_LONGER);
	return s->most_span_ns < many_ns ? s->most_span_ns : many_ns;
}

/* Returns the longest task of the run, less the share of it that all threads could have taken over. */
static int64_t task_spread(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t longest_ns = 0;

	for (size_t i = 0; i < p->n_spans; i++) {
		const struct ompp_span_record *s = &p->spans[i];
		int64_t ns;

		if (p->nodes[s->node].construct != OMPP_TASKEXEC || !s->n)
			continue;
		ns = longest_task(s);
		longest_ns = ns > longest_ns ? ns : longest_ns;
	}
	return a->n_threads ? longest_ns / a->n_threads * (a->n_threads - 1) : 0;
}

/* Returns what threads waited for the last ones of loops that are handed out on demand, in the mean. */
static int64_t loop_spread(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t all_ns = 0;

	for (uint32_t r = 0; r < p->n_regions; r++) {
		struct ompp_cell sum;

		if (!ompp_schedule_is_on_demand(p->regions[r].clauses))
			continue;
		sum = ompp_analysis_sum(a, r, 0);
		all_ns = sum.exit_bar_ns > 0 ? ompp_add(all_ns, sum.exit_bar_ns) : all_ns;
	}
	return a->n_threads ? all_ns / a->n_threads : 0;
}

/* Returns what the path does not explain of the run: what is not seen, and what threads waited for processors. */
static int64_t unexplained_ns(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t ns = a->measured_ns > p->executed_ns ? a->measured_ns - p->executed_ns : 0;

	if (p->queued_ns != OMPP_MISSING && a->n_threads)
		ns = ompp_add(ns, p->queued_ns / a->n_threads);
	return ns;
}

struct ompp_gain_room ompp_gain_room(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_gain_room room = { .per_mille = OMPP_MISSING };
	int64_t per_mille;

	if (p->executed_ns == OMPP_MISSING || p->executed_ns <= 0 || a->measured_ns <= 0)
		return room;
	per_mille = (int64_t)((__int128)unexplained_ns(a) * 1000 / a->measured_ns);
	if (per_mille > MOST_PER_MILLE)
		return room;
	room.per_mille = per_mille > LEAST_PER_MILLE ? per_mille : LEAST_PER_MILLE;
	room.least_ns = a->measured_ns / RUNS_DIFFER;
	room.spread_ns = ompp_add(task_spread(a), loop_spread(a));
	return room;
}

struct ompp_gain_interval ompp_gain_interval(const struct ompp_gain_room *room, int64_t gain_ns)
{
	struct ompp_gain_interval interval = { OMPP_MISSING, OMPP_MISSING };
	int64_t about_ns;

	if (room->per_mille == OMPP_MISSING || gain_ns == OMPP_MISSING)
		return interval;
	about_ns = (int64_t)((__int128)gain_ns * room->per_mille / 1000) + room->least_ns + room->spread_ns;
	interval.most_ns = ompp_add(gain_ns, about_ns);
	about_ns = ompp_add(about_ns, room->chunks_ns);
	interval.least_ns = gain_ns > about_ns ? gain_ns - about_ns : 0;
	return interval;
}

struct ompp_gain_room ompp_gain_room_of_chunks(const struct ompp_gain_room *room, const struct ompp_gain *gain)
{
	struct ompp_gain_room more = *room;

	more.chunks_ns = gain->spread_ns == OMPP_MISSING ? 0 : gain->spread_ns;
	return more;
}

int ompp_gain_is_certain(const struct ompp_gain_room *room, int64_t gain_ns)
{
	return ompp_gain_interval(room, gain_ns).least_ns > 0;
}

const struct ompp_gain *ompp_gain_of(const struct ompp_profile *p, uint32_t region)
{
	for (size_t i = 0; i < p->n_gains; i++)
		if (p->gains[i].region == region)
			return &p->gains[i];
	return NULL;
}
