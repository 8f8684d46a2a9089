/*
 * Finding, data: how threads use data objects.  That costs time, but counts do not tell how much, so such a finding has
 * no severity.  What it would save is known of false sharing alone, and at the most: its transfers have been timed.
 */
#include "reports/findings/finding.h"

#include <string.h>

#include "reports/bounds/relayout_gain.h"
#include "reports/findings/pattern.h"
#include "reports/findings/plain.h"
#include "runtime/program/statement.h"
#include "runtime/terms/clauses.h"

enum { LEAST_SCATTERED = 64, MOST_SCATTERED = 64 }; /* lines, and stores to each */

enum { OFF_SHARE = 10 }; /* of all threads' time; transfers are fewer in about this proportion */

static int is_fortran(const struct ompp_analysis *a, uint32_t region)
{
	return region != OMPP_NONE && ompp_statement_is_fortran(a->profile->regions[region].file);
}

/* Starts the sentence with its subject. */
static void finding_data_start(struct ompp_text *t, const struct ompp_analysis *a, const struct ompp_pattern *pattern,
                               const struct ompp_pattern_sums *sums)
{
	ompp_say_start(t, a->arena);
	ompp_text_str(t, pattern->region == OMPP_NONE ? "Outside of all regions, " : "");
	ompp_text_str(t, ompp_pattern_say(a, pattern, sums));
}

/* Is each line stored to so seldom that its elements may be written once each?  Padding them would fetch more lines
 * than it spares transfers. */
static int are_scattered(const struct ompp_pattern *pattern)
{
	return pattern->n_lines >= LEAST_SCATTERED && pattern->n_of / pattern->n_lines < MOST_SCATTERED;
}

/* Returns advice: with small static chunks the schedule alone may be what puts neighbours into other threads, however
 * seldom they are written. */
static const char *advise_lines(const struct ompp_analysis *a, const struct ompp_pattern *pattern)
{
	uint32_t region = pattern->region;
	const char *clauses = region == OMPP_NONE ? "" : a->profile->regions[region].clauses, *schedule;
	size_t n;
	int has_schedule = ompp_schedule(clauses, &schedule, &n);

	if (pattern->kind == OMPP_PATTERN_READERS)
		return "Keep what one thread writes again and again apart from what others read: in a line of its own, "
		       "padded or aligned to the size of a line, or in a private variable that is stored once.";
	if (ompp_schedule_is(clauses, "static") && memchr(schedule, ',', n))
		return "Neighbouring iterations are handed to different threads: take schedule(static) without a "
		       "chunk, or a chunk whose elements fill whole lines; else pad or align what each iteration "
		       "writes.";
	if (are_scattered(pattern))
		return "Each line is stored to a few times alone: threads write elements here and there, which padding "
		       "does not mend. Hand the work out by the place that it writes, so that neighbours have one "
		       "thread, or let each thread collect what it writes and store it at one go.";
	if (!has_schedule)
		return "Give each thread lines of its own: pad or align each thread's part to the size of a line, or "
		       "collect in a private variable and store once.";
	return "Give each thread lines of its own: larger chunks, padding or alignment of each thread's part to the "
	       "size of a line, or a private variable that is stored once.";
}

/* Had the threads no processor for so long that they would meet more often on a machine that does nothing else? */
static int seldom_met(const struct ompp_finder *finder)
{
	return finder->off_ns > finder->analysis->capacity_ns / OFF_SHARE;
}

/* Returns how long one thread would wait for its transfers in a run without hooks, at the most; OMPP_MISSING when none
 * was timed, or when there would be more of them.  Hooked time is no part of it: hooks take a multiple of a transfer at
 * each store.  Without them threads hold a line for no fewer stores, so its transfers are no more. */
static int64_t transfers_ns(const struct ompp_finder *finder, const struct ompp_pattern *pattern)
{
	const struct ompp_profile *p = finder->analysis->profile;
	uint64_t n = pattern->n_most ? pattern->n_most : pattern->n;

	int64_t plain_ns = ompp_plain_region_ns(finder->analysis, pattern->region), ns;

	if (p->transfer_most_ps <= 0 || seldom_met(finder))
		return OMPP_MISSING;
	ns = ompp_times(p->transfer_most_ps, n) / 1000;
	return plain_ns != OMPP_MISSING && plain_ns < ns ? plain_ns : ns;
}

/* "A transfer took 52.0 ns (40.0 to 71.0 in eight of ten; 128 were timed), so without hooks a thread waits 0 to 0.100
 * s" */
static void say_transfers(struct ompp_text *t, const struct ompp_finder *finder, uint32_t region, int64_t ns)
{
	const struct ompp_profile *p = finder->analysis->profile;

	if (seldom_met(finder)) {
		ompp_text_str(t, " (counted by access hooks, which change when threads meet). Other programs had the "
		                 "processors, so threads met less often than they would, and how long they wait for "
		                 "transfers is not known.");
		return;
	}
	if (ns == OMPP_MISSING) {
		ompp_text_str(t, " (counted by access hooks, which change when threads meet; how long a line's "
		                 "transfer takes is not measured).");
		return;
	}
	ompp_text_str(t, " (counted by access hooks, which change when threads meet). A transfer took ");
	ompp_text_fixed(t, p->transfer_ps, 3, 1);
	ompp_text_str(t, " ns (");
	ompp_text_fixed(t, p->transfer_least_ps, 3, 1);
	ompp_text_str(t, " to ");
	ompp_text_fixed(t, p->transfer_most_ps, 3, 1);
	ompp_text_str(t, " in eight of ten; ");
	ompp_text_grouped(t, ompp_count(p->n_transfers_timed));
	ompp_text_str(t, " were timed), so without hooks a thread waits 0 to ");
	ompp_say_time(t, ns);
	ompp_text_str(t, " for them: nothing where its store buffer holds the stores meanwhile");
	ompp_text_str(t, ompp_plain_region_ns(finder->analysis, region) == ns
	                         ? ", and no longer than the plain run is there."
	                         : ".");
}

/* " With lines of their own for each thread's bytes of it, its stores here would take 0 lines from other threads, and
 * not 12 000 (modelled)." */
static void say_own_lines(struct ompp_text *t, const struct ompp_profile *p, const struct ompp_pattern *pattern)
{
	struct ompp_own_lines_gain gain;

	if (!ompp_own_lines_of(p, pattern->object, pattern->region, &gain) || gain.then >= gain.now)
		return;
	ompp_text_str(t, " With lines of their own for each thread's bytes of it, its stores here would take ");
	ompp_text_grouped(t, gain.then);
	ompp_text_str(t, " lines from other threads, and not ");
	ompp_text_grouped(t, gain.now);
	ompp_text_str(t, " (modelled).");
}

static void find_false_sharing(struct ompp_finder *finder, const struct ompp_pattern *pattern,
                               const struct ompp_pattern_sums *sums)
{
	const struct ompp_analysis *a = finder->analysis;
	int64_t ns = transfers_ns(finder, pattern);
	struct ompp_text t;

	ompp_say_start_long(&t, a->arena);
	ompp_text_str(&t, pattern->region == OMPP_NONE ? "Outside of all regions, " : "");
	ompp_text_str(&t, ompp_pattern_say(a, pattern, sums));
	say_transfers(&t, finder, pattern->region, ns);
	if (pattern->kind == OMPP_PATTERN_FALSE_SHARING)
		say_own_lines(&t, a->profile, pattern);
	ompp_find_counted(finder, &(struct ompp_finding){ .name = "FalseSharing",
	                                                  .object = ompp_finding_object(a, pattern->object),
	                                                  .region = pattern->region,
	                                                  .gain_ns = ns,
	                                                  .weight = ompp_pattern_transfer_share(ompp_count(pattern->n),
	                                                                                        sums->all_accesses),
	                                                  .evidence = t.data,
	                                                  .advice = advise_lines(a, pattern) });
}

/* Is an object a number of blocks, each of which is smaller than a line? */
static int is_of_small_blocks(const struct ompp_profile *p, uint32_t object, int64_t line_bytes)
{
	uint64_t n_blocks = 0;
	int64_t bytes = 0;

	for (size_t i = 0; i < p->n_allocations; i++)
		if (p->allocations[i].object == object && p->allocations[i].bytes != OMPP_MISSING) {
			n_blocks += p->allocations[i].n_blocks;
			bytes = ompp_add(bytes, p->allocations[i].bytes);
		}
	return n_blocks > 1 && bytes < ompp_times(line_bytes, n_blocks);
}

static const char *advise_stride(const struct ompp_analysis *a, uint32_t region)
{
	const char *args;
	size_t n;

	if (region != OMPP_NONE && ompp_schedule(a->profile->regions[region].clauses, &args, &n) &&
	    memchr(args, ',', n))
		return "If the stride is that of the schedule, take a larger chunk. Else let the innermost loop run "
		       "along what lies side by side: exchange the loops, or transpose the array.";
	return is_fortran(a, region)
	             ? "Let the innermost loop change the first index, which lies side by side in Fortran: exchange "
	               "the loops, or transpose the array; where another array would have the stride then, as in a "
	               "transpose, work on blocks that fit into the cache. Of an array of types, keep what is used "
	               "together in an array of its own."
	             : "Let the innermost loop change the last index, which lies side by side in C: exchange the "
	               "loops, or transpose the array; where another array would have the stride then, as in a "
	               "transpose, work on blocks that fit into the cache. Of an array of structures, keep what is "
	               "used "
	               "together in an array of its own.";
}

/* is_near: misses are near each other, at no one distance: members of structures, or elements of a row or by an index
 */
static const char *advise_parts(const struct ompp_analysis *a, uint32_t region, uint32_t object, int64_t line_bytes,
                                int is_near)
{
	if (is_of_small_blocks(a->profile, object, line_bytes))
		return "These blocks are allocated one by one, with what the allocator keeps between them, and other "
		       "blocks: let those that are used one after another lie side by side, in one array or pool, "
		       "and keep in it only what is used together.";
	if (is_near)
		return is_fortran(a, region)
		             ? "Let the innermost loop change the first index of the array. Of elements that an index "
		               "chooses, keep a copy that lies side by side. Of an array of types, keep what is used "
		               "together in an array of its own."
		             : "Let the innermost loop change the last index of the array. Of elements that an index "
		               "chooses, keep a copy that lies side by side. Of an array of structures, keep what is "
		               "used together in an array of its own (a structure of arrays).";
	return is_fortran(a, region)
	             ? "Let the innermost loop change the first index of the array. Of an array of types, keep what is "
	               "used together in an array of its own, or use all of each element while it is there. Of a "
	               "strided section, keep a copy that lies side by side."
	             : "Of an array of structures, keep what is used together in an array of its own (a structure of "
	               "arrays), or use all of each element while it is there.";
}

/* Returns the least misses that would be left if an object's data lay in the order of their accesses: each line of it
 * comes once, or fewer lines where fewer bytes are accessed. */
static int64_t least_misses(const struct ompp_analysis *a, const struct ompp_pattern *pattern, int64_t most,
                            int64_t line_bytes)
{
	int64_t bytes = a->profile->objects[pattern->object].bytes;

	return bytes == OMPP_MISSING || bytes / line_bytes > most ? most : bytes / line_bytes;
}

static void find_stride(struct ompp_finder *finder, const struct ompp_pattern *pattern,
                        const struct ompp_pattern_sums *sums)
{
	const struct ompp_analysis *a = finder->analysis;
	int64_t bytes = sums->values[OMPP_TRAFFIC_BYTES], misses = sums->values[sums->level];
	int64_t step = pattern->step_bytes < 0 ? -pattern->step_bytes : pattern->step_bytes;
	int skips = step / 2 >= sums->line_bytes; /* a smaller step uses every line */
	int64_t plain_ns = ompp_plain_region_ns(a, pattern->region), gain_ns = 0, most_left = bytes / sums->line_bytes;
	struct ompp_text t;

	if (((skips || !step) && ompp_find_orders_says(a, pattern->object, pattern->region)) ||
	    (!skips && ompp_find_layouts_says(a, pattern->object, pattern->region)))
		return; /* its cause is found, with these lines as evidence */
	finding_data_start(&t, a, pattern, sums);
	ompp_text_str(&t, skips ? ": it is walked with a stride, and of each line of " : ", and of each line of ");
	ompp_text_i64(&t, sums->line_bytes);
	ompp_text_str(&t, " bytes ");
	ompp_say_ratio(&t, bytes, misses);
	ompp_text_str(&t, " are used before it is evicted. With these data contiguous there would be at most ");
	ompp_text_grouped(&t, most_left);
	ompp_text_str(&t, " misses (by the modelled caches; how long a miss takes is not measured).");
	if (plain_ns != OMPP_MISSING && misses > 0) {
		int64_t left = least_misses(a, pattern, most_left, sums->line_bytes);

		gain_ns = (int64_t)((__int128)plain_ns * (misses > left ? misses - left : 0) / misses);
		ompp_text_str(&t, " In the plain run it takes ");
		ompp_say_time(&t, plain_ns);
		ompp_text_str(&t, ", of which at most the share of the misses beyond ");
		ompp_text_grouped(&t, left);
		ompp_text_str(&t,
		              left < most_left ? " is saved: each line of the object has to come once." : " is saved.");
	}
	ompp_find_counted(finder,
	                  &(struct ompp_finding){ .name = skips ? "ArrayWalkedWithStride" : "LinesUsedInPart",
	                                          .object = ompp_finding_object(a, pattern->object),
	                                          .region = pattern->region,
	                                          .gain_ns = gain_ns,
	                                          .weight = ompp_share(ompp_count(pattern->n), sums->all_misses),
	                                          .evidence = t.data,
	                                          .advice = skips ? advise_stride(a, pattern->region)
	                                                          : advise_parts(a, pattern->region, pattern->object,
	                                                                         sums->line_bytes, !step) });
}

/* Pages first written by another thread matter only on several NUMA nodes: on one node all memory is equally near.
 */
static void find_foreign(struct ompp_finder *finder, const struct ompp_pattern *pattern,
                         const struct ompp_pattern_sums *sums)
{
	const struct ompp_analysis *a = finder->analysis;
	struct ompp_text t;

	if (a->profile->n_numa_nodes < 2 || pattern->region == OMPP_NONE)
		return;
	finding_data_start(&t, a, pattern, sums);
	ompp_text_str(&t, " (by the modelled caches). This machine has ");
	ompp_text_u64(&t, a->profile->n_numa_nodes);
	ompp_text_str(&t, " NUMA nodes, and a page lies on the node of the thread that touches it first. On which "
	                  "nodes the threads ran is not known.");
	ompp_find_counted(finder,
	                  &(struct ompp_finding){ .name = "DataFirstWrittenByAnotherThread",
	                                          .object = ompp_finding_object(a, pattern->object),
	                                          .region = pattern->region,
	                                          .weight = ompp_share(ompp_count(pattern->n), sums->all_misses),
	                                          .evidence = t.data,
	                                          .advice = "If each thread uses a part of its own, let the same "
	                                                    "thread initialise it: a parallel loop with the same "
	                                                    "schedule. What all threads read can be spread over the "
	                                                    "nodes (numactl --interleave=all)." });
}

void ompp_find_data(struct ompp_finder *finder)
{
	static void (*const find[OMPP_N_PATTERNS])(struct ompp_finder *, const struct ompp_pattern *,
	                                           const struct ompp_pattern_sums *) = {
		[OMPP_PATTERN_FALSE_SHARING] = find_false_sharing,
		[OMPP_PATTERN_STRIDE] = find_stride,
		[OMPP_PATTERN_FOREIGN] = find_foreign,
		[OMPP_PATTERN_READERS] = find_false_sharing
	};
	const struct ompp_profile *p = finder->analysis->profile;
	struct ompp_pattern_sums sums;

	for (size_t i = 0; i < p->n_patterns && finder->analysis->traffic; i++)
		if (ompp_pattern_holds(finder->analysis, &p->patterns[i], &sums))
			find[p->patterns[i].kind](finder, &p->patterns[i], &sums);
}
