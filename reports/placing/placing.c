/*
 * Placing: see placing.h.
 */
#include "reports/placing/placing.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/sample_stats.h"
#include "reports/placing/placing_sums.h"
#include "runtime/base/text.h"

#define ONE INT64_C(1000000000)

enum {
	TIE = 10000000,    /* costs that differ by less than a percentage point count as equal: runs vary by as much */
	WORTH = 50000000,  /* what the program itself has to do must save 5 points more */
	LOAD_PART = 8,     /* how much the load of the busiest place counts beside far accesses, see placing.h */
	CUT_PARTS = 1000,  /* a further cut has to make one in so many accesses near */
	EQUAL_PARTS = 200, /* parts of equal size are preferred if they make at most one in so many accesses more far */
	MOST_RUNS = 256,   /* OMPP_PLACE has no more */
	RARELY = 100,      /* one store in so many accesses may be chance */
	LEAST_TEXT_BYTES = 64,
	RUN_TEXT_BYTES = 16
};

struct work {
	const struct ompp_placing *in;
	struct ompp_arena *arena;
	struct ompp_placing_sums sums;
	int64_t *few;        /* [6 * n_places] */
	uint32_t *map;       /* [n_slots] place of a slot */
	uint32_t *came_from; /* [n_slots * n_places] */
	int is_wary;         /* cuts cost more */
	uint32_t n_equal;    /* into how many equal parts blocks are cut */
};

int ompp_placing_is_far(uint64_t n, int64_t share, int64_t error, int64_t far_min)
{
	return n >= OMPP_PLACING_LEAST_SAMPLES && share != OMPP_MISSING && error != OMPP_MISSING &&
	       share - 2 * error >= far_min;
}

void ompp_placing_note_region(struct ompp_placing_writing *w, int64_t all, int64_t stores)
{
	int is_written = stores > all / RARELY;

	w->n_writing += is_written;
	if (all <= w->most)
		return;
	w->most = all;
	w->does_most = is_written;
}

int ompp_placing_is_read_only(const struct ompp_placing_writing *w)
{
	return w->n_writing <= 1 && !w->does_most;
}

uint64_t ompp_placing_few_pages(uint64_t n_pages, uint32_t n_blocks)
{
	uint64_t most = OMPP_PLACING_MOST_PAGES / (n_blocks + UINT64_C(1));

	return n_pages < most ? n_pages : most;
}

void ompp_placing_shrink(struct ompp_placing_cell *cells, size_t n)
{
	int64_t all = 0, divisor;

	for (size_t i = 0; i < n; i++)
		all = ompp_add(all, cells[i].all);
	divisor = all / OMPP_PLACING_MOST_ACCESSES + 1;
	for (size_t i = 0; divisor > 1 && i < n; i++) {
		cells[i].all /= divisor;
		cells[i].half /= divisor;
	}
}

/* Each returns how many of the accesses of `checked` are near when places are chosen by those of `known`. */

static int64_t near_on_node(struct work *w, enum ompp_half known, enum ompp_half checked)
{
	return w->sums.place[checked][ompp_placing_most(w->sums.place[known], w->in->n_places)];
}

/* Returns the least number of accesses that a cut must make near.  With `is_wary` it must be more than chance alone
 * would yield; where slots have few samples each, few cuts pass this. */
static int64_t cost_of_cut(const struct work *w, enum ompp_half known)
{
	uint64_t n = w->sums.n / 2;
	int64_t least = w->sums.all[known] / CUT_PARTS;
	int64_t chance = n ? (int64_t)(2 * ompp_root(n / w->sums.n_slots + 1) *
	                               (uint64_t)(w->sums.all[known] / (int64_t)n))
	                   : 0;

	return w->is_wary && chance > least ? chance : least;
}

/* Chooses a place for each slot so that the cost of far accesses and cuts is minimal (Viterbi algorithm). */
static void map_slots(struct work *w, enum ompp_half known)
{
	uint32_t n = w->in->n_places, place;
	int64_t *cost = w->few, *before = w->few + n, cut = cost_of_cut(w, known);

	memset(cost, 0, n * sizeof(*cost));
	for (uint32_t s = 0; s < w->sums.n_slots; s++) {
		const int64_t *sums = &w->sums.slot[known][(size_t)s * n];
		uint32_t least = 0;
		int64_t all = 0;

		memcpy(before, cost, n * sizeof(*cost));
		for (uint32_t p = 0; p < n; p++) {
			least = before[p] < before[least] ? p : least;
			all += sums[p];
		}
		for (uint32_t p = 0; p < n; p++) {
			int is_cut = s && before[least] + cut < before[p];

			w->came_from[(size_t)s * n + p] = is_cut ? least : p;
			cost[p] = (is_cut ? before[least] + cut : before[p]) + all - sums[p];
		}
	}
	place = 0;
	for (uint32_t p = 1; p < n; p++)
		place = cost[p] < cost[place] ? p : place;
	for (uint32_t s = w->sums.n_slots; s-- > 0;) {
		w->map[s] = place;
		place = w->came_from[(size_t)s * n + place];
	}
}

static int64_t near_by_map(const struct work *w, enum ompp_half checked)
{
	int64_t near = 0;

	for (uint32_t s = 0; s < w->sums.n_slots; s++)
		near += w->sums.slot[checked][(size_t)s * w->in->n_places + w->map[s]];
	return near;
}

static int64_t near_in_parts(struct work *w, enum ompp_half known, enum ompp_half checked)
{
	map_slots(w, known);
	return near_by_map(w, checked);
}

static int64_t near_by_block(struct work *w, enum ompp_half known, enum ompp_half checked)
{
	uint32_t n = w->in->n_places;
	int64_t near = 0;

	for (uint32_t b = 0; b < w->in->n_blocks; b++)
		near += w->sums.block[checked]
		                     [(size_t)b * n + ompp_placing_most(&w->sums.block[known][(size_t)b * n], n)];
	return near;
}

static int64_t near_by_allocator(struct work *w, enum ompp_half known, enum ompp_half checked)
{
	int64_t near = 0;

	(void)known;
	for (uint32_t b = 0; b < w->in->n_blocks; b++)
		if (w->in->blocks[b].allocator != OMPP_NONE)
			near += w->sums.block[checked][(size_t)b * w->in->n_places + w->in->blocks[b].allocator];
	return near;
}

/* Returns the expected number of near accesses of a slot when each place that uses it touches it first with the
 * probability of its share.
 */
static int64_t near_of_slot(const int64_t *users, const int64_t *checked, uint32_t n)
{
	__int128 near = 0;
	int64_t all = 0;

	for (uint32_t p = 0; p < n; p++) {
		all += users[p];
		near += (__int128)users[p] * checked[p];
	}
	return all ? (int64_t)(near / all) : 0;
}

static int64_t near_by_touch(struct work *w, enum ompp_half known, enum ompp_half checked)
{
	uint32_t n = w->in->n_places;
	int64_t *all = w->few, *in_main = w->few + n, *to_check = w->few + 2 * (size_t)n, near = 0;

	for (size_t i = 0, end; i < w->sums.n_items; i = end) {
		const struct ompp_placing_item *first = &w->sums.items[w->sums.by_block[i]];
		int64_t n_main = 0;

		memset(all, 0, 3 * n * sizeof(*all));
		for (end = i; end < w->sums.n_items; end++) {
			const struct ompp_placing_item *item = &w->sums.items[w->sums.by_block[end]];

			if (item->block != first->block || item->slot != first->slot)
				break;
			all[item->from] += item->n[known];
			to_check[item->from] += item->n[checked];
			if (item->region == w->sums.main_region) {
				in_main[item->from] += item->n[known];
				n_main += item->n[known];
			}
		}
		near += near_of_slot(n_main ? in_main : all, to_check, n);
	}
	return near;
}

/* Near accesses if, in each slice and region, the memory were at the place with most accesses. */
static int64_t near_in_turn(struct work *w, enum ompp_half known, enum ompp_half checked)
{
	uint32_t n = w->in->n_places;
	int64_t *sums = w->few, *to_check = w->few + n, near = 0;

	for (size_t i = 0, end; i < w->sums.n_items; i = end) {
		const struct ompp_placing_item *first = &w->sums.items[w->sums.by_time[i]];

		memset(sums, 0, 2 * n * sizeof(*sums));
		for (end = i;
		     end < w->sums.n_items && !ompp_placing_is_after(&w->sums.items[w->sums.by_time[end]], first);
		     end++) {
			sums[w->sums.items[w->sums.by_time[end]].from] += w->sums.items[w->sums.by_time[end]].n[known];
			to_check[w->sums.items[w->sums.by_time[end]].from] += w->sums.items[w->sums.by_time[end]]
			                                                              .n[checked];
		}
		near += to_check[ompp_placing_most(sums, n)];
	}
	return near;
}

/* The cost so far of having the pages of a group at a place: by the accesses of `known`, and by those of `checked`. */
struct stay {
	int64_t known, checked;
};

/* One step in time: lets the pages move, and then adds the cost of the phase. */
static void placing_step(const struct work *w, struct stay *stays, struct stay *before, int64_t move)
{
	uint32_t n = w->in->n_places, least = 0;
	const int64_t *known = w->few, *checked = w->few + n;
	int64_t all_known = 0, all_checked = 0;

	for (uint32_t p = 0; p < n; p++) {
		before[p] = stays[p];
		least = before[p].known < before[least].known ? p : least;
		all_known += known[p];
		all_checked += checked[p];
	}
	for (uint32_t p = 0; p < n; p++) {
		if (before[least].known + move < before[p].known)
			stays[p] = (struct stay){ before[least].known + move, before[least].checked + move };
		stays[p].known += all_known - known[p];
		stays[p].checked += all_checked - checked[p];
	}
}

/* Returns the cost of the items [from, end) of one group. */
static int64_t cost_of_group(struct work *w, const uint32_t *order, size_t from, size_t end, enum ompp_half known,
                             enum ompp_half checked)
{
	uint32_t n = w->in->n_places, least = 0;
	struct stay *stays = (struct stay *)(w->few + 2 * (size_t)n), *before = stays + n;
	const struct ompp_placing_item *last = NULL;
	uint64_t n_groups = w->sums.n_slots < OMPP_PLACING_GROUPS ? w->sums.n_slots : OMPP_PLACING_GROUPS;
	uint64_t n_pages = w->in->blocks[w->sums.items[order[from]].block].n_pages / n_groups;
	int64_t move = (int64_t)((n_pages ? n_pages : 1) * w->in->page_lines);

	memset(stays, 0, n * sizeof(*stays));
	while (from < end) {
		const struct ompp_placing_item *first = &w->sums.items[order[from]];
		int64_t times = 1;

		/* two regions that alternate, as often as they are executed */
		if (last && last->slice == first->slice) {
			uint64_t a = w->sums.repetitions[last->region + 1], b = w->sums.repetitions[first->region + 1];

			times = (int64_t)(a < b ? a : b);
		}
		memset(w->few, 0, 2 * n * sizeof(*w->few));
		for (; from < end && !ompp_placing_is_after(&w->sums.items[order[from]], first); from++) {
			w->few[w->sums.items[order[from]].from] += w->sums.items[order[from]].n[known];
			w->few[n + w->sums.items[order[from]].from] += w->sums.items[order[from]].n[checked];
		}
		placing_step(w, stays, before, move * times / 2); /* each half pays half of it */
		last = first;
	}
	for (uint32_t p = 1; p < n; p++)
		least = stays[p].known < stays[least].known ? p : least;
	return stays[least].checked;
}

static int64_t cost_of_moving(struct work *w, const uint32_t *order, enum ompp_half known, enum ompp_half checked)
{
	int64_t cost = 0;

	for (size_t i = 0, end; i < w->sums.n_items; i = end) {
		const struct ompp_placing_item *first = &w->sums.items[order[i]];

		for (end = i; end < w->sums.n_items; end++)
			if (w->sums.items[order[end]].block != first->block ||
			    ompp_placing_group(&w->sums, &w->sums.items[order[end]]) !=
			            ompp_placing_group(&w->sums, first))
				break;
		cost += cost_of_group(w, order, i, end, known, checked);
	}
	return cost;
}

static int64_t checked_near(struct work *w, int64_t (*near)(struct work *, enum ompp_half, enum ompp_half))
{
	return near(w, OMPP_EVEN, OMPP_ODD) + near(w, OMPP_ODD, OMPP_EVEN);
}

static void placing_put(const struct work *w, struct ompp_choice *c, enum ompp_way way, int64_t far, int64_t most)
{
	uint64_t k;

	c->far[way] = ompp_share(far > 0 ? far : 0, w->sums.all[OMPP_ALL]);
	c->most[way] = most == OMPP_MISSING ? OMPP_MISSING : ompp_share(most, w->sums.all[OMPP_ALL]);
	k = (uint64_t)((unsigned __int128)(c->far[way] < ONE ? c->far[way] : ONE) * w->sums.n / (uint64_t)ONE);
	c->error[way] = w->in->is_exact || way == OMPP_WAY_INTERLEAVE ? 0 : ompp_sample_stats_share_error(k, w->sums.n);
}

static void put_near(struct work *w, struct ompp_choice *c, enum ompp_way way,
                     int64_t (*near)(struct work *, enum ompp_half, enum ompp_half), int64_t most)
{
	placing_put(w, c, way, w->sums.all[OMPP_ALL] - checked_near(w, near), most);
}

/* Returns the load of the busiest place: the most accesses that one place has to answer when each row of the table lies
 * at the place chosen for it. */
static int64_t most_load(const struct work *w, const int64_t *sums, uint32_t n_sums, const uint32_t *places)
{
	uint32_t n = w->in->n_places;
	int64_t *loads = w->few;

	memset(loads, 0, n * sizeof(*loads));
	for (uint32_t i = 0; i < n_sums; i++)
		for (uint32_t p = 0; p < n; p++)
			loads[places[i]] += sums[(size_t)i * n + p];
	return loads[ompp_placing_most(loads, n)];
}

/* Makes runs of n places.  Returns them, and how many in *n_runs; NULL without memory. */
static struct ompp_placing_run *runs_of(const struct work *w, const uint32_t *places, uint32_t n, uint32_t *n_runs)
{
	struct ompp_placing_run *runs = ompp_arena_alloc(w->arena, (n + (size_t)1) * sizeof(*runs));

	*n_runs = 0;
	for (uint32_t i = 0; runs && i < n; i++) {
		if (!*n_runs || runs[*n_runs - 1].place != places[i])
			runs[(*n_runs)++].place = places[i];
		runs[*n_runs - 1].n++;
	}
	return runs;
}

/* Cuts blocks into n_equal parts. */
static int64_t near_in_equal_parts(struct work *w, enum ompp_half known, enum ompp_half checked)
{
	uint32_t n = w->in->n_places;
	int64_t *sums = w->few;

	for (uint32_t i = 0; i < w->n_equal; i++) {
		uint32_t from = w->sums.n_slots * i / w->n_equal, end = w->sums.n_slots * (i + 1) / w->n_equal;

		memset(sums, 0, n * sizeof(*sums));
		for (uint32_t s = from; s < end; s++)
			for (uint32_t p = 0; p < n; p++)
				sums[p] += w->sums.slot[known][(size_t)s * n + p];
		for (uint32_t s = from; s < end; s++)
			w->map[s] = ompp_placing_most(sums, n);
	}
	return near_by_map(w, checked);
}

static struct ompp_placing_run *equal_runs(const struct work *w)
{
	struct ompp_placing_run *runs = ompp_arena_alloc(w->arena, w->n_equal * sizeof(*runs));

	for (uint32_t i = 0; runs && i < w->n_equal; i++)
		runs[i] = (struct ompp_placing_run){ w->map[w->sums.n_slots * i / w->n_equal], 1 };
	return runs;
}

static int put_parts(struct work *w, struct ompp_choice *c)
{
	int64_t near, wary, equal = 0;

	near = checked_near(w, near_in_parts);
	w->is_wary = 1;
	wary = checked_near(w, near_in_parts);
	w->is_wary = wary >= near;
	near = wary > near ? wary : near;
	map_slots(w, OMPP_ALL);
	c->parts = runs_of(w, w->map, w->sums.n_slots, &c->n_parts);
	w->n_equal = c->n_parts;
	if (c->n_parts > 1 && c->n_parts <= 2 * w->in->n_places)
		equal = checked_near(w, near_in_equal_parts);
	if (equal && equal >= near - w->sums.all[OMPP_ALL] / EQUAL_PARTS) {
		near_in_equal_parts(w, OMPP_ALL, OMPP_ALL);
		near = equal;
		c->parts = equal_runs(w);
	} else {
		map_slots(w, OMPP_ALL);
	}
	if (!c->parts)
		return -ENOMEM;
	placing_put(w, c, OMPP_WAY_PARTS, w->sums.all[OMPP_ALL] - near,
	            most_load(w, w->sums.slot[OMPP_ALL], w->sums.n_slots, w->map));
	c->can[OMPP_WAY_PARTS] = c->n_parts <= MOST_RUNS;
	return 0;
}

/* Returns the period of the sequence of places: the least number of places after which it repeats. */
static uint32_t period_of(const uint32_t *places, uint32_t n)
{
	uint32_t period = 1;

	for (uint32_t i = 0; i < n; i++)
		if (places[i] != places[i % period])
			period = i + 1;
	return period;
}

/* Lists the places of all blocks in their order.  A block that is not listed, or that nobody accesses, gets the place
 * of the block before.  Returns 0 or -ENOMEM. */
static int list_blocks(struct work *w, struct ompp_choice *c)
{
	uint32_t n = w->in->n_places, last = w->in->blocks[w->in->n_blocks - 1].order, place = 0;
	uint32_t *places = ompp_arena_alloc(w->arena, (last + (size_t)1) * sizeof(*places));

	if (!places)
		return -ENOMEM;
	for (uint32_t b = 0, order = 0; b < w->in->n_blocks; b++) {
		const int64_t *sums = &w->sums.block[OMPP_ALL][(size_t)b * n];
		uint32_t best = ompp_placing_most(sums, n);

		for (; order < w->in->blocks[b].order; order++)
			places[order] = place;
		place = sums[best] ? best : place;
		places[order++] = place;
	}
	c->blocks = runs_of(w, places, period_of(places, last + 1), &c->n_blocks);
	c->can[OMPP_WAY_BLOCKS] = c->n_blocks <= MOST_RUNS;
	return c->blocks ? 0 : -ENOMEM;
}

static int put_blocks(struct work *w, struct ompp_choice *c)
{
	uint32_t n = w->in->n_places, *best = ompp_arena_alloc(w->arena, (w->in->n_blocks + (size_t)1) * sizeof(*best));
	int are_known = w->in->is_allocated;

	if (!best)
		return -ENOMEM;
	for (uint32_t b = 0; b < w->in->n_blocks; b++)
		best[b] = ompp_placing_most(&w->sums.block[OMPP_ALL][(size_t)b * n], n);
	if (w->in->n_blocks > 1 && w->in->is_ordered) {
		put_near(w, c, OMPP_WAY_BLOCKS, near_by_block,
		         most_load(w, w->sums.block[OMPP_ALL], w->in->n_blocks, best));
		if (list_blocks(w, c))
			return -ENOMEM;
	}
	for (uint32_t b = 0; b < w->in->n_blocks; b++) {
		int is_used = w->sums.block[OMPP_ALL][(size_t)b * n + best[b]] != 0;

		best[b] = w->in->blocks[b].allocator;
		are_known &= best[b] != OMPP_NONE || !is_used;
		best[b] = best[b] == OMPP_NONE ? 0 : best[b];
	}
	if (are_known) {
		put_near(w, c, OMPP_WAY_ALLOCATOR, near_by_allocator,
		         most_load(w, w->sums.block[OMPP_ALL], w->in->n_blocks, best));
		c->can[OMPP_WAY_ALLOCATOR] = 1;
	}
	return 0;
}

static int put_moves(struct work *w, struct ompp_choice *c, int64_t most)
{
	uint32_t *order = ompp_placing_by_group(&w->sums);

	if (!order)
		return -ENOMEM;
	placing_put(w, c, OMPP_WAY_MOVE,
	            cost_of_moving(w, order, OMPP_EVEN, OMPP_ODD) + cost_of_moving(w, order, OMPP_ODD, OMPP_EVEN),
	            most);
	return 0;
}

static void put_copies(const struct work *w, struct ompp_choice *c, int64_t most)
{
	int64_t n_pages = 0, n_users = 0;

	for (uint32_t b = 0; b < w->in->n_blocks; b++)
		n_pages += (int64_t)w->in->blocks[b].n_pages;
	for (uint32_t p = 0; p < w->in->n_places; p++)
		n_users += w->sums.place[OMPP_ALL][p] != 0;
	if (w->in->is_read_only && n_users > 1 && n_pages)
		placing_put(w, c, OMPP_WAY_COPIES, (n_users - 1) * n_pages * w->in->page_lines, most);
}

int64_t ompp_placing_cost(int64_t far, int64_t most, uint32_t n_places)
{
	int64_t beyond = most - ONE / n_places;

	return far + (beyond > 0 ? beyond / LOAD_PART : 0);
}

static int64_t cost_of(const struct ompp_choice *c, int way, uint32_t n_places)
{
	return ompp_placing_cost(c->far[way], c->most[way], n_places);
}

/* Returns the best of the ways [from, end): the first one whose cost cannot be told from the lowest.  OMPP_N_WAYS when
 * none is known. */
static enum ompp_way best_of(const struct ompp_choice *c, int from, int end, uint32_t n_places)
{
	int64_t least = INT64_MAX, error = 0;

	for (int i = from; i < end; i++)
		if (c->far[i] != OMPP_MISSING && (c->can[i] || i >= OMPP_N_PLACED_WAYS) &&
		    cost_of(c, i, n_places) < least) {
			least = cost_of(c, i, n_places);
			error = c->error[i];
		}
	for (int i = from; i < end; i++)
		if (c->far[i] != OMPP_MISSING && (c->can[i] || i >= OMPP_N_PLACED_WAYS) &&
		    cost_of(c, i, n_places) <= least + TIE + 2 * error)
			return (enum ompp_way)i;
	return OMPP_N_WAYS;
}

/* A way that needs changes to the program is chosen only if it makes far fewer accesses far than the ways that ompp
 * place can do. */
static void placing_choose(struct ompp_choice *c, uint32_t n_places)
{
	enum ompp_way by_program = best_of(c, OMPP_N_PLACED_WAYS, OMPP_N_WAYS, n_places);
	int64_t least = INT64_MAX;

	c->best = c->best_placed = best_of(c, 0, OMPP_N_PLACED_WAYS, n_places);
	for (int i = 0; i < OMPP_N_PLACED_WAYS; i++)
		if (c->far[i] != OMPP_MISSING && c->far[i] < least)
			least = c->far[i];
	if (by_program != OMPP_N_WAYS && c->far[by_program] < least - WORTH)
		c->best = by_program;
}

static void count_slots(const struct work *w, struct ompp_choice *c)
{
	for (size_t i = 0; i < w->sums.n_items; i++)
		c->n_used_slots += !i ||
		                   w->sums.items[w->sums.by_block[i]].block !=
		                           w->sums.items[w->sums.by_block[i - 1]].block ||
		                   w->sums.items[w->sums.by_block[i]].slot !=
		                           w->sums.items[w->sums.by_block[i - 1]].slot;
}

/* Adds up the accesses, and makes room for what the ways need.  Returns 0 or -ENOMEM. */
static int placing_start(struct work *w)
{
	size_t p = w->in->n_places;

	if (ompp_placing_sums(w->in, w->arena, &w->sums))
		return -ENOMEM;
	w->few = ompp_arena_alloc(w->arena, 6 * p * sizeof(*w->few));
	w->map = ompp_arena_alloc(w->arena, w->sums.n_slots * sizeof(*w->map));
	w->came_from = ompp_arena_alloc(w->arena, w->sums.n_slots * p * sizeof(*w->came_from));
	return w->few && w->map && w->came_from ? 0 : -ENOMEM;
}

int ompp_placing_choose(const struct ompp_placing *in, struct ompp_arena *arena, struct ompp_choice *c)
{
	struct work w = { .in = in, .arena = arena };
	int64_t most;

	*c = (struct ompp_choice){ .best = OMPP_N_WAYS, .best_placed = OMPP_N_WAYS };
	for (int i = 0; i < OMPP_N_WAYS; i++)
		c->far[i] = c->error[i] = c->most[i] = OMPP_MISSING;
	c->in_turn = OMPP_MISSING;
	if (!in->n_places || !in->n_blocks || !in->n_cells)
		return 0;
	if (placing_start(&w))
		return -ENOMEM;
	c->n = w.sums.n;
	if (!w.sums.all[OMPP_ALL])
		return 0;
	c->node = ompp_placing_most(w.sums.place[OMPP_ALL], in->n_places);
	most = w.sums.place[OMPP_ALL][c->node];
	c->can[OMPP_WAY_NODE] = c->can[OMPP_WAY_INTERLEAVE] = 1;
	put_near(&w, c, OMPP_WAY_NODE, near_on_node, w.sums.all[OMPP_ALL]);
	placing_put(&w, c, OMPP_WAY_INTERLEAVE, w.sums.all[OMPP_ALL] - w.sums.all[OMPP_ALL] / in->n_places,
	            w.sums.all[OMPP_ALL] / in->n_places);
	put_near(&w, c, OMPP_WAY_TOUCH, near_by_touch, most);
	put_copies(&w, c, most);
	c->in_turn = ompp_share(checked_near(&w, near_in_turn), w.sums.all[OMPP_ALL]);
	count_slots(&w, c);
	if (put_parts(&w, c) || put_blocks(&w, c) || put_moves(&w, c, most))
		return -ENOMEM;
	placing_choose(c, in->n_places);
	return 0;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Returns "parts:0+1*3". */
static const char *runs_text(const char *word, const struct ompp_placing_run *runs, uint32_t n, int is_scaled,
                             const uint32_t *numbers, struct ompp_arena *arena)
{
	size_t n_bytes = LEAST_TEXT_BYTES + (size_t)n * RUN_TEXT_BYTES;
	char *buffer = ompp_arena_alloc(arena, n_bytes);
	uint32_t divisor = is_scaled ? 0 : 1;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	for (uint32_t i = 0; is_scaled && i < n; i++)
		divisor = common_divisor(runs[i].n, divisor);
	ompp_text_init(&t, buffer, n_bytes);
	ompp_text_str(&t, word);
	for (uint32_t i = 0; i < n; i++) {
		ompp_text_char(&t, i ? '+' : ':');
		ompp_text_u64(&t, numbers[runs[i].place]);
		if (runs[i].n / divisor == 1)
			continue;
		ompp_text_char(&t, '*');
		ompp_text_u64(&t, runs[i].n / divisor);
	}
	return buffer;
}

const char *ompp_placing_text(const struct ompp_choice *c, enum ompp_way way, const uint32_t *numbers,
                              struct ompp_arena *arena)
{
	const struct ompp_placing_run node = { .place = c->node, .n = 1 };

	if (way >= OMPP_N_WAYS || c->far[way] == OMPP_MISSING)
		return "";
	switch (way) {
	case OMPP_WAY_NODE:
		return runs_text("node", &node, 1, 0, numbers, arena);
	case OMPP_WAY_PARTS:
		return runs_text("parts", c->parts, c->n_parts, 1, numbers, arena);
	case OMPP_WAY_BLOCKS:
		return runs_text("blocks", c->blocks, c->n_blocks, 0, numbers, arena);
	default:
		return ompp_placing_name(way);
	}
}

const char *ompp_placing_name(enum ompp_way way)
{
	static const char *const names[OMPP_N_WAYS] = {
		[OMPP_WAY_NODE] = "node",           [OMPP_WAY_INTERLEAVE] = "interleave",
		[OMPP_WAY_PARTS] = "parts",         [OMPP_WAY_BLOCKS] = "blocks",
		[OMPP_WAY_ALLOCATOR] = "allocator", [OMPP_WAY_TOUCH] = "touch",
		[OMPP_WAY_COPIES] = "copies",       [OMPP_WAY_MOVE] = "move",
	};

	return way < OMPP_N_WAYS ? names[way] : "";
}
