/*
 * Counters: ompp counters.  It tries what this machine can count and sample, and says why the rest is not possible.
 */
#include "reports/command/arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/command/command_line.h"
#include "reports/command/listing.h"
#include "reports/ompp/counter_entry.h"
#include "reports/ompp/counter_explain.h"
#include "reports/ompp/sample_sources.h"
#include "reports/report.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

enum { NAMES_SHOWN = 4, FIRST_NAME = 16 };

struct request {
	char **names;
	size_t n_names;
	const char *format;
	int all;
};

struct entries {
	struct ompp_counter_entry *items;
	size_t n, n_room;
	int failed;
};

/* ---- the command line ---- */

static const struct ompp_command_option options[] = {
	OMPP_SWITCH_ROW("all", struct request, all, "also the names of what is not counted here"),
	OMPP_FORMAT_ROW(ompp_take_format, ompp_report_format, struct request, format, "WORDS"),
};

/* ---- trying ---- */

static int counters_collect(void *context, const struct ompp_counter *counter)
{
	struct entries *all = context;
	const char *what = counter->what;

	if (all->n == all->n_room) {
		size_t n = all->n_room ? 2 * all->n_room : 256;
		struct ompp_counter_entry *items = realloc(all->items, n * sizeof(*items));

		if (!items) {
			all->failed = 1;
			return 1;
		}
		all->items = items;
		all->n_room = n;
	}
	ompp_counter_look_up(&all->items[all->n], counter->name);
	all->items[all->n].counter.what = what;
	all->items[all->n].counter.source = counter->source;
	all->n++;
	return 0;
}

/* ---- for programs ---- */

static const char *counters_scope(const struct ompp_counter_entry *e)
{
	return e->counter.kind == OMPP_COUNTER_NODE ? "machine" : "thread";
}

static void put_record(struct ompp_table *table, const struct ompp_counter_entry *e)
{
	static const char *const here[] = {
		[OMPP_HERE_COUNTS] = "yes",     [OMPP_HERE_ZERO] = "zero",    [OMPP_HERE_TOLD] = "yes",
		[OMPP_HERE_BY_HOOKS] = "hooks", [OMPP_HERE_BY_WORK] = "work", [OMPP_HERE_NOT] = "no",
	};
	int is_known = !ompp_counter_is_unknown(e);

	ompp_table_text(table, e->counter.name);
	ompp_table_text(table, is_known ? e->counter.source : "-");
	ompp_table_text(table, is_known ? counters_scope(e) : "-");
	ompp_table_text(table, is_known && e->counter.unit[0] ? e->counter.unit : "-");
	ompp_table_text(table, here[e->here]);
	ompp_table_text(table, is_known ? e->counter.what : "-");
	ompp_table_text(table, e->why[0] ? e->why : "-");
}

static void put_source(struct ompp_table *table, const struct ompp_sample_source *s)
{
	static const char *const here[] = { "yes", "hooks", "no" };

	ompp_table_text(table, ompp_arena_strdup(table->arena, s->name));
	ompp_table_text(table, "samples");
	ompp_table_text(table, "thread");
	ompp_table_text(table, "-");
	ompp_table_text(table, here[s->here]);
	ompp_table_text(table, s->what[0] ? ompp_arena_strdup(table->arena, s->what) : "-");
	ompp_table_text(table, s->why[0] ? ompp_arena_strdup(table->arena, s->why) : "-");
}

/* Puts the sources of samples that were asked for; or those that work on this machine, or all. */
static void put_samples(struct ompp_table *table, const struct request *r)
{
	struct ompp_sample_source sources[OMPP_SAMPLE_SOURCES];

	for (size_t i = 0; i < r->n_names; i++)
		if (!ompp_sample_source_look_up(r->names[i], &sources[0]))
			put_source(table, &sources[0]);
	if (r->n_names)
		return;
	ompp_sample_sources(sources);
	for (size_t i = 0; i < OMPP_SAMPLE_SOURCES; i++)
		if (sources[i].here != OMPP_SAMPLES_NOT || r->all)
			put_source(table, &sources[i]);
}

/* Returns the exit status. */
static int print_records(const struct ompp_counter_entry *entries, size_t n, const struct request *r)
{
	static const char *const titles[] = { "name", "source", "counts", "unit", "here", "description", "reason" };
	struct ompp_table table;
	struct ompp_arena arena;
	int status;

	ompp_arena_init(&arena, 0);
	ompp_list_start(&table, &arena, titles, OMPP_COUNT_OF(titles));
	for (size_t i = 0; i < n; i++)
		if (r->n_names || r->all || entries[i].here != OMPP_HERE_NOT)
			put_record(&table, &entries[i]);
	put_samples(&table, r);
	status = ompp_print_table(r->format, &table);
	ompp_arena_fini(&arena);
	return status;
}

static int names_records(const struct request *r)
{
	struct ompp_counter_entry *entries = calloc(r->n_names, sizeof(*entries));
	struct ompp_sample_source source;
	int status = 0, printed;
	size_t n = 0;

	if (!entries) {
		ompp_complain("counters", "not enough memory");
		return OMPP_EXIT_FAILED;
	}
	for (size_t i = 0; i < r->n_names; i++) {
		struct ompp_counter_entry *e = &entries[n];

		if (!ompp_sample_source_look_up(r->names[i], &source))
			continue;
		ompp_counter_look_up(e, r->names[i]);
		if (ompp_counter_is_unknown(e)) {
			ompp_complain(r->names[i], "%s", e->why);
			status = OMPP_EXIT_FAILED;
		} else {
			n++;
		}
	}
	printed = print_records(entries, n, r);
	free(entries);
	return printed ? printed : status;
}

/* ---- the list ---- */

struct section {
	const char *source, *title;
	enum ompp_counter_kind kind;
};

static const struct section sections[] = {
	{ "kernel", "Software events of the kernel", OMPP_COUNTER_THREAD },
	{ "hooks", "Access counts, in programs built with kinst --access; of one data object: ACC_LD(object)",
	  OMPP_COUNTER_ACCESS },
	{ "code", "Operations of the program's code, in programs built with kinst --work", OMPP_COUNTER_WORK },
	{ "PAPI", "PAPI's presets", OMPP_COUNTER_THREAD },
	{ "PAPI", "PAPI's presets, by access counts, in programs built with kinst --access", OMPP_COUNTER_ACCESS },
	{ "perf", "Events of perf and of PMUs", OMPP_COUNTER_THREAD },
	{ "libpfm4", "Native events, by libpfm4's names", OMPP_COUNTER_THREAD },
	{ "perf", "Of the whole machine, shown by NUMA node", OMPP_COUNTER_NODE },
	{ "libpfm4", "Of the whole machine, by libpfm4's names, shown by NUMA node", OMPP_COUNTER_NODE },
};

static int is_in(const struct section *s, const struct ompp_counter_entry *e)
{
	return e->counter.kind == s->kind && !strcmp(e->counter.source, s->source);
}

static void print_names(const struct entries *all)
{
	size_t width = FIRST_NAME;

	for (size_t i = 0; i < all->n; i++)
		if (all->items[i].here != OMPP_HERE_NOT && strlen(all->items[i].counter.name) > width)
			width = strlen(all->items[i].counter.name);
	if (width > 40)
		width = 40;
	for (size_t k = 0; k < OMPP_COUNT_OF(sections); k++) {
		int is_first = 1;

		for (size_t i = 0; i < all->n; i++) {
			const struct ompp_counter_entry *e = &all->items[i];

			if (e->here == OMPP_HERE_NOT || !is_in(&sections[k], e))
				continue;
			if (is_first)
				printf("\n%s\n", sections[k].title);
			is_first = 0;
			printf("  %-*s  %s", (int)width, e->counter.name, e->counter.what);
			if (e->counter.unit[0])
				printf(" (%s)", e->counter.unit);
			if (e->counter.kind == OMPP_COUNTER_NODE)
				printf("; CPUs %s", e->counter.cpus);
			if (e->here == OMPP_HERE_ZERO)
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
		char why[OMPP_WHY_BYTES];
		struct ompp_text t;

		ompp_text_init(&t, why, sizeof(why));
		if (ompp_counter_group_find(name, strlen(name), &group, &t))
			printf("  %-8s  not here: %.*s\n", name, (int)strcspn(why, ";"), why);
		else
			printf("  %-8s  %s: %s\n", name, group.what, group.counters);
	}
}

/* Prints which sources OMPP_SAMPLE can use on this machine, and why not the others. */
static void print_samples(void)
{
	struct ompp_sample_source sources[OMPP_SAMPLE_SOURCES];
	const char *taken = NULL;

	ompp_sample_sources(sources);
	puts("\nSamples of memory accesses, by OMPP_SAMPLE or ompp run --sample");
	for (size_t i = 0; i < OMPP_SAMPLE_SOURCES; i++) {
		const struct ompp_sample_source *s = &sources[i];

		if (s->here == OMPP_SAMPLES_NOT)
			printf("  %-8s  not here: %s\n", s->name, s->why);
		else
			printf("  %-8s  %s\n", s->name, s->what);
		if (s->here != OMPP_SAMPLES_NOT && !taken)
			taken = s->name;
	}
	printf("  %-8s  the first of these that works in the program%s%s\n", "auto", taken ? ", here " : "",
	       taken ? taken : "");
}

static int is_reason_of(const struct ompp_counter_entry *e, const char *why)
{
	return e->here == OMPP_HERE_NOT && !strcmp(e->why, why);
}

/* Prints a line for each reason, with the first names or all. */
static void print_reasons(const struct entries *all, int with_names)
{
	int is_first = 1;

	for (size_t i = 0; i < all->n; i++) {
		const struct ompp_counter_entry *e = &all->items[i];
		size_t n = 0, k;

		for (k = 0; k < i && !is_reason_of(&all->items[k], e->why); k++)
			;
		if (e->here != OMPP_HERE_NOT || k < i)
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

/* Prints what the helper would have added, and the settings that decide. */
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

/* Says where PAPI and the kernel disagree: PAPI goes by what it knows of the processor, the kernel by the PMU that it
 * found, and a virtual machine may have none. */
static void print_disagreement(const struct entries *all)
{
	const char *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct ompp_counter_entry *e = &all->items[i];

		if (e->here != OMPP_HERE_NOT || !ompp_counter_is_preset(e) || !ompp_counter_papi_has(e->counter.name))
			continue;
		if (!n++)
			first = e->counter.name;
	}
	if (n)
		printf("PAPI calls %zu preset%s available, as %s, that the kernel does not count here; the kernel is "
		       "right\n",
		       n, n == 1 ? "" : "s", first);
}

static int counters_list(const struct request *r)
{
	struct entries all = { 0 };
	int status = 0;

	ompp_counter_each(counters_collect, &all);
	if (all.failed) {
		ompp_complain("counters", "not enough memory");
		status = OMPP_EXIT_FAILED;
	} else if (!ompp_report_is_text(r->format)) {
		status = print_records(all.items, all.n, r);
	} else {
		print_state();
		print_disagreement(&all);
		print_names(&all);
		print_groups();
		print_samples();
		print_reasons(&all, r->all);
	}
	free(all.items);
	return status;
}

static int counters_main(int argc, char **argv)
{
	struct request r = { .names = argv, .format = "" };
	int status = ompp_command_words_of(&ompp_counters_command, &r, argc, argv, &r.n_names);

	if (status)
		status--;
	else if (!r.n_names)
		status = counters_list(&r);
	else
		status = ompp_report_is_text(r.format) ? ompp_counters_explain((const char *const *)r.names, r.n_names)
		                                       : names_records(&r);
	return status;
}

const struct ompp_command ompp_counters_command = {
	.name = "counters",
	.usage = "[OPTIONS] [NAME...]",
	.brief = "list what this machine can count, or explain counters",
	.about = "Without NAMEs, tries all counters and lists by source those that this machine can count, as\n"
		 "OMPP_CTR and 'ompp run --ctr' accept them, and those that it cannot, with the reason.\n"
		 "With NAMEs, explains them and says whether they can be counted here.\n"
		 "Names that begin with @ are ready groups.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 } },
	.run = counters_main,
};
