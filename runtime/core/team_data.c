/*
 * Team data: see team_data.h.
 */
#include "runtime/core/team_data.h"

#include <stdatomic.h>

#include "runtime/core/region.h"

uint64_t ompp_team_until(const struct ompp_team *team, uint64_t token, uint64_t now)
{
	uint64_t ticks;

	if (atomic_load_explicit(&team->over_token, memory_order_acquire) != token)
		return now;
	ticks = atomic_load_explicit(&team->over_ticks, memory_order_acquire);
	if (atomic_load_explicit(&team->over_token, memory_order_relaxed) != token)
		return now;
	return (int64_t)(now - ticks) > 0 ? ticks : now;
}

void ompp_team_free(struct ompp_thread *t, struct ompp_team *team, uint64_t now)
{
	uint32_t i;

	if (!team)
		return;
	atomic_store_explicit(&team->over_token, 0, memory_order_relaxed);
	atomic_store_explicit(&team->over_ticks, now, memory_order_release);
	atomic_store_explicit(&team->over_token, atomic_load_explicit(&team->token, memory_order_relaxed),
	                      memory_order_release);
	atomic_store_explicit(&team->token, 0, memory_order_release);
	for (i = 0; i < team->n_slots; i++) {
		atomic_store_explicit(&team->slots[i].begin_ticks, 0, memory_order_relaxed);
		atomic_store_explicit(&team->slots[i].end_ticks, 0, memory_order_relaxed);
		atomic_store_explicit(&team->slots[i].n_arrived, 0, memory_order_relaxed);
		OMPP_STORE(&team->slots[i].is_new, 0);
	}
	team->next = t->free_teams;
	t->free_teams = team;
}

void ompp_team_left(struct ompp_frame *f, uint64_t now)
{
	uint32_t rank = OMPP_KEY_RANK(f->key);

	if (atomic_load_explicit(&f->team->token, memory_order_acquire) == f->instance && rank < f->team->n_slots)
		atomic_store_explicit(&f->team->slots[rank].end_ticks, now, memory_order_release);
}

struct ompp_span_team *ompp_team_span(const struct ompp_frame *f)
{
	return atomic_load_explicit(&f->team->token, memory_order_acquire) == f->instance ? f->team->span : NULL;
}
