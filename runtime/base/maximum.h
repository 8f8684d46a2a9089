/*
 * Maximum: of two numbers.
 */
#ifndef OMPP_BASE_MAXIMUM_H
#define OMPP_BASE_MAXIMUM_H

#include <stdint.h>

static inline uint64_t ompp_maximum(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

#endif
