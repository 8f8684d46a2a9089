/*
 * Flow trace: traces that tests write.  To include first.
 */
#ifndef TESTS_FLOW_TRACE_H
#define TESTS_FLOW_TRACE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/flow/code.h"
#include "reports/ompp_flow.h"

enum { BYTES = 1 << 20, N_MANY = 200000, START = 1000000 };

#define FIELD(name) (1u << OMPP_FLOW_##name)

/* A trace that is being made. */
struct made {
	unsigned char bytes[BYTES];
	size_t n, block; /* where the block begins */
	uint32_t n_events;
	struct ompp_flow_state state;
	uint64_t v[OMPP_FLOW_N_FIELDS];
};

static struct made *m;

static inline void begin_block(void)
{
	m->block = m->n;
	m->n += OMPP_FLOW_BLOCK_HEAD_BYTES;
	m->n_events = 0;
	memset(&m->state, 0, sizeof(m->state));
}

static inline void end_block(void)
{
	unsigned char *content = m->bytes + m->block + OMPP_FLOW_BLOCK_HEAD_BYTES;
	uint32_t n = (uint32_t)(m->n - m->block - OMPP_FLOW_BLOCK_HEAD_BYTES);
	struct ompp_flow_block block = { OMPP_FLOW_BLOCK_EVENTS, n, n, m->n_events, 0 };

	ompp_flow_block_put(&block, content, m->bytes + m->block);
}

static inline void begin(void)
{
	struct ompp_flow_head head = { OMPP_FLOW_VERSION, 42, 4096, 2, START, 7, 10007 };

	memset(m, 0, sizeof(*m));
	ompp_flow_head_put(&head, m->bytes);
	m->n = OMPP_FLOW_HEAD_BYTES;
	begin_block();
}

static inline void define(enum ompp_flow_define what, int n_numbers, const uint64_t *numbers, const char *a,
                          const char *b, const char *c)
{
	struct ompp_flow_definition d = { .what = what, .n_numbers = (uint32_t)n_numbers };
	const char *texts[] = { a, b, c };
	size_t n;

	for (int i = 0; i < n_numbers; i++)
		d.numbers[i] = numbers[i];
	for (; d.n_texts < 3 && texts[d.n_texts]; d.n_texts++) {
		d.texts[d.n_texts].text = texts[d.n_texts];
		d.texts[d.n_texts].n_bytes = strlen(texts[d.n_texts]);
	}
	n = ompp_flow_define(&d, m->bytes + m->n, BYTES - m->n);
	assert_true(n);
	m->n += n;
}

#define DEFINE(what, a, b, c, ...) \
	define(OMPP_FLOW_DEFINE_##what, (int)(sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t)), \
	       (uint64_t[]){ __VA_ARGS__ }, a, b, c)

static void put(enum ompp_flow_code code, uint32_t fields)
{
	size_t n = ompp_flow_put(&m->state, code, m->v, fields, m->bytes + m->n);

	assert_true(n && n <= OMPP_FLOW_EVENT_BYTES);
	m->n += n;
	m->n_events++;
}

static inline void put_access(uint64_t time, uint64_t thread, uint64_t address, uint64_t cover, uint64_t cpu,
                              uint64_t node, uint64_t home)
{
	m->v[OMPP_FLOW_TIME] = time;
	m->v[OMPP_FLOW_THREAD] = thread + 1;
	m->v[OMPP_FLOW_ADDRESS] = address;
	m->v[OMPP_FLOW_COVER] = cover;
	m->v[OMPP_FLOW_CPU] = cpu + 1;
	m->v[OMPP_FLOW_NODE] = node + 1;
	m->v[OMPP_FLOW_HOME] = home + 1;
	m->v[OMPP_FLOW_IP] = 0x401000 + address % 3;
	m->v[OMPP_FLOW_LEVEL] = OMPP_MEM_LEVEL_L2 * 4 + (address % 2 ? OMPP_MEM_LOADS : OMPP_MEM_STORES);
	m->v[OMPP_FLOW_LATENCY] = 17;
	m->v[OMPP_FLOW_PERIOD] = 10007;
	m->v[OMPP_FLOW_PLACE] = 2;
	m->v[OMPP_FLOW_PHYSICAL] = address + 5;
	m->v[OMPP_FLOW_DETAIL] = OMPP_MEM_SNOOP_HIT << 8 | OMPP_MEM_TRANSLATION_WALK << 4 | OMPP_MEM_LOCK_NO;
	put(OMPP_FLOW_CODE_ACCESS, (FIELD(N_FIELDS) - 1) & ~(FIELD(SITE) | FIELD(BYTES)));
}

static inline void put_block(enum ompp_flow_code code, uint64_t time, uint64_t thread, uint64_t address,
                             uint64_t n_bytes)
{
	m->v[OMPP_FLOW_TIME] = time;
	m->v[OMPP_FLOW_THREAD] = thread + 1;
	m->v[OMPP_FLOW_ADDRESS] = address;
	m->v[OMPP_FLOW_SITE] = 3;
	m->v[OMPP_FLOW_BYTES] = n_bytes;
	put(code, FIELD(TIME) | FIELD(THREAD) | FIELD(ADDRESS) | FIELD(SITE) | FIELD(BYTES));
}

/* A small trace with all kinds of events, in two blocks, whose times are in another order. */
static inline void make_small(void)
{
	begin();
	DEFINE(PLACE, "PARALLEL", "", "/tmp/a.c", 1, 0, 5, 10, 20);
	DEFINE(PLACE, "LOOP", "", "/tmp/a.c", 2, 1, 6, 11, 19);
	DEFINE(OBJECT, "a", NULL, NULL, 8, 0);
	DEFINE(OBJECT, "(block 3)", NULL, NULL, 9, 3);
	DEFINE(COVER, NULL, NULL, NULL, 1, 8);
	DEFINE(COVER, NULL, NULL, NULL, 2, 8, 9);
	DEFINE(SITE, NULL, NULL, NULL, 3, 2, 0x401234);
	DEFINE(THREAD, NULL, NULL, NULL, 1, 6);
	DEFINE(THREAD, NULL, NULL, NULL, UINT64_MAX, 6);
	DEFINE(THREAD, NULL, NULL, NULL, 0, UINT64_MAX);
	put_access(START + 300, 1, 0x1001, 2, 4, 1, 0);
	put_access(START + 200, 1, 0x1000, 2, 0, 0, 0);
	put_block(OMPP_FLOW_CODE_END, START + 400, 0, 0x1000, 64);
	end_block();
	begin_block();
	put_block(OMPP_FLOW_CODE_BEGIN, START + 100, 0, 0x1000, 64);
	put_access(START + 500, 0, 0x1001, 1, 2, 0, 0);
	m->v[OMPP_FLOW_PLACE] = 1;
	m->v[OMPP_FLOW_TIME] = START + 50;
	put(OMPP_FLOW_CODE_REGION, FIELD(TIME) | FIELD(PLACE) | FIELD(THREAD));
	m->v[OMPP_FLOW_TIME] = START + 60;
	put(OMPP_FLOW_CODE_TOUCH, FIELD(TIME) | FIELD(ADDRESS) | FIELD(COVER));
	DEFINE(NAME, "a.c:3 b = malloc(…)", "a.c:3 main", NULL, 3);
	DEFINE(LINE, "f", "/tmp/a.c", NULL, 0x401001 + 0x1001 % 3 - 1, 12);
	DEFINE(APP, "prog", NULL, NULL, 0);
	DEFINE(END, NULL, NULL, NULL, 5, 6);
	end_block();
}

static inline struct ompp_flow *opened(size_t n_bytes)
{
	struct ompp_flow *flow;

	assert_int_equal(ompp_flow_open_bytes(&flow, m->bytes, n_bytes), 0);
	return flow;
}

static inline size_t count(const struct ompp_flow *flow, const struct ompp_flow_filter *filter)
{
	struct ompp_flow_event e;
	size_t n = 0;

	for (size_t at = 0; ompp_flow_next(flow, filter, &at, &e);)
		n++;
	return n;
}

/* Looks at all that a trace says. */
static inline size_t look(const struct ompp_flow *flow)
{
	struct ompp_flow_filter all = ompp_flow_all();
	struct ompp_flow_event e;
	struct ompp_flow_line line;
	size_t n = 0, at = 0;

	all.function = NULL;
	while (ompp_flow_next(flow, &all, &at, &e)) {
		n++;
		assert_true(e.kind < OMPP_FLOW_N_KINDS && e.level < OMPP_MEM_N_LEVELS);
		for (uint32_t k = 0; k < e.n_objects; k++)
			assert_non_null(ompp_flow_object(flow, ompp_flow_nth_object(flow, &e, k)));
		assert_true(e.region == OMPP_FLOW_NONE || ompp_flow_region(flow, e.region));
		assert_true(e.thread == OMPP_FLOW_NONE || ompp_flow_thread(flow, e.thread));
		assert_true(e.site == OMPP_FLOW_NONE || ompp_flow_site(flow, e.site));
		ompp_flow_line(flow, e.ip, &line);
	}
	return n;
}

#endif
