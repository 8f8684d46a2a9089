/*
 * Range, the set: what range.c and container.c share.  All but the lock is under the lock.
 */
#ifndef OMPP_DATA_RANGE_SET_H
#define OMPP_DATA_RANGE_SET_H

#include "runtime/data/range.h"

/* 0, or -1 in a signal handler that came inside one of our calls: nothing may be done. */
int ompp_ranges_lock(void);
void ompp_ranges_unlock(void);

/* The object of a range that is to be set, after the ranges that it replaces have ended.  *same: it is in force already.
 * NULL: there is no room. */
struct ompp_object_def *ompp_ranges_make_way(enum ompp_range_kind kind, const char *name, enum ompp_origin origin,
                                             const struct ompp_range *wanted, struct ompp_range **same);

/* Put a range into force, as `wanted` says: lo, hi, object, owner, scope, container, is_watch.  NULL without memory. */
struct ompp_range *ompp_ranges_set(const struct ompp_range *wanted);

/* End a range, and with the watch of a container the container. */
void ompp_ranges_end(struct ompp_range *range);

/* The number by which a range is found again as long as it is in force. */
uint64_t ompp_ranges_id(const struct ompp_range *range);

#endif
