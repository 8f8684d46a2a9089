/*
 * First Touch: which thread touched the pages of each object first, where, and on which NUMA node they have been since.
 * Pages are counted by page faults, so a huge page counts once.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/sample_groups.h"
#include "reports/tables/data_section.h"
#include "reports/tables/table_region.h"
#include "reports/tables/variables.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { MOST_NODES = 8, PLACE_BYTES = 24 };

struct section {
	struct ompp_data_section data; /* of its usage only analysis and profile are filled in */
	uint32_t *order;               /* the first touches that are asked for */
	size_t n;
	int64_t *pages;             /* by object */
	uint32_t nodes[MOST_NODES]; /* NUMA nodes that have pages, the last one OMPP_NONE when some are not known */
	size_t n_nodes;
	int has_more_nodes;
};

static int is_empty(const struct ompp_analysis *a)
{
	return !a->profile->touched;
}

static uint32_t thread_of(const struct ompp_profile *p, const struct ompp_first_touch *t)
{
	return ompp_thread_row(p, t->row);
}

/* The object with most pages comes first, and within it the threads in their order. */
static int is_after(const void *section, uint32_t x, uint32_t y)
{
	const struct section *s = section;
	const struct ompp_profile *p = s->data.usage.profile;
	const struct ompp_first_touch *a = &p->first_touches[x], *b = &p->first_touches[y];
	int named_a = a->object >= OMPP_OBJECT_FIRST_NAMED, named_b = b->object >= OMPP_OBJECT_FIRST_NAMED;

	if (named_a != named_b)
		return named_a < named_b;
	if (s->pages[a->object] != s->pages[b->object])
		return s->pages[a->object] < s->pages[b->object];
	if (a->object != b->object)
		return a->object > b->object;
	if (thread_of(p, a) != thread_of(p, b))
		return thread_of(p, a) > thread_of(p, b);
	return a->home != b->home ? a->home > b->home : x > y;
}

static int touch_find(struct section *s)
{
	const struct ompp_analysis *a = s->data.usage.analysis;
	const struct ompp_profile *p = a->profile;

	s->order = ompp_arena_alloc(a->arena, p->n_first_touches * sizeof(*s->order));
	s->pages = ompp_arena_alloc(a->arena, p->n_objects * sizeof(*s->pages));
	if (!s->order || !s->pages || p->n_first_touches > UINT32_MAX)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_first_touches; i++) {
		const struct ompp_first_touch *t = &p->first_touches[i];

		if (!ompp_samples_want(a, t->object, ompp_sample_key(p, t->node)))
			continue;
		s->order[s->n++] = i;
		s->pages[t->object] = ompp_add(s->pages[t->object], ompp_count(t->n_pages));
	}
	ompp_sort(s->order, s->n, is_after, s);
	return 0;
}

/* Lists the NUMA nodes that have pages, in ascending order, up to MOST_NODES of them. */
static void find_nodes(struct section *s)
{
	const struct ompp_profile *p = s->data.usage.profile;
	uint64_t next = 0;

	for (;;) {
		uint64_t least = UINT64_MAX;

		for (size_t i = 0; i < s->n; i++) {
			uint32_t home = p->first_touches[s->order[i]].home;

			if (home >= next && home < least)
				least = home;
		}
		if (least == UINT64_MAX)
			return;
		if (s->n_nodes == MOST_NODES) {
			s->has_more_nodes = 1;
			return;
		}
		s->nodes[s->n_nodes++] = (uint32_t)least;
		next = least + 1;
	}
}

static const char *node_title(const struct section *s, uint32_t node)
{
	char buffer[32];
	struct ompp_text t;

	if (node == OMPP_NONE)
		return "unknown";
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "node ");
	ompp_text_u64(&t, node);
	return ompp_arena_strdup(s->data.usage.analysis->arena, buffer);
}

/* Returns the last touch of the object of touch number `from`, and adds up its pages by node and its threads. */
static size_t object_end(const struct section *s, size_t from, int64_t pages[MOST_NODES], uint32_t *n_threads)
{
	const struct ompp_profile *p = s->data.usage.profile;
	const struct ompp_first_touch *t = p->first_touches;
	uint32_t last = OMPP_NONE;
	size_t i;

	memset(pages, 0, MOST_NODES * sizeof(*pages));
	*n_threads = 0;
	for (i = from; i < s->n && t[s->order[i]].object == t[s->order[from]].object; i++) {
		const struct ompp_first_touch *one = &t[s->order[i]];

		for (size_t k = 0; k < s->n_nodes; k++)
			if (s->nodes[k] == one->home)
				pages[k] = ompp_add(pages[k], ompp_count(one->n_pages));
		*n_threads += last != thread_of(p, one);
		last = thread_of(p, one);
	}
	return i;
}

/* Puts, in text, how many pages of each object are on which node. */
static int put_objects(const struct section *s, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = s->data.usage.profile;
	struct ompp_table *table = &sheet->table;
	size_t n_lines = 0, most = s->data.usage.analysis->top ? s->data.usage.analysis->top : OMPP_DATA_MOST_LINES;
	int64_t pages[MOST_NODES];
	uint32_t n_threads;

	ompp_table_start(table, OMPP_STYLE_GRID, "",
	                 s->has_more_nodes ? "Pages that were touched first, on the first NUMA nodes that have any:"
	                                   : "Pages that were touched first, and the NUMA nodes that they are on:");
	ompp_table_left_column(table, "object", OMPP_IN_TEXT);
	ompp_table_columns(table, OMPP_IN_TEXT, "pages", "threads");
	for (size_t k = 0; k < s->n_nodes; k++)
		ompp_table_column(table, node_title(s, s->nodes[k]), OMPP_IN_TEXT);
	for (size_t i = 0, end; i < s->n && n_lines < most; i = end, n_lines++) {
		uint32_t object = p->first_touches[s->order[i]].object;

		end = object_end(s, i, pages, &n_threads);
		ompp_data_object(&s->data, object, table);
		ompp_table_number(table, OMPP_KIND_METRIC, s->pages[object]);
		ompp_table_number(table, OMPP_KIND_COUNT, n_threads);
		for (size_t k = 0; k < s->n_nodes; k++)
			ompp_table_number(table, OMPP_KIND_METRIC, pages[k]);
	}
	return sheet->put(sheet);
}

/* Returns "a.c:14"; "-" when the line is not known. */
static const char *line_text(const struct section *s, const struct ompp_first_touch *t)
{
	const char *base = strrchr(t->file, '/');
	size_t n = strlen(t->file) + PLACE_BYTES;
	char *buffer = ompp_arena_alloc(s->data.usage.analysis->arena, n);
	struct ompp_text text;

	if (!buffer)
		return NULL;
	ompp_text_init(&text, buffer, n);
	ompp_text_str(&text, t->line ? base ? base + 1 : t->file : "-");
	if (t->line) {
		ompp_text_char(&text, ':');
		ompp_text_u64(&text, t->line);
	}
	return buffer;
}

/* has_smalls: 1 when any touch was of a small variable that is known */
static void touch_columns(struct ompp_table *table, int has_smalls)
{
	ompp_table_left_column(table, "object", OMPP_IN_BOTH);
	ompp_table_columns(table, OMPP_IN_BOTH, "TID", "node", "pages", "(%)");
	ompp_table_left_columns(table, OMPP_IN_TEXT, "line", "region");
	ompp_region_columns(table);
	ompp_table_columns(table, OMPP_IN_RECORDS, "source file", "source line");
	ompp_table_left_column(table, "variable", has_smalls ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
}

static void touch_line(const struct section *s, const struct ompp_first_touch *t, uint64_t n_pages,
                       struct ompp_table *table)
{
	const struct ompp_profile *p = s->data.usage.profile;
	const struct ompp_object_part part = { .object = t->object, .key = ompp_sample_key(p, t->node) };

	ompp_data_object(&s->data, t->object, table);
	ompp_table_text(table, p->rows[thread_of(p, t)].label);
	ompp_table_number(table, OMPP_KIND_COUNT, t->home == OMPP_NONE ? OMPP_MISSING : t->home);
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(n_pages));
	ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(ompp_count(n_pages), s->pages[t->object]));
	ompp_table_text(table, line_text(s, t));
	ompp_table_text(table, ompp_data_region_text(&s->data, &part));
	ompp_data_region_values(&s->data, &part, table);
	ompp_table_text(table, t->file);
	ompp_table_number(table, OMPP_KIND_COUNT, t->line ? t->line : OMPP_MISSING);
	ompp_table_text(table, t->small);
}

static int has_smalls(const struct section *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->data.usage.profile->first_touches[s->order[i]].small[0])
			return 1;
	return 0;
}

/* Puts who touched them; the same place on several call paths is one line if the records are adjacent. */
static int put_touches(const struct section *s, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = s->data.usage.profile;
	const struct ompp_first_touch *t = p->first_touches;
	size_t most = ompp_data_n_printed(&s->data, s->n), n_lines = 0;
	struct ompp_table *table = &sheet->table;

	if (s->data.usage.analysis->top && s->data.usage.analysis->top < most)
		most = s->data.usage.analysis->top;
	ompp_table_start(table, OMPP_STYLE_GRID, "first touches",
	                 p->touched > 1 ? "Who touched them first, also in system calls, (%) of the object's pages:"
	                                : "Who touched them first, (%) of the object's pages:");
	touch_columns(table, has_smalls(s));
	for (size_t i = 0; i < s->n && n_lines < most; i++, n_lines++)
		touch_line(s, &t[s->order[i]], t[s->order[i]].n_pages, table);
	if (n_lines < s->n) {
		ompp_table_text(table, ompp_data_more_text(&s->data, s->n - n_lines));
		ompp_table_text(table, "");
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
		ompp_table_text(table, "");
		ompp_table_text(table, "");
		ompp_data_region_values(&s->data, NULL, table);
		ompp_table_text(table, "");
		ompp_table_text(table, "");
		ompp_table_text(table, "");
	}
	return sheet->put(sheet);
}

/* Returns 1 when the profile is of processes that ran on several hosts, each of which has NUMA nodes of its own. */
static int has_hosts(const struct ompp_profile *p)
{
	int n = 0;

	for (size_t i = 0; i < p->n_conditions; i++)
		n += !strcmp(p->conditions[i].label, "Host");
	return n > 1;
}

static int touch_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct section s = { .n = 0 };
	int rc;

	if (is_empty(a))
		return ompp_data_remark("First touches were not looked for; run the program by ompp run "
		                        "--sample=touch, or set OMPP_SAMPLE=touch.",
		                        sheet);
	rc = ompp_data_start(&s.data, a, sheet);
	if (!rc && a->traffic)
		rc = touch_find(&s);
	if (!rc && !s.n)
		return ompp_data_remark("No page was touched first.", sheet);
	find_nodes(&s);
	if (!rc && s.data.is_text)
		rc = put_objects(&s, sheet);
	if (!rc && s.data.is_text && has_hosts(a->profile))
		rc = ompp_data_remark(
			"The processes ran on several hosts (General Information): node 0 is that of each "
			"one's own host, and the lines above add up nodes of one number; below, TID tells "
			"the processes apart.",
			sheet);
	if (!rc)
		rc = put_touches(&s, sheet);
	return rc ? rc : ompp_variables_remark(&s.data, sheet);
}

const struct ompp_view ompp_view_touch = {
	.title = "First Touch", .tag = "first touch", .build = touch_build, .is_empty = is_empty
};
