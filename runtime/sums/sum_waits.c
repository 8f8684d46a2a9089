/*
 * Waits: see sum_waits.h.
 */
#include "runtime/sums/sum_waits.h"

#include <errno.h>

#include "reports/profile/number.h"
#include "runtime/base/check.h"
#include "runtime/core/callgraph.h"

/* Returns the standard deviation of n numbers, from their sum and the 128-bit sum of their squares. */
static uint64_t waits_deviation(uint64_t n, uint64_t sum, const uint64_t squares[2])
{
	unsigned __int128 of_squares = (unsigned __int128)squares[1] << 64 | squares[0];
	unsigned __int128 of_sum = (unsigned __int128)sum * sum / n;

	ompp_assert(n > 1);
	return ompp_root(of_squares > of_sum ? (of_squares - of_sum) / (n - 1) : 0);
}

struct ompp_merge_waits *ompp_sum_waits_of(struct ompp_merge *c, struct ompp_merge_sums *s)
{
	static struct ompp_merge_waits nowhere; /* takes the values after a failure, and is never read */

	if (!s->waits)
		s->waits = ompp_arena_alloc(c->arena, sizeof(*s->waits));
	if (s->waits)
		return s->waits;
	c->failed = 1;
	return &nowhere;
}

void ompp_sum_waits(struct ompp_merge *c, struct ompp_merge_sums *s, const struct ompp_callnode *node)
{
	const struct ompp_waits *w = __atomic_load_n(&node->waits, __ATOMIC_ACQUIRE);
	struct ompp_waits *sum;
	struct ompp_series series;
	unsigned __int128 squares;

	if (!w || !OMPP_LOAD(&w->n))
		return;
	sum = &ompp_sum_waits_of(c, s)->sum;
	squares = ((unsigned __int128)OMPP_LOAD(&w->squares[1]) << 64 | OMPP_LOAD(&w->squares[0])) +
	          ((unsigned __int128)sum->squares[1] << 64 | sum->squares[0]);
	if (!sum->n || OMPP_LOAD(&w->least_ticks) < sum->least_ticks)
		sum->least_ticks = OMPP_LOAD(&w->least_ticks);
	if (OMPP_LOAD(&w->most_ticks) > sum->most_ticks)
		sum->most_ticks = OMPP_LOAD(&w->most_ticks);
	sum->n += OMPP_LOAD(&w->n);
	sum->work_ticks += OMPP_LOAD(&w->work_ticks);
	sum->squares[0] = (uint64_t)squares;
	sum->squares[1] = (uint64_t)(squares >> 64);
	sum->off_ticks += OMPP_LOAD(&w->off_ticks);
	sum->asleep_ticks += OMPP_LOAD(&w->asleep_ticks);
	sum->n_faults += OMPP_LOAD(&w->n_faults);
	sum->n_looked += OMPP_LOAD(&w->n_looked);
	sum->looked_ticks += OMPP_LOAD(&w->looked_ticks);
	for (int i = 0; i < OMPP_N_CAUSES; i++)
		sum->causes[i] += OMPP_LOAD(&w->causes[i]);
	if (ompp_series_read(&w->series, &series))
		ompp_series_join(&sum->series, &series);
	if (ompp_series_read(&w->looks, &series))
		ompp_series_join(&sum->looks, &series);
}

void ompp_sum_managing(struct ompp_merge *c, struct ompp_merge_sums *s, const struct ompp_callnode *node)
{
	const struct ompp_managing *m = __atomic_load_n(&node->managing, __ATOMIC_ACQUIRE);
	struct ompp_merge_waits *waits;

	if (!m)
		return;
	waits = ompp_sum_waits_of(c, s);
	if (!waits->managing)
		waits->managing = ompp_arena_alloc(c->arena, sizeof(*waits->managing));
	if (waits->managing)
		ompp_managing_join(waits->managing, m);
	else
		c->failed = 1;
}

/* Returns what all members of its teams took to start and end them each time. */
static int64_t usual_ns(const struct ompp_merge_waits *waits, struct ompp_clock_rate rate)
{
	uint64_t ticks = waits->managing ? ompp_managing_usual(waits->managing) : UINT64_MAX;

	return ticks == UINT64_MAX ? OMPP_MISSING : ompp_clock_ns(rate, (int64_t)ticks);
}

int ompp_collect_waits_start(struct ompp_merge *c, struct ompp_profile *p)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_sums; i++)
		n += c->sums[i].waits != NULL;
	p->waits = c->waits = ompp_arena_alloc(c->arena, n * sizeof(*c->waits));
	p->n_waits = 0;
	return p->waits ? 0 : -ENOMEM;
}

void ompp_collect_wait(const struct ompp_merge *c, struct ompp_profile *p, uint32_t cell,
                       const struct ompp_merge_sums *sums, struct ompp_clock_rate rate)
{
	struct ompp_wait *w = &c->waits[p->n_waits];
	const struct ompp_waits *s;
	int is_read = ompp_arrival_interval != UINT64_MAX;

	if (!sums->waits)
		return;
	p->n_waits++;
	s = &sums->waits->sum;
	ompp_assert(!s->n || s->least_ticks <= s->most_ticks);
	ompp_assert(p->n_waits == 1 || c->waits[p->n_waits - 2].cell < cell);
	w->cell = cell;
	w->n = s->n;
	w->work_ns = ompp_clock_ns(rate, (int64_t)s->work_ticks);
	w->spread_ns = s->n < 2 ? OMPP_MISSING
	                        : ompp_clock_ns(rate, (int64_t)waits_deviation(s->n, s->work_ticks, s->squares));
	w->least_ns = ompp_clock_ns(rate, (int64_t)s->least_ticks);
	w->most_ns = ompp_clock_ns(rate, (int64_t)s->most_ticks);
	w->off_ns = is_read ? ompp_clock_ns(rate, (int64_t)s->off_ticks) : OMPP_MISSING;
	w->asleep_ns = is_read ? ompp_clock_ns(rate, (int64_t)s->asleep_ticks) : OMPP_MISSING;
	w->n_looked = s->n_looked;
	w->looked_ns = ompp_clock_ns(rate, (int64_t)s->looked_ticks);
	for (int i = 0; i < OMPP_N_CAUSES; i++)
		w->cause_ns[i] = ompp_clock_ns(rate, (int64_t)s->causes[i]);
	w->made_ns = ompp_clock_ns(rate, (int64_t)sums->waits->made_ticks);
	w->usual_ns = usual_ns(sums->waits, rate);
	w->n_faults = is_read ? (int64_t)s->n_faults : OMPP_MISSING;
}

/* What is compared between the rows of a call path: their work before arrivals; and, of the waits that were looked at,
 * the parts by unequal work in the construct and by what was done before it. */
enum compared { WORK, BODY, BEFORE };

static struct ompp_series *series_of(struct ompp_merge_waits *waits, enum compared compared)
{
	return compared == WORK ? &waits->sum.series : &waits->sum.looks;
}

/* Cuts the series of all rows into slices of the same length. */
static void waits_align(const struct ompp_merge *c, const uint32_t *sums, size_t n_sums, enum compared compared)
{
	struct ompp_series *first = NULL;

	for (int pass = 0; pass < 2; pass++) /* after the first pass `first` is as long as the longest */
		for (size_t i = 0; i < n_sums; i++) {
			struct ompp_merge_waits *waits = c->sums[sums[i]].waits;

			if (waits && !first)
				first = series_of(waits, compared);
			else if (waits && series_of(waits, compared) != first)
				ompp_series_align(first, series_of(waits, compared));
		}
}

enum { LEAST_PART = 10 }; /* a slice with less than a tenth of the most arrivals is left out */

/* What all rows of a call path did together in one slice. */
struct together {
	uint64_t n;         /* arrivals, or waits; 0 when some row had none */
	uint64_t weight;    /* n in 1,000 of the largest one */
	int64_t mean_ticks; /* mean over the rows of each one's mean */
};

static int64_t mean_ticks(const struct ompp_slice *slice, enum compared compared)
{
	return (int64_t)((compared == BEFORE ? slice->with_ticks : slice->ticks) / slice->n);
}

/* Returns in how many slices all rows arrived.  Those with few arrivals, as the first and the last one may have, tell
 * less than an observation, and are left out. */
static uint64_t waits_together(const struct ompp_merge *c, const uint32_t *sums, size_t n_sums, enum compared compared,
                               struct together together[OMPP_N_SLICES])
{
	uint64_t n_slices = 0, most = 0;

	for (int k = 0; k < OMPP_N_SLICES; k++) {
		struct together *of = &together[k];
		int64_t n_rows = 0;

		*of = (struct together){ 0, 0, 0 };
		for (size_t i = 0; i < n_sums; i++) {
			const struct ompp_slice *slice;

			if (!c->sums[sums[i]].waits)
				continue;
			slice = &series_of(c->sums[sums[i]].waits, compared)->slices[k];
			if (!slice->n) {
				of->n = 0;
				break;
			}
			of->n += slice->n;
			of->mean_ticks += mean_ticks(slice, compared);
			n_rows++;
		}
		of->mean_ticks = of->n ? of->mean_ticks / n_rows : 0;
		most = of->n > most ? of->n : most;
	}
	for (int k = 0; k < OMPP_N_SLICES; k++) {
		if (together[k].n < most / LEAST_PART)
			together[k].n = 0;
		if (!together[k].n)
			continue;
		together[k].weight = (uint64_t)((unsigned __int128)together[k].n * 1000 / most);
		n_slices++;
	}
	return n_slices;
}

/* How far a row is from the mean of all, and the standard error of that; OMPP_MISSING for fewer than two slices. */
struct apart {
	int64_t ns, error_ns;
};

/* Each slice is one observation, as what disturbs a processor lasts longer than an execution. */
static struct apart wait_compare(const struct ompp_series *series, const struct together *together, uint64_t n_slices,
                                 enum compared compared, struct ompp_clock_rate rate)
{
	struct apart apart = { 0, OMPP_MISSING };
	__int128 sum = 0;
	unsigned __int128 squares = 0;
	uint64_t weights = 0;
	int64_t mean;

	for (int k = 0; k < OMPP_N_SLICES; k++) {
		if (!together[k].n)
			continue;
		weights += together[k].weight;
		sum += ((__int128)mean_ticks(&series->slices[k], compared) - together[k].mean_ticks) *
		       (int64_t)together[k].weight;
	}
	if (!weights)
		return apart;
	mean = (int64_t)(sum / (int64_t)weights);
	apart.ns = ompp_clock_ns(rate, mean);
	for (int k = 0; k < OMPP_N_SLICES; k++) {
		__int128 off;

		if (!together[k].n)
			continue;
		off = ((__int128)mean_ticks(&series->slices[k], compared) - together[k].mean_ticks - mean) *
		      (int64_t)together[k].weight;
		off = off < 0 ? -off : off;
		off = off > INT64_MAX / 16 ? INT64_MAX / 16 : off;
		squares += (unsigned __int128)(off * off);
	}
	if (n_slices < 2)
		return apart;
	apart.error_ns = ompp_clock_ns(rate, (int64_t)(ompp_root(squares * n_slices / (n_slices - 1)) / weights));
	apart.error_ns = apart.error_ns ? apart.error_ns : 1; /* the clock is no finer */
	return apart;
}

/* Returns the mean pace of a series in picoseconds; OMPP_MISSING when it was not measured. */
static int64_t wait_pace(const struct ompp_series *series, struct ompp_clock_rate rate)
{
	uint64_t ticks = 0, n = 0;

	for (int k = 0; k < OMPP_N_SLICES; k++) {
		ticks += series->slices[k].with_ticks;
		n += series->slices[k].n;
	}
	if (!ticks || !n)
		return OMPP_MISSING;
	return ompp_clock_ns(rate, (int64_t)((unsigned __int128)ticks * 1000 / n));
}

/* Returns the slice that is the median by what all rows have in it, the earlier or shorter one of two; -1 without any.
 * A few executions that were held up are in few slices, and no part of it. */
static int median_slice(const struct together together[OMPP_N_SLICES], uint64_t n_slices)
{
	for (int k = 0; k < OMPP_N_SLICES; k++) {
		uint64_t n_below = 0;

		for (int i = 0; i < OMPP_N_SLICES; i++)
			n_below += together[i].n && (together[i].mean_ticks < together[k].mean_ticks ||
			                             (together[i].mean_ticks == together[k].mean_ticks && i < k));
		if (together[k].n && n_below == (n_slices - 1) / 2)
			return k;
	}
	return -1;
}

static int64_t usual_wait_ns(const struct ompp_series *looks, int slice, enum compared compared,
                             struct ompp_clock_rate rate)
{
	return slice < 0 ? OMPP_MISSING : ompp_clock_ns(rate, mean_ticks(&looks->slices[slice], compared));
}

void ompp_collect_waits_compare(const struct ompp_merge *c, struct ompp_profile *p, size_t first, const uint32_t *sums,
                                size_t n_sums, struct ompp_clock_rate rate)
{
	struct together work[OMPP_N_SLICES], body[OMPP_N_SLICES], before[OMPP_N_SLICES];
	struct ompp_wait *w = &c->waits[first];
	uint64_t n_slices = 0, n_look_slices = 0;
	int is_one = p->n_waits - first < 2;

	waits_align(c, sums, n_sums, WORK);
	waits_align(c, sums, n_sums, BODY);
	if (!is_one) {
		n_slices = waits_together(c, sums, n_sums, WORK, work);
		n_look_slices = waits_together(c, sums, n_sums, BODY, body);
		waits_together(c, sums, n_sums, BEFORE, before);
	}
	for (size_t i = 0; i < n_sums; i++) {
		const struct ompp_merge_waits *waits = c->sums[sums[i]].waits;
		struct apart none = { 0, OMPP_MISSING }, apart = none, earlier = none;

		if (!waits)
			continue;
		if (n_slices)
			apart = wait_compare(&waits->sum.series, work, n_slices, WORK, rate);
		if (n_look_slices)
			earlier = wait_compare(&waits->sum.looks, before, n_look_slices, BEFORE, rate);
		w->n_slices = n_slices;
		w->apart_ns = apart.ns;
		w->apart_error_ns = apart.error_ns;
		w->pace_ps = wait_pace(&waits->sum.series, rate);
		w->n_look_slices = n_look_slices;
		w->earlier_ns = earlier.ns;
		w->earlier_error_ns = earlier.error_ns;
		w->usual_body_ns = usual_wait_ns(&waits->sum.looks,
		                                 n_look_slices ? median_slice(body, n_look_slices) : -1, BODY, rate);
		w->usual_before_ns = usual_wait_ns(&waits->sum.looks,
		                                   n_look_slices ? median_slice(before, n_look_slices) : -1, BEFORE,
		                                   rate);
		w++;
	}
	ompp_assert(w == &c->waits[p->n_waits]);
}
