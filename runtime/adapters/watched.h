/*
 * Watched: what a program does to its memory while the kernel watches that for us (memory/page_writes.h), and that
 * would come out differently.
 */
#ifndef OMPP_ADAPTERS_WATCHED_H
#define OMPP_ADAPTERS_WATCHED_H

#include <stddef.h>

/* Stands in front of the calls that matter, when memory is watched.  COLD. */
void ompp_watched_start(void);

/* Is told of each mapping, by whoever stands for mmap().  errno is kept. */
void ompp_watched_mapped(void *p, size_t n, int flags);

#endif
