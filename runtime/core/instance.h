/*
 * Instance: deals with the segment that a task instance has in its thread's frames (thread.h), when the instance ends
 * or goes on in another thread.
 *
 * An untied instance is suspended when its function has returned to the scheduler, which the runtime does not see: its
 * segment stays on the frame stack.  The instance has a record, which says what is open in it.  At each event at which
 * it may be suspended, its thread writes the record; the thread in which it goes on reads it, after the OpenMP library
 * has handed the task over.  The record's token changes then, and so each thread sees by itself which of its segments
 * went on elsewhere.  It drops these when they come to the top.
 *
 * A token is an index of the record, below a generation: it is never reused.
 */
#ifndef OMPP_CORE_INSTANCE_H
#define OMPP_CORE_INSTANCE_H

#include <stdint.h>

#include "runtime/core/thread.h"

/* What is open in an instance, from its base on. */
struct ompp_instance_part {
	uint64_t key;
	uint32_t flags;
};

struct ompp_instance;

/* Notes that the instance at f ran for `elapsed`, so that the instances below it did not run meanwhile. */
void ompp_instance_charge(struct ompp_thread *t, const struct ompp_frame *f, uint64_t elapsed);

/* Takes the innermost segment, of an untied instance that is suspended or went on elsewhere, off the frames.  It ran up
 * to its last event; what ran above it since was the work of others. */
void ompp_instance_drop(struct ompp_thread *t);

/* Drops the innermost segments that went on elsewhere. */
void ompp_instance_drop_moved(struct ompp_thread *t);

/* Returns 1 when the untied instance of this base went on elsewhere.  Any thread may ask. */
int ompp_instance_is_moved(const struct ompp_frame *base);

/* Make a record for a new untied instance, and free that of one that has ended.  The token is 0 where memory lacks:
 * then the instance counts as a tied one. */
uint64_t ompp_instance_new(struct ompp_thread *t);
void ompp_instance_free(struct ompp_thread *t, uint64_t token);

/* Writes what is open in the running instance, which is untied, into its record. */
void ompp_instance_note(struct ompp_thread *t);

/* Gives an instance that goes on elsewhere to the caller.  Returns its record's parts, and sets *n and its new token;
 * NULL when there is no such instance. */
const struct ompp_instance_part *ompp_instance_take(uint64_t token, uint32_t *n, uint64_t *new_token);

#endif
