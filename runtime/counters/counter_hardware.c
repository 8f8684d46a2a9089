/*
 * Counter hardware: perf's general names of hardware events, which the kernel translates for its PMU, and raw numbers
 * of events.
 *
 * On a machine with several kinds of cores such an event is one event for each kind, and the counter is their sum.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter_list.h"
#include "runtime/counters/pmu.h"

#ifndef PERF_PMU_TYPE_SHIFT
#define PERF_PMU_TYPE_SHIFT 32
#endif

struct row {
	const char *words, *what;
	uint32_t config;
	uint8_t busy;
};

static const struct row general[] = {
	{ "cycles cpu-cycles PERF_COUNT_HW_CPU_CYCLES", "processor cycles", PERF_COUNT_HW_CPU_CYCLES, 1 },
	{ "instructions PERF_COUNT_HW_INSTRUCTIONS", "instructions completed", PERF_COUNT_HW_INSTRUCTIONS, 1 },
	{ "cache-references PERF_COUNT_HW_CACHE_REFERENCES", "accesses to a cache, most often the last level",
	  PERF_COUNT_HW_CACHE_REFERENCES, 0 },
	{ "cache-misses PERF_COUNT_HW_CACHE_MISSES", "misses of a cache, most often the last level",
	  PERF_COUNT_HW_CACHE_MISSES, 0 },
	{ "branches branch-instructions PERF_COUNT_HW_BRANCH_INSTRUCTIONS", "branches completed",
	  PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1 },
	{ "branch-misses PERF_COUNT_HW_BRANCH_MISSES", "branches that were predicted wrong",
	  PERF_COUNT_HW_BRANCH_MISSES, 1 },
	{ "bus-cycles PERF_COUNT_HW_BUS_CYCLES", "cycles of the bus", PERF_COUNT_HW_BUS_CYCLES, 0 },
	{ "stalled-cycles-frontend idle-cycles-frontend PERF_COUNT_HW_STALLED_CYCLES_FRONTEND",
	  "cycles without an instruction to begin", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0 },
	{ "stalled-cycles-backend idle-cycles-backend PERF_COUNT_HW_STALLED_CYCLES_BACKEND",
	  "cycles in which instructions waited for data or units", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0 },
	{ "ref-cycles PERF_COUNT_HW_REF_CPU_CYCLES", "cycles at the nominal clock", PERF_COUNT_HW_REF_CPU_CYCLES, 1 },
};

/* These are the combinations that perf accepts: instruction caches have no stores, and branch prediction has no
 * prefetch. */
#define CACHE(cache, op, result) \
	PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16
#define LOADS(name, cache, of, busy, busy_misses) \
	{ name "-loads", "loads: " of, CACHE(cache, READ, ACCESS), busy }, \
	{ \
		name "-load-misses", "loads that missed: " of, CACHE(cache, READ, MISS), busy_misses \
	}
#define STORES(name, cache, of, busy) \
	{ name "-stores", "stores: " of, CACHE(cache, WRITE, ACCESS), busy }, \
	{ \
		name "-store-misses", "stores that missed: " of, CACHE(cache, WRITE, MISS), 0 \
	}
#define PREFETCHES(name, cache, of) \
	{ name "-prefetches", "prefetches: " of, CACHE(cache, PREFETCH, ACCESS), 0 }, \
	{ \
		name "-prefetch-misses", "prefetches that missed: " of, CACHE(cache, PREFETCH, MISS), 0 \
	}

static const struct row caches[] = {
	LOADS("L1-dcache", L1D, "level 1 data cache", 1, 1),
	STORES("L1-dcache", L1D, "level 1 data cache", 1),
	PREFETCHES("L1-dcache", L1D, "level 1 data cache"),
	LOADS("L1-icache", L1I, "level 1 instruction cache", 0, 0),
	PREFETCHES("L1-icache", L1I, "level 1 instruction cache"),
	LOADS("LLC", LL, "last level cache", 0, 0),
	STORES("LLC", LL, "last level cache", 0),
	PREFETCHES("LLC", LL, "last level cache"),
	LOADS("dTLB", DTLB, "address translation of data", 0, 1),
	STORES("dTLB", DTLB, "address translation of data", 0),
	PREFETCHES("dTLB", DTLB, "address translation of data"),
	LOADS("iTLB", ITLB, "address translation of instructions", 0, 0),
	LOADS("branch", BPU, "branch prediction", 0, 0),
	LOADS("node", NODE, "memory; a miss is memory of another NUMA node", 0, 0),
	STORES("node", NODE, "memory; a miss is memory of another NUMA node", 0),
	PREFETCHES("node", NODE, "memory; a miss is memory of another NUMA node"),
};

/* The numbers of those events that certainly happen in the loop of counter_try.h.  For Arm these are numbers of the
 * architecture (instructions, loads, stores, branches right and wrong, level 1 accesses and misses, floating point);
 * for x86 they are the instructions and branches of both makers. */
static const uint32_t busy_numbers[] = {
#if defined(__aarch64__)
	0x03,      0x04, 0x05, 0x06, 0x07, 0x08, 0x0c, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x1b,
	0x21,      0x22, 0x40, 0x41, 0x42, 0x66, 0x67, 0x70, 0x71, 0x72, 0x73, 0x75, 0x76, 0x78,
#elif defined(__x86_64__) || defined(__i386__)
	0xc0, 0xc4,
#endif
	UINT32_MAX
};

int ompp_counter_is_busy(uint64_t config)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(busy_numbers); i++)
		if (config == busy_numbers[i])
			return 1;
	return 0;
}

enum {
	N_GENERAL = OMPP_COUNT_OF(general),
	N_CACHES = OMPP_COUNT_OF(caches),
	MOST_KINDS = 4 /* kinds of cores */
};

static void counter_hardware_add(struct ompp_counter *counter, uint32_t type, uint64_t config, uint32_t pmu, int busy)
{
	counter->event[counter->n_events++] = (struct ompp_event_code){
		.type = type,
		.config = config,
		.pmu = pmu,
		.factor = 1,
		.busy = (uint8_t)busy,
	};
}

/* Fills in one event, or one per kind of core.  Returns 0, or -errno with why. */
static int counter_hardware_fill(struct ompp_counter *counter, uint32_t type, uint64_t config, int busy,
                                 struct ompp_text *why)
{
	struct ompp_pmu kinds[MOST_KINDS];
	size_t n = ompp_pmu_cores(kinds, MOST_KINDS);

	counter->n_events = 0;
	if (!ompp_counter_has_pmu())
		return ompp_counter_lacking(why);
	if (n < 2)
		counter_hardware_add(counter, type, config, 0, busy);
	for (size_t i = 0; n >= 2 && i < n && i < MOST_KINDS; i++) {
		uint32_t kind = kinds[i].type;

		if (type == PERF_TYPE_RAW)
			counter_hardware_add(counter, kind, config, kind, busy);
		else
			counter_hardware_add(counter, type, config | (uint64_t)kind << PERF_PMU_TYPE_SHIFT, kind, busy);
	}
	return ompp_counter_keep_known(counter, why);
}

static int find_row(const struct row *rows, size_t n_rows, uint32_t type, const char *name, size_t n_name,
                    struct ompp_counter *counter, struct ompp_text *why)
{
	for (size_t i = 0; i < n_rows; i++)
		if (ompp_counter_is(rows[i].words, name, n_name)) {
			counter->what = rows[i].what;
			return counter_hardware_fill(counter, type, rows[i].config, rows[i].busy, why);
		}
	return -ENOENT;
}

/* Finds a raw event such as "r01c2": an r and at most 16 hexadecimal digits.  Returns 0 or -errno. */
static int find_raw(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why)
{
	uint64_t config = 0;

	if (n_name > 2 && name[n_name - 2] == ':' && name[n_name - 1] == 'u')
		n_name -= 2;
	if (n_name < 2 || n_name > 17 || name[0] != 'r')
		return -ENOENT;
	for (size_t i = 1; i < n_name; i++) {
		char c = ompp_text_lower(name[i]);

		if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
			return -ENOENT;
		config = config << 4 | (unsigned int)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	counter->what = "a number from the processor's manual";
	return counter_hardware_fill(counter, PERF_TYPE_RAW, config, ompp_counter_is_busy(config), why);
}

int ompp_counter_hardware_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why)
{
	int rc;

	counter->kind = OMPP_COUNTER_THREAD;
	counter->unit = "";
	counter->source = "perf";
	rc = find_row(general, N_GENERAL, PERF_TYPE_HARDWARE, name, n_name, counter, why);
	if (rc == -ENOENT)
		rc = find_row(caches, N_CACHES, PERF_TYPE_HW_CACHE, name, n_name, counter, why);
	return rc == -ENOENT ? find_raw(name, n_name, counter, why) : rc;
}

static int each_row(const struct row *rows, size_t n_rows, ompp_counter_found found, void *context)
{
	int rc = 0;

	for (size_t i = 0; i < n_rows && !rc; i++) {
		struct ompp_counter counter;

		ompp_counter_entry(&counter, rows[i].words, "perf", rows[i].what);
		rc = found(context, &counter);
	}
	return rc;
}

int ompp_counter_hardware_each(ompp_counter_found found, void *context)
{
	int rc = each_row(general, N_GENERAL, found, context);

	return rc ? rc : each_row(caches, N_CACHES, found, context);
}
