/*
 * Hot Lines: the source lines whose accesses cost most by samples, and the objects that they touch.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/sample_groups.h"
#include "reports/tables/data_section.h"
#include "reports/tables/sampled.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { MOST_LINES = 24, MOST_OBJECTS = 3 };

/* A source line: a run of contiguous records in the profile. */
struct source_line {
	uint32_t first, end;
	struct ompp_sampled_sum sum;
	int64_t cost;
	unsigned __int128 variance; /* of the cost */
};

struct section {
	const struct ompp_analysis *analysis;
	struct ompp_sampled_look look;
	struct source_line *lines;
	size_t n;
	int64_t *object_cost; /* by object, of the line at hand */
	uint8_t *is_left;     /* by object, of the line at hand: 1 until it was named */
};

static int is_empty(const struct ompp_analysis *a)
{
	return !a->profile->n_sample_lines || !a->traffic;
}

/* Is the line within a region that is asked for?  If all regions are asked for, all lines are. */
static int is_in_regions(const struct ompp_analysis *a, const struct ompp_sampled_line *line)
{
	const struct ompp_profile *p = a->profile;

	if (a->n_named == p->n_regions)
		return 1;
	for (size_t i = 0; i < p->n_regions; i++)
		if (a->named[i] && line->line && line->line >= p->regions[i].begin_line &&
		    line->line <= p->regions[i].end_line && !strcmp(line->file, p->regions[i].file))
			return 1;
	return 0;
}

static int is_same_place(const struct ompp_sampled_line *a, const struct ompp_sampled_line *b)
{
	return a->line == b->line && !strcmp(a->file, b->file) && !strcmp(a->function, b->function);
}

static int is_shown(const struct section *s, const struct ompp_sampled_line *line)
{
	return s->analysis->traffic->shown[line->object];
}

/* Finds the source lines that are asked for. */
static int find_lines(struct section *s)
{
	const struct ompp_profile *p = s->analysis->profile;

	s->lines = ompp_arena_alloc(s->analysis->arena, p->n_sample_lines * sizeof(*s->lines));
	s->object_cost = ompp_arena_alloc(s->analysis->arena, p->n_objects * sizeof(*s->object_cost));
	s->is_left = ompp_arena_alloc(s->analysis->arena, p->n_objects);
	if (!s->lines || !s->object_cost || !s->is_left || p->n_sample_lines > UINT32_MAX)
		return -ENOMEM;
	for (uint32_t i = 0, end; i < p->n_sample_lines; i = end) {
		struct source_line line = { .first = i };

		for (end = i; end < p->n_sample_lines && is_same_place(&p->sample_lines[i], &p->sample_lines[end]);
		     end++)
			if (is_shown(s, &p->sample_lines[end])) {
				ompp_sampled_add(&line.sum, &p->sample_lines[end].sum);
				line.variance += ompp_sampled_cost_variance(s->look.by_latency,
				                                            &p->sample_lines[end].sum);
			}
		line.end = end;
		line.cost = ompp_sampled_cost(s->look.by_latency, &line.sum);
		s->look.cost = ompp_add(s->look.cost, line.cost);
		s->look.variance += line.variance;
		if (line.sum.n && is_in_regions(s->analysis, &p->sample_lines[i]))
			s->lines[s->n++] = line;
	}
	return 0;
}

static int costs_less(const void *lines, uint32_t x, uint32_t y)
{
	const struct source_line *l = lines;

	if (l[x].cost != l[y].cost)
		return l[x].cost < l[y].cost;
	return l[x].sum.estimate != l[y].sum.estimate ? l[x].sum.estimate < l[y].sum.estimate : x > y;
}

/* Returns "a.c:14 main._omp_fn.0", or "(unknown: no -g)". */
static const char *place_text(const struct section *s, const struct ompp_sampled_line *line)
{
	const char *base = strrchr(line->file, '/');
	size_t n = strlen(line->file) + strlen(line->function) + 32;
	char *buffer = ompp_arena_alloc(s->analysis->arena, n);
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, base ? base + 1 : line->file);
	if (line->line) {
		ompp_text_char(&t, ':');
		ompp_text_u64(&t, line->line);
	}
	ompp_text_str(&t, t.n_bytes && line->function[0] ? " " : "");
	ompp_text_str(&t, line->function);
	ompp_text_str(&t, t.n_bytes ? "" : "(unknown: no -g)");
	return buffer;
}

static void put_percent(struct ompp_text *t, int64_t part, int64_t whole)
{
	ompp_text_char(t, ' ');
	ompp_text_fixed(t, ompp_share(part, whole), 7, 0);
	ompp_text_str(t, " %");
}

/* Returns the level with most of the line's cost, "remote mem 68 %"; "-" when no level is known. */
static const char *level_text(const struct section *s, const struct source_line *line)
{
	const struct ompp_profile *p = s->analysis->profile;
	int64_t costs[OMPP_MEM_N_LEVELS] = { 0 };
	uint32_t best = OMPP_MEM_LEVEL_UNKNOWN;
	char buffer[64];
	struct ompp_text t;

	for (uint32_t i = line->first; i < line->end; i++) {
		const struct ompp_sampled_sum *sum = &p->sample_lines[i].sum;

		if (is_shown(s, &p->sample_lines[i]))
			costs[sum->level] = ompp_add(costs[sum->level], ompp_sampled_cost(s->look.by_latency, sum));
	}
	for (uint32_t i = OMPP_MEM_LEVEL_UNKNOWN + 1; i < OMPP_MEM_N_LEVELS; i++)
		best = costs[i] > costs[best] || (!best && costs[i]) ? i : best;
	if (!best || line->sum.n < OMPP_LEAST_SAMPLES)
		return "-";
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, ompp_sample_stats_level_name(best));
	put_percent(&t, costs[best], line->cost);
	return ompp_arena_strdup(s->analysis->arena, buffer);
}

/* Adds up what the objects of a line cost, and returns how many bytes their names take at most. */
static size_t object_costs(const struct section *s, const struct source_line *line)
{
	const struct ompp_profile *p = s->analysis->profile;
	size_t n_bytes = 0;

	for (uint32_t i = line->first; i < line->end; i++) {
		uint32_t object = p->sample_lines[i].object;

		s->object_cost[object] = 0;
		s->is_left[object] = is_shown(s, &p->sample_lines[i]);
		n_bytes += strlen(p->objects[object].name) + 32;
	}
	for (uint32_t i = line->first; i < line->end; i++) {
		uint32_t object = p->sample_lines[i].object;

		s->object_cost[object] = ompp_add(s->object_cost[object],
		                                  ompp_sampled_cost(s->look.by_latency, &p->sample_lines[i].sum));
	}
	return n_bytes;
}

/* Takes the costliest object of a line that was not named yet; returns OMPP_NONE when there is none. */
static uint32_t next_object(const struct section *s, const struct source_line *line)
{
	const struct ompp_profile *p = s->analysis->profile;
	uint32_t best = OMPP_NONE;

	for (uint32_t i = line->first; i < line->end; i++) {
		uint32_t object = p->sample_lines[i].object;

		if (s->is_left[object] && (best == OMPP_NONE || s->object_cost[object] > s->object_cost[best]))
			best = object;
	}
	if (best != OMPP_NONE)
		s->is_left[best] = 0;
	return best;
}

/* Returns how many objects of a line were not named yet. */
static size_t n_left(const struct section *s, const struct source_line *line)
{
	const struct ompp_profile *p = s->analysis->profile;
	size_t n = 0;

	for (uint32_t i = line->first; i < line->end; i++) {
		n += s->is_left[p->sample_lines[i].object];
		s->is_left[p->sample_lines[i].object] = 0;
	}
	return n;
}

/* Returns the objects of a line, the costliest first: "a 97 %, x 3 %, 2 more". */
static const char *objects_text(const struct section *s, const struct source_line *line)
{
	const struct ompp_profile *p = s->analysis->profile;
	size_t n_bytes = object_costs(s, line) + 32, n_more;
	char *buffer = ompp_arena_alloc(s->analysis->arena, n_bytes);
	struct ompp_text t;
	uint32_t object;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n_bytes);
	for (int n = 0; n < MOST_OBJECTS && (object = next_object(s, line)) != OMPP_NONE; n++) {
		ompp_text_str(&t, n ? ", " : "");
		ompp_text_str(&t, p->objects[object].name);
		if (line->cost)
			put_percent(&t, s->object_cost[object], line->cost);
	}
	n_more = n_left(s, line);
	if (n_more) {
		ompp_text_str(&t, ", ");
		ompp_text_u64(&t, n_more);
		ompp_text_str(&t, " more");
	}
	return buffer;
}

static int put_text(struct section *s, const uint32_t *order, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = s->analysis->profile;
	struct ompp_table *table = &sheet->table;
	size_t n_lines = s->n < MOST_LINES ? s->n : MOST_LINES;

	if (s->analysis->top && s->analysis->top < n_lines)
		n_lines = s->analysis->top;
	ompp_table_start(table, OMPP_STYLE_GRID, "",
	                 s->look.by_latency ? "Source lines by the latency of their sampled accesses:"
	                                    : "Source lines by their sampled accesses:");
	ompp_table_left_column(table, "line", OMPP_IN_TEXT);
	ompp_sampled_cost_columns(&s->look, table);
	ompp_sampled_mean_columns(&s->look, table);
	ompp_table_column(table, "most from", s->look.has_levels ? OMPP_IN_TEXT : OMPP_IN_RECORDS);
	ompp_table_column(table, "objects", OMPP_IN_TEXT);
	for (size_t i = 0; i < n_lines; i++) {
		const struct source_line *line = &s->lines[order[i]];

		ompp_table_text(table, place_text(s, &p->sample_lines[line->first]));
		ompp_sampled_cost_values(&s->look, &line->sum, line->variance, table);
		ompp_sampled_mean_values(&line->sum, 1, table);
		ompp_table_text(table, level_text(s, line));
		ompp_table_text(table, objects_text(s, line));
	}
	if (n_lines < s->n) {
		struct ompp_sampled_sum rest = { 0 };
		unsigned __int128 variance = 0;
		struct ompp_data_section d = { .usage = { .analysis = s->analysis } };

		for (size_t i = n_lines; i < s->n; i++) {
			ompp_sampled_add(&rest, &s->lines[order[i]].sum);
			variance += s->lines[order[i]].variance;
		}
		ompp_table_text(table, ompp_data_more_text(&d, s->n - n_lines));
		ompp_sampled_cost_values(&s->look, &rest, variance, table);
		ompp_sampled_mean_values(&rest, 1, table);
		ompp_table_text(table, "");
		ompp_table_text(table, "");
	}
	return sheet->put(sheet);
}

/* Puts a record for each line, object and kind. */
static int put_records(struct section *s, const uint32_t *order, struct ompp_sheet *sheet)
{
	const struct ompp_sampled_line *all = s->analysis->profile->sample_lines;
	size_t n = s->analysis->top && s->analysis->top < s->n ? s->analysis->top : s->n;
	struct ompp_table *table = &sheet->table;
	struct ompp_sample_stats sum;

	ompp_table_start(table, OMPP_STYLE_GRID, "source lines", "");
	ompp_table_columns(table, OMPP_IN_RECORDS, "file", "line", "function", "object", "kind");
	ompp_sampled_cost_columns(&s->look, table);
	ompp_sampled_mean_columns(&s->look, table);
	ompp_sampled_level_columns(&s->look, table);
	for (size_t k = 0; k < n; k++)
		for (uint32_t i = s->lines[order[k]].first, end; i < s->lines[order[k]].end; i = end) {
			unsigned __int128 variance = 0;

			memset(&sum, 0, sizeof(sum));
			for (end = i; end < s->lines[order[k]].end && all[end].object == all[i].object &&
			              all[end].sum.kind == all[i].sum.kind;
			     end++) {
				ompp_sampled_add(&sum.sum, &all[end].sum);
				sum.levels[all[end].sum.level] += all[end].sum.n;
				variance += ompp_sampled_cost_variance(s->look.by_latency, &all[end].sum);
			}
			if (!is_shown(s, &all[i]))
				continue;
			ompp_table_text(table, all[i].file);
			ompp_table_number(table, OMPP_KIND_COUNT, all[i].line ? all[i].line : OMPP_MISSING);
			ompp_table_text(table, all[i].function);
			ompp_table_text(table, s->analysis->profile->objects[all[i].object].name);
			ompp_table_text(table, ompp_sampled_kind(all[i].sum.kind));
			ompp_sampled_cost_values(&s->look, &sum.sum, variance, table);
			ompp_sampled_mean_values(&sum.sum, 0, table);
			ompp_sampled_level_values(&s->look, &sum, table);
		}
	return sheet->put(sheet);
}

static int lines_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct section s = { .analysis = a };
	uint32_t *order;
	int rc;

	if (is_empty(a))
		return ompp_data_remark(ompp_sampled_none(a->profile), sheet);
	ompp_sampled_look(&s.look, a->profile, sheet->prints == OMPP_IN_TEXT);
	rc = find_lines(&s);
	order = rc ? NULL : ompp_arena_alloc(a->arena, s.n * sizeof(*order));
	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < s.n; i++)
		order[i] = i;
	ompp_sort(order, s.n, costs_less, s.lines);
	if (!s.n)
		return ompp_data_remark("No access was sampled in the lines of the chosen regions.", sheet);
	return s.look.is_text ? put_text(&s, order, sheet) : put_records(&s, order, sheet);
}

const struct ompp_view ompp_view_lines = {
	.title = "Hot Lines", .tag = "hot lines", .build = lines_build, .is_empty = is_empty
};
