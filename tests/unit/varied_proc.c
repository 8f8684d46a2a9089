/*
 * Varied proc: readers of the kernel's texts, and of the environment.
 */
#define _GNU_SOURCE
#include <link.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/data/cache.h"
#include "runtime/data/tlb.h"
#include "runtime/data_sums/uses.h"
#include "runtime/host/cpu.h"
#include "runtime/host/file.h"
#include "runtime/host/processors.h"
#include "runtime/program/maps.h"
#include "runtime/session/machine_time.h"
#include "runtime/terms/launcher.h"
#include "tests/unit/varied_machine.h"

typedef unsigned long long ull;

/* ---- processors ---- */

/* A list such as "0-3,8". */
static const char *list_of_chance(void)
{
	static char list[400];
	uint32_t n = varied_below(6), at = varied_below(4);
	size_t used = 0;

	list[0] = '\0';
	for (uint32_t i = 0; i < n; i++) {
		uint32_t more = varied_below(3) ? varied_below(5) : 0;

		used += (size_t)snprintf(list + used, sizeof(list) - used, more ? "%s%u-%u" : "%s%u", i ? "," : "", at,
		                         at + more);
		at += more + 1 + varied_below(3 + 60 * (varied_below(8) == 0));
	}
	return list;
}

static void put_quota(const char *group, int version)
{
	char path[128];

	if (version == 2) {
		snprintf(path, sizeof(path), "cgroup%s/cpu.max", group);
		if (varied_below(3))
			varied_put_file(path, "%llu %llu\n", (ull)varied_number() * 1000, (ull)varied_number() * 5000);
		else
			varied_put_file(path, "max 100000\n");
		return;
	}
	snprintf(path, sizeof(path), "cgroup/cpu,cpuacct%s/cpu.cfs_quota_us", group);
	varied_put_file(path, varied_below(4) ? "%lld\n" : "-%lld\n", (long long)(varied_number() >> 11) * 1000);
	snprintf(path, sizeof(path), "cgroup/cpu,cpuacct%s/cpu.cfs_period_us", group);
	varied_put_file(path, "%u\n", 1000 * varied_below(200));
}

static void make_processors(FILE *to)
{
	static const char *const groups[] = { "", "/a", "/a/b", "/a/b/c" };
	const char *own = VARIED_ONE_OF(groups);
	int version = varied_below(3) ? 2 : 1;

	varied_damage_odds = 12;
	for (size_t i = 0; i < OMPP_COUNT_OF(groups); i++)
		if (varied_below(3))
			put_quota(groups[i], version);
	varied_put_file("groups", version == 2 ? "%s0::%s\n" : "%s3:cpu,cpuacct:%s\n1:name=systemd:/x\n",
	                varied_below(2) ? "5:memory:/a\n" : "", *own ? own : "/");
	fprintf(to, "quota %lld\n", (long long)ompp_processors_quota("groups", "cgroup"));
	varied_put_file("list", "%s\n", list_of_chance());
	fprintf(to, "nodes %u %llx\n", ompp_numa_nodes("list"), (ull)ompp_numa_set("list"));
	varied_put_file("sys/devices/system/cpu/online", "%s\n", list_of_chance());
	fprintf(to, "online %u\n", ompp_processors_online());
	varied_put_file("node/has_cpu", "%s\n", list_of_chance());
	varied_put_file("node/has_memory", "%s\n", list_of_chance());
	varied_put_file("node/possible", "%s\n", list_of_chance());
	varied_put_file("node/online", "%s\n", list_of_chance());
	for (int i = 0; i < 6; i++) {
		char path[64];

		snprintf(path, sizeof(path), "node/node%d/cpulist", i);
		if (varied_below(6))
			varied_put_file(path, "%s\n", list_of_chance());
	}
	ompp_numa_start("node");
	for (uint32_t cpu = 0; cpu < 24; cpu++)
		fprintf(to, "%d ", (int)ompp_numa_node_of(cpu));
	fprintf(to, "\n");
}

static void make_numa_wish(FILE *to)
{
	static const char *const words[] = { "auto", "", "emulate:", "emulate", "Auto", "emulate:4", "emulate:64" };
	char text[64];
	size_t n = (size_t)snprintf(text, sizeof(text), varied_below(2) ? "%s%llu" : "%s", VARIED_ONE_OF(words),
	                            (ull)varied_number());
	uint32_t emulated = 7;

	text[varied_damage(text, n, sizeof(text), 1)] = '\0';
	fprintf(to, "%s: %d", text, ompp_numa_wish(text, &emulated));
	fprintf(to, " %u\n", emulated);
}

/* ---- times ---- */

static void put_stat(const char *path, uint64_t more)
{
	struct varied_text t;

	varied_text_open(&t);
	fprintf(t.to, "cpu  1 2 3 4 5 6 7 8 9 10\n");
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		if (!varied_below(8))
			continue;
		fprintf(t.to, "cpu%u", cpu == 3 ? 3 + varied_below(3) * 1021 : cpu);
		for (uint32_t i = 0; i < 10; i++)
			fprintf(t.to, " %llu", (ull)(i == 7 ? more + varied_below(1000) : varied_number()));
		fputc('\n', t.to);
	}
	fprintf(t.to, "intr 1234 5 6\nctxt 77\n");
	varied_text_close(&t);
	varied_put_file(path, "%s", t.text);
	free(t.text);
}

/* What others had is not shown: it follows from clocks, too. */
static void make_steal(FILE *to)
{
	struct ompp_machine_time time;
	int rc;

	varied_put_bytes("task/101", "", 0);
	if (varied_below(4))
		varied_put_bytes("task/102", "", 0);
	put_stat("stat", 0);
	varied_processors = varied_below(16);
	varied_is_fuse = !varied_below(16);
	ompp_machine_time_start("stat", varied_below(16) ? "task" : "none");
	put_stat("later", varied_below(4000));
	varied_processors = varied_below(16);
	rc = ompp_machine_time_read("later", "task", &time);
	fprintf(to, "%d %lld %lld %u threads", rc, (long long)time.stolen_ns, (long long)time.stolen_most_ns,
	        time.n_threads);
	fprintf(to, " %d\n", ompp_machine_time_read("none", "task", &time));
}

static void make_schedstat(FILE *to)
{
	char path[64];

	varied_put_file("schedstat", "%llu %llu %u\n", (ull)varied_number(), (ull)varied_number(), varied_below(100));
	fprintf(to, "stretch %llu queued %lld\n", (ull)ompp_cpu_stretch_milli("schedstat"),
	        (long long)ompp_cpu_queued_ns("schedstat"));
	for (uint32_t i = varied_below(4); i > 0; i--) {
		snprintf(path, sizeof(path), "task/%u/%s", 100 + i, varied_below(6) ? "schedstat" : "comm");
		varied_put_file(path, "%llu %llu 3\n", (ull)varied_number(), (ull)varied_number());
	}
	fprintf(to, "all %lld\n", (long long)ompp_cpu_queued_all_ns("task"));
}

/* ---- memory ---- */

static int put_mapping(const struct ompp_mapping *m, void *context)
{
	fprintf(context, "%llx-%llx %d%d%d%d\n", (ull)m->lo, (ull)m->hi, m->writable, m->file, m->is_private,
	        m->is_kernels);
	return 0;
}

static void make_maps(FILE *to)
{
	static const char *const names[] = {
		"",           "/usr/lib/libc.so.6",   "[heap]",     "[stack]",  "[vdso]", "[vvar]",
		"[vsyscall]", "/a b\\012c (deleted)", "[anon:x y]", "//deleted"
	};
	uint64_t at = 0x400000, some = 0;
	struct ompp_mapping m = { 0 };
	struct varied_text t;
	int rc;

	varied_text_open(&t);
	for (uint32_t i = varied_below(40); i > 0; i--) {
		const char *name = VARIED_ONE_OF(names);
		uint64_t bytes = (1 + varied_below(varied_below(3) ? 30 : 1 << 20)) * UINT64_C(4096);

		fprintf(t.to, "%08llx-%08llx %c%c%c%c %08x %02x:%02x %u %*s%s\n", (ull)at, (ull)(at + bytes),
		        varied_below(4) ? 'r' : '-', varied_below(2) ? 'w' : '-', varied_below(3) ? '-' : 'x',
		        varied_below(5) ? 'p' : 's', varied_below(2) * 4096, varied_below(9), varied_below(2),
		        *name == '/' ? 1 + varied_below(1000000) : varied_below(9) == 0, (int)varied_below(30), "",
		        name);
		some = varied_below(3) ? some : at + varied_below(1 << 14);
		at += bytes + varied_below(3) * UINT64_C(4096) + (varied_below(9) ? 0 : varied_word() >> 20 << 12);
	}
	varied_text_close(&t);
	varied_put_file("proc/self/maps", "%s", t.text);
	free(t.text);
	rc = ompp_maps_each(put_mapping, to);
	fprintf(to, "%d holding %d", rc, ompp_maps_holding(some, &m));
	fprintf(to, " %llx-%llx\n", (ull)m.lo, (ull)m.hi);
}

static void make_cache(FILE *to)
{
	static const char *const types[] = { "Data", "Instruction", "Unified", "Unified", "Unified" };
	static const char *const units[] = { "K", "M", "", "G" };
	struct ompp_cache_geometry g;
	char path[64], why[256] = "";
	int rc;

	varied_damage_odds = 60;
	for (uint32_t i = 0; i < 5; i++) {
		uint32_t ways = 1 + varied_below(20), line = 16u << varied_below(4), sets = 64 * (1 + varied_below(64));
		static const char *const files[] = { "level", "type", "size", "ways_of_associativity",
			                             "coherency_line_size" };

		for (size_t k = 0; k < OMPP_COUNT_OF(files); k++) {
			snprintf(path, sizeof(path), "cache/index%u/%s", i, files[k]);
			if (varied_below(40) == 0)
				continue;
			if (k == 1)
				varied_put_file(path, "%s\n", varied_below(9) ? types[i] : VARIED_ONE_OF(types));
			else
				varied_put_file(path, "%u%s\n",
				                k == 0   ? (i > 1 ? i : 1)
				                : k == 2 ? ways * line * sets / 1024
				                : k == 3 ? ways
				                         : line,
				                k != 2             ? ""
				                : varied_below(30) ? "K"
				                                   : VARIED_ONE_OF(units));
		}
	}
	memset(&g, 0, sizeof(g));
	rc = ompp_cache_machine("cache", &g, why, sizeof(why));
	fprintf(to, "%d %s", rc, why);
	for (int i = 0; !rc && i < OMPP_CACHE_LEVELS; i++)
		fprintf(to, " %llu/%llu/%llu", (ull)g.level[i].bytes, (ull)g.level[i].ways, (ull)g.level[i].line_bytes);
	fputc('\n', to);
}

static void make_geometries(FILE *to)
{
	static const char *const sizes[] = { "32K", "1M", "512", "0", "48k", "4097", "1G", "3", "" };
	char text[200], why[256] = "";
	struct ompp_cache_geometry g;
	struct ompp_tlb_geometry tlb;
	size_t n = 0;
	int rc;

	for (uint32_t i = varied_below(4) + 1, level = 1; i > 0; i--, level += varied_below(4) ? 1 : 0)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%sL%u=%s/%u/%s", n ? "," : "", level,
		                      VARIED_ONE_OF(sizes), varied_below(20),
		                      varied_below(2)   ? "64"
		                      : varied_below(3) ? "4K"
		                                        : "2M");
	text[varied_damage(text, n, sizeof(text), 1)] = '\0';
	memset(&g, 0, sizeof(g));
	rc = ompp_cache_geometry(text, &g, why, sizeof(why));
	fprintf(to, "%s: %d %s", text, rc, rc ? why : "");
	for (int i = 0; !rc && i < OMPP_CACHE_LEVELS; i++)
		fprintf(to, " %llu/%llu/%llu", (ull)g.level[i].bytes, (ull)g.level[i].ways, (ull)g.level[i].line_bytes);
	if (!rc)
		fprintf(to, " %zu %zu", ompp_cache_private_bytes(&g), ompp_cache_shared_bytes(&g));
	memset(&tlb, 0, sizeof(tlb));
	rc = ompp_tlb_geometry(text, &tlb, why, sizeof(why));
	fprintf(to, "\ntlb %d %s", rc, rc ? why : "");
	for (int i = 0; !rc && i < OMPP_N_TLB_PAGES * OMPP_TLB_LEVELS; i++) {
		const struct ompp_cache_level_size *l = &tlb.pages[i / OMPP_TLB_LEVELS].level[i % OMPP_TLB_LEVELS];

		fprintf(to, " %llu/%llu/%llu", (ull)l->bytes, (ull)l->ways, (ull)l->line_bytes);
	}
	fputc('\n', to);
}

static void make_leaves(FILE *to)
{
	struct ompp_tlb_leaf leaves[8];
	struct ompp_tlb_geometry tlb;
	size_t n = 0;
	int is_amd = (int)varied_below(2), rc;

	for (uint32_t i = 0; i < (is_amd ? 2u : 6u); i++) {
		struct ompp_tlb_leaf leaf = { is_amd ? 0x80000005 + i : 0x18, is_amd ? 0 : i, 0, 0, 0, 0 };

		leaf.a = is_amd ? varied_below(1u << 31) : varied_below(2) ? 5 : 0;
		leaf.b = is_amd ? varied_below(1u << 31)
		                : varied_below(16) | varied_below(16) << 8 | varied_below(32) << 16;
		leaf.c = is_amd ? varied_below(1u << 31) : 1u << varied_below(12);
		leaf.d = (varied_below(4) + (i % 2)) | (1 + varied_below(3)) << 5 | varied_below(2) << 8;
		if (varied_below(12))
			leaves[n++] = leaf;
	}
	memset(&tlb, 0, sizeof(tlb));
	rc = ompp_tlb_decode(leaves, n, &tlb);
	fprintf(to, "%d", rc);
	for (int i = 0; !rc && i < OMPP_N_TLB_PAGES * OMPP_TLB_LEVELS; i++) {
		const struct ompp_cache_level_size *l = &tlb.pages[i / OMPP_TLB_LEVELS].level[i % OMPP_TLB_LEVELS];

		fprintf(to, " %llu/%llu/%llu", (ull)l->bytes, (ull)l->ways, (ull)l->line_bytes);
	}
	fputc('\n', to);
}

/* ---- environment ---- */

static void make_launcher(FILE *to)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_RANK",
		                             "OMPI_COMM_WORLD_SIZE",
		                             "PMI_RANK",
		                             "PMI_SIZE",
		                             "PMIX_RANK",
		                             "SLURM_PROCID",
		                             "SLURM_NTASKS",
		                             "SLURM_JOB_ID",
		                             "SLURM_STEP_ID",
		                             "SLURM_NPROCS",
		                             "SLURM_STEP_NUM_TASKS",
		                             "MPI_LOCALRANKID",
		                             "MV2_COMM_WORLD_RANK",
		                             "MV2_COMM_WORLD_SIZE",
		                             "PBS_JOBID",
		                             "LSB_JOBID",
		                             "ALPS_APP_PE",
		                             "JOB_ID",
		                             "PALS_RANKID",
		                             "PALS_SIZE",
		                             "FLUX_JOB_ID",
		                             "FLUX_TASK_RANK",
		                             "FLUX_JOB_SIZE" };
	/* The edges of what are letters and digits. */
	static const char *const behind[] = { "", "", "", "", ".server", "azAZ09", "`{@[/:" };
	static char texts[16][80];
	char *envp[17], job[64];
	struct ompp_text t;
	int rank = -2, size = -2;
	uint32_t n = varied_below(9);

	for (uint32_t i = 0; i < n; i++) {
		size_t length = (size_t)snprintf(texts[i], sizeof(texts[i]), "%s=%llu%s", VARIED_ONE_OF(names),
		                                 (ull)varied_number(), VARIED_ONE_OF(behind));

		texts[i][varied_below(3) ? length : varied_damage(texts[i], length, sizeof(texts[i]), 1)] = '\0';
		envp[i] = texts[i];
	}
	envp[n] = NULL;
	ompp_launcher_find(envp, &rank, &size);
	ompp_text_init(&t, job, sizeof(job));
	ompp_launcher_job(&t, envp);
	fprintf(to, "%d %d %s\n", rank, size, job);
}

static void make_files(FILE *to)
{
	static char text[6000];
	char line[40];
	size_t most = 2 + varied_below(sizeof(line) - 2);

	for (uint32_t i = 0, n = varied_below(varied_below(3) ? 50 : 5000); i <= n; i++) {
		text[i] = (char)(varied_below(20) ? 'a' + (int)varied_below(26) : '\n');
		text[i + 1] = '\0';
	}
	varied_put_file("x", "%s", text);
	fprintf(to, "%d ", ompp_file_read("x", line, most));
	fprintf(to, "%s|", line);
	fprintf(to, "%d ", ompp_file_line("x", line, most));
	fprintf(to, "%s|%d\n", line, ompp_file_line("none", line, most));
}

/* What the kernel and the firmware say of the machine's nodes. */
static void make_nodes(FILE *to)
{
	static const char *const words[] = { "read_bandwidth", "write_bandwidth", "read_latency", "write_latency" };
	struct ompp_profile p = { .n_numa_list = 0 };
	struct ompp_arena arena;
	char path[96];

	for (uint32_t i = varied_below(4), node = 0; i > 0; i--, node += 1 + varied_below(11)) {
		snprintf(path, sizeof(path), "nodes/node%u/cpulist", node);
		varied_put_file(path, "%s\n", list_of_chance());
		snprintf(path, sizeof(path), "nodes/node%u/distance", node);
		varied_put_file(path, "10 %u \n", 11 + varied_below(20));
		snprintf(path, sizeof(path), "nodes/node%u/meminfo", node);
		varied_put_file(path, "Node %u MemTotal: %llu kB\nNode %u MemFree: 1 kB\n", node,
		                (unsigned long long)varied_number(), node);
		for (size_t k = 0; k < 2 * OMPP_COUNT_OF(words); k++) {
			if (!varied_below(3))
				continue;
			snprintf(path, sizeof(path), "nodes/node%u/access%zu/initiators/%s", node, k % 2, words[k / 2]);
			varied_put_file(path, varied_below(6) ? "%u\n" : "%ux\n",
			                varied_below(4) ? varied_below(90000) : 0);
		}
	}
	varied_put_file("nodes/has_cpu", "0\n");
	varied_put_file("nodes/node1x/cpulist", "0\n");
	ompp_arena_init(&arena, 0);
	fprintf(to, "%d:\n", ompp_collect_numa_nodes(&p, "nodes", &arena));
	for (size_t i = 0; i < p.n_numa_list; i++) {
		const struct ompp_numa_node *n = &p.numa_nodes[i];

		fprintf(to, "%u '%s' %lld '%s' %lld %lld %lld %lld\n", n->number, n->cpus, (long long)n->bytes,
		        n->distances, (long long)n->read_bandwidth, (long long)n->write_bandwidth,
		        (long long)n->read_latency, (long long)n->write_latency);
	}
	ompp_arena_fini(&arena);
}

const struct varied_part varied_proc_parts[] = {
	{ "processors", 400, make_processors },
	{ "numa_wish", 100, make_numa_wish },
	{ "steal", 200, make_steal },
	{ "schedstat", 300, make_schedstat },
	{ "maps", 200, make_maps },
	{ "cache", 300, make_cache },
	{ "geometries", 600, make_geometries },
	{ "leaves", 300, make_leaves },
	{ "launcher", 1000, make_launcher },
	{ "files", 200, make_files },
	{ "nodes", 200, make_nodes },
	{ NULL, 0, NULL },
};
