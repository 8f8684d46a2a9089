/*
 * Access: the functions of libompp that the hooks of the program's own code call.  The archive libompp_access.a, which
 * has the hooks, belongs to the program and sees libompp through these names alone.  Those that core implements are
 * declared there.
 */
#ifndef OMPP_ADAPTERS_ACCESS_HOOKS_H
#define OMPP_ADAPTERS_ACCESS_HOOKS_H

#include "runtime/access/access.h"
#include "runtime/base/relaxed.h"

/* End the names in a block of the heap, or in a mapping, that is about to go. */
void ompp_access_freed(const void *block);
void ompp_access_unmapped(const void *address, size_t n_bytes);

/* Ends the containers that the code of a program or library would be asked about.  The program or library has hooks,
 * is at [lo, hi), and is about to go. */
void ompp_access_unloaded(const void *lo, const void *hi);

/* Announce that realloc or mremap is about to move a block, and then where it is.  The first returns the named ranges
 * in the block, which the second takes.
 * n_bytes: at first the block's size for mremap, and 0 for realloc; then its new size, or SIZE_MAX when nothing
 * happened
 * to: where it is now; NULL when it is gone */
struct ompp_range *ompp_access_moving(const void *block, size_t n_bytes);
void ompp_access_moved(struct ompp_range *ranges, const void *from, const void *to, size_t n_bytes);

#endif
