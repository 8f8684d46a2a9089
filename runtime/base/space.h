/*
 * Space: maps memory for the runtime.  Address space is scarce under `ulimit -v`: what we reserve, the program cannot
 * use.
 *
 * Our mappings are in a zone of their own, far from where the kernel places mappings without an address.  So the
 * program gets the same addresses from the kernel as without us, and a hole that it makes stays free for its own
 * MAP_FIXED mappings.  If the zone is not free, the kernel chooses the address.
 */
#ifndef OMPP_BASE_SPACE_H
#define OMPP_BASE_SPACE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Maps a file, or memory with MAP_ANONYMOUS and fd -1, as mmap(NULL, …) does.  Returns the address, or -errno; errno is
 * kept. */
long ompp_space_map(size_t n_bytes, int protection, int flags, int fd, off_t offset);

/* Called after each mapping; NULL where nobody asks.  Set once, when the session starts. */
extern void (*ompp_space_mapped)(uintptr_t at, size_t n_bytes);

/* Returns private zeroed memory, readable and writable; NULL when there is none left.  errno is kept. */
void *ompp_space_take(size_t n_bytes);

/* The same, but only pages that are touched count as used memory. */
void *ompp_space_reserve(size_t n_bytes);

/* Returns 1 when the address is in our zone, where the program has no mappings. */
int ompp_space_is_own(uintptr_t address);

/* Returns the address space that the process may have, divided by `divisor`, but at least `least` and at most `most`;
 * `most` where there is no limit. */
size_t ompp_space_share(size_t most, size_t least, size_t divisor);

/* Returns the table at *where, and allocates it zeroed, n_bytes long, at the first call.  NULL without memory. */
void *ompp_space_table(void **where, size_t n_bytes);

/* Returns a word that is 1 in this process, and 0 in a child forked without our handlers (clone(), _Fork()), where the
 * perf ring buffers are not mapped.  Before Linux 4.14 it is 1 there, too.  NULL without memory. */
int *ompp_space_alive(void);

#endif
