/*
 * Out: see out.h.
 */
#include "reports/writers/out.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/text.h"
#include "runtime/host/write.h"

enum { BUFFER_BYTES = 64 * 1024 }; /* one write(2) for the report of a small program */

int ompp_out_init(struct ompp_out *out, int fd, struct ompp_arena *arena)
{
	out->fd = fd;
	out->n_bytes = 0;
	out->has_color = out->has_blocks = 0;
	out->bar_columns = out->columns = 0;
	out->buffer = ompp_arena_alloc(arena, BUFFER_BYTES);
	out->rc = out->buffer ? 0 : -ENOMEM;
	return out->rc;
}

int ompp_out_flush(struct ompp_out *out)
{
	if (!out->rc)
		out->rc = ompp_write_all(out->fd, out->buffer, out->n_bytes);
	out->n_bytes = 0;
	return out->rc;
}

void ompp_out_write(struct ompp_out *out, const void *data, size_t n_bytes)
{
	const char *p = data;

	if (n_bytes < BUFFER_BYTES - out->n_bytes && !out->rc) { /* mostly */
		memcpy(out->buffer + out->n_bytes, p, n_bytes);
		out->n_bytes += n_bytes;
		return;
	}
	while (n_bytes && !out->rc) {
		size_t n = BUFFER_BYTES - out->n_bytes;

		if (n > n_bytes)
			n = n_bytes;
		memcpy(out->buffer + out->n_bytes, p, n);
		out->n_bytes += n;
		p += n;
		n_bytes -= n;
		if (out->n_bytes == BUFFER_BYTES)
			ompp_out_flush(out);
	}
}

void ompp_out_str(struct ompp_out *out, const char *s)
{
	ompp_out_write(out, s, strlen(s));
}

void ompp_out_number(struct ompp_out *out, int64_t n)
{
	char buffer[32];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_i64(&t, n);
	ompp_out_str(out, buffer);
}

void ompp_out_fixed(struct ompp_out *out, int64_t value, unsigned int n_digits)
{
	char buffer[48];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_fixed(&t, value, n_digits, n_digits);
	ompp_out_str(out, buffer);
}

void ompp_out_char(struct ompp_out *out, char c)
{
	if (1 < BUFFER_BYTES - out->n_bytes && !out->rc)
		out->buffer[out->n_bytes++] = c;
	else
		ompp_out_fill(out, c, 1);
}

void ompp_out_fill(struct ompp_out *out, char c, size_t n)
{
	if (n < BUFFER_BYTES - out->n_bytes && !out->rc) {
		memset(out->buffer + out->n_bytes, c, n);
		out->n_bytes += n;
		return;
	}
	while (n && !out->rc) {
		size_t part = BUFFER_BYTES - out->n_bytes;

		if (part > n)
			part = n;
		memset(out->buffer + out->n_bytes, c, part);
		out->n_bytes += part;
		n -= part;
		if (out->n_bytes == BUFFER_BYTES)
			ompp_out_flush(out);
	}
}
