/*
 * Least heap: numbers of which the least one is the first, as the times at which threads are free.
 */
#ifndef OMPP_BASE_LEAST_HEAP_H
#define OMPP_BASE_LEAST_HEAP_H

#include <stdint.h>

/* Puts a number at place i or below it, in place of the one there; what is below i is a heap. */
static inline void ompp_least_heap_put(uint64_t *heap, uint32_t n, uint32_t i, uint64_t number)
{
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
