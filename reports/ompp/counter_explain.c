/*
 * Counter explain: see counter_explain.h.
 */
#include "reports/ompp/counter_explain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "reports/command/arguments.h"
#include "reports/ompp/counter_entry.h"
#include "reports/ompp/sample_sources.h"
#include "runtime/base/text.h"

#define LOOP "a loop with arithmetic, loads, stores, branches and new pages"

static void print_codes(const struct ompp_counter *c)
{
	for (uint32_t i = 0; i < c->n_events; i++) {
		const struct ompp_event_code *code = &c->event[i];

		printf("  %-10s", i ? "" : "kernel");
		if (code->factor != 1)
			printf("%d × ", code->factor);
		printf("type %u, config 0x%llx", code->type, (unsigned long long)code->config);
		if (code->config1)
			printf(", config1 0x%llx", (unsigned long long)code->config1);
		if (code->config2)
			printf(", config2 0x%llx", (unsigned long long)code->config2);
		if (code->pmu)
			printf(", on the cores of PMU %u", code->pmu);
		puts(code->counts_kernel ? ", in user and kernel mode" : "");
	}
}

struct twins {
	const struct ompp_counter *counter;
	int n;
};

static int is_same(const struct ompp_counter *a, const struct ompp_counter *b)
{
	if (a->n_events != b->n_events || a->kind != b->kind)
		return 0;
	for (uint32_t i = 0; i < a->n_events; i++)
		if (a->event[i].type != b->event[i].type || a->event[i].config != b->event[i].config ||
		    a->event[i].config1 != b->event[i].config1 || a->event[i].factor != b->event[i].factor)
			return 0;
	return 1;
}

/* Prints another name of the same counter. */
static int show_twin(void *context, const struct ompp_counter *counter)
{
	struct twins *twins = context;
	struct ompp_counter other;
	char why[OMPP_WHY_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, why, sizeof(why));
	if (!strcmp(counter->name, twins->counter->name) ||
	    ompp_counter_find(counter->name, strlen(counter->name), &other, &t) || !is_same(&other, twins->counter))
		return 0;
	printf("%s%s", twins->n++ ? ", " : "  also      ", counter->name);
	return 0;
}

static void print_here(const struct ompp_counter_entry *e)
{
	const struct ompp_counter *c = &e->counter;

	printf("  %-10s", "here");
	switch (e->here) {
	case OMPP_HERE_COUNTS:
		printf("counts: %lld%s%s in " LOOP "\n", (long long)e->value, c->unit[0] ? " " : "", c->unit);
		break;
	case OMPP_HERE_ZERO:
		puts("opens, but counts 0 in " LOOP);
		break;
	case OMPP_HERE_TOLD:
		printf("counted by getrusage and the thread's clock, as %s\n", e->why);
		break;
	case OMPP_HERE_BY_HOOKS:
		puts("counted in programs built with kinst --access");
		break;
	case OMPP_HERE_BY_WORK:
		puts("counted in programs built with kinst --work");
		break;
	case OMPP_HERE_NOT:
		printf("not counted: %s\n", e->why);
	}
}

static void print_papi(const struct ompp_counter_entry *e)
{
	int has = ompp_counter_papi_has(e->counter.name);

	if (e->here == OMPP_HERE_NOT && has)
		printf("  %-10scalls it available; the kernel does not count it, and is right\n", "PAPI");
	if ((e->here == OMPP_HERE_COUNTS || e->here == OMPP_HERE_ZERO) && !has)
		printf("  %-10sdoes not have it here; it is counted as the same event of perf\n", "PAPI");
}

static int is_of_caches(const struct ompp_counter *c)
{
	return strstr(c->what, "cache") && strstr(c->what, "miss");
}

static void explain(const struct ompp_counter_entry *e)
{
	const struct ompp_counter *c = &e->counter;
	struct twins twins = { c, 0 };

	printf("%s\n  %-10s%s\n  %-10s%s\n", ompp_shown(c->name), "what", c->what, "source", c->source);
	printf("  %-10s%s\n", "counts",
	       c->kind == OMPP_COUNTER_NODE ? "the whole machine, shown by NUMA node" : "each thread");
	if (c->unit[0])
		printf("  %-10s%s\n", "unit", c->unit);
	if (c->object[0])
		printf("  %-10s%s\n", "object", ompp_shown(c->object));
	if (c->cpus[0])
		printf("  %-10s%s\n", "CPUs", c->cpus);
	print_codes(c);
	print_here(e);
	if (ompp_counter_is_preset(e))
		print_papi(e);
	if (c->n_events)
		ompp_counter_each(show_twin, &twins);
	if (twins.n)
		putchar('\n');
	if (e->here == OMPP_HERE_NOT && is_of_caches(c))
		printf("  %-10sOMPP_CACHE=1 models misses in programs built with kinst --access\n", "instead");
}

/* Returns the exit status. */
static int explain_group(const char *name)
{
	struct ompp_counter_group group;
	char why[OMPP_WHY_BYTES];
	struct ompp_text t;
	int rc;

	ompp_text_init(&t, why, sizeof(why));
	rc = ompp_counter_group_find(name, strlen(name), &group, &t);
	if (rc == -ENOENT) {
		ompp_complain(name, "%s", why);
		return OMPP_EXIT_FAILED;
	}
	printf("%s\n", ompp_shown(name));
	if (rc) {
		printf("  %-10snot counted: %s\n", "here", why);
		return 0;
	}
	printf("  %-10s%s\n  %-10s%s\n", "what", group.what, "counters", group.counters);
	for (size_t i = 0; i < group.n_evals; i++)
		printf("  %-10s%s = %s\n", i ? "" : "computed", group.evals[i].name, group.evals[i].expression);
	return 0;
}

static void explain_samples(const struct ompp_sample_source *s)
{
	printf("%s\n", s->name);
	if (s->what[0])
		printf("  %-10s%s\n", "what", s->what);
	printf("  %-10ssamples of memory accesses, which are no counter: OMPP_SAMPLE=%s, or ompp run --sample=%s\n",
	       "source", s->name, s->name);
	printf("  %-10s%s%s\n", "here",
	       s->here == OMPP_SAMPLES_COME         ? "works"
	       : s->here == OMPP_SAMPLES_WITH_HOOKS ? "works in programs built with kinst --access"
	                                            : "not here: ",
	       s->why);
}

int ompp_counters_explain(const char *const *names, size_t n_names)
{
	int status = 0;

	for (size_t i = 0; i < n_names; i++) {
		struct ompp_sample_source source;
		struct ompp_counter_entry e;

		if (!ompp_sample_source_look_up(names[i], &source)) {
			explain_samples(&source);
			continue;
		}
		if (names[i][0] == '@') {
			status |= explain_group(names[i]);
			continue;
		}
		ompp_counter_look_up(&e, names[i]);
		if (ompp_counter_is_unknown(&e)) {
			ompp_complain(names[i], "%s", e.why);
			status = OMPP_EXIT_FAILED;
		} else {
			explain(&e);
		}
	}
	return status;
}
