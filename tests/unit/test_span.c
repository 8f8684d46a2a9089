/*
 * Span: the longest paths of small graphs of tasks, whose lengths are known by hand; the places of a path, and what is
 * lost when it has too many; and random graphs of which a plain recursion knows work, span and the lengths of its
 * kinds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/span/span_depend.h"
#include "runtime/span/span_record.h"

enum { PLACE = 10, OTHER, LOOP, LIMIT = 1 << 24 };

static uint64_t now;
static struct ompp_span *self;

/* Lets the running task work at a place. */
static void work_at(uint32_t place, uint32_t flags, uint64_t ticks)
{
	now += ticks;
	ompp_span_stretch(self, place << OMPP_PLACE_SHIFT | flags, now);
}

static void work(uint64_t ticks)
{
	work_at(PLACE, 0, ticks);
}

static void idle(uint64_t ticks)
{
	work_at(PLACE, OMPP_PLACE_WAITS, ticks);
}

static struct ompp_span_task *create(uint32_t flags)
{
	struct ompp_span_task *task = ompp_span_create(self, flags, now);

	assert_non_null(task);
	return task;
}

static void begin(struct ompp_span_task *task)
{
	idle(0);
	ompp_span_begin(self, task, now);
}

static void end(void)
{
	ompp_span_end(self, NULL, now);
}

/* Runs a task that works and does nothing else. */
static void run(struct ompp_span_task *task, uint64_t ticks)
{
	begin(task);
	work(ticks);
	end();
}

static uint64_t length(void)
{
	return (*self->at)->path.ticks;
}

static int start(void **state)
{
	(void)state;
	now = 1000;
	self = ompp_span_new(LIMIT);
	assert_non_null(self);
	ompp_span_host(self, now);
	return 0;
}

/* Returns the time at a place of a path. */
static uint64_t part_of(const struct ompp_longest *path, uint32_t place)
{
	for (uint32_t i = 0; i < OMPP_LONGEST_PLACES; i++)
		if (path->place[i] == place)
			return path->part[i];
	return 0;
}

/* ---- paths ---- */

/* The path keeps the longest places; what has to go is in the rest, and all adds up. */
static void places_add_up(void **state)
{
	struct ompp_longest path = { 0 };
	uint64_t sum, of[40] = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 2000; i++) {
		uint32_t place = 1 + i * i % 37 % (1 + i % 11);

		of[place] += i;
		ompp_longest_add(&path, place, i);
	}
	sum = path.rest_ticks;
	for (uint32_t i = 0; i < OMPP_LONGEST_PLACES; i++) {
		assert_in_range(path.part[i], 1, of[path.place[i]]);
		sum += path.part[i];
	}
	assert_int_equal(sum, path.ticks);
}

static void few_places_are_exact(void **state)
{
	struct ompp_longest path = { 0 }, copy;
	uint64_t of[OMPP_LONGEST_PLACES + 1] = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 500; i++) {
		of[1 + i * 7 % OMPP_LONGEST_PLACES] += i;
		ompp_longest_add(&path, 1 + i * 7 % OMPP_LONGEST_PLACES, i);
	}
	ompp_longest_copy(&copy, &path);
	assert_int_equal(copy.rest_ticks, 0);
	for (uint32_t i = 1; i <= OMPP_LONGEST_PLACES; i++)
		assert_int_equal(part_of(&copy, i), of[i]);
}

/* ---- graphs by hand ---- */

static void taskwait_takes_the_longest_child(void **state)
{
	struct ompp_span_task *a, *b;

	(void)state;
	work(5);
	a = create(0);
	work(2);
	b = create(0);
	run(a, 30);
	run(b, 29);
	work(1);
	assert_int_equal(length(), 8);
	ompp_span_wait(self, now);
	assert_int_equal(length(), 36); /* 5 + 2 + 29 */
	assert_int_equal(self->work_ticks, 67);
	work(4);
	ompp_span_wait(self, now); /* nothing is left to wait for */
	assert_int_equal(length(), 40);
}

/* The path that wins brings its places along. */
static void the_longest_brings_its_places(void **state)
{
	const struct ompp_longest *path = &(*self->at)->path;
	struct ompp_span_task *a;

	(void)state;
	work(5);
	a = create(0);
	begin(a);
	work_at(OTHER, 0, 30);
	end();
	work(12);
	ompp_span_wait(self, now);
	assert_int_equal(path->ticks, 35);
	assert_int_equal(part_of(path, PLACE), 5);
	assert_int_equal(part_of(path, OTHER), 30);
}

/* A taskgroup waits for grandchildren, and not for what was created before it; a taskwait the other way round. */
static void taskgroups_wait_for_descendants(void **state)
{
	struct ompp_span_task *before, *child, *grandchild;

	(void)state;
	before = create(0);
	ompp_span_group(self);
	child = create(0);
	run(before, 100);
	begin(child);
	work(3);
	grandchild = create(0);
	end();
	run(grandchild, 40);
	ompp_span_group_end(self, now);
	assert_int_equal(length(), 43);
	ompp_span_wait(self, now);
	assert_int_equal(length(), 100);
}

static void undeferred_tasks_are_a_chain(void **state)
{
	struct ompp_span_task *final, *inner;

	(void)state;
	work(1);
	run(create(OMPP_SPAN_UNDEFERRED), 10);
	assert_int_equal(length(), 11);
	final = create(OMPP_SPAN_FINAL);
	begin(final);
	inner = create(0);
	run(inner, 5);
	run(create(0), 6);
	assert_int_equal(length(), 22);
	end();
	assert_int_equal(length(), 11);
	ompp_span_wait(self, now);
	assert_int_equal(length(), 22);
}

static void dependences_are_edges(void **state)
{
	struct ompp_span_task *writer, *readers[3], *last, *apart;
	int x, y;

	(void)state;
	writer = create(0);
	ompp_span_depend(self, writer, OMPP_SPAN_OUT, &x);
	for (int i = 0; i < 3; i++) {
		readers[i] = create(0);
		ompp_span_depend(self, readers[i], OMPP_SPAN_IN, &x);
	}
	last = create(0);
	ompp_span_depend(self, last, OMPP_SPAN_OUT, &x);
	apart = create(0);
	ompp_span_depend(self, apart, OMPP_SPAN_OUT, &y);
	run(apart, 45);
	run(writer, 10);
	for (int i = 0; i < 3; i++)
		run(readers[2 - i], 20 + (uint64_t)i);
	run(last, 7);
	ompp_span_wait(self, now);
	assert_int_equal(length(), 45);
	assert_int_equal(self->n_unseen, 0);
	run(create(0), 0);
	ompp_span_depend(self, create(0), OMPP_SPAN_UNSEEN, NULL);
	assert_int_equal(self->n_unseen, 1);
}

/* Iterations of one task are a chain, those of several are none; nothing else knows where one task ends. */
static void taskloops_have_chains(void **state)
{
	struct ompp_span_task *loop;
	int64_t chunk;

	(void)state;
	work(1);
	loop = ompp_span_create_loop(self, 0, 1, now);
	for (int i = 0; i < 6; i++) {
		chunk = i % 3 ? chunk : 0;
		idle(1);
		ompp_span_iterate(self, loop, &chunk, PLACE << OMPP_PLACE_SHIFT, now);
		work(10 + (uint64_t)i);
		end();
	}
	ompp_span_loop_end(self, now);
	assert_int_equal(length(), 1 + 13 + 14 + 15);
}

/* ---- teams ---- */

/* Runs the other member's part of a team of two, as far as the barrier or from it. */
static void members_meet_at_barriers(void **state)
{
	struct ompp_span *forker = self, *other = ompp_span_new(LIMIT);
	struct ompp_span_sum sum = { 0 };
	static struct ompp_span_team team;

	(void)state;
	memset(&team, 0, sizeof(team));
	work(7);
	ompp_span_fork(forker, &team, now);
	ompp_span_member(forker, &team, 0, now);
	now += 3;
	ompp_span_member(other, &team, 1, now);
	self = other;
	work(20);
	ompp_span_arrive(other, &team, now);
	self = forker;
	forker->last_ticks = now;
	work(5);
	ompp_span_arrive(forker, &team, now);
	idle(2);
	ompp_span_leave(forker, &team, 0, now);
	assert_int_equal(length(), 27);
	work_at(LOOP, OMPP_PLACE_LOOP, 50);
	ompp_span_arrive(forker, &team, now);
	self = other;
	idle(0);
	ompp_span_leave(other, &team, 0, now);
	assert_int_equal(length(), 27); /* and not the forker's path to the barrier behind */
	work(9);
	ompp_span_arrive(other, &team, now);
	idle(0);
	ompp_span_leave(other, &team, 0, now);
	ompp_span_member_end(other, &team, 0, now);
	self = forker;
	idle(0);
	ompp_span_leave(forker, &team, 0, now);
	ompp_span_member_end(forker, &team, 1, now);
	ompp_span_join_team(forker, &team, &sum, 0);
	assert_int_equal(length(), 7 + 20 + 50);
	assert_int_equal(ompp_span_fixed(*forker->at), 7 + 20 + 9);
	assert_true(ompp_span_burdened(*forker->at) >= length() + 3);
	assert_int_equal(sum.work_ticks, 20 + 5 + 50 + 9);
	assert_int_equal(sum.span_ticks, 70);
	assert_int_equal(forker->work_ticks, 7 + sum.work_ticks);
}

/* The memory of a thread is for some 40,000 records, so none may get lost in each of these tasks: of a child that is
 * longer than the one before or shorter, for which it waits or which is handed on to the barrier. */
static void records_come_back(void **state)
{
	struct ompp_span_team team = { .is_outermost = 1 };

	(void)state;
	ompp_span_fork(self, &team, now);
	ompp_span_member(self, &team, 0, now);
	for (uint64_t i = 0; i < 90000; i++) {
		struct ompp_span_task *task = create(0), *children[2];

		begin(task);
		children[0] = create(0);
		children[1] = create(0);
		run(children[0], 1 + i % 5);
		run(children[1], 3);
		if (!(i % 3))
			ompp_span_wait(self, now);
		end();
	}
	ompp_span_member_end(self, &team, 1, now);
	ompp_span_join_team(self, &team, NULL, PLACE);
	assert_int_equal(self->n_lost, 0);
	assert_int_equal(self->n_created, 270000);
}

/* ---- random graphs ---- */

struct lengths {
	uint64_t span, fixed;
};

static uint64_t seed, all_work;

static uint32_t below(uint32_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(seed >> 33) % n;
}

static uint64_t more(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static struct lengths longer(struct lengths a, struct lengths b)
{
	return (struct lengths){ more(a.span, b.span), more(a.fixed, b.fixed) };
}

/* Works in the running task, which comes from a path, and creates children.  Returns the path to its end, and in *loose
 * the longest of all that nobody has waited for yet. */
static struct lengths grow(struct lengths at, int depth, struct lengths *loose)
{
	struct lengths children = { 0, 0 };
	uint32_t n = depth ? below(6) : 1;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t ticks = 1 + below(100);
		struct lengths below_child = { 0, 0 };
		int is_undeferred = !below(5);

		all_work += ticks;
		at.span += ticks;
		if (below(3)) {
			work_at(PLACE + below(4), 0, ticks);
			at.fixed += ticks;
		} else {
			work_at(LOOP, OMPP_PLACE_LOOP, ticks);
		}
		if (depth) {
			struct lengths child;

			begin(create(is_undeferred ? OMPP_SPAN_UNDEFERRED : 0));
			child = grow(at, depth - 1, &below_child);
			end();
			*loose = longer(*loose, below_child);
			if (is_undeferred)
				at = longer(at, child);
			else
				children = longer(children, child);
		}
		if (!below(3)) {
			ompp_span_wait(self, now);
			at = longer(at, children);
		}
	}
	*loose = longer(*loose, children);
	return at;
}

static void random_graphs(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 2000; i++) {
		struct lengths loose = { 0, 0 }, at = { length(), ompp_span_fixed(*self->at) };
		uint64_t before = self->work_ticks;

		seed = i;
		all_work = 0;
		ompp_span_group(self);
		at = grow(at, (int)below(5), &loose);
		ompp_span_group_end(self, now);
		at = longer(at, loose);
		assert_int_equal(length(), at.span);
		assert_int_equal(ompp_span_fixed(*self->at), at.fixed);
		assert_int_equal(self->work_ticks - before, all_work);
	}
	assert_int_equal(self->n_lost, 0); /* the records of ended tasks are used again */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(places_add_up, start),
		cmocka_unit_test_setup(few_places_are_exact, start),
		cmocka_unit_test_setup(taskwait_takes_the_longest_child, start),
		cmocka_unit_test_setup(the_longest_brings_its_places, start),
		cmocka_unit_test_setup(taskgroups_wait_for_descendants, start),
		cmocka_unit_test_setup(undeferred_tasks_are_a_chain, start),
		cmocka_unit_test_setup(dependences_are_edges, start),
		cmocka_unit_test_setup(taskloops_have_chains, start),
		cmocka_unit_test_setup(members_meet_at_barriers, start),
		cmocka_unit_test_setup(records_come_back, start),
		cmocka_unit_test_setup(random_graphs, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
