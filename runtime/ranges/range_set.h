/*
 * Range set: functions shared by range.c, range_block.c, container.c and range_mapping.c.  All but ompp_ranges_lock()
 * are called under the lock.
 */
#ifndef OMPP_RANGES_RANGE_SET_H
#define OMPP_RANGES_RANGE_SET_H

#include "runtime/ranges/range.h"

/* Takes the lock.  Returns 0, or -1 in a signal handler that interrupted one of our calls, where nothing may be
 * done. */
int ompp_ranges_lock(void);
void ompp_ranges_unlock(void);

/* Ends the ranges that a new one replaces, and returns the object of the new one; NULL when there is no room.
 * same: set to the range if the same one is already in force */
struct ompp_object_def *ompp_ranges_make_way(enum ompp_range_kind kind, const char *name, enum ompp_origin origin,
                                             const struct ompp_range *wanted, struct ompp_range **same);

/* Puts a range into force and returns it; NULL without memory.
 * wanted: has its lo, hi, object, owner, scope, container and is_watch */
struct ompp_range *ompp_ranges_set(const struct ompp_range *wanted);

/* Ends a range.  If it is the watched range of a container, the container ends, too. */
void ompp_ranges_end(struct ompp_range *range);

/* Takes [lo, hi) from a range of which something is left: one part of it, or two. */
void ompp_ranges_cut(struct ompp_range *range, uintptr_t lo, uintptr_t hi);

/* Counts a range that could not be set. */
void ompp_ranges_lost(void);

/* Gives an object without a range so far its cover. */
void ompp_ranges_cover(struct ompp_object_def *def);

/* Returns 1 when the range is a place of the object of a site. */
static inline int ompp_range_is_block(const struct ompp_range *range)
{
	return range->object->site != 0;
}

/* Called under the lock when a range of a container ends.  Set when the first container is created. */
extern void (*ompp_range_container_ended)(struct ompp_range *range);

/* Returns the id by which a range can be found as long as it is in force. */
uint64_t ompp_ranges_id(const struct ompp_range *range);

#endif
