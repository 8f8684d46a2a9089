/*
 * Follow: keeps up with the data of containers (ranges/container.h), which moves when the program changes them.
 *
 * A container is changed by a few stores one after the other, and what it says of its data in between is nonsense.  So
 * a thread that has stored into a container holds its next accesses back, as if they were still to come.  When several
 * accesses in a row were elsewhere, or an event comes, the container is looked at and the accesses that were held are
 * counted.  Other threads come to the container by loads, which find that it is not what it was when it was looked at
 * last.
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

/* Takes an access of a thread whose is_busy is set.  Returns 1 when the access was held, or is not the program's own;
 * then the caller does not count it.  WARM. */
int ompp_follow_hold(struct ompp_thread *t, const struct ompp_held *access);

/* Notes that an access to a container was counted.  WARM. */
void ompp_follow_met(struct ompp_thread *t, struct ompp_container *container, int is_store);

/* Looks which containers an access of the program meets, and counts nothing.  Called while measuring is off, too, as
 * containers change then as well. */
void ompp_follow_meet(uintptr_t address, size_t n_bytes, unsigned int slot);

/* Counts an access of any size, and looks which containers it meets. */
void ompp_follow_block(uintptr_t address, size_t n_bytes, unsigned int slot);

/* Looks at the containers that the thread touched, and counts the accesses that were held. */
void ompp_follow_settle(struct ompp_thread *t);

/* Looks at a container in this thread, and lets the range of its data follow. */
void ompp_follow_look(struct ompp_thread *t, struct ompp_container *container);

/* Asks an object that has its data elsewhere where that is.  Returns 1 when the answer comes from memory beyond the
 * object's own bytes [lo, hi), so that the answer may become wrong unseen, or asking itself may; otherwise 0. */
int ompp_follow_ask(struct ompp_thread *t, ompp_look *look, uintptr_t lo, uintptr_t hi, const void **data,
                    size_t *n_bytes);

/* Says in the report why not all is followed that the user may expect under a name. */
void ompp_follow_not(const char *name, const char *why);
#define OMPP_FOLLOW_OPEN   "its data() or size() reads memory outside of it; name it again where its data moves"
#define OMPP_FOLLOW_NESTED "its elements have data elsewhere, which is not counted for it; name those one by one"

#endif
