/*
 * Placing: of programs that are drawn here, whose accesses are drawn from known shares, the layout that is chosen costs
 * as little as the best of all that there are, which are tried one by one, and another run of the program has the share
 * of far accesses that was promised.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/placing/placing.h"
#include "reports/placing/placing_sums.h"
#include "reports/profile/number.h"
#include "reports/profile/profile.h"

enum { PLACES = 3, PAGES = 6, MOST_BLOCKS = 3, MAPS = 729, PROGRAMS = 400, ONE = 1000000000, POINT = ONE / 100 };
enum { LINES = 64 };

static uint64_t state_of_random = 1;

static uint32_t random_below(uint32_t n)
{
	state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state_of_random >> 33) % n);
}

/* A program: how many of 1,000 accesses to a page come from each place. */
struct program {
	uint32_t n_blocks, share[MOST_BLOCKS][PAGES][PLACES], allocator[MOST_BLOCKS];
	int is_ordered;
};

/* A run of it. */
struct run {
	int64_t n[MOST_BLOCKS][PAGES][PLACES], half[MOST_BLOCKS][PAGES][PLACES], all;
};

static struct program draw_program(void)
{
	struct program p = { .n_blocks = 1 + random_below(MOST_BLOCKS), .is_ordered = (int)random_below(2) };
	uint32_t kind = random_below(4);

	for (uint32_t b = 0; b < p.n_blocks; b++) {
		p.allocator[b] = random_below(PLACES);
		for (uint32_t i = 0; i < PAGES; i++) {
			uint32_t user = kind == 0 ? random_below(PLACES) /* any page by anyone */
			              : kind == 1 ? i * PLACES / PAGES   /* parts */
			              : kind == 2 ? (b + 1) % PLACES     /* blocks */
			                          : p.allocator[b];      /* whose they are */
			uint32_t others = kind == 0 ? random_below(334) : random_below(100);

			for (uint32_t k = 0; k < PLACES; k++)
				p.share[b][i][k] = k == user ? 1000 - (PLACES - 1) * others : others;
		}
	}
	return p;
}

static struct run run_of(const struct program *p, uint32_t n_accesses)
{
	struct run r = { .all = 0 };

	for (uint32_t k = 0; k < n_accesses; k++) {
		uint32_t b = random_below(p->n_blocks), i = random_below(PAGES), at = random_below(1000), place = 0;

		while (at >= p->share[b][i][place])
			at -= p->share[b][i][place++];
		r.n[b][i][place]++;
		r.half[b][i][place] += random_below(2);
		r.all++;
	}
	return r;
}

/* ---- each layout by itself ---- */

/* Where each page is. */
struct layout {
	uint32_t place[MOST_BLOCKS][PAGES];
};

static int64_t far_of(const struct run *r, const struct layout *l, uint32_t n_blocks)
{
	int64_t far = 0;

	for (uint32_t b = 0; b < n_blocks; b++)
		for (uint32_t i = 0; i < PAGES; i++)
			for (uint32_t k = 0; k < PLACES; k++)
				far += k == l->place[b][i] ? 0 : r->n[b][i][k];
	return (int64_t)((__int128)far * ONE / r->all);
}

/* What placing.h says that a layout costs. */
static int64_t cost_of(const struct run *r, const struct layout *l, uint32_t n_blocks)
{
	int64_t loads[PLACES] = { 0 }, most = 0;

	for (uint32_t b = 0; b < n_blocks; b++)
		for (uint32_t i = 0; i < PAGES; i++)
			for (uint32_t k = 0; k < PLACES; k++)
				loads[l->place[b][i]] += r->n[b][i][k];
	for (uint32_t k = 0; k < PLACES; k++)
		most = loads[k] > most ? loads[k] : most;
	return far_of(r, l, n_blocks) + ((int64_t)((__int128)most * ONE / r->all) - ONE / PLACES) / 8;
}

static struct layout by_map(uint32_t map, uint32_t n_blocks)
{
	struct layout l;

	for (uint32_t i = 0; i < PAGES; i++, map /= PLACES)
		for (uint32_t b = 0; b < n_blocks; b++)
			l.place[b][i] = map % PLACES;
	return l;
}

static struct layout by_block(uint32_t map, uint32_t n_blocks)
{
	struct layout l;

	for (uint32_t b = 0; b < n_blocks; b++, map /= PLACES)
		for (uint32_t i = 0; i < PAGES; i++)
			l.place[b][i] = map % PLACES;
	return l;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Takes a layout when it makes fewer accesses far than the best one of its way until now. */
static void try(const struct program *p, const struct run *r, struct layout l, struct layout *best)
{
	if (far_of(r, &l, p->n_blocks) < far_of(r, best, p->n_blocks))
		*best = l;
}

/* The least cost of the layouts that are the best ones of their ways. */
static int64_t least_cost(const struct program *p, const struct run *r)
{
	int64_t cost = ONE - ONE / PLACES; /* interleaved */
	struct layout parts = by_map(0, p->n_blocks), node = parts, blocks = parts, own;

	for (uint32_t map = 0; map < MAPS; map++)
		try(p, r, by_map(map, p->n_blocks), &parts);
	for (uint32_t k = 0; k < PLACES; k++)
		try(p, r, by_block(k * (1 + PLACES + PLACES * PLACES), p->n_blocks), &node);
	for (uint32_t map = 0; map < PLACES * PLACES * PLACES; map++)
		try(p, r, by_block(map, p->n_blocks), &blocks);
	for (uint32_t b = 0; b < p->n_blocks; b++)
		for (uint32_t i = 0; i < PAGES; i++)
			own.place[b][i] = p->allocator[b];
	cost = least(cost, cost_of(r, &parts, p->n_blocks));
	cost = least(cost, cost_of(r, &node, p->n_blocks));
	cost = least(cost, p->is_ordered && p->n_blocks > 1 ? cost_of(r, &blocks, p->n_blocks) : cost);
	return least(cost, cost_of(r, &own, p->n_blocks));
}

/* Lays pages out as a choice says.  Returns 0, or 1 when pages are interleaved. */
static int lay_out(const struct program *p, const struct ompp_choice *c, struct layout *l)
{
	uint32_t n_units = 0;

	for (uint32_t k = 0; k < c->n_parts; k++)
		n_units += c->parts[k].n;
	for (uint32_t b = 0; b < p->n_blocks; b++)
		for (uint32_t i = 0; i < PAGES; i++) {
			uint32_t k = 0, end = 0, order = b;

			switch (c->best_placed) {
			case OMPP_WAY_NODE:
				l->place[b][i] = c->node;
				break;
			case OMPP_WAY_PARTS:
				while (PAGES * (end += c->parts[k].n) / n_units <= i)
					k++;
				l->place[b][i] = c->parts[k].place;
				break;
			case OMPP_WAY_BLOCKS:
				for (k = 0; order >= c->blocks[k].n; k = (k + 1) % c->n_blocks)
					order -= c->blocks[k].n;
				l->place[b][i] = c->blocks[k].place;
				break;
			case OMPP_WAY_ALLOCATOR:
				l->place[b][i] = p->allocator[b];
				break;
			default:
				return 1;
			}
		}
	return 0;
}

static struct ompp_choice choose(const struct program *p, const struct run *r, struct ompp_arena *arena)
{
	struct ompp_placing_cell cells[MOST_BLOCKS * PAGES * PLACES];
	struct ompp_placing_block blocks[MOST_BLOCKS];
	struct ompp_placing in = { .n_places = PLACES,
		                   .cells = cells,
		                   .blocks = blocks,
		                   .n_blocks = p->n_blocks,
		                   .n_regions = 1,
		                   .is_ordered = p->is_ordered,
		                   .is_allocated = 1,
		                   .page_lines = LINES };
	struct ompp_choice c;

	for (uint32_t b = 0; b < p->n_blocks; b++) {
		blocks[b] = (struct ompp_placing_block){ b, p->allocator[b], PAGES };
		for (uint32_t i = 0; i < PAGES; i++)
			for (uint32_t k = 0; k < PLACES; k++)
				if (r->n[b][i][k])
					cells[in.n_cells++] = (struct ompp_placing_cell){ .block = b,
						                                          .from = k,
						                                          .page = i,
						                                          .n_pages = 1,
						                                          .n = (uint64_t)r->n[b][i][k],
						                                          .all = r->n[b][i][k],
						                                          .half = r->half[b][i][k] };
	}
	assert_int_equal(ompp_placing_choose(&in, arena, &c), 0);
	return c;
}

/* The layout costs no more than the best one, but for what cannot be told from it (a point and two errors of 0.6), cuts
 * that are not worth it, equal parts, and what the next run varies by: 5 points in all, in 99 of 100 programs.  And
 * it holds
 * what it has promised. */
static void test_best(void **state)
{
	uint32_t met[OMPP_N_WAYS] = { 0 }, n_worse = 0;

	(void)state;
	for (int n = 0; n < PROGRAMS; n++) {
		struct program p = draw_program();
		struct run first = run_of(&p, 6000), next = run_of(&p, 60000);
		struct ompp_arena arena;
		struct ompp_choice c;
		struct layout l;
		int64_t far, cost;

		ompp_arena_init(&arena, 0);
		c = choose(&p, &first, &arena);
		assert_true((int)c.best_placed < OMPP_N_PLACED_WAYS);
		met[c.best_placed]++;
		if (lay_out(&p, &c, &l)) {
			far = cost = ONE - ONE / PLACES;
		} else {
			far = far_of(&next, &l, p.n_blocks);
			cost = cost_of(&next, &l, p.n_blocks);
		}
		assert_in_range(c.far[c.best_placed] - far + 5 * POINT, 0, 10 * POINT);
		assert_true(cost - least_cost(&p, &next) <= 10 * POINT);
		n_worse += cost - least_cost(&p, &next) > 5 * POINT;
		ompp_arena_fini(&arena);
	}
	assert_in_range(n_worse, 0, PROGRAMS / 100);
	for (int way = 0; way < OMPP_N_PLACED_WAYS; way++)
		assert_true(met[way] > 0);
}

/* Where all use all by chance, few samples make no layout look better than it is: at most one in twenty by 5 points. */
static void test_chance(void **state)
{
	int n_wrong = 0;

	(void)state;
	for (int n = 0; n < PROGRAMS; n++) {
		struct program p = { .n_blocks = 1 };
		struct ompp_arena arena;
		struct ompp_choice c;
		struct run r;

		for (uint32_t i = 0; i < PAGES; i++)
			for (uint32_t k = 0; k < PLACES; k++)
				p.share[0][i][k] = k ? 333 : 334;
		ompp_arena_init(&arena, 0);
		r = run_of(&p, 300);
		c = choose(&p, &r, &arena);
		n_wrong += c.far[c.best_placed] < 2 * (int64_t)ONE / 3 - 5 * POINT;
		ompp_arena_fini(&arena);
	}
	assert_in_range(n_wrong, 0, PROGRAMS / 20);
}

/* ---- time ---- */

/* Two places that take turns, each with n accesses to each page in each of its slices: moving costs the lines of the
 * pages that move, if that is less than to stay. */
static void test_moves(void **state)
{
	enum { SLICES = 6 };
	const int64_t few = 40, many = 4000;

	(void)state;
	for (int64_t n = few; n <= many; n *= 100) {
		struct ompp_placing_cell cells[SLICES * PAGES];
		struct ompp_placing_block block = { 0, OMPP_NONE, PAGES };
		struct ompp_placing in = { .n_places = 2,
			                   .cells = cells,
			                   .n_cells = SLICES * PAGES,
			                   .blocks = &block,
			                   .n_blocks = 1,
			                   .n_regions = 1,
			                   .page_lines = LINES };
		int64_t all = n * SLICES * PAGES, moved = 2 * PAGES * LINES; /* 0 0 1 1 0 0 */
		struct ompp_arena arena;
		struct ompp_choice c;

		for (uint32_t s = 0; s < SLICES; s++)
			for (uint32_t i = 0; i < PAGES; i++)
				cells[s * PAGES + i] = (struct ompp_placing_cell){ .slice = s,
					                                           .from = s / 2 % 2,
					                                           .page = i,
					                                           .n_pages = 1,
					                                           .n = (uint64_t)n,
					                                           .all = n,
					                                           .half = n / 2 };
		ompp_arena_init(&arena, 0);
		assert_int_equal(ompp_placing_choose(&in, &arena, &c), 0);
		assert_int_equal(c.far[OMPP_WAY_NODE], ompp_share(all / 3, all));
		assert_int_equal(c.far[OMPP_WAY_MOVE], ompp_share(n == few ? all / 3 : moved, all));
		assert_int_equal(c.in_turn, ONE);
		assert_int_equal(c.best, n == few ? OMPP_WAY_NODE : OMPP_WAY_MOVE);
		ompp_arena_fini(&arena);
	}
}

/* ---- what OMPP_PLACE can say ---- */

/* Blocks that two places use in turn, but the last one a third, so that there is no period: OMPP_PLACE has up to 256
 * runs of blocks. */
static void test_most_runs(void **state)
{
	enum { MOST_RUNS = 256 };

	(void)state;
	for (uint32_t n = MOST_RUNS - 1; n <= MOST_RUNS + 1; n++) {
		struct ompp_placing_cell cells[MOST_RUNS + 1];
		struct ompp_placing_block blocks[MOST_RUNS + 1];
		struct ompp_placing in = { .n_places = PLACES,
			                   .cells = cells,
			                   .n_cells = n,
			                   .blocks = blocks,
			                   .n_blocks = n,
			                   .n_regions = 1,
			                   .is_ordered = 1,
			                   .page_lines = LINES };
		struct ompp_arena arena;
		struct ompp_choice c;

		for (uint32_t b = 0; b < n; b++) {
			blocks[b] = (struct ompp_placing_block){ b, OMPP_NONE, 1 };
			cells[b] = (struct ompp_placing_cell){ .block = b,
				                               .from = b == n - 1 ? 2 : b % 2,
				                               .n_pages = 1,
				                               .n = 1000,
				                               .all = 1000,
				                               .half = 500 };
		}
		ompp_arena_init(&arena, 0);
		assert_int_equal(ompp_placing_choose(&in, &arena, &c), 0);
		assert_int_equal(c.n_blocks, n);
		assert_int_equal(c.can[OMPP_WAY_BLOCKS], n <= MOST_RUNS);
		ompp_arena_fini(&arena);
	}
}

/* Parts go by all samples, although one half of these alone would place the second part otherwise. */
static void test_both_halves(void **state)
{
	enum { SLOTS = 4 };

	(void)state;
	for (int turned = 0; turned < 2; turned++) {
		struct ompp_placing_block block = { .n_pages = SLOTS };
		struct ompp_placing_cell cells[2 * SLOTS];
		struct ompp_placing in = { .n_places = 2,
			                   .cells = cells,
			                   .blocks = &block,
			                   .n_blocks = 1,
			                   .n_regions = 1,
			                   .page_lines = LINES };
		struct ompp_arena arena;
		struct ompp_choice c;

		for (uint32_t i = 0; i < SLOTS; i++)
			for (uint32_t from = 0; from < 2; from++) {
				/* a half by which the second part would be on place 0: 510 to 490; the other: 0 to 1000
				 */
				int64_t one = from ? 490 : 510, other = from ? 1000 : 0;

				if (i < SLOTS / 2)
					one = other = from ? 0 : 1000;
				cells[in.n_cells++] = (struct ompp_placing_cell){ .from = from,
					                                          .page = i,
					                                          .n_pages = 1,
					                                          .n = (uint64_t)(one + other),
					                                          .all = one + other,
					                                          .half = turned ? other : one };
			}
		ompp_arena_init(&arena, 0);
		assert_int_equal(ompp_placing_choose(&in, &arena, &c), 0);
		assert_int_equal(c.n, SLOTS * 2000);
		assert_int_equal(c.n_parts, 2);
		for (uint32_t i = 0; i < 2; i++) {
			assert_int_equal(c.parts[i].place, i);
			assert_int_equal(c.parts[i].n, 1);
		}
		/* of the accesses, each place answers those to two of the four pages */
		assert_int_equal(c.most[OMPP_WAY_PARTS], ONE / 2);
		ompp_arena_fini(&arena);
	}
}

/* ---- texts ---- */

static void test_texts(void **state)
{
	const struct ompp_placing_run parts[] = { { 1, 40 }, { 0, 80 } }, blocks[] = { { 2, 1 }, { 0, 3 } };
	const uint32_t numbers[] = { 0, 2, 7 };
	struct ompp_choice c = { .node = 2, .parts = parts, .n_parts = 2, .blocks = blocks, .n_blocks = 2 };
	struct ompp_arena arena;

	(void)state;
	ompp_arena_init(&arena, 0);
	assert_string_equal(ompp_placing_text(&c, OMPP_WAY_NODE, numbers, &arena), "node:7");
	assert_string_equal(ompp_placing_text(&c, OMPP_WAY_PARTS, numbers, &arena), "parts:2+0*2");
	assert_string_equal(ompp_placing_text(&c, OMPP_WAY_BLOCKS, numbers, &arena), "blocks:7+0*3");
	assert_string_equal(ompp_placing_text(&c, OMPP_WAY_COPIES, numbers, &arena), "copies");
	c.far[OMPP_WAY_NODE] = OMPP_MISSING;
	assert_string_equal(ompp_placing_text(&c, OMPP_WAY_NODE, numbers, &arena), "");
	assert_string_equal(ompp_placing_text(&c, OMPP_N_WAYS, numbers, &arena), "");
	ompp_arena_fini(&arena);
}

/* Of cells of chance each sum is that of the cells, and the main region is the first of those with most accesses. */
static void test_sums(void **state)
{
	enum { CELLS = 12, REGIONS = 4, BLOCKS = 3 };
	static const struct ompp_placing_block blocks[BLOCKS] = { { 0, 0, PAGES }, { 1, 1, PAGES }, { 2, 2, PAGES } };

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct ompp_placing_cell cells[CELLS];
		struct ompp_placing in = { .n_places = PLACES,
			                   .cells = cells,
			                   .n_cells = random_below(CELLS) + 1,
			                   .blocks = blocks,
			                   .n_blocks = BLOCKS,
			                   .n_regions = REGIONS,
			                   .page_lines = LINES };
		int64_t all = 0, half = 0, most = 0, of_region[REGIONS + 1] = { 0 }, of_place[PLACES] = { 0 };
		uint32_t main_region = OMPP_NONE, most_of_round = 1 + random_below(3);
		struct ompp_placing_sums sums;
		struct ompp_arena arena;
		uint64_t n = 0;

		for (size_t i = 0; i < in.n_cells; i++) {
			int64_t accesses = random_below(most_of_round);

			cells[i] = (struct ompp_placing_cell){ .block = random_below(BLOCKS),
				                               .region = random_below(REGIONS + 1) - 1,
				                               .slice = random_below(3),
				                               .from = random_below(PLACES),
				                               .page = random_below(PAGES),
				                               .n_pages = 1,
				                               .n = 1 + random_below(3),
				                               .all = accesses,
				                               .half = accesses ? random_below((uint32_t)accesses + 1)
				                                                : 0 };
			n += cells[i].n;
			all += cells[i].all;
			half += cells[i].half;
			of_region[cells[i].region + 1] += cells[i].all;
			of_place[cells[i].from] += cells[i].all;
		}
		for (uint32_t r = 0; r < REGIONS; r++)
			if (of_region[r + 1] > most) {
				most = of_region[r + 1];
				main_region = r;
			}
		ompp_arena_init(&arena, 0);
		assert_int_equal(ompp_placing_sums(&in, &arena, &sums), 0);
		assert_int_equal(sums.main_region, main_region);
		assert_int_equal(sums.all[OMPP_ALL], all);
		assert_int_equal(sums.all[OMPP_ODD], half);
		assert_int_equal(sums.all[OMPP_EVEN], all - half);
		assert_int_equal(sums.n, n);
		for (uint32_t k = 0; k < PLACES; k++)
			assert_int_equal(sums.place[OMPP_ALL][k], of_place[k]);
		ompp_arena_fini(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_best),      cmocka_unit_test(test_chance),      cmocka_unit_test(test_moves),
		cmocka_unit_test(test_most_runs), cmocka_unit_test(test_both_halves), cmocka_unit_test(test_texts),
		cmocka_unit_test(test_sums), /* last, as it draws from the same numbers */
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
