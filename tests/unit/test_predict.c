/*
 * Predict: the times of teams of which they are known by hand, and of random strands beside a plain list schedule and
 * the bounds that hold for any.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/span/predict.h"

enum { LONG = 1 << OMPP_STRAND_SHORT_BITS, MEMBERS = 4 }; /* LONG: the least ticks of a strand that is kept by itself */

static struct ompp_strands members[MEMBERS];
static struct ompp_prediction made;
static struct ompp_predictor *predictor;
static uint64_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(seed >> 33) % n;
}

static int start(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < MEMBERS; i++) {
		ompp_strands_reset(&members[i], i, 1000);
		members[i].next = i + 1 < MEMBERS ? &members[i + 1] : NULL;
	}
	return 0;
}

/* Returns the likely time with 2^k threads, of a team whose longest path is given. */
static uint64_t likely(int k, uint64_t span, uint64_t chain)
{
	struct ompp_predict_team team = { members, MEMBERS, span, chain, 0, 0, 0 };

	memset(&made, 0, sizeof(made));
	assert_int_equal(ompp_predict(&predictor, &team, &made), 1);
	assert_int_equal(made.n, 1);
	return made.by[k].likely_ticks;
}

static void equal_tasks_are_done_in_rounds(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 12; i++)
		ompp_strands_add_chain(&members[i % MEMBERS], 1000, LONG, 0);
	for (int k = 0; k < OMPP_PREDICTED; k++)
		assert_int_equal(likely(k, LONG, LONG), (uint64_t)LONG * ((12 + (1u << k) - 1) >> k));
	assert_int_equal(made.by[3].least_ticks, LONG * 3 / 2);
	assert_int_equal(made.by[3].shared_ticks, LONG * 3 / 2);
}

/* What begins on the path where another strand ends waits for it; what begins before does not. */
static void strands_wait_for_those_before(void **state)
{
	(void)state;
	ompp_strands_add_chain(&members[0], 1000, 2 * LONG, 0);
	ompp_strands_add_chain(&members[1], 1000, 5 * LONG, 0);
	ompp_strands_add_chain(&members[0], 1000 + 2 * LONG, 4 * LONG, 0);
	assert_int_equal(likely(0, 6 * LONG, 6 * LONG), 11 * LONG);
	assert_int_equal(likely(1, 6 * LONG, 6 * LONG), 6 * LONG);
	assert_int_equal(likely(8, 6 * LONG, 6 * LONG), 6 * LONG);
	ompp_strands_add_chain(&members[2], 1000 + 6 * LONG, 3 * LONG, 0);
	assert_int_equal(likely(8, 9 * LONG, 9 * LONG), 9 * LONG);
}

/* Iterations that grow from 0 to 4: the shares of 4 threads are 1, 3, 5 and 7, and the last of 16 is 4² - 3.75². */
static void loops_are_divided_otherwise(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < MEMBERS; i++)
		ompp_strands_add_other(&members[i], OMPP_STRAND_SHARE, 1000, (2 * i + 1) * LONG, 0);
	assert_int_equal(likely(0, 7 * LONG, 0), 16 * LONG);
	assert_int_equal(likely(1, 7 * LONG, 0), 12 * LONG);
	assert_int_equal(likely(2, 7 * LONG, 0), 7 * LONG);
	assert_in_range(likely(3, 7 * LONG, 0), LONG * 15 / 4 - 2, LONG * 15 / 4);
	assert_in_range(likely(4, 7 * LONG, 0), LONG * 31 / 16 - 2, LONG * 31 / 16);
	assert_int_equal(made.by[0].most_ticks, (uint64_t)16 * LONG + (uint64_t)7 * LONG * 4);
}

static void each_thread_executes_its_own_code(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < MEMBERS; i++)
		ompp_strands_add_other(&members[i], OMPP_STRAND_OWN, 1000, 3 * LONG, 0);
	for (int k = 0; k < OMPP_PREDICTED; k++)
		assert_int_equal(likely(k, 3 * LONG, 0), 3 * LONG);
	assert_int_equal(made.by[0].least_ticks, 0); /* for they might have divided it */
}

/* Chunks begin where the loop does, whatever is called in them; shares that were none stay shares. */
static void chunks_go_to_any_thread(void **state)
{
	uint64_t at = 1000;

	(void)state;
	for (uint32_t i = 0; i < 6; i++) {
		ompp_strands_add_other(&members[0], OMPP_STRAND_SHARE, at, LONG, 0);
		ompp_strands_add_other(&members[0], OMPP_STRAND_SHARE, at + LONG, LONG, 0);
		at += 2 * LONG;
		ompp_strands_end_chunk(&members[0], at);
	}
	assert_int_equal(members[0].n, 6);
	assert_int_equal(likely(0, 12 * LONG, 0), 12 * LONG);
	assert_int_equal(likely(2, 12 * LONG, 0), 4 * LONG);
	assert_int_equal(likely(8, 12 * LONG, 0), 2 * LONG);
}

/* What was a share before a barrier is no chunk of the loop behind it. */
static void chunks_end_at_barriers(void **state)
{
	(void)state;
	ompp_strands_add_other(&members[0], OMPP_STRAND_SHARE, 1000, LONG, 0);
	ompp_strands_next_phase(&members[0], 1);
	ompp_strands_end_chunk(&members[0], 1000 + LONG);
	assert_int_equal(members[0].list[0].kind, OMPP_STRAND_SHARE);
	assert_int_equal(members[0].n_of[OMPP_STRAND_SHARE], 0);
}

/* Lets a member execute iterations, each a chunk, of a loop that has 16, of which the ninth takes as long as ten
 * others. times: when it asks for the first one */
static void execute(uint32_t rank, enum ompp_strand_schedule schedule, uint64_t time, const int *chunks, int n)
{
	struct ompp_strands *m = &members[rank];
	uint64_t at = 1000;

	ompp_strands_begin_loop(m, (struct ompp_strand_bounds){ 100, 70, -2 }, schedule, 1);
	for (int i = 0; i < n; i++) {
		uint64_t ticks = (uint64_t)LONG * (chunks[i] == 8 ? 10 : 1);

		ompp_strands_begin_chunk(m, 100 - 2 * chunks[i], 100 - 2 * chunks[i], time);
		ompp_strands_add_other(m, OMPP_STRAND_SHARE, at, ticks, time + ticks);
		at += ticks;
		ompp_strands_end_chunk(m, at);
		time += ticks;
	}
}

/* LLVM's library: each thread has a range, of which others steal.  With 2 threads the long iteration is the first one
 * of a range, and the other 7 of it are shared while and after it is executed; in order it would be behind 8 others. */
static void chunks_are_stolen(void **state)
{
	(void)state;
	execute(0, OMPP_STRAND_DYNAMIC, 0, (const int[]){ 0, 1, 2, 3, 11 }, 5);
	execute(1, OMPP_STRAND_DYNAMIC, 1, (const int[]){ 4, 5, 6, 7, 10 }, 5);
	execute(2, OMPP_STRAND_DYNAMIC, 2, (const int[]){ 8 }, 1);
	execute(3, OMPP_STRAND_DYNAMIC, 3, (const int[]){ 12, 13, 14, 15, 9 }, 5);
	assert_int_equal(likely(0, 10 * LONG, 0), 25 * LONG);
	assert_int_equal(likely(1, 10 * LONG, 0), 13 * LONG);
	assert_int_equal(likely(2, 10 * LONG, 0), 10 * LONG);
	assert_int_equal(likely(5, 10 * LONG, 0), 10 * LONG);
	assert_int_equal(made.n_unlikely, 0);
}

static void chunks_come_in_order(void **state)
{
	(void)state;
	execute(0, OMPP_STRAND_IN_ORDER, 0, (const int[]){ 0, 4, 8 }, 3);
	execute(1, OMPP_STRAND_IN_ORDER, 1, (const int[]){ 1, 5, 9, 12, 15 }, 5);
	execute(2, OMPP_STRAND_IN_ORDER, 2, (const int[]){ 2, 6, 10, 13 }, 4);
	execute(3, OMPP_STRAND_IN_ORDER, 3, (const int[]){ 3, 7, 11, 14 }, 4);
	assert_int_equal(likely(0, 12 * LONG, 0), 25 * LONG);
	assert_int_equal(likely(1, 12 * LONG, 0), 14 * LONG);
	assert_int_equal(likely(2, 12 * LONG, 0), 12 * LONG);
	assert_int_equal(likely(5, 12 * LONG, 0), 10 * LONG);
	assert_int_equal(made.n_unlikely, 0);
}

/* One thread does not show whether others would steal: then 13 is as likely as 14. */
static void ways_that_differ_make_no_time_likely(void **state)
{
	static const int all[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	struct ompp_predict_team team = { members, 1, 25 * LONG, 0, 0, 0, 0 };

	(void)state;
	members[0].next = NULL;
	execute(0, OMPP_STRAND_DYNAMIC, 0, all, 16);
	memset(&made, 0, sizeof(made));
	assert_int_equal(ompp_predict(&predictor, &team, &made), 1);
	assert_int_equal(made.n_unlikely, 1);
	ompp_strands_reset(&members[0], 0, 1000);
	execute(0, OMPP_STRAND_IN_ORDER, 0, all, 16);
	assert_int_equal(ompp_predict(&predictor, &team, &made), 1);
	assert_int_equal(made.n_unlikely, 1);
	ompp_strands_reset(&members[0], 0, 1000);
	execute(0, OMPP_STRAND_DYNAMIC, 0, all, 8);
	assert_int_equal(ompp_predict(&predictor, &team, &made), 1);
	assert_int_equal(made.n_unlikely, 1);
}

/* Nothing is likely of chunks of another library than GCC's that does not tell which ones they are. */
static void chunks_without_a_place_make_no_time_likely(void **state)
{
	struct ompp_predict_team team = { members, MEMBERS, LONG, 0, 0, 0, 1 };

	(void)state;
	ompp_strands_add_other(&members[0], OMPP_STRAND_SHARE, 1000, LONG, 0);
	ompp_strands_end_chunk(&members[0], 1000 + LONG);
	memset(&made, 0, sizeof(made));
	assert_int_equal(ompp_predict(&predictor, &team, &made), 1);
	assert_int_equal(made.n_unlikely, 0);
	team.is_gnu = 0;
	assert_int_equal(ompp_predict(&predictor, &team, &made), 1);
	assert_int_equal(made.n_unlikely, 1);
}

/* Of tasks that their creators wait for no time is likely, unless they are in a forest. */
static void undeferred_tasks_have_a_forest_or_nothing(void **state)
{
	struct ompp_strand_of task = { 1, OMPP_STRAND_MEMBER | 7, 1000, 0 }, child = { 2, 1, 1000, 1 };
	struct ompp_predict_team team = { members, MEMBERS, 2 * LONG, 2 * LONG, 0, 0, 1 };

	(void)state;
	memset(&made, 0, sizeof(made));
	ompp_strands_add_long(&members[0], child, 1000, LONG, 0);
	ompp_strands_add_long(&members[0], task, 1000 + LONG, LONG, 0);
	members[0].has_bound = 1;
	assert_int_equal(ompp_predict(&predictor, &team, &made), 1);
	assert_int_equal(made.n_unlikely, 0);
	assert_int_equal(made.by[3].likely_ticks, 2 * LONG);
	members[0].has_other_edges = 1;
	assert_int_equal(ompp_predict(&predictor, &team, &made), 1);
	assert_int_equal(made.n_unlikely, 1);
	members[0].has_other_edges = team.is_gnu = 0;
	assert_int_equal(ompp_predict(&predictor, &team, &made), 1);
	assert_int_equal(made.n_unlikely, 2);
	members[0].has_bound = 0;
	assert_int_equal(ompp_predict(&predictor, &team, &made), 1);
	assert_int_equal(made.n_unlikely, 2);
	assert_int_equal(made.n, 4);
	members[0].has_any = 1; /* chunks of a loop whose schedule is not known */
	assert_int_equal(ompp_predict(&predictor, &team, &made), 1);
	assert_int_equal(made.n_unlikely, 3);
	ompp_strands_reset(&members[0], 0, 0);
	assert_false(members[0].has_any);
}

/* A long strand that came last comes last again. */
static void strands_come_in_their_order(void **state)
{
	(void)state;
	ompp_strands_add_chain(&members[0], 1000, 20 * LONG, 900);
	for (uint32_t i = 0; i < 16; i++)
		ompp_strands_add_chain(&members[1], 1000, LONG, 100 + i);
	assert_int_equal(likely(1, 20 * LONG, 20 * LONG), 28 * LONG);
}

static void critical_regions_are_a_chain(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 8; i++) {
		ompp_strands_add_chain(&members[i % MEMBERS], 1000, 3 * LONG, 0);
		ompp_strands_add_locked(&members[i % MEMBERS], 7 + i % 2, LONG);
	}
	assert_int_equal(likely(8, 3 * LONG, 3 * LONG), 4 * LONG);
	assert_int_equal(made.by[8].least_ticks, 4 * LONG);
	assert_int_equal(made.locked_ticks, 4 * LONG);
}

/* Short strands are as many at once as on the longest path, and none are lost when slices become longer. */
static void short_strands_fill_slices(void **state)
{
	uint64_t length = LONG / 4, n = 40000, span = n / 8 * length, time;

	(void)state;
	for (uint64_t i = 0; i < n; i++)
		ompp_strands_add_chain(&members[i % MEMBERS], 1000 + i / 8 * length, length, 0);
	assert_true(members[0].n == 0 && members[0].n_slices <= OMPP_STRAND_SLICES);
	assert_int_equal(likely(0, span, span), n * length);
	time = likely(2, span, span);
	assert_in_range(time, 2 * span, 2 * span + span / 50);
	time = likely(8, span, span);
	assert_in_range(time, span, span + span / 50);
}

/* Returns the time of the schedule that gives each strand in turn to the thread that is free first. */
static uint64_t plain_schedule(const uint64_t *ticks, uint32_t n, uint32_t n_threads)
{
	uint64_t free[256] = { 0 }, last = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t first = 0;

		for (uint32_t k = 1; k < n_threads; k++)
			first = free[k] < free[first] ? k : first;
		free[first] += ticks[i];
		last = free[first] > last ? free[first] : last;
	}
	return last;
}

static void random_strands(void **state)
{
	for (uint64_t turn = 0; turn < 100; turn++) {
		uint64_t ticks[OMPP_STRANDS], work = 0, most = 0;
		uint32_t n = 1 + below(turn < 90 ? 60 : OMPP_STRANDS - 1);

		seed = turn;
		start(state);
		for (uint32_t i = 0; i < n; i++) {
			ticks[i] = LONG + below(20 * LONG);
			work += ticks[i];
			most = ticks[i] > most ? ticks[i] : most;
			ompp_strands_add_chain(&members[0], 1000, ticks[i], 0);
		}
		for (int k = 0; k < OMPP_PREDICTED; k++) {
			uint32_t n_threads = 1u << k;
			uint64_t time = likely(k, most, most);

			assert_int_equal(time, plain_schedule(ticks, n, n_threads));
			assert_true(time >= made.by[k].least_ticks && time <= made.by[k].most_ticks);
			assert_true(made.by[k].least_ticks >= work / n_threads && made.by[k].least_ticks >= most);
			assert_true(made.by[k].most_ticks <= (work - most) / n_threads + most);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(equal_tasks_are_done_in_rounds, start),
		cmocka_unit_test_setup(strands_wait_for_those_before, start),
		cmocka_unit_test_setup(loops_are_divided_otherwise, start),
		cmocka_unit_test_setup(each_thread_executes_its_own_code, start),
		cmocka_unit_test_setup(chunks_end_at_barriers, start),
		cmocka_unit_test_setup(chunks_are_stolen, start),
		cmocka_unit_test_setup(chunks_come_in_order, start),
		cmocka_unit_test_setup(ways_that_differ_make_no_time_likely, start),
		cmocka_unit_test_setup(chunks_without_a_place_make_no_time_likely, start),
		cmocka_unit_test_setup(undeferred_tasks_have_a_forest_or_nothing, start),
		cmocka_unit_test_setup(chunks_go_to_any_thread, start),
		cmocka_unit_test_setup(strands_come_in_their_order, start),
		cmocka_unit_test_setup(critical_regions_are_a_chain, start),
		cmocka_unit_test_setup(short_strands_fill_slices, start),
		cmocka_unit_test_setup(random_strands, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
