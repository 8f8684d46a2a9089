/*
 * Variant: see variant.h.
 */
#include "runtime/span/variant.h"

#include "runtime/base/relaxed.h"

enum {
	MOST_ENTRIES = 512,
	NO_ROOM = 0xffff,
	AHEAD = 4 /* variants that clocks have before a region does, so that no mark is without one that is used */
};

/* How many variants each change may have: what halves times would leave none to the others. */
static const uint32_t most_of[OMPP_N_VARIANT_CHANGES] = { 20, 8, 8, 4, 8 };

uint32_t ompp_variants_kept;

/* The regions with variants, and those that found no room, each once for a change.  A word has the change, the region,
 * and the variant + 1 or NO_ROOM; it is written once, in the first entry that has none.  So who writes one knows all
 * that come before it, and a variant's number is that of the variants before. */
static _Atomic uint64_t entries[MOST_ENTRIES];
static _Atomic uint32_t n_variants;
static uint8_t change_of[OMPP_MOST_VARIANTS]; /* written before n_variants */

static uint64_t entry_word(enum ompp_variant_change change, uint32_t region, int variant)
{
	return (uint64_t)region << 32 | (uint64_t)change << 16 | (uint64_t)(uint32_t)(variant + 1);
}

int ompp_variant_entry(uint32_t i, struct ompp_variant_entry *entry)
{
	uint64_t word = i < MOST_ENTRIES ? atomic_load_explicit(&entries[i], memory_order_acquire) : 0;

	if (!word)
		return 0;
	entry->region = (uint32_t)(word >> 32);
	entry->change = (enum ompp_variant_change)(word >> 16 & 0xffff);
	entry->variant = (word & 0xffff) == NO_ROOM ? OMPP_NO_VARIANT : (int)(word & 0xffff) - 1;
	return 1;
}

uint64_t ompp_variants_lost(void)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < MOST_ENTRIES; i++)
		n += (atomic_load_explicit(&entries[i], memory_order_acquire) & 0xffff) == NO_ROOM;
	return n;
}

/* How many variants the entries before one have; those of one change among them. */
struct before {
	int n, n_of_change;
};

/* A region that shares a variant has none of its own. */
static void count_entry(struct before *before, enum ompp_variant_change change, uint64_t word)
{
	if ((word & 0xffff) != (uint64_t)(uint32_t)before->n + 1)
		return;
	before->n++;
	before->n_of_change += (word >> 16 & 0xffff) == (uint64_t)change;
}

void ompp_variant_share(enum ompp_variant_change change, uint32_t region, int variant)
{
	uint64_t word = entry_word(change, region, variant);

	for (uint32_t i = 0; i < MOST_ENTRIES; i++) {
		uint64_t there = 0;

		if (atomic_compare_exchange_strong_explicit(&entries[i], &there, word, memory_order_acq_rel,
		                                            memory_order_acquire) ||
		    there >> 16 == word >> 16)
			return;
	}
}

/* Lets clocks have a variant that was made. */
static void keep(int variant, enum ompp_variant_change change)
{
	uint32_t n = atomic_load_explicit(&n_variants, memory_order_relaxed);

	__atomic_store_n(&change_of[variant], (uint8_t)change, __ATOMIC_RELAXED);
	while (n <= (uint32_t)variant &&
	       !atomic_compare_exchange_weak_explicit(&n_variants, &n, (uint32_t)variant + 1, memory_order_acq_rel,
	                                              memory_order_relaxed))
		;
}

int ompp_variant_find(enum ompp_variant_change change, uint32_t region)
{
	struct before before = { 0, 0 };

	for (uint32_t i = 0; i < MOST_ENTRIES; i++) {
		uint64_t word = atomic_load_explicit(&entries[i], memory_order_acquire);

		if (!word) {
			int has_room = (uint32_t)before.n_of_change < most_of[change];
			uint64_t mine = entry_word(change, region, has_room ? before.n : NO_ROOM - 1);

			if (atomic_compare_exchange_strong_explicit(&entries[i], &word, mine, memory_order_acq_rel,
			                                            memory_order_acquire)) {
				if (has_room)
					keep(before.n, change);
				return has_room ? before.n : OMPP_NO_VARIANT;
			}
		}
		if (word >> 16 == entry_word(change, region, 0) >> 16)
			return (word & 0xffff) == NO_ROOM ? OMPP_NO_VARIANT : (int)(word & 0xffff) - 1;
		count_entry(&before, change, word);
	}
	return OMPP_NO_VARIANT;
}

/* Returns how many variants clocks have. */
static inline uint32_t n_kept(void)
{
	uint32_t n = atomic_load_explicit(&n_variants, memory_order_relaxed) + AHEAD;

	return n < OMPP_MOST_VARIANTS ? n : OMPP_MOST_VARIANTS;
}

/* ---- clocks and marks ---- */

static inline void mark_raise(_Atomic uint64_t *number, uint64_t to)
{
	uint64_t now = atomic_load_explicit(number, memory_order_relaxed);

	while (now < to &&
	       !atomic_compare_exchange_weak_explicit(number, &now, to, memory_order_relaxed, memory_order_relaxed))
		;
}

/* 0 says that the mark knows nothing of the variant. */
static inline uint64_t later_than_none(uint64_t ticks)
{
	return ticks ? ticks : 1;
}

void ompp_variant_raise(struct ompp_variant_mark *mark, const struct ompp_variant_clock *clock)
{
	uint32_t n = n_kept();

	for (uint32_t i = 0; i < n; i++)
		mark_raise(&mark->ticks[i], later_than_none(clock->run_ticks - clock->gain_ticks[i]));
	mark_raise(&mark->run_ticks, clock->run_ticks);
}

void ompp_variant_raise_change(struct ompp_variant_mark *mark, const struct ompp_variant_mark *from,
                               enum ompp_variant_change change)
{
	uint32_t n = atomic_load_explicit(&n_variants, memory_order_acquire);

	for (uint32_t i = 0; i < n && i < OMPP_MOST_VARIANTS; i++)
		if (__atomic_load_n(&change_of[i], __ATOMIC_RELAXED) == change)
			mark_raise(&mark->ticks[i], atomic_load_explicit(&from->ticks[i], memory_order_relaxed));
}

/* Lets a clock be the later one of itself and one that stands at run_ticks: `more` later, or `less` earlier. */
struct lateness {
	uint64_t more, less;
};

static inline struct lateness lateness_of(const struct ompp_variant_clock *clock, uint64_t run_ticks)
{
	return (struct lateness){ run_ticks > clock->run_ticks ? run_ticks - clock->run_ticks : 0,
		                  run_ticks < clock->run_ticks ? clock->run_ticks - run_ticks : 0 };
}

/* Returns what a variant is ahead of the later one, of two of which each is ahead by so much. */
static inline uint64_t gain_of_later(struct lateness l, uint64_t mine, uint64_t theirs)
{
	return mine + l.more < theirs + l.less ? mine + l.more : theirs + l.less;
}

void ompp_variant_take(struct ompp_variant_clock *clock, const struct ompp_variant_mark *mark, int without)
{
	uint64_t run = atomic_load_explicit(&mark->run_ticks, memory_order_relaxed);
	struct lateness l = lateness_of(clock, run);
	uint32_t n = n_kept();

	if (!run)
		return;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t there = atomic_load_explicit(&mark->ticks[i], memory_order_relaxed);
		uint64_t theirs = there && there < run ? run - there : 0;

		clock->gain_ticks[i] = (int)i == without ? clock->gain_ticks[i] + l.more
		                                         : gain_of_later(l, clock->gain_ticks[i], theirs);
	}
	clock->run_ticks += l.more;
}

void ompp_variant_follow(struct ompp_variant_clock *clock, const struct ompp_variant_clock *other)
{
	struct lateness l = lateness_of(clock, other->run_ticks);
	uint32_t n = n_kept();

	for (uint32_t i = 0; i < n; i++)
		clock->gain_ticks[i] = gain_of_later(l, clock->gain_ticks[i], other->gain_ticks[i]);
	clock->run_ticks += l.more;
}

void ompp_variant_stand(struct ompp_variant_clock *clock, int variant, uint64_t ticks)
{
	clock->gain_ticks[variant] = ticks < clock->run_ticks ? clock->run_ticks - ticks : 0;
}

void ompp_variant_clear(struct ompp_variant_mark *mark)
{
	if (!atomic_load_explicit(&mark->run_ticks, memory_order_relaxed))
		return;
	for (int i = 0; i < OMPP_MOST_VARIANTS; i++)
		atomic_store_explicit(&mark->ticks[i], 0, memory_order_relaxed);
	atomic_store_explicit(&mark->run_ticks, 0, memory_order_relaxed);
}

void ompp_variant_copy(struct ompp_variant_clock *to, const struct ompp_variant_clock *from)
{
	uint32_t n = n_kept();

	to->run_ticks = from->run_ticks;
	for (uint32_t i = 0; i < OMPP_MOST_VARIANTS; i++)
		to->gain_ticks[i] = i < n ? from->gain_ticks[i] : 0;
}
