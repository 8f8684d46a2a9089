/*
 * Cut: shortens sections of a text report that have more rows than anybody reads.
 *
 * The blocks with most time remain, in the order of the section.  A sentence at its end says how many were left out,
 * how long the longest of them took, and how to see them.  Records for programs are never cut.
 */
#ifndef OMPP_CUT_H
#define OMPP_CUT_H

#include "reports/tables/view.h"

struct ompp_cut {
	size_t n;         /* blocks */
	int64_t *ns;      /* by block: its time, of all threads */
	uint32_t *n_rows; /* by block; 0: there is no such block */
	uint8_t *is_out;  /* by block: 1 when it is left out */
	size_t n_out, n_blocks;
	int64_t longest_ns; /* of those that are left out */
};

/* Allocates the times and rows of n blocks, all 0.  Returns 0 or -ENOMEM. */
int ompp_cut_init(struct ompp_cut *cut, const struct ompp_analysis *a, size_t n);

/* Leaves out the blocks that exceed the number of rows allowed for a section of text (analysis.rows); at least one
 * block remains.  Returns 0 or -ENOMEM. */
int ompp_cut_choose(struct ompp_cut *cut, const struct ompp_analysis *a, const struct ompp_sheet *sheet);

/* Puts the sentence, if something was left out.
 * what: "call path" */
int ompp_cut_say(const struct ompp_cut *cut, const struct ompp_analysis *a, const char *what, struct ompp_sheet *sheet);

#endif
