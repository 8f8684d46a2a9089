/*
 * Unwind: pops frames of visits that were left without their ends, by a return, a jump, or the cancellation of a team.
 * COLD.
 */
#ifndef OMPP_CORE_UNWIND_H
#define OMPP_CORE_UNWIND_H

#include <stdint.h>

#include "runtime/core/frame.h"

/* Pops all frames above `to`, whose visits ended at `now` at the latest. */
void ompp_unwind(struct ompp_thread *t, struct ompp_frame *to, uint64_t now);

/* Returns 1 in a handler on a signal stack, which may lie above or below the thread's: its events say nothing about
 * which of the open frames were left. */
int ompp_unwind_is_on_signal_stack(void);

/* Pop, at an event, the frames that were left without their ends.  These are frames of functions that have returned, or
 * a visit of the same region that the same instruction had opened, and all frames above it.  The first checks the
 * innermost frames, the second all above the base. */
void ompp_unwind_left(struct ompp_thread *t, uint64_t key, struct ompp_caller caller);
void ompp_unwind_again(struct ompp_thread *t, uint64_t key, struct ompp_caller caller);

#endif
