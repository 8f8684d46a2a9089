/*
 * Stream: writes to a file descriptor that is not ours: stderr and stdout of the program, whatever file they are.
 *
 * Nothing here raises a signal, changes the descriptor's settings, or waits longer than it is told: neither for the
 * reader of a full pipe or socket nor for a terminal that was stopped with ^S.
 */
#ifndef OMPP_HOST_STREAM_H
#define OMPP_HOST_STREAM_H

#include <stddef.h>

/* Remembers which files stdin, stdout and stderr are; it is called at the start.  A program may close one of them, and
 * the file that it opens next gets the number: we must not write there. */
void ompp_stream_start(void);
int ompp_stream_is_same(int fd);

/* Writes all of the data.  Returns 0, -ETIMEDOUT, or another -errno; after an error part of the data may have been
 * written.
 * patience_ms: how long to wait while the file accepts nothing; with 0, data that cannot be written at once are
 * dropped */
int ompp_stream_write(int fd, const void *data, size_t n_bytes, int patience_ms);

#endif
