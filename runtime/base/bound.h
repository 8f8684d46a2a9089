/*
 * Bound: binary search in an array of structs that are sorted by one of their members.
 */
#ifndef OMPP_BASE_BOUND_H
#define OMPP_BASE_BOUND_H

#include <stddef.h>
#include <stdint.h>

/* Returns the index of the first of n structs whose number is not below `least`; n when there is none.
 * number: the member of the first struct
 * step_bytes: from one number to the next */
static inline size_t ompp_bound(const uint32_t *number, size_t n, size_t step_bytes, uint32_t least)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (*(const uint32_t *)(const void *)((const char *)number + middle * step_bytes) < least)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The same for an array of structs, which may be NULL when n is 0, by a member. */
#define OMPP_BOUND(array, n, member, least) \
	((n) ? ompp_bound(&(array)->member, (n), sizeof(*(array)), (least)) : (size_t)0)

#endif
