/*
 * Space: address space, which is scarce under `ulimit -v`: what we reserve there the program cannot have.
 */
#ifndef OMPP_BASE_SPACE_H
#define OMPP_BASE_SPACE_H

#include <stddef.h>

/* Zeroed memory that takes no more than the pages that are touched; NULL: there is no more.  errno is kept. */
void *ompp_space_reserve(size_t n_bytes);

/* A share of what the process may have, but at least `least` and at most `most`; `most` where there is no limit. */
size_t ompp_space_share(size_t most, size_t least, size_t divisor);

/* The table at *where, of n_bytes that are zero at first; made when it is asked for.  NULL: no memory. */
void *ompp_space_table(void **where, size_t n_bytes);

#endif
