/*
 * Static calls: OpenMP's allocators.  This is a separate member of the archive, which is linked into programs that call
 * one of them.  The OpenMP library has all of them in one member, which is linked in by references to the first two.
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
