/*
 * OpenMP: where the code of the OpenMP library is, in a file of its own or in a static program.
 */
#ifndef OMPP_PROGRAM_OPENMP_H
#define OMPP_PROGRAM_OPENMP_H

#include <stdint.h>

/* Looks for it.  It is called once, before ompp_openmp_holds(). */
void ompp_openmp_find(void);

/* Returns 1 when it was found. */
int ompp_openmp_is_known(void);

/* Returns 1 when an address is one of its code. */
int ompp_openmp_holds(uintptr_t address);

#endif
