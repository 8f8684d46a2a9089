/*
 * Element: finds the structure of an object, and its members, by debug information; see runtime/program/element.h.
 */
#ifndef OMPP_SYMBOLS_ELEMENT_H
#define OMPP_SYMBOLS_ELEMENT_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/program/element.h"

/* The members of the last structure that was asked for; valid until the next question. */
struct ompp_symbols_element {
	char type[256];
	uint64_t n_bytes;
	uint32_t flags;
	struct ompp_element_member *members;
	size_t n, n_have;
};

/* Forgets the structure. */
void ompp_symbols_element_clear(struct ompp_symbols_element *element);

/* Lists the members of a structure, in the order of their offsets, in an element that is clear but for its flags. */
void ompp_symbols_members(struct ompp_symbols_element *element, Dwarf_Die *structure);

#endif
