/*
 * Varied profiles: profiles of chance, by a number each.  They come from the examples and the rows of fields.def: what
 * an example has gets other numbers (0, 1, the one before, parts and multiples; in a third of them few numbers change,
 * so that what an example shows is shown still), and sections that it lacks get records.  Each is what a file may hold,
 * and is the same on all machines.
 */
#ifndef OMPP_VARIED_PROFILE_H
#define OMPP_VARIED_PROFILE_H

#include "reports/profile/profile.h"

enum { VARIED_BASES = 6 };

/* Makes profile `number`, of which those below VARIED_BASES are the examples themselves.  It lives as long as the
 * arena. */
void varied_profile(struct ompp_profile *p, uint32_t number, struct ompp_arena *arena);

/* Makes ranks of one run of n profiles, which meet in calls of MPI: collective calls, and messages in a ring.  The
 * clocks of some differ. */
void varied_ranks(struct ompp_profile *parts, uint32_t n, uint32_t number, struct ompp_arena *arena);

#endif
