/*
 * Object match: which data objects of two profiles are the same object of the source, although lines may have moved.
 *
 * A name is that of a variable, or "a.c:12 x = malloc(…)".  Names of a file that are equal but for their lines are
 * matched in the order of their lines if both profiles have as many of them; otherwise only names with equal lines
 * match.
 */
#ifndef OMPP_OBJECT_MATCH_H
#define OMPP_OBJECT_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"

/* Fills in, for each name of b, the one of a that it is; OMPP_NONE when it is none.  Returns 0 or -ENOMEM. */
int ompp_match_objects(const char *const *a, size_t n_a, const char *const *b, size_t n_b, uint32_t *match,
                       struct ompp_arena *arena);

#endif
