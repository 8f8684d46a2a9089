/*
 * Thread stack: names the memory of a thread's own stack (stack).
 */
#ifndef OMPP_CORE_THREAD_STACK_H
#define OMPP_CORE_THREAD_STACK_H

#include <stdint.h>

struct ompp_thread;

/* Finds the stack that the caller is on: sets *lo and *hi, both to 0 when it is not known.  COLD. */
void ompp_thread_find_stack(uintptr_t *lo, uintptr_t *hi);

/* Makes the calling thread's stack known as (stack). */
void ompp_thread_name_stack(struct ompp_thread *t);

#endif
