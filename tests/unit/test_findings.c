/*
 * Findings: which numbers lead to which findings, which do not, and what the findings advise.  The profiles have a loop
 * or another construct of two threads, which takes 0.9 s of a run of 1 s.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/analysis/init.h"
#include "reports/bounds/roofline.h"
#include "reports/exchange/exchange.h"
#include "reports/findings/finding.h"
#include "reports/findings/findings.h"
#include "runtime/base/array.h"
#include "runtime/ompp_mem.h"
#include "runtime/terms/clauses.h"

#define MS INT64_C(1000000)

static struct ompp_arena arena;
static struct ompp_analysis analysis;
static struct ompp_findings findings;

static const struct ompp_row rows[] = { { "0", 1, 1, 0, OMPP_NONE }, { "1", 1, 1, 1, OMPP_NONE } };
static struct ompp_region regions[2];
static struct ompp_node nodes[3];
static struct ompp_cell cells[4];
static struct ompp_wait waits[4];
static struct ompp_profile profile;
static struct ompp_report_options options;

/* Makes a profile of a PARALLEL LOOP, or of a PARALLEL with another construct in it, that was executed n times.  At its
 * end thread 0 waits for 100 ms, and nothing is known of why. */
static void one(enum ompp_construct construct, uint64_t n, const char *clauses)
{
	int is_inner = construct != OMPP_PARALLEL_LOOP;

	memset(waits, 0, sizeof(waits));
	memset(cells, 0, sizeof(cells));
	for (uint32_t k = 0; k < 4; k++)
		cells[k] = (struct ompp_cell){
			.row = k % 2, .n_exec = n, .exec_ns = 900 * MS, .body_ns = 900 * MS, .incl_ns = 900 * MS
		};
	cells[is_inner ? 2 : 0].exit_bar_ns = 100 * MS;
	cells[is_inner ? 2 : 0].body_ns = 800 * MS;
	regions[0] = (struct ompp_region){
		1, is_inner ? OMPP_PARALLEL : construct, "a.c", 1, 9, "", 0, 0, "", is_inner ? "" : clauses, ""
	};
	regions[1] = (struct ompp_region){ 2, construct, "a.c", 2, 8, "", 0, 0, "", clauses, "" };
	nodes[0] = (struct ompp_node){ OMPP_NONE, OMPP_NONE, OMPP_PARALLEL, 0, 0 };
	nodes[1] = (struct ompp_node){ 0, 0, regions[0].construct, 0, 2 };
	nodes[2] = (struct ompp_node){ 1, 1, construct, 2, 2 };
	for (uint32_t k = 0; k < 4; k++)
		waits[k] = (struct ompp_wait){ .cell = k,
			                       .n = n,
			                       .work_ns = 800 * MS,
			                       .spread_ns = n < 2 ? OMPP_MISSING : MS,
			                       .usual_ns = OMPP_MISSING };
	profile = (struct ompp_profile){ .app = "a",
		                         .version = "1",
		                         .duration_ns = 1000 * MS,
		                         .user_ns = 2000 * MS,
		                         .max_threads = 2,
		                         .mpi_rank = -1,
		                         .clock = "tsc",
		                         .queued_all_ns = OMPP_MISSING,
		                         .filter = "",
		                         .data_method = "",
		                         .sample_source = "",
		                         .sample_latencies = "",
		                         .pages_method = "",
		                         .build_stamp = "",
		                         .build_commit = "",
		                         .processors_milli = 2000,
		                         .final = 1,
		                         .regions = regions,
		                         .n_regions = is_inner ? 2 : 1,
		                         .rows = rows,
		                         .n_rows = 2,
		                         .nodes = nodes,
		                         .n_nodes = is_inner ? 3 : 2,
		                         .cells = cells,
		                         .n_cells = is_inner ? 4 : 2,
		                         .waits = waits,
		                         .n_waits = is_inner ? 4 : 2 };
}

/* Returns the row's waits in the region that ends with 100 ms of waiting. */
static struct ompp_wait *wait_of(uint32_t row)
{
	return &waits[profile.n_regions == 2 ? 2 + row : row];
}

/* Says that all of the 100 ms, in n_looked waits, were looked at and have this cause. */
static void because(enum ompp_cause cause, uint64_t n_looked)
{
	struct ompp_wait *w = wait_of(0);

	w->n_looked = n_looked;
	w->looked_ns = 100 * MS;
	w->cause_ns[cause] = 100 * MS;
}

/* Sets each thread's mean work of an execution, and its standard deviation. */
static void work(int64_t mean_0, int64_t mean_1, int64_t spread)
{
	const int64_t means[] = { mean_0, mean_1 };

	for (uint32_t r = 0; r < 2; r++) {
		wait_of(r)->work_ns = means[r] * (int64_t)wait_of(r)->n;
		wait_of(r)->spread_ns = wait_of(r)->n < 2 ? OMPP_MISSING : spread;
	}
}

/* Returns the finding of this name; NULL when it is not made. */
static const struct ompp_finding *find(const char *name)
{
	assert_int_equal(ompp_analysis_init(&analysis, &profile, &options, &arena), 0);
	assert_int_equal(ompp_findings(&analysis, &findings), 0);
	for (size_t i = 0; i < findings.n; i++) {
		assert_int_equal(findings.list[i].number, i + 1);
		if (!strcmp(findings.list[i].name, name))
			return &findings.list[i];
	}
	return NULL;
}

static const char *advice(const char *name)
{
	const struct ompp_finding *f = find(name);

	if (!f)
		fail_msg("%s is not found", name);
	return f->advice;
}

static int start(void **state)
{
	(void)state;
	options = (struct ompp_report_options){ 0 };
	ompp_arena_init(&arena, 0);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	ompp_arena_fini(&arena);
	return 0;
}

/* Threads began late, their team was made, or a processor was taken away: none of that is blamed on the loop. */
static void test_uniform_loop(void **state)
{
	static const enum ompp_cause causes[] = { OMPP_CAUSE_START, OMPP_CAUSE_MADE, OMPP_CAUSE_OFF,
		                                  OMPP_CAUSE_OFF_HERE };
	static const char *const names[] = { "ThreadsComeLate", "TeamMade", "ProcessorTakenAway",
		                             "ProcessorTakenAway" };

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(causes); i++) {
		one(OMPP_PARALLEL_LOOP, 5000, "");
		because(causes[i], 5000);
		work(160000, 160000, 9000);
		assert_null(find("ImbalanceInParallelLoop"));
		assert_null(find("WorkVariesBetweenThreads"));
		assert_non_null(find(names[i]));
		assert_int_equal(find(names[i])->ns, 100 * MS);
		assert_int_equal(find(names[i])->severity, 50000000);
	}
}

/* 4 standard errors of the difference: 2 ms × sqrt(2 / 100) × 4 = 1.131 ms. */
static void test_noise(void **state)
{
	const struct ompp_finding *f;

	(void)state;
	one(OMPP_PARALLEL_LOOP, 100, "");
	because(OMPP_CAUSE_BODY, 100);
	work(8 * MS, 8 * MS + 1130000, 2 * MS);
	assert_null(find("ImbalanceInParallelLoop"));
	work(8 * MS, 8 * MS + 1132000, 2 * MS);
	f = find("ImbalanceInParallelLoop");
	assert_non_null(f);
	assert_int_equal(f->ns, 100 * MS);
	assert_int_equal(f->gain_ns, 50 * MS); /* shared by two threads */
	assert_non_null(strstr(f->evidence,
	                       "Threads work 8.00 to 9.13 ms each time (100 executions, standard deviation 2.00 ms)"));
	assert_null(strstr(f->evidence, "Sampled"));
	/* an outlier makes the error larger than the difference, though each execution of that thread was longer */
	work(1 * MS, 38 * MS, 120 * MS);
	assert_null(find("ImbalanceInParallelLoop"));
	wait_of(0)->most_ns = 2 * MS;
	wait_of(1)->least_ns = 2 * MS;
	assert_null(find("ImbalanceInParallelLoop"));
	wait_of(1)->least_ns = 20 * MS;
	assert_non_null(find("ImbalanceInParallelLoop"));
}

/* Says what the slices of the run say: thread 1 works longer by so much, with this standard error, and its processor is
 * slower by so many thousandths. */
static void slices(uint64_t n, int64_t apart_ns, int64_t error_ns, int64_t slower_milli)
{
	for (uint32_t r = 0; r < 2; r++) {
		wait_of(r)->n_slices = n;
		wait_of(r)->apart_ns = r ? apart_ns / 2 : -(apart_ns / 2);
		wait_of(r)->apart_error_ns = error_ns / 2;
		wait_of(r)->pace_ps = r ? 200 * (1000 + slower_milli) : 200000;
	}
}

/* Work is unequal if it is so all the time, and if the processors' speeds do not explain it.  Student's t for 15
 * degrees of freedom and 1 in 10,000 is 4.88, for 3 it is 22.2. */
static void test_slices(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 10000, "");
	because(OMPP_CAUSE_BODY, 10000);
	work(10 * MS, 12 * MS, 1 * MS); /* by chance 10 us each */
	slices(16, 2 * MS, 400000, 0);
	assert_non_null(find("ImbalanceInParallelLoop"));
	assert_null(find("SpeedVaries"));
	slices(16, 2 * MS, 420000, 0);
	assert_null(find("ImbalanceInParallelLoop"));
	assert_null(find("WorkVariesBetweenThreads"));
	assert_int_equal(find("SpeedVaries")->ns, 100 * MS);
	assert_int_equal(find("SpeedVaries")->region, OMPP_NONE);
	assert_non_null(strstr(find("SpeedVaries")->evidence, ": threads work 10.0 to 12.0 ms"));
	assert_non_null(strstr(find("SpeedVaries")->evidence, "during the run by 2.00 ms +- 420 us in the mean. "));
	slices(4, 2 * MS, 88000, 0);
	assert_non_null(find("ImbalanceInParallelLoop"));
	slices(4, 2 * MS, 92000, 0);
	assert_null(find("ImbalanceInParallelLoop"));
	/* a processor that is slower by a tenth may take a fifth longer, by 9 per cent not */
	slices(16, 2 * MS, 100000, 100);
	assert_null(find("ImbalanceInParallelLoop"));
	assert_non_null(strstr(find("SpeedVaries")->evidence, "took the slower one 1.10 times as long"));
	slices(16, 2 * MS, 100000, 90);
	assert_non_null(find("ImbalanceInParallelLoop"));
	/* less than a twentieth is never found */
	work(10 * MS, 10400000, 1 * MS);
	slices(16, 400000, 1000, 0);
	assert_null(find("ImbalanceInParallelLoop"));
	/* what threads wait for each other by chance is the program's: 10 us each time, of 38 us of work */
	work(38000, 38001, 10000);
	slices(16, 10, 400, 0);
	assert_non_null(find("WorkVariesBetweenThreads"));
	assert_null(find("SpeedVaries"));
	slices(16, 10, 2000, 0);
	assert_null(find("WorkVariesBetweenThreads"));
	assert_non_null(find("SpeedVaries"));
	/* but not below a quarter of the work */
	work(40000, 40001, 10000);
	slices(16, 10, 400, 0);
	assert_null(find("WorkVariesBetweenThreads"));
	assert_non_null(find("SpeedVaries"));
	/* nor where one execution makes the executions' chance look large: 10,000 x (10 us)^2 is (1 ms)^2 */
	work(38000, 38001, 10000);
	slices(16, 10, 250, 0);
	wait_of(0)->most_ns = wait_of(1)->most_ns = 1038000;
	assert_null(find("WorkVariesBetweenThreads"));
	wait_of(0)->most_ns = 60000;
	assert_non_null(find("WorkVariesBetweenThreads"));
}

/* What slows a processor lasts for a second, too: executions of less than that in all must differ by a quarter. */
static void test_short_run(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 100, "");
	because(OMPP_CAUSE_BODY, 100);
	work(8 * MS, 9900000, 100000); /* 0.99 s by the one that works most */
	slices(16, 1900000, 1000, 0);
	assert_null(find("ImbalanceInParallelLoop"));
	assert_null(find("SpeedVaries"));
	work(7 * MS, 9900000, 100000);
	slices(16, 2900000, 1000, 0);
	assert_non_null(find("ImbalanceInParallelLoop"));
	work(8 * MS, 10100000, 100000); /* 1.01 s */
	slices(16, 2100000, 1000, 0);
	assert_non_null(find("ImbalanceInParallelLoop"));
	work(9700000, 10100000, 100000);
	slices(16, 400000, 1000, 0);
	assert_null(find("ImbalanceInParallelLoop"));
}

/* What a hypervisor took from one processor may have made work there longer: 0.15 of the other 0.85 s are 0.176. */
static void test_steal(void **state)
{
	const struct ompp_finding *f;

	(void)state;
	one(OMPP_PARALLEL_LOOP, 10000, "");
	because(OMPP_CAUSE_BODY, 10000);
	work(10 * MS, 12 * MS, 1 * MS);
	slices(16, 1770000, 100000, 0);
	profile.stolen_ns = 200 * MS;
	profile.stolen_most_ns = 150 * MS;
	f = find("ImbalanceInParallelLoop");
	assert_non_null(f);
	assert_null(find("SpeedVaries"));
	slices(16, 1750000, 100000, 0);
	assert_null(find("ImbalanceInParallelLoop"));
	assert_non_null(strstr(find("SpeedVaries")->evidence, "for 0.150 s of the run (steal in /proc/stat)"));
	/* beside a slower processor both count: 1.05 × 1.05 is 0.1025 more */
	slices(16, 2780000, 100000, 50);
	assert_null(find("ImbalanceInParallelLoop"));
	slices(16, 2800000, 100000, 50);
	assert_non_null(find("ImbalanceInParallelLoop"));
	/* the same work under a hypervisor that took nothing, and where nobody knows */
	slices(16, 1750000, 100000, 0);
	profile.stolen_most_ns = 0;
	assert_non_null(find("ImbalanceInParallelLoop"));
	profile.stolen_most_ns = OMPP_MISSING;
	assert_non_null(find("ImbalanceInParallelLoop"));
	/* three times as much work is none of it, however much was taken */
	profile.stolen_most_ns = 600 * MS;
	work(10 * MS, 30 * MS, 1 * MS);
	slices(16, 20 * MS, 100000, 0);
	assert_non_null(find("ImbalanceInParallelLoop"));
	assert_null(find("SpeedVaries"));
}

/* What the machine does is one finding, with the evidence of all of it: processors that were taken away at one barrier,
 * and were not equally fast at another one. */
static void test_machine_once(void **state)
{
	const struct ompp_finding *f;

	(void)state;
	one(OMPP_LOOP, 10000, "");
	because(OMPP_CAUSE_BODY, 10000);
	work(10 * MS, 12 * MS, 1 * MS);
	slices(16, 2 * MS, 420000, 0);
	assert_non_null(find("SpeedVaries"));
	waits[0].n_looked = 1;
	cells[0].exit_bar_ns = waits[0].looked_ns = waits[0].cause_ns[OMPP_CAUSE_OFF] = 60 * MS;
	assert_null(find("SpeedVaries"));
	f = find("ProcessorTakenAway");
	assert_non_null(f);
	assert_int_equal(f->ns, 160 * MS);
	assert_int_equal(f->severity, 80000000);
	assert_int_equal(f->gain_ns, 80 * MS);
	assert_non_null(strstr(f->evidence, "others waited 60.0 ms for them"));
	assert_non_null(
		strstr(f->evidence, "context switches show this. In R00002 a.c (2-8): threads work 10.0 to 12.0"));
	for (size_t i = 0; i < findings.n; i++) /* each of them once */
		assert_true(&findings.list[i] == f || strcmp(findings.list[i].name, f->name));
}

/* Runs with the search for shared lines, of all kinds: accesses of the threads, times, transfers.  The oracle is what
 * hooked.h says, in floating point. */
static void test_hooked(void **state)
{
	static const enum ompp_construct constructs[] = { OMPP_PARALLEL_LOOP, OMPP_PARALLEL, OMPP_LOOP, OMPP_BARRIER };
	static const char *const names[] = { "ImbalanceInParallelLoop", "ImbalanceInParallelRegion",
		                             "ImbalanceInParallelLoop", "WaitAtBarrier" };
	static const struct ompp_object objects[] = { { .name = "(other)", .measured = 1 },
		                                      { .name = "(stack)", .measured = 1 },
		                                      { .name = "a", .measured = 1 } };
	static const int64_t ratios[] = { 106, 150, 199, 201, 400 }, counts[] = { 100, 104, 150, 400 };
	static const int64_t accesses_each[] = { 100, 20000, 1000000 }, transfers[] = { 0, 1000000, 100000000 };
	enum { N = 1000 };
	unsigned int n_found = 0, n_hidden = 0;

	(void)state;
	for (unsigned int i = 0; i < 4 * 5 * 4 * 3 * 3; i++) {
		unsigned int k = i % 4, is_inner = constructs[k] == OMPP_LOOP;
		int64_t ratio = ratios[i / 4 % 5], count = counts[i / 20 % 4], n = accesses_each[i / 80 % 3],
			n_transfers = transfers[i / 240];
		struct ompp_access access[2] = { { .node = 1 + is_inner, .row = 0, .object = 2 },
			                         { .node = 1 + is_inner, .row = 1, .object = 2 } };
		struct ompp_shared_line line = { .object = 2, .rows = "", .n_transfers = (uint64_t)n_transfers };
		double least_ns = 1e6, apart_ns = least_ns * (double)(ratio - 100) / 100;
		double hooks_ns = (double)n * (double)count / 100 * 50, may_ns;
		int is_counted, is_found;

		one(constructs[k], N, "");
		because(OMPP_CAUSE_BODY, N);
		if (constructs[k] == OMPP_BARRIER) { /* whose time is the waiting */
			cells[2].exec_ns = 100 * MS;
			cells[3].exec_ns = 0;
		}
		if (constructs[k] == OMPP_PARALLEL) { /* one() puts a PARALLEL into one, and here it shall be alone */
			profile.n_regions = 1;
			profile.n_nodes = 2;
			profile.n_cells = profile.n_waits = 2;
			cells[0].exit_bar_ns = 100 * MS;
			because(OMPP_CAUSE_BODY, N);
		}
		work(1 * MS, ratio * MS / 100, MS / 1000);
		for (uint32_t r = 0; r < 2; r++)
			access[r].values[OMPP_ACCESS_ALL] = n * N * (r ? count : 100) / 100;
		line.region = access[0].node - 1;
		profile.objects = objects;
		profile.n_objects = 3;
		profile.accesses = access;
		profile.n_accesses = 2;
		profile.shared_lines = &line;
		profile.n_shared_lines = 1;
		profile.hooked = profile.sharing = 1;
		profile.transfer_most_ps = 50000;
		/* what is waited for, if that is more than the difference of the means */
		apart_ns = apart_ns > 100e6 / N ? apart_ns : 100e6 / N;
		may_ns = (hooks_ns < least_ns ? hooks_ns : least_ns) + (double)n_transfers * 50 / N;
		is_counted = least_ns * (double)(count - 100) / 100 >= apart_ns / 2;
		is_found = is_counted || apart_ns > may_ns;
		if (is_found != (find(names[k]) != NULL))
			fail_msg("%s, %ld %% of the time, %ld %% of %ld accesses, %ld transfers", names[k], (long)ratio,
			         (long)count, (long)n, (long)n_transfers);
		if (!is_found)
			assert_null(find("SpeedVaries"));
		n_found += is_found;
		n_hidden += !is_found;
		profile.sharing = 0; /* without the search nothing is put down to it */
		assert_non_null(find(names[k]));
	}
	assert_true(n_found > 100 && n_hidden > 100);
	/* what is done before a construct is its parent's: 0.9 ms there, and 0.1 ms of waiting, each time */
	for (int i = 0; i < 8; i++) {
		int is_even = i & 1, is_dense = i >> 1 & 1, is_searched = i >> 2;
		struct ompp_access access[2] = { { .node = 1, .row = 0, .object = 2 },
			                         { .node = 1, .row = 1, .object = 2 } };

		one(OMPP_LOOP, N, "");
		because(OMPP_CAUSE_BEFORE, N);
		access[0].values[OMPP_ACCESS_ALL] = is_dense ? 20000 * N : 100 * N;
		access[1].values[OMPP_ACCESS_ALL] = access[0].values[OMPP_ACCESS_ALL] * (is_even ? 10 : 11) / 10;
		profile.objects = objects;
		profile.n_objects = 3;
		profile.accesses = access;
		profile.n_accesses = 2;
		profile.hooked = 1;
		profile.sharing = is_searched;
		assert_int_equal(find("ImbalanceBefore") == NULL, is_searched && is_dense && is_even);
	}
}

/* Where the difference may be that of caches and memory, the finding says so; a factor of two is none. */
static void test_doubt(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 10000, "");
	because(OMPP_CAUSE_BODY, 10000);
	work(10 * MS, 12 * MS, 1 * MS);
	slices(16, 2 * MS, 100000, 0);
	assert_non_null(strstr(find("ImbalanceInParallelLoop")->evidence, "equally fast without memory accesses"));
	work(10 * MS, 20 * MS, 1 * MS);
	slices(16, 10 * MS, 100000, 0);
	assert_null(strstr(find("ImbalanceInParallelLoop")->evidence, "equally fast"));
	work(10 * MS, 12 * MS, 1 * MS);
	slices(16, 2 * MS, 100000, 60); /* a processor was slower by more than a twentieth */
	assert_null(strstr(find("ImbalanceInParallelLoop")->evidence, "equally fast"));
	slices(16, 2 * MS, 100000, 0); /* both cores are shared: a fifth of what that costs is not the program's */
	profile.least_pace_ps = 105000;
	assert_non_null(
		strstr(find("ImbalanceInParallelLoop")->evidence, "equally slow without memory accesses, 1.90 times"));
	profile.least_pace_ps = 95000; /* 2.1 times as slow as at best: 22 % */
	assert_null(find("ImbalanceInParallelLoop"));
	assert_non_null(find("SpeedVaries"));
	profile.least_pace_ps = OMPP_MISSING;
	slices(16, 2 * MS, 100000, 0); /* the speed was not measured */
	wait_of(0)->pace_ps = wait_of(1)->pace_ps = OMPP_MISSING;
	assert_null(strstr(find("ImbalanceInParallelLoop")->evidence, "equally fast"));
}

/* Of few executions the CPU time decides, less what a slower processor explains; below a second a quarter is noise. */
static void test_slower_once(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 1, "");
	because(OMPP_CAUSE_BODY, 1);
	work(1000 * MS, 1200 * MS, 0);
	slices(1, 0, OMPP_MISSING, 90);
	assert_non_null(find("ImbalanceInParallelLoop"));
	slices(1, 0, OMPP_MISSING, 100);
	assert_null(find("ImbalanceInParallelLoop"));
	assert_non_null(find("SpeedVaries"));
	slices(1, 0, OMPP_MISSING, 0);
	work(940 * MS, 1000 * MS, 0);
	assert_non_null(find("ImbalanceInParallelLoop"));
	work(939 * MS, 999 * MS, 0);
	assert_null(find("ImbalanceInParallelLoop"));
	assert_null(find("SpeedVaries"));
	work(750 * MS, 999 * MS, 0);
	assert_null(find("ImbalanceInParallelLoop"));
	work(740 * MS, 999 * MS, 0);
	assert_non_null(find("ImbalanceInParallelLoop"));
	waits[0].off_ns = 2600 * MS; /* a tenth of it may have been before the work */
	assert_null(find("ImbalanceInParallelLoop"));
	waits[0].off_ns = 2580 * MS;
	assert_non_null(find("ImbalanceInParallelLoop"));
	waits[0].off_ns = 0;
}

/* What threads waited for a processor, as the kernel counts it, is the system's part of all late begins and ends. */
static void test_late(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 2000, "");
	because(OMPP_CAUSE_START, 50);
	work(10 * MS, 10 * MS, 1000);
	cells[1].startup_ns = 120 * MS;
	assert_int_equal(find("ThreadsComeLate")->ns, 100 * MS);
	assert_int_equal(find("ManagementOfTeams")->ns, 120 * MS);
	assert_null(find("ProcessorTakenAway"));
	profile.queued_ns = 10 * MS; /* 9 of them in the parallel region, as that takes 0.9 s of 1 s */
	profile.queued_all_ns = 25 * MS;
	assert_int_equal(find("ThreadsComeLate")->ns, 80 * MS);
	assert_int_equal(find("ManagementOfTeams")->ns, 96 * MS);
	assert_non_null(strstr(find("ManagementOfTeams")->evidence, "20.0 % of this is left out here"));
	assert_int_equal(find("ProcessorTakenAway")->ns, 44 * MS);
	/* from a quarter on it is the system's */
	profile.queued_all_ns = 91 * MS;
	assert_null(find("ThreadsComeLate"));
	assert_null(find("ManagementOfTeams"));
	assert_int_equal(find("ProcessorTakenAway")->ns, 165 * MS);
	profile.queued_all_ns = 600 * MS;
	assert_null(find("ThreadsComeLate"));
	assert_null(find("ManagementOfTeams"));
	assert_int_equal(find("ProcessorTakenAway")->ns, 220 * MS);
	profile.queued_all_ns = OMPP_MISSING;
	assert_int_equal(find("ThreadsComeLate")->ns, 100 * MS);
}

/* A share of what is not known is not known; of a finding that was counted the summary says neither. */
static void test_unknown_share(void **state)
{
	(void)state;
	assert_int_equal(ompp_share(OMPP_MISSING, 1000), OMPP_MISSING);
	assert_int_equal(ompp_share(1, 0), OMPP_MISSING);
	assert_int_equal(ompp_share(1, 3), 333333333);
}

/* What a hypervisor takes is no fault of the program. */
static void test_stolen(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 50, "");
	because(OMPP_CAUSE_STOLEN, 50);
	work(10 * MS, 10 * MS, 1000);
	assert_int_equal(find("ProcessorTakenAway")->ns, 100 * MS);
	assert_non_null(strstr(find("ProcessorTakenAway")->evidence, "a hypervisor"));
	assert_null(find("ThreadsComeLate"));
	/* of a run of 90 ms nothing of this is said */
	profile.duration_ns = 90 * MS;
	assert_null(find("ProcessorTakenAway"));
	assert_true(findings.is_short);
	profile.clock = "fake";
	assert_non_null(find("ProcessorTakenAway"));
	assert_false(findings.is_short);
}

/* The work is unequal, but it is not always the same thread that has more. */
static void test_varies(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 100, "");
	because(OMPP_CAUSE_BODY, 100);
	work(3900000, 4000000, 3 * MS); /* 1 ms of waiting each time is a quarter of 4 ms, and no more */
	assert_null(find("WorkVariesBetweenThreads"));
	assert_non_null(find("SpeedVaries"));
	work(3800000, 3900000, 3 * MS);
	assert_null(find("ImbalanceInParallelLoop"));
	assert_int_equal(find("WorkVariesBetweenThreads")->ns, 100 * MS);
	/* where slices are known, in the median one, too */
	for (uint32_t r = 0; r < 2; r++) {
		wait_of(r)->n_look_slices = 13;
		wait_of(r)->usual_body_ns = 487500;
	}
	assert_null(find("WorkVariesBetweenThreads"));
	wait_of(1)->usual_body_ns += 1;
	assert_non_null(find("WorkVariesBetweenThreads"));
	wait_of(1)->usual_body_ns = OMPP_MISSING;
	assert_non_null(find("WorkVariesBetweenThreads"));
	/* without CPU times the cause may be processors that were taken away */
	wait_of(0)->off_ns = wait_of(1)->off_ns = OMPP_MISSING;
	assert_null(find("WorkVariesBetweenThreads"));
	/* while a thread has no processor the other one waits for it, or does its part */
	wait_of(0)->off_ns = 30 * MS;
	wait_of(1)->off_ns = 0;
	assert_int_equal(find("WorkVariesBetweenThreads")->ns, 70 * MS);
	/* on a busy machine also as long as the kernel counts, wherever a thread seems to have slept */
	profile.queued_ns = 60 * MS;
	profile.queued_all_ns = 69 * MS;
	assert_int_equal(find("WorkVariesBetweenThreads")->ns, 70 * MS);
	profile.queued_all_ns = 70 * MS;
	assert_null(find("WorkVariesBetweenThreads"));
	profile.queued_ns = profile.queued_all_ns = OMPP_MISSING;
	wait_of(1)->off_ns = 70 * MS;
	assert_null(find("WorkVariesBetweenThreads"));
	/* the difference is beyond the noise, but too little to make anybody wait for so long */
	wait_of(0)->off_ns = wait_of(1)->off_ns = 0;
	work(3800000, 3900000, 100000);
	assert_null(find("ImbalanceInParallelLoop"));
	assert_non_null(find("WorkVariesBetweenThreads"));
}

/* The same of two processes: in each of them one thread waits, and slices count where all four threads have some. */
static void test_varies_in_ranks(void **state)
{
	static const struct ompp_row four[] = { { "r0:0", 1, 1, 0, OMPP_NONE },
		                                { "r0:1", 1, 1, 1, OMPP_NONE },
		                                { "r1:0", 2, 1, 0, OMPP_NONE },
		                                { "r1:1", 2, 1, 1, OMPP_NONE } };

	(void)state;
	one(OMPP_PARALLEL_LOOP, 100, "");
	because(OMPP_CAUSE_BODY, 100);
	work(3800000, 3900000, 3 * MS);
	profile.rows = four;
	profile.n_rows = profile.n_cells = profile.n_waits = nodes[1].n_cells = 4;
	for (uint32_t k = 2; k < 4; k++) {
		cells[k] = cells[k - 2];
		cells[k].row = k;
		waits[k] = waits[k - 2];
		waits[k].cell = k;
	}
	assert_int_equal(find("WorkVariesBetweenThreads")->ns, 200 * MS);
	for (uint32_t k = 0; k < 4; k++) {
		waits[k].n_look_slices = 13;
		waits[k].usual_body_ns = 487500;
	}
	assert_null(find("WorkVariesBetweenThreads"));
	waits[0].n_look_slices = 0;
	assert_non_null(find("WorkVariesBetweenThreads"));
}

/* Of one execution no noise is known, so CPU time decides, where there is one. */
static void test_once(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 1, "");
	because(OMPP_CAUSE_BODY, 1);
	work(100 * MS, 200 * MS, 0);
	assert_non_null(find("ImbalanceInParallelLoop"));
	assert_non_null(strstr(find("ImbalanceInParallelLoop")->evidence, "CPU times were compared"));
	work(197 * MS, 200 * MS, 0);
	assert_null(find("ImbalanceInParallelLoop"));
	work(1 * MS, 2 * MS, 0);
	assert_null(find("ImbalanceInParallelLoop")); /* readings of CPU time are not that exact */
	work(100 * MS, 200 * MS, 0);
	wait_of(0)->off_ns = OMPP_MISSING;
	assert_null(find("ImbalanceInParallelLoop"));
}

/* Short waits are not looked at; only work that is unequal throughout explains them. */
static void test_short_waits(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 10000, "");
	work(20000, 28000, 1000);
	assert_int_equal(find("ImbalanceInParallelLoop")->ns, 80 * MS);
	work(20000, 20000, 1000);
	assert_null(find("ImbalanceInParallelLoop"));
	assert_null(find("WorkVariesBetweenThreads"));
	/* some were looked at: their causes stand for all */
	wait_of(0)->n_looked = 50;
	wait_of(0)->looked_ns = 1 * MS;
	wait_of(0)->cause_ns[OMPP_CAUSE_BODY] = 600000;
	wait_of(0)->cause_ns[OMPP_CAUSE_START] = 400000;
	work(20000, 28000, 1000);
	assert_int_equal(find("ImbalanceInParallelLoop")->ns, 60 * MS);
	assert_int_equal(find("ThreadsComeLate")->ns, 40 * MS);
	assert_non_null(strstr(find("ThreadsComeLate")->evidence,
	                       "Sampled: the causes of 50 of 20 000 waits were looked for."));
}

/* In a profile without arrivals, the sums of the bodies have to explain the wait. */
static void test_old(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 5, "");
	profile.n_waits = 0;
	assert_int_equal(find("ImbalanceInParallelLoop")->ns, 100 * MS);
	assert_non_null(
		strstr(find("ImbalanceInParallelLoop")->evidence, "only sums over all executions were compared"));
	cells[0].body_ns = 890 * MS;
	assert_null(find("ImbalanceInParallelLoop"));
}

/* Constructs that threads come late to, and constructs in which one thread works alone. */
static void test_constructs(void **state)
{
	(void)state;
	one(OMPP_SINGLE, 3, "");
	cells[2].n_body = 0;
	cells[3].n_body = 3;
	because(OMPP_CAUSE_BODY, 3);
	assert_int_equal(find("UnparallelizedInSingleRegion")->ns, 100 * MS);
	assert_non_null(strstr(advice("UnparallelizedInSingleRegion"), "nowait"));
	regions[1].clauses = "copyprivate";
	assert_null(strstr(advice("UnparallelizedInSingleRegion"), "nowait"));
	profile.n_waits = 0;
	assert_non_null(find("UnparallelizedInSingleRegion"));
	nodes[2].n_cells = 1; /* a team of one waits for nobody */
	assert_null(find("UnparallelizedInSingleRegion"));
	one(OMPP_SINGLE, 3, "");
	because(OMPP_CAUSE_BEFORE, 3);
	assert_null(find("UnparallelizedInSingleRegion"));
	assert_int_equal(find("ImbalanceBefore")->ns, 100 * MS);
	assert_int_equal(find("ImbalanceBefore")->region, 1);
	/* now one is late and now the other, and that may be what the system took before */
	wait_of(1)->n_looked = 3;
	wait_of(1)->looked_ns = 100 * MS;
	wait_of(1)->cause_ns[OMPP_CAUSE_BEFORE] = 80 * MS;
	assert_int_equal(find("ImbalanceBefore")->ns, 90 * MS);
	wait_of(0)->off_ns = 200 * MS; /* a tenth of it */
	assert_int_equal(find("ImbalanceBefore")->ns, 70 * MS);
	wait_of(0)->off_ns = 900 * MS; /* then the difference of 20 ms of 180 is left, which is little */
	cells[0].body_ns = cells[1].body_ns = 1900 * MS;
	assert_null(find("ImbalanceBefore"));
	wait_of(0)->off_ns = 0;
	cells[0].body_ns = cells[1].body_ns = 900 * MS;
	wait_of(1)->n_looked = 0;
	wait_of(1)->looked_ns = wait_of(1)->cause_ns[OMPP_CAUSE_BEFORE] = 0;
	/* 0.1 s of 0.8 s: a processor that is slower by 7 % explains that, as the square of it is 14 % */
	wait_of(0)->pace_ps = 1000;
	wait_of(1)->pace_ps = 1070;
	wait_of(1)->work_ns = 801 * MS;
	assert_null(find("ImbalanceBefore"));
	wait_of(1)->pace_ps = 1050;
	assert_non_null(find("ImbalanceBefore"));
	cells[0].body_ns = cells[1].body_ns = 2200 * MS; /* less than a twentieth */
	assert_null(find("ImbalanceBefore"));

	one(OMPP_SECTIONS, 20, "");
	cells[2].n_body = 20;
	cells[3].n_body = 20;
	because(OMPP_CAUSE_BODY, 20);
	work(10 * MS, 15 * MS, MS);
	assert_non_null(find("ImbalanceInParallelSections"));
	/* beside a load one may find no section left */
	wait_of(0)->least_ns = 9 * MS;
	waits[0].off_ns = 900 * MS;
	assert_non_null(find("ImbalanceInParallelSections"));
	wait_of(0)->least_ns = MS;
	assert_null(find("ImbalanceInParallelSections"));
	waits[0].off_ns = 0;
	assert_non_null(find("ImbalanceInParallelSections"));
	cells[2].n_body = 0;
	assert_non_null(find("ImbalanceDueToNotEnoughSections"));

	one(OMPP_BARRIER, 20, "");
	cells[2].exec_ns = 100 * MS;
	cells[2].exit_bar_ns = cells[3].exec_ns = 0;
	because(OMPP_CAUSE_BODY, 20);
	work(10 * MS, 15 * MS, MS);
	assert_int_equal(find("WaitAtBarrier")->ns, 100 * MS);
	work(10 * MS, 10 * MS, MS);
	assert_null(find("WaitAtBarrier"));
}

/* A barrier takes as long as the work; this is not found where threads wait for processors. */
static void test_short_work(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 10000, "");
	because(OMPP_CAUSE_LEAVE, 10000);
	work(20000, 20000, 100);
	assert_int_equal(find("TooLittleWorkBetweenBarriers")->ns, 100 * MS);
	assert_non_null(strstr(find("TooLittleWorkBetweenBarriers")->evidence, "the barrier takes 5.00 us more"));
	work(80000, 80000, 100);
	assert_null(find("TooLittleWorkBetweenBarriers"));
	work(20000, 20000, 100);
	wait_of(1)->off_ns = 200 * MS;
	assert_null(find("TooLittleWorkBetweenBarriers"));
}

static const char *loop_advice(const char *clauses)
{
	one(OMPP_PARALLEL_LOOP, 100, clauses);
	because(OMPP_CAUSE_BODY, 100);
	work(1 * MS, 2 * MS, 1000);
	return advice("ImbalanceInParallelLoop");
}

/* Clauses that the loop has already are not advised. */
static void test_loop_advice(void **state)
{
	(void)state;
	assert_non_null(strstr(loop_advice(""), "schedule(dynamic)"));
	assert_non_null(strstr(loop_advice(""), "collapse(2)"));
	assert_null(strstr(loop_advice("collapse(2) reduction"), "collapse"));
	assert_null(strstr(loop_advice("schedule(dynamic, 8)"), "schedule("));
	assert_non_null(strstr(loop_advice("schedule(dynamic, 8)"), "smaller chunk"));
	assert_null(strstr(loop_advice("schedule(dynamic)"), "chunk"));
	assert_null(strstr(loop_advice("schedule(nonmonotonic: dynamic)"), "schedule("));
	assert_null(strstr(loop_advice("schedule(guided)"), "schedule(guided)"));
	assert_non_null(strstr(loop_advice("schedule(static, 16)"), "smaller chunk"));
	assert_non_null(strstr(loop_advice("schedule(runtime)"), "OMP_SCHEDULE"));
}

/* Processors that were taken away, and more threads than processors. */
static void test_processors(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 10, "");
	wait_of(0)->off_ns = 300 * MS;
	assert_int_equal(find("ProcessorTakenAway")->ns, 300 * MS);
	assert_int_equal(find("ProcessorTakenAway")->region, OMPP_NONE);
	assert_null(find("MoreThreadsThanProcessors"));
	profile.processors_milli = 1500;
	assert_int_equal(find("MoreThreadsThanProcessors")->ns, 300 * MS);
	assert_non_null(strstr(find("MoreThreadsThanProcessors")->evidence, "2 threads on 1.50 processors"));
	assert_null(find("ProcessorTakenAway"));
	profile.processors_milli = OMPP_MISSING;
	assert_null(find("MoreThreadsThanProcessors"));
	wait_of(0)->off_ns = 0;
	assert_null(find("ProcessorTakenAway"));
}

/* Threads work for 1.7 s, and for 0.1 s outside of regions, and had a processor for 0.5 s of this. */
static void test_unused(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 10, "");
	assert_null(find("LowProcessorUse"));
	profile.user_ns = 450 * MS;
	profile.system_ns = 50 * MS;
	/* the kernel's count of all threads may be of what a thread seems to have slept */
	profile.queued_all_ns = 400 * MS;
	assert_int_equal(find("LowProcessorUse")->ns, 900 * MS);
	regions[0]
		.clauses = "schedule(static, 1) ordered"; /* and the other thread may have slept as long for its turn */
	assert_int_equal(find("LowProcessorUse")->ns, 500 * MS);
	profile.queued_all_ns = 700 * MS;
	assert_null(find("LowProcessorUse"));
	regions[0].clauses = "";
	profile.queued_all_ns = OMPP_MISSING;
	assert_int_equal(find("LowProcessorUse")->ns, 1300 * MS);
	assert_non_null(strstr(find("LowProcessorUse")->evidence, "0.500 s of 2.00 s that 2 threads had"));
	profile.queued_ns = 400 * MS; /* the time that it was ready to run is no sleep */
	assert_int_equal(find("LowProcessorUse")->ns, 900 * MS);
	profile.queued_ns = 1250 * MS;
	assert_null(find("LowProcessorUse"));
	profile.queued_ns = OMPP_MISSING; /* where that time is not known, it is found on an idle machine alone */
	assert_int_equal(find("LowProcessorUse")->ns, 1300 * MS);
	wait_of(0)->off_ns = 300 * MS;
	assert_null(find("LowProcessorUse"));
	wait_of(0)->off_ns = 0;
	profile.queued_ns = 400 * MS; /* and of tasks that others ran while they waited nobody knows it */
	cells[0].task_ns = 50 * MS;
	assert_int_equal(find("LowProcessorUse")->ns, 850 * MS);
	cells[0].task_ns = 0;
	profile.queued_ns = OMPP_MISSING;
	profile.stolen_most_ns = 400 * MS; /* what a hypervisor took from each thread at most is no sleep, either */
	assert_int_equal(find("LowProcessorUse")->ns, 500 * MS);
	profile.stolen_most_ns = OMPP_MISSING;
	profile.user_ns = 1600 * MS;
	assert_null(find("LowProcessorUse")); /* it is less than a tenth */
	profile.user_ns = OMPP_MISSING;
	assert_null(find("LowProcessorUse"));
}

/* 87 % of the run lie outside of parallel regions, so that it could be 1.15 times as fast at most. */
/* Of 500 ms outside of the loop 300 are in MPI. */
static void test_mpi(void **state)
{
	const struct ompp_finding *f;

	(void)state;
	one(OMPP_PARALLEL_LOOP, 10, "");
	for (int k = 0; k < 2; k++)
		cells[k].exec_ns = cells[k].incl_ns = cells[k].body_ns = 500 * MS;
	cells[0].exit_bar_ns = 0;
	regions[1] = (struct ompp_region){ 2, OMPP_MPI_COLLECTIVE, "a.c", 12, 12, "MPI_Barrier", 0, 0, "", "", "" };
	nodes[2] = (struct ompp_node){ 0, 1, OMPP_MPI_COLLECTIVE, 2, 1 };
	cells[2] = (struct ompp_cell){ .n_exec = 3, .exec_ns = 300 * MS, .incl_ns = 300 * MS };
	profile.n_regions = 2;
	profile.n_nodes = profile.n_cells = 3;
	f = find("MpiWhileThreadsIdle");
	assert_non_null(f);
	assert_int_equal(f->ns, 300 * MS);
	assert_int_equal(f->gain_ns, OMPP_MISSING);
	assert_int_equal(f->region, 1);
	assert_non_null(strstr(f->evidence, "0.300 s of 1.00 s (30.0 %)"));
	/* in a parallel region the others may work */
	nodes[2].parent = 1;
	assert_null(find("MpiWhileThreadsIdle"));
	nodes[2].parent = 0;
	/* starting MPI is no waiting */
	nodes[2].construct = regions[1].construct = OMPP_MPI_MANAGEMENT;
	assert_null(find("MpiWhileThreadsIdle"));
}

/* Of 870 ms outside of regions 500 are sampled, so at least the rest less the errors was slept. */
static void test_slept_outside(void **state)
{
	struct ompp_hot_spot spots[] = { { .row = 0, .module = "", .function = "f", .within = "", .file = "a.c" } };
	const struct ompp_finding *f;

	(void)state;
	one(OMPP_PARALLEL_LOOP, 10, "");
	for (int k = 0; k < 2; k++)
		cells[k].exec_ns = cells[k].incl_ns = cells[k].body_ns = 130 * MS;
	cells[0].exit_bar_ns = 0;
	spots[0].n = 100;
	spots[0].ns = 400 * MS;
	profile.user_ns = 650 * MS;
	profile.system_ns = 10 * MS;
	profile.queued_ns = 20 * MS;
	profile.hot_spots = spots;
	profile.n_hot_spots = 1;
	profile.hot_period_ns = 4 * MS;
	f = find("WaitingOutsideRegions");
	assert_non_null(f);
	/* 870 - 400 - 3 * 40 (standard error) - 3 * 4 (periods) - 10 - 20 */
	assert_int_equal(f->gain_ns, 308 * MS);
	assert_int_equal(f->ns, 616 * MS);
	assert_non_null(strstr(f->evidence, "at least 0.308 s"));
	/* the other 206 ms may have been sleep there, too: in the regions only what is beyond that was */
	assert_null(find("LowProcessorUse"));
	profile.user_ns = 450 *
	                  MS; /* 356 of these surely outside, so of 260 ms in regions at most 104, and 20 queued */
	assert_int_equal(find("LowProcessorUse")->ns, 136 * MS);
	profile.user_ns = 650 * MS;
	assert_int_equal(find("SerialPart")->ns, 542 * MS); /* without the 20 ms that the system took, either */
	assert_int_equal(find("SerialPart")->gain_ns, 271 * MS);
	assert_non_null(strstr(find("SerialPart")->evidence, "Some 0.328 s of the serial time is no work: the "
	                                                     "thread slept, or waited for a processor."));
	profile.stolen_most_ns = 8 * MS; /* a hypervisor may have had it there */
	assert_int_equal(find("WaitingOutsideRegions")->gain_ns, 300 * MS);
	profile.stolen_most_ns = OMPP_MISSING;
	profile.queued_ns = 228 * MS; /* 0.1 s is left, of a second */
	assert_non_null(find("WaitingOutsideRegions"));
	profile.queued_ns = 229 * MS;
	assert_null(find("WaitingOutsideRegions"));
	/* beside a load it may have waited for a processor all of that time: that is no sleep, and no work */
	profile.queued_ns = 320 * MS;
	assert_null(find("WaitingOutsideRegions"));
	assert_int_equal(find("SerialPart")->ns, 550 * MS); /* 870 - 320 */
	assert_non_null(strstr(find("SerialPart")->evidence, "no work: the thread waited for a processor."));
	profile.queued_ns = 900 * MS;
	assert_int_equal(find("SerialPart")->ns, 356 * MS); /* 400 - 40 - 4: so much was work surely */
	spots[0].ns = 40 * MS; /* of few samples nothing is sure, and the system may have had all of it */
	spots[0].n = 1;
	assert_null(find("SerialPart"));
	spots[0].ns = 400 * MS;
	spots[0].n = 100;
	profile.queued_ns = 0;
	assert_non_null(strstr(find("SerialPart")->evidence, "no work: the thread slept."));
	profile.queued_ns = 20 * MS;
	/* what is not known of sleep leaves the serial part as it is */
	profile.n_hot_stopped = 1;
	assert_null(find("WaitingOutsideRegions"));
	assert_int_equal(find("SerialPart")->ns, 870 * MS);
	profile.n_hot_stopped = 0;
	profile.queued_ns = OMPP_MISSING;
	assert_null(find("WaitingOutsideRegions"));
	profile.queued_ns = 0;
	profile.system_ns = 330 * MS; /* work of the kernel is no sleep */
	assert_null(find("WaitingOutsideRegions"));
	profile.system_ns = 0;
	profile.hot_period_ns = 0;
	assert_null(find("WaitingOutsideRegions"));
	profile.n_hot_spots = 0;
}

static void test_serial(void **state)
{
	struct ompp_hot_spot spots[] = { { .module = "", .function = "f", .within = "", .file = "a.c" },
		                         { .module = "", .function = "g", .within = "", .file = "" } };
	const struct ompp_finding *f;

	(void)state;
	one(OMPP_PARALLEL_LOOP, 10, "");
	for (int k = 0; k < 2; k++)
		cells[k].exec_ns = cells[k].incl_ns = cells[k].body_ns = 130 * MS;
	cells[0].exit_bar_ns = 0;
	profile.user_ns = 1130 * MS;
	f = find("SerialPart");
	assert_non_null(f);
	assert_int_equal(f->number, 1);
	assert_int_equal(f->ns, 870 * MS);
	assert_int_equal(f->severity, 435000000);
	assert_int_equal(f->gain_ns, 435 * MS);
	assert_non_null(strstr(f->evidence, "0.870 s of 1.00 s (87.0 %)"));
	assert_non_null(strstr(f->evidence, "at most 1.15 times as fast"));
	/* no run is shorter than its work: but of 1.9 s of CPU time the other thread may have taken 0.87 s with waiting
	 */
	profile.user_ns = 1900 * MS;
	assert_int_equal(find("SerialPart")->gain_ns, 435 * MS);
	assert_int_equal(findings.together_ns, 435 * MS);
	profile.user_ns = OMPP_MISSING;
	assert_int_equal(find("SerialPart")->gain_ns, 435 * MS);
	profile.off_ns = 600 * MS; /* this time was not measured, and does not count as serial */
	assert_int_equal(find("SerialPart")->ns, 270 * MS);
	profile.off_ns = 0;
	/* nor does what is before main(), of which there may be no more than serial time */
	profile.before_main_ns = 300 * MS;
	f = find("SerialPart");
	assert_int_equal(f->ns, 570 * MS);
	assert_non_null(strstr(f->evidence, "0.570 s of 1.00 s (57.0 %)"));
	assert_non_null(strstr(f->evidence, "and 0.300 s before main()"));
	assert_non_null(strstr(f->evidence, "at most 1.15 times as fast"));
	profile.before_main_ns = 900 * MS;
	assert_null(find("SerialPart"));
	profile.before_main_ns = 100000;
	assert_null(strstr(find("SerialPart")->evidence, "main()"));
	profile.before_main_ns = OMPP_MISSING;
	/* what MPI takes of it is not known: without samples nothing is, with them what is in the program's own code */
	profile.mpi_rank = 0;
	profile.mpi_size = 2;
	assert_null(find("SerialPart"));
	spots[0].ns = 300 * MS;
	spots[1].ns = 400 * MS;
	spots[1].module = "libmpi.so.40";
	profile.hot_spots = spots;
	profile.n_hot_spots = 2;
	f = find("SerialPart");
	assert_int_equal(f->ns, 300 * MS);
	assert_int_equal(f->gain_ns, OMPP_MISSING);
	assert_non_null(strstr(f->evidence, "waiting for other ranks"));
	profile.n_hot_spots = 0;
	profile.mpi_rank = -1;
	profile.mpi_size = 0;
	/* without regions nothing is known of the program */
	profile.n_nodes = 1;
	profile.user_ns = 100 * MS;
	assert_null(find("SerialPart"));
	assert_null(find("LowProcessorUse"));
	assert_null(find("WaitingOutsideRegions"));
	profile.n_nodes = 2;
	profile.max_threads = 1;
	profile.n_rows = 1;
	nodes[1].n_cells = 1;
	profile.n_waits = 0;
	assert_null(find("SerialPart")); /* there is no other thread */
}

/* Managing teams takes 71.7 % of a run. */
static void test_management(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 10000, "");
	for (int k = 0; k < 2; k++) {
		cells[k].startup_ns = 500 * MS;
		cells[k].shutdown_ns = 217 * MS;
		cells[k].body_ns = 183 * MS;
	}
	cells[0].exit_bar_ns = 0;
	assert_int_equal(find("ManagementOfTeams")->severity, 717000000);
	assert_int_equal(find("ManagementOfTeams")->gain_ns, 717 * MS);
	assert_non_null(strstr(advice("ManagementOfTeams"), "if clause"));
	regions[0].clauses = "if";
	assert_null(strstr(advice("ManagementOfTeams"), "if clause"));
	assert_non_null(strstr(find("ManagementOfTeams")->evidence, "the work in it 18.3 us (20 000 executions"));
	cells[1].task_ns = 60 * MS; /* tasks at the end of the region are work, too */
	assert_non_null(strstr(find("ManagementOfTeams")->evidence, "the work in it 21.3 us (20 000 executions"));
	cells[1].task_ns = 0;
	waits[0].made_ns = waits[1].made_ns = 400 * MS;
	assert_int_equal(find("ManagementOfTeams")->ns, 634 * MS);
	assert_int_equal(find("TeamMade")->ns, 800 * MS);
	waits[0].made_ns = waits[1].made_ns = 0;
}

/* No waking of threads takes 100 us by two: it is the machine that holds up such teams, where the kernel or /proc/stat
 * tells that the program's own threads do not share processors.  What the kernel counts is told already. */
static void test_held_up(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 1000, "");
	for (int k = 0; k < 2; k++) {
		cells[k].startup_ns = 60 * MS;
		cells[k].shutdown_ns = 40 * MS;
	}
	profile.queued_all_ns = 0;
	assert_int_equal(find("ManagementOfTeams")->ns, 200 * MS); /* 100 us */
	assert_null(find("ProcessorTakenAway"));
	profile.stolen_ns = 110 * MS; /* what it may not have taken is a twentieth of the region's time */
	assert_non_null(strstr(find("ManagementOfTeams")->evidence, "Up to 0.110 s of all may be a hypervisor's part"));
	profile.stolen_ns = 110 * MS + 1;
	assert_null(find("ManagementOfTeams"));
	profile.stolen_ns = 55 * MS + 1; /* each of two processes may have lost as much */
	profile.n_merged = 2;
	assert_null(find("ManagementOfTeams"));
	profile.n_merged = 0;
	profile.stolen_ns = OMPP_MISSING;
	cells[1].startup_ns += 2000; /* a nanosecond each */
	assert_null(find("ManagementOfTeams"));
	assert_int_equal(find("ProcessorTakenAway")->ns, 200 * MS + 2000);
	assert_int_equal(find("ProcessorTakenAway")->gain_ns, 100 * MS + 1000);
	assert_non_null(strstr(find("ProcessorTakenAway")->evidence,
	                       "Starting and ending teams of PARALLEL LOOP a.c (1-9) takes a "
	                       "thread 100 us each time, the work in it 850 us"));
	assert_non_null(strstr(find("ProcessorTakenAway")->evidence, "nothing that it tells of"));
	profile.queued_all_ns = OMPP_MISSING; /* threads may wait for each other's processors */
	assert_null(find("ProcessorTakenAway"));
	assert_int_equal(find("ManagementOfTeams")->ns, 200 * MS + 2000);
	profile.stolen_ns = 50 * MS; /* less than a quarter does not explain it */
	assert_null(find("ProcessorTakenAway"));
	profile.stolen_ns = 50 * MS + 500;
	assert_null(find("ManagementOfTeams"));
	assert_non_null(
		strstr(find("ProcessorTakenAway")->evidence, "a hypervisor had processors for 50.0 ms of the run"));
	profile.stolen_ns = OMPP_MISSING;
	wait_of(0)->off_ns = 50 * MS; /* the kernel counts as much, wherever it was */
	profile.queued_ns = 0;
	profile.queued_all_ns = 60 * MS;
	assert_null(find("ManagementOfTeams"));
	assert_null(strstr(find("ProcessorTakenAway")->evidence, "Starting and ending"));
	profile.queued_all_ns = 0;
	wait_of(0)->off_ns = 0;
	profile.duration_ns = 90 * MS; /* of so short a run nothing of the machine is said */
	assert_null(find("ManagementOfTeams"));
	assert_null(find("ProcessorTakenAway"));
}

/* Teams that are held up where the processors' speed varied, too: one finding, by the name that says more. */
static void test_held_up_and_slower(void **state)
{
	const struct ompp_finding *f;

	(void)state;
	one(OMPP_PARALLEL_LOOP, 1000, "");
	because(OMPP_CAUSE_BODY, 1000);
	work(10 * MS, 12 * MS, 1 * MS);
	slices(16, 2 * MS, 420000, 0);
	cells[0].startup_ns = cells[1].startup_ns = 120 * MS;
	assert_non_null(find("SpeedVaries"));
	profile.queued_all_ns = 0;
	assert_null(find("SpeedVaries"));
	f = find("ProcessorTakenAway");
	assert_int_equal(f->ns, 340 * MS);
	assert_non_null(strstr(f->evidence, ": threads work 10.0 to 12.0 ms"));
	assert_non_null(strstr(f->evidence, "Starting and ending teams"));
}

/* What a few teams took beyond what they usually take is paid now and then, by the system's doing. */
static void test_management_usual(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 5000, "");
	cells[1].startup_ns = 120 * MS;
	cells[1].shutdown_ns = 60 * MS;
	waits[0].usual_ns = 90 * MS;
	assert_int_equal(find("ManagementOfTeams")->ns, 90 * MS);
	assert_int_equal(find("ManagementOfTeams")->gain_ns, 45 * MS);
	assert_non_null(strstr(find("ManagementOfTeams")->evidence, "Another 90.0 ms, which a few teams took"));
	waits[0].usual_ns = 90 * MS - 1; /* less than a twentieth of the region's time is no finding */
	assert_null(find("ManagementOfTeams"));
	waits[0].usual_ns = 177 * MS; /* too little is left out to be spoken of */
	assert_null(strstr(find("ManagementOfTeams")->evidence, "Another"));
	waits[0].usual_ns = 0;
	assert_null(find("ManagementOfTeams"));
	waits[0].usual_ns = OMPP_MISSING; /* as in profiles of before */
	assert_int_equal(find("ManagementOfTeams")->ns, 180 * MS);
	one(OMPP_PARALLEL_LOOP, 9, ""); /* of so few nothing tells what is usual */
	cells[1].startup_ns = 120 * MS;
	assert_null(find("ManagementOfTeams"));
}

/* What page faults take explains unequal work where it is a third of the difference: 667 of 1 us each of 2 ms. */
static void test_faults(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 1000, "");
	because(OMPP_CAUSE_BODY, 1000);
	work(10 * MS, 12 * MS, 1 * MS);
	slices(16, 2 * MS, 100000, 0);
	profile.fault_ps = 1000000;
	wait_of(0)->n_faults = 7 * 1000;
	wait_of(1)->n_faults = 674 * 1000;
	assert_null(find("ImbalanceInParallelLoop"));
	assert_int_equal(find("PageFaultsInOneThread")->ns, 100 * MS);
	assert_int_equal(find("PageFaultsInOneThread")->gain_ns, 100 * MS); /* by the one that waits */
	assert_int_equal(find("PageFaultsInOneThread")->region, 0);
	assert_non_null(
		strstr(find("PageFaultsInOneThread")->evidence,
	               "has 674 page faults in that, the other one 7, and one takes some 1.00 us here at least"));
	wait_of(1)->n_faults = 673 * 1000;
	assert_non_null(find("ImbalanceInParallelLoop"));
	assert_null(find("PageFaultsInOneThread"));
	wait_of(0)->n_faults = 2000 * 1000; /* the faster thread has more */
	assert_non_null(find("ImbalanceInParallelLoop"));
	wait_of(0)->n_faults = 0;
	wait_of(1)->n_faults = 2000 * 1000;
	assert_non_null(find("PageFaultsInOneThread"));
	slices(16, 2 * MS, 420000, 0); /* not lasting */
	assert_null(find("PageFaultsInOneThread"));
	slices(16, 2 * MS, 100000, 0);
	profile.fault_ps = OMPP_MISSING;
	assert_non_null(find("ImbalanceInParallelLoop"));
	profile.fault_ps = 1000000;
	wait_of(1)->n_faults = OMPP_MISSING;
	assert_non_null(find("ImbalanceInParallelLoop"));
}

/* Work of the first thread alone costs nothing where the others do not wait. */
static void test_master(void **state)
{
	(void)state;
	one(OMPP_MASTER, 1, "");
	nodes[2].n_cells = 1;
	cells[2].exec_ns = 300 * MS;
	cells[2].exit_bar_ns = 0;
	assert_null(find("UnparallelizedInMasterRegion"));
	cells[1].exit_bar_ns = 200 * MS;
	assert_int_equal(find("UnparallelizedInMasterRegion")->ns, 200 * MS);
	cells[1].exit_bar_ns = 800 * MS;
	assert_int_equal(find("UnparallelizedInMasterRegion")->ns, 300 * MS);
}

/* A thread that waited to enter a critical region has no more work: what is found is the critical region. */
static void test_entries(void **state)
{
	(void)state;
	one(OMPP_CRITICAL, 10, "");
	cells[2].exit_bar_ns = 0;
	cells[0].exit_bar_ns = 100 * MS;
	waits[0].n_looked = 10;
	waits[0].looked_ns = waits[0].cause_ns[OMPP_CAUSE_BODY] = 100 * MS;
	waits[0].work_ns = 700 * MS;
	assert_int_equal(find("ImbalanceInParallelRegion")->ns, 100 * MS);
	cells[3].enter_ns = 100 * MS; /* thread 1, which arrived later */
	assert_null(find("ImbalanceInParallelRegion"));
	assert_int_equal(find("CriticalSectionContention")->gain_ns, 100 * MS);
	cells[3].enter_ns = 40 * MS; /* more than half of the difference is left */
	assert_non_null(find("ImbalanceInParallelRegion"));
	cells[2].enter_ns = cells[3].enter_ns = 100 * MS; /* both waited */
	assert_non_null(find("ImbalanceInParallelRegion"));
}

/* What would save most comes first, although something else costs more; and what it would save is never more than it
 * costs. */
/* What two profiles tell: a run with hooks has 8 million misses of the last modelled level, which are 512 MB, a loop of
 * the run without takes 40 ms, and the machine's memory gives 16 GB/s. */
static void test_two_profiles(void **state)
{
	static const struct ompp_object objects[] = { { .name = "(other)", .measured = 1 },
		                                      { .name = "(stack)", .measured = 1 },
		                                      { .name = "a", .measured = 1 } };
	static const struct ompp_cache_level level = { "L1", 32768, 8, 64, 0 };
	struct ompp_access access = {
		1, 0, 2, { 9000000, 0, 0, 72000000, 0, 0, 9000000, 8000000, OMPP_MISSING, OMPP_MISSING }
	};
	const struct ompp_region_time time = { .body_ns = 40 * MS };
	const char *why = NULL;
	const struct ompp_times times = { .duration_ns = 50 * MS, .time = &time, .why = &why };
	const struct ompp_finding *f;

	(void)state;
	one(OMPP_PARALLEL_LOOP, 1, "");
	profile.hooked = 1;
	profile.objects = objects;
	profile.n_objects = 3;
	profile.accesses = &access;
	profile.n_accesses = 1;
	profile.cache_levels = &level;
	profile.n_cache_levels = 1;
	assert_null(find("WorkWaitsForMemory"));
	options.times = &times;
	assert_null(find("WorkWaitsForMemory"));
	options.memory_rate = 16000;
	f = find("WorkWaitsForMemory");
	assert_non_null(f);
	assert_int_equal(f->gain_ns, 32 * MS);
	assert_int_equal(f->severity, OMPP_MISSING);
	assert_int_equal(ompp_finding_gain_share(&analysis, f), 640000000);
	assert_non_null(strstr(f->evidence, "takes 40.0 ms of the plain run's 50.0 ms: 12.8 GB/s or more"));
	assert_non_null(strstr(f->evidence, "gives 2 threads 16.0 GB/s"));
	options.memory_rate = 8000; /* it cannot be busy for longer than the loop */
	assert_int_equal(find("WorkWaitsForMemory")->gain_ns, 40 * MS);
	options.memory_rate = 26000; /* 19.7 ms, less than half of the loop */
	assert_null(find("WorkWaitsForMemory"));
	options.memory_rate = 25000;
	assert_non_null(find("WorkWaitsForMemory"));
}

static void test_gain(void **state)
{
	struct ompp_report_options most = { .property_min = 200000000 };
	const struct ompp_finding *f;
	char words[200];
	struct ompp_text t;

	(void)state;
	one(OMPP_CRITICAL, 10, "");
	cells[2].exit_bar_ns = 0;
	cells[2].enter_ns = 180 * MS; /* the other thread waits for this one, at the end of the region */
	cells[3].enter_ns = 20 * MS;
	cells[1].exit_bar_ns = 240 * MS;
	f = find("CriticalSectionContention");
	assert_int_equal(f->ns, 200 * MS);
	assert_int_equal(f->gain_ns, 180 * MS);
	assert_string_equal(f->meaning, "Threads wait to enter the critical region.");
	for (size_t i = 1; i < findings.n; i++)
		assert_true(findings.list[i - 1].gain_ns >= findings.list[i].gain_ns);
	ompp_text_init(&t, words, sizeof(words));
	ompp_finding_say_gain(&analysis, f, &t);
	assert_string_equal(t.data, "Without it the run would be at most 0.180 s (18.0 %) shorter.");

	/* a master costs 15 % of all threads' time, and the run would be 30 % shorter: the threshold is for the latter,
	 * too */
	one(OMPP_MASTER, 1, "");
	nodes[2].n_cells = 1;
	cells[2].exec_ns = 300 * MS;
	cells[2].exit_bar_ns = 0;
	cells[1].exit_bar_ns = 800 * MS;
	f = find("UnparallelizedInMasterRegion");
	assert_int_equal(f->gain_ns, 300 * MS);
	assert_int_equal(f->severity, 150000000);
	assert_int_equal(ompp_analysis_init(&analysis, &profile, &most, &arena), 0);
	assert_int_equal(ompp_findings(&analysis, &findings), 0);
	assert_true(findings.n && findings.n_below);
	for (size_t i = 0; i < findings.n; i++)
		assert_true(findings.list[i].severity >= 200000000 || findings.list[i].gain_ns >= 200 * MS);

	/* 2 threads on 1.5 processors: of 2 s of CPU time 0.1 s was spent waiting, and 1.9 s need 1.27 s of these;
	 * of 1.2 s all may be work, as threads were not waiting for 1.7 s, of which they had no processor for 0.3 s */
	one(OMPP_PARALLEL_LOOP, 10, "");
	wait_of(0)->off_ns = 300 * MS;
	profile.processors_milli = 1500;
	profile.system_ns = 0;
	assert_int_equal(find("MoreThreadsThanProcessors")->gain_ns, 0);
	profile.user_ns = 1200 * MS;
	assert_in_range(find("MoreThreadsThanProcessors")->gain_ns, 199 * MS, 201 * MS);
	/* waiting may have taken no CPU time: threads worked for 1.7 s less the 0.56 s that they had no processor for,
	 * and 1.14 s need 0.76 s */
	wait_of(0)->off_ns = 560 * MS;
	assert_in_range(find("MoreThreadsThanProcessors")->gain_ns, 239 * MS, 241 * MS);
	wait_of(0)->off_ns = 300 * MS;
	profile.user_ns = 300 * MS;
	assert_int_equal(find("MoreThreadsThanProcessors")->gain_ns, 300 * MS); /* what it costs */
	profile.user_ns = OMPP_MISSING;
	f = find("MoreThreadsThanProcessors");
	assert_int_equal(f->gain_ns, OMPP_MISSING);
	assert_int_equal(f->number, findings.n);
	ompp_text_init(&t, words, sizeof(words));
	ompp_finding_say_gain(&analysis, f, &t);
	assert_string_equal(t.data, "By how much the run would be shorter without it is not known.");
}

/* What the machine took is in the times of all other findings, too: of a run of 1 s it took 0.6 s, and the critical
 * region would save 0.18 s of the whole, so 0.072 s of the 0.4 s that are left. */
static void test_together(void **state)
{
	(void)state;
	one(OMPP_CRITICAL, 10, "");
	cells[2].exit_bar_ns = 0;
	cells[2].enter_ns = 180 * MS;
	cells[3].enter_ns = 20 * MS;
	cells[1].exit_bar_ns = 240 * MS;
	assert_int_equal(find("CriticalSectionContention")->gain_ns, 180 * MS);
	assert_int_equal(find("SerialPart")->gain_ns, 50 * MS);
	assert_int_equal(findings.n, 2);
	assert_int_equal(findings.together_ns, 230 * MS);
	wait_of(0)->off_ns = 1200 * MS;
	profile.user_ns = 400 * MS;
	assert_int_equal(find("ProcessorTakenAway")->gain_ns, 600 * MS);
	assert_int_equal(find("CriticalSectionContention")->gain_ns, 180 * MS);
	assert_int_equal(findings.n, 3);
	assert_int_equal(findings.together_ns, 692 * MS);
}

/* Two threads' loop of 1.8 s, of which 0.8 s are waiting for their turns: no schedule helps where what is done in turn,
 * handing it on included, takes half of the rest or more. */
static void test_ordered(void **state)
{
	(void)state;
	one(OMPP_ORDERED, 1000, "");
	for (uint32_t k = 2; k < 4; k++) {
		cells[k].enter_ns = 400 * MS;
		cells[k].body_ns = 240 * MS;
	}
	assert_int_equal(find("OrderedContention")->ns, 800 * MS);
	assert_non_null(strstr(find("OrderedContention")->advice, "a chunk of 1"));
	cells[2].exit_ns = cells[3].exit_ns = 20 * MS;
	assert_non_null(strstr(find("OrderedContention")->advice, "no schedule makes that parallel"));
}

/* Stalls for memory of a quarter of the cycles or more are a finding, in their proportion to the time of the loop. */
static void test_memory(void **state)
{
	struct ompp_metric metrics[] = { { "PAPI_TOT_CYC", "", OMPP_EXACT, "" },
		                         { "CYCLE_ACTIVITY:STALLS_MEM_ANY", "", OMPP_SCALED, "50 %" },
		                         { "LLC-load-misses", "", OMPP_EXACT, "" } };
	int64_t values[6] = { 1000000, 500000, 10000000, 1000000, 100000, 12500000 };
	const struct ompp_finding *f;

	(void)state;
	one(OMPP_PARALLEL_LOOP, 10, "");
	work(80 * MS, 80 * MS, 0);
	profile.metrics = metrics;
	profile.n_metrics = 3;
	profile.values = values;
	/* 600,000 of 2,000,000 cycles, of 0.8 and 0.9 s in two threads; 22.5 million lines in 0.85 s */
	f = find("WorkWaitsForMemory");
	assert_non_null(f);
	assert_int_equal(f->region, 0);
	assert_int_equal(f->ns, 510 * MS);
	assert_int_equal(f->gain_ns, 255 * MS);
	assert_non_null(strstr(f->evidence, "CYCLE_ACTIVITY:STALLS_MEM_ANY are 30.0 % of its cycles"));
	assert_non_null(strstr(f->evidence, "at least 1.69 GB/s come from memory (LLC-load-misses"));
	values[4] = 2; /* less than a quarter */
	values[1] = 499000;
	assert_null(find("WorkWaitsForMemory"));
	values[4] = 100000;
	values[5] = OMPP_MISSING; /* what comes from memory is not said then */
	assert_null(strstr(find("WorkWaitsForMemory")->evidence, "GB/s"));
	values[4] = OMPP_MISSING; /* a sum with something missing is missing */
	assert_null(find("WorkWaitsForMemory"));
	values[4] = 1600000; /* more stalls than cycles cannot be right */
	assert_null(find("WorkWaitsForMemory"));
	values[4] = 100000;
	profile.hooked = 1; /* the hooks' cycles say nothing of the program */
	assert_null(find("WorkWaitsForMemory"));
	profile.hooked = 0;
	assert_non_null(find("WorkWaitsForMemory"));
	metrics[1].certainty = OMPP_NOT_COUNTED;
	assert_null(find("WorkWaitsForMemory"));
	metrics[1].certainty = OMPP_EXACT;
	metrics[1].name = "stalled-cycles-backend"; /* may be other things than memory */
	assert_null(find("WorkWaitsForMemory"));
}

/* Findings from counts, without times, have no severity and come last. */
static void test_data(void **state)
{
	static const struct ompp_object objects[] = { { .name = "(other)", .measured = 1 },
		                                      { .name = "(stack)", .measured = 1 },
		                                      { .name = "a", .measured = 1 } };
	static const struct ompp_cache_level level = { "L1", 32768, 8, 64, 0 };
	struct ompp_access access = {
		1, 0, 2, { 8000, 0, 0, 64000, 0, 0, 270000000, 8000, OMPP_MISSING, OMPP_MISSING }
	};
	struct ompp_pattern pattern = { 2, 0, OMPP_PATTERN_FALSE_SHARING, 100000, 3, 0, "0, 1", 2, 200000, 0 };
	struct ompp_region_time time = { .body_ns = 3 * MS };
	const char *why = NULL;
	const struct ompp_times times = { .duration_ns = 10 * MS, .time = &time, .why = &why };
	const struct ompp_finding *f;

	(void)state;
	one(OMPP_PARALLEL_LOOP, 1, "schedule");
	profile.objects = objects;
	profile.n_objects = 3;
	profile.accesses = &access;
	profile.n_accesses = 1;
	profile.patterns = &pattern;
	profile.n_patterns = 1;
	f = find("FalseSharing");
	assert_non_null(f);
	assert_int_equal(f->severity, OMPP_MISSING);
	assert_int_equal(f->gain_ns, OMPP_MISSING);
	assert_ptr_equal(f, &findings.list[findings.n - 1]);
	assert_non_null(
		strstr(f->evidence,
	               "a: 3 cache lines written by threads 0, 1, no byte by two of them; 100 000 of 200 000 "));
	assert_non_null(strstr(f->advice, "larger chunks"));
	assert_int_equal(f->weight, 100000000); /* as 30 of 300 million accesses */
	assert_non_null(strstr(f->evidence, "transfer takes is not measured"));
	/* with measured transfers: those of the thread that has most, of the longest one in ten */
	pattern.n_most = 60000;
	profile.transfer_ps = 52300;
	profile.transfer_least_ps = 40000;
	profile.transfer_most_ps = 71000;
	profile.n_transfers_timed = 1128;
	f = find("FalseSharing");
	assert_int_equal(f->ns, OMPP_MISSING);
	assert_int_equal(f->gain_ns, 60000 * 71);
	assert_non_null(strstr(f->evidence,
	                       "A transfer took 52.3 ns (40.0 to 71.0 in eight of ten; 1 128 were timed), so "
	                       "without hooks a thread waits 0 to 4.26 ms for them"));
	/* a run with hooks that is ten times as long has the same bound, and one that is shorter is the bound itself */
	profile.duration_ns = 10000 * MS;
	assert_int_equal(find("FalseSharing")->gain_ns, 60000 * 71);
	profile.duration_ns = 2 * MS;
	assert_int_equal(find("FalseSharing")->gain_ns, 2 * MS);
	profile.duration_ns = 1000 * MS;
	/* nor is it longer than a run without hooks is there, of whose time the share is */
	cells[0].body_ns = cells[1].body_ns = 3 * MS;
	options.times = &times;
	f = find("FalseSharing");
	assert_int_equal(f->gain_ns, 3 * MS);
	assert_int_equal(ompp_finding_gain_share(&analysis, f), 300000000);
	assert_non_null(strstr(f->evidence, "no longer than the plain run is there"));
	time.body_ns = 5 * MS;
	assert_int_equal(find("FalseSharing")->gain_ns, 60000 * 71);
	time.body_ns = 3 * MS;
	why = "it was executed another number of times";
	assert_int_equal(find("FalseSharing")->gain_ns, 60000 * 71);
	options.times = NULL;
	/* a profile of before, which does not say how many one thread has: all of them */
	pattern.n_most = 0;
	assert_int_equal(find("FalseSharing")->gain_ns, 100000 * 71);
	waits[0].off_ns = 190 * MS; /* of 2 s */
	assert_int_equal(find("FalseSharing")->gain_ns, 100000 * 71);
	waits[0].off_ns = 210 * MS;
	assert_int_equal(find("FalseSharing")->gain_ns, OMPP_MISSING);
	assert_non_null(strstr(find("FalseSharing")->evidence, "threads met less often than they would"));
	waits[0].off_ns = 0;
	profile.transfer_most_ps = OMPP_MISSING;
	assert_int_equal(find("FalseSharing")->gain_ns, OMPP_MISSING);
	profile.regions = regions;
	regions[0].clauses = "";
	assert_null(strstr(find("FalseSharing")->advice, "chunks"));
	regions[0].clauses = "schedule(static, 1)";
	assert_non_null(strstr(find("FalseSharing")->advice, "schedule(static) without a chunk"));
	regions[0].clauses = "schedule(static)";
	assert_non_null(strstr(find("FalseSharing")->advice, "larger chunks"));

	pattern = (struct ompp_pattern){ 2, 0, OMPP_PATTERN_STRIDE, 7900, 0, 4096, "0", 1, 8000, 0 };
	assert_null(find("ArrayWalkedWithStride")); /* without a cache model */
	profile.cache_levels = &level;
	profile.n_cache_levels = 1;
	assert_non_null(strstr(find("ArrayWalkedWithStride")->evidence,
	                       "a: 7 900 of 8 000 modelled L1 misses in thread 0 are "
	                       "4 096 bytes from the one before"));
	assert_non_null(strstr(find("ArrayWalkedWithStride")->advice, "the last index"));
	regions[0].file = "a.f90";
	assert_non_null(strstr(find("ArrayWalkedWithStride")->advice, "the first index"));
	regions[0].clauses = "schedule(static, 1)";
	assert_non_null(strstr(find("ArrayWalkedWithStride")->advice, "a larger chunk"));
	access.values[OMPP_ACCESS_LOAD_BYTES] = 8000 * 64; /* all of each line is used */
	assert_null(find("ArrayWalkedWithStride"));
	access.values[OMPP_ACCESS_LOAD_BYTES] = 64000;
	access.values[OMPP_ACCESS_L1_MISSES] = 40000; /* the rest is of other threads, which walk in another way */
	assert_null(find("ArrayWalkedWithStride"));

	access.values[OMPP_ACCESS_L1_MISSES] = 8000;
	pattern.kind = OMPP_PATTERN_FOREIGN;
	assert_null(find("DataFirstWrittenByAnotherThread")); /* how many NUMA nodes there are is not known */
	profile.n_numa_nodes = 1;
	assert_null(find("DataFirstWrittenByAnotherThread"));
	profile.n_numa_nodes = 2;
	assert_non_null(strstr(find("DataFirstWrittenByAnotherThread")->evidence, "This machine has 2 NUMA nodes"));
}

/* Lets a parallel loop of a machine with two nodes have sampled the third of three objects. */
static void one_on_two_nodes(const struct ompp_object objects[3], const struct ompp_use *uses, size_t n_uses)
{
	static const struct ompp_numa_node numa[] = { { .number = 0, .distances = "10 20" },
		                                      { .number = 1, .distances = "20 10" } };

	one(OMPP_PARALLEL_LOOP, 1, "");
	profile.objects = objects;
	profile.n_objects = 3;
	profile.n_numa_nodes = 2;
	profile.numa_nodes = numa;
	profile.n_numa_list = 2;
	profile.sample_source = "hook";
	profile.sample_period = 10;
	profile.uses = uses;
	profile.n_uses = n_uses;
}

/* What far accesses cost follows from the thread that makes most of them, and from latencies: 5 000 accesses of thread
 * 1 take 3 000 TSC cycles of 0.4 ns longer than near ones, and thread 0 makes fewer. */
static void test_far(void **state)
{
	static const struct ompp_object objects[] = { { .name = "(other)", .measured = 1 },
		                                      { .name = "(stack)", .measured = 1 },
		                                      { .name = "a", .measured = 1 } };
	struct ompp_use uses[] = {
		{ 1, 0, 2, 0, 0, 0, 0, 4096, 8192, { 1, 0, 400, 400, 4000, 40000, 400000, 402000000 }, NULL },
		{ 1, 0, 2, 0, 1, 0, 0, 4096, 8192, { 1, 0, 300, 300, 3000, 30000, 1200000, 4803000000 }, NULL },
		{ 1, 1, 2, 0, 1, 0, 0, 8192, 12288, { 1, 0, 500, 500, 5000, 50000, 2000000, 8005000000 }, NULL },
	};
	const struct ompp_finding *f;

	(void)state;
	one_on_two_nodes(objects, uses, OMPP_COUNT_OF(uses));
	profile.sample_latencies = "TSC cycles";
	f = find("MemoryOnOneNode");
	assert_non_null(f);
	assert_int_equal(f->gain_ns, OMPP_MISSING);
	assert_non_null(strstr(f->evidence, "of the latency of all samples."));
	profile.sample_tick_fs = 400000;
	f = find("MemoryOnOneNode");
	assert_int_equal(f->severity, OMPP_MISSING);
	assert_in_range(f->gain_ns, 5999 * MS / 1000, 6 * MS);
	assert_non_null(strstr(f->evidence, "4000.0 +- "));
	assert_non_null(strstr(f->evidence, "of all samples, at most 0.6 +- 0.1 % of the run of the thread"));
	uses[0].sum.latency_ticks = 399 * 4000;
	uses[0].sum.squares = INT64_C(8005000000); /* near and far ones do not differ for sure */
	f = find("MemoryOnOneNode");
	assert_int_equal(f->gain_ns, OMPP_MISSING);
	assert_non_null(strstr(f->evidence, "no significant difference"));
	for (size_t i = 0; i < OMPP_COUNT_OF(uses); i++)
		uses[i].sum.level = OMPP_MEM_LEVEL_L1; /* a cache answers: where the page is makes no difference */
	assert_null(find("MemoryOnOneNode"));
}

/* One page that two nodes use is a conflict when somebody writes it there, when memory may have answered, and when
 * there are enough accesses to matter. */
static void test_page(void **state)
{
	static const struct ompp_object objects[] = { { .name = "(other)", .measured = 1 },
		                                      { .name = "(stack)", .measured = 1 },
		                                      { .name = "a", .measured = 1 } };
	struct ompp_use uses[] = {
		{ 1, 0, 2, 0, 0, 0, 0, 4096, 4104, { OMPP_MEM_STORES, 0, 300, 0, 3000, 30000, 0, 0 }, NULL },
		{ 1, 1, 2, 0, 1, 0, 0, 4096, 4104, { OMPP_MEM_STORES, 0, 300, 0, 3000, 30000, 0, 0 }, NULL },
	};

	(void)state;
	one_on_two_nodes(objects, uses, OMPP_COUNT_OF(uses));
	assert_non_null(find("PageSharedByNodes"));
	uses[0].sum.kind = uses[1].sum.kind = OMPP_MEM_LOADS; /* each node's caches have a copy */
	assert_null(find("PageSharedByNodes"));
	uses[0].sum.kind = uses[1].sum.kind = OMPP_MEM_STORES;
	uses[0].sum.level = uses[1].sum.level = OMPP_MEM_LEVEL_L2;
	assert_null(find("PageSharedByNodes"));
	uses[0].sum.level = uses[1].sum.level = OMPP_MEM_LEVEL_LOCAL_MEMORY;
	assert_non_null(find("PageSharedByNodes"));
	uses[1].sum.kind = OMPP_MEM_LOADS; /* after each store the far reader misses once */
	uses[0].sum.estimate = 1001;
	assert_non_null(find("PageSharedByNodes"));
	uses[0].sum.estimate = 999;
	assert_null(find("PageSharedByNodes"));
	uses[0].sum.estimate = uses[1].sum.estimate = 900; /* less than a millisecond in a run of a second */
	assert_null(find("PageSharedByNodes"));
}

/* What is found about the rest of a file's data names the variables that its samples are of, with the share of each;
 * where none is known, it says so. */
static void test_smalls(void **state)
{
	struct ompp_object objects[] = { { .name = "(other)", .measured = 1 },
		                         { .name = "(stack)", .measured = 1 },
		                         { .name = "a: bss", .measured = 1, .origin = OMPP_ORIGIN_FILE } };
	struct ompp_use uses[] = {
		{ 1, 0, 2, 0, 0, 0, 0, 4096, 4104, { OMPP_MEM_STORES, 0, 300, 0, 3000, 30000, 0, 0 }, "cnt" },
		{ 1, 1, 2, 0, 1, 0, 0, 4096, 4104, { OMPP_MEM_STORES, 0, 300, 0, 3000, 30000, 0, 0 }, "cnt" },
		{ 1, 1, 2, 0, 1, 0, 0, 4160, 4168, { OMPP_MEM_STORES, 0, 200, 0, 2000, 20000, 0, 0 }, "cnt" },
		{ 1, 1, 2, 0, 1, 0, 0, 4160, 4168, { OMPP_MEM_STORES, 1, 900, 0, 9000, 90000, 0, 0 }, "cached" },
	};
	const struct ompp_sampled samples[] = {
		{ 1, 0, 2, 0, 0, { OMPP_MEM_STORES, 0, 300, 0, 3000, 30000, 0, 0 } },
		{ 1, 1, 2, 0, 1400, { OMPP_MEM_STORES, 0, 1400, 0, 14000, 140000, 0, 0 } },
	};
	const char *evidence;

	(void)state;
	one_on_two_nodes(objects, uses, OMPP_COUNT_OF(uses));
	profile.samples = samples; /* so that the object is shown */
	profile.n_samples = OMPP_COUNT_OF(samples);
	evidence = find("PageSharedByNodes")->evidence;
	assert_memory_equal(evidence, "cnt in a: bss: 62.5 +- ", 23);
	assert_null(strstr(evidence, "Of its accesses there"));
	uses[2].small = "sum"; /* 2 000 of 8 000 */
	evidence = find("PageSharedByNodes")->evidence;
	assert_memory_equal(evidence, "cnt and sum in a: bss: ", 23);
	assert_non_null(strstr(evidence, " Of its accesses there 75.0 +- "));
	assert_non_null(strstr(evidence, " % are to cnt, 25.0 +- "));
	assert_non_null(strstr(evidence, " % to sum. "));
	assert_null(strstr(evidence, "cached"));
	uses[0].small = ""; /* 3 000 of 8 000 */
	evidence = find("PageSharedByNodes")->evidence;
	assert_memory_equal(evidence, "cnt, sum and others in a: bss: ", 31);
	assert_non_null(strstr(evidence, " % to others. "));
	uses[1].small = uses[2].small = NULL; /* of a profile of before */
	evidence = find("PageSharedByNodes")->evidence;
	assert_memory_equal(evidence, "variables in a: bss: ", 21);
	assert_non_null(strstr(evidence, " Which variables these are is not known."));
	objects[2].name = "a: constants";
	objects[2].origin = OMPP_ORIGIN_HEAP;
	evidence = find("PageSharedByNodes")->evidence;
	assert_memory_equal(evidence, "a: constants: ", 14);
	assert_null(strstr(evidence, "Which variables"));
}

/* Of merged ranks the waits for processors are added up, and the run is as long as the longest. */
static void test_queued(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 100, "");
	profile.queued_ns = 60 * MS;
	assert_true(ompp_find_is_queued(&profile));
	profile.n_merged = 1;
	assert_true(ompp_find_is_queued(&profile));
	profile.n_merged = 2; /* 30 ms of each of 1 s */
	assert_false(ompp_find_is_queued(&profile));
	profile.queued_ns = 101 * MS;
	assert_true(ompp_find_is_queued(&profile));
	profile.queued_ns = OMPP_MISSING;
	assert_false(ompp_find_is_queued(&profile));
}

/* Writes the profile in the brief form from an arena with a limit, and returns how long it is, or what went wrong. */
static int brief_bytes(size_t limit_bytes, size_t *used_bytes)
{
	struct ompp_arena limited;
	FILE *file = tmpfile();
	int rc, n;

	assert_non_null(file);
	options.format = "brief";
	ompp_arena_init(&limited, limit_bytes);
	rc = ompp_exchange_write(&profile, &options, fileno(file), &limited);
	*used_bytes = limited.total_bytes;
	ompp_arena_fini(&limited);
	n = (int)lseek(fileno(file), 0, SEEK_END);
	fclose(file);
	if (rc)
		assert_int_equal(n, 0);
	return rc ? rc : n;
}

/* Without memory for a place or a name there is no brief form, and not one that lacks it. */
static void test_brief_memory(void **state)
{
	size_t all_bytes, used_bytes;

	(void)state;
	one(OMPP_PARALLEL_LOOP, 100, "");
	profile.app = "\x1b[2J";
	assert_true(brief_bytes(0, &all_bytes) > 1000);
	assert_true(brief_bytes(all_bytes, &used_bytes) > 1000);
	assert_int_equal(used_bytes, all_bytes);
	for (size_t less = 1; less <= 64; less++)
		assert_int_equal(brief_bytes(all_bytes - less, &used_bytes), -ENOMEM);
}

static void test_clauses(void **state)
{
	const char *args;
	size_t n;

	(void)state;
	assert_true(ompp_clause("nowait schedule(static, (n + 1)/2) collapse(2)", "schedule", &args, &n));
	assert_int_equal(n, strlen("static, (n + 1)/2"));
	assert_memory_equal(args, "static, (n + 1)/2", n);
	assert_true(ompp_clause("nowait schedule(static, (n + 1)/2) collapse(2)", "collapse", &args, &n));
	assert_int_equal(n, 1);
	assert_true(ompp_has_clause("reduction nowait", "nowait"));
	assert_false(ompp_has_clause("schedule(nowait)", "nowait"));
	assert_false(ompp_has_clause("nowaits", "nowait"));
	assert_false(ompp_has_clause("", "nowait"));
	assert_true(ompp_clause("ordered schedule(dynamic", "schedule", &args, &n));
	assert_int_equal(n, 7);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(test_uniform_loop),
		                            TEST(test_slices),
		                            TEST(test_short_run),
		                            TEST(test_slower_once),
		                            TEST(test_steal),
		                            TEST(test_machine_once),
		                            TEST(test_hooked),
		                            TEST(test_doubt),
		                            TEST(test_ordered),
		                            TEST(test_memory),
		                            TEST(test_late),
		                            TEST(test_stolen),
		                            TEST(test_unknown_share),
		                            TEST(test_noise),
		                            TEST(test_varies),
		                            TEST(test_once),
		                            TEST(test_short_waits),
		                            TEST(test_old),
		                            TEST(test_constructs),
		                            TEST(test_short_work),
		                            TEST(test_loop_advice),
		                            TEST(test_processors),
		                            TEST(test_unused),
		                            TEST(test_serial),
		                            TEST(test_varies_in_ranks),
		                            TEST(test_slept_outside),
		                            TEST(test_mpi),
		                            TEST(test_management),
		                            TEST(test_management_usual),
		                            TEST(test_faults),
		                            TEST(test_master),
		                            TEST(test_gain),
		                            TEST(test_together),
		                            TEST(test_held_up),
		                            TEST(test_held_up_and_slower),
		                            TEST(test_two_profiles),
		                            TEST(test_entries),
		                            TEST(test_data),
		                            TEST(test_far),
		                            TEST(test_page),
		                            TEST(test_smalls),
		                            TEST(test_clauses),
		                            TEST(test_queued),
		                            TEST(test_brief_memory) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
