/*
 * Maps: the mappings of this process, from /proc/self/maps.  System calls and the stack alone.
 */
#ifndef OMPP_BASE_MAPS_H
#define OMPP_BASE_MAPS_H

#include <stdint.h>

struct ompp_mapping {
	uintptr_t lo, hi;               /* hi is not included */
	int       writable;
	int       file;                 /* 1: of a file */
};

/* Call `each` with the mappings in ascending order until it answers other than 0, which is then the result; 0 at the end;
 * -errno when they cannot be read. */
int ompp_maps_each(int (*each)(const struct ompp_mapping *mapping, void *context), void *context);

#endif
