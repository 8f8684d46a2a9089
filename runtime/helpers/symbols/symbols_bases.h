/*
 * Bases: where the virtual base classes of a complete C++ object are.  By the Itanium C++ ABI (2.4, III) they come
 * after all other members, in the order of the inheritance graph.  Debug information only says how a program finds them
 * at run time.
 */
#ifndef OMPP_SYMBOLS_BASES_H
#define OMPP_SYMBOLS_BASES_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

enum { OMPP_SYMBOLS_BASES = 32 };

struct ompp_symbols_base {
	Dwarf_Die type;
	uint64_t offset, n_bytes; /* n_bytes: without virtual bases of its own */
};

/* Is this the DIE of an inheritance whose base is virtual? */
int ompp_symbols_is_virtual(Dwarf_Die *inheritance);

/* Finds the virtual bases of a class, its bases' too.  Returns their number: 0 without any, and where the class has
 * another size than these places make, or where there are several ways to that size. */
size_t ompp_symbols_virtual_bases(Dwarf_Die *structure, struct ompp_symbols_base bases[OMPP_SYMBOLS_BASES]);

/* Returns the bytes of a class without its virtual bases, up to its last member's end; all of one that has none. */
uint64_t ompp_symbols_own_bytes(Dwarf_Die *structure);

#endif
