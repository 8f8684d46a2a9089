/*
 * Bytes: a text in memory that grows while it is composed.
 */
#ifndef OMPP_WATCH_BYTES_H
#define OMPP_WATCH_BYTES_H

#include <stddef.h>

/* All 0 at first; who ends it frees `text`. */
struct ompp_bytes {
	char *text;
	size_t n, room;
	int is_failed; /* 1 after memory was missing: the text is incomplete */
};

/* Adds n bytes.
 * bytes: struct ompp_bytes */
void ompp_bytes_put(void *bytes, const char *more, size_t n);

#endif
