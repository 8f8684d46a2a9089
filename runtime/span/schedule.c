/*
 * Schedule: see schedule.h.
 */
#include "runtime/span/schedule.h"

#include <stdatomic.h>
#include <stddef.h>

#include "runtime/base/check.h"
#include "runtime/base/least_heap.h"
#include "runtime/base/maximum.h"
#include "runtime/base/space.h"
#include "runtime/span/deal.h"
#include "runtime/span/variant.h"

/* ---- lists ---- */

#ifdef OMPP_DEBUG
/* The cells have the time of all iterations. */
static int list_adds_up(const struct ompp_iteration_list *list)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < list->n; i++)
		sum += list->ticks[i];
	return list->n <= OMPP_ITERATION_CELLS && sum == list->total_ticks;
}
#endif

/* Lets two cells be one. */
static void cells_join(struct ompp_iteration_list *list)
{
	for (uint32_t i = 0; i < OMPP_ITERATION_CELLS / 2; i++) {
		list->ticks[i] = list->ticks[2 * i] + list->ticks[2 * i + 1];
		list->times[i] = list->times[2 * i];
	}
	list->n = OMPP_ITERATION_CELLS / 2;
	list->shift++;
}

void ompp_iterations_add(struct ompp_iteration_list *list, uint64_t ticks)
{
	if (!(list->n_iterations & (((uint64_t)1 << list->shift) - 1))) {
		if (list->n == OMPP_ITERATION_CELLS)
			cells_join(list);
		list->times[list->n] = list->chunk_time;
		list->ticks[list->n++] = 0;
	}
	list->ticks[list->n - 1] += ticks;
	list->n_iterations++;
	list->total_ticks += ticks;
	list->most_ticks = ompp_maximum(list->most_ticks, ticks);
	ompp_assert(!OMPP_IS_CHECKED(list->n_iterations) || list_adds_up(list));
}

/* Returns how many iterations are in a cell. */
static uint64_t cell_size(const struct ompp_iteration_list *list, uint32_t cell)
{
	uint64_t left = list->n_iterations - ((uint64_t)cell << list->shift), all = (uint64_t)1 << list->shift;

	return left < all ? left : all;
}

/* ---- the loop's order ---- */

enum { RANK_BITS = 8 }; /* OMPP_MOST_LISTS */

/* The cells of all lists, in the order of the loop. */
struct walk {
	const struct ompp_iteration_list *const *lists;
	uint32_t n;
	uint32_t at[OMPP_MOST_LISTS];  /* of each list: the next cell */
	uint64_t key[OMPP_MOST_LISTS]; /* where the next cell of each list is in the loop: a heap */
	uint64_t from_time;            /* of the first chunk */
};

/* Returns where the next cell of a list is, with the list's number in the last bits; UINT64_MAX behind its last. */
static uint64_t walk_key(const struct walk *walk, uint32_t i)
{
	const struct ompp_iteration_list *list = walk->lists[i];
	uint32_t cell = walk->at[i];
	uint64_t key = 0;

	if (cell == list->n)
		return UINT64_MAX;
	if (list->order.known == OMPP_ORDER_CHUNKS)
		key = ((uint64_t)cell << list->shift) / list->order.chunk;
	if (list->order.known == OMPP_ORDER_TIMES)
		key = list->times[cell] - walk->from_time;
	return key << RANK_BITS | i;
}

static void walk_start(struct walk *walk, const struct ompp_iteration_list *const *lists, uint32_t n)
{
	walk->lists = lists;
	walk->n = n;
	walk->from_time = UINT64_MAX;
	for (uint32_t i = 0; i < n; i++)
		if (lists[i]->n && lists[i]->times[0] < walk->from_time)
			walk->from_time = lists[i]->times[0];
	for (uint32_t i = n; i-- > 0;) {
		walk->at[i] = 0;
		ompp_least_heap_put(walk->key, n, i, walk_key(walk, i));
	}
}

/* Returns the list of the next cell, which is *cell; NULL behind the last. */
static const struct ompp_iteration_list *walk_next(struct walk *walk, uint32_t *cell)
{
	uint32_t i = walk->key[0] & (OMPP_MOST_LISTS - 1);

	if (walk->key[0] == UINT64_MAX)
		return NULL;
	*cell = walk->at[i]++;
	ompp_least_heap_put(walk->key, walk->n, 0, walk_key(walk, i));
	return walk->lists[i];
}

/* Returns 1, and what the next chunk of so many iterations took; the last one may have less.  0 behind it. */
static int walk_chunk(struct walk *walk, uint64_t chunk, uint64_t *ticks)
{
	const struct ompp_iteration_list *list;
	uint64_t n = 0;
	uint32_t cell;

	*ticks = 0;
	while (n < chunk && (list = walk_next(walk, &cell))) {
		*ticks += list->ticks[cell];
		n += cell_size(list, cell);
	}
	return n != 0;
}

/* ---- schedules ---- */

/* Gives a chunk to the thread that is free first.  Returns when it is done. */
static uint64_t hand_out(uint64_t *free_ticks, uint32_t n, uint64_t ticks)
{
	uint64_t end = free_ticks[0] + ticks;

	ompp_least_heap_put(free_ticks, n, 0, end);
	return end;
}

uint64_t ompp_iterations_schedule(const struct ompp_iteration_list *const *lists, uint32_t n, uint64_t chunk,
                                  uint64_t *free_ticks)
{
	uint64_t last = 0, ticks;
	struct walk walk;

	for (uint32_t i = 0; i < n; i++)
		last = ompp_maximum(last, free_ticks[i]);
	for (uint32_t i = n / 2; i-- > 0;)
		ompp_least_heap_put(free_ticks, n, i, free_ticks[i]);
	walk_start(&walk, lists, n);
	while (walk_chunk(&walk, chunk, &ticks))
		last = ompp_maximum(last, hand_out(free_ticks, n, ticks));
	return last;
}

/* ---- threads that steal ---- */

enum { MOST_STOLEN = 1 << 14 }; /* chunks; of more, two and two are one */

struct ompp_stealing {
	struct ompp_dealer dealer;
	uint32_t n;
	uint64_t ticks[MOST_STOLEN];    /* n chunks */
	uint64_t next[OMPP_MOST_LISTS]; /* when each thread asks for one, with its rank: a heap */
};

static void stealing_add(struct ompp_stealing *s, uint64_t ticks, uint64_t *chunk)
{
	if (s->n == MOST_STOLEN) {
		for (uint32_t i = 0; i < MOST_STOLEN / 2; i++)
			s->ticks[i] = s->ticks[2 * i] + s->ticks[2 * i + 1];
		s->n = MOST_STOLEN / 2;
		*chunk *= 2;
	}
	s->ticks[s->n++] = ticks;
}

/* Gathers the chunks of all lists, in the order of the loop. */
static void stealing_gather(struct ompp_stealing *s, const struct ompp_iteration_list *const *lists, uint32_t n,
                            uint64_t chunk)
{
	struct walk walk;
	uint64_t ticks;

	s->n = 0;
	walk_start(&walk, lists, n);
	while (walk_chunk(&walk, chunk, &ticks))
		stealing_add(s, ticks, &chunk);
}

uint64_t ompp_iterations_steal(struct ompp_stealing **stealing, const struct ompp_iteration_list *const *lists,
                               uint32_t n, uint64_t chunk, const uint64_t *free_ticks)
{
	struct ompp_stealing *s = *stealing ? *stealing : ompp_space_take(sizeof(*s));
	struct ompp_deal deal = { .chunk = 1 };
	uint64_t last = 0;

	*stealing = s;
	if (!s)
		return 0;
	stealing_gather(s, lists, n, chunk);
	deal.n_iterations = s->n;
	ompp_dealer_start(&s->dealer, &deal, OMPP_DEAL_STEALING, n);
	for (uint32_t i = n; i-- > 0;)
		ompp_least_heap_put(s->next, n, i, free_ticks[i] << RANK_BITS | i);
	while (s->next[0] != UINT64_MAX) {
		uint64_t now = s->next[0] >> RANK_BITS, rank = s->next[0] & (OMPP_MOST_LISTS - 1);
		uint32_t i = ompp_dealer_chunk(&s->dealer, (uint32_t)rank);

		last = ompp_maximum(last, now);
		ompp_least_heap_put(s->next, n, 0,
		                    i == UINT32_MAX ? UINT64_MAX : (now + s->ticks[i]) << RANK_BITS | rank);
	}
	return last;
}

/* ---- sums ---- */

static struct {
	_Atomic uint64_t n, spread_ticks, chunk;
} sums[OMPP_MOST_VARIANTS];

struct ompp_scheduled ompp_scheduled_of(int variant)
{
	return (struct ompp_scheduled){
		.n = atomic_load_explicit(&sums[variant].n, memory_order_relaxed),
		.spread_ticks = atomic_load_explicit(&sums[variant].spread_ticks, memory_order_relaxed),
		.chunk = atomic_load_explicit(&sums[variant].chunk, memory_order_relaxed),
	};
}

void ompp_scheduled_add(int variant, const struct ompp_scheduled *more)
{
	atomic_fetch_add_explicit(&sums[variant].n, more->n, memory_order_relaxed);
	atomic_fetch_add_explicit(&sums[variant].spread_ticks, more->spread_ticks, memory_order_relaxed);
	atomic_store_explicit(&sums[variant].chunk, more->chunk, memory_order_relaxed);
}
