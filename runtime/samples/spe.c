/*
 * SPE: see spe.h.
 */
#include "runtime/samples/spe.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"

/* Bits of the events packet. */
enum {
	EVENT_RETIRED = 1 << 1,
	EVENT_L1_ACCESS = 1 << 2,
	EVENT_L1_MISS = 1 << 3,
	EVENT_TLB_ACCESS = 1 << 4,
	EVENT_TLB_WALK = 1 << 5,
	EVENT_LLC_ACCESS = 1 << 8,
	EVENT_LLC_MISS = 1 << 9,
	EVENT_REMOTE = 1 << 10,
	EVENT_SNOOPED = 1 << 23
};

/* The indices of address packets and of counter packets. */
enum { ADDRESS_PC, ADDRESS_TARGET, ADDRESS_DATA, ADDRESS_PHYSICAL };
enum { COUNTER_TOTAL, COUNTER_ISSUE, COUNTER_TRANSLATION };

enum packet_kind {
	PACKET_PAD,
	PACKET_END,
	PACKET_TIMESTAMP,
	PACKET_EVENTS,
	PACKET_SOURCE,
	PACKET_CONTEXT,
	PACKET_OPERATION,
	PACKET_ADDRESS,
	PACKET_COUNTER,
	PACKET_OTHER
};

struct packet {
	enum packet_kind kind;
	unsigned int index; /* of an address, counter or context packet; the class of an operation packet */
	uint64_t payload;
};

/* What the packets of a record have told so far. */
struct record {
	uint64_t events, source;
	int has_events, has_source;
};

static enum packet_kind kind_of(unsigned char header)
{
	if (header == 0x71)
		return PACKET_TIMESTAMP;
	if ((header & 0xcf) == 0x42)
		return PACKET_EVENTS;
	if ((header & 0xcf) == 0x43)
		return PACKET_SOURCE;
	if ((header & 0xfc) == 0x64)
		return PACKET_CONTEXT;
	if ((header & 0xfc) == 0x48)
		return PACKET_OPERATION;
	if ((header & 0xf8) == 0xb0)
		return PACKET_ADDRESS;
	if ((header & 0xf8) == 0x98)
		return PACKET_COUNTER;
	return PACKET_OTHER;
}

/* Takes one packet.  Returns how many bytes it has, or -EBADMSG. */
static int take_packet(const unsigned char *at, size_t n_bytes, struct packet *p)
{
	unsigned char header = at[0];
	size_t n_header = 1, n_payload;

	*p = (struct packet){ .kind = PACKET_PAD };
	if (header == 0x00)
		return 1;
	if (header == 0x01) {
		p->kind = PACKET_END;
		return 1;
	}
	if ((header & 0xfc) == 0x20) { /* an extended header, with two more bits of the index in front */
		if (n_bytes < 2)
			return -EBADMSG;
		p->index = (header & 3u) << 3;
		header = at[1];
		n_header = 2;
		if (!header) /* an alignment packet; it skips the padding, which is zeros */
			return 2;
	}
	p->kind = kind_of(header);
	if (p->kind == PACKET_OTHER)
		return -EBADMSG;
	n_payload = (size_t)1 << (header >> 4 & 3);
	if (n_bytes < n_header + n_payload)
		return -EBADMSG;
	for (size_t i = n_payload; i-- > 0;)
		p->payload = p->payload << 8 | at[n_header + i];
	p->index |= p->kind == PACKET_ADDRESS || p->kind == PACKET_COUNTER ? header & 7u : header & 3u;
	return (int)(n_header + n_payload);
}

/* Returns the address of a payload.  Its upper byte is a tag, or tells the exception level; bit 55 tells in which
 * half of memory it is. */
static uint64_t address_of(uint64_t payload)
{
	uint64_t low = payload & ((UINT64_C(1) << 56) - 1);

	return low >> 55 ? low | UINT64_C(0xff) << 56 : low;
}

static void take_address(const struct packet *p, struct ompp_mem_sample *s)
{
	switch (p->index) {
	case ADDRESS_PC:
		s->ip = address_of(p->payload);
		break;
	case ADDRESS_DATA:
		s->address = address_of(p->payload);
		break;
	case ADDRESS_PHYSICAL:
		s->physical = p->payload & ((UINT64_C(1) << 56) - 1);
		break;
	default:
		break;
	}
}

/* Takes an operation.  Class 1 is loads and stores.  Bit 0 of the payload marks a store.  When of the upper bits
 * only bit 1 is set, it is an extended operation, in which bit 2 marks an atomic one. */
static void take_operation(const struct packet *p, struct ompp_mem_sample *s)
{
	if (p->index != 1)
		return;
	s->kind = p->payload & 1 ? OMPP_MEM_STORES : OMPP_MEM_LOADS;
	s->lock = (p->payload & 0xe2) == 0x02 && p->payload & 0x04 ? OMPP_MEM_LOCK_YES : OMPP_MEM_LOCK_NO;
}

static enum ompp_mem_level level_of_source(uint64_t source)
{
	switch (source) {
	case 0x0:
		return OMPP_MEM_LEVEL_L1;
	case 0x8:
		return OMPP_MEM_LEVEL_L2;
	case 0x9: /* another core */
	case 0xa: /* another core of the cluster */
	case 0xc:
		return OMPP_MEM_LEVEL_PEER_CACHE; /* another cluster */
	case 0xb:
		return OMPP_MEM_LEVEL_L3; /* the system's cache */
	case 0xd:
		return OMPP_MEM_LEVEL_REMOTE_CACHE; /* another socket; its cache or its memory */
	case 0xe:
		return OMPP_MEM_LEVEL_LOCAL_MEMORY;
	}
	return OMPP_MEM_LEVEL_UNKNOWN;
}

/* Returns the level that the events tell.  An access that reached memory, or the last cache, has an event for that;
 * any other may have ended in the levels between. */
static enum ompp_mem_level level_of_events(uint64_t events)
{
	if (events & EVENT_REMOTE)
		return events & EVENT_LLC_MISS ? OMPP_MEM_LEVEL_REMOTE_MEMORY : OMPP_MEM_LEVEL_REMOTE_CACHE;
	if (events & EVENT_LLC_MISS)
		return OMPP_MEM_LEVEL_LOCAL_MEMORY;
	if (events & EVENT_LLC_ACCESS)
		return OMPP_MEM_LEVEL_L3;
	if (events & EVENT_L1_ACCESS && !(events & EVENT_L1_MISS))
		return OMPP_MEM_LEVEL_L1;
	return events & EVENT_L1_MISS ? OMPP_MEM_LEVEL_CACHE : OMPP_MEM_LEVEL_UNKNOWN;
}

static void spe_finish(const struct record *r, int sources_are_neoverse, struct ompp_mem_sample *s)
{
	if (s->kind == OMPP_MEM_NEITHER)
		return;
	if (r->has_source && sources_are_neoverse && s->kind == OMPP_MEM_LOADS)
		s->level = (uint8_t)level_of_source(r->source);
	else if (r->has_events)
		s->level = (uint8_t)level_of_events(r->events);
	if (r->has_events && r->events & EVENT_TLB_WALK)
		s->translation = OMPP_MEM_TRANSLATION_WALK;
	else if (r->has_events && r->events & EVENT_TLB_ACCESS)
		s->translation = OMPP_MEM_TRANSLATION_TLB;
	if (r->has_events && r->events & EVENT_SNOOPED)
		s->snoop = OMPP_MEM_SNOOP_HIT;
}

static void spe_take(const struct packet *p, struct record *r, struct ompp_mem_sample *s)
{
	switch (p->kind) {
	case PACKET_TIMESTAMP:
		s->time_ns = p->payload;
		break;
	case PACKET_EVENTS:
		r->events = p->payload;
		r->has_events = 1;
		break;
	case PACKET_SOURCE:
		r->source = p->payload;
		r->has_source = 1;
		break;
	case PACKET_OPERATION:
		take_operation(p, s);
		break;
	case PACKET_ADDRESS:
		take_address(p, s);
		break;
	case PACKET_COUNTER:
		if (p->index == COUNTER_TOTAL)
			s->latency = (uint32_t)p->payload;
		break;
	default:
		break;
	}
}

int ompp_spe_next(const unsigned char **at, size_t *n_bytes, int sources_are_neoverse, struct ompp_mem_sample *sample)
{
	struct record record = { 0 };
	int n_packets = 0;

	memset(sample, 0, sizeof(*sample));
	sample->cpu = UINT32_MAX;
	while (*n_bytes) {
		struct packet p;
		int n = take_packet(*at, *n_bytes, &p);

		if (n < 0) {
			*n_bytes = 0;
			return -EBADMSG;
		}
		*at += n;
		*n_bytes -= (size_t)n;
		spe_take(&p, &record, sample);
		if (p.kind == PACKET_END || p.kind == PACKET_TIMESTAMP) {
			spe_finish(&record, sources_are_neoverse, sample);
			return 1;
		}
		n_packets += p.kind != PACKET_PAD;
	}
	return n_packets ? -EBADMSG : 0;
}

int ompp_spe_is_neoverse(uint64_t midr)
{
	/* Arm's part numbers of Neoverse N1, V1, N2, V2, N3 and V3, and of the Cortex cores that they are made from. */
	static const unsigned short parts[] = { 0xd0c, 0xd40, 0xd49, 0xd4f, 0xd8e, 0xd84, 0xd81, 0xd87 };

	if ((midr >> 24 & 0xff) != 0x41)
		return 0;
	for (size_t i = 0; i < OMPP_COUNT_OF(parts); i++)
		if ((midr >> 4 & 0xfff) == parts[i])
			return 1;
	return 0;
}
