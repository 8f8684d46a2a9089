/*
 * Merge: see sum_merge.h.
 */
#include "runtime/sums/sum_merge.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/host/cpu.h"
#include "runtime/session/delegate.h"
#include "runtime/sources/source.h"

static uint32_t merge_hash3(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t h = (((uint64_t)a << 32 | b) ^ (uint64_t)c << 17) * 0x9E3779B97F4A7C15u;

	return (uint32_t)(h >> 32);
}

static uint32_t row_hash(const void *context, uint32_t i)
{
	const struct ompp_merge_row *r = &((const struct ompp_merge *)context)->rows[i];

	return merge_hash3(r->host, r->parent, r->rank);
}

uint32_t ompp_merge_find_row(struct ompp_merge *c, uint32_t host, uint32_t parent, uint32_t rank)
{
	size_t at = merge_hash3(host, parent, rank);
	struct ompp_merge_row *rows;
	uint32_t i;

	while ((i = ompp_index_next(&c->row_index, &at)) != OMPP_INDEX_FREE)
		if (c->rows[i].rank == rank && c->rows[i].parent == parent && c->rows[i].host == host)
			return i;
	rows = ompp_arena_grow(c->arena, c->rows, &c->have_rows, c->n_rows + 1, sizeof(*rows));
	if (!rows)
		goto failed;
	c->rows = rows;
	ompp_assert(parent == OMPP_NONE || (parent < c->n_rows && rows[parent].host == host));
	rows[c->n_rows] = (struct ompp_merge_row){ host, parent == OMPP_NONE ? 1 : rows[parent].depth + 1, rank, parent,
		                                   0 };
	if (ompp_index_put(&c->row_index, c->arena, (uint32_t)c->n_rows, row_hash, c))
		goto failed;
	return (uint32_t)c->n_rows++;
failed:
	c->failed = 1;
	return 0;
}

static uint32_t path_hash(const void *context, uint32_t i)
{
	const struct ompp_merge_path *p = &((const struct ompp_merge *)context)->paths[i];

	return merge_hash3(p->parent, p->region, (uint32_t)p->construct);
}

uint32_t ompp_merge_find_path(struct ompp_merge *c, uint32_t parent, uint32_t region, enum ompp_construct construct)
{
	size_t at = merge_hash3(parent, region, (uint32_t)construct);
	struct ompp_merge_path *paths;
	uint32_t i;

	while ((i = ompp_index_next(&c->path_index, &at)) != OMPP_INDEX_FREE)
		if (c->paths[i].parent == parent && c->paths[i].region == region && c->paths[i].construct == construct)
			return i;
	paths = ompp_arena_grow(c->arena, c->paths, &c->have_paths, c->n_paths + 1, sizeof(*paths));
	if (!paths)
		goto failed;
	c->paths = paths;
	ompp_assert(parent == OMPP_NONE || parent < c->n_paths);
	paths[c->n_paths] = (struct ompp_merge_path){ parent, region, OMPP_NONE, construct };
	if (ompp_index_put(&c->path_index, c->arena, (uint32_t)c->n_paths, path_hash, c))
		goto failed;
	return (uint32_t)c->n_paths++;
failed:
	c->failed = 1;
	return 0;
}

static uint32_t sums_hash(const void *context, uint32_t i)
{
	const struct ompp_merge_sums *s = &((const struct ompp_merge *)context)->sums[i];

	return merge_hash3(s->path, s->row, 0);
}

struct ompp_merge_sums *ompp_merge_find_sums(struct ompp_merge *c, uint32_t path, uint32_t row)
{
	static struct ompp_merge_sums nowhere; /* takes the values after a failure, and is never read */
	size_t at = merge_hash3(path, row, 0);
	struct ompp_merge_sums *sums;
	uint32_t i;

	while ((i = ompp_index_next(&c->sums_index, &at)) != OMPP_INDEX_FREE)
		if (c->sums[i].path == path && c->sums[i].row == row)
			return &c->sums[i];
	sums = ompp_arena_grow(c->arena, c->sums, &c->have_sums, c->n_sums + 1, sizeof(*sums));
	if (!sums)
		goto failed;
	c->sums = sums;
	sums += c->n_sums;
	ompp_assert(c->failed || (path < c->n_paths && row < c->n_rows));
	sums->path = path;
	sums->row = row;
	sums->next = c->paths[path].first_cell;
	if (ompp_metrics.n) {
		sums->values = ompp_arena_alloc(c->arena, ompp_metrics.n * sizeof(int64_t));
		sums->value_cost = ompp_arena_alloc(c->arena, ompp_metrics.n * sizeof(int64_t));
		if (!sums->values || !sums->value_cost)
			goto failed;
	}
	if (ompp_index_put(&c->sums_index, c->arena, (uint32_t)c->n_sums, sums_hash, c))
		goto failed;
	c->paths[path].first_cell = (uint32_t)c->n_sums++;
	return sums;
failed:
	c->failed = 1;
	return &nowhere;
}

/* Takes the runtime's own count out of a value.  A value that was counted only a share of the time contains only that
 * share of the cost. */
static void take_cost(const struct ompp_source_column *column, struct ompp_merge_sums *s)
{
	const int64_t *share = s->values + column->share;
	int64_t *value = &s->values[column->value], cost = s->value_cost[column->value];

	if (column->share != OMPP_NO_VALUE)
		cost = ompp_value_of_share(cost, share[OMPP_SHARE_ENABLED], share[OMPP_SHARE_RUNNING]);
	if (cost > 0 && *value > 0)
		*value = cost < *value ? *value - cost : 0;
}

void ompp_merge_finish(struct ompp_merge *c)
{
	size_t i, k;

	for (i = 0; i < c->n_sums && !c->failed; i++)
		for (k = 0; k < ompp_metrics.n_columns && c->sums[i].values; k++)
			if (ompp_metrics.column[k].value != OMPP_NO_VALUE)
				take_cost(&ompp_metrics.column[k], &c->sums[i]);
}

int ompp_merge_init(struct ompp_merge *c, struct ompp_arena *arena, uint64_t now_ticks)
{
	uint32_t n_threads = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), i;

	memset(c, 0, sizeof(*c));
	c->arena = arena;
	c->now = now_ticks;
	c->stretch_milli = 1000; /* of the fake clock's time nothing is lost */
	if (ompp_clock_kind != OMPP_CLOCK_FAKE)
		/* the delegate is no thread that measured */
		c->stretch_milli = ompp_cpu_stretch_milli(ompp_delegate_is_here() ? "" : "/proc/thread-self/schedstat");
	for (i = 0; i < n_threads; i++)
		if (OMPP_LOAD(&ompp_threads[i]->host) > c->max_host)
			c->max_host = OMPP_LOAD(&ompp_threads[i]->host);
	ompp_merge_find_path(c, OMPP_NONE, 0, OMPP_USER_REGION); /* the root */
	ompp_merge_find_row(c, 1, OMPP_NONE, 0);
	if (c->failed || ompp_locks_name(&c->locks, arena))
		return -ENOMEM;
	c->lost_id = ompp_region_count() + 1; /* after the locks were named, so that theirs are below it */
	return 0;
}
