/*
 * Instance: handles a task instance's segment of its thread's frame stack (thread.h), when the instance ends or
 * continues in another thread.
 *
 * An untied instance is suspended when its function has returned to the scheduler, which the runtime does not see: its
 * segment stays on the frame stack.  The instance has a record of its open frames.  At each event at which it may be
 * suspended, its thread writes the record; the thread that resumes it reads the record, after the OpenMP library has
 * handed the task over.  The record's token then changes, so that each thread can tell which of its segments continue
 * elsewhere.  It drops these when they get to the top.
 *
 * A token combines a generation (high bits) with the index of the record: it is never reused.
 */
#ifndef OMPP_CORE_INSTANCE_H
#define OMPP_CORE_INSTANCE_H

#include <stdint.h>

#include "runtime/core/thread.h"

/* An open frame of an instance, from its base on. */
struct ompp_instance_part {
	uint64_t key;
	uint32_t flags;
};

struct ompp_instance;

/* Records that the instance at f ran for `elapsed`, and that the instances below it did not run meanwhile. */
void ompp_instance_charge(struct ompp_thread *t, const struct ompp_frame *f, uint64_t elapsed);

/* Pops the innermost segment, whose untied instance is suspended or continues elsewhere.  The instance ran up to its
 * last event; frames above it since then belong to others. */
void ompp_instance_drop(struct ompp_thread *t);

/* Drops the innermost segments that continue elsewhere. */
void ompp_instance_drop_moved(struct ompp_thread *t);

/* Returns 1 when the untied instance of this base continues elsewhere.  Any thread may call it. */
int ompp_instance_is_moved(const struct ompp_frame *base);

/* Create a record for a new untied instance, and free that of an ended one.  The token is 0 without memory: then the
 * instance is treated as tied. */
uint64_t ompp_instance_new(struct ompp_thread *t);
void ompp_instance_free(struct ompp_thread *t, uint64_t token);

/* Writes the open frames of the running untied instance into its record. */
void ompp_instance_note(struct ompp_thread *t);

/* Moves an instance that continues elsewhere to the calling thread.  Returns its record's parts, and sets *n and its
 * new token; NULL when there is no such instance. */
const struct ompp_instance_part *ompp_instance_take(uint64_t token, uint32_t *n, uint64_t *new_token);

/* Returns the instance's part of the longest path, as it was when its frames were written; NULL when there is none. */
struct ompp_span_task *ompp_instance_path(uint64_t token);

#endif
