/*
 * Auxv: what the kernel handed to the process at its start: page size, the vDSO, whether it has more rights than its user.
 */
#ifndef OMPP_BASE_AUXV_H
#define OMPP_BASE_AUXV_H

#include <stddef.h>

/* The arguments that a constructor gets.  Called once, before anything else here; without it, or when they are not those
 * of the process's start, /proc/self/auxv is read. */
void ompp_auxv_start(int argc, char **argv, char **envp);

/* The value of a type (AT_…).  0: it is not known. */
unsigned long ompp_auxv(unsigned long type);

size_t ompp_page_bytes(void);

/* 1: a set-uid or set-gid program, or one with capabilities: its environment is somebody else's. */
int ompp_is_secure(void);

#endif
