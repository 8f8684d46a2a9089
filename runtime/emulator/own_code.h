/*
 * Own code: where the library in the emulated program has its code, whose accesses are not the program's.
 */
#ifndef OMPP_EMULATOR_OWN_CODE_H
#define OMPP_EMULATOR_OWN_CODE_H

#include <stdint.h>

struct ompp_code {
	uintptr_t lo, hi;
};

extern struct ompp_code ompp_own_code; /* hi is 0 until it is known */

/* Tells the library's file.  Returns 0, or -1 where there is none. */
int ompp_own_code_set(const char *path);

/* Is an address of code the library's? */
int ompp_own_code_has(uintptr_t address);

#endif
