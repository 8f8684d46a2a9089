/*
 * Relayout: see relayout.h.
 */
#include "runtime/data/relayout.h"

#include <string.h>

#include "runtime/base/check.h"

enum {
	PLACE_BITS = 52,
	LINE_BYTES = 64,
	PAGE_BYTES = 4096,
	MAPPED_BYTES = 128 << 10,
	MALLOC_HEAD = 16,
	MOST_ALIGN = 16
};

/* Returns the alignment of a scalar of so many bytes. */
static uint32_t align_of(uint64_t n_bytes)
{
	uint64_t lowest = n_bytes & -n_bytes;

	return lowest < MOST_ALIGN ? (uint32_t)lowest : MOST_ALIGN;
}

/* Puts all places of a member into a unit, or finds the one that has some of its bytes.  Returns 0 or -1. */
static int add_member(const struct ompp_element_member *m, uint32_t index, struct ompp_relayout_units *units)
{
	uint64_t counts[OMPP_ELEMENT_DEPTH] = { 0 }, offset = m->offset, at = 0;
	uint32_t align = align_of(m->unit ? m->unit : 1), unit = units->n;
	uint32_t depth = m->n_arrays;

	if (m->offset >= units->n_bytes || !m->n_bytes)
		return 0;
	/* a member of a union whose other members are there */
	if (units->unit[m->offset] != OMPP_RELAYOUT_NO_UNIT && !depth) {
		unit = units->unit[m->offset];
		at = units->at[m->offset];
	} else if (units->n == OMPP_RELAYOUT_UNITS) {
		return -1;
	} else {
		units->member[units->n++] = index;
	}
	for (;;) {
		for (uint64_t i = 0; i < m->n_bytes && offset + i < units->n_bytes; i++)
			if (units->unit[offset + i] == OMPP_RELAYOUT_NO_UNIT) {
				units->unit[offset + i] = (uint8_t)unit;
				units->at[offset + i] = (uint16_t)(at + i);
			}
		at += m->n_bytes;
		if (units->bytes[unit] < at)
			units->bytes[unit] = (uint32_t)at;
		/* the innermost array goes first */
		for (depth = m->n_arrays; depth; depth--) {
			if (++counts[depth - 1] < m->arrays[depth - 1].n)
				break;
			counts[depth - 1] = 0;
		}
		if (!depth)
			break;
		offset = m->offset;
		for (uint32_t k = 0; k < m->n_arrays; k++)
			offset += counts[k] * m->arrays[k].step;
	}
	if (units->align[unit] < align)
		units->align[unit] = align;
	return 0;
}

int ompp_relayout_units(const struct ompp_element *e, struct ompp_relayout_units *units)
{
	memset(units, 0, sizeof(*units));
	if (e->n_bytes > OMPP_RELAYOUT_MOST_BYTES || e->flags & OMPP_ELEMENT_OPEN)
		return -1;
	units->n_bytes = (uint32_t)e->n_bytes;
	memset(units->unit, OMPP_RELAYOUT_NO_UNIT, sizeof(units->unit));
	for (size_t i = 0; i < e->n; i++)
		if (e->members[i].kind != OMPP_ELEMENT_PADDING && add_member(&e->members[i], (uint32_t)i, units))
			return -1;
	return units->n > 1 ? 0 : -1;
}

void ompp_relayout_make(const struct ompp_relayout_units *units, const uint64_t *groups, uint32_t n_groups,
                        struct ompp_relayout *layout)
{
	uint32_t before = 0;

	memset(layout, 0, sizeof(*layout));
	layout->n_groups = n_groups;
	for (uint32_t g = 0; g < n_groups; g++) {
		uint32_t end = 0, most = 1;

		layout->units[g] = groups[g];
		/* the strictest alignment comes first, so that there is no padding between */
		for (uint32_t align = MOST_ALIGN; align; align /= 2)
			for (uint32_t u = 0; u < units->n; u++) {
				if (!(groups[g] >> u & 1) || units->align[u] != align)
					continue;
				end = (end + align - 1) & ~(align - 1);
				layout->group[u] = (uint8_t)g;
				layout->offset[u] = end;
				end += units->bytes[u];
				most = most < align ? align : most;
			}
		layout->bytes[g] = (end + most - 1) & ~(most - 1);
		layout->before[g] = before;
		before += layout->bytes[g];
	}
}

void ompp_relayout_apart(const struct ompp_relayout_units *units, struct ompp_relayout *layout)
{
	uint64_t groups[OMPP_RELAYOUT_UNITS];

	for (uint32_t u = 0; u < units->n; u++)
		groups[u] = UINT64_C(1) << u;
	ompp_relayout_make(units, groups, units->n, layout);
}

int ompp_relayout_divide(const struct ompp_relayout_units *units, const struct ompp_relayout *from, uint64_t set,
                         struct ompp_relayout *to)
{
	uint64_t groups[OMPP_RELAYOUT_UNITS];
	uint32_t n = 0, n_before = from->n_groups;

	for (uint32_t g = 0; g < n_before; g++) {
		if (from->units[g] & set)
			groups[n++] = from->units[g] & set;
		if (from->units[g] & ~set)
			groups[n++] = from->units[g] & ~set;
	}
	ompp_assert(n >= n_before && n <= units->n);
	if (n == n_before)
		return 0;
	ompp_relayout_make(units, groups, n, to);
	return 1;
}

static uint64_t rounded(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* Returns where a group's array begins, behind the address of all, a multiple of the page: where malloc() of the GNU C
 * library would have it.  Large arrays are mapped, each below the one before, others stand one behind the other. */
static uint64_t group_start(const struct ompp_relayout_units *units, const struct ompp_relayout *layout, uint32_t group,
                            uint64_t n_elements)
{
	uint64_t mapped = 0, heap = 0, n_bytes = 0;

	for (uint32_t g = 0; g <= group; g++) {
		n_bytes = n_elements * layout->bytes[g] + MALLOC_HEAD;
		if (n_bytes >= MAPPED_BYTES)
			mapped += rounded(n_bytes, PAGE_BYTES);
		else
			heap += rounded(n_bytes, MALLOC_HEAD);
	}
	if (n_bytes < MAPPED_BYTES)
		return heap - rounded(n_bytes, MALLOC_HEAD);
	return rounded(n_elements * units->n_bytes, PAGE_BYTES) * 4 - mapped + MALLOC_HEAD;
}

/* The arrays of all groups, with what is between them, need less than eight times the memory of the structures, so that
 * eight times its address keeps those of neighbours apart.  After each change of its groups an object is elsewhere, as
 * its lines of before are not those of the new arrays. */
struct ompp_relayout_piece ompp_relayout_find(const struct ompp_relayout_units *units,
                                              const struct ompp_relayout *layout, uintptr_t lo, uint64_t n_elements,
                                              uint64_t at, size_t n)
{
	struct ompp_relayout_piece piece = { .n_old = 1 };
	uint64_t i = at / units->n_bytes;
	uint32_t offset = (uint32_t)(at % units->n_bytes), unit = units->unit[offset], end = offset + 1, group;

	while (end < units->n_bytes && piece.n_old < n && units->unit[end] == unit &&
	       (unit == OMPP_RELAYOUT_NO_UNIT || units->at[end] == units->at[end - 1] + 1)) {
		end++;
		piece.n_old++;
	}
	if (unit == OMPP_RELAYOUT_NO_UNIT)
		return piece;
	group = layout->group[unit];
	piece.n_bytes = piece.n_old;
	if (n_elements * units->n_bytes >= MAPPED_BYTES)
		lo &= ~(uintptr_t)(PAGE_BYTES - 1);
	/* the first one begins at the same place of a line as the structures */
	piece.address = (uintptr_t)(OMPP_RELAYOUT_TAG + ((uint64_t)layout->n_groups << PLACE_BITS) +
	                            ((uint64_t)lo & ~(uint64_t)(LINE_BYTES - 1)) * 8 + (lo & (LINE_BYTES - 1)) +
	                            group_start(units, layout, group, n_elements) + i * layout->bytes[group] +
	                            layout->offset[unit] + units->at[offset]);
	return piece;
}
