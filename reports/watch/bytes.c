/*
 * Bytes: see bytes.h.
 */
#include "reports/watch/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_ROOM = 4096 };

void ompp_bytes_put(void *bytes, const char *more, size_t n)
{
	struct ompp_bytes *b = bytes;

	if (b->n + n >= b->room) {
		size_t room = 2 * (b->n + n) + LEAST_ROOM;
		char *text = realloc(b->text, room);

		if (!text) {
			b->is_failed = 1;
			return;
		}
		b->text = text;
		b->room = room;
	}
	memcpy(b->text + b->n, more, n);
	b->n += n;
}
