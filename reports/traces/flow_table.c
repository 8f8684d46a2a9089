/*
 * Flow table: the tables of `ompp flow`, and the sums that they show.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/analysis/sample_stats.h"
#include "reports/command/arguments.h"
#include "reports/command/listing.h"
#include "reports/report.h"
#include "reports/traces/flow_table.h"
#include "reports/web/page_tables.h"
#include "runtime/base/text.h"

enum { NAME_BYTES = 4096, MOST_DEPTH = 32, IMAGINED_BYTES = 200 };

/* ---- events ---- */

static int is_in(const unsigned char *set, uint32_t number)
{
	return !set || (number != OMPP_FLOW_NONE && set[number]);
}

/* Are the event's process, thread and allocator among those that are meant? */
static int is_of_process(const struct ompp_flow_look *look, const struct ompp_flow_event *e)
{
	if (look->processes && !look->processes[ompp_flow_process_of(look->flow, e)])
		return 0;
	return is_in(look->threads, e->thread) && is_in(look->allocators, e->allocator);
}

int ompp_flow_look_next(const struct ompp_flow_look *look, size_t *at, struct ompp_flow_event *e)
{
	while (ompp_flow_next(look->flow, &look->filter, at, e)) {
		int is_meant = !look->objects;

		if (!is_of_process(look, e))
			continue;
		if (look->regions && (e->region == OMPP_FLOW_NONE || !look->regions[e->region]))
			continue;
		for (uint32_t k = 0; k < e->n_objects && !is_meant; k++)
			is_meant = look->objects[ompp_flow_nth_object(look->flow, e, k)];
		is_meant |= look->objects && e->site != OMPP_FLOW_NONE && look->sites[e->site];
		if (is_meant)
			return 1;
	}
	return 0;
}

/* ---- sums ---- */

struct ompp_flow_sum *ompp_flow_sum_of(struct ompp_flow_sums *s, uint64_t key)
{
	uint32_t *at = ompp_flow_map_at(&s->map, key);
	struct ompp_flow_sum *sum;

	if (!at)
		return NULL;
	if (*at)
		return &s->all[*at - 1];
	sum = ompp_flow_grow(&s->all, &s->n, &s->have, sizeof(*sum));
	if (!sum)
		return NULL;
	*at = (uint32_t)s->n;
	sum->key = key;
	return sum;
}

void ompp_flow_sum_add(struct ompp_flow_sum *sum, const struct ompp_flow_event *e)
{
	const unsigned __int128 most = INT64_MAX / 2;
	uint64_t squares = (uint64_t)e->latency * e->latency;
	struct ompp_sampled_sum one = { .n = 1,
		                        .n_timed = e->latency != 0,
		                        .estimate = (int64_t)(e->period < most ? e->period : most),
		                        .variance = ompp_sample_variance(e->period),
		                        .latency_ticks = e->latency,
		                        .squares = (int64_t)(squares < most ? squares : most) };

	ompp_sampled_add(&sum->sum, &one);
	sum->variance += (unsigned __int128)one.variance;
	if (e->access == OMPP_MEM_STORES)
		sum->n_stores++;
	else
		sum->n_loads++;
	if (e->node != OMPP_FLOW_NONE && e->node < OMPP_FLOW_MOST_NODES)
		sum->from |= UINT64_C(1) << e->node;
	if (e->home != OMPP_FLOW_NONE && e->home < OMPP_FLOW_MOST_NODES)
		sum->to |= UINT64_C(1) << e->home;
	if (e->node != OMPP_FLOW_NONE && e->home != OMPP_FLOW_NONE) {
		sum->n_homed++;
		sum->n_far += e->node != e->home;
	}
	if (e->allocator == OMPP_FLOW_NONE || e->thread == OMPP_FLOW_NONE)
		return;
	sum->n_owned++;
	sum->n_self += e->allocator == e->thread;
	sum->has_others |= e->allocator != e->thread;
	sum->n_self_first += e->allocator == e->thread && !sum->has_others;
}

static int flow_table_compare(const void *a, const void *b)
{
	const struct ompp_flow_sum *x = a, *y = b;

	if (x->sum.estimate != y->sum.estimate)
		return x->sum.estimate > y->sum.estimate ? -1 : 1;
	if (x->sum.n != y->sum.n)
		return x->sum.n > y->sum.n ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

void ompp_flow_sums_sort(struct ompp_flow_sums *s)
{
	if (s->n)
		qsort(s->all, s->n, sizeof(*s->all), flow_table_compare);
}

static int sums_by_key(const void *a, const void *b)
{
	const struct ompp_flow_sum *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

void ompp_flow_sums_sort_by_key(struct ompp_flow_sums *s)
{
	if (s->n)
		qsort(s->all, s->n, sizeof(*s->all), sums_by_key);
}

const struct ompp_flow_sum *ompp_flow_sums_find(const struct ompp_flow_sums *s, uint64_t key)
{
	struct ompp_flow_sum wanted = { .key = key };

	return s->n ? bsearch(&wanted, s->all, s->n, sizeof(wanted), sums_by_key) : NULL;
}

void ompp_flow_sums_free(struct ompp_flow_sums *s)
{
	free(s->all);
	free(s->map.keys);
	free(s->map.values);
	memset(s, 0, sizeof(*s));
}

void ompp_flow_whole(struct ompp_flow_look *look)
{
	struct ompp_flow_sum whole = { 0 };
	struct ompp_flow_event e;

	for (size_t at = 0; ompp_flow_look_next(look, &at, &e);)
		if (e.kind == OMPP_FLOW_ACCESS)
			ompp_flow_sum_add(&whole, &e);
	look->look.cost = whole.sum.estimate;
	look->look.variance = whole.variance;
}

/* ---- tables ---- */

/* Returns a heading that also says what the NUMA nodes are. */
static const char *flow_table_imagined(const struct ompp_flow_look *look, const char *heading)
{
	char line[IMAGINED_BYTES];
	const char *whole;

	snprintf(line, sizeof(line),
	         "NUMA nodes are emulated: the threads are assigned to %u of them in their order, and pages lie where "
	         "they were touched first.\n",
	         look->emulated);
	whole = ompp_arena_strdup(look->arena, line);
	whole = whole ? ompp_table_title(whole, heading, look->arena) : NULL;
	return whole ? whole : heading;
}

void ompp_flow_table(struct ompp_flow_look *look, const char *tag, const char *heading)
{
	if (look->is_first)
		ompp_table_init(&look->table, look->arena);
	if (look->emulated && (look->look.is_text || look->embed))
		heading = flow_table_imagined(look, heading);
	look->is_first = 0;
	ompp_table_start(&look->table, OMPP_STYLE_GRID, tag, heading);
}

void ompp_flow_column(struct ompp_flow_look *look, const char *title, enum ompp_where where)
{
	ompp_table_column(&look->table, title, where);
}

void ompp_flow_left(struct ompp_flow_look *look, const char *title, enum ompp_where where)
{
	ompp_table_left_column(&look->table, title, where);
}

void ompp_flow_share_columns(struct ompp_flow_look *look, const char *title, const char *error_title)
{
	ompp_table_column(&look->table, title, OMPP_IN_BOTH);
	ompp_table_column(&look->table, error_title, OMPP_IN_BOTH);
	if (look->table.rc)
		return;
	look->table.columns[look->table.n_columns - 1].text_title = "+-";
	look->table.columns[look->table.n_columns - 1].joined = 1;
}

void ompp_flow_share(struct ompp_flow_look *look, uint64_t k, uint64_t n)
{
	enum { SHARES_A_MILLI_PERCENT = 10000, LEAST_MILLI = 100 };
	int64_t share = ompp_share(ompp_count(k), ompp_count(n)), error = ompp_sample_stats_share_error(k, n), milli;

	if (!look->look.is_text) {
		ompp_table_number(&look->table, OMPP_KIND_SHARE, share);
		ompp_table_number(&look->table, OMPP_KIND_SHARE, error);
	} else if (n < OMPP_LEAST_SAMPLES) {
		ompp_table_number(&look->table, OMPP_KIND_NONE, OMPP_MISSING);
		ompp_table_number(&look->table, OMPP_KIND_NONE, OMPP_MISSING);
	} else {
		milli = error / SHARES_A_MILLI_PERCENT;
		milli = milli > LEAST_MILLI ? milli : LEAST_MILLI;
		ompp_table_rounded(&look->table, share / SHARES_A_MILLI_PERCENT, 10 * milli);
		ompp_table_rounded(&look->table, milli, 10 * milli);
	}
}

void ompp_flow_text(struct ompp_flow_look *look, const char *text)
{
	if (text && text[0])
		ompp_table_text(&look->table, text);
	else
		ompp_table_number(&look->table, OMPP_KIND_NONE, OMPP_MISSING);
}

void ompp_flow_count_value(struct ompp_flow_look *look, uint64_t n)
{
	ompp_table_number(&look->table, OMPP_KIND_METRIC, ompp_count(n));
}

void ompp_flow_number(struct ompp_flow_look *look, uint32_t number)
{
	ompp_table_number(&look->table, OMPP_KIND_COUNT, number == OMPP_FLOW_NONE ? OMPP_MISSING : (int64_t)number);
}

void ompp_flow_hex(struct ompp_flow_look *look, uint64_t address)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address);
	ompp_flow_text(look, ompp_arena_strdup(look->arena, text));
}

void ompp_flow_time(struct ompp_flow_look *look, uint64_t time_ns)
{
	uint64_t start = ompp_flow_info(look->flow)->start_ns;

	ompp_table_number(&look->table, OMPP_KIND_TIME,
	                  !time_ns          ? OMPP_MISSING
	                  : time_ns > start ? (int64_t)(time_ns - start)
	                                    : 0);
}

int ompp_flow_print(struct ompp_flow_look *look)
{
	if (look->embed && look->table.rc)
		return ompp_print_status(look->table.rc);
	if (look->embed) {
		ompp_embed_table(look->embed, look->embed_view, &look->table);
		return 0;
	}
	if (look->look.is_text && !ompp_table_n_rows(&look->table)) {
		ompp_table_start(&look->table, OMPP_STYLE_LINES, look->table.tag, look->table.heading);
		ompp_table_left_column(&look->table, "", OMPP_IN_BOTH);
		ompp_table_text(&look->table, "(none)");
	}
	return ompp_print_table(look->format, &look->table);
}

/* ---- names ---- */

const char *ompp_flow_object_name(const struct ompp_flow_look *look, uint32_t object)
{
	const struct ompp_flow_object *o = ompp_flow_object(look->flow, object);

	return o && o->name[0] ? o->name : "-";
}

const char *ompp_flow_objects_name(const struct ompp_flow_look *look, const struct ompp_flow_event *e)
{
	const char *all = "";

	for (uint32_t k = 0; k < e->n_objects && all; k++) {
		const char *name = ompp_flow_object_name(look, ompp_flow_nth_object(look->flow, e, k));

		all = k ? ompp_table_title(all, ompp_table_title(" + ", name, look->arena), look->arena) : name;
	}
	return all;
}

static void put_region(struct ompp_text *t, const struct ompp_flow_region *r)
{
	const char *base = strrchr(r->file, '/');

	ompp_text_str(t, r->construct);
	ompp_text_char(t, ' ');
	ompp_text_str(t, r->name[0] ? r->name : base ? base + 1 : r->file);
	if (r->begin_line) {
		ompp_text_char(t, ':');
		ompp_text_u64(t, r->begin_line);
	}
}

const char *ompp_flow_region_name(const struct ompp_flow_look *look, uint32_t region)
{
	const struct ompp_flow_region *path[MOST_DEPTH], *r;
	char buffer[NAME_BYTES];
	struct ompp_text t;
	int n = 0;

	for (; n < MOST_DEPTH && (r = ompp_flow_region(look->flow, region)); region = r->parent)
		path[n++] = r;
	ompp_text_init(&t, buffer, sizeof(buffer));
	while (n-- > 0) {
		put_region(&t, path[n]);
		ompp_text_str(&t, n ? " / " : "");
	}
	return ompp_arena_strdup(look->arena, buffer);
}

const char *ompp_flow_line_name(const struct ompp_flow_look *look, const struct ompp_flow_event *e)
{
	struct ompp_flow_line line;
	char buffer[NAME_BYTES];
	const char *base;
	struct ompp_text t;

	if (ompp_flow_event_line(look->flow, e, &line))
		return "-";
	base = strrchr(line.file, '/');
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, base ? base + 1 : line.file);
	ompp_text_char(&t, ':');
	ompp_text_u64(&t, line.line);
	return ompp_arena_strdup(look->arena, buffer);
}

const char *ompp_flow_nodes_text(const struct ompp_flow_look *look, uint64_t nodes)
{
	char buffer[4 * OMPP_FLOW_MOST_NODES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	for (unsigned int i = 0; i < OMPP_FLOW_MOST_NODES; i++)
		if (nodes >> i & 1) {
			ompp_text_str(&t, t.n_bytes ? " " : "");
			ompp_text_u64(&t, i);
		}
	return t.n_bytes ? ompp_arena_strdup(look->arena, buffer) : "";
}

size_t ompp_flow_n_shown(const struct ompp_flow_look *look, size_t n)
{
	return look->top && look->top < n ? look->top : n;
}

uint64_t ompp_flow_page_of(const struct ompp_flow_look *look, const struct ompp_flow_event *e)
{
	return ompp_flow_page_key(ompp_flow_process_of(look->flow, e), e->address);
}

int ompp_flow_no_memory(void)
{
	ompp_complain("flow", "not enough memory");
	return OMPP_EXIT_FAILED;
}
