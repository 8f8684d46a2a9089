/*
 * Pages export: the uses of pages as other tools write them.
 *
 * Moca's CSV has a line for each page that a thread used in an interval; that for Framesoc says as well whether another
 * thread used the page in the same interval; its list of producers has the threads of each page in the order of their
 * first uses.  Times are ns of the run.  Physical addresses are empty without OMPP_PAGES_PHYSICAL.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/pages/pages.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

enum { MOST_CPUS = 8192 };

/* Returns the bit of a processor as a hexadecimal number. */
static const char *mask_of(struct ompp_flow_look *look, uint32_t cpu)
{
	char text[MOST_CPUS / 4 + 8];
	size_t n = cpu / 4;

	if (cpu >= MOST_CPUS)
		return "";
	text[0] = '0';
	text[1] = 'x';
	text[2] = "1248"[cpu % 4];
	memset(text + 3, '0', n);
	text[3 + n] = '\0';
	return ompp_arena_strdup(look->arena, text);
}

/* Returns a name that no spreadsheet would run, without control characters. */
static const char *pages_export_harmless(struct ompp_flow_look *look, const char *name)
{
	const char *shown = ompp_arena_strdup(look->arena, ompp_shown(name));

	return shown && shown[0] && strchr("=+-@", shown[0]) && shown[1] ? ompp_table_title("'", shown, look->arena)
	                                                                 : shown;
}

static void pages_export_columns(struct ompp_flow_look *look, int is_framesoc)
{
	static const char *const titles[] = {
		"@Virt", "@Phy", "Nreads", "Nwrites", "CPUMask", "Start", "End", "TaskId"
	};

	look->format = "csv-raw"; /* "@Virt" as Moca has it */
	look->look.is_text = 0;
	ompp_flow_table(look, "", "");
	for (size_t i = 0; i < OMPP_COUNT_OF(titles); i++)
		ompp_flow_left(look, titles[i], OMPP_IN_BOTH);
	if (is_framesoc)
		ompp_flow_left(look, "Shared", OMPP_IN_BOTH);
	ompp_flow_left(look, "PageSize", OMPP_IN_BOTH);
	ompp_flow_left(look, "Region", OMPP_IN_BOTH);
	ompp_flow_left(look, "Object", OMPP_IN_BOTH);
}

/* shared: 0 or 1; negative when that is not asked for */
static void pages_export_line(struct ompp_flow_look *look, const struct ompp_flow_event *e, uint64_t page, int shared)
{
	uint64_t start = ompp_flow_info(look->flow)->start_ns;

	ompp_flow_hex(look, page);
	if (e->physical)
		ompp_flow_hex(look, e->physical + (page - e->address));
	else
		ompp_flow_text(look, "");
	if (e->kind == OMPP_FLOW_USE) {
		ompp_flow_count_value(look, e->loads);
		ompp_flow_count_value(look, e->stores);
	} else { /* written, but the number of stores is not known */
		ompp_flow_number(look, OMPP_FLOW_NONE);
		ompp_flow_number(look, OMPP_FLOW_NONE);
	}
	ompp_flow_text(look, mask_of(look, e->cpu));
	ompp_flow_count_value(look, e->time_ns > start ? e->time_ns - start : 0);
	ompp_flow_count_value(look, e->until_ns > start ? e->until_ns - start : 0);
	ompp_flow_number(look, e->thread);
	if (shared >= 0)
		ompp_flow_number(look, e->kind == OMPP_FLOW_USE ? (uint32_t)shared : OMPP_FLOW_NONE);
	ompp_table_number(&look->table, OMPP_KIND_METRIC, e->page_bytes ? ompp_count(e->page_bytes) : OMPP_MISSING);
	ompp_flow_text(look, pages_export_harmless(look, ompp_flow_region_name(look, e->region)));
	ompp_flow_text(look, pages_export_harmless(look, ompp_flow_objects_name(look, e)));
}

int ompp_pages_csv_view(struct ompp_flow_look *look)
{
	uint64_t page_bytes = ompp_flow_info(look->flow)->page_bytes;
	struct ompp_flow_event e;

	pages_export_columns(look, 0);
	for (size_t at = 0; ompp_pages_next(look, &at, &e);)
		for (uint64_t i = 0; i < e.n_pages; i++)
			pages_export_line(look, &e, e.address + i * page_bytes, -1);
	return ompp_flow_print(look);
}

int ompp_pages_framesoc_view(struct ompp_flow_look *look)
{
	uint64_t page_bytes = ompp_flow_info(look->flow)->page_bytes;
	struct ompp_flow_event e;
	struct ompp_pages pages;

	if (ompp_pages_sum(look, OMPP_PAGES_BY_INTERVAL, &pages))
		return OMPP_EXIT_FAILED;
	pages_export_columns(look, 1);
	for (size_t at = 0; ompp_pages_next(look, &at, &e);)
		for (uint64_t i = 0; i < e.n_pages; i++) {
			uint64_t page = e.address + i * page_bytes;
			size_t k = ompp_pages_find(&pages, page, ompp_pages_interval(look, &e));

			if (k != SIZE_MAX)
				pages_export_line(look, &e, page, pages.all[k].n_threads > 1);
		}
	ompp_pages_free(&pages);
	return ompp_flow_print(look);
}

/* ---- producers ---- */

/* A user of a page, in a list in the order of first uses. */
struct producer {
	uint32_t thread, next;       /* next: index + 1; 0 for the last */
	uint64_t since_ns, until_ns; /* of its first use */
};

static int by_address(const void *a, const void *b)
{
	const struct ompp_pages_page *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* Lists them; those that may have come before one of their predecessors are marked. */
static const char *pages_export_chain(struct ompp_flow_look *look, const struct producer *all, uint32_t i,
                                      const char *mark)
{
	uint64_t latest = 0;
	size_t have = 16 * (ompp_flow_n_threads(look->flow) + 1);
	char *text = ompp_arena_alloc(look->arena, have);
	struct ompp_text t;

	if (!text)
		return "";
	ompp_text_init(&t, text, have);
	for (; i; i = all[i - 1].next) {
		ompp_text_str(&t, t.n_bytes ? " " : "");
		ompp_text_str(&t, all[i - 1].since_ns <= latest ? mark : "");
		latest = all[i - 1].until_ns > latest ? all[i - 1].until_ns : latest;
		ompp_text_u64(&t, all[i - 1].thread);
	}
	return text;
}

int ompp_pages_producers_view(struct ompp_flow_look *look)
{
	uint64_t page_bytes = ompp_flow_info(look->flow)->page_bytes, ahead = ompp_flow_info(look->flow)->ahead_ns;
	struct producer *all = NULL;
	uint32_t *heads, *ends;
	size_t n = 0, have = 0;
	struct ompp_flow_event e;
	struct ompp_pages pages;

	if (ompp_pages_sum(look, OMPP_PAGES_BY_ADDRESS, &pages))
		return OMPP_EXIT_FAILED;
	if (pages.n)
		qsort(pages.all, pages.n, sizeof(*pages.all), by_address);
	for (size_t i = 0; i < pages.n; i++) {
		have += pages.all[i].n_threads;
		pages.all[i].n_threads = 0; /* from here on the number of listed threads */
	}
	ompp_pages_index(&pages);
	all = calloc(have + 1, sizeof(*all));
	heads = calloc(pages.n + 1, sizeof(*heads));
	ends = calloc(pages.n + 1, sizeof(*ends));
	for (size_t at = 0; all && heads && ends && ompp_pages_next(look, &at, &e);)
		for (uint64_t i = 0; e.thread != OMPP_FLOW_NONE && i < e.n_pages; i++) {
			size_t page = ompp_pages_find(&pages, e.address + i * page_bytes, 0);
			uint32_t k;

			if (page == SIZE_MAX)
				continue;
			for (k = heads[page]; k && all[k - 1].thread != e.thread; k = all[k - 1].next)
				;
			if (k || n == have)
				continue;
			all[n++] = (struct producer){ .thread = e.thread,
				                      .since_ns = e.time_ns,
				                      .until_ns = e.until_ns + ahead };
			*(ends[page] ? &all[ends[page] - 1].next : &heads[page]) = (uint32_t)n;
			ends[page] = (uint32_t)n;
		}
	ompp_flow_table(look, "",
	                ompp_pages_timed_heading(look,
	                                         "Pages, and their threads in the order of first uses (~: not known to "
	                                         "be behind those before it):"));
	ompp_flow_left(look, "page", OMPP_IN_BOTH);
	ompp_flow_left(look, "object", OMPP_IN_BOTH);
	ompp_flow_left(look, "threads", OMPP_IN_BOTH);
	ompp_flow_left(look, "known order", OMPP_IN_RECORDS);
	for (size_t i = 0; all && heads && ends && i < pages.n; i++) {
		ompp_flow_hex(look, pages.all[i].address);
		ompp_flow_text(look, ompp_flow_object_name(look, pages.all[i].object));
		ompp_flow_text(look, pages_export_chain(look, all, heads[i], look->look.is_text ? "~" : ""));
		ompp_flow_text(look, pages_export_chain(look, all, heads[i], "~"));
	}
	have = all && heads && ends;
	free(all);
	free(heads);
	free(ends);
	ompp_pages_free(&pages);
	return have ? ompp_flow_print(look) : ompp_pages_no_memory();
}
