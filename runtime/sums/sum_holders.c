/*
 * Holders: see sum_holders.h.
 */
#include "runtime/sums/sum_holders.h"

#include <errno.h>

#include "reports/profile/record.h"
#include "runtime/base/sort.h"
#include "runtime/core/lock_holder.h"
#include "runtime/core/region.h"

/* Marks a region, and the one as which it is shown. */
static void holders_want_one(uint32_t id, uint32_t *index, uint32_t n_ids)
{
	const struct ompp_region_def *def;

	if (!id || id > n_ids)
		return;
	index[id] = 0;
	def = ompp_region_by_id(id);
	if (def && def->shown_as && def->shown_as < id)
		index[def->shown_as] = 0;
}

void ompp_sum_holders_want(uint32_t *index, uint32_t n_ids)
{
	for (int i = 0; i < OMPP_LOCK_PAIRS; i++) {
		uint64_t key = OMPP_LOAD(&ompp_lock_pairs[i].key);

		holders_want_one((uint32_t)(key >> 32), index, n_ids);
		holders_want_one((uint32_t)key, index, n_ids);
	}
}

static int is_after(const void *all, uint32_t x, uint32_t y)
{
	const struct ompp_holder *holders = all;

	return ompp_record_compare(OMPP_SECTION_HOLDERS, &holders[x], &holders[y]) > 0;
}

/* Reads one pair.  Returns 0 when it is none, or so new that its regions are not in the profile. */
static int read_pair(const struct ompp_lock_pair *pair, const uint32_t *index, uint32_t n_ids,
                     struct ompp_clock_rate rate, struct ompp_holder *out)
{
	uint64_t key = OMPP_LOAD(&pair->key), n = OMPP_LOAD(&pair->n);
	uint32_t waiter = (uint32_t)(key >> 32), holder = (uint32_t)key;

	if (!n || waiter > n_ids || index[waiter] == OMPP_NONE)
		return 0;
	*out = (struct ompp_holder){ .waiter = index[waiter],
		                     .holder = holder && holder <= n_ids ? index[holder] : OMPP_NONE,
		                     .by_readers = holder == OMPP_LOCK_HOLDER_READERS,
		                     .n = n,
		                     .waited_ns = ompp_clock_ns(rate, (int64_t)OMPP_LOAD(&pair->ticks)) };
	return 1;
}

int ompp_collect_holders(struct ompp_profile *p, struct ompp_arena *arena, const uint32_t *index, uint32_t n_ids,
                         struct ompp_clock_rate rate)
{
	struct ompp_holder *all = ompp_arena_alloc(arena, OMPP_LOCK_PAIRS * sizeof(*all)), *out;
	uint32_t n = 0, *order;
	size_t n_out = 0;

	if (!all)
		return -ENOMEM;
	for (int i = 0; i < OMPP_LOCK_PAIRS; i++)
		n += (uint32_t)read_pair(&ompp_lock_pairs[i], index, n_ids, rate, &all[n]);
	order = ompp_sorted(arena, n, is_after, all);
	out = ompp_arena_alloc(arena, (n + 1) * sizeof(*out));
	if (!order || !out)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_holder *one = &all[order[i]];

		if (n_out && !ompp_record_compare(OMPP_SECTION_HOLDERS, &out[n_out - 1], one))
			ompp_record_add(OMPP_SECTION_HOLDERS, &out[n_out - 1], one);
		else
			out[n_out++] = *one;
	}
	p->holders = out;
	p->n_holders = n_out;
	return 0;
}
