/*
 * Access, atomic, sampled: the sampling variants of the hooks in access_atomic.c (access_pair.h).
 */
#define OMPP_ACCESS_SAMPLED
#include "runtime/adapters/access_pair.h"

#ifdef OMPP_ACCESS_PAIRS
#include "runtime/adapters/access_atomic.c"
#endif
