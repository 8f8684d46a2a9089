/*
 * Small: the program's variables that are too small for objects of their own.  Their accesses are those of the object
 * that is the rest of their file's data; samples alone have addresses, and so tell them apart.
 *
 * They are noted at the start, by one thread.  All else may be called by any thread from then on, without a lock.
 */
#ifndef OMPP_DATA_SMALL_H
#define OMPP_DATA_SMALL_H

#include <stdint.h>

struct ompp_symbol;

/* Notes a variable; without memory it stays unknown. */
void ompp_small_add(const struct ompp_symbol *symbol);

/* Lets those that were noted be found from now on. */
void ompp_smalls_start(void);

/* How many can be found: 0 before the function above. */
uint32_t ompp_smalls_n(void);

/* Returns the number, from 1, of the variable that has the address; 0 when none has. */
uint32_t ompp_small_at(uintptr_t address);

/* Returns the name of the variable with a number. */
const char *ompp_small_name(uint32_t number);

#endif
