/*
 * Write: all of a buffer to a file descriptor, and nothing else.
 */
#ifndef OMPP_BASE_WRITE_H
#define OMPP_BASE_WRITE_H

#include <stddef.h>

/* How long a file may take nothing before the write is given up.  -1, as write(2) does it: it waits for ever, and the
 * system's signals say what is wrong.  libompp sets it at the start: its writes are a guest's (stream.h). */
extern int ompp_write_patience_ms;

/* Continues after signals and short writes.  0 or -errno; -ETIMEDOUT: patience is at its end. */
int ompp_write_all(int fd, const void *data, size_t n_bytes);

#endif
