/*
 * Finding, memory: loops whose work waits for memory, by counters of the processor: cycles in which nothing was done as
 * data were on their way.  Neither misses nor latencies tell what of them the processor hides: without such a counter a
 * loop is found where modelled misses of a run with hooks, the time of a plain run and what the machine's memory can do
 * say that memory is busy for most of that time.
 *
 * The counters cover a loop with the waiting at its end, where threads that spin have cycles and no such stalls: the
 * share is a lower bound.
 */
#include "reports/findings/finding.h"

#include <string.h>

#include "reports/analysis/traffic.h"
#include "reports/bounds/region_time.h"
#include "reports/findings/plain.h"
#include "runtime/base/array.h"

enum { BOUND_SHARE = 4, /* one part in so many of the cycles */ LINE_BYTES = 64 };
enum { BOUND_PART = 2 }; /* memory is busy for one part in so many of the time: less may be hidden behind the work */

static const char fetch_less[] =
	"Fetch less: use data again while they are in the caches (blocks, loops joined), smaller types, arrays walked "
	"in their order (kinst --access and OMPP_CACHE=1 say which are not). More threads on the same memory do not "
	"help.";

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
	struct ompp_region_time time;
	struct ompp_text t;

	if (sum.body_ns == OMPP_MISSING || n_stalls == OMPP_MISSING || n_cycles == OMPP_MISSING ||
	    n_stalls > n_cycles || n_stalls < n_cycles / BOUND_SHARE || n_cycles <= 0)
		return;
	ompp_region_time(a, region, &time);
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, p->metrics[stall].name);
	ompp_text_str(&t, " are ");
	ompp_say_share(&t, ompp_share(n_stalls, n_cycles));
	ompp_text_str(&t, " of its cycles, with those of waiting at its end");
	if (n_misses != OMPP_MISSING && time.body_ns > 0) {
		ompp_text_str(&t, "; at least ");
		ompp_say_ratio(&t, ompp_times(n_misses, LINE_BYTES), time.body_ns);
		ompp_text_str(&t, " GB/s come from memory (");
		ompp_text_str(&t, p->metrics[memory_metric(p, misses, OMPP_COUNT_OF(misses))].name);
		ompp_text_str(&t, ", lines of 64 bytes)");
	}
	ompp_text_char(&t, '.');
	ompp_find(finder, &(struct ompp_finding){ .name = "WorkWaitsForMemory",
	                                          .of_work = 1,
	                                          .region = region,
	                                          .ns = memory_part(sum.body_ns, n_stalls, n_cycles),
	                                          .gain_ns = memory_part(time.body_ns, n_stalls, n_cycles),
	                                          .evidence = t.data,
	                                          .advice = fetch_less });
}

static int is_loop(enum ompp_construct construct)
{
	return construct == OMPP_LOOP || construct == OMPP_PARALLEL_LOOP || construct == OMPP_WORKSHARE ||
	       construct == OMPP_PARALLEL_WORKSHARE;
}

/* Returns how many misses of a modelled level a region has, with those below it. */
static int64_t modelled_misses(const struct ompp_analysis *a, uint32_t region, enum ompp_traffic_kind level)
{
	const struct ompp_profile *p = a->profile;
	int64_t sum = 0;

	for (size_t i = 0; i < p->n_accesses; i++) {
		int64_t values[OMPP_N_TRAFFIC];

		if (p->nodes[p->accesses[i].node].region != region)
			continue;
		ompp_traffic_of(p, &p->accesses[i], values);
		sum = ompp_add_known(sum, values[level]);
	}
	return sum;
}

/* By two profiles: modelled misses of one, with hooks, the time of the other, without, and what the memory of this
 * machine can do.  The model has no prefetching, which fetches no fewer lines, and no lines that are written back, so
 * what comes from memory is at least that. */
static void memory_compare(struct ompp_finder *finder, uint32_t region, enum ompp_traffic_kind level)
{
	const struct ompp_analysis *a = finder->analysis;
	int64_t n = modelled_misses(a, region, level), wall_ns = ompp_plain_region_ns(a, region);
	int64_t bytes = n == OMPP_MISSING ? OMPP_MISSING : ompp_times(n, LINE_BYTES), memory_ns;
	struct ompp_text t;

	if (bytes == OMPP_MISSING || bytes <= 0 || wall_ns == OMPP_MISSING || wall_ns <= 0)
		return;
	memory_ns = (int64_t)((__int128)bytes * 1000 / a->memory_rate);
	if (memory_ns < wall_ns / BOUND_PART)
		return;
	memory_ns = memory_ns < wall_ns ? memory_ns : wall_ns;
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "It has ");
	ompp_text_grouped(&t, n);
	ompp_text_char(&t, ' ');
	ompp_text_str(&t, ompp_traffic_title(level));
	ompp_text_str(&t, " (by the modelled caches; of ");
	ompp_text_i64(&t, LINE_BYTES);
	ompp_text_str(&t, " bytes), and takes ");
	ompp_say_time(&t, wall_ns);
	ompp_text_str(&t, " of the plain run's ");
	ompp_say_time(&t, ompp_plain_run_ns(a));
	ompp_text_str(&t, ": ");
	ompp_say_ratio(&t, bytes, wall_ns);
	ompp_text_str(&t, " GB/s or more come from memory. This machine's gives ");
	ompp_say_count(&t, a->n_threads, "thread");
	ompp_text_char(&t, ' ');
	ompp_say_ratio(&t, a->memory_rate, 1000);
	ompp_text_str(&t, " GB/s (by ompp machine), so memory is busy for ");
	ompp_say_time(&t, memory_ns);
	ompp_text_str(&t, " of that.");
	ompp_find_counted(finder, &(struct ompp_finding){ .name = "WorkWaitsForMemory",
	                                                  .region = region,
	                                                  .weight = ompp_share(memory_ns, ompp_plain_run_ns(a)),
	                                                  .gain_ns = memory_ns,
	                                                  .evidence = t.data,
	                                                  .advice = fetch_less });
}

void ompp_find_memory(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	enum ompp_traffic_kind level = a->traffic ? ompp_traffic_last_level(a->traffic) : OMPP_N_TRAFFIC;
	uint32_t stall = memory_metric(p, stalls, OMPP_COUNT_OF(stalls));
	uint32_t cycle = memory_metric(p, cycles, OMPP_COUNT_OF(cycles));

	for (uint32_t r = 0; r < p->n_regions; r++) {
		if (!is_loop(p->regions[r].construct))
			continue;
		if (p->hooked && a->memory_rate > 0 && level != OMPP_N_TRAFFIC)
			memory_compare(finder, r, level);
		else if (!p->hooked && stall != OMPP_NONE && cycle != OMPP_NONE)
			memory_judge(finder, r, stall, cycle);
	}
}
