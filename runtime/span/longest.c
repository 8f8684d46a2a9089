/*
 * Longest: see longest.h.
 */
#include "runtime/span/longest.h"

#include "runtime/base/check.h"

static uint32_t least_entry(const struct ompp_longest *path)
{
	uint32_t least = 0;

	for (uint32_t i = 1; i < path->n; i++)
		if (path->part[i] < path->part[least])
			least = i;
	return least;
}

/* The new place has the entry of the place with the least time only if it has more: otherwise a long path through many
 * places would lose all of them to the latest ones. */
void ompp_longest_add_other(struct ompp_longest *path, uint32_t place, uint64_t ticks)
{
	uint32_t i;

	ompp_assert(place && path->n <= OMPP_LONGEST_PLACES);
	for (i = 0; i < path->n; i++)
		if (path->place[i] == place) {
			path->part[i] += ticks;
			path->last = i;
			return;
		}
	if (i == OMPP_LONGEST_PLACES) {
		i = least_entry(path);
		if (ticks <= path->part[i]) {
			path->rest_ticks += ticks;
			return;
		}
		path->rest_ticks += path->part[i];
	} else {
		path->n++;
	}
	path->place[i] = place;
	path->part[i] = ticks;
	path->last = i;
}
