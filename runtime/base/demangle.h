/*
 * Demangle: C++ names as the source has them, of the symbols of GCC and Clang (the Itanium C++ ABI, "External Names").
 *
 * The run-time library's __cxa_demangle() takes memory of the program's heap; this takes the arena's.  Texts are the same.
 * Names are not trusted: nesting and length are bounded.
 */
#ifndef OMPP_BASE_DEMANGLE_H
#define OMPP_BASE_DEMANGLE_H

#include "runtime/base/arena.h"

enum ompp_demangle { OMPP_DEMANGLE_WHOLE, OMPP_DEMANGLE_NAME };        /* the second: without result and arguments */

/* The name of a symbol that begins with "_Z", in the arena; NULL when it is none, when it has what is not known here, or
 * without memory. */
char *ompp_demangle(const char *symbol, enum ompp_demangle what, struct ompp_arena *arena);

#endif
