/*
 * Place: the call paths at which time is spent, the same numbers in all threads.
 *
 * A place is a region below another place.  They are never freed.  Any thread may call these functions at once, and
 * signal handlers may; then one call path may have two places.
 */
#ifndef OMPP_SPAN_PLACE_H
#define OMPP_SPAN_PLACE_H

#include <stdint.h>

/* The place of what is in no region, and that of all for which there is no room. */
enum { OMPP_SERIAL_PLACE = 1, OMPP_OTHER_PLACE, OMPP_MOST_PLACES = 4096 };

/* Returns the place of a region below another place, which is made if there is none.  COLD.
 * is_task: it is the execution of the region's tasks */
uint32_t ompp_place_find(uint32_t parent, uint32_t region, int is_task);

/* Returns the region of a place; 0 for those above. */
uint32_t ompp_place_region(uint32_t place);

#endif
