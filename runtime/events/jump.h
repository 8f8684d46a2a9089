/*
 * Jump: ends the visits that longjmp() leaves.
 *
 * A call of setjmp() is recorded by its buffer, with the open visits of the thread; longjmp() with the same buffer ends
 * the visits that were opened since then.  The stack pointer would not be enough: it does not distinguish regions
 * before the setjmp() from those after it in the same function.  A jump that is not seen (in a library, or to a buffer
 * that is no longer recorded) is detected at the next event, like a return (thread.h).
 */
#ifndef OMPP_EVENTS_JUMP_H
#define OMPP_EVENTS_JUMP_H

/* Record that setjmp(), or longjmp(), is about to be called with this buffer. */
void ompp_jump_set(const void *buffer);
void ompp_jump_go(const void *buffer);

#endif
