/*
 * PAPI: finds out what names of counters mean, by PAPI and libpfm4, in the helper ompp-papi; see
 * runtime/counters/counter.h.  It counts nothing.
 */
#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/helpers/papi/papi.h"
#include "runtime/helpers/papi/postfix.h"
#include "runtime/helpers/papi/presets.h"

static int is_ready(void)
{
	return pfm_initialize() == PFM_SUCCESS;
}

static int papi_explain(int error, struct ompp_text *why)
{
	ompp_text_str(why, "libpfm4: ");
	ompp_text_str(why, pfm_strerror(error));
	ompp_text_str(why, "; `ompp counters` lists names");
	return -EINVAL;
}

/* Returns whether the name is an event of a processor that is not here, such as "skx::X", and then says so. */
static int is_elsewhere(const char *name, struct ompp_text *why)
{
	const char *end = strstr(name, "::");
	pfm_pmu_info_t pmu;
	int i;

	if (!end)
		return 0;
	pfm_for_all_pmus(i)
	{
		memset(&pmu, 0, sizeof(pmu));
		pmu.size = sizeof(pmu);
		if (pfm_get_pmu_info((pfm_pmu_t)i, &pmu) != PFM_SUCCESS || pmu.is_present ||
		    !ompp_text_same(pmu.name, strlen(pmu.name), name, (size_t)(end - name)))
			continue;
		ompp_text_str(why, "an event of ");
		ompp_text_str(why, pmu.desc);
		ompp_text_str(why, ", which is not in this machine; `ompp counters` lists what is");
		return 1;
	}
	return 0;
}

/* Lists the masks of an event that needs one of them. */
static int list_masks(const char *name, struct ompp_text *why)
{
	int idx = pfm_find_event(name);
	pfm_event_info_t event;
	pfm_event_attr_info_t attribute;
	const char *between = "";

	memset(&event, 0, sizeof(event));
	event.size = sizeof(event);
	ompp_text_str(why, "it needs one of ");
	if (idx >= 0 && pfm_get_event_info(idx, PFM_OS_NONE, &event) == PFM_SUCCESS)
		for (int i = 0; i < event.nattrs && why->n_bytes < 160; i++) {
			memset(&attribute, 0, sizeof(attribute));
			attribute.size = sizeof(attribute);
			if (pfm_get_event_attr_info(idx, i, PFM_OS_NONE, &attribute) != PFM_SUCCESS ||
			    attribute.type != PFM_ATTR_UMASK)
				continue;
			ompp_text_str(why, between);
			ompp_text_char(why, ':');
			ompp_text_str(why, attribute.name);
			between = ", ";
		}
	ompp_text_str(why, " behind its name");
	return -EINVAL;
}

static int papi_refuse(const char *name, int error, struct ompp_text *why)
{
	switch (error) {
	case PFM_ERR_NOTFOUND:
	case PFM_ERR_ATTR:
		return is_elsewhere(name, why) ? -ENODEV : -ENOENT;
	case PFM_ERR_UMASK:
		return list_masks(name, why);
	default:
		return papi_explain(error, why);
	}
}

/* Returns the name without its component, with which PAPI's names of native events begin. */
static const char *without_component(const char *name)
{
	static const char *const components[] = { "perf_event:::", "perf_event_uncore:::" };

	for (size_t i = 0; i < OMPP_COUNT_OF(components); i++)
		if (!strncmp(name, components[i], strlen(components[i])))
			return name + strlen(components[i]);
	return name;
}

static int papi_encode(const char *name, struct ompp_event_code *code, int *cpu, struct ompp_text *why)
{
	struct perf_event_attr attr;
	pfm_perf_encode_arg_t arg;
	int rc;

	memset(&attr, 0, sizeof(attr));
	memset(&arg, 0, sizeof(arg));
	attr.size = sizeof(attr);
	arg.size = sizeof(arg);
	arg.attr = &attr;
	arg.cpu = -1;
	rc = pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	if (rc != PFM_SUCCESS)
		return papi_refuse(name, rc, why);
	if (attr.exclude_user || attr.sample_period) {
		ompp_text_str(why, "counters count, and in user mode alone; leave :k, :period and :freq out");
		return -EINVAL;
	}
	*code = (struct ompp_event_code){
		.type = attr.type,
		.config = attr.config,
		.config1 = attr.config1,
		.config2 = attr.config2,
		.factor = 1,
	};
	*cpu = arg.cpu;
	return 0;
}

/* Returns what the event is, in libpfm4's words. */
static const char *papi_describe(const char *name)
{
	int idx = pfm_find_event(name);
	pfm_event_info_t event;

	memset(&event, 0, sizeof(event));
	event.size = sizeof(event);
	return idx >= 0 && pfm_get_event_info(idx, PFM_OS_NONE, &event) == PFM_SUCCESS && event.desc ? event.desc : "";
}

static int find_native(const char *name, struct ompp_counter *counter, struct ompp_text *why)
{
	int cpu, rc;

	name = without_component(name);
	if (strstr(name, ":::")) {
		ompp_text_str(why, "a component of PAPI that does not count events of the kernel; "
		                   "`ompp counters` lists what does");
		return -ENODEV;
	}
	rc = papi_encode(name, &counter->event[0], &cpu, why);
	if (rc)
		return rc;
	counter->n_events = 1;
	counter->what = papi_describe(name);
	if (cpu >= 0)
		snprintf(counter->cpus, sizeof(counter->cpus), "%d", cpu);
	return 0;
}

static int factors_of(const struct ompp_preset *p, int32_t *factors)
{
	if (p->n_natives > OMPP_POSTFIX_TERMS)
		return -ENOTSUP;
	if (!strcmp(p->derived, "DERIVED_POSTFIX") || !strcmp(p->derived, "DERIVED_INFIX"))
		return ompp_postfix_factors(p->postfix, p->n_natives, factors);
	if (strcmp(p->derived, "DERIVED_ADD") && strcmp(p->derived, "DERIVED_SUB") && p->n_natives > 1)
		return -ENOTSUP;
	for (size_t i = 0; i < p->n_natives; i++)
		factors[i] = i && !strcmp(p->derived, "DERIVED_SUB") ? -1 : 1;
	return 0;
}

static int is_same(const struct ompp_event_code *a, const struct ompp_event_code *b)
{
	return a->type == b->type && a->config == b->config && a->config1 == b->config1 && a->config2 == b->config2;
}

/* Adds an event to the counter's sum.  An event that is twice in the sum is counted once. */
static int papi_add(struct ompp_counter *counter, struct ompp_event_code *code, int32_t factor)
{
	for (uint32_t i = 0; i < counter->n_events; i++)
		if (is_same(&counter->event[i], code)) {
			counter->event[i].factor += factor;
			return 0;
		}
	if (counter->n_events == OMPP_COUNTER_EVENTS)
		return -ENOTSUP;
	code->factor = factor;
	counter->event[counter->n_events++] = *code;
	return 0;
}

static int fill_preset(const struct ompp_preset *p, struct ompp_counter *counter, struct ompp_text *why)
{
	int32_t factors[OMPP_POSTFIX_TERMS];
	int rc = factors_of(p, factors), cpu;

	counter->n_events = 0;
	for (size_t i = 0; i < p->n_natives && !rc; i++) {
		struct ompp_event_code code;

		if (!factors[i])
			continue;
		rc = papi_encode(without_component(p->natives[i]), &code, &cpu, why);
		if (!rc)
			rc = papi_add(counter, &code, factors[i]);
	}
	if (rc != -ENOTSUP)
		return rc == -ENOENT ? -ENODEV : rc;
	ompp_text_str(why, "PAPI computes it (");
	ompp_text_str(why, p->derived);
	ompp_text_str(why, "), but not as a sum of at most 12 events; count its events, and use OMPP_EVAL1");
	return rc;
}

static int papi(const char *name, struct ompp_counter *counter, struct ompp_text *why)
{
	int rc = -ENODEV;
	const struct ompp_preset *p = ompp_preset_find(name, why);

	if (p && !is_ready())
		ompp_text_str(why, "libpfm4 does not work here; use names of perf, see `ompp counters`");
	else if (p)
		rc = fill_preset(p, counter, why);
	return rc;
}

static int papi_pfm(const char *name, struct ompp_counter *counter, struct ompp_text *why)
{
	int rc = -ENOENT;

	if (is_ready())
		rc = find_native(name, counter, why);
	return rc;
}

struct list {
	int (*found)(void *context, const struct ompp_counter *counter);
	void *context;
};

static int papi_show(const struct list *l, const pfm_pmu_info_t *pmu, const char *event, const char *mask,
                     const char *what)
{
	struct ompp_counter counter;
	struct ompp_text t;

	memset(&counter, 0, sizeof(counter));
	counter.kind = pmu->type == PFM_PMU_TYPE_UNCORE ? OMPP_COUNTER_NODE : OMPP_COUNTER_THREAD;
	counter.source = "libpfm4";
	counter.unit = "";
	counter.what = what ? what : "";
	counter.scale_mul = 1;
	ompp_text_init(&t, counter.name, sizeof(counter.name));
	if (!pmu->is_dfl) {
		ompp_text_str(&t, pmu->name);
		ompp_text_str(&t, "::");
	}
	ompp_text_str(&t, event);
	if (mask) {
		ompp_text_char(&t, ':');
		ompp_text_str(&t, mask);
	}
	return l->found(l->context, &counter);
}

/* Shows an event, or one event for each of its masks. */
static int each_event(const struct list *l, const pfm_pmu_info_t *pmu, int idx)
{
	pfm_event_info_t event;
	pfm_event_attr_info_t attribute;
	int rc = 0, n_masks = 0;

	memset(&event, 0, sizeof(event));
	event.size = sizeof(event);
	if (pfm_get_event_info(idx, PFM_OS_NONE, &event) != PFM_SUCCESS)
		return 0;
	for (int i = 0; i < event.nattrs && !rc; i++) {
		memset(&attribute, 0, sizeof(attribute));
		attribute.size = sizeof(attribute);
		if (pfm_get_event_attr_info(idx, i, PFM_OS_NONE, &attribute) != PFM_SUCCESS ||
		    attribute.type != PFM_ATTR_UMASK)
			continue;
		n_masks++;
		rc = papi_show(l, pmu, event.name, attribute.name, attribute.desc);
	}
	return n_masks ? rc : papi_show(l, pmu, event.name, NULL, event.desc);
}

static int is_present(const char *name)
{
	pfm_pmu_info_t pmu;
	int i;

	pfm_for_all_pmus(i)
	{
		memset(&pmu, 0, sizeof(pmu));
		pmu.size = sizeof(pmu);
		if (pfm_get_pmu_info((pfm_pmu_t)i, &pmu) == PFM_SUCCESS && pmu.is_present && !strcmp(pmu.name, name))
			return 1;
	}
	return 0;
}

/* Returns whether a PMU is one of several units, such as skx_unc_cha27, whose events are those of unit 0. */
static int is_further_unit(const pfm_pmu_info_t *pmu)
{
	size_t n = strlen(pmu->name), m = n;
	char first[64];

	while (m && pmu->name[m - 1] >= '0' && pmu->name[m - 1] <= '9')
		m--;
	if (pmu->type != PFM_PMU_TYPE_UNCORE || m == n || !strcmp(pmu->name + m, "0") || m + 2 > sizeof(first))
		return 0;
	memcpy(first, pmu->name, m);
	strcpy(first + m, "0");
	return is_present(first);
}

/* Shows the events of a PMU, unless it is "perf", whose names are those of perf itself, or a further unit. */
static int each_pmu(const struct list *l, pfm_pmu_t i)
{
	pfm_pmu_info_t pmu;
	int rc = 0;

	memset(&pmu, 0, sizeof(pmu));
	pmu.size = sizeof(pmu);
	if (pfm_get_pmu_info(i, &pmu) != PFM_SUCCESS || !pmu.is_present || pmu.type == PFM_PMU_TYPE_OS_GENERIC ||
	    !strncmp(pmu.name, "perf", 4) || is_further_unit(&pmu))
		return 0;
	for (int idx = pmu.first_event; idx != -1 && !rc; idx = pfm_get_event_next(idx))
		rc = each_event(l, &pmu, idx);
	return rc;
}

static int papi_each(int (*found)(void *context, const struct ompp_counter *counter), void *context)
{
	struct list l = { found, context };
	int rc = 0, i;

	if (is_ready())
		pfm_for_all_pmus(i) if (!rc) rc = each_pmu(&l, (pfm_pmu_t)i);
	return rc;
}

static int restrict_range(const char *name, struct ompp_text *why)
{
	return ompp_preset_restrict(name, why);
}

const struct ompp_papi ompp_papi_functions = {
	.papi = papi,
	.pfm = papi_pfm,
	.each = papi_each,
	.restrict_range = restrict_range,
};
