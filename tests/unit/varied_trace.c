/*
 * Varied trace: see varied_trace.h.
 */
#include "tests/unit/varied_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/flow/code.h"
#include "runtime/base/array.h"
#include "runtime/ompp_mem.h"

enum { BYTES = 1 << 18, EVENTS = 250, THREADS = 4, NODES = 3, PLACES = 5, OBJECTS = 4, SITES = 3, PAGE = 4096 };

#define START       UINT64_C(5000000000)
#define FIELD(name) (1u << OMPP_FLOW_##name)

static unsigned char bytes[BYTES];
static size_t n_bytes;
static struct ompp_flow_state coder;
static uint64_t state, now;

/* Returns a number below n.  It is called once in an expression, as compilers evaluate operands in any order. */
static uint32_t below(uint32_t n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((state >> 33) % n);
}

/* Adds a definition, of numbers up to the first that is -1. */
static void define(enum ompp_flow_define what, const int64_t *numbers, const char *a, const char *b, const char *c)
{
	struct ompp_flow_definition d = { .what = what };
	const char *texts[] = { a, b, c };

	for (; numbers[d.n_numbers] >= 0; d.n_numbers++)
		d.numbers[d.n_numbers] = (uint64_t)numbers[d.n_numbers];
	for (; d.n_texts < OMPP_COUNT_OF(texts) && texts[d.n_texts]; d.n_texts++) {
		d.texts[d.n_texts].text = texts[d.n_texts];
		d.texts[d.n_texts].n_bytes = strlen(texts[d.n_texts]);
	}
	n_bytes += ompp_flow_define(&d, bytes + n_bytes, BYTES - n_bytes);
}

#define DEFINE(what, a, b, c, ...) define(OMPP_FLOW_DEFINE_##what, (const int64_t[]){ __VA_ARGS__, -1 }, a, b, c)

static void put_definitions(uint32_t number)
{
	static const char *const constructs[PLACES] = { "PARALLEL", "LOOP", "BARRIER", "USER REGION", "CRITICAL" };
	static const char *const names[OBJECTS] = { "a", "x[0]", "b.c:7 malloc", "(other)" };
	int has_interval = below(2) > 0, is_cut = !below(3), has_lost = !below(3), is_ahead = below(2) > 0;

	for (int i = 0; i < PLACES; i++)
		DEFINE(PLACE, constructs[i], i == 3 ? "solve" : "", i % 2 ? "/src/a.c" : "/src/b.f90", i + 1, i / 2,
		       i + 10, 10 * i + 5, 10 * i + 9);
	for (int i = 0; i < OBJECTS; i++) {
		DEFINE(OBJECT, names[i], NULL, NULL, i + 4, i == 2 ? 1 : 0);
		DEFINE(COVER, NULL, NULL, NULL, i + 1, i + 4);
	}
	DEFINE(COVER, NULL, NULL, NULL, OBJECTS + 1, 4, 5);
	for (int i = 0; i < SITES; i++) {
		DEFINE(SITE, NULL, NULL, NULL, i + 1, i % THREADS + 1, 0x401000 + i, 0x402000);
		DEFINE(NAME, i ? "a.c:3 malloc" : "b.c:7 malloc", "main, f", NULL, i + 1);
	}
	for (int i = 0; i < 4; i++)
		DEFINE(LINE, i % 2 ? "f" : "sweep", i ? "/src/a.c" : "", NULL, 0x401000 + i, 20 + i);
	for (int i = 0; i < THREADS; i++)
		DEFINE(THREAD, NULL, NULL, NULL, i, i / 2);
	DEFINE(VARIABLE, "small", NULL, NULL, 1, 0x7000000010, 40);
	DEFINE(USES, "hooks", "what libraries do", NULL, has_interval ? 1000000 : 0);
	DEFINE(RANK, NULL, NULL, NULL, number % 3, 3);
	DEFINE(APP, "program", NULL, NULL, 0);
	DEFINE(END, NULL, NULL, NULL, is_cut ? 5 : 0, has_lost ? 2 : 0, is_ahead ? 400 : 0);
}

/* Adds an event; what its fields mean together is as the runtime writes it. */
static void put_event(void)
{
	static const uint32_t of_pages = FIELD(TIME) | FIELD(SPAN) | FIELD(THREAD) | FIELD(ADDRESS) | FIELD(PAGES) |
	                                 FIELD(PLACE) | FIELD(COVER) | FIELD(CPU) | FIELD(NODE) | FIELD(HOME) |
	                                 FIELD(PAGE_BYTES),
			      of_block = FIELD(TIME) | FIELD(THREAD) | FIELD(ADDRESS) | FIELD(SITE) | FIELD(BYTES);
	static const struct {
		enum ompp_flow_code code;
		uint32_t fields;
	} kinds[] = {
		{ OMPP_FLOW_CODE_ACCESS, FIELD(TIME) | FIELD(THREAD) | FIELD(ADDRESS) | FIELD(COVER) | FIELD(IP) |
		                                 FIELD(LATENCY) | FIELD(PLACE) | FIELD(LEVEL) | FIELD(HOME) |
		                                 FIELD(CPU) | FIELD(NODE) | FIELD(PERIOD) | FIELD(PAGE_BYTES) |
		                                 FIELD(TID) | FIELD(DETAIL) | FIELD(PHYSICAL) },
		{ OMPP_FLOW_CODE_TOUCH, FIELD(TIME) | FIELD(THREAD) | FIELD(ADDRESS) | FIELD(COVER) | FIELD(NODE) |
		                                FIELD(HOME) | FIELD(PLACE) | FIELD(PAGE_BYTES) | FIELD(IP) },
		{ OMPP_FLOW_CODE_BEGIN, of_block },
		{ OMPP_FLOW_CODE_END, of_block },
		{ OMPP_FLOW_CODE_REGION, FIELD(TIME) | FIELD(THREAD) | FIELD(PLACE) },
		{ OMPP_FLOW_CODE_REGION, FIELD(TIME) | FIELD(THREAD) | FIELD(PLACE) | FIELD(MESSAGE) | FIELD(PARTNER) |
		                                 FIELD(TAG) | FIELD(COMM) | FIELD(BYTES) | FIELD(SPAN) },
		{ OMPP_FLOW_CODE_PAGES, of_pages | FIELD(LOADS) | FIELD(STORES) | FIELD(PARTS) },
		{ OMPP_FLOW_CODE_PAGES, of_pages | FIELD(LOADS) | FIELD(STORES) | FIELD(PARTS) },
		{ OMPP_FLOW_CODE_WRITTEN, of_pages },
	};
	static const struct {
		enum ompp_flow_field field;
		uint32_t n; /* values */
	} choices[] = {
		{ OMPP_FLOW_THREAD, THREADS },
		{ OMPP_FLOW_COVER, OBJECTS + 2 },
		{ OMPP_FLOW_IP, 5 },
		{ OMPP_FLOW_LATENCY, 600 },
		{ OMPP_FLOW_PLACE, PLACES + 1 },
		{ OMPP_FLOW_LEVEL, OMPP_MEM_N_LEVELS * 4 },
		{ OMPP_FLOW_HOME, NODES + 1 },
		{ OMPP_FLOW_CPU, 9 },
		{ OMPP_FLOW_NODE, NODES + 1 },
		{ OMPP_FLOW_SITE, SITES },
		{ OMPP_FLOW_BYTES, 3 * PAGE },
		{ OMPP_FLOW_PERIOD, 1000 },
		{ OMPP_FLOW_DETAIL, 7 << 8 },
		{ OMPP_FLOW_SPAN, 2000000 },
		{ OMPP_FLOW_PAGES, 3 },
		{ OMPP_FLOW_LOADS, 900 },
		{ OMPP_FLOW_STORES, 900 },
		{ OMPP_FLOW_MESSAGE, 2 },
		{ OMPP_FLOW_PARTNER, 4 },
		{ OMPP_FLOW_TAG, 2 },
		{ OMPP_FLOW_COMM, 3 },
	};
	size_t kind = below(OMPP_COUNT_OF(kinds));
	int is_of_pages = kinds[kind].code >= OMPP_FLOW_CODE_PAGES;
	uint64_t v[OMPP_FLOW_N_FIELDS] = { 0 }, page = UINT64_C(0x7000000000) + below(24) * (uint64_t)PAGE;
	uint32_t bit = below(64), other_bit = below(64), step = below(4000000), odds = below(120);

	for (size_t i = 0; i < OMPP_COUNT_OF(choices); i++)
		v[choices[i].field] = below(choices[i].n);
	now += odds % 3 ? step : 0;
	v[OMPP_FLOW_TIME] = odds % 40 ? now : 0;
	v[OMPP_FLOW_THREAD] = odds % 30 ? v[OMPP_FLOW_THREAD] + 1 : 0;
	v[OMPP_FLOW_ADDRESS] = is_of_pages ? page : page + below(PAGE);
	v[OMPP_FLOW_IP] += 0x401000;
	v[OMPP_FLOW_LATENCY] = odds % 4 ? v[OMPP_FLOW_LATENCY] : 0;
	v[OMPP_FLOW_LEVEL] = v[OMPP_FLOW_LEVEL] / 4 * 4 + (v[OMPP_FLOW_LEVEL] % 2 ? OMPP_MEM_LOADS : OMPP_MEM_STORES);
	v[OMPP_FLOW_SITE]++;
	v[OMPP_FLOW_PERIOD]++;
	v[OMPP_FLOW_PAGE_BYTES] = odds % 4 ? PAGE : odds % 8 ? 2 << 20 : 0;
	v[OMPP_FLOW_TID] = 100 + v[OMPP_FLOW_THREAD];
	v[OMPP_FLOW_DETAIL] &= 0x733;
	v[OMPP_FLOW_PHYSICAL] = odds % 2 ? page + PAGE : 0;
	v[OMPP_FLOW_PAGES]++;
	v[OMPP_FLOW_LOADS] *= v[OMPP_FLOW_LOADS] % 3;
	v[OMPP_FLOW_STORES] *= v[OMPP_FLOW_STORES] % 3;
	v[OMPP_FLOW_PARTS] = odds % 5 ? UINT64_C(1) << bit | UINT64_C(1) << other_bit : ~UINT64_C(0);
	v[OMPP_FLOW_MESSAGE]++;
	n_bytes += ompp_flow_put(&coder, kinds[kind].code, v, kinds[kind].fields, bytes + n_bytes);
}

void varied_trace_write(const char *path, uint32_t number, uint32_t pid)
{
	struct ompp_flow_head head = {
		OMPP_FLOW_VERSION, pid, PAGE, 1 + number % 3, START, UINT64_C(1790000000000000000), 1000
	};
	FILE *file = fopen(path, "wb");
	uint32_t n_blocks;

	state = number + 77;
	now = START;
	ompp_flow_head_put(&head, bytes);
	n_bytes = OMPP_FLOW_HEAD_BYTES;
	n_blocks = 1 + below(3);
	for (uint32_t b = 0; b < n_blocks; b++) {
		size_t at = n_bytes;
		struct ompp_flow_block block = { .n_events = EVENTS, .time_ns = now };

		memset(&coder, 0, sizeof(coder));
		n_bytes += OMPP_FLOW_BLOCK_HEAD_BYTES;
		if (!b)
			put_definitions(number);
		for (uint32_t i = 0; i < EVENTS; i++)
			put_event();
		block.n_bytes = block.n_plain_bytes = (uint32_t)(n_bytes - at - OMPP_FLOW_BLOCK_HEAD_BYTES);
		ompp_flow_block_put(&block, bytes + at + OMPP_FLOW_BLOCK_HEAD_BYTES, bytes + at);
	}
	if (!file || fwrite(bytes, n_bytes, 1, file) != 1 || fclose(file))
		abort();
}
