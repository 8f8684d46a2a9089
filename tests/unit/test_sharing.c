/*
 * Sharing: what is found of stores in lines is the same whether hooks count them by themselves or hand them over, and
 * is what a plain list of all stores says.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/data/object.h"
#include "runtime/data/segment.h"
#include "runtime/data/sharing.h"
#include "runtime/host/clock.h"

enum { THREADS = 3, NODES = 2, LINES = 600, BYTES = LINES * OMPP_LINE_BYTES, ROWS = 8, STORES = 200000 };
#define BASE  ((uintptr_t)1 << 40)
#define FRESH (BASE + ((uintptr_t)1 << 30)) /* lines that no other test uses */

struct line_truth {
	uint64_t bytes, n_stores, n_transfers;
};

static struct ompp_sharing own[THREADS];
static struct ompp_tally *tally[THREADS][NODES];
static struct line_truth truth[THREADS][NODES][LINES];
static int writer[LINES]; /* the thread that wrote it last; -1 for none */

static struct ompp_segment segment_of(uintptr_t lo, uintptr_t hi, uint32_t cover)
{
	struct ompp_segment s = { .lo = lo, .hi = hi, .row = ompp_cover_row(cover), .cover = cover };

	for (unsigned int i = 0; i < OMPP_SIZES; i++)
		s.limit[i] = hi - lo + 1 - ((uintptr_t)1 << i);
	return s;
}

static struct ompp_tally *make_tally(const void *node)
{
	size_t n = sizeof(struct ompp_tally) + (size_t)ROWS * ompp_row_bytes;
	struct ompp_tally *y = aligned_alloc(64, (n + 63) / 64 * 64);

	assert_non_null(y);
	memset(y, 0, n);
	y->n_rows = ROWS;
	y->seen_end = (uint32_t)n;
	y->node = node;
	return y;
}

static void free_tallies(void)
{
	for (int t = 0; t < THREADS; t++)
		for (int i = 0; i < NODES; i++)
			free(tally[t][i]);
}

static void note(int thread, int node, uintptr_t address, size_t n_bytes)
{
	size_t at = address - BASE;

	for (size_t line = at / 64; line <= (at + n_bytes - 1) / 64; line++) {
		struct line_truth *t = &truth[thread][node][line];

		for (size_t i = at; i < at + n_bytes; i++)
			t->bytes |= i / 64 == line ? UINT64_C(1) << i % 64 : 0;
		t->n_stores++;
		t->n_transfers += writer[line] >= 0 && writer[line] != thread;
		writer[line] = thread;
	}
}

static void check_thread(int thread)
{
	size_t n = 0, n_true = 0;

	for (size_t i = 0; i < OMPP_SHARING_ENTRIES; i++) {
		const struct ompp_sharing_entry *e = &own[thread].entries[i];
		const struct line_truth *t;

		if (!e->line)
			continue;
		n++;
		t = &truth[thread][e->node == tally[thread][1]->node][e->line - BASE / 64];
		assert_int_equal(e->bytes, t->bytes);
		assert_int_equal(e->n_stores, t->n_stores);
		assert_int_equal(e->n_transfers, t->n_transfers);
	}
	for (int node = 0; node < NODES; node++)
		for (int line = 0; line < LINES; line++)
			n_true += truth[thread][node][line].n_stores != 0;
	assert_int_equal(n, n_true);
	assert_int_equal(own[thread].n_lost, 0);
}

/* Two objects lie side by side with their border in the middle of a line, and what has no name behind them. */
static void test_stores(void **state)
{
	static const char nodes[NODES];
	uintptr_t border = BASE + 299 * 64 + 24, end = BASE + BYTES;
	struct ompp_segment of[] = { segment_of(BASE, border, OMPP_OBJECT_FIRST_NAMED),
		                     segment_of(border, end, OMPP_OBJECT_FIRST_NAMED + 1),
		                     segment_of(end, end + BYTES, OMPP_OBJECT_OTHER) };
	uint64_t n_counted = 0, n_unnamed = 0, n_rows = 0;

	(void)state;
	srand(33);
	for (int t = 0; t < THREADS; t++) {
		ompp_sharing_init(&own[t], (uint32_t)t);
		for (int i = 0; i < NODES; i++)
			tally[t][i] = make_tally(&nodes[i]);
	}
	for (int i = 0; i < LINES; i++)
		writer[i] = -1;
	for (int i = 0; i < STORES; i++) {
		int t = rand() / 64 % THREADS, node = rand() / 1024 % 8 == 0, is_far = rand() / 32 % 4 == 0;
		unsigned int size = (unsigned int)rand() / 16 % OMPP_SIZES;
		size_t at = is_far ? (size_t)rand() % (2 * BYTES - 16) : border - BASE - 256 + (size_t)rand() % 512;
		uintptr_t address = BASE + at;
		const struct ompp_segment *s = address < border ? &of[0] : address < end ? &of[1] : &of[2];

		if (address + (1u << size) > s->hi)
			continue;
		if (s == &of[2])
			n_unnamed++;
		else
			note(t, node, address, (size_t)1 << size);
		if (ompp_sharing_count(&own[t], tally[t][node], address, size, OMPP_SLOT_STORE)) {
			n_counted++;
			n_rows += s == &of[2];
			continue;
		}
		if (s != &of[2])
			ompp_sharing_store(&own[t], tally[t][node], s->cover, address, (size_t)1 << size);
		own[t].ways.page[ompp_way(address)] = own[t].ways.near[ompp_near_way(address)] = s;
	}
	for (int t = 0; t < THREADS; t++)
		check_thread(t);
	assert_true(n_counted > STORES / 3);
	assert_true(n_rows && n_rows < n_unnamed);
	free_tallies();
}

/* What a plain list of all stores and loads says of one thread's loads from a line in a node. */
struct load_truth {
	uint64_t loaded, n_loads, n_fetches;
	int is_known; /* it has stored, or loaded what another one had stored */
};

static struct load_truth load_truth[THREADS][NODES][LINES];
static int last_store[LINES], last_load[THREADS][LINES]; /* their times; loads of what another thread had stored */

static void note_load(int thread, int node, size_t at, size_t n_bytes, int now)
{
	for (size_t line = at / 64; line <= (at + n_bytes - 1) / 64; line++) {
		struct load_truth *t = &load_truth[thread][node][line];
		int is_others = writer[line] >= 0 && writer[line] != thread;

		if (!ompp_sharing_is_watched(&own[0], FRESH + line * 64)) /* some are after so many stores */
			continue;
		t->is_known |= is_others || truth[thread][node][line].n_stores;
		if (!t->is_known)
			continue;
		for (size_t i = at; i < at + n_bytes; i++)
			t->loaded |= i / 64 == line ? UINT64_C(1) << i % 64 : 0;
		t->n_loads++;
		t->n_fetches += is_others && last_store[line] >= last_load[thread][line];
		last_load[thread][line] = is_others ? now : last_load[thread][line];
	}
}

/* Counts a load as hooks do where the thread has the line, in half of the cases.  Returns 0 when it was not counted. */
static int is_had_by_hook(struct ompp_sharing *t, const struct ompp_tally *y, uintptr_t at, size_t n_bytes)
{
	unsigned int size = (unsigned int)__builtin_ctzll(n_bytes);

	return rand() / 64 % 2 && n_bytes == (size_t)1 << size && at % OMPP_LINE_BYTES + n_bytes <= OMPP_LINE_BYTES &&
	       ompp_sharing_is_watched(t, at) && ompp_sharing_has_line(t, y, at, size);
}

/* Loads from watched lines that follow another thread's store are counted once for each thread and store, whoever loads
 * between, and so are stores as before.  Lines that are not watched have no loads, until
 * they are. */
static void test_loads(void **state)
{
	static const char nodes[NODES];
	uint64_t n_fetches = 0, n_loads = 0;

	(void)state;
	srand(34);
	memset(truth, 0, sizeof(truth));
	for (int t = 0; t < THREADS; t++) {
		ompp_sharing_init(&own[t], (uint32_t)t);
		for (int i = 0; i < NODES; i++)
			tally[t][i] = make_tally(&nodes[i]);
	}
	for (int i = 0; i < LINES; i++) {
		writer[i] = -1;
		if (i % 3)
			ompp_sharing_watch(FRESH / 64 + (uintptr_t)i);
	}
	for (int now = 1; now < STORES; now++) {
		int t = rand() / 64 % THREADS, node = rand() / 1024 % 8 == 0, is_load = rand() / 64 % 4 != 0;
		size_t n_bytes = rand() / 64 % 16 ? (size_t)1 << rand() / 16 % 4 : (size_t)rand() / 16 % 200 + 1;
		size_t at = rand() / 32 % 4 ? (size_t)rand() / 16 % 512 : (size_t)rand() / 16 % BYTES;

		if (at + n_bytes > BYTES)
			continue;
		if (is_load) {
			note_load(t, node, at, n_bytes, now);
			if (!is_had_by_hook(&own[t], tally[t][node], FRESH + at, n_bytes))
				ompp_sharing_load(&own[t], tally[t][node], OMPP_OBJECT_FIRST_NAMED, FRESH + at,
				                  n_bytes);
		} else {
			note(t, node, BASE + at, n_bytes);
			for (size_t line = at / 64; line <= (at + n_bytes - 1) / 64; line++)
				last_store[line] = now;
			ompp_sharing_store(&own[t], tally[t][node], OMPP_OBJECT_FIRST_NAMED, FRESH + at, n_bytes);
		}
	}
	for (int t = 0; t < THREADS; t++)
		for (size_t i = 0; i < OMPP_SHARING_ENTRIES; i++) {
			const struct ompp_sharing_entry *e = &own[t].entries[i];
			int node = e->node == tally[t][1]->node;
			size_t line = e->line - FRESH / 64;

			if (!e->line)
				continue;
			assert_int_equal(e->n_stores, truth[t][node][line].n_stores);
			assert_int_equal(e->n_transfers, truth[t][node][line].n_transfers);
			if (!ompp_sharing_is_watched(&own[0], FRESH + line * 64)) {
				assert_true(line % 3 == 0 && !e->loaded && !e->n_loads && !e->n_fetches);
				continue;
			}
			assert_int_equal(e->loaded, load_truth[t][node][line].loaded);
			assert_int_equal(e->n_loads, load_truth[t][node][line].n_loads);
			assert_int_equal(e->n_fetches, load_truth[t][node][line].n_fetches);
			n_loads += e->n_loads;
			n_fetches += e->n_fetches;
		}
	assert_true(n_fetches > STORES / 20 && n_loads > 2 * n_fetches);
}

/* A line is watched after many stores, by hooks and by the long way alike.  Hooks then count the loads of who has the
 * line, and hand over the others. */
static void test_watch(void **state)
{
	static const char node, others_node;
	struct ompp_segment s = segment_of(FRESH, FRESH + 8 * BYTES, OMPP_OBJECT_FIRST_NAMED);
	struct ompp_tally *y = make_tally(&node), *others = make_tally(&others_node);

	(void)state;
	for (int by_hook = 0; by_hook < 2; by_hook++) {
		uintptr_t at = FRESH + 2 * BYTES + (by_hook ? 640 : 0);
		struct ompp_sharing *t = &own[0], *other = &own[1];

		ompp_sharing_init(t, 0);
		ompp_sharing_init(other, 1);
		t->ways.page[ompp_way(at)] = other->ways.page[ompp_way(at)] = &s;
		for (int i = 1; i <= OMPP_WATCH_STORES; i++) {
			assert_false(ompp_sharing_is_watched(&own[0], at));
			if (!by_hook || !ompp_sharing_count(t, y, at, 3, OMPP_SLOT_STORE))
				ompp_sharing_store(t, y, s.cover, at, 8);
			assert_true(ompp_sharing_count(t, y, at + 8, 3, OMPP_SLOT_LOAD));
		}
		assert_true(ompp_sharing_is_watched(&own[0], at));
		for (int i = 0; i < 3; i++) {
			assert_true(ompp_sharing_count(t, y, at, 3, OMPP_SLOT_STORE));
			assert_true(ompp_sharing_count(t, y, at + 8, 3, OMPP_SLOT_LOAD));
			assert_false(ompp_sharing_count(other, others, at + 8, 3, OMPP_SLOT_LOAD));
			ompp_sharing_load(other, others, s.cover, at + 8, 8);
			assert_true(ompp_sharing_count(other, others, at + 8, 3, OMPP_SLOT_LOAD));
			assert_true(ompp_sharing_count(t, y, at + 8, 3, OMPP_SLOT_LOAD));
		}
	}
	free(others);
	free(y);
}

/* A segment that has ended holds nothing, nor does a tally without the row; loads change no line. */
static void test_ends(void **state)
{
	static const char node;
	struct ompp_grain_segment room = { 0 }; /* of which a segment may be the first part */
	struct ompp_segment *s = &room.segment;
	struct ompp_tally *y = make_tally(&node), *small = make_tally(&node);
	struct ompp_sharing *t = &own[0];

	(void)state;
	*s = segment_of(BASE, BASE + 4096, OMPP_OBJECT_FIRST_NAMED);
	ompp_sharing_init(t, 0);
	small->seen_end = s->row;
	assert_false(ompp_sharing_count(t, y, BASE, 3, OMPP_SLOT_LOAD));
	t->ways.page[ompp_way(BASE)] = s;
	assert_true(ompp_sharing_count(t, y, BASE, 3, OMPP_SLOT_LOAD));
	assert_false(ompp_sharing_count(t, small, BASE, 3, OMPP_SLOT_LOAD));
	assert_false(ompp_sharing_count(t, y, BASE, 3, OMPP_SLOT_STORE)); /* its line is not known */
	ompp_sharing_store(t, y, s->cover, BASE, 8);
	assert_true(ompp_sharing_count(t, y, BASE, 3, OMPP_SLOT_STORE));
	assert_false(ompp_sharing_count(t, y, BASE + 64, 3, OMPP_SLOT_STORE));
	assert_false(ompp_sharing_count(t, y, BASE + 60, 3, OMPP_SLOT_STORE)); /* two lines */
	assert_int_equal(ompp_tally_word(y, s->row, OMPP_SLOT_LOAD)[3], 1);
	assert_int_equal(ompp_tally_word(y, s->row, OMPP_SLOT_STORE)[3], 1);
	memset(s->limit, 0, sizeof(s->limit));
	assert_false(ompp_sharing_count(t, y, BASE, 3, OMPP_SLOT_STORE));
	ompp_sharing_after_fork(t);
	assert_false(t->has_entries);
	assert_false(ompp_sharing_count(t, y, BASE, 3, OMPP_SLOT_STORE));
	free(small);
	free(y);
}

/* Stores by a thread, each a line behind the one before. */
static void store_lines(struct ompp_sharing *t, struct ompp_tally *y, const struct ompp_segment *s, uintptr_t first,
                        uintptr_t n)
{
	for (uintptr_t at = first; at < first + n * 64; at += 64) {
		t->ways.page[ompp_way(at)] = s;
		if (!ompp_sharing_count(t, y, at, 3, OMPP_SLOT_STORE))
			ompp_sharing_store(t, y, s->cover, at, 8);
	}
}

static struct ompp_sharing_entry sum_of(const struct ompp_sharing *t, uintptr_t from, uintptr_t to)
{
	struct ompp_sharing_entry sum = { 0 };

	for (size_t i = 0; i < OMPP_SHARING_ENTRIES; i++) {
		const struct ompp_sharing_entry *e = &t->entries[i];

		if (e->line < from / 64 || e->line >= to / 64)
			continue;
		sum.line++;
		sum.n_stores += e->n_stores;
		sum.n_transfers += e->n_transfers;
	}
	return sum;
}

/* A line that two threads hand to each other is found though one of them has filled its table before, and goes on to
 * write lines of its own.  Once all lines of the table are handed over, stores that find no place are counted as lost,
 * and those to lines that have one go on. */
static void test_full(void **state)
{
	static const char node;
	enum { N = OMPP_SHARING_ENTRIES + 1000, TIMES = 5000, LEAST = TIMES - 1000, MORE = 1000 };
	struct ompp_grain_segment room = { 0 };
	struct ompp_segment *s = &room.segment;
	struct ompp_tally *y = make_tally(&node);
	uintptr_t hot = BASE + (uintptr_t)N * 64, end = hot + 64;
	struct ompp_sharing_entry sum;
	uint64_t n_lost;

	(void)state;
	*s = segment_of(BASE, end + (uintptr_t)N * 64, OMPP_OBJECT_FIRST_NAMED);
	ompp_sharing_init(&own[1], 1);
	ompp_sharing_init(&own[2], 2);
	store_lines(&own[1], y, s, BASE, N);
	assert_true(own[1].n <= OMPP_SHARING_MOST && own[1].n_lost && own[1].n_lost < N - OMPP_SHARING_MOST);
	for (uintptr_t i = 0; i < TIMES; i++) {
		store_lines(&own[1], y, s, hot, 1);
		store_lines(&own[2], y, s, hot, 1);
		store_lines(&own[1], y, s, BASE + i % N * 64, 7);
	}
	for (int t = 1; t < 3; t++) {
		sum = sum_of(&own[t], hot, end);
		assert_int_equal(sum.line, 1);
		assert_in_range(sum.n_transfers, LEAST, TIMES);
		assert_in_range(sum.n_stores, LEAST, TIMES);
	}
	ompp_sharing_after_fork(&own[1]);
	ompp_sharing_after_fork(&own[2]);
	store_lines(&own[2], y, s, BASE, OMPP_SHARING_MOST);
	store_lines(&own[1], y, s, BASE, OMPP_SHARING_MOST);
	n_lost = own[1].n_lost;
	assert_int_equal(n_lost, 0);
	assert_int_equal(own[1].n, OMPP_SHARING_MOST);
	store_lines(&own[1], y, s, end, MORE);
	assert_int_equal(own[1].n_lost, MORE);
	store_lines(&own[1], y, s, BASE, OMPP_SHARING_MOST);
	assert_int_equal(own[1].n_lost, MORE);
	sum = sum_of(&own[1], BASE, end);
	assert_int_equal(sum.line, OMPP_SHARING_MOST);
	assert_int_equal(sum.n_stores, 2 * OMPP_SHARING_MOST);
	assert_int_equal(sum_of(&own[1], end, end + (uintptr_t)N * 64).line, 0);
	free(y);
}

/* Two threads store to one line, until both have timed a transfer or some seconds have passed. */
static const char times_node;
static struct ompp_grain_segment times_room;
static int are_done;

static void *store_there(void *context)
{
	const struct ompp_segment *s = &times_room.segment;
	struct ompp_sharing *t = context;
	struct ompp_tally *y = make_tally(&times_node);
	uintptr_t at = BASE + 8 * t->slot;

	while (!__atomic_load_n(&are_done, __ATOMIC_RELAXED)) {
		t->ways.page[ompp_way(at)] = s;
		if (!ompp_sharing_count(t, y, at, 3, OMPP_SLOT_STORE))
			ompp_sharing_store(t, y, s->cover, at, 8);
	}
	free(y);
	return NULL;
}

static void store_for(unsigned int n_tenths)
{
	pthread_t threads[2];

	__atomic_store_n(&are_done, 0, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < 2; i++) {
		ompp_sharing_init(&own[i], i);
		assert_int_equal(pthread_create(&threads[i], NULL, store_there, &own[i]), 0);
	}
	for (unsigned int i = 0; i < n_tenths && (!OMPP_LOAD(&own[0].n_timed) || !OMPP_LOAD(&own[1].n_timed)); i++)
		usleep(100000);
	__atomic_store_n(&are_done, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void test_times(void **state)
{
	(void)state;
	times_room.segment = segment_of(BASE, BASE + 4096, OMPP_OBJECT_FIRST_NAMED);
	assert_int_equal(ompp_clock_open("auto"), 0);
	store_for(100);
	for (int i = 0; i < 2; i++) {
		assert_true(own[i].n_timed <= own[i].n_tries);
		for (uint32_t k = 0; k < OMPP_TRANSFER_TIMES;
		     k++) /* those that were timed, and no others, have a time */
			assert_int_equal(own[i].times[k] > 0, k < own[i].n_timed);
	}
	if (!own[0].n_timed || !own[1].n_timed)
		print_message("the threads never ran at the same time\n");
	/* a fake clock counts its readings, so nothing is timed */
	assert_int_equal(ompp_clock_open("fake"), 0);
	store_for(3);
	for (int i = 0; i < 2; i++)
		assert_true(!own[i].n_timed && !own[i].n_tries && !own[i].times[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_stores), cmocka_unit_test(test_ends),
		                            cmocka_unit_test(test_full),   cmocka_unit_test(test_times),
		                            cmocka_unit_test(test_loads),  cmocka_unit_test(test_watch) };

	ompp_row_bytes = OMPP_N_SLOTS * sizeof(uint64_t);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
