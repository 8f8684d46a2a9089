/*
 * Message: see message.h.
 */
#include "runtime/host/message.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/sys.h"

enum { HEAD_BYTES = 2 * sizeof(uint32_t) }; /* kind and n_bytes go before the data */

void ompp_message_begin(struct ompp_message *m, uint32_t kind)
{
	m->kind = kind;
	m->n_bytes = 0;
	m->at = 0;
	m->is_bad = 0;
}

void ompp_message_put(struct ompp_message *m, const void *value, size_t n_bytes)
{
	if (n_bytes > sizeof(m->data) - m->n_bytes) {
		m->is_bad = 1;
		return;
	}
	memcpy(m->data + m->n_bytes, value, n_bytes);
	m->n_bytes += (uint32_t)n_bytes;
}

void ompp_message_put_text(struct ompp_message *m, const char *text)
{
	ompp_message_put(m, text ? text : "", text ? strlen(text) + 1 : 1);
}

void ompp_message_put_i64(struct ompp_message *m, int64_t value)
{
	ompp_message_put(m, &value, sizeof(value));
}

void ompp_message_get(struct ompp_message *m, void *value, size_t n_bytes)
{
	if (n_bytes > m->n_bytes - m->at) {
		m->is_bad = 1;
		memset(value, 0, n_bytes);
		return;
	}
	memcpy(value, m->data + m->at, n_bytes);
	m->at += n_bytes;
}

const char *ompp_message_get_text(struct ompp_message *m)
{
	const char *text = m->data + m->at, *end = memchr(text, '\0', m->n_bytes - m->at);

	if (!end) {
		m->is_bad = 1;
		return "";
	}
	m->at += (size_t)(end - text) + 1;
	return text;
}

int64_t ompp_message_get_i64(struct ompp_message *m)
{
	int64_t value;

	ompp_message_get(m, &value, sizeof(value));
	return value;
}

int ompp_message_send(const struct ompp_message *m, int fd)
{
	const char *p = (const char *)m;
	size_t n = HEAD_BYTES + m->n_bytes;

	while (n) {
		ssize_t done = OMPP_SYS6(sendto, fd, p, n, MSG_NOSIGNAL, NULL, 0);

		if (done < 0 && done != -EINTR)
			return (int)done;
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return 0;
}

static int message_receive(int fd, char *to, size_t n, int patience_ms)
{
	while (n) {
		struct pollfd ready = { .fd = fd, .events = POLLIN };
		int polled = ompp_sys_poll(&ready, 1, patience_ms);
		ssize_t done;

		if (!polled)
			return -ETIMEDOUT;
		done = polled < 0 ? polled : ompp_sys_read(fd, to, n);
		if (done == -EINTR)
			continue;
		if (done <= 0)
			return done ? (int)done : -EPIPE;
		to += done;
		n -= (size_t)done;
	}
	return 0;
}

int ompp_message_receive(struct ompp_message *m, int fd, int patience_ms)
{
	int rc;

	ompp_message_begin(m, 0);
	rc = message_receive(fd, (char *)m, HEAD_BYTES, patience_ms);
	if (!rc && m->n_bytes > sizeof(m->data))
		rc = -EPROTO;
	return rc ? rc : message_receive(fd, m->data, m->n_bytes, patience_ms);
}
