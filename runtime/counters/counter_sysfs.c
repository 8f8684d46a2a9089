/*
 * Counter sysfs: events as the kernel's PMU drivers name them in sysfs, for example msr/tsc/, cpu/event=0x3c,umask=1/
 * and inst_retired.
 *
 * PMUs of one kind share one name: uncore_imc/cas_count_read/ is the sum over uncore_imc_0, uncore_imc_1 and so on.  A
 * name without a PMU is an event of the cores, of all kinds of them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/nearest.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter_list.h"
#include "runtime/counters/pmu.h"

/* sysfs does not say what its events mean, so some are described here.  busy is 1 when every program has such
 * events. */
static const struct {
	const char *event, *what;
	int busy;
} known[] = {
	{ "br_retired", "branches completed", 1 },
	{ "cas_count_read", "bytes read from memory", 0 },
	{ "cas_count_write", "bytes written to memory", 0 },
	{ "cpu-cycles", "processor cycles", 1 },
	{ "cpu_cycles", "processor cycles", 1 },
	{ "data_reads", "bytes read from memory", 0 },
	{ "data_writes", "bytes written to memory", 0 },
	{ "energy-cores", "energy of the cores", 0 },
	{ "energy-pkg", "energy of the packages", 0 },
	{ "energy-psys", "energy of the whole platform", 0 },
	{ "energy-ram", "energy of the memory", 0 },
	{ "inst_retired", "instructions completed", 1 },
	{ "inst_spec", "instructions begun", 1 },
	{ "l1d_cache", "accesses to the level 1 data cache", 1 },
	{ "l1d_cache_refill", "level 1 data cache misses", 1 },
	{ "l1i_cache", "accesses to the level 1 instruction cache", 1 },
	{ "l1i_cache_refill", "level 1 instruction cache misses", 0 },
	{ "l2d_cache", "accesses to the level 2 cache", 1 },
	{ "l2d_cache_refill", "level 2 cache misses", 0 },
	{ "br_mis_pred", "branches that were predicted wrong", 1 },
	{ "br_mis_pred_retired", "branches that were predicted wrong", 1 },
	{ "l1d_tlb_refill", "misses of the level 1 address translation of data", 1 },
	{ "l1i_tlb_refill", "misses of the level 1 address translation of instructions", 0 },
	{ "ld_retired", "loads completed", 1 },
	{ "mem_access", "accesses to data", 1 },
	{ "remote_access", "accesses to another socket", 0 },
	{ "st_retired", "stores completed", 1 },
	{ "stall_backend", "cycles in which instructions waited for data or units", 0 },
	{ "stall_frontend", "cycles without an instruction to begin", 0 },
	{ "tsc", "the time stamp counter, while the thread runs", 1 },
};

struct parts {
	const char *pmu, *terms;
	size_t n_pmu, n_terms;
};

struct search {
	struct parts parts;
	struct ompp_counter *counter;
	struct ompp_text *why;
	size_t n_cores;
};

static void counter_sysfs_describe(const char *event, size_t n, const char **what, int *busy)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(known); i++)
		if (strlen(known[i].event) == n && !strncmp(known[i].event, event, n)) {
			*what = known[i].what;
			*busy = known[i].busy;
		}
}

/* Returns the length of a PMU's name without its number: "uncore_imc_3" is one unit of "uncore_imc". */
static size_t counter_sysfs_stem(const char *name)
{
	size_t n = strlen(name), m = n;

	while (m && name[m - 1] >= '0' && name[m - 1] <= '9')
		m--;
	return m < n && m > 1 && name[m - 1] == '_' ? m - 1 : n;
}

static int counter_sysfs_add(struct search *s, const struct ompp_pmu *pmu)
{
	struct ompp_counter *c = s->counter;
	struct ompp_event_code code;
	int busy = 0;

	if (c->n_events == OMPP_COUNTER_EVENTS) {
		ompp_text_str(s->why, "more than 12 units of this name; name one, with its number");
		return -EINVAL;
	}
	if (c->n_events && pmu->is_machine && strcmp(c->cpus, pmu->cpus)) {
		ompp_text_str(s->why, "its units belong to different CPUs (");
		ompp_text_str(s->why, c->cpus);
		ompp_text_str(s->why, " and ");
		ompp_text_str(s->why, pmu->cpus);
		ompp_text_str(s->why, "); name one, with its number");
		return -EINVAL;
	}
	if (ompp_pmu_encode(pmu, s->parts.terms, s->parts.n_terms, &code, s->why))
		return -EINVAL;
	counter_sysfs_describe(s->parts.terms, s->parts.n_terms, &c->what, &busy);
	code.busy = (uint8_t)busy;
	code.pmu = pmu->is_core && s->n_cores > 1 ? pmu->type : 0;
	code.software = code.counts_kernel = !pmu->is_core && !pmu->is_machine;
	c->event[c->n_events++] = code;
	if (c->n_events > 1)
		return 0;
	c->kind = pmu->is_machine ? OMPP_COUNTER_NODE : OMPP_COUNTER_THREAD;
	strcpy(c->cpus, pmu->cpus);
	ompp_pmu_scale(pmu, s->parts.terms, s->parts.n_terms, &c->scale_mul, &c->scale_shift, &c->unit);
	return 0;
}

static int add_if_named(void *context, const struct ompp_pmu *pmu)
{
	struct search *s = context;
	size_t n = strlen(pmu->name);

	if (n != s->parts.n_pmu && !pmu->is_core)
		n = counter_sysfs_stem(pmu->name);
	return n == s->parts.n_pmu && !strncmp(pmu->name, s->parts.pmu, n) ? counter_sysfs_add(s, pmu) : 0;
}

static int add_if_core_has(void *context, const struct ompp_pmu *pmu)
{
	struct search *s = context;

	return pmu->is_core && ompp_pmu_has_event(pmu, s->parts.terms, s->parts.n_terms) ? counter_sysfs_add(s, pmu)
	                                                                                 : 0;
}

/* Splits "pmu/terms/" or "event", each perhaps with ":u" at its end, into its parts.  Returns 0 or -ENOENT. */
static int counter_sysfs_split(const char *name, size_t n, struct parts *parts)
{
	const char *slash = memchr(name, '/', n);

	if (n > 2 && name[n - 2] == ':' && name[n - 1] == 'u')
		n -= 2;
	*parts = (struct parts){ .terms = name, .n_terms = n };
	if (!slash)
		return 0;
	parts->pmu = name;
	parts->n_pmu = (size_t)(slash - name);
	parts->terms = slash + 1;
	parts->n_terms = n - parts->n_pmu - 1;
	if (!parts->n_terms || parts->terms[parts->n_terms - 1] != '/')
		return -ENOENT;
	parts->n_terms--;
	return 0;
}

static int no_such_pmu(const struct parts *p, struct ompp_text *why)
{
	if (!ompp_counter_has_pmu() &&
	    (ompp_text_same(p->pmu, p->n_pmu, "cpu", 3) || !strncmp(p->pmu, "cpu_", 4) || !strncmp(p->pmu, "armv8", 5)))
		return ompp_counter_lacking(why);
	ompp_text_str(why, "this machine has no '");
	ompp_text_strn(why, p->pmu, p->n_pmu);
	ompp_text_str(why, "'; `ompp counters` lists what it has");
	return -ENODEV;
}

int ompp_counter_sysfs_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why)
{
	struct search s = { .counter = counter, .why = why };
	int rc;

	if (counter_sysfs_split(name, n_name, &s.parts))
		return -ENOENT;
	s.n_cores = ompp_pmu_cores(NULL, 0);
	counter->n_events = 0;
	counter->unit = "";
	counter->what = "event of a PMU";
	counter->source = "perf";
	counter->scale_mul = 1;
	counter->scale_shift = 0;
	rc = ompp_pmu_each(s.parts.pmu ? add_if_named : add_if_core_has, &s);
	if (rc == -EINVAL)
		return rc;
	if (counter->n_events)
		return counter->kind == OMPP_COUNTER_NODE ? 0 : ompp_counter_keep_known(counter, why);
	return s.parts.pmu ? no_such_pmu(&s.parts, why) : -ENOENT;
}

struct list {
	ompp_counter_found found;
	void *context;
	const struct ompp_pmu *pmu;
	char last[64];
};

static int each_event(void *context, const char *event)
{
	struct list *l = context;
	struct ompp_counter counter;
	const char *what = l->pmu->is_machine ? "event of the whole machine" : "event of a PMU";
	struct ompp_text t;
	int busy;

	counter_sysfs_describe(event, strlen(event), &what, &busy);
	ompp_counter_entry(&counter, "", "perf", what);
	counter.kind = l->pmu->is_machine ? OMPP_COUNTER_NODE : OMPP_COUNTER_THREAD;
	ompp_text_init(&t, counter.name, sizeof(counter.name));
	ompp_text_str(&t, l->last);
	ompp_text_char(&t, '/');
	ompp_text_str(&t, event);
	ompp_text_char(&t, '/');
	return l->found(l->context, &counter);
}

static int each_pmu(void *context, const struct ompp_pmu *pmu)
{
	struct list *l = context;
	size_t n = pmu->is_core ? strlen(pmu->name) : counter_sysfs_stem(pmu->name);
	int rc;

	if (strlen(l->last) == n && !strncmp(l->last, pmu->name, n))
		return 0; /* it is another unit of the same kind */
	memcpy(l->last, pmu->name, n);
	l->last[n] = '\0';
	l->pmu = pmu;
	rc = ompp_pmu_events(pmu, each_event, l);
	return rc == -ENOENT ? 0 : rc;
}

int ompp_counter_sysfs_each(ompp_counter_found found, void *context)
{
	struct list l = { .found = found, .context = context };
	int rc = ompp_pmu_each(each_pmu, &l);

	return rc == -ENOENT ? 0 : rc;
}
