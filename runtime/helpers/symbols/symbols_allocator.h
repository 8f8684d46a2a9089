/*
 * Allocator: what the C++ library's allocators allocate, by the arguments of their templates.
 */
#ifndef OMPP_SYMBOLS_ALLOCATOR_H
#define OMPP_SYMBOLS_ALLOCATOR_H

#include <elfutils/libdw.h>

/* Returns the argument of a template of the C++ library that says what it has: _Tp. */
int ompp_symbols_argument_of(Dwarf_Die *class, Dwarf_Die *type);

/* Finds what a function of the C++ library's allocators allocates.  Returns 1 when it is one, of whatever type. */
int ompp_symbols_allocated(Dwarf_Die *function, Dwarf_Die *type);

#endif
