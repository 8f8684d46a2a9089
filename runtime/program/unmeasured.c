/*
 * Unmeasured: see unmeasured.h.
 */
#include "runtime/program/unmeasured.h"

#include <string.h>

static size_t unmeasured_padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

const char *ompp_unmeasured_next(const char *data, size_t n_bytes, uint32_t type, size_t *at)
{
	static const char owner[] = OMPP_UNMEASURED_OWNER;

	while (*at < n_bytes && n_bytes - *at >= 12) {
		const char *note = data + *at, *text;
		uint32_t head[3];
		size_t rest = n_bytes - *at - sizeof(head), name, size;

		memcpy(head, note, sizeof(head));
		name = unmeasured_padded(head[0]);
		size = unmeasured_padded(head[1]);
		if (name > rest || head[1] > rest - name)
			return NULL;
		*at += sizeof(head) + name + (size < rest - name ? size : rest - name);
		text = note + sizeof(head) + name;
		if (head[0] == sizeof(owner) && !memcmp(note + sizeof(head), owner, sizeof(owner)) && head[2] == type &&
		    head[1] && !text[head[1] - 1])
			return text;
	}
	return NULL;
}

/* A file's name may contain colons.  So the line is the first number between two colons of which the second is
 * followed by a blank. */
size_t ompp_unmeasured_file(const char *text)
{
	for (const char *p = strchr(text, ':'); p; p = strchr(p + 1, ':')) {
		size_t n = strspn(p + 1, "0123456789");

		if (n && p[1 + n] == ':' && p[2 + n] == ' ')
			return (size_t)(p - text);
	}
	return 0;
}

size_t ompp_unmeasured_construct(const char *text)
{
	size_t file = ompp_unmeasured_file(text);
	const char *name = file ? strstr(text + file, ": ") : NULL, *end = name ? strstr(name + 2, ": ") : NULL;

	return end ? (size_t)(end - text) : strlen(text);
}
