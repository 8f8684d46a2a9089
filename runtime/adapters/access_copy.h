/*
 * Access, copy: gcc hooks a large copy or fill of a struct and then calls memcpy or memset for it, which is counted, too.
 * What the hooks saw last tells the second from a copy of its own.  Of the archive: hidden, one a thread.
 */
#ifndef OMPP_ADAPTERS_ACCESS_COPY_H
#define OMPP_ADAPTERS_ACCESS_COPY_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_CALL_DISTANCE = 128 };              /* bytes of code between the hook and the call, at most */

struct ompp_last_copy {
	uintptr_t from, to;                     /* of the last hook of a range that is read, and written */
	size_t    n_bytes;                      /* of the latter */
	uintptr_t site;                         /* its return address; 0: there was none */
};

extern __thread struct ompp_last_copy ompp_last_copy
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Was this fill (or copy: from is not 0) hooked just before, by the same place?  It is forgotten then. */
static inline int ompp_copy_was_hooked(const void *to, const void *from, size_t n_bytes, const void *site)
{
	struct ompp_last_copy *last = &ompp_last_copy;

	if (!last->site || last->to != (uintptr_t)to || last->n_bytes != n_bytes ||
	    (from && last->from != (uintptr_t)from) || (uintptr_t)site - last->site >= OMPP_CALL_DISTANCE)
		return 0;
	last->site = 0;
	return 1;
}

#endif
