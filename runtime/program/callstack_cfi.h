/*
 * Callstack CFI: reads the entries of .eh_frame, which the Linux Standard Base and DWARF describe ("call frame
 * information").
 */
#ifndef OMPP_PROGRAM_CALLSTACK_CFI_H
#define OMPP_PROGRAM_CALLSTACK_CFI_H

#include <stdint.h>

#include "runtime/program/callstack_rule.h"

/* A sequential reader of bytes in memory.  After the end, or after invalid data, each read gives 0 and is_bad is 1. */
struct ompp_cfi_bytes {
	const unsigned char *at, *lo, *hi;
	int is_bad;
};

/* Returns the next number, which is n_bytes long. */
uint64_t ompp_cfi_unsigned(struct ompp_cfi_bytes *b, unsigned int n_bytes);

/* Returns the rule at the address by a function's entry (FDE) at b->at; lo and hi are the bounds of the file in memory.
 * It is OMPP_CFA_NONE when the function does not contain the address. */
struct ompp_callstack_rule ompp_cfi_rule(struct ompp_cfi_bytes *b, uintptr_t address);

#endif
