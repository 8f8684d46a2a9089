/*
 * Address symbol: finds the symbol of an address in the symbol tables of the file that is loaded there.
 */
#ifndef OMPP_PROGRAM_ADDRESS_SYMBOL_H
#define OMPP_PROGRAM_ADDRESS_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

/* Copies the first symbol at this address, given as an address or as its key (host/past.h), cut to n_bytes with its
 * end. Returns 1, or 0 when there is none.  It maps the file and reads all of its symbols.  COLD. type: STT_FUNC, or
 * STT_NOTYPE for one of any type part: what the symbol has in it; only what is behind that is copied; "" for all of it
 */
int ompp_address_symbol(uint64_t key, unsigned int type, const char *part, char *name, size_t n_bytes);

#endif
