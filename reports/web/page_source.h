/*
 * Page source: the source files (source.h) in a page.
 */
#ifndef OMPP_WEB_PAGE_SOURCE_H
#define OMPP_WEB_PAGE_SOURCE_H

#include "reports/analysis/analysis.h"
#include "reports/web/embed.h"

enum { OMPP_PAGE_SOURCES_BYTES = 4 << 20 }; /* of all files together */

/* Adds them to the object that is open.  Returns 0 or -ENOMEM. */
int ompp_page_source(struct ompp_embed *e, const struct ompp_analysis *a);

#endif
