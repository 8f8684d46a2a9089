/*
 * Relaxed: accesses to fields with one writer that others read meanwhile: plain moves on every machine that we know.
 */
#ifndef OMPP_BASE_RELAXED_H
#define OMPP_BASE_RELAXED_H

#define OMPP_LOAD(p)       __atomic_load_n((p), __ATOMIC_RELAXED)
#define OMPP_STORE(p, v)   __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define OMPP_ADD(p, v)     OMPP_STORE((p), OMPP_LOAD(p) + (v))
#define OMPP_OR(p, v)      OMPP_STORE((p), OMPP_LOAD(p) | (v))

#endif
