/*
 * Demangle: converts symbols of GCC and Clang into C++ names as in the source (the Itanium C++ ABI, "External Names").
 *
 * The run-time library's __cxa_demangle() allocates on the program's heap; this uses the arena.  The results are the
 * same.  Names are not trusted: nesting and length are limited.
 */
#ifndef OMPP_PROGRAM_DEMANGLE_H
#define OMPP_PROGRAM_DEMANGLE_H

#include "runtime/base/arena.h"

enum ompp_demangle { OMPP_DEMANGLE_WHOLE, OMPP_DEMANGLE_NAME }; /* NAME: without result type and arguments */

/* Returns the name of a symbol that begins with "_Z", in the arena; NULL when it is not a C++ symbol, has unsupported
 * parts, or there is no memory. */
char *ompp_demangle(const char *symbol, enum ompp_demangle what, struct ompp_arena *arena);

/* Turns gfortran's "__module_MOD_procedure" into "module::procedure" in its place.  Returns 0 when the name is no such
 * name. */
int ompp_demangle_procedure(char *name);

#endif
