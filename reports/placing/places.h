/*
 * Places: where threads and pages are, so that a report can say which accesses are far.
 *
 *   nodes      the machine's NUMA nodes: of the processor at the time of a sample, and of the page
 *
 *   emulated   emulated nodes, by the real first touch: the threads are assigned to them in their order, and a page is
 *              on the node of the thread that touched it first
 *
 *   threads    on a machine with one node: each thread is a place, and a page is at the thread that touched it first
 *
 * All sums are of samples, and their errors those of sample_stats.h.
 */
#ifndef OMPP_PLACES_H
#define OMPP_PLACES_H

#include "reports/analysis/analysis.h"

enum ompp_places_kind { OMPP_PLACES_NODES, OMPP_PLACES_EMULATED, OMPP_PLACES_THREADS };

struct ompp_places {
	const struct ompp_analysis *analysis;
	enum ompp_places_kind kind;
	uint32_t n;
	uint32_t *numbers; /* by place: number of the node, or the row of the thread; ascending */
	uint32_t
		*of_row; /* by row of a thread (ompp_thread_row()): its place; OMPP_NONE for other rows.  NODES: NULL */
};

/* Fills in the places of a profile.  Returns 0 or -ENOMEM. */
int ompp_places_init(struct ompp_places *places, const struct ompp_analysis *a);

/* Return the place of the processor or thread that accessed, and of the page; OMPP_NONE when it is not known. */
uint32_t ompp_place_from(const struct ompp_places *places, const struct ompp_use *use);
uint32_t ompp_place_home(const struct ompp_places *places, const struct ompp_use *use);

/* Returns the place of a page's first touch; OMPP_NONE when it is not known. */
uint32_t ompp_place_touched(const struct ompp_places *places, const struct ompp_first_touch *touch);

/* Returns the name of a place, "node 0" or "TID 0", in the arena; NULL without memory. */
const char *ompp_place_name(const struct ompp_places *places, uint32_t place);

/* Sums of near and far accesses: near ones are to a page at the place of their processor. */
struct ompp_nearness {
	struct ompp_sampled_sum near, far, unknown;
};

void ompp_nearness_add(struct ompp_nearness *sum, const struct ompp_places *places, const struct ompp_use *use);

/* Returns the share of far accesses, in 10^-9, among the accesses whose places are known, and its standard error in
 * *error.  Both are OMPP_MISSING if no access has known places. */
int64_t ompp_nearness_far(const struct ompp_nearness *sum, int64_t *error);

/* Finds where the pages with most accesses were touched first, and returns one of the n uses (given by their indices)
 * with that first touch; NULL when the first touch is not known for more than half of the accesses.
 * only_far: 1 to look at far accesses alone */
const struct ompp_use *ompp_places_toucher(const struct ompp_places *places, const uint32_t *uses, uint32_t n,
                                           int only_far);

#endif
