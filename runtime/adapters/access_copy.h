/*
 * Access, copy: gcc hooks a large copy or fill of a struct and then calls memcpy or memset for it, which is counted, too.
 * What the hooks saw last (ompp_access_last_copy) tells the second from a copy of its own.
 */
#ifndef OMPP_ADAPTERS_ACCESS_COPY_H
#define OMPP_ADAPTERS_ACCESS_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/core/access.h"

enum { OMPP_CALL_DISTANCE = 128 };              /* bytes of code between the hook and the call, at most */

/* Was this fill (or copy: from is not 0) hooked just before, by the same place?  It is forgotten then. */
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
