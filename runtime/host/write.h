/*
 * Write: writes all of a buffer to a file descriptor.
 */
#ifndef OMPP_HOST_WRITE_H
#define OMPP_HOST_WRITE_H

#include <stddef.h>

/* How long to wait while a file accepts nothing, before the write is given up.  With -1 it waits for ever as write(2)
 * does, and signals such as SIGPIPE are raised.  libompp sets a limit at the start, as it is a guest in the program
 * (stream.h). */
extern int ompp_write_patience_ms;

/* Writes all of the data, and continues after signals and short writes.  Returns 0, -ETIMEDOUT after the time above, or
 * another -errno. */
int ompp_write_all(int fd, const void *data, size_t n_bytes);

#endif
