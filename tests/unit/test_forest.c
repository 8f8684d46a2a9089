/*
 * Forest: recursions of which it is known by hand who waits for whom, and random ones beside a plain model that looks
 * at all threads and all tasks at each moment.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/span/forest.h"

enum { LONG = 1 << OMPP_STRAND_SHORT_BITS, MEMBERS = 3, MOST_TASKS = 200, MOST_STEPS = 12, MOST_THREADS = 16 };
enum { SINGLE = OMPP_STRAND_MEMBER | 7 };

static struct ompp_strands members[MEMBERS];
static struct ompp_forest *forest;
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
		ompp_strands_reset(&members[i], i, 0);
		members[i].next = i + 1 < MEMBERS ? &members[i + 1] : NULL;
	}
	return 0;
}

/* ---- programs ---- */

/* What a task does: works so many ticks, which may be too few to be known; creates a task, or calls one, and goes on
 * behind its end (undeferred); or waits for its children. */
enum kind { WORKS, CREATES, CALLS, WAITS };
static struct program {
	uint32_t number, n, creator, is_called;
	struct {
		enum kind kind;
		uint32_t child;
		uint64_t ticks;
	} steps[MOST_STEPS];
	/* while the model executes it */
	uint32_t at, n_open, is_begun, below;
} programs[MOST_TASKS];
static uint32_t n_programs;

static uint32_t program_new(uint32_t number, uint32_t creator)
{
	programs[n_programs] = (struct program){ .number = number, .creator = creator };
	return n_programs++;
}

static void does(uint32_t p, enum kind kind, uint32_t child, uint64_t ticks)
{
	programs[child].is_called |= kind == CALLS;
	programs[p].steps[programs[p].n].kind = kind;
	programs[p].steps[programs[p].n].child = child;
	programs[p].steps[programs[p].n++].ticks = ticks;
}

/* Fills a task that comes from a path, and the strands of some thread with it.  Returns the path to its end. */
static uint64_t record(uint32_t p, uint64_t path)
{
	struct ompp_strand_of of = { programs[p].number, p ? programs[programs[p].creator].number : 0, p ? path : 0,
		                     programs[p].is_called };
	uint64_t longest = 0;

	for (uint32_t i = 0; i < programs[p].n; i++) {
		uint64_t ticks = programs[p].steps[i].ticks, end;
		struct ompp_strands *to = &members[below(MEMBERS)];

		switch (programs[p].steps[i].kind) {
		case WORKS:
			if (ticks >= LONG)
				ompp_strands_add_long(to, of, path, ticks, 0);
			path += ticks;
			break;
		case CREATES:
			end = record(programs[p].steps[i].child, path);
			longest = end > longest ? end : longest;
			break;
		case CALLS:
			path = record(programs[p].steps[i].child, path);
			break;
		default:
			if (longest)
				ompp_strands_add_wait(to, of, path = longest > path ? longest : path);
			longest = 0;
			break;
		}
	}
	return path;
}

/* ---- the model ---- */

static uint32_t queue[MOST_TASKS], n_queue; /* in the order of creation */
static uint32_t top[MOST_THREADS];
static uint64_t busy_until[MOST_THREADS]; /* 0: nothing is under way */
static uint64_t last_end;                 /* of a task */
static uint32_t asleep_since[MOST_THREADS],
	n_asleep; /* the threads that have no task, by when they came; 0 for others */
enum { NONE = 999999 };

static void begin(uint32_t thread, uint32_t p)
{
	programs[p].is_begun = 1;
	programs[p].below = top[thread];
	top[thread] = p;
}

static uint32_t oldest(void)
{
	for (uint32_t i = 0; i < n_queue; i++)
		if (!programs[queue[i]].is_begun)
			return queue[i];
	return NONE;
}

static uint32_t youngest_of(uint32_t creator)
{
	for (uint32_t i = n_queue; i-- > 0;)
		if (!programs[queue[i]].is_begun && queue[i] && programs[queue[i]].creator == creator)
			return queue[i];
	return NONE;
}

/* Returns the thread without a task that came last; NONE for none. */
static uint32_t last_asleep(uint32_t n)
{
	uint32_t last = 0;

	for (uint32_t k = 1; k < n; k++)
		last = asleep_since[k] > asleep_since[last] ? k : last;
	return asleep_since[last] ? last : NONE;
}

/* Threads without a task take what is there.  Each of them begins when it is its turn. */
static void wake(uint32_t n)
{
	for (uint32_t last = last_asleep(n); last != NONE && oldest() != NONE; last = last_asleep(n)) {
		begin(last, oldest());
		asleep_since[last] = 0;
	}
}

/* One thread without a task will look what is there when it has woken up. */
static void wake_later(uint32_t n, uint64_t now)
{
	uint32_t last = last_asleep(n);

	if (last == NONE)
		return;
	asleep_since[last] = 0;
	busy_until[last] = now + OMPP_FOREST_WAKE_TICKS;
}

/* Lets a thread go on up to its next work, at a time. */
static void go_on(uint32_t thread, uint32_t n, uint64_t now, enum ompp_forest_race race)
{
	for (;;) {
		uint32_t t = top[thread];
		struct program *p = t == NONE ? NULL : &programs[t];

		if (t == NONE) {
			if (oldest() == NONE) {
				asleep_since[thread] = ++n_asleep;
				return;
			}
			begin(thread, oldest());
		} else if (p->at == p->n) {
			top[thread] = p->below;
			last_end = now;
			if (t && !p->is_called)
				programs[p->creator].n_open--;
		} else if (p->steps[p->at].kind == WORKS && p->steps[p->at].ticks < LONG) {
			p->at++;
		} else if (p->steps[p->at].kind == CALLS) {
			begin(thread, p->steps[p->at++].child);
		} else if (p->steps[p->at].kind == WORKS) {
			busy_until[thread] = now + p->steps[p->at++].ticks;
			return;
		} else if (p->steps[p->at].kind == CREATES) {
			p->n_open++;
			queue[n_queue++] = p->steps[p->at++].child;
			if (race == OMPP_RACE_IDLE || (race == OMPP_RACE_EVEN && p->n_open > 1))
				wake(n);
			else
				wake_later(n, now);
		} else if (!p->n_open) {
			p->at++;
		} else if (youngest_of(t) != NONE) {
			begin(thread, youngest_of(t));
		} else {
			return; /* each time that something has happened it is asked again */
		}
	}
}

/* Returns whether a thread has something to do at once. */
static int can_go_on(uint32_t thread)
{
	const struct program *p = top[thread] == NONE ? NULL : &programs[top[thread]];

	if (busy_until[thread] || asleep_since[thread] || !p)
		return 0;
	return p->at == p->n || p->steps[p->at].kind != WAITS || !p->n_open;
}

static uint64_t model(uint32_t n, enum ompp_forest_race race)
{
	uint64_t now = 0;

	for (uint32_t i = 0; i < n_programs; i++)
		programs[i].at = programs[i].n_open = programs[i].is_begun = 0;
	for (n_asleep = 0; n_asleep < n;) {
		top[n_asleep] = NONE;
		busy_until[n_asleep] = 0;
		asleep_since[n_asleep] = n_asleep + 1;
		n_asleep++;
	}
	queue[0] = 0;
	n_queue = 1;
	wake(n);
	for (;;) {
		uint32_t next = NONE, first = NONE;

		for (uint32_t k = 0; k < n && next == NONE; k++)
			next = can_go_on(k) || (busy_until[k] && busy_until[k] == now) ? k : next;
		for (uint32_t k = 0; k < n && next == NONE; k++)
			if (busy_until[k] && (first == NONE || busy_until[k] < busy_until[first]))
				first = k;
		if (next == NONE && first == NONE)
			return last_end;
		now = next == NONE ? busy_until[first] : now;
		next = next == NONE ? first : next;
		busy_until[next] = 0;
		go_on(next, n, now, race);
	}
}

/* ---- by hand ---- */

enum { UNIT = 2 * OMPP_FOREST_WAKE_TICKS }; /* so what an idle thread takes to wake up decides nothing else */

static void gather(void)
{
	uint64_t work = 0;

	record(0, 0);
	for (uint32_t i = 0; i < n_programs; i++)
		for (uint32_t k = 0; k < programs[i].n; k++)
			work += programs[i].steps[k].ticks;
	assert_int_equal(ompp_forest_gather(&forest, members), 1);
	assert_int_equal(ompp_forest_work(forest), work);
	assert_int_equal(ompp_forest_schedule(forest, 1, OMPP_RACE_EVEN), work);
}

/* One thread of the team creates a task, which creates two that work, or one, and waits for them. */
static void pair(uint32_t n_children)
{
	uint32_t root, task;

	n_programs = 0;
	root = program_new(SINGLE, 0);
	task = program_new(1, root);
	does(root, CREATES, task, 0);
	does(task, WORKS, 0, 2 * UNIT);
	for (uint32_t i = 0; i < n_children; i++) {
		uint32_t child = program_new(2 + i, task);

		does(task, CREATES, child, 0);
		does(child, WORKS, 0, (3 + i) * UNIT);
	}
	does(task, WAITS, 0, 0);
	does(task, WORKS, 0, UNIT);
	gather();
}

static void children_are_executed_at_once(void **state)
{
	(void)state;
	pair(2);
	for (int race = 0; race < OMPP_RACES; race++)
		for (uint32_t n = 2; n < 5; n++)
			assert_int_equal(ompp_forest_schedule(forest, n, (enum ompp_forest_race)race),
			                 (2 + 4 + 1) * UNIT);
}

/* Two tasks, of which one creates its children late: then two other threads are idle, and may take them before their
 * creator does, which then waits for all three. */
static void who_waits_idles(void **state)
{
	uint32_t root;

	(void)state;
	n_programs = 0;
	root = program_new(SINGLE, 0);
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t task = program_new(10 + i, root);

		does(root, CREATES, task, 0);
		does(task, WORKS, 0, (i ? 9 : 1) * UNIT);
		for (uint32_t k = 0; k < 3; k++) {
			uint32_t child = program_new(20 + 3 * i + k, task);

			does(task, CREATES, child, 0);
			does(child, WORKS, 0, 4 * UNIT);
		}
		does(task, WAITS, 0, 0);
	}
	gather();
	for (int race = 0; race < OMPP_RACES; race++) {
		uint64_t ticks = ompp_forest_schedule(forest, 3, (enum ompp_forest_race)race);

		assert_int_equal(ticks, model(3, (enum ompp_forest_race)race));
		assert_true(ticks >= 13 * UNIT);
	}
	assert_int_equal(ompp_forest_schedule(forest, 3, OMPP_RACE_IDLE), 13 * UNIT);
	assert_int_equal(ompp_forest_schedule(forest, 3, OMPP_RACE_CREATOR), 13 * UNIT + 2 * OMPP_FOREST_WAKE_TICKS);
}

/* An only child that an idle thread takes leaves its creator without work, while another one creates more. */
static void only_children_tell_races_apart(void **state)
{
	uint32_t root, chain, wide, only;

	(void)state;
	n_programs = 0;
	root = program_new(SINGLE, 0);
	chain = program_new(1, root);
	wide = program_new(2, root);
	only = program_new(3, chain);
	does(root, CREATES, chain, 0);
	does(root, CREATES, wide, 0);
	does(chain, WORKS, 0, UNIT);
	does(chain, CREATES, only, 0);
	does(chain, WAITS, 0, 0);
	does(only, WORKS, 0, 10 * UNIT);
	does(wide, WORKS, 0, 2 * UNIT);
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t child = program_new(4 + i, wide);

		does(wide, CREATES, child, 0);
		does(child, WORKS, 0, 5 * UNIT);
	}
	does(wide, WAITS, 0, 0);
	gather();
	assert_int_equal(ompp_forest_schedule(forest, 3, OMPP_RACE_CREATOR), 11 * UNIT);
	assert_int_equal(ompp_forest_schedule(forest, 3, OMPP_RACE_EVEN), 11 * UNIT);
	assert_int_equal(ompp_forest_schedule(forest, 3, OMPP_RACE_IDLE), 12 * UNIT);
}

/* What a creator does before its taskwait, which is no more than page faults, does not let idle threads come first. */
static void little_work_before_a_wait_is_no_race(void **state)
{
	uint32_t root;

	(void)state;
	n_programs = 0;
	root = program_new(SINGLE, 0);
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t task = program_new(10 + i, root);

		does(root, CREATES, task, 0);
		for (uint32_t k = 0; k < 4; k++) {
			uint32_t child = program_new(20 + 4 * i + k, task);

			does(task, CREATES, child, 0);
			does(child, WORKS, 0, 10 * UNIT);
		}
		does(task, WAITS, 0, 0);
	}
	does(root, WORKS, 0, LONG);
	does(root, WAITS, 0, 0);
	does(root, WORKS, 0, UNIT);
	gather();
	assert_in_range(ompp_forest_schedule(forest, 3, OMPP_RACE_CREATOR), 31 * UNIT, 32 * UNIT);
	assert_int_equal(ompp_forest_schedule(forest, 3, OMPP_RACE_IDLE), 41 * UNIT);
}

/* A task that begins with no work of its own is created all the same before what its creator does beside it. */
static void tasks_begin_where_they_are_created(void **state)
{
	uint32_t root, outer, inner, child;

	(void)state;
	n_programs = 0;
	root = program_new(SINGLE, 0);
	outer = program_new(1, root);
	inner = program_new(2, outer);
	child = program_new(3, inner);
	does(root, CREATES, outer, 0);
	does(outer, CREATES, inner, 0);
	does(outer, WORKS, 0, 300 * UNIT);
	does(outer, WAITS, 0, 0);
	does(outer, WORKS, 0, 6 * UNIT);
	does(inner, CREATES, child, 0);
	does(inner, WAITS, 0, 0);
	does(inner, WORKS, 0, 30 * UNIT);
	does(child, WORKS, 0, 300 * UNIT);
	gather();
	assert_int_equal(ompp_forest_schedule(forest, 4, OMPP_RACE_IDLE), 336 * UNIT);
}

/* With fewer threads than in the run that is known a task may have to wait for a child that is shorter than what it
 * does itself, and was over there. */
static void waits_that_took_no_time_are_waits(void **state)
{
	uint32_t root;

	(void)state;
	n_programs = 0;
	root = program_new(SINGLE, 0);
	for (uint32_t i = 0; i < 9; i++) {
		uint32_t task = program_new(10 + i, root), child = program_new(20 + i, task);

		does(root, CREATES, task, 0);
		does(task, CREATES, child, 0);
		does(task, WORKS, 0, 103 * UNIT);
		does(task, WAITS, 0, 0);
		does(task, WORKS, 0, 100 * UNIT);
		does(child, WORKS, 0, 100 * UNIT);
	}
	gather();
	assert_int_equal(ompp_forest_schedule(forest, 8, OMPP_RACE_EVEN), model(8, OMPP_RACE_EVEN));
	assert_int_equal(ompp_forest_schedule(forest, 8, OMPP_RACE_EVEN), 506 * UNIT);
}

/* A task whose tasks are called, as all are in a final one, is done by one thread. */
static void who_calls_a_task_goes_on_behind_it(void **state)
{
	uint32_t root, number = 20;

	(void)state;
	n_programs = 0;
	root = program_new(SINGLE, 0);
	for (uint32_t i = 0; i < 9; i++) {
		uint32_t task = program_new(10 + i, root);

		does(root, CREATES, task, 0);
		for (uint32_t k = 0; k < 10; k++) {
			uint32_t child = program_new(number++, task);

			does(task, CALLS, child, 0);
			does(child, WORKS, 0, 10 * UNIT);
		}
		does(task, WORKS, 0, UNIT);
	}
	gather();
	for (int race = 0; race < OMPP_RACES; race++)
		assert_int_equal(ompp_forest_schedule(forest, 8, (enum ompp_forest_race)race), 2 * 101 * UNIT);
}

/* ---- random recursions ---- */

/* Begins with long work, short work or none, and ends with long work. */
static uint32_t grow(uint32_t creator, int depth)
{
	uint32_t p = program_new(n_programs ? n_programs : SINGLE, creator), n_rounds = 1 + below(2);

	if (!depth || below(2))
		does(p, WORKS, 0, LONG + below(20 * LONG));
	else if (below(2))
		does(p, WORKS, 0, 1 + below(LONG / 8));
	for (uint32_t k = 0; depth && k < n_rounds; k++) {
		uint32_t n = below(4);

		for (uint32_t i = 0; i < n && n_programs < MOST_TASKS; i++) {
			uint32_t child = grow(p, depth - 1);

			does(p, below(6) ? CREATES : CALLS, child, 0);
		}
		if (below(4) && n)
			does(p, WAITS, 0, 0);
		does(p, WORKS, 0, LONG + below(20 * LONG));
	}
	return p;
}

/* Returns whether a task, and not only a thread of the team, creates one, or something goes on behind its end. */
static int is_recursion(void)
{
	for (uint32_t i = 1; i < n_programs; i++)
		if (programs[i].creator || programs[i].is_called)
			return 1;
	return 0;
}

static uint64_t short_ticks(void)
{
	uint64_t ticks = 0;

	for (uint32_t i = 0; i < n_programs; i++)
		for (uint32_t k = 0; k < programs[i].n; k++)
			ticks += programs[i].steps[k].ticks < LONG ? programs[i].steps[k].ticks : 0;
	return ticks;
}

static void recursions_are_as_the_model_says(void **state)
{
	for (uint64_t turn = 0; turn < 600; turn++) {
		uint64_t span;

		start(state);
		seed = turn;
		n_programs = 0;
		grow(0, 1 + (int)(turn % 5));
		span = record(0, 0);
		assert_int_equal(ompp_forest_gather(&forest, members), is_recursion());
		for (uint32_t n = is_recursion() ? 1 : MOST_THREADS + 1; n <= MOST_THREADS; n += 1 + n / 3)
			for (int race = 0; race < OMPP_RACES; race++) {
				uint64_t ticks = ompp_forest_schedule(forest, n, (enum ompp_forest_race)race);

				assert_int_equal(ticks, model(n, (enum ompp_forest_race)race));
				assert_in_range(ticks + short_ticks(), span, ompp_forest_work(forest) + short_ticks());
			}
	}
}

/* ---- what is no forest ---- */

static void others_are_left_to_others(void **state)
{
	struct ompp_strand_of of = { 1, SINGLE, 0, 0 }, child = { 2, 1, LONG, 0 }, lost = { 3, 77, LONG, 0 };

	ompp_strands_add_long(&members[0], of, 0, LONG, 0);
	assert_int_equal(ompp_forest_gather(&forest, members), 0); /* no task creates another one */
	ompp_strands_add_long(&members[0], child, LONG, LONG, 0);
	assert_int_equal(ompp_forest_gather(&forest, members), 1);
	members[2].has_other_edges = 1;
	ompp_strands_add_long(&members[2], child, 2 * LONG, LONG, 0);
	assert_int_equal(ompp_forest_gather(&forest, members), 0);
	start(state);
	ompp_strands_add_long(&members[0], of, 0, LONG, 0);
	ompp_strands_add_long(&members[1], lost, LONG, LONG, 0);
	assert_int_equal(ompp_forest_gather(&forest, members), 0); /* a task that nobody is known to have created */
	start(state);
	ompp_strands_add_long(&members[0], of, 0, LONG, 0);
	ompp_strands_add_long(&members[0], child, LONG, LONG, 0);
	ompp_strands_add_other(&members[1], OMPP_STRAND_OWN, 0, LONG, 0);
	assert_int_equal(ompp_forest_gather(&forest, members), 0);
	ompp_strands_add_long(&members[0], child, 2 * LONG, 8 * LONG, 0);
	assert_int_equal(ompp_forest_gather(&forest, members), 1); /* a tenth is left out */
	assert_int_equal(ompp_forest_work(forest), 10 * LONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(children_are_executed_at_once, start),
		cmocka_unit_test_setup(who_waits_idles, start),
		cmocka_unit_test_setup(only_children_tell_races_apart, start),
		cmocka_unit_test_setup(little_work_before_a_wait_is_no_race, start),
		cmocka_unit_test_setup(tasks_begin_where_they_are_created, start),
		cmocka_unit_test_setup(waits_that_took_no_time_are_waits, start),
		cmocka_unit_test_setup(who_calls_a_task_goes_on_behind_it, start),
		cmocka_unit_test_setup(recursions_are_as_the_model_says, start),
		cmocka_unit_test_setup(others_are_left_to_others, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
