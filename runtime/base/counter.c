/*
 * Counter: see counter.h.  The parts of the list are in counter_*.c.
 */
#include "runtime/base/counter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/counter_list.h"
#include "runtime/base/counter_helper.h"
#include "runtime/base/nearest.h"
#include "runtime/base/pmu.h"
#include "runtime/base/text.h"

int ompp_counter_hooked;

int ompp_counter_is_hardware(const struct ompp_counter *counter)
{
	uint32_t i;

	for (i = 0; i < counter->n_events; i++)
		if (!counter->event[i].software)
			return 1;
	return 0;
}

int ompp_counter_is(const char *words, const char *name, size_t n_name)
{
	if (n_name > 6 && ompp_text_same(name, 6, "perf::", 6)) {
		name += 6;
		n_name -= 6;
	}
	if (n_name > 2 && name[n_name - 2] == ':' && name[n_name - 1] == 'u')
		n_name -= 2;
	while (*words) {
		size_t n = strcspn(words, " ");

		if (ompp_text_same(words, n, name, n_name))
			return 1;
		words += n + (words[n] == ' ');
	}
	return 0;
}

void ompp_counter_entry(struct ompp_counter *counter, const char *words, const char *source, const char *what)
{
	struct ompp_text t;

	memset(counter, 0, sizeof(*counter));
	counter->what = what;
	counter->unit = "";
	counter->source = source;
	counter->scale_mul = 1;
	ompp_text_init(&t, counter->name, sizeof(counter->name));
	ompp_text_strn(&t, words, strcspn(words, " "));
}

/* Where sysfs cannot be read, only a plain "there is none" of the kernel counts as that. */
int ompp_counter_has_pmu(void)
{
	static const struct ompp_event_code cycles = {
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES,
	};
	struct ompp_pmu software;
	int rc;

	if (ompp_pmu_cores(NULL, 0)) {
		return 1;
	}
	rc = ompp_pmu_try(&cycles);
	if (rc && rc != -ENOENT && rc != -ENODEV && rc != -EOPNOTSUPP && rc != -ENOSYS)
		rc = ompp_pmu_of_type(PERF_TYPE_SOFTWARE, &software) ? 0 : -ENOENT;
	return !rc;
}

int ompp_counter_lacking(struct ompp_text *why)
{
	why->n_bytes = 0;
	if (ompp_counter_has_pmu())
		ompp_text_str(why, "this machine's PMU does not count it; `ompp counters` lists what it counts");
	else
		ompp_text_str(why, OMPP_NO_PMU " in this machine, as in most virtual ones; use software events "
		              "(page-faults, task-clock), see `ompp counters`");
	return -ENODEV;
}

static int is_unknown(const struct ompp_event_code *code)
{
	int rc = ompp_pmu_try(code);

	return rc == -ENOENT || rc == -EOPNOTSUPP || rc == -ENODEV;
}

int ompp_counter_keep_known(struct ompp_counter *counter, struct ompp_text *why)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < counter->n_events; i++) {
		if (!is_unknown(&counter->event[i]))
			counter->event[n++] = counter->event[i];
		else if (!counter->event[i].pmu)
			return ompp_counter_lacking(why);       /* a part of the sum */
	}
	counter->n_events = n;
	return n ? 0 : ompp_counter_lacking(why);
}

/* Events by libpfm4: are they the machine's, and of which kind of cores? */
static int place(struct ompp_counter *counter, struct ompp_text *why)
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
			if (!counter->cpus[0])                  /* libpfm4's cpu=… */
				strcpy(counter->cpus, pmu.cpus);
		} else if (pmu.is_core) {
			code->busy |= (uint8_t)ompp_counter_is_busy(code->config);
			code->pmu = n_cores > 1 ? pmu.type : 0;
		}
	}
	return counter->kind == OMPP_COUNTER_NODE ? 0 : ompp_counter_keep_known(counter, why);
}

struct near {
	const char  *name;
	size_t       n_name;
	unsigned int best;
	char         nearest[OMPP_COUNTER_NAME];
};

static int nearer(void *context, const struct ompp_counter *counter)
{
	struct near *near = context;
	unsigned int d = ompp_distance(near->name, near->n_name, counter->name, strlen(counter->name));

	if (d < near->best) {
		near->best = d;
		strcpy(near->nearest, counter->name);
	}
	return 0;
}

static int unknown(const char *name, size_t n_name, struct ompp_text *why)
{
	struct near near = { .name = name, .n_name = n_name, .best = (unsigned int)n_name / 3 + 2 };
	const char *reason = "";

	why->n_bytes = 0;
	ompp_counter_each(nearer, &near);
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

static int find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why)
{
	static int (*const parts[])(const char *, size_t, struct ompp_counter *, struct ompp_text *) = {
		ompp_counter_access_find, ompp_counter_software_find, ompp_counter_preset_find,
		ompp_counter_hardware_find, ompp_counter_sysfs_find, ompp_counter_pfm_find,
	};
	int rc = -ENOENT;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && rc == -ENOENT; i++)
		rc = parts[i](name, n_name, counter, why);
	if (!rc && (counter->source[0] == 'l' || counter->source[0] == 'P'))
		rc = place(counter, why);
	return rc == -ENOENT ? unknown(name, n_name, why) : rc;
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
	rc = find(name, n_name, counter, &t);
	if (rc)
		ompp_text_str(why, cause);
	return rc;
}

int ompp_counter_each(int (*found)(void *context, const struct ompp_counter *counter), void *context)
{
	static int (*const parts[])(ompp_counter_found, void *) = {
		ompp_counter_access_each, ompp_counter_software_each, ompp_counter_preset_each,
		ompp_counter_hardware_each, ompp_counter_sysfs_each, ompp_counter_pfm_each,
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !rc; i++)
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
		ompp_text_str(why, "events of the kernel's software know no data");
		return -ENOTSUP;
	}
	papi = ompp_counter_helper(&reason);
	if (papi)
		rc = papi->restrict_range(name, why);
	else
		ompp_text_str(why, reason);
	return rc;
}
