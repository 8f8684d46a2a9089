/*
 * Stack: runs functions that need much stack on a stack of our own, where the program's may be small.
 *
 * A thread of the program may have 16 KiB (ulimit -s 16, PTHREAD_STACK_MIN), of which the program has used some. Events
 * need only some hundred bytes; the start of the session, the look-up of a function and a report need more.
 */
#ifndef OMPP_HOST_STACK_H
#define OMPP_HOST_STACK_H

/* Calls run(arg): on the caller's stack when that is the main thread's and has room, else on a stack of our own.  There
 * all signals are blocked meanwhile except synchronous ones (SIGSEGV and the like), as a handler of the program that
 * leaves by longjmp() would leave our work undone.  `run` may not raise exceptions.  COLD. */
void ompp_stack_call(void (*run)(void *arg), void *arg);

#endif
