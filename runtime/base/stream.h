/*
 * Stream: bytes to a descriptor that is not ours: stderr and stdout of the program, whatever is behind them.
 *
 * Nothing here raises a signal, changes the descriptor's settings, or waits longer than it is told: not for the reader of a
 * full pipe or socket, nor for a terminal that ^S has stopped.
 */
#ifndef OMPP_BASE_STREAM_H
#define OMPP_BASE_STREAM_H

#include <stddef.h>

/* Remember which files stdin, stdout and stderr are; called at the start.  A program may close one of them, and what it opens
 * next has the number: that is no place for us. */
void ompp_stream_start(void);
int ompp_stream_is_same(int fd);

/* Write it all.  patience_ms: how long nothing may be taken; 0: what cannot be written at once is dropped.
 * 0; -ETIMEDOUT: patience is at its end; -errno.  Some of it may be written then. */
int ompp_stream_write(int fd, const void *data, size_t n_bytes, int patience_ms);

#endif
