/*
 * Tracked: see tracked.h.
 */
#include "runtime/data/tracked.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/data/object.h"
#include "runtime/data/segment.h"
#include "runtime/data/site.h"
#include "runtime/data/tally.h"
#include "runtime/host/stamp.h"

enum {
	/* how many blocks of a site keep their entries when they have ended, of a quarter of the entries at most */
	STAND_OUT_BY_ACCESSES = 32,
	STAND_OUT_BY_SAMPLES = 16,
	STAND_OUT_BY_SIZE = 8,
	KEPT_PART = 4,
	ENDED_PART = 4, /* a site is looked through when blocks in this part of its entries have ended again */
	/* A look may take so many ns for each entry that it frees, as the block's range takes several times as long
	 * when it begins and ends; what is more is at most this part of the time. */
	LOOK_NS = 1000,
	LOOK_SHARE = 50,
	PART_OF_REST = 2 /* a site has no more entries than this part of those that are left */
};

void (*ompp_tracked_counting)(uint32_t site);
_Atomic size_t ompp_tallies_bytes;

static void *entries; /* struct ompp_tracked[OMPP_MAX_TRACKED] */
static _Atomic uint32_t n_entries;
static uint32_t most_of_site, most_of_all;

void ompp_tracked_start(uint32_t most_per_site, uint32_t most_in_all)
{
	ompp_assert(most_in_all <= OMPP_MAX_TRACKED && !ompp_n_tracked());
	most_of_site = most_per_site;
	most_of_all = most_in_all;
}

struct ompp_tracked *ompp_tracked(uint32_t index)
{
	struct ompp_tracked *all = __atomic_load_n(&entries, __ATOMIC_ACQUIRE);

	return all && index && index <= ompp_n_tracked() ? &all[index - 1] : NULL;
}

static uint32_t index_of(const struct ompp_tracked *t)
{
	return (uint32_t)(t - (const struct ompp_tracked *)entries) + 1;
}

uint32_t ompp_n_tracked(void)
{
	return atomic_load_explicit(&n_entries, memory_order_acquire);
}

/* ---- entries that are used again ---- */

/* The blocks that stand out by one number, the greatest first; of equal ones the first allocated. */
struct ranking {
	struct ompp_tracked *list[STAND_OUT_BY_ACCESSES];
	uint64_t numbers[STAND_OUT_BY_ACCESSES];
	uint32_t n, most;
};

static void tracked_rank(struct ranking *r, struct ompp_tracked *t, uint64_t number)
{
	uint32_t at = r->n;

	if (!number)
		return;
	while (at &&
	       (r->numbers[at - 1] < number || (r->numbers[at - 1] == number && r->list[at - 1]->order > t->order)))
		at--;
	if (at >= r->most)
		return;
	r->n += r->n < r->most;
	for (uint32_t i = r->n - 1; i > at; i--) {
		r->list[i] = r->list[i - 1];
		r->numbers[i] = r->numbers[i - 1];
	}
	r->list[at] = t;
	r->numbers[at] = number;
	ompp_assert(r->n <= r->most && (!at || r->numbers[at - 1] >= number));
}

static int is_ranked(const struct ranking *r, const struct ompp_tracked *t)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->list[i] == t)
			return 1;
	return 0;
}

static int has_ended(const struct ompp_tracked *t)
{
	return !t->n_parts && !t->is_free;
}

static void begin_change(struct ompp_tracked *t)
{
	ompp_assert(!(t->generation & 1));
	OMPP_STORE(&t->generation, t->generation + 1);
	ompp_fence_release();
}

static void end_change(struct ompp_tracked *t)
{
	ompp_assert(t->generation & 1);
	__atomic_store_n(&t->generation, t->generation + 1, __ATOMIC_RELEASE);
}

/* Frees the entries of those blocks of a site that have ended and do not stand out.  Returns how many. */
static uint32_t look_through(struct ompp_site *site)
{
	uint32_t most = site->tracked.n / KEPT_PART;
	struct ranking by_accesses = { .most = most < STAND_OUT_BY_ACCESSES ? most : STAND_OUT_BY_ACCESSES },
		       by_samples = { .most = most < STAND_OUT_BY_SAMPLES ? most : STAND_OUT_BY_SAMPLES },
		       by_size = { .most = most / 2 < STAND_OUT_BY_SIZE ? most / 2 : STAND_OUT_BY_SIZE };
	struct ompp_tracked *t;
	uint32_t n_freed = 0;

	ompp_tracked_counting(site->index);
	for (t = ompp_tracked(site->tracked.first); t; t = ompp_tracked(t->next)) {
		uint64_t n = 0;

		for (int i = OMPP_ACCESS_LOADS; i <= OMPP_ACCESS_ATOMICS; i++)
			n += t->counted[i] - t->base[i];
		ompp_assert(t->site == site->index && !(t->n_parts && t->is_free));
		if (has_ended(t)) {
			tracked_rank(&by_size, t, t->n_bytes);
			tracked_rank(&by_accesses, t, n);
			tracked_rank(&by_samples, t, t->n_sampled);
		}
	}
	for (t = ompp_tracked(site->tracked.first); t; t = ompp_tracked(t->next)) {
		if (!has_ended(t) || is_ranked(&by_accesses, t) || is_ranked(&by_samples, t) || is_ranked(&by_size, t))
			continue;
		begin_change(t);
		for (int i = 0; i < OMPP_TRACKED_FIELDS; i++)
			OMPP_STORE(&t->base[i], t->counted[i]);
		OMPP_STORE(&t->is_free, 1u);
		end_change(t);
		t->next_free = site->tracked.free;
		site->tracked.free = index_of(t);
		n_freed++;
	}
	return n_freed;
}

/* Frees entries when that is worth while, and there was not much time spent with it lately. */
static void free_entries(struct ompp_site *site)
{
	struct ompp_site_tracked *s = &site->tracked;
	uint64_t now, took, may_take;

	if (!ompp_tracked_counting || s->n_ended < s->n / ENDED_PART)
		return;
	now = ompp_stamp_slow();
	if (now < s->may_look)
		return;
	may_take = (uint64_t)LOOK_NS * look_through(site);
	took = ompp_stamp_slow() - now;
	s->n_ended = 0;
	s->may_look = took > may_take ? now + LOOK_SHARE * (took - may_take) : 0;
}

/* Returns an entry that no block had; NULL when there is none for this site: each site gets a part of what is left. */
static struct ompp_tracked *new_entry(struct ompp_site *site)
{
	struct ompp_tracked *all = ompp_space_table(&entries, OMPP_MAX_TRACKED * sizeof(*all));
	uint32_t n = ompp_n_tracked();

	if (!all || site->tracked.n >= (most_of_all - n) / PART_OF_REST ||
	    atomic_load_explicit(&ompp_tallies_bytes, memory_order_relaxed) > OMPP_TRACKED_MOST_BYTES)
		return NULL;
	ompp_assert(n < OMPP_MAX_TRACKED);
	all[n] = (struct ompp_tracked){ .site = site->index, .next = site->tracked.first };
	site->tracked.first = n + 1;
	site->tracked.n++;
	atomic_store_explicit(&n_entries, n + 1, memory_order_release);
	return &all[n];
}

static struct ompp_tracked *take_entry(struct ompp_site *site)
{
	struct ompp_site_tracked *s = &site->tracked;
	struct ompp_tracked *t = NULL;

	if (!s->free && s->n < most_of_site)
		t = new_entry(site);
	if (!t && !s->free)
		free_entries(site);
	if (!t && s->free) {
		t = ompp_tracked(s->free);
		ompp_assert(t && t->is_free && t->site == site->index);
		s->free = t->next_free;
	}
	return t;
}

/* ---- blocks ---- */

/* Returns the block at the address that ended last; NULL when it was not tracked. */
static struct ompp_tracked *find_ended(const struct ompp_site *site, uintptr_t address)
{
	struct ompp_tracked *found = NULL;

	for (struct ompp_tracked *t = ompp_tracked(site->tracked.first); t; t = ompp_tracked(t->next))
		if (has_ended(t) && t->address == address && (!found || found->order < t->order))
			found = t;
	return found;
}

uint32_t ompp_tracked_begin(struct ompp_site *site, uintptr_t address, size_t n_bytes, const struct ompp_tracked_by *by)
{
	struct ompp_tracked *t;

	if (!most_of_site)
		return 0;
	if (by->is_kept) {
		t = find_ended(site, address);
		if (t)
			OMPP_STORE(&t->ended_ticks, 0);
		return t ? index_of(t) : 0;
	}
	site->tracked.n_ranged++;
	OMPP_STORE(&site->tracked.n_large, site->tracked.n_large + 1);
	t = take_entry(site);
	if (!t)
		return 0;
	ompp_assert(!t->n_parts && t->site == site->index);
	OMPP_STORE(&site->tracked.n_told, site->tracked.n_told + 1);
	begin_change(t);
	OMPP_STORE(&t->order, site->tracked.n_ranged + ompp_site_n_small(site));
	OMPP_STORE(&t->address, address);
	OMPP_STORE(&t->n_bytes, n_bytes);
	OMPP_STORE(&t->thread, by->thread);
	OMPP_STORE(&t->node, by->node);
	OMPP_STORE(&t->begun_ticks, by->ticks);
	OMPP_STORE(&t->ended_ticks, 0);
	OMPP_STORE(&t->is_partial, 0);
	OMPP_STORE(&t->is_free, 0);
	end_change(t);
	return index_of(t);
}

void ompp_tracked_part(uint32_t index)
{
	struct ompp_tracked *t = ompp_tracked(index);

	ompp_assert(!t || !t->is_free);
	if (t)
		OMPP_STORE(&t->n_parts, t->n_parts + 1);
}

void ompp_tracked_part_ended(uint32_t index)
{
	struct ompp_tracked *t = ompp_tracked(index);

	if (!t || !t->n_parts)
		return;
	OMPP_STORE(&t->n_parts, t->n_parts - 1);
	if (!t->n_parts)
		ompp_site(t->site)->tracked.n_ended++;
}

void ompp_tracked_ended(uint32_t index, uint64_t ticks)
{
	struct ompp_tracked *t = ompp_tracked(index);

	if (t && !t->n_parts)
		OMPP_STORE(&t->ended_ticks, ticks);
}

void ompp_tracked_lose(uint32_t index)
{
	struct ompp_tracked *t = ompp_tracked(index);

	if (t)
		OMPP_STORE(&t->is_partial, 1);
}

uint32_t ompp_tracked_cover(uint32_t index, const uint32_t *objects, uint32_t n)
{
	struct ompp_tracked *t = ompp_tracked(index);
	uint32_t cover = t ? ompp_cover_of_tracked(objects, n, index, &t->cover) : OMPP_OBJECT_OTHER;

	if (cover != OMPP_OBJECT_OTHER)
		return cover;
	ompp_tracked_lose(index);
	return ompp_cover_of(objects, n);
}

void ompp_tracked_add(uint64_t fields[OMPP_TRACKED_FIELDS], const uint64_t *words)
{
	for (unsigned int i = 0; i < OMPP_SIZES; i++) {
		uint64_t loads = OMPP_LOAD(&words[OMPP_SLOT_LOAD + i]), stores = OMPP_LOAD(&words[OMPP_SLOT_STORE + i]);

		fields[OMPP_ACCESS_LOADS] += loads;
		fields[OMPP_ACCESS_STORES] += stores;
		fields[OMPP_ACCESS_LOAD_BYTES] += loads << i;
		fields[OMPP_ACCESS_STORE_BYTES] += stores << i;
	}
	fields[OMPP_ACCESS_LOADS] += OMPP_LOAD(&words[OMPP_SLOT_BLOCK_LOAD]);
	fields[OMPP_ACCESS_LOAD_BYTES] += OMPP_LOAD(&words[OMPP_SLOT_BLOCK_LOAD_BYTES]);
	fields[OMPP_ACCESS_STORES] += OMPP_LOAD(&words[OMPP_SLOT_BLOCK_STORE]);
	fields[OMPP_ACCESS_STORE_BYTES] += OMPP_LOAD(&words[OMPP_SLOT_BLOCK_STORE_BYTES]);
	fields[OMPP_ACCESS_ATOMICS] += OMPP_LOAD(&words[OMPP_SLOT_ATOMIC]);
	fields[OMPP_ACCESS_ATOMIC_BYTES] += OMPP_LOAD(&words[OMPP_SLOT_ATOMIC_BYTES]);
	for (unsigned int i = 0; i < OMPP_ACCESS_LEVELS && ompp_row_bytes > OMPP_N_SLOTS * sizeof(uint64_t); i++)
		fields[OMPP_TRACKED_MISSES + i] += OMPP_LOAD(&words[OMPP_SLOT_MISS + i]);
}

void ompp_tracked_after_fork(void)
{
	for (uint32_t i = 1; i <= ompp_n_sites(); i++) {
		struct ompp_site *site = ompp_site(i);

		site->tracked.n_large = site->object ? OMPP_LOAD(&site->object->n_live) : 0;
		site->tracked.n_told = 0;
	}
	for (uint32_t i = 1; i <= ompp_n_tracked(); i++) {
		struct ompp_tracked *t = ompp_tracked(i);
		struct ompp_site_tracked *s = &ompp_site(t->site)->tracked;

		memset(t->base, 0, sizeof(t->base));
		memset(t->counted, 0, sizeof(t->counted));
		t->is_partial = 1;

		s->n_told += t->n_parts != 0;
		if (has_ended(t)) {
			t->is_free = 1;
			t->next_free = s->free;
			s->free = i;
		}
	}
}
