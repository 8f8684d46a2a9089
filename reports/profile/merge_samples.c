/*
 * Merge samples: see merge_samples.h.  Only in the program ompp.
 */
#include "reports/profile/merge_samples.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/merge_rows.h"
#include "runtime/base/array.h"

/* Were the samples of two profiles taken in the same way, so that they may be added up? */
static int samples_are_alike(const struct ompp_profile *a, const struct ompp_profile *b)
{
	return !strcmp(a->sample_source, b->sample_source) && !strcmp(a->sample_latencies, b->sample_latencies) &&
	       a->sample_kinds == b->sample_kinds && a->sample_period == b->sample_period &&
	       a->sample_latency == b->sample_latency;
}

/* Returns what the reader must know of one profile's samples; NULL for nothing. */
static const char *samples_note(const struct ompp_profile *p, const struct ompp_profile *like)
{
	if (!like || samples_are_alike(p, like))
		return NULL;
	if (!p->sample_source[0])
		return "took no samples of accesses; those in this report are of other processes";
	return "its samples of accesses are not added to those of the others and left out, as they were taken in "
	       "another way (source, period, kinds or latencies); look at its profile alone";
}

static int add_note(struct ompp_profile_note *notes, struct ompp_profile *out, const struct ompp_merge_map *map,
                    const char *text, struct ompp_arena *arena)
{
	const char *whole = text ? ompp_merge_prefixed(map->process, ": ", text, arena) : NULL;

	if (whole)
		notes[out->n_notes++] = (struct ompp_profile_note){ .text = whole };
	return text && !whole ? -ENOMEM : 0;
}

/* Adds at most two notes a profile. */
static int add_notes(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                     const struct ompp_profile *like, struct ompp_arena *arena, struct ompp_profile *out)
{
	struct ompp_profile_note *notes = ompp_arena_alloc(arena, (out->n_notes + 2 * n) * sizeof(*notes));
	int rc = notes ? 0 : -ENOMEM;

	if (!rc && out->n_notes)
		memcpy(notes, out->notes, out->n_notes * sizeof(*notes));
	out->notes = notes;
	for (size_t i = 0; i < n && !rc; i++) {
		rc = add_note(notes, out, &maps[i], samples_note(&profiles[i], like), arena);
		if (!rc && out->touched && !profiles[i].touched)
			rc = add_note(notes, out, &maps[i],
			              "looked for no first touches; those in this report are of other processes",
			              arena);
	}
	return rc;
}

/* Returns the length of a tick if the profiles, each of which measured it, agree to a hundredth; else 0. */
static uint32_t tick_of(const struct ompp_profile *profiles, size_t n, const struct ompp_profile *like)
{
	uint32_t fs = like->sample_tick_fs;

	for (size_t i = 0; i < n; i++) {
		const struct ompp_profile *p = &profiles[i];

		if (p->sample_source[0] && samples_are_alike(p, like) &&
		    (p->sample_tick_fs < fs - fs / 100 || p->sample_tick_fs > fs + fs / 100))
			return 0;
	}
	return fs;
}

/* Fills in how the samples were taken: as those of the first profile that has some, which is returned. */
static const struct ompp_profile *merge_method(const struct ompp_profile *profiles, size_t n, struct ompp_profile *out)
{
	const struct ompp_profile *like = NULL;

	out->touched = 0;
	for (size_t i = 0; i < n; i++) {
		like = !like && profiles[i].sample_source[0] ? &profiles[i] : like;
		if (profiles[i].touched && (!out->touched || profiles[i].touched < out->touched))
			out->touched = profiles[i].touched;
	}
	if (!like)
		return NULL;
	out->sample_source = like->sample_source;
	out->sample_kinds = like->sample_kinds;
	out->sample_period = like->sample_period;
	out->sample_latency = like->sample_latency;
	out->sample_latencies = like->sample_latencies;
	out->sample_seed = like->sample_seed;
	out->sample_tick_fs = tick_of(profiles, n, like);
	return like;
}

int ompp_merge_samples(const struct ompp_profile *profiles, size_t n, struct ompp_merge_map *maps,
                       struct ompp_arena *arena, struct ompp_profile *out)
{
	static const enum ompp_section sampled[] = { OMPP_SECTION_SAMPLES,      OMPP_SECTION_SAMPLE_HISTOGRAM,
		                                     OMPP_SECTION_SAMPLE_LINES, OMPP_SECTION_USES,
		                                     OMPP_SECTION_SPOTS,        OMPP_SECTION_EXTENTS };
	const struct ompp_profile *like = merge_method(profiles, n, out);
	int rc = add_notes(profiles, n, maps, like, arena, out);

	for (size_t i = 0; i < OMPP_COUNT_OF(sampled) && !rc; i++)
		rc = ompp_merge_rows(sampled[i], profiles, n, maps, arena, out, samples_are_alike);
	rc = rc ? rc : ompp_merge_rows(OMPP_SECTION_HOT_SPOTS, profiles, n, maps, arena, out, NULL);
	rc = rc ? rc : ompp_merge_rows(OMPP_SECTION_HOLDERS, profiles, n, maps, arena, out, NULL);
	rc = rc ? rc : ompp_merge_rows(OMPP_SECTION_LOOPS, profiles, n, maps, arena, out, NULL);
	rc = rc ? rc : ompp_merge_rows(OMPP_SECTION_DISTANCES, profiles, n, maps, arena, out, NULL);
	rc = rc ? rc : ompp_merge_rows(OMPP_SECTION_RELAYOUTS, profiles, n, maps, arena, out, NULL);
	rc = rc ? rc : ompp_merge_rows(OMPP_SECTION_OWN_LINES, profiles, n, maps, arena, out, NULL);
	rc = rc ? rc : ompp_merge_rows(OMPP_SECTION_TLBS, profiles, n, maps, arena, out, NULL);
	rc = rc ? rc : ompp_merge_rows(OMPP_SECTION_TRANSLATIONS, profiles, n, maps, arena, out, NULL);
	return rc ? rc : ompp_merge_rows(OMPP_SECTION_FIRST_TOUCHES, profiles, n, maps, arena, out, NULL);
}
