/*
 * Page source: the source files that regions and samples are in, as far as they are found.
 *
 * A profile may come from a stranger and name any file, and a page is sent around; so only files are taken whose names
 * end as those of sources do, and which are plain text.
 */
#ifndef OMPP_WEB_PAGE_SOURCE_H
#define OMPP_WEB_PAGE_SOURCE_H

#include "reports/analysis/analysis.h"
#include "reports/web/embed.h"

enum { OMPP_PAGE_SOURCE_BYTES = 1 << 20, OMPP_PAGE_SOURCES_BYTES = 4 << 20 }; /* of one file, and of all */

/* Adds them to the object that is open.  Returns 0 or -ENOMEM. */
int ompp_page_source(struct ompp_embed *e, const struct ompp_analysis *a);

#endif
