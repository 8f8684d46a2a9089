/*
 * Merge course: see merge_course.h.  Only in the program ompp.
 */
#include "reports/profile/merge_course.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/number.h"
#include "reports/profile/schema.h"

enum { SLICES = 1000 };

/* The result while it grows: SLICES of them. */
struct course {
	struct ompp_course_record *slices;
	int64_t slice_ns, start_ns; /* the length, and the time of day at which the first one begins */
};

static int has_course(const struct ompp_profile *p)
{
	return p->n_course && p->course_slice_ns > 0 && p->course_slice_ns <= OMPP_MOST_SLICE_NS &&
	       p->start_unix_ns >= 0 && p->start_unix_ns <= OMPP_MOST_NS;
}

static int64_t course_end(const struct ompp_profile *p)
{
	return ((int64_t)p->course[p->n_course - 1].slice + 1) * p->course_slice_ns;
}

/* Chooses slices that have room for all. */
static void choose_slices(struct course *c, const struct ompp_profile *profiles, size_t n)
{
	int64_t end_ns = 0;

	c->start_ns = INT64_MAX;
	for (size_t i = 0; i < n; i++) {
		if (!has_course(&profiles[i]))
			continue;
		if (profiles[i].start_unix_ns < c->start_ns)
			c->start_ns = profiles[i].start_unix_ns;
		if (profiles[i].course_slice_ns > c->slice_ns)
			c->slice_ns = profiles[i].course_slice_ns;
	}
	for (size_t i = 0; i < n; i++) {
		int64_t ns = has_course(&profiles[i])
		                   ? profiles[i].start_unix_ns - c->start_ns + course_end(&profiles[i])
		                   : 0;

		end_ns = ns > end_ns ? ns : end_ns;
	}
	while (c->slice_ns && end_ns / c->slice_ns >= SLICES)
		c->slice_ns *= 2;
}

/* Adds the part of a slice that lies in one of the result: ns of its all_ns. */
static void add_share(struct ompp_course_record *to, const struct ompp_course_record *from, uint32_t region, int64_t ns,
                      int64_t all_ns)
{
	to->work_ns = ompp_add(to->work_ns, (int64_t)((__int128)from->work_ns * ns / all_ns));
	to->wait_ns = ompp_add(to->wait_ns, (int64_t)((__int128)from->wait_ns * ns / all_ns));
	to->manage_ns = ompp_add(to->manage_ns, (int64_t)((__int128)from->manage_ns * ns / all_ns));
	to->idle_ns = ompp_add(to->idle_ns, (int64_t)((__int128)from->idle_ns * ns / all_ns));
	to->mpi_ns = ompp_add_known(to->mpi_ns, from->mpi_ns == OMPP_MISSING
	                                                ? OMPP_MISSING
	                                                : (int64_t)((__int128)from->mpi_ns * ns / all_ns));
	if (ns * 2 < all_ns || region == OMPP_NONE)
		return;
	if (to->region == region) {
		to->n_there += from->n_there;
	} else if (from->n_there > to->n_there) {
		to->region = region;
		to->n_there = from->n_there;
	}
}

static void add_profile(struct course *c, const struct ompp_profile *p, const struct ompp_merge_map *map)
{
	int64_t offset_ns = p->start_unix_ns - c->start_ns;

	for (size_t i = 0; i < p->n_course; i++) {
		const struct ompp_course_record *from = &p->course[i];
		int64_t begin_ns = offset_ns + from->slice * p->course_slice_ns, end_ns = begin_ns + p->course_slice_ns;
		uint32_t region = from->region == OMPP_NONE ? OMPP_NONE : map->regions[from->region];

		for (int64_t at = begin_ns / c->slice_ns; at < SLICES && at * c->slice_ns < end_ns; at++) {
			int64_t lo = at * c->slice_ns, hi = lo + c->slice_ns;

			lo = lo > begin_ns ? lo : begin_ns;
			hi = hi < end_ns ? hi : end_ns;
			add_share(&c->slices[at], from, region, hi - lo, p->course_slice_ns);
		}
	}
}

int ompp_merge_course(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                      struct ompp_arena *arena, struct ompp_profile *out)
{
	struct course c = { .slices = ompp_arena_alloc(arena, SLICES * sizeof(*c.slices)) };

	if (!c.slices)
		return -ENOMEM;
	for (uint32_t i = 0; i < SLICES; i++)
		c.slices[i] = (struct ompp_course_record){ .slice = i, .region = OMPP_NONE };
	choose_slices(&c, profiles, n);
	for (size_t i = 0; i < n; i++)
		if (has_course(&profiles[i]))
			add_profile(&c, &profiles[i], &maps[i]);
	out->course = c.slices;
	out->course_slice_ns = c.slice_ns ? c.slice_ns : OMPP_MISSING;
	out->n_course = 0;
	for (uint32_t i = 0; i < SLICES; i++)
		if (c.slices[i].work_ns || c.slices[i].wait_ns || c.slices[i].manage_ns || c.slices[i].idle_ns ||
		    c.slices[i].mpi_ns > 0)
			c.slices[out->n_course++] = c.slices[i];
	return 0;
}
