/*
 * Doubt, place: whether a directive of C or C++ may stand where no directive may, but braces may.  See doubt.h.
 */
#ifndef KINST_DOUBT_PLACE_H
#define KINST_DOUBT_PLACE_H

#include "opari/read/extent.h"

/* Returns 1 when there is doubt about the place of a directive, or about its statement.
 * in_braces: 0 where no braces are around it, as between the head of a function and its body */
int kinst_doubt_place(const struct kinst_tokens *tokens, const struct kinst_extent *extent, int in_braces);

#endif
