/*
 * Range set: functions shared by range.c, container.c and mapping.c.  All but ompp_ranges_lock() are called under the
 * lock.
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

/* Removes [lo, hi) from all blocks.  What is left of them before and after stays in force. */
void ompp_ranges_cut_blocks(uintptr_t lo, uintptr_t hi);

/* Called under the lock when a range of a container ends.  Set when the first container is created. */
extern void (*ompp_range_container_ended)(struct ompp_range *range);

/* Returns the id by which a range can be found as long as it is in force. */
uint64_t ompp_ranges_id(const struct ompp_range *range);

#endif
