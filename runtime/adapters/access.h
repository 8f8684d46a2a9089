/*
 * Access: what the hooks of the program's own code call in libompp.  All are also declared where they live (core); the
 * archive libompp_access.a is the program's, and sees libompp through these names alone.
 */
#ifndef OMPP_ADAPTERS_ACCESS_H
#define OMPP_ADAPTERS_ACCESS_H

#include "runtime/base/relaxed.h"
#include "runtime/core/access.h"

/* A block of the heap, or a mapping, is about to go: names in it end. */
void ompp_access_freed(const void *block);
void ompp_access_unmapped(const void *address, size_t n_bytes);

/* A program or library that has hooks, at [lo, hi), is about to go: containers that its code would be asked about end. */
void ompp_access_unloaded(const void *lo, const void *hi);

/* A block is about to be moved: by realloc (n_bytes 0), or by mremap, which is told its size.  Then where it is now (NULL:
 * it is gone), with its size (SIZE_MAX: nothing happened). */
struct ompp_range *ompp_access_moving(const void *block, size_t n_bytes);
void ompp_access_moved(struct ompp_range *ranges, const void *from, const void *to, size_t n_bytes);

#endif
