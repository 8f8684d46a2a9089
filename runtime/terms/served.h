/*
 * Served: whether memory, rather than a cache, served an access.
 */
#ifndef OMPP_TERMS_SERVED_H
#define OMPP_TERMS_SERVED_H

#include <stdint.h>

#include "runtime/ompp_mem.h"

/* Returns 1 when memory served, or may have served, an access of this level (also when the level is not known).  For
 * the other levels the home of the page does not matter. */
static inline int ompp_may_be_of_memory(uint32_t level)
{
	switch (level) {
	case OMPP_MEM_LEVEL_UNKNOWN:
	case OMPP_MEM_LEVEL_LOCAL_MEMORY:
	case OMPP_MEM_LEVEL_REMOTE_MEMORY:
	case OMPP_MEM_LEVEL_PERSISTENT:
	case OMPP_MEM_LEVEL_CXL:
	case OMPP_MEM_LEVEL_IO:
	case OMPP_MEM_LEVEL_UNCACHED:
		return 1;
	default:
		return 0;
	}
}

#endif
