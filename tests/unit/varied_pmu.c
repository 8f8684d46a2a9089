/*
 * Varied PMU: trees of sysfs with PMUs of chance, and what is found there: events by name, ready groups, and events
 * that sample accesses to memory.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/counters/counter_list.h"
#include "runtime/counters/counter_try.h"
#include "runtime/counters/expression.h"
#include "runtime/counters/pmu.h"
#include "runtime/samples/memory_event.h"
#include "runtime/sources/counter_request.h"
#include "tests/unit/varied_machine.h"

typedef unsigned long long ull;

#define ROOT "sys/bus/event_source/devices/"

static const char *const event_names[] = { "mem-loads",    "mem-stores",   "mem-loads-aux", "cycles",
	                                   "instructions", "cache-misses", "energy-pkg",    "data_read",
	                                   "inst_retired", "tsc" };

static void put_in(const char *pmu, const char *file, const char *text)
{
	char path[160];

	snprintf(path, sizeof(path), ROOT "%s/%s", pmu, file);
	varied_put_file(path, "%s\n", text);
}

static const char *field_of_chance(void)
{
	static char text[64];
	uint32_t lo = varied_below(60), hi = lo + varied_below(64 - lo);

	if (varied_below(6) == 0)
		snprintf(text, sizeof(text), "config%s:%u-%u,%u-%u", varied_below(2) ? "1" : "", lo % 30, lo % 30 + 3,
		         40, 43);
	else
		snprintf(text, sizeof(text), varied_below(3) ? "config%s:%u-%u" : "config%s:%u",
		         varied_below(3)   ? ""
		         : varied_below(2) ? "1"
		                           : "2",
		         lo, hi);
	return text;
}

static const char *const fields[] = { "event",       "umask",       "edge",         "cmask",   "inv",
	                              "offcore_rsp", "ldlat",       "any",          "cnt_ctl", "swfilt",
	                              "ts_enable",   "load_filter", "store_filter", "jitter",  "min_latency" };

static void put_pmu(const char *pmu, uint32_t type)
{
	char text[96], file[96];

	snprintf(text, sizeof(text), "%u", type);
	put_in(pmu, "type", text);
	if (!strncmp(pmu, "cpu_", 4) || !strncmp(pmu, "armv8", 5))
		put_in(pmu, "cpus", "0-3");
	else if (strcmp(pmu, "cpu") && varied_below(2))
		put_in(pmu, "cpumask", varied_below(2) ? "0" : "0,12");
	for (size_t i = 0; i < OMPP_COUNT_OF(fields); i++) {
		snprintf(file, sizeof(file), "format/%s", fields[i]);
		if (varied_below(4))
			put_in(pmu, file,
			       i == 0 && varied_below(3)   ? "config:0-7"
			       : i == 1 && varied_below(3) ? "config:8-15"
			                                   : field_of_chance());
	}
	for (uint32_t i = varied_below(7); i > 0; i--) {
		const char *event = VARIED_ONE_OF(event_names);

		snprintf(file, sizeof(file), "events/%s", event);
		snprintf(text, sizeof(text), "event=0x%x%s%s", varied_below(256), varied_below(2) ? ",umask=0x1" : "",
		         varied_below(4)   ? ""
		         : varied_below(2) ? ",ldlat=3"
		                           : ",edge");
		put_in(pmu, file, text);
		if (varied_below(3))
			continue;
		snprintf(file, sizeof(file), "events/%s.scale", event);
		put_in(pmu, file,
		       varied_below(2)   ? "6.103515625e-5"
		       : varied_below(2) ? "2.3283064365386962890625e-10"
		                         : "64");
		snprintf(file, sizeof(file), "events/%s.unit", event);
		put_in(pmu, file, varied_below(2) ? "MiB" : varied_below(2) ? "Joules" : "Cycles");
	}
	if (!strncmp(pmu, "arm_spe_", 8) && varied_below(3))
		put_in(pmu, "caps/min_interval", varied_below(2) ? "1024" : "256");
}

static void put_machine(void)
{
	static const char *const sets[][6] = { { "cpu", "msr", "power", "uncore_imc_0", "uncore_imc_1" },
		                               { "cpu_core", "cpu_atom", "msr", "cstate_pkg" },
		                               { "cpu", "ibs_op", "ibs_fetch", "amd_l3", "amd_umc_0" },
		                               { "armv8_pmuv3_0", "arm_spe_0", "arm_dsu_0" },
		                               { "msr" },
		                               { "cpu" } };
	size_t set = varied_below(OMPP_COUNT_OF(sets));

	varied_damage_odds = 60;
	ompp_pmu_forget();
	put_in("software", "type", "1");
	for (uint32_t i = 0; i < 6 && sets[set][i]; i++)
		if (varied_below(8))
			put_pmu(sets[set][i], i == 0 && varied_below(2) ? 4 : 8 + i);
	varied_put_file("proc/sys/kernel/perf_event_paranoid", "%u\n", 1 + varied_below(3));
	varied_perf_refuses = varied_below(3) ? 0 : 2 + varied_below(8);
}

/* ---- PMUs ---- */

static int put_event(void *context, const char *event)
{
	fprintf(context, " %s", event);
	return 0;
}

/* Returns a word with so many of its letters that are others, at least one. */
static const char *misspelled(const char *word)
{
	static char text[64];
	size_t n = strlen(word);

	snprintf(text, sizeof(text), "%s", word);
	for (uint32_t k = 1 + varied_below((uint32_t)n / 2 + 1); k > 0; k--)
		text[varied_below((uint32_t)n)] = (char)('a' + varied_below(26));
	return text;
}

static int put_one_pmu(void *context, const struct ompp_pmu *pmu)
{
	static const char *const tails[] = { "",           ",umask=0x10", ",cmask=300",   ",inv",
		                             ",nothing=1", ",event=0x3c", ",config1=0x7", ",edge=1,any=1",
		                             ",ldlat=30" };
	char terms[128], line[256] = "", text[64];
	struct ompp_event_code code = { 0 };
	const char *event = VARIED_ONE_OF(event_names), *unit = "";
	int32_t mul = 0, shift = 0;
	struct ompp_text why;
	size_t n;
	int rc;

	fprintf(context, "%s %u %d %d '%s':", pmu->name, pmu->type, pmu->is_core, pmu->is_machine, pmu->cpus);
	rc = ompp_pmu_events(pmu, put_event, context);
	fprintf(context, " %d |", rc);
	rc = ompp_pmu_fields(pmu, put_event, context);
	fprintf(context, " %d\n", rc);
	n = (size_t)snprintf(terms, sizeof(terms), "%s%s",
	                     varied_below(3)   ? event
	                     : varied_below(2) ? misspelled(event)
	                                       : "event=0x3c",
	                     VARIED_ONE_OF(tails));
	ompp_text_init(&why, line, sizeof(line));
	rc = ompp_pmu_encode(pmu, terms, n, &code, &why);
	fprintf(context, "%s: %d %s %llx %llx %llx\n", terms, rc, line, (ull)code.config, (ull)code.config1,
	        (ull)code.config2);
	rc = ompp_pmu_scale(pmu, event, strlen(event), &mul, &shift, &unit);
	fprintf(context, "%d: %d %d %d %s", ompp_pmu_has_event(pmu, event, strlen(event)), rc, mul, shift, unit);
	rc = ompp_pmu_line(pmu, "format", "event", 5, text, sizeof(text));
	fprintf(context, " %d %s\n", rc, rc > 0 ? text : "");
	return 0;
}

static void make_pmu(FILE *to)
{
	static const char *const scales[] = { "6.103515625e-5", "1", "0.0001", "1e3", "123456789.5e-20", "0", "-1",
		                              "1e400",          "x" };
	struct ompp_pmu pmus[3], one;
	const char *scale = VARIED_ONE_OF(scales);
	int32_t mul = 0, shift = 0;
	uint64_t times = varied_number() / 8;
	int rc;

	put_machine();
	fprintf(to, "%d\n", ompp_pmu_each(put_one_pmu, to));
	fprintf(to, "%zu cores, of type %d, has %d\n", ompp_pmu_cores(pmus, 3),
	        ompp_pmu_of_type(4 + varied_below(9), &one), ompp_counter_has_pmu());
	rc = ompp_pmu_scale_parse(scale, times, &mul, &shift);
	fprintf(to, "%s %llu: %d %d %d\n", scale, (ull)times, rc, mul, shift);
}

/* ---- counters ---- */

static void put_counter(FILE *to, const struct ompp_counter *c)
{
	fprintf(to, "%s | %s | %s | %s | %u %u '%s' %x %d %d '%s'", c->name, c->what, c->unit, c->source, c->kind,
	        c->access, c->object, c->work, c->scale_mul, c->scale_shift, c->cpus);
	for (uint32_t i = 0; i < c->n_events; i++)
		fprintf(to, " %u:%llx:%llx:%llx/%u*%d%d%d%d", c->event[i].type, (ull)c->event[i].config,
		        (ull)c->event[i].config1, (ull)c->event[i].config2, c->event[i].pmu, c->event[i].factor,
		        c->event[i].software, c->event[i].counts_kernel, c->event[i].busy);
	fputc('\n', to);
}

static const char *name_of_chance(void)
{
	static const char *const names[] = { "cycles",
		                             "instructions",
		                             "PAPI_TOT_CYC",
		                             "PAPI_L1_DCM",
		                             "PAPI_FP_OPS",
		                             "PAPI_LD_INS",
		                             "PAPI_BR_MSP",
		                             "page-faults",
		                             "minor-faults",
		                             "context-switches",
		                             "cpu-clock",
		                             "task-clock",
		                             "r01c2",
		                             "r3c",
		                             "cpu/cycles/",
		                             "cpu/event=0x3c,umask=1/",
		                             "cpu_core/instructions/",
		                             "msr/tsc/",
		                             "ACC_LD",
		                             "ACC_LD(a)",
		                             "ACC_ST_BYTES(*)",
		                             "LLC-load-misses",
		                             "L1-dcache-loads",
		                             "dTLB-store-misses",
		                             "flops",
		                             "uncore_imc/data_read/",
		                             "power/energy-pkg/",
		                             "inst_retired",
		                             "energy-pkg",
		                             "perf::PAGE-FAULTS",
		                             "cycles:u",
		                             "nothing",
		                             "ibs_op/cnt_ctl=1/",
		                             "data_read",
		                             "branch-misses",
		                             "node-load-misses",
		                             "PAPI_TLB_DM",
		                             "PAPI_L3_TCM" };
	static char text[96];
	size_t n = (size_t)snprintf(text, sizeof(text), "%s", VARIED_ONE_OF(names));

	text[varied_below(4) ? n : varied_damage(text, n, sizeof(text), 1)] = '\0';
	return text;
}

static void make_counters(FILE *to)
{
	struct ompp_counter c;
	struct ompp_text why;
	char line[400];
	int rc;

	put_machine();
	ompp_counter_hooked = (int)varied_below(2);
	for (int i = 0; i < 6; i++) {
		const char *name = name_of_chance();

		ompp_text_init(&why, line, sizeof(line));
		memset(&c, 0, sizeof(c));
		rc = ompp_counter_find(name, strlen(name), &c, &why);
		fprintf(to, "%s: %d %s\n", name, rc, line);
		if (rc)
			continue;
		put_counter(to, &c);
		for (uint32_t k = 0; k < c.n_events; k++)
			fprintf(to, " own %d", ompp_counter_own(&c.event[k]));
		fprintf(to, " hardware %d\n", ompp_counter_is_hardware(&c));
	}
	ompp_counter_hooked = 0;
}

static int put_listed(void *context, const struct ompp_counter *c)
{
	fprintf(context, "%s | %s | %s | %s | %d\n", c->name, c->what, c->unit ? c->unit : "", c->source, c->kind);
	return 0;
}

static void make_list(FILE *to)
{
	put_machine();
	fprintf(to, "%d\n", ompp_counter_each(put_listed, to));
}

static int trial(const struct ompp_counter *counter, int64_t *value, struct ompp_text *why)
{
	uint64_t h = 1;

	for (const char *p = counter->name; *p; p++)
		h = h * 31 + (unsigned char)*p;
	*value = (int64_t)(h % 1000);
	if (varied_perf_refuses && h % varied_perf_refuses == 0)
		ompp_text_str(why, "not here; go there");
	return varied_perf_refuses && h % varied_perf_refuses == 0 ? -19 : 0;
}

static void make_groups(FILE *to)
{
	static struct ompp_counter_group group;
	const char *name = ompp_counter_group_name(varied_below(8));
	char line[400] = "";
	struct ompp_text why;
	int rc;

	put_machine();
	ompp_counter_trial = trial;
	ompp_counter_hooked = (int)varied_below(2);
	ompp_text_init(&why, line, sizeof(line));
	rc = ompp_counter_group_find(name ? name : "@none", strlen(name ? name : "@none"), &group, &why);
	fprintf(to, "%s: %d %s\n", name ? name : "", rc, line);
	if (!rc) {
		fprintf(to, "%s | %s | %s\n", group.what, group.note, group.counters);
		for (size_t i = 0; i < group.n_evals; i++)
			fprintf(to, "%s = %s [%s]\n", group.evals[i].name, group.evals[i].expression,
			        group.evals[i].unit);
	}
	ompp_counter_trial = ompp_counter_try;
	ompp_counter_hooked = 0;
}

static FILE *said_to;

static void say(const char *line)
{
	fprintf(said_to, "%s\n", line);
}

static void make_requests(FILE *to)
{
	static struct ompp_counter_requests r;
	static struct ompp_options options;
	static char texts[OMPP_N_OPTIONS][300];

	put_machine();
	ompp_counter_trial = trial;
	said_to = to;
	for (int i = 0; i < OMPP_N_OPTIONS; i++)
		options.text[i] = "";
	for (int i = OMPP_OPT_CTR; i <= OMPP_OPT_EVAL8; i++) {
		size_t n = 0;

		if (varied_below(3))
			continue;
		if (i >= OMPP_OPT_EVAL1)
			n = (size_t)snprintf(texts[i], sizeof(texts[i]), "%scycles%s%s", varied_below(2) ? "rate=" : "",
			                     varied_below(2) ? "/" : "*(1+",
			                     varied_below(2) ? "EXECT" : "instructions)");
		else
			for (uint32_t k = varied_below(5); k > 0; k--)
				n += (size_t)snprintf(texts[i] + n, sizeof(texts[i]) - n, "%s%s", n ? ", " : "",
				                      varied_below(4) ? name_of_chance()
				                                      : ompp_counter_group_name(varied_below(8)));
		options.text[i] = texts[i];
	}
	ompp_counter_requests_make(&r, &options, say);
	for (size_t i = 0; i < r.n; i++)
		fprintf(to, "%s %s %d\n", r.request[i].variable, r.request[i].name, r.request[i].of_group);
	for (size_t i = 0; i < r.n_evals; i++)
		fprintf(to, "%s = %s [%s]\n", r.eval[i].name, r.eval[i].expression, r.eval[i].unit);
	for (size_t i = 0; i < r.n_lacking; i++)
		fprintf(to, "lacking %s %s\n", r.lacking[i].variable, r.lacking[i].name);
	ompp_counter_trial = ompp_counter_try;
}

/* ---- memory events ---- */

static void make_memory_events(FILE *to)
{
	static const char *const makers[] = { "GenuineIntel", "GenuineIntel", "AuthenticAMD" };
	static const uint32_t models[] = { 26, 42, 60, 85, 106, 143, 158, 167, 1, 255, 300 };
	struct ompp_memory_event list[OMPP_MEMORY_EVENTS];
	char line[400] = "";
	struct ompp_text why;
	int n;

	put_machine();
	varied_put_file("proc/cpuinfo",
	                "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\nmodel name\t: X\n",
	                VARIED_ONE_OF(makers), varied_below(6) ? 6 : 25, VARIED_ONE_OF(models));
	ompp_text_init(&why, line, sizeof(line));
	memset(list, 0, sizeof(list));
	n = ompp_memory_events((int)varied_below(4) - 1, 1 + varied_below(3), varied_below(2) ? 0 : varied_below(3000),
	                       list, &why);
	fprintf(to, "%d %s\n", n, line);
	for (int i = 0; i < n; i++)
		fprintf(to, "%s %s %u %u %u %u %u %llx %llx %llx %llx %u %u %u, %llu\n",
		        ompp_memory_unit_name(list[i].unit), list[i].pmu, list[i].kinds, list[i].has_leader,
		        list[i].precise, list[i].sees_kernel, list[i].type, (ull)list[i].config, (ull)list[i].config1,
		        (ull)list[i].config2, (ull)list[i].leader_config, list[i].period_step, list[i].period_least,
		        list[i].latency_least, (ull)ompp_memory_period(&list[i], 1 + varied_number() / 64));
}

const struct varied_part varied_pmu_parts[] = {
	{ "pmu", 250, make_pmu },
	{ "counters", 250, make_counters },
	{ "list", 60, make_list },
	{ "groups", 120, make_groups },
	{ "requests", 150, make_requests },
	{ "memory_events", 300, make_memory_events },
	{ NULL, 0, NULL },
};
