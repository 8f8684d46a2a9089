/*
 * Function symbol: finds the function that begins at an address, by the symbol tables of the file that is loaded there.
 */
#ifndef OMPP_PROGRAM_FUNCTION_SYMBOL_H
#define OMPP_PROGRAM_FUNCTION_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

/* Copies the symbol of the function that begins at this address, given as its key (host/past.h), cut to n_bytes with
 * its end.  Returns 1, or 0 when there is none.  It maps the file and reads all of its symbols.  COLD. */
int ompp_function_symbol(uintptr_t key, char *name, size_t n_bytes);

#endif
