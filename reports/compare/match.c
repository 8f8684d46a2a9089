/*
 * Match: see match.h.
 */
#include "reports/compare/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/sort.h"

enum { MOST_PAIRS = 16 * 1024 * 1024 }; /* of one file: more are matched by their places alone */
enum { MOST_LINES = 16 * 1024 * 1024 };

/* Scores for the fit of two regions: the same kind, number of lines and clauses, and a shift by as many lines as most
 * regions of the file.  So a new region is not matched with a similar one that was removed elsewhere. */
enum { KIND = 2, SPAN = 4, CLAUSES = 2, SHIFT = 4 };
enum { NAMED = 4 };

struct matcher {
	const struct ompp_region *a, *b;
	size_t n_a, n_b;
	uint32_t *match, *taken; /* by region of b, the one of a; by region of a, the one of b */
	struct ompp_arena *arena;
};

static void match_put(struct matcher *m, uint32_t i, uint32_t k)
{
	m->match[k] = i;
	m->taken[i] = k;
}

static int is_same_kind(const struct ompp_region *x, const struct ompp_region *y)
{
	return x->construct == y->construct && !strcmp(x->name, y->name) &&
	       !strcmp(ompp_region_instantiation(x), ompp_region_instantiation(y));
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- by name ---- */

static int has_name(const struct ompp_region *region)
{
	return region->name[0] || ompp_region_instantiation(region)[0];
}

static int compare_names(const struct ompp_region *x, const struct ompp_region *y)
{
	int d = (int)x->construct - (int)y->construct;

	d = d ? d : strcmp(x->name, y->name);
	return d ? d : strcmp(ompp_region_instantiation(x), ompp_region_instantiation(y));
}

static int is_after_by_name(const void *regions, uint32_t x, uint32_t y)
{
	return compare_names((const struct ompp_region *)regions + x, (const struct ompp_region *)regions + y) > 0;
}

/* Is this the only one of its construct and name? */
static int is_alone(const struct ompp_region *regions, const uint32_t *order, size_t n, size_t i)
{
	return (!i || compare_names(&regions[order[i - 1]], &regions[order[i]])) &&
	       (i + 1 == n || compare_names(&regions[order[i]], &regions[order[i + 1]]));
}

static int match_names(struct matcher *m)
{
	uint32_t *x = ompp_sorted(m->arena, m->n_a, is_after_by_name, m->a);
	uint32_t *y = ompp_sorted(m->arena, m->n_b, is_after_by_name, m->b);

	if (!x || !y)
		return -ENOMEM;
	for (size_t i = 0, k = 0; i < m->n_a && k < m->n_b;) {
		int d = compare_names(&m->a[x[i]], &m->b[y[k]]);

		if (!d && has_name(&m->a[x[i]]) && is_alone(m->a, x, m->n_a, i) && is_alone(m->b, y, m->n_b, k))
			match_put(m, x[i], y[k]);
		i += d <= 0;
		k += d >= 0;
	}
	return 0;
}

/* ---- by place ---- */

static int is_after_by_place(const void *regions, uint32_t x, uint32_t y)
{
	const struct ompp_region *r = regions;
	int d = strcmp(r[x].file, r[y].file);

	if (d)
		return d > 0;
	if (r[x].begin_line != r[y].begin_line)
		return r[x].begin_line > r[y].begin_line;
	if (r[x].end_line != r[y].end_line)
		return r[x].end_line < r[y].end_line;
	return r[x].construct != r[y].construct
	             ? r[x].construct > r[y].construct
	             : strcmp(ompp_region_instantiation(&r[x]), ompp_region_instantiation(&r[y])) > 0;
}

/* The regions of one file that have no match yet. */
struct part {
	const uint32_t *order;
	size_t n;
};

static int64_t shift_of(const struct ompp_region *x, const struct ompp_region *y)
{
	return (int64_t)y->begin_line - x->begin_line;
}

static int is_same_shape(const struct ompp_region *x, const struct ompp_region *y)
{
	return is_same_kind(x, y) && x->end_line - x->begin_line == y->end_line - y->begin_line &&
	       !strcmp(x->clauses, y->clauses);
}

/* Returns how well two regions fit; 0 when they cannot be the same. */
static uint64_t match_fit(const struct matcher *m, uint32_t i, uint32_t k, int64_t shift)
{
	const struct ompp_region *x = &m->a[i], *y = &m->b[k];

	if (!is_same_kind(x, y))
		return 0;
	return (x->end_line - x->begin_line == y->end_line - y->begin_line ? KIND + SPAN : KIND) +
	       (strcmp(x->clauses, y->clauses) ? 0 : CLAUSES) + (shift_of(x, y) == shift ? SHIFT : 0);
}

/* Finds the most frequent shift in lines between regions of the same shape; those matched by name count more. */
static int find_shift(const struct matcher *m, struct part x, struct part y, int64_t *shift)
{
	const char *file = m->a[x.order[0]].file;
	uint32_t most_x = m->a[x.order[x.n - 1]].begin_line, most_y = m->b[y.order[y.n - 1]].begin_line;
	uint32_t *n, best = 0;

	*shift = 0;
	if (most_x > MOST_LINES || most_y > MOST_LINES)
		return 0;
	n = calloc((size_t)most_x + most_y + 1, sizeof(*n));
	if (!n)
		return -ENOMEM;
	for (size_t i = 0; i < x.n; i++)
		for (size_t k = 0; k < y.n; k++)
			if (is_same_shape(&m->a[x.order[i]], &m->b[y.order[k]]))
				n[shift_of(&m->a[x.order[i]], &m->b[y.order[k]]) + most_x]++;
	for (uint32_t k = 0; k < m->n_b; k++)
		if (m->match[k] != OMPP_NONE && !strcmp(m->a[m->match[k]].file, file)) {
			int64_t at = shift_of(&m->a[m->match[k]], &m->b[k]) + most_x;

			if (at >= 0 && at <= (int64_t)most_x + most_y)
				n[at] += NAMED;
		}
	for (int64_t at = 0; at <= (int64_t)most_x + most_y; at++)
		if (n[at] > best || (n[at] == best && llabs(at - most_x) < llabs(*shift))) {
			best = n[at];
			*shift = at - most_x;
		}
	free(n);
	return 0;
}

/* Sequence alignment by dynamic programming: best[i][k] is the best sum of fits of the first i regions of one and the
 * first k of the other. */
static int match_align(struct matcher *m, struct part x, struct part y)
{
	size_t width = y.n + 1;
	uint64_t *best;
	int64_t shift;

	if (find_shift(m, x, y, &shift))
		return -ENOMEM;
	best = calloc((x.n + 1) * width, sizeof(*best));
	if (!best)
		return -ENOMEM;
	for (size_t i = 1; i <= x.n; i++)
		for (size_t k = 1; k <= y.n; k++) {
			uint64_t points = match_fit(m, x.order[i - 1], y.order[k - 1], shift);
			uint64_t both = points ? best[(i - 1) * width + k - 1] + points : 0;
			uint64_t most = best[(i - 1) * width + k] > best[i * width + k - 1] ? best[(i - 1) * width + k]
			                                                                    : best[i * width + k - 1];

			best[i * width + k] = both > most ? both : most;
		}
	for (size_t i = x.n, k = y.n; i && k;) {
		if (best[i * width + k] == best[(i - 1) * width + k]) {
			i--;
		} else if (best[i * width + k] == best[i * width + k - 1]) {
			k--;
		} else {
			match_put(m, x.order[i - 1], y.order[k - 1]);
			i--;
			k--;
		}
	}
	free(best);
	return 0;
}

/* For files too long to be aligned: matches the regions with the same lines. */
static void match_lines(struct matcher *m, struct part x, struct part y)
{
	for (size_t i = 0, k = 0; i < x.n && k < y.n;) {
		const struct ompp_region *r = &m->a[x.order[i]], *s = &m->b[y.order[k]];

		if (r->begin_line == s->begin_line && r->end_line == s->end_line && is_same_kind(r, s)) {
			match_put(m, x.order[i++], y.order[k++]);
		} else {
			int is_before = r->begin_line != s->begin_line ? r->begin_line < s->begin_line
			                                               : r->end_line >= s->end_line;

			i += (size_t)is_before;
			k += (size_t)!is_before;
		}
	}
}

/* Returns the part of the order from `from` on that has one file, without the regions that have a match. */
static struct part next_part(const struct ompp_region *regions, uint32_t *order, size_t n, size_t from, size_t *to)
{
	struct part p = { order + from, 0 };

	for (*to = from; *to < n && !strcmp(regions[order[*to]].file, regions[order[from]].file); ++*to)
		p.n++;
	return p;
}

/* Is this the only path in the order with this base name, and without a partner of the same path? */
static int is_only_base(const struct ompp_region *regions, const uint32_t *order, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(regions[order[i]].file, path) && !strcmp(base_of(regions[order[i]].file), base_of(path)))
			return 0;
	return 1;
}

/* Returns the regions without a match, by place. */
static uint32_t *match_rest(const struct ompp_region *regions, size_t n, const uint32_t *of, size_t *n_rest,
                            struct ompp_arena *arena)
{
	uint32_t *order = ompp_arena_alloc(arena, (n + 1) * sizeof(*order));

	*n_rest = 0;
	for (uint32_t i = 0; order && i < n; i++)
		if (of[i] == OMPP_NONE)
			order[(*n_rest)++] = i;
	if (order)
		ompp_sort(order, *n_rest, is_after_by_place, regions);
	return order;
}

/* Matches the regions of files with equal paths or, with by_base, equal base names, as the source may have moved to
 * another folder. */
static int match_files(struct matcher *m, int by_base)
{
	size_t n_x, n_y, i_end, k_end;
	uint32_t *x = match_rest(m->a, m->n_a, m->taken, &n_x, m->arena),
		 *y = match_rest(m->b, m->n_b, m->match, &n_y, m->arena);
	int rc = 0;

	if (!x || !y)
		return -ENOMEM;
	for (size_t i = 0; i < n_x && !rc; i = i_end) {
		struct part of_a = next_part(m->a, x, n_x, i, &i_end);
		const char *path = m->a[x[i]].file;

		if (by_base && !is_only_base(m->a, x, n_x, path))
			continue;
		for (size_t k = 0; k < n_y && !rc; k = k_end) {
			struct part of_b = next_part(m->b, y, n_y, k, &k_end);
			const char *other = m->b[y[k]].file;

			if (by_base == (strcmp(path, other) == 0))
				continue;
			if (by_base && (!is_only_base(m->b, y, n_y, other) || strcmp(base_of(path), base_of(other))))
				continue;
			if (of_a.n > MOST_PAIRS / of_b.n)
				match_lines(m, of_a, of_b);
			else
				rc = match_align(m, of_a, of_b);
		}
	}
	return rc;
}

int ompp_match(const struct ompp_region *a, size_t n_a, const struct ompp_region *b, size_t n_b, uint32_t *match,
               struct ompp_arena *arena)
{
	struct matcher m = { a, b, n_a, n_b, match, NULL, arena };
	int rc;

	m.taken = ompp_arena_alloc(arena, (n_a + 1) * sizeof(*m.taken));
	if (!m.taken)
		return -ENOMEM;
	memset(m.taken, 0xff, n_a * sizeof(*m.taken));
	memset(match, 0xff, n_b * sizeof(*match));
	rc = match_names(&m);
	if (!rc)
		rc = match_files(&m, 0);
	return rc ? rc : match_files(&m, 1);
}
