/*
 * Efficiency: three ranks of one thread each, and a team of two threads, whose efficiencies are arithmetic; and the
 * finding about the rank that has more to do than others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/analysis/efficiency.h"
#include "reports/analysis/init.h"
#include "reports/findings/findings.h"
#include "runtime/base/array.h"
#include "tests/unit/bare_profile.h"

#define MS INT64_C(1000000)

static struct ompp_arena arena;
static struct ompp_analysis analysis;

static const struct ompp_row rank_rows[] = { { "r0:0", 1, 1, 0, OMPP_NONE },
	                                     { "r1:0", 2, 1, 0, OMPP_NONE },
	                                     { "r2:0", 3, 1, 0, OMPP_NONE } };
static const struct ompp_row team_rows[] = { { "0", 1, 1, 0, OMPP_NONE }, { "1", 1, 1, 1, OMPP_NONE } };
static struct ompp_region regions[2];
static struct ompp_node nodes[3];
static struct ompp_cell cells[6];
static struct ompp_process processes[3];
static struct ompp_profile profile;

static struct ompp_cell cell_of(uint32_t row, int64_t ms)
{
	return (struct ompp_cell){ .row = row, .n_exec = 1, .exec_ns = ms * MS, .incl_ns = ms * MS };
}

static void profile_start(const struct ompp_row *rows, size_t n_rows)
{
	memset(&cells, 0, sizeof(cells));
	regions[0] = (struct ompp_region){ 1, OMPP_USER_REGION, "a.c", 1, 9, "solve", 0, 0, "", "", "", 0 };
	regions[1] = (struct ompp_region){ 2, OMPP_MPI_COLLECTIVE, "a.c", 12, 12, "MPI_Barrier", 0, 0, "", "", "", 0 };
	nodes[0] = (struct ompp_node){ OMPP_NONE, OMPP_NONE, OMPP_PARALLEL, 0, 0 };
	profile = (struct ompp_profile){ BARE_PROFILE,
		                         .duration_ns = 1000 * MS,
		                         .user_ns = OMPP_MISSING,
		                         .system_ns = OMPP_MISSING,
		                         .queued_ns = OMPP_MISSING,
		                         .queued_all_ns = OMPP_MISSING,
		                         .max_threads = (uint32_t)n_rows,
		                         .regions = regions,
		                         .rows = rows,
		                         .n_rows = n_rows,
		                         .nodes = nodes,
		                         .cells = cells };
}

/* Three ranks, 1000 ms each: in the region, and in MPI; the rest is the first thread's own. */
static void ranks(int64_t solve_0, int64_t solve_1, int64_t solve_2, int64_t mpi_0, int64_t mpi_1, int64_t mpi_2)
{
	const int64_t solve[] = { solve_0, solve_1, solve_2 }, mpi[] = { mpi_0, mpi_1, mpi_2 };
	static const char *const names[] = { "r0", "r1", "r2" };

	profile_start(rank_rows, 3);
	nodes[1] = (struct ompp_node){ 0, 0, OMPP_USER_REGION, 0, 3 };
	nodes[2] = (struct ompp_node){ 0, 1, OMPP_MPI_COLLECTIVE, 3, 3 };
	for (uint32_t i = 0; i < 3; i++) {
		cells[i] = cell_of(i, solve[i]);
		cells[3 + i] = cell_of(i, mpi[i]);
		processes[i] = (struct ompp_process){ .name = names[i],
			                              .first_row = i,
			                              .max_threads = 1,
			                              .duration_ns = 1000 * MS,
			                              .before_main_ns = OMPP_MISSING,
			                              .queued_ns = OMPP_MISSING,
			                              .host = "h" };
	}
	profile.mpi_rank = 0;
	profile.mpi_size = 3;
	profile.n_merged = 3;
	profile.processes = processes;
	profile.n_processes = profile.n_regions = profile.n_nodes = 3;
	profile.n_regions = 2;
	profile.n_cells = 6;
}

static struct ompp_efficiencies efficiencies(void)
{
	struct ompp_report_options options = { 0 };
	const struct ompp_efficiencies *e;

	assert_int_equal(ompp_analysis_init(&analysis, &profile, &options, &arena), 0);
	e = ompp_efficiencies(&analysis);
	assert_non_null(e);
	assert_ptr_equal(ompp_efficiencies(&analysis), e); /* computed once */
	return *e;
}

static const struct ompp_finding *find_named(const char *name)
{
	static struct ompp_findings findings;
	struct ompp_report_options options = { 0 };

	assert_int_equal(ompp_analysis_init(&analysis, &profile, &options, &arena), 0);
	assert_int_equal(ompp_findings(&analysis, &findings), 0);
	for (size_t i = 0; i < findings.n; i++)
		if (!strcmp(findings.list[i].name, name))
			return &findings.list[i];
	return NULL;
}

static const struct ompp_finding *find(void)
{
	return find_named("UnequalRanks");
}

/* Outside of MPI they are 200, 200 and 800 ms. */
static void test_ranks(void **state)
{
	struct ompp_efficiencies all;
	const struct ompp_efficiency *e;

	(void)state;
	ranks(100, 100, 700, 800, 800, 200);
	all = efficiencies();
	assert_int_equal(all.n, 2);
	e = &all.list[0];
	assert_int_equal(e->wall_ns, 1000 * MS);
	assert_int_equal(e->useful_ns, 1200 * MS);
	assert_int_equal(e->share[OMPP_EFFICIENCY_PARALLEL], 400 * MS);
	assert_int_equal(e->share[OMPP_EFFICIENCY_MPI], 400 * MS);
	assert_int_equal(e->share[OMPP_EFFICIENCY_MPI_BALANCE], 500 * MS);
	assert_int_equal(e->share[OMPP_EFFICIENCY_MPI_COMMUNICATION], 800 * MS);
	assert_int_equal(e->share[OMPP_EFFICIENCY_MPI_TRANSFER], OMPP_MISSING);
	assert_int_equal(e->share[OMPP_EFFICIENCY_OPENMP], 1000 * MS);
	e = &all.list[1];
	assert_int_equal(e->region, 0);
	assert_int_equal(e->share[OMPP_EFFICIENCY_MPI_BALANCE], 428571429); /* 300 of 700 */
	assert_int_equal(e->share[OMPP_EFFICIENCY_MPI_COMMUNICATION], 1000 * MS);
	/* of two of three ranks nobody knows the balance */
	profile.mpi_size = 4;
	e = &efficiencies().list[0];
	assert_int_equal(e->share[OMPP_EFFICIENCY_MPI], 400 * MS);
	assert_int_equal(e->share[OMPP_EFFICIENCY_MPI_BALANCE], OMPP_MISSING);
	/* starting MPI is no part of the run */
	profile.mpi_size = 3;
	regions[1].name = "MPI_Init";
	e = &efficiencies().list[0];
	assert_int_equal(e->wall_ns, 800 * MS);
	assert_int_equal(e->share[OMPP_EFFICIENCY_MPI_COMMUNICATION], 1000 * MS);
	/* without calls of MPI, that of several ranks is not known */
	profile.n_regions = 1;
	profile.n_nodes = 2;
	e = &efficiencies().list[0];
	assert_int_equal(e->share[OMPP_EFFICIENCY_PARALLEL], OMPP_MISSING);
	assert_int_equal(e->share[OMPP_EFFICIENCY_MPI], OMPP_MISSING);
	assert_int_equal(e->share[OMPP_EFFICIENCY_OPENMP], 1000 * MS);
}

/* Two threads for 600 of 1000 ms: 100 to make the team, 200 of one thread wait at the end, 100 of both lie in MPI. */
static void test_team(void **state)
{
	const struct ompp_efficiency *e;

	(void)state;
	profile_start(team_rows, 2);
	regions[0].construct = OMPP_PARALLEL;
	nodes[1] = (struct ompp_node){ 0, 0, OMPP_PARALLEL, 0, 2 };
	nodes[2] = (struct ompp_node){ 1, 1, OMPP_MPI_COLLECTIVE, 2, 2 };
	for (uint32_t i = 0; i < 2; i++) {
		cells[i] = cell_of(i, 600);
		cells[2 + i] = cell_of(i, 100);
	}
	cells[0].exit_bar_ns = 200 * MS;
	cells[1].startup_ns = 100 * MS;
	profile.n_regions = 2;
	profile.n_nodes = 3;
	profile.n_cells = 4;
	e = &efficiencies().list[0];
	assert_int_equal(e->useful_ns, (400 + 1200 - 200 - 100 - 200) * MS);
	assert_int_equal(e->share[OMPP_EFFICIENCY_PARALLEL], 550 * MS);
	assert_int_equal(e->share[OMPP_EFFICIENCY_MPI], 900 * MS);                /* of one rank all is balanced */
	assert_int_equal(e->share[OMPP_EFFICIENCY_OPENMP], 611111111);            /* 1100 of 1800 */
	assert_int_equal(e->share[OMPP_EFFICIENCY_OPENMP_SERIAL], 777777778);     /* 1400 of 1800 */
	assert_int_equal(e->share[OMPP_EFFICIENCY_OPENMP_REGION], 785714286);     /* 1100 of 1400 */
	assert_int_equal(e->share[OMPP_EFFICIENCY_OPENMP_SCHEDULING], 928571429); /* 1300 of 1400 */
	assert_int_equal(e->share[OMPP_EFFICIENCY_OPENMP_BALANCE], 846153846);    /* 1100 of 1300 */
}

static void two_threads(void)
{
	for (uint32_t i = 0; i < 3; i++)
		processes[i].max_threads = 2;
}

static void test_unequal(void **state)
{
	const struct ompp_finding *f;

	(void)state;
	ranks(100, 100, 700, 800, 800, 200);
	f = find();
	assert_non_null(f);
	assert_int_equal(f->gain_ns, 400 * MS);
	assert_int_equal(f->ns, 1200 * MS);
	assert_int_equal(f->region, 0);
	assert_non_null(strstr(f->evidence,
	                       "Outside of MPI, rank 2 (host h) has most, 0.800 s; the mean is 0.400 s, and "
	                       "rank 0 (host h) has least, 0.200 s. It stands out"));
	assert_non_null(strstr(f->evidence, "0.700 s there, where the mean is 0.300 s."));
	/* where it may have waited for a processor for half of that, nothing is said */
	processes[2].queued_ns = 201 * MS;
	assert_null(find());
	processes[2].queued_ns = 200 * MS;
	assert_non_null(find());
	/* two ranks that have more; and outside of all regions */
	ranks(100, 100, 100, 800, 200, 200);
	f = find();
	assert_non_null(f);
	assert_null(strstr(f->evidence, "It stands out"));
	assert_int_equal(f->region, OMPP_NONE);
	assert_non_null(strstr(f->evidence, "in no one parallel region"));
	/* of ranks with two threads, what the first one does alone; two ranks that do as much; and a part of the excess
	 */
	ranks(100, 100, 100, 800, 800, 200);
	two_threads();
	assert_null(find());
	f = find_named("SerialPartOfOneRank");
	assert_non_null(f);
	assert_int_equal(f->gain_ns, 400 * MS);
	assert_int_equal(f->ns, 6 * 400 * MS);
	assert_non_null(
		strstr(f->evidence, "rank 2 (host h) has 0.800 s, and each other rank at most 0.200 s. Meanwhile"));
	ranks(100, 100, 100, 800, 200, 200);
	two_threads();
	assert_null(find_named("SerialPartOfOneRank"));
	assert_non_null(find());
	/* ranks that have as much to do; and where ranks are missing */
	ranks(100, 500, 300, 400, 400, 400);
	assert_null(find());
	ranks(100, 100, 700, 800, 800, 200);
	profile.mpi_size = 4;
	assert_null(find());
}

static int start(void **state)
{
	(void)state;
	ompp_arena_init(&arena, 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	ompp_arena_fini(&arena);
	return 0;
}

/* Cells add up word by word; of errors, which are independent, the squares do. */
static void test_cells_add_up(void **state)
{
	enum { WORDS = sizeof(struct ompp_cell) / sizeof(int64_t) };
	static const size_t errors[] = { offsetof(struct ompp_cell, error_ns),
		                         offsetof(struct ompp_cell, enter_error_ns),
		                         offsetof(struct ompp_cell, body_error_ns),
		                         offsetof(struct ompp_cell, exit_error_ns) };
	union {
		struct ompp_cell cell;
		int64_t words[WORDS];
	} a, b;

	(void)state;
	for (int64_t run = 1; run < 100; run++) {
		int64_t expected[WORDS];

		for (int i = 0; i < WORDS; i++) {
			a.words[i] = 3 * (run * 1000 + i);
			b.words[i] = 4 * (run * 1000 + i);
			expected[i] = a.words[i] + b.words[i];
			for (size_t k = 0; k < OMPP_COUNT_OF(errors); k++)
				if (errors[k] == sizeof(int64_t) * (size_t)i)
					expected[i] = 5 * (run * 1000 + i);
		}
		a.cell.row = b.cell.row = 3;
		expected[0] = a.words[0]; /* which row it is */
		ompp_cell_add(&a.cell, &b.cell);
		assert_memory_equal(a.words, expected, sizeof(expected));
	}
}

/* What serialisation and the transfer of data cost is divided at the ideal time, which is no longer than the run, where
 * that is known well enough. */
static void test_ideal(void **state)
{
	const struct ompp_efficiencies all = { .has_mpi = 1 };

	(void)state;
	for (int64_t ideal = 0; ideal <= 1300; ideal += 50)
		for (int64_t error = 0; error <= 300; error += 20) {
			struct ompp_efficiency e = { .total = { .outside_ns = 1500 * MS,
				                                .most_ns = 800 * MS,
				                                .ideal_ns = ideal * MS,
				                                .ideal_error_ns = error / 2 * MS,
				                                .ideal_most_ns = (ideal + error) * MS,
				                                .in_teams_ns = 1500 * MS },
				                     .n_processes = 2,
				                     .n_threads = 2,
				                     .wall_ns = 1000 * MS };
			int64_t least = ideal < 1000 ? ideal : 1000;

			ompp_efficiency_set(&e, &all);
			if (e.share[OMPP_EFFICIENCY_MPI_TRANSFER] == OMPP_MISSING) {
				assert_true(!ideal || error > 0);
				assert_int_equal(e.share[OMPP_EFFICIENCY_MPI_SERIALISATION], OMPP_MISSING);
				continue;
			}
			assert_true(ideal && error < 200);
			assert_int_equal(e.share[OMPP_EFFICIENCY_MPI_TRANSFER], least * MS);
			assert_int_equal(e.error[OMPP_EFFICIENCY_MPI_TRANSFER], error * MS);
			assert_int_equal(e.share[OMPP_EFFICIENCY_MPI_SERIALISATION],
			                 least < 800 ? 1000 * MS : (800 * 1000 * MS + least / 2) / least);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ideal),
		cmocka_unit_test_setup_teardown(test_ranks, start, end),
		cmocka_unit_test(test_cells_add_up),
		cmocka_unit_test_setup_teardown(test_team, start, end),
		cmocka_unit_test_setup_teardown(test_unequal, start, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
