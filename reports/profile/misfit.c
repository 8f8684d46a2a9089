/*
 * Misfit: see misfit.h.  Only the program ompp needs it.
 *
 * The profiles of one MPI run have the program's name, the size of the run and the time in common, and each has its own
 * rank.  Their regions may differ, as ranks may do different things, and so may their numbers of threads.
 */
#include "reports/profile/misfit.h"

#include <string.h>

#include "runtime/base/sort.h"
#include "runtime/base/text.h"

/* Ranks of one run may begin so far apart: clocks of different hosts may differ, and ranks that never meet may start
 * late. */
static const int64_t most_apart_ns = INT64_C(60000000000);

enum { CAUSE_BYTES = 512, NAME_BYTES = 64 };

static void put_name(struct ompp_text *t, const char *name)
{
	ompp_text_char(t, '\'');
	ompp_text_strn(t, name, strnlen(name, NAME_BYTES));
	ompp_text_char(t, '\'');
}

static void put_two(struct ompp_text *t, int64_t a, int64_t b)
{
	ompp_text_i64(t, a);
	ompp_text_str(t, " and ");
	ompp_text_i64(t, b);
}

static int misfit_compare(const struct ompp_region *x, const struct ompp_region *y)
{
	int d = strcmp(x->file, y->file);

	if (d || x->begin_line != y->begin_line)
		return d ? d : x->begin_line < y->begin_line ? -1 : 1;
	return (int)x->construct - (int)y->construct;
}

static int is_after(const void *regions, uint32_t x, uint32_t y)
{
	return misfit_compare((const struct ompp_region *)regions + x, (const struct ompp_region *)regions + y) > 0;
}

/* Fills `order` with the regions whose lines are known, sorted by place, and returns their number. */
static size_t misfit_places(const struct ompp_profile *p, uint32_t *order)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->n_regions; i++)
		if (p->regions[i].file[0] && p->regions[i].begin_line && p->regions[i].end_line)
			order[n++] = i;
	ompp_sort(order, n, is_after, p->regions);
	return n;
}

/* Is region i of the order the only one at its place?  Macros may make several in one line. */
static int is_alone(const struct ompp_profile *p, const uint32_t *order, size_t n, size_t i)
{
	const struct ompp_region *region = &p->regions[order[i]];

	return (!i || misfit_compare(&p->regions[order[i - 1]], region)) &&
	       (i + 1 == n || misfit_compare(&p->regions[order[i + 1]], region));
}

/* Returns a region of a that has a different last line in b, which means that the sources differ; NULL when there is
 * none. */
static const struct ompp_region *misfit_moved(const struct ompp_profile *a, const struct ompp_profile *b,
                                              struct ompp_arena *arena)
{
	uint32_t *of_a = ompp_arena_alloc(arena, (a->n_regions + 1) * sizeof(*of_a));
	uint32_t *of_b = ompp_arena_alloc(arena, (b->n_regions + 1) * sizeof(*of_b));
	size_t n_a = of_a ? misfit_places(a, of_a) : 0, n_b = of_b ? misfit_places(b, of_b) : 0;

	for (size_t i = 0, k = 0; i < n_a && k < n_b;) {
		const struct ompp_region *x = &a->regions[of_a[i]], *y = &b->regions[of_b[k]];
		int d = misfit_compare(x, y);

		if (!d && x->end_line != y->end_line && is_alone(a, of_a, n_a, i) && is_alone(b, of_b, n_b, k))
			return x;
		i += d <= 0;
		k += d >= 0;
	}
	return NULL;
}

/* Says why two profiles that are not both of a rank do not fit. */
static void put_runs(struct ompp_text *t, const struct ompp_profile *a, const struct ompp_profile *b)
{
	int is_same = a->pid == b->pid && a->start_unix_ns == b->start_unix_ns &&
	              !strcmp(ompp_profile_condition(a, "Host"), ompp_profile_condition(b, "Host"));

	ompp_text_str(t, is_same ? "two reports of one run of " : "two runs or processes of ");
	put_name(t, a->app);
	if (a->max_threads != b->max_threads) {
		ompp_text_str(t, ", with ");
		put_two(t, a->max_threads, b->max_threads);
		ompp_text_str(t, " threads");
	}
}

/* Writes the cause into t, or nothing when the two fit. */
static void misfit_judge(struct ompp_text *t, const struct ompp_profile *a, const struct ompp_profile *b,
                         struct ompp_arena *arena)
{
	const struct ompp_region *region;

	if (strcmp(a->app, b->app)) {
		ompp_text_str(t, "two programs, ");
		put_name(t, a->app);
		ompp_text_str(t, " and ");
		put_name(t, b->app);
	} else if ((region = misfit_moved(a, b, arena))) {
		const char *base = strrchr(region->file, '/');

		ompp_text_str(t, "two versions of ");
		put_name(t, a->app);
		ompp_text_str(t, ": the ");
		ompp_text_str(t, ompp_construct_name(region->construct));
		ompp_text_str(t, " in line ");
		ompp_text_u64(t, region->begin_line);
		ompp_text_str(t, " of ");
		put_name(t, base ? base + 1 : region->file);
		ompp_text_str(t, " ends in different lines");
	} else if (a->mpi_rank < 0 || b->mpi_rank < 0) {
		put_runs(t, a, b);
	} else if (a->mpi_size != b->mpi_size) {
		ompp_text_str(t, "two MPI runs, of ");
		put_two(t, a->mpi_size, b->mpi_size);
		ompp_text_str(t, " ranks");
	} else if (a->mpi_rank == b->mpi_rank) {
		ompp_text_str(t, "both rank ");
		ompp_text_i64(t, a->mpi_rank);
	} else if (a->start_unix_ns - most_apart_ns > b->end_unix_ns ||
	           b->start_unix_ns - most_apart_ns > a->end_unix_ns) {
		ompp_text_str(t, "ranks of two MPI runs, which did not run at the same time");
	}
}

const char *ompp_misfit(const struct ompp_profile *profiles, size_t i, size_t *other, struct ompp_arena *arena)
{
	char buffer[CAUSE_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	for (*other = 0; *other < i; ++*other) {
		const char *copy;

		if (!*other || profiles[*other].mpi_rank == profiles[i].mpi_rank)
			misfit_judge(&t, &profiles[*other], &profiles[i], arena);
		if (!t.n_bytes)
			continue;
		copy = ompp_arena_strdup(arena, buffer);
		return copy ? copy : "not the ranks of one MPI run";
	}
	return NULL;
}
