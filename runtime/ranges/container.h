/*
 * Container: an object of the program (a std::vector, a view) that says where its data is, and lets it move.
 *
 * The bytes of the object itself are watched: their segment never fits a way, so that each access to them comes to
 * access/follow.c, which lets the object be looked at again when it has changed.  Its data is an ordinary range.
 *
 * Structs are used again, never freed: a container that was reached without the lock may be another one since.
 */
#ifndef OMPP_RANGES_CONTAINER_H
#define OMPP_RANGES_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/ranges/range.h"

enum { OMPP_SEEN_WORDS = 16 }; /* in objects of more words only changes by stores that hooks see are noticed */

/* Asks an object where its data is.  It may be code of the program. */
typedef void ompp_look(const void *object, const void **data, size_t *n_bytes);

/* How many containers are in force. */
extern _Atomic uint32_t ompp_n_containers;

/* Watches an object of n_bytes, whose data has the name; the rest is as in ompp_range_begin_as().  Then the caller has
 * to look at the object.
 * container: gets the container, or NULL when nothing was set */
uint64_t ompp_container_begin(enum ompp_range_kind kind, const char *name, enum ompp_origin origin, uintptr_t object,
                              size_t n_bytes, ompp_look *look, uint32_t owner, uintptr_t scope,
                              struct ompp_container **container);

/* Returns 1 when the object has changed since it was looked at.  Lock-free; a thread that accesses the object
 * calls it. */
int ompp_container_has_changed(const struct ompp_container *container);

/* A copy of what a container is now, so that it can be asked without the lock. */
struct ompp_seen {
	uintptr_t lo, hi;
	ompp_look *look;
	const char *name; /* constant */
	uint32_t generation, n_words;
	uint64_t words[OMPP_SEEN_WORDS];
};

/* Copies a container.  Returns 0 when it is no more, or must not be asked. */
int ompp_container_see(struct ompp_container *container, struct ompp_seen *seen);

/* Puts the container's range where the container says that its data is.
 * seen: the copy by which it was asked */
void ompp_container_follow(struct ompp_container *container, const struct ompp_seen *seen, const void *data,
                           size_t n_bytes);

/* Lets nobody ask the container any more; its range stays where it is. */
void ompp_container_leave(struct ompp_container *container, const struct ompp_seen *seen);

/* Ends the containers that the code at [lo, hi) would be called to ask, as this code is about to be unloaded. */
void ompp_containers_unload(uintptr_t lo, uintptr_t hi);

/* Writes the containers that meet [lo, hi), at most `most`, as more beside each other are rare.  Returns how many. */
size_t ompp_containers_in(uintptr_t lo, uintptr_t hi, struct ompp_container **list, size_t most);

#endif
