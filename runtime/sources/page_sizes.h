/*
 * Page sizes: finds which pages are parts of huge pages, with the kernel's PAGEMAP_SCAN (Linux 6.7).  No privileges are
 * needed.
 *
 * It is called for each aligned block of memory of the size of a huge page, and the result is cached until
 * ompp_page_sizes_begin().
 */
#ifndef OMPP_SOURCES_PAGE_SIZES_H
#define OMPP_SOURCES_PAGE_SIZES_H

#include <stddef.h>
#include <stdint.h>

/* Checks whether the kernel supports it.  Returns 0 or -errno.  COLD. */
int ompp_page_sizes_start(void);

/* Discards the cached results. */
void ompp_page_sizes_begin(void);

/* Returns the size of the page at an address; 0 when it is not known, as the page is not in memory, or huge pages of
 * several sizes are in use. */
uint64_t ompp_page_size_at(uintptr_t address);

void ompp_page_sizes_end(void);

#endif
