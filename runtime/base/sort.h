/*
 * Sort: puts indices into order, without recursion or memory and never in quadratic time (heap sort).
 */
#ifndef OMPP_BASE_SORT_H
#define OMPP_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts the indices.
 * is_after: returns 1 when x must stand after y; it should never do so both ways */
void ompp_sort(uint32_t *indices, size_t n, int (*is_after)(const void *context, uint32_t x, uint32_t y),
               const void *context);

#endif
