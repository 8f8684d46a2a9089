/*
 * Finding case: a profile of two threads with a loop, or another construct, which takes 0.9 s of a run of 1 s, and the
 * findings in it.  Tests change the numbers that they are about.
 */
#ifndef TESTS_FINDING_CASE_H
#define TESTS_FINDING_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/analysis/init.h"
#include "reports/findings/findings.h"
#include "tests/unit/bare_profile.h"

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
static inline void one(enum ompp_construct construct, uint64_t n, const char *clauses)
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
		1, is_inner ? OMPP_PARALLEL : construct, "a.c", 1, 9, "", 0, 0, "", is_inner ? "" : clauses, "", 0
	};
	regions[1] = (struct ompp_region){ 2, construct, "a.c", 2, 8, "", 0, 0, "", clauses, "", 0 };
	nodes[0] = (struct ompp_node){ OMPP_NONE, OMPP_NONE, OMPP_PARALLEL, 0, 0 };
	nodes[1] = (struct ompp_node){ 0, 0, regions[0].construct, 0, 2 };
	nodes[2] = (struct ompp_node){ 1, 1, construct, 2, 2 };
	for (uint32_t k = 0; k < 4; k++)
		waits[k] = (struct ompp_wait){ .cell = k,
			                       .n = n,
			                       .work_ns = 800 * MS,
			                       .spread_ns = n < 2 ? OMPP_MISSING : MS,
			                       .usual_ns = OMPP_MISSING };
	profile = (struct ompp_profile){ BARE_PROFILE,
		                         .duration_ns = 1000 * MS,
		                         .user_ns = 2000 * MS,
		                         .max_threads = 2,
		                         .queued_all_ns = OMPP_MISSING,
		                         .processors_milli = 2000,
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
static inline struct ompp_wait *wait_of(uint32_t row)
{
	return &waits[profile.n_regions == 2 ? 2 + row : row];
}

/* Says that all of the 100 ms, in n_looked waits, were looked at and have this cause. */
static inline void because(enum ompp_cause cause, uint64_t n_looked)
{
	struct ompp_wait *w = wait_of(0);

	w->n_looked = n_looked;
	w->looked_ns = 100 * MS;
	w->cause_ns[cause] = 100 * MS;
}

/* Sets each thread's mean work of an execution, and its standard deviation. */
static inline void work(int64_t mean_0, int64_t mean_1, int64_t spread)
{
	const int64_t means[] = { mean_0, mean_1 };

	for (uint32_t r = 0; r < 2; r++) {
		wait_of(r)->work_ns = means[r] * (int64_t)wait_of(r)->n;
		wait_of(r)->spread_ns = wait_of(r)->n < 2 ? OMPP_MISSING : spread;
	}
}

/* Says what the slices of the run say: thread 1 works longer by so much, with this standard error, and its processor is
 * slower by so many thousandths. */
static inline void slices(uint64_t n, int64_t apart_ns, int64_t error_ns, int64_t slower_milli)
{
	for (uint32_t r = 0; r < 2; r++) {
		wait_of(r)->n_slices = n;
		wait_of(r)->apart_ns = r ? apart_ns / 2 : -(apart_ns / 2);
		wait_of(r)->apart_error_ns = error_ns / 2;
		wait_of(r)->pace_ps = r ? 200 * (1000 + slower_milli) : 200000;
	}
}

/* Returns the finding of this name; NULL when it is not made. */
static inline const struct ompp_finding *find(const char *name)
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

static inline const char *advice(const char *name)
{
	const struct ompp_finding *f = find(name);

	if (!f)
		fail_msg("%s is not found", name);
	return f->advice;
}

static inline int start(void **state)
{
	(void)state;
	options = (struct ompp_report_options){ 0 };
	ompp_arena_init(&arena, 0);
	return 0;
}

static inline int stop(void **state)
{
	(void)state;
	ompp_arena_fini(&arena);
	return 0;
}

#endif
