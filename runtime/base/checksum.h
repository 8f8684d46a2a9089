/*
 * Checksum: FNV-1a of 64 bits, of bytes and texts, for files that are checked, names that are made of words, and
 * tables.
 */
#ifndef OMPP_CHECKSUM_H
#define OMPP_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* The first sum, and what a sum is multiplied by for each byte. */
#define OMPP_CHECKSUM_START UINT64_C(0xcbf29ce484222325)
#define OMPP_CHECKSUM_PRIME UINT64_C(0x100000001b3)

/* Returns the checksum of what was summed so far and these bytes.  Where texts follow each other their terminating
 * zeros are taken, too, or what a text cannot have, so that "a", "b" is another sum than "ab". */
static inline uint64_t ompp_checksum(uint64_t sum, const void *data, size_t n_bytes)
{
	const unsigned char *p = data;

	while (n_bytes--)
		sum = (sum ^ *p++) * OMPP_CHECKSUM_PRIME;
	return sum;
}

#endif
