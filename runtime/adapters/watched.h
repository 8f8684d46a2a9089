/*
 * Watched: intercepts memory calls of the program whose results would differ while the kernel watches its memory for us
 * (memory/page_writes.h).
 */
#ifndef OMPP_ADAPTERS_WATCHED_H
#define OMPP_ADAPTERS_WATCHED_H

#include <stddef.h>

/* Intercepts the relevant calls, when memory is watched.  COLD. */
void ompp_watched_start(void);

/* Called for each mapping, by our replacement of mmap().  errno is kept. */
void ompp_watched_mapped(void *p, size_t n, int flags);

#endif
