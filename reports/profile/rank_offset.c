/*
 * Rank offset: see rank_offset.h.
 */
#include "reports/profile/rank_offset.h"

#include "runtime/counters/value.h"

enum { MOST_PPB = 200000, N_STEPS = 400 }; /* drifts that are tried */

static int64_t drifted(int64_t ns, int64_t ppb)
{
	return (int64_t)((__int128)ns * ppb / 1000000000);
}

/* The offsets at one moment that are possible with a drift. */
struct range {
	int64_t least, most;
};

static struct range range_at(const struct ompp_offset_bound *bounds, size_t n, int64_t at_ns, int64_t ppb)
{
	struct range r = { INT64_MIN, INT64_MAX };

	for (size_t i = 0; i < n; i++) {
		int64_t ns = bounds[i].offset_ns + drifted(at_ns - bounds[i].at_ns, ppb);

		if (bounds[i].is_most && ns < r.most)
			r.most = ns;
		if (!bounds[i].is_most && ns > r.least)
			r.least = ns;
	}
	return r;
}

/* Returns the offsets at one moment that are possible with any drift; least is above most where there are none. */
static struct range range_of_all(const struct ompp_offset_bound *bounds, size_t n, int64_t at_ns)
{
	struct range all = { INT64_MAX, INT64_MIN };

	for (int i = 0; i <= N_STEPS; i++) {
		struct range r = range_at(bounds, n, at_ns, (int64_t)MOST_PPB * (2 * i - N_STEPS) / N_STEPS);

		if (r.least > r.most)
			continue;
		all.least = r.least < all.least ? r.least : all.least;
		all.most = r.most > all.most ? r.most : all.most;
	}
	return all;
}

struct ompp_offset ompp_offset_of(const struct ompp_offset_bound *bounds, size_t n)
{
	struct ompp_offset o = { 0, OMPP_MISSING, OMPP_MISSING, OMPP_MISSING };
	struct range at_first, at_last, at_middle;
	int64_t first_ns, last_ns;
	int has_least = 0, has_most = 0;

	if (!n)
		return o;
	first_ns = last_ns = bounds[0].at_ns;
	for (size_t i = 0; i < n; i++) {
		has_most |= bounds[i].is_most;
		has_least |= !bounds[i].is_most;
		first_ns = bounds[i].at_ns < first_ns ? bounds[i].at_ns : first_ns;
		last_ns = bounds[i].at_ns > last_ns ? bounds[i].at_ns : last_ns;
	}
	o.middle_ns = first_ns + (last_ns - first_ns) / 2;
	if (!has_least || !has_most)
		return o;
	at_first = range_of_all(bounds, n, first_ns);
	at_middle = range_of_all(bounds, n, o.middle_ns);
	at_last = range_of_all(bounds, n, last_ns);
	if (at_middle.least > at_middle.most)
		return o;
	o.offset_ns = at_middle.least + (at_middle.most - at_middle.least) / 2;
	o.error_ns = (at_middle.most - at_middle.least + 1) / 2;
	o.drift_ppb = 0;
	if (last_ns > first_ns) {
		int64_t by_ns = (at_last.least - at_first.least) / 2 + (at_last.most - at_first.most) / 2, half,
			here_ns;

		o.drift_ppb = (int64_t)((__int128)by_ns * 1000000000 / (last_ns - first_ns));
		for (int i = 0; i < 2; i++) { /* at both ends the farther bound */
			const struct range *r = i ? &at_last : &at_first;

			here_ns = ompp_offset_apply(&o, i ? last_ns : first_ns) - (i ? last_ns : first_ns);
			half = r->most - here_ns > here_ns - r->least ? r->most - here_ns : here_ns - r->least;
			o.error_ns = half > o.error_ns ? half : o.error_ns;
		}
	}
	return o;
}

int64_t ompp_offset_apply(const struct ompp_offset *o, int64_t ns)
{
	return ns + o->offset_ns + drifted(ns - o->middle_ns, o->drift_ppb);
}
