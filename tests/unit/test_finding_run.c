/*
 * Findings about what is around loops: processors, MPI, serial parts, the cost of making teams, page faults, waits for
 * entries.
 */
#include "runtime/base/array.h"
#include "runtime/terms/clauses.h"
#include "tests/unit/finding_case.h"

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

/* Where threads slept, too, CPU times do not tell what they worked.  The samples in the program's functions do. */
static void test_sampled_work(void **state)
{
	struct ompp_hot_spot spots[] = {
		{ .function = "f", .within = "", .file = "", .module = "prog", .node = 1, .n = 25, .ns = 100 * MS },
		{ .function = "",
		  .within = "",
		  .file = "",
		  .module = "libgomp.so.1",
		  .node = 1,
		  .n = 25,
		  .ns = 100 * MS }
	};

	(void)state;
	one(OMPP_PARALLEL_LOOP, 10, "");
	wait_of(0)->off_ns = 300 * MS;
	wait_of(0)->asleep_ns = 1500 * MS;
	profile.user_ns = 150 * MS;
	profile.processors_milli = 1000;
	assert_int_equal(find("MoreThreadsThanProcessors")->gain_ns, 300 * MS); /* no more than its cost */
	wait_of(0)->off_ns = 1000 * MS;
	assert_int_equal(find("MoreThreadsThanProcessors")->gain_ns, 1000 * MS);
	profile.hot_spots = spots;
	profile.n_hot_spots = 2;
	assert_int_equal(find("MoreThreadsThanProcessors")->gain_ns, 920 * MS); /* 25 samples of 4 ms, less 5 of them */
	profile.processors_milli = OMPP_MISSING;
}

/* Threads had no processor for 300 ms.  That they waited for each other follows from the kernel's count of others, with
 * three standard errors, times the two threads that may wait for these at once. */
static void test_others(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 10, "");
	wait_of(0)->off_ns = 300 * MS;
	profile.queued_all_ns = 320 * MS;
	profile.n_living = 2;
	profile.others_ns = 22 * MS;
	profile.others_error_ns = 18999999;
	assert_int_equal(find("ThreadsOnOneProcessor")->ns, 300 * MS + 20 * MS); /* barriers have not seen all of it */
	assert_non_null(
		strstr(find("ThreadsOnOneProcessor")->evidence,
	               "waited 0.320 s for a processor, and other programs had those of this one for 22.0 ms +- "
	               "19.0 ms: mostly they waited for each other."));
	assert_non_null(strstr(find("ThreadsOnOneProcessor")->advice, "OMP_PROC_BIND"));
	assert_null(find("ProcessorTakenAway"));
	profile.n_living = 3; /* than processors */
	assert_null(find("ThreadsOnOneProcessor"));
	profile.n_living = 0; /* not known */
	assert_null(find("ThreadsOnOneProcessor"));
	profile.n_living = 2;
	profile.stolen_ns = 2 * MS; /* a hypervisor may have had the rest */
	assert_null(find("ThreadsOnOneProcessor"));
	assert_non_null(strstr(find("ProcessorTakenAway")->evidence, "waited 0.320 s for a processor"));
	assert_null(strstr(find("ProcessorTakenAway")->evidence, "waited for each other"));
	profile.stolen_ns = OMPP_MISSING;
	profile.others_error_ns = 20 * MS;
	assert_null(find("ThreadsOnOneProcessor"));
	profile.others_error_ns = MS;
	profile.others_ns = 0;
	profile.queued_all_ns = 75 * MS; /* of two threads, half of the time that is lost */
	assert_non_null(find("ThreadsOnOneProcessor"));
	profile.queued_all_ns = 75 * MS - 1;
	assert_null(find("ThreadsOnOneProcessor"));
	profile.queued_all_ns = 320 * MS;
	profile.n_merged = 2; /* of ranks it is known at least */
	assert_non_null(strstr(find("ProcessorTakenAway")->evidence, "had those of this one for at least "));
	profile.n_merged = 0;
	profile.processors_milli = 1500; /* nor does it matter who has them, where there are too few */
	assert_null(find("ThreadsOnOneProcessor"));
	assert_null(strstr(find("MoreThreadsThanProcessors")->evidence, "other programs had"));
	assert_null(strstr(advice("MoreThreadsThanProcessors"), "other programs"));
	profile.others_ns = 79 * MS; /* a twentieth of 1.5 s, and three standard errors, are as sure */
	assert_non_null(strstr(find("MoreThreadsThanProcessors")->evidence, "had those of this one for 79.0 ms"));
	assert_non_null(strstr(advice("MoreThreadsThanProcessors"), "fewer threads do not give back"));
	/* fewer threads have no more of the 1.5 s than others leave */
	profile.user_ns = 700 * MS, profile.system_ns = 0;
	profile.others_ns = 3 * MS;
	assert_int_equal(find("MoreThreadsThanProcessors")->gain_ns, 320 * MS);
	profile.others_ns = 803 * MS;
	assert_int_equal(find("MoreThreadsThanProcessors")->gain_ns, 0);
	profile.others_ns = 78 * MS;
	assert_null(strstr(advice("MoreThreadsThanProcessors"), "other programs"));
	profile.processors_milli = OMPP_MISSING;
	assert_null(find("ThreadsOnOneProcessor"));
	profile.queued_all_ns = profile.others_ns = profile.others_error_ns = OMPP_MISSING;
}

/* Of the 2 s of two threads 1.8 are work, and 0.1 s a wait whose cause nobody looked for, as in tasks.  What the kernel
 * counts beyond the time without work was at work, and the other thread may have waited for it. */
static void test_unseen(void **state)
{
	(void)state;
	one(OMPP_PARALLEL_LOOP, 10, "");
	profile.user_ns = 1000 * MS;
	profile.queued_ns = 0;
	profile.queued_all_ns = 500 * MS;
	assert_int_equal(find("ProcessorTakenAway")->ns, 300 * MS + 100 * MS);
	assert_int_equal(find("ProcessorTakenAway")->gain_ns, 200 * MS);
	assert_non_null(strstr(find("ProcessorTakenAway")->evidence,
	                       "threads had none for 0.300 s more at work, and others may have waited 0.100 s"));
	profile.queued_all_ns = 5000 * MS; /* no more than all threads' time, of which 0.1 s are serial */
	assert_in_range(find("ProcessorTakenAway")->ns, 1000 * MS, 2000 * MS);
	profile.queued_all_ns = 30 * MS; /* all of it may have been while they had nothing to do */
	assert_int_equal(find("ProcessorTakenAway")->ns, 30 * MS);
	because(OMPP_CAUSE_ASLEEP, 10); /* the wait has a cause */
	assert_null(find("ProcessorTakenAway"));
	profile.queued_all_ns = 500 * MS;
	assert_non_null(strstr(find("ProcessorTakenAway")->evidence,
	                       "threads had none for 0.300 s more at work, and others may have waited 0 ns"));
	wait_of(1)->off_ns = 260 * MS; /* barriers have seen that */
	assert_non_null(strstr(find("ProcessorTakenAway")->evidence, "no processor for 0.260 s at work"));
	assert_non_null(strstr(find("ProcessorTakenAway")->evidence, "threads had none for 40.0 ms more at work"));
	cells[0].startup_ns = 50 * MS; /* late begins come first */
	assert_null(strstr(find("ProcessorTakenAway")->evidence, "more at work"));
	profile.queued_ns = OMPP_MISSING;
	cells[0].startup_ns = 0;
	assert_null(strstr(find("ProcessorTakenAway")->evidence, "more at work"));
	profile.queued_ns = 0;
	profile.queued_all_ns = OMPP_MISSING;
	assert_null(strstr(find("ProcessorTakenAway")->evidence, "more at work"));
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
	regions[1] = (struct ompp_region){ 2, OMPP_MPI_COLLECTIVE, "a.c", 12, 12, "MPI_Barrier", 0, 0, "", "", "", 0 };
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
	/* what is not known of sleep leaves the serial part as it is: without samples all processor time may be there
	 */
	profile.user_ns = 900 * MS;
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
	profile.user_ns = 500 * MS;
	assert_int_equal(find("WaitingOutsideRegions")->gain_ns, 370 * MS);
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

/* A thread that waited for the team that it forked has no more work, be it for its members to begin, to work or to
 * end: what is done behind that team and in it counts. */
static void test_inner_team(void **state)
{
	static const struct ompp_row own[] = { { "0", 1, 1, 0, OMPP_NONE }, { "1", 1, 1, 1, OMPP_NONE },
		                               { "0.0", 1, 2, 0, 0 },       { "0.1", 1, 2, 1, 0 },
		                               { "1.0", 1, 2, 0, 1 },       { "1.1", 1, 2, 1, 1 } };
	struct ompp_node nested[6];
	struct ompp_cell all[12];
	int64_t *waits_of[] = { &all[6].exit_bar_ns, &all[6].startup_ns, &all[6].shutdown_ns, &all[9].enter_ns };

	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		one(OMPP_CRITICAL, 10, "");
		cells[0].exit_bar_ns = 100 * MS;
		waits[0].n_looked = 10;
		waits[0].looked_ns = waits[0].cause_ns[OMPP_CAUSE_BODY] = 100 * MS;
		waits[0].work_ns = 700 * MS;
		memcpy(nested, nodes, sizeof(nodes));
		nested[2] = (struct ompp_node){ 1, 0, OMPP_PARALLEL, 4, 4 }; /* a team of each of the two threads */
		nested[3] = (struct ompp_node){ 2, 1, OMPP_CRITICAL, 8, 2 };
		nested[4] = (struct ompp_node){ 1, 1, OMPP_CRITICAL, 2, 2 };
		memcpy(all, cells, sizeof(cells));
		all[2].exit_bar_ns = all[2].enter_ns = 0;
		memset(&all[4], 0, 6 * sizeof(*all));
		for (uint32_t k = 0; k < 6; k++)
			all[4 + k].row = k < 4 ? 2 + k : 2 * k - 6;
		profile.rows = own;
		profile.n_rows = 6;
		profile.nodes = nested;
		profile.n_nodes = 5;
		profile.cells = all;
		profile.n_cells = 10;
		assert_non_null(find("ImbalanceInParallelRegion"));
		*waits_of[kind] = 100 * MS;
		assert_null(find("ImbalanceInParallelRegion"));
		*waits_of[kind] = 40 * MS; /* more than half of the difference is left */
		assert_non_null(find("ImbalanceInParallelRegion"));
		all[3].enter_ns = 60 * MS; /* behind its team it waits as thread 1 */
		assert_null(find("ImbalanceInParallelRegion"));
	}
}

/* Iterations of ordered(n) wait for others without an ordered part: what it would save is the longest thread's waiting.
 */
static void test_sink(void **state)
{
	(void)state;
	one(OMPP_ORDERED, 10, "depend");
	for (int k = 2; k < 4; k++) {
		cells[k].enter_ns = k * 100 * MS;
		cells[k].exec_ns = cells[k].incl_ns = cells[k].enter_ns;
		cells[k].body_ns = cells[k].exit_bar_ns = 0;
	}
	profile.user_ns = 1000 * MS;
	assert_int_equal(find("OrderedContention")->ns, 500 * MS);
	assert_int_equal(find("OrderedContention")->gain_ns, 300 * MS);
	assert_non_null(strstr(find("OrderedContention")->evidence, "20 executions of 25.0 ms each: iterations wait"));
	assert_non_null(strstr(advice("OrderedContention"), "tile"));
	for (int k = 2; k < 4; k++)
		cells[k].n_body = 10, cells[k].body_ns = MS; /* an ordered part */
	assert_non_null(strstr(find("OrderedContention")->evidence, "20 entries: 25.0 ms of waiting and"));
	assert_null(strstr(advice("OrderedContention"), "tile"));
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
	assert_int_equal(find("ProcessorTakenAway")->ns, 220 * MS + 279 * MS);
	/* all that the system took is no more than the two seconds of all threads */
	profile.queued_all_ns = 3000 * MS;
	waits[0].off_ns = 1800 * MS;
	assert_in_range(find("ProcessorTakenAway")->ns, 1999 * MS, 2000 * MS);
	waits[0].off_ns = 2100 * MS;
	assert_int_equal(find("ProcessorTakenAway")->ns, 2000 * MS);
	waits[0].off_ns = 0;
	profile.queued_all_ns = OMPP_MISSING;
	assert_int_equal(find("ThreadsComeLate")->ns, 100 * MS);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(test_processors),   TEST(test_others),
		                            TEST(test_unused),       TEST(test_serial),
		                            TEST(test_unseen),       TEST(test_slept_outside),
		                            TEST(test_mpi),          TEST(test_inner_team),
		                            TEST(test_management),   TEST(test_management_usual),
		                            TEST(test_faults),       TEST(test_master),
		                            TEST(test_held_up),      TEST(test_held_up_and_slower),
		                            TEST(test_entries),      TEST(test_sink),
		                            TEST(test_sampled_work), TEST(test_late) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
