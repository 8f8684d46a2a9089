/*
 * Thread stack: names the memory of a thread's stack (stack), and its thread-local variables.
 */
#ifndef OMPP_CORE_THREAD_STACK_H
#define OMPP_CORE_THREAD_STACK_H

#include <stdint.h>

struct ompp_thread;

/* Finds the stack that the caller is on: sets *lo and *hi, both to 0 when it is not known.  COLD. */
void ompp_thread_find_stack(uintptr_t *lo, uintptr_t *hi);

/* If not NULL, finds the stack of the calling thread in its place: in an emulator's process, where the program's stack
 * is another than that which the emulator runs on.  Set once, before the first thread starts. */
extern void (*ompp_thread_emulated_stack)(uintptr_t *lo, uintptr_t *hi);

/* The first names the calling thread's stack (stack), and its thread-local variables (section.h).  The second removes
 * these names, for any thread. */
void ompp_thread_name_stack(struct ompp_thread *t);
void ompp_thread_unname_stack(struct ompp_thread *t);

/* Names the calling thread's thread-local variables again, after a file with some was loaded.  Returns 0 when the
 * thread has no names yet; it will get all of them later. */
int ompp_thread_name_own(void);

#endif
