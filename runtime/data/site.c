/*
 * Site: see site.h.  A hash table with open addressing contains indices; a site is complete before its index is stored
 * there.
 */
#include "runtime/data/site.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/program_file.h"
#include "runtime/base/space.h"
#include "runtime/base/text.h"

enum { N_HASH = 2 * OMPP_MAX_SITES };

_Atomic uint64_t ompp_n_siteless;

static void *sites, *hash; /* struct ompp_site[OMPP_MAX_SITES], _Atomic uint32_t[N_HASH] */
static _Atomic uint32_t n_sites;
static uint64_t n_inherited; /* of the blocks of a forked child: those that its parent allocated */

struct ompp_site *ompp_site(uint32_t index)
{
	struct ompp_site *all = __atomic_load_n(&sites, __ATOMIC_ACQUIRE);

	return all && index && index < OMPP_MAX_SITES ? &all[index] : NULL;
}

void ompp_site_put_call(struct ompp_text *t, const char *path, uintptr_t offset)
{
	const char *slash = strrchr(path, '/');

	ompp_text_str(t, t->n_bytes ? "/" : "");
	ompp_text_str(t, !strcmp(path, ompp_program_file) ? "exe" : slash ? slash + 1 : path);
	ompp_text_str(t, "+0x");
	ompp_text_hex(t, offset);
}

uint32_t ompp_n_sites(void)
{
	uint32_t n = atomic_load_explicit(&n_sites, memory_order_acquire);

	return n < OMPP_MAX_SITES - 1 ? n : OMPP_MAX_SITES - 1;
}

static uint64_t hash_of(const uintptr_t *callers, uint32_t n, uintptr_t allocator)
{
	uint64_t h = n + (allocator << 4);

	for (uint32_t i = 0; i < n; i++)
		h = (h ^ callers[i]) * 0x9E3779B97F4A7C15u;
	return h ^ h >> 31;
}

static int is_same(const struct ompp_site *s, const uintptr_t *callers, uint32_t n, uintptr_t allocator)
{
	return s->n_callers == n && s->allocator == allocator && !memcmp(s->callers, callers, n * sizeof(*callers));
}

/* Returns a new site that nobody finds yet; NULL without room. */
static struct ompp_site *new_site(const uintptr_t *callers, uint32_t n, uintptr_t allocator)
{
	struct ompp_site *all = ompp_space_table(&sites, sizeof(*all) * OMPP_MAX_SITES);
	uint32_t index = all ? atomic_load_explicit(&n_sites, memory_order_relaxed) : OMPP_MAX_SITES;

	while (index < OMPP_MAX_SITES - 1)
		if (atomic_compare_exchange_weak(&n_sites, &index, index + 1)) {
			struct ompp_site *s = &all[index + 1];

			ompp_assert(!s->index && index + 1 < OMPP_MAX_SITES && n <= OMPP_SITE_MOST_CALLERS);
			s->index = index + 1;
			s->n_callers = n;
			s->allocator = allocator;
			memcpy(s->callers, callers, n * sizeof(*callers));
			return s;
		}
	return NULL;
}

struct ompp_site *ompp_site_of(const uintptr_t *callers, uint32_t n_callers, uintptr_t allocator, uint32_t thread,
                               uint32_t node, uint32_t before)
{
	_Atomic uint32_t *table = ompp_space_table(&hash, sizeof(*table) * N_HASH);
	uint64_t h = hash_of(callers, n_callers, allocator);
	struct ompp_site *fresh = NULL;

	ompp_assert(n_callers <= OMPP_SITE_MOST_CALLERS);
	for (uint32_t tries = 0; table && tries < N_HASH; tries++, h++) {
		_Atomic uint32_t *entry = &table[h & (N_HASH - 1)];
		uint32_t index = atomic_load_explicit(entry, memory_order_acquire);

		if (!index) {
			fresh = fresh ? fresh : new_site(callers, n_callers, allocator);
			if (!fresh)
				break;
			fresh->thread = thread;
			fresh->node = node;
			fresh->before = before;
			if (atomic_compare_exchange_strong(entry, &index, fresh->index))
				return fresh;
		}
		ompp_assert(index <= ompp_n_sites() && ompp_site(index)->index == index);
		if (is_same(ompp_site(index), callers, n_callers, allocator))
			return ompp_site(index); /* a fresh one stays without blocks */
	}
	atomic_fetch_add_explicit(&ompp_n_siteless, 1, memory_order_relaxed);
	return NULL;
}

static uint64_t site_get(const _Atomic uint64_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

static void site_add(_Atomic uint64_t *word, uint64_t n)
{
	atomic_fetch_add_explicit(word, n, memory_order_relaxed);
}

/* Changes how much is allocated now. */
static void site_tell(struct ompp_site *site, int64_t n_bytes)
{
	int64_t live = atomic_fetch_add_explicit(&site->now.live_bytes, n_bytes, memory_order_relaxed) + n_bytes;
	int64_t peak = atomic_load_explicit(&site->now.peak_bytes, memory_order_relaxed);

	while (live > peak && !atomic_compare_exchange_weak_explicit(&site->now.peak_bytes, &peak, live,
	                                                             memory_order_relaxed, memory_order_relaxed))
		;
}

static void site_change(struct ompp_site *site, struct ompp_site_part *part, int64_t n_bytes)
{
	int64_t most, untold;

	if (!atomic_load_explicit(&site->several_threads, memory_order_relaxed)) {
		site_tell(site, n_bytes);
		return;
	}
	untold = atomic_fetch_add_explicit(&part->told_not_yet, n_bytes, memory_order_relaxed) + n_bytes;
	most = atomic_load_explicit(&site->now.live_bytes, memory_order_relaxed) / OMPP_SITE_PRECISION;
	if (untold > most || untold < -most)
		site_tell(site, atomic_exchange_explicit(&part->told_not_yet, 0, memory_order_relaxed));
}

void ompp_site_begin(struct ompp_site *site, size_t n_bytes, uint64_t ticks, struct ompp_site_who who)
{
	struct ompp_site_part *part = &site->part[who.part % OMPP_SITE_PARTS];

	if (who.thread != site->thread && who.thread && site->thread && site->thread != OMPP_SITE_MAIN &&
	    !atomic_load_explicit(&site->several_threads, memory_order_relaxed))
		atomic_store_explicit(&site->several_threads, 1, memory_order_relaxed);
	site_add(&part->n_begun, 1);
	site_add(&part->begun_bytes, n_bytes);
	site_add(&part->ticks, -ticks);
	site_change(site, part, (int64_t)n_bytes);
}

void ompp_site_end(struct ompp_site *site, size_t n_bytes, uint64_t ticks, struct ompp_site_who who)
{
	struct ompp_site_part *part = &site->part[who.part % OMPP_SITE_PARTS];

	site_add(&part->n_ended, 1);
	site_add(&part->ticks, ticks);
	ompp_site_shrink(site, n_bytes, who);
}

void ompp_site_shrink(struct ompp_site *site, size_t n_bytes, struct ompp_site_who who)
{
	struct ompp_site_part *part = &site->part[who.part % OMPP_SITE_PARTS];

	site_add(&part->ended_bytes, n_bytes);
	site_change(site, part, -(int64_t)n_bytes);
}

void ompp_site_keep(struct ompp_site *site, size_t n_bytes, uint64_t ticks, struct ompp_site_who who)
{
	struct ompp_site_part *part = &site->part[who.part % OMPP_SITE_PARTS];

	site_add(&part->n_ended, -(uint64_t)1);
	site_add(&part->ended_bytes, -(uint64_t)n_bytes);
	site_add(&part->ticks, -ticks);
	site_change(site, part, (int64_t)n_bytes);
}

void ompp_site_begin_small(struct ompp_site *site, struct ompp_site_who who)
{
	site_add(&site->part[who.part % OMPP_SITE_PARTS].n_small, 1);
}

uint64_t ompp_site_n_small(const struct ompp_site *site)
{
	uint64_t n = 0;

	for (int i = 0; i < OMPP_SITE_PARTS; i++)
		n += site_get(&site->part[i].n_small);
	return n;
}

struct ompp_site_sum ompp_site_sum(const struct ompp_site *site)
{
	struct ompp_site_sum sum = { 0 };
	uint64_t ended_bytes = 0, n_parts = 0, peak;

	/* What ended is read first, so that no more ended than began. */
	for (int i = 0; i < OMPP_SITE_PARTS; i++) {
		sum.n_ended += site_get(&site->part[i].n_ended);
		ended_bytes += site_get(&site->part[i].ended_bytes);
	}
	for (int i = 0; i < OMPP_SITE_PARTS; i++) {
		const struct ompp_site_part *part = &site->part[i];

		sum.n_begun += site_get(&part->n_begun);
		sum.begun_bytes += site_get(&part->begun_bytes);
		sum.ticks += site_get(&part->ticks);
		n_parts += site_get(&part->n_begun) || site_get(&part->n_ended);
	}
	sum.live_bytes = sum.begun_bytes > ended_bytes ? sum.begun_bytes - ended_bytes : 0;
	peak = (uint64_t)atomic_load_explicit(&site->now.peak_bytes, memory_order_relaxed);
	sum.peak_error = atomic_load_explicit(&site->several_threads, memory_order_relaxed)
	                       ? n_parts * (peak / OMPP_SITE_PRECISION)
	                       : 0;
	sum.peak_bytes = peak > sum.live_bytes ? peak : sum.live_bytes;
	return sum;
}

uint64_t ompp_sites_n_begun(void)
{
	uint64_t n = 0;

	for (uint32_t i = 1; i <= ompp_n_sites(); i++)
		n += ompp_site_sum(ompp_site(i)).n_begun;
	return n - n_inherited;
}

void ompp_sites_after_fork(void)
{
	n_inherited = 0;
	for (uint32_t i = 1; i <= ompp_n_sites(); i++) {
		struct ompp_site *s = ompp_site(i);
		struct ompp_site_sum sum = ompp_site_sum(s);
		uint64_t ticks = sum.ticks;

		for (int k = 0; k < OMPP_SITE_PARTS; k++) {
			atomic_store(&s->part[k].n_begun, 0);
			atomic_store(&s->part[k].n_ended, 0);
			atomic_store(&s->part[k].begun_bytes, 0);
			atomic_store(&s->part[k].ended_bytes, 0);
			atomic_store(&s->part[k].ticks, 0);
			atomic_store(&s->part[k].told_not_yet, 0);
		}
		atomic_store(&s->part[0].n_begun, sum.n_begun - sum.n_ended);
		n_inherited += sum.n_begun - sum.n_ended;
		atomic_store(&s->part[0].begun_bytes, sum.live_bytes);
		atomic_store(&s->part[0].ticks, ticks);
		atomic_store(&s->now.live_bytes, (int64_t)sum.live_bytes);
		atomic_store(&s->now.peak_bytes, (int64_t)sum.live_bytes);
	}
}
