/*
 * Space: takes address space, which is scarce under `ulimit -v`: what we reserve the program cannot have.
 *
 * It comes from a zone of its own, far from where the kernel puts what is mapped anywhere, so that the kernel gives the
 * program the same holes as without us, and a hole that the program makes stays one: it may map something there by
 * MAP_FIXED.  Where the zone is taken, the kernel chooses.
 */
#ifndef OMPP_BASE_SPACE_H
#define OMPP_BASE_SPACE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Maps a file, or memory with MAP_ANONYMOUS and fd -1, as mmap(NULL, …) does.  Returns the address, or -errno; errno is
 * kept. */
long ompp_space_map(size_t n_bytes, int protection, int flags, int fd, off_t offset);

/* Returns private memory that is zeroed, to be read and written; NULL when there is no more.  errno is kept. */
void *ompp_space_take(size_t n_bytes);

/* Returns such memory, of which only pages that are touched count as taken. */
void *ompp_space_reserve(size_t n_bytes);

/* Returns 1 when the address is in our zone, in which the program has nothing. */
int ompp_space_is_own(uintptr_t address);

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
