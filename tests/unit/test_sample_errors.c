/*
 * Sample errors: of streams of accesses that are made here, and whose true numbers are known, the estimates lie within
 * two of the stated errors in 95 of 100, and within one in 68: loads, stores, latencies, the far share, and the share
 * of who touched first.  The gaps between samples, their sums, the profile's numbers and the errors are the product's
 * own.  Seeds are fixed, so a test that passes once always does.
 */
#include "tests/unit/steps.h"

#include <stdio.h>

#include "reports/analysis/analysis.h"
#include "reports/analysis/init.h"
#include "reports/analysis/report_options.h"
#include "reports/analysis/sample_stats.h"
#include "reports/placing/places.h"
#include "runtime/base/geometric.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/data/touched.h"
#include "runtime/memory/sample.h"
#include "runtime/ranges/range.h"
#include "runtime/session/session_start.h"
#include "runtime/sources/sampling.h"

enum { RUNS = 1000, ACCESSES = 10000, PERIOD = 23, PAGE = 4096, THREADS = 2 };
enum kind { LOADS, STORES, LATENCIES, FAR, TOUCHED, N_KINDS };

static const char *const names[N_KINDS] = { "loads", "stores", "latencies", "far share", "first-touch share" };

REGION(parallel, parallel, 1, 9);

static int64_t team;
static _Alignas(PAGE) char pages[THREADS][PAGE]; /* the page that each thread touches first */
static const struct ompp_callnode *nodes[THREADS];
static uint32_t cover;
static uint64_t stream; /* of the accesses; the samples' gaps have states of their own */

/* What one run is in truth, or as it is estimated, or the error of that: numbers, a mean in thousandths, shares in
 * 10^-9. */
struct values {
	double of[N_KINDS];
};

static uint32_t below(uint32_t n)
{
	return (uint32_t)((ompp_random(&stream) >> 32) % n);
}

/* Two of three accesses are loads, whose latencies have a long tail.  Three of four are to the page of the thread that
 * accesses, by the second thread two of three. */
static struct ompp_mem_sample next_access(int thread)
{
	int is_load = below(3) != 0, is_own = below(4 - (uint32_t)thread) != 0;
	uint32_t latency = below(16) ? 4 + below(20) : 100 + below(400);

	return (struct ompp_mem_sample){ .ip = 0x1000,
		                         .address = (uintptr_t)pages[is_own ? thread : 1 - thread] + below(PAGE),
		                         .period = PERIOD,
		                         .latency = is_load ? latency : 0,
		                         .cpu = UINT32_MAX,
		                         .kind = is_load ? OMPP_MEM_LOADS : OMPP_MEM_STORES,
		                         .level = OMPP_MEM_LEVEL_LOCAL_MEMORY,
		                         .data_source = 1 };
}

/* Each thread makes its accesses, of which some are sampled.  Returns what is true of all of them. */
static struct values run_stream(uint64_t seed)
{
	struct ompp_geometric gap = ompp_geometric(PERIOD);
	struct values truth = { .of = { 0 } };
	int n_all = 0;

	for (int thread = 0; thread < THREADS; thread++) {
		uint64_t random = ompp_random_seed(ompp_random_seed(seed) ^ (uint64_t)thread);
		uint64_t left = ompp_geometric_draw(gap, &random);

		for (int i = 0; i < ACCESSES; i++, n_all++) {
			struct ompp_mem_sample a = next_access(thread);
			int at = a.address >= (uintptr_t)pages[1];

			truth.of[a.kind == OMPP_MEM_LOADS ? LOADS : STORES]++;
			truth.of[LATENCIES] += a.latency;
			truth.of[FAR] += at != thread;
			truth.of[TOUCHED] += at == 0;
			if (--left)
				continue;
			left = ompp_geometric_draw(gap, &random);
			ompp_sample_take(ompp_threads[thread], nodes[thread], cover, &a);
		}
	}
	truth.of[LATENCIES] *= 1000 / truth.of[LOADS];
	truth.of[FAR] *= 1e9 / n_all;
	truth.of[TOUCHED] *= 1e9 / n_all;
	return truth;
}

static uint32_t place_of(const struct ompp_places *places, const struct ompp_use *use)
{
	uint32_t home = ompp_place_home(places, use);

	assert_in_range(home, 0, THREADS - 1);
	return home;
}

/* Fills in what a profile says of its samples, and the errors that it states. */
static void estimate(const struct ompp_profile *p, struct values *seen, struct values *error)
{
	const struct ompp_report_options two_nodes = { .emulated = 2 };
	struct ompp_sampled_sum kinds[2] = { { 0 }, { 0 } }, all = { 0 }, first = { 0 };
	struct ompp_nearness nearness = { { 0 }, { 0 }, { 0 } };
	struct ompp_analysis analysis;
	struct ompp_places places;
	struct ompp_arena arena;
	int64_t e;

	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_analysis_init(&analysis, p, &two_nodes, &arena), 0);
	assert_int_equal(ompp_places_init(&places, &analysis), 0);
	for (size_t i = 0; i < p->n_samples; i++)
		ompp_sampled_add(&kinds[p->samples[i].sum.kind == OMPP_MEM_STORES], &p->samples[i].sum);
	for (size_t i = 0; i < p->n_uses; i++) {
		ompp_sampled_add(&all, &p->uses[i].sum);
		ompp_nearness_add(&nearness, &places, &p->uses[i]);
		if (place_of(&places, &p->uses[i]) == 0)
			ompp_sampled_add(&first, &p->uses[i].sum);
	}
	for (int i = 0; i < 2; i++) {
		seen->of[LOADS + i] = (double)kinds[i].estimate;
		error->of[LOADS + i] = (double)ompp_sampled_error(&kinds[i]);
	}
	seen->of[LATENCIES] = (double)ompp_sampled_mean(&kinds[0]);
	error->of[LATENCIES] = (double)ompp_sampled_mean_error(&kinds[0]);
	seen->of[FAR] = (double)ompp_nearness_far(&nearness, &e);
	error->of[FAR] = (double)e;
	seen->of[TOUCHED] = (double)ompp_share(first.estimate, all.estimate);
	error->of[TOUCHED] = (double)ompp_sample_stats_cost_error(first.estimate, (unsigned __int128)first.variance,
	                                                          all.estimate, (unsigned __int128)all.variance);
	ompp_arena_fini(&arena);
}

static void part(void)
{
	at(2 + rank);
	ompp_parallel_begin(&h_parallel, team);
	nodes[rank] = ompp_self->top->node;
	POMP2_Parallel_end(&h_parallel);
}

/* A team of two threads, whose samples are taken later. */
static void make_team(void)
{
	ompp_sampling = (struct ompp_sampling){ "pebs", "cycles", PERIOD, OMPP_MEM_BOTH, 0, 1, 0, 1, 1, 0 };
	ompp_session_start();
	ompp_range_begin("shared", OMPP_ORIGIN_CALL, (uintptr_t)pages, sizeof(pages), 0, 0);
	cover = ompp_object(OMPP_OBJECT_FIRST_NAMED)->cover;
	start_thread(1, part);
	at(0);
	POMP2_Parallel_fork(&h_parallel, 1, THREADS, &team, parallel_ctc);
	at(1);
	part();
	at(4);
	POMP2_Parallel_join(&h_parallel, team);
	join_threads();
	assert_int_equal(ompp_n_threads, THREADS);
}

/* Each thread has touched its page. */
static void touch(int thread)
{
	struct ompp_mem_sample fault = { .ip = 2, .address = (uintptr_t)pages[thread], .cpu = UINT32_MAX };
	struct ompp_touched touched = { .state = OMPP_PAGE_TOUCHED,
		                        .toucher = ompp_toucher((uint32_t)thread, nodes[thread]->index) };

	ompp_touched_set((uintptr_t)pages[thread], (uintptr_t)pages[thread] + PAGE, &touched);
	ompp_sample_touch(ompp_threads[thread], nodes[thread], cover, &fault, -1);
}

/* Of all runs, the shares in 10^-3 that are within one and two errors, and those above the truth. */
static void judge(enum kind kind, int n_one, int n_two, int n_above)
{
	print_message("%s: of %d runs %d within one error, %d within two, %d above the truth\n", names[kind], RUNS,
	              n_one, n_two, n_above);
	assert_in_range(n_one * 1000 / RUNS, 683 - 50, 683 + 50);
	assert_in_range(n_two * 1000 / RUNS, 950 - 25, 950 + 25);
	assert_in_range(n_above * 1000 / RUNS, 500 - 50, 500 + 50);
}

static void errors_are_those_that_are_stated(void **state)
{
	int n_one[N_KINDS] = { 0 }, n_two[N_KINDS] = { 0 }, n_above[N_KINDS] = { 0 };

	(void)state;
	make_team();
	for (int run = 0; run < RUNS; run++) {
		struct values truth, seen, error;

		for (int thread = 0; thread < THREADS; thread++) {
			ompp_sample_after_fork(ompp_threads[thread]);
			touch(thread);
		}
		stream = ompp_random_seed(~(uint64_t)run);
		truth = run_stream((uint64_t)run);
		estimate(collect(), &seen, &error);
		for (int k = 0; k < N_KINDS; k++) {
			double off = seen.of[k] - truth.of[k];

			n_one[k] += off * off <= error.of[k] * error.of[k];
			n_two[k] += off * off <= 4 * error.of[k] * error.of[k];
			n_above[k] += off > 0;
		}
	}
	for (int k = 0; k < N_KINDS; k++)
		judge((enum kind)k, n_one[k], n_two[k], n_above[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(errors_are_those_that_are_stated) };

	return RUN_APART(tests);
}
