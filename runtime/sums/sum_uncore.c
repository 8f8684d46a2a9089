/*
 * Uncore: see sum_uncore.h.
 */
#include "runtime/sums/sum_uncore.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/number.h"
#include "runtime/base/check.h"
#include "runtime/base/sort.h"
#include "runtime/sources/source_uncore.h"

/* What one thread's executions of a parallel region at one call path counted. */
struct ompp_merge_uncore {
	uint32_t path, value;
	int64_t count; /* OMPP_MISSING when some of it could not be read */
};

void ompp_merge_uncore(struct ompp_merge *c, const struct ompp_callnode *node, uint32_t path)
{
	const struct ompp_uncore_sum *sums = __atomic_load_n(&node->uncore, __ATOMIC_ACQUIRE);
	uint32_t i;

	if (!sums || path == OMPP_NONE)
		return;
	for (i = 0; i < ompp_n_uncore; i++) {
		struct ompp_merge_uncore *all = ompp_arena_grow(c->arena, c->uncore, &c->have_uncore, c->n_uncore + 1,
		                                                sizeof(*all));

		if (!all) {
			c->failed = 1;
			return;
		}
		c->uncore = all;
		all[c->n_uncore++] = (struct ompp_merge_uncore){
			path, i, OMPP_LOAD(&sums[i].n_failed) ? OMPP_MISSING : (int64_t)OMPP_LOAD(&sums[i].count)
		};
	}
}

static int is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_merge_uncore *all = context, *a = &all[x], *b = &all[y];

	return a->path != b->path ? a->path > b->path : a->value > b->value;
}

int ompp_collect_uncore(struct ompp_merge *c, struct ompp_profile *p)
{
	uint32_t *order = ompp_arena_alloc(c->arena, (c->n_uncore + 1) * sizeof(*order));
	struct ompp_numa_value *out = ompp_arena_alloc(c->arena, (c->n_uncore + 1) * sizeof(*out));
	const struct ompp_merge_uncore *last = NULL;
	size_t i, n = 0;

	if (!order || !out)
		return -ENOMEM;
	for (i = 0; i < c->n_uncore; i++)
		order[i] = (uint32_t)i;
	ompp_sort(order, c->n_uncore, is_after, c->uncore);
	for (i = 0; i < c->n_uncore; i++) {
		const struct ompp_merge_uncore *u = &c->uncore[order[i]];

		if (last && last->path == u->path && last->value == u->value) {
			out[n - 1].value = ompp_add_known(out[n - 1].value, u->count);
			continue;
		}
		out[n] = (struct ompp_numa_value){ .node = u->path,
			                           .place = ompp_uncore[u->value].node,
			                           .metric = ompp_uncore[u->value].metric,
			                           .value = u->count };
		out[n++].metric.certainty = OMPP_LOAD(&ompp_uncore[u->value].metric.certainty);
		ompp_assert(u->value < ompp_n_uncore);
		last = u;
	}
	p->numa_values = out;
	p->n_numa_values = n;
	return 0;
}
