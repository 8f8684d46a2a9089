/*
 * Auxv: the auxiliary vector, which the kernel hands to the process at its start: page size, the vDSO, whether the
 * process has more rights than its user.
 */
#ifndef OMPP_BASE_AUXV_H
#define OMPP_BASE_AUXV_H

#include <stddef.h>

/* Takes the arguments that a constructor gets.  Call it once, before anything else here.  Without that call, or when
 * they are not the arguments of the process's start, /proc/self/auxv is read. */
void ompp_auxv_start(int argc, char **argv, char **envp);

/* Returns the value of a type (AT_PAGESZ and so on), or 0 when it is not known. */
unsigned long ompp_auxv(unsigned long type);

size_t ompp_page_bytes(void);

/* Returns 1 in a set-uid or set-gid program, and in one with capabilities: its environment is somebody else's. */
int ompp_is_secure(void);

#endif
