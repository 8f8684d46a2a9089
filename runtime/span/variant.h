/*
 * Variant: how far the run would be with one change, known while it runs.
 *
 * A variant is the run as it is executed, each stretch of work by the same thread and behind the same waits, but for
 * one change: a region's own time halved, or a wait left out.  Each thread has a clock: how much work lies before it
 * on the longest chain of stretches that waited for each other, its own order included, and for each variant by how
 * much less that would be.  Where threads wait for each other a mark takes the latest clock of those that come, and who
 * goes on takes the mark's: so a change brings something only where nothing else is as late.
 *
 * A clock belongs to one thread.  Marks are raised and read by any thread; the OpenMP library orders who has come
 * before who goes on.
 */
#ifndef OMPP_SPAN_VARIANT_H
#define OMPP_SPAN_VARIANT_H

#include <stdatomic.h>
#include <stdint.h>

/* The changes, in the order in which profiles number them (reports/profile/fields_sampled.def). */
enum ompp_variant_change {
	OMPP_VARIANT_FASTER,    /* the region's own time is halved */
	OMPP_VARIANT_UNLOCKED,  /* nobody waits to be let into the critical section, or for the lock */
	OMPP_VARIANT_NOWAIT,    /* nobody waits at the barrier, or at the one at the construct's end */
	OMPP_VARIANT_UNJOINED,  /* nobody waits at the taskwait, but who waits for its task waits for its children, too
	                         */
	OMPP_VARIANT_SCHEDULED, /* the loop's iterations are handed out one by one, on demand */
	OMPP_N_VARIANT_CHANGES
};

enum { OMPP_MOST_VARIANTS = 48, OMPP_NO_VARIANT = -1 };

struct ompp_variant_clock {
	uint64_t run_ticks;
	uint64_t gain_ticks[OMPP_MOST_VARIANTS]; /* what a variant is ahead */
};

/* 0 of a variant: it was made later than the mark was raised, and was not ahead by then. */
struct ompp_variant_mark {
	_Atomic uint64_t run_ticks;
	_Atomic uint64_t ticks[OMPP_MOST_VARIANTS];
};

/* Which variants are looked for: those without a lock, from the first lock on, or all.  Any thread raises it. */
enum ompp_variants_kept { OMPP_VARIANTS_OFF, OMPP_VARIANTS_OF_LOCKS, OMPP_VARIANTS_ALL };
extern uint32_t ompp_variants_kept __attribute__((visibility("hidden")));

/* Returns the variant in which a region is changed, which is made if there is none; OMPP_NO_VARIANT where there are too
 * many.  Any thread may call it.  COLD. */
int ompp_variant_find(enum ompp_variant_change change, uint32_t region);

/* Lets a further region be one with a variant: both share the lock.  COLD. */
void ompp_variant_share(enum ompp_variant_change change, uint32_t region, int variant);

/* Number i of the regions with variants; 0 past the last. */
struct ompp_variant_entry {
	enum ompp_variant_change change;
	uint32_t region;
	int variant;
};
int ompp_variant_entry(uint32_t i, struct ompp_variant_entry *entry);

/* Returns how many regions found no room for a variant, each once for a change; of the first 512 regions and changes.
 */
uint64_t ompp_variants_lost(void);

/* Adds work to a clock; half of it is what a variant gains (or OMPP_NO_VARIANT).  HOT. */
static inline void ompp_variant_work(struct ompp_variant_clock *clock, int variant, uint64_t ticks)
{
	clock->run_ticks += ticks;
	if (variant >= 0)
		clock->gain_ticks[variant] += ticks / 2;
}

/* Raises a mark to a clock. */
void ompp_variant_raise(struct ompp_variant_mark *mark, const struct ompp_variant_clock *clock);

/* Raises a mark to another one, in the variants of one change alone. */
void ompp_variant_raise_change(struct ompp_variant_mark *mark, const struct ompp_variant_mark *from,
                               enum ompp_variant_change change);

/* Lets a clock go on behind a mark, or behind another clock, in all variants but `without`. */
void ompp_variant_take(struct ompp_variant_clock *clock, const struct ompp_variant_mark *mark, int without);
void ompp_variant_follow(struct ompp_variant_clock *clock, const struct ompp_variant_clock *other);

/* Lets a clock stand somewhere in one variant, not behind where it is without it. */
void ompp_variant_stand(struct ompp_variant_clock *clock, int variant, uint64_t ticks);

/* Makes a mark what it was before it was raised, and one clock another. */
void ompp_variant_clear(struct ompp_variant_mark *mark);
void ompp_variant_copy(struct ompp_variant_clock *to, const struct ompp_variant_clock *from);

#endif
