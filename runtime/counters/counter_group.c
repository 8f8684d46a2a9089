/*
 * Counter group: the ready groups, such as "@cache".  A group stands for those of its counters that the machine has,
 * and for the values computed from them.
 *
 * A group has alternatives, the best one first.  The first one whose counters can all be counted here is taken. Times
 * in expressions are sums over all threads, so a rate for the whole program is multiplied by THREADS.
 */
#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/nearest.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter_list.h"
#include "runtime/counters/counter_try.h"

/* clang-format off */
#define IPC { "IPC", "instructions/cycles", "" }
#define MPKI(name, misses) { name, misses "*1000/instructions", "" }
#define PERCENT(name, part, all) { name, "100*" part "/" all, "%" }
#define PER_SECOND(name, events) { name, events "*THREADS/EXECT", "1/s" }
#define GIGABYTES(name, bytes) { name, bytes "*THREADS/EXECT/1000000000", "GB/s" }
#define MFLOPS(name, operations) { name, operations "*THREADS/EXECT/1000000", "MFLOP/s" }
/* clang-format on */

struct alternative {
	const char *counters;
	struct ompp_eval evals[8];
};

/* No eval names a counter of the machine as a whole: it would have no row to stand in. */
static const struct alternative cache[] = {
	{ "cycles,instructions,L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	  { IPC, PERCENT("L1 miss %", "'L1-dcache-load-misses'", "'L1-dcache-loads'"),
	    PERCENT("LLC miss %", "'LLC-load-misses'", "'LLC-loads'"),
	    GIGABYTES("memory GB/s", "'LLC-load-misses'*64") } },
	{ "cycles,instructions,PAPI_L1_DCM,PAPI_L2_DCM,PAPI_L3_TCM",
	  { IPC, MPKI("L1 MPKI", "PAPI_L1_DCM"), MPKI("L2 MPKI", "PAPI_L2_DCM"), MPKI("L3 MPKI", "PAPI_L3_TCM"),
	    GIGABYTES("memory GB/s", "PAPI_L3_TCM*64") } },
	{ "cycles,instructions,l1d_cache,l1d_cache_refill,l2d_cache,l2d_cache_refill",
	  { IPC, PERCENT("L1 miss %", "l1d_cache_refill", "l1d_cache"),
	    PERCENT("L2 miss %", "l2d_cache_refill", "l2d_cache"), MPKI("L2 MPKI", "l2d_cache_refill") } },
	{ "cycles,instructions,L1-dcache-loads,L1-dcache-load-misses,cache-references,cache-misses",
	  { IPC, PERCENT("L1 miss %", "'L1-dcache-load-misses'", "'L1-dcache-loads'"),
	    PERCENT("cache miss %", "'cache-misses'", "'cache-references'") } },
	{ "cycles,instructions,L1-dcache-loads,L1-dcache-load-misses",
	  { IPC, PERCENT("L1 miss %", "'L1-dcache-load-misses'", "'L1-dcache-loads'") } },
	{ "cycles,instructions,cache-references,cache-misses",
	  { IPC, PERCENT("cache miss %", "'cache-misses'", "'cache-references'") } },
	{ NULL, { { NULL, NULL, NULL } } }
};

/* Misses need a PMU or the model of the caches; the bytes that were accessed are known to the hooks alone. */
static const struct alternative cache_hooks[] = { { "ACC_LD,ACC_ST,ACC_BYTES",
	                                            { GIGABYTES("GB/s", "ACC_BYTES"),
	                                              { "bytes an access", "ACC_BYTES/(ACC_LD+ACC_ST)", "bytes" } } },
	                                          { NULL, { { NULL, NULL, NULL } } } };

/* What reports look for, to say that work waits for memory (reports/findings/finding_memory.c). */
static const struct alternative memory[] = {
	{ "cycles,instructions,CYCLE_ACTIVITY:STALLS_MEM_ANY,LLC-load-misses",
	  { IPC, PERCENT("stalled %", "CYCLE_ACTIVITY:STALLS_MEM_ANY", "cycles"),
	    GIGABYTES("memory GB/s", "'LLC-load-misses'*64") } },
	{ "cycles,instructions,CYCLE_ACTIVITY:STALLS_MEM_ANY",
	  { IPC, PERCENT("stalled %", "CYCLE_ACTIVITY:STALLS_MEM_ANY", "cycles") } },
	{ "cycles,instructions,MEMORY_ACTIVITY:STALLS_L1D_MISS",
	  { IPC, PERCENT("stalled %", "MEMORY_ACTIVITY:STALLS_L1D_MISS", "cycles") } },
	{ "cycles,instructions,PAPI_MEM_SCY", { IPC, PERCENT("stalled %", "PAPI_MEM_SCY", "cycles") } },
	{ "cycles,instructions,stall_backend_mem", { IPC, PERCENT("stalled %", "stall_backend_mem", "cycles") } },
	{ NULL, { { NULL, NULL, NULL } } }
};

static const struct alternative flops[] = {
	{ "cycles,instructions,PAPI_DP_OPS,PAPI_SP_OPS",
	  { IPC, MFLOPS("double MFLOP/s", "PAPI_DP_OPS"), MFLOPS("single MFLOP/s", "PAPI_SP_OPS") } },
	{ "cycles,instructions,PAPI_DP_OPS", { IPC, MFLOPS("double MFLOP/s", "PAPI_DP_OPS") } },
	{ "cycles,instructions,PAPI_FP_OPS", { IPC, MFLOPS("MFLOP/s", "PAPI_FP_OPS") } },
	{ "cycles,instructions,RETIRED_SSE_AVX_FLOPS:ANY", { IPC, MFLOPS("MFLOP/s", "RETIRED_SSE_AVX_FLOPS:ANY") } },
	{ "flops", { MFLOPS("MFLOP/s", "flops") } },
	{ NULL, { { NULL, NULL, NULL } } }
};

static const struct alternative branch[] = {
	{ "cycles,instructions,branches,branch-misses",
	  { IPC, PERCENT("mispredicted %", "'branch-misses'", "branches"),
	    PERCENT("branches %", "branches", "instructions"), MPKI("branch MPKI", "'branch-misses'") } },
	{ "cycles,instructions,br_retired,br_mis_pred_retired",
	  { IPC, PERCENT("mispredicted %", "br_mis_pred_retired", "br_retired"),
	    PERCENT("branches %", "br_retired", "instructions"), MPKI("branch MPKI", "br_mis_pred_retired") } },
	{ "cycles,instructions,branch-misses", { IPC, MPKI("branch MPKI", "'branch-misses'") } },
	{ "cycles,instructions,branches", { IPC, PERCENT("branches %", "branches", "instructions") } },
	{ NULL, { { NULL, NULL, NULL } } }
};

static const struct alternative tlb[] = {
	{ "cycles,instructions,dTLB-loads,dTLB-load-misses,dTLB-store-misses,iTLB-load-misses",
	  { IPC, PERCENT("dTLB miss %", "'dTLB-load-misses'", "'dTLB-loads'"),
	    MPKI("dTLB load MPKI", "'dTLB-load-misses'"), MPKI("dTLB store MPKI", "'dTLB-store-misses'"),
	    MPKI("iTLB MPKI", "'iTLB-load-misses'") } },
	{ "cycles,instructions,l1d_tlb,l1d_tlb_refill,l1i_tlb_refill",
	  { IPC, PERCENT("dTLB miss %", "l1d_tlb_refill", "l1d_tlb"), MPKI("dTLB MPKI", "l1d_tlb_refill"),
	    MPKI("iTLB MPKI", "l1i_tlb_refill") } },
	{ "cycles,instructions,l1d_tlb_refill,l1i_tlb_refill",
	  { IPC, MPKI("dTLB MPKI", "l1d_tlb_refill"), MPKI("iTLB MPKI", "l1i_tlb_refill") } },
	{ "cycles,instructions,dTLB-load-misses,iTLB-load-misses",
	  { IPC, MPKI("dTLB load MPKI", "'dTLB-load-misses'"), MPKI("iTLB MPKI", "'iTLB-load-misses'") } },
	{ "cycles,instructions,PAPI_TLB_DM,PAPI_TLB_IM",
	  { IPC, MPKI("dTLB MPKI", "PAPI_TLB_DM"), MPKI("iTLB MPKI", "PAPI_TLB_IM") } },
	{ "cycles,instructions,dTLB-load-misses", { IPC, MPKI("dTLB load MPKI", "'dTLB-load-misses'") } },
	{ NULL, { { NULL, NULL, NULL } } }
};

#define REMOTE PERCENT("remote loads %", "'node-load-misses'", "('node-loads'+'node-load-misses')")
#define IMC    "uncore_imc/cas_count_read/,uncore_imc/cas_count_write/"

static const struct alternative numa[] = { { "node-loads,node-load-misses," IMC, { REMOTE } },
	                                   { "node-loads,node-load-misses", { REMOTE } },
	                                   { "mem_access,remote_access",
	                                     { PERCENT("remote accesses %", "remote_access", "mem_access") } },
	                                   { IMC, { { NULL, NULL, NULL } } },
	                                   { NULL, { { NULL, NULL, NULL } } } };

static const struct alternative os[] = { { "page-faults,major-faults,context-switches,cpu-migrations,task-clock",
	                                   { PER_SECOND("page faults/s", "'page-faults'"),
	                                     PER_SECOND("switches/s", "'context-switches'"),
	                                     PERCENT("on processor %", "'task-clock'", "EXECT/1000000000") } },
	                                 { NULL, { { NULL, NULL, NULL } } } };

/* What the section Roofline of reports needs (reports/bounds/roofline.h).  An emulator counts the operations within
 * mathematical functions in place of their calls. */
static const struct alternative roofline[] = {
	{ "flops,flops_single,flops_div,flops_sqrt,intops,math_calls", { { NULL, NULL, NULL } } },
	{ "flops,flops_single,flops_div,flops_sqrt,intops", { { NULL, NULL, NULL } } },
	{ NULL, { { NULL, NULL, NULL } } }
};

static const struct {
	const char *name, *what;
	const struct alternative *alternatives, *hooks;
	const char *note; /* says what the alternatives of hooks count */
} groups[] = {
	{ "@cache", "caches: misses of each level, and what comes from memory", cache, cache_hooks,
	  "what was accessed, by hooks; misses need a PMU, or OMPP_CACHE=1 to model them" },
	{ "@memory", "cycles in which the work waits for memory", memory, NULL, "" },
	{ "@flops", "floating-point operations", flops, NULL, "" },
	{ "@roofline", "operations by kind, for the section Roofline; of code built with kinst --work, or emulated",
	  roofline, NULL, "" },
	{ "@branch", "branches, and how many were predicted wrong", branch, NULL, "" },
	{ "@tlb", "address translation: misses of data and instructions", tlb, NULL, "" },
	{ "@numa", "accesses to other NUMA nodes, and memory traffic of each", numa, NULL, "" },
	{ "@os", "the system's part: page faults, switches, time on a processor", os, NULL, "" },
};

enum { N_GROUPS = OMPP_COUNT_OF(groups) };

const char *ompp_counter_group_name(size_t i)
{
	return i < N_GROUPS ? groups[i].name : NULL;
}

/* Returns 1 when each of these counters can be counted here.  If not, returns 0 and writes to why which one cannot
 * be counted, and the reason.  Software events are not tried: a thread may be told of their counts where events are
 * not permitted. */
static int is_possible(const char *counters, struct ompp_text *why)
{
	while (*counters) {
		size_t n = strcspn(counters, ",");
		struct ompp_counter counter;
		size_t n_before = why->n_bytes;
		int64_t value;

		if (ompp_counter_has_pmu()) {
			ompp_text_strn(why, counters, n);
			ompp_text_str(why, ": ");
		}
		if (ompp_counter_find(counters, n, &counter, why) ||
		    (ompp_counter_is_hardware(&counter) && ompp_counter_trial(&counter, &value, why)))
			return 0;
		why->n_bytes = n_before;
		counters += n + (counters[n] == ',');
	}
	return 1;
}

static const struct alternative *first_possible(const struct alternative *a, struct ompp_text *why)
{
	char cause[256];
	struct ompp_text t;

	for (size_t i = 0; a && a[i].counters; i++) {
		ompp_text_init(&t, cause, sizeof(cause));
		if (is_possible(a[i].counters, &t))
			return &a[i];
		if (!i)
			ompp_text_str(why, cause);
	}
	return NULL;
}

static int counter_group_take(struct ompp_counter_group *group, size_t i, const struct alternative *a)
{
	group->note = a == groups[i].hooks ? groups[i].note : "";
	group->name = groups[i].name;
	group->what = groups[i].what;
	group->counters = a->counters;
	for (group->n_evals = 0; group->n_evals < 8 && a->evals[group->n_evals].name; group->n_evals++)
		group->evals[group->n_evals] = a->evals[group->n_evals];
	return 0;
}

static int counter_group_find(const char *name, size_t n_name, struct ompp_counter_group *group, struct ompp_text *why)
{
	const struct alternative *a;
	char cause[256];
	struct ompp_text t;
	const char *near;
	size_t i;

	for (i = 0; i < N_GROUPS && !ompp_text_same(name, n_name, groups[i].name, strlen(groups[i].name)); i++)
		;
	if (i == N_GROUPS) {
		near = ompp_nearest(name, n_name, ompp_counter_group_name, 3);
		ompp_text_str(why, "unknown group; ");
		ompp_text_str(why, near ? "did you mean "
		                        : "there are @cache, @memory, @flops, @roofline, @branch, @tlb, @numa, @os");
		ompp_text_str(why, near ? near : "");
		ompp_text_str(why, near ? "?" : "");
		return -ENOENT;
	}
	ompp_text_init(&t, cause, sizeof(cause));
	a = first_possible(groups[i].alternatives, &t);
	if (!a)
		a = ompp_counter_hooked && groups[i].hooks ? groups[i].hooks : NULL;
	if (a)
		return counter_group_take(group, i, a);
	ompp_text_str(why, cause);
	if (groups[i].hooks)
		ompp_text_str(why, "; or build with kinst --access and set OMPP_CACHE=1 to model caches");
	return -ENODEV;
}

int ompp_counter_group_find(const char *name, size_t n_name, struct ompp_counter_group *group, struct ompp_text *why)
{
	int rc = counter_group_find(name, n_name, group, why);

	return rc;
}
