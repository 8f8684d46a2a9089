/*
 * Map bytes: the bytes that the clauses of a target construct ask to be copied, or a call of MPI moves (core/mapped.h).
 */
#ifndef OMPP_EVENTS_MAP_BYTES_H
#define OMPP_EVENTS_MAP_BYTES_H

#include <stdint.h>

/* Adds bytes to the visit on top, if it is one of this key; fewer than 0 are bytes that are not known.  WARM. */
void ompp_map_bytes(uint64_t key, int64_t to_bytes, int64_t from_bytes);

#endif
