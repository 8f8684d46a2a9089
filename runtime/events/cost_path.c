/*
 * Cost, path: see cost_path.h.
 */
#include "runtime/events/cost_path.h"

#include <string.h>

#include "runtime/events/cost.h"
#include "runtime/span/span_limit.h"

static struct ompp_cost without[OMPP_N_COST_KINDS][OMPP_N_COST_BOUNDS];

static uint64_t cost_path_within(uint64_t least, uint64_t x, uint64_t most)
{
	return x < least ? least : x > most ? most : x;
}

/* Finds what a pair of a task's events takes more with the path than without.  Some two fifths of it do: where the
 * machine was disturbed while one of both was measured, the difference is at least one, and at most three. */
static void compare(void)
{
	uint64_t with_fp = ompp_costs[OMPP_COST_TASK][OMPP_COST_TYPICAL].pair_fp;
	uint64_t without_fp = without[OMPP_COST_TASK][OMPP_COST_TYPICAL].pair_fp;

	ompp_span_more_fp = cost_path_within(with_fp / 5, with_fp > without_fp ? with_fp - without_fp : 0,
	                                     with_fp / 5 * 3);
}

void ompp_cost_path_calibrate(void)
{
	if (ompp_span_is_limited) {
		ompp_mode_clear(OMPP_MODE_SPAN);
		ompp_cost_calibrate();
		memcpy(without, ompp_costs, sizeof(without));
		ompp_mode_set(OMPP_MODE_SPAN);
	}
	ompp_cost_calibrate();
	if (ompp_span_is_limited)
		compare();
}

void ompp_cost_path_end(void)
{
	static int is_over;

	if (is_over)
		return;
	is_over = 1;
	for (int kind = 0; kind < OMPP_N_COST_KINDS; kind++) {
		const struct ompp_cost *most = &without[kind][OMPP_COST_MOST];
		struct ompp_cost *costs = ompp_costs[kind], with = costs[OMPP_COST_MOST];

		memcpy(costs, without[kind], sizeof(without[kind]));
		costs[OMPP_COST_MOST] = (struct ompp_cost){
			.pair_fp = with.pair_fp > most->pair_fp ? with.pair_fp : most->pair_fp,
			.in_fp = with.in_fp > most->in_fp ? with.in_fp : most->in_fp,
			.out_fp = with.out_fp > most->out_fp ? with.out_fp : most->out_fp
		};
	}
}
