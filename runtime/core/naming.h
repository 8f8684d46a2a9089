/*
 * Naming: the program's, the user's and the runtime's own ways to name memory, all by the calling thread.
 */
#ifndef OMPP_CORE_NAMING_H
#define OMPP_CORE_NAMING_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/access.h"
#include "runtime/data/container.h"

struct ompp_thread;

enum { OMPP_NAME_PRIVATE = 1, OMPP_NAME_UNSCOPED = 2, OMPP_NAME_EACH = 4, OMPP_NAME_SUM = 8, OMPP_NAME_NESTED = 16 };

/* What is named: n_bytes at address; or with `look` the data of the container there, which is as large.  scope: the frame
 * of the call that names; 0: none. */
struct ompp_name {
	const char      *text;
	enum ompp_origin origin;
	uintptr_t        address;
	size_t           n_bytes;
	ompp_look       *look;
	int              flags;
	uintptr_t        scope;
};

/* Name memory; inside a parallel region, or with OMPP_NAME_PRIVATE, as the thread's own; with OMPP_NAME_EACH as one of
 * several objects, with OMPP_NAME_SUM as one of several places of the object (range.h).  With a scope, what is named on
 * the calling thread's stack ends by the result given to ompp_range_end() or by ompp_unname_scoped(); 0 when it is not
 * on the stack. */
uint64_t ompp_name(const struct ompp_name *name);

/* End the range of a name. */
void ompp_unname(const char *name);

/* End the ranges of a name whose scopes are on the calling thread's stack below the frame. */
void ompp_unname_scoped(const char *name, uintptr_t frame);

/* OMPP_DATA_* and OMPP_CTR*: COLD, once. */
void ompp_naming_start(void);

/* After the start, in the main thread: let breakpoints of names in the environment count from now on. */
void ompp_naming_here(void);

/* Make the calling thread's stack known as (stack). */
void ompp_naming_stack(struct ompp_thread *t);

#endif
