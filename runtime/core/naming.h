/*
 * Naming: the program's, the user's and the runtime's own ways to name memory, all by the calling thread.
 */
#ifndef OMPP_CORE_NAMING_H
#define OMPP_CORE_NAMING_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/access.h"

struct ompp_thread;

enum { OMPP_NAME_PRIVATE = 1 };

/* Name memory; inside a parallel region, or with OMPP_NAME_PRIVATE, as the thread's own.  With `scoped` the range, if it
 * lies on the calling thread's stack, ends with the result given to ompp_range_end(); 0 when it does not. */
uint64_t ompp_name(const char *name, enum ompp_origin origin, uintptr_t address, size_t n_bytes, int flags, int scoped);

/* End the range of a name. */
void ompp_unname(const char *name);

/* End the newest scoped range of a name on the calling thread's stack. */
void ompp_unname_scoped(const char *name);

/* Is the object watched by breakpoints?  0: no; 1: all its accesses together; 2: its stores, too. */
int ompp_naming_watched(uint32_t object);

/* OMPP_DATA_*: COLD, once. */
void ompp_naming_start(void);

/* Make the calling thread's stack known as (stack). */
void ompp_naming_stack(struct ompp_thread *t);

#endif
