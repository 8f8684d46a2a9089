/*
 * Access: the functions of libompp that the hooks in the program call.  The archive libompp_access.a, which contains
 * the hooks, is linked into the program and uses libompp only through these names.  Functions that other folders
 * implement are declared there.
 */
#ifndef OMPP_ADAPTERS_ACCESS_HOOKS_H
#define OMPP_ADAPTERS_ACCESS_HOOKS_H

#include "runtime/access/access.h"
#include "runtime/base/relaxed.h"

/* End the names in a heap block, or in a mapping, that is about to be freed. */
void ompp_access_freed(const void *block);
void ompp_access_unmapped(const void *address, size_t n_bytes);

/* Ends the containers whose functions are in the code of a program or library with hooks at [lo, hi), which is about to
 * be unloaded. */
void ompp_access_unloaded(const void *lo, const void *hi);

/* Report that realloc or mremap is about to move a block, and then its new address.  The first returns the named ranges
 * in the block, which must be passed to the second.
 * n_bytes: for the first, the block's size for mremap, and 0 for realloc; for the second, its new size, or SIZE_MAX
 * when it was not changed to: its new address; NULL when it was freed */
struct ompp_range *ompp_access_moving(const void *block, size_t n_bytes);
void ompp_access_moved(struct ompp_range *ranges, const void *from, const void *to, size_t n_bytes);

#endif
