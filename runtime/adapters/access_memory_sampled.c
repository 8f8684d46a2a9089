/*
 * Access, memory, sampled: the sampling variants of the hooks in access_memory.c (access_pair.h).
 */
#define OMPP_ACCESS_SAMPLED
#include "runtime/adapters/access_memory.c"
