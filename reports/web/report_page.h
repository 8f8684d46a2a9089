/*
 * Report page: a profile as an HTML page (page.h) for people: the numbers of the sections of a text report as graphics.
 *
 * The page's data is JSON of its own.  It is made for drawing: what a table of the page needs at once is there in full,
 * what threads did at each region and call path is encoded (page_threads.h), and if that would make the file too large
 * to be sent around, the page has only sums for some of them, and says for which.
 */
#ifndef OMPP_WEB_REPORT_PAGE_H
#define OMPP_WEB_REPORT_PAGE_H

#include "reports/analysis/report_options.h"
#include "reports/profile/profile.h"
#include "reports/web/embed.h"

/* What the page has besides the profile. */
struct ompp_page_extra {
	int with_source; /* 1 to include the source files that still exist where they were compiled */
	/* adds data to the object that is open; NULL: none.  Returns 0 or -errno. */
	int (*put)(struct ompp_embed *e, void *data);
	void *data;
};

/* Writes the page to fd; the options choose regions and objects as they do for text.  Returns 0, -EINVAL for an unknown
 * sort, -ENOMEM, or what write(2) said. */
int ompp_report_page(const struct ompp_profile *profile, const struct ompp_report_options *options,
                     const struct ompp_page_extra *extra, int fd, struct ompp_arena *scratch);

#endif
