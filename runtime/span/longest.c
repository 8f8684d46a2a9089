/*
 * Longest: see longest.h.
 */
#include "runtime/span/longest.h"

#include "runtime/base/check.h"

/* Returns the entry of a place, or else the one with the least time, which may be a free one. */
static uint32_t entry_for(const struct ompp_longest *path, uint32_t place)
{
	uint32_t least = 0;

	for (uint32_t i = 0; i < OMPP_LONGEST_PLACES; i++) {
		if (path->place[i] == place)
			return i;
		if (path->part[i] < path->part[least])
			least = i;
	}
	return least;
}

/* Lets two entries change places. */
static void exchange(struct ompp_longest *path, uint32_t a, uint32_t b)
{
	uint16_t place = path->place[a];
	uint64_t part = path->part[a];

	path->place[a] = path->place[b];
	path->part[a] = path->part[b];
	path->place[b] = place;
	path->part[b] = part;
}

/* The new place has the entry of the place with the least time only if it has more: otherwise a long path through many
 * places would lose all of them to the latest ones. */
void ompp_longest_add_other(struct ompp_longest *path, uint32_t place, uint64_t ticks)
{
	uint32_t at = entry_for(path, place);

	ompp_assert(place && place <= UINT16_MAX);
	if (path->place[at] != place) {
		if (ticks <= path->part[at]) {
			path->rest_ticks += ticks;
			return;
		}
		path->rest_ticks += path->part[at];
		path->place[at] = (uint16_t)place;
		path->part[at] = 0;
	}
	path->part[at] += ticks;
	exchange(path, at, place % OMPP_LONGEST_PLACES);
}
