/*
 * File: reads the start of a small file, such as those of /proc and /sys, with system calls only.
 */
#ifndef OMPP_HOST_FILE_H
#define OMPP_HOST_FILE_H

#include <stddef.h>

/* Reads a file's first most_bytes - 1 bytes, and puts a NUL behind them.  Returns the number of bytes, or -errno and an
 * empty text. */
int ompp_file_read(const char *path, char *text, size_t most_bytes);

/* Does the same with the file's first line, without the end of the line. */
int ompp_file_line(const char *path, char *line, size_t most_bytes);

#endif
