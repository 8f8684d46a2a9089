/*
 * Longest: the longest path that leads to a point of the program, and the places at which it was spent.
 *
 * A path is a chain of stretches, each at one place.  Its length is exact.  Only the OMPP_LONGEST_PLACES places with
 * most time have entries: where there is none for another place, the one with the least time is dropped, and its time
 * is added to rest_ticks.  So a place's time may be too small, but is never too large, and all entries and the rest add
 * up to the length.
 *
 * Each struct is written by one thread at a time.
 */
#ifndef OMPP_SPAN_LONGEST_H
#define OMPP_SPAN_LONGEST_H

#include <stdint.h>

enum { OMPP_LONGEST_PLACES = 8 };

struct ompp_longest {
	uint64_t ticks, rest_ticks;
	uint32_t n, last; /* entries, and that of the last stretch; place[0] is 0, which no place is, while there are
	                     none */
	uint32_t place[OMPP_LONGEST_PLACES];
	uint64_t part[OMPP_LONGEST_PLACES];
};

/* Adds time at another place than that of the last stretch. */
void ompp_longest_add_other(struct ompp_longest *path, uint32_t place, uint64_t ticks);

/* Adds a stretch at the place of the last one.  Returns 0, and adds nothing, where that was another one.  HOT: about 6
 * instructions. */
static inline int ompp_longest_add_same(struct ompp_longest *path, uint32_t place, uint64_t ticks)
{
	if (__builtin_expect(path->place[path->last] != place, 0))
		return 0;
	path->ticks += ticks;
	path->part[path->last] += ticks;
	return 1;
}

/* Adds a stretch at a place, which is not 0. */
static inline void ompp_longest_add(struct ompp_longest *path, uint32_t place, uint64_t ticks)
{
	if (ompp_longest_add_same(path, place, ticks))
		return;
	path->ticks += ticks;
	ompp_longest_add_other(path, place, ticks);
}

/* Makes one path the same as another.  HOT. */
static inline void ompp_longest_copy(struct ompp_longest *to, const struct ompp_longest *from)
{
	to->ticks = from->ticks;
	to->rest_ticks = from->rest_ticks;
	to->n = from->n;
	to->last = from->last;
	/* All entries: a dozen instructions, where those in use take seven each. */
	__builtin_memcpy(to->place, from->place, sizeof(to->place));
	__builtin_memcpy(to->part, from->part, sizeof(to->part));
}

#endif
