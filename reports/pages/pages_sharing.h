/*
 * Pages sharing: which threads use the same pages, as a matrix of threads by threads.
 */
#ifndef OMPP_PROGRAM_PAGES_SHARING_H
#define OMPP_PROGRAM_PAGES_SHARING_H

#include "reports/pages/pages.h"

/* What two threads have in common. */
struct ompp_pages_pair {
	uint64_t n_pages, n_written; /* of the run: pages that both use, and that one of them writes */
	uint64_t n_together;         /* pages that both use in the same interval, over all intervals */
	uint64_t n_accesses;         /* accesses to these pages by the thread that makes fewer */
};

struct ompp_pages_sharing {
	struct ompp_pages_pair *pairs; /* [n_threads * n_threads], of a < b */
	size_t n_threads;
};

/* Adds up what the look's filters mean.  Returns 0, or the exit status after a complaint.  It must be freed in any
 * case. */
int ompp_pages_sharing_sum(struct ompp_flow_look *look, struct ompp_pages_sharing *s);
void ompp_pages_sharing_free(struct ompp_pages_sharing *s);

/* Returns what two threads, in any order, have in common. */
struct ompp_pages_pair *ompp_pages_pair(const struct ompp_pages_sharing *s, size_t a, size_t b);

/* Shows the matrix as a table of text, or writes it as a picture.  They return the exit status. */
int ompp_pages_matrix_text(struct ompp_flow_look *look, const struct ompp_pages_sharing *s);
int ompp_pages_matrix_picture(struct ompp_flow_look *look, const struct ompp_pages_sharing *s);

#endif
