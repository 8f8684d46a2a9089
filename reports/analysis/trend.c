/*
 * Trend: see trend.h.
 */
#include "reports/analysis/trend.h"

#include <string.h>

#include "reports/profile/number.h"
#include "runtime/base/bound.h"
#include "runtime/terms/wait.h"

enum { MOST_PAIRS = OMPP_N_SLICES * (OMPP_N_SLICES - 1) / 2 };
enum { BY_CHANCE = 10000, BY_CHANCE_IN_PARTS = 1000 };
enum { LEAST_TENTHS = 15, LEAST_TENTHS_OF_QUARTER = 11 };

/* orders[k] is the number of orders of some things in which k pairs do not rise.  Makes it that of n things more, which
 * form no pairs with the former.  Returns how many times as many orders there are. */
static uint64_t orders_of(uint64_t orders[MOST_PAIRS + 1], size_t n)
{
	uint64_t all = 1;

	for (size_t i = 2; i <= n; i++) { /* the i-th thing stands before 0 to i - 1 of those that are there already */
		for (size_t k = MOST_PAIRS; k > 0; k--)
			for (size_t j = 1; j < i && j <= k; j++)
				orders[k] += orders[k - j];
		all *= i;
	}
	return all;
}

static int rises(const struct ompp_duration_slice *a, const struct ompp_duration_slice *b)
{
	return (__int128)b->ns * (__int128)a->n > (__int128)a->ns * (__int128)b->n;
}

int64_t ompp_trend_mean(int64_t ns, uint64_t n)
{
	return n ? (int64_t)((unsigned __int128)ns / n) : OMPP_MISSING;
}

/* Returns the slices from begin on, up to end, as one. */
static struct ompp_duration_slice joined(const struct ompp_duration_slice *slices, size_t begin, size_t end)
{
	struct ompp_duration_slice sum = { .n = 0 };

	for (size_t i = begin; i < end; i++) {
		sum.n += slices[i].n;
		sum.ns = ompp_add(sum.ns, slices[i].ns);
	}
	return sum;
}

/* Returns quarter i of the slices, from 0. */
static struct ompp_duration_slice quarter_of(const struct ompp_duration_slice *slices, size_t n, size_t i)
{
	return joined(slices, n * i / 4, n * (i + 1) / 4);
}

/* Does the mean visit of b take so many tenths of that of a, or more? */
static int takes_tenths(const struct ompp_duration_slice *a, const struct ompp_duration_slice *b, int tenths)
{
	return 10 * (__int128)b->ns * (__int128)a->n >= tenths * (__int128)a->ns * (__int128)b->n;
}

/* Cuts n slices, at most OMPP_N_SLICES, in two.  Returns 1 when of all orders of these within their parts fewer than
 * one in so many have so few pairs there that do not rise. */
static int is_beyond_chance(const struct ompp_duration_slice *slices, size_t n, size_t cut, uint64_t one_in)
{
	uint64_t orders[MOST_PAIRS + 1] = { 1 }, all = orders_of(orders, cut), few = 0;
	size_t n_other = 0;

	all *= orders_of(orders, n - cut);
	for (size_t k = 1; k < n; k++)
		for (size_t i = k < cut ? 0 : cut; i < k; i++)
			n_other += !rises(&slices[i], &slices[k]);
	for (size_t k = 0; k <= n_other; k++)
		few += orders[k];
	return few < all / one_in;
}

static int is_trend(const struct ompp_duration_slice *slices, size_t n)
{
	struct ompp_duration_slice early = quarter_of(slices, n, 0), late = quarter_of(slices, n, 3), before = early;
	int is = takes_tenths(&early, &late, LEAST_TENTHS) && is_beyond_chance(slices, n, 0, BY_CHANCE);

	for (size_t i = 1; i < 4; i++) {
		struct ompp_duration_slice quarter = quarter_of(slices, n, i);

		is = is && takes_tenths(&before, &quarter, LEAST_TENTHS_OF_QUARTER);
		before = quarter;
	}
	for (size_t cut = 1; cut < n && is; cut++)
		is = is_beyond_chance(slices, n, cut, BY_CHANCE_IN_PARTS);
	return is;
}

void ompp_trend_of(const struct ompp_profile *p, uint32_t cell, struct ompp_trend *t)
{
	size_t first = OMPP_BOUND(p->duration_slices, p->n_duration_slices, cell, cell), n = 0;
	const struct ompp_duration_slice *slices;
	struct ompp_duration_slice early, late, all;

	memset(t, 0, sizeof(*t));
	if (first == p->n_duration_slices)
		return;
	slices = p->duration_slices + first;
	while (first + n < p->n_duration_slices && slices[n].cell == cell && n < OMPP_N_SLICES)
		n++;
	if (n > 1 && slices[n - 1].n < slices[n - 2].n / 2)
		n--;
	if (n < OMPP_LEAST_TREND_SLICES)
		return;
	for (size_t k = 1; k < n; k++)
		for (size_t i = 0; i < k; i++)
			t->n_rising += (uint64_t)rises(&slices[i], &slices[k]);
	t->n_pairs = n * (n - 1) / 2;
	early = quarter_of(slices, n, 0);
	late = quarter_of(slices, n, 3);
	all = joined(slices, 0, n);
	t->n_early = early.n;
	t->early_ns = early.ns;
	t->n_late = late.n;
	t->late_ns = late.ns;
	t->n = all.n;
	t->more_ns = ompp_subtract(all.ns, ompp_times(ompp_trend_mean(early.ns, early.n), all.n));
	t->is_slower = t->more_ns > 0 && is_trend(slices, n);
}

void ompp_trend_add(struct ompp_trend *sum, const struct ompp_trend *more)
{
	sum->n_early += more->n_early;
	sum->n_late += more->n_late;
	sum->early_ns = ompp_add(sum->early_ns, more->early_ns);
	sum->late_ns = ompp_add(sum->late_ns, more->late_ns);
	sum->n_pairs += more->n_pairs;
	sum->n_rising += more->n_rising;
	sum->n += more->n;
}
