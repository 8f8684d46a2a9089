/*
 * Sort: see sort.h.
 */
#include "runtime/base/sort.h"

#include "runtime/base/arena.h"
#include "runtime/base/check.h"

static void sort_swap(uint32_t *x, uint32_t *y)
{
	uint32_t t = *x;

	*x = *y;
	*y = t;
}

/* Lets element i sink in the heap of n until no element below must stand after it. */
static void sort_sink(uint32_t *heap, size_t i, size_t n, int (*is_after)(const void *context, uint32_t x, uint32_t y),
                      const void *context)
{
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && is_after(context, heap[child + 1], heap[child]))
			child++;
		ompp_assert(!is_after(context, heap[child], heap[i]) || !is_after(context, heap[i], heap[child]));
		if (!is_after(context, heap[child], heap[i]))
			return;
		sort_swap(&heap[i], &heap[child]);
	}
}

void ompp_sort(uint32_t *indices, size_t n, int (*is_after)(const void *context, uint32_t x, uint32_t y),
               const void *context)
{
	for (size_t i = n / 2; i-- > 0;)
		sort_sink(indices, i, n, is_after, context);
	while (n-- > 1) {
		sort_swap(&indices[0], &indices[n]);
		sort_sink(indices, 0, n, is_after, context);
	}
}

uint32_t *ompp_sorted(struct ompp_arena *arena, size_t n, int (*is_after)(const void *context, uint32_t x, uint32_t y),
                      const void *context)
{
	uint32_t *order = ompp_arena_alloc(arena, (n + 1) * sizeof(*order));

	for (size_t i = 0; order && i < n; i++)
		order[i] = (uint32_t)i;
	if (order)
		ompp_sort(order, n, is_after, context);
	return order;
}
