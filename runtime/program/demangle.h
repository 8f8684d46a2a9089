/*
 * Demangle: turns symbols of GCC and Clang into C++ names as the source has them (the Itanium C++ ABI, "External
 * Names").
 *
 * The run-time library's __cxa_demangle() takes memory of the program's heap; this takes the arena's.  Texts are the
 * same. Names are not trusted: nesting and length are bounded.
 */
#ifndef OMPP_PROGRAM_DEMANGLE_H
#define OMPP_PROGRAM_DEMANGLE_H

#include "runtime/base/arena.h"

enum ompp_demangle { OMPP_DEMANGLE_WHOLE, OMPP_DEMANGLE_NAME }; /* NAME is without result and arguments */

/* Returns the name of a symbol that begins with "_Z", in the arena; NULL when the symbol is none of C++ or has parts
 * that are not known here, and without memory. */
char *ompp_demangle(const char *symbol, enum ompp_demangle what, struct ompp_arena *arena);

#endif
