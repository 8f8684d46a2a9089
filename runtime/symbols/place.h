/*
 * Place: finds where functions begin and instructions are in the source, by debug information.
 */
#ifndef OMPP_SYMBOLS_PLACE_H
#define OMPP_SYMBOLS_PLACE_H

#include <stdint.h>

/* Returns the line of the source in which the function at this address of the file begins; 0 when it is not known.
 * *file becomes the source's path as compiled, which is valid until the next question. */
int ompp_symbols_place(const char *path, uintptr_t address, const char **file);

/* Returns the line of the instruction at this address, as above.  *function becomes the name of the function in the
 * source, the innermost one where some were inlined, without arguments and without what compilers append for the parts
 * that they cut out of it; "" when it is not known.  It is valid until the next question, too. */
int ompp_symbols_line(const char *path, uintptr_t address, const char **file, const char **function);

/* Returns the line of the program's own source where the instruction at this address comes from, as above: where it is
 * in functions of the system's headers that were inlined, the line that calls the outermost of these.  Returns 0 where
 * none of it is the program's. */
int ompp_symbols_call(const char *path, uintptr_t address, const char **file, const char **function);

#endif
