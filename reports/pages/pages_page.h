/*
 * Pages page: the trace of pages that lies beside a profile, prog.4-0.ompp.pages, as pictures in its HTML page.
 *
 * The page has pictures (pages_grid.h) of all pages and of the objects with most accesses: pages over time, and pages
 * by threads.  Their size is bounded, whatever the trace has.
 */
#ifndef OMPP_PROGRAM_PAGES_PAGE_H
#define OMPP_PROGRAM_PAGES_PAGE_H

#include "reports/profile/profile.h"
#include "reports/web/embed.h"

struct ompp_pages_source {
	const char *const *files; /* of profiles; the last is NULL */
	const struct ompp_profile *profile;
	size_t n_profiles; /* for several merged profiles the page says that it has no pictures */
	struct ompp_arena *arena;
};

/* Adds "pageMap" to the object that is open, where there is such a trace.  Returns 0.
 * source: a struct ompp_pages_source */
int ompp_pages_embed(struct ompp_embed *e, void *source);

#endif
