/*
 * Record: see sample_record.h.
 */
#include "runtime/samples/sample_record.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/samples/data_source.h"

/* The part of a record that is still to be read. */
struct cursor {
	const unsigned char *at;
	size_t n_bytes;
	int is_short; /* 1 when more was asked for than there is */
};

static const unsigned char *record_take(struct cursor *c, size_t n_bytes)
{
	const unsigned char *at = c->at;

	if (n_bytes > c->n_bytes) {
		c->is_short = 1;
		return NULL;
	}
	c->at += n_bytes;
	c->n_bytes -= n_bytes;
	return at;
}

static uint64_t record_take64(struct cursor *c)
{
	const unsigned char *at = record_take(c, 8);
	uint64_t value = 0;

	if (at)
		memcpy(&value, at, 8);
	return value;
}

/* Takes two numbers of four bytes. */
static void record_take32(struct cursor *c, uint32_t *first, uint32_t *second)
{
	const unsigned char *at = record_take(c, 8);

	if (at) {
		memcpy(first, at, 4);
		memcpy(second, at + 4, 4);
	}
}

static void record_skip(struct cursor *c, uint64_t n, size_t each)
{
	if (n > c->n_bytes / each)
		c->is_short = 1;
	else
		record_take(c, (size_t)n * each);
}

enum {
	KNOWN_FIELDS = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
	               PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
	               PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT |
	               PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
	               PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE
};

uint64_t ompp_record_known(void)
{
	return KNOWN_FIELDS;
}

/* The raw field of AMD's IBS: which features the processor has (4 bytes), then its registers OP_CTL, OP_RIP, OP_DATA,
 * OP_DATA2 and OP_DATA3 (8 bytes each), and others.  Bit 16 of OP_DATA3 (DcMissNoMabAlloc) is set for an access that
 * missed L1, but needed no miss address buffer of its own, as one was fetching its line already. */
enum { IBS_DATA3_AT = 36, IBS_JOINED_SHIFT = 16 };

/* Takes the raw field.  It begins with its length, which has 4 bytes, and is filled up to a multiple of 8.  Returns 1
 * when it says that the line was under way. */
static int take_raw(struct cursor *c)
{
	const unsigned char *at = record_take(c, 4), *raw = c->at;
	uint32_t n_bytes = 0;
	uint64_t data3 = 0;

	if (at)
		memcpy(&n_bytes, at, 4);
	record_skip(c, n_bytes, 1);
	if (!c->is_short && n_bytes >= IBS_DATA3_AT + sizeof(data3))
		memcpy(&data3, raw + IBS_DATA3_AT, sizeof(data3));
	return data3 >> IBS_JOINED_SHIFT & 1;
}

/* Takes the fields up to the weight, in the kernel's order.  Returns 1 when the line was under way. */
static int take_first(struct cursor *c, uint64_t type, struct ompp_mem_sample *s)
{
	uint32_t unused;

	if (type & PERF_SAMPLE_IDENTIFIER)
		record_take64(c);
	if (type & PERF_SAMPLE_IP)
		s->ip = record_take64(c);
	if (type & PERF_SAMPLE_TID)
		record_take32(c, &s->pid, &s->tid);
	if (type & PERF_SAMPLE_TIME)
		s->time_ns = record_take64(c);
	if (type & PERF_SAMPLE_ADDR)
		s->address = record_take64(c);
	if (type & PERF_SAMPLE_ID)
		record_take64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		record_take64(c);
	if (type & PERF_SAMPLE_CPU)
		record_take32(c, &s->cpu, &unused);
	if (type & PERF_SAMPLE_PERIOD)
		s->period = record_take64(c);
	if (type & PERF_SAMPLE_CALLCHAIN)
		record_skip(c, record_take64(c), 8);
	return type & PERF_SAMPLE_RAW ? take_raw(c) : 0;
}

static void take_rest(struct cursor *c, uint64_t type, struct ompp_mem_sample *s)
{
	if (type & PERF_SAMPLE_WEIGHT) {
		uint64_t weight = record_take64(c);

		s->latency = weight > UINT32_MAX ? UINT32_MAX : (uint32_t)weight;
	} else if (type & PERF_SAMPLE_WEIGHT_STRUCT) {
		/* Of the number, and not of its bytes, the lower half is the first of its parts. */
		s->latency = (uint32_t)record_take64(c);
	}
	if (type & PERF_SAMPLE_DATA_SRC)
		ompp_data_source_decode(record_take64(c), s);
	if (type & PERF_SAMPLE_TRANSACTION)
		record_take64(c);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		s->physical = record_take64(c);
	if (type & PERF_SAMPLE_CGROUP)
		record_take64(c);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->page_bytes = record_take64(c);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		record_take64(c);
}

int ompp_record_sample(uint64_t sample_type, const void *record, size_t n_bytes, struct ompp_mem_sample *sample)
{
	struct cursor c = { record, n_bytes, 0 };
	int is_joined;

	if (sample_type & ~(uint64_t)KNOWN_FIELDS)
		return -ENOTSUP;
	memset(sample, 0, sizeof(*sample));
	sample->cpu = UINT32_MAX;
	record_take(&c, sizeof(struct perf_event_header));
	is_joined = take_first(&c, sample_type, sample);
	take_rest(&c, sample_type, sample);
	if (is_joined) /* the kernel names where the line comes from, which an earlier access waits for */
		sample->level = OMPP_MEM_LEVEL_LFB;
	return c.is_short ? -EBADMSG : 0;
}

uint64_t ompp_record_lost(const void *record, size_t n_bytes)
{
	struct perf_event_header header;
	struct cursor c = { record, n_bytes, 0 };

	if (!record_take(&c, sizeof(header)))
		return 0;
	memcpy(&header, record, sizeof(header));
	if (header.type == PERF_RECORD_LOST)
		record_take64(&c); /* this is the event's id */
	return record_take64(&c);
}

int ompp_record_mapping(uint64_t sample_type, const void *record, size_t n_bytes, struct ompp_record_mapping *mapping)
{
	static const uint64_t behind = PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
	                               PERF_SAMPLE_IDENTIFIER;
	struct cursor c = { record, n_bytes, 0 }, end;
	size_t n_behind = 8 * (size_t)__builtin_popcountll(sample_type & behind);

	record_take(&c, sizeof(struct perf_event_header) + 8); /* process and thread */
	mapping->address = record_take64(&c);
	mapping->n_bytes = record_take64(&c);
	record_take64(&c); /* the offset in the file, and its name follows */
	if (!(sample_type & PERF_SAMPLE_TIME) || c.is_short || c.n_bytes < n_behind + 8)
		return -EBADMSG;
	end = (struct cursor){ c.at + c.n_bytes - n_behind - 8, 8, 0 };
	mapping->time_ns = record_take64(&end);
	return 0;
}

int ompp_record_aux(const void *record, size_t n_bytes, struct ompp_record_aux *aux)
{
	struct cursor c = { record, n_bytes, 0 };

	record_take(&c, sizeof(struct perf_event_header));
	aux->offset = record_take64(&c);
	aux->n_bytes = record_take64(&c);
	aux->flags = record_take64(&c);
	return c.is_short ? -EBADMSG : 0;
}
