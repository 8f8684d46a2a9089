/*
 * Run, ends: the lowest and the highest address of a run.
 */
#ifndef OMPP_ADAPTERS_RUN_ENDS_H
#define OMPP_ADAPTERS_RUN_ENDS_H

#include <stddef.h>
#include <stdint.h>

struct ompp_run_ends {
	uintptr_t lo, hi; /* where the lowest and the highest of the accesses begin */
};

/* Returns the ends of n accesses, the first at `base`, each `step` bytes behind the one before.  n is not 0. */
static inline struct ompp_run_ends ompp_run_ends(uintptr_t base, size_t step, size_t n)
{
	uintptr_t last = base + step * (n - 1);

	return base < last ? (struct ompp_run_ends){ base, last } : (struct ompp_run_ends){ last, base };
}

#endif
