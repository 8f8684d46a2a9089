/*
 * Check: checks that a profile is valid, as the reader of saved profiles would (base/check.h).
 */
#ifndef OMPP_COLLECT_CHECK_H
#define OMPP_COLLECT_CHECK_H

#include "reports/profile/profile.h"

#ifdef OMPP_DEBUG
void ompp_collect_check(const struct ompp_profile *profile, struct ompp_arena *arena);
#else
#define ompp_collect_check(profile, arena) ((void)0)
#endif

#endif
