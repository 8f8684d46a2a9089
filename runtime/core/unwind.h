/*
 * Unwind: takes off visits that were left without their ends, by a return, a jump, or the cancellation of a team.
 * COLD.
 */
#ifndef OMPP_CORE_UNWIND_H
#define OMPP_CORE_UNWIND_H

#include <stdint.h>

#include "runtime/core/frame.h"

/* Takes off all frames above `to`, which ended at `now` at the latest. */
void ompp_unwind(struct ompp_thread *t, struct ompp_frame *to, uint64_t now);

/* Take off, at an event, the frames that were left without their ends.  Those are frames in functions that have
 * returned, or a visit of the same region that the same instruction had opened, with all above it.  The first looks at
 * the innermost frames, the second at all above the base. */
void ompp_unwind_left(struct ompp_thread *t, uint64_t key, struct ompp_caller caller);
void ompp_unwind_again(struct ompp_thread *t, uint64_t key, struct ompp_caller caller);

#endif
