/*
 * Follow: keeps up with the data of containers (ranges/container.h), which moves when the program changes them.
 *
 * A container is changed by a few consecutive stores, and between them its description of its data is inconsistent.  So
 * after a thread has stored into a container, its next accesses are held back, i.e. not counted yet.  After several
 * accesses in a row to other memory, or at an event, the container is examined, and then the held accesses are counted.
 * Other threads notice at their loads from the container that it has changed since it was last examined.
 */
#ifndef OMPP_ACCESS_FOLLOW_H
#define OMPP_ACCESS_FOLLOW_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/core/thread.h"
#include "runtime/ranges/container.h"

/* Returns 1 when there are any containers. */
static inline int ompp_follow_has_containers(void)
{
	return atomic_load_explicit(&ompp_n_containers, memory_order_relaxed) != 0;
}

/* Handles an access of a thread whose is_busy is set.  Returns 1 when the access is held back, or is not the program's
 * own; then the caller does not count it.  WARM. */
int ompp_follow_hold(struct ompp_thread *t, const struct ompp_held *access);

/* Records that an access to a container was counted.  WARM. */
void ompp_follow_met(struct ompp_thread *t, struct ompp_container *container, int is_store);

/* Finds the containers that an access of the program touches, and counts nothing.  Also called while measuring is off,
 * as containers change then as well. */
void ompp_follow_meet(uintptr_t address, size_t n_bytes, unsigned int slot);

/* Counts an access of any size, and finds the containers that it touches. */
void ompp_follow_block(uintptr_t address, size_t n_bytes, unsigned int slot);

/* Examines the containers that the thread touched, and counts the held accesses. */
void ompp_follow_settle(struct ompp_thread *t);

/* Examines a container in this thread, and moves the range to its current data. */
void ompp_follow_look(struct ompp_thread *t, struct ompp_container *container);

/* Asks an object where its data is.  Returns 1 when the answer depends on memory outside the object's own bytes [lo,
 * hi), so that the answer, or even asking, may become invalid without our notice; otherwise 0. */
int ompp_follow_ask(struct ompp_thread *t, ompp_look *look, uintptr_t lo, uintptr_t hi, const void **data,
                    size_t *n_bytes);

/* Adds a note to the report why not all data of a name is followed. */
void ompp_follow_not(const char *name, const char *why);
#define OMPP_FOLLOW_OPEN   "its data() or size() reads memory outside of it; name it again where its data moves"
#define OMPP_FOLLOW_NESTED "its elements have data elsewhere, which is not counted for it; name those one by one"

#endif
