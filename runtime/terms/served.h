/*
 * Served: whether memory answered an access, and no cache.
 */
#ifndef OMPP_TERMS_SERVED_H
#define OMPP_TERMS_SERVED_H

#include <stdint.h>

#include "runtime/ompp_mem.h"

/* Returns 1 when an access of this level may have been answered by memory: it was, or its level is not known.  Where a
 * page lies makes no difference to the others. */
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
