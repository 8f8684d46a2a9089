/*
 * Rank sums: three ranks that differ in known numbers; the least, the mean and the most are arithmetic.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/ranks/rank_sums.h"
#include "tests/golden/example.h"

#define MS INT64_C(1000000)

enum { RANKS = 3, MOST_CELLS = 256 };

static struct ompp_arena arena;

static const struct ompp_rank_part *part_of(const struct ompp_rank_sums *s, enum ompp_construct construct,
                                            uint32_t line)
{
	for (size_t i = 0; i < s->n_parts; i++)
		if (s->parts[i].construct == construct && s->parts[i].region.begin_line == line)
			return &s->parts[i];
	fail_msg("no part of line %u", line);
	return NULL;
}

static const struct ompp_rank_spread *spread_of(const struct ompp_rank_part *part, const char *title)
{
	for (size_t i = 0; i < part->n_columns; i++)
		if (!strcmp(part->titles[i], title))
			return &part->spreads[i];
	fail_msg("no column %s", title);
	return NULL;
}

/* Rank r executes the first loop 10 r times more than rank 0, and runs for 100 r ms less. */
static void test_spreads(void **state)
{
	static struct ompp_cell cells[RANKS][MOST_CELLS];
	struct ompp_rank_sums s = { .arena = &arena, .most_ranks = RANKS };
	const struct ompp_rank_spread *spread;
	int64_t all = 0, least = 0;

	(void)state;
	ompp_arena_init(&arena, 0);
	for (int r = 0; r < RANKS; r++) {
		struct ompp_arena scratch;
		struct ompp_profile p;
		int64_t n = 0;

		example_profile(&p);
		assert_true(p.n_cells <= MOST_CELLS);
		memcpy(cells[r], p.cells, p.n_cells * sizeof(p.cells[0]));
		for (uint32_t i = 1; i < p.n_nodes; i++)
			for (uint32_t k = 0; p.nodes[i].construct == OMPP_LOOP &&
			                     p.regions[p.nodes[i].region].begin_line == 12 && k < p.nodes[i].n_cells;
			     k++) {
				cells[r][p.nodes[i].first_cell + k].n_exec += 10u * (unsigned int)r;
				n += (int64_t)cells[r][p.nodes[i].first_cell + k].n_exec;
			}
		p.cells = cells[r];
		p.mpi_rank = RANKS - 1 - r;
		p.duration_ns -= 100 * MS * r;
		all += n;
		least = r ? least : n;
		ompp_arena_init(&scratch, 0);
		assert_int_equal(ompp_rank_sums_add(&s, &p, &scratch), 0);
		ompp_arena_fini(&scratch);
	}
	assert_int_equal(s.n_ranks, RANKS);
	spread = spread_of(part_of(&s, OMPP_LOOP, 12), "execC");
	assert_int_equal(spread->n, RANKS);
	assert_true(spread->all == all);
	assert_int_equal(spread->least, least);
	assert_string_equal(spread->least_rank, "r2");
	assert_string_equal(spread->most_rank, "r0");
	assert_int_equal(spread->most, all - spread->least - all / RANKS);
	spread = spread_of(part_of(&s, OMPP_CRITICAL, 13), "execC");
	assert_int_equal(spread->n, RANKS);
	assert_int_equal(spread->least, spread->most);
	assert_string_equal(spread->most_rank, "r2"); /* the first of equal ones */
	spread = &s.times[OMPP_RANK_WALL];
	assert_int_equal(spread->most - spread->least, 100 * MS * (RANKS - 1));
	assert_true(spread->all == (__int128)RANKS * (spread->least + 100 * MS));
	assert_string_equal(spread->least_rank, "r0");
	ompp_arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_spreads) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
