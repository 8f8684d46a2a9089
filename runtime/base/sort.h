/*
 * Sort: puts indices into order, without recursion or memory and never in quadratic time (heap sort).
 */
#ifndef OMPP_BASE_SORT_H
#define OMPP_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

struct ompp_arena;

/* Sorts the indices.
 * is_after: returns 1 when x must stand after y; it should never return 1 for both (x, y) and (y, x) */
void ompp_sort(uint32_t *indices, size_t n, int (*is_after)(const void *context, uint32_t x, uint32_t y),
               const void *context);

/* Returns the sorted indices from 0 to n - 1, in the arena; NULL without memory. */
uint32_t *ompp_sorted(struct ompp_arena *arena, size_t n, int (*is_after)(const void *context, uint32_t x, uint32_t y),
                      const void *context);

#endif
