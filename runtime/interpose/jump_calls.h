/*
 * Jump calls: longjmp() of a program that the emulator runs.
 */
#ifndef OMPP_INTERPOSE_JUMP_CALLS_H
#define OMPP_INTERPOSE_JUMP_CALLS_H

/* Redirects the jumps of the program and its libraries to us (host/redirect.h), where the emulator counts. */
void ompp_jump_calls_watch(void);

#endif
