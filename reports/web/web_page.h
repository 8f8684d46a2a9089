/*
 * Page: a self-contained HTML page: it includes the styles and scripts of this folder, and the data, and loads nothing
 * else.  Its Content-Security-Policy forbids all requests, even if something in it tried to make one.
 *
 *   ompp_page_begin(out, "title");
 *   ompp_page_data(out, "profile"); … JSON … ompp_page_end_data(out);
 *   ompp_page_script(out, &ompp_page_base); ompp_page_script(out, &ompp_page_report);
 *   ompp_page_end(out);
 */
#ifndef OMPP_WEB_PAGE_H
#define OMPP_WEB_PAGE_H

#include "reports/writers/out.h"

/* A file of this folder, which is part of the program. */
struct ompp_page_asset {
	const unsigned char *bytes;
	size_t n_bytes;
};

extern const struct ompp_page_asset ompp_page_color;    /* color.css, made of color.def */
extern const struct ompp_page_asset ompp_page_style;    /* style.css: dark and light, screens and paper */
extern const struct ompp_page_asset ompp_page_base;     /* base.js: numbers, tables, bars and plots of any page */
extern const struct ompp_page_asset ompp_page_report;   /* report/: the page of a profile */
extern const struct ompp_page_asset ompp_page_ranks;    /* ranks.js: the picture of ranks and regions */
extern const struct ompp_page_asset ompp_page_reuse;    /* reuse.js: the picture of miss ratios */
extern const struct ompp_page_asset ompp_page_roofline; /* roofline.js: the picture of a roofline */
extern const struct ompp_page_asset ompp_page_course;   /* course.js: the picture of the course of a run */
extern const struct ompp_page_asset ompp_page_diff;     /* diff.js: that of a comparison */
extern const struct ompp_page_asset ompp_page_flow;     /* flow.js: that of a view of a trace */
extern const struct ompp_page_asset ompp_page_history;  /* history.js: that of the versions of a program */
extern const struct ompp_page_asset ompp_page_scaling;  /* scaling.js: that of runs with several numbers of threads */

/* Begins a page; its title may be untrusted text. */
void ompp_page_begin(struct ompp_out *out, const char *title);

/* Begin and end a script element that holds data, which scripts find by its id. */
void ompp_page_data(struct ompp_out *out, const char *id);
void ompp_page_end_data(struct ompp_out *out);

void ompp_page_script(struct ompp_out *out, const struct ompp_page_asset *script);
void ompp_page_end(struct ompp_out *out);

#endif
