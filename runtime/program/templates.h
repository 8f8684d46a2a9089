/*
 * Templates: finds functions of the C++ library's templates in the program's files, from their symbol tables.
 *
 * Without optimisation, a vector in a vector allocates a dozen such functions below the program's own function, which
 * would then be beyond the limit of a call path.
 */
#ifndef OMPP_PROGRAM_TEMPLATES_H
#define OMPP_PROGRAM_TEMPLATES_H

#include <stdint.h>

/* Returns 1 for the symbol of a function that is one of the C++ library's, but those that call what the program gave
 * them: a lambda of the program's may be inlined into these. */
int ompp_templates_name(const char *symbol);

/* Reads the files that were loaded since the last call.  One thread at a time. */
void ompp_templates_look(void);

/* Returns 1 when an address is in such a function.  Any thread may call it. */
int ompp_templates_hold(uintptr_t address);

/* Returns 1 when an address is in a file of the C or the C++ library's.  Any thread may call it. */
int ompp_templates_is_library(uintptr_t address);

#endif
