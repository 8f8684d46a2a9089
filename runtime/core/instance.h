/*
 * Instance: deals with the segment that a task instance has in its thread's frames (thread.h), when the instance ends
 * or goes on in another thread.
 *
 * An untied instance is suspended when its function has returned to the scheduler: its segment stays on the frame
 * stack.  Only the thread that takes a suspended segment over writes to it: it copies the segment and then sets
 * OMPP_FRAME_MOVED (release).  The old thread drops the segment when it comes to the top.
 */
#ifndef OMPP_CORE_INSTANCE_H
#define OMPP_CORE_INSTANCE_H

#include <stdint.h>

#include "runtime/core/thread.h"

/* Notes that the instance at f ran for `elapsed`, so that the instances below it did not run meanwhile. */
void ompp_instance_charge(struct ompp_thread *t, const struct ompp_frame *f, uint64_t elapsed);

/* Drops the innermost segments that went on elsewhere, and charges their time up to the suspension. */
void ompp_instance_drop_moved(struct ompp_thread *t);

#endif
