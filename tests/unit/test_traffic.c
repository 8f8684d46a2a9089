/*
 * Traffic: compares sums of accesses by region and call path with sums made by the definition, over random trees;
 * checks what is shown of many objects and of breakpoints, and the classes of objects.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/analysis/init.h"
#include "reports/analysis/traffic.h"
#include "reports/report.h"
#include "runtime/ompp_mem.h"
#include "tests/unit/bare_profile.h"
#include "tests/unit/report_text.h"

enum { REGIONS = 6, NODES = 40, OBJECTS = 5, ROWS = 6, MAX_ACCESSES = NODES * ROWS * OBJECTS };

/* Threads 0 and 1, each with an inner team of two. */
static const struct ompp_row rows[ROWS] = {
	{ "0", 1, 1, 0, OMPP_NONE }, { "0.0", 1, 2, 0, 0 }, { "0.1", 1, 2, 1, 0 },
	{ "1", 1, 1, 1, OMPP_NONE }, { "1.0", 1, 2, 0, 3 }, { "1.1", 1, 2, 1, 3 },
};

static struct ompp_arena arena;
static struct ompp_profile profile;
static struct ompp_region regions[REGIONS];
static struct ompp_node nodes[NODES];
static struct ompp_cell cells[NODES * ROWS];
static struct ompp_access accesses[MAX_ACCESSES];
static struct ompp_object *objects;

static struct ompp_object object(const char *name, int64_t bytes)
{
	return (struct ompp_object){ name, OMPP_ORIGIN_PRAGMA, 0x1000, bytes, 1, 0, 1, 1, 0, 0 };
}

/* Makes a profile of one region, one node below the root with the rows 0 and 1, and the objects (other) and (stack). */
static int start(void **state)
{
	(void)state;
	ompp_arena_init(&arena, 0);
	memset(regions, 0, sizeof(regions));
	memset(nodes, 0, sizeof(nodes));
	memset(cells, 0, sizeof(cells));
	memset(accesses, 0, sizeof(accesses));
	for (uint32_t i = 0; i < REGIONS; i++)
		regions[i] = (struct ompp_region){
			i + 1, OMPP_FUNCTION, "/a.c", i + 1, i + 1, "", 0, 0, "", "", "", 0
		};
	nodes[0] = (struct ompp_node){ .parent = OMPP_NONE, .region = OMPP_NONE };
	nodes[1] = (struct ompp_node){ .construct = OMPP_FUNCTION, .n_cells = 2 };
	cells[1].row = 3;
	profile = (struct ompp_profile){ BARE_PROFILE,       .max_threads = 2,     .duration_ns = 1000,
		                         .regions = regions, .n_regions = REGIONS, .rows = rows,
		                         .n_rows = ROWS,     .nodes = nodes,       .n_nodes = 2,
		                         .cells = cells,     .n_cells = 2,         .accesses = accesses };
	profile.app = "app";
	profile.clock = "fake";
	profile.data_method = "hooks";
	profile.final = 0;
	return 0;
}

static int stop(void **state)
{
	(void)state;
	ompp_arena_fini(&arena);
	return 0;
}

static void make_objects(size_t n)
{
	objects = ompp_arena_alloc(&arena, (n + 2) * sizeof(*objects));
	assert_non_null(objects);
	for (size_t i = 0; i < n + 2; i++) {
		char name[] = "o00000";

		for (size_t k = 5, rest = i; k; k--, rest /= 10)
			name[k] = (char)('0' + rest % 10);
		objects[i] = object(ompp_arena_strdup(&arena, name), 800);
	}
	objects[0].name = "(other)";
	objects[1].name = "(stack)";
	profile.objects = objects;
	profile.n_objects = n + 2;
}

/* Adds accesses of 8 bytes. */
static void touch(uint32_t node, uint32_t row, uint32_t o, int64_t loads, int64_t stores, int64_t atomics)
{
	struct ompp_access *access = (struct ompp_access *)&profile.accesses[profile.n_accesses++];

	*access = (struct ompp_access){ node,
		                        row,
		                        o,
		                        { loads, stores, atomics, 8 * loads, 8 * stores, 8 * atomics,
		                          loads + stores + atomics, OMPP_MISSING, OMPP_MISSING, OMPP_MISSING } };
}

static char *show(const struct ompp_report_options *options)
{
	return report_text(&profile, options, &arena);
}

static uint32_t seed;

static uint32_t random_below(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static struct ompp_sampled samples[NODES * ROWS * OBJECTS];

/* Samples at some of the places, also where there are no accesses. */
static void random_samples(void)
{
	profile.samples = samples;
	profile.n_samples = 0;
	for (uint32_t i = 0; i < profile.n_nodes; i++)
		for (uint32_t r = 0; r < ROWS; r++)
			for (uint32_t o = 0; o < OBJECTS; o++) {
				uint64_t n = random_below(16) == 0 ? 1 + random_below(9) : 0;
				struct ompp_sampled_sum sum = {
					OMPP_MEM_LOADS, OMPP_MEM_LEVEL_L1, n, n, (int64_t)n * 10, (int64_t)n * 90,
					(int64_t)n * 7, (int64_t)n * 49
				};

				if (n)
					samples[profile.n_samples++] = (struct ompp_sampled){
						i, r, o, OMPP_NONE, 0, sum
					};
			}
}

/* Makes a random tree, whose regions may lie inside themselves, with random rows and a few accesses, some of which have
 * parts missing. */
static void random_profile(void)
{
	uint32_t n_cells = 0;

	profile.n_nodes = 2 + random_below(NODES - 2);
	profile.n_accesses = 0;
	make_objects(OBJECTS - 2);
	for (uint32_t i = 1; i < profile.n_nodes; i++) {
		uint32_t region = random_below(REGIONS);

		nodes[i] = (struct ompp_node){ random_below(i), region, OMPP_FUNCTION, n_cells, 0 };
		regions[region].construct = OMPP_FUNCTION;
		for (uint32_t r = 0; r < ROWS; r++)
			if (random_below(3) == 0) {
				cells[n_cells++] = (struct ompp_cell){
					.row = r, .n_exec = 1, .exec_ns = 1, .incl_ns = 1
				};
				nodes[i].n_cells++;
			}
	}
	profile.n_cells = n_cells;
	for (uint32_t i = 0; i < profile.n_nodes; i++)
		for (uint32_t r = 0; r < ROWS; r++)
			for (uint32_t o = 0; o < OBJECTS; o++)
				if (random_below(8) == 0) {
					touch(i, r, o, random_below(100), random_below(100), random_below(5));
					if (random_below(20) == 0)
						accesses[profile.n_accesses - 1]
							.values[OMPP_ACCESS_STORES] = OMPP_MISSING;
				}
	random_samples();
}

static int has_cell(uint32_t node, uint32_t row)
{
	for (uint32_t k = 0; k < nodes[node].n_cells; k++)
		if (cells[nodes[node].first_cell + k].row == row)
			return 1;
	return 0;
}

/* By the definition: tells whether this node, or one above it, is `top` (or belongs to the region). */
static int is_below(uint32_t node, uint32_t top, uint32_t region)
{
	for (; node != OMPP_NONE; node = nodes[node].parent)
		if (region == OMPP_NONE ? node == top : nodes[node].region == region)
			return 1;
	return 0;
}

/* Tells whether the block has times of this row. */
static int block_has(uint32_t row, uint32_t top, uint32_t region)
{
	if (region == OMPP_NONE)
		return has_cell(top, row);
	for (uint32_t i = 1; i < profile.n_nodes; i++)
		if (nodes[i].region == region && has_cell(i, row))
			return 1;
	return 0;
}

/* Returns the row that must be shown.  Rows 0 and 0.0 are the same thread, as are 1 and 1.0: it is shown by the name
 * that the block has times of; when it has times of both, each row is shown by itself. */
static uint32_t expected_row(uint32_t row, uint32_t top, uint32_t region)
{
	uint32_t other = row == 1 || row == 4 ? row - 1 : row == 0 || row == 3 ? row + 1 : row;

	return !block_has(row, top, region) && block_has(other, top, region) ? other : row;
}

static int64_t plus(int64_t a, int64_t b)
{
	return a == OMPP_MISSING || b == OMPP_MISSING ? OMPP_MISSING : a + b;
}

/* The samples of a row are those of its call paths and of all below them, whatever object they are of. */
static void check_samples(const struct ompp_block *block, uint32_t top, uint32_t region)
{
	uint64_t want[ROWS] = { 0 }, own[ROWS] = { 0 };

	for (size_t i = 0; i < profile.n_samples; i++) {
		uint32_t row = expected_row(samples[i].row, top, region);

		if (!is_below(samples[i].node, top, region))
			continue;
		want[row] += samples[i].sum.n;
		own[row] += samples[i].node == top ? samples[i].sum.n : 0;
	}
	for (uint32_t row = 0; row < ROWS; row++) {
		uint32_t line = block ? block->line_of[row] : OMPP_NONE;

		assert_int_equal(line == OMPP_NONE ? 0 : block->sampled[line].n, want[row]);
		if (!want[row])
			continue;
		assert_int_equal(block->sampled[line].estimate, 10 * want[row]);
		assert_int_equal(block->sampled[line].variance, 90 * want[row]);
		assert_int_equal(block->sampled[line].latency_ticks, 7 * want[row]);
		assert_int_equal(block->sampled[line].squares, 49 * want[row]);
		if (region == OMPP_NONE)
			assert_int_equal(block->sampled_exclusive[line].n, own[row]);
	}
}

static void check_block(const struct ompp_block *block, uint32_t top, uint32_t region)
{
	int64_t want[ROWS][OBJECTS] = { { 0 } }, stores[ROWS][OBJECTS] = { { 0 } }, own[ROWS][OBJECTS] = { { 0 } };
	int touched[ROWS][OBJECTS] = { { 0 } };
	size_t n_touched = 0, n_seen = 0;

	for (size_t i = 0; i < profile.n_accesses; i++) {
		const struct ompp_access *a = &accesses[i];
		uint32_t row = expected_row(a->row, top, region);

		if (!is_below(a->node, top, region))
			continue;
		want[row][a->object] += a->values[OMPP_ACCESS_LOADS];
		stores[row][a->object] = plus(stores[row][a->object], a->values[OMPP_ACCESS_STORES]);
		own[row][a->object] += a->node == top ? a->values[OMPP_ACCESS_LOADS] : 0;
		n_touched += !touched[row][a->object]++;
	}
	if (!block) {
		assert_int_equal(n_touched, 0);
		check_samples(block, top, region);
		return;
	}
	check_samples(block, top, region);
	for (uint32_t row = 0; row < ROWS; row++) {
		uint32_t line = block->line_of[row];

		for (size_t c = 0; c < block->n_objects && line != OMPP_NONE; c++) {
			const int64_t *values = &block->values[(line * block->n_objects + c) * OMPP_N_TRAFFIC];
			const int64_t *exclusive = &block->exclusive[(line * block->n_objects + c) * OMPP_N_TRAFFIC];
			uint32_t o = block->objects[c];

			assert_int_equal(values[OMPP_TRAFFIC_LOADS], want[row][o]);
			assert_int_equal(values[OMPP_TRAFFIC_STORES], stores[row][o]);
			if (region == OMPP_NONE)
				assert_int_equal(exclusive[OMPP_TRAFFIC_LOADS], own[row][o]);
			n_seen += touched[row][o] > 0;
		}
	}
	assert_int_equal(n_seen, n_touched);
}

static void test_random(void **state)
{
	size_t n_inner = 0;

	(void)state;
	for (seed = 1; seed < 400; seed++) {
		struct ompp_analysis analysis;
		uint32_t keep = seed;
		int rc = 0;

		random_profile();
		assert_int_equal(ompp_analysis_init(&analysis, &profile, &(struct ompp_report_options){ 0 }, &arena),
		                 0);
		for (uint32_t r = 0; r < REGIONS; r++)
			check_block(ompp_traffic_region(analysis.traffic, r, 0, &rc), OMPP_NONE, r);
		for (uint32_t i = 1; i < profile.n_nodes; i++) {
			check_block(ompp_traffic_node(analysis.traffic, i, &rc), i, OMPP_NONE);
			n_inner += analysis.traffic->is_inner[i];
		}
		assert_int_equal(rc, 0);
		seed = keep;
		ompp_arena_fini(&arena);
		ompp_arena_init(&arena, 0);
	}
	assert_true(n_inner > 1000); /* enough regions lay inside themselves */
}

/* In a function that calls itself, 3 + 4 loads are 7 in the region, and 7 in its outer call path. */
static void test_recursion(void **state)
{
	char *csv;

	(void)state;
	make_objects(1);
	profile.n_nodes = 3;
	profile.n_cells = 4;
	nodes[2] = (struct ompp_node){ 1, 0, OMPP_FUNCTION, 2, 2 };
	cells[3].row = 3;
	touch(1, 0, 2, 3, 0, 0);
	touch(2, 0, 2, 4, 0, 0);
	csv = show(&(struct ompp_report_options){ .views = "flat,callpath,data", .format = "csv" });
	has(csv, "o00002:loads,o00002:stores,o00002:atomics,o00002:bytes\n0,0.000000000,0,7,0,0,56\n");
	has(csv, "\n0,0.000000000,0,0.000000000,7,3,0,0,0,0,56,24\n");
	has(csv, "\n0,0.000000000,0,0.000000000,4,4,0,0,0,0,32,32\n");
	has(csv, "o00002,R00001,FUNCTION,/a.c,1,1,,7,0,0,7,56,100.000000,-,-,-\n");
}

/* When there are more objects than columns, the costliest ones have a column, and the sum contains all of them. */
static void test_many(void **state)
{
	enum { MANY = 300 };
	char *csv, *text;
	struct ompp_access *many;

	(void)state;
	make_objects(MANY);
	many = ompp_arena_alloc(&arena, MANY * sizeof(*many));
	profile.accesses = many;
	for (uint32_t o = 0; o < MANY; o++)
		touch(1, 0, 2 + o, 1000 - o, 0, 0);
	csv = show(&(struct ompp_report_options){ .views = "flat", .format = "csv" });
	has(csv, "o00002:loads,");
	has(csv, "o00257:bytes,(44 more):loads,(44 more):stores,(44 more):atomics,(44 more):bytes\n");
	assert_null(strstr(csv, "o00258:"));
	has(csv, ",31790,0,0,254320\n"); /* 744 + 743 + … + 701 */
	text = show(&(struct ompp_report_options){ .views = "general,flat,data" });
	has(text, "Data Name       : o00033\n");
	assert_null(strstr(text, "Data Name       : o00034\n"));
	has(text, "More Objects    : 268 with less traffic are not described here\n");
	has(text, "Data objects of R00001, all threads, without 268 that cost less:\n");
	has(text, "\n(262 more)");
	csv = show(&(struct ompp_report_options){ .views = "data", .format = "csv" });
	has(csv, "\no00301,701,0,0,701,5608,");
	has(csv, "\no00301,R00001,FUNCTION,/a.c,1,1,,701,0,0,701,5608,");
	csv = show(&(struct ompp_report_options){ .views = "flat", .format = "csv", .object = "o00301" });
	has(csv,
	    "TID,execT,execC,o00301:loads,o00301:stores,o00301:atomics,o00301:bytes\n0,0.000000000,0,701,0,0,5608\n");
}

/* Breakpoints tell how many accesses there were, not of which kind; of an object without one nothing is known. */
static void test_breakpoints(void **state)
{
	char *csv, *text;

	(void)state;
	make_objects(2);
	objects[0].measured = objects[1].measured = objects[3].measured = 0;
	profile.data_method = "breakpoints";
	touch(1, 0, 2, 5, 0, 0);
	touch(1, 3, 3, 6, 0, 0);
	for (int k = 0; k < OMPP_N_ACCESS_FIELDS; k++)
		if (k != OMPP_ACCESS_ALL)
			accesses[0].values[k] = OMPP_MISSING;
	csv = show(&(struct ompp_report_options){ .views = "flat,data", .format = "csv" });
	has(csv, "TID,execT,execC,o00002:accesses,o00003:loads,o00003:stores,o00003:atomics,o00003:bytes\n"
	         "0,0.000000000,0,5,0,0,0,0\n1,0.000000000,0,0,-,-,-,-\nSUM,0.000000000,0,5,-,-,-,-\n");
	has(csv, "\no00002,-,-,-,5,-,-,-,-,-,1,5,5,5,0.000000,-\n");
	has(csv, "\no00003,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-\n");
	text = show(&(struct ompp_report_options){ .views = "general,flat,data" });
	has(text, "Data Method     : breakpoints\n");
	has(text, "; not measured\n");
	has(text, " o00002:accesses");
	has(text, "were not looked for");
}

/* Where no number is sure, nothing is said about sharing either. */
static void test_unmeasured(void **state)
{
	char *text;

	(void)state;
	make_objects(1);
	for (size_t i = 0; i < profile.n_objects; i++)
		objects[i].measured = 0;
	text = show(&(struct ompp_report_options){ .views = "data" });
	has(text, "\nobject bytes loads stores\no00002     -     -      -\n\n");
	assert_null(strstr(text, "ache line"));
}

static void test_classes(void **state)
{
	enum { NOT, RO, ONCE, TWICE, OWN, ALONE, SREAD, SWRITE, ATOM, PARTS, READ_PARTS, WRITTEN, LAPPED, N };
	static const char *const names[N] = { "not",    "ro",   "once",  "twice",      "own",     "alone", "sread",
		                              "swrite", "atom", "parts", "read_parts", "written", "lapped" };
	static const char *const want[N] = { ",not touched\n",   ",read-only\n",      ",write-once\n",
		                             ",private\n",       ",private\n",        ",private\n",
		                             ",shared-read\n",   ",shared-written\n", ",shared-written\n",
		                             ",partitioned\n",   ",partitioned\n",    ",parts-written\n",
		                             ",shared-written\n" };
	char *csv;

	(void)state;
	make_objects(N);
	for (int i = 0; i < N; i++)
		objects[2 + i].name = names[i];
	objects[2 + OWN].is_private = 1;
	profile.n_nodes = 3;
	profile.n_cells = 2;
	nodes[2] = (struct ompp_node){ 1, 1, OMPP_FUNCTION, 0, 0 };
	touch(1, 0, 2 + RO, 5, 0, 0);
	touch(1, 0, 2 + ONCE, 0, 100, 0); /* 800 bytes, as large as the object */
	touch(1, 0, 2 + TWICE, 0, 101, 0);
	touch(1, 0, 2 + OWN, 5, 500, 0);
	touch(1, 0, 2 + ALONE, 500, 200, 0);
	touch(1, 0, 2 + SREAD, 5, 200, 0);
	touch(1, 0, 2 + SWRITE, 0, 1, 0);
	touch(1, 0, 2 + ATOM, 0, 0, 1);
	touch(1, 3, 2 + RO, 5, 0, 0);
	touch(1, 3, 2 + ONCE, 5, 0, 0);
	touch(1, 3, 2 + OWN, 5, 500, 0);
	touch(1, 3, 2 + SREAD, 15, 0, 0);
	touch(1, 3, 2 + SWRITE, 0, 1, 0);
	touch(1, 3, 2 + ATOM, 0, 0, 3);
	for (int i = PARTS; i < N; i++) {
		objects[2 + i].parts = i == WRITTEN ? OMPP_PARTS_WRITTEN
		                     : i == LAPPED  ? OMPP_PARTS_OVERLAP
		                                    : OMPP_PARTS_OWN;
		touch(1, 0, 2 + (uint32_t)i, 5, 200, 0);
		touch(1, 3, 2 + (uint32_t)i, 5, i == READ_PARTS ? 0 : 200, 0);
	}
	touch(2, 1, 2 + ALONE, 1, 1, 0); /* rank 0 of the team that row 0 forked */
	csv = show(&(struct ompp_report_options){ .views = "data", .format = "csv" });
	for (int i = 0; i < N; i++) {
		char line[64] = "\n";
		char *at;

		strcat(strcat(line, names[i]), ",");
		at = strstr(csv, line);
		assert_non_null(at);
		at = strchr(at + 1, '\n');
		if (memcmp(at + 1 - strlen(want[i]), want[i], strlen(want[i])))
			fail_msg("%s is not %s%s", names[i], want[i], csv);
	}
	has(csv, "\natom,0,0,4,4,32,");
	has(csv, ",-,-,-,2,1,2,3,33.333333,shared-written\n"); /* threads 2, min 1, avg 2, max 3 */
}

/* The shares of all regions add up to the whole. */
static void test_shares(void **state)
{
	char *csv, *at;
	long sum = 0;

	(void)state;
	seed = 7;
	random_profile();
	for (size_t i = 0; i < profile.n_accesses; i++)
		accesses[i].values[OMPP_ACCESS_STORES] = 0;
	csv = show(&(struct ompp_report_options){ .views = "data", .format = "csv" });
	at = strstr(csv, "##BEG data objects by region\n");
	assert_non_null(at);
	for (at = strchr(strchr(at, '\n') + 1, '\n') + 1; strncmp(at, "##END", 5); at = strchr(at, '\n') + 1) {
		const char *field = at;

		for (int k = 0; k < 12; k++)
			field = strchr(field, ',') + 1;
		sum += strtol(field, (char **)&field, 10) * 1000000;
		sum += strtol(field + 1, NULL, 10);
	}
	assert_in_range(sum, 99999900, 100000100); /* rounded in the sixth digit */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_random, start, stop),
		cmocka_unit_test_setup_teardown(test_recursion, start, stop),
		cmocka_unit_test_setup_teardown(test_many, start, stop),
		cmocka_unit_test_setup_teardown(test_breakpoints, start, stop),
		cmocka_unit_test_setup_teardown(test_unmeasured, start, stop),
		cmocka_unit_test_setup_teardown(test_classes, start, stop),
		cmocka_unit_test_setup_teardown(test_shares, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
