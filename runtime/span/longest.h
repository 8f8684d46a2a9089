/*
 * Longest: the longest path that leads to a point of the program, and the places at which it was spent.
 *
 * A path is a chain of stretches, each at one place.  Its length is exact.  Only the OMPP_LONGEST_PLACES places with
 * most time have entries: where there is none for another place, the one with the least time is dropped, and its time
 * is added to rest_ticks.  So a place's time may be too small, but is never too large, and all entries and the rest add
 * up to the length.  Each place has a seat among the entries, by its number; of those that have the same seat the one
 * that was added to last sits there.
 *
 * Each struct is written by one thread at a time.
 */
#ifndef OMPP_SPAN_LONGEST_H
#define OMPP_SPAN_LONGEST_H

#include <stdint.h>

enum { OMPP_LONGEST_PLACES = 8 };

struct ompp_longest {
	uint64_t ticks, rest_ticks;
	uint16_t place[OMPP_LONGEST_PLACES]; /* 0 where the entry is free; its part is 0 then */
	uint64_t part[OMPP_LONGEST_PLACES];
};

/* Adds time at a place that is not at its seat.  COLD. */
void ompp_longest_add_other(struct ompp_longest *path, uint32_t place, uint64_t ticks);

/* Adds a stretch at a place that is at its seat.  Returns 0, and adds nothing, where it is not.  HOT: about 6
 * instructions. */
static inline int ompp_longest_add_at_seat(struct ompp_longest *path, uint32_t place, uint64_t ticks)
{
	uint32_t seat = place % OMPP_LONGEST_PLACES;

	if (__builtin_expect(path->place[seat] != place, 0))
		return 0;
	path->ticks += ticks;
	path->part[seat] += ticks;
	return 1;
}

/* Adds a stretch at a place, which is not 0. */
static inline void ompp_longest_add(struct ompp_longest *path, uint32_t place, uint64_t ticks)
{
	if (ompp_longest_add_at_seat(path, place, ticks))
		return;
	path->ticks += ticks;
	ompp_longest_add_other(path, place, ticks);
}

/* Makes one path the same as another.  HOT: 12 instructions. */
static inline void ompp_longest_copy(struct ompp_longest *to, const struct ompp_longest *from)
{
	__builtin_memcpy(to, from, sizeof(*to));
}

#endif
