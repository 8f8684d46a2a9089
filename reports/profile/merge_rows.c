/*
 * Merge rows: see merge_rows.h.  Only in the program ompp.
 */
#include "reports/profile/merge_rows.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/sort.h"

/* All rows, in the order of the profiles. */
struct rows {
	const struct ompp_merge_rows *kind;
	char *all;
	size_t n;
};

static char *row_at(const struct rows *r, size_t i)
{
	return r->all + i * r->kind->n_bytes;
}

static int is_after(const void *rows, uint32_t x, uint32_t y)
{
	const struct rows *r = rows;
	int d = r->kind->compare(row_at(r, x), row_at(r, y));

	return d ? d > 0 : x > y;
}

/* Returns those of a profile that are meant, and in *n their number. */
static const char *rows_of(const struct ompp_merge_rows *kind, const struct ompp_profile *p,
                           const struct ompp_profile *out, size_t *n)
{
	const char *list;

	memcpy(&list, (const char *)p + kind->list, sizeof(list));
	memcpy(n, (const char *)p + kind->n_list, sizeof(*n));
	if (kind->are_meant && !kind->are_meant(p, out))
		*n = 0;
	return list;
}

int ompp_merge_rows(const struct ompp_merge_rows *kind, const struct ompp_profile *profiles, size_t n,
                    const struct ompp_merge_map *maps, struct ompp_arena *arena, struct ompp_profile *out)
{
	struct rows r = { .kind = kind };
	struct rows sums = { .kind = kind };
	size_t n_all = 0, n_more;
	uint32_t *order;

	for (size_t i = 0; i < n; i++) {
		rows_of(kind, &profiles[i], out, &n_more);
		n_all += n_more;
	}
	r.all = ompp_arena_alloc(arena, (n_all + 1) * kind->n_bytes);
	sums.all = ompp_arena_alloc(arena, (n_all + 1) * kind->n_bytes);
	if (!r.all || !sums.all || n_all > UINT32_MAX)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const char *from = rows_of(kind, &profiles[i], out, &n_more);

		for (size_t k = 0; k < n_more; k++) {
			memcpy(row_at(&r, r.n), from + k * kind->n_bytes, kind->n_bytes);
			kind->map(row_at(&r, r.n++), &maps[i]);
		}
	}
	order = ompp_sorted(arena, n_all, is_after, &r);
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n_all; i++) {
		const char *row = row_at(&r, order[i]);

		if (kind->add && sums.n && !kind->compare(row_at(&sums, sums.n - 1), row))
			kind->add(row_at(&sums, sums.n - 1), row);
		else
			memcpy(row_at(&sums, sums.n++), row, kind->n_bytes);
	}
	memcpy((char *)out + kind->list, &sums.all, sizeof(sums.all));
	memcpy((char *)out + kind->n_list, &sums.n, sizeof(sums.n));
	return 0;
}
