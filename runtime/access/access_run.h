/*
 * Access, run: counts runs of accesses.
 */
#ifndef OMPP_ACCESS_ACCESS_RUN_H
#define OMPP_ACCESS_ACCESS_RUN_H

#include <stddef.h>
#include <stdint.h>

/* Counts n accesses of 1 << size bytes, the first at `base`, each a step after the one before, for a caller that looks
 * at them closely itself.  WARM.
 * slot: OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
void ompp_access_run_counted(uintptr_t base, size_t step, size_t n, unsigned int size, unsigned int slot)
	__attribute__((visibility("hidden")));

#endif
