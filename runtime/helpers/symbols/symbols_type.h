/*
 * Type: types in debug information, without typedef names, const and the like.
 */
#ifndef OMPP_SYMBOLS_TYPE_H
#define OMPP_SYMBOLS_TYPE_H

#include <elfutils/libdw.h>
#include <stddef.h>

/* Writes the name of a type as C has it: "double", "struct node *", "int[3]". */
void ompp_symbols_type_name(char *text, size_t n_text, Dwarf_Die *type);

/* Return the type of a variable, a member or a pointer; without typedef names, const and the like.  Return 0 when it
 * has none. */
int ompp_symbols_type_of(Dwarf_Die *die, Dwarf_Die *type);

/* Returns whether what is described has this name, of n bytes, in capital or small letters, as Fortran has it. */
int ompp_symbols_is_named(Dwarf_Die *die, const char *name, size_t n);

/* Returns whether a type has members. */
int ompp_symbols_is_structure(Dwarf_Die *type);

#endif
