/*
 * Task path: random trees of tasks by the calls of an instrumented program and the processor's own clock, where most
 * events take the quick way (events/task_path.c), and the lengths of paths as a plain model has them.
 *
 * The model knows from the thread's part of the path only when each event was.  Events that took the quick way are
 * known by what they leave alone: the thread's idle_ticks.
 */
#include "tests/unit/steps.h"

#include "runtime/core/thread.h"
#include "runtime/host/clock.h"
#include "runtime/span/span_record.h"

REGION(parallel, parallel, 10, 99);
REGION(task, task, 20, 29);
REGION(other, task, 30, 39);
REGION(taskwait, taskwait, 40, 40);
REGION(group, taskgroup, 50, 59);
REGION(barrier, barrier, 60, 60);

enum { DEEPEST = 6, MOST_CHILDREN = 4, TREES = 300, SEED = 11 };

struct model {
	struct model *parent;
	int64_t handle;
	int which, depth, has_ended, has_kids;
	uint64_t path, burden, ready;         /* the lengths of span.h */
	uint64_t kids_path, kids_burdened;    /* of the children since the last wait */
	struct model *pending[MOST_CHILDREN]; /* those that have not begun */
	int n_pending;
};

static uint64_t last, work, n_created, seed;
static struct model all[TREES * 2];
static int n_all;
static struct model *orphans[TREES * 2]; /* that have not begun, and whose creators have ended */
static int n_orphans;

/* A generator of the test's own: the trees are the same with each C library. */
static int random_below(int n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (int)((seed >> 33) % (uint64_t)n);
}

static struct ompp_span *span(void)
{
	return ompp_self->span;
}

/* ---- which way events took ---- */

enum event { CREATE_BEGIN, CREATE_END, BEGIN, END, WAIT_END, N_EVENTS };
static const uint64_t mark = UINT64_MAX;
static uint64_t n_events[N_EVENTS], n_quick[N_EVENTS];

/* These stand around an event. */
static void before_event(void)
{
	span()->idle_ticks = mark;
}

static void after_event(enum event event)
{
	n_events[event]++;
	n_quick[event] += span()->idle_ticks == mark;
}

/* A thread that loses its processor may take the other way, also where that happens at many events. */
static void most_were_quick(void)
{
	for (int i = 0; i < N_EVENTS; i++) {
		assert_in_range(n_events[i], 100, UINT64_MAX);
		assert_in_range(n_quick[i], n_events[i] / 2 + 1, n_events[i]);
	}
}

/* ---- the model ---- */

/* Ends a stretch of the model.  Returns how long it was. */
static uint64_t stretch(struct model *worker)
{
	uint64_t ticks = span()->last_ticks - last;

	if (worker && (int64_t)(ticks - ompp_span_cost_ticks) > 0) {
		worker->path += ticks - ompp_span_cost_ticks;
		work += ticks - ompp_span_cost_ticks;
	}
	last = span()->last_ticks;
	return ticks;
}

static void check(const struct model *m)
{
	const struct ompp_span_task *task = *span()->at;
	uint64_t sum = task->path.rest_ticks;

	for (int i = 0; i < OMPP_LONGEST_PLACES; i++)
		sum += task->path.part[i];
	assert_int_equal(task->path.ticks, m->path);
	assert_int_equal(task->burden_ticks, m->burden);
	assert_int_equal(sum, m->path);
	assert_int_equal(span()->work_ticks, work);
}

static void run(struct model *m);

static void create(struct model *m)
{
	struct model *child = &all[n_all++];
	int which = random_below(2);
	uint64_t create_ticks = span()->create_ticks, idle;
	int64_t old;

	*child = (struct model){ .parent = m, .which = which, .depth = m->depth + 1 };
	before_event();
	if (which)
		POMP2_Task_create_begin(&h_other, &child->handle, &old, 1, other_ctc);
	else
		POMP2_Task_create_begin(&h_task, &child->handle, &old, 1, task_ctc);
	after_event(CREATE_BEGIN);
	stretch(m);
	n_created++;
	child->path = m->path;
	child->burden = m->burden + create_ticks;
	child->ready = last;
	if (random_below(4) == 0)
		run(child);
	else
		m->pending[m->n_pending++] = child;
	before_event();
	POMP2_Task_create_end(which ? &h_other : &h_task, old);
	after_event(CREATE_END);
	idle = stretch(NULL);
	m->burden += idle;
	check(m);
}

static uint64_t longer(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void wait_for_children(struct model *m)
{
	int64_t old;
	uint64_t idle, burdened;

	POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc);
	stretch(m);
	check(m);
	while (m->n_pending)
		run(m->pending[--m->n_pending]);
	while (n_orphans && random_below(2))
		run(orphans[--n_orphans]);
	before_event();
	POMP2_Taskwait_end(&h_taskwait, old);
	after_event(WAIT_END);
	idle = stretch(NULL);
	if (m->has_kids) {
		burdened = longer(m->path + m->burden, m->kids_burdened);
		m->path = longer(m->path, m->kids_path);
		m->burden = longer(burdened, m->path) - m->path + idle;
	}
	m->kids_path = m->kids_burdened = 0;
	m->has_kids = 0;
	check(m);
}

static void body(struct model *m)
{
	int n = m->depth < DEEPEST ? random_below(MOST_CHILDREN) : 0;

	for (int i = 0; i < n && n_all < TREES * 2; i++) {
		for (volatile int spin = random_below(500); spin; spin--)
			;
		create(m);
		if (random_below(3) == 0)
			wait_for_children(m);
	}
	if (random_below(2))
		wait_for_children(m);
}

/* A task that ends without a last taskwait leaves nothing that its creator waits for. */
static void run(struct model *m)
{
	struct model *parent = m->parent;
	uint64_t idle;

	before_event();
	POMP2_Task_begin(m->which ? &h_other : &h_task, m->handle);
	after_event(BEGIN);
	idle = stretch(NULL);
	m->burden += last - m->ready < idle ? last - m->ready : idle;
	check(m);
	body(m);
	before_event();
	POMP2_Task_end(m->which ? &h_other : &h_task);
	after_event(END);
	stretch(m);
	m->has_ended = 1;
	while (m->n_pending)
		orphans[n_orphans++] = m->pending[--m->n_pending];
	if (parent->has_ended)
		return;
	parent->kids_path = longer(parent->kids_path, m->path);
	parent->kids_burdened = longer(parent->kids_burdened, m->path + m->burden);
	parent->has_kids = 1;
}

static void open_team(int64_t *team, struct model *member)
{
	POMP2_Parallel_fork(&h_parallel, 1, 1, team, parallel_ctc);
	if (!ompp_clock_is_plain)
		skip(); /* the processor's clock does not serve: no event takes the quick way */
	ompp_parallel_begin(&h_parallel, *team);
	*member = (struct model){ .path = (*span()->at)->path.ticks, .burden = (*span()->at)->burden_ticks };
	last = span()->last_ticks;
	work = span()->work_ticks;
}

static void close_team(int64_t team)
{
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
}

/* Records are used again: those of 256 live tasks are enough for all of them. */
static void trees_have_the_lengths_of_the_model(void **state)
{
	struct model member;
	size_t left;
	int64_t team;

	(void)state;
	open_team(&team, &member);
	wait_for_children(&member);
	create(&member);
	wait_for_children(&member);
	left = span()->left_bytes;
	for (int i = 0; i < TREES; i++) {
		n_all = 0;
		create(&member);
		while (member.n_pending || n_orphans)
			wait_for_children(&member);
	}
	assert_int_equal(span()->left_bytes, left);
	assert_int_equal(span()->n_created, n_created);
	assert_int_equal(span()->n_lost + span()->n_unknown, 0);
	most_were_quick();
	close_team(team);
}

static void spin(void)
{
	for (volatile int i = 2000; i; i--)
		;
}

/* Creates a task, and runs it at once.  Returns how long its path is.
 * leaves: it has a child for which it does not wait */
static uint64_t run_one(int if_clause, int leaves)
{
	int64_t old, handle;
	uint64_t path;

	POMP2_Task_create_begin(&h_other, &handle, &old, if_clause, other_ctc);
	POMP2_Task_create_end(&h_other, old);
	POMP2_Task_begin(&h_other, handle);
	spin();
	POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc);
	POMP2_Taskwait_end(&h_taskwait, old);
	path = (*span()->at)->path.ticks;
	if (leaves)
		run_one(1, 0);
	POMP2_Task_end(&h_other);
	return path;
}

/* What was unusual of a record is not so of the next task that has it: it was of a taskgroup, or final, or was not
 * waited for.  None is lost. */
static void records_forget(void **state)
{
	struct model member;
	int64_t team, old, handle;
	uint64_t path;
	size_t left = 0;

	(void)state;
	open_team(&team, &member);
	for (int i = 0; i < 1000; i++) {
		left = i == 20 ? span()->left_bytes : left;
		POMP2_Task_create_begin(&h_task, &handle, &old, 1 + i % 4, task_ctc);
		POMP2_Task_create_end(&h_task, old);
		POMP2_Task_begin(&h_task, handle);
		if (i % 3) {
			POMP2_Taskwait_begin(&h_group, &old, group_ctc);
			path = run_one(1, i % 2);
			POMP2_Taskwait_end(&h_group, old);
			assert_in_range((*span()->at)->path.ticks, path, UINT64_MAX);
		} else {
			run_one(i % 4, i % 2);
		}
		POMP2_Task_end(&h_task);
		n_all = 0;
		POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc);
		POMP2_Taskwait_end(&h_taskwait, old);
		member = (struct model){ .path = (*span()->at)->path.ticks, .burden = (*span()->at)->burden_ticks };
		last = span()->last_ticks;
		work = span()->work_ticks;
		create(&member);
		while (member.n_pending || n_orphans)
			wait_for_children(&member);
	}
	assert_int_equal(span()->left_bytes, left);
	assert_int_equal(span()->n_lost + span()->n_unknown, 0);
	close_team(team);
}

/* A barrier waits for tasks that nobody else waited for. */
static void barriers_wait_for_tasks(void **state)
{
	struct model member;
	int64_t team, old;
	uint64_t path = 0;

	(void)state;
	open_team(&team, &member);
	for (int i = 0; i < 20; i++) {
		POMP2_Barrier_enter(&h_barrier, &old, barrier_ctc);
		for (int k = 0; k < 3; k++)
			path = longer(path, run_one(1, k == 2));
		POMP2_Barrier_exit(&h_barrier, old);
		assert_in_range((*span()->at)->path.ticks, path, UINT64_MAX);
	}
	close_team(team);
}

static int set_options(void **state)
{
	(void)state;
	option("OMPP_CLOCK", "auto");
	option("OMPP_SPAN", "1");
	option("OMPP_COURSE", "0");
	seed = SEED;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(trees_have_the_lengths_of_the_model, set_options),
		cmocka_unit_test_setup(records_forget, set_options),
		cmocka_unit_test_setup(barriers_wait_for_tasks, set_options),
	};

	return RUN_APART(tests);
}
