/*
 * Page threads: what each thread did in each region, and at each call path of regions that have several.
 *
 * Regions are those of the flat profile: sums of their call paths, in which recursion counts once.  The page has the
 * sums of all regions.  The numbers of threads are encoded, as a profile of 10,000 call paths and 256 threads has
 * millions of them:
 *
 *   a list of numbers is a text; a number is its difference to the number before, zigzag (0, -1, 1, -2 … are 0, 1, 2, 3
 *   …), in digits of base 64 with the lowest five bits first, where 32 means that more digits follow
 *
 *   "-" stands for a number that is missing; the number after it is the difference to the last one that was not
 *
 *   a list of zeros alone is left out
 *
 * The regions with most time come first.  When OMPP_PAGE_THREADS_BYTES are used up, the remaining regions and call
 * paths have only sums, and the page says so.
 */
#ifndef OMPP_WEB_PAGE_THREADS_H
#define OMPP_WEB_PAGE_THREADS_H

#include "reports/lines/region_sums.h"
#include "reports/web/embed.h"

enum { OMPP_PAGE_THREADS_BYTES = 8 << 20, OMPP_PAGE_PATHS_BYTES = 6 << 20 };

struct ompp_page_flat {
	struct ompp_region_sums regions;
	/* of one list */
	int64_t *numbers;
	uint32_t *at;
	char *text;
};

/* Adds up all regions that are shown.  Returns 0 or -ENOMEM. */
int ompp_page_flat_init(struct ompp_page_flat *flat, const struct ompp_analysis *a);

/* Add the sums, and the numbers of threads, to the object that is open.  Return 0 or -ENOMEM. */
int ompp_page_flat(struct ompp_embed *e, const struct ompp_page_flat *flat);
int ompp_page_threads(struct ompp_embed *e, struct ompp_page_flat *flat);

#endif
