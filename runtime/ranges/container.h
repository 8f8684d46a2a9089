/*
 * Container: an object of the program (a std::vector, a view) that knows where its data is, and may move it.
 *
 * The bytes of the object itself are watched: their segment never matches a way, so that each access to them reaches
 * access/follow.c, which examines the object again after a change.  Its data is an ordinary range.
 *
 * Structs are reused, never freed: a struct that was found without the lock may meanwhile be another container.
 */
#ifndef OMPP_RANGES_CONTAINER_H
#define OMPP_RANGES_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/ranges/range.h"

enum { OMPP_SEEN_WORDS = 16 }; /* in larger objects, only changes by stores that hooks see are noticed */

/* Asks an object where its data is.  The function may be code of the program. */
typedef void ompp_look(const void *object, const void **data, size_t *n_bytes);

/* The number of active containers. */
extern _Atomic uint32_t ompp_n_containers;

/* Watches an object of n_bytes, and names its data; the other parameters are as in ompp_range_begin_as().  Afterwards
 * the caller has to examine the object.
 * container: gets the container, or NULL when nothing was set */
uint64_t ompp_container_begin(enum ompp_range_kind kind, const char *name, enum ompp_origin origin, uintptr_t object,
                              size_t n_bytes, ompp_look *look, uint32_t owner, uintptr_t scope,
                              struct ompp_container **container);

/* Returns 1 when the object has changed since it was last examined.  Lock-free; called by a thread that accesses the
 * object. */
int ompp_container_has_changed(const struct ompp_container *container);

/* A snapshot of a container, so that it can be asked without the lock. */
struct ompp_seen {
	uintptr_t lo, hi;
	ompp_look *look;
	const char *name; /* constant */
	uint32_t generation, n_words;
	uint64_t words[OMPP_SEEN_WORDS];
};

/* Takes a snapshot of a container.  Returns 0 when it has ended, or must not be asked. */
int ompp_container_see(struct ompp_container *container, struct ompp_seen *seen);

/* Moves the container's range to where the container says that its data is.
 * seen: the snapshot with which it was asked */
void ompp_container_follow(struct ompp_container *container, const struct ompp_seen *seen, const void *data,
                           size_t n_bytes);

/* Marks the container as not to be asked any more; its range stays where it is. */
void ompp_container_leave(struct ompp_container *container, const struct ompp_seen *seen);

/* Ends the containers whose functions lie in the code [lo, hi), which is about to be unloaded. */
void ompp_containers_unload(uintptr_t lo, uintptr_t hi);

/* Lists the containers that overlap [lo, hi), at most `most`, as more of them side by side are rare.  Returns how
 * many. */
size_t ompp_containers_in(uintptr_t lo, uintptr_t hi, struct ompp_container **list, size_t most);

#endif
