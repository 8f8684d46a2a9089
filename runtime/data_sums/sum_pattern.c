/*
 * Pattern: see sum_pattern.h.
 */
#include "runtime/data_sums/sum_pattern.h"

#include <errno.h>
#include <stdatomic.h>

#include "runtime/access/access.h"
#include "runtime/access/access_model.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"
#include "runtime/core/thread.h"
#include "runtime/data/cache.h"
#include "runtime/data/tally.h"

enum { LEAST_STEPS = 64, MOST_ROWS_NAMED = 8 };

struct pattern_row {
	uint32_t row;
	uint64_t n;
};

/* A pattern while it is summed up. */
struct ompp_merge_pattern {
	struct ompp_pattern sum; /* its region is an id */
	struct pattern_row *rows;
	size_t have_rows;
};

static struct ompp_merge_pattern *pattern_find(struct ompp_merge *c, const struct ompp_pattern *one)
{
	struct ompp_merge_pattern *list;

	for (size_t i = 0; i < c->n_patterns; i++) {
		const struct ompp_pattern *have = &c->patterns[i].sum;

		if (have->object == one->object && have->region == one->region && have->kind == one->kind &&
		    have->step_bytes == one->step_bytes)
			return &c->patterns[i];
	}
	list = ompp_arena_grow(c->arena, c->patterns, &c->have_patterns, c->n_patterns + 1, sizeof(*list));
	if (!list)
		return NULL;
	c->patterns = list;
	list[c->n_patterns] = (struct ompp_merge_pattern){ .sum = *one };
	list[c->n_patterns].sum.n = list[c->n_patterns].sum.n_of = list[c->n_patterns].sum.n_lines = 0;
	return &list[c->n_patterns++];
}

static void pattern_add(struct ompp_merge *c, const struct ompp_pattern *one, uint32_t row)
{
	struct ompp_merge_pattern *p = pattern_find(c, one);
	struct pattern_row *rows;

	if (!p) {
		c->failed = 1;
		return;
	}
	p->sum.n += one->n;
	p->sum.n_of += one->n_of;
	p->sum.n_lines += one->n_lines;
	for (uint32_t i = 0; i < p->sum.n_rows; i++)
		if (p->rows[i].row == row) {
			p->rows[i].n += one->n;
			return;
		}
	rows = ompp_arena_grow(c->arena, p->rows, &p->have_rows, p->sum.n_rows + 1, sizeof(*rows));
	if (!rows) {
		c->failed = 1;
		return;
	}
	p->rows = rows;
	rows[p->sum.n_rows++] = (struct pattern_row){ row, one->n };
}

/* Returns the cache level whose misses are looked at, which is the first that is modelled. */
static int first_level(void)
{
	int i = 0;

	while (i < OMPP_CACHE_LEVELS - 1 && !ompp_access_geometry.level[i].bytes)
		i++;
	return i;
}

/* Returns the bytes of all accesses of a row of a tally. */
static uint64_t bytes_of(const uint64_t *words)
{
	uint64_t n = OMPP_LOAD(&words[OMPP_SLOT_BLOCK_LOAD_BYTES]) + OMPP_LOAD(&words[OMPP_SLOT_BLOCK_STORE_BYTES]) +
	             OMPP_LOAD(&words[OMPP_SLOT_ATOMIC_BYTES]);

	for (unsigned int i = 0; i < OMPP_SIZES; i++)
		n += (OMPP_LOAD(&words[OMPP_SLOT_LOAD + i]) + OMPP_LOAD(&words[OMPP_SLOT_STORE + i])) << i;
	return n;
}

/* Adds steps to those of the same distance; else they take the place of the fewest, if these are fewer. */
static void add_steps(struct ompp_pattern_walk *w, int64_t bytes, uint64_t n)
{
	int at = 0;

	for (int i = 0; i < OMPP_WALK_STEPS; i++) {
		if (w->steps[i].n && w->steps[i].bytes == bytes) {
			w->steps[i].n += n;
			return;
		}
		at = w->steps[i].n < w->steps[at].n ? i : at;
	}
	if (n <= w->steps[at].n)
		return;
	w->steps[at].bytes = bytes;
	w->steps[at].n = n;
}

void ompp_pattern_row(struct ompp_pattern_walk *w, const uint64_t *words)
{
	w->n_misses += OMPP_LOAD(&words[OMPP_SLOT_MISS + first_level()]);
	w->n_foreign += OMPP_LOAD(&words[OMPP_SLOT_FOREIGN]);
	w->n_near += OMPP_LOAD(&words[OMPP_SLOT_NEAR]);
	w->n_bytes += bytes_of(words);
	add_steps(w, (int64_t)OMPP_LOAD(&words[OMPP_SLOT_STEP]), OMPP_LOAD(&words[OMPP_SLOT_STEPS]));
}

/* Would the bytes of a walk lie in half as many lines as it missed, or in fewer?  A bit more counts as half, as the
 * first misses of a walk have other distances. */
static int uses_half(const struct ompp_pattern_walk *w, uint64_t n_steps, uint64_t line)
{
	return n_steps / 2 + n_steps / 32 >= w->n_bytes / line;
}

static void add_walk(struct ompp_merge *c, const struct ompp_pattern_walk *w, uint32_t region, uint32_t row, uint64_t n,
                     int64_t step)
{
	pattern_add(c,
	            &(struct ompp_pattern){ .object = w->object,
	                                    .region = region,
	                                    .kind = OMPP_PATTERN_STRIDE,
	                                    .n = n,
	                                    .n_of = w->n_misses,
	                                    .step_bytes = step },
	            row);
}

/* A thread walks by a stride when three misses of four or more have the same distance from the miss before, and this
 * is two lines or more.  Where data is walked line by line the distance is one line; that is a stride, too, where
 * half of what is fetched or more is not used, as of structures of which one field is read.  Where several fields are
 * read that lie in different lines, distances differ, but all are short: such a walk has no step (0).  Where data is
 * accessed at random no distance stays the same for long, nor is it short.  A thread fetches another's data when three
 * misses of four are of pages that another thread wrote first. */
void ompp_pattern_tally(struct ompp_merge *c, const struct ompp_pattern_walk *w, uint32_t region, uint32_t row)
{
	uint64_t n_misses = w->n_misses, n_foreign = w->n_foreign, n_steps, step_bytes,
		 line = ompp_access_geometry.level[first_level()].line_bytes;
	int64_t step;
	int most = 0;

	for (int i = 1; i < OMPP_WALK_STEPS; i++)
		most = w->steps[i].n > w->steps[most].n ? i : most;
	n_steps = w->steps[most].n;
	step = w->steps[most].bytes;
	step_bytes = step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
	if (n_steps >= LEAST_STEPS && n_steps >= n_misses / 4 * 3 && step_bytes >= line &&
	    (step_bytes >= 2 * line || uses_half(w, n_steps, line)))
		add_walk(c, w, region, row, n_steps, step);
	else if (w->n_near >= LEAST_STEPS && w->n_near >= n_misses / 4 * 3 && uses_half(w, w->n_near, line))
		add_walk(c, w, region, row, w->n_near, 0);
	if (n_foreign && n_foreign >= n_misses / 4 * 3)
		pattern_add(c,
		            &(struct ompp_pattern){ .object = w->object,
		                                    .region = region,
		                                    .kind = OMPP_PATTERN_FOREIGN,
		                                    .n = n_foreign,
		                                    .n_of = n_misses },
		            row);
}

void ompp_pattern_readers(struct ompp_merge *c, uint32_t region, uint32_t row, uint32_t object, uint64_t n_fetches,
                          uint64_t n_loads, int is_new)
{
	pattern_add(c,
	            &(struct ompp_pattern){ .object = object,
	                                    .region = region,
	                                    .kind = OMPP_PATTERN_READERS,
	                                    .n = n_fetches,
	                                    .n_of = n_loads,
	                                    .n_lines = is_new },
	            row);
}

void ompp_pattern_line(struct ompp_merge *c, uint32_t region, uint32_t row, uint32_t object, uint64_t n_transfers,
                       uint64_t n_stores, int is_new)
{
	pattern_add(c,
	            &(struct ompp_pattern){ .object = object,
	                                    .region = region,
	                                    .kind = OMPP_PATTERN_FALSE_SHARING,
	                                    .n = n_transfers,
	                                    .n_of = n_stores,
	                                    .n_lines = is_new },
	            row);
}

/* Returns the rows of a pattern in the order of the report, "0, 1, 2"; only the first ones of many. */
static const char *name_rows(const struct ompp_merge *c, const struct ompp_profile *p,
                             const struct ompp_merge_pattern *one)
{
	char buffer[256];
	struct ompp_text t;
	uint32_t last = 0, n = 0;

	ompp_text_init(&t, buffer, sizeof(buffer));
	while (n < one->sum.n_rows && n < MOST_ROWS_NAMED) {
		uint32_t next = UINT32_MAX;

		for (uint32_t i = 0; i < one->sum.n_rows; i++) {
			uint32_t row = c->rows[one->rows[i].row].final;

			next = row < next && (!n || row > last) ? row : next;
		}
		if (next == UINT32_MAX)
			break;
		ompp_text_str(&t, n++ ? ", " : "");
		ompp_text_str(&t, p->rows[next].label);
		last = next;
	}
	return ompp_arena_strdup(c->arena, buffer);
}

int ompp_collect_patterns(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *region_index)
{
	struct ompp_pattern *out = ompp_arena_alloc(c->arena, (c->n_patterns + 1) * sizeof(*out));

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_patterns; i++) {
		out[i] = c->patterns[i].sum;
		out[i].region = out[i].region ? region_index[out[i].region] : OMPP_NONE;
		for (uint32_t k = 0; k < out[i].n_rows && ompp_pattern_is_of_lines(out[i].kind); k++)
			if (c->patterns[i].rows[k].n > out[i].n_most)
				out[i].n_most = c->patterns[i].rows[k].n;
		out[i].rows = name_rows(c, p, &c->patterns[i]);
		if (!out[i].rows)
			return -ENOMEM;
	}
	p->patterns = out;
	p->n_patterns = c->n_patterns;
	return 0;
}

static int time_is_after(const void *context, uint32_t x, uint32_t y)
{
	const uint32_t *times = context;

	return times[x] > times[y];
}

int ompp_collect_transfers(struct ompp_merge *c, struct ompp_profile *p, struct ompp_clock_rate rate)
{
	uint32_t n_threads = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), n = 0, *times, *order;

	p->transfer_ps = p->transfer_least_ps = p->transfer_most_ps = OMPP_MISSING;
	times = ompp_arena_alloc(c->arena, (size_t)n_threads * OMPP_TRANSFER_TIMES * sizeof(*times));
	if (!times)
		return -ENOMEM;
	for (uint32_t i = 0; i < n_threads; i++) {
		const struct ompp_sharing *own = &ompp_threads[i]->sharing;
		uint32_t n_timed = OMPP_LOAD(&own->n_timed);

		for (uint32_t k = 0; k < n_timed && k < OMPP_TRANSFER_TIMES; k++)
			times[n++] = OMPP_LOAD(&own->times[k]);
		p->n_transfers_timed += n_timed;
	}
	if (!n)
		return 0;
	order = ompp_sorted(c->arena, n, time_is_after, times);
	if (!order)
		return -ENOMEM;
	p->transfer_ps = ompp_clock_ns(rate, INT64_C(1000) * times[order[n / 2]]);
	p->transfer_least_ps = ompp_clock_ns(rate, INT64_C(1000) * times[order[n / 10]]);
	p->transfer_most_ps = ompp_clock_ns(rate, INT64_C(1000) * times[order[n - 1 - n / 10]]);
	return 0;
}
