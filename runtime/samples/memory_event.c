/*
 * Memory event: see memory_event.h.
 */
#include "runtime/samples/memory_event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/counters/pmu.h"
#include "runtime/host/file.h"

const char *ompp_memory_cpuinfo = "/proc/cpuinfo";

enum {
	PEBS_PRECISE = 2,
	PEBS_LEAST_LATENCY = 3,
	IBS_STEP = 16,
	IBS_LEAST = 0x90,
	IBS_LATENCY_LEAST = 128,
	IBS_LATENCY_MOST = 2048
};

/* The search through the PMUs. */
struct search {
	int unit; /* -1 for any */
	unsigned int kinds, latency;
	struct ompp_memory_event *events;
	int n;
};

static struct ompp_memory_event *memory_event_add(struct search *s, const struct ompp_pmu *pmu,
                                                  enum ompp_memory_unit unit, unsigned int kinds)
{
	struct ompp_memory_event *e;

	if (s->n == OMPP_MEMORY_EVENTS)
		return NULL;
	e = &s->events[s->n++];
	*e = (struct ompp_memory_event){
		.unit = unit, .kinds = (uint8_t)kinds, .type = pmu->type, .period_step = 1, .period_least = 1
	};
	memcpy(e->pmu, pmu->name, sizeof(e->pmu));
	return e;
}

/* ---- Intel ---- */

static uint8_t latency_text(struct ompp_text *terms, const char *event, unsigned int latency)
{
	ompp_text_str(terms, event);
	if (latency > PEBS_LEAST_LATENCY) {
		ompp_text_str(terms, ",ldlat=");
		ompp_text_u64(terms, latency);
	}
	return (uint8_t)terms->n_bytes;
}

/* Adds an event that sysfs names, "mem-loads" or "mem-stores".  Returns NULL when sysfs does not name it. */
static struct ompp_memory_event *add_named(struct search *s, const struct ompp_pmu *pmu, const char *name,
                                           unsigned int kinds)
{
	char text[64], why_text[8];
	struct ompp_text terms, why;
	struct ompp_event_code code = { 0 };
	struct ompp_memory_event *e;

	if (!(s->kinds & kinds) || !ompp_pmu_has_event(pmu, name, strlen(name)))
		return NULL;
	ompp_text_init(&terms, text, sizeof(text));
	ompp_text_init(&why, why_text, sizeof(why_text));
	latency_text(&terms, name, kinds == OMPP_MEM_LOADS ? s->latency : 0);
	if (ompp_pmu_encode(pmu, text, terms.n_bytes, &code, &why))
		return NULL;
	e = memory_event_add(s, pmu, OMPP_UNIT_PEBS, kinds);
	if (!e)
		return NULL;
	e->precise = PEBS_PRECISE;
	e->config = code.config;
	e->config1 = code.config1;
	e->config2 = code.config2;
	e->latency_least = kinds == OMPP_MEM_LOADS ? (uint32_t)code.config1 & 0xffff : 0;
	return e;
}

/* Adds the auxiliary event that must lead the loads on Golden Cove and later. */
static void add_leader(struct ompp_memory_event *e, const struct ompp_pmu *pmu)
{
	static const char name[] = "mem-loads-aux";
	struct ompp_event_code code = { 0 };
	char why_text[8];
	struct ompp_text why;

	ompp_text_init(&why, why_text, sizeof(why_text));
	if (!ompp_pmu_has_event(pmu, name, sizeof(name) - 1) ||
	    ompp_pmu_encode(pmu, name, sizeof(name) - 1, &code, &why))
		return;
	e->has_leader = 1;
	e->leader_config = code.config;
}

static void search_core(struct search *s, const struct ompp_pmu *pmu)
{
	struct ompp_memory_event *loads = add_named(s, pmu, "mem-loads", OMPP_MEM_LOADS);

	if (loads)
		add_leader(loads, pmu);
	add_named(s, pmu, "mem-stores", OMPP_MEM_STORES);
}

/* ---- AMD ---- */

static int has_field(const struct ompp_pmu *pmu, const char *field)
{
	char line[32];

	return ompp_pmu_line(pmu, "format", field, strlen(field), line, sizeof(line)) > 0;
}

/* Sets a field, as in "cnt_ctl=1", if the PMU has it.  Returns 1 when it is set. */
static int set_field(const struct ompp_pmu *pmu, struct ompp_memory_event *e, const char *field, unsigned int value)
{
	char text[64], why_text[8];
	struct ompp_text terms, why;
	struct ompp_event_code code = { 0 };

	if (!has_field(pmu, field))
		return 0;
	ompp_text_init(&terms, text, sizeof(text));
	ompp_text_init(&why, why_text, sizeof(why_text));
	ompp_text_str(&terms, field);
	ompp_text_char(&terms, '=');
	ompp_text_u64(&terms, value);
	if (ompp_pmu_encode(pmu, text, terms.n_bytes, &code, &why))
		return 0;
	e->config |= code.config;
	e->config1 |= code.config1;
	e->config2 |= code.config2;
	return 1;
}

/* Adds the event of IBS.  It counts micro-operations rather than cycles, so that a sample stands for so many of
 * them. */
static void search_ibs(struct search *s, const struct ompp_pmu *pmu)
{
	struct ompp_memory_event *e = memory_event_add(s, pmu, OMPP_UNIT_IBS, OMPP_MEM_BOTH & s->kinds);

	if (!e)
		return;
	e->period_step = IBS_STEP;
	e->period_least = IBS_LEAST;
	set_field(pmu, e, "cnt_ctl", 1);
	e->sees_kernel = !set_field(pmu, e, "swfilt", 1);
	if (s->latency >= IBS_LATENCY_LEAST && s->latency <= IBS_LATENCY_MOST && s->kinds == OMPP_MEM_LOADS &&
	    set_field(pmu, e, "ldlat", s->latency))
		e->latency_least = s->latency;
}

/* ---- Arm ---- */

static void search_spe(struct search *s, const struct ompp_pmu *pmu)
{
	struct ompp_memory_event *e = memory_event_add(s, pmu, OMPP_UNIT_SPE, s->kinds);
	const char *interval;
	char line[32];

	if (!e)
		return;
	set_field(pmu, e, "ts_enable", 1);
	if (s->kinds & OMPP_MEM_LOADS)
		set_field(pmu, e, "load_filter", 1);
	if (s->kinds & OMPP_MEM_STORES)
		set_field(pmu, e, "store_filter", 1);
	set_field(pmu, e, "jitter", 1);
	if (s->latency && set_field(pmu, e, "min_latency", s->latency))
		e->latency_least = s->latency;
	if (ompp_pmu_line(pmu, "caps", "min_interval", strlen("min_interval"), line, sizeof(line)) > 0) {
		interval = line;
		e->period_least = (uint32_t)ompp_text_digits(&interval);
	}
}

/* ---- libpfm4 and the table of families ---- */

static int pmu_named_cpu(void *context, const struct ompp_pmu *pmu)
{
	struct ompp_pmu *found = context;

	if (!pmu->is_core || strcmp(pmu->name, "cpu"))
		return 0;
	*found = *pmu;
	return 1;
}

/* Adds the first of the names that libpfm4 knows on this processor.  Returns 0 when it knows none. */
static int add_pfm(struct search *s, const struct ompp_pmu *pmu, const char *const *names, unsigned int kinds)
{
	for (; *names; names++) {
		struct ompp_counter counter;
		struct ompp_memory_event *e;
		char text[OMPP_COUNTER_NAME], why_text[8];
		struct ompp_text name, why;

		ompp_text_init(&name, text, sizeof(text));
		ompp_text_init(&why, why_text, sizeof(why_text));
		ompp_text_str(&name, *names);
		if (kinds == OMPP_MEM_LOADS)
			ompp_text_u64(&name, s->latency > PEBS_LEAST_LATENCY ? s->latency : PEBS_LEAST_LATENCY);
		if (ompp_counter_find(text, name.n_bytes, &counter, &why) || strcmp(counter.source, "libpfm4") ||
		    counter.n_events != 1 || !(e = memory_event_add(s, pmu, OMPP_UNIT_PEBS, kinds)))
			continue;
		e->precise = PEBS_PRECISE;
		e->type = counter.event[0].type;
		e->config = counter.event[0].config;
		e->config1 = counter.event[0].config1;
		e->config2 = counter.event[0].config2;
		e->latency_least = kinds == OMPP_MEM_LOADS ? (uint32_t)e->config1 & 0xffff : 0;
		return 1;
	}
	return 0;
}

/* The events' codes for Intel's processors of family 6, by model.  Codes and names are those of Intel's manual,
 * volume 3B, "Performance Monitoring Events". */
static const struct family {
	unsigned char models[12];
	uint64_t loads, stores; /* 0 when there is none */
} families[] = {
	{ { 26, 30, 31, 46, 37, 44, 47 }, 0x100b, 0 },          /* Nehalem, Westmere: MEM_INST_RETIRED.LATENCY_* */
	{ { 42, 45, 58, 62 }, 0x01cd, 0x02cd },                 /* Sandy Bridge, Ivy Bridge: PRECISE_STORE */
	{ { 60, 63, 69, 70, 61, 71, 79, 86 }, 0x01cd, 0x82d0 }, /* Haswell, Broadwell: MEM_UOPS_RETIRED.ALL_STORES */
	{ { 78, 94, 85, 142, 158, 165, 166 }, 0x01cd, 0x82d0 }, /* Skylake to Comet Lake */
	{ { 102, 106, 108, 125, 126, 140, 141, 167 }, 0x01cd, 0x82d0 }, /* Cannon Lake to Rocket Lake */
};

/* Returns the value of a line such as "key : 6" of /proc/cpuinfo; -1 when there is none. */
static int cpuinfo_value(const char *text, const char *key)
{
	const char *line = strstr(text, key);

	if (!line)
		return -1;
	line += strlen(key);
	line += strspn(line, " \t:");
	return *line >= '0' && *line <= '9' ? (int)ompp_text_digits(&line) : -1;
}

static const struct family *family_here(void)
{
	char text[1024];
	int model;

	if (ompp_file_read(ompp_memory_cpuinfo, text, sizeof(text)) <= 0 || !strstr(text, "GenuineIntel") ||
	    cpuinfo_value(text, "cpu family") != 6)
		return NULL;
	model = cpuinfo_value(text, "\nmodel");
	for (size_t i = 0; model > 0 && i < OMPP_COUNT_OF(families); i++)
		if (model < 256 && memchr(families[i].models, model, sizeof(families[i].models)))
			return &families[i];
	return NULL;
}

static void add_family(struct search *s, const struct ompp_pmu *pmu, unsigned int kinds)
{
	const struct family *family = family_here();
	uint64_t config = !family ? 0 : kinds == OMPP_MEM_LOADS ? family->loads : family->stores;
	struct ompp_memory_event *e = config ? memory_event_add(s, pmu, OMPP_UNIT_PEBS, kinds) : NULL;

	if (!e)
		return;
	e->precise = PEBS_PRECISE;
	e->config = config;
	if (kinds == OMPP_MEM_LOADS)
		e->config1 = e->latency_least = s->latency > PEBS_LEAST_LATENCY ? s->latency : PEBS_LEAST_LATENCY;
}

/* Searches for events that sysfs does not name, as it is with kernels older than the processor. */
static void search_elsewhere(struct search *s, unsigned int missing)
{
	static const char *const loads[] = { "MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=",
		                             "MEM_TRANS_RETIRED:LATENCY_ABOVE_THRESHOLD:ldlat=",
		                             "MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD:ldlat=", NULL };
	static const char *const stores[] = { "MEM_INST_RETIRED:ALL_STORES", "MEM_UOPS_RETIRED:ALL_STORES",
		                              "MEM_TRANS_RETIRED:PRECISE_STORE", NULL };
	struct ompp_pmu pmu;

	if (ompp_pmu_each(pmu_named_cpu, &pmu) != 1)
		return;
	if (missing & OMPP_MEM_LOADS && !add_pfm(s, &pmu, loads, OMPP_MEM_LOADS))
		add_family(s, &pmu, OMPP_MEM_LOADS);
	if (missing & OMPP_MEM_STORES && !add_pfm(s, &pmu, stores, OMPP_MEM_STORES))
		add_family(s, &pmu, OMPP_MEM_STORES);
}

/* ---- all of them ---- */

static int search_pmu(void *context, const struct ompp_pmu *pmu)
{
	struct search *s = context;

	if (pmu->is_core && (s->unit < 0 || s->unit == OMPP_UNIT_PEBS))
		search_core(s, pmu);
	if (!strcmp(pmu->name, "ibs_op") && (s->unit < 0 || s->unit == OMPP_UNIT_IBS))
		search_ibs(s, pmu);
	if (!strncmp(pmu->name, "arm_spe_", strlen("arm_spe_")) && (s->unit < 0 || s->unit == OMPP_UNIT_SPE))
		search_spe(s, pmu);
	return 0;
}

static unsigned int kinds_found(const struct search *s)
{
	unsigned int kinds = 0;

	for (int i = 0; i < s->n; i++)
		kinds |= s->events[i].kinds;
	return kinds;
}

const char *ompp_memory_unit_name(enum ompp_memory_unit unit)
{
	static const char *const names[] = { "pebs", "ibs", "spe", "touch" };

	return names[unit];
}

void ompp_memory_faults(struct ompp_memory_event *event, int sees_kernel)
{
	*event = (struct ompp_memory_event){ .unit = OMPP_UNIT_FAULTS,
		                             .pmu = "software",
		                             .sees_kernel = sees_kernel != 0,
		                             .type = PERF_TYPE_SOFTWARE,
		                             .config = PERF_COUNT_SW_PAGE_FAULTS_MIN,
		                             .period_step = 1,
		                             .period_least = 1 };
}

static void explain_none(int unit, struct ompp_text *why)
{
	static const char *const wanted[] = {
		"no PMU with an event mem-loads: not an Intel processor that samples loads, or a virtual machine",
		"no PMU ibs_op: not an AMD processor with IBS, or a virtual machine",
		"no PMU arm_spe_0: not an Arm processor with SPE, or a virtual machine, or firmware that keeps it",
	};

	ompp_text_str(why, unit >= 0 ? wanted[unit]
	                             : "this machine shows no PMU that samples accesses to memory, as "
	                               "virtual machines do not");
	ompp_text_str(why, "; choose hook, with a program whose data kinst counts, or run it on another machine");
}

uint64_t ompp_memory_period(const struct ompp_memory_event *event, uint64_t wanted)
{
	uint64_t period = wanted < event->period_least ? event->period_least : wanted;

	return (period + event->period_step - 1) / event->period_step * event->period_step;
}

int ompp_memory_events(int unit, unsigned int kinds, unsigned int latency, struct ompp_memory_event *events,
                       struct ompp_text *why)
{
	struct search s = { unit, kinds, latency, events, 0 };
	unsigned int missing;

	ompp_pmu_each(search_pmu, &s);
	missing = kinds & ~kinds_found(&s);
	if (missing && (unit < 0 || unit == OMPP_UNIT_PEBS) && (!s.n || s.events[0].unit == OMPP_UNIT_PEBS))
		search_elsewhere(&s, missing);
	if (!s.n) {
		explain_none(unit, why);
		return -ENODEV;
	}
	missing = kinds & ~kinds_found(&s);
	if (missing) {
		ompp_text_str(why, missing & OMPP_MEM_STORES ? "this processor samples only loads; choose loads"
		                                             : "this processor samples stores alone; choose stores");
		return -ENOTSUP;
	}
	return s.n;
}
