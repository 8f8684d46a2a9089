/*
 * Span, strands: what is kept of tasks for a forest (forest.h): where they were created, what waits, and what a forest
 * cannot have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/span/span_record.h"

enum { LONG = 1 << OMPP_STRAND_SHORT_BITS, SHORT = LONG / 16, PLACE = 10, LIMIT = 1 << 24 };

static uint64_t now;
static struct ompp_span *self;
static struct ompp_strands kept;

static void work(uint64_t ticks)
{
	now += ticks;
	ompp_span_stretch(self, PLACE << OMPP_PLACE_SHIFT, now);
}

static struct ompp_span_task *create(uint32_t flags)
{
	struct ompp_span_task *task = ompp_span_create(self, flags, now);

	assert_non_null(task);
	return task;
}

static void begin(struct ompp_span_task *task)
{
	ompp_span_begin(self, task, now);
}

static void end(void)
{
	ompp_span_end(self, NULL, now);
}

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

/* Returns the wait that was kept last, of those behind the first n; NULL for none. */
static const struct ompp_strand *wait_behind(uint32_t n)
{
	for (uint32_t i = kept.n; i-- > n;)
		if (!kept.list[i].ticks)
			return &kept.list[i];
	return NULL;
}

static int start(void **state)
{
	(void)state;
	now = 1000;
	self = ompp_span_new(LIMIT);
	assert_non_null(self);
	ompp_span_host(self, now);
	ompp_strands_reset(&kept, 0, length());
	self->strands = &kept;
	return 0;
}

/* A task that does little before it creates another one was created before that, and not where its first long strand
 * is. */
static void tasks_are_where_they_were_created(void **state)
{
	struct ompp_span_task *task, *child;
	uint64_t at;

	(void)state;
	work(2 * LONG);
	at = length();
	task = create(0);
	begin(task);
	work(SHORT);
	child = create(0);
	work(SHORT);
	ompp_span_wait(self, now);
	run(child, LONG);
	assert_int_equal(kept.list[kept.n - 1].of.created_ticks, at + SHORT);
	ompp_span_wait(self, now);
	work(3 * LONG);
	end();
	assert_int_equal(kept.list[kept.n - 1].ticks, 3 * LONG);
	assert_int_equal(kept.list[kept.n - 1].of.created_ticks, at);
	assert_false(kept.list[kept.n - 1].of.is_undeferred);
	assert_false(kept.has_bound);
	assert_false(kept.has_other_edges);
}

/* A wait for a long child is kept, however long its task worked meanwhile; one for short children alone is not. */
static void waits_for_long_children_are_kept(void **state)
{
	struct ompp_span_task *task, *child;
	const struct ompp_strand *wait;
	uint32_t n;

	(void)state;
	task = create(0);
	begin(task);
	child = create(0);
	work(5 * LONG);
	run(child, LONG);
	run(create(0), SHORT); /* the longest one, as it was created late */
	n = kept.n;
	ompp_span_wait(self, now);
	wait = wait_behind(n);
	assert_non_null(wait);
	assert_int_equal(wait->start_ticks, length());
	assert_int_equal(wait->of.created_ticks, task->start_path_ticks);
	n = kept.n;
	run(create(0), SHORT);
	ompp_span_wait(self, now);
	assert_null(wait_behind(n));
	end();
	n = kept.n;
	ompp_span_wait(self, now); /* the task itself was long */
	assert_non_null(wait_behind(n));
}

/* Whose creator waits for its end is one of these, as all are in a final task. */
static void undeferred_tasks_are_known(void **state)
{
	(void)state;
	run(create(OMPP_SPAN_FINAL), LONG);
	assert_int_equal(kept.n, 1);
	assert_false(kept.has_bound);
	run(create(OMPP_SPAN_UNDEFERRED), LONG);
	assert_int_equal(kept.n, 2);
	assert_true(kept.list[1].of.is_undeferred);
	assert_true(kept.has_bound);
	ompp_strands_reset(&kept, 0, 0);
	assert_false(kept.has_bound);
	begin(create(OMPP_SPAN_FINAL));
	run(create(0), LONG);
	end();
	assert_true(kept.list[kept.n - 1].of.is_undeferred);
	assert_true(kept.has_bound);
	assert_false(kept.has_other_edges);
}

static void other_edges_are_said(void **state)
{
	const struct ompp_span_task *loop;
	int64_t chunk = 0;

	(void)state;
	loop = ompp_span_create_loop(self, 0, 0, now);
	assert_non_null(loop);
	ompp_span_iterate(self, loop, &chunk, PLACE << OMPP_PLACE_SHIFT, now);
	work(LONG);
	end();
	ompp_span_loop_end(self, now);
	assert_true(kept.has_other_edges);
	assert_true(kept.has_bound);
	start(state);
	loop = ompp_span_create_loop(self, 0, 1, now);
	chunk = 0;
	ompp_span_iterate(self, loop, &chunk, PLACE << OMPP_PLACE_SHIFT, now);
	work(LONG);
	end();
	ompp_span_loop_end(self, now);
	assert_true(kept.has_other_edges);
	assert_false(kept.has_bound);
	start(state);
	run(NULL, LONG); /* nobody is known to have created it */
	assert_true(kept.has_other_edges);
	start(state);
	for (uint32_t i = 0; i < OMPP_STRANDS; i++)
		ompp_strands_add_wait(&kept, (struct ompp_strand_of){ .task = 1 }, length());
	assert_false(kept.has_other_edges);
	ompp_strands_add_wait(&kept, (struct ompp_strand_of){ .task = 1 }, length()); /* no room */
	assert_true(kept.has_other_edges);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(tasks_are_where_they_were_created, start),
		cmocka_unit_test_setup(waits_for_long_children_are_kept, start),
		cmocka_unit_test_setup(undeferred_tasks_are_known, start),
		cmocka_unit_test_setup(other_edges_are_said, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
