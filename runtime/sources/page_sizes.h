/*
 * Page sizes: which pages are parts of huge ones, as the kernel's PAGEMAP_SCAN tells (Linux 6.7).  No rights are
 * needed.
 *
 * It is asked for each stretch of memory that one huge page could be, and what it said is kept until the caller asks
 * about another time.
 */
#ifndef OMPP_SOURCES_PAGE_SIZES_H
#define OMPP_SOURCES_PAGE_SIZES_H

#include <stddef.h>
#include <stdint.h>

/* Finds out whether the kernel tells.  Returns 0 or -errno.  COLD. */
int ompp_page_sizes_start(void);

/* Begins to look anew. */
void ompp_page_sizes_begin(void);

/* Returns how many bytes the page at an address has; 0 when that is not known, as the page is not in memory, or as huge
 * pages of several sizes are in use. */
uint64_t ompp_page_size_at(uintptr_t address);

void ompp_page_sizes_end(void);

#endif
