/*
 * Hold: takes the longest path through mutual exclusion: critical sections, ordered regions and locks.  The path of a
 * thread that waited goes on from the thread that was inside before (span/span_variant.h).
 *
 * Without OMPP_SPAN these functions do nothing.
 */
#ifndef OMPP_EVENTS_HOLD_H
#define OMPP_EVENTS_HOLD_H

#include "runtime/core/frame.h"

/* What a lock hands on; NULL until it is released for the first time. */
struct ompp_span_lock;

/* Begin and end the body of a critical section, or of an ordered region: right behind its begin and its end.  HOT. */
void ompp_hold_body(const struct ompp_region_def *def);
void ompp_hold_body_end(const struct ompp_region_def *def);

static inline void ompp_hold_begin(const struct ompp_region_def *def)
{
	if (ompp_frame_is_on_path())
		ompp_hold_body(def);
}

static inline void ompp_hold_end(const struct ompp_region_def *def)
{
	if (ompp_frame_is_on_path())
		ompp_hold_body_end(def);
}

/* Come to a loop, and to the barrier at its end, where other threads could have taken some of the iterations: its
 * schedule hands them out on demand. */
void ompp_hold_loop(const struct ompp_region_def *def);
void ompp_hold_loop_end(const struct ompp_region_def *def);

/* Say that each iteration of the loop that begins will be told, and that one of them begins; or that the loop is not
 * measured, so that its iterations are none of the loop's before. */
void ompp_hold_iterations(const struct ompp_region_def *def);
void ompp_hold_no_iterations(void);
void ompp_hold_iteration(void);

/* Ends the stretch before a call of a lock's function.
 * now: when that was */
void ompp_hold_asks(uint64_t now);

/* Goes on as the lock's holder, who waited since the stretch's end.  The lock's part is made if there is none.
 * lock: NULL where the lock is not known, or the call did not get it
 * region: under which the lock is known */
void ompp_hold_takes(struct ompp_span_lock **lock, uint32_t region, uint64_t now);

/* Hands a lock on, before the call that releases it. */
void ompp_hold_gives(struct ompp_span_lock *lock, uint64_t now);

#endif
