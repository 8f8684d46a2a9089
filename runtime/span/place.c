/*
 * Place: see place.h.
 */
#include "runtime/span/place.h"

#include <stdatomic.h>

#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"

struct place {
	_Atomic uint32_t region; /* written last; 0 before that */
	uint32_t parent, is_task;
};

static struct place *places; /* [OMPP_MOST_PLACES] */
static _Atomic uint32_t n_places = OMPP_OTHER_PLACE + 1;

/* Returns one more than the highest place. */
static uint32_t place_end(void)
{
	uint32_t n = atomic_load_explicit(&n_places, memory_order_acquire);

	return n < OMPP_MOST_PLACES ? n : OMPP_MOST_PLACES;
}

uint32_t ompp_place_region(uint32_t place)
{
	if (place <= OMPP_OTHER_PLACE || place >= place_end())
		return 0;
	return atomic_load_explicit(&places[place].region, memory_order_acquire);
}

uint32_t ompp_place_find(uint32_t parent, uint32_t region, int is_task)
{
	uint32_t n = place_end(), i;

	if (!ompp_space_table((void **)&places, OMPP_MOST_PLACES * sizeof(*places)))
		return OMPP_OTHER_PLACE;
	for (i = OMPP_OTHER_PLACE + 1; i < n; i++)
		if (atomic_load_explicit(&places[i].region, memory_order_acquire) == region &&
		    places[i].parent == parent && places[i].is_task == (uint32_t)is_task)
			return i;
	if (n == OMPP_MOST_PLACES)
		return OMPP_OTHER_PLACE;
	i = atomic_fetch_add_explicit(&n_places, 1, memory_order_acq_rel);
	if (i >= OMPP_MOST_PLACES)
		return OMPP_OTHER_PLACE;
	places[i].parent = parent;
	places[i].is_task = (uint32_t)is_task;
	atomic_store_explicit(&places[i].region, region, memory_order_release);
	return i;
}
