/*
 * Access, memory, sampled: the sampling variants of the hooks in access_memory.c (access_pair.h).
 */
#define _GNU_SOURCE
#define OMPP_ACCESS_SAMPLED
#include "runtime/adapters/access_pair.h"

#ifdef OMPP_ACCESS_PAIRS
#include "runtime/adapters/access_memory.c"
#endif
