/*
 * Course stretch: see course_stretch.h.
 */
#include "reports/analysis/course_stretch.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/number.h"
#include "reports/profile/schema.h"

enum {
	LOOKED_AT = 100,             /* parts in which few threads are looked for: what is shorter is evened out */
	LEAST_PARTS = 10,            /* of a stretch that is told */
	LEAST_STRETCH_NS = 10000000, /* shorter ones are what a program takes to start and end */
	ALONE_MILLI = 1050           /* one thread, as slices are divided between parts */
};

static int64_t slice_begin(const struct ompp_profile *p, size_t i)
{
	return p->course[i].slice * p->course_slice_ns;
}

/* The last slice ends with the run. */
int64_t ompp_course_ns(const struct ompp_profile *p)
{
	int64_t begin_ns, run_ns = p->duration_ns - p->off_ns;

	if (!p->n_course || p->course_slice_ns <= 0 || p->course_slice_ns > OMPP_MOST_SLICE_NS)
		return 0;
	begin_ns = slice_begin(p, p->n_course - 1);
	return run_ns > begin_ns && run_ns - begin_ns < p->course_slice_ns ? run_ns : begin_ns + p->course_slice_ns;
}

int ompp_course_has_mpi(const struct ompp_profile *p)
{
	int has_some = 0;

	for (size_t i = 0; i < p->n_course; i++) {
		if (p->course[i].mpi_ns == OMPP_MISSING)
			return 0;
		has_some |= p->course[i].mpi_ns > 0;
	}
	return has_some;
}

/* ---- parts ---- */

/* Adds the part of a slice that lies in a stretch: ns of its all_ns. */
static void course_add(struct ompp_course_stretch *to, const struct ompp_course_record *from, int64_t ns,
                       int64_t all_ns, int has_mpi)
{
	to->work_ns = ompp_add(to->work_ns, (int64_t)((__int128)from->work_ns * ns / all_ns));
	to->wait_ns = ompp_add(to->wait_ns, (int64_t)((__int128)from->wait_ns * ns / all_ns));
	to->manage_ns = ompp_add(to->manage_ns, (int64_t)((__int128)from->manage_ns * ns / all_ns));
	to->idle_ns = ompp_add(to->idle_ns, (int64_t)((__int128)from->idle_ns * ns / all_ns));
	if (has_mpi)
		to->mpi_ns = ompp_add(to->mpi_ns, (int64_t)((__int128)from->mpi_ns * ns / all_ns));
}

/* Finds the region in which threads were in most slices that end in a stretch.
 * n: by region, all 0 before and after */
static void find_region(const struct ompp_profile *p, struct ompp_course_stretch *stretch, size_t first, uint64_t *n)
{
	uint64_t most = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = first; i < p->n_course && slice_begin(p, i) < stretch->end_ns; i++) {
			const struct ompp_course_record *s = &p->course[i];

			if (s->region == OMPP_NONE || slice_begin(p, i) + p->course_slice_ns <= stretch->begin_ns)
				continue;
			n[s->region] = pass ? 0 : n[s->region] + s->n_there;
			if (n[s->region] <= most)
				continue;
			most = n[s->region];
			stretch->region = s->region;
		}
}

/* Fills in a stretch, whose begin and end are known.  Returns the first slice that goes beyond it.
 * first: a slice that is not behind its begin */
static size_t fill_stretch(const struct ompp_profile *p, struct ompp_course_stretch *stretch, size_t first, uint64_t *n)
{
	int64_t all_ns = ompp_course_ns(p);
	int has_mpi = ompp_course_has_mpi(p);
	size_t i = first;

	stretch->region = OMPP_NONE;
	for (; i < p->n_course && slice_begin(p, i) < stretch->end_ns; i++) {
		int64_t begin_ns = slice_begin(p, i), end_ns = begin_ns + p->course_slice_ns, lo, hi;

		end_ns = end_ns < all_ns ? end_ns : all_ns;
		lo = begin_ns > stretch->begin_ns ? begin_ns : stretch->begin_ns;
		hi = end_ns < stretch->end_ns ? end_ns : stretch->end_ns;
		if (lo < hi)
			course_add(stretch, &p->course[i], hi - lo, end_ns - begin_ns, has_mpi);
		if (end_ns > stretch->end_ns)
			break;
	}
	find_region(p, stretch, first, n);
	return i;
}

int ompp_course_divide(const struct ompp_profile *p, struct ompp_arena *arena, struct ompp_course_stretch *parts,
                       size_t n)
{
	uint64_t *counts = ompp_arena_alloc(arena, (p->n_regions + 1) * sizeof(*counts));
	int64_t all_ns = ompp_course_ns(p);
	size_t at = 0;

	if (!counts)
		return -ENOMEM;
	memset(counts, 0, (p->n_regions + 1) * sizeof(*counts));
	for (size_t i = 0; i < n; i++) {
		parts[i] = (struct ompp_course_stretch){
			.begin_ns = (int64_t)((__int128)all_ns * (int64_t)i / (int64_t)n),
			.end_ns = (int64_t)((__int128)all_ns * (int64_t)(i + 1) / (int64_t)n)
		};
		at = fill_stretch(p, &parts[i], at, counts);
	}
	return 0;
}

int64_t ompp_course_milli(const struct ompp_course_stretch *stretch, int64_t ns)
{
	int64_t all_ns = stretch->end_ns - stretch->begin_ns;

	return all_ns > 0 ? (int64_t)(((__int128)ns * 1000 + all_ns / 2) / all_ns) : 0;
}

/* ---- few threads ---- */

static int is_few(const struct ompp_course_stretch *part, uint32_t n_threads)
{
	int64_t milli = (int64_t)n_threads * 250;

	if (n_threads > 2 && milli < ALONE_MILLI)
		milli = ALONE_MILLI;
	return ompp_course_milli(part, part->work_ns) <= milli;
}

/* Returns how many parts from this one on have few threads at work. */
static size_t n_few(const struct ompp_course_stretch *parts, size_t from, uint32_t n_threads)
{
	size_t n = 0;

	while (from + n < LOOKED_AT && is_few(&parts[from + n], n_threads))
		n++;
	return n;
}

static int few_alloc(const struct ompp_profile *p, struct ompp_arena *arena, struct ompp_course_stretch **parts,
                     uint64_t **counts)
{
	*parts = ompp_arena_alloc(arena, LOOKED_AT * sizeof(**parts));
	*counts = ompp_arena_alloc(arena, (p->n_regions + 1) * sizeof(**counts));
	if (!*parts || !*counts)
		return -ENOMEM;
	memset(*counts, 0, (p->n_regions + 1) * sizeof(**counts));
	return ompp_course_divide(p, arena, *parts, LOOKED_AT);
}

int ompp_course_few(const struct ompp_profile *p, uint32_t n_threads, struct ompp_arena *arena,
                    struct ompp_course_stretch *few)
{
	struct ompp_course_stretch *parts;
	size_t first = 0, most = 0;
	uint64_t *counts;

	if (!ompp_course_ns(p) || n_threads < 2)
		return 0;
	if (few_alloc(p, arena, &parts, &counts))
		return -ENOMEM;
	for (size_t i = 0, n; i < LOOKED_AT; i += n + 1) {
		n = n_few(parts, i, n_threads);
		if (n > most) {
			most = n;
			first = i;
		}
	}
	if (most < LEAST_PARTS)
		return 0;
	*few = (struct ompp_course_stretch){ .begin_ns = parts[first].begin_ns,
		                             .end_ns = parts[first + most - 1].end_ns };
	fill_stretch(p, few, 0, counts);
	return few->end_ns - few->begin_ns >= LEAST_STRETCH_NS;
}
