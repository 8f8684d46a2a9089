/*
 * Merge rows: see merge_rows.h.  Only in the program ompp.
 */
#include "reports/profile/merge_rows.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/record.h"
#include "runtime/base/check.h"
#include "runtime/base/sort.h"

/* All records, in the order of the profiles. */
struct rows {
	enum ompp_section section;
	size_t n_bytes; /* of a record */
	char *all;
	size_t n;
};

static char *row_at(const struct rows *r, size_t i)
{
	return r->all + i * r->n_bytes;
}

static int is_after(const void *rows, uint32_t x, uint32_t y)
{
	const struct rows *r = rows;
	int d = ompp_record_compare(r->section, row_at(r, x), row_at(r, y));

	return d ? d > 0 : x > y;
}

/* ---- indices ---- */

static uint32_t mapped(enum ompp_bound bound, uint32_t i, const struct ompp_merge_map *map)
{
	if (i == OMPP_NONE)
		return i;
	switch (bound) {
	case OMPP_BOUND_NODE:
	case OMPP_BOUND_NODE_OR_NONE:
		return map->nodes[i];
	case OMPP_BOUND_ROW:
	case OMPP_BOUND_ROW_OR_NONE:
		return map->first_row + i;
	case OMPP_BOUND_REGION:
	case OMPP_BOUND_REGION_OR_NONE:
		return map->regions[i];
	case OMPP_BOUND_CELL:
		return map->cells[i];
	case OMPP_BOUND_OBJECT:
	case OMPP_BOUND_OBJECT_OR_NONE:
		return map->objects[i];
	case OMPP_BOUND_SAMPLED:
		return map->samples[i];
	default:
		return i;
	}
}

void ompp_merge_map_record(enum ompp_section section, void *record, const struct ompp_merge_map *map)
{
	struct ompp_words words = ompp_schemas[section].words();

	for (size_t i = 0; i < words.n; i++) {
		uint32_t *word = (uint32_t *)(void *)((char *)record + words.list[i].offset);

		if (words.list[i].join == OMPP_JOIN_NOTHING && !map->is_same_process)
			*word = 0;
		else if (words.list[i].type == OMPP_WORD_U32)
			*word = mapped(words.list[i].bound, *word, map);
	}
}

/* ---- rows ---- */

/* Gathers the rows of one profile. */
static void add_rows(struct rows *r, const struct ompp_profile *p, const struct ompp_merge_map *map)
{
	const void *list;
	size_t n = ompp_records(r->section, p, &list);

	for (size_t i = 0; i < n; i++) {
		char *row = row_at(r, r->n++);

		memcpy(row, (const char *)list + i * r->n_bytes, r->n_bytes);
		ompp_merge_map_record(r->section, row, map);
	}
}

/* Adds up adjacent records with equal keys. place[i] becomes the new index of row i. */
static void fold_rows(const struct rows *r, const uint32_t *order, struct rows *sums, uint32_t *place)
{
	int are_apart = ompp_orders[r->section].are_apart;

	for (size_t i = 0; i < r->n; i++) {
		const char *row = row_at(r, order[i]);

		ompp_assert(!sums->n || ompp_record_compare(r->section, row_at(sums, sums->n - 1), row) <= 0);
		if (!are_apart && sums->n && !ompp_record_compare(r->section, row_at(sums, sums->n - 1), row))
			ompp_record_add(r->section, row_at(sums, sums->n - 1), row);
		else
			memcpy(row_at(sums, sums->n++), row, r->n_bytes);
		place[order[i]] = (uint32_t)sums->n - 1;
	}
}

int ompp_merge_rows(enum ompp_section section, const struct ompp_profile *profiles, size_t n,
                    struct ompp_merge_map *maps, struct ompp_arena *arena, struct ompp_profile *out,
                    int (*are_meant)(const struct ompp_profile *p, const struct ompp_profile *out))
{
	struct rows r = { .section = section, .n_bytes = ompp_schemas[section].record_bytes };
	struct rows sums = r;
	uint32_t *order, *place;
	size_t n_all = 0;
	const void *list;

	for (size_t i = 0; i < n; i++)
		n_all += ompp_records(section, &profiles[i], &list);
	r.all = ompp_arena_alloc(arena, (n_all + 1) * r.n_bytes);
	sums.all = ompp_arena_alloc(arena, (n_all + 1) * r.n_bytes);
	place = ompp_arena_alloc(arena, (n_all + 1) * sizeof(*place));
	if (!r.all || !sums.all || !place || n_all > UINT32_MAX)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (section == OMPP_SECTION_SAMPLES)
			maps[i].samples = place + r.n;
		if (!are_meant || are_meant(&profiles[i], out))
			add_rows(&r, &profiles[i], &maps[i]);
	}
	order = ompp_sorted(arena, r.n, is_after, &r);
	if (!order)
		return -ENOMEM;
	ompp_assert(r.n <= n_all);
	fold_rows(&r, order, &sums, place);
	ompp_records_set(section, out, sums.all, sums.n);
	return 0;
}
