/*
 * Relayout: the addresses that the bytes of an array of structures would have in another layout: with an array for each
 * member (a structure of arrays), or for each group of members that are used together (a split).  Only the cache model
 * uses these addresses; they overlap neither with real memory nor with those of other arrays and layouts
 * (OMPP_RELAYOUT_TAG).
 *
 * A unit is what no layout separates: a member, an array inside the structure, or the members of a union.  A layout
 * puts each unit into a group; the groups are the arrays, one behind the other.
 */
#ifndef OMPP_DATA_RELAYOUT_H
#define OMPP_DATA_RELAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/program/element.h"

enum {
	OMPP_RELAYOUT_UNITS = 64,
	OMPP_RELAYOUT_MOST_BYTES = 4096, /* of a structure */
	OMPP_RELAYOUT_LEAST_ELEMENTS = 16,
	OMPP_RELAYOUT_NO_UNIT = 255
};

#define OMPP_RELAYOUT_TAG (UINT64_C(1) << 62)

/* The units of a structure.  Constant once made. */
struct ompp_relayout_units {
	uint32_t n_bytes, n;                    /* of the structure; of units */
	uint32_t bytes[OMPP_RELAYOUT_UNITS];    /* of each unit */
	uint32_t align[OMPP_RELAYOUT_UNITS];    /* a power of two */
	uint32_t member[OMPP_RELAYOUT_UNITS];   /* the first of its members */
	uint8_t unit[OMPP_RELAYOUT_MOST_BYTES]; /* by byte: its unit; NO_UNIT in padding */
	uint16_t at[OMPP_RELAYOUT_MOST_BYTES];  /* by byte: its place in the unit */
};

/* A layout.  Constant once made. */
struct ompp_relayout {
	uint32_t n_groups;
	uint32_t bytes[OMPP_RELAYOUT_UNITS];  /* of an element of each group's array */
	uint32_t before[OMPP_RELAYOUT_UNITS]; /* those of the groups before it */
	uint64_t units[OMPP_RELAYOUT_UNITS];  /* a bit for each of its units */
	uint8_t group[OMPP_RELAYOUT_UNITS];   /* by unit */
	uint32_t offset[OMPP_RELAYOUT_UNITS]; /* by unit: in the element of its group */
};

/* Finds the units of a structure.  Returns 0, or -1 when it has too many, is too large, or has no end, or when it is a
 * single member, which no layout moves. */
int ompp_relayout_units(const struct ompp_element *element, struct ompp_relayout_units *units);

/* Makes a layout of groups, each a bit mask of its units: each unit is in one. */
void ompp_relayout_make(const struct ompp_relayout_units *units, const uint64_t *groups, uint32_t n_groups,
                        struct ompp_relayout *layout);

/* Makes each unit a group. */
void ompp_relayout_apart(const struct ompp_relayout_units *units, struct ompp_relayout *layout);

/* Divides the groups of a layout so that no group has both units of a set and others.  Returns 1 when that changes the
 * layout, which `from` may be. */
int ompp_relayout_divide(const struct ompp_relayout_units *units, const struct ompp_relayout *from, uint64_t set,
                         struct ompp_relayout *to);

/* Bytes that stay together in a layout. */
struct ompp_relayout_piece {
	uintptr_t address;
	size_t n_bytes; /* 0: padding, which the layout does not have */
	size_t n_old;   /* so many bytes of the structure, at least 1 */
};

/* Returns where the first of n bytes of an array are, and what lies behind it in one piece.
 * lo, n_elements: the array in memory
 * at: the first byte, from lo on */
struct ompp_relayout_piece ompp_relayout_find(const struct ompp_relayout_units *units,
                                              const struct ompp_relayout *layout, uintptr_t lo, uint64_t n_elements,
                                              uint64_t at, size_t n);

/* Returns where a byte of an array would be if its elements, which are no structures, had half as many bytes. */
static inline uintptr_t ompp_relayout_half(uintptr_t address)
{
	return (uintptr_t)(OMPP_RELAYOUT_TAG | address >> 1);
}

/* Returns where a byte would be if a line of 64 bytes that nobody uses stood behind each 4 KiB, and another behind each
 * 64 times as much, and so on: so no distance is a multiple of the distance at which lines have the same set. */
static inline uintptr_t ompp_relayout_padded(uintptr_t address)
{
	return (uintptr_t)(OMPP_RELAYOUT_TAG |
	                   (address + 64 * ((address >> 12) + (address >> 18) + (address >> 24) + (address >> 30))));
}

#endif
