/*
 * Write: all of a buffer to a file descriptor, and nothing else.
 */
#ifndef OMPP_HOST_WRITE_H
#define OMPP_HOST_WRITE_H

#include <stddef.h>

/* How long a file may take nothing before the write is given up.  With -1 it waits for ever as write(2) does, and the
 * system's signals say what is wrong.  libompp sets it at the start, as it is a guest (stream.h). */
extern int ompp_write_patience_ms;

/* Writes all of the data, and continues after signals and short writes.  Returns 0, -ETIMEDOUT when the patience is at
 * its end, or another -errno. */
int ompp_write_all(int fd, const void *data, size_t n_bytes);

#endif
