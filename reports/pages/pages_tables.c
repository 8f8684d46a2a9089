/*
 * Pages tables: pages by object, by region, one by one, and their history.
 */
#include "reports/pages/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/pages/pages_variables.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

enum { FEW_ROWS = 40, NAME_BYTES = 4096 };

int ompp_pages_no_memory(void)
{
	ompp_complain("pages", "not enough memory");
	return OMPP_EXIT_FAILED;
}

const char *ompp_pages_heading(struct ompp_flow_look *look, const char *what)
{
	const struct ompp_flow_info *info = ompp_flow_info(look->flow);
	char buffer[NAME_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, what);
	ompp_text_str(&t, "\n(exact, by ");
	ompp_text_str(&t, info->method[0] ? info->method : "an unknown method");
	if (info->interval_ns) {
		ompp_text_str(&t, "; intervals of ");
		ompp_text_u64(&t, info->interval_ns / 1000000);
		ompp_text_str(&t, " ms");
	} else {
		ompp_text_str(&t, "; intervals: each stay in a region");
	}
	ompp_text_str(&t, "; pages of ");
	ompp_text_u64(&t, info->page_bytes);
	ompp_text_str(&t, " bytes");
	if (ompp_pages_has(look, OMPP_FLOW_WRITTEN)) {
		ompp_text_str(&t, ";\nnot seen: ");
		ompp_text_str(&t, info->unseen);
	}
	ompp_text_str(&t, ")");
	return ompp_arena_strdup(look->arena, buffer);
}

static void add_ms(struct ompp_text *t, uint64_t ns)
{
	ompp_text_u64(t, (ns + 999999) / 1000000);
	ompp_text_str(t, " ms");
}

const char *ompp_pages_timed_heading(struct ompp_flow_look *look, const char *what)
{
	const struct ompp_flow_info *info = ompp_flow_info(look->flow);
	struct ompp_pages_worth worth = ompp_pages_worth(look);
	char buffer[NAME_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, ompp_pages_heading(look, what));
	ompp_text_str(&t, "\n(a use is some time between its begin and its end, which are at most ");
	add_ms(&t, worth.n > worth.n_long ? worth.short_ns : worth.longest_ns);
	ompp_text_str(&t, " apart");
	if (worth.n_long && worth.n > worth.n_long) {
		ompp_text_str(&t, ", of ");
		ompp_text_u64(&t, worth.n_long);
		ompp_text_str(&t, " of ");
		ompp_text_u64(&t, worth.n);
		ompp_text_str(&t, " uses up to ");
		add_ms(&t, worth.longest_ns);
	}
	ompp_text_str(&t, ";\nof uses whose times overlap the order is not known");
	if (info->ahead_ns) {
		ompp_text_str(&t, "; loops that are counted as a whole used pages up to ");
		add_ms(&t, info->ahead_ns);
		ompp_text_str(&t, " behind the end");
	}
	ompp_text_str(&t, ")");
	return ompp_arena_strdup(look->arena, buffer);
}

/* ---- by object, and by region ---- */

/* The pages of one group. */
struct group {
	uint32_t object, region;
	uint64_t n_pages, n_private, n_read_shared, n_write_shared, n_read_only, n_written_once;
	uint64_t n_parts, loads, stores, n_page_intervals, n_threads;
	/* pages to which hooks saw accesses; pages that only the kernel reported as written */
	uint64_t n_counted, n_told;
};

static void add_page(struct group *g, const struct ompp_pages_page *p)
{
	g->n_pages++;
	g->n_counted += p->is_counted;
	g->n_told += p->is_told;
	if (p->n_threads < 2)
		g->n_private += p->is_counted;
	else if (p->n_writers)
		g->n_write_shared++;
	else
		g->n_read_shared++;
	g->n_read_only += !p->n_written;
	g->n_written_once += p->n_written == 1;
	g->n_parts += (uint64_t)__builtin_popcountll(p->parts);
	g->loads += p->loads;
	g->stores += p->stores;
	g->n_page_intervals += p->n_intervals;
}

static int by_group(const void *a, const void *b)
{
	const struct ompp_pages_page *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

static int by_pages(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->n_pages != y->n_pages)
		return x->n_pages > y->n_pages ? -1 : 1;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return (x->region > y->region) - (x->region < y->region);
}

/* Counts the threads of each group; this must be done before pages are moved, as their sets are found by index. */
static struct group *groups_of(struct ompp_pages *p, size_t *n_groups, size_t n_threads)
{
	struct group *groups = calloc(p->n + 1, sizeof(*groups));
	struct ompp_pages_page *sorted = calloc(p->n + 1, sizeof(*sorted));
	unsigned char *seen = calloc(n_threads + 1, 1);
	size_t n = 0;

	if (groups && sorted && seen) {
		for (size_t i = 0; i < p->n; i++) {
			sorted[i] = p->all[i];
			sorted[i].index = i; /* where its sets are */
		}
		qsort(sorted, p->n, sizeof(*sorted), by_group);
		for (size_t i = 0; i < p->n; i++) {
			if (!i || sorted[i].group != sorted[i - 1].group) {
				groups[n++] = (struct group){ .object = sorted[i].object, .region = sorted[i].region };
				memset(seen, 0, n_threads);
			}
			add_page(&groups[n - 1], &sorted[i]);
			for (uint32_t t = 0; t < n_threads; t++)
				if (!seen[t] && ompp_pages_uses(p, (size_t)sorted[i].index, t)) {
					seen[t] = 1;
					groups[n - 1].n_threads++;
				}
		}
		qsort(groups, n, sizeof(*groups), by_pages);
	} else {
		free(groups);
		groups = NULL;
	}
	free(sorted);
	free(seen);
	*n_groups = n;
	return groups;
}

/* Puts a number that is known only from hooks. */
static void counted_value(struct ompp_flow_look *look, const struct group *g, uint64_t n)
{
	if (g->n_counted)
		ompp_flow_count_value(look, n);
	else
		ompp_flow_number(look, OMPP_FLOW_NONE);
}

static int show_groups(struct ompp_flow_look *look, enum ompp_pages_groups by, const char *what)
{
	static const char *const titles[] = { "pages",    "threads",   "private",     "shared r",
		                              "shared w", "only read", "once written" };
	struct ompp_pages pages;
	struct group *groups;
	size_t n;

	if (ompp_pages_sum(look, by, &pages))
		return OMPP_EXIT_FAILED;
	groups = groups_of(&pages, &n, ompp_flow_n_threads(look->flow));
	if (!groups) {
		ompp_pages_free(&pages);
		return ompp_pages_no_memory();
	}
	ompp_flow_table(look, "", ompp_pages_heading(look, what));
	if (by == OMPP_PAGES_BY_REGION)
		ompp_flow_left(look, "region", OMPP_IN_BOTH);
	ompp_flow_left(look, "object", OMPP_IN_BOTH);
	for (size_t i = 0; i < OMPP_COUNT_OF(titles); i++)
		ompp_flow_column(look, titles[i], OMPP_IN_BOTH);
	ompp_flow_columns(look, OMPP_IN_BOTH, "used %", "loads", "stores");
	ompp_flow_column(look, "page intervals", OMPP_IN_RECORDS);
	ompp_flow_column(look, "no hooks", pages.has_told ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
	for (size_t i = 0; i < n && (!look->top || i < look->top); i++) {
		const struct group *g = &groups[i];

		if (by == OMPP_PAGES_BY_REGION)
			ompp_flow_text(look, ompp_flow_region_name(look, g->region));
		ompp_flow_text(look, ompp_flow_object_name(look, g->object));
		ompp_flow_count_value(look, g->n_pages);
		counted_value(look, g, g->n_threads);
		counted_value(look, g, g->n_private);
		counted_value(look, g, g->n_read_shared);
		counted_value(look, g, g->n_write_shared);
		counted_value(look, g, g->n_read_only);
		ompp_flow_count_value(look, g->n_written_once);
		ompp_table_number(&look->table, OMPP_KIND_SHARE,
		                  ompp_share(ompp_count(g->n_parts), ompp_count(g->n_counted * 64)));
		counted_value(look, g, g->loads);
		counted_value(look, g, g->stores);
		ompp_flow_count_value(look, g->n_page_intervals);
		if (pages.has_told)
			ompp_flow_count_value(look, g->n_told);
		else
			ompp_flow_number(look, OMPP_FLOW_NONE);
	}
	free(groups);
	ompp_pages_free(&pages);
	return ompp_flow_print(look);
}

int ompp_pages_objects_view(struct ompp_flow_look *look)
{
	return show_groups(look, OMPP_PAGES_BY_OBJECT, "Pages of each object, by their use over the run:");
}

int ompp_pages_regions_view(struct ompp_flow_look *look)
{
	return show_groups(look, OMPP_PAGES_BY_REGION, "Pages of each object, by their use in each region:");
}

/* ---- page by page ---- */

static int by_accesses(const void *a, const void *b)
{
	const struct ompp_pages_page *x = a, *y = b;
	uint64_t n = x->loads + x->stores, m = y->loads + y->stores;

	if (n != m)
		return n > m ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

/* The threads of a set, as "0-3 8". */
static const char *threads_of(struct ompp_flow_look *look, const struct ompp_pages *p, size_t page,
                              int (*is_in)(const struct ompp_pages *p, size_t page, uint32_t thread))
{
	uint32_t n = (uint32_t)ompp_flow_n_threads(look->flow), last;
	char buffer[NAME_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	for (uint32_t i = 0; i < n; i = last + 1) {
		last = i;
		if (!is_in(p, page, i))
			continue;
		while (last + 1 < n && is_in(p, page, last + 1))
			last++;
		ompp_text_str(&t, t.n_bytes ? " " : "");
		ompp_text_u64(&t, i);
		if (last > i) {
			ompp_text_char(&t, '-');
			ompp_text_u64(&t, last);
		}
	}
	return ompp_arena_strdup(look->arena, buffer);
}

static const char *sharing_of(const struct ompp_pages_page *p)
{
	if (!p->is_counted)
		return "";
	return p->n_threads < 2 ? "private" : p->n_writers ? "shared written" : "shared read";
}

/* Puts how a page was used, if hooks saw that. */
static void use_values(struct ompp_flow_look *look, int is_counted, uint64_t loads, uint64_t stores, uint64_t parts)
{
	const int64_t values[] = { ompp_count(loads), ompp_count(stores) };

	for (size_t i = 0; i < OMPP_COUNT_OF(values); i++)
		ompp_table_number(&look->table, OMPP_KIND_METRIC, is_counted ? values[i] : OMPP_MISSING);
	ompp_table_number(&look->table, OMPP_KIND_SHARE,
	                  is_counted ? ompp_share(__builtin_popcountll(parts), 64) : OMPP_MISSING);
}

/* Puts the size of a page, if it is known. */
static void size_value(struct ompp_flow_look *look, uint64_t n_bytes)
{
	ompp_table_number(&look->table, OMPP_KIND_METRIC, n_bytes ? ompp_count(n_bytes) : OMPP_MISSING);
}

static void page_columns(struct ompp_flow_look *look, int has_variables)
{
	ompp_flow_left(look, "page", OMPP_IN_BOTH);
	ompp_flow_left(look, "object", OMPP_IN_BOTH);
	ompp_flow_left(look, "use", OMPP_IN_BOTH);
	ompp_flow_left(look, "threads", OMPP_IN_BOTH);
	ompp_flow_left(look, "writers", OMPP_IN_BOTH);
	ompp_flow_columns(look, OMPP_IN_BOTH, "loads", "stores", "used %", "intervals", "written in", "from", "to",
	                  "node", "moved", "page bytes");
	ompp_flow_column(look, "first thread", OMPP_IN_RECORDS);
	ompp_flow_left(look, "small variables there", has_variables ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
}

int ompp_pages_pages_view(struct ompp_flow_look *look)
{
	size_t top = look->top ? look->top : look->look.is_text ? FEW_ROWS : SIZE_MAX;
	struct ompp_pages_variables variables = { 0 };
	struct ompp_pages_page *sorted;
	struct ompp_pages pages;

	if (ompp_pages_sum(look, OMPP_PAGES_BY_ADDRESS, &pages))
		return OMPP_EXIT_FAILED;
	sorted = calloc(pages.n + 1, sizeof(*sorted));
	if (!sorted || ompp_pages_variables(look, &variables)) {
		free(sorted);
		ompp_pages_free(&pages);
		return ompp_pages_no_memory();
	}
	for (size_t i = 0; i < pages.n; i++) {
		sorted[i] = pages.all[i];
		sorted[i].index = i; /* where its sets are */
	}
	qsort(sorted, pages.n, sizeof(*sorted), by_accesses);
	ompp_flow_table(look, "", ompp_pages_heading(look, "Pages with the most accesses first (--top=N shows more):"));
	page_columns(look, variables.n > 0);
	for (size_t i = 0; i < pages.n && i < top; i++) {
		const struct ompp_pages_page *p = &sorted[i];

		ompp_flow_hex(look, p->address);
		ompp_flow_text(look, ompp_flow_object_name(look, p->object));
		ompp_flow_text(look, sharing_of(p));
		ompp_flow_text(look, threads_of(look, &pages, (size_t)p->index, ompp_pages_uses));
		ompp_flow_text(look, threads_of(look, &pages, (size_t)p->index, ompp_pages_writes));
		use_values(look, p->is_counted, p->loads, p->stores, p->parts);
		ompp_flow_count_value(look, p->n_intervals);
		ompp_flow_count_value(look, p->n_written);
		ompp_flow_time(look, p->first_ns);
		ompp_flow_time(look, p->last_ns);
		ompp_flow_number(look, p->home);
		if (p->home != OMPP_FLOW_NONE)
			ompp_flow_count_value(look, p->n_moved);
		else
			ompp_flow_number(look, OMPP_FLOW_NONE);
		size_value(look, p->page_bytes);
		ompp_flow_number(look, p->first_thread);
		ompp_flow_text(look, ompp_pages_variables_in(look, &variables, p));
	}
	free(variables.all);
	free(sorted);
	ompp_pages_free(&pages);
	return ompp_flow_print(look);
}

int ompp_pages_history_view(struct ompp_flow_look *look)
{
	size_t top = look->top ? look->top : SIZE_MAX, n = 0;
	struct ompp_flow_event e;

	ompp_flow_table(look, "",
	                ompp_pages_timed_heading(look, "Uses in the order of time, of neighbours that were used alike "
	                                               "together:"));
	ompp_flow_columns(look, OMPP_IN_BOTH, "from", "to", "thread", "cpu");
	ompp_flow_left(look, "first page", OMPP_IN_BOTH);
	ompp_flow_columns(look, OMPP_IN_BOTH, "pages", "loads each", "stores each", "used %", "node");
	ompp_flow_left(look, "object", OMPP_IN_BOTH);
	ompp_flow_left(look, "region", OMPP_IN_BOTH);
	ompp_flow_column(look, "page bytes", OMPP_IN_BOTH);
	for (size_t at = 0; n < top && ompp_pages_next(look, &at, &e); n++) {
		ompp_flow_time(look, e.time_ns);
		ompp_flow_time(look, e.until_ns);
		ompp_flow_number(look, e.thread);
		ompp_flow_number(look, e.cpu);
		ompp_flow_hex(look, e.address);
		ompp_flow_count_value(look, e.n_pages);
		use_values(look, e.kind == OMPP_FLOW_USE, e.loads, e.stores, e.parts);
		ompp_flow_number(look, e.home);
		ompp_flow_text(look, ompp_flow_objects_name(look, &e));
		ompp_flow_text(look, ompp_flow_region_name(look, e.region));
		size_value(look, e.page_bytes);
	}
	return ompp_flow_print(look);
}
