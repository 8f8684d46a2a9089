/*
 * OpenMP: finds the code of the OpenMP library, in its own file or in a static program.
 */
#ifndef OMPP_PROGRAM_OPENMP_H
#define OMPP_PROGRAM_OPENMP_H

#include <stdint.h>

/* Finds it.  Called once, before ompp_openmp_holds(). */
void ompp_openmp_find(void);

/* Returns 1 when it was found. */
int ompp_openmp_is_known(void);

/* Returns 1 when an address lies in its code. */
int ompp_openmp_holds(uintptr_t address);

/* Returns 1 when it is GCC's, and there is no other one beside it.  Any thread may call it, without the above.  COLD
 * once. */
int ompp_openmp_is_gnu(void);

#endif
