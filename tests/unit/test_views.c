/*
 * Views: compares what formulas give with numbers that were worked out by hand from the example and small profiles.
 */
#define _GNU_SOURCE
#include "tests/unit/views_case.h"

static uint32_t node_of(uint32_t id, enum ompp_construct construct)
{
	for (uint32_t i = 1; i < profile.n_nodes; i++)
		if (profile.regions[profile.nodes[i].region].id == id && profile.nodes[i].construct == construct)
			return i;
	fail();
	return 0;
}

/* With samples and no counts the sections are those of samples, and nobody says that data was not measured. */
static void test_samples_alone(void **state)
{
	struct ompp_object objects[16];
	const char *report;

	(void)state;
	example_sample_profile(&profile);
	assert_true(profile.n_objects <= OMPP_COUNT_OF(objects));
	memcpy(objects, profile.objects, profile.n_objects * sizeof(objects[0]));
	for (size_t i = 0; i < profile.n_objects; i++)
		objects[i].measured = 0;
	profile.objects = objects;
	profile.data_method = "none";
	profile.n_accesses = profile.n_shared_lines = profile.n_patterns = profile.n_allocations = 0;
	profile.hooked = profile.sharing = 0;
	report = show(&(struct ompp_report_options){ 0 });
	has(report, "Memory Accesses  ");
	has(report, "Hot Lines  ");
	has(report, "First Touch  ");
	has(report, "sampled~");
	has(report, "its accesses are not counted");
	assert_null(strstr(report, "Data Structures"));
	assert_null(strstr(report, "not measured: data"));
	assert_null(strstr(report, "Data Method"));
	assert_null(strstr(report, "a:loads"));
}

/* A note says who, how often, and what. */
static void test_notes(void **state)
{
	static const struct ompp_profile_note notes[] = { { .text = "r3: samples were lost", .n = 12 },
		                                          { .text = "r4: samples were lost", .n = 30 },
		                                          { .text = "r3: no counter", .n = 0 },
		                                          { .text = "events were lost", .n = 7 } };
	const char *report;

	(void)state;
	profile.notes = notes;
	profile.n_notes = OMPP_COUNT_OF(notes);
	report = show(&(struct ompp_report_options){ 0 });
	has(report, ": r3: 12 samples were lost\n");
	has(report, ": r4: 30 samples were lost\n");
	has(report, ": r3: no counter\n");
	has(report, ": 7 events were lost\n");
}

/* Without samples their sections are left out, and one that is asked for says what to do. */
static void test_no_samples(void **state)
{
	const char *report;

	(void)state;
	report = show(&(struct ompp_report_options){ 0 });
	assert_null(strstr(report, "Memory Accesses"));
	assert_null(strstr(report, "Hot Lines"));
	assert_null(strstr(report, "First Touch"));
	assert_null(strstr(report, "sampled"));
	assert_null(strstr(report, "Pages"));
	report = show(&(struct ompp_report_options){ .views = "memory,lines,touch" });
	has(report, "No accesses were sampled; run the program by ompp run --sample");
	has(report, "First touches were not looked for; run the program by ompp run --sample=touch");
	assert_null(strstr(report, "OMPP_PAGES"));
	report = show(&(struct ompp_report_options){ .views = "pages" });
	has(report, "set OMPP_PAGES=auto");
	example_sample_profile(&profile);
	profile.n_samples = profile.n_sample_histogram = profile.n_sample_lines = profile.n_first_touches = 0;
	report = show(&(struct ompp_report_options){ .views = "memory,lines,touch" });
	has(report, "No access was sampled.");
	has(report, "No page was touched first.");
}

/* Objects, regions and the number of lines can be chosen. */
static void test_samples_chosen(void **state)
{
	const char *report;

	(void)state;
	example_sample_profile(&profile);
	report = show(&(struct ompp_report_options){ .views = "memory,lines,touch", .object = "x", .format = "csv" });
	has(report, "\nx,loads,14390,144000730,");
	assert_null(strstr(report, "\na,"));
	has(report, "\n/src/a.c,14,main._omp_fn.0,x,loads,14390,");
	assert_null(strstr(report, "mod::count"));
	has(report, "\nx,0,0,24,100.000000,(serial)");
	report = show(
		&(struct ompp_report_options){ .views = "memory,lines,touch", .region = "R00005", .format = "csv" });
	has(report, "\nbuf,loads,3,30021,");
	has(report, "\n/src/a.c,24,main._omp_fn.1,buf,loads,3,");
	assert_null(strstr(report, "(serial)"));
	assert_null(strstr(report, "/src/a.c,14,"));
	report = show(&(struct ompp_report_options){ .views = "memory,lines,touch", .top = 1 });
	has(report, "\na ");
	has(report, "\n(6 more)");
	has(report, "\n(4 more)");
	assert_null(strstr(report, "\nmod::count"));
}

/* With nested teams of two, a row a.b weighs 1 / (2 × 2). */
static void test_wall_clock(void **state)
{
	(void)state;
	assert_int_equal(analysis.wall_ns[0], 10000 * MS);
	assert_int_equal(analysis.wall_ns[node_of(1, OMPP_PARALLEL)], 6000 * MS);
	assert_int_equal(analysis.wall_ns[node_of(5, OMPP_PARALLEL)], (2000 + 2000 + 1600 + 1600) / 4 * MS);
	assert_int_equal(analysis.wall_ns[node_of(6, OMPP_BARRIER)], 600 / 4 * MS);
	assert_int_equal(analysis.wall_ns[node_of(14, OMPP_MASTER)], 100 / 2 * MS);
	assert_int_equal(analysis.wall_ns[node_of(17, OMPP_USER_REGION)], 3000 * MS);
	assert_int_equal(analysis.wall_ns[node_of(9, OMPP_TASKEXEC)], 500 * MS);
}

/* Children that take longer than their node become shorter by what may have been taken out of it as own cost, and keep
 * their shares; more than that stays. */
static void test_longer_than_caller(void **state)
{
	uint32_t outer = node_of(1, OMPP_PARALLEL), first = profile.nodes[outer].first_cell, n_children = 0;
	struct ompp_cell cells[200];
	int64_t before[16], sum = 0;

	(void)state;
	assert_true(profile.n_cells <= 200);
	memcpy(cells, profile.cells, profile.n_cells * sizeof(cells[0]));
	profile.cells = cells;
	for (uint32_t c = analysis.first_child[outer]; c != OMPP_NONE; c = analysis.next_sibling[c]) {
		assert_true(n_children < 16);
		before[n_children] = analysis.wall_ns[c];
		sum += before[n_children++];
	}
	for (uint32_t i = 0; i < profile.nodes[outer].n_cells; i++) {
		cells[first + i].incl_ns = sum - 10 * MS;
		cells[first + i].cost_ns = 5 * MS;
		cells[first + i].cost_most_ns = 11 * MS;
	}
	assert_return_code(ompp_analysis_weigh(&analysis), 0);
	assert_int_equal(analysis.wall_ns[outer], sum - 10 * MS);
	assert_int_equal(ompp_analysis_exclusive_ns(&analysis, outer) / 100, 0);
	n_children = 0;
	for (uint32_t c = analysis.first_child[outer]; c != OMPP_NONE; c = analysis.next_sibling[c]) {
		double whole = (double)before[n_children++], part = whole * ((double)sum - 10 * MS) / (double)sum;

		assert_true(part - (double)analysis.wall_ns[c] < 2 && (double)analysis.wall_ns[c] - part < 2);
	}
	for (uint32_t i = 0; i < profile.nodes[outer].n_cells; i++)
		cells[first + i].cost_most_ns = 9 * MS;
	assert_return_code(ompp_analysis_weigh(&analysis), 0);
	n_children = 0;
	for (uint32_t c = analysis.first_child[outer]; c != OMPP_NONE; c = analysis.next_sibling[c])
		assert_int_equal(analysis.wall_ns[c], before[n_children++]);
}

/* The exclusive times of all paths add up to the duration. */
static void test_additive(void **state)
{
	int64_t sum = 0;

	(void)state;
	for (uint32_t i = 0; i < profile.n_nodes; i++)
		sum += ompp_analysis_exclusive_ns(&analysis, i);
	assert_in_range(sum, 10000 * MS - 10, 10000 * MS + 10);
	assert_int_equal(ompp_analysis_exclusive_ns(&analysis, node_of(5, OMPP_PARALLEL)), 1650 * MS);
}

static void test_flat(void **state)
{
	char *csv = show(&(struct ompp_report_options){ .views = "flat", .format = "csv" });

	(void)state;
	has(csv, "##BEG R00003 flat profile\nR00003,CRITICAL,/src/a.c,13,14,\n"
	         "TID,execT,execC,bodyT,enterT,exitT,PAPI_TOT_INS,L3_MISSES\n"
	         "0,0.110000000,10,0.040000000,0.060000000,0.010000000,330000,");
	has(csv, "SUM,0.240000000,40,0.140000000,0.080000000,0.020000000,720000,-\n##END R00003 flat profile\n");
	has(csv, "R00009,TASK,/src/a.c,37,37,\n");
	has(csv, "R00009,TASKEXEC,/src/a.c,37,37,\n");
	has(csv, "R00017,USER REGION,/src/a.c,50,60,\"read \"\"in\"\", then sort\"\n");
	has(csv, "R00018,FUNCTION,,0,0,solve\nTID,execT,execC,PAPI_TOT_INS,L3_MISSES\n0,0.500000000,1,");
	has(csv, "h2:0,0.900000000,7,");
	has(csv, "TID,execT,execC,sectT,sectC,exitBarT,mgmtT,taskT,PAPI");
	has(csv, "TID,execT,execC,singleT,singleC,exitBarT,taskT,PAPI");
	has(csv, "TID,execT,execC,bodyT,exitBarT,startupT,shutdwnT,taskT,PAPI");
	has(csv, "TID,execT,execC,sectT,sectC,exitBarT,startupT,shutdwnT,taskT,PAPI");
	has(csv, "TID,execT,execC,taskT\n0.0,0.400000000,1,0.000000000\n"); /* a BARRIER has no counters */
	/* the ATOMIC, some of whose visits in one thread were not timed */
	has(csv, "TID,execT,execT +-,execC\n0,0.020000000,0.000000000,50000\n1,0.020000000,0.001000000,50000\n"
	         "SUM,0.040000000,0.001000000,100000\n");
}

/* The first thread of a nested team is the row that forked it. */
static void test_exclusive(void **state)
{
	char *csv = show(
		&(struct ompp_report_options){ .views = "callpath", .format = "csv", .region = "R00002,R00001" });

	(void)state;
	has(csv, "[*00],example\n[=01],R00001,PARALLEL,/src/a.c,10,40,\n"
	         "TID,execT,execC,bodyT/I,bodyT/E,bodyT/E +-,exitBarT,startupT,shutdwnT,taskT,PAPI_TOT_INS/I,"
	         "PAPI_TOT_INS/E,");
	/* row 0: 5900 less 1000 2000 500 100 600 5 20 100 4 */
	has(csv, "\n0,6.000000000,1,5.900000000,1.571000000,0.000000000,");
	/* its instructions in thousands: 18000 less 3000 6000 1500 2100 15 300; those of tasks are not among them */
	has(csv, "0.098000000,0.001000000,0.001000000,0.000000000,18000000,5085000,");
	/* row 1: 5990 less 1000 1600 500 300 400 20 1 4 */
	has(csv, "\n1,6.000000000,1,5.990000000,2.165000000,0.001000000,"); /* the ATOMIC's error */
	/* LOOP, row 0: 400 less 110 and 30; its instructions 3000000 less 330000 and 90000 */
	has(csv,
	    "\n0,1.000000000,1,0.400000000,0.260000000,0.003000000,0.600000000,0.000000000,3000000,2580000,"); /* the
	                                                                                                          ORDERED's
	                                                                                                          error
	                                                                                                        */
}

/* The text says ~ of nothing but the times of the ATOMIC and of the ORDERED: of columns "execT~" and "bodyT/E~". */
static void assert_only_times_are_sampled(const char *text)
{
	for (const char *at = text; (at = strchr(at, '~')); at++)
		assert_true(!strncmp(at, "~2.5 %]", 7) || !strncmp(at, "~10 %]", 6) || at[-1] == 'T' ||
		            !strncmp(at - 3, "T/", 2));
}

/* Each overhead counts once, for the innermost PARALLEL; sums leave out the first threads of nested teams. */
static void test_overheads(void **state)
{
	char *csv = show(&(struct ompp_report_options){ .views = "overhead", .format = "csv" });

	(void)state;
	has(csv, "Parallel coverage,7.600000000,76.000000\n");
	has(csv, "Own cost of the profiler,0.020000000,0.040000\n");
	/* the atomic in both rows and twice its error, as it is costly; no other region is costly, and neither are
	 * tasks */
	has(csv, "Waiting it may lengthen,0.042000000,0.084000\n");
	/* R1: synch 80+1+10 critical and ordered, 40 atomic, 1 flush, 6 locks, 5 taskwait; imbalance 102 + 600 */
	has(csv, "R00001,12.000000000,1.736000000,0.002236067,14.466667,0.143000000,0.002236067,1.191667,0.702000000,5."
	         "850000,");
	/* limited: 495 sections + 300 single; management: 4+4 team, 20+1+0 critical, 2 locks, 15 sections, 50 tasks
	 * made */
	has(csv, "0.795000000,6.625000,0.096000000,0.800000\n");
	has(csv, "R00005,7.200000000,0.650000000,0.000000000,9.027778,0.600000000,0.000000000,8.333333,0.000000000,0."
	         "000000,");
	/* with the 234 ns of the WORKSHARE */
	has(csv, "SUM,18.800000000,2.742000234,0.002236067,14.585108,");
	/* against 10 s × 5 threads: 0, 1, 0.1, 1.1 and h2:0; 0.0 and 1.0 are 0 and 1 */
	has(csv, "SUM,18.800000000,2.742000234,0.002236067,5.484001,");
	assert_null(strstr(csv, "\nserial,")); /* there are two host threads */
	csv = show(&(struct ompp_report_options){ .views = "overhead", .format = "csv", .region = "R00005" });
	assert_null(strstr(csv, "\nALL,"));
}

/* Outside of parallel regions one thread of each process works. */
static void test_serial(void **state)
{
	struct ompp_node nodes[40];
	char *csv;

	(void)state;
	assert_true(profile.n_nodes <= 40);
	memcpy(nodes, profile.nodes, profile.n_nodes * sizeof(nodes[0]));
	assert_int_equal(profile.cells[nodes[profile.n_nodes - 1].first_cell].row, ROW_H2);
	nodes[profile.n_nodes - 1].n_cells = 0;
	profile.nodes = nodes;
	profile.n_cells--;
	profile.n_rows--;
	csv = show(&(struct ompp_report_options){ .views = "overhead", .format = "csv" });
	/* 10 - 6 - 1 - 0.4 - 0.2 s, in which 0.1, 1 and 1.1 do nothing */
	has(csv, "serial,9.600000000,7.200000000,0.000000000,18.000000,0.000000000,0.000000000,0.000000,0.000000000,0."
	         "000000,7.200000000,18."
	         "000000,");
	/* with 2.742000234 s of the regions */
	has(csv, "ALL,40.000000000,9.942000234,0.002236067,24.855001,");
	profile.off_ns = 400 * MS;
	csv = show(&(struct ompp_report_options){ .views = "overhead", .format = "csv" });
	has(csv, "serial,8.000000000,6.000000000,0.000000000,15.625000,");
	has(csv, "ALL,38.400000000,8.742000234,0.002236067,");
	profile.n_merged = 2;
	csv = show(&(struct ompp_report_options){ .views = "overhead", .format = "csv" });
	has(csv, "serial,8.000000000,4.000000000,");
}

static void test_properties(void **state)
{
	char *text = show(&(struct ompp_report_options){ .views = "properties" });

	(void)state;
	has(text, "Property P00001 'ImbalanceInParallelLoop' holds for 'LOOP a.c (12-16)'");
	has(text, "'ImbalanceDueToNotEnoughSections' holds for 'SECTIONS a.c (31-35)'");
	has(text, "'ImbalanceDueToUnevenSectionDistribution' holds for 'PARALLEL SECTIONS b.f90");
	has(text, "'FrequentAtomic' holds for 'ATOMIC a.c (39-39)'");
	has(text, "'LockContention' holds for 'LOCK (0x5000)'");
	profile.duration_ns = 100000 * MS; /* 1000 a second and thread is not more than 1000 */
	profile.max_threads = 1;
	text = show(&(struct ompp_report_options){ .views = "properties" });
	assert_null(strstr(text, "FrequentAtomic"));
}

static void test_choice(void **state)
{
	char *text = show(&(struct ompp_report_options){ .views = "flat", .top = 2 });

	(void)state;
	has(text, "R00001 a.c (10-40) PARALLEL\n");
	has(text, "R00005 a.c (20-30) PARALLEL\n");
	assert_null(strstr(text, "R00002"));
	assert_true(strstr(text, "R00001") < strstr(text, "R00005"));
	text = show(&(struct ompp_report_options){ .views = "flat", .region = "a.c:13,solve", .sort = "count" });
	assert_true(strstr(text, "R00003") < strstr(text, "R00018"));
	has(text, "R00002"); /* line 13 is inside the loop, and in the parallel region */
	assert_null(strstr(text, "R00019"));
	assert_int_equal(ompp_report_show(&profile, &(struct ompp_report_options){ .sort = "colour" }, 1, &arena),
	                 -EINVAL);
	assert_int_equal(ompp_report_show(&profile, &(struct ompp_report_options){ .format = "odt" }, 1, &arena),
	                 -EINVAL);
}

/* A formula is computed from the values of its line, for SUM from the sums; what was not counted has no numbers. */
static void test_formulas(void **state)
{
	struct ompp_cell cells[100];
	char *csv;

	(void)state;
	example_counter_profile(&profile);
	csv = show(&(struct ompp_report_options){ .views = "flat,callpath", .format = "csv" });
	has(csv, ",PAPI_FP_OPS,\"cpu/event=0x3c,umask=0x00,name=cycles_of_one_core/\",page-faults,miss ratio,"
	         "PAPI_TOT_INS/page-faults,IPC,time a call,Mflop/s,PAPI_TOT_INS / THREADS * 1e9 + 0 * (1 + 2)\n");
	/* CRITICAL: 1234571 / 330000; 330000 / 4; 330000 / 110000; 110 ms / 10; 330000e9 / 1 */
	has(csv, "\n0,0.110000000,10,0.040000000,0.060000000,0.010000000,330000,1234571,-,110000,4,"
	         "3.74112424242424242,82500,3,11,-,330000000000000\n");
	/* misses are not known, and there are no page faults */
	has(csv, ",390000,-,-,130000,0,-,-,3,4.33333333333333333,-,390000000000000\n");
	/* 720000 / 4, 720000 / 240000, 240 ms / 40, 720000e9 / 2 threads */
	has(csv, "\nSUM,0.240000000,40,0.140000000,0.080000000,0.020000000,720000,-,-,240000,4,"
	         "-,180000,3,6,-,360000000000000\n");
	has(csv, "\nSUM,1.400000000,8,4200000,2469204,-,1400000,7,"
	         "0.587905714285714286,600000,3,175,-,2100000000000000\n");
	/* ATOMIC has no counters, but a time */
	has(csv, "TID,execT,execT +-,execC,time a call\n0,0.020000000,0.000000000,50000,0.0004\n");
	/* LOOP, row 0, exclusive: 5 faults less 4 and 4 make none; the time of the body is 260 ms */
	has(csv, ",3000000,2580000,1234569,0,-,-,1000000,860000,5,0,0.411523,0,600000,-,3,3,1000,260,-,-,"
	         "3000000000000000,2580000000000000\n");
	/* a LOCK has the time of its body, but no counters */
	has(csv, "TID,execT,execC,bodyT/I,bodyT/E,enterT,exitT,time a call/I,time a call/E\n"
	         "0,0.024000000,2,0.020000000,0.020000000,0.003000000,0.001000000,12,10\n");
	assert_true(profile.n_cells <= 100 && profile.cells[profile.n_cells - 1].row == ROW_H2);
	memcpy(cells, profile.cells, profile.n_cells * sizeof(cells[0]));
	cells[profile.n_cells - 1].row = ROW_0; /* a row on two call paths is one thread */
	profile.cells = cells;
	csv = show(&(struct ompp_report_options){ .views = "flat", .format = "csv" });
	has(csv, "\n0,1.400000000,8,4200000,2469204,-,1400000,7,"
	         "0.587905714285714286,600000,3,175,-,4200000000000000\n");
}

/* For people, numbers that are not exact are marked; the general information says how sure each counter is. */
static void test_certainty(void **state)
{
	static const char legend[] = "\n~: not exact but scaled; General Information says more\n";
	static const char name[] =
		"cpu/event=0x3c,umask=0x00,edge=1,inv=1,cmask=0x10,name=a_name_of_more_columns_than_80/";
	static const struct ompp_metric metrics[] = {
		{ "a", "", OMPP_NOT_COUNTED, "no PMU; use b" },
		{ name, "", OMPP_SAMPLED, "one in 100" },
	};
	static const struct ompp_eval twice = { "twice", "2*a", "" };
	char *text;

	(void)state;
	example_counter_profile(&profile);
	text = show(&(struct ompp_report_options){ .views = "general,flat" });
	has(text, "PAPI Support    : counters below, some of them not counted\n");
	has(text, "OMPP_CTR2       : PAPI_L3_TCM, scaled, counted 48 % of the time\n");
	has(text, "OMPP_CTR3       : PAPI_FP_OPS, not counted: this PMU has no such event; use @flops\n");
	has(text, "OMPP_EVAL1      : miss ratio = PAPI_L3_TCM/PAPI_TOT_INS, scaled\n");
	has(text, "OMPP_EVAL4      : time a call = 1000 * EXECT / EXECC in ms\n");
	has(text, "\n TID PAPI_L3_TCM~ PAPI_FP_OPS cpu/event=0x3c,umask=0x00,name=cycles_of_one_core/ page-faults\n");
	has(text, "\n TID miss ratio~ PAPI_TOT_INS/page-faults        IPC time a call    Mflop/s OMPP_EVAL6\n");
	has(text, legend);
	text = show(&(struct ompp_report_options){ .views = "general,flat,callpath", .format = "csv" });
	assert_only_times_are_sampled(text);
	has(text, "OMPP_CTR2,\"PAPI_L3_TCM, scaled, counted 48 % of the time\"\n");
	profile.n_numa_values = 0;
	profile.evals = &twice;
	profile.n_evals = 1;
	profile.metrics = metrics;
	profile.n_metrics = 2;
	text = show(&(struct ompp_report_options){ .views = "general,flat" });
	has(text, "PAPI Support    : no PMU");
	has(text, "OMPP_CTR1       : a, not counted: no PMU; use b\n");
	has(text, "~: not exact but sampled;");
	has(text, "          a OMPP_CTR2~ ");
	profile.n_metrics = 1;
	text = show(&(struct ompp_report_options){ .views = "general,flat" });
	assert_only_times_are_sampled(text);
	has(text, "R00009 a.c (37-37) TASK\n TID      execT      execC          a      twice\n"
	          "   0     0.0500        100          -          -\n");
	profile.n_metrics = 0;
	text = show(&(struct ompp_report_options){ .views = "general" });
	has(text, "PAPI Support    : no counters asked for\n");
}

/* A formula cannot be computed when its counter is not there, or when the formula cannot be read. */
static void test_no_formula(void **state)
{
	static const struct ompp_eval evals[] = { { "x", "PAPI_BR_MSP/EXECT", "" },
		                                  { "y", "(EXECT", "" },
		                                  { "2", "1+1", "" } };
	char *text;

	(void)state;
	profile.evals = evals;
	profile.n_evals = 3;
	text = show(&(struct ompp_report_options){ .views = "general,flat" });
	has(text, "OMPP_EVAL1      : x = PAPI_BR_MSP/EXECT, not computed: PAPI_BR_MSP is not counted\n");
	has(text, "OMPP_EVAL2      : y = (EXECT, not computed: column 7: ')' is missing\n");
	has(text, " TID      execT      execC PAPI_TOT_INS L3_MISSES~          x          y          2\n"
	          "   0     0.0500        100      150 000  1 234 587          -          -          2\n");
}

/* Counters of the whole machine are summed over call paths and NUMA nodes; a sum is missing where a part of it is. */
static void test_numa(void **state)
{
	static const struct ompp_metric m = { "reads", "MiB", OMPP_EXACT, "" }, w = { "writes", "", OMPP_EXACT, "" };
	static const struct ompp_metric lost = { "reads", "MiB", OMPP_NOT_COUNTED, "lost" };
	struct ompp_numa_value values[] = {
		{ .place = 7, .metric = m, .value = 40 },
		{ .place = 2, .metric = m, .value = 2 },
		{ .place = 2, .metric = w, .value = OMPP_MISSING },
		{ .place = 2, .metric = m, .value = 500 },
		{ .place = 2, .metric = w, .value = 1 },
		{ .place = 7, .metric = lost, .value = 3 },
	};
	char *text, *csv;

	(void)state;
	for (size_t i = 0; i < 6; i++) /* FUNCTION solve stands on two call paths */
		values[i].node = i < 3 ? node_of(18, OMPP_FUNCTION) : (uint32_t)profile.n_nodes - 1;
	assert_int_equal(profile.nodes[profile.n_nodes - 1].region, 17);
	profile.numa_values = values;
	profile.n_numa_values = 5;
	csv = show(&(struct ompp_report_options){ .views = "flat,callpath", .format = "csv" });
	has(csv, "##BEG R00018 nodes\nR00018,FUNCTION,,0,0,solve\ncounter,unit,certainty,NUMA 2,NUMA 7,SUM\n"
	         "reads,MiB,exact,502,40,542\nwrites,,exact,-,-,-\n##END R00018 nodes\n");
	has(csv, "##BEG R00018 callgraph nodes\n[*00],example\n[=01],R00018,FUNCTION,,0,0,solve\n"
	         "counter,unit,certainty,NUMA 2,NUMA 7,SUM\nreads,MiB,exact,500,-,500\nwrites,,exact,1,-,1\n");
	text = show(&(struct ompp_report_options){ .views = "flat,general" });
	has(text, "\nWhole machine during R00018, by NUMA node, other programs included:\n"
	          "counter          NUMA 2     NUMA 7        SUM\nreads in MiB        502         40        542\n");
	has(text, "OMPP_CTR3       : reads in MiB, exact; of the whole machine, by NUMA node\n");
	profile.n_numa_values = 6;
	csv = show(&(struct ompp_report_options){ .views = "flat", .format = "csv" });
	has(csv, "reads,MiB,exact,502,-,-\n");
	values[5].metric = m;
	profile.mpi_rank = 0;
	for (size_t i = 3; i < 6; i++)
		values[i].process = 1;
	csv = show(&(struct ompp_report_options){ .views = "flat", .format = "csv" });
	has(csv, "counter,unit,certainty,NUMA 2,NUMA 7,r0 NUMA 2,r0 NUMA 7,SUM\nreads,MiB,exact,2,40,500,3,-\n");
}

/* Atomics have columns where an object has some, and none where they were counted and there was none. */
static void test_atomics(void **state)
{
	struct ompp_access *accesses;

	(void)state;
	example_data_profile(&profile, 0);
	has(show(&(struct ompp_report_options){ .views = "data" }), "atomics");
	accesses = ompp_arena_alloc(&arena, profile.n_accesses * sizeof(*accesses));
	memcpy(accesses, profile.accesses, profile.n_accesses * sizeof(*accesses));
	for (size_t i = 0; i < profile.n_accesses; i++)
		if (accesses[i].values[OMPP_ACCESS_ATOMICS] != OMPP_MISSING)
			accesses[i].values[OMPP_ACCESS_ATOMICS] = accesses[i].values[OMPP_ACCESS_ATOMIC_BYTES] = 0;
	profile.accesses = accesses;
	assert_null(strstr(show(&(struct ompp_report_options){ .views = "data" }), "atomics"));
}

/* When nothing was measured, numbers are missing, and not 0. */
static void test_empty(void **state)
{
	static const struct ompp_node root = { .parent = OMPP_NONE, .region = OMPP_NONE };
	char *text;

	(void)state;
	profile.nodes = &root;
	profile.n_nodes = 1;
	profile.n_cells = profile.n_regions = profile.n_rows = profile.n_metrics = 0;
	profile.duration_ns = 0;
	text = show(&(struct ompp_report_options){ .views = "" });
	has(text, "No property holds.");
	has(text, "Parallel coverage          : 0.00 sec (-%)");
}

/* Of two host threads on one path at the same time the average is shown. */
static void test_hosts(void **state)
{
	static const struct ompp_row rows[] = { { "0", 1, 1, 0, OMPP_NONE }, { "h2:0", 2, 1, 0, OMPP_NONE } };
	static const struct ompp_cell cells[] = { { .row = 0, .incl_ns = 100 }, { .row = 1, .incl_ns = 300 } };
	static const struct ompp_node nodes[] = { { .parent = OMPP_NONE, .region = OMPP_NONE },
		                                  { .construct = OMPP_USER_REGION, .region = 16, .n_cells = 2 } };

	(void)state;
	profile.rows = rows;
	profile.n_rows = 2;
	profile.cells = cells;
	profile.n_cells = 2;
	profile.nodes = nodes;
	profile.n_nodes = 2;
	assert_int_equal(ompp_analysis_init(&analysis, &profile, &(struct ompp_report_options){ 0 }, &arena), 0);
	assert_int_equal(analysis.wall_ns[1], 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_wall_clock, start, stop),
		                            cmocka_unit_test_setup_teardown(test_longer_than_caller, start, stop),
		                            cmocka_unit_test_setup_teardown(test_samples_alone, start, stop),
		                            cmocka_unit_test_setup_teardown(test_no_samples, start, stop),
		                            cmocka_unit_test_setup_teardown(test_samples_chosen, start, stop),
		                            cmocka_unit_test_setup_teardown(test_additive, start, stop),
		                            cmocka_unit_test_setup_teardown(test_flat, start, stop),
		                            cmocka_unit_test_setup_teardown(test_exclusive, start, stop),
		                            cmocka_unit_test_setup_teardown(test_overheads, start, stop),
		                            cmocka_unit_test_setup_teardown(test_serial, start, stop),
		                            cmocka_unit_test_setup_teardown(test_notes, start, stop),
		                            cmocka_unit_test_setup_teardown(test_properties, start, stop),
		                            cmocka_unit_test_setup_teardown(test_choice, start, stop),
		                            cmocka_unit_test_setup_teardown(test_formulas, start, stop),
		                            cmocka_unit_test_setup_teardown(test_certainty, start, stop),
		                            cmocka_unit_test_setup_teardown(test_no_formula, start, stop),
		                            cmocka_unit_test_setup_teardown(test_numa, start, stop),
		                            cmocka_unit_test_setup_teardown(test_atomics, start, stop),
		                            cmocka_unit_test_setup_teardown(test_empty, start, stop),
		                            cmocka_unit_test_setup_teardown(test_hosts, start, stop) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
