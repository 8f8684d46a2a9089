/*
 * Finding, orders: regions whose loops would miss less in another order (bounds/relayout_gain.h).  Of a region one
 * order is named: interchanged loops, unless blocks have clearly less misses.  Blocks are named where they spare memory
 * itself: what their short loops cost is more than a nearer cache saves.  Where arrays are walked with a stride
 * (finding_data.c) and miss less in that order, those findings are left to this one.
 */
#include <string.h>

#include "reports/findings/fewer_misses.h"
#include "reports/findings/finding.h"
#include "runtime/base/clean.h"

static int is_blocked(const struct ompp_relayout_gain *gain)
{
	return !strcmp(gain->of->kind, "blocked");
}

/* May it be named? */
static int is_worth_it(const struct ompp_relayout_gain *gain)
{
	return !is_blocked(gain) || gain->level == OMPP_ACCESS_LEVELS - 1;
}

/* Is the region's other order the one to be named? */
static int has_better_order(const struct ompp_relayout_gains *gains, const struct ompp_relayout_gain *gain)
{
	for (size_t i = 0; i < gains->n_orders; i++) {
		const struct ompp_relayout_gain *other = &gains->orders[i];
		int64_t mine = gain->then[gain->level], theirs = other->then[gain->level];

		if (other->of->region != gain->of->region || is_blocked(other) == is_blocked(gain) ||
		    !is_worth_it(other))
			continue;
		if (is_blocked(gain) ? !ompp_misses_are_fewer(mine, theirs) : ompp_misses_are_fewer(theirs, mine))
			return 1;
	}
	return 0;
}

/* Does an object miss less at the first level in an order? */
static int orders_spares(const struct ompp_profile *p, const struct ompp_relayout_sum *like, uint32_t object)
{
	for (size_t i = 0; i < p->n_relayouts; i++) {
		const struct ompp_relayout_sum *one = &p->relayouts[i];

		if (one->object != object || one->region != like->region || strcmp(one->kind, like->kind))
			continue;
		for (int k = 0; k < OMPP_ACCESS_LEVELS; k++)
			if (one->now[k] != OMPP_MISSING)
				return ompp_misses_are_fewer(one->then[k], one->now[k]);
	}
	return 0;
}

int ompp_find_orders_says(const struct ompp_analysis *a, uint32_t object, uint32_t region)
{
	const struct ompp_relayout_gains *gains = a->profile->n_relayouts ? ompp_relayout_gains(a) : NULL;

	for (size_t i = 0; gains && i < gains->n_orders; i++)
		if (gains->orders[i].of->region == region && is_worth_it(&gains->orders[i]) &&
		    !has_better_order(gains, &gains->orders[i]) &&
		    orders_spares(a->profile, gains->orders[i].of, object))
			return 1;
	return 0;
}

static void orders_judge(struct ompp_finder *finder, const struct ompp_relayout_gain *gain)
{
	const struct ompp_analysis *a = finder->analysis;
	const char *name = ompp_clean_copy(a->profile->objects[gain->of->object].name, 0, a->arena);
	struct ompp_text t;

	ompp_say_start_long(&t, a->arena);
	ompp_text_str(&t,
	              is_blocked(gain) ? "In blocks, its loops would miss " : "Interchanged, its loops would miss ");
	ompp_say_fewer_misses(&t, gain);
	ompp_text_str(&t, ", most of it in ");
	ompp_text_str(&t, name ? name : "");
	ompp_text_str(&t, ". The addresses of this run allow it.");
	ompp_say_faster(&t, gain);
	ompp_find_counted(finder,
	                  &(struct ompp_finding){
				  .name = "OtherOrderFetchesLess",
				  .region = gain->of->region,
				  .object = ompp_finding_object(a, gain->of->object),
				  .weight = ompp_fewer_misses_weight(a->profile, gain),
				  .gain_ns = ompp_fewer_misses_ns(a, gain->of->region, gain->saved),
				  .evidence = t.data,
				  .advice = is_blocked(gain)
	                                          ? "Let two loops around advance by as many iterations as a cache "
	                                            "line has "
	                                            "elements, and the loops of today do the iterations of such a "
	                                            "block: lines are used up while they are in the cache. Their short "
	                                            "loops cost instructions: compare the times."
	                                          : "Exchange the two innermost loops. What one of them adds up in a "
	                                            "variable becomes an array, and sums may be rounded otherwise." });
}

void ompp_find_orders(struct ompp_finder *finder)
{
	const struct ompp_relayout_gains *gains = ompp_fewer_misses(finder);

	for (size_t i = 0; gains && i < gains->n_orders; i++)
		if (is_worth_it(&gains->orders[i]) && !has_better_order(gains, &gains->orders[i]))
			orders_judge(finder, &gains->orders[i]);
}
