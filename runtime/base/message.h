/*
 * Message: what libompp and its helpers (helper.h) say to each other: values and texts one behind the other, in the byte order of
 * the machine that both run on.
 *
 * What is put beyond the end is left out, and what is got from there is 0 or "": is_bad says so.
 */
#ifndef OMPP_BASE_MESSAGE_H
#define OMPP_BASE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_MESSAGE_BYTES = 16384 };

struct ompp_message {
	uint32_t kind;                  /* what the two agree on */
	uint32_t n_bytes;
	char     data[OMPP_MESSAGE_BYTES];
	size_t   at;                    /* of the next that is got */
	int      is_bad;
};

void ompp_message_begin(struct ompp_message *m, uint32_t kind);
void ompp_message_put(struct ompp_message *m, const void *value, size_t n_bytes);
void ompp_message_put_text(struct ompp_message *m, const char *text);           /* NULL as "" */
void ompp_message_put_i64(struct ompp_message *m, int64_t value);

void ompp_message_get(struct ompp_message *m, void *value, size_t n_bytes);
const char *ompp_message_get_text(struct ompp_message *m);      /* in the message */
int64_t ompp_message_get_i64(struct ompp_message *m);

/* Through a socket.  patience_ms: how long to wait for each part; -1: for ever.  0; -EPIPE: the other one has ended;
 * -ETIMEDOUT; -errno. */
int ompp_message_send(const struct ompp_message *m, int fd);
int ompp_message_receive(struct ompp_message *m, int fd, int patience_ms);

#endif
