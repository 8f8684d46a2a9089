/*
 * Sample groups: see sample_groups.h.
 */
#include "reports/analysis/sample_groups.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/sort.h"

int64_t ompp_sample_key(const struct ompp_profile *p, uint32_t node)
{
	return node ? 2 * (int64_t)p->nodes[node].region + (p->nodes[node].construct == OMPP_TASKEXEC) : OMPP_SERIAL;
}

int ompp_samples_want(const struct ompp_analysis *a, uint32_t object, int64_t key)
{
	if (!a->traffic->shown[object])
		return 0;
	return key == OMPP_SERIAL ? a->n_named == a->profile->n_regions : a->named[key / 2];
}

/* Returns the group of one sample alone. */
static struct ompp_sample_group group_of(const struct ompp_sample_groups *g, uint32_t sample)
{
	const struct ompp_profile *p = g->analysis->profile;
	const struct ompp_sampled *s = &p->samples[sample];

	return (struct ompp_sample_group){
		.object = s->object,
		.kind = s->sum.kind,
		.key = g->by & OMPP_BY_REGION ? ompp_sample_key(p, s->node) : OMPP_SERIAL,
		.row = g->by & OMPP_BY_THREAD ? ompp_thread_row(p, s->row) : 0,
	};
}

static int sample_groups_compare(const struct ompp_sample_group *a, const struct ompp_sample_group *b)
{
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return a->kind < b->kind ? -1 : a->kind > b->kind;
}

static int sample_is_after(const void *groups, uint32_t x, uint32_t y)
{
	struct ompp_sample_group a = group_of(groups, x), b = group_of(groups, y);
	int d = sample_groups_compare(&a, &b);

	return d ? d > 0 : x > y;
}

static void link_histogram(struct ompp_sample_groups *g)
{
	const struct ompp_profile *p = g->analysis->profile;
	uint32_t i = 0;

	for (uint32_t s = 0; s < p->n_samples; s++) {
		g->first[s] = i;
		while (i < p->n_sample_histogram && p->sample_histogram[i].sampled == s)
			i++;
	}
	g->first[p->n_samples] = i;
}

int ompp_sample_groups_init(struct ompp_sample_groups *g, const struct ompp_analysis *a, unsigned int by)
{
	const struct ompp_profile *p = a->profile;
	uint32_t n = 0;

	*g = (struct ompp_sample_groups){ .analysis = a, .by = by, .by_latency = ompp_sample_stats_has_latencies(p) };
	if (p->n_samples > UINT32_MAX - 1)
		return -ENOMEM;
	g->first = ompp_arena_alloc(a->arena, (p->n_samples + 1) * sizeof(uint32_t));
	g->by_group = ompp_arena_alloc(a->arena, p->n_samples * sizeof(uint32_t));
	if (!g->first || !g->by_group)
		return -ENOMEM;
	link_histogram(g);
	for (uint32_t i = 0; i < p->n_samples; i++)
		if (ompp_samples_want(a, p->samples[i].object, ompp_sample_key(p, p->samples[i].node)))
			g->by_group[n++] = i;
	ompp_sort(g->by_group, n, sample_is_after, g);
	g->groups = ompp_arena_alloc(a->arena, n * sizeof(*g->groups));
	if (!g->groups)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		struct ompp_sample_group one = group_of(g, g->by_group[i]), *last = g->groups + g->n - 1;
		int64_t cost = ompp_sampled_cost(g->by_latency, &p->samples[g->by_group[i]].sum);

		if (!g->n || sample_groups_compare(last, &one)) {
			last = &g->groups[g->n++];
			*last = one;
			last->first = i;
		}
		last->end = i + 1;
		last->cost = ompp_add(last->cost, cost);
		g->cost = ompp_add(g->cost, cost);
	}
	for (size_t i = 0; i < g->n; i++) {
		struct ompp_sample_stats sum;

		ompp_sample_group_sum(g, &g->groups[i], &sum);
		g->variance += ompp_sampled_cost_variance(g->by_latency, &sum.sum);
	}
	return 0;
}

void ompp_sample_group_sum(const struct ompp_sample_groups *g, const struct ompp_sample_group *group,
                           struct ompp_sample_stats *sum)
{
	const struct ompp_profile *p = g->analysis->profile;

	memset(sum, 0, sizeof(*sum));
	for (uint32_t i = group->first; i < group->end; i++) {
		uint32_t sample = g->by_group[i];
		const struct ompp_sampled *s = &p->samples[sample];

		ompp_sampled_add(&sum->sum, &s->sum);
		sum->levels[s->sum.level] += s->sum.n;
		sum->n_homed += s->home == OMPP_NONE ? 0 : s->sum.n;
		sum->n_far += s->home == OMPP_NONE ? 0 : s->n_far;
		for (uint32_t k = g->first[sample]; k < g->first[sample + 1]; k++)
			sum->buckets[p->sample_histogram[k].bucket] += p->sample_histogram[k].n;
	}
}

int ompp_sample_group_is_after(const void *groups, uint32_t x, uint32_t y)
{
	const struct ompp_sample_groups *g = groups;
	const struct ompp_sample_group *a = &g->groups[x], *b = &g->groups[y];
	int named_a = a->object >= OMPP_OBJECT_FIRST_NAMED, named_b = b->object >= OMPP_OBJECT_FIRST_NAMED;

	if (named_a != named_b)
		return named_a < named_b;
	return a->cost != b->cost ? a->cost < b->cost : x > y;
}
