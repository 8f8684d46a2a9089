/*
 * Numa: see numa.h.
 */
#include "reports/views/numa.h"

#include <errno.h>
#include <string.h>

#include "reports/views/counted.h"
#include "runtime/base/text.h"

/* The metric of this name, as sure as the least sure value; NOT_COUNTED only if all are. */
static uint32_t add_metric(struct ompp_numa *numa, const struct ompp_metric *metric)
{
	uint32_t m = 0;
	struct ompp_metric *have;

	while (m < numa->n_metrics && strcmp(numa->metrics[m].name, metric->name))
		m++;
	have = &numa->metrics[m];
	if (m == numa->n_metrics) {
		numa->n_metrics++;
		*have = *metric;
	} else if (have->certainty == OMPP_NOT_COUNTED || (metric->certainty != OMPP_NOT_COUNTED &&
	                                                   metric->certainty > have->certainty)) {
		*have = *metric;
	}
	return m;
}

static int is_after(struct ompp_place a, struct ompp_place b)
{
	return a.process != b.process ? a.process > b.process : a.number > b.number;
}

static size_t find_place(const struct ompp_numa *numa, struct ompp_place place)
{
	size_t i = 0;

	while (i < numa->n_places && is_after(place, numa->places[i]))
		i++;
	return i;
}

static void add_place(struct ompp_numa *numa, struct ompp_place place)
{
	size_t i = find_place(numa, place);

	if (i < numa->n_places && !is_after(numa->places[i], place))
		return;
	memmove(&numa->places[i + 1], &numa->places[i], (numa->n_places++ - i) * sizeof(place));
	numa->places[i] = place;
}

int ompp_numa_init(const struct ompp_analysis *a, struct ompp_numa **result)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_numa *numa = ompp_arena_alloc(a->arena, sizeof(*numa));
	size_t n = p->n_node_values, n_sums;

	*result = NULL;
	if (!numa)
		return -ENOMEM;
	if (!n)
		return 0;
	numa->metrics = ompp_arena_alloc(a->arena, n * sizeof(*numa->metrics));
	numa->places = ompp_arena_alloc(a->arena, n * sizeof(*numa->places));
	numa->metric_of = ompp_arena_alloc(a->arena, n * sizeof(uint32_t));
	numa->place_of = ompp_arena_alloc(a->arena, n * sizeof(uint32_t));
	if (!numa->metrics || !numa->places || !numa->metric_of || !numa->place_of)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		numa->metric_of[i] = add_metric(numa, &p->node_values[i].metric);
		add_place(numa, (struct ompp_place){ p->node_values[i].process, p->node_values[i].place });
	}
	for (size_t i = 0; i < n; i++)
		numa->place_of[i] = (uint32_t)find_place(numa, (struct ompp_place){ p->node_values[i].process,
		                                                                    p->node_values[i].place });
	if (__builtin_mul_overflow(numa->n_metrics, numa->n_places, &n_sums) || n_sums > SIZE_MAX / 16)
		return -ENOMEM;
	numa->sums = ompp_arena_alloc(a->arena, n_sums * sizeof(int64_t));
	numa->have = ompp_arena_alloc(a->arena, n_sums);
	if (!numa->sums || !numa->have)
		return -ENOMEM;
	*result = numa;
	return 0;
}

static int64_t add(int64_t a, int64_t b)
{
	return a == OMPP_MISSING || b == OMPP_MISSING ? OMPP_MISSING : ompp_add(a, b);
}

static void start(struct ompp_numa *numa)
{
	memset(numa->have, 0, numa->n_metrics * numa->n_places);
	memset(numa->sums, 0, numa->n_metrics * numa->n_places * sizeof(int64_t));
}

/* The values of one call path: 1 if it has some. */
static int add_node(struct ompp_numa *numa, const struct ompp_profile *p, uint32_t node)
{
	size_t low = 0, high = p->n_node_values;
	int found = 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->node_values[middle].node < node)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < p->n_node_values && p->node_values[low].node == node; low++) {
		const struct ompp_node_value *v = &p->node_values[low];
		size_t at = numa->metric_of[low] * numa->n_places + numa->place_of[low];

		numa->sums[at] = add(numa->sums[at], v->metric.certainty == OMPP_NOT_COUNTED ? OMPP_MISSING : v->value);
		numa->have[at] = 1;
		found = 1;
	}
	return found;
}

/* "NUMA 0", or "r1 NUMA 0" of a rank, or "p1 NUMA 0" of another process. */
static const char *place_title(struct ompp_place place, int has_ranks, struct ompp_arena *arena)
{
	char buffer[48];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	if (place.process) {
		ompp_text_char(&t, has_ranks ? 'r' : 'p');
		ompp_text_u64(&t, place.process - 1);
		ompp_text_char(&t, ' ');
	}
	ompp_text_str(&t, "NUMA ");
	ompp_text_u64(&t, place.number);
	return ompp_arena_strdup(arena, buffer);
}

static void put_row(const struct ompp_numa *numa, size_t m, size_t i, struct ompp_table *table)
{
	const struct ompp_metric *metric = &numa->metrics[m];
	const int64_t *sums = &numa->sums[m * numa->n_places];
	const uint8_t *have = &numa->have[m * numa->n_places];
	int is_one = numa->places[0].process == numa->places[numa->n_places - 1].process;
	int64_t sum = is_one ? 0 : OMPP_MISSING;        /* two processes may have counted the same */

	ompp_table_text(table, ompp_counted_name(metric, i, table->arena));
	ompp_table_text(table, metric->name);
	ompp_table_text(table, metric->unit);
	ompp_table_text(table, ompp_certainty_name(metric->certainty));
	for (size_t k = 0; k < numa->n_places; k++) {
		ompp_table_number(table, OMPP_KIND_METRIC, have[k] ? sums[k] : OMPP_MISSING);
		sum = add(sum, sums[k]);
	}
	ompp_table_number(table, OMPP_KIND_METRIC, sum);
}

void ompp_numa_fill(const struct ompp_analysis *a, const struct ompp_region *region, const char *words,
                    struct ompp_table *table)
{
	const struct ompp_numa *numa = a->numa;
	char buffer[160];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "Whole machine during R");
	ompp_text_zeros(&t, region->id, 5);
	ompp_text_str(&t, words);
	ompp_text_str(&t, ", by NUMA node, other programs included:");
	table->heading = ompp_arena_strdup(a->arena, buffer);
	if (!table->heading)
		table->rc = -ENOMEM;
	ompp_table_left_column(table, "counter", OMPP_IN_TEXT);
	ompp_table_column(table, "counter", OMPP_IN_RECORDS);
	ompp_table_column(table, "unit", OMPP_IN_RECORDS);
	ompp_table_column(table, "certainty", OMPP_IN_RECORDS);
	for (size_t k = 0; k < numa->n_places; k++)
		ompp_layout_column(table, place_title(numa->places[k], a->profile->mpi_rank >= 0, a->arena));
	ompp_layout_column(table, "SUM");
	for (size_t m = 0; m < numa->n_metrics; m++)
		if (memchr(&numa->have[m * numa->n_places], 1, numa->n_places))
			put_row(numa, m, a->profile->n_metrics + m, table);
}

int ompp_numa_region(const struct ompp_analysis *a, uint32_t region)
{
	int found = 0;

	if (!a->numa)
		return 0;
	start(a->numa);
	for (uint32_t node = a->same_first[0][region]; node != OMPP_NONE; node = a->same_next[node])
		found |= add_node(a->numa, a->profile, node);
	return found;
}

int ompp_numa_node(const struct ompp_analysis *a, uint32_t node)
{
	if (!a->numa)
		return 0;
	start(a->numa);
	return add_node(a->numa, a->profile, node);
}
