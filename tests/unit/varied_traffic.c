/*
 * Varied traffic: trees of sysfs with memory controllers of chance, and the bytes that libompp_mem counts there.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/array.h"
#include "runtime/counters/pmu.h"
#include "runtime/ompp_mem.h"
#include "tests/unit/varied_machine.h"

#define ROOT "sys/bus/event_source/devices/"

typedef unsigned long long ull;

/* What kernels call controllers, and what units of theirs have in their folders. */
static const struct {
	const char *name;
	uint32_t most_units; /* 0: one, without a number */
	const char *events[2], *codes[2], *formats[2][2];
} controllers[] = {
	{ "uncore_imc",
	  3,
	  { "cas_count_read", "cas_count_write" },
	  { "event=0x04,umask=0x03", "event=0x04,umask=0x0c" },
	  { { "event", "config:0-7" }, { "umask", "config:8-15" } } },
	{ "uncore_imc_free_running",
	  2,
	  { "data_read", "data_write" },
	  { "event=0xff,umask=0x20", "event=0xff,umask=0x30" },
	  { { "event", "config:0-7" }, { "umask", "config:8-15" } } },
	{ "uncore_imc",
	  0,
	  { "data_reads", "data_writes" },
	  { "event=0x01", "event=0x02" },
	  { { "event", "config:0-7" }, { "umask", "config:8-15" } } },
	{ "amd_umc", 3, { "", "" }, { "", "" }, { { "event", "config:0-7" }, { "rdwrmask", "config:8-9" } } },
	{ "uncore_imcx",
	  2,
	  { "cas_count_read", "cas_count_write" },
	  { "event=1", "event=2" },
	  { { "event", "config:0-7" } } },
};

/* Writes a text, which may be damaged, into a file whose name is made of the rest. */
__attribute__((format(printf, 2, 3))) static void put_in(const char *text, const char *format, ...)
{
	char path[160];
	va_list more;

	va_start(more, format);
	vsnprintf(path, sizeof(path), format, more);
	va_end(more);
	varied_put_file(path, "%s\n", text);
}

static void put_unit(size_t kind, const char *name, uint32_t type)
{
	static const char *const masks[] = { "0", "0,2", "0-3", "1", "0,9" };
	static const char *const scales[] = { "6.103515625e-5", "64", "6.103515625e-05" };
	char number[16];

	snprintf(number, sizeof(number), "%u", type);
	put_in(number, ROOT "%s/type", name);
	if (varied_below(9))
		put_in(VARIED_ONE_OF(masks), ROOT "%s/cpumask", name);
	for (size_t i = 0; i < 2; i++) {
		const char *event = controllers[kind].events[i];

		if (controllers[kind].formats[i][0])
			put_in(controllers[kind].formats[i][1], ROOT "%s/format/%s", name,
			       controllers[kind].formats[i][0]);
		if (!*event || !varied_below(12))
			continue;
		put_in(controllers[kind].codes[i], ROOT "%s/events/%s", name, event);
		if (varied_below(2)) {
			put_in(VARIED_ONE_OF(scales), ROOT "%s/events/%s.scale", name, event);
			put_in("MiB", ROOT "%s/events/%s.unit", name, event);
		}
	}
}

static void put_controllers(void)
{
	uint32_t type = 10;

	varied_damage_odds = 200;
	ompp_pmu_forget();
	put_in("1", ROOT "software/type");
	for (uint32_t n = varied_below(8) ? 1 + varied_below(2) : 0; n > 0; n--) {
		size_t kind = varied_below(OMPP_COUNT_OF(controllers));
		uint32_t n_units = controllers[kind].most_units ? 1 + varied_below(controllers[kind].most_units) : 0;
		char name[64];

		if (!controllers[kind].most_units)
			put_unit(kind, controllers[kind].name, type++);
		for (uint32_t i = 0; i < n_units; i++) {
			snprintf(name, sizeof(name), "%s_%u", controllers[kind].name, i);
			put_unit(kind, name, type++);
		}
	}
	for (uint32_t cpu = 0; cpu < 10; cpu++)
		put_in("0", "sys/devices/system/cpu/cpu%u/node%u/cpulist", cpu, cpu / 2 % 3);
	varied_perf_refuses = varied_below(3) ? 0 : 4 + varied_below(20);
}

static void put_nodes(FILE *to, struct ompp_mem_traffic *traffic)
{
	struct ompp_mem_node node;

	for (size_t i = 0; !ompp_mem_node(traffic, i, &node); i++)
		fprintf(to, " %u:%llu,%llu", node.node, (ull)node.bytes_read, (ull)node.bytes_written);
	fprintf(to, " of %zu, then %s\n", ompp_mem_n_nodes(traffic), ompp_mem_message());
}

static void count(FILE *to)
{
	struct ompp_mem_traffic *traffic[2];

	for (size_t i = 0; i < 2; i++) {
		int rc = ompp_mem_traffic_new(&traffic[i]);

		fprintf(to, "%d %s\n", rc, rc ? ompp_mem_message() : "");
	}
	for (uint32_t n = traffic[0] && traffic[1] ? 8 : 0; n > 0; n--) {
		struct ompp_mem_traffic *one = traffic[varied_below(2)];
		uint32_t what = varied_below(3);

		if (what < 2)
			fprintf(to, "%d\n", what ? ompp_mem_traffic_start(one) : ompp_mem_traffic_stop(one));
		else
			put_nodes(to, one);
	}
	for (size_t i = 0; i < 2; i++)
		ompp_mem_traffic_free(traffic[i]);
	fprintf(to, "asked %016llx, %d open\n", (ull)varied_machine_asked(), varied_perf_end());
}

/* The events belong to a process, so each input has one. */
static void make_traffic(FILE *to)
{
	int ends[2];
	char bytes[4096];
	ssize_t n;
	pid_t child;

	put_controllers();
	fflush(to);
	if (pipe(ends))
		abort();
	child = fork();
	if (!child) {
		FILE *from = fdopen(ends[1], "w");

		close(ends[0]);
		count(from);
		_exit(fclose(from) ? 1 : 0);
	}
	close(ends[1]);
	while ((n = read(ends[0], bytes, sizeof(bytes))) > 0)
		fwrite(bytes, 1, (size_t)n, to);
	close(ends[0]);
	if (child < 0 || waitpid(child, NULL, 0) != child)
		abort();
}

const struct varied_part varied_traffic_parts[] = {
	{ "traffic", 200, make_traffic },
	{ NULL, 0, NULL },
};
