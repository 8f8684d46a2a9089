/*
 * Hot functions: see hot_functions.h.
 */
#include "reports/analysis/hot_functions.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/classes.h"
#include "runtime/base/bound.h"
#include "runtime/base/clean.h"
#include "runtime/base/sort.h"

enum { LEAST_SAMPLES = 10, MOST_NAMED = 3, SAY_BYTES = 1024, NAME_BYTES = 256 };
#define WHOLE      INT64_C(1000000000)
#define LEAST_PART (WHOLE / 10) /* of a scope, for a function to be named */

int ompp_hot_is_openmp(const struct ompp_hot_spot *spot)
{
	return !strncmp(spot->module, "libgomp.so", 10) || !strncmp(spot->module, "libomp.so", 9) ||
	       !strncmp(spot->module, "libiomp5.so", 11);
}

int ompp_hot_is_own(const struct ompp_hot_spot *spot)
{
	return !strcmp(spot->function, OMPP_PROFILE_OWN);
}

int ompp_hot_is_serial(const struct ompp_analysis *a, uint32_t node)
{
	if (a->team[node] != OMPP_NONE)
		return 0;
	for (; node; node = a->profile->nodes[node].parent)
		if (a->profile->nodes[node].construct == OMPP_THREAD)
			return 0;
	return 1;
}

const char *ompp_hot_outside(const struct ompp_analysis *a)
{
	struct ompp_classes c;

	return !ompp_classes(a, &c) && c.serial_ns == OMPP_MISSING ? "outside of parallel regions" : "serial part";
}

static int is_in_scope(const struct ompp_analysis *a, const struct ompp_hot_spot *spot, uint32_t region)
{
	const struct ompp_node *node = &a->profile->nodes[spot->node];

	return region == OMPP_NONE ? ompp_hot_is_serial(a, spot->node) : spot->node && node->region == region;
}

/* Returns the length of the name of the function into which the spot's was inlined: the symbol without what the
 * compiler appended.  0 where there is none: the symbol "main._omp_fn.0" is a part of the function "main" itself. */
static size_t enclosing_bytes(const struct ompp_hot_spot *spot)
{
	size_t n = strcspn(spot->within, ".");

	return !strncmp(spot->within, spot->function, n) && !spot->function[n] ? 0 : n;
}

static int compare_enclosing(const struct ompp_hot_spot *a, const struct ompp_hot_spot *b)
{
	size_t n = enclosing_bytes(a), m = enclosing_bytes(b);
	int d = memcmp(a->within, b->within, n < m ? n : m);

	return d ? d : (n > m) - (n < m);
}

/* One function that was inlined into two is two, as each name says into which. */
static int compare_functions(const struct ompp_hot_spot *a, const struct ompp_hot_spot *b)
{
	int d = strcmp(a->module, b->module);

	d = d ? d : strcmp(a->function, b->function);
	d = d ? d : compare_enclosing(a, b);
	return d ? d : strcmp(a->file, b->file);
}

/* Spots in the order of functions and lines. */
static int is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_hot_spot *a = ((const struct ompp_hot_spot *const *)context)[x];
	const struct ompp_hot_spot *b = ((const struct ompp_hot_spot *const *)context)[y];
	int d = compare_functions(a, b);

	return d ? d > 0 : a->line > b->line;
}

static int has_fewer(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_hot_function *f = context;

	return f[x].n != f[y].n ? f[x].n < f[y].n : x > y;
}

/* Makes functions of spots in their order. */
static void sum_up(const struct ompp_hot_spot *const *spots, const uint32_t *order, size_t n,
                   struct ompp_hot_function *list, struct ompp_hot_functions *out)
{
	for (size_t i = 0, end; i < n; i = end) {
		const struct ompp_hot_spot *first = spots[order[i]];
		uint64_t n_line = 0;

		if (!out->n || compare_functions(list[out->n - 1].spot, first))
			list[out->n++] = (struct ompp_hot_function){ .spot = first };
		for (end = i;
		     end < n && spots[order[end]]->line == first->line && !compare_functions(spots[order[end]], first);
		     end++) {
			struct ompp_hot_function *f = &list[out->n - 1];

			n_line += spots[order[end]]->n;
			f->n += spots[order[end]]->n;
			f->ns = ompp_add(f->ns, spots[order[end]]->ns);
			out->n_samples += spots[order[end]]->n;
			out->ns = ompp_add(out->ns, spots[order[end]]->ns);
		}
		if (n_line > list[out->n - 1].n_line) {
			list[out->n - 1].n_line = n_line;
			list[out->n - 1].spot = first;
		}
	}
}

/* Makes functions of n spots.  Returns 0 or -ENOMEM. */
static int functions_of(const struct ompp_analysis *a, const struct ompp_hot_spot *const *spots, size_t n,
                        struct ompp_hot_functions *out)
{
	uint32_t *order = spots ? ompp_sorted(a->arena, n, is_after, spots) : NULL;
	struct ompp_hot_function *made = order ? ompp_arena_alloc(a->arena, (n + 1) * sizeof(*made)) : NULL;
	struct ompp_hot_function *list;

	*out = (struct ompp_hot_functions){ 0 };
	if (!made)
		return -ENOMEM;
	sum_up(spots, order, n, made, out);
	order = ompp_sorted(a->arena, out->n, has_fewer, made);
	out->list = list = order ? ompp_arena_alloc(a->arena, (out->n + 1) * sizeof(*list)) : NULL;
	for (size_t i = 0; list && i < out->n; i++)
		list[i] = made[order[i]];
	return list ? 0 : -ENOMEM;
}

int ompp_hot_functions(const struct ompp_analysis *a, uint32_t region, int has_openmp, struct ompp_hot_functions *out)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_hot_spot **spots = ompp_arena_alloc(a->arena, (p->n_hot_spots + 1) * sizeof(*spots));
	uint64_t n_own = 0;
	size_t n = 0;
	int rc;

	for (size_t i = 0; spots && i < p->n_hot_spots; i++) {
		const struct ompp_hot_spot *spot = &p->hot_spots[i];

		if (!is_in_scope(a, spot, region))
			continue;
		if (ompp_hot_is_own(spot))
			n_own += spot->n;
		else if (has_openmp || !ompp_hot_is_openmp(spot))
			spots[n++] = spot;
	}
	rc = functions_of(a, spots, n, out);
	out->n_own = n_own;
	return rc;
}

int ompp_hot_functions_at(const struct ompp_analysis *a, uint32_t node, uint32_t row, struct ompp_hot_functions *out)
{
	const struct ompp_profile *p = a->profile;
	size_t first = OMPP_BOUND(p->hot_spots, p->n_hot_spots, node, node), n = 0;
	size_t end = OMPP_BOUND(p->hot_spots, p->n_hot_spots, node, node + 1);
	const struct ompp_hot_spot **spots = ompp_arena_alloc(a->arena, (end - first + 1) * sizeof(*spots));

	for (size_t i = first; spots && i < end; i++)
		if (!ompp_hot_is_openmp(&p->hot_spots[i]) && (row == OMPP_NONE || p->hot_spots[i].row == row))
			spots[n++] = &p->hot_spots[i];
	return functions_of(a, spots, n, out);
}

/* ---- all regions ---- */

struct hot_list {
	const struct ompp_analysis *analysis;
	struct ompp_hot_row *rows;
	size_t n, have;
	uint64_t n_samples, n_own;
};

/* Adds the functions of a region.  Returns 0 or -ENOMEM. */
static int add_region(struct hot_list *l, uint32_t region)
{
	struct ompp_hot_functions all;
	struct ompp_hot_row *rows;

	if (ompp_hot_functions(l->analysis, region, 1, &all))
		return -ENOMEM;
	rows = ompp_arena_grow(l->analysis->arena, l->rows, &l->have, l->n + all.n + 1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	l->rows = rows;
	for (size_t i = 0; i < all.n; i++)
		rows[l->n++] = (struct ompp_hot_row){ region, all.list[i], all.n_samples };
	l->n_samples += all.n_samples;
	l->n_own += all.n_own;
	return 0;
}

/* Is the region only where one thread alone works?  Then it is part of the serial part. */
static int is_serial(const struct ompp_analysis *a, uint32_t region)
{
	for (int kind = 0; kind < 2; kind++)
		for (uint32_t i = a->same_first[kind][region]; i != OMPP_NONE; i = a->same_next[i])
			if (!ompp_hot_is_serial(a, i))
				return 0;
	return 1;
}

static int row_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_hot_row *r = context;

	return r[x].function.n != r[y].function.n ? r[x].function.n < r[y].function.n : x > y;
}

int ompp_hot_rows(const struct ompp_analysis *a, struct ompp_hot_rows *out)
{
	struct hot_list l = { .analysis = a };
	int is_whole = a->n_named == a->profile->n_regions, rc = is_whole ? add_region(&l, OMPP_NONE) : 0;
	struct ompp_hot_row *list;
	uint32_t *order;

	for (uint32_t r = 0; r < a->profile->n_regions && !rc; r++)
		if (a->named[r] && !(is_whole && is_serial(a, r)))
			rc = add_region(&l, r);
	order = rc ? NULL : ompp_sorted(a->arena, l.n, row_is_after, l.rows);
	list = order ? ompp_arena_alloc(a->arena, (l.n + 1) * sizeof(*list)) : NULL;
	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < l.n; i++)
		list[i] = l.rows[order[i]];
	*out = (struct ompp_hot_rows){ list, l.n, l.n_samples, l.n_own };
	return 0;
}

/* ---- errors ---- */

int64_t ompp_hot_share_error(uint64_t n, uint64_t n_all)
{
	unsigned __int128 square = (unsigned __int128)n * (n_all - n) * (uint64_t)WHOLE;
	int64_t error = n_all ? (int64_t)ompp_root(square / n_all * (uint64_t)WHOLE / n_all / n_all) : 0;
	int64_t one = n_all ? WHOLE / (int64_t)n_all : 0;

	return error > one ? error : one;
}

int64_t ompp_hot_error_ns(int64_t ns, uint64_t n)
{
	return n ? (int64_t)ompp_root((unsigned __int128)ns * (uint64_t)ns / n) : 0;
}

/* ---- words ---- */

/* Adds the function into which the spot's was inlined. */
static void put_enclosing(struct ompp_text *t, const struct ompp_hot_spot *spot)
{
	char name[NAME_BYTES];
	struct ompp_text cut;

	ompp_text_init(&cut, name, sizeof(name));
	ompp_text_strn(&cut, spot->within, enclosing_bytes(spot));
	ompp_text_str(t, " in ");
	ompp_clean(t, name, 0);
}

static void put_function(struct ompp_text *t, const struct ompp_hot_spot *spot, int has_enclosing)
{
	if (spot->function[0])
		ompp_clean(t, spot->function, 0);
	else
		ompp_text_str(t, spot->module[0] ? "a function" : "a function without a name");
	if (has_enclosing && enclosing_bytes(spot))
		put_enclosing(t, spot);
	if (spot->module[0]) {
		ompp_text_str(t, " of ");
		ompp_clean(t, spot->module, 0);
	}
}

void ompp_hot_put_function(struct ompp_text *t, const struct ompp_hot_spot *spot)
{
	put_function(t, spot, 1);
}

void ompp_hot_put_location(struct ompp_text *t, const struct ompp_hot_spot *spot)
{
	const char *base = strrchr(spot->file, '/');

	ompp_clean(t, base ? base + 1 : spot->file, 0);
	if (spot->line) {
		ompp_text_char(t, ':');
		ompp_text_u64(t, spot->line);
	}
}

/* Gets the functions of a scope.  Returns 1 when there are enough samples to name one. */
static int is_enough(const struct ompp_analysis *a, uint32_t region, struct ompp_hot_functions *all)
{
	return !ompp_hot_functions(a, region, 0, all) && all->n_samples >= LEAST_SAMPLES &&
	       ompp_share((int64_t)all->list[0].n, (int64_t)all->n_samples) >= LEAST_PART;
}

static void put_share(struct ompp_text *t, const struct ompp_hot_function *f, uint64_t n_all, const char *words,
                      int has_enclosing)
{
	int64_t error = ompp_hot_share_error(f->n, n_all);

	ompp_text_fixed(t, ompp_share((int64_t)f->n, (int64_t)n_all), 7, 0);
	ompp_text_str(t, " +- ");
	ompp_text_fixed(t, error < WHOLE / 100 ? WHOLE / 100 : error, 7, 0);
	ompp_text_str(t, words);
	put_function(t, f->spot, has_enclosing);
	if (f->spot->file[0]) {
		ompp_text_str(t, " (");
		ompp_hot_put_location(t, f->spot);
		ompp_text_char(t, ')');
	}
}

int ompp_hot_put_first(struct ompp_text *t, const struct ompp_analysis *a, uint32_t region, int has_enclosing)
{
	struct ompp_hot_functions all;

	if (!is_enough(a, region, &all))
		return 0;
	put_share(t, &all.list[0], all.n_samples, " % in ", has_enclosing);
	return 1;
}

const char *ompp_hot_say(const struct ompp_analysis *a, uint32_t region)
{
	struct ompp_hot_functions all;
	struct ompp_text t;
	char *buffer;

	if (!is_enough(a, region, &all))
		return NULL;
	buffer = ompp_arena_alloc(a->arena, SAY_BYTES);
	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, SAY_BYTES);
	ompp_text_str(&t, "Of the program's processor time there ");
	for (size_t i = 0;
	     i < all.n && i < MOST_NAMED && ompp_share((int64_t)all.list[i].n, (int64_t)all.n_samples) >= LEAST_PART;
	     i++) {
		ompp_text_str(&t, i ? ", " : "");
		put_share(&t, &all.list[i], all.n_samples, " % are in ", 1);
	}
	ompp_text_str(&t, ", by ");
	ompp_text_u64(&t, all.n_samples);
	ompp_text_str(&t, " samples.");
	return buffer;
}
