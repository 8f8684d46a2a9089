/*
 * Counter: see counter.h.  Each file counter_*.c holds one part of the list of counters.
 */
#include "runtime/counters/counter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/nearest.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter_helper.h"
#include "runtime/counters/counter_list.h"
#include "runtime/counters/pmu.h"

int ompp_counter_is_hardware(const struct ompp_counter *counter)
{
	uint32_t i;

	for (i = 0; i < counter->n_events; i++)
		if (!counter->event[i].software)
			return 1;
	return 0;
}

/* Decides for the events that libpfm4 named whether they belong to the machine as a whole, and to which kind of
 * cores. Returns 0, or -errno with why. */
static int counter_place(struct ompp_counter *counter, struct ompp_text *why)
{
	size_t n_cores = ompp_pmu_cores(NULL, 0);

	for (uint32_t i = 0; i < counter->n_events; i++) {
		struct ompp_event_code *code = &counter->event[i];
		struct ompp_pmu pmu;

		code->software = code->type == PERF_TYPE_SOFTWARE;
		if (code->type == PERF_TYPE_RAW)
			code->busy |= (uint8_t)ompp_counter_is_busy(code->config);
		if (ompp_pmu_of_type(code->type, &pmu))
			continue;
		if (pmu.is_machine) {
			counter->kind = OMPP_COUNTER_NODE;
			if (!counter->cpus[0]) /* libpfm4's attribute cpu=N has set them otherwise */
				strcpy(counter->cpus, pmu.cpus);
		} else if (pmu.is_core) {
			code->busy |= (uint8_t)ompp_counter_is_busy(code->config);
			code->pmu = n_cores > 1 ? pmu.type : 0;
		}
	}
	return counter->kind == OMPP_COUNTER_NODE ? 0 : ompp_counter_keep_known(counter, why);
}

struct near {
	const char *name;
	size_t n_name;
	unsigned int best;
	char nearest[OMPP_COUNTER_NAME];
};

static int counter_nearer(void *context, const struct ompp_counter *counter)
{
	struct near *near = context;
	unsigned int d = ompp_distance(near->name, near->n_name, counter->name, strlen(counter->name));

	if (d < near->best) {
		near->best = d;
		strcpy(near->nearest, counter->name);
	}
	return 0;
}

static int counter_unknown(const char *name, size_t n_name, struct ompp_text *why)
{
	struct near near = { .name = name, .n_name = n_name, .best = (unsigned int)n_name / 3 + 2 };
	const char *reason = "";

	why->n_bytes = 0;
	ompp_counter_each(counter_nearer, &near);
	ompp_text_str(why, "unknown name");
	if (near.nearest[0]) {
		ompp_text_str(why, "; did you mean ");
		ompp_text_str(why, near.nearest);
		ompp_text_char(why, '?');
	} else {
		ompp_text_str(why, "; `ompp counters` lists those that there are");
	}
	if (!near.nearest[0] && !ompp_counter_helper(&reason)) {
		ompp_text_str(why, ", without those of libpfm4, as ");
		ompp_text_str(why, reason);
	}
	return -ENOENT;
}

static int counter_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why)
{
	static int (*const parts[])(const char *, size_t, struct ompp_counter *,
	                            struct ompp_text *) = { ompp_counter_access_find,   ompp_counter_work_find,
		                                            ompp_counter_software_find, ompp_counter_preset_find,
		                                            ompp_counter_hardware_find, ompp_counter_sysfs_find,
		                                            ompp_counter_pfm_find };
	int rc = -ENOENT;

	for (size_t i = 0; i < OMPP_COUNT_OF(parts) && rc == -ENOENT; i++)
		rc = parts[i](name, n_name, counter, why);
	if (!rc && (counter->source[0] == 'l' || counter->source[0] == 'P'))
		rc = counter_place(counter, why);
	return rc == -ENOENT ? counter_unknown(name, n_name, why) : rc;
}

int ompp_counter_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why)
{
	char cause[256];
	struct ompp_text t;
	int rc;

	ompp_counter_entry(counter, "", "", "");
	if (!n_name || n_name >= sizeof(counter->name)) {
		ompp_text_str(why, n_name ? "a name has at most 127 characters" : "no name");
		ompp_text_str(why, "; `ompp counters` lists names");
		return -EINVAL;
	}
	memcpy(counter->name, name, n_name);
	counter->name[n_name] = '\0';
	ompp_text_init(&t, cause, sizeof(cause));
	rc = counter_find(name, n_name, counter, &t);
	if (rc)
		ompp_text_str(why, cause);
	return rc;
}

int ompp_counter_each(int (*found)(void *context, const struct ompp_counter *counter), void *context)
{
	static int (*const parts[])(ompp_counter_found,
	                            void *) = { ompp_counter_access_each,   ompp_counter_work_each,
		                                ompp_counter_software_each, ompp_counter_preset_each,
		                                ompp_counter_hardware_each, ompp_counter_sysfs_each,
		                                ompp_counter_pfm_each };
	int rc = 0;

	for (size_t i = 0; i < OMPP_COUNT_OF(parts) && !rc; i++)
		rc = parts[i](found, context);
	return rc;
}

int ompp_counter_can_restrict(const char *name, struct ompp_text *why)
{
	const struct ompp_papi *papi;
	struct ompp_counter counter;
	const char *reason = "";
	int rc = -ENOTSUP;

	if (!ompp_counter_software_find(name, strlen(name), &counter, why)) {
		ompp_text_str(why, "the kernel's software events cannot be restricted to data");
		return -ENOTSUP;
	}
	papi = ompp_counter_helper(&reason);
	if (papi)
		rc = papi->restrict_range(name, why);
	else
		ompp_text_str(why, reason);
	return rc;
}
