/*
 * Sample sources: see sample_sources.h.
 */
#include "reports/ompp/sample_sources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/samples/memory_event.h"
#include "runtime/samples/probe_clock.h"
#include "runtime/samples/sampler.h"

static const char *const kind_names[] = {
	[OMPP_MEM_LOADS] = "loads", [OMPP_MEM_STORES] = "stores", [OMPP_MEM_BOTH] = "loads and stores"
};

/* Appends the events as perf(1) takes them: "cpu/config=0x1cd,config1=0x3/". */
static void put_events(struct ompp_text *t, const struct ompp_memory_event *events, int n)
{
	for (int i = 0; i < n; i++) {
		const uint64_t configs[] = { events[i].config, events[i].config1, events[i].config2 };

		ompp_text_str(t, i ? ", " : ": ");
		ompp_text_str(t, events[i].pmu);
		ompp_text_str(t, "/config=0x");
		ompp_text_hex(t, configs[0]);
		for (size_t k = 1; k < OMPP_COUNT_OF(configs); k++)
			if (configs[k]) {
				ompp_text_str(t, k == 1 ? ",config1=0x" : ",config2=0x");
				ompp_text_hex(t, configs[k]);
			}
		ompp_text_char(t, '/');
	}
}

/* Looks for events of the unit and tries them: loads and stores together or, if that fails, only one kind. */
static void try_unit(struct ompp_sample_source *source, enum ompp_memory_unit unit)
{
	static const unsigned int kinds[] = { OMPP_MEM_BOTH, OMPP_MEM_LOADS, OMPP_MEM_STORES };
	struct ompp_memory_event events[OMPP_MEMORY_EVENTS];
	char why[sizeof(source->why)];
	struct ompp_text t;

	source->name = ompp_memory_unit_name(unit);
	source->here = OMPP_SAMPLES_NOT;
	for (size_t i = 0; i < OMPP_COUNT_OF(kinds); i++) {
		int n;

		ompp_text_init(&t, why, sizeof(why));
		n = ompp_memory_events((int)unit, kinds[i], 0, events, &t);
		if (n > 0 && !ompp_sampler_try(events, n, kinds[i], &t)) {
			source->here = OMPP_SAMPLES_COME;
			source->why[0] = '\0';
			ompp_text_init(&t, source->what, sizeof(source->what));
			ompp_text_str(&t, kind_names[kinds[i]]);
			put_events(&t, events, n);
			return;
		}
		if (!i || n > 0) /* the reason why the other kind fails is more useful than that one kind is missing */
			snprintf(source->why, sizeof(source->why), "%s", why);
		if (n == -ENODEV)
			return;
	}
}

static void try_faults(struct ompp_sample_source *source)
{
	struct ompp_memory_event event;
	struct ompp_text why;

	ompp_memory_faults(&event, 0);
	*source = (struct ompp_sample_source){ .name = "touch",
		                               .what = "page faults, with every other source, too: which "
		                                       "thread touched which page first" };
	ompp_text_init(&why, source->why, sizeof(source->why));
	if (ompp_sampler_try(&event, 1, OMPP_MEM_NEITHER, &why))
		source->here = OMPP_SAMPLES_NOT;
}

#ifdef __aarch64__
#define HOOKS_WHERE "; where cntvct_el0 has 500 MHz or more"
#else
#define HOOKS_WHERE ""
#endif

static void say_hooks(struct ompp_sample_source *source)
{
	struct ompp_text why;

	*source = (struct ompp_sample_source){ .name = "hook",
		                               .here = OMPP_SAMPLES_WITH_HOOKS,
		                               .what = "loads and stores, timed by loads of its own, without any "
		                                       "rights, in programs built with kinst --access" HOOKS_WHERE };
	ompp_text_init(&why, source->why, sizeof(source->why));
	if (!ompp_probe_has_clock(&why)) {
		source->here = OMPP_SAMPLES_NOT;
		ompp_text_str(&why, "; use touch");
	}
}

/* The sources in the order in which `auto` takes them. */
static void look_up(size_t i, struct ompp_sample_source *source)
{
	static const enum ompp_memory_unit units[] = { OMPP_UNIT_PEBS, OMPP_UNIT_IBS, OMPP_UNIT_SPE };

	*source = (struct ompp_sample_source){ .here = OMPP_SAMPLES_NOT };
	if (i < OMPP_COUNT_OF(units))
		try_unit(source, units[i]);
	else if (i == OMPP_COUNT_OF(units))
		say_hooks(source);
	else
		try_faults(source);
}

void ompp_sample_sources(struct ompp_sample_source sources[OMPP_SAMPLE_SOURCES])
{
	for (size_t i = 0; i < OMPP_SAMPLE_SOURCES; i++)
		look_up(i, &sources[i]);
}

int ompp_sample_source_look_up(const char *name, struct ompp_sample_source *source)
{
	static const char *const names[OMPP_SAMPLE_SOURCES] = { "pebs", "ibs", "spe", "hook", "touch" };

	for (size_t i = 0; i < OMPP_SAMPLE_SOURCES; i++)
		if (!strcmp(name, names[i])) {
			look_up(i, source);
			return 0;
		}
	return -1;
}
