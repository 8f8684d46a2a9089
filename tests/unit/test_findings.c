/*
 * Findings: how many there are, in which order, what they gain together; and findings about data.
 */
#include <errno.h>
#include <unistd.h>

#include "reports/bounds/roofline.h"
#include "reports/exchange/exchange.h"
#include "reports/findings/finding.h"
#include "runtime/base/array.h"
#include "runtime/ompp_mem.h"
#include "runtime/terms/clauses.h"
#include "tests/unit/finding_case.h"

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
	regions[0].clauses = "schedule(monotonic, simd: static, 4)";
	assert_non_null(strstr(find("FalseSharing")->advice, "schedule(static) without a chunk"));
	regions[0].clauses = "schedule(monotonic, simd: static)";
	assert_non_null(strstr(find("FalseSharing")->advice, "larger chunks"));
	regions[0].clauses = "schedule(static)";
	assert_non_null(strstr(find("FalseSharing")->advice, "larger chunks"));
	/* elements that are written here and there, a few times each */
	for (int more = 0; more < 2; more++) {
		pattern.n_lines = 63 + (uint32_t)more;
		pattern.n_of = pattern.n_lines * 64 - 1;
		assert_int_equal(strstr(find("FalseSharing")->advice, "by the place that it writes") != NULL, more);
		pattern.n_of++;
		assert_null(strstr(find("FalseSharing")->advice, "by the place that it writes"));
	}
	/* with single static iterations the schedule is why, and without a schedule the places are */
	pattern.n_of = pattern.n_lines * 40;
	regions[0].clauses = "schedule(static, 1)";
	assert_non_null(strstr(find("FalseSharing")->advice, "schedule(static) without a chunk"));
	regions[0].clauses = "";
	assert_non_null(strstr(find("FalseSharing")->advice, "by the place that it writes"));

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

/* What a walk would miss at most with its data side by side, and what a plain run would be shorter by then: each line
 * of the object comes once at least.  Small blocks that are allocated one by one are no array. */
static void test_walks(void **state)
{
	static const struct ompp_cache_level level = { "L1", 32768, 8, 64, 0 };
	struct ompp_object objects[] = { { .name = "(other)", .measured = 1 },
		                         { .name = "(stack)", .measured = 1 },
		                         { .name = "a", .bytes = 6400, .measured = 1 } };
	struct ompp_access access = { 1, 0, 2, { 32000, 0, 0, 256000, 0, 0, 32000, 8000, OMPP_MISSING, OMPP_MISSING } };
	struct ompp_pattern pattern = { 2, 0, OMPP_PATTERN_STRIDE, 7900, 0, 4096, "0", 1, 8000, 0 };
	struct ompp_allocation blocks = { .name = "a", .object = 2, .n_blocks = 100, .bytes = 6400 };
	struct ompp_region_time time = { .body_ns = 8 * MS };
	const char *why = NULL;
	const struct ompp_times times = { .duration_ns = 10 * MS, .time = &time, .why = &why };
	const struct ompp_finding *f;

	(void)state;
	one(OMPP_PARALLEL_LOOP, 1, "");
	profile.objects = objects;
	profile.n_objects = 3;
	profile.accesses = &access;
	profile.n_accesses = 1;
	profile.patterns = &pattern;
	profile.n_patterns = 1;
	profile.cache_levels = &level;
	profile.n_cache_levels = 1;
	profile.allocations = &blocks;
	profile.n_allocations = 1;
	options.times = &times;
	f = find("ArrayWalkedWithStride");
	assert_non_null(strstr(f->evidence, "there would be at most 4 000 misses"));
	assert_non_null(strstr(f->evidence, "beyond 100 is saved: each line of the object has to come once."));
	assert_int_equal(f->gain_ns, 8 * MS * 7900 / 8000);
	objects[2].bytes = OMPP_MISSING;
	f = find("ArrayWalkedWithStride");
	assert_non_null(strstr(f->evidence, "beyond 4 000 is saved."));
	assert_int_equal(f->gain_ns, 4 * MS);
	objects[2].bytes = 1000000; /* of which no more than the bytes of the accesses are used */
	assert_int_equal(find("ArrayWalkedWithStride")->gain_ns, 4 * MS);
	options.times = NULL;
	pattern.step_bytes = 96;
	assert_non_null(strstr(find("LinesUsedInPart")->advice, "an array of structures"));
	regions[0].file = "a.f90";
	assert_non_null(strstr(find("LinesUsedInPart")->advice, "the first index"));
	blocks.bytes--;
	assert_non_null(strstr(find("LinesUsedInPart")->advice, "allocated one by one"));
	blocks.n_blocks = 1;
	blocks.bytes = 60;
	assert_null(strstr(find("LinesUsedInPart")->advice, "allocated one by one"));
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

/* All kinds with all modifiers, with and without a chunk, in which the names of other kinds and a colon may stand. */
static void test_schedules(void **state)
{
	static const char *const kinds[] = { "static", "dynamic", "guided", "auto", "runtime" },
				 *const modifiers[] = { "",        "monotonic:",         "nonmonotonic: ",
		                                        " simd :", "monotonic, simd : ", "simd,nonmonotonic:" },
				 *const chunks[] = { "", ",1", " , 12", ", n_static", ", dynamic(1)", ", a ? 1 : 2" };
	char clauses[128];
	const char *args;
	size_t n;

	(void)state;
	for (size_t k = 0; k < OMPP_COUNT_OF(kinds); k++)
		for (size_t m = 0; m < OMPP_COUNT_OF(modifiers); m++)
			for (size_t c = 0; c < OMPP_COUNT_OF(chunks); c++) {
				snprintf(clauses, sizeof(clauses), "nowait schedule(%s%s%s)", modifiers[m], kinds[k],
				         chunks[c]);
				assert_true(ompp_schedule(clauses, &args, &n));
				assert_int_equal(n, strlen(kinds[k]) + strlen(chunks[c]));
				assert_memory_equal(args, kinds[k], strlen(kinds[k]));
				for (size_t i = 0; i < OMPP_COUNT_OF(kinds); i++)
					assert_int_equal(ompp_schedule_is(clauses, kinds[i]), i == k);
				assert_int_equal(ompp_schedule_is_in_order(clauses), !k && !c);
				assert_int_equal(ompp_schedule_chunk(clauses), c == 1 ? 1 : c == 2 ? 12 : 0);
				assert_int_equal(ompp_schedule_is_on_demand(clauses), k != 0);
			}
	assert_false(ompp_schedule("ordered", &args, &n));
	assert_false(ompp_schedule_is("", "static"));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(test_ordered),      TEST(test_walks),    TEST(test_memory),
		                            TEST(test_gain),         TEST(test_together), TEST(test_two_profiles),
		                            TEST(test_data),         TEST(test_far),      TEST(test_page),
		                            TEST(test_smalls),       TEST(test_clauses),  TEST(test_queued),
		                            TEST(test_brief_memory), TEST(test_schedules) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
