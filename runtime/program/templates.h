/*
 * Templates: where functions of the C++ library's templates are in the program's files, by their tables of symbols.
 *
 * Without optimisation a vector in a vector allocates a dozen such functions below the program's own one, which then is
 * beyond what a call path has.
 */
#ifndef OMPP_PROGRAM_TEMPLATES_H
#define OMPP_PROGRAM_TEMPLATES_H

#include <stdint.h>

/* Returns 1 for the symbol of a function that is one of the C++ library's. */
int ompp_templates_name(const char *symbol);

/* Looks into the files that are loaded and that it does not know yet.  One thread at a time. */
void ompp_templates_look(void);

/* Returns 1 when an address is in such a function.  From any thread. */
int ompp_templates_hold(uintptr_t address);

#endif
