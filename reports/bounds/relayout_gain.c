/*
 * Relayout gain: see relayout_gain.h.
 */
#include "reports/bounds/relayout_gain.h"

#include <errno.h>
#include <string.h>

#include "reports/bounds/roofline.h"
#include "runtime/base/sort.h"

enum {
	LINE_BYTES = 64,
	LEAST_MISSES = 1000, /* of a level, which are worth a change */
	MOST_LEFT = 90,      /* % of them that are left */
	MOST_MORE = 2,       /* % of more misses that mean nothing */
	MORE = 100,          /* misses that mean nothing, as those of the first lines of arrays */
	LEAST_REPLAYED = 90  /* % of the accesses, or nothing is said */
};

/* Is this the kind of an order of loops? */
static int is_order(const char *kind)
{
	return !strcmp(kind, "interchanged") || !strcmp(kind, "blocked");
}

/* Returns a share of a number. */
static int64_t part_of(int64_t n, int64_t part, int64_t whole)
{
	return n == OMPP_MISSING || whole <= 0 ? OMPP_MISSING : (int64_t)((__int128)n * part / whole);
}

/* Were enough of the accesses replayed? */
static int is_replayed(uint64_t n, uint64_t n_all)
{
	return n && (unsigned __int128)n * 100 >= (unsigned __int128)n_all * LEAST_REPLAYED;
}

/* Fills in the misses of all accesses.  Returns 0 when too few of them were replayed. */
static int relayout_misses(const struct ompp_relayout_sum *of, struct ompp_relayout_gain *gain)
{
	memset(gain, 0, sizeof(*gain));
	gain->of = of;
	if (!is_replayed(of->n, of->n_all))
		return 0;
	for (int i = 0; i < OMPP_ACCESS_LEVELS; i++) {
		gain->now[i] = part_of(of->now[i], ompp_count(of->n_all), ompp_count(of->n));
		gain->then[i] = part_of(of->then[i], ompp_count(of->n_all), ompp_count(of->n));
	}
	return 1;
}

/* Has no level more misses?  Those of a split hold that the lines of its arrays are fetched once, as they are new when
 * it is found, even into a cache that has all of the object. */
static int costs_nothing(const struct ompp_profile *p, const struct ompp_relayout_gain *gain)
{
	int64_t more = MORE, bytes = p->objects[gain->of->object].bytes;

	if (!strcmp(gain->of->kind, "split") && bytes != OMPP_MISSING)
		more += bytes / LINE_BYTES;
	for (int i = 0; i < OMPP_ACCESS_LEVELS; i++)
		if (gain->now[i] != OMPP_MISSING &&
		    gain->then[i] > gain->now[i] + gain->now[i] / 100 * MOST_MORE + more)
			return 0;
	return 1;
}

/* Returns the last level at which misses are saved; -1 when there is none.
 * saved: gets their share of those at this level, 10^-9 */
static int find_level(const int64_t *now, const int64_t *then, int n_levels, int64_t *saved)
{
	for (int i = n_levels - 1; i >= 0; i--) {
		if (now[i] == OMPP_MISSING || then[i] == OMPP_MISSING || now[i] < LEAST_MISSES ||
		    then[i] > part_of(now[i], MOST_LEFT, 100))
			continue;
		*saved = ompp_share(now[i] - then[i], now[i]);
		return i;
	}
	return -1;
}

static int relayout_is_same(const struct ompp_relayout_sum *a, const struct ompp_relayout_sum *b)
{
	return a->object == b->object && !strcmp(a->kind, b->kind) && !strcmp(a->groups, b->groups);
}

/* Does a layout cost nothing in all regions of the object together? */
static int is_gain_in_all(const struct ompp_profile *p, const struct ompp_relayout_sum *like)
{
	struct ompp_relayout_gain all = { .of = like }, one;

	for (size_t i = 0; i < p->n_relayouts; i++) {
		if (!relayout_is_same(&p->relayouts[i], like) || !relayout_misses(&p->relayouts[i], &one))
			continue;
		for (int k = 0; k < OMPP_ACCESS_LEVELS; k++) {
			all.now[k] = ompp_add_known(all.now[k], one.now[k]);
			all.then[k] = ompp_add_known(all.then[k], one.then[k]);
		}
	}
	return costs_nothing(p, &all);
}

/* ---- time ---- */

static const struct ompp_roofline_line *roofline_find(const struct ompp_roofline *r, uint32_t region, uint32_t object)
{
	for (size_t i = 0; r && i < r->n; i++)
		if (r->lines[i].region == region && r->lines[i].object == object)
			return &r->lines[i];
	return NULL;
}

/* Returns the bytes below a level that a region would move less. */
static int64_t bytes_saved(const struct ompp_roofline_line *object, const struct ompp_relayout_gain *gain, int level)
{
	int64_t line_bytes, then, written;

	if (object->fetched[level] <= 0 || object->written[level] == OMPP_MISSING || gain->now[level] <= 0)
		return 0;
	/* the line of the object may have regions inside this one, too */
	line_bytes = object->fetched[level] / gain->now[level] > 0
	                   ? part_of(object->fetched[level], 1, gain->now[level])
	                   : 0;
	then = ompp_times(line_bytes, (uint64_t)gain->then[level]);
	written = object->written[level] < then ? object->written[level] : then;
	return object->fetched[level] + object->written[level] - then - written;
}

/* Returns the bytes below a level that a region would move less by the gains of n objects; a missing one when an object
 * is not known there. */
static int64_t all_saved(const struct ompp_roofline *r, const struct ompp_relayout_gain *parts, size_t n, int level)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		const struct ompp_roofline_line *object = roofline_find(r, parts[i].of->region, parts[i].of->object);

		if (!object)
			return OMPP_MISSING;
		sum += bytes_saved(object, &parts[i], level);
	}
	return sum;
}

/* Returns how long what a region would move below a level takes, by the roof of that level. */
static int64_t then_ns(const struct ompp_roofline_line *line, int64_t saved, int level)
{
	int64_t below = ompp_roofline_below(line, level);

	return below == OMPP_MISSING || below <= 0 || line->stream[1 + level].ns == OMPP_MISSING
	             ? 0
	             : part_of(line->stream[1 + level].ns, below - saved, below);
}

/* Returns the least time of that, where the roof is a cache's: it is measured with half of the cache, and less data may
 * come faster; as fast as the least that this cache has and the level above has not, where ompp machine has measured
 * that, and not faster than from the level above. */
static int64_t then_least_ns(const struct ompp_roofline_line *line, int64_t ns, int level)
{
	const struct ompp_roof_use *above = &line->stream[level], *own = &line->stream[1 + level];
	int64_t most = above->roof ? above->rate : own->rate_small;

	if (own->rate_small > own->rate && own->rate_small < most)
		most = own->rate_small;
	if (!own->roof || !strcmp(own->roof->name, "memory") || most <= own->rate)
		return ns;
	return part_of(ns, own->rate, most);
}

/* Finds how much faster a region would be that memory, or a cache, bounds: at the most it takes as long as what then
 * is the nearest roof needs; at the least what that roof does not explain today stays as it is.
 * parts: the n objects whose misses change */
static void find_faster(const struct ompp_roofline *r, const struct ompp_relayout_gain *parts, size_t n,
                        struct ompp_relayout_gain *gain)
{
	const struct ompp_roofline_line *line = roofline_find(r, gain->of->region, OMPP_NONE);
	int64_t near, wall_ns, slowest, least;

	gain->least_faster = gain->most_faster = OMPP_MISSING;
	if (!line || line->ceiling != OMPP_CEILING_BYTES || line->nearest <= &line->stream[0] || line->wall_ns <= 0)
		return;
	near = line->nearest->ns;
	slowest = line->stream[0].ns > line->peak.ns ? line->stream[0].ns : line->peak.ns;
	slowest = line->division.ns > slowest ? line->division.ns : slowest;
	least = slowest;
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++) {
		int64_t saved = all_saved(r, parts, n, i), ns, least_ns;

		if (saved == OMPP_MISSING)
			return;
		ns = then_ns(line, saved, i);
		least_ns = then_least_ns(line, ns, i);
		slowest = ns > slowest ? ns : slowest;
		least = least_ns > least ? least_ns : least;
	}
	if (least <= 0 || slowest >= near)
		return;
	/* A roof that was measured too low may be passed today and not then, or then as well; less traffic is not
	 * slower. */
	wall_ns = line->wall_ns;
	gain->least_faster = part_of(1000, wall_ns, wall_ns > near ? wall_ns - near + slowest : slowest);
	if (gain->least_faster < 1000)
		gain->least_faster = 1000;
	gain->most_faster = part_of(1000, wall_ns > near ? wall_ns : near, least);
}

static int is_shown(const struct ompp_analysis *a, uint32_t region)
{
	return region == OMPP_NONE ? a->n_order == a->profile->n_regions : a->shown[region];
}

/* ---- lines of their own ---- */

static int own_lines_gain(const struct ompp_own_lines *of, struct ompp_own_lines_gain *gain)
{
	if (!is_replayed(of->n, of->n_stores))
		return 0;
	gain->of = of;
	gain->now = part_of(ompp_count(of->n_transfers), ompp_count(of->n_stores), ompp_count(of->n));
	gain->then = part_of(ompp_count(of->n_transfers_then), ompp_count(of->n_stores), ompp_count(of->n));
	gain->saved = ompp_share(gain->now - gain->then, gain->now);
	return 1;
}

int ompp_own_lines_of(const struct ompp_profile *p, uint32_t object, uint32_t region, struct ompp_own_lines_gain *gain)
{
	for (size_t i = 0; i < p->n_own_lines; i++)
		if (p->own_lines[i].object == object && p->own_lines[i].region == region)
			return own_lines_gain(&p->own_lines[i], gain);
	return 0;
}

int ompp_own_lines_next(const struct ompp_analysis *a, size_t *at, struct ompp_own_lines_gain *gain)
{
	const struct ompp_profile *p = a->profile;

	while (*at < p->n_own_lines) {
		const struct ompp_own_lines *of = &p->own_lines[(*at)++];

		if (is_shown(a, of->region) && own_lines_gain(of, gain) && gain->now >= LEAST_MISSES &&
		    gain->then <= part_of(gain->now, MOST_LEFT, 100))
			return 1;
	}
	return 0;
}

/* ---- large pages ---- */

/* Returns 1 when large pages spare something in a region, and cost nothing. */
static int translation_gain(const struct ompp_translation *of, struct ompp_translation_gain *gain)
{
	gain->of = of;
	if (!is_replayed(of->n, of->n_all))
		return 0;
	for (int i = 0; i < OMPP_TRANSLATION_LEVELS; i++) {
		gain->now[i] = part_of(of->now[i], ompp_count(of->n_all), ompp_count(of->n));
		gain->then[i] = part_of(of->then[i], ompp_count(of->n_all), ompp_count(of->n));
		if (gain->now[i] != OMPP_MISSING &&
		    gain->then[i] > gain->now[i] + gain->now[i] / 100 * MOST_MORE + MORE)
			return 0;
	}
	gain->level = find_level(gain->now, gain->then, OMPP_TRANSLATION_LEVELS, &gain->saved);
	return gain->level >= 0;
}

int ompp_translation_next(const struct ompp_analysis *a, size_t *at, struct ompp_translation_gain *gain)
{
	const struct ompp_profile *p = a->profile;

	while (*at < p->n_translations) {
		const struct ompp_translation *of = &p->translations[(*at)++];

		if (is_shown(a, of->region) && translation_gain(of, gain))
			return 1;
	}
	return 0;
}

/* ---- all ---- */

/* Those that save most misses come first, and of one object and region the one that saves most. */
static int gain_is_after(const void *all, uint32_t x, uint32_t y)
{
	const struct ompp_relayout_gain *a = (const struct ompp_relayout_gain *)all + x,
					*b = (const struct ompp_relayout_gain *)all + y;
	int64_t of_a = a->now[a->level] - a->then[a->level], of_b = b->now[b->level] - b->then[b->level];

	return a->level != b->level ? a->level < b->level : of_a != of_b ? of_a < of_b : x > y;
}

/* Returns a copy of gains in their order; NULL without memory. */
static struct ompp_relayout_gain *gains_sorted(const struct ompp_analysis *a, const struct ompp_relayout_gain *all,
                                               size_t n)
{
	struct ompp_relayout_gain *list = ompp_arena_alloc(a->arena, (n + 1) * sizeof(*list));
	uint32_t *order = ompp_sorted(a->arena, n, gain_is_after, all);

	for (size_t i = 0; i < n && list && order; i++)
		list[i] = all[order[i]];
	return order ? list : NULL;
}

/* Finds the gains of layouts.  Returns how many there are.
 * out: room for one of each row */
static size_t layouts_find(const struct ompp_analysis *a, const struct ompp_roofline *r, struct ompp_relayout_gain *out)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_relayout_gain *gain = out;

	for (size_t i = 0; i < p->n_relayouts; i++) {
		if (is_order(p->relayouts[i].kind) || !is_shown(a, p->relayouts[i].region) ||
		    !relayout_misses(&p->relayouts[i], gain) || !costs_nothing(p, gain))
			continue;
		gain->level = find_level(gain->now, gain->then, OMPP_ACCESS_LEVELS, &gain->saved);
		if (gain->level < 0 || !is_gain_in_all(p, &p->relayouts[i]))
			continue;
		find_faster(r, gain, 1, gain);
		gain++;
	}
	return (size_t)(gain - out);
}

/* Adds up what the objects of a region, from row `first` on, would miss in another order.  Returns how many they are;
 * 0 when too few accesses of one were replayed.
 * parts: gets each of them */
static size_t order_parts(const struct ompp_profile *p, size_t first, struct ompp_relayout_gain *parts,
                          struct ompp_relayout_gain *sum)
{
	const struct ompp_relayout_sum *like = &p->relayouts[first];
	size_t n = 0;

	memset(sum, 0, sizeof(*sum));
	sum->of = like;
	for (size_t i = first; i < p->n_relayouts && p->relayouts[i].region == like->region; i++) {
		if (strcmp(p->relayouts[i].kind, like->kind))
			continue;
		if (!relayout_misses(&p->relayouts[i], &parts[n]))
			return 0;
		for (int k = 0; k < OMPP_ACCESS_LEVELS; k++) {
			sum->now[k] = ompp_add_known(sum->now[k], parts[n].now[k]);
			sum->then[k] = ompp_add_known(sum->then[k], parts[n].then[k]);
		}
		n++;
	}
	return n;
}

/* Is a row the first one of its region's order? */
static int is_first_of_order(const struct ompp_profile *p, size_t row)
{
	for (size_t i = row; i-- && p->relayouts[i].region == p->relayouts[row].region;)
		if (!strcmp(p->relayouts[i].kind, p->relayouts[row].kind))
			return 0;
	return is_order(p->relayouts[row].kind);
}

/* Are the misses that an order saves at a level those of the order?  Nests are replayed when they are over, so threads
 * that share the last level come to it in turns of another length than today, and it may miss less by that alone.  A
 * line that a nest comes back to sooner is spared at a nearer level, too. */
static int is_by_order(const struct ompp_relayout_gain *gain, int level)
{
	int64_t saved = gain->now[level] - gain->then[level];
	int n_nearer = 0;

	for (int i = 0; i < level; i++) {
		if (gain->now[i] == OMPP_MISSING || gain->then[i] == OMPP_MISSING)
			continue;
		n_nearer++;
		if (gain->now[i] - gain->then[i] >= saved / 2)
			return 1;
	}
	return level < OMPP_ACCESS_LEVELS - 1 || !n_nearer;
}

/* Returns the last level at which an order saves misses; -1 when there is none. */
static int order_level(struct ompp_relayout_gain *gain)
{
	int level = find_level(gain->now, gain->then, OMPP_ACCESS_LEVELS, &gain->saved);

	return level < 0 || is_by_order(gain, level) ? level : find_level(gain->now, gain->then, level, &gain->saved);
}

/* Finds the gains of orders of loops.  Returns how many there are.
 * out: room for one of each row
 * parts: the same, for its own use */
static size_t orders_find(const struct ompp_analysis *a, const struct ompp_roofline *r, struct ompp_relayout_gain *out,
                          struct ompp_relayout_gain *parts)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_relayout_gain *gain = out;

	for (size_t i = 0; i < p->n_relayouts; i++) {
		int64_t most = INT64_MIN;
		size_t n;

		if (!is_shown(a, p->relayouts[i].region) || !is_first_of_order(p, i))
			continue;
		n = order_parts(p, i, parts, gain);
		gain->level = n && costs_nothing(p, gain) ? order_level(gain) : -1;
		if (gain->level < 0)
			continue;
		for (size_t k = 0; k < n; k++)
			if (parts[k].now[gain->level] - parts[k].then[gain->level] > most) {
				most = parts[k].now[gain->level] - parts[k].then[gain->level];
				gain->of = parts[k].of;
			}
		gain->least_faster = gain->most_faster = OMPP_MISSING;
		if (strcmp(gain->of->kind, "blocked") != 0) /* what so short loops cost is in no roof */
			find_faster(r, parts, n, gain);
		gain++;
	}
	return (size_t)(gain - out);
}

/* Returns 0 or -ENOMEM. */
static int gains_find(const struct ompp_analysis *a, struct ompp_relayout_gains *gains)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_roofline *r = a->roofs && p->n_relayouts && ompp_roofline_is_there(p) ? ompp_roofline(a)
	                                                                                        : NULL;
	struct ompp_relayout_gain *all = ompp_arena_alloc(a->arena, (p->n_relayouts + 1) * sizeof(*all));
	struct ompp_relayout_gain *parts = ompp_arena_alloc(a->arena, (p->n_relayouts + 1) * sizeof(*parts));

	if (!all || !parts)
		return -ENOMEM;
	gains->n = layouts_find(a, r, all);
	gains->list = gains_sorted(a, all, gains->n);
	gains->n_orders = orders_find(a, r, all, parts);
	gains->orders = gains_sorted(a, all, gains->n_orders);
	return gains->list && gains->orders ? 0 : -ENOMEM;
}

const struct ompp_relayout_gains *ompp_relayout_gains(const struct ompp_analysis *a)
{
	struct ompp_relayout_gains *made = a->made->relayout_gains;

	if (made)
		return made;
	made = ompp_analysis_array(a, 1, sizeof(*made), 0);
	if (!made || gains_find(a, made))
		return NULL;
	a->made->relayout_gains = made;
	return made;
}
