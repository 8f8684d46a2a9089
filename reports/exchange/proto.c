/*
 * Proto: see proto.h.
 */
#include "reports/exchange/proto.h"

#include <string.h>

/* How a field is written, which its key tells. */
enum { VARINT = 0, BYTES = 2 };
enum { KEY_TYPE_BITS = 3, VARINT_BITS = 7 };

static void proto_put(struct ompp_proto *m, const void *bytes, size_t n_bytes)
{
	unsigned char *room = m->bytes;

	if (m->n_bytes + n_bytes > m->room)
		room = ompp_arena_grow(m->arena, m->bytes, &m->room, m->n_bytes + n_bytes, 1);
	if (!room) {
		m->is_short = 1;
		return;
	}
	m->bytes = room;
	memcpy(m->bytes + m->n_bytes, bytes, n_bytes);
	m->n_bytes += n_bytes;
}

/* Seven bits a byte, the lowest first; the top bit says that another byte follows. */
static void proto_varint(struct ompp_proto *m, uint64_t n)
{
	unsigned char bytes[10];
	size_t n_bytes = 0;

	for (; n >> VARINT_BITS; n >>= VARINT_BITS)
		bytes[n_bytes++] = (unsigned char)(n | 1u << VARINT_BITS);
	bytes[n_bytes++] = (unsigned char)n;
	proto_put(m, bytes, n_bytes);
}

void ompp_proto_element(struct ompp_proto *m, unsigned int field, int64_t n)
{
	proto_varint(m, field << KEY_TYPE_BITS | VARINT);
	proto_varint(m, (uint64_t)n);
}

void ompp_proto_number(struct ompp_proto *m, unsigned int field, int64_t n)
{
	if (n)
		ompp_proto_element(m, field, n);
}

static void proto_bytes(struct ompp_proto *m, unsigned int field, const void *bytes, size_t n_bytes)
{
	proto_varint(m, field << KEY_TYPE_BITS | BYTES);
	proto_varint(m, n_bytes);
	if (n_bytes)
		proto_put(m, bytes, n_bytes);
}

void ompp_proto_text_element(struct ompp_proto *m, unsigned int field, const char *text)
{
	proto_bytes(m, field, text, strlen(text));
}

void ompp_proto_move(struct ompp_proto *m, unsigned int field, struct ompp_proto *inner)
{
	proto_bytes(m, field, inner->bytes, inner->n_bytes);
	m->is_short |= inner->is_short;
	inner->n_bytes = 0;
}
