/*
 * Geometry: reads what users write of caches (data/cache.h) and TLBs (data/tlb.h), "L1=32K/8/64".
 */
#ifndef OMPP_TERMS_GEOMETRY_H
#define OMPP_TERMS_GEOMETRY_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/text.h"

enum { OMPP_GEOMETRY_NUMBERS = 3 };

/* Returns which level an item of n bytes describes, 0 for "L1="; n_levels when none of so many. */
unsigned int ompp_geometry_level(const char *item, size_t n, unsigned int n_levels);

/* Reads the number before a slash, or before the end, and moves *at behind it.  Returns 0 or -EINVAL. */
int ompp_geometry_number(const char **at, const char *end, uint64_t *number);

/* Reads the three numbers of an item of n bytes that describes a level, "32K/8/64".  Returns 0, or -EINVAL when there
 * is anything else. */
int ompp_geometry_numbers(const char *item, size_t n, uint64_t numbers[OMPP_GEOMETRY_NUMBERS]);

/* Says what is wrong with what.  Returns -EINVAL. */
int ompp_geometry_say(struct ompp_text *why, const char *what, size_t n_bytes, const char *cause);

#endif
