/*
 * Finding, roofs: regions whose time is what one of the machine's roofs needs for their operations or bytes, and those
 * that are far from all of them.  It needs counts, the roofs, and times of a run without hooks (bounds/roofline.h).
 */
#include "reports/findings/finding.h"

#include "reports/bounds/roofline.h"
#include "runtime/base/array.h"

static const struct ompp_roofline_line *line_of(const struct ompp_roofline *r, uint32_t region)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->lines[i].region == region && r->lines[i].object == OMPP_NONE)
			return &r->lines[i];
	return NULL;
}

/* Has a region within it the same cause, and half of its time or more?  Then that is the one to be named. */
static int is_of_inner(const struct ompp_analysis *a, const struct ompp_roofline *r,
                       const struct ompp_roofline_line *line)
{
	for (uint32_t top = a->same_first[0][line->region]; top != OMPP_NONE; top = a->same_next[top])
		for (uint32_t i = ompp_region_next(a, top, top); i != OMPP_NONE; i = ompp_region_next(a, top, i)) {
			const struct ompp_roofline_line *inner = a->profile->nodes[i].region == line->region
			                                               ? NULL
			                                               : line_of(r, a->profile->nodes[i].region);

			if (inner && inner->ceiling == line->ceiling && inner->wall_ns >= line->wall_ns / 2)
				return 1;
		}
	return 0;
}

/* "0.0833 operations to a byte" */
static void say_intensity(struct ompp_text *t, int64_t flops, int64_t bytes)
{
	if (flops == OMPP_MISSING || bytes <= 0)
		return;
	ompp_text_str(t, " at ");
	ompp_text_fixed(t, (int64_t)((__int128)flops * 10000 / bytes), 4, 4);
	ompp_text_str(t, " flop/byte");
}

/* "92.1 % of the bandwidth of memory at 0.0833 flop/byte (41.3 GB/s, 2 threads; bytes are modelled)." */
static void say_bandwidth(struct ompp_text *t, const struct ompp_roofline_line *line)
{
	size_t level = (size_t)(line->nearest - line->stream);
	int64_t bytes = level ? ompp_roofline_below(line, (int)level - 1) : line->bytes;

	ompp_say_share(t, line->share);
	ompp_text_str(t, " of the bandwidth of ");
	ompp_text_str(t, line->nearest->roof->name);
	say_intensity(t, line->flops, bytes);
	ompp_text_str(t, ": ");
	ompp_say_ratio(t, bytes, line->wall_ns);
	ompp_text_str(t, " of ");
	ompp_say_ratio(t, line->nearest->rate, 1000000000);
	ompp_text_str(t, level ? " GB/s; bytes below caches are modelled." : " GB/s.");
}

static void say_division(struct ompp_text *t, const struct ompp_roofline_line *line)
{
	ompp_text_grouped(t, line->n_divisions);
	ompp_text_str(t, " divisions and square roots, which are ");
	ompp_say_share(t, ompp_share(line->division.ns, line->wall_ns));
	ompp_text_str(t, " of what this machine divides in that time without vectors.");
}

static void say_latency(struct ompp_text *t, const struct ompp_roofline_line *line)
{
	ompp_say_share(t, line->share);
	ompp_text_str(t, " of the nearest roof (");
	ompp_text_str(t, line->nearest->roof->name);
	ompp_text_str(t, ")");
	if (line->peak.ns != OMPP_MISSING && line->nearest != &line->peak) {
		ompp_text_str(t, " and ");
		ompp_say_share(t, ompp_share(line->peak.ns, line->wall_ns));
		ompp_text_str(t, " of that of operations");
	}
	ompp_text_str(t, ": with all integer operations and accesses a thread does ");
	ompp_say_ratio(t, ompp_add(ompp_add(line->flops, line->intops), line->n_accesses),
	               ompp_times(line->wall_ns, line->n_threads));
	ompp_text_str(t, " in a nanosecond.");
}

static void roofs_judge(struct ompp_finder *finder, const struct ompp_roofline *r,
                        const struct ompp_roofline_line *line)
{
	static const struct {
		const char *name, *advice;
		void (*say)(struct ompp_text *t, const struct ompp_roofline_line *line);
	} causes[] = {
		[OMPP_CEILING_BYTES] = { "BoundByMemory",
		                         "Fetch less: use data again while they are in the caches (blocks, loops "
		                         "joined), smaller types, arrays walked in their order. Faster operations, or "
		                         "more threads on the same memory, do not help.",
		                         say_bandwidth },
		[OMPP_CEILING_DIVISION] = { "BoundByDivision",
		                            "Divide less: multiply by a reciprocal that is computed once, divide once "
		                            "for several terms, allow reciprocals (-freciprocal-math) or vectors "
		                            "(-O3), single precision where it is enough.",
		                            say_division },
		[OMPP_CEILING_LATENCY] = { "BoundByLatency",
		                           "Give the processor several things to do at a time: independent sums "
		                           "(-ffast-math, simd reduction), several chains or searches at once, "
		                           "prefetching, data that lie together, branches that can be foretold.",
		                           say_latency },
	};
	const struct ompp_analysis *a = finder->analysis;
	int64_t run_ns = a->times ? a->times->duration_ns : a->measured_ns;
	struct ompp_text t;

	if (line->ceiling >= OMPP_COUNT_OF(causes) || !causes[line->ceiling].name || is_of_inner(a, r, line))
		return;
	ompp_say_start(&t, a->arena);
	causes[line->ceiling].say(&t, line);
	ompp_find_counted(finder, &(struct ompp_finding){ .name = causes[line->ceiling].name,
	                                                  .region = line->region,
	                                                  .weight = ompp_share(line->wall_ns, run_ns),
	                                                  .evidence = t.data,
	                                                  .advice = causes[line->ceiling].advice });
}

void ompp_find_roofs(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_roofline *r = a->roofs && ompp_roofline_is_there(a->profile) ? ompp_roofline(a) : NULL;

	for (size_t i = 0; r && i < r->n; i++)
		if (r->lines[i].object == OMPP_NONE)
			roofs_judge(finder, r, &r->lines[i]);
}
