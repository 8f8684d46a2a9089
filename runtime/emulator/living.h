/*
 * Living: counts the emulated threads of the process for a library in it (struct ompp_emulated_threads).  A new one
 * counts from the call that starts it on, so that the count is never too low.
 */
#ifndef OMPP_EMULATOR_LIVING_H
#define OMPP_EMULATOR_LIVING_H

#include <stdint.h>

#include "runtime/data/emulation.h"

extern struct ompp_emulated_threads ompp_living;

/* The calling thread makes a system call, which has returned.
 * argument: its first one
 * is_ours:  1 when the library makes it */
void ompp_living_called(int64_t number, uint64_t argument, int is_ours);
void ompp_living_returned(int64_t number, int64_t result);

/* The calling thread ends, and others go on. */
void ompp_living_ended(void);

/* The process is a new one, in which the calling thread is alone. */
void ompp_living_forked(void);

#endif
