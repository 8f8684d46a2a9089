/*
 * Static calls: OpenMP's allocators.  This is a separate part of the archive, which programs get that call one of them.
 * All that the OpenMP library has of these are in one part of it, which the first two bring along.
 */
#include "runtime/adapters/static_call.h"

OMPP_STATIC_CALL(omp_alloc);
OMPP_STATIC_CALL(omp_free);
OMPP_STATIC_CALL_WEAK(omp_aligned_alloc);
OMPP_STATIC_CALL_WEAK(omp_calloc);
OMPP_STATIC_CALL_WEAK(omp_aligned_calloc);
OMPP_STATIC_CALL_WEAK(omp_realloc);
OMPP_STATIC_CALL_WEAK(GOMP_alloc);
OMPP_STATIC_CALL_WEAK(GOMP_free);
