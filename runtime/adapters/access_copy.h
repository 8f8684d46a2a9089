/*
 * Access, copy: detects a copy or fill that was already counted.
 *
 * gcc hooks a large copy or fill of a struct, and then calls memcpy or memset for it, which would be counted once more.
 * The last one that the hooks saw is in ompp_access_last_copy.
 */
#ifndef OMPP_ADAPTERS_ACCESS_COPY_H
#define OMPP_ADAPTERS_ACCESS_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/access/access.h"

enum { OMPP_CALL_DISTANCE = 128 }; /* maximum distance in bytes of code between the hook and the call */

/* Returns whether the same place of the program hooked this copy or fill just before; if so, clears the record.  from
 * is NULL for a fill. */
static inline int ompp_copy_was_hooked(const void *to, const void *from, size_t n_bytes, const void *site)
{
	struct ompp_last_copy *last = &ompp_access_last_copy;

	if (!last->site || last->to != (uintptr_t)to || last->n_bytes != n_bytes ||
	    (from && last->from != (uintptr_t)from) || (uintptr_t)site - last->site >= OMPP_CALL_DISTANCE)
		return 0;
	last->site = 0;
	return 1;
}

#endif
