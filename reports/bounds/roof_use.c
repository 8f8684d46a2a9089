/*
 * Roof use: see roof_use.h.
 */
#include "reports/bounds/roof_use.h"

#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"

/* Shares of the time, 10^-9, from which on a roof bounds a region; from which on it may; what waiting may have. */
#define NEAR          INT64_C(600000000)
#define NEAR_DIVISION INT64_C(500000000)
#define NEAR_SCALAR   INT64_C(800000000)
#define AT_MOST       INT64_C(1150000000) /* what is above a ceiling does not stand under it */
#define FAR           INT64_C(250000000)
#define MOST_OVERHEAD INT64_C(250000000)
#define LEAST_NS      INT64_C(1000000) /* shorter times are those of starting and ending */

enum { CALL_NS = 50 }; /* what a call of the mathematical library may take */

static const struct ompp_roof *roof_find(const struct ompp_roofs *roofs, enum ompp_roof_kind kind, const char *name,
                                         int is_of_all)
{
	const struct ompp_roof *found = NULL;

	for (size_t i = 0; roofs && i < roofs->n; i++) {
		const struct ompp_roof *r = &roofs->list[i];

		if (r->kind != kind || strcmp(r->name, name))
			continue;
		if (!found || (is_of_all ? r->n_threads > found->n_threads : r->n_threads < found->n_threads))
			found = r;
	}
	return found;
}

/* Is there a roof of this kind and name? */
static int roof_has(const struct ompp_roofs *roofs, enum ompp_roof_kind kind, const char *name)
{
	return roof_find(roofs, kind, name, 0) != NULL;
}

/* Returns the name of what is below a level in the machine at hand: "L2", "memory"; NULL without roofs. */
static const char *roof_below_name(const struct ompp_analysis *a, int level)
{
	static const char *const names[] = { "L2", "L3" };

	for (int i = level; i < OMPP_ROOFLINE_LEVELS - 1 && a->roofs; i++)
		if (roof_has(a->roofs, OMPP_ROOF_BYTES, names[i]))
			return names[i];
	return a->roofs ? "memory" : NULL;
}

/* Returns how long an amount takes n threads at a roof.  Between one thread and all, it is that many times the roof of
 * one, and at most that of all. */
static struct ompp_roof_use use_of(const struct ompp_roofs *roofs, enum ompp_roof_kind kind, const char *name,
                                   uint32_t n, int64_t amount)
{
	const struct ompp_roof *one = roof_find(roofs, kind, name, 0), *all = roof_find(roofs, kind, name, 1);
	struct ompp_roof_use use = { .roof = n > 1 ? all : one, .ns = OMPP_MISSING };
	__int128 ns;

	if (!use.roof)
		return use;
	use.rate = use.roof->rate;
	if (n > 1 && n < all->n_threads && ompp_times(one->rate, n) < all->rate)
		use.rate = ompp_times(one->rate, n);
	if (amount == OMPP_MISSING)
		return use;
	ns = (__int128)amount * 1000000000 / use.rate;
	use.ns = ns < INT64_MAX ? (int64_t)ns : INT64_MAX;
	return use;
}

/* Fills in the rate of a cache with little data, where ompp machine has measured it with as many threads. */
static void find_small(const struct ompp_roofs *roofs, const char *cache, uint32_t n, struct ompp_roof_use *use)
{
	struct ompp_roof_use little;
	char name[64];
	struct ompp_text t;

	if (!use->roof)
		return;
	ompp_text_init(&t, name, sizeof(name));
	ompp_text_str(&t, cache);
	ompp_text_str(&t, " small");
	little = use_of(roofs, OMPP_ROOF_BYTES, name, n, OMPP_MISSING);
	if (little.roof && little.roof->n_threads == use->roof->n_threads)
		use->rate_small = little.rate;
}

/* Returns the use of the first of two roofs that there is. */
static struct ompp_roof_use first_use(const struct ompp_analysis *a, const char *name, const char *other,
                                      const struct ompp_roofline_line *line)
{
	struct ompp_roof_use use = use_of(a->roofs, OMPP_ROOF_FLOPS, name, line->n_threads, line->flops);

	return use.roof ? use : use_of(a->roofs, OMPP_ROOF_FLOPS, other, line->n_threads, line->flops);
}

void ompp_roof_uses(const struct ompp_analysis *a, struct ompp_roofline_line *line)
{
	int is_single = line->flops_single != OMPP_MISSING && line->flops_single > line->flops / 2;
	uint32_t n = line->n_threads;

	if (!a->roofs)
		return;
	line->peak = is_single ? first_use(a, "vector FMA single", "vector single", line)
	                       : first_use(a, "vector FMA double", "vector double", line);
	line->scalar = use_of(a->roofs, OMPP_ROOF_FLOPS, is_single ? "scalar single" : "scalar double", n, line->flops);
	line->division = use_of(a->roofs, OMPP_ROOF_DIVISIONS, is_single ? "scalar single" : "scalar double", n,
	                        line->n_divisions);
	line->stream[0] = use_of(a->roofs, OMPP_ROOF_BYTES, "L1", n, line->bytes);
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++) {
		const char *below = roof_below_name(a, i);

		line->stream[1 + i] = use_of(a->roofs, OMPP_ROOF_BYTES, below, n, ompp_roofline_below(line, i));
		find_small(a->roofs, below, n, &line->stream[1 + i]);
	}
}

/* ---- verdicts ---- */

static int64_t share_of(const struct ompp_roof_use *use, const struct ompp_roofline_line *line)
{
	return use->ns == OMPP_MISSING ? 0 : ompp_share(use->ns, line->wall_ns);
}

/* Takes the use if it needs more time than the nearest one. */
static void consider(struct ompp_roofline_line *line, const struct ompp_roof_use *use)
{
	if (use->roof && use->ns != OMPP_MISSING && (!line->nearest || use->ns > line->nearest->ns))
		line->nearest = use;
}

/* Does the region do so little of anything that it must wait for each?  New pages are written in first visits, and
 * calls of libraries do what is not counted. */
static int is_idle(const struct ompp_roofline_line *line)
{
	int64_t n_all = ompp_add_known(ompp_add_known(line->flops, line->intops), line->n_accesses), rate, thread_ns;

	if (n_all == OMPP_MISSING || line->n_calls == OMPP_MISSING || line->n_divisions == OMPP_MISSING ||
	    !line->scalar.roof || !line->scalar.rate || line->n_exec < 2 * (uint64_t)line->n_threads)
		return 0;
	thread_ns = ompp_times(line->wall_ns, line->n_threads);
	if (ompp_times(CALL_NS, (uint64_t)line->n_calls) > thread_ns / 10)
		return 0;
	rate = line->scalar.rate;
	return (__int128)n_all * 1000000000 / rate < (__int128)line->wall_ns * FAR / 1000000000;
}

static enum ompp_ceiling ceiling_of(const struct ompp_roofline_line *line)
{
	int64_t division = share_of(&line->division, line), scalar = share_of(&line->scalar, line);

	if (line->overhead > MOST_OVERHEAD)
		return OMPP_CEILING_OVERHEAD;
	if (division >= NEAR_DIVISION && division >= line->share)
		return OMPP_CEILING_DIVISION;
	if (line->share >= NEAR)
		return line->nearest == &line->peak ? OMPP_CEILING_VECTOR : OMPP_CEILING_BYTES;
	if (scalar >= NEAR_SCALAR && scalar <= AT_MOST)
		return OMPP_CEILING_SCALAR;
	return line->share < FAR && division < FAR && is_idle(line) ? OMPP_CEILING_LATENCY : OMPP_CEILING_NONE;
}

/* Does the verdict say that the region reaches what the machine can do, however long it took? */
static int is_near(enum ompp_ceiling ceiling)
{
	return ceiling == OMPP_CEILING_BYTES || ceiling == OMPP_CEILING_VECTOR || ceiling == OMPP_CEILING_DIVISION;
}

void ompp_roof_judge(struct ompp_roofline_line *line, int64_t delayed)
{
	consider(line, &line->peak);
	for (size_t i = 0; i < OMPP_COUNT_OF(line->stream); i++)
		consider(line, &line->stream[i]);
	if (!line->nearest || line->wall_ns == OMPP_MISSING)
		return;
	line->share = ompp_share(line->nearest->ns, line->wall_ns);
	if (line->bytes != OMPP_MISSING && line->stream[1].ns != OMPP_MISSING && line->wall_ns >= LEAST_NS)
		line->ceiling = ceiling_of(line);
	if (delayed > OMPP_ROOFLINE_MOST_DELAYED && !is_near(line->ceiling))
		line->ceiling = OMPP_CEILING_UNKNOWN; /* it took as long as others let it */
}
