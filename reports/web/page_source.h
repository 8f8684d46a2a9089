/*
 * Page source: the source files (reports/lines/source_files.h) in a page, with what is known of their lines.
 */
#ifndef OMPP_WEB_PAGE_SOURCE_H
#define OMPP_WEB_PAGE_SOURCE_H

#include "reports/lines/region_sums.h"
#include "reports/web/embed.h"

enum { OMPP_PAGE_SOURCES_BYTES = 4 << 20 }; /* of all files together */

/* Adds them to the object that is open.  Returns 0 or -ENOMEM. */
int ompp_page_source(struct ompp_embed *e, const struct ompp_region_sums *regions);

#endif
