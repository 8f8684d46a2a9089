/*
 * Mapped: the bytes that the clauses of a target construct ask to be copied, at a node: those of map, to and from.  The
 * OpenMP library may copy less: it copies nothing on the host, and nothing that the device already has.  For a call of
 * MPI they are the bytes that it sends, and those that it receives.
 */
#ifndef OMPP_CORE_MAPPED_H
#define OMPP_CORE_MAPPED_H

#include <stdint.h>

/* Written by the owner of the node.  A flag says that some bytes are not known, so that the sum is not, either. */
struct ompp_mapped {
	uint64_t to_bytes, from_bytes;
	uint64_t lacks_to, lacks_from; /* 0 or 1 */
};

#endif
