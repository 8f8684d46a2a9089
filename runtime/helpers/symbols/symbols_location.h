/*
 * Location: finds where functions begin and instructions are in the source, by debug information.
 */
#ifndef OMPP_SYMBOLS_LOCATION_H
#define OMPP_SYMBOLS_LOCATION_H

#include <stdint.h>

#include "runtime/program/debuginfo.h"

/* Returns the line of the source in which the function at this address of the file begins; 0 when it is not known.
 * *file becomes the source's path as compiled, which is valid until the next question. */
int ompp_symbols_location(const char *path, uintptr_t address, const char **file);

/* Returns the line of the instruction at this address, as above.  *function becomes the name of the function in the
 * source, the innermost one where some were inlined, without arguments and without what compilers append for the parts
 * that they cut out of it; "" when it is not known.  It is valid until the next question, too. */
int ompp_symbols_line(const char *path, uintptr_t address, const char **file, const char **function);

/* Finds the frames of the instruction at this address, and the symbol that holds it.  What it gives is valid until the
 * next question. */
void ompp_symbols_call(const char *path, uintptr_t address, struct ompp_debug_call *call);

#endif
