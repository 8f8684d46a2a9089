/*
 * Findings about visits: which durations lead to them, and where what is inside explains what is around.
 *
 * The profile is that of two threads in a PARALLEL with a LOOP and a BARRIER inside, by arithmetic of this test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/analysis/init.h"
#include "reports/analysis/visits.h"
#include "reports/findings/findings.h"
#include "runtime/terms/wait.h"
#include "tests/unit/bare_profile.h"

#define MS INT64_C(1000000)

enum { PARALLEL, LOOP, BARRIER, N_REGIONS };
enum { AROUND, LOOP_0, LOOP_1, BARRIER_0, N_CELLS };

static struct ompp_arena arena;
static struct ompp_analysis analysis;
static const struct ompp_report_options options = { 0 };
static struct ompp_findings findings;
static const struct ompp_row rows[] = { { "0", 1, 1, 0, OMPP_NONE }, { "1", 1, 1, 1, OMPP_NONE } };
static struct ompp_region regions[] = { { 1, OMPP_PARALLEL, "a.c", 1, 9, "", 0, 0, "", "", "", 0 },
	                                { 2, OMPP_LOOP, "a.c", 2, 4, "", 0, 0, "", "", "", 0 },
	                                { 3, OMPP_BARRIER, "a.c", 5, 5, "", 0, 0, "", "", "", 0 } };
static const struct ompp_node nodes[] = { { OMPP_NONE, OMPP_NONE, OMPP_PARALLEL, 0, 0 },
	                                  { 0, PARALLEL, OMPP_PARALLEL, 0, 1 },
	                                  { 1, LOOP, OMPP_LOOP, 1, 2 },
	                                  { 1, BARRIER, OMPP_BARRIER, 3, 1 } };
static struct ompp_cell cells[N_CELLS];
static struct ompp_duration durations[N_CELLS];
static struct ompp_duration_bucket buckets[2 * N_CELLS];
static struct ompp_duration_slice slices[OMPP_N_SLICES * N_CELLS];
static struct ompp_wait waits[2];
static struct ompp_profile profile;

/* Empties the profile of a run of so many milliseconds. */
static void start(int64_t ms)
{
	memset(cells, 0, sizeof(cells));
	for (uint32_t k = 0; k < N_CELLS; k++)
		cells[k] = (struct ompp_cell){
			.row = k == LOOP_1, .n_exec = 1, .exec_ns = ms * MS, .incl_ns = ms * MS, .body_ns = ms * MS
		};
	profile = (struct ompp_profile){ BARE_PROFILE,
		                         .duration_ns = ms * MS,
		                         .user_ns = 2 * ms * MS,
		                         .max_threads = 2,
		                         .processors_milli = 2000,
		                         .regions = regions,
		                         .n_regions = N_REGIONS,
		                         .rows = rows,
		                         .n_rows = 2,
		                         .nodes = nodes,
		                         .n_nodes = 4,
		                         .cells = cells,
		                         .n_cells = N_CELLS,
		                         .durations = durations,
		                         .duration_buckets = buckets,
		                         .duration_slices = slices };
}

/* Adds the visits of a cell: a first one, n of usual_ms, and n_long of long_ms. */
static void add(uint32_t cell, int64_t first_ms, uint64_t n, int64_t usual_ms, uint64_t n_long, int64_t long_ms)
{
	durations[profile.n_durations++] = (struct ompp_duration){ .cell = cell,
		                                                   .n = n + n_long,
		                                                   .n_first = 1,
		                                                   .first_ns = first_ms * MS,
		                                                   .least_ns = usual_ms * MS,
		                                                   .most_ns = (n_long ? long_ms : usual_ms) * MS,
		                                                   .most_at = 7 };
	buckets[profile.n_duration_buckets++] = (struct ompp_duration_bucket){
		.cell = cell, .number = 1, .least_ns = usual_ms * MS, .most_ns = usual_ms * MS, .n = n
	};
	if (n_long)
		buckets[profile.n_duration_buckets++] = (struct ompp_duration_bucket){
			.cell = cell, .number = 2, .least_ns = long_ms * MS, .most_ns = long_ms * MS, .n = n_long
		};
}

/* Returns the finding of this name about a region; NULL when there is none. */
static const struct ompp_finding *found(const char *name, uint32_t region)
{
	ompp_arena_fini(&arena);
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_analysis_init(&analysis, &profile, &options, &arena), 0);
	assert_int_equal(ompp_findings(&analysis, &findings), 0);
	for (size_t i = 0; i < findings.n; i++)
		if (!strcmp(findings.list[i].name, name) && findings.list[i].region == region)
			return &findings.list[i];
	return NULL;
}

static int has_any(void)
{
	for (uint32_t r = 0; r < N_REGIONS; r++)
		if (found("FirstVisitIsLong", r) || found("FewVisitsAreLong", r) || found("VisitsSlowDown", r))
			return 1;
	return 0;
}

static void first_visits(void **state)
{
	const struct ompp_finding *f;

	(void)state;
	start(1000);
	add(LOOP_0, 401, 99, 1, 0, 0);
	add(LOOP_1, 301, 99, 1, 0, 0);
	f = found("FirstVisitIsLong", LOOP);
	assert_non_null(f);
	assert_true(f->ns == 700 * MS && f->gain_ns == 400 * MS); /* of both threads, and of the one that has most */
	assert_null(found("FewVisitsAreLong", LOOP));
	start(1000);
	add(LOOP_0, 7, 99, 1, 0, 0); /* less than 8 times as long */
	assert_false(has_any());
	start(10000);
	add(LOOP_0, 401, 99, 1, 0, 0); /* less than a twentieth of the run */
	assert_false(has_any());
	start(1000);
	add(LOOP_0, 401, 9, 1, 0, 0); /* of 9 others there is no usual duration */
	assert_false(has_any());
}

static void few_visits(void **state)
{
	const struct ompp_finding *f;

	(void)state;
	start(1000);
	add(LOOP_0, 1, 200, 1, 3, 101);
	add(LOOP_1, 1, 200, 1, 0, 0);
	f = found("FewVisitsAreLong", LOOP);
	assert_non_null(f);
	assert_true(f->ns == 300 * MS && f->gain_ns == 300 * MS);
	assert_non_null(strstr(f->evidence, "3 of 403 visits take 0.300 s more than usual"));
	assert_null(found("FirstVisitIsLong", LOOP));
	start(1000);
	add(LOOP_0, 1, 50, 1, 5, 101); /* one in 11: that is another kind of visits */
	assert_false(has_any());
}

/* What is inside explains what is around; what is around may have more. */
static void inside_and_around(void **state)
{
	(void)state;
	start(1000);
	add(AROUND, 402, 99, 1, 0, 0);
	add(LOOP_0, 401, 99, 1, 0, 0);
	assert_non_null(found("FirstVisitIsLong", LOOP));
	assert_null(found("FirstVisitIsLong", PARALLEL));
	start(1000);
	add(AROUND, 402, 99, 1, 0, 0);
	add(LOOP_0, 101, 99, 1, 0, 0);
	assert_non_null(found("FirstVisitIsLong", LOOP));
	assert_non_null(found("FirstVisitIsLong", PARALLEL));
	assert_true(found("FirstVisitIsLong", PARALLEL)->ns == 802 * MS); /* two threads, which wait as long */
	start(1000);
	add(BARRIER_0, 401, 99, 1, 3, 101); /* others make it wait */
	assert_false(has_any());
}

/* What the system took is not the program's: what counts is the work, or what is beyond all that was taken. */
static void what_the_system_takes(void **state)
{
	static const struct ompp_object objects[] = { { .name = "(other)", .measured = 1 },
		                                      { .name = "(stack)", .measured = 1 },
		                                      { .name = "a", .measured = 1 } };
	struct ompp_access access = { .node = 2, .row = 0, .object = 2 }; /* in the loop */

	(void)state;
	start(1000);
	add(LOOP_0, 401, 99, 1, 0, 0);
	add(LOOP_1, 1, 99, 1, 0, 0);
	for (uint32_t k = 0; k < 2; k++)
		waits[k] = (struct ompp_wait){ .cell = LOOP_0 + k,
			                       .n = 100,
			                       .work_ns = 100 * MS,
			                       .off_ns = 500 * MS,
			                       .least_ns = MS,
			                       .most_ns = k ? 1 * MS : 101 * MS };
	profile.waits = waits;
	profile.n_waits = 2;
	assert_non_null(found("FirstVisitIsLong", LOOP));
	assert_true(found("FirstVisitIsLong", LOOP)->gain_ns == 100 * MS);
	regions[LOOP].clauses = "schedule(static, 1) ordered"; /* work may be spinning for a thread without processor */
	assert_false(has_any());
	regions[LOOP].clauses = "";
	waits[0].asleep_ns = 99 * MS;
	assert_false(has_any());
	waits[0].off_ns = 200 * MS;
	waits[1].off_ns = 0;
	assert_non_null(found("FirstVisitIsLong", LOOP));
	assert_true(found("FirstVisitIsLong", LOOP)->gain_ns == 200 * MS);
	profile.stolen_most_ns = 50 * MS; /* nor is what a hypervisor took */
	assert_true(found("FirstVisitIsLong", LOOP)->gain_ns == 150 * MS);
	profile.stolen_most_ns = OMPP_MISSING;
	profile.accesses = &access; /* its hooks prepare for new data in first visits */
	profile.n_accesses = 1;
	profile.objects = objects;
	profile.n_objects = 3;
	assert_null(found("FirstVisitIsLong", LOOP));
	profile.n_accesses = profile.n_objects = 0;
	assert_non_null(found("FirstVisitIsLong", LOOP));
	profile.n_waits = 0; /* as in a team of one: the kernel's count is what there is */
	profile.queued_all_ns = 390 * MS;
	assert_false(has_any());
	profile.queued_all_ns = OMPP_MISSING;
	profile.queued_ns = 300 * MS;
	assert_true(found("FirstVisitIsLong", LOOP)->gain_ns == 100 * MS);
	profile.queued_ns = 0;
	profile.n_waits = 2;
	profile.n_durations = profile.n_duration_buckets = 0; /* nothing to take it from */
	assert_false(has_any());
}

/* ---- visits that become longer ---- */

enum course { CONSTANT, NOISY, WANDERING, GROWING, GROWING_IN_NOISE, STEP, OUTLIER_FIRST, SHRINKING, N_COURSES };

static const char *const courses[] = { "constant",         "noisy",  "wandering",        "growing",
	                               "growing in noise", "a step", "an outlier first", "shrinking" };

static uint64_t seed;

static uint64_t random_below(uint64_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % n;
}

/* Returns what visit i of n takes, in microseconds. */
static uint64_t visit_us(enum course course, uint64_t i, uint64_t n)
{
	static uint64_t level;

	switch (course) {
	case NOISY:
		return 1000 + random_below(500) + (random_below(20) ? 0 : random_below(20000));
	case WANDERING: /* a machine that is slower for a while, now and then */
		level = !i || !random_below(n / 20 + 1) ? random_below(1000) : level;
		return 1000 + level + random_below(100);
	case GROWING:
		return 500 + 2000 * i / n;
	case GROWING_IN_NOISE:
		return 500 + 2000 * i / n + random_below(500);
	case STEP: /* the second half takes three times as long */
		return (i < n / 2 ? 1000 : 3000) + random_below(500);
	case OUTLIER_FIRST:
		return (i ? 1000 : 1000 * n) + random_below(100);
	case SHRINKING:
		return 2500 - 2000 * i / n;
	default:
		return 1000;
	}
}

/* Makes a run of 4 s in which both threads have these n visits but for a first one, and returns what they take in ms.
 */
static int64_t visits_with(enum course course, uint64_t n)
{
	uint64_t width = 1;
	int64_t sum_ns = 0;

	while (width * OMPP_N_SLICES < n)
		width *= 2;
	memset(slices, 0, sizeof(slices));
	for (uint64_t i = 0; i < n; i++) { /* a mean of 2000 us makes the whole run */
		int64_t ns = (int64_t)(visit_us(course, i, n) * 4000000 / n / 2);

		for (uint32_t k = 0; k < 2; k++) {
			struct ompp_duration_slice *slice = &slices[k * ((n - 1) / width + 1) + i / width];

			slice->cell = LOOP_0 + k;
			slice->number = (uint32_t)(i / width);
			slice->n++;
			slice->ns += ns;
		}
		sum_ns += ns;
	}
	start(4000);
	add(LOOP_0, 1, n, 2, 0, 0);
	add(LOOP_1, 1, n, 2, 0, 0);
	profile.n_duration_slices = 2 * ((n - 1) / width + 1);
	return sum_ns / MS;
}

/* Returns how many slices of a thread are at least half as long as the first one. */
static size_t full_slices(void)
{
	size_t n = profile.n_duration_slices / 2;

	return n - (slices[n - 1].n < slices[0].n / 2);
}

/* What grows is found at any number of visits, and nothing else in 6,000 sequences of chance. */
static void visits_slow_down(void **state)
{
	(void)state;
	for (int run = 0; run < 1000; run++)
		for (enum course course = CONSTANT; course < N_COURSES; course++) {
			uint64_t n = OMPP_LEAST_VISITS + random_below(random_below(2) ? 60 : 1500);
			int is_there, grows = course == GROWING || (course == GROWING_IN_NOISE && n >= 100);

			if (course == GROWING_IN_NOISE && !grows)
				continue;
			visits_with(course, n);
			is_there = found("VisitsSlowDown", LOOP) != NULL;
			if (full_slices() >= 9 ? is_there != grows : is_there)
				fail_msg("%s, %d visits: VisitsSlowDown %d", courses[course], (int)n, is_there);
		}
}

/* The gain is what visits take above early ones, and less what the system took; beside a load there is none. */
static void slower_by_how_much(void **state)
{
	const struct ompp_finding *f;
	int64_t all_ms, gain_ms;

	(void)state;
	all_ms = visits_with(GROWING, 1600); /* slices of 128: 3 early ones, of 0.74 in the mean, all 1.5 */
	f = found("VisitsSlowDown", LOOP);
	assert_non_null(f);
	gain_ms = f->gain_ns / MS;
	assert_in_range(gain_ms, all_ms * 49 / 100, all_ms * 51 / 100);
	assert_true(f->ns == 2 * f->gain_ns);
	assert_non_null(strstr(f->evidence,
	                       "Of 1 600 visits of thread 0 the first quarter takes 924 us each, the last 2.77 ms. "
	                       "Of 78 pairs of slices of the run 78 rise"));
	assert_null(found("FewVisitsAreLong", LOOP));
	profile.stolen_most_ns = 100 * MS; /* of 4 s, by a hypervisor */
	assert_null(found("VisitsSlowDown", LOOP));
	profile.stolen_most_ns = 10 * MS;
	assert_non_null(found("VisitsSlowDown", LOOP));
	waits[0] = (struct ompp_wait){ .cell = LOOP_0, .n = 100, .work_ns = 1000 * MS, .off_ns = 2000 * MS };
	profile.waits = waits;
	profile.n_waits = 1;
	assert_null(found("VisitsSlowDown", LOOP));
}

/* Bounds hold for all cells together: what lies between those of a bucket may be anywhere in it. */
static void quantiles_of_all_cells(void **state)
{
	struct ompp_visits d;

	(void)state;
	start(1000);
	add(LOOP_0, 9, 60, 2, 0, 0);
	buckets[0].most_ns = 5 * MS;
	add(LOOP_1, 8, 40, 4, 6, 20);
	assert_null(found("FewVisitsAreLong", LOOP));
	assert_int_equal(ompp_visits_of(&analysis, LOOP, 0, &d), 0);
	assert_true(d.n == 106 && d.n_first == 2 && d.first_ns == 9 * MS);
	assert_true(d.least_ns == 2 * MS && d.most_ns == 20 * MS && d.most_row == 1 && d.most_at == 7);
	assert_true(d.median.least_ns == 2 * MS && d.median.most_ns == 5 * MS);
	assert_true(d.p95.least_ns == 20 * MS && d.p95.most_ns == 20 * MS);
	assert_int_equal(ompp_visits_of(&analysis, PARALLEL, 0, &d), 0);
	assert_true(!d.n && !d.n_first && d.most_row == OMPP_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_visits),          cmocka_unit_test(few_visits),
		cmocka_unit_test(inside_and_around),     cmocka_unit_test(what_the_system_takes),
		cmocka_unit_test(visits_slow_down),      cmocka_unit_test(slower_by_how_much),
		cmocka_unit_test(quantiles_of_all_cells)
	};

	ompp_arena_init(&arena, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
