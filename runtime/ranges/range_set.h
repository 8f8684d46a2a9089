/*
 * Range set: what range.c, container.c and mapping.c share.  Everything here but taking the lock is under the lock.
 */
#ifndef OMPP_RANGES_RANGE_SET_H
#define OMPP_RANGES_RANGE_SET_H

#include "runtime/ranges/range.h"

/* Takes the lock.  Returns 0, or -1 in a signal handler that came inside one of our calls, where nothing may
 * be done. */
int ompp_ranges_lock(void);
void ompp_ranges_unlock(void);

/* Ends the ranges that a new one replaces, and returns the new one's object; NULL when there is no room.
 * same: gets the range when it is in force already */
struct ompp_object_def *ompp_ranges_make_way(enum ompp_range_kind kind, const char *name, enum ompp_origin origin,
                                             const struct ompp_range *wanted, struct ompp_range **same);

/* Puts a range into force and returns it; NULL without memory.
 * wanted: has its lo, hi, object, owner, scope, container and is_watch */
struct ompp_range *ompp_ranges_set(const struct ompp_range *wanted);

/* Ends a range.  When it is the watch of a container, the container ends, too. */
void ompp_ranges_end(struct ompp_range *range);

/* Takes [lo, hi) from all blocks.  What is left of them before and behind stays in force. */
void ompp_ranges_cut_blocks(uintptr_t lo, uintptr_t hi);

/* It is called under the lock when a range of a container ends.  Who makes the first container sets it. */
extern void (*ompp_range_container_ended)(struct ompp_range *range);

/* Returns the number by which a range is found again as long as it is in force. */
uint64_t ompp_ranges_id(const struct ompp_range *range);

#endif
