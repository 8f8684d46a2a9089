/*
 * Finding, memory: loops whose work waits for memory, by counters of the processor: cycles in which nothing was done as
 * data were on their way.  Without such a counter nothing is found, as neither misses nor latencies tell what of them
 * the processor hides.
 *
 * The counters cover a loop with the waiting at its end, where threads that spin have cycles and no such stalls: the
 * share is a lower bound.
 */
#include "reports/findings/finding.h"

#include <string.h>

#include "runtime/base/array.h"

enum { BOUND_SHARE = 4, /* one part of so many of the cycles */ LINE_BYTES = 64 };

/* Names of counters as tools have them, the wider first; upper and lower case are the same. */
static const char *const stalls[] = {
	"PAPI_MEM_SCY",
	"stall_backend_mem",
	"cycle_activity.stalls_mem_any",
	"cycle_activity:stalls_mem_any",
	"memory_activity.stalls_l1d_miss",
	"memory_activity:stalls_l1d_miss",
	"cycle_activity.stalls_l2_miss",
	"cycle_activity:stalls_l2_miss",
	"cycle_activity.stalls_l3_miss",
	"cycle_activity:stalls_l3_miss",
};
static const char *const cycles[] = { "cycles", "cpu-cycles", "cpu_cycles", "PAPI_TOT_CYC" };
static const char *const misses[] = { "LLC-load-misses", "PAPI_L3_TCM" };

/* Returns the first of these counters that was counted; OMPP_NONE without one. */
static uint32_t memory_metric(const struct ompp_profile *p, const char *const *names, size_t n)
{
	for (size_t k = 0; k < n; k++)
		for (uint32_t m = 0; m < p->n_metrics; m++)
			if (p->metrics[m].certainty != OMPP_NOT_COUNTED &&
			    ompp_text_same(p->metrics[m].name, strlen(p->metrics[m].name), names[k], strlen(names[k])))
				return m;
	return OMPP_NONE;
}

/* Returns a counter's sum over all threads and call paths of a region; OMPP_MISSING where one value is. */
static int64_t memory_sum(const struct ompp_analysis *a, uint32_t region, uint32_t metric)
{
	const struct ompp_profile *p = a->profile;
	int64_t sum = metric == OMPP_NONE ? OMPP_MISSING : 0;

	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE && sum != OMPP_MISSING; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells && sum != OMPP_MISSING; k++)
			sum = ompp_add_known(sum, p->values[(p->nodes[i].first_cell + k) * p->n_metrics + metric]);
	return sum;
}

/* Returns the wall-clock time of a region's bodies. */
static int64_t memory_wall_ns(const struct ompp_analysis *a, uint32_t region)
{
	const struct ompp_profile *p = a->profile;
	int64_t ns = 0;

	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++)
			ns = ompp_add(ns, ompp_analysis_wall(a, p->nodes[i].first_cell + k,
			                                     p->cells[p->nodes[i].first_cell + k].body_ns));
	return ns;
}

static int64_t memory_part(int64_t ns, int64_t part, int64_t whole)
{
	return (int64_t)((__int128)ns * part / whole);
}

static void memory_judge(struct ompp_finder *finder, uint32_t region, uint32_t stall, uint32_t cycle)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	struct ompp_cell sum = ompp_analysis_sum(a, region, 0);
	int64_t n_stalls = memory_sum(a, region, stall), n_cycles = memory_sum(a, region, cycle);
	int64_t n_misses = memory_sum(a, region, memory_metric(p, misses, OMPP_COUNT_OF(misses)));
	int64_t wall_ns = memory_wall_ns(a, region);
	struct ompp_text t;

	if (n_stalls == OMPP_MISSING || n_cycles == OMPP_MISSING || n_stalls > n_cycles ||
	    n_stalls < n_cycles / BOUND_SHARE || n_cycles <= 0)
		return;
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, p->metrics[stall].name);
	ompp_text_str(&t, " are ");
	ompp_say_share(&t, ompp_share(n_stalls, n_cycles));
	ompp_text_str(&t, " of its cycles, with those of waiting at its end");
	if (n_misses != OMPP_MISSING && wall_ns > 0) {
		ompp_text_str(&t, "; at least ");
		ompp_say_ratio(&t, ompp_times(n_misses, LINE_BYTES), wall_ns);
		ompp_text_str(&t, " GB/s come from memory (");
		ompp_text_str(&t, p->metrics[memory_metric(p, misses, OMPP_COUNT_OF(misses))].name);
		ompp_text_str(&t, ", lines of 64 bytes)");
	}
	ompp_text_char(&t, '.');
	ompp_find(finder, &(struct ompp_finding){
				  .name = "WorkWaitsForMemory",
				  .of_work = 1,
				  .region = region,
				  .ns = memory_part(sum.body_ns, n_stalls, n_cycles),
				  .gain_ns = memory_part(wall_ns, n_stalls, n_cycles),
				  .evidence = t.data,
				  .advice = "Fetch less: use data again while they are in the caches (blocks, loops "
					    "joined), smaller types, arrays walked in their order (kinst --access and "
					    "OMPP_CACHE=1 say which are not). More threads on the same memory do not "
					    "help." });
}

void ompp_find_memory(struct ompp_finder *finder)
{
	const struct ompp_profile *p = finder->analysis->profile;
	uint32_t stall = memory_metric(p, stalls, OMPP_COUNT_OF(stalls));
	uint32_t cycle = memory_metric(p, cycles, OMPP_COUNT_OF(cycles));

	if (stall == OMPP_NONE || cycle == OMPP_NONE || p->hooked)
		return;
	for (uint32_t r = 0; r < p->n_regions; r++)
		if (p->regions[r].construct == OMPP_LOOP || p->regions[r].construct == OMPP_PARALLEL_LOOP ||
		    p->regions[r].construct == OMPP_WORKSHARE || p->regions[r].construct == OMPP_PARALLEL_WORKSHARE)
			memory_judge(finder, r, stall, cycle);
}
