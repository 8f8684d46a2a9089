/*
 * Misfit: checks whether several profiles are those of the ranks of one MPI run, and says why not: then their sums
 * would be meaningless.
 */
#ifndef OMPP_MISFIT_H
#define OMPP_MISFIT_H

#include <stddef.h>

#include "reports/profile/profile.h"

/* Returns NULL when profile i and all before it can be different ranks of one MPI run, provided that those before it
 * are.  Otherwise returns the cause, which completes the sentence "they are …" about profiles *other and i, for
 * instance "two runs of 'p', with 2 and 4 threads".  The text is in the arena, or constant when the arena has no
 * room. */
const char *ompp_misfit(const struct ompp_profile *profiles, size_t i, size_t *other, struct ompp_arena *arena);

#endif
