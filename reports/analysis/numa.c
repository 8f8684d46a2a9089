/*
 * Numa: see numa.h.
 */
#include "reports/analysis/numa.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/bound.h"

/* Returns the metric of this name.  Its certainty becomes that of its least certain value; it is NOT_COUNTED only when
 * all its values are. */
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
	} else if (have->certainty == OMPP_NOT_COUNTED ||
	           (metric->certainty != OMPP_NOT_COUNTED && metric->certainty > have->certainty)) {
		*have = *metric;
	}
	return m;
}

static int is_after(struct ompp_numa_place a, struct ompp_numa_place b)
{
	return a.process != b.process ? a.process > b.process : a.number > b.number;
}

static size_t find_place(const struct ompp_numa *numa, struct ompp_numa_place place)
{
	size_t i = 0;

	while (i < numa->n_places && is_after(place, numa->places[i]))
		i++;
	return i;
}

static void add_place(struct ompp_numa *numa, struct ompp_numa_place place)
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
	size_t n = p->n_numa_values, n_sums;

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
		numa->metric_of[i] = add_metric(numa, &p->numa_values[i].metric);
		add_place(numa, (struct ompp_numa_place){ p->numa_values[i].process, p->numa_values[i].place });
	}
	for (size_t i = 0; i < n; i++)
		numa->place_of[i] = (uint32_t)find_place(numa, (struct ompp_numa_place){ p->numa_values[i].process,
		                                                                         p->numa_values[i].place });
	if (__builtin_mul_overflow(numa->n_metrics, numa->n_places, &n_sums) || n_sums > SIZE_MAX / 16)
		return -ENOMEM;
	numa->sums = ompp_arena_alloc(a->arena, n_sums * sizeof(int64_t));
	numa->have = ompp_arena_alloc(a->arena, n_sums);
	if (!numa->sums || !numa->have)
		return -ENOMEM;
	*result = numa;
	return 0;
}

static void numa_start(struct ompp_numa *numa)
{
	memset(numa->have, 0, numa->n_metrics * numa->n_places);
	memset(numa->sums, 0, numa->n_metrics * numa->n_places * sizeof(int64_t));
}

/* Adds the values of one call path.  Returns 1 if it has some. */
static int add_node(struct ompp_numa *numa, const struct ompp_profile *p, uint32_t node)
{
	int found = 0;

	for (size_t i = OMPP_BOUND(p->numa_values, p->n_numa_values, node, node);
	     i < p->n_numa_values && p->numa_values[i].node == node; i++) {
		const struct ompp_numa_value *v = &p->numa_values[i];
		size_t at = numa->metric_of[i] * numa->n_places + numa->place_of[i];

		numa->sums[at] = ompp_add_known(numa->sums[at],
		                                v->metric.certainty == OMPP_NOT_COUNTED ? OMPP_MISSING : v->value);
		numa->have[at] = 1;
		found = 1;
	}
	return found;
}

int ompp_numa_region(const struct ompp_analysis *a, uint32_t region)
{
	int found = 0;

	if (!a->numa)
		return 0;
	numa_start(a->numa);
	for (uint32_t node = a->same_first[0][region]; node != OMPP_NONE; node = a->same_next[node])
		found |= add_node(a->numa, a->profile, node);
	return found;
}

int ompp_numa_node(const struct ompp_analysis *a, uint32_t node)
{
	if (!a->numa)
		return 0;
	numa_start(a->numa);
	return add_node(a->numa, a->profile, node);
}
