/*
 * Naming: names memory for the program, the user and the runtime itself.  All functions are called by the thread that
 * names.
 */
#ifndef OMPP_SESSION_NAMING_H
#define OMPP_SESSION_NAMING_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/ranges/container.h"
#include "runtime/terms/access_fields.h"

enum { OMPP_NAME_PRIVATE = 1, OMPP_NAME_UNSCOPED = 2, OMPP_NAME_EACH = 4, OMPP_NAME_SUM = 8, OMPP_NAME_NESTED = 16 };

/* What is named: n_bytes at address, or with `look` the data of the container of n_bytes at address.  The scope is the
 * stack frame of the naming call, or 0. */
struct ompp_name {
	const char *text;
	enum ompp_origin origin;
	uintptr_t address;
	size_t n_bytes;
	ompp_look *look;
	int flags;
	uintptr_t scope;
};

/* Names memory.  Returns an id for ompp_range_end() when the name has a scope and the memory is on the calling thread's
 * stack; otherwise 0.
 *
 * Inside a parallel region, or with OMPP_NAME_PRIVATE, the memory is named as the thread's own; with OMPP_NAME_EACH as
 * one of several objects, with OMPP_NAME_SUM as one of several places of the object (range.h).  With a scope, what is
 * named on the calling thread's stack ends by ompp_range_end() or by ompp_unname_scoped(). */
uint64_t ompp_name(const struct ompp_name *name);

/* Ends the range of a name. */
void ompp_unname(const char *name);

/* Ends the ranges of a name whose scopes are on the calling thread's stack below the frame. */
void ompp_unname_scoped(const char *name, uintptr_t frame);

/* Reads OMPP_DATA_* and OMPP_CTR*.  Called once.  COLD. */
void ompp_naming_start(void);

/* Starts the breakpoints of names in the environment, and the recording of the main thread's page faults.  Called after
 * the start, in the main thread. */
void ompp_naming_here(void);

#endif
