/*
 * Mapping: finds the begin of the mapping at an address with a few system calls, however many mappings there are.
 */
#ifndef OMPP_PROGRAM_MAPPING_H
#define OMPP_PROGRAM_MAPPING_H

#include <stddef.h>
#include <stdint.h>

/* Returns 1 when one mapping contains all of [lo, hi), 0 when none does, and -1 when the kernel does not tell.  Both
 * are page-aligned. */
int ompp_mapping_holds(uintptr_t lo, uintptr_t hi);

/* Returns the begin of the mapping that contains all of [lo, hi), or 0 when there is none or it is not known.
 * likely_bytes: how far below hi it probably begins; a good guess saves most of the calls */
uintptr_t ompp_mapping_begin(uintptr_t lo, uintptr_t hi, size_t likely_bytes);

#endif
