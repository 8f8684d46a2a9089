/*
 * Least heap: a binary heap of numbers, the least first, as the times at which threads are free.
 */
#ifndef OMPP_BASE_LEAST_HEAP_H
#define OMPP_BASE_LEAST_HEAP_H

#include <stdint.h>

#include "runtime/base/check.h"

/* Replaces the number at place i, and moves the new one down to where it belongs.  Both subtrees of i are heaps. */
static inline void ompp_least_heap_put(uint64_t *heap, uint32_t n, uint32_t i, uint64_t number)
{
	ompp_assert(i < n);
	for (uint32_t k = 2 * i + 1; k < n; k = 2 * i + 1) {
		k += k + 1 < n && heap[k + 1] < heap[k];
		if (heap[k] >= number)
			break;
		heap[i] = heap[k];
		i = k;
	}
	heap[i] = number;
}

#endif
