/*
 * Places: see places.h.
 */
#include "reports/placing/places.h"

#include <errno.h>

#include "reports/analysis/sample_stats.h"
#include "runtime/base/text.h"

enum { MOST_TOUCHERS = 64 }; /* first touchers of one object that are told apart */

static int init_nodes(struct ompp_places *places)
{
	const struct ompp_profile *p = places->analysis->profile;

	places->kind = OMPP_PLACES_NODES;
	places->numbers = ompp_arena_alloc(places->analysis->arena, (p->n_numa_list + 1) * sizeof(uint32_t));
	if (!places->numbers)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_numa_list; i++)
		places->numbers[places->n++] = p->numa_nodes[i].number;
	return 0;
}

static int is_thread(const struct ompp_profile *p, uint32_t row)
{
	return ompp_thread_row(p, row) == row;
}

int ompp_places_init(struct ompp_places *places, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	uint32_t n_threads = 0;

	*places = (struct ompp_places){ .analysis = a, .n = a->emulated };
	if (!a->emulated && p->n_numa_list > 1)
		return init_nodes(places);
	places->kind = a->emulated ? OMPP_PLACES_EMULATED : OMPP_PLACES_THREADS;
	places->of_row = ompp_arena_alloc(a->arena, (p->n_rows + 1) * sizeof(uint32_t));
	places->numbers = ompp_arena_alloc(a->arena, (p->n_rows + a->emulated + 1) * sizeof(uint32_t));
	if (!places->of_row || !places->numbers)
		return -ENOMEM;
	for (uint32_t row = 0; row < p->n_rows; row++)
		n_threads += (uint32_t)is_thread(p, row);
	for (uint32_t row = 0, i = 0; row < p->n_rows; row++) {
		places->of_row[row] = OMPP_NONE;
		if (!is_thread(p, row))
			continue;
		places->of_row[row] = a->emulated ? (uint32_t)((uint64_t)i * a->emulated / n_threads) : i;
		if (!a->emulated)
			places->numbers[i] = row;
		i++;
	}
	for (uint32_t i = 0; i < a->emulated; i++)
		places->numbers[i] = i;
	if (!a->emulated)
		places->n = n_threads;
	return 0;
}

static uint32_t place_of_node(const struct ompp_places *places, uint32_t node)
{
	for (uint32_t i = 0; i < places->n; i++)
		if (places->numbers[i] == node)
			return i;
	return OMPP_NONE;
}

static uint32_t place_of_row(const struct ompp_places *places, uint32_t row)
{
	return row == OMPP_NONE ? OMPP_NONE : places->of_row[ompp_thread_row(places->analysis->profile, row)];
}

uint32_t ompp_place_from(const struct ompp_places *places, const struct ompp_use *use)
{
	return places->of_row ? place_of_row(places, use->row) : place_of_node(places, use->from);
}

uint32_t ompp_place_home(const struct ompp_places *places, const struct ompp_use *use)
{
	return places->of_row ? place_of_row(places, use->toucher) : place_of_node(places, use->home);
}

uint32_t ompp_place_touched(const struct ompp_places *places, const struct ompp_first_touch *touch)
{
	return places->of_row ? place_of_row(places, touch->row) : place_of_node(places, touch->home);
}

const char *ompp_place_name(const struct ompp_places *places, uint32_t place)
{
	const struct ompp_profile *p = places->analysis->profile;
	char buffer[64];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, places->kind == OMPP_PLACES_THREADS ? "TID " : "node ");
	if (places->kind == OMPP_PLACES_THREADS)
		ompp_text_str(&t, p->rows[places->numbers[place]].label);
	else
		ompp_text_u64(&t, places->numbers[place]);
	return ompp_arena_strdup(places->analysis->arena, buffer);
}

void ompp_nearness_add(struct ompp_nearness *sum, const struct ompp_places *places, const struct ompp_use *use)
{
	uint32_t from = ompp_place_from(places, use), home = ompp_place_home(places, use);

	ompp_sampled_add(from == OMPP_NONE || home == OMPP_NONE ? &sum->unknown
	                 : from == home                         ? &sum->near
	                                                        : &sum->far,
	                 &use->sum);
}

int64_t ompp_nearness_far(const struct ompp_nearness *sum, int64_t *error)
{
	struct ompp_sampled_sum known = sum->near;

	ompp_sampled_add(&known, &sum->far);
	*error = OMPP_MISSING;
	if (!known.n)
		return OMPP_MISSING;
	*error = ompp_sample_stats_cost_error(sum->far.estimate, (unsigned __int128)sum->far.variance, known.estimate,
	                                      (unsigned __int128)known.variance);
	return ompp_share(sum->far.estimate, known.estimate);
}

const struct ompp_use *ompp_places_toucher(const struct ompp_places *places, const uint32_t *uses, uint32_t n,
                                           int only_far)
{
	const struct ompp_use *touchers[MOST_TOUCHERS];
	int64_t sums[MOST_TOUCHERS], all = 0;
	uint32_t n_touchers = 0, best = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_use *use = &places->analysis->profile->uses[uses[i]];
		uint32_t from = ompp_place_from(places, use), home = ompp_place_home(places, use), k = 0;

		if (only_far && (from == home || from == OMPP_NONE || home == OMPP_NONE))
			continue;
		all = ompp_add(all, use->sum.estimate);
		if (use->toucher == OMPP_NONE || use->touched_at == OMPP_NONE)
			continue;
		while (k < n_touchers &&
		       (touchers[k]->toucher != use->toucher || touchers[k]->touched_at != use->touched_at))
			k++;
		if (k == MOST_TOUCHERS)
			continue;
		sums[k] = k < n_touchers ? ompp_add(sums[k], use->sum.estimate) : use->sum.estimate;
		touchers[k] = use;
		n_touchers += k == n_touchers;
		best = sums[k] > sums[best] ? k : best;
	}
	return n_touchers && sums[best] > all / 2 ? touchers[best] : NULL;
}
