/*
 * Once: files such as pipes, which can be read only once, although several steps have to read them.
 */
#ifndef KINST_ONCE_H
#define KINST_ONCE_H

/* What is done about a file. */
enum kinst_once {
	KINST_ONCE_FREE, /* it can be read again, or not at all */
	KINST_ONCE_KEPT, /* its descriptor (/dev/stdin, /dev/fd/N) is that of a copy now, which each open reads from its
	                    beginning, here and in programs that are run */
	KINST_ONCE_LEFT  /* a named pipe, or the copy cannot be made: nothing was read */
};

/* Keeps a file that can be read once. */
enum kinst_once kinst_once_keep(const char *path);

#endif
