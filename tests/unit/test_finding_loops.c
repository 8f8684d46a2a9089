/*
 * Findings about loops and the waits at their ends: which numbers lead to which findings, which do not, and what the
 * findings advise.
 */
#include "reports/tables/remarks.h"
#include "runtime/base/array.h"
#include "runtime/terms/clauses.h"
#include "tests/unit/finding_case.h"

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

/* Does the summary remark that? */
static int remarks_have(const char *text)
{
	const char *lines[OMPP_MOST_REMARKS];
	size_t advice, n = ompp_remarks(&analysis, &findings, OMPP_MOST_REMARKS, lines, &advice);

	for (size_t i = 0; i < n; i++)
		if (strstr(lines[i], text))
			return 1;
	return 0;
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
	assert_int_equal(findings.unsure_milli, 191); /* the report says so */
	assert_true(remarks_have("R00001: work of threads differs by 19.1 %: run it a second or more to know why"));
	slices(16, 1900000, 400000, 0); /* that may be chance */
	assert_null(find("ImbalanceInParallelLoop"));
	assert_int_equal(findings.unsure_milli, 0);
	slices(16, 1900000, 1000, 120); /* that is the processor */
	assert_null(find("ImbalanceInParallelLoop"));
	assert_int_equal(findings.unsure_milli, 0);
	assert_false(remarks_have("run it a second"));
	work(7 * MS, 9900000, 100000);
	slices(16, 2900000, 1000, 0);
	assert_non_null(find("ImbalanceInParallelLoop"));
	assert_int_equal(findings.unsure_milli, 0);
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
	/* each thread has 1.25 sections in the mean: equal ones keep the busiest one for two of them */
	one(OMPP_SECTIONS, 20, "");
	cells[2].n_body = 30;
	cells[3].n_body = 20;
	because(OMPP_CAUSE_BODY, 20);
	work(10 * MS, 15 * MS, MS);
	assert_non_null(strstr(find("ImbalanceDueToUnevenSectionDistribution")->advice, "multiple"));
	work(2 * MS, 15 * MS, MS); /* 6.8 ms each, and 13.6 ms of two */
	assert_non_null(find("ImbalanceDueToUnevenSectionDistribution"));
	cells[2].exit_bar_ns = 300 * MS; /* so that an execution takes 16 ms */
	because(OMPP_CAUSE_BODY, 20);
	work(2 * MS, 15 * MS, MS);
	assert_non_null(strstr(find("ImbalanceInParallelSections")->advice, "Split the longest section"));
	assert_non_null(strstr(find("ImbalanceInParallelSections")->evidence,
	                       "keep the busiest thread 13.6 ms at most each time, and it was 16.0 ms"));
	/* sections of 25, 25 and 65 ms on two threads: with three of them an execution would take 65 ms */
	cells[2].n_body = 40;
	cells[2].exit_bar_ns = 1300 * MS;
	work(25 * MS, 90 * MS, MS);
	assert_non_null(
		strstr(find("ImbalanceInParallelSections")->evidence, "76.7 ms at most each time, and it was 90.0"));
	assert_string_equal(advice("ImbalanceInParallelSections"), "Split the longest section, or start it first.");

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
	assert_non_null(strstr(loop_advice("schedule(monotonic, simd: dynamic, 8)"), "smaller chunk"));
	assert_null(strstr(loop_advice("schedule(guided)"), "schedule(guided)"));
	assert_non_null(strstr(loop_advice("schedule(static, 16)"), "smaller chunk"));
	assert_non_null(strstr(loop_advice("schedule(runtime)"), "OMP_SCHEDULE"));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(test_uniform_loop),   TEST(test_slices),      TEST(test_short_run),
		                            TEST(test_slower_once),    TEST(test_steal),       TEST(test_machine_once),
		                            TEST(test_hooked),         TEST(test_doubt),       TEST(test_stolen),
		                            TEST(test_unknown_share),  TEST(test_noise),       TEST(test_varies),
		                            TEST(test_once),           TEST(test_short_waits), TEST(test_old),
		                            TEST(test_constructs),     TEST(test_short_work),  TEST(test_loop_advice),
		                            TEST(test_varies_in_ranks) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
