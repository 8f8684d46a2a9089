/*
 * Code: see code.h.
 */
#include "reports/flow/code.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/little.h"

enum { CODE_BITS = 3, MOST_DIGITS = 10 };

static const char magic[] = OMPP_FLOW_MAGIC;

/* ---- numbers ---- */

/* Writes seven bits a byte, the lowest first; all bytes but the last have their highest bit. */
static unsigned char *code_put(unsigned char *to, uint64_t number)
{
	while (number >= 0x80) {
		*to++ = (unsigned char)(number | 0x80);
		number >>= 7;
	}
	*to++ = (unsigned char)number;
	return to;
}

static const unsigned char *code_get(const unsigned char *from, const unsigned char *end, uint64_t *number)
{
	*number = 0;
	for (int i = 0; i < MOST_DIGITS && from < end; i++) {
		*number |= (uint64_t)(*from & 0x7f) << 7 * i;
		if (!(*from++ & 0x80))
			return from;
	}
	return NULL;
}

/* Zigzag encoding: a signed difference as an unsigned number that is small when the difference is near 0. */
static uint64_t code_fold(uint64_t difference)
{
	return difference << 1 ^ -(difference >> 63);
}

static uint64_t code_unfold(uint64_t number)
{
	return number >> 1 ^ -(number & 1);
}

/* ---- heads ---- */

static uint32_t code_checksum(const unsigned char *from, size_t n_bytes)
{
	uint64_t h = n_bytes + 1;
	unsigned char rest[8] = { 0 };
	size_t i;

	for (i = 0; i + 8 <= n_bytes; i += 8) {
		h = (h ^ ompp_get64(from + i)) * 0x9E3779B97F4A7C15u;
		h ^= h >> 32;
	}
	memcpy(rest, from + i, n_bytes - i);
	h = (h ^ ompp_get64(rest)) * 0x9E3779B97F4A7C15u;
	return (uint32_t)(h >> 32);
}

void ompp_flow_head_put(const struct ompp_flow_head *head, unsigned char *to)
{
	memset(to, 0, OMPP_FLOW_HEAD_BYTES);
	memcpy(to, magic, 8);
	ompp_put32(to + 8, head->version);
	ompp_put32(to + 12, head->pid);
	ompp_put32(to + 16, head->page_bytes);
	ompp_put32(to + 20, head->latencies);
	ompp_put64(to + 24, head->start_ns);
	ompp_put64(to + 32, head->start_unix_ns);
	ompp_put64(to + 40, head->period);
	ompp_put32(to + OMPP_FLOW_HEAD_BYTES - 4, code_checksum(to, OMPP_FLOW_HEAD_BYTES - 4));
}

int ompp_flow_head_get(struct ompp_flow_head *head, const unsigned char *from, size_t n_bytes)
{
	if (n_bytes < OMPP_FLOW_HEAD_BYTES || memcmp(from, magic, 8) ||
	    ompp_get32(from + OMPP_FLOW_HEAD_BYTES - 4) != code_checksum(from, OMPP_FLOW_HEAD_BYTES - 4))
		return -1;
	head->version = ompp_get32(from + 8);
	head->pid = ompp_get32(from + 12);
	head->page_bytes = ompp_get32(from + 16);
	head->latencies = ompp_get32(from + 20);
	head->start_ns = ompp_get64(from + 24);
	head->start_unix_ns = ompp_get64(from + 32);
	head->period = ompp_get64(from + 40);
	return 0;
}

void ompp_flow_block_put(const struct ompp_flow_block *block, const unsigned char *content, unsigned char *to)
{
	ompp_assert(block->n_bytes <= OMPP_FLOW_MOST_BLOCK_BYTES && block->n_plain_bytes <= OMPP_FLOW_MOST_BLOCK_BYTES);
	ompp_put32(to, OMPP_FLOW_BLOCK_MAGIC);
	ompp_put32(to + 4, block->type);
	ompp_put32(to + 8, block->n_bytes);
	ompp_put32(to + 12, block->n_plain_bytes);
	ompp_put32(to + 16, block->n_events);
	ompp_put64(to + 20, block->time_ns);
	ompp_put32(to + 28, code_checksum(content, block->n_bytes));
	ompp_put64(to + 32, code_checksum(to, 32));
}

int ompp_flow_block_get(struct ompp_flow_block *block, const unsigned char *from, size_t n_bytes)
{
	if (n_bytes < OMPP_FLOW_BLOCK_HEAD_BYTES || ompp_get32(from) != OMPP_FLOW_BLOCK_MAGIC ||
	    ompp_get64(from + 32) != code_checksum(from, 32))
		return -1;
	block->type = ompp_get32(from + 4);
	block->n_bytes = ompp_get32(from + 8);
	block->n_plain_bytes = ompp_get32(from + 12);
	block->n_events = ompp_get32(from + 16);
	block->time_ns = ompp_get64(from + 20);
	return block->n_bytes > OMPP_FLOW_MOST_BLOCK_BYTES || block->n_plain_bytes > OMPP_FLOW_MOST_BLOCK_BYTES ? -1
	                                                                                                        : 0;
}

int ompp_flow_block_is_whole(const struct ompp_flow_block *block, const unsigned char *from)
{
	return ompp_get32(from + 28) == code_checksum(from + OMPP_FLOW_BLOCK_HEAD_BYTES, block->n_bytes);
}

/* ---- events ---- */

static uint64_t *lane_of(struct ompp_flow_state *state, uint64_t thread)
{
	return state->last[thread % OMPP_FLOW_LANES];
}

/* Returns where the latest address of a thread in a cover is kept, from which its next one is likely to be near. */
static uint64_t *code_near(struct ompp_flow_state *state, uint64_t thread, uint64_t cover)
{
	return &state->address[(thread * 7 + cover) % OMPP_FLOW_LANES];
}

static int is_difference(int field)
{
	return field == OMPP_FLOW_TIME || field == OMPP_FLOW_IP || field == OMPP_FLOW_PHYSICAL;
}

size_t ompp_flow_put(struct ompp_flow_state *state, enum ompp_flow_code code, const uint64_t values[OMPP_FLOW_N_FIELDS],
                     uint32_t fields, unsigned char *to)
{
	uint64_t thread = fields >> OMPP_FLOW_THREAD & 1 ? values[OMPP_FLOW_THREAD] : state->thread, changed = 0;
	uint64_t *last = lane_of(state, thread), *address;
	unsigned char *at;

	ompp_assert(code < OMPP_FLOW_N_CODES && code != OMPP_FLOW_CODE_DEFINE && !(fields >> OMPP_FLOW_N_FIELDS));
	for (int i = 0; i < OMPP_FLOW_N_FIELDS; i++)
		if (fields >> i & 1 && values[i] != (i == OMPP_FLOW_THREAD ? state->thread : last[i]))
			changed |= UINT64_C(1) << i;
	at = code_put(to, changed << CODE_BITS | (unsigned int)code);
	state->thread = thread;
	for (int i = 0; i < OMPP_FLOW_N_FIELDS; i++) {
		if (!(changed >> i & 1))
			continue;
		if (i == OMPP_FLOW_ADDRESS) {
			address = code_near(state, thread, last[OMPP_FLOW_COVER]);
			at = code_put(at, code_fold(values[i] - *address));
			*address = values[i];
		} else {
			at = code_put(at, is_difference(i) ? code_fold(values[i] - last[i]) : values[i]);
		}
		last[i] = values[i];
	}
	ompp_assert((size_t)(at - to) <= OMPP_FLOW_EVENT_BYTES);
	return (size_t)(at - to);
}

static size_t code_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t ompp_flow_define(const struct ompp_flow_definition *d, unsigned char *to, size_t n_bytes)
{
	size_t n_need = (4 + (size_t)d->n_numbers + d->n_texts) * MOST_DIGITS;
	unsigned char *at;

	ompp_assert(d->n_numbers <= OMPP_FLOW_MOST_NUMBERS && d->n_texts <= OMPP_FLOW_MOST_TEXTS);
	for (uint32_t i = 0; i < d->n_texts; i++)
		n_need += code_least(d->texts[i].n_bytes, OMPP_FLOW_MOST_TEXT_BYTES);
	if (n_need > n_bytes)
		return 0;
	at = code_put(to, (uint64_t)d->what << CODE_BITS | OMPP_FLOW_CODE_DEFINE);
	at = code_put(at, d->n_numbers);
	for (uint32_t i = 0; i < d->n_numbers; i++)
		at = code_put(at, d->numbers[i]);
	at = code_put(at, d->n_texts);
	for (uint32_t i = 0; i < d->n_texts; i++) {
		size_t n = code_least(d->texts[i].n_bytes, OMPP_FLOW_MOST_TEXT_BYTES);

		at = code_put(at, n);
		if (n)
			memcpy(at, d->texts[i].text, n);
		at += n;
	}
	ompp_assert((size_t)(at - to) <= n_bytes);
	return (size_t)(at - to);
}

static const unsigned char *get_definition(struct ompp_flow_definition *d, uint64_t what, const unsigned char *from,
                                           const unsigned char *end)
{
	uint64_t n;

	d->what = what > UINT32_MAX ? UINT32_MAX : (uint32_t)what;
	from = code_get(from, end, &n);
	if (!from || n > OMPP_FLOW_MOST_NUMBERS)
		return NULL;
	d->n_numbers = (uint32_t)n;
	for (uint32_t i = 0; i < d->n_numbers && from; i++)
		from = code_get(from, end, &d->numbers[i]);
	from = from ? code_get(from, end, &n) : NULL;
	if (!from || n > OMPP_FLOW_MOST_TEXTS)
		return NULL;
	d->n_texts = (uint32_t)n;
	for (uint32_t i = 0; i < d->n_texts; i++) {
		from = code_get(from, end, &n);
		if (!from || n > OMPP_FLOW_MOST_TEXT_BYTES || n > (size_t)(end - from))
			return NULL;
		d->texts[i].text = (const char *)from;
		d->texts[i].n_bytes = (size_t)n;
		from += n;
	}
	return from;
}

const unsigned char *ompp_flow_get(struct ompp_flow_state *state, enum ompp_flow_code *code,
                                   uint64_t values[OMPP_FLOW_N_FIELDS], struct ompp_flow_definition *definition,
                                   const unsigned char *from, const unsigned char *end)
{
	uint64_t tag, changed, *last, number;

	from = code_get(from, end, &tag);
	if (!from || (tag & ((1 << CODE_BITS) - 1)) >= OMPP_FLOW_N_CODES)
		return NULL;
	*code = (enum ompp_flow_code)(tag & ((1 << CODE_BITS) - 1));
	changed = tag >> CODE_BITS;
	if (*code == OMPP_FLOW_CODE_DEFINE)
		return get_definition(definition, changed, from, end);
	if (changed >> OMPP_FLOW_N_FIELDS)
		return NULL;
	if (changed >> OMPP_FLOW_THREAD & 1) {
		from = code_get(from, end, &state->thread);
		if (!from)
			return NULL;
	}
	last = lane_of(state, state->thread);
	last[OMPP_FLOW_THREAD] = state->thread;
	for (int i = OMPP_FLOW_THREAD + 1; i < OMPP_FLOW_N_FIELDS; i++) {
		if (!(changed >> i & 1))
			continue;
		from = code_get(from, end, &number);
		if (!from)
			return NULL;
		if (i == OMPP_FLOW_ADDRESS) {
			uint64_t *address = code_near(state, state->thread, last[OMPP_FLOW_COVER]);

			last[i] = *address += code_unfold(number);
		} else {
			last[i] = is_difference(i) ? last[i] + code_unfold(number) : number;
		}
	}
	memcpy(values, last, sizeof(*values) * OMPP_FLOW_N_FIELDS);
	return from;
}
