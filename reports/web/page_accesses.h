/*
 * Page accesses: data accesses that a page draws without having a table of them: the accesses of each thread to each
 * object, and how often each latency was sampled.
 */
#ifndef OMPP_WEB_PAGE_ACCESSES_H
#define OMPP_WEB_PAGE_ACCESSES_H

#include "reports/analysis/analysis.h"
#include "reports/web/embed.h"

/* Adds them to the object that is open, where they were measured.  Returns 0 or -ENOMEM. */
int ompp_page_accesses(struct ompp_embed *e, const struct ompp_analysis *a);

#endif
