/*
 * Live: the page of ompp live and of recordings, as files of this folder that are part of the program.
 */
#ifndef OMPP_WEB_LIVE_H
#define OMPP_WEB_LIVE_H

#include "reports/web/web_page.h"

extern const struct ompp_page_asset ompp_page_live_lines; /* live_lines.js: many series, as points of the screen */
extern const struct ompp_page_asset ompp_page_live;       /* live/: reads lines of recordings, and draws them */
extern const struct ompp_page_asset ompp_page_live_style; /* live_style.css: dark and light, screens and phones */

#endif
