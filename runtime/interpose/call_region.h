/*
 * Call region: regions of files that kinst did not build, known by the calls that they make.
 */
#ifndef OMPP_INTERPOSE_CALL_REGION_H
#define OMPP_INTERPOSE_CALL_REGION_H

#include <stdint.h>

#include "runtime/core/region.h"
#include "runtime/host/redirect.h"

typedef void ompp_call_function(void);

/* The row of a list of redirections for a function; ours is called name_, and calls real_name. */
/* clang-format off */
#define OMPP_CALL_ROW(name) \
	{ #name, (ompp_call_function *)(uintptr_t)name##_, (ompp_call_function **)(void *)&real_##name, OMPP_REDIRECT_UNBUILT }
/* clang-format on */

/* Returns the region of a construct whose call returns to this address, or to which ompp_call_body() gives it, which it
 * makes at the first call (COLD; later calls look into a table).  Never NULL: what cannot be measured, for want of
 * memory or room in the table, is a region that is off, and has the key 0; so has what lies in a file that kinst built.
 *
 * lock: the variable whose symbol has the name of a critical section; else NULL */
struct ompp_region_def *ompp_call_region(enum ompp_construct construct, const void *lock, uintptr_t address);

/* The same for a construct of which the OpenMP library tells us that it begins and ends.
 * address: 0 when the library did not tell it */
struct ompp_region_def *ompp_call_told(enum ompp_construct construct, uintptr_t address);

/* Returns the address for a construct that the compiler made a function of: compilers tell its line better than that of
 * the call, and each copy of the call has the same function. */
static inline uintptr_t ompp_call_body(void (*body)(void *))
{
	return (uintptr_t)body + 1; /* as if it were behind a call */
}

/* Returns the innermost open construct of this thread, in its team or task, of one of two kinds; NULL when there is
 * none.  For calls that end what another call began.
 * stack: set to the stack pointer of the call that began it, for events within the one that ends it: if that is the
 * last thing that its function does, the function's stack is gone; may be NULL */
struct ompp_region_def *ompp_call_open(enum ompp_construct kind, enum ompp_construct or_kind, uintptr_t *stack);

#endif
