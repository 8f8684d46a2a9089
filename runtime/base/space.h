/*
 * Space: takes address space, which is scarce under `ulimit -v`: what we reserve the program cannot have.
 */
#ifndef OMPP_BASE_SPACE_H
#define OMPP_BASE_SPACE_H

#include <stddef.h>

/* Returns zeroed memory, of which only pages that are touched take memory; NULL when there is no more.  errno is kept.
 */
void *ompp_space_reserve(size_t n_bytes);

/* Returns the address space that the process may have, divided by `divisor`, but at least `least` and at most `most`;
 * `most` where there is no limit. */
size_t ompp_space_share(size_t most, size_t least, size_t divisor);

/* Returns the table at *where, of n_bytes that are zero at first.  It is made when it is asked for first; NULL without
 * memory. */
void *ompp_space_table(void **where, size_t n_bytes);

/* Returns a word that is 1 here, and 0 in a child that was forked without our handlers (clone(), _Fork()), which has
 * none of the kernel's rings; NULL without memory.  Before Linux 4.14 it is 1 there, too. */
int *ompp_space_alive(void);

#endif
