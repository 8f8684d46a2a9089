/*
 * Location: finds the source lines of functions and of instructions by debug information.
 */
#ifndef OMPP_SYMBOLS_LOCATION_H
#define OMPP_SYMBOLS_LOCATION_H

#include <elfutils/libdw.h>
#include <stdint.h>

#include "runtime/program/debuginfo.h"

/* Where a frame is. */
struct ompp_symbols_spot {
	const char *file; /* NULL when it is not known; then the line is 0 */
	int line, column;
};

/* Returns the debug information of a file, which stays open until another file is asked about; NULL without any. */
Dwarf *ompp_symbols_open(const char *path);

/* Finds the unit of an address, and the scopes that contain the address, the innermost first; the caller frees these.
 * Returns how many there are, or -1 without a unit. */
int ompp_symbols_scopes(Dwarf *dwarf, uintptr_t address, Dwarf_Die *unit, Dwarf_Die **scopes);

/* Return the place of an instruction, and that of the call of a function which was inlined there; and the place of an
 * address in any unit. */
struct ompp_symbols_spot ompp_symbols_instruction(Dwarf_Die *unit, uintptr_t address);
struct ompp_symbols_spot ompp_symbols_call_of(Dwarf_Die *inlined, Dwarf_Die *unit);
struct ompp_symbols_spot ompp_symbols_spot_at(Dwarf *dwarf, uintptr_t address);

/* Returns 1 for a source of compilers and libraries: nobody looks there for the cause of an allocation. */
int ompp_symbols_is_of_system(const char *file);

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
