/*
 * Probe: see probe.h.
 */
#define _GNU_SOURCE
#include "runtime/sources/probe.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/geometric.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/data/cache.h"
#include "runtime/ompp_mem.h"
#include "runtime/samples/probe_clock.h"
#include "runtime/sources/probe_ranges.h"

struct ompp_probe_levels ompp_probe_levels;

#if defined(OMPP_PROBE_X86_64) || defined(OMPP_PROBE_AARCH64)
enum {
	LINE = 64,
	N_PROBES = 100, /* of a try, which is so short that most tries are undisturbed, even on a busy machine */
	LEAST_TRIES = 4,
	MOST_TRIES = 40,
	N_NOTHING = 1000, /* probes that load nothing */
	FIRST = 4,        /* so many parts has the memory of which the first one is probed: few pages, for the TLB */
	N_TICKS = 8192,   /* longer ones count as this */
	MOST_BYTES = 8 << 20, /* of our own memory */
	LEAST_L1 = 32 << 10,  /* where the machine does not tell the sizes of its caches */
	LOW_TENTH = 1,
	HIGH_TENTH = 7, /* of the other three, some were served by the next level: others had their lines put out */
	MEDIAN = 5      /* in tenths of the probes */
};

#ifdef OMPP_PROBE_X86_64
#define READ_START "lfence\n\trdtsc\n\tlfence\n\tmov %%eax, %k0\n\tshl $32, %%rdx\n\tor %%rdx, %0\n\t"
#define READ_END   "rdtscp\n\tlfence\n\tshl $32, %%rdx\n\tor %%rdx, %%rax"

/* The second reading waits until the load has its value. */
struct ompp_probe ompp_probe_load(const void *p)
{
	struct ompp_probe probe;
	uint64_t cpu;

	__asm__ volatile(READ_START "movzbl (%3), %%eax\n\t" READ_END
	                 : "=&r"(probe.start_ticks), "=&a"(probe.end_ticks), "=&c"(cpu)
	                 : "r"(p)
	                 : "rdx", "cc", "memory");
	probe.cpu = (uint32_t)cpu;
	return probe;
}

struct ompp_probe ompp_probe_nothing(void)
{
	struct ompp_probe probe;
	uint64_t cpu;

	__asm__ volatile(READ_START READ_END
	                 : "=&r"(probe.start_ticks), "=&a"(probe.end_ticks), "=&c"(cpu)
	                 :
	                 : "rdx", "cc", "memory");
	probe.cpu = (uint32_t)cpu;
	return probe;
}

static void probe_flush(const void *p)
{
	__asm__ volatile("clflush (%0)\n\tmfence" : : "r"(p) : "memory");
}
#else /* aarch64 */
/* No instruction behind an ISB starts before those ahead of it are known to be done, but for loads and stores: for
 * these the DSB waits. */
#define READ_START "isb\n\tmrs %0, cntvct_el0\n\tisb\n\t"
#define READ_END   "dsb nshld\n\tisb\n\tmrs %1, cntvct_el0\n\tisb"

struct ompp_probe ompp_probe_load(const void *p)
{
	struct ompp_probe probe = { .cpu = UINT32_MAX };
	uint32_t value;

	__asm__ volatile(READ_START "ldrb %w2, [%3]\n\t" READ_END
	                 : "=&r"(probe.start_ticks), "=&r"(probe.end_ticks), "=&r"(value)
	                 : "r"(p)
	                 : "memory");
	return probe;
}

struct ompp_probe ompp_probe_nothing(void)
{
	struct ompp_probe probe = { .cpu = UINT32_MAX };

	__asm__ volatile(READ_START READ_END : "=&r"(probe.start_ticks), "=&r"(probe.end_ticks) : : "memory");
	return probe;
}

static void probe_flush(const void *p)
{
	__asm__ volatile("dc civac, %0\n\tdsb sy" : : "r"(p) : "memory");
}
#endif

/* The latencies of some probes: how often each number of ticks came. */
struct times {
	uint32_t n_all;
	uint16_t n[N_TICKS];
};

static void add_time(struct times *times, uint64_t ticks)
{
	times->n_all++;
	times->n[ticks < N_TICKS ? ticks : N_TICKS - 1]++;
}

/* Returns the least time that so many tenths of the probes did not exceed. */
static uint32_t probe_quantile(const struct times *times, int tenths)
{
	uint32_t n = 0, i;

	for (i = 0; i < N_TICKS - 1; i++) {
		n += times->n[i];
		if (n * 10 > times->n_all * (uint32_t)tenths)
			break;
	}
	return i;
}

/* Returns the mean of a probe that loads nothing, and the step of the clock. */
static uint32_t time_nothing(struct times *times, uint32_t *step)
{
	uint64_t sum = 0, n = 0, most;

	memset(times, 0, sizeof(*times));
	for (int i = 0; i < N_NOTHING; i++) {
		struct ompp_probe probe = ompp_probe_nothing();

		add_time(times, probe.end_ticks - probe.start_ticks);
	}
	most = 2 * probe_quantile(times, MEDIAN);
	*step = 0;
	for (uint32_t i = 0; i < N_TICKS && i <= most; i++) {
		uint32_t a = i, b = *step;

		if (!times->n[i])
			continue;
		sum += (uint64_t)i * times->n[i];
		n += times->n[i];
		while (b) { /* the greatest common divisor */
			uint32_t rest = a % b;

			a = b;
			b = rest;
		}
		*step = a;
	}
	return n ? (uint32_t)((sum + n / 2) / n) : 0;
}

/* Times loads at random addresses of n_bytes that were just read, or that are flushed from all caches before each
 * load.  All of the memory is read in order and the loads go to what was read first, which a nearer cache has evicted
 * by then.  A line that is flushed was in the nearest cache before: if flushing has no effect, as in an emulator,
 * that cache answers, and not memory. */
static void time_loads(struct times *times, char *memory, size_t n_bytes, int flushed, uint64_t *random)
{
	memset(times, 0, sizeof(*times));
	for (size_t i = 0; i < n_bytes && !flushed; i += LINE)
		*(volatile char *)(memory + i);
	for (int i = -N_PROBES / 4; i < N_PROBES; i++) { /* the first ones are for the branch predictor and the TLB */
		char *p = memory + (ompp_random(random) >> 16) % (n_bytes / FIRST / LINE) * LINE;
		struct ompp_probe probe;

		if (flushed) {
			*(volatile char *)p;
			probe_flush(p);
		}
		probe = ompp_probe_load(p);
		if (i >= 0)
			add_time(times, ompp_probe_latency(&probe));
	}
}

/* Returns 1 when a number decreases by more than a sixteenth. */
static int probe_lower(uint32_t *least, uint32_t number)
{
	int is_much = number < *least - *least / 16;

	*least = number < *least ? number : *least;
	return is_much;
}

/* Other programs can make a level slower, but never faster: they use the processor, and evict lines from the caches.
 * So each number is the minimum of many short tries, which end when several in a row have lowered none. */
static struct ompp_probe_measured probe_measure(struct times *times, char *memory, size_t n_bytes, int level)
{
	struct ompp_probe_measured best = { UINT32_MAX, UINT32_MAX, UINT32_MAX, (uint8_t)level };
	uint64_t random = ompp_random_seed((uint64_t)level);
	int is_flushed = level == OMPP_CACHE_LEVELS;

	if (!is_flushed)
		time_loads(times, memory, n_bytes, 0, &random);
	for (int i = 0, n_same = 0; i < MOST_TRIES && n_same < LEAST_TRIES; i++) {
		int is_less;

		time_loads(times, memory, n_bytes, is_flushed, &random);
		is_less = probe_lower(&best.low, probe_quantile(times, LOW_TENTH));
		is_less |= probe_lower(&best.middle, probe_quantile(times, MEDIAN));
		is_less |= probe_lower(&best.high, probe_quantile(times, HIGH_TENTH));
		n_same = is_less ? 0 : n_same + 1;
	}
	return best;
}

static void find_levels(struct times *times, char *memory)
{
	struct ompp_cache_geometry caches;
	struct ompp_probe_measured m[OMPP_PROBE_LEVELS];
	char why[256];
	int n = 0;

	if (ompp_cache_geometry("1", &caches, why, sizeof(why)) || !caches.level[0].bytes) {
		memset(&caches, 0, sizeof(caches));
		caches.level[0].bytes = LEAST_L1;
	}
	ompp_probe_levels.longest = UINT32_MAX;
	for (int i = 0; i < OMPP_CACHE_LEVELS; i++) {
		/* The last level is shared, perhaps with programs that are unknown here. */
		size_t n_bytes = caches.level[i].bytes / (i < 2 ? 2 : 4);

		if (n_bytes >= LINE)
			m[n++] = probe_measure(times, memory, n_bytes < MOST_BYTES ? n_bytes : MOST_BYTES, i);
	}
	m[n++] = probe_measure(times, memory, MOST_BYTES / 4, OMPP_CACHE_LEVELS);
	ompp_probe_find_ranges(m, n, &ompp_probe_levels);
}

/* Returns 1 when the processor has an RDTSCP that the kernel has set up to tell the processor. */
static int tells_cpu(void)
{
	unsigned int cpu = 0, node = 0;
	struct ompp_probe probe;

	if (OMPP_SYS3(getcpu, &cpu, &node, 0))
		return 0;
	probe = ompp_probe_nothing();
	return probe.cpu != UINT32_MAX && (probe.cpu & 0xfff) == cpu;
}

int ompp_probe_start(struct ompp_why *why)
{
	struct ompp_text text;
	struct times *times;
	char *memory;

	ompp_text_init(&text, why->text, sizeof(why->text));
	if (!ompp_probe_has_clock(&text))
		return -ENOTSUP;
	memory = ompp_space_take(MOST_BYTES + sizeof(*times));
	if (!memory) {
		strcpy(why->text, "there is no memory to find out how long loads take here");
		return -ENOMEM;
	}
	for (size_t i = 0; i < MOST_BYTES; i += 4096)
		memory[i] = 1;
	times = (struct times *)(void *)(memory + MOST_BYTES);
	ompp_probe_levels.empty = time_nothing(times, &ompp_probe_levels.step);
	find_levels(times, memory);
	/* the thread may move to another processor between the two answers */
	ompp_probe_levels.knows_cpu = tells_cpu() || tells_cpu();
	ompp_sys_munmap(memory, MOST_BYTES + sizeof(*times));
	return 0;
}
#else
struct ompp_probe ompp_probe_load(const void *p)
{
	(void)p;
	return (struct ompp_probe){ 0, 0, 0 };
}

struct ompp_probe ompp_probe_nothing(void)
{
	return ompp_probe_load(NULL);
}

int ompp_probe_start(struct ompp_why *why)
{
	strcpy(why->text,
	       "this architecture has no clock that a program can read and that is fine enough to time one load");
	return -ENOTSUP;
}
#endif

void ompp_probe_describe(struct ompp_text *text)
{
	static const char *const names[] = { "L1", "L2", "L3", "memory" };
	const struct ompp_probe_levels *l = &ompp_probe_levels;

	for (uint32_t i = 0; i < l->n; i++) {
		if (i)
			ompp_text_str(text, ", ");
		for (int level = l->range[i].first; level <= l->range[i].last; level++) {
			if (level > l->range[i].first)
				ompp_text_str(text, level < l->range[i].last ? ", " : " and ");
			ompp_text_str(text, names[level]);
		}
		if (i + 1 < l->n) {
			ompp_text_str(text, " up to ");
			ompp_text_u64(text, l->range[i].most);
		} else {
			ompp_text_str(text, l->n > 1 ? " above" : " are not told apart");
		}
	}
}
