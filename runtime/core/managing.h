/*
 * Managing: how long it took to start and to end the teams that were forked at one call path.  For each team this is
 * the sum over its members of the time from the fork to the member's begin, and from its end to the join.
 *
 * The time that most teams take is the cost of making teams.  If a few took far longer, the system delayed them: a
 * member had no processor, or was woken late.  One sum would not distinguish these, so times are summed by octave.
 *
 * The forking thread writes it, and reports read it meanwhile.
 */
#ifndef OMPP_CORE_MANAGING_H
#define OMPP_CORE_MANAGING_H

#include <stdint.h>

#include "runtime/base/relaxed.h"

enum {
	OMPP_MANAGING_OCTAVES = 44,
	OMPP_MANAGING_LONG = 4, /* octaves above the median's: 8 times as long or more, wherever in it the median is */
	OMPP_LEAST_TEAMS = 10   /* of fewer nothing tells what is usual */
};

/* Octave i is of 2^i ticks to 2^(i + 1) - 1; 0 ticks are in the first, and all longer times in the last one. */
struct ompp_managing {
	uint64_t n[OMPP_MANAGING_OCTAVES], ticks[OMPP_MANAGING_OCTAVES];
};

/* Adds a team. */
static inline void ompp_managing_add(struct ompp_managing *m, uint64_t ticks)
{
	int octave = 63 - __builtin_clzll(ticks | 1);

	octave = octave < OMPP_MANAGING_OCTAVES ? octave : OMPP_MANAGING_OCTAVES - 1;
	OMPP_ADD(&m->n[octave], 1);
	OMPP_ADD(&m->ticks[octave], ticks);
}

/* Adds the teams of another thread to a sum that nobody else writes.  COLD. */
void ompp_managing_join(struct ompp_managing *sum, const struct ompp_managing *other);

/* Returns what the teams took without what long ones took above the median, at most; UINT64_MAX where there are too few
 * of them.  COLD. */
uint64_t ompp_managing_usual(const struct ompp_managing *sum);

#endif
