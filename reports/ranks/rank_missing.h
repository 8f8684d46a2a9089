/*
 * Rank missing: names the ranks of an MPI run of which there is no profile: they died, or their files were not given.
 */
#ifndef OMPP_RANKS_RANK_MISSING_H
#define OMPP_RANKS_RANK_MISSING_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/text.h"

/* Adds the ranks below `size` that are missing, "3, 17-20 and 5 more"; nothing when all are there.
 * ranks: those that are there, in any order; they are sorted */
void ompp_rank_missing_put(struct ompp_text *t, uint32_t *ranks, size_t n, int size);

#endif
