/*
 * Report page: a profile as an HTML page (page.h) for people: the same numbers as the sections of a text report, drawn.
 *
 * The page's data is JSON of its own.  It is made for drawing: what a table of the page needs at once is there in full,
 * what threads did at each region and call path is encoded (page_threads.h), and where that would be too much for a
 * file that is sent around, the page says of which it has the sums alone.
 */
#ifndef OMPP_WEB_REPORT_PAGE_H
#define OMPP_WEB_REPORT_PAGE_H

#include "reports/analysis/report_options.h"
#include "reports/profile/profile.h"
#include "reports/web/embed.h"

/* What the page has besides the profile. */
struct ompp_page_extra {
	int with_source; /* 1 to have the source files in it that are found where they were compiled */
	/* adds data to the object that is open; NULL: none.  Returns 0 or -errno. */
	int (*put)(struct ompp_embed *e, void *data);
	void *data;
};

/* Writes the page to fd; the options choose regions and objects as they do for text.  Returns 0, -EINVAL for an unknown
 * sort, -ENOMEM, or what write(2) said. */
int ompp_report_page(const struct ompp_profile *profile, const struct ompp_report_options *options,
                     const struct ompp_page_extra *extra, int fd, struct ompp_arena *scratch);

#endif
