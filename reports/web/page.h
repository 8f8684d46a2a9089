/*
 * Page: files of this folder, styles and scripts, that are part of the program.
 */
#ifndef OMPP_WEB_PAGE_H
#define OMPP_WEB_PAGE_H

#include <stddef.h>

struct ompp_page_asset {
	const unsigned char *bytes;
	size_t n_bytes;
};

#endif
