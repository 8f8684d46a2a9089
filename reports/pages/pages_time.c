/*
 * Pages time: the working set over time, and from which NUMA node to which one accesses go.
 */
#include <stdlib.h>

#include "reports/pages/pages.h"
#include "runtime/base/array.h"

/* ---- the working set over time ---- */

struct interval {
	uint64_t index, n_pages, n_new, n_written, n_shared, loads, stores;
	uint64_t from_ns, to_ns;
};

/* State of a page during the walk over the events by time, which is also the order of their intervals. */
struct now {
	uint64_t index; /* of its latest use + 1; 0 before the first */
	uint32_t thread;
	int is_written, is_shared;
};

static void add_page(struct interval *v, struct now *now, const struct ompp_flow_event *e)
{
	if (now->index != v->index + 1) {
		v->n_pages++;
		v->n_new += !now->index;
		*now = (struct now){ .index = v->index + 1, .thread = e->thread };
	} else if (now->thread == OMPP_FLOW_NONE) {
		now->thread = e->thread;
	} else if (e->thread != OMPP_FLOW_NONE && now->thread != e->thread && !now->is_shared) {
		now->is_shared = 1;
		v->n_shared++;
	}
	if ((e->stores || e->kind == OMPP_FLOW_WRITTEN) && !now->is_written) {
		now->is_written = 1;
		v->n_written++;
	}
}

/* Adds an event to its interval.  Returns 0 or -1 without memory. */
static int add_event(struct ompp_flow_look *look, const struct ompp_pages *pages, struct now *now,
                     struct interval **all, size_t *n, size_t *have, const struct ompp_flow_event *e)
{
	uint64_t page_bytes = ompp_flow_info(look->flow)->page_bytes, index = ompp_pages_interval(look, e);
	struct interval *v;

	if (!*n || (*all)[*n - 1].index != index) {
		if (*n == *have) {
			*have = *have ? 2 * *have : 64;
			v = realloc(*all, *have * sizeof(*v));
			if (!v)
				return -1;
			*all = v;
		}
		(*all)[(*n)++] = (struct interval){ .index = index, .from_ns = e->time_ns };
	}
	v = &(*all)[*n - 1];
	v->to_ns = e->until_ns > v->to_ns ? e->until_ns : v->to_ns;
	for (uint64_t i = 0; i < e->n_pages; i++) {
		size_t page = ompp_pages_find(pages, e->address + i * page_bytes, 0);

		if (page == SIZE_MAX)
			continue;
		v->loads += e->loads;
		v->stores += e->stores;
		add_page(v, &now[page], e);
	}
	return 0;
}

int ompp_pages_time_view(struct ompp_flow_look *look)
{
	enum { N_OF_WRITES = 3 }; /* the first columns are known without hooks, too */
	static const char *const titles[] = { "pages", "new", "written", "shared", "loads", "stores" };
	struct interval *all = NULL;
	struct ompp_pages pages;
	struct ompp_flow_event e;
	struct now *now;
	size_t n = 0, have = 0;
	int rc = 0, has_counts;

	if (ompp_pages_sum(look, OMPP_PAGES_BY_ADDRESS, &pages))
		return OMPP_EXIT_FAILED;
	has_counts = pages.has_counts;
	now = calloc(pages.n + 1, sizeof(*now));
	for (size_t at = 0; now && !rc && ompp_pages_next(look, &at, &e);)
		rc = add_event(look, &pages, now, &all, &n, &have, &e);
	ompp_pages_free(&pages);
	if (!now || rc) {
		free(now);
		free(all);
		return ompp_pages_no_memory();
	}
	ompp_flow_table(look, "", ompp_pages_timed_heading(look, "Pages that are used in each interval:"));
	ompp_flow_columns(look, OMPP_IN_BOTH, "from", "to");
	for (size_t i = 0; i < OMPP_COUNT_OF(titles); i++)
		ompp_flow_column(look, titles[i], OMPP_IN_BOTH);
	for (size_t i = 0; i < n && (!look->top || i < look->top); i++) {
		const uint64_t numbers[] = { all[i].n_pages,  all[i].n_new, all[i].n_written,
			                     all[i].n_shared, all[i].loads, all[i].stores };

		ompp_flow_time(look, all[i].from_ns);
		ompp_flow_time(look, all[i].to_ns);
		for (size_t k = 0; k < OMPP_COUNT_OF(numbers); k++)
			if (k < N_OF_WRITES || has_counts)
				ompp_flow_count_value(look, numbers[k]);
			else
				ompp_flow_number(look, OMPP_FLOW_NONE);
	}
	free(now);
	free(all);
	return ompp_flow_print(look);
}

/* ---- from node to node ---- */

struct nodes {
	uint64_t loads, stores, n_page_uses;
};

int ompp_pages_nodes_view(struct ompp_flow_look *look)
{
	enum { N = OMPP_FLOW_MOST_NODES + 1 }; /* the last one means not known */
	size_t n_objects = ompp_flow_n_objects(look->flow) + 1;
	struct nodes *sums = calloc(n_objects * N * N, sizeof(*sums));
	struct ompp_flow_event e;

	if (!sums)
		return ompp_pages_no_memory();
	for (size_t at = 0; ompp_pages_next(look, &at, &e);) {
		size_t object = e.object == OMPP_FLOW_NONE ? n_objects - 1 : e.object;
		size_t from = e.node < N - 1 ? e.node : N - 1, to = e.home < N - 1 ? e.home : N - 1;
		struct nodes *s = &sums[(object * N + from) * N + to];

		if (e.kind != OMPP_FLOW_USE)
			continue;
		s->loads += e.loads * e.n_pages;
		s->stores += e.stores * e.n_pages;
		s->n_page_uses += e.n_pages;
	}
	ompp_flow_table(look, "",
	                ompp_pages_heading(look, "Accesses from the NUMA node of the thread to that of the page:"));
	ompp_flow_left(look, "object", OMPP_IN_BOTH);
	ompp_flow_columns(look, OMPP_IN_BOTH, "from node", "to node", "loads", "stores", "page intervals");
	for (size_t i = 0; i < n_objects * N * N; i++) {
		if (!sums[i].n_page_uses)
			continue;
		ompp_flow_text(look, ompp_flow_object_name(look, (uint32_t)(i / N / N)));
		ompp_flow_number(look, i / N % N < N - 1 ? (uint32_t)(i / N % N) : OMPP_FLOW_NONE);
		ompp_flow_number(look, i % N < N - 1 ? (uint32_t)(i % N) : OMPP_FLOW_NONE);
		ompp_flow_count_value(look, sums[i].loads);
		ompp_flow_count_value(look, sums[i].stores);
		ompp_flow_count_value(look, sums[i].n_page_uses);
	}
	free(sums);
	return ompp_flow_print(look);
}
