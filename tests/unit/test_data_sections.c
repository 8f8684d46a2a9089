/*
 * Data sections: blocks of an object that stand out, names that are shortened, and pages by who touched them first, by
 * what was worked out by hand from a few accesses.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/report.h"
#include "runtime/base/array.h"
#include "tests/golden/example.h"
#include "tests/unit/report_text.h"

enum { A = 2, X = 3 }; /* objects of the example */

static struct ompp_arena arena;
static struct ompp_profile profile;

static int start(void **state)
{
	(void)state;
	ompp_arena_init(&arena, 0);
	example_data_profile(&profile, 0);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	ompp_arena_fini(&arena);
	return 0;
}

static char *show(const struct ompp_report_options *options)
{
	return report_text(&profile, options, &arena);
}

/* Accesses of 8 bytes each. */
static struct ompp_access access_of(uint32_t object, int64_t loads, int64_t stores, int64_t atomics)
{
	return (struct ompp_access){ 0,
		                     0,
		                     object,
		                     { loads, stores, atomics, 8 * loads, 8 * stores, 8 * atomics,
		                       loads + stores + atomics, OMPP_MISSING, OMPP_MISSING, OMPP_MISSING } };
}

static struct ompp_instance block_of(uint32_t object, int64_t order, int64_t loads, int64_t stores, int64_t atomics)
{
	struct ompp_instance l = { .object = object,
		                   .row = OMPP_NONE,
		                   .region = OMPP_NONE,
		                   .order = order,
		                   .bytes = 64,
		                   .is_live = 1,
		                   .begun_ns = order,
		                   .ended_ns = OMPP_MISSING,
		                   .loads = loads,
		                   .stores = stores,
		                   .atomics = atomics,
		                   .load_bytes = 8 * loads,
		                   .store_bytes = 8 * stores,
		                   .atomic_bytes = 8 * atomics };

	for (size_t i = 0; i < OMPP_COUNT_OF(l.misses); i++)
		l.misses[i] = OMPP_MISSING;
	return l;
}

/* x has 10 blocks, of which two have 450 and 500 of its 1000 accesses; the only block of a has all its 90. */
static void put_blocks(void)
{
	static struct ompp_access accesses[2];
	static struct ompp_instance instances[3];
	static struct ompp_allocation allocations[2];

	accesses[0] = access_of(A, 90, 0, 0);
	accesses[1] = access_of(X, 700, 200, 100);
	instances[0] = block_of(A, 1, 90, 0, 0);
	instances[1] = block_of(X, 3, 300, 100, 50);
	instances[2] = block_of(X, 5, 400, 100, 0);
	instances[1].is_partial = 1;
	allocations[0] = allocations[1] = profile.allocations[0];
	allocations[0].n_blocks = allocations[0].n_large = allocations[0].n_told = 1;
	allocations[1].object = X;
	allocations[1].n_blocks = 10;
	allocations[1].n_large = 9;
	allocations[1].n_told = 7;
	profile.accesses = accesses;
	profile.n_accesses = OMPP_COUNT_OF(accesses);
	profile.instances = instances;
	profile.n_instances = OMPP_COUNT_OF(instances);
	profile.allocations = allocations;
	profile.n_allocations = OMPP_COUNT_OF(allocations);
	profile.n_shared_lines = profile.n_patterns = 0;
}

/* The object with most accesses comes first, and its block with most; what blocks without a line have is the rest. */
static void test_instances(void **state)
{
	const char *report;

	(void)state;
	put_blocks();
	report = show(&(struct ompp_report_options){ .views = "data", .instances = 1 });
	has(report, "\ninstance of number size TID       begin  end counted accesses      (%) loads stores bytes\n"
	            "x                5   64 -   0.000000005 live all          500 (50.00%)   400    100 4 000\n"
	            "x                3   64 -   0.000000003 live part         450 (45.00%)   300    100 3 600\n"
	            "(8 more)         -    - -             -    - -             50 ( 5.00%)     -      -   400\n"
	            "a                1   64 -   0.000000001 live all           90 (100.0%)    90      0   720\n\n"
	            "Of the 10 blocks of x 7 were told apart, 1 are smaller than OMPP_OBJECT_MIN, 2 came while as\n"
	            "    many as OMPP_INSTANCES allows were told apart; what is not told apart is in the sum of the\n"
	            "    object alone.\n");
	assert_null(strstr(report, "One of the"));
	report = show(&(struct ompp_report_options){ .views = "data", .format = "csv" });
	has(report, "end,counted,accesses,(%),loads,stores,atomics,bytes,samples,~accesses,~accesses +-,~accesses (%),"
	            "memory share,memory share +-,L1 misses,L2 misses,L3 misses,address\n"
	            "x,5,64,-,(serial),,,,,,0.000000005,live,all,500,50.000000,400,100,0,4000,-,-,-,-,-,-,-,-,-,0\n"
	            "x,3,64,-,(serial),,,,,,0.000000003,live,part,450,45.000000,300,100,50,3600,-,-,-,-,-,-,-,-,-,0\n"
	            "a,1,64,-,(serial),,,,,,0.000000001,live,all,90,100.000000,90,0,0,720,-,-,-,-,-,-,-,-,-,0\n"
	            "##END instances\n");
}

/* With --object blocks of others are not shown; those of no object are named by their site. */
static void test_blocks_of_object(void **state)
{
	static const char heading[] = "Blocks of memory by the place that allocated them", *const formats[] = { "text",
		                                                                                                "csv" };

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(formats); i++) {
		struct ompp_report_options options = { .views = "data", .format = formats[i] };
		struct ompp_allocation allocations[3];
		const char *report;

		put_blocks();
		memcpy(allocations, profile.allocations, 2 * sizeof(allocations[0]));
		allocations[0].name = "of_a";
		allocations[1].name = "of_x";
		allocations[2] = allocations[1];
		allocations[2].object = OMPP_NONE;
		allocations[2].name = "of_none";
		profile.allocations = allocations;
		profile.n_allocations = OMPP_COUNT_OF(allocations);
		for (unsigned int chosen = 0; chosen < 8; chosen++) {
			char names[32] = "";

			strcat(strcat(strcat(names, chosen & 1 ? "a," : ""), chosen & 2 ? "x," : ""),
			       chosen & 4 ? "of_none," : "");
			if (chosen)
				names[strlen(names) - 1] = 0;
			options.object = names;
			report = show(&options);
			assert_int_equal(strstr(report, "of_a") != NULL, !chosen || chosen & 1);
			assert_int_equal(strstr(report, "of_x") != NULL, !chosen || (chosen & 2) != 0);
			assert_int_equal(strstr(report, "of_none") != NULL, !chosen || (chosen & 4) != 0);
		}
		options.object = "neither";
		assert_null(strstr(show(&options), heading));
	}
}

/* A block leads its object with four times its share or more, and a fifth of all at least. */
static void test_leading_block(void **state)
{
	static const char leads[] = "One of the 10 blocks of x, number 5, has 50 % of their accesses;";
	struct ompp_allocation allocations[2];
	const char *report;

	(void)state;
	put_blocks();
	memcpy(allocations, profile.allocations, sizeof(allocations));
	profile.allocations = allocations;
	report = show(&(struct ompp_report_options){ .views = "data" });
	has(report, leads);
	assert_null(strstr(report, "blocks of a"));
	allocations[1].n_blocks = 7; /* 3.5 times its share */
	assert_null(strstr(show(&(struct ompp_report_options){ .views = "data" }), "One of the"));
	allocations[1].n_blocks = 8;
	has(show(&(struct ompp_report_options){ .views = "data" }), "One of the 8 blocks of x, number 5, has 50 %");
	profile.n_instances = 2; /* without number 5 */
	assert_null(strstr(show(&(struct ompp_report_options){ .views = "data" }), "One of the"));
	allocations[1].n_blocks = 9;
	has(show(&(struct ompp_report_options){ .views = "data" }), "One of the 9 blocks of x, number 3, has 45 %");
	allocations[1].n_blocks = 1;
	assert_null(strstr(show(&(struct ompp_report_options){ .views = "data" }), "One of the"));
}

/* Names of 40 columns stand as they are; longer ones are shortened in the middle, unless two would look alike. */
static void test_short_names(void **state)
{
	static const char longest[] = "0123456789012345678901234567890123456789";
	static const char longer[] = "0123456789012345678901234567890123456789x";
	static const char other[] = "01234567890123456789x1234567890123456789x";
	struct ompp_object objects[16];
	const char *report;

	(void)state;
	put_blocks();
	profile.n_instances = 0;
	assert_true(profile.n_objects <= OMPP_COUNT_OF(objects));
	memcpy(objects, profile.objects, profile.n_objects * sizeof(objects[0]));
	profile.objects = objects;
	objects[X].name = longest;
	objects[A].name = longer;
	report = show(&(struct ompp_report_options){ .views = "data" });
	has(report, longest);
	has(report, "\n0123456789012\u20265678901234567890123456789x (serial)   720");
	has(show(&(struct ompp_report_options){ .views = "data", .format = "csv" }), longer);
	objects[X].name = other;
	report = show(&(struct ompp_report_options){ .views = "data" });
	has(report, longer);
	has(report, other);
}

/* On emulated nodes, pages are where they were touched first, in whatever order the profile has that: objects come in
 * their own order, and those without a touched page not at all. */
static void test_pages(void **state)
{
	struct ompp_first_touch touches[8];
	const struct ompp_report_options emulated = {
		.views = "numa", .format = "csv", .numa = "emulate:2", .emulated = 2
	};
	size_t n;

	(void)state;
	example_sample_profile(&profile);
	n = profile.n_first_touches;
	assert_true(n <= OMPP_COUNT_OF(touches));
	for (size_t i = 0; i < n; i++)
		touches[n - 1 - i] = profile.first_touches[i];
	profile.first_touches = touches;
	has(show(&emulated), "##END numa matrix\n##BEG numa regions\n"); /* no layout is better */
	has(show(&emulated), "##BEG numa pages\nobject,node 0,node 1,unknown,moved,certainty\na,281250,0,0,-,modelled\n"
	                     "x,24,0,0,-,modelled\nbuf,2,0,0,-,modelled\n##END numa pages\n");
}

/* With one node, the threads are the places: those of nested teams have columns of their own, and no layout is told. */
static void test_threads(void **state)
{
	const char *report;

	(void)state;
	example_sample_profile(&profile);
	profile.n_numa_list = 1;
	report = show(&(struct ompp_report_options){ .views = "numa", .format = "csv" });
	has(report, "##BEG numa pages\nobject,TID 0,TID 0.1,TID 1,TID 1.1,TID h2:0,unknown,moved,certainty\n"
	            "a,281250,0,0,0,0,0,-,exact\nx,24,0,0,0,0,0,-,exact\nbuf,0,1,1,0,0,0,-,exact\n##END numa pages\n");
	has(report, "\nx,TID 1,72000365,848784,72000365,0,0,0,0,0,sampled\n");
	has(report, "\nbuf,TID 0.1,30021,17331,0,0,0,0,0,30021,sampled\n##END numa matrix\n##BEG numa regions\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_instances, start, stop),
		cmocka_unit_test_setup_teardown(test_blocks_of_object, start, stop),
		cmocka_unit_test_setup_teardown(test_leading_block, start, stop),
		cmocka_unit_test_setup_teardown(test_short_names, start, stop),
		cmocka_unit_test_setup_teardown(test_pages, start, stop),
		cmocka_unit_test_setup_teardown(test_threads, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
