/*
 * Page hot: the functions with most samples of processor time, for the page of a report.
 */
#ifndef OMPP_WEB_PAGE_HOT_H
#define OMPP_WEB_PAGE_HOT_H

#include "reports/analysis/analysis.h"
#include "reports/web/embed.h"

/* Writes "hot", where processor time was sampled.  Returns 0 or -ENOMEM. */
int ompp_page_hot(struct ompp_embed *e, const struct ompp_analysis *a);

#endif
