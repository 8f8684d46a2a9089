/*
 * Stream: writes to a descriptor that is not ours: stderr and stdout of the program, whatever is behind them.
 *
 * Nothing here raises a signal, changes the descriptor's settings, or waits longer than it is told: not for the reader
 * of a full pipe or socket, nor for a terminal that ^S has stopped.
 */
#ifndef OMPP_HOST_STREAM_H
#define OMPP_HOST_STREAM_H

#include <stddef.h>

/* Remembers which files stdin, stdout and stderr are; it is called at the start.  A program may close one of them, and
 * the file that it opens next gets the number: we must not write there. */
void ompp_stream_start(void);
int ompp_stream_is_same(int fd);

/* Writes all of the data.  Returns 0, -ETIMEDOUT when the patience is at its end, or another -errno; some of the data
 * may be written then. patience_ms: how long the file may take nothing; with 0 what cannot be written at once is
 * dropped */
int ompp_stream_write(int fd, const void *data, size_t n_bytes, int patience_ms);

#endif
