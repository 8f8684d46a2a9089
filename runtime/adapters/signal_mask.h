/*
 * Signal mask: detects that the program blocks SIGTRAP, or installs handlers during which it is blocked, when
 * breakpoints count and the machine may lose a trap: the kernel ends a process whose lost trap is blocked
 * (sources/breakpoint.h).  Such calls are intercepted in the program and in the libraries that are loaded at the start;
 * except direct system calls, and C library functions that POSIX has removed (sighold, sigblock, sigsetmask).
 */
#ifndef OMPP_ADAPTERS_SIGNAL_MASK_H
#define OMPP_ADAPTERS_SIGNAL_MASK_H

#include <signal.h>

/* Intercepts the relevant calls, if breakpoints are requested and traps may be lost.  COLD. */
void ompp_signal_mask_start(void);

/* Called for each signal action of the program, before it is set. */
void ompp_signal_mask_action(int sig, const struct sigaction *action);

#endif
