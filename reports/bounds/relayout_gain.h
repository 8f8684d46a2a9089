/*
 * Relayout gain: which other layouts of data, and which other orders of loops, would cause fewer cache misses, by
 * models of the caches (runtime/access/access_relayout.h), and how much faster a region would be, if it is known what
 * bounds it.
 *
 * A layout is a gain in a region if it reduces an object's misses at some level by a tenth and increases them at no
 * level, both in this region and in all regions together: a region must not gain at the expense of others.  An order
 * of loops concerns all objects of its region, and no other region.
 */
#ifndef OMPP_BOUNDS_RELAYOUT_GAIN_H
#define OMPP_BOUNDS_RELAYOUT_GAIN_H

#include "reports/analysis/analysis.h"

enum { OMPP_TRANSLATION_LEVELS = 2 };

struct ompp_relayout_gain {
	const struct ompp_relayout_sum *of;
	/* misses of all accesses in the region, by level: where not all of them were replayed, in proportion */
	int64_t now[OMPP_ACCESS_LEVELS], then[OMPP_ACCESS_LEVELS];
	int level;     /* the last one at which misses are saved */
	int64_t saved; /* share of those at this level, 10^-9 */
	/* how many times as fast the region would be, in thousandths; OMPP_MISSING where that is not known */
	int64_t least_faster, most_faster;
};

struct ompp_relayout_gains {
	struct ompp_relayout_gain *list; /* what saves most misses first */
	size_t n;
	/* other orders of loops, likewise: `of` is the object that saves most, the misses are those of all objects */
	struct ompp_relayout_gain *orders;
	size_t n_orders;
};

/* What lines of their own for each thread's bytes would spare. */
struct ompp_own_lines_gain {
	const struct ompp_own_lines *of;
	/* stores of the region that take a line from another thread: where not all were followed, in proportion */
	int64_t now, then;
	int64_t saved; /* share of them, 10^-9; less than 0 where threads write the same bytes: today a line that is
	                  taken once has several of them */
};

/* Finds what an object has in a region.  Returns 0 where that is not known, as too few stores were followed. */
int ompp_own_lines_of(const struct ompp_profile *profile, uint32_t object, uint32_t region,
                      struct ompp_own_lines_gain *gain);

/* Finds the next gain of a region that is shown: a tenth of the transfers or more.  Returns 0 behind the last one.
 * at: 0 for the first; where to go on */
int ompp_own_lines_next(const struct ompp_analysis *a, size_t *at, struct ompp_own_lines_gain *gain);

/* What large pages would spare. */
struct ompp_translation_gain {
	const struct ompp_translation *of;
	/* misses of TLBs by level, of all accesses of the region: where not all were replayed, in proportion */
	int64_t now[OMPP_TRANSLATION_LEVELS], then[OMPP_TRANSLATION_LEVELS];
	int level;     /* the last one at which misses are saved */
	int64_t saved; /* share of those at this level, 10^-9 */
};

/* Finds the next gain of a region that is shown: a tenth of the misses of a level or more, and more misses at none.
 * Returns 0 behind the last one.
 * at: 0 for the first; where to go on */
int ompp_translation_next(const struct ompp_analysis *a, size_t *at, struct ompp_translation_gain *gain);

/* Returns the gains in regions that are shown, and caches them in the analysis; NULL without memory. */
const struct ompp_relayout_gains *ompp_relayout_gains(const struct ompp_analysis *a);

#endif
