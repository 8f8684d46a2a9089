/*
 * Counter list: see counter_list.h.
 */
#include "runtime/counters/counter_list.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/text.h"
#include "runtime/counters/pmu.h"

int ompp_counter_hooked;

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

/* Where sysfs cannot be read, the machine has no PMU only if the kernel answers plainly that there is none. */
int ompp_counter_has_pmu(void)
{
	static const struct ompp_event_code cycles = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
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
			return ompp_counter_lacking(why); /* one part of the sum is missing */
	}
	counter->n_events = n;
	return n ? 0 : ompp_counter_lacking(why);
}
