/*
 * Emulated: a program in the emulator, whose plug-in (runtime/emulator) counts its accesses in our tallies, and hands
 * over those that it cannot count.
 */
#ifndef OMPP_ACCESS_EMULATED_H
#define OMPP_ACCESS_EMULATED_H

#include "runtime/data/emulation.h"

struct ompp_thread;

/* Asks the plug-in: by a system call, unless the library is a part of the plug-in, which then sets it before the
 * start. */
extern void (*ompp_emulated_ask)(enum ompp_emulation_what what, void *about);

/* What the thread has as is_allocating (data/emulation.h).  By the functions that allocate, and jumps. */
extern __thread int ompp_emulated_allocating __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Asks the plug-in to count from now on, when ompp run says that it is there.  Called once, before the first event.
 * COLD. */
void ompp_emulated_start(char *const *environment);

/* Begins with the first thread, before the program runs, where the plug-in hands over accesses in their order, so that
 * few wait until then. */
void ompp_emulated_begin(void);

/* Returns 1 when the plug-in counts. */
int ompp_emulated_is_on(void);

/* Counts the calling thread's accesses that wait, at its innermost node; lets the plug-in know the thread, and gives
 * the node a tally with room for all that has a name, so that few have to wait. */
void ompp_emulated_settle(struct ompp_thread *t);

/* Forgets what waits; for a forked child. */
void ompp_emulated_after_fork(void);

/* Returns what the plug-in says of what is not counted, which is in its last four members. */
const struct ompp_emulation *ompp_emulated_uncounted(void);

#endif
