/*
 * Page model: what a page knows of the run: its figures, regions, call paths, classes of overhead, and findings.
 */
#ifndef OMPP_WEB_PAGE_MODEL_H
#define OMPP_WEB_PAGE_MODEL_H

#include "reports/analysis/analysis.h"
#include "reports/web/embed.h"

/* Adds them to the object that is open.  Returns 0 or -ENOMEM. */
int ompp_page_model(struct ompp_embed *e, const struct ompp_analysis *a);

#endif
