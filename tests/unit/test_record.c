/*
 * Record and ring: reads records with each set of fields, whole, cut off, and across the ring's end.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/samples/ring.h"
#include "runtime/samples/sample_record.h"

/* The fields, in the order in which the kernel writes them (perf_event_open(2)); each holds a different number. */
static const struct {
	uint64_t bit;
	unsigned int n_words;
} fields[] = {
	{ PERF_SAMPLE_IDENTIFIER, 1 },
	{ PERF_SAMPLE_IP, 1 },
	{ PERF_SAMPLE_TID, 1 },
	{ PERF_SAMPLE_TIME, 1 },
	{ PERF_SAMPLE_ADDR, 1 },
	{ PERF_SAMPLE_ID, 1 },
	{ PERF_SAMPLE_STREAM_ID, 1 },
	{ PERF_SAMPLE_CPU, 1 },
	{ PERF_SAMPLE_PERIOD, 1 },
	{ PERF_SAMPLE_CALLCHAIN, 4 },
	{ PERF_SAMPLE_RAW, 2 },
	{ PERF_SAMPLE_WEIGHT, 1 },
	{ PERF_SAMPLE_DATA_SRC, 1 },
	{ PERF_SAMPLE_TRANSACTION, 1 },
	{ PERF_SAMPLE_PHYS_ADDR, 1 },
	{ PERF_SAMPLE_CGROUP, 1 },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, 1 },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, 1 },
};
enum { N_FIELDS = sizeof(fields) / sizeof(fields[0]), MOST_WORDS = 32 };

static const uint64_t source = PERF_MEM_OP_STORE | (uint64_t)PERF_MEM_LVLNUM_L2 << PERF_MEM_LVLNUM_SHIFT;

/* Returns the eight bytes of two numbers, one after the other. */
static uint64_t pair(uint32_t first, uint32_t second)
{
	const uint32_t both[] = { first, second };
	uint64_t word;

	memcpy(&word, both, sizeof(word));
	return word;
}

/* Returns word i of the field with this bit. */
static uint64_t word(uint64_t bit, unsigned int i)
{
	switch (bit) {
	case PERF_SAMPLE_CALLCHAIN:
		return i ? 0xc000 + i : 3;
	case PERF_SAMPLE_RAW:
		return i ? 0xabcdef : pair(12, 7);
	case PERF_SAMPLE_TID:
		return pair(11, 12);
	case PERF_SAMPLE_CPU:
		return pair(3, 0);
	case PERF_SAMPLE_DATA_SRC:
		return source;
	case PERF_SAMPLE_WEIGHT:
		return 77;
	}
	return 0x1000 + bit;
}

/* Writes a record with these fields, and returns its length in bytes. */
static size_t build(uint64_t type, uint64_t *words)
{
	struct perf_event_header header = { PERF_RECORD_SAMPLE, 0, 8 };
	size_t n = 1;

	for (size_t i = 0; i < N_FIELDS; i++)
		for (unsigned int k = 0; type & fields[i].bit && k < fields[i].n_words; k++)
			words[n++] = word(fields[i].bit, k);
	header.size = (uint16_t)(8 * n);
	memcpy(words, &header, sizeof(header));
	return 8 * n;
}

static uint64_t expected(uint64_t type, uint64_t bit)
{
	return type & bit ? word(bit, 0) : 0;
}

static void each_set_of_fields(void **state)
{
	(void)state;
	for (uint32_t set = 0; set < 1u << N_FIELDS; set += set < 4096 ? 1 : 37) {
		uint64_t type = 0, words[MOST_WORDS];
		struct ompp_mem_sample s;
		size_t n;

		for (size_t i = 0; i < N_FIELDS; i++)
			type |= set >> i & 1 ? fields[i].bit : 0;
		n = build(type, words);
		assert_int_equal(ompp_record_sample(type, words, n, &s), 0);
		assert_int_equal(s.ip, expected(type, PERF_SAMPLE_IP));
		assert_int_equal(s.time_ns, expected(type, PERF_SAMPLE_TIME));
		assert_int_equal(s.address, expected(type, PERF_SAMPLE_ADDR));
		assert_int_equal(s.period, expected(type, PERF_SAMPLE_PERIOD));
		assert_int_equal(s.latency, expected(type, PERF_SAMPLE_WEIGHT));
		assert_int_equal(s.physical, expected(type, PERF_SAMPLE_PHYS_ADDR));
		assert_int_equal(s.page_bytes, expected(type, PERF_SAMPLE_DATA_PAGE_SIZE));
		assert_int_equal(s.data_source, expected(type, PERF_SAMPLE_DATA_SRC));
		assert_int_equal(s.cpu, type & PERF_SAMPLE_CPU ? 3 : UINT32_MAX);
		assert_int_equal(s.tid, type & PERF_SAMPLE_TID ? 12 : 0);
		assert_int_equal(s.level, type & PERF_SAMPLE_DATA_SRC ? OMPP_MEM_LEVEL_L2 : OMPP_MEM_LEVEL_UNKNOWN);
		if (n > 8)
			assert_int_equal(ompp_record_sample(type, words, n - 8, &s), -EBADMSG);
	}
}

static void what_is_wrong_is_said(void **state)
{
	uint64_t words[MOST_WORDS] = { 0 };
	struct ompp_mem_sample s;
	size_t n = build(PERF_SAMPLE_WEIGHT, words);

	(void)state;
	/* the weight may have several parts, in the lower half and above, and may be more than a latency can be */
	words[1] = 55 | UINT64_C(44) << 32;
	assert_int_equal(ompp_record_sample(PERF_SAMPLE_WEIGHT_STRUCT, words, n, &s), 0);
	assert_int_equal(s.latency, 55);
	assert_int_equal(ompp_record_sample(PERF_SAMPLE_WEIGHT, words, n, &s), 0);
	assert_int_equal(s.latency, UINT32_MAX);
	assert_int_equal(ompp_record_sample(PERF_SAMPLE_BRANCH_STACK, words, n, &s), -ENOTSUP);
	/* lengths in a record that lead beyond it */
	n = build(PERF_SAMPLE_CALLCHAIN, words);
	words[1] = UINT64_MAX / 4;
	assert_int_equal(ompp_record_sample(PERF_SAMPLE_CALLCHAIN, words, n, &s), -EBADMSG);
	n = build(PERF_SAMPLE_RAW, words);
	words[1] = pair(1000, 0);
	assert_int_equal(ompp_record_sample(PERF_SAMPLE_RAW, words, n, &s), -EBADMSG);
	assert_int_equal(ompp_record_sample(PERF_SAMPLE_IP, words, 4, &s), -EBADMSG);
}

/* IBS names DRAM for a line that another access fetches already, and says so in a register. */
static void lines_under_way(void **state)
{
	static const uint64_t type = PERF_SAMPLE_RAW | PERF_SAMPLE_DATA_SRC;
	static const uint64_t dram = PERF_MEM_OP_LOAD | (uint64_t)PERF_MEM_LVLNUM_RAM << PERF_MEM_LVLNUM_SHIFT;
	const uint32_t n_raw = 4 + 8 * 8; /* the processor's features, and eight registers */
	struct {
		struct perf_event_header header;
		unsigned char raw[4 + 4 + 8 * 8];
		uint64_t source;
	} r = { { PERF_RECORD_SAMPLE, 0, sizeof(r) }, { 0 }, dram };
	uint64_t data3 = 0x8d | UINT64_C(1) << 16;
	struct ompp_mem_sample s;

	(void)state;
	memcpy(r.raw, &n_raw, 4);
	assert_int_equal(ompp_record_sample(type, &r, sizeof(r), &s), 0);
	assert_int_equal(s.level, OMPP_MEM_LEVEL_LOCAL_MEMORY);
	memcpy(r.raw + 8 + 4 * 8, &data3, 8);
	assert_int_equal(ompp_record_sample(type, &r, sizeof(r), &s), 0);
	assert_int_equal(s.level, OMPP_MEM_LEVEL_LFB);
	assert_int_equal(s.data_source, dram);
	data3 ^= UINT64_C(1) << 16; /* the other bits do not say that */
	memcpy(r.raw + 8 + 4 * 8, &data3, 8);
	assert_int_equal(ompp_record_sample(type, &r, sizeof(r), &s), 0);
	assert_int_equal(s.level, OMPP_MEM_LEVEL_LOCAL_MEMORY);
}

static void losses_and_packets(void **state)
{
	struct {
		struct perf_event_header header;
		uint64_t words[3];
	} r = { { PERF_RECORD_LOST, 0, 24 }, { 9, 41, 0 } };
	struct ompp_record_aux aux;

	(void)state;
	assert_int_equal(ompp_record_lost(&r, 24), 41);
	assert_int_equal(ompp_record_lost(&r, 16), 0);
	r.header.type = PERF_RECORD_LOST_SAMPLES;
	assert_int_equal(ompp_record_lost(&r, 16), 9);
	r.header.type = PERF_RECORD_AUX;
	r.words[2] = PERF_AUX_FLAG_TRUNCATED;
	assert_int_equal(ompp_record_aux(&r, 32, &aux), 0);
	assert_int_equal(aux.offset, 9);
	assert_int_equal(aux.n_bytes, 41);
	assert_int_equal(aux.flags, PERF_AUX_FLAG_TRUNCATED);
	assert_int_equal(ompp_record_aux(&r, 24, &aux), -EBADMSG);
}

/* ---- the ring ---- */

enum { RING_BYTES = 4096 };

static struct perf_event_mmap_page page;
static unsigned char data[RING_BYTES], whole[OMPP_RECORD_BYTES];

static void put(struct ompp_ring *ring, uint64_t size, unsigned char fill)
{
	struct perf_event_header header = { PERF_RECORD_SAMPLE, 0, (uint16_t)size };
	unsigned char record[512];

	memset(record, fill, sizeof(record));
	memcpy(record, &header, sizeof(header));
	for (uint64_t i = 0; i < size; i++)
		data[(page.data_head + i) % ring->n_bytes] = record[i];
	page.data_head += size;
}

static void across_the_end(void **state)
{
	struct ompp_ring ring = { .page = &page, .data = data, .n_bytes = RING_BYTES };
	const struct perf_event_header *record;
	int is_bad = 0;

	(void)state;
	memset(&page, 0, sizeof(page));
	for (unsigned int round = 0; round < 1000; round++) {
		uint64_t size = 16 + round * 8 % 400;

		put(&ring, size, (unsigned char)round);
		put(&ring, 24, (unsigned char)~round);
		assert_int_equal(ompp_ring_filled(&ring), size + 24);
		ompp_ring_begin(&ring);
		record = ompp_ring_next(&ring, whole, &is_bad);
		assert_non_null(record);
		assert_int_equal(record->size, size);
		for (uint64_t i = 8; i < size; i++)
			assert_int_equal(((const unsigned char *)record)[i], (unsigned char)round);
		record = ompp_ring_next(&ring, whole, &is_bad);
		assert_non_null(record);
		assert_int_equal(((const unsigned char *)record)[23], (unsigned char)~round);
		assert_null(ompp_ring_next(&ring, whole, &is_bad));
		assert_true(page.data_tail < page.data_head);
		ompp_ring_release(&ring);
		assert_int_equal(page.data_tail, page.data_head);
	}
	assert_int_equal(is_bad, 0);
}

/* Bytes that are no record end this round, and the next round begins behind them. */
static void what_is_no_record(void **state)
{
	static const uint16_t sizes[] = { 0, 4, 12, 4000 };
	struct ompp_ring ring = { .page = &page, .data = data, .n_bytes = RING_BYTES };

	(void)state;
	memset(&page, 0, sizeof(page));
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct perf_event_header header = { PERF_RECORD_SAMPLE, 0, sizes[i] };
		int is_bad = 0;

		put(&ring, 64, 1);
		memcpy(data + (page.data_head - 64) % RING_BYTES, &header, sizeof(header));
		ompp_ring_begin(&ring);
		assert_null(ompp_ring_next(&ring, whole, &is_bad));
		assert_int_equal(is_bad, 1);
		ompp_ring_release(&ring);
		assert_int_equal(page.data_tail, page.data_head);
		put(&ring, 64, 2);
		ompp_ring_begin(&ring);
		assert_non_null(ompp_ring_next(&ring, whole, &is_bad));
		ompp_ring_release(&ring);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_set_of_fields), cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(lines_under_way),    cmocka_unit_test(losses_and_packets),
		cmocka_unit_test(across_the_end),     cmocka_unit_test(what_is_no_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
