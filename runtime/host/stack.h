/*
 * Stack: runs what needs much stack on one of our own where the program's may be small.
 *
 * A thread of the program may have 16 KiB (ulimit -s 16, PTHREAD_STACK_MIN), of which the program has used some. Events
 * get along with some hundred bytes; the start of the session, the look-up of a function and a report do not.
 */
#ifndef OMPP_HOST_STACK_H
#define OMPP_HOST_STACK_H

/* Calls run(arg), on the caller's stack where that is the process's first one and has room, and on another one
 * elsewhere. There all signals are blocked meanwhile but for those that an instruction raises, as a handler of the
 * program that leaves by longjmp() would leave our work undone.  `run` may not raise exceptions.  COLD. */
void ompp_stack_call(void (*run)(void *arg), void *arg);

#endif
