/*
 * Remark, lines: see remark_lines.h.
 */
#include "reports/tables/remark_lines.h"

#include "reports/analysis/traffic.h"
#include "reports/findings/pattern.h"
#include "reports/tables/fit.h"
#include "runtime/base/sort.h"

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
	ompp_text_str(t, ": ");
	ompp_fit_count(t, most.n_threads, "thread", "threads");
	ompp_text_str(t, " store to it: shared lines? ompp run --sharing=1");
	return ompp_fit(l.buffer, a->columns, a->arena);
}
