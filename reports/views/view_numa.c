/*
 * NUMA: from which NUMA nodes each object is used, on which its pages are, who touched them first, and where threads
 * ran.  On a machine with one node, threads stand for nodes: it shows who uses whose pages.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/sample_groups.h"
#include "reports/placing/numa_objects.h"
#include "reports/placing/places.h"
#include "reports/tables/data_section.h"
#include "reports/tables/layouts.h"
#include "reports/tables/sampled.h"
#include "reports/tables/table_region.h"
#include "reports/tables/variables.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { MOST_PLACES = 8, TEXT_BYTES = 256, MIB = 1 << 20 };

/* The uses of one object in one region, or of all regions. */
struct group {
	uint32_t object;
	int64_t key;         /* as of struct ompp_object_part */
	uint32_t first, end; /* its elements of by_group */
	struct ompp_nearness sum;
};

struct section {
	struct ompp_data_section data; /* of its usage only analysis and profile are filled in */
	struct ompp_sampled_look look;
	struct ompp_places places;
	uint32_t *by_group; /* uses of the objects and regions that are asked for */
	uint32_t *touches;  /* first touches by object; NODES: NULL */
	uint32_t n;
	struct group *objects, *parts;
	size_t n_objects, n_parts;
	int is_modelled;
};

static int is_empty(const struct ompp_analysis *a)
{
	return !a->profile->touched || !a->traffic;
}

/* ---- groups ---- */

static int64_t key_of(const struct section *s, const struct ompp_use *use)
{
	return ompp_sample_key(s->data.usage.profile, use->node);
}

static int use_is_after(const void *section, uint32_t x, uint32_t y)
{
	const struct section *s = section;
	const struct ompp_use *a = &s->data.usage.profile->uses[x], *b = &s->data.usage.profile->uses[y];

	if (a->object != b->object)
		return a->object > b->object;
	return key_of(s, a) != key_of(s, b) ? key_of(s, a) > key_of(s, b) : x > y;
}

/* The object or part with most far accesses comes first, and then the one with most accesses. */
static int group_is_after(const void *groups, uint32_t x, uint32_t y)
{
	const struct group *g = groups, *a = &g[x], *b = &g[y];
	int named_a = a->object >= OMPP_OBJECT_FIRST_NAMED, named_b = b->object >= OMPP_OBJECT_FIRST_NAMED;

	if (named_a != named_b)
		return named_a < named_b;
	if (a->sum.far.estimate != b->sum.far.estimate)
		return a->sum.far.estimate < b->sum.far.estimate;
	return a->sum.near.estimate != b->sum.near.estimate ? a->sum.near.estimate < b->sum.near.estimate : x > y;
}

static struct group *numa_add(struct section *s, struct group *groups, size_t *n, uint32_t at, int64_t key)
{
	const struct ompp_use *use = &s->data.usage.profile->uses[s->by_group[at]];

	if (!*n || groups[*n - 1].object != use->object || groups[*n - 1].key != key)
		groups[(*n)++] = (struct group){ .object = use->object, .key = key, .first = at };
	groups[*n - 1].end = at + 1;
	ompp_nearness_add(&groups[*n - 1].sum, &s->places, use);
	return groups;
}

static int numa_find(struct section *s)
{
	const struct ompp_analysis *a = s->data.usage.analysis;
	const struct ompp_profile *p = a->profile;

	s->by_group = ompp_arena_alloc(a->arena, (p->n_uses + 1) * sizeof(*s->by_group));
	s->objects = ompp_arena_alloc(a->arena, (p->n_uses + 1) * sizeof(*s->objects));
	s->parts = ompp_arena_alloc(a->arena, (p->n_uses + 1) * sizeof(*s->parts));
	if (!s->by_group || !s->objects || !s->parts || p->n_uses > UINT32_MAX)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_uses; i++)
		if (ompp_samples_want(a, p->uses[i].object, key_of(s, &p->uses[i])))
			s->by_group[s->n++] = i;
	ompp_sort(s->by_group, s->n, use_is_after, s);
	for (uint32_t i = 0; i < s->n; i++) {
		numa_add(s, s->objects, &s->n_objects, i, OMPP_SERIAL);
		numa_add(s, s->parts, &s->n_parts, i, key_of(s, &p->uses[s->by_group[i]]));
	}
	return 0;
}

static uint32_t *numa_sort(const struct section *s, const struct group *groups, size_t n)
{
	return ompp_sorted(s->data.usage.analysis->arena, n, group_is_after, groups);
}

/* ---- the machine and the threads ---- */

static int put_nodes(const struct section *s, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = s->data.usage.profile;
	struct ompp_table *table = &sheet->table;

	if (s->data.is_text && s->places.kind != OMPP_PLACES_NODES)
		return 0;
	ompp_table_start(table, OMPP_STYLE_GRID, "numa nodes",
	                 "The machine's NUMA nodes (bandwidth, latency: from the nearest processors, by firmware, "
	                 "HMAT):");
	ompp_table_column(table, "node", OMPP_IN_BOTH);
	ompp_table_left_column(table, "processors", OMPP_IN_BOTH);
	ompp_table_column(table, "MiB", OMPP_IN_TEXT);
	ompp_table_column(table, "bytes", OMPP_IN_RECORDS);
	ompp_table_left_column(table, "distances", OMPP_IN_BOTH);
	ompp_table_columns(table, OMPP_IN_BOTH, "read MB/s", "write MB/s", "read ns", "write ns");
	for (size_t i = 0; i < p->n_numa_list; i++) {
		const struct ompp_numa_node *node = &p->numa_nodes[i];

		ompp_table_number(table, OMPP_KIND_COUNT, node->number);
		ompp_table_text(table, node->cpus);
		ompp_table_number(table, OMPP_KIND_METRIC,
		                  node->bytes == OMPP_MISSING ? OMPP_MISSING : node->bytes / MIB);
		ompp_table_number(table, OMPP_KIND_METRIC, node->bytes);
		ompp_table_text(table, node->distances);
		ompp_table_number(table, OMPP_KIND_METRIC, node->read_bandwidth);
		ompp_table_number(table, OMPP_KIND_METRIC, node->write_bandwidth);
		ompp_table_number(table, OMPP_KIND_METRIC, node->read_latency);
		ompp_table_number(table, OMPP_KIND_METRIC, node->write_latency);
	}
	return sheet->put(sheet);
}

static int put_threads(const struct section *s, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = s->data.usage.profile;
	enum ompp_where nodes = s->places.kind == OMPP_PLACES_NODES ? OMPP_IN_BOTH : OMPP_IN_RECORDS;
	struct ompp_table *table = &sheet->table;
	size_t most = ompp_data_n_printed(&s->data, p->n_bindings);

	if (!p->n_bindings)
		return 0;
	ompp_table_start(table, OMPP_STYLE_GRID, "numa threads",
	                 "Where threads may run, and where samples found them (between two they may have moved more):");
	ompp_table_left_column(table, "TID", OMPP_IN_BOTH);
	ompp_table_left_column(table, "emulated on", s->is_modelled ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
	ompp_table_left_column(table, "may run on", OMPP_IN_BOTH);
	ompp_table_columns(table, OMPP_IN_BOTH, "processors", "seen on", "moves");
	ompp_table_column(table, "to other nodes", nodes);
	ompp_table_column(table, "samples", OMPP_IN_BOTH);
	for (size_t i = 0; i < most; i++) {
		const struct ompp_binding *b = &p->bindings[i];
		uint32_t place = s->is_modelled ? s->places.of_row[b->row] : OMPP_NONE;
		int64_t known = b->n_looks ? 0 : OMPP_MISSING;

		ompp_table_text(table, p->rows[b->row].label);
		ompp_table_text(table, place == OMPP_NONE ? "" : ompp_place_name(&s->places, place));
		ompp_table_text(table, b->allowed);
		ompp_table_number(table, OMPP_KIND_COUNT, b->n_allowed ? b->n_allowed : OMPP_MISSING);
		ompp_table_number(table, OMPP_KIND_COUNT, known ? known : b->n_seen);
		ompp_table_number(table, OMPP_KIND_COUNT, known ? known : ompp_count(b->n_moves));
		ompp_table_number(table, OMPP_KIND_COUNT, known ? known : ompp_count(b->n_node_moves));
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(b->n_looks));
	}
	return sheet->put(sheet);
}

/* ---- pages ---- */

static int touch_is_after(const void *touches, uint32_t x, uint32_t y)
{
	const struct ompp_first_touch *t = touches;

	return t[x].object != t[y].object ? t[x].object > t[y].object : x > y;
}

static int sort_touches(struct section *s)
{
	const struct ompp_profile *p = s->data.usage.profile;

	s->touches = p->n_first_touches > UINT32_MAX ? NULL
	                                             : ompp_sorted(s->data.usage.analysis->arena, p->n_first_touches,
	                                                           touch_is_after, p->first_touches);
	return s->touches ? 0 : -ENOMEM;
}

/* The pages of one object, by place; the last element is for pages whose place is not known. */
struct pages {
	size_t next; /* placement or touch: objects are looked at in ascending order */
	int64_t *n, n_moved;
};

static void add_pages(const struct section *s, struct pages *pages, uint32_t place, uint64_t n)
{
	place = place == OMPP_NONE ? s->places.n : place;
	pages->n[place] = ompp_add(pages->n[place], ompp_count(n));
}

/* Adds up the pages of an object.  Returns 0 when it has none. */
static int pages_of(const struct section *s, uint32_t object, struct pages *pages)
{
	const struct ompp_profile *p = s->data.usage.profile;
	size_t first;

	memset(pages->n, 0, (s->places.n + 1) * sizeof(*pages->n));
	pages->n_moved = OMPP_MISSING;
	if (s->places.kind == OMPP_PLACES_NODES) {
		pages->n_moved = 0;
		while (pages->next < p->n_placements && p->placements[pages->next].object < object)
			pages->next++;
		for (first = pages->next;
		     pages->next < p->n_placements && p->placements[pages->next].object == object;) {
			const struct ompp_placement *l = &p->placements[pages->next++];

			add_pages(s, pages, ompp_place_home(&s->places, &(struct ompp_use){ .home = l->home }),
			          l->n_pages);
			pages->n_moved = ompp_add(pages->n_moved, ompp_count(l->n_moved));
		}
		return pages->next > first;
	}
	while (pages->next < p->n_first_touches && p->first_touches[s->touches[pages->next]].object < object)
		pages->next++;
	for (first = pages->next;
	     pages->next < p->n_first_touches && p->first_touches[s->touches[pages->next]].object == object;) {
		const struct ompp_first_touch *t = &p->first_touches[s->touches[pages->next++]];

		add_pages(s, pages, ompp_place_touched(&s->places, t), t->n_pages);
	}
	return pages->next > first;
}

static uint64_t step_of(const struct section *s)
{
	const struct ompp_profile *p = s->data.usage.profile;
	uint64_t step = 1;

	for (size_t i = 0; i < p->n_placements; i++)
		step = p->placements[i].step > step ? p->placements[i].step : step;
	return step;
}

static void place_columns(const struct section *s, const char *last, struct ompp_table *table)
{
	for (uint32_t i = 0; i < s->places.n; i++)
		ompp_table_column(table, ompp_place_name(&s->places, i),
		                  i < MOST_PLACES ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
	ompp_table_column(table, last, OMPP_IN_BOTH);
}

static int put_pages(struct section *s, struct ompp_sheet *sheet)
{
	const struct ompp_analysis *a = s->data.usage.analysis;
	const struct ompp_profile *p = a->profile;
	struct pages pages = { .n = ompp_arena_alloc(a->arena, (s->places.n + 1) * sizeof(*pages.n)) };
	struct ompp_table *table = &sheet->table;
	size_t n_lines = 0, most = s->data.is_text ? OMPP_DATA_MOST_LINES : p->n_objects;
	uint64_t step = step_of(s);

	if (!pages.n || (s->places.kind != OMPP_PLACES_NODES && sort_touches(s)))
		return -ENOMEM;
	most = a->top && a->top < most ? a->top : most;
	ompp_table_start(table, OMPP_STYLE_GRID, "numa pages",
	                 s->places.kind != OMPP_PLACES_NODES
	                         ? "Pages, by who touched them first (a huge page counts once):"
	                 : step > 1 ? "Pages on each node when they were last looked for (not each page was asked "
	                              "for: multiplied):"
	                            : "Pages on each node when they were last looked for, and how many had moved:");
	ompp_table_left_column(table, "object", OMPP_IN_BOTH);
	place_columns(s, s->places.kind == OMPP_PLACES_NODES ? "no memory" : "unknown", table);
	ompp_table_column(table, "moved", s->places.kind == OMPP_PLACES_NODES ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
	ompp_table_column(table, "certainty", OMPP_IN_RECORDS);
	for (uint32_t i = OMPP_OBJECT_FIRST_NAMED; i < p->n_objects && n_lines < most; i++) {
		if (!a->traffic->shown[i] || !pages_of(s, i, &pages))
			continue;
		ompp_data_object(&s->data, i, table);
		for (uint32_t k = 0; k <= s->places.n; k++)
			ompp_table_number(table, OMPP_KIND_METRIC, pages.n[k]);
		ompp_table_number(table, OMPP_KIND_METRIC, pages.n_moved);
		ompp_table_text(table, s->is_modelled ? "modelled" : step > 1 ? "scaled" : "exact");
		n_lines++;
	}
	return n_lines ? sheet->put(sheet) : 0;
}

/* ---- accesses ---- */

/* Returns who touched the pages of most of a group's accesses first, "0 in R00002"; "-" when it is not known. */
static const char *main_toucher(const struct section *s, const struct group *g)
{
	const struct ompp_profile *p = s->data.usage.profile;
	const struct ompp_use *use = ompp_places_toucher(&s->places, s->by_group + g->first, g->end - g->first, 0);
	int64_t key = use ? ompp_sample_key(p, use->touched_at) : OMPP_SERIAL;
	char buffer[TEXT_BYTES];
	struct ompp_text t;

	if (!use)
		return "-";
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, p->rows[ompp_thread_row(p, use->toucher)].label);
	ompp_text_str(&t, " in ");
	if (key == OMPP_SERIAL) {
		ompp_text_str(&t, "(serial)");
	} else {
		ompp_text_char(&t, 'R');
		ompp_text_zeros(&t, p->regions[key / 2].id, 5);
	}
	return ompp_arena_strdup(s->data.usage.analysis->arena, buffer);
}

static void latency_columns(const struct section *s, const char *of, struct ompp_table *table)
{
	enum ompp_where where = s->look.by_latency ? OMPP_IN_BOTH : OMPP_IN_RECORDS;
	const char *title = ompp_table_title(of, s->data.is_text ? "~" : " latency", table->arena);

	ompp_table_column(table, title, where);
	ompp_table_column(table, s->data.is_text ? "+-" : ompp_table_title(title ? title : "", " +-", table->arena),
	                  where);
}

static void far_columns(const struct section *s, struct ompp_table *table)
{
	const char *far = s->places.kind == OMPP_PLACES_THREADS ? "others'" : "far";

	ompp_table_column(table, "samples", OMPP_IN_BOTH);
	ompp_table_column(table, s->data.is_text ? "accesses~" : "accesses", OMPP_IN_BOTH);
	ompp_table_column(table, s->data.is_text ? "+-" : "accesses +-", OMPP_IN_BOTH);
	ompp_table_column(table, s->data.is_text ? ompp_table_title(far, " %~", table->arena) : "far share",
	                  OMPP_IN_BOTH);
	ompp_table_column(table, s->data.is_text ? "+-" : "far share +-", OMPP_IN_BOTH);
	latency_columns(s, s->places.kind == OMPP_PLACES_THREADS && s->data.is_text ? "own" : "near", table);
	latency_columns(s, s->data.is_text ? far : "far", table);
}

static void far_values(const struct section *s, const struct ompp_nearness *sum, struct ompp_table *table)
{
	struct ompp_sampled_sum all = sum->near;
	int64_t error, share;

	ompp_sampled_add(&all, &sum->far);
	ompp_sampled_add(&all, &sum->unknown);
	share = ompp_nearness_far(sum, &error);
	if (s->data.is_text && sum->near.n + sum->far.n < OMPP_LEAST_SAMPLES)
		share = error = OMPP_MISSING;
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(all.n));
	ompp_sampled_accesses(&all, s->data.is_text, table);
	ompp_sampled_share(share, error, s->data.is_text, table);
	ompp_sampled_mean_values(&sum->near, s->data.is_text, table);
	ompp_sampled_mean_values(&sum->far, s->data.is_text, table);
}

/* Puts objects, or objects by region, with the share of their far accesses. */
static int put_groups(const struct section *s, int by_region, struct ompp_sheet *sheet)
{
	const struct ompp_analysis *a = s->data.usage.analysis;
	const struct group *groups = by_region ? s->parts : s->objects;
	size_t n = by_region ? s->n_parts : s->n_objects, most = ompp_data_n_printed(&s->data, n);
	uint32_t *order = numa_sort(s, groups, n);
	struct ompp_table *table = &sheet->table;
	int is_threads = s->places.kind == OMPP_PLACES_THREADS;

	if (!order)
		return -ENOMEM;
	if (!n)
		return 0;
	most = a->top && a->top < most ? a->top : most;
	ompp_table_start(table, OMPP_STYLE_GRID, by_region ? "numa regions" : "numa objects",
	                 is_threads  ? by_region ? "The same by region:"
	                                         : "Accesses to pages that another thread touched first, and the "
	                                           "latencies of those to own and to others' pages:"
	                 : by_region ? "The same by region:"
	                             : "Accesses to other nodes' memory, and the latencies of near and of far ones:");
	ompp_table_left_column(table, "object", OMPP_IN_BOTH);
	if (by_region) {
		ompp_table_left_column(table, "region", OMPP_IN_TEXT);
		ompp_region_columns(table);
	}
	far_columns(s, table);
	if (!by_region)
		ompp_table_left_column(table, "touched first by", OMPP_IN_BOTH);
	ompp_table_column(table, "certainty", OMPP_IN_RECORDS);
	for (size_t i = 0; i < most; i++) {
		const struct group *g = &groups[order[i]];
		const struct ompp_object_part part = { .object = g->object, .key = g->key };

		ompp_data_object(&s->data, g->object, table);
		if (by_region) {
			ompp_table_text(table, ompp_data_region_text(&s->data, &part));
			ompp_data_region_values(&s->data, &part, table);
		}
		far_values(s, &g->sum, table);
		if (!by_region)
			ompp_table_text(table, main_toucher(s, g));
		ompp_table_text(table, s->is_modelled ? "modelled" : "sampled");
	}
	return sheet->put(sheet);
}

/* Adds up a group's accesses by place: at [from * (n + 1) + home], the last index of each is for an unknown place. */
static void fill_matrix(const struct section *s, const struct group *g, struct ompp_sampled_sum *matrix)
{
	uint32_t n = s->places.n;

	memset(matrix, 0, (size_t)(n + 1) * (n + 1) * sizeof(*matrix));
	for (uint32_t i = g->first; i < g->end; i++) {
		const struct ompp_use *use = &s->data.usage.profile->uses[s->by_group[i]];
		uint32_t from = ompp_place_from(&s->places, use), home = ompp_place_home(&s->places, use);

		from = from == OMPP_NONE ? n : from;
		home = home == OMPP_NONE ? n : home;
		ompp_sampled_add(&matrix[(size_t)from * (n + 1) + home], &use->sum);
	}
}

static const char *place_name(const struct section *s, uint32_t place)
{
	return place < s->places.n ? ompp_place_name(&s->places, place) : "unknown";
}

/* Puts one line of the matrix: what was accessed from one place. */
static void matrix_line(const struct section *s, uint32_t object, uint32_t from, const struct ompp_sampled_sum *line,
                        struct ompp_table *table)
{
	struct ompp_sampled_sum all = { 0 };

	for (uint32_t home = 0; home <= s->places.n; home++)
		ompp_sampled_add(&all, &line[home]);
	if (!all.n)
		return;
	ompp_data_object(&s->data, object, table);
	ompp_table_text(table, place_name(s, from));
	ompp_sampled_accesses(&all, s->data.is_text, table);
	for (uint32_t home = 0; home <= s->places.n; home++) {
		int64_t error = ompp_sample_stats_cost_error(line[home].estimate,
		                                             (unsigned __int128)line[home].variance, all.estimate,
		                                             (unsigned __int128)all.variance);
		int64_t share = ompp_share(line[home].estimate, all.estimate);

		if (!s->data.is_text)
			ompp_table_number(table, OMPP_KIND_METRIC, line[home].estimate);
		else if (all.n < OMPP_LEAST_SAMPLES)
			ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
		else
			ompp_sampled_share_alone(share, error, table);
	}
	ompp_table_text(table, s->is_modelled ? "modelled" : "sampled");
}

static int put_matrix(const struct section *s, struct ompp_sheet *sheet)
{
	const struct ompp_analysis *a = s->data.usage.analysis;
	size_t n = s->places.n + 1,
	       n_shown = s->data.is_text && s->n_objects > MOST_PLACES ? MOST_PLACES : s->n_objects;
	uint32_t *order = numa_sort(s, s->objects, s->n_objects);
	struct ompp_sampled_sum *matrix = ompp_arena_alloc(a->arena, n * n * sizeof(*matrix));
	struct ompp_table *table = &sheet->table;

	if (!order || !matrix)
		return -ENOMEM;
	if (!s->n_objects || s->places.n < 2)
		return 0;
	ompp_table_start(table, OMPP_STYLE_GRID, "numa matrix",
	                 s->places.kind == OMPP_PLACES_THREADS
	                         ? "Who accesses whose pages, in per cent of the accesses of a thread:"
	                         : "From which node to which, in per cent of the accesses from a node:");
	ompp_table_left_columns(table, OMPP_IN_BOTH, "object", "from");
	ompp_table_column(table, s->data.is_text ? "accesses~" : "accesses", OMPP_IN_BOTH);
	ompp_table_column(table, s->data.is_text ? "+-" : "accesses +-", OMPP_IN_BOTH);
	place_columns(s, "unknown", table);
	ompp_table_column(table, "certainty", OMPP_IN_RECORDS);
	for (size_t i = 0; i < n_shown; i++) {
		const struct group *g = &s->objects[order[i]];

		if (g->object < OMPP_OBJECT_FIRST_NAMED && s->data.is_text)
			continue;
		fill_matrix(s, g, matrix);
		for (uint32_t from = 0; from < n; from++)
			matrix_line(s, g->object, from, &matrix[from * n], table);
	}
	return ompp_table_n_rows(table) ? sheet->put(sheet) : 0;
}

/* ---- layouts ---- */

/* Puts the share of accesses that would be far with each layout, for the objects with enough far accesses. */
static int put_layouts(const struct section *s, struct ompp_sheet *sheet)
{
	const struct ompp_numa_object *o;
	struct ompp_numa_objects objects;
	struct ompp_table *table = &sheet->table;
	size_t most = ompp_data_n_printed(&s->data, s->n_objects), n = 0;
	int rc = ompp_numa_objects_init(&objects, s->data.usage.analysis);

	if (rc)
		return rc == -ENOENT ? 0 : rc;
	ompp_table_start(table, OMPP_STYLE_GRID, "numa layouts",
	                 "Accesses that memory may answer, far now and by other layouts (touch, copies, move: by the "
	                 "program):");
	ompp_table_left_column(table, "object", OMPP_IN_BOTH);
	ompp_layouts_columns(s->data.is_text, table);
	ompp_table_column(table, "certainty", OMPP_IN_RECORDS);
	while (n < most && (o = ompp_numa_objects_next(&objects)))
		if (o->is_chosen) {
			ompp_data_object(&s->data, o->index, table);
			ompp_layouts_values(&o->choice, o->share, o->error, objects.places.numbers, s->data.is_text,
			                    table);
			ompp_table_text(table, s->is_modelled ? "modelled" : "sampled");
			n++;
		}
	if (objects.rc)
		return objects.rc;
	return n ? sheet->put(sheet) : 0;
}

/* ---- the section ---- */

static int put_more_places(const struct section *s, struct ompp_sheet *sheet)
{
	return s->places.n > MOST_PLACES
	             ? ompp_data_remark("Tables in text have the columns of the first 8 only; CSV has "
	                                "all.",
	                                sheet)
	             : 0;
}

static const char *kind_text(const struct section *s)
{
	char buffer[TEXT_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	switch (s->places.kind) {
	case OMPP_PLACES_EMULATED:
		ompp_text_str(&t, "Modelled: the threads are assigned to ");
		ompp_text_u64(&t, s->places.n);
		ompp_text_str(&t,
		              " emulated NUMA nodes in their order, and each page is on the node of the thread that "
		              "touched it first.");
		break;
	case OMPP_PLACES_THREADS:
		ompp_text_str(&t, "This machine has one NUMA node, so no memory is far. What another machine would "
		                  "suffer shows who uses whose pages: those that a thread touched first.");
		break;
	default:
		return NULL;
	}
	return ompp_arena_strdup(s->data.usage.analysis->arena, buffer);
}

static int numa_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct section s = { .n = 0 };
	int rc;

	if (is_empty(a))
		return ompp_data_remark("Nothing is known of who touched pages; run the program by ompp run --sample, "
		                        "or set OMPP_SAMPLE=auto.",
		                        sheet);
	rc = ompp_data_start(&s.data, a, sheet);
	ompp_sampled_look(&s.look, a->profile, s.data.is_text);
	if (!rc)
		rc = ompp_places_init(&s.places, a);
	s.is_modelled = s.places.kind == OMPP_PLACES_EMULATED;
	if (!rc)
		rc = numa_find(&s);
	if (!rc && kind_text(&s))
		rc = ompp_data_remark(kind_text(&s), sheet);
	if (!rc)
		rc = put_more_places(&s, sheet);
	if (!rc)
		rc = put_nodes(&s, sheet);
	if (!rc)
		rc = put_threads(&s, sheet);
	if (!rc)
		rc = put_pages(&s, sheet);
	if (!rc && !s.n)
		return ompp_data_remark(ompp_sampled_none(a->profile), sheet);
	if (!rc)
		rc = put_groups(&s, 0, sheet);
	if (!rc)
		rc = ompp_variables_remark(&s.data, sheet);
	if (!rc)
		rc = put_matrix(&s, sheet);
	if (!rc)
		rc = put_layouts(&s, sheet);
	return rc ? rc : put_groups(&s, 1, sheet);
}

const struct ompp_view ompp_view_numa = { .title = "NUMA", .tag = "numa", .build = numa_build, .is_empty = is_empty };
