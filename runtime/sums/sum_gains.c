/*
 * Gains: see sum_gains.h.
 */
#include "runtime/sums/sum_gains.h"

#include <errno.h>

#include "reports/profile/record.h"
#include "runtime/base/sort.h"
#include "runtime/core/region.h"
#include "runtime/core/thread.h"
#include "runtime/span/schedule.h"
#include "runtime/span/span_limit.h"
#include "runtime/span/span_variant.h"

/* The latest clocks of all threads. */
static struct ompp_variant_mark latest;

static void find_latest(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);

	ompp_variant_clear(&latest);
	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_span *s = ompp_threads[i]->kept_span;
		const struct ompp_variant_clock *clock = s ? __atomic_load_n(&s->clock, __ATOMIC_ACQUIRE) : NULL;

		if (clock)
			ompp_variant_raise(&latest, clock);
	}
}

/* Returns the gain of a variant, in ticks. */
static uint64_t gain_of(int variant)
{
	uint64_t run = atomic_load_explicit(&latest.run_ticks, memory_order_relaxed);
	uint64_t ticks = atomic_load_explicit(&latest.ticks[variant], memory_order_relaxed);

	return ticks && ticks < run ? run - ticks : 0;
}

static int64_t *member_of(struct ompp_gain *gain, enum ompp_variant_change change)
{
	switch (change) {
	case OMPP_VARIANT_FASTER:
		return &gain->faster_ns;
	case OMPP_VARIANT_UNLOCKED:
		return &gain->unlocked_ns;
	case OMPP_VARIANT_NOWAIT:
		return &gain->nowait_ns;
	case OMPP_VARIANT_SCHEDULED:
		return &gain->scheduled_ns;
	default:
		return &gain->unjoined_ns;
	}
}

/* Returns the gains of a region, which are added at the end if there are none. */
static struct ompp_gain *gain_at(struct ompp_gain *list, size_t *n, uint32_t region)
{
	for (size_t i = 0; i < *n; i++)
		if (list[i].region == region)
			return &list[i];
	list[*n] = (struct ompp_gain){ .region = region,
		                       .faster_ns = OMPP_MISSING,
		                       .unlocked_ns = OMPP_MISSING,
		                       .nowait_ns = OMPP_MISSING,
		                       .unjoined_ns = OMPP_MISSING,
		                       .scheduled_ns = OMPP_MISSING,
		                       .spread_ns = OMPP_MISSING };
	return &list[(*n)++];
}

static int is_after(const void *all, uint32_t x, uint32_t y)
{
	const struct ompp_gain *gains = all;

	return ompp_record_compare(OMPP_SECTION_GAINS, &gains[x], &gains[y]) > 0;
}

/* Puts the gains into the order of the file. */
static int put_sorted(struct ompp_profile *p, struct ompp_arena *arena, const struct ompp_gain *list, size_t n)
{
	const uint32_t *order = ompp_sorted(arena, n, is_after, list);
	struct ompp_gain *out = ompp_arena_alloc(arena, (n + 1) * sizeof(*out));

	if (!order || !out)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		out[i] = list[order[i]];
	p->gains = out;
	p->n_gains = n;
	return 0;
}

/* Fills in what is known of the iterations of a loop in whose variant they are handed out on demand. */
static void put_iterations(struct ompp_gain *gain, int variant, struct ompp_clock_rate rate)
{
	struct ompp_scheduled sum = ompp_scheduled_of(variant);

	if (!sum.n) {
		gain->scheduled_ns = OMPP_MISSING;
		return;
	}
	gain->spread_ns = ompp_clock_ns(rate, (int64_t)sum.spread_ticks);
	gain->n_chunk = sum.chunk;
}

/* Locks that are shown as one region have a variant each: what all of them would gain together is at least the most of
 * one. */
int ompp_collect_gains(struct ompp_profile *p, struct ompp_arena *arena, const uint32_t *index, uint32_t n_ids,
                       struct ompp_clock_rate rate)
{
	struct ompp_variant_entry entry;
	uint32_t n_entries = 0, kept = OMPP_LOAD(&ompp_variants_kept);
	struct ompp_gain *list;
	size_t n = 0;

	p->executed_ns = OMPP_MISSING;
	if (kept == OMPP_VARIANTS_OFF || (ompp_span_is_limited && !p->has_span))
		return 0;
	while (ompp_variant_entry(n_entries, &entry))
		n_entries++;
	list = ompp_arena_alloc(arena, (n_entries + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	find_latest();
	for (uint32_t i = 0; i < n_entries && ompp_variant_entry(i, &entry); i++) {
		uint32_t region = entry.region && entry.region <= n_ids ? index[entry.region] : OMPP_NONE;
		struct ompp_gain *of;
		int64_t *gain, ns;

		if (entry.variant < 0 || (region == OMPP_NONE) != !entry.region)
			continue;
		of = gain_at(list, &n, region);
		gain = member_of(of, entry.change);
		ns = ompp_clock_ns(rate, (int64_t)gain_of(entry.variant));
		*gain = *gain == OMPP_MISSING || ns > *gain ? ns : *gain;
		if (entry.change == OMPP_VARIANT_SCHEDULED)
			put_iterations(of, entry.variant, rate);
	}
	p->has_gains = kept == OMPP_VARIANTS_ALL;
	p->n_gains_lost = ompp_variants_lost();
	p->executed_ns = ompp_clock_ns(rate, (int64_t)atomic_load_explicit(&latest.run_ticks, memory_order_relaxed));
	return put_sorted(p, arena, list, n);
}
