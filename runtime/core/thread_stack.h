/*
 * Thread stack: names the memory of a thread's own stack (stack), and of its own variables.
 */
#ifndef OMPP_CORE_THREAD_STACK_H
#define OMPP_CORE_THREAD_STACK_H

#include <stdint.h>

struct ompp_thread;

/* Finds the stack that the caller is on: sets *lo and *hi, both to 0 when it is not known.  COLD. */
void ompp_thread_find_stack(uintptr_t *lo, uintptr_t *hi);

/* The first makes the calling thread's stack known as (stack), and names its own variables (section.h).  The second
 * ends this, of any thread. */
void ompp_thread_name_stack(struct ompp_thread *t);
void ompp_thread_unname_stack(struct ompp_thread *t);

/* Names the calling thread's own variables again, as a file that was loaded later has given it some.  Returns 0 when
 * the thread has no names yet; it will get all of them. */
int ompp_thread_name_own(void);

#endif
