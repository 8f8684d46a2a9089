/*
 * Memory Accesses: the samples of each data object: how many accesses they stand for, how long these took, and what
 * served them.  Loads and stores have separate lines, as processors sample them differently.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/sample_groups.h"
#include "reports/tables/data_section.h"
#include "reports/tables/fit.h"
#include "reports/tables/sampled.h"
#include "reports/tables/table_region.h"
#include "reports/tables/variables.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { HEADING_BYTES = 200 };

/* What the tables have in common. */
struct section {
	struct ompp_data_section data; /* of its usage only analysis and profile are filled in */
	struct ompp_sampled_look look;
	struct ompp_sample_groups groups;
	size_t name_columns; /* of the objects, in text */
};

static int is_empty(const struct ompp_analysis *a)
{
	return !a->profile->sample_source[0] || !a->traffic;
}

/* Returns the first column, "object kind region" or the like, whose parts are aligned. */
static const char *key_text(const struct section *s, const char *object, const char *kind, const char *where)
{
	size_t n = where ? strlen(object) + s->name_columns + strlen(kind) + strlen(where) + 16 : 0;
	char *buffer = where ? ompp_arena_alloc(s->data.usage.analysis->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, object);
	ompp_text_pad_right(&t, 0, s->name_columns + 1);
	ompp_text_str(&t, kind);
	if (where[0]) {
		size_t from = t.n_bytes - strlen(kind);

		ompp_text_pad_right(&t, from, strlen("stores "));
		ompp_fit_middle(&t, where, OMPP_FIT_REGION_COLUMNS); /* it begins with a number */
	}
	return buffer;
}

static const char *where_text(const struct section *s, const struct ompp_sample_group *group)
{
	const struct ompp_object_part part = { .object = group->object, .key = group->key };

	if (s->groups.by & OMPP_BY_REGION)
		return ompp_data_region_text(&s->data, &part);
	return s->groups.by & OMPP_BY_THREAD ? s->data.usage.profile->rows[group->row].label : "";
}

static void columns(const struct section *s, struct ompp_table *table)
{
	unsigned int by = s->groups.by;

	ompp_table_left_column(table,
	                       key_text(s, "object", "kind",
	                                by & OMPP_BY_REGION   ? "region"
	                                : by & OMPP_BY_THREAD ? "TID"
	                                                      : ""),
	                       OMPP_IN_TEXT);
	ompp_table_columns(table, OMPP_IN_RECORDS, "object", "kind");
	if (by & OMPP_BY_REGION)
		ompp_region_columns(table);
	if (by & OMPP_BY_THREAD)
		ompp_table_column(table, "TID", OMPP_IN_RECORDS);
	ompp_sampled_cost_columns(&s->look, table);
	ompp_sampled_latency_columns(&s->look, table);
	ompp_sampled_level_columns(&s->look, table);
}

static void memory_numbers(const struct section *s, const struct ompp_sample_stats *sum, struct ompp_table *table)
{
	ompp_sampled_cost_values(&s->look, &sum->sum, ompp_sampled_cost_variance(s->look.by_latency, &sum->sum), table);
	ompp_sampled_latency_values(&s->look, sum, table);
	ompp_sampled_level_values(&s->look, sum, table);
}

static void memory_line(const struct section *s, const struct ompp_sample_group *group, struct ompp_table *table)
{
	const struct ompp_object_part part = { .object = group->object, .key = group->key };
	struct ompp_sample_stats sum;

	ompp_sample_group_sum(&s->groups, group, &sum);
	ompp_table_text(table, key_text(s, ompp_data_short_name(&s->data, group->object),
	                                ompp_sampled_kind(group->kind), where_text(s, group)));
	ompp_table_text(table, s->data.usage.profile->objects[group->object].name);
	ompp_table_text(table, ompp_sampled_kind(group->kind));
	if (s->groups.by & OMPP_BY_REGION)
		ompp_data_region_values(&s->data, &part, table);
	if (s->groups.by & OMPP_BY_THREAD)
		ompp_table_text(table, s->data.usage.profile->rows[group->row].label);
	memory_numbers(s, &sum, table);
}

/* Puts the sum of the groups that have no line of their own, in text. */
static void memory_rest(const struct section *s, const uint32_t *order, size_t from, struct ompp_table *table)
{
	struct ompp_sample_stats sum, one;

	memset(&sum, 0, sizeof(sum));
	for (size_t i = from; i < s->groups.n; i++) {
		ompp_sample_group_sum(&s->groups, &s->groups.groups[order[i]], &one);
		ompp_sample_stats_add(&sum, &one);
	}
	ompp_table_text(table, ompp_data_more_text(&s->data, s->groups.n - from));
	ompp_table_text(table, "");
	ompp_table_text(table, "");
	if (s->groups.by & OMPP_BY_REGION)
		ompp_data_region_values(&s->data, NULL, table);
	if (s->groups.by & OMPP_BY_THREAD)
		ompp_table_text(table, "");
	memory_numbers(s, &sum, table);
}

/* Finds how many columns the names of objects have in text. */
static void measure_names(struct section *s, const uint32_t *order, size_t n)
{
	s->name_columns = strlen("object");
	for (size_t i = 0; i < n; i++) {
		size_t columns = ompp_text_columns(ompp_data_short_name(&s->data, s->groups.groups[order[i]].object));

		if (columns > s->name_columns)
			s->name_columns = columns;
	}
}

struct thread_order {
	const struct ompp_sample_groups *groups;
	const int64_t *object_cost;
};

/* Threads and kinds of the costliest object come first, in their order. */
static int thread_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct thread_order *o = context;
	uint32_t a = o->groups->groups[x].object, b = o->groups->groups[y].object;
	int named_a = a >= OMPP_OBJECT_FIRST_NAMED, named_b = b >= OMPP_OBJECT_FIRST_NAMED;

	if (named_a != named_b)
		return named_a < named_b;
	return o->object_cost[a] != o->object_cost[b] ? o->object_cost[a] < o->object_cost[b] : x > y;
}

/* Returns the groups in the order of the table: the costliest first, but threads of an object together. */
static uint32_t *memory_sort(const struct section *s)
{
	const struct ompp_analysis *a = s->data.usage.analysis;
	uint32_t *order = ompp_arena_alloc(a->arena, s->groups.n * sizeof(*order));
	int64_t *cost = ompp_arena_alloc(a->arena, a->profile->n_objects * sizeof(*cost));
	struct thread_order threads = { &s->groups, cost };

	if (!order || !cost)
		return NULL;
	for (uint32_t i = 0; i < s->groups.n; i++) {
		order[i] = i;
		cost[s->groups.groups[i].object] = ompp_add(cost[s->groups.groups[i].object], s->groups.groups[i].cost);
	}
	if (s->groups.by & OMPP_BY_THREAD)
		ompp_sort(order, s->groups.n, thread_is_after, &threads);
	else
		ompp_sort(order, s->groups.n, ompp_sample_group_is_after, &s->groups);
	return order;
}

/* Puts a table of groups. */
static int groups(struct section *s, unsigned int by, const char *tag, const char *heading, struct ompp_sheet *sheet)
{
	const struct ompp_analysis *a = s->data.usage.analysis;
	int rc = ompp_sample_groups_init(&s->groups, a, by);
	uint32_t *order = rc ? NULL : memory_sort(s);
	size_t n_lines;

	if (!order)
		return -ENOMEM;
	if (!s->groups.n)
		return 0;
	s->look.cost = s->groups.cost;
	s->look.variance = s->groups.variance;
	n_lines = ompp_data_n_printed(&s->data, s->groups.n);
	if (a->top && a->top < n_lines)
		n_lines = a->top;
	measure_names(s, order, n_lines);
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, tag, heading);
	columns(s, &sheet->table);
	for (size_t i = 0; i < n_lines; i++)
		memory_line(s, &s->groups.groups[order[i]], &sheet->table);
	if (n_lines < s->groups.n)
		memory_rest(s, order, n_lines, &sheet->table);
	return sheet->put(sheet);
}

/* Returns "Sampled accesses in the whole program: pebs, one in 10 007; latencies in cycles". */
static const char *first_heading(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	char buffer[HEADING_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "Sampled accesses of data objects ");
	ompp_text_str(&t, a->n_named == p->n_regions ? "in the whole program (" : "in the chosen regions (");
	ompp_text_str(&t, p->sample_source);
	if (p->sample_period) {
		ompp_text_str(&t, ", one in ");
		ompp_text_grouped(&t, ompp_count(p->sample_period));
	}
	if (p->sample_latencies[0]) {
		ompp_text_str(&t, ", latencies in ");
		ompp_text_str(&t, p->sample_latencies);
	}
	if (p->sample_latency) {
		ompp_text_str(&t, ", loads of ");
		ompp_text_u64(&t, p->sample_latency);
		ompp_text_str(&t, " or more");
	}
	ompp_text_str(&t, "):");
	return ompp_arena_strdup(a->arena, buffer);
}

static int memory_legend(const struct section *s, struct ompp_sheet *sheet)
{
	const char
		*text = s->look.by_latency
	                      ? "~: not exact but sampled; +- is the standard error. %: of all sampled latency. Median "
	                        "and 95 %: latencies that so many of the accesses do not exceed. "
	                      : "~: not exact but sampled; +- is the standard error. %: of all sampled accesses. ";
	const char *levels =
		"Levels that served them are in per cent of the samples, each to within its +-, and add up to 100 with "
		"unknown: not timed, or with a time of several levels; "
		"cache: one of them, nobody knows which; local and remote: memory of the processor's NUMA node and of "
		"another; remote$: a cache there, peer$: of another core; far: of the samples whose page's node is "
		"known, those of processors of another node. -: not known, or fewer than 10 samples.";

	return ompp_data_remark(ompp_table_title(text, levels, s->data.usage.analysis->arena), sheet);
}

static int memory_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct section s = { .name_columns = 0 };
	int rc;

	if (is_empty(a))
		return ompp_data_remark(ompp_sampled_none(a->profile), sheet);
	rc = ompp_data_start(&s.data, a, sheet);
	ompp_sampled_look(&s.look, a->profile, s.data.is_text);
	if (!rc)
		rc = groups(&s, OMPP_BY_OBJECT, "sampled accesses", first_heading(a), sheet);
	if (!rc && !s.groups.n)
		return ompp_data_remark("No access was sampled.", sheet);
	if (!rc)
		rc = ompp_variables(&s.data, sheet);
	if (!rc)
		rc = groups(&s, OMPP_BY_REGION, "sampled accesses by region",
		            "Sampled accesses by region, each without the regions below it:", sheet);
	if (!rc)
		rc = s.data.is_text
		           ? groups(&s, OMPP_BY_THREAD, "", "Sampled accesses by thread:", sheet)
		           : groups(&s, OMPP_BY_REGION | OMPP_BY_THREAD, "sampled accesses by thread", "", sheet);
	return rc ? rc : memory_legend(&s, sheet);
}

const struct ompp_view ompp_view_memory = {
	.title = "Memory Accesses", .tag = "memory accesses", .build = memory_build, .is_empty = is_empty
};
