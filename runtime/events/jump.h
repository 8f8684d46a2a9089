/*
 * Jump: ends the visits that longjmp() leaves.
 *
 * A call of setjmp() is remembered by its buffer, with what was open in the thread; longjmp() with the same buffer ends
 * what was opened since.  The stack pointer alone would not tell regions before the setjmp() from those behind it in
 * the same function.  A jump that is not seen (in a library, or to a buffer that is forgotten) shows at the next event
 * as a return does (thread.h).
 */
#ifndef OMPP_EVENTS_JUMP_H
#define OMPP_EVENTS_JUMP_H

/* Notes that setjmp() is about to be called with this buffer, or longjmp(). */
void ompp_jump_set(const void *buffer);
void ompp_jump_go(const void *buffer);

#endif
