/*
 * Proto: a message of Protocol Buffers, as bytes that grow in an arena.
 *
 * Fields are written in the order of the calls.  A number that is 0 and a text that is empty are left out, as in
 * version 3 of the language a field that is not there has that value.
 */
#ifndef OMPP_PROTO_H
#define OMPP_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"

struct ompp_proto {
	struct ompp_arena *arena;
	unsigned char *bytes;
	size_t n_bytes, room;
	int is_short; /* 1 when memory was short once: the message is not whole */
};

/* Adds an integer of the types int32, int64, uint64 or bool. */
void ompp_proto_number(struct ompp_proto *message, unsigned int field, int64_t n);

/* Adds an element of a field of several numbers; it is written even where it is 0. */
void ompp_proto_element(struct ompp_proto *message, unsigned int field, int64_t n);

/* Adds an element of a field of several texts; it is written even where it is empty. */
void ompp_proto_text_element(struct ompp_proto *message, unsigned int field, const char *text);

/* Adds a message within the message, and empties that. */
void ompp_proto_move(struct ompp_proto *message, unsigned int field, struct ompp_proto *inner);

#endif
