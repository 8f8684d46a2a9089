/*
 * Counters: ompp counters.  What this machine can count, tried, and what it cannot and why; what a name
 * means.
 */
#include "reports/ompp/ompp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/counter.h"
#include "runtime/base/counter_try.h"
#include "runtime/base/text.h"

#define LOOP "a loop with arithmetic, loads, stores, branches and new pages"

enum { WHY_BYTES = 256, NAMES_SHOWN = 4, FIRST_NAME = 16 };

struct request { const char **names; size_t n_names; int is_csv, all; };

/* ZERO: it opens, but counted nothing around the loop, which need not have such events. */
enum status { COUNTS, ZERO, TOLD, BY_HOOKS, NOT };

struct entry {
	struct ompp_counter counter;
	enum status         status;
	int                 rc;                 /* of ompp_counter_find() */
	int64_t             value;              /* COUNTS: of the known loop */
	char                why[WHY_BYTES];     /* NOT, TOLD */
};

struct entries { struct entry *items; size_t n, n_room; int failed; };

/* ---- the command line ---- */

static const char *option_name(size_t i)
{
	static const char *const names[] = { "--all", "--format", "--help" };

	return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}

/* 0, or the exit status + 1. */
static int parse(int argc, char **argv, struct request *r)
{
	for (int i = 1; i < argc; i++) {
		const char *value, *near;

		if (argv[i][0] != '-') {
			r->names[r->n_names++] = argv[i];
		} else if (ompp_is_help(argv[i])) {
			return 1 + ompp_help_about("counters");
		} else if (!strcmp(argv[i], "--all")) {
			r->all = 1;
		} else if ((value = ompp_option_argument(argc, argv, &i, "format"))) {
			if (ompp_format_known(value, &r->is_csv))
				return 1 + OMPP_EXIT_USAGE;
		} else {
			near = ompp_nearest_typed(argv[i], option_name);
			ompp_complain(argv[i], "unknown option; %s%s",
			              near ? "did you mean " : "'ompp help counters' lists them", near ? near : "");
			return 1 + OMPP_EXIT_USAGE;
		}
	}
	return 0;
}

/* ---- trying ---- */

static int is_not_permitted(int rc)
{
	return rc == -EACCES || rc == -EPERM || rc == -ENOSYS;
}

/* What a name means, and whether it counts here. */
static void look_up(struct entry *e, const char *name)
{
	struct ompp_text why;
	int rc;

	memset(e, 0, sizeof(*e));
	ompp_text_init(&why, e->why, sizeof(e->why));
	e->rc = ompp_counter_find(name, strlen(name), &e->counter, &why);
	e->status = NOT;
	if (e->counter.kind == OMPP_COUNTER_ACCESS && e->rc != -EINVAL && e->rc != -ENOENT) {
		e->status = BY_HOOKS;
		return;
	}
	if (e->rc)
		return;
	rc = ompp_counter_try(&e->counter, &e->value, &why);
	if (!rc)
		e->status = e->value || e->counter.event[0].software ? COUNTS : ZERO;
	else if (is_not_permitted(rc) && e->counter.n_events == 1 && ompp_counter_own(&e->counter.event[0]))
		e->status = TOLD;
}

static int collect(void *context, const struct ompp_counter *counter)
{
	struct entries *all = context;
	const char *what = counter->what;

	if (all->n == all->n_room) {
		size_t n = all->n_room ? 2 * all->n_room : 256;
		struct entry *items = realloc(all->items, n * sizeof(*items));

		if (!items) {
			all->failed = 1;
			return 1;
		}
		all->items = items;
		all->n_room = n;
	}
	look_up(&all->items[all->n], counter->name);
	all->items[all->n].counter.what = what;
	all->items[all->n].counter.source = counter->source;
	all->n++;
	return 0;
}

/* ---- CSV ---- */

static void put_field(const char *s, char end)
{
	ompp_csv_field(s);
	putchar(end);
}

static const char *scope(const struct entry *e)
{
	return e->counter.kind == OMPP_COUNTER_NODE ? "machine" : "thread";
}

static void print_csv_row(const struct entry *e)
{
	static const char *const here[] = { "yes", "zero", "yes", "hooks", "no" };
	int is_known = e->rc != -ENOENT && e->rc != -EINVAL;

	put_field(e->counter.name, ',');
	put_field(is_known ? e->counter.source : "-", ',');
	put_field(is_known ? scope(e) : "-", ',');
	put_field(is_known && e->counter.unit[0] ? e->counter.unit : "-", ',');
	put_field(here[e->status], ',');
	put_field(is_known ? e->counter.what : "-", ',');
	put_field(e->why[0] ? e->why : "-", '\n');
}

static void print_csv(const struct entry *entries, size_t n, int all)
{
	puts("name,source,counts,unit,here,description,reason");
	for (size_t i = 0; i < n; i++)
		if (all || entries[i].status != NOT)
			print_csv_row(&entries[i]);
}

/* ---- the list ---- */

struct section { const char *source, *title; enum ompp_counter_kind kind; };

static const struct section sections[] = {
	{ "kernel", "Software events of the kernel", OMPP_COUNTER_THREAD },
	{ "hooks", "Access counts, in programs built with kinst --access; of one data object: ACC_LD(object)",
	  OMPP_COUNTER_ACCESS },
	{ "PAPI", "PAPI's presets", OMPP_COUNTER_THREAD },
	{ "PAPI", "PAPI's presets, by access counts, in programs built with kinst --access", OMPP_COUNTER_ACCESS },
	{ "perf", "Events of perf and of PMUs", OMPP_COUNTER_THREAD },
	{ "libpfm4", "Native events, by libpfm4's names", OMPP_COUNTER_THREAD },
	{ "perf", "Of the whole machine, shown by NUMA node", OMPP_COUNTER_NODE },
	{ "libpfm4", "Of the whole machine, by libpfm4's names, shown by NUMA node", OMPP_COUNTER_NODE },
};

static int is_in(const struct section *s, const struct entry *e)
{
	return e->counter.kind == s->kind && !strcmp(e->counter.source, s->source);
}

static void print_names(const struct entries *all)
{
	size_t width = FIRST_NAME;

	for (size_t i = 0; i < all->n; i++)
		if (all->items[i].status != NOT && strlen(all->items[i].counter.name) > width)
			width = strlen(all->items[i].counter.name);
	if (width > 40)
		width = 40;
	for (size_t k = 0; k < sizeof(sections) / sizeof(sections[0]); k++) {
		int is_first = 1;

		for (size_t i = 0; i < all->n; i++) {
			const struct entry *e = &all->items[i];

			if (e->status == NOT || !is_in(&sections[k], e))
				continue;
			if (is_first)
				printf("\n%s\n", sections[k].title);
			is_first = 0;
			printf("  %-*s  %s", (int)width, e->counter.name, e->counter.what);
			if (e->counter.unit[0])
				printf(" (%s)", e->counter.unit);
			if (e->counter.kind == OMPP_COUNTER_NODE)
				printf("; CPUs %s", e->counter.cpus);
			if (e->status == ZERO)
				printf("; 0 in the test");
			putchar('\n');
		}
	}
}

static void print_groups(void)
{
	const char *name;

	puts("\nReady groups");
	for (size_t i = 0; (name = ompp_counter_group_name(i)); i++) {
		struct ompp_counter_group group;
		char why[WHY_BYTES];
		struct ompp_text t;

		ompp_text_init(&t, why, sizeof(why));
		if (ompp_counter_group_find(name, strlen(name), &group, &t))
			printf("  %-8s  not here: %.*s\n", name, (int)strcspn(why, ";"), why);
		else
			printf("  %-8s  %s: %s\n", name, group.what, group.counters);
	}
}

static int is_reason_of(const struct entry *e, const char *why)
{
	return e->status == NOT && !strcmp(e->why, why);
}

/* One line for each reason, with the first names or all. */
static void print_reasons(const struct entries *all, int with_names)
{
	int is_first = 1;

	for (size_t i = 0; i < all->n; i++) {
		const struct entry *e = &all->items[i];
		size_t n = 0, k;

		for (k = 0; k < i && !is_reason_of(&all->items[k], e->why); k++)
			;
		if (e->status != NOT || k < i)
			continue;
		if (is_first)
			puts("\nNot counted here");
		is_first = 0;
		for (k = i; k < all->n; k++)
			if (is_reason_of(&all->items[k], e->why) && n++ < NAMES_SHOWN && !with_names)
				printf("%s%s", n == 1 ? "  " : ", ", all->items[k].counter.name);
		if (n > NAMES_SHOWN && !with_names)
			printf(" and %zu more", n - NAMES_SHOWN);
		printf("%s%s\n", with_names ? "  " : ": ", e->why);
		for (k = i; k < all->n && with_names; k++)
			if (is_reason_of(&all->items[k], e->why))
				printf("    %-24s  %s\n", all->items[k].counter.name, all->items[k].counter.what);
	}
}

/* What the helper would have added, and the settings that decide. */
static void print_state(void)
{
	const char *why = ompp_counter_helper_reason();
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
	int level;

	printf("Counters for OMPP_CTR=name,name: %s in this machine", ompp_counter_has_pmu() ? "a PMU" : "no PMU");
	if (f && fscanf(f, "%d", &level) == 1)
		printf("; kernel.perf_event_paranoid is %d", level);
	putchar('\n');
	if (f)
		fclose(f);
	if (why[0])
		printf("PAPI and libpfm4 cannot be asked: %s\n", why);
}

static int is_preset(const struct entry *e)
{
	return !strncmp(e->counter.name, "PAPI_", 5) && !strcmp(e->counter.source, "PAPI");
}

/* PAPI goes by what it knows of the processor, the kernel by the PMU that it found: a virtual machine may have none. */
static void print_disagreement(const struct entries *all)
{
	const char *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct entry *e = &all->items[i];

		if (e->status != NOT || !is_preset(e) || !ompp_counter_papi_has(e->counter.name))
			continue;
		if (!n++)
			first = e->counter.name;
	}
	if (n)
		printf("PAPI calls %zu preset%s available, as %s, that the kernel does not count here; the kernel is right\n",
		       n, n == 1 ? "" : "s", first);
}

static int list(const struct request *r)
{
	struct entries all = { 0 };

	ompp_counter_each(collect, &all);
	if (all.failed) {
		ompp_complain("counters", "not enough memory");
	} else if (r->is_csv) {
		print_csv(all.items, all.n, r->all);
	} else {
		print_state();
		print_disagreement(&all);
		print_names(&all);
		print_groups();
		print_reasons(&all, r->all);
	}
	free(all.items);
	return all.failed ? OMPP_EXIT_FAILED : 0;
}

/* ---- one name ---- */

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

struct twins { const struct ompp_counter *counter; int n; };

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

/* Other names of the same. */
static int show_twin(void *context, const struct ompp_counter *counter)
{
	struct twins *twins = context;
	struct ompp_counter other;
	char why[WHY_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, why, sizeof(why));
	if (!strcmp(counter->name, twins->counter->name) ||
	    ompp_counter_find(counter->name, strlen(counter->name), &other, &t) || !is_same(&other, twins->counter))
		return 0;
	printf("%s%s", twins->n++ ? ", " : "  also      ", counter->name);
	return 0;
}

static void print_here(const struct entry *e)
{
	const struct ompp_counter *c = &e->counter;

	printf("  %-10s", "here");
	switch (e->status) {
	case COUNTS:
		printf("counts: %lld%s%s in " LOOP "\n", (long long)e->value, c->unit[0] ? " " : "", c->unit);
		break;
	case ZERO:
		puts("opens, but counts 0 in " LOOP);
		break;
	case TOLD:
		printf("counted by getrusage and the thread's clock, as %s\n", e->why);
		break;
	case BY_HOOKS:
		puts("counted in programs built with kinst --access");
		break;
	case NOT:
		printf("not counted: %s\n", e->why);
	}
}

static void print_papi(const struct entry *e)
{
	int has = ompp_counter_papi_has(e->counter.name);

	if (e->status == NOT && has)
		printf("  %-10scalls it available; the kernel does not count it, and is right\n", "PAPI");
	if ((e->status == COUNTS || e->status == ZERO) && !has)
		printf("  %-10sdoes not have it here; it is counted as the same event of perf\n", "PAPI");
}

static int is_of_caches(const struct ompp_counter *c)
{
	return strstr(c->what, "cache") && strstr(c->what, "miss");
}

static void explain(const struct entry *e)
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
	if (is_preset(e))
		print_papi(e);
	if (c->n_events)
		ompp_counter_each(show_twin, &twins);
	if (twins.n)
		putchar('\n');
	if (e->status == NOT && is_of_caches(c))
		printf("  %-10sOMPP_CACHE=1 models misses in programs built with kinst --access\n", "instead");
}

/* 0 or 1, an exit status. */
static int explain_group(const char *name)
{
	struct ompp_counter_group group;
	char why[WHY_BYTES];
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

static int explain_names(const struct request *r)
{
	int status = 0;

	for (size_t i = 0; i < r->n_names; i++) {
		struct entry e;

		if (r->names[i][0] == '@') {
			status |= explain_group(r->names[i]);
			continue;
		}
		look_up(&e, r->names[i]);
		if (e.rc == -ENOENT || e.rc == -EINVAL) {
			ompp_complain(r->names[i], "%s", e.why);
			status = OMPP_EXIT_FAILED;
		} else {
			explain(&e);
		}
	}
	return status;
}

static int names_csv(const struct request *r)
{
	int status = 0;

	print_csv(NULL, 0, 0);
	for (size_t i = 0; i < r->n_names; i++) {
		struct entry e;

		look_up(&e, r->names[i]);
		if (e.rc == -ENOENT || e.rc == -EINVAL) {
			ompp_complain(r->names[i], "%s", e.why);
			status = OMPP_EXIT_FAILED;
		} else {
			print_csv_row(&e);
		}
	}
	return status;
}

int ompp_counters(int argc, char **argv)
{
	struct request r = { .names = calloc((size_t)argc, sizeof(char *)) };
	int status = r.names ? parse(argc, argv, &r) : 1 + OMPP_EXIT_FAILED;

	if (status)
		status--;
	else if (!r.n_names)
		status = list(&r);
	else
		status = r.is_csv ? names_csv(&r) : explain_names(&r);
	free(r.names);
	return status;
}
