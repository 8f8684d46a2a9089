/*
 * Signal mask: sees that the program blocks SIGTRAP, or installs handlers during which it is blocked, where breakpoints
 * count and the machine may lose a trap: the kernel ends a process whose lost trap is blocked (sources/breakpoint.h).
 * Such calls are met in the program and in the libraries that are loaded at the start.  Not met are system calls
 * without the C library, and its functions that POSIX no longer has (sighold, sigblock, sigsetmask).
 */
#ifndef OMPP_ADAPTERS_SIGNAL_MASK_H
#define OMPP_ADAPTERS_SIGNAL_MASK_H

#include <signal.h>

/* Stands in front of the calls that matter, where breakpoints are asked for and traps may be lost.  COLD. */
void ompp_signal_mask_start(void);

/* Is told of each action of the program's, before it is set. */
void ompp_signal_mask_action(int sig, const struct sigaction *action);

#endif
