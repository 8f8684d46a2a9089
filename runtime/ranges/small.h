/*
 * Small: variables of the program and its libraries that are too small for objects of their own.  Their accesses are
 * those of the object that is the rest of their file's data; what has an address alone tells them apart: samples, first
 * touches, and pages, in which several may lie.
 *
 * One thread at a time reads a file, at the start or when it was loaded.  All else may be called by any thread, without
 * a lock.
 */
#ifndef OMPP_RANGES_SMALL_H
#define OMPP_RANGES_SMALL_H

#include <stddef.h>
#include <stdint.h>

struct ompp_symbol;

/* Notes a variable of the file that is being read, which has no name when it is the program; without memory it stays
 * unknown. */
void ompp_small_add(const struct ompp_symbol *symbol);

/* Ends the file: those that were noted can be found from now on. */
void ompp_smalls_put(void);

/* When a file is loaded that has this address: lets its variables be found again if the same file was there before.
 * Returns 0 when it was not, or had none. */
int ompp_smalls_return(uintptr_t address);

/* When a file is gone that was between these addresses: its variables keep their numbers and names, and are not found
 * any more. */
void ompp_smalls_leave(uintptr_t lo, uintptr_t hi);

/* How many have a number: 0 before any file was read. */
uint32_t ompp_smalls_n(void);

/* Returns the number, from 1, of the variable that has the address; 0 when none has. */
uint32_t ompp_small_at(uintptr_t address);

/* Returns 0 when nothing with this cover is of a small variable. */
int ompp_small_may_be(uint32_t cover);

/* Where a variable lies, hi behind its end. */
struct ompp_small_place {
	uintptr_t lo, hi;
};

/* Returns the number of the first variable that has any byte from *at on and before `end`; 0 when none has.  Moves *at
 * behind it.
 * object: the name of what is the rest of the file's data, whose variables are meant, also when it is gone */
uint32_t ompp_small_next(uintptr_t *at, uintptr_t end, const char *object, struct ompp_small_place *place);

/* Returns the name of the variable with a number. */
const char *ompp_small_name(uint32_t number);

#endif
