/*
 * Meetings: see meetings.h.
 */
#include "runtime/events/meetings.h"

#include <stddef.h>

#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/window.h"
#include "runtime/events/partners.h"

enum {
	KEY_BITS = 16,
	N_PLACES = (1 << KEY_BITS) + OMPP_WINDOW,
	MOST_KEPT = 2048,      /* of each list */
	LEAST_KEPT = 32,       /* where many ranks keep as many each */
	MOST_OF_ALL = 1 << 17, /* of all ranks together */
	MOST_TRIES = 1 << 16   /* to take the lists for a profile */
};
#define SPOILT (UINT64_C(1) << 63) /* in n */

/* By place: how many meetings were counted, and when the last one was. */
struct keys {
	uintptr_t keys[N_PLACES];
	uint64_t n[N_PLACES], counted_at[N_PLACES];
};

struct kept {
	struct ompp_meeting meeting;
	uint64_t phase;
};

/* Those of one phase in 1 << step; changed with is_busy alone, read with it or by is_kept(). */
struct list {
	struct kept *kept;
	uint32_t n, step;
};

static struct keys *keys;
static struct list lists[2];
static uint64_t n_counted;
static int is_busy, are_spoilt;

/* ---- counting ---- */

/* Gives a key a place.  None is ever taken away, so threads that do it at once find the same one, without a lock. */
static int32_t place_new(struct keys *k, uintptr_t key)
{
	uint32_t first = ompp_window_first(key, KEY_BITS);

	for (uint32_t i = first; i < first + OMPP_WINDOW; i++) {
		uintptr_t have = OMPP_WINDOW_FREE;

		if (__atomic_compare_exchange_n(&k->keys[i], &have, key, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
		    have == key)
			return (int32_t)i;
	}
	return -1;
}

int32_t ompp_meeting_place(uint64_t key)
{
	struct keys *k = ompp_space_table((void **)&keys, sizeof(*k));
	int32_t place;

	if (!k || sizeof(uintptr_t) < sizeof(key) || key < OMPP_WINDOW_FIRST)
		return -1;
	place = ompp_window_find(k->keys, KEY_BITS, (uintptr_t)key);
	return __builtin_expect(place >= 0, 1) ? place : place_new(k, (uintptr_t)key);
}

uint64_t ompp_meeting_next(int32_t place, int are_many)
{
	return ompp_count_more(&keys->n[place], 1, are_many) & ~SPOILT;
}

uint64_t ompp_meeting_next_receive(int32_t place, int are_many)
{
	OMPP_STORE(&keys->counted_at[place], ompp_count_more(&n_counted, 1, are_many) + 1);
	return ompp_meeting_next(place, are_many);
}

uint64_t ompp_meeting_now(void)
{
	return OMPP_LOAD(&n_counted);
}

int ompp_meeting_was_counted(int32_t place, uint64_t since)
{
	return OMPP_LOAD(&keys->counted_at[place]) > since;
}

void ompp_meeting_spoil(int32_t place)
{
	__atomic_fetch_or(&keys->n[place], SPOILT, __ATOMIC_RELAXED);
}

void ompp_meeting_spoil_messages(void)
{
	OMPP_STORE(&are_spoilt, 1);
}

/* ---- keeping ---- */

static struct list *list_of(enum ompp_meeting_kind kind)
{
	return &lists[kind >= OMPP_MEETING_SEND];
}

static uint32_t most_kept(void)
{
	uint32_t n_ranks, n;

	ompp_partners_rank(&n_ranks);
	n = n_ranks ? MOST_OF_ALL / n_ranks : MOST_KEPT;
	return n < LEAST_KEPT ? LEAST_KEPT : n < MOST_KEPT ? n : MOST_KEPT;
}

/* Chance that is the same on all ranks: what comes back in every n-th meeting has as much of it as all others. */
static int is_of_step(uint64_t phase, uint32_t step)
{
	return !step || !(ompp_meeting_key(phase, 0) >> (64 - step));
}

int ompp_meeting_is_kept(enum ompp_meeting_kind kind, uint64_t phase)
{
	return is_of_step(phase, OMPP_LOAD(&list_of(kind)->step));
}

static void list_halve(struct list *l)
{
	uint32_t n = 0, step = l->step + 1;

	for (uint32_t i = 0; i < l->n; i++)
		if (is_of_step(l->kept[i].phase, step))
			l->kept[n++] = l->kept[i];
	l->n = n;
	OMPP_STORE(&l->step, step);
}

void ompp_meeting_keep(const struct ompp_meeting *m, uint64_t phase)
{
	struct list *l = list_of(m->kind);

	if (__atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE))
		return;
	if (!l->kept)
		l->kept = ompp_space_take(MOST_KEPT * sizeof(*l->kept));
	while (l->kept && l->n >= most_kept() && l->step < 63)
		list_halve(l);
	if (l->kept && l->n < MOST_KEPT && is_of_step(phase, l->step))
		l->kept[l->n++] = (struct kept){ *m, phase };
	__atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
}

/* ---- the profile ---- */

int ompp_meetings_stop(void)
{
	for (int i = 0; i < MOST_TRIES; i++)
		if (!__atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE))
			return 0;
	return -1;
}

void ompp_meetings_go(void)
{
	__atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
}

const struct ompp_meeting *ompp_meetings(int are_messages, uint32_t i)
{
	const struct list *l = &lists[are_messages];

	return i < l->n && !(are_messages && OMPP_LOAD(&are_spoilt)) ? &l->kept[i].meeting : NULL;
}

uint64_t ompp_meeting_total(int32_t place)
{
	struct keys *k = __atomic_load_n(&keys, __ATOMIC_ACQUIRE);
	uint64_t n = !k || place < 0 ? SPOILT : OMPP_LOAD(&k->n[place]);

	return n & SPOILT ? UINT64_MAX : n;
}
