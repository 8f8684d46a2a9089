/*
 * Span, coarser: taskloops of random tasks, executed by their creator and by others, beside what larger tasks gain by
 * hand: making fewer of them, and sharing those that GCC's library leaves to one thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/program/openmp.h"
#include "runtime/span/schedule.h"
#include "runtime/span/span_coarser.h"

enum { PLACE = 10, LOOP = 60, LIMIT = 1 << 24 };

/* By functions with this begin the symbols of a program tell that GCC's library is in it. */
void gomp_is_here(void);
void gomp_is_here(void)
{
}

static struct ompp_span *self, *other;
static struct ompp_span_team team;
static uint64_t now, seed;

/* What the tasks of a loop were. */
static struct told {
	uint64_t n, ticks, most;
} told;

static uint32_t below(uint32_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(seed >> 33) % n;
}

static void spend(struct ompp_span *s, uint32_t flags, uint64_t ticks)
{
	now += ticks;
	ompp_span_stretch(s, PLACE << OMPP_PLACE_SHIFT | flags, now);
}

/* Forks a team of so many threads, of which two do something. */
static int start_team(uint32_t n)
{
	self = self ? self : ompp_span_new(LIMIT);
	other = other ? other : ompp_span_new(LIMIT);
	ompp_variants_kept = OMPP_VARIANTS_ALL;
	now += 1000;
	memset(&team, 0, sizeof(team));
	ompp_span_host(self, now);
	ompp_span_fork(self, &team, now);
	ompp_span_member(self, &team, 0, now);
	ompp_span_member(other, &team, 1, now);
	atomic_store(&team.n_members, n);
	return 0;
}

static struct ompp_span_task *loop_begin(uint32_t flags)
{
	struct ompp_span_task *loop;

	told = (struct told){ 0 };
	self->last_ticks = now;
	loop = ompp_span_create_loop(self, flags, 1, now);
	assert_non_null(loop);
	ompp_span_coarser_begin(self, LOOP, now);
	return loop;
}

/* Executes a task of some iterations. */
static void task(struct ompp_span *s, const struct ompp_span_task *loop, int n, uint64_t ticks)
{
	int64_t chunk = 0;

	for (int i = 0; i < n; i++) {
		spend(s, OMPP_PLACE_WAITS, 0);
		ompp_span_iterate(s, loop, &chunk, PLACE << OMPP_PLACE_SHIFT, now);
		spend(s, 0, ticks);
		ompp_span_end(s, NULL, now);
	}
	told.n++;
	told.ticks += (uint64_t)n * ticks;
	told.most = (uint64_t)n * ticks > told.most ? (uint64_t)n * ticks : told.most;
}

static struct ompp_coarser_gain loop_end(void)
{
	struct ompp_coarser_gain gain = ompp_span_coarser_end(self);

	ompp_span_loop_end(self, now);
	ompp_span_coarser_gain(self, gain);
	return gain;
}

static int variant(void)
{
	return ompp_variant_find(OMPP_VARIANT_SCHEDULED, LOOP);
}

static uint64_t gained(void)
{
	return self->clock ? self->clock->gain_ticks[variant()] : 0;
}

/* ---- making tasks ---- */

/* Making an eighth of the tasks takes an eighth of the time up to the creator's first own task; others may have begun
 * before.  What larger tasks may be late is said, by the team's size. */
static void fewer_tasks_are_made_sooner(void **state)
{
	(void)state;
	for (uint64_t turn = 0; turn < 300; turn++) {
		uint32_t n_threads = 1 + (uint32_t)turn % 9, n = 1 + (uint32_t)turn % 40;
		const struct ompp_span_task *loop;
		struct ompp_scheduled before;
		uint64_t making, had;

		seed = turn;
		start_team(n_threads);
		had = gained();
		before = ompp_scheduled_of(variant());
		loop = loop_begin(0);
		making = 8 * below(1000);
		other->last_ticks = now;
		task(other, loop, 1, 1);
		now += making - (making ? 1 : 0);
		for (uint32_t i = 0; i < n; i++)
			task(below(2) && i ? other : self, loop, 1 + (int)below(3), 1 + below(500));
		making = making ? making : 1;
		assert_int_equal(gained() - had,
		                 making - making / OMPP_COARSER); /* behind the loop others may be later */
		loop_end();
		assert_int_equal(ompp_scheduled_of(variant()).n - before.n, n + 1);
		assert_int_equal(ompp_scheduled_of(variant()).chunk, OMPP_COARSER);
		assert_int_equal(ompp_scheduled_of(variant()).spread_ticks - before.spread_ticks,
		                 OMPP_COARSER * told.most - OMPP_COARSER * told.most / n_threads);
	}
}

/* Undeferred and final tasks are executed where they are made: nothing is told of them. */
static void undeferred_tasks_gain_nothing(void **state)
{
	static const uint32_t flags[] = { OMPP_SPAN_UNDEFERRED, OMPP_SPAN_FINAL };

	(void)state;
	for (int i = 0; i < 2; i++) {
		const struct ompp_span_task *loop;
		uint64_t before, n_before;

		start_team(4);
		before = gained();
		n_before = ompp_scheduled_of(variant()).n;
		loop = loop_begin(flags[i]);
		now += 8000;
		for (int k = 0; k < 500; k++)
			task(self, loop, 1, 100);
		assert_int_equal(loop_end().variant, OMPP_NO_VARIANT);
		assert_int_equal(gained(), before);
		assert_int_equal(ompp_scheduled_of(variant()).n, n_before);
	}
}

/* ---- sharing tasks ---- */

/* Returns what a taskloop gains that has so many tasks of 100 ticks, which the creator executes, or but for one. */
static uint64_t share(uint32_t n_threads, uint32_t n, int is_other_in)
{
	const struct ompp_span_task *loop;

	start_team(n_threads);
	loop = loop_begin(0);
	for (uint32_t i = 0; i < n; i++)
		task(is_other_in && i == n / 2 ? other : self, loop, 1, 100);
	return loop_end().ticks;
}

/* GCC's library makes no tasks beyond 64 a thread: below it, and where an eighth is still beyond it, nothing changes.
 */
static void tasks_of_one_thread_are_shared(void **state)
{
	(void)state;
	assert_true(ompp_openmp_is_gnu());
	for (uint32_t n_threads = 1; n_threads < 6; n_threads++) {
		uint32_t most = OMPP_MOST_TASKS * n_threads;

		assert_int_equal(share(n_threads, most, 0), 0);
		for (uint32_t n = most + 1; n < OMPP_COARSER * (most + 1) && n_threads > 1; n += most + most / 3)
			assert_int_equal(share(n_threads, n, 0), 100 * n - 100 * n / n_threads);
		assert_int_equal(share(n_threads, OMPP_COARSER * (most + 1), 0), 0);
		assert_int_equal(share(n_threads, most + 1, 1), 0);
		assert_int_equal(share(1, OMPP_MOST_TASKS * 3, 0), 0);
	}
}

/* The gain is that of who goes on behind the loop: those that its tasks woke have the clock as it was. */
static void gains_come_behind_the_loop(void **state)
{
	const struct ompp_span_task *loop;
	struct ompp_coarser_gain gain;
	uint64_t before;

	(void)state;
	start_team(2);
	before = gained();
	loop = loop_begin(0);
	for (uint32_t i = 0; i < 200; i++)
		task(self, loop, 1, 100);
	gain = ompp_span_coarser_end(self);
	assert_int_equal(gain.ticks, 10000);
	assert_int_equal(gained(), before);
	assert_int_equal(ompp_span_coarser_end(self).variant, OMPP_NO_VARIANT); /* it is over */
	ompp_span_loop_end(self, now);
	ompp_span_coarser_gain(self, gain);
	assert_int_equal(gained(), before + 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fewer_tasks_are_made_sooner),
		cmocka_unit_test(undeferred_tasks_gain_nothing),
		cmocka_unit_test(tasks_of_one_thread_are_shared),
		cmocka_unit_test(gains_come_behind_the_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
