/*
 * Span, iterations: loops whose iterations are told, with each schedule, by teams of two to eight threads, beside a
 * plain model that deals out the iterations itself; and loops that have no barrier of their own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/program/openmp.h"
#include "runtime/span/span_iterations.h"

/* A function by whose name the program has GCC's library. */
void gomp_is_here(void);
void gomp_is_here(void)
{
}

enum { PLACE = 10, TOLD = 40, NEXT, LIMIT = 1 << 24 };
enum { UNIT = 200000 }; /* an iteration is long enough to be handed out alone */
enum { MOST_THREADS = 8, MOST = 200 };

static struct ompp_span *members[MOST_THREADS];
static struct ompp_span_team team;
static uint32_t n_members;
static uint64_t now, seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(seed >> 33) % n;
}

static int start(void **state)
{
	(void)state;
	ompp_variants_kept = OMPP_VARIANTS_ALL;
	now = 1000;
	for (int i = 0; i < MOST_THREADS; i++)
		members[i] = members[i] ? members[i] : ompp_span_new(LIMIT);
	return 0;
}

static void fork_team(uint32_t n)
{
	n_members = n;
	memset(&team, 0, sizeof(team));
	ompp_span_host(members[0], now);
	ompp_span_fork(members[0], &team, now);
	for (uint32_t i = 0; i < n; i++)
		ompp_span_member(members[i], &team, i, now);
}

/* Lets all pass the barrier of a loop. */
static void pass(uint32_t region, int is_on_demand)
{
	for (uint32_t i = 0; i < n_members; i++) {
		members[i]->last_ticks = now;
		ompp_span_iterations_hand(members[i], region);
		ompp_span_shares_arrive(members[i], is_on_demand);
		ompp_span_arrive(members[i], &team, now);
	}
	for (uint32_t i = 0; i < n_members; i++) {
		members[i]->last_ticks = now;
		ompp_span_leave(members[i], &team, 0, now);
	}
}

static uint64_t gain_of(uint32_t member, uint32_t region)
{
	return members[member]->clock->gain_ticks[ompp_variant_find(OMPP_VARIANT_SCHEDULED, region)];
}

static struct ompp_scheduled sums(void)
{
	return ompp_scheduled_of(ompp_variant_find(OMPP_VARIANT_SCHEDULED, TOLD));
}

/* ---- the barriers of loops ---- */

/* Lets a member come to a loop with schedule(static), and execute iterations that take so many ticks. */
static void tell(struct ompp_span *member, uint32_t region, int n, uint64_t ticks)
{
	ompp_span_iterations_begin(member, region, (struct ompp_loop_order){ OMPP_ORDER_RANKS, 0 });
	member->last_ticks = now;
	for (int i = 0; i < n; i++) {
		ompp_span_iteration(member, PLACE << OMPP_PLACE_SHIFT, now);
		now += ticks;
	}
	ompp_span_stretch(member, PLACE << OMPP_PLACE_SHIFT, now);
}

static void tell_both(uint32_t region, int n, uint64_t first_ticks, uint64_t second_ticks)
{
	tell(members[0], region, n, first_ticks);
	tell(members[1], region, n, second_ticks);
}

/* A loop is told at its own barrier alone: what is left of one without a barrier is none of the next one. */
static void loops_are_told_at_their_barrier(void **state)
{
	uint64_t n_before = sums().n;

	(void)state;
	fork_team(2);
	tell_both(TOLD, 4, UNIT, 3 * UNIT);
	pass(NEXT, 0);
	assert_int_equal(ompp_span_iterates(members[0]), 0);
	pass(NEXT, 0); /* no loop since */
	tell_both(TOLD, 4, UNIT, 3 * UNIT);
	ompp_span_iterations_forget(members[1]);
	assert_int_equal(ompp_span_iterates(members[1]), 0);
	pass(NEXT, 0);
	assert_int_equal(gain_of(0, TOLD), 0);
	tell_both(NEXT, 4, 5 * UNIT, 5 * UNIT);
	tell_both(TOLD, 4, UNIT, 3 * UNIT);
	pass(TOLD, 0);
	for (uint32_t i = 0; i < 2; i++) { /* 12 units by one thread; handed out in turn: 8 */
		assert_int_equal(gain_of(i, TOLD), 4 * UNIT);
		assert_int_equal(gain_of(i, NEXT), 0);
	}
	assert_int_equal(sums().n - n_before, 8);
}

/* Where a thread comes to the barrier without having told its iterations, nothing is known of the loop. */
static void all_threads_have_to_tell(void **state)
{
	uint64_t n_before = sums().n, before;

	(void)state;
	fork_team(3);
	before = gain_of(0, TOLD);
	tell_both(TOLD, 4, UNIT, 9 * UNIT);
	pass(TOLD, 0);
	assert_int_equal(gain_of(0, TOLD), before);
	assert_int_equal(sums().n, n_before);
}

/* ---- schedules ---- */

/* A loop, and who executed which iterations when. */
static struct loop {
	uint32_t n, of[MOST], is_first[MOST]; /* the thread; the first one of its chunk */
	uint64_t ticks[MOST], at[MOST];
	uint64_t before[MOST_THREADS], done[MOST_THREADS]; /* when threads come to the loop, and leave it */
} loop;

static void loop_new(void)
{
	loop.n = 1 + below(MOST);
	for (uint32_t i = 0; i < loop.n; i++)
		loop.ticks[i] = UNIT + below(below(5) ? UNIT : 20 * UNIT);
	for (uint32_t i = 0; i < n_members; i++)
		loop.done[i] = loop.before[i] = below(2) * below(5 * UNIT);
}

static void give_chunk(uint32_t *i, uint32_t n, uint32_t thread)
{
	for (uint32_t k = 0; k < n && *i < loop.n; k++, ++*i) {
		loop.of[*i] = thread;
		loop.is_first[*i] = !k;
		loop.at[*i] = loop.done[thread];
		loop.done[thread] += loop.ticks[*i];
	}
}

static uint32_t first_free(const uint64_t *free)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < n_members; i++)
		first = free[i] < free[first] ? i : first;
	return first;
}

/* Deals out the iterations: shares, chunks in turn, or chunks of any size on demand. */
static void deal(enum ompp_iteration_order order, uint32_t chunk)
{
	for (uint32_t i = 0, k = 0; i < loop.n; k++) {
		if (order == OMPP_ORDER_RANKS)
			give_chunk(&i, loop.n / n_members + 1, k);
		else if (order == OMPP_ORDER_CHUNKS)
			give_chunk(&i, chunk, k % n_members);
		else
			give_chunk(&i, 1 + below(chunk), first_free(loop.done));
	}
}

/* Lets the threads, one after another, tell what they executed. */
static void execute(struct ompp_loop_order order)
{
	for (uint32_t t = 0; t < n_members; t++) {
		members[t]->last_ticks = now;
		ompp_span_stretch(members[t], PLACE << OMPP_PLACE_SHIFT, now + loop.before[t]);
		ompp_span_iterations_begin(members[t], TOLD, order);
		for (uint32_t i = 0, any = 0; i < loop.n; i++) {
			if (loop.of[i] != t)
				continue;
			if (loop.is_first[i] && any)
				ompp_span_iterations_chunk(members[t]);
			any = 1;
			ompp_span_iteration(members[t], PLACE << OMPP_PLACE_SHIFT, now + loop.at[i]);
		}
		ompp_span_stretch(members[t], PLACE << OMPP_PLACE_SHIFT, now + loop.done[t]);
		ompp_span_iterations_chunk(members[t]); /* there is none any more */
	}
	now += (uint64_t)1 << 40;
}

static uint64_t latest(const uint64_t *times)
{
	uint64_t last = 0;

	for (uint32_t i = 0; i < n_members; i++)
		last = times[i] > last ? times[i] : last;
	return last;
}

/* Returns when the loop is over, if its iterations are handed out one by one. */
static uint64_t one_by_one(void)
{
	uint64_t free[MOST_THREADS];

	memcpy(free, loop.before, sizeof(free));
	for (uint32_t i = 0; i < loop.n; i++)
		free[first_free(free)] += loop.ticks[i];
	return latest(free);
}

/* Returns how long the longest iteration is. */
static uint64_t longest(void)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < loop.n; i++)
		most = loop.ticks[i] > most ? loop.ticks[i] : most;
	return most;
}

/* Returns when the loop is over at the earliest. */
static uint64_t mean_end(void)
{
	uint64_t sum = 0, end = latest(loop.before), last;

	for (uint32_t i = 0; i < n_members; i++)
		sum += loop.done[i];
	last = loop.before[first_free(loop.before)] + longest();
	end = sum / n_members > end ? sum / n_members : end;
	return last > end ? last : end;
}

static void compare(enum ompp_iteration_order order, enum ompp_iteration_order known, uint32_t chunk)
{
	uint64_t before = gain_of(0, TOLD), spread = sums().spread_ticks, executed, end;

	loop_new();
	deal(order, chunk);
	execute((struct ompp_loop_order){ known, known == OMPP_ORDER_CHUNKS ? chunk : 0 });
	pass(TOLD, order == OMPP_ORDER_TIMES);
	executed = latest(loop.done);
	end = known == OMPP_ORDER_UNKNOWN ? mean_end() : one_by_one();
	for (uint32_t t = 0; t < n_members; t++)
		assert_int_equal(gain_of(t, TOLD) - before, end < executed ? executed - end : 0);
	assert_int_equal(sums().spread_ticks - spread,
	                 known == OMPP_ORDER_UNKNOWN ? longest() - longest() / n_members : 0);
}

/* Of each schedule whose order is known, the gain is that of the model, and of others it is an interval. */
static void schedules_are_compared(void **state)
{
	assert_true(ompp_openmp_is_gnu());
	(void)state;
	for (uint64_t turn = 0; turn < 400; turn++) {
		seed = turn;
		fork_team(2 + below(MOST_THREADS - 1));
		for (int i = 0; i < 4; i++) {
			compare(OMPP_ORDER_RANKS, OMPP_ORDER_RANKS, 0);
			compare(OMPP_ORDER_CHUNKS, OMPP_ORDER_CHUNKS, 1 + below(5));
			compare(OMPP_ORDER_TIMES, OMPP_ORDER_TIMES, 1 + below(9));
			compare(OMPP_ORDER_CHUNKS, OMPP_ORDER_UNKNOWN, 1 + below(5));
		}
	}
}

/* Where no call for a chunk was seen, the order of chunks is not known. */
static void chunks_have_to_be_seen(void **state)
{
	uint64_t spread = sums().spread_ticks;

	(void)state;
	fork_team(2);
	for (int i = 0; i < 2; i++) {
		ompp_span_iterations_begin(members[i], TOLD, (struct ompp_loop_order){ OMPP_ORDER_TIMES, 0 });
		members[i]->last_ticks = now;
		ompp_span_iteration(members[i], PLACE << OMPP_PLACE_SHIFT, now);
		ompp_span_iteration(members[i], PLACE << OMPP_PLACE_SHIFT, now + UNIT);
		ompp_span_stretch(members[i], PLACE << OMPP_PLACE_SHIFT, now + 2 * UNIT);
	}
	pass(TOLD, 1);
	assert_int_equal(sums().spread_ticks - spread, UNIT / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(loops_are_told_at_their_barrier, start),
		cmocka_unit_test_setup(all_threads_have_to_tell, start),
		cmocka_unit_test_setup(schedules_are_compared, start),
		cmocka_unit_test_setup(chunks_have_to_be_seen, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
