/*
 * Forecast: see forecast.h.
 */
#include "reports/bounds/forecast.h"

#include <string.h>

#include "reports/bounds/roofline.h"

static const int64_t mostly = 800000000; /* share of the likely time, 10^-9: what takes that limits */

const char *ompp_limit_text(enum ompp_limit limit)
{
	static const char *const texts[OMPP_N_LIMITS] = {
		[OMPP_LIMITED_BY_WORK] = "work",
		[OMPP_LIMITED_BY_SERIAL] = "serial part",
		[OMPP_LIMITED_BY_SPAN] = "span",
		[OMPP_LIMITED_BY_LOCK] = "critical region",
		[OMPP_LIMITED_BY_MANAGEMENT] = "management",
		[OMPP_LIMITED_BY_BANDWIDTH] = "bandwidth",
		[OMPP_LIMITED_BY_IMBALANCE] = "imbalance",
	};

	return texts[limit];
}

const struct ompp_forecast *ompp_forecast_of(const struct ompp_forecast by[OMPP_FORECASTS], uint32_t n_threads)
{
	for (int i = 0; i < OMPP_FORECASTS; i++)
		if (by[i].n_threads == n_threads && by[i].least_ns != OMPP_MISSING)
			return &by[i];
	return NULL;
}

/* ---- regions ---- */

/* Returns the memory's roof for a number of threads: what the fewest threads did that are as many, as more threads have
 * no less bandwidth; the greatest where all that were measured are fewer.  0 where none is known. */
static int64_t memory_rate(const struct ompp_roofs *roofs, uint64_t n_threads)
{
	const struct ompp_roof *best = NULL;
	int64_t most = 0;

	for (size_t i = 0; i < roofs->n; i++) {
		const struct ompp_roof *roof = &roofs->list[i];

		if (roof->kind != OMPP_ROOF_BYTES || strcmp(roof->name, "memory") != 0)
			continue;
		most = roof->rate > most ? roof->rate : most;
		if (roof->n_threads >= n_threads && (!best || roof->n_threads < best->n_threads))
			best = roof;
	}
	return best ? best->rate : most;
}

/* Returns what the bytes of a region take at the memory's roof of a number of threads; 0 where that is not known. */
static int64_t memory_ns(const struct ompp_analysis *a, uint32_t region, uint64_t n_threads)
{
	const struct ompp_roofline *r = a->roofs && ompp_roofline_is_there(a->profile) ? ompp_roofline(a) : NULL;
	int64_t rate = r ? memory_rate(a->roofs, n_threads) : 0;
	int level = OMPP_ROOFLINE_LEVELS - 1;

	while (level > 0 && !ompp_roofline_has_level(a, level))
		level--;
	for (size_t i = 0; rate && i < r->n; i++)
		if (r->lines[i].region == region && r->lines[i].object == OMPP_NONE) {
			int64_t bytes = ompp_roofline_below(&r->lines[i], level);

			return bytes == OMPP_MISSING ? 0 : (int64_t)((__int128)bytes * 1000000000 / rate);
		}
	return 0;
}

static void consider(struct ompp_forecast *f, enum ompp_limit limit, int64_t ns)
{
	if (ns != OMPP_MISSING && ns > f->limit_ns) {
		f->limit = limit;
		f->limit_ns = ns;
	}
}

/* Returns a time of all executions, where n of them were looked at. */
static int64_t all_of(int64_t ns, uint64_t n_all, uint64_t n)
{
	return ns == OMPP_MISSING || !n ? OMPP_MISSING : (int64_t)((__int128)ns * ompp_count(n_all) / ompp_count(n));
}

/* What is known of the tasks at and below a node, of those that are in one region. */
enum { CREATES_IN_TASK = 1, WAITS = 2 };

/* Returns, by node, 1 for outermost regions in which tasks create tasks, and something waits for tasks.  There a thread
 * that waits executes tasks that it waits for alone, of GCC's library its children, and idles while others are ready.
 * Graham's bound assumes a greedy scheduler, which neither library is there.  But one thread is always at work, so
 * such a region takes at most what one thread needs.  A taskloop counts as a wait even with nogroup, so a region may
 * get this looser bound where Graham's would hold.  NULL without memory. */
static const uint8_t *find_idling(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	uint32_t *region = ompp_arena_alloc(a->arena, (p->n_nodes + 1) * sizeof(*region));
	uint8_t *is_in_task = ompp_arena_alloc(a->arena, p->n_nodes + 1);
	uint8_t *found = ompp_arena_alloc(a->arena, p->n_nodes + 1);

	if (!region || !is_in_task || !found)
		return NULL;
	for (size_t i = 0; i < p->n_predictions; i++)
		region[p->predictions[i].node] = p->predictions[i].node;
	for (uint32_t i = 1; i < p->n_nodes; i++) { /* parents come first; 0 is the program */
		enum ompp_construct construct = p->nodes[i].construct;
		uint32_t parent = p->nodes[i].parent, to = region[i] ? region[i] : region[parent];

		region[i] = to;
		is_in_task[i] = is_in_task[parent] || construct == OMPP_TASKEXEC;
		if (is_in_task[i] && (construct == OMPP_TASK || construct == OMPP_TASKLOOP))
			found[to] |= CREATES_IN_TASK;
		if (construct == OMPP_TASKWAIT || construct == OMPP_TASKGROUP || construct == OMPP_TASKLOOP)
			found[to] |= WAITS;
	}
	for (uint32_t i = 0; i < p->n_nodes; i++)
		found[i] = found[i] == (CREATES_IN_TASK | WAITS);
	return found;
}

static struct ompp_forecast region_forecast(const struct ompp_prediction_record *r, uint64_t n_all, int64_t bytes_ns,
                                            int is_bound)
{
	struct ompp_forecast f = { .n_threads = (uint32_t)r->n_threads,
		                   .least_ns = all_of(r->least_ns, n_all, r->n),
		                   .likely_ns = is_bound ? OMPP_MISSING : all_of(r->likely_ns, n_all, r->n),
		                   .most_ns = is_bound ? OMPP_MISSING : all_of(r->most_ns, n_all, r->n) };
	int64_t *times[] = { &f.least_ns, &f.likely_ns, &f.most_ns };
	int64_t whole;

	for (int i = 0; i < 3; i++)
		if (*times[i] != OMPP_MISSING && *times[i] < bytes_ns)
			*times[i] = bytes_ns;
	consider(&f, OMPP_LIMITED_BY_WORK, all_of(r->shared_ns, n_all, r->n));
	consider(&f, OMPP_LIMITED_BY_SPAN, all_of(r->chain_ns, n_all, r->n));
	consider(&f, OMPP_LIMITED_BY_LOCK, all_of(r->locked_ns, n_all, r->n));
	if (f.likely_ns != OMPP_MISSING) /* the least time has no management in it */
		consider(&f, OMPP_LIMITED_BY_MANAGEMENT, all_of(r->managing_ns, n_all, r->n));
	consider(&f, OMPP_LIMITED_BY_BANDWIDTH, bytes_ns);
	whole = f.likely_ns == OMPP_MISSING ? f.least_ns : f.likely_ns;
	if ((__int128)whole * mostly > (__int128)f.limit_ns * 1000000000) {
		f.limit = OMPP_LIMITED_BY_IMBALANCE;
		f.limit_ns = whole - f.limit_ns;
	}
	return f;
}

/* Returns the spans of a call path; NULL when there are none. */
static const struct ompp_span_record *span_of(const struct ompp_profile *p, uint32_t node)
{
	for (size_t i = 0; i < p->n_spans; i++)
		if (p->spans[i].node == node)
			return &p->spans[i];
	return NULL;
}

/* idling: what find_idling() has found */
static void add_region(const struct ompp_analysis *a, struct ompp_forecasts *f,
                       const struct ompp_prediction_record *record, const uint8_t *idling)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_span_record *span = span_of(p, record->node);
	struct ompp_region_forecast *to = f->n ? &f->regions[f->n - 1] : NULL;
	uint32_t region = p->nodes[record->node].region, k = 0;

	if (!to || to->node != record->node) {
		to = &f->regions[f->n++];
		to->node = record->node;
		for (int i = 0; i < OMPP_FORECASTS; i++)
			to->by[i].least_ns = to->by[i].likely_ns = to->by[i].most_ns = OMPP_MISSING;
	}
	while (k < OMPP_FORECASTS && (uint64_t)1 << k != record->n_threads)
		k++;
	if (k < OMPP_FORECASTS)
		to->by[k] = region_forecast(record, span && span->n > record->n ? span->n : record->n,
		                            region == OMPP_NONE ? 0 : memory_ns(a, region, record->n_threads),
		                            p->n_tasks_lost || p->n_depends_unseen);
	if (k && k < OMPP_FORECASTS && idling[record->node])
		to->by[k].most_ns = to->by[0].most_ns; /* that of one thread comes first */
}

/* ---- the run ---- */

static int is_team(const struct ompp_span_record *s)
{
	return s->n && s->inner_work_ns != OMPP_MISSING;
}

/* Is the region of these spans in no other one? */
static int is_outermost(const struct ompp_profile *p, const struct ompp_span_record *s)
{
	for (uint32_t node = p->nodes[s->node].parent; node != OMPP_NONE; node = p->nodes[node].parent) {
		const struct ompp_span_record *above = span_of(p, node);

		if (above && is_team(above))
			return 0;
	}
	return 1;
}

/* Returns the serial part; OMPP_MISSING when several threads were outside of teams, or a region has no forecast. */
static int64_t serial_of(const struct ompp_profile *p, const struct ompp_forecasts *f)
{
	int64_t ns = p->span_ns;
	size_t n = 0;

	for (size_t i = 0; i < p->n_spans && ns != OMPP_MISSING; i++)
		if (is_team(&p->spans[i]) && is_outermost(p, &p->spans[i])) {
			ns -= p->spans[i].span_ns;
			n++;
		}
	for (size_t i = 0; i < p->n_rows; i++)
		if (p->rows[i].host > 1 || p->n_processes > 1)
			return OMPP_MISSING;
	return n == f->n && ns >= 0 ? ns : OMPP_MISSING;
}

static struct ompp_forecast run_forecast(const struct ompp_forecasts *f, int k)
{
	struct ompp_forecast run = { 1u << k, f->serial_ns, f->serial_ns, f->serial_ns, OMPP_LIMITED_BY_SERIAL, 0 };
	int64_t limited[OMPP_N_LIMITS] = { 0 };

	if (f->serial_ns == OMPP_MISSING)
		return run;
	limited[OMPP_LIMITED_BY_SERIAL] = f->serial_ns;
	for (size_t i = 0; i < f->n; i++) {
		const struct ompp_forecast *region = &f->regions[i].by[k];

		run.least_ns = ompp_add_known(run.least_ns, region->least_ns);
		run.likely_ns = ompp_add_known(run.likely_ns, region->likely_ns);
		run.most_ns = ompp_add_known(run.most_ns, region->most_ns);
		if (region->least_ns != OMPP_MISSING)
			limited[region->limit] = ompp_add(limited[region->limit], region->likely_ns == OMPP_MISSING
			                                                                  ? region->least_ns
			                                                                  : region->likely_ns);
	}
	for (int i = 0; i < OMPP_N_LIMITS; i++)
		consider(&run, (enum ompp_limit)i, limited[i]);
	return run;
}

const struct ompp_forecasts *ompp_forecasts(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_forecasts *f = ompp_arena_alloc(a->arena, sizeof(*f));
	const uint8_t *idling = find_idling(a);

	if (!f || !idling)
		return NULL;
	f->n = 0;
	f->regions = ompp_arena_alloc(a->arena, (p->n_predictions + 1) * sizeof(*f->regions));
	if (!f->regions)
		return NULL;
	for (size_t i = 0; i < p->n_predictions; i++)
		add_region(a, f, &p->predictions[i], idling);
	f->serial_ns = serial_of(p, f);
	for (int k = 0; k < OMPP_FORECASTS; k++)
		f->run[k] = run_forecast(f, k);
	return f;
}
