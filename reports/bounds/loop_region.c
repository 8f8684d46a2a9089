/*
 * Loop region: see loop_region.h.
 */
#include "reports/bounds/loop_region.h"

#include <string.h>

uint32_t ompp_loop_region(const struct ompp_profile *p, const struct ompp_loop *loop)
{
	uint32_t found = OMPP_NONE;

	for (uint32_t r = 0; r < p->n_regions; r++) {
		const struct ompp_region *region = &p->regions[r];

		if (loop->line < region->begin_line || loop->line > region->end_line ||
		    strcmp(loop->file, region->file) != 0)
			continue;
		if (found == OMPP_NONE ||
		    region->end_line - region->begin_line < p->regions[found].end_line - p->regions[found].begin_line)
			found = r;
	}
	return found;
}

/* Has a region others between its lines? */
static int has_inner(const struct ompp_profile *p, uint32_t region)
{
	const struct ompp_region *outer = &p->regions[region];

	for (uint32_t r = 0; r < p->n_regions; r++)
		if (r != region && p->regions[r].begin_line >= outer->begin_line &&
		    p->regions[r].end_line <= outer->end_line && !strcmp(p->regions[r].file, outer->file))
			return 1;
	return 0;
}

int64_t ompp_loop_work_ns(const struct ompp_analysis *a, uint32_t region)
{
	struct ompp_cell sum = ompp_analysis_sum(a, region, 0);

	if (has_inner(a->profile, region))
		return OMPP_MISSING;

	return sum.body_ns ? sum.body_ns : sum.exec_ns;
}
