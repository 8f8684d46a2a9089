/*
 * Remark, work: see remark_work.h.
 */
#include "reports/tables/remark_work.h"

#include "reports/analysis/classes.h"
#include "reports/analysis/hot_functions.h"
#include "reports/analysis/label.h"
#include "reports/analysis/traffic.h"
#include "reports/findings/finding_say.h"
#include "reports/findings/pattern.h"
#include "reports/tables/fit.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

#define TENTH     INT64_C(100000000) /* 10^-9 */
#define MOST_WORK INT64_C(800000000)

/* Returns the region with most samples, without those of the OpenMP library; OMPP_NONE without one. */
static uint32_t hottest_region(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	uint64_t *n = ompp_arena_alloc(a->arena, (p->n_regions + 1) * sizeof(*n)), most = 0;
	uint32_t best = OMPP_NONE;

	for (size_t i = 0; n && i < p->n_hot_spots; i++) {
		const struct ompp_hot_spot *spot = &p->hot_spots[i];
		uint32_t region = p->nodes[spot->node].region;

		if (region == OMPP_NONE || ompp_hot_is_serial(a, spot->node) || ompp_hot_is_openmp(spot) ||
		    ompp_hot_is_own(spot))
			continue;
		n[region] += spot->n;
		if (n[region] > most) {
			most = n[region];
			best = region;
		}
	}
	return best;
}

/* Returns "R00002: 73 +- 4 % in step in main (tick.c:6); see hot".  Where that is too long, the function into which it
 * was inlined is left out as a whole; a line that is still too long loses its middle, as locations stand at its end. */
static const char *hot_line(const struct ompp_analysis *a, const char *scope, uint32_t region)
{
	static const char next[] = "; see hot";
	size_t n_columns = a->columns - (sizeof(next) - 1);
	struct ompp_fit_line l, fitting;
	struct ompp_text *t = &l.text;

	for (int has_enclosing = 1; has_enclosing >= 0; has_enclosing--) {
		ompp_text_str(ompp_fit_begin(&l), scope);
		if (!ompp_hot_put_first(t, a, region, has_enclosing))
			return NULL;
		if (ompp_text_columns(l.buffer) <= n_columns)
			break;
	}
	ompp_fit_middle(ompp_fit_begin(&fitting), l.buffer, n_columns);
	ompp_text_str(&fitting.text, next);
	return ompp_arena_strdup(a->arena, fitting.buffer);
}

const char *ompp_remark_hot(const struct ompp_analysis *a)
{
	struct ompp_classes classes;
	uint32_t region = OMPP_NONE;
	int is_serial;

	if (!a->profile->n_hot_spots || ompp_classes(a, &classes))
		return NULL;
	is_serial = classes.serial_ns != OMPP_MISSING && a->n_threads > 1 &&
	            ompp_share(classes.serial_ns - classes.before_ns, a->measured_ns) >= TENTH;
	if (!is_serial)
		region = hottest_region(a);
	if (!is_serial && region == OMPP_NONE)
		return NULL;
	return hot_line(a, is_serial ? "serial part: " : ompp_region_tag(&a->profile->regions[region], ": ", a->arena),
	                region);
}

const char *ompp_remark_memory(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	enum ompp_traffic_kind level = a->traffic ? ompp_traffic_last_level(a->traffic) : OMPP_N_TRAFFIC;
	int64_t(*sums)[2] = ompp_arena_alloc(a->arena, (p->n_regions + 1) * sizeof(*sums)), all = 0;
	size_t best = p->n_regions; /* the last one is that of all that is in no region */
	struct ompp_fit_line l;
	struct ompp_text *t = ompp_fit_begin(&l);

	if (level == OMPP_N_TRAFFIC || !sums)
		return NULL;
	for (size_t i = 0; i < p->n_accesses; i++) {
		uint32_t region = p->nodes[p->accesses[i].node].region;
		int64_t values[OMPP_N_TRAFFIC], *sum = sums[region == OMPP_NONE ? p->n_regions : region];

		ompp_traffic_of(p, &p->accesses[i], values);
		if (values[level] < 0 || values[OMPP_TRAFFIC_ACCESSES] < 0)
			continue;
		sum[0] = ompp_add(sum[0], values[level]);
		sum[1] = ompp_add(sum[1], values[OMPP_TRAFFIC_ACCESSES]);
		all = ompp_add(all, values[level]);
		best = sum[0] > sums[best][0] ? (size_t)(sum - sums[0]) / 2 : best;
	}
	if (best == p->n_regions || !sums[best][0])
		return NULL;
	ompp_text_str(t, "memory (model): ");
	ompp_text_fixed(t, ompp_share(sums[best][0], all), 7, 0);
	ompp_text_str(t, " % of the ");
	ompp_text_str(t, ompp_traffic_title(level));
	ompp_text_str(t, " in ");
	ompp_text_str(t, ompp_region_tag(&p->regions[best], ", 1 in ", a->arena));
	ompp_say_ratio(t, sums[best][1], sums[best][0]);
	ompp_text_str(t, p->all_objects ? " accesses; see data" : "; ompp run --objects");
	return ompp_fit(l.buffer, a->columns, a->arena);
}

const char *ompp_remark_next(const struct ompp_analysis *a)
{
	struct ompp_classes classes;
	struct ompp_fit_line l;
	struct ompp_text *t = ompp_fit_begin(&l);
	int64_t work_ns, queued_ns = a->profile->queued_all_ns; /* OMPP_MISSING is the least number */

	if (a->traffic || a->profile->n_metrics || a->profile->sample_source[0] || ompp_classes(a, &classes))
		return NULL;
	work_ns = classes.sum.total_ns;
	for (int k = 0; k < OMPP_N_OVERHEADS; k++)
		work_ns = ompp_subtract(work_ns, classes.sum.overhead_ns[k]);
	if (ompp_share(ompp_subtract(work_ns, queued_ns > 0 ? queued_ns : 0), a->capacity_ns) < MOST_WORK)
		return NULL;
	ompp_text_fixed(t, ompp_share(work_ns, a->capacity_ns), 7, 0);
	ompp_text_str(t, " % work: memory? kinst --access, ompp run --objects --cache=1; report --times");
	return ompp_fit(l.buffer, a->columns, a->arena);
}

/* ---- shared lines ---- */

enum { LINE_BYTES = 64, LINES_OF_AN_EDGE = 2 /* as an object need not begin with a line */ };

#define LEAST_SHARE 10000000 /* of all accesses, 10^-9: a hundredth, as of findings */

/* What threads store into one object in one region. */
struct stores {
	uint32_t object, region;
	uint32_t n_threads, last_thread;
	int64_t n;
};

static uint32_t region_of(const struct ompp_profile *p, uint32_t i)
{
	return p->nodes[p->accesses[i].node].region;
}

/* Sorts accesses by object, region and thread. */
static int lines_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_profile *p = context;
	const struct ompp_access *a = &p->accesses[x], *b = &p->accesses[y];

	if (a->object != b->object)
		return a->object > b->object;
	if (region_of(p, x) != region_of(p, y))
		return region_of(p, x) > region_of(p, y);
	return ompp_thread_row(p, a->row) > ompp_thread_row(p, b->row);
}

/* Returns how many of the stores may be to lines that several threads write: all of them, unless each thread has a part
 * of its own, of which only the edges may be such lines. */
static int64_t most_shared(const struct ompp_profile *p, const struct stores *s)
{
	const struct ompp_object *o = &p->objects[s->object];
	int64_t n_edges, n_lines;

	if (s->n_threads < 2 || s->region == OMPP_NONE || s->object < OMPP_OBJECT_FIRST_NAMED || o->is_private ||
	    !o->measured || o->parts == OMPP_PARTS_ONE)
		return 0;
	if (o->parts == OMPP_PARTS_OVERLAP || o->parts == OMPP_PARTS_UNKNOWN || o->bytes == OMPP_MISSING)
		return s->n;
	n_edges = LINES_OF_AN_EDGE * (int64_t)(s->n_threads - 1);
	n_lines = o->bytes / LINE_BYTES;
	return n_lines <= n_edges ? s->n : s->n / n_lines * n_edges;
}

/* Finds the object and region with most stores that may be to shared lines.  Returns their number. */
static int64_t find_most(const struct ompp_analysis *a, struct stores *most, int64_t *all)
{
	const struct ompp_profile *p = a->profile;
	const uint32_t *order = ompp_sorted(a->arena, p->n_accesses, lines_is_after, p);
	struct stores s = { .object = OMPP_NONE };
	int64_t best = 0;

	*all = 0;
	for (size_t i = 0; order && i < p->n_accesses; i++) {
		const struct ompp_access *access = &p->accesses[order[i]];
		uint32_t region = region_of(p, order[i]), thread = ompp_thread_row(p, access->row);
		int64_t values[OMPP_N_TRAFFIC], n;

		ompp_traffic_of(p, access, values);
		if (values[OMPP_TRAFFIC_ACCESSES] > 0)
			*all = ompp_add(*all, values[OMPP_TRAFFIC_ACCESSES]);
		if (values[OMPP_TRAFFIC_STORES] <= 0)
			continue;
		if (s.object != access->object || s.region != region)
			s = (struct stores){ .object = access->object, .region = region };
		s.n_threads += !s.n_threads || s.last_thread != thread;
		s.last_thread = thread;
		s.n = ompp_add(s.n, values[OMPP_TRAFFIC_STORES]);
		n = most_shared(p, &s);
		if (n > best) {
			best = n;
			*most = s;
		}
	}
	return best;
}

const char *ompp_remark_lines(const struct ompp_analysis *a)
{
	struct ompp_fit_line l;
	struct ompp_text *t = ompp_fit_begin(&l);
	struct stores most = { .object = 0 };
	int64_t n, all;

	if (!a->traffic || !a->traffic->is_counted || a->profile->sharing)
		return NULL;
	n = find_most(a, &most, &all);
	if (!n || ompp_pattern_transfer_share(n, all) < LEAST_SHARE)
		return NULL;
	ompp_fit_name(t, a->profile->objects[most.object].name, a->arena);
	ompp_text_str(t, ": shared lines? ompp run ");
	ompp_text_str(t, a->profile->all_objects ? "--objects --sharing=1" : "--sharing=1"); /* as it has its name */
	return ompp_fit(l.buffer, a->columns, a->arena);
}
