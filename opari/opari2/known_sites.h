/*
 * Known: what opari2 2.0.7 knows of OpenMP, and the words with which kinst names the rest.
 */
#ifndef KINST_KNOWN_SITES_H
#define KINST_KNOWN_SITES_H

#include "opari/read/directive.h"

#define KINST_OPARI2_UNKNOWN "opari2 does not know this construct"
#define KINST_OPARI2_LEFT    "opari2 left it as it is"
#define KINST_OPARI2_BARRIER "opari2 would put another barrier in the place of its own, which it needs"

/* Returns 1 when opari2 puts the right calls around the constructs of this directive. */
int kinst_opari2_knows(const struct kinst_directive *directive);

#endif
