/*
 * Fold: a profile in which the instantiations of a template are one region, that of their place in the source.
 */
#ifndef OMPP_FOLD_H
#define OMPP_FOLD_H

#include "reports/profile/profile.h"

/* Folds the instantiations of a profile.  Regions keep the number of their first instantiation, and call paths of the
 * same places are one.  Times and counts add up; what is no sum over instantiations (the spread of the work, what
 * varies over the run) is missing.  Returns 0 or -ENOMEM. */
int ompp_fold(struct ompp_profile *profile, struct ompp_arena *arena);

#endif
