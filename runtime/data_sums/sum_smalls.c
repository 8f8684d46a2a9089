/*
 * Smalls: see sum_smalls.h.
 */
#include "runtime/data_sums/sum_smalls.h"

#include <errno.h>

#include "reports/profile/profile.h"
#include "runtime/base/check.h"
#include "runtime/base/sort.h"
#include "runtime/ranges/small.h"

int ompp_smalls_count(struct ompp_smalls_named *s, struct ompp_arena *arena)
{
	s->n = ompp_smalls_n() + 1;
	s->counts = ompp_arena_alloc(arena, s->n * sizeof(*s->counts));
	s->names = ompp_arena_alloc(arena, s->n * sizeof(*s->names));
	return s->counts && s->names ? 0 : -ENOMEM;
}

static int has_less(const void *counts, uint32_t x, uint32_t y)
{
	const uint64_t *n = counts;

	return n[x] != n[y] ? n[x] < n[y] : x > y;
}

int ompp_smalls_name(struct ompp_smalls_named *s, struct ompp_arena *arena)
{
	uint32_t *order;

	ompp_assert(s->n && s->n <= ompp_smalls_n() + 1);
	s->counts[0] = 0;
	order = ompp_sorted(arena, s->n, has_less, s->counts);
	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->n; i++)
		s->names[order[i]] = i < OMPP_MOST_SMALL && s->counts[order[i]] ? ompp_small_name(order[i]) : "";
	return 0;
}
