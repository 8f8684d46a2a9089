/*
 * Small: variables of the program and its libraries that are too small for objects of their own.  Their accesses are
 * counted for the object that is the rest of their file's data.  Only data with addresses distinguish them: samples,
 * first touches, and pages, of which one may contain several.
 *
 * One thread at a time adds the variables of a file, at the start or when it was loaded.  The other functions may be
 * called by any thread, without a lock.
 */
#ifndef OMPP_RANGES_SMALL_H
#define OMPP_RANGES_SMALL_H

#include <stddef.h>
#include <stdint.h>

struct ompp_symbol;

/* Adds a variable of the file that is being read; the file has no name when it is the program.  Without memory the
 * variable stays unknown. */
void ompp_small_add(const struct ompp_symbol *symbol);

/* Ends the file: its variables can be found from now on. */
void ompp_smalls_put(void);

/* Call it when a file that contains this address was loaded: makes its variables available again if the same file was
 * there before.  Returns 0 when it was not, or had none. */
int ompp_smalls_return(uintptr_t address);

/* Call it when the file at [lo, hi) was unloaded: its variables keep their numbers and names, but are not found any
 * more. */
void ompp_smalls_leave(uintptr_t lo, uintptr_t hi);

/* Returns the number of known variables: 0 before any file was read. */
uint32_t ompp_smalls_n(void);

/* Returns the number, from 1, of the variable that contains the address; 0 for none. */
uint32_t ompp_small_at(uintptr_t address);

/* Returns 0 when no memory with this cover belongs to a small variable. */
int ompp_small_may_be(uint32_t cover);

/* Where a variable lies; hi is not included. */
struct ompp_small_extent {
	uintptr_t lo, hi;
};

/* Returns the number of the first variable with any byte in [*at, end); 0 for none.  Moves *at to its end.
 * object: the name of the object for the rest of the file's data, to select the file, also after it was unloaded */
uint32_t ompp_small_next(uintptr_t *at, uintptr_t end, const char *object, struct ompp_small_extent *extent);

/* Returns the name of the variable with a number. */
const char *ompp_small_name(uint32_t number);

#endif
