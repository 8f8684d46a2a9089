/*
 * Roof measure: see roof_measure.h.
 */
#define _GNU_SOURCE
#include "config.h"

#include "reports/roofs/roof_measure.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_NUMA
#include <numa.h>
#endif

#include "reports/roofs/roof_team.h"
#include "runtime/host/file.h"

enum { MOST_ROOFS = 256, NAME_BYTES = 64, TEXT_BYTES = 65536, LEVELS = 3, MOST_INDEX = 16, MOST_PROCESSORS = 4096 };
#define SHARE_UNIT  1e9
#define LEAST_BYTES (UINT64_C(64) << 20) /* of all buffers in memory */
#define MOST_BYTES  (UINT64_C(1) << 30)

static const char *const precisions[] = { "double", "single" };
static const char *const widths[] = { "scalar", "vector" };

struct roof_measurer {
	const struct ompp_roof_set *set;
	struct ompp_roofs *roofs;
	struct ompp_arena *arena;
	int *processors;
	size_t n_processors;
	uint64_t level_bytes[LEVELS]; /* of one cache; 0: there is none */
	uint64_t sharers[LEVELS];     /* how many of the processors share one */
	int rc;
};

static int compare_rates(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* Returns the best of the repeats as a roof; its name is in the arena. */
static struct ompp_roof roof_of(struct roof_measurer *m, enum ompp_roof_kind kind, const char *name, size_t n,
                                double rates[OMPP_ROOF_REPEATS])
{
	struct ompp_roof roof = { .kind = kind, .n_threads = (uint32_t)n };
	double best;

	qsort(rates, OMPP_ROOF_REPEATS, sizeof(rates[0]), compare_rates);
	best = rates[OMPP_ROOF_REPEATS - 1];
	roof.rate = (int64_t)best;
	roof.spread = best > 0 ? (int64_t)(SHARE_UNIT * (best - rates[OMPP_ROOF_REPEATS / 2]) / best) : 0;
	roof.name = ompp_arena_strdup(m->arena, name);
	m->rc = roof.name ? m->rc : -ENOMEM;
	return roof;
}

static void roofs_add(struct roof_measurer *m, const struct ompp_roof *roof)
{
	if (!m->rc && roof->rate > 0 && m->roofs->n < MOST_ROOFS)
		m->roofs->list[m->roofs->n++] = *roof;
}

static struct ompp_roof measure_one(struct roof_measurer *m, enum ompp_roof_kind kind, const char *name,
                                    const struct ompp_roof_work *work, const int *processors, size_t n)
{
	double rates[OMPP_ROOF_REPEATS] = { 0 };

	if (!m->rc)
		m->rc = ompp_roof_team(work, processors, n, rates);
	return roof_of(m, kind, name, n, rates);
}

/* ---- operations ---- */

static void measure_loop(struct roof_measurer *m, enum ompp_roof_kind kind, const char *name,
                         const struct ompp_roof_loop *loop)
{
	struct ompp_roof_work work = { .compute = loop->run, .each = loop->n_operations, .node = -1 };
	size_t n = m->n_processors;

	if (!loop->run)
		return;
	for (size_t k = 1; k <= n; k += n > 1 ? n - 1 : 1) {
		struct ompp_roof roof = measure_one(m, kind, name, &work, m->processors, k);

		roofs_add(m, &roof);
	}
}

static void measure_operations(struct roof_measurer *m)
{
	char name[NAME_BYTES];

	for (int precision = 0; precision < OMPP_ROOF_PRECISIONS; precision++)
		for (int width = 0; width < OMPP_ROOF_WIDTHS; width++) {
			snprintf(name, sizeof(name), "%s %s", widths[width], precisions[precision]);
			measure_loop(m, OMPP_ROOF_FLOPS, name, &m->set->plain[width][precision]);
			measure_loop(m, OMPP_ROOF_DIVISIONS, name, &m->set->division[width][precision]);
			snprintf(name, sizeof(name), "%s FMA %s", widths[width], precisions[precision]);
			measure_loop(m, OMPP_ROOF_FLOPS, name, &m->set->fused[width][precision]);
		}
}

/* ---- bytes ---- */

/* Measures how many bytes a second a level gives and takes, as loads and as copies, and adds the faster one.  A copy
 * reads a line, fetches the line that it writes, and writes that back; in the first level it does not fetch. */
static void measure_bytes(struct roof_measurer *m, const char *name, uint64_t n_bytes, int is_first, int node,
                          const int *processors, size_t n)
{
	uint64_t whole = (n_bytes + 2 * OMPP_ROOF_BLOCK - 1) / (2 * OMPP_ROOF_BLOCK) * (2 * OMPP_ROOF_BLOCK);
	struct ompp_roof_work work = { .stream = m->set->load, .buffer_bytes = whole, .each = 1, .node = node };
	struct ompp_roof loads = measure_one(m, OMPP_ROOF_BYTES, name, &work, processors, n), copies;

	work.stream = m->set->copy;
	work.each = is_first ? 1 : 1.5;
	copies = measure_one(m, OMPP_ROOF_BYTES, name, &work, processors, n);
	roofs_add(m, copies.rate > loads.rate ? &copies : &loads);
}

/* Returns how many bytes of memory there are; 0 when that is not known. */
static uint64_t memory_bytes(void)
{
	long n = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	return n > 0 && page > 0 ? (uint64_t)n * (uint64_t)page : 0;
}

/* Returns the bytes of the buffer with which a thread measures a level, when n threads do: half of its share of the
 * cache, but more than twice what the level above has; 0 when there is no such size. */
static uint64_t cache_part(const struct roof_measurer *m, int level, size_t n)
{
	uint64_t sharers = m->sharers[level] < n ? m->sharers[level] : n;
	uint64_t share = m->level_bytes[level] / (sharers ? sharers : 1), above = 0;

	for (int i = 0; i < level; i++)
		above = m->level_bytes[i] > above ? m->level_bytes[i] : above;
	if (share / 2 > 2 * above)
		return share / 2;
	return share > 2 * above ? 2 * above + (share - 2 * above) / 2 : 0;
}

/* Returns the bytes of a buffer of which a cache has room for many, but the level above does not hold: twice what that
 * has; 0 where this is not clearly less than the buffer of cache_part(). */
static uint64_t cache_least(const struct roof_measurer *m, int level, size_t n)
{
	uint64_t above = 0;

	for (int i = 0; i < level; i++)
		above = m->level_bytes[i] > above ? m->level_bytes[i] : above;
	return above && 3 * above <= cache_part(m, level, n) ? 2 * above : 0;
}

/* Returns the bytes of a thread's buffer in memory: four times the last cache in all. */
static uint64_t memory_part(const struct roof_measurer *m, size_t n)
{
	uint64_t all = LEAST_BYTES, most = memory_bytes() / 8 < MOST_BYTES ? memory_bytes() / 8 : MOST_BYTES;

	for (int i = 0; i < LEVELS; i++) {
		uint64_t caches = m->sharers[i] ? (n + m->sharers[i] - 1) / m->sharers[i] : 1;

		all = 4 * m->level_bytes[i] * caches > all ? 4 * m->level_bytes[i] * caches : all;
	}
	return (most && all > most ? most : all) / n;
}

static void measure_levels(struct roof_measurer *m)
{
	size_t n = m->n_processors;
	char name[NAME_BYTES];

	for (int i = 0; i < LEVELS; i++)
		for (size_t k = 1; k <= n && m->level_bytes[i]; k += n > 1 ? n - 1 : 1) {
			uint64_t n_bytes = cache_part(m, i, k);

			snprintf(name, sizeof(name), "L%d", i + 1);
			if (n_bytes)
				measure_bytes(m, name, n_bytes, !i, -1, m->processors, k);
			n_bytes = cache_least(m, i, k);
			snprintf(name, sizeof(name), "L%d small", i + 1);
			if (n_bytes)
				measure_bytes(m, name, n_bytes, 0, -1, m->processors, k);
		}
	for (size_t k = 1; k <= n; k += n > 1 ? n - 1 : 1)
		measure_bytes(m, "memory", memory_part(m, k), 0, -1, m->processors, k);
}

/* Measures each NUMA node's memory with the processors of the node, where there are several. */
static void measure_nodes(struct roof_measurer *m)
{
#ifdef HAVE_NUMA
	int *of_node = numa_available() < 0 ? NULL : calloc(m->n_processors, sizeof(*of_node));
	char name[NAME_BYTES];

	for (int node = 0; of_node && node <= numa_max_node() && numa_num_configured_nodes() > 1; node++) {
		size_t n = 0;

		for (size_t i = 0; i < m->n_processors; i++)
			if (numa_node_of_cpu(m->processors[i]) == node)
				of_node[n++] = m->processors[i];
		snprintf(name, sizeof(name), "node %d", node);
		if (n && numa_bitmask_isbitset(numa_all_nodes_ptr, (unsigned int)node) &&
		    numa_node_size64(node, NULL) > 0)
			measure_bytes(m, name, memory_part(m, n), 0, node, of_node, n);
	}
	free(of_node);
#else
	(void)m;
#endif
}

/* ---- the machine ---- */

/* Finds the processors that this process may use. */
static int find_processors(struct roof_measurer *m)
{
	size_t n_bytes = CPU_ALLOC_SIZE(MOST_PROCESSORS);
	cpu_set_t *set = CPU_ALLOC(MOST_PROCESSORS);
	int rc = !set ? -ENOMEM : sched_getaffinity(0, n_bytes, set) ? -errno : 0;

	m->processors = calloc(MOST_PROCESSORS, sizeof(*m->processors));
	if (!m->processors)
		rc = -ENOMEM;
	for (int i = 0; i < MOST_PROCESSORS && !rc; i++)
		if (CPU_ISSET_S((size_t)i, n_bytes, set))
			m->processors[m->n_processors++] = i;
	if (set)
		CPU_FREE(set);
	return rc ? rc : m->n_processors ? 0 : -EINVAL;
}

/* Reads a number from a file of a cache of the first processor, with its unit; 0 when there is none. */
static uint64_t cache_number(int processor, int index, const char *name)
{
	char path[256], text[64], *end;
	uint64_t n;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cache/index%d/%s", processor, index, name);
	if (ompp_file_line(path, text, sizeof(text)) <= 0)
		return 0;
	n = strtoull(text, &end, 10);
	return *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : n;
}

/* Returns how many processors a list like "0-3,8" has. */
static uint64_t listed(const char *text)
{
	uint64_t n = 0;

	while (*text) {
		char *end;
		unsigned long from = strtoul(text, &end, 10), to = from;

		if (end == text)
			break;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		n += to - from + 1;
		text = end + (*end == ',');
	}
	return n;
}

static void find_caches(struct roof_measurer *m)
{
	for (int i = 0; i < MOST_INDEX; i++) {
		uint64_t level = cache_number(m->processors[0], i, "level");
		char path[256], text[4096];

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cache/index%d/type", m->processors[0], i);
		if (ompp_file_line(path, text, sizeof(text)) <= 0 || !strcmp(text, "Instruction") || !level ||
		    level > LEVELS)
			continue;
		m->level_bytes[level - 1] = cache_number(m->processors[0], i, "size");
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list",
		         m->processors[0], i);
		m->sharers[level - 1] = ompp_file_line(path, text, sizeof(text)) > 0 ? listed(text) : 1;
	}
}

static const char *machine_cpu(struct ompp_arena *arena)
{
	char text[TEXT_BYTES], *name, *end;

	if (ompp_file_read("/proc/cpuinfo", text, sizeof(text)) <= 0)
		return "";
	name = strstr(text, "model name");
	name = name ? strchr(name, ':') : NULL;
	end = name ? strchr(name, '\n') : NULL;
	if (!end || end - name < 3)
		return "";
	*end = '\0';
	return ompp_arena_strdup(arena, name + 2);
}

static int describe(struct roof_measurer *m)
{
	struct ompp_roofs *r = m->roofs;
	time_t now = time(NULL);
	struct utsname name;
	char date[NAME_BYTES];
	struct tm tm;

	uname(&name);
	gmtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S UTC", &tm);
	r->host = ompp_arena_strdup(m->arena, name.nodename);
	r->date = ompp_arena_strdup(m->arena, date);
	r->cpu = machine_cpu(m->arena);
	r->vector = m->set->vector;
	r->n_threads = (uint32_t)m->n_processors;
	r->list = ompp_arena_alloc(m->arena, MOST_ROOFS * sizeof(*r->list));
	return r->host && r->date && r->cpu && r->list ? 0 : -ENOMEM;
}

/* Returns the seconds that all processors were busy, those of a hypervisor that took them included; negative when not
 * known. */
static double busy_s(void)
{
	char text[TEXT_BYTES];
	unsigned long long user, nice, system, idle, iowait, irq, softirq, steal;

	if (ompp_file_read("/proc/stat", text, sizeof(text)) <= 0 ||
	    sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &iowait, &irq,
	           &softirq, &steal) != 8)
		return -1;
	return (double)(user + nice + system + irq + softirq + steal) / (double)sysconf(_SC_CLK_TCK);
}

static double own_s(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static double wall_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Measures all, and what others did meanwhile. */
static void measure_all(struct roof_measurer *m)
{
	double begin = wall_s(), busy = busy_s(), own = own_s(), others;

	measure_operations(m);
	measure_levels(m);
	measure_nodes(m);
	others = busy < 0 ? 0 : busy_s() - busy - (own_s() - own);
	others /= (wall_s() - begin) * (double)sysconf(_SC_NPROCESSORS_ONLN);
	m->roofs->others = others > 0 ? (int64_t)(SHARE_UNIT * others) : 0;
}

int ompp_roofs_measure(struct ompp_roofs *roofs, struct ompp_arena *arena)
{
	struct roof_measurer m = { .set = ompp_roof_set(), .roofs = roofs, .arena = arena };

	memset(roofs, 0, sizeof(*roofs));
	m.rc = find_processors(&m);
	if (!m.rc)
		m.rc = describe(&m);
	if (!m.rc) {
		find_caches(&m);
		measure_all(&m);
	}
	free(m.processors);
	return m.rc;
}
