/*
 * Message: the messages between libompp and its helpers (helper.h): a sequence of values and texts, in native byte
 * order.
 *
 * A value that does not fit is left out, and reading past the end gives 0 or ""; then is_bad is 1.
 */
#ifndef OMPP_HOST_MESSAGE_H
#define OMPP_HOST_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_MESSAGE_BYTES = 16384 };

struct ompp_message {
	uint32_t kind; /* defined by the two sides */
	uint32_t n_bytes;
	char data[OMPP_MESSAGE_BYTES];
	size_t at; /* where the next value is read */
	int is_bad;
};

void ompp_message_begin(struct ompp_message *m, uint32_t kind);
void ompp_message_put(struct ompp_message *m, const void *value, size_t n_bytes);
void ompp_message_put_text(struct ompp_message *m, const char *text); /* NULL as "" */
void ompp_message_put_i64(struct ompp_message *m, int64_t value);

void ompp_message_get(struct ompp_message *m, void *value, size_t n_bytes);
const char *ompp_message_get_text(struct ompp_message *m); /* points into the message */
int64_t ompp_message_get_i64(struct ompp_message *m);

/* Send and receive a message through a socket.  They return 0, -EPIPE when the other side has ended, -ETIMEDOUT or
 * another -errno.
 * patience_ms: how long to wait for each part; -1 waits for ever */
int ompp_message_send(const struct ompp_message *m, int fd);
int ompp_message_receive(struct ompp_message *m, int fd, int patience_ms);

#endif
