/*
 * Thread stack: names the memory of a thread's own stack (stack).
 */
#ifndef OMPP_CORE_THREAD_STACK_H
#define OMPP_CORE_THREAD_STACK_H

struct ompp_thread;

/* Makes the calling thread's stack known as (stack). */
void ompp_thread_name_stack(struct ompp_thread *t);

#endif
