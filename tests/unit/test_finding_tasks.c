/*
 * Findings about tasks and chunks of iterations: which numbers lead to them, and what they say that the run would save.
 *
 * The profiles are those of two threads that share out work at best, by arithmetic of this test: one thread makes n
 * tasks, then both run them; or both ask for chunks of a loop.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/analysis/init.h"
#include "reports/findings/findings.h"
#include "tests/unit/bare_profile.h"

#define US INT64_C(1000)
#define MS INT64_C(1000000)

enum { TASK, SINGLE, PARALLEL, N_REGIONS }; /* the region that findings are looked for in is not the first */

static struct ompp_arena arena;
static struct ompp_analysis analysis;
static struct ompp_findings findings;
static const struct ompp_row rows[] = { { "0", 1, 1, 0, OMPP_NONE }, { "1", 1, 1, 1, OMPP_NONE } };
static struct ompp_region regions[N_REGIONS];
static struct ompp_node nodes[6];
static struct ompp_cell cells[9];
static struct ompp_chunk_sum chunks[2];
static struct ompp_duration durations[2];
static struct ompp_duration_bucket buckets[3];
static struct ompp_profile profile;
static int64_t wall_ns, made_ns, work_ns, beside_ns; /* of the last profile */

static void fill_profile(void)
{
	profile = (struct ompp_profile){ BARE_PROFILE,
		                         .duration_ns = wall_ns,
		                         .user_ns = 2 * wall_ns,
		                         .max_threads = 2,
		                         .processors_milli = 2000,
		                         .regions = regions,
		                         .rows = rows,
		                         .n_rows = 2,
		                         .nodes = nodes,
		                         .cells = cells };
}

/* Makes the profile of a SINGLE whose thread makes n tasks of task_ns, in make_ns each, and spends all_beside_ns
 * besides. The tasks are run by the other thread meanwhile, and by both when all are made. */
static void make_tasks(uint64_t n, int64_t task_ns, int64_t make_ns, int64_t all_beside_ns, const char *clauses)
{
	int64_t here_ns, there_ns;

	beside_ns = all_beside_ns;
	made_ns = (int64_t)n * make_ns;
	work_ns = (int64_t)n * task_ns;
	here_ns = (work_ns - made_ns - beside_ns) / 2;
	here_ns = here_ns < 0 || n == 1 ? 0 : (here_ns + task_ns / 2) / task_ns * task_ns;
	there_ns = work_ns - here_ns;
	wall_ns = made_ns + beside_ns + here_ns > there_ns ? made_ns + beside_ns + here_ns : there_ns;
	memset(cells, 0, sizeof(cells));
	for (uint32_t k = 0; k < 4; k++)
		cells[k] = (struct ompp_cell){ .row = k % 2, .n_exec = 1, .exec_ns = wall_ns, .incl_ns = wall_ns };
	cells[0].body_ns = cells[1].body_ns = wall_ns;
	cells[2].n_body = 1;
	cells[2].body_ns = made_ns + beside_ns;
	cells[2].exit_bar_ns = wall_ns - made_ns - beside_ns - here_ns;
	cells[2].task_ns = here_ns;
	cells[2].incl_ns = wall_ns - here_ns;
	cells[3].exit_bar_ns = cells[3].incl_ns = wall_ns - there_ns;
	cells[3].task_ns = there_ns;
	cells[4] = (struct ompp_cell){ .row = 0, .n_exec = n, .exec_ns = made_ns, .incl_ns = made_ns };
	for (uint32_t k = 0; k < 2; k++) {
		int64_t ns = k ? there_ns : here_ns;

		cells[5 + k] = (struct ompp_cell){
			.row = k, .n_exec = (uint64_t)(ns / task_ns), .exec_ns = ns, .incl_ns = ns
		};
	}
	regions[PARALLEL] = (struct ompp_region){ 3, OMPP_PARALLEL, "a.c", 1, 9, "", 0, 0, "", "", "", 0 };
	regions[SINGLE] = (struct ompp_region){ 2, OMPP_SINGLE, "a.c", 2, 8, "", 0, 0, "", "", "", 0 };
	regions[TASK] = (struct ompp_region){ 1, OMPP_TASK, "a.c", 4, 5, "", 0, 0, "", clauses, "", 0 };
	nodes[0] = (struct ompp_node){ OMPP_NONE, OMPP_NONE, OMPP_PARALLEL, 0, 0 };
	nodes[1] = (struct ompp_node){ 0, PARALLEL, OMPP_PARALLEL, 0, 2 };
	nodes[2] = (struct ompp_node){ 1, SINGLE, OMPP_SINGLE, 2, 2 };
	nodes[3] = (struct ompp_node){ 2, TASK, OMPP_TASK, 4, 1 };
	nodes[4] = (struct ompp_node){ 1, TASK, OMPP_TASKEXEC, 5, 2 };
	fill_profile();
	profile.n_regions = N_REGIONS;
	profile.n_nodes = 5;
	profile.n_cells = 7;
}

/* Makes the profile of a PARALLEL LOOP of two threads that ask for n chunks each, of work_ns, in cost_ns, of which one
 * in 64 was timed, with this standard error of a mean. */
static void make_chunks(uint64_t n, int64_t chunk_ns, int64_t cost_ns, int64_t error_ns, const char *clauses)
{
	uint64_t n_timed = n / 64;

	wall_ns = (int64_t)n * (chunk_ns + cost_ns);
	memset(cells, 0, sizeof(cells));
	for (uint32_t k = 0; k < 2; k++) {
		cells[k] = (struct ompp_cell){
			.row = k, .n_exec = 1, .exec_ns = wall_ns, .incl_ns = wall_ns, .body_ns = wall_ns
		};
		chunks[k] = (struct ompp_chunk_sum){ .cell = k,
			                             .n = n,
			                             .n_timed = n_timed,
			                             .timed_ns = (int64_t)n_timed * cost_ns,
			                             .variance = (int64_t)(n_timed * n_timed) * error_ns * error_ns };
	}
	regions[0] = (struct ompp_region){ 1, OMPP_PARALLEL_LOOP, "a.c", 1, 9, "", 0, 0, "", clauses, "", 0 };
	nodes[0] = (struct ompp_node){ OMPP_NONE, OMPP_NONE, OMPP_PARALLEL, 0, 0 };
	nodes[1] = (struct ompp_node){ 0, 0, OMPP_PARALLEL_LOOP, 0, 2 };
	fill_profile();
	profile.n_regions = 1;
	profile.n_nodes = profile.n_cells = 2;
	profile.chunks = chunks;
	profile.n_chunks = 2;
}

/* Returns the first finding; NULL when there is none. */
static const struct ompp_finding *first(void)
{
	ompp_arena_fini(&arena);
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_analysis_init(&analysis, &profile,
	                                    &(struct ompp_report_options){ .property_min = 10000000 }, &arena),
	                 0);
	assert_int_equal(ompp_findings(&analysis, &findings), 0);
	return findings.n ? &findings.list[0] : NULL;
}

/* Nothing is found. */
static void none(void)
{
	const struct ompp_finding *f = first();

	if (f)
		fail_msg("%s: %s", f->name, f->evidence);
}

/* This is the first finding, at the region, and would save so much, but for a per cent. */
static void found(const char *name, uint32_t region, int64_t gain_ns)
{
	const struct ompp_finding *f = first();

	if (!f)
		fail_msg("%s is not found", name);
	assert_string_equal(f->name, name);
	assert_int_equal(f->region, region);
	if (f->gain_ns < gain_ns - gain_ns / 100 || f->gain_ns > gain_ns + gain_ns / 100)
		fail_msg("%s saves %lld ns, not %lld", name, (long long)f->gain_ns, (long long)gain_ns);
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void test_small(void **state)
{
	(void)state;
	make_tasks(1000000, 20, 100, 0, "");
	found("TasksTooSmall", TASK, wall_ns - work_ns / 2);
	assert_non_null(strstr(findings.list[0].evidence, "1 000 000 tasks with a mean of 20 ns of work each"));
	assert_non_null(strstr(findings.list[0].evidence, "making and queueing one takes 100 ns"));
	assert_non_null(strstr(findings.list[0].advice, "taskloop"));
	make_tasks(100000, 5 * US, 400, 0, ""); /* at the edge: 7 % */
	found("TasksTooSmall", TASK, wall_ns - work_ns / 2);
	make_tasks(100000, 5 * US, 200, 0, ""); /* 4 % */
	none();
	make_tasks(20000, 50 * US, 4 * US, 0, ""); /* long enough; making them was disturbed */
	none();
}

/* What one thread does besides making the tasks does not become shorter by larger tasks. */
static void test_small_beside(void **state)
{
	(void)state;
	make_tasks(1000000, 20, 100, 30 * MS, "");
	found("TasksTooSmall", TASK, wall_ns - most((work_ns + beside_ns) / 2, beside_ns));
}

/* Where the own cost is known badly, making that may be next to nothing is no finding, unless it is most of the time.
 */
static void test_small_unsure(void **state)
{
	(void)state;
	make_tasks(100000, 3 * US, 400, 0, "");
	cells[4].cost_ns = 0;
	cells[4].cost_most_ns = 100000 * 380;
	none();
	cells[4].cost_most_ns = 100000 * 100;
	found("TasksTooSmall", TASK, wall_ns - work_ns / 2);
	make_tasks(100000, 50, 200, 0, "");
	cells[4].cost_most_ns = 100000 * 190;
	found("TasksTooSmall", TASK, wall_ns - work_ns / 2);
	assert_non_null(strstr(findings.list[0].evidence, "takes 200 ns (10 to 200 ns)"));
}

static void test_recursion(void **state)
{
	(void)state;
	make_tasks(1000000, 20, 100, 0, "");
	nodes[3].parent = 1; /* the tasks make them, and not the single */
	nodes[3] = (struct ompp_node){ 1, TASK, OMPP_TASKEXEC, 4, 2 };
	nodes[4] = (struct ompp_node){ 3, TASK, OMPP_TASK, 6, 1 };
	cells[6] = cells[4];
	cells[4] = cells[5];
	cells[4].row = 0;
	cells[4].n_exec = 10;
	cells[5] = (struct ompp_cell){ .row = 1, .n_exec = 999990, .exec_ns = wall_ns, .incl_ns = wall_ns - 10 * MS };
	cells[6].row = 1;
	cells[6].incl_ns = cells[6].exec_ns = cells[5].incl_ns - work_ns;
	nodes[2].region = PARALLEL; /* a part of the region itself, as a single does not make them */
	nodes[2].construct = OMPP_USER_REGION;
	assert_non_null(first());
	assert_string_equal(findings.list[0].name, "TasksTooSmall");
	assert_non_null(strstr(findings.list[0].advice, "Cut off"));
}

static void test_one_thread(void **state)
{
	(void)state;
	make_tasks(1000, 10 * US, 200, 1000 * 20 * US, "");
	found("TasksFromOneThread", TASK, wall_ns - (made_ns + beside_ns + work_ns) / 2);
	make_tasks(1000, 10 * US, 200, 1000 * 11 * US, ""); /* the other thread waits a little */
	found("TasksFromOneThread", TASK, wall_ns - (made_ns + beside_ns + work_ns) / 2);
	make_tasks(1000, 20 * US, 200, 1000 * US, "");
	none();
}

static void test_few(void **state)
{
	(void)state;
	make_tasks(1, 100 * MS, US, 0, "");
	found("TooFewTasks", TASK, wall_ns / 2);
	make_tasks(2, 100 * MS, US, 0, "");
	none();
}

/* With dependences the other thread waits for as long as it runs tasks. */
static void test_turn(void **state)
{
	(void)state;
	make_tasks(1000, 100 * US, 100, 0, "depend");
	cells[5].exec_ns = cells[5].incl_ns = cells[6].exec_ns = cells[6].incl_ns = work_ns / 2;
	wall_ns = work_ns + made_ns;
	for (uint32_t k = 0; k < 4; k++)
		cells[k].exec_ns = wall_ns;
	cells[0].incl_ns = cells[1].incl_ns = cells[0].body_ns = cells[1].body_ns = wall_ns;
	cells[2].task_ns = cells[3].task_ns = work_ns / 2;
	cells[2].incl_ns = cells[3].incl_ns = wall_ns - work_ns / 2;
	cells[2].exit_bar_ns = wall_ns - work_ns / 2 - made_ns;
	cells[3].exit_bar_ns = wall_ns - work_ns / 2;
	profile.duration_ns = wall_ns;
	found("TasksInTurn", TASK, wall_ns - (work_ns + made_ns) / 2);
	regions[TASK].clauses = "";
	none();
}

/* A team of one waits for nobody. */
static void test_alone(void **state)
{
	test_turn(state);
	regions[TASK].clauses = "depend";
	for (uint32_t i = 1; i < profile.n_nodes; i++)
		nodes[i].n_cells = 1;
	none();
}

static void test_undeferred(void **state)
{
	(void)state;
	make_tasks(1000, 100 * US, 100, 0, "if");
	wall_ns = work_ns + made_ns;
	for (uint32_t k = 0; k < 4; k++)
		cells[k].exec_ns = cells[k].incl_ns = wall_ns;
	cells[0].body_ns = cells[1].body_ns = cells[2].body_ns = wall_ns;
	cells[2].task_ns = cells[2].exit_bar_ns = cells[3].task_ns = 0;
	cells[2].incl_ns = made_ns;
	cells[3].exit_bar_ns = wall_ns;
	cells[5].n_exec = 1000;
	cells[5].exec_ns = cells[5].incl_ns = work_ns;
	cells[6].n_exec = 0;
	cells[6].exec_ns = cells[6].incl_ns = 0;
	profile.duration_ns = wall_ns;
	found("TasksRunByTheirMaker", TASK, wall_ns / 2);
	assert_non_null(strstr(findings.list[0].evidence, "1 000 tasks"));
}

/* Lets threads have no processor in their tasks for a while. */
static void take_off(int64_t here_ns, int64_t there_ns)
{
	durations[0] = (struct ompp_duration){ .cell = 5, .off_ns = here_ns };
	durations[1] = (struct ompp_duration){ .cell = 6, .off_ns = there_ns };
	profile.durations = durations;
	profile.n_durations = 2;
}

/* While one thread has no processor in a task the other one may wait for it: that is no reason in the program. */
static void test_turn_off(void **state)
{
	test_turn(state);
	regions[TASK].clauses = "depend";
	take_off(10 * MS, 20 * MS);
	found("TasksInTurn", TASK, (work_ns + made_ns - 30 * MS) / 2);
	assert_non_null(strstr(findings.list[0].evidence, "For 30.0 ms a thread had no processor in a task"));
	take_off(48 * MS, 48 * MS);
	none();
}

/* What the system took is no work: tasks that seem to have some have next to none. */
static void test_small_off(void **state)
{
	(void)state;
	make_tasks(100000, 3 * US, 100, 0, "");
	none();
	take_off(cells[5].exec_ns / 20 * 19, cells[6].exec_ns / 20 * 19);
	assert_non_null(first());
	assert_string_equal(findings.list[0].name, "TasksTooSmall");
	make_tasks(100000, 30 * US, 100, 0, ""); /* so much is taken that making them may have as much of it */
	take_off(cells[5].exec_ns / 200 * 199, cells[6].exec_ns / 200 * 199);
	none();
}

/* Tasks wait for others, as in a recursion, as long as they work; a thread may have lost its processor in either. */
static void test_waits_off(void **state)
{
	(void)state;
	for (int waits = 0; waits < 2; waits++) {
		make_tasks(100000, 3 * US, 100, 0, "");
		for (uint32_t k = 0; k < 2; k++) {
			cells[7 + k] = cells[5 + k];
			cells[5 + k].exec_ns *= 1 + waits;
			cells[5 + k].incl_ns *= 1 + waits;
		}
		take_off(cells[7].exec_ns / 20 * 19, cells[8].exec_ns / 20 * 19);
		nodes[5] = (struct ompp_node){ 4, TASK, OMPP_TASKWAIT, 7, 2 };
		profile.n_nodes = 5 + (size_t)waits;
		profile.n_cells = 7 + 2 * (size_t)waits;
		if (waits) {
			assert_true(!first() || strcmp(first()->name, "TasksTooSmall") != 0);
			continue;
		}
		assert_non_null(first());
		assert_string_equal(findings.list[0].name, "TasksTooSmall");
	}
}

/* 199 tasks of 1 ms, and one of long_ns that a thread runs while the other one waits; the durations say that it had a
 * processor for had_ns of that. */
static void make_long(int64_t long_ns, int64_t had_ns)
{
	make_tasks(200, MS, 100, 0, "");
	wall_ns = 99 * MS + long_ns;
	for (uint32_t k = 0; k < 4; k++)
		cells[k].exec_ns = cells[k].incl_ns = wall_ns;
	cells[0].body_ns = cells[1].body_ns = wall_ns;
	cells[2].task_ns = cells[5].exec_ns = cells[5].incl_ns = 100 * MS;
	cells[2].incl_ns = wall_ns - 100 * MS;
	cells[2].exit_bar_ns = wall_ns - 100 * MS - made_ns;
	cells[3].task_ns = cells[6].exec_ns = cells[6].incl_ns = wall_ns;
	cells[3].incl_ns = cells[3].exit_bar_ns = 0;
	cells[5].n_exec = cells[6].n_exec = 100;
	profile.duration_ns = wall_ns;
	profile.user_ns = 2 * wall_ns;
	take_off(0, long_ns - had_ns);
	for (int k = 0; k < 2; k++) {
		durations[k].n_first = 1;
		durations[k].n = 99;
		durations[k].first_ns = durations[k].least_ns = MS;
		durations[k].most_ns = k ? had_ns : MS;
		buckets[k] = (struct ompp_duration_bucket){ 5 + (uint32_t)k, 0, MS, MS, k ? 98 : 99 };
	}
	buckets[2] = (struct ompp_duration_bucket){ 6, 1, had_ns, had_ns, 1 };
	profile.duration_buckets = buckets;
	profile.n_duration_buckets = 3;
}

static void test_long(void **state)
{
	(void)state;
	make_long(100 * MS, 100 * MS);
	found("FewTasksAreLong", TASK, (99 * MS - made_ns) / 2);
	make_long(300 * MS, 100 * MS); /* the rest is the system's: only what the task itself takes counts */
	found("FewTasksAreLong", TASK, (99 * MS - made_ns) / 2);
	make_long(100 * MS, 2 * MS);
	none();
	make_long(100 * MS, 100 * MS); /* a long one that others need not have waited for */
	durations[0].off_ns = 97 * MS;
	none();
	make_long(100 * MS, 100 * MS);
	profile.stolen_ns = 60 * MS; /* of two processors: a hypervisor may have had that of the long one */
	none();
}

static void test_chunks(void **state)
{
	(void)state;
	make_chunks(1000000, 20, 30, 1, "schedule(dynamic)");
	found("ChunksTooSmall", 0, 1000000 * 30);
	assert_non_null(strstr(findings.list[0].advice, "schedule(dynamic, 256)")); /* 30 / 256 of 20 is 0.6 % */
	assert_non_null(strstr(findings.list[0].evidence,
	                       "where iterations wait, too, for the counter that threads take from each other"));
	make_chunks(1000000, 20, 30, 1, "schedule(guided, 4)");
	found("ChunksTooSmall", 0, 1000000 * 30);
	assert_non_null(strstr(findings.list[0].advice, "schedule(guided, 1024)"));
	make_chunks(1000000, 20, 30, 1, "schedule(monotonic, simd: dynamic, 2)");
	found("ChunksTooSmall", 0, 1000000 * 30);
	assert_non_null(strstr(findings.list[0].advice, "schedule(monotonic, simd: dynamic, 512)"));
	make_chunks(1000000, 20, 30, 1, "schedule(dynamic, n)");
	found("ChunksTooSmall", 0, 1000000 * 30);
	assert_non_null(strstr(findings.list[0].advice, "256 times as many"));
	make_chunks(1000000, 20, 30, 1, "schedule(dynamic) ordered"); /* the calls wait for turns */
	none();
	make_chunks(1000000, 20, 30, 1, "schedule(static, 1) ordered");
	none();
	make_chunks(1000000, 20, 30, 1, "schedule(dynamic) ordered(1)"); /* these do not */
	found("ChunksTooSmall", 0, 1000000 * 30);
	make_chunks(100000, 500, 30, 1, "schedule(dynamic)"); /* at the edge: 5.7 % */
	found("ChunksTooSmall", 0, 100000 * 30 * 7 / 8);
	make_chunks(100000, 500, 30, 3, "schedule(dynamic)"); /* surely only 4.5 % */
	none();
	make_chunks(100000, 1000, 30, 1, "schedule(dynamic)"); /* 2.9 % */
	none();
	make_chunks(900, 20, 30, 1, "schedule(dynamic)"); /* few were timed */
	none();
	/* handing out takes longer, alone, than a chunk with its work in the loop */
	make_chunks(1000000, 20, 30, 1, "schedule(dynamic)");
	for (int k = 0; k < 2; k++)
		chunks[k].timed_ns *= 2;
	found("ChunksTooSmall", 0, INT64_C(1000000) * 50 * 127 / 128);
	assert_non_null(strstr(findings.list[0].evidence, "each in a mean of 50 ns: handing out one takes 60 ns"));
}

/* Each thread is left four chunks. */
static void test_few_chunks(void **state)
{
	(void)state;
	make_chunks(5120, 20, 30, 1, "schedule(dynamic)");
	for (uint32_t k = 0; k < 2; k++)
		cells[k].n_exec = 640; /* 8 chunks an execution */
	found("ChunksTooSmall", 0, 5120 * 30 / 2);
	assert_non_null(strstr(findings.list[0].advice, "schedule(dynamic, 2)"));
}

static int start(void **state)
{
	(void)state;
	ompp_arena_init(&arena, 0);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	ompp_arena_fini(&arena);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(test_small),        TEST(test_waits_off),  TEST(test_small_beside),
		                            TEST(test_small_unsure), TEST(test_recursion),  TEST(test_one_thread),
		                            TEST(test_few),          TEST(test_turn),       TEST(test_undeferred),
		                            TEST(test_turn_off),     TEST(test_small_off),  TEST(test_long),
		                            TEST(test_chunks),       TEST(test_few_chunks), TEST(test_alone) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
