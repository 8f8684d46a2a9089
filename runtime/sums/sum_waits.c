/*
 * Waits: see sum_waits.h.
 */
#include "runtime/sums/sum_waits.h"

#include <errno.h>

#include "reports/profile/number.h"
#include "runtime/base/check.h"

/* Returns the standard deviation of n numbers, from their sum and the 128-bit sum of their squares. */
static uint64_t waits_deviation(uint64_t n, uint64_t sum, const uint64_t squares[2])
{
	unsigned __int128 of_squares = (unsigned __int128)squares[1] << 64 | squares[0];
	unsigned __int128 of_sum = (unsigned __int128)sum * sum / n;

	ompp_assert(n > 1);
	return ompp_root(of_squares > of_sum ? (of_squares - of_sum) / (n - 1) : 0);
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
}
