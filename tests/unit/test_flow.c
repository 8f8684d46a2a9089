/*
 * Flow: the events of a trace come back as they were written; damaged traces are read as far as they can be.
 */
#include "tests/unit/flow_trace.h"

static void events_are_in_order(void **state)
{
	static const enum ompp_flow_kind kinds[] = { OMPP_FLOW_CHANGE, OMPP_FLOW_TOUCH,  OMPP_FLOW_ALLOCATION,
		                                     OMPP_FLOW_ACCESS, OMPP_FLOW_ACCESS, OMPP_FLOW_MIGRATION,
		                                     OMPP_FLOW_FREE,   OMPP_FLOW_ACCESS };
	struct ompp_flow_filter all = ompp_flow_all();
	struct ompp_flow_event e;
	const struct ompp_flow_info *info;
	struct ompp_flow *flow;
	size_t at = 0, n = 0;

	(void)state;
	make_small();
	flow = opened(m->n);
	info = ompp_flow_info(flow);
	assert_string_equal(info->app, "prog");
	assert_string_equal(info->latencies, "TSC cycles");
	assert_int_equal(info->is_whole, 1);
	assert_int_equal(info->n_left_out, 5);
	assert_int_equal(info->n_lost, 6);
	assert_int_equal(info->n_damaged, 0);
	assert_int_equal(info->start_ns, START);
	assert_int_equal(info->n_events, sizeof(kinds) / sizeof(kinds[0]));
	while (ompp_flow_next(flow, &all, &at, &e))
		assert_int_equal(e.kind, kinds[n++]);
	assert_int_equal(n, info->n_events);
	ompp_flow_close(flow);
}

static void fields_come_back(void **state)
{
	struct ompp_flow_filter f = ompp_flow_all();
	struct ompp_flow_event e;
	struct ompp_flow_line line;
	struct ompp_flow *flow;
	size_t at = 0;

	(void)state;
	make_small();
	flow = opened(m->n);
	f.kinds = 1u << OMPP_FLOW_ACCESS;
	f.thread = 1;
	assert_int_equal(ompp_flow_next(flow, &f, &at, &e), 1);
	assert_int_equal(e.time_ns, START + 200);
	assert_int_equal(e.address, 0x1000);
	assert_int_equal(e.physical, 0x1005);
	assert_int_equal(e.access, OMPP_MEM_STORES);
	assert_int_equal(e.level, OMPP_MEM_LEVEL_L2);
	assert_int_equal(e.latency, 17);
	assert_int_equal(e.period, 10007);
	assert_int_equal(e.snoop, OMPP_MEM_SNOOP_HIT);
	assert_int_equal(e.translation, OMPP_MEM_TRANSLATION_WALK);
	assert_int_equal(e.lock, OMPP_MEM_LOCK_NO);
	assert_int_equal(e.n_objects, 2);
	assert_string_equal(ompp_flow_object(flow, e.object)->name, "a");
	assert_string_equal(ompp_flow_object(flow, ompp_flow_nth_object(flow, &e, 1))->name, "a.c:3 b = malloc(…)");
	assert_string_equal(ompp_flow_object(flow, ompp_flow_nth_object(flow, &e, 1))->path, "a.c:3 main");
	assert_int_equal(ompp_flow_nth_object(flow, &e, 2), OMPP_FLOW_NONE);
	assert_int_equal(e.allocator, 0);
	assert_string_equal(ompp_flow_region(flow, e.region)->construct, "LOOP");
	assert_int_equal(ompp_flow_region(flow, ompp_flow_region(flow, e.region)->parent)->begin_line, 10);
	assert_int_equal(ompp_flow_next(flow, &f, &at, &e), 1);
	assert_int_equal(e.cpu, 4);
	assert_int_equal(e.node, 1);
	assert_int_equal(e.home, 0);
	assert_int_equal(ompp_flow_line(flow, e.ip, &line), 0);
	assert_string_equal(line.function, "f");
	assert_int_equal(line.line, 12);
	assert_int_equal(ompp_flow_line(flow, 1, &line), -1);
	assert_int_equal(ompp_flow_next(flow, &f, &at, &e), 0);
	f = ompp_flow_all();
	f.kinds = 1u << OMPP_FLOW_MIGRATION;
	f.thread = 1;
	at = 0;
	assert_int_equal(ompp_flow_next(flow, &f, &at, &e), 1);
	assert_int_equal(e.from_cpu, 0);
	assert_int_equal(e.from_node, 0);
	assert_int_equal(e.cpu, 4);
	assert_int_equal(e.node, 1);
	f.kinds = 1u << OMPP_FLOW_ALLOCATION;
	f.thread = OMPP_FLOW_NONE;
	at = 0;
	assert_int_equal(ompp_flow_next(flow, &f, &at, &e), 1);
	assert_int_equal(e.bytes, 64);
	assert_int_equal(ompp_flow_site(flow, e.site)->n_blocks, 1);
	assert_int_equal(ompp_flow_site(flow, e.site)->n_ended, 1);
	assert_int_equal(ompp_flow_thread(flow, 1)->n_accesses, 2);
	assert_int_equal(ompp_flow_thread(flow, 0)->rank, OMPP_FLOW_NONE);
	assert_int_equal(ompp_flow_thread(flow, 1)->rank, 6);
	assert_null(ompp_flow_thread(flow, 2));
	ompp_flow_close(flow);
}

static void filters_choose(void **state)
{
	const struct ompp_flow_filter all = ompp_flow_all();
	struct ompp_flow_filter f = all;
	struct ompp_flow *flow;

	(void)state;
	make_small();
	flow = opened(m->n);
#define CHOOSES(n, ...) \
	do { \
		f = all; \
		f.kinds = 1u << OMPP_FLOW_ACCESS; \
		__VA_ARGS__; \
		assert_int_equal(count(flow, &f), n); \
	} while (0)
	CHOOSES(3, (void)0);
	CHOOSES(1, f.thread = 0);
	CHOOSES(3, f.object = 0);
	CHOOSES(2, f.object = 1);
	CHOOSES(1, f.node = 1);
	CHOOSES(3, f.home = 0);
	CHOOSES(0, f.home = 1);
	CHOOSES(2, f.allocator = 0);
	CHOOSES(0, f.levels = 1u << OMPP_MEM_LEVEL_L3);
	CHOOSES(3, f.levels = 1u << OMPP_MEM_LEVEL_L2);
	CHOOSES(1, f.accesses = OMPP_MEM_STORES);
	CHOOSES(2, f.accesses = OMPP_MEM_LOADS);
	CHOOSES(0, f.modes = 2);
	CHOOSES(3, f.modes = 1);
	CHOOSES(0, f.least_latency = 18);
	CHOOSES(3, f.least_latency = f.most_latency = 17);
	CHOOSES(0, f.most_latency = 16);
	CHOOSES(1, f.most_address = 0x1000);
	CHOOSES(2, f.least_address = 0x1001);
	CHOOSES(1, f.to_ns = 300);
	CHOOSES(2, f.from_ns = 300);
	CHOOSES(2, f.function = "f");
	CHOOSES(0, f.function = "g");
	CHOOSES(3, f.region = 0);
	CHOOSES(3, f.region = 1);
	CHOOSES(1, f.kinds = 1u << OMPP_FLOW_CHANGE; f.region = 0);
	CHOOSES(0, f.kinds = 1u << OMPP_FLOW_CHANGE; f.region = 1);
	CHOOSES(2, f.kinds = 1u << OMPP_FLOW_ALLOCATION | 1u << OMPP_FLOW_FREE; f.object = 1);
	CHOOSES(0, f.kinds = 1u << OMPP_FLOW_ALLOCATION; f.function = "f");
	ompp_flow_close(flow);
}

/* A trace that is cut off at any byte is read up to there: block after block. */
static void cut_off_anywhere(void **state)
{
	struct ompp_flow *flow;
	size_t first;

	(void)state;
	make_small();
	first = m->block;
	for (size_t n = 0; n < m->n; n++) {
		unsigned char *cut = malloc(n ? n : 1); /* so that sanitizers see each byte beyond */
		int rc;

		assert_non_null(cut);
		memcpy(cut, m->bytes, n);
		rc = ompp_flow_open_bytes(&flow, cut, n);
		free(cut);
		if (n < OMPP_FLOW_HEAD_BYTES) {
			assert_int_equal(rc, OMPP_FLOW_ERROR_FORM);
			assert_null(flow);
			continue;
		}
		assert_int_equal(rc, 0);
		assert_int_equal(ompp_flow_info(flow)->is_whole, 0);
		assert_true(ompp_flow_info(flow)->n_lost == UINT64_MAX);
		assert_int_equal(look(flow), n < first ? 0 : 4); /* two accesses, a migration and the end of a block */
		assert_int_equal(ompp_flow_info(flow)->n_damaged, n < first ? n - OMPP_FLOW_HEAD_BYTES : n - first);
		ompp_flow_close(flow);
	}
}

/* One wrong bit anywhere costs the block in which it is, and no more. */
static void wrong_bits(void **state)
{
	struct ompp_flow *flow;

	(void)state;
	make_small();
	for (size_t bit = 0; bit < 8 * m->n; bit++) {
		int rc;

		m->bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		rc = ompp_flow_open_bytes(&flow, m->bytes, m->n);
		m->bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		if (bit / 8 < OMPP_FLOW_HEAD_BYTES) {
			assert_int_equal(rc, OMPP_FLOW_ERROR_FORM);
			continue;
		}
		assert_int_equal(rc, 0);
		assert_int_equal(look(flow), 4);
		assert_true(ompp_flow_info(flow)->n_damaged > 0);
		assert_int_equal(ompp_flow_info(flow)->is_whole, 0);
		ompp_flow_close(flow);
	}
}

static uint64_t seed = 1;

static uint64_t random_number(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 33;
}

/* Bytes that make no sense in blocks whose checksums are right. */
static void wrong_content(void **state)
{
	struct ompp_flow *flow;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		make_small();
		for (int k = 0; k < 4; k++)
			m->bytes[m->block + OMPP_FLOW_BLOCK_HEAD_BYTES +
			         random_number() % (m->n - m->block - OMPP_FLOW_BLOCK_HEAD_BYTES)] = (unsigned char)
				random_number();
		end_block();
		flow = opened(m->n);
		look(flow);
		ompp_flow_close(flow);
	}
}

/* A block whose checksum is right, and whose last event is cut off: the events before it are read, and the bytes of
 * this one are told as damaged. */
static void wrong_tail(void **state)
{
	enum { EVENTS = 20 };
	size_t ends[EVENTS + 1];
	struct ompp_flow *flow;

	(void)state;
	for (int i = 0; i < 500; i++) {
		size_t whole = 0;

		begin();
		ends[0] = m->n;
		for (int k = 0; k < EVENTS; k++) {
			put_access(START + 300 + random_number() % 1000, 1, random_number(), 2, 1, 0, 0);
			ends[k + 1] = m->n;
		}
		m->n = ends[0] + random_number() % (ends[EVENTS] - ends[0] + 1);
		while (whole < EVENTS && ends[whole + 1] <= m->n)
			whole++;
		end_block();
		flow = opened(m->n);
		assert_int_equal(ompp_flow_info(flow)->n_damaged, m->n - ends[whole]);
		assert_int_equal(look(flow), whole);
		ompp_flow_close(flow);
	}
}

/* Regions that are defined inside each other, and what is not defined at all. */
static void undefined(void **state)
{
	struct ompp_flow *flow;

	(void)state;
	begin();
	DEFINE(PLACE, "LOOP", "", "a.c", 1, 2, 5, 10, 20);
	DEFINE(PLACE, "LOOP", "", "a.c", 2, 1, 5, 10, 20);
	DEFINE(PLACE, "LOOP", "", "a.c", 1, 2, 5, 10, 20);
	DEFINE(PLACE, "LOOP", "", "a.c", 3, 3, 5, 10, 20);
	put_access(START, 5, 0x1000, 77, 1, 0, 0);
	put_block(OMPP_FLOW_CODE_END, 0, 70000, 0x1000, UINT64_MAX);
	end_block();
	flow = opened(m->n);
	assert_int_equal(look(flow), 2);
	assert_int_equal(ompp_flow_is_within(flow, 1, 0), 1);
	assert_int_equal(ompp_flow_is_within(flow, 0, 1), 0);
	assert_int_equal(ompp_flow_is_within(flow, 2, 0), 0);
	assert_int_equal(ompp_flow_is_within(flow, OMPP_FLOW_NONE, OMPP_FLOW_NONE), 0);
	ompp_flow_close(flow);
}

/* Many events in a random order are sorted, each of them a few bytes. */
static void many_events(void **state)
{
	struct ompp_flow_filter all = ompp_flow_all();
	struct ompp_flow_event e;
	struct ompp_flow *flow;
	uint64_t last = 0, sum = 0, found = 0;
	size_t at = 0, n = 0, n_bytes;

	(void)state;
	begin();
	m->v[OMPP_FLOW_THREAD] = 1;
	for (int i = 0; i < N_MANY / 2; i++) {
		m->v[OMPP_FLOW_TIME] = START + random_number();
		m->v[OMPP_FLOW_ADDRESS] += 8;
		sum += m->v[OMPP_FLOW_TIME];
		put(OMPP_FLOW_CODE_BEGIN, FIELD(TIME) | FIELD(ADDRESS) | FIELD(THREAD));
	}
	end_block();
	n_bytes = m->n;
	assert_true(n_bytes < OMPP_FLOW_MOST_BLOCK_BYTES);
	flow = opened(m->n);
	while (ompp_flow_next(flow, &all, &at, &e)) {
		assert_true(e.time_ns >= last);
		last = e.time_ns;
		found += e.time_ns;
		n++;
	}
	assert_int_equal(n, N_MANY / 2);
	assert_int_equal(found, sum);
	ompp_flow_close(flow);
}

static void put_use(uint64_t time, uint64_t span, uint64_t thread, uint64_t address, uint64_t n_pages, uint64_t loads,
                    uint64_t stores)
{
	m->v[OMPP_FLOW_TIME] = time;
	m->v[OMPP_FLOW_SPAN] = span;
	m->v[OMPP_FLOW_THREAD] = thread + 1;
	m->v[OMPP_FLOW_ADDRESS] = address;
	m->v[OMPP_FLOW_PAGES] = n_pages;
	m->v[OMPP_FLOW_LOADS] = loads;
	m->v[OMPP_FLOW_STORES] = stores;
	m->v[OMPP_FLOW_PARTS] = UINT64_MAX << n_pages;
	m->v[OMPP_FLOW_COVER] = 1;
	m->v[OMPP_FLOW_HOME] = thread + 2;
	put(OMPP_FLOW_CODE_PAGES, FIELD(TIME) | FIELD(SPAN) | FIELD(THREAD) | FIELD(ADDRESS) | FIELD(PAGES) |
	                                  FIELD(LOADS) | FIELD(STORES) | FIELD(PARTS) | FIELD(COVER) | FIELD(HOME));
}

/* Returns how many uses a filter means. */
static size_t n_uses(const struct ompp_flow *flow, const struct ompp_flow_filter *filter)
{
	struct ompp_flow_event e;
	size_t at = 0, n = 0;

	while (ompp_flow_next(flow, filter, &at, &e))
		n += e.kind == OMPP_FLOW_USE;
	return n;
}

/* Uses of pages: what was written is read, and filters mean what overlaps them in time and addresses. */
static void uses(void **state)
{
	struct ompp_flow_filter f = ompp_flow_all();
	struct ompp_flow_event e;
	struct ompp_flow *flow;
	size_t at = 0;

	(void)state;
	begin();
	DEFINE(OBJECT, "a", NULL, NULL, 8, 0);
	DEFINE(COVER, NULL, NULL, NULL, 1, 8);
	DEFINE(USES, "hooks", "libraries", NULL, 50);
	put_use(START + 100, 50, 0, 0x10000, 2, 7, 0);
	put_use(START + 150, 100, 1, 0x12000, 1, 0, 9);
	end_block();
	flow = opened(m->n);
	assert_int_equal(ompp_flow_info(flow)->interval_ns, 50);
	assert_string_equal(ompp_flow_info(flow)->method, "hooks");
	assert_string_equal(ompp_flow_info(flow)->unseen, "libraries");
	assert_true(ompp_flow_next(flow, &f, &at, &e));
	assert_int_equal(e.kind, OMPP_FLOW_USE);
	assert_true(e.time_ns == START + 100 && e.until_ns == START + 150 && e.thread == 0 && e.home == 1);
	assert_true(e.address == 0x10000 && e.n_pages == 2 && e.loads == 7 && e.stores == 0);
	assert_true(e.parts == UINT64_MAX << 2 && e.object == 0 && e.n_objects == 1);
	assert_int_equal(n_uses(flow, &f), 2);
	f.object = 0;
	assert_int_equal(n_uses(flow, &f), 2);
	f.least_address = 0x11fff;
	assert_int_equal(n_uses(flow, &f), 2);
	f.least_address = 0x12000;
	assert_int_equal(n_uses(flow, &f), 1);
	f = ompp_flow_all();
	f.from_ns = 151;
	assert_int_equal(n_uses(flow, &f), 1);
	f.from_ns = 0;
	f.to_ns = 150;
	assert_int_equal(n_uses(flow, &f), 1);
	f = ompp_flow_all();
	f.accesses = OMPP_MEM_STORES;
	assert_int_equal(n_uses(flow, &f), 1);
	f = ompp_flow_all();
	f.home = 2;
	assert_int_equal(n_uses(flow, &f), 1);
	f = ompp_flow_all();
	f.levels = 1;
	assert_int_equal(n_uses(flow, &f), 0);
	ompp_flow_close(flow);
}

/* Pages that the kernel tells to be written: nothing is known of them but when, and they count as stored to. */
static void written(void **state)
{
	struct ompp_flow_filter f = ompp_flow_all();
	struct ompp_flow_event e;
	struct ompp_flow *flow;
	size_t at = 0;

	(void)state;
	begin();
	DEFINE(OBJECT, "a", NULL, NULL, 8, 0);
	DEFINE(COVER, NULL, NULL, NULL, 1, 8);
	put_use(START + 100, 50, 2, 0x10000, 2, 7, 3);
	m->v[OMPP_FLOW_THREAD] = 0;
	m->v[OMPP_FLOW_TIME] = START + 120;
	m->v[OMPP_FLOW_SPAN] = 30;
	m->v[OMPP_FLOW_ADDRESS] = 0x20000;
	m->v[OMPP_FLOW_PAGES] = 5;
	put(OMPP_FLOW_CODE_WRITTEN,
	    FIELD(TIME) | FIELD(SPAN) | FIELD(THREAD) | FIELD(ADDRESS) | FIELD(PAGES) | FIELD(COVER));
	end_block();
	flow = opened(m->n);
	f.kinds = 1u << OMPP_FLOW_WRITTEN;
	assert_true(ompp_flow_next(flow, &f, &at, &e));
	assert_int_equal(e.kind, OMPP_FLOW_WRITTEN);
	assert_true(e.thread == OMPP_FLOW_NONE && e.cpu == OMPP_FLOW_NONE && e.node == OMPP_FLOW_NONE);
	assert_true(e.time_ns == START + 120 && e.until_ns == START + 150 && e.address == 0x20000 && e.n_pages == 5);
	assert_true(!e.loads && !e.stores && !e.parts && e.object == 0);
	assert_false(ompp_flow_next(flow, &f, &at, &e));
	f.accesses = OMPP_MEM_LOADS;
	at = 0;
	assert_false(ompp_flow_next(flow, &f, &at, &e));
	f.accesses = OMPP_MEM_STORES;
	at = 0;
	assert_true(ompp_flow_next(flow, &f, &at, &e));
	f.least_address = 0x25000;
	at = 0;
	assert_false(ompp_flow_next(flow, &f, &at, &e));
	ompp_flow_close(flow);
}

/* Messages: the rank, what is known of both ends, and what is not. */
static void messages(void **state)
{
	const uint32_t fields = FIELD(TIME) | FIELD(THREAD) | FIELD(SPAN) | FIELD(MESSAGE) | FIELD(PARTNER) |
	                        FIELD(TAG) | FIELD(COMM) | FIELD(BYTES) | FIELD(PLACE);
	struct ompp_flow_filter f = ompp_flow_all();
	struct ompp_flow_event e;
	struct ompp_flow *flow;
	size_t at = 0;

	(void)state;
	begin();
	begin_block();
	DEFINE(PLACE, "MPI WAIT", "MPI_Wait", "/tmp/a.c", 1, 0, 5, 10, 10);
	DEFINE(RANK, NULL, NULL, NULL, 3, 4);
	m->v[OMPP_FLOW_THREAD] = 1;
	m->v[OMPP_FLOW_TIME] = START + 50;
	m->v[OMPP_FLOW_SPAN] = 20;
	m->v[OMPP_FLOW_MESSAGE] = 2;
	m->v[OMPP_FLOW_PARTNER] = 0;
	m->v[OMPP_FLOW_TAG] = 0;
	m->v[OMPP_FLOW_COMM] = 7;
	m->v[OMPP_FLOW_BYTES] = 0;
	m->v[OMPP_FLOW_PLACE] = 1;
	put(OMPP_FLOW_CODE_REGION, fields);
	m->v[OMPP_FLOW_MESSAGE] = 0;
	m->v[OMPP_FLOW_TIME] = START + 40; /* the change to the call is written after its message */
	put(OMPP_FLOW_CODE_REGION, FIELD(TIME) | FIELD(THREAD) | FIELD(PLACE) | FIELD(MESSAGE));
	m->v[OMPP_FLOW_TIME] = START + 60;
	m->v[OMPP_FLOW_SPAN] = 0;
	m->v[OMPP_FLOW_MESSAGE] = 1;
	m->v[OMPP_FLOW_PARTNER] = 1;
	m->v[OMPP_FLOW_TAG] = 9;
	m->v[OMPP_FLOW_BYTES] = 11;
	put(OMPP_FLOW_CODE_REGION, fields);
	end_block();
	flow = opened(m->n);
	assert_int_equal(ompp_flow_process(flow, 0)->mpi_rank, 3);
	assert_int_equal(ompp_flow_process(flow, 0)->mpi_size, 4);
	assert_true(ompp_flow_next(flow, &f, &at, &e));
	assert_true(e.kind == OMPP_FLOW_CHANGE && e.time_ns == START + 40 && e.region == 0);
	assert_true(ompp_flow_next(flow, &f, &at, &e));
	assert_true(e.kind == OMPP_FLOW_RECEIVE && e.time_ns == START + 50 && e.posted_ns == START + 30);
	assert_true(e.partner == OMPP_FLOW_NONE && e.bytes == UINT64_MAX && e.comm == 7 && !e.tag && !e.address);
	assert_true(ompp_flow_next(flow, &f, &at, &e));
	assert_true(e.kind == OMPP_FLOW_SEND && e.time_ns == START + 60 && e.posted_ns == START + 60);
	assert_true(e.partner == 0 && e.bytes == 10 && e.tag == 9);
	assert_false(ompp_flow_next(flow, &f, &at, &e));
	f.least_address = 1; /* a message has none */
	at = 0;
	assert_false(ompp_flow_next(flow, &f, &at, &e));
	ompp_flow_close(flow);
}

static void not_a_trace(void **state)
{
	struct ompp_flow_head head = { .version = OMPP_FLOW_VERSION + 1 };
	unsigned char bytes[OMPP_FLOW_HEAD_BYTES];
	struct ompp_flow *flow;

	(void)state;
	assert_int_equal(ompp_flow_open_bytes(&flow, "", 0), OMPP_FLOW_ERROR_FORM);
	assert_null(flow);
	ompp_flow_head_put(&head, bytes);
	assert_int_equal(ompp_flow_open_bytes(&flow, bytes, sizeof(bytes)), OMPP_FLOW_ERROR_FORM);
	assert_non_null(strstr(ompp_flow_message(), "another version"));
	assert_int_equal(ompp_flow_open(&flow, "/nothing/here"), OMPP_FLOW_ERROR_FILE);
	assert_int_equal(ompp_flow_open(&flow, "/"), OMPP_FLOW_ERROR_FILE);
	ompp_flow_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(events_are_in_order),
		                            cmocka_unit_test(fields_come_back),
		                            cmocka_unit_test(filters_choose),
		                            cmocka_unit_test(cut_off_anywhere),
		                            cmocka_unit_test(wrong_bits),
		                            cmocka_unit_test(wrong_content),
		                            cmocka_unit_test(wrong_tail),
		                            cmocka_unit_test(undefined),
		                            cmocka_unit_test(many_events),
		                            cmocka_unit_test(uses),
		                            cmocka_unit_test(written),
		                            cmocka_unit_test(messages),
		                            cmocka_unit_test(not_a_trace) };

	int failed;

	m = malloc(sizeof(*m));
	if (!m)
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(m);
	return failed;
}
