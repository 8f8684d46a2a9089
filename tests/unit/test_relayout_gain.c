/*
 * Relayout gains, and the findings that they lead to: where each limit is, which layout of an object is named, and how
 * misses of accesses that were not replayed are estimated.
 *
 * The profile is that of one thread in two loops and three objects, by arithmetic of this test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/analysis/init.h"
#include "reports/bounds/relayout_gain.h"
#include "reports/findings/fewer_misses.h"
#include "reports/findings/findings.h"
#include "reports/tables/view.h"
#include "tests/unit/bare_profile.h"

enum { PARALLEL, LOOP, OTHER_LOOP, N_REGIONS };
enum { A, B, C, N_OBJECTS };
enum { L1, L2, L3 };
enum { MOST_ROWS = 16 };

static struct ompp_arena arena;
static struct ompp_analysis analysis;
static struct ompp_findings findings;
static const struct ompp_report_options options = { 0 };
static const struct ompp_row rows[] = { { "0", 1, 1, 0, OMPP_NONE } };
static const struct ompp_region regions[] = { { 1, OMPP_PARALLEL, "a.c", 1, 9, "", 0, 0, "", "", "", 0 },
	                                      { 2, OMPP_LOOP, "a.c", 2, 4, "", 0, 0, "", "", "", 0 },
	                                      { 3, OMPP_LOOP, "a.c", 5, 8, "", 0, 0, "", "", "", 0 } };
static const struct ompp_node nodes[] = { { OMPP_NONE, OMPP_NONE, OMPP_PARALLEL, 0, 0 },
	                                  { 0, PARALLEL, OMPP_PARALLEL, 0, 1 },
	                                  { 1, LOOP, OMPP_LOOP, 1, 1 },
	                                  { 1, OTHER_LOOP, OMPP_LOOP, 2, 1 } };
static struct ompp_cell cells[3];
static struct ompp_object objects[N_OBJECTS];
static struct ompp_access accesses[N_OBJECTS];
static struct ompp_relayout_sum relayouts[MOST_ROWS];
static struct ompp_own_lines own_lines[MOST_ROWS];
static struct ompp_translation translations[MOST_ROWS];
static struct ompp_profile profile;

/* Empties the profile.  Each object has 100,000 accesses and misses 20,000 times at each level. */
static void start(void)
{
	static const char *const names[] = { "a", "b", "c" };

	for (uint32_t i = 0; i < 3; i++)
		cells[i] = (struct ompp_cell){
			.n_exec = 1, .exec_ns = 1000000, .incl_ns = 1000000, .body_ns = 1000000
		};
	for (uint32_t i = 0; i < N_OBJECTS; i++) {
		objects[i] = (struct ompp_object){
			.name = names[i], .origin = OMPP_ORIGIN_CALL, .bytes = 6400, .n_ranges = 1, .measured = 1
		};
		accesses[i] = (struct ompp_access){ .node = 2, .object = i };
		accesses[i].values[OMPP_ACCESS_LOADS] = accesses[i].values[OMPP_ACCESS_ALL] = 100000;
		for (int k = 0; k < OMPP_ACCESS_LEVELS; k++)
			accesses[i].values[OMPP_ACCESS_L1_MISSES + k] = 20000;
	}
	profile = (struct ompp_profile){ BARE_PROFILE,
		                         .duration_ns = 1000000,
		                         .user_ns = 1000000,
		                         .max_threads = 1,
		                         .processors_milli = 1000,
		                         .regions = regions,
		                         .n_regions = N_REGIONS,
		                         .rows = rows,
		                         .n_rows = 1,
		                         .nodes = nodes,
		                         .n_nodes = 4,
		                         .cells = cells,
		                         .n_cells = 3,
		                         .objects = objects,
		                         .n_objects = N_OBJECTS,
		                         .accesses = accesses,
		                         .n_accesses = N_OBJECTS,
		                         .relayouts = relayouts,
		                         .own_lines = own_lines,
		                         .translations = translations };
	profile.data_method = "access";
}

/* Adds a row, of which all accesses were replayed, with misses of one level; of orders of loops those of nearer levels
 * are the same.  The others miss 500 times either way. */
static struct ompp_relayout_sum *add(uint32_t region, uint32_t object, const char *kind, int level, int64_t now,
                                     int64_t then)
{
	struct ompp_relayout_sum *sum = &relayouts[profile.n_relayouts++];

	*sum = (struct ompp_relayout_sum){
		.region = region, .object = object, .kind = kind, .groups = "", .n_all = 100000, .n = 100000
	};
	for (int k = 0; k < OMPP_ACCESS_LEVELS; k++) {
		int has = k == level || (k < level && (!strcmp(kind, "interchanged") || !strcmp(kind, "blocked")));

		sum->now[k] = has ? now : 500;
		sum->then[k] = has ? then : 500;
	}
	return sum;
}

static void analyse(void)
{
	ompp_arena_fini(&arena);
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_analysis_init(&analysis, &profile, &options, &arena), 0);
}

static const struct ompp_relayout_gains *gains(void)
{
	const struct ompp_relayout_gains *made;

	analyse();
	made = ompp_relayout_gains(&analysis);
	assert_non_null(made);
	assert_ptr_equal(ompp_relayout_gains(&analysis), made);
	return made;
}

/* Returns whether a row of a layout, alone in the profile, is a gain. */
static int is_gain(int level, int64_t now, int64_t then)
{
	start();
	add(LOOP, A, "apart", level, now, then);
	return gains()->n == 1;
}

/* A gain has a tenth less of a thousand misses or more. */
static void limits(void **state)
{
	(void)state;
	for (int level = L1; level <= L3; level++) {
		assert_true(is_gain(level, 1000, 900));
		assert_false(is_gain(level, 1000, 901));
		assert_false(is_gain(level, 999, 0));
	}
	start();
	add(LOOP, A, "apart", L2, 4000, 1000);
	assert_true(gains()->list[0].level == L2 && gains()->list[0].saved == 750000000);
	assert_true(gains()->list[0].least_faster == OMPP_MISSING && gains()->list[0].most_faster == OMPP_MISSING);
}

/* No other level may have more misses than 2 % and 100, in the region and in all together. */
static void costs(void **state)
{
	struct ompp_relayout_sum *sum;

	(void)state;
	for (int more = 0; more < 2; more++) {
		start();
		sum = add(LOOP, A, "apart", L3, 2000, 0);
		sum->now[L1] = 5000;
		sum->then[L1] = 5200 + more;
		assert_int_equal(gains()->n, !more);
	}
	for (int more = 0; more < 2; more++) { /* another region loses what this one gains */
		start();
		add(LOOP, A, "apart", L3, 2000, 0);
		add(OTHER_LOOP, A, "apart", L3, 1000, 1000 + 2000 + 160 + more);
		assert_int_equal(gains()->n, !more);
	}
	start(); /* another object, or another layout of it, does not count */
	add(LOOP, A, "apart", L3, 2000, 0);
	add(OTHER_LOOP, A, "half", L3, 1000, 9000);
	add(OTHER_LOOP, B, "apart", L3, 1000, 9000);
	assert_int_equal(gains()->n, 1);
	for (int more = 0; more < 2; more++) { /* the lines of a split, 6400 bytes of them, are fetched once */
		start();
		sum = add(LOOP, A, "split", L3, 2000, 0);
		sum->then[L1] = 500 + 10 + 200 + more;
		assert_int_equal(gains()->n, !more);
	}
	start();
	sum = add(LOOP, A, "split", L3, 2000, 0);
	sum->then[L1] = 700;
	objects[A].bytes = OMPP_MISSING; /* how large it is is not known */
	assert_int_equal(gains()->n, 0);
	start(); /* a level that is not modelled is none */
	sum = add(LOOP, A, "apart", L2, 2000, 0);
	sum->now[L3] = sum->then[L3] = OMPP_MISSING;
	assert_true(gains()->n == 1 && gains()->list[0].level == L2);
}

/* What was not replayed has its part of the misses, if that is a tenth at most. */
static void replayed(void **state)
{
	struct ompp_relayout_sum *sum;

	(void)state;
	start();
	sum = add(LOOP, A, "apart", L1, 9000, 900);
	sum->n = 90000;
	assert_int_equal(gains()->n, 1);
	assert_true(gains()->list[0].now[L1] == 10000 && gains()->list[0].then[L1] == 1000);
	sum->n = 89999;
	assert_int_equal(gains()->n, 0);
	sum->n = sum->n_all = 0;
	assert_int_equal(gains()->n, 0);
}

/* The last level comes first, and then what saves most; what is equal stays as it is. */
static void order(void **state)
{
	static const uint32_t objects_then[] = { C, B, A, A, B };
	static const uint32_t regions_then[] = { LOOP, OTHER_LOOP, LOOP, OTHER_LOOP, LOOP };
	const struct ompp_relayout_gains *made;

	(void)state;
	start();
	add(LOOP, A, "apart", L2, 5000, 1000);
	add(LOOP, B, "apart", L1, 90000, 0);
	add(LOOP, C, "apart", L3, 2000, 1000);
	add(OTHER_LOOP, A, "apart", L2, 8000, 4000);
	add(OTHER_LOOP, B, "apart", L2, 9000, 4999);
	made = gains();
	assert_int_equal(made->n, 5);
	for (size_t i = 0; i < made->n; i++) {
		assert_int_equal(made->list[i].of->object, objects_then[i]);
		assert_int_equal(made->list[i].of->region, regions_then[i]);
	}
	assert_int_equal(made->n_orders, 0);
}

/* An order of loops concerns all objects of its region together, and names the one that saves most. */
static void orders(void **state)
{
	const struct ompp_relayout_gains *made;

	(void)state;
	start();
	add(LOOP, A, "interchanged", L3, 1000, 1500);
	add(LOOP, B, "interchanged", L3, 9000, 3000);
	add(LOOP, C, "interchanged", L3, 3000, 1000);
	add(OTHER_LOOP, A, "interchanged", L3, 2000, 1801); /* less than a tenth */
	made = gains();
	assert_true(made->n == 0 && made->n_orders == 1);
	assert_true(made->orders[0].of == &relayouts[1] && made->orders[0].level == L3);
	assert_true(made->orders[0].now[L3] == 13000 && made->orders[0].then[L3] == 5500);
	assert_true(made->orders[0].now[L1] == 13000);
	relayouts[2].n = 1; /* too little of one object is known */
	assert_int_equal(gains()->n_orders, 0);
	start();
	add(LOOP, A, "blocked", L3, 4000, 1000);
	add(LOOP, A, "interchanged", L3, 4000, 2000);
	add(LOOP, B, "blocked", L3, 4000, 1000);
	made = gains();
	assert_int_equal(made->n_orders, 2);
	assert_true(made->orders[0].of == &relayouts[0] && made->orders[0].then[L3] == 2000);
	assert_true(made->orders[1].of == &relayouts[1] && made->orders[1].then[L3] == 2000);
}

/* Of the last level, which threads share, an order saves what it saves at a nearer one, too: the rest is chance. */
static void shared_level(void **state)
{
	const struct ompp_relayout_gains *made;

	(void)state;
	for (int less = 0; less < 2; less++)
		for (int near = L1; near < L3; near++) {
			struct ompp_relayout_sum *row;

			start();
			row = add(LOOP, A, "interchanged", L3, 9000, 5000);
			row->then[L1] = row->then[L2] = 9000;
			row->then[near] = 7000 + less;
			made = gains();
			assert_int_equal(made->n_orders, 1);
			assert_int_equal(made->orders[0].level, less ? near : L3);
			row->then[near] = 9000;
			assert_int_equal(gains()->n_orders, 0);
		}
	start(); /* nothing is known of nearer levels */
	relayouts[0] = *add(LOOP, A, "interchanged", L3, 9000, 5000);
	for (int k = L1; k < L3; k++)
		relayouts[0].now[k] = relayouts[0].then[k] = OMPP_MISSING;
	assert_int_equal(gains()->n_orders, 1);
}

/* ---- what is named ---- */

/* Returns how many findings there are of a name about a region and an object. */
static size_t n_found(const char *name, uint32_t region, const char *words)
{
	size_t n = 0;

	analyse();
	assert_int_equal(ompp_findings(&analysis, &findings), 0);
	for (size_t i = 0; i < findings.n; i++)
		n += !strcmp(findings.list[i].name, name) && findings.list[i].region == region &&
		     strstr(findings.list[i].evidence, words);
	return n;
}

static void fewer(void **state)
{
	(void)state;
	assert_true(ompp_misses_are_fewer(95, 100));
	assert_false(ompp_misses_are_fewer(96, 100));
	assert_true(ompp_misses_are_fewer(190, 200));
	assert_true(ompp_misses_are_fewer(142, 150));
	assert_false(ompp_misses_are_fewer(143, 150));
	assert_true(ompp_misses_are_fewer(1, 2) && ompp_misses_are_fewer(0, 0));
	assert_true(ompp_misses_are_fewer(INT64_MAX / 100 * 95, INT64_MAX));
	assert_false(ompp_misses_are_fewer(INT64_MAX / 100 * 96, INT64_MAX));
}

/* Of a structure of arrays and a split one is named: the former, unless a split has clearly less misses. */
static void one_layout(void **state)
{
	(void)state;
	for (int more = 0; more < 2; more++) {
		start();
		add(LOOP, A, "apart", L3, 10000, 2000);
		add(LOOP, A, "split", L3, 10000, 1900 + more)->groups = "x | y";
		assert_int_equal(n_found("OtherLayoutFetchesLess", LOOP, "a as a structure of arrays"), more);
		assert_int_equal(n_found("OtherLayoutFetchesLess", LOOP, "a in arrays of (x | y)"), !more);
	}
	start(); /* of another region, or another object, it is named beside */
	add(LOOP, A, "apart", L3, 10000, 2000);
	add(LOOP, B, "split", L3, 10000, 1000)->groups = "x | y";
	add(OTHER_LOOP, A, "split", L3, 10000, 1000)->groups = "x | y";
	assert_int_equal(n_found("OtherLayoutFetchesLess", LOOP, "a as a structure of arrays"), 1);
	assert_int_equal(n_found("OtherLayoutFetchesLess", LOOP, "b in arrays of (x | y)"), 1);
	assert_int_equal(n_found("OtherLayoutFetchesLess", OTHER_LOOP, "a in arrays of (x | y)"), 1);
	start(); /* smaller elements are no finding, and padding is one of its own */
	add(LOOP, A, "half", L3, 10000, 1000);
	add(LOOP, A, "padded", L3, 10000, 4000);
	assert_int_equal(n_found("OtherLayoutFetchesLess", LOOP, ""), 0);
	assert_int_equal(n_found("PaddingFetchesLess", LOOP,
	                         "a with padded rows would miss L3 4 000 times, and not 10 000"),
	                 1);
	/* what is saved, as a share of all misses of that level */
	assert_true(findings.list[0].weight == 100000000 && findings.list[0].gain_ns == OMPP_MISSING);
}

/* Returns whether the order of the members is named where the layout of a structure of so many bytes is advised,
 * and what is said of its padding. */
static int names_order(uint64_t n_bytes, struct ompp_member *members, size_t n, const char *kind, const char *padding)
{
	static struct ompp_structure structure;
	int names = 0;

	start();
	structure = (struct ompp_structure){ A, "s", n_bytes };
	for (size_t i = 0; i < n; i++) {
		members[i].object = A;
		members[i].number = (uint32_t)i;
		members[i].kind = strstr(members[i].name, "(padding)") ? "padding" : "";
		members[i].kind = *members[i].name == 'b' ? "bits" : members[i].kind;
		members[i].n_places += !members[i].n_places;
	}
	profile.structures = &structure;
	profile.n_structures = 1;
	profile.members = members;
	profile.n_members = n;
	add(LOOP, A, kind, L3, 10000, 2000)->groups = "x | y";
	assert_int_equal(n_found("OtherLayoutFetchesLess", LOOP, padding), 1);
	for (size_t i = 0; i < findings.n; i++)
		if (!strcmp(findings.list[i].name, "OtherLayoutFetchesLess")) {
			names += strstr(findings.list[i].advice, "by their sizes, the largest first") != NULL;
			assert_non_null(strstr(findings.list[i].advice, "an array of each"));
		}
	return names;
}

/* Bytes that are not used may be padding, which another order of the members may have less of. */
static void padding(void **state)
{
	struct ompp_member between[] = { { .name = "c", .n_bytes = 1 },
		                         { .name = "(padding)", .offset = 1, .n_bytes = 7 },
		                         { .name = "x", .offset = 8, .n_bytes = 8 },
		                         { .name = "d", .offset = 16, .n_bytes = 1 },
		                         { .name = "(padding)", .offset = 17, .n_bytes = 7 } };
	struct ompp_member behind[] = { { .name = "x", .n_bytes = 8 },
		                        { .name = "k", .offset = 8, .n_bytes = 4 },
		                        { .name = "(padding)", .offset = 12, .n_bytes = 4 } };
	struct ompp_member before[] = { { .name = "k", .n_bytes = 4 },
		                        { .name = "(padding)", .offset = 4, .n_bytes = 4 },
		                        { .name = "x", .offset = 8, .n_bytes = 8 } };
	struct ompp_member inside[] = { { .name = "v[].x", .n_bytes = 8, .n_places = 2 },
		                        { .name = "v[].k", .offset = 8, .n_bytes = 4, .n_places = 2 },
		                        { .name = "v[].(padding)", .offset = 12, .n_bytes = 4, .n_places = 2 } };
	struct ompp_member arrays[] = { { .name = "c", .n_bytes = 1 },
		                        { .name = "(padding)", .offset = 1, .n_bytes = 3 },
		                        { .name = "v", .offset = 4, .n_bytes = 16 },
		                        { .name = "d", .offset = 20, .n_bytes = 1 },
		                        { .name = "(padding)", .offset = 21, .n_bytes = 3 } };
	struct ompp_member bits[] = { { .name = "c", .n_bytes = 2 },
		                      { .name = "(padding)", .offset = 2, .n_bytes = 2 },
		                      { .name = "b", .offset = 4, .n_bytes = 3 },
		                      { .name = "(padding)", .offset = 7, .n_bytes = 1 } };
	struct ompp_member aligned[] = { { .name = "c", .n_bytes = 1 },
		                         { .name = "(padding)", .offset = 1, .n_bytes = 7 },
		                         { .name = "x", .offset = 8, .n_bytes = 8 },
		                         { .name = "(padding)", .offset = 16, .n_bytes = 48 } };
	struct ompp_member vector[] = { { .name = "c", .n_bytes = 1 },
		                        { .name = "(padding)", .offset = 1, .n_bytes = 31 },
		                        { .name = "v", .offset = 32, .n_bytes = 32 } };

	(void)state;
	assert_true(names_order(24, between, 5, "apart", ". 14 of the 24 bytes of a structure are padding."));
	assert_true(names_order(24, between, 5, "split", ". 14 of the 24 bytes of a structure are padding."));
	assert_true(names_order(24, arrays, 5, "apart", ". 6 of the 24 bytes of a structure are padding."));
	assert_false(names_order(16, behind, 3, "apart", ". 4 of the 16 bytes of a structure are padding."));
	assert_false(names_order(16, behind, 3, "split", ". 4 of the 16 bytes of a structure are padding."));
	assert_false(names_order(16, before, 3, "apart", ". 4 of the 16 bytes of a structure are padding."));
	assert_false(names_order(32, inside, 3, "apart", ". 8 of the 32 bytes of a structure are padding."));
	assert_false(names_order(8, bits, 4, "apart", ". 3 of the 8 bytes of a structure are padding."));
	assert_false(names_order(64, aligned, 4, "apart", ". 55 of the 64 bytes of a structure are padding."));
	assert_false(names_order(64, vector, 3, "apart", ". 31 of the 64 bytes of a structure are padding."));
	behind[1].n_bytes = 1; /* struct { double x; char k; } */
	behind[2].offset = 9;
	behind[2].n_bytes = 7;
	assert_false(names_order(16, behind, 3, "apart", ". 7 of the 16 bytes of a structure are padding."));
	behind[0].n_bytes = 32; /* 3 of 40 are less than an eighth */
	behind[1] = (struct ompp_member){ .name = "k", .offset = 32, .n_bytes = 5 };
	behind[2] = (struct ompp_member){ .name = "(padding)", .offset = 37, .n_bytes = 3 };
	assert_false(names_order(40, behind, 3, "apart", ""));
	assert_int_equal(n_found("OtherLayoutFetchesLess", LOOP, "are padding"), 0);
}

/* A walk with a stride is left to the order that mends it, whichever object of the region saves most by that. */
static void walks_of_order(void **state)
{
	static const struct ompp_cache_level level = { "L1", 32768, 8, 64, 0 };
	struct ompp_pattern patterns[2];

	(void)state;
	for (int spares = 0; spares < 2; spares++) {
		start();
		for (uint32_t i = 0; i < 2; i++)
			patterns[i] = (struct ompp_pattern){ i,     LOOP, OMPP_PATTERN_STRIDE, 19000, 0, 4096, "0", 1,
				                             20000, 0 };
		profile.patterns = patterns;
		profile.n_patterns = 2;
		profile.cache_levels = &level;
		profile.n_cache_levels = 1;
		assert_int_equal(n_found("ArrayWalkedWithStride", LOOP, ""), 2);
		add(LOOP, A, "interchanged", L2, 20000, 2000);
		add(LOOP, B, "interchanged", L2, 10000, spares ? 9000 : 9600);
		assert_int_equal(n_found("OtherOrderFetchesLess", LOOP, ""), 1);
		assert_int_equal(n_found("ArrayWalkedWithStride", LOOP, "a: "), 0);
		assert_int_equal(n_found("ArrayWalkedWithStride", LOOP, "b: "), !spares);
	}
	/* an order that is not named takes nothing's place: what it alone spares is still found */
	profile.n_relayouts = 0;
	add(LOOP, A, "interchanged", L3, 20000, 2000);
	add(LOOP, B, "interchanged", L3, 20000, 20000);
	add(LOOP, A, "blocked", L3, 20000, 17000);
	add(LOOP, B, "blocked", L3, 20000, 5000);
	assert_int_equal(n_found("OtherOrderFetchesLess", LOOP, "Interchanged"), 1);
	assert_int_equal(n_found("OtherOrderFetchesLess", LOOP, "In blocks"), 0);
	assert_int_equal(n_found("ArrayWalkedWithStride", LOOP, "a: "), 0);
	assert_int_equal(n_found("ArrayWalkedWithStride", LOOP, "b: "), 1);
}

/* Of interchanged loops and blocks one is named: the former, unless blocks have clearly less misses of memory. */
static void one_order(void **state)
{
	(void)state;
	for (int more = 0; more < 2; more++) {
		start();
		add(LOOP, A, "blocked", L3, 10000, 1900 + more);
		add(LOOP, A, "interchanged", L3, 10000, 2000);
		assert_int_equal(n_found("OtherOrderFetchesLess", LOOP, "Interchanged"), more);
		assert_int_equal(n_found("OtherOrderFetchesLess", LOOP, "In blocks"), !more);
	}
	start();
	add(LOOP, A, "blocked", L2, 10000, 100);
	add(LOOP, A, "interchanged", L2, 10000, 2000);
	assert_int_equal(n_found("OtherOrderFetchesLess", LOOP, "Interchanged"), 1);
	assert_int_equal(n_found("OtherOrderFetchesLess", LOOP, "In blocks"), 0);
	start();
	add(LOOP, A, "blocked", L3, 10000, 100);
	add(OTHER_LOOP, A, "interchanged", L3, 10000, 2000);
	assert_int_equal(n_found("OtherOrderFetchesLess", OTHER_LOOP, "Interchanged"), 1);
	assert_int_equal(n_found("OtherOrderFetchesLess", LOOP, "In blocks"), 1);
}

/* ---- lines of threads, and large pages ---- */

static void lines_of_threads(void **state)
{
	struct ompp_own_lines_gain gain;
	size_t at = 0;

	(void)state;
	start();
	own_lines[0] = (struct ompp_own_lines){
		.region = LOOP, .object = A, .n_stores = 10000, .n = 9000, .n_transfers = 1800, .n_transfers_then = 1620
	};
	own_lines[1] = (struct ompp_own_lines){ /* one transfer too little is saved */
		                                .region = LOOP, .object = B,         .n_stores = 10000,
		                                .n = 10000,     .n_transfers = 2000, .n_transfers_then = 1801
	};
	own_lines[2] = (struct ompp_own_lines){ /* one transfer too little is there */
		                                .region = OTHER_LOOP,
		                                .object = A,
		                                .n_stores = 10000,
		                                .n = 10000,
		                                .n_transfers = 999
	};
	own_lines[3] = (struct ompp_own_lines){ /* one store too little was followed */
		                                .region = OTHER_LOOP,
		                                .object = B,
		                                .n_stores = 10000,
		                                .n = 8999,
		                                .n_transfers = 8000
	};
	own_lines[4] = (struct ompp_own_lines){
		.region = OTHER_LOOP, .object = C, .n_stores = 1000, .n = 1000, .n_transfers = 1000
	};
	profile.n_own_lines = 5;
	analyse();
	assert_true(ompp_own_lines_next(&analysis, &at, &gain));
	assert_ptr_equal(gain.of, &own_lines[0]);
	assert_true(gain.now == 2000 && gain.then == 1800 && gain.saved == 100000000);
	assert_true(ompp_own_lines_next(&analysis, &at, &gain));
	assert_ptr_equal(gain.of, &own_lines[4]);
	assert_true(gain.now == 1000 && gain.then == 0 && gain.saved == 1000000000);
	assert_false(ompp_own_lines_next(&analysis, &at, &gain));
	assert_true(ompp_own_lines_of(&profile, B, LOOP, &gain) && gain.now == 2000 && gain.then == 1801);
	assert_false(ompp_own_lines_of(&profile, B, OTHER_LOOP, &gain));
	assert_false(ompp_own_lines_of(&profile, C, LOOP, &gain));
}

static void large_pages(void **state)
{
	static const struct ompp_translation all[] = {
		{ LOOP, A, 10000, 9000, { 9000, 1800 }, { 900, 1620 } },
		{ LOOP, B, 10000, 10000, { 2000, OMPP_MISSING }, { 1800, OMPP_MISSING } }, /* there is no second level
		                                                                            */
		{ LOOP, C, 10000, 10000, { 2000, 2000 }, { 0, 2141 } }, /* the second one has one more than means
		                                                           nothing */
		{ OTHER_LOOP, A, 10000, 10000, { 2000, 2000 }, { 0, 2140 } },
		{ OTHER_LOOP, B, 10000, 10000, { 2000, 2000 }, { 1801, 1801 } },
		{ OTHER_LOOP, C, 10000, 8999, { 2000, 2000 }, { 0, 0 } },
	};
	struct ompp_translation_gain gain;
	size_t at = 0;

	(void)state;
	start();
	memcpy(translations, all, sizeof(all));
	profile.n_translations = sizeof(all) / sizeof(all[0]);
	analyse();
	assert_true(ompp_translation_next(&analysis, &at, &gain));
	assert_true(gain.of == &translations[0] && gain.level == 1 && gain.saved == 100000000);
	assert_true(gain.now[0] == 10000 && gain.then[0] == 1000 && gain.now[1] == 2000 && gain.then[1] == 1800);
	assert_true(ompp_translation_next(&analysis, &at, &gain));
	assert_true(gain.of == &translations[1] && gain.level == 0 && gain.saved == 100000000);
	assert_true(ompp_translation_next(&analysis, &at, &gain));
	assert_true(gain.of == &translations[3] && gain.level == 0 && gain.saved == 1000000000);
	assert_false(ompp_translation_next(&analysis, &at, &gain));
}

/* A report leaves the section out where it would have no line. */
static void empty_sections(void **state)
{
	(void)state;
	start();
	analyse();
	assert_true(ompp_view_layouts.is_empty(&analysis));
	add(LOOP, A, "apart", L3, 10000, 9999);
	analyse();
	assert_true(ompp_view_layouts.is_empty(&analysis));
	add(LOOP, B, "apart", L3, 10000, 1000);
	analyse();
	assert_false(ompp_view_layouts.is_empty(&analysis));
	start();
	add(LOOP, A, "interchanged", L3, 10000, 1000);
	analyse();
	assert_false(ompp_view_layouts.is_empty(&analysis));
	start();
	own_lines[0] = (struct ompp_own_lines){ .n_stores = 10000, .n = 10000, .n_transfers = 2000 };
	profile.n_own_lines = 1;
	analyse();
	assert_false(ompp_view_layouts.is_empty(&analysis));
	start();
	translations[0] = (struct ompp_translation){ LOOP, A, 10000, 10000, { 2000, 2000 }, { 0, 0 } };
	profile.n_translations = 1;
	analyse();
	assert_false(ompp_view_layouts.is_empty(&analysis));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits),         cmocka_unit_test(costs),          cmocka_unit_test(replayed),
		cmocka_unit_test(order),          cmocka_unit_test(orders),         cmocka_unit_test(shared_level),
		cmocka_unit_test(fewer),          cmocka_unit_test(one_layout),     cmocka_unit_test(padding),
		cmocka_unit_test(walks_of_order), cmocka_unit_test(one_order),      cmocka_unit_test(lines_of_threads),
		cmocka_unit_test(large_pages),    cmocka_unit_test(empty_sections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
