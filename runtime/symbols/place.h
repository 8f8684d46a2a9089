/*
 * Place: where a function begins, by the line tables of debug information.
 */
#ifndef OMPP_SYMBOLS_PLACE_H
#define OMPP_SYMBOLS_PLACE_H

#include <stdint.h>

/* The line of the source in which the function at this address of the file begins, and the source's path as compiled, which is
 * valid until the next question; 0: it is not known. */
int ompp_symbols_place(const char *path, uintptr_t address, const char **file);

#endif
