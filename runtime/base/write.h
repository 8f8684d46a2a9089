/*
 * Write: all of a buffer to a file descriptor with write(2), and nothing else.
 */
#ifndef OMPP_BASE_WRITE_H
#define OMPP_BASE_WRITE_H

#include <stddef.h>

/* Continues after signals and short writes; waits where the descriptor does not block.
 * 0 or -errno. */
int ompp_write_all(int fd, const void *data, size_t n_bytes);

#endif
