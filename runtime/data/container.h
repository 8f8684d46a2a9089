/*
 * Container: an object of the program (a std::vector, a view) that says where its data is, and lets it move.
 *
 * The bytes of the object itself are watched: their segment never fits a way, so that each access to them comes to
 * core/follow.c, which lets the object be looked at again when it has changed.  Its data is an ordinary range.
 *
 * Structs are used again, never freed: a container that was reached without the lock may be another one since.
 */
#ifndef OMPP_DATA_CONTAINER_H
#define OMPP_DATA_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/range.h"

enum { OMPP_SEEN_WORDS = 16 };          /* of larger objects only stores are noticed, not what was changed unseen */

/* What an object says of its data.  It may be code of the program. */
typedef void ompp_look(const void *object, const void **data, size_t *n_bytes);

/* Containers in force. */
extern _Atomic uint32_t ompp_n_containers;

/* Watch an object of n_bytes, whose data has the name; otherwise as ompp_range_begin_as().  To be looked at by the
 * caller, then.  *container: NULL when nothing was set. */
uint64_t ompp_container_begin(enum ompp_range_kind kind, const char *name, enum ompp_origin origin, uintptr_t object,
                              size_t n_bytes, ompp_look *look, uint32_t owner, uintptr_t scope,
                              struct ompp_container **container);

/* Is the object not what it was when it was looked at?  Lock-free; by a thread that accesses the object. */
int ompp_container_has_changed(const struct ompp_container *container);

/* What a container is now, so that it can be asked without the lock. */
struct ompp_seen {
	uintptr_t   lo, hi;
	ompp_look  *look;
	const char *name;                       /* constant */
	uint32_t    generation, n_words;
	uint64_t    words[OMPP_SEEN_WORDS];
};

/* See a container; 0: it is no more, or must not be asked. */
int ompp_container_see(struct ompp_container *container, struct ompp_seen *seen);

/* What the container said when it was seen: let its range be there. */
void ompp_container_follow(struct ompp_container *container, const struct ompp_seen *seen, const void *data,
                           size_t n_bytes);

/* Never ask the container again: its data stays where it is. */
void ompp_container_leave(struct ompp_container *container, const struct ompp_seen *seen);

/* Code at [lo, hi) is about to go: end the containers that would be asked by it. */
void ompp_containers_unload(uintptr_t lo, uintptr_t hi);

/* The containers that meet [lo, hi), at most `most`: more beside each other are rare.  Returns how many. */
size_t ompp_containers_in(uintptr_t lo, uintptr_t hi, struct ompp_container **list, size_t most);

/* Of range.c: the watch ends, or the range of the data.  Under the lock. */
void ompp_container_range_ended(struct ompp_range *range);

#endif
