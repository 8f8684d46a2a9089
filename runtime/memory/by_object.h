/*
 * By object: what is kept of each data object, found by its index.
 *
 * One thread at a time makes entries; any may look one up meanwhile, also one in a signal handler.
 */
#ifndef OMPP_MEMORY_BY_OBJECT_H
#define OMPP_MEMORY_BY_OBJECT_H

#include <stddef.h>
#include <stdint.h>

/* All 0 at first. */
struct ompp_by_object {
	void **table; /* replaced when it grows; the old one stays, as somebody may read it */
	size_t n;
};

/* Returns what is kept of an object; NULL for nothing. */
const void *ompp_by_object_get(const struct ompp_by_object *all, uint32_t object);

/* Returns the same, made of zeros if need be; NULL without memory. */
void *ompp_by_object_make(struct ompp_by_object *all, uint32_t object, size_t n_bytes);

#endif
