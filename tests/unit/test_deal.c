/*
 * Deal: loops of which it is known by hand who gets which iterations, and random ones beside a plain model of the
 * library in which each thread has a list of chunks; the way of a loop is found again from what its threads got.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/span/deal.h"

enum { MOST = 600, TIMES = 1000, NONE = -1 };

static struct ompp_strand strands[MOST];
static const struct ompp_strand *all[MOST];
static uint32_t order[MOST];
static struct ompp_deal deal;
static struct ompp_dealer dealer;
static uint64_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(seed >> 33) % n;
}

/* Makes a loop of chunks that take 1, 2, 3 …, so that a time says which ones they are. */
static void loop_of(uint32_t n_iterations, uint32_t chunk)
{
	memset(&deal, 0, sizeof(deal));
	for (uint32_t first = 0; first < n_iterations; first += chunk, deal.n++) {
		uint32_t n = n_iterations - first < chunk ? n_iterations - first : chunk;

		assert_in_range(deal.n, 0, MOST - 1);
		strands[deal.n] = (struct ompp_strand){ .ticks = deal.n + 1,
			                                .kind = OMPP_STRAND_CHUNK,
			                                .chunk = { { n_iterations, chunk, 0, 0 }, first, n, 0 } };
		all[deal.n] = &strands[deal.n];
		order[deal.n] = deal.n;
	}
	deal.strands = all;
	deal.chunks = order;
	deal.n_iterations = n_iterations;
	deal.chunk = chunk;
}

/* Returns the chunk that a thread gets next; NONE for none. */
static int next_of(uint32_t rank)
{
	struct ompp_dealt dealt;

	return ompp_dealer_next(&dealer, rank, &dealt) ? (int)dealt.ticks - 1 : NONE;
}

static void gets(uint32_t rank, const int *chunks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(next_of(rank), chunks[i]);
}
#define GETS(rank, ...) gets(rank, (const int[]){ __VA_ARGS__ }, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int))

/* ---- by hand ---- */

static void who_asks_gets_the_next_chunk(void **state)
{
	(void)state;
	loop_of(10, 2);
	ompp_dealer_start(&dealer, &deal, OMPP_DEAL_IN_ORDER, 3);
	GETS(2, 0);
	GETS(0, 1, 2);
	GETS(1, 3, 4, NONE);
	GETS(0, NONE);
}

static void threads_have_turns(void **state)
{
	(void)state;
	loop_of(16, 2);
	ompp_dealer_start(&dealer, &deal, OMPP_DEAL_IN_TURN, 3);
	GETS(2, 2, 5, NONE);
	GETS(0, 0, 3, 6, NONE);
	GETS(1, 1, 4, 7, NONE);
}

/* Two threads with 9 chunks each: who has no more takes a quarter of the other's 8, the last two, then one at a time.
 */
static void a_quarter_is_stolen(void **state)
{
	(void)state;
	loop_of(18, 1);
	ompp_dealer_start(&dealer, &deal, OMPP_DEAL_STEALING, 2);
	GETS(0, 0);
	GETS(1, 9, 10, 11, 12, 13, 14, 15, 16, 17, 7, 8, 6, 5);
	GETS(0, 1, 2, 3);
	GETS(1, 4, NONE);
	GETS(0, NONE);
}

/* 11 chunks for 4 threads: 3, 3, 3 and 2.  The last one looks at the first one first, and stays with it. */
static void thieves_stay_where_they_found_some(void **state)
{
	(void)state;
	loop_of(11, 1);
	ompp_dealer_start(&dealer, &deal, OMPP_DEAL_STEALING, 4);
	GETS(0, 0);
	GETS(1, 3);
	GETS(2, 6);
	GETS(3, 9, 10, 2, 1, 5, 4, 8, 7, NONE);
	GETS(0, NONE);
}

/* Who has not come yet loses all at once; what a thief has can be stolen from it. */
static void a_range_without_its_thread_is_taken_whole(void **state)
{
	(void)state;
	loop_of(8, 1);
	ompp_dealer_start(&dealer, &deal, OMPP_DEAL_STEALING, 2);
	GETS(0, 0, 1, 2, 3, 4);
	GETS(1, 7);
	GETS(0, 5);
	GETS(1, 6, NONE);
	GETS(0, NONE);
}

static void too_few_chunks_are_dealt_in_order(void **state)
{
	(void)state;
	loop_of(3, 1);
	ompp_dealer_start(&dealer, &deal, OMPP_DEAL_STEALING, 4);
	GETS(3, 0, 1);
	GETS(0, 2, NONE);
	loop_of(3, 1);
	ompp_dealer_start(&dealer, &deal, OMPP_DEAL_STEALING, 1);
	GETS(0, 0, 1, 2, NONE);
}

/* 200 iterations and 4 threads: an eighth of what is left, while that is 16 or more, as LLVM's library 14 did. */
static void guided_chunks_shrink(void **state)
{
	static const uint32_t sizes[] = { 25, 21, 19, 16, 14, 13, 11, 10, 8, 7, 7, 6, 5, 4, 4, 3, 3,
		                          3,  2,  2,  2,  1,  1,  1,  1,  1, 1, 1, 1, 1, 1, 1, 1 };
	struct ompp_dealt dealt;
	uint32_t at = 0;

	(void)state;
	loop_of(200, 200);
	deal.chunk = 1;
	strands[0].ticks = TIMES * 200;
	ompp_dealer_start(&dealer, &deal, OMPP_DEAL_GUIDED, 4);
	for (uint32_t i = 0; at < 200; i++) {
		assert_int_equal(ompp_dealer_next(&dealer, i % 4, &dealt), 1);
		assert_int_equal(dealt.ticks, TIMES * (i < 33 ? sizes[i] : 1));
		at += (uint32_t)(dealt.ticks / TIMES);
	}
	assert_int_equal(at, 200);
	assert_int_equal(ompp_dealer_next(&dealer, 0, &dealt), 0);
	ompp_dealer_start(&dealer, &deal, OMPP_DEAL_GUIDED, 1);
	assert_int_equal(ompp_dealer_next(&dealer, 0, &dealt), 1);
	assert_int_equal(dealt.ticks, TIMES * 200);
	assert_int_equal(ompp_dealer_next(&dealer, 0, &dealt), 0);
}

/* Parts of chunks have a part of their time, and of that in critical regions; what is missing takes none. */
static void parts_of_chunks_are_added(void **state)
{
	struct ompp_dealt dealt;

	(void)state;
	loop_of(12, 4);
	for (uint32_t i = 0; i < 3; i++)
		strands[i].ticks = (i + 1) * 400;
	strands[2].locked_ticks = 200;
	strands[2].lock = 7;
	deal.chunk = 3;
	order[1] = 2;
	deal.n = 2;
	ompp_dealer_start(&dealer, &deal, OMPP_DEAL_IN_ORDER, 2);
	for (uint32_t i = 0; i < 4; i++) {
		static const uint64_t ticks[] = { 300, 100, 300, 900 };

		assert_int_equal(ompp_dealer_next(&dealer, 0, &dealt), 1);
		assert_int_equal(dealt.ticks, ticks[i]);
		assert_int_equal(dealt.lock, i < 2 ? 0 : 7);
	}
	assert_int_equal(dealt.locked_ticks, 150);
}

/* ---- a model ---- */

/* What each thread has left: a list of chunks.  It is closed while it is nobody's to look at. */
static struct list {
	int chunks[MOST], n, is_closed, to;
} lists[64];

static int list_front(struct list *l)
{
	int first = l->chunks[0];

	memmove(l->chunks, l->chunks + 1, (size_t)--l->n * sizeof(l->chunks[0]));
	return first;
}

static int model_next(int rank, int n)
{
	struct list *mine = &lists[rank];

	if (mine->n)
		return list_front(mine);
	mine->is_closed = 1;
	for (int tries = n - 1; tries > 0; tries--) {
		struct list *other;
		int k = mine->to, many;

		for (int step = 1; step < n && lists[k].is_closed; step++)
			k = (k + 1) % n;
		other = &lists[k];
		if (other->is_closed)
			continue;
		if (!other->n) {
			mine->to = (k + 1) % n;
			continue;
		}
		many = other->n < 8 ? 1 : other->n / 4;
		other->n -= many;
		memcpy(mine->chunks, other->chunks + other->n, (size_t)many * sizeof(int));
		mine->n = many;
		mine->to = k;
		k = list_front(mine);
		mine->is_closed = !mine->n;
		return k;
	}
	return NONE;
}

static void model_start(int n_chunks, int n)
{
	int c = 0;

	memset(lists, 0, sizeof(lists));
	for (int k = 0; k < n; k++) {
		lists[k].to = (k + 1) % n;
		for (int many = n_chunks / n + (k < n_chunks % n); many; many--)
			lists[k].chunks[lists[k].n++] = c++;
	}
	assert_int_equal(c, n_chunks);
}

static void stealing_is_as_in_the_model(void **state)
{
	static int is_over[64];

	(void)state;
	seed = 1;
	for (uint64_t start = 1; start < TIMES; seed = ++start) {
		int n = 2 + (int)below(30), n_chunks = n + (int)below(400), n_left = n, n_dealt = 0;

		loop_of((uint32_t)n_chunks * 3 - below(3), 3);
		model_start(n_chunks, n);
		memset(is_over, 0, sizeof(is_over));
		ompp_dealer_start(&dealer, &deal, OMPP_DEAL_STEALING, (uint32_t)n);
		for (int k = 0; k < n; k++, n_dealt++) /* all come before the first is done */
			assert_int_equal(next_of((uint32_t)k), model_next(k, n));
		while (n_left) {
			int k = (int)below((uint32_t)n), want;

			if (is_over[k])
				continue;
			want = model_next(k, n);
			assert_int_equal(next_of((uint32_t)k), want);
			n_dealt += want != NONE;
			if (want == NONE)
				is_over[k] = 1;
			n_left -= want == NONE;
		}
		assert_int_equal(n_dealt, n_chunks);
	}
}

/* ---- what the run shows ---- */

/* Lets n threads execute the loop, whose chunks take something by chance; the last of them may come late. */
static void execute(enum ompp_deal_way way, uint32_t n, enum ompp_strand_schedule schedule, uint64_t late)
{
	static uint64_t free_ticks[64];
	struct ompp_deal had = deal;

	for (uint32_t k = 0; k < n; k++)
		free_ticks[k] = k + 1 < n ? below(10) : late;
	ompp_dealer_start(&dealer, &deal, way, n);
	for (;;) {
		uint32_t k = 0;
		int c;

		for (uint32_t i = 1; i < n; i++)
			k = free_ticks[i] < free_ticks[k] ? i : k;
		if (free_ticks[k] == UINT64_MAX)
			break;
		c = next_of(k);
		if (c != NONE) {
			strands[c].rank = k;
			strands[c].chunk.asked_time = 5000 + free_ticks[k];
			strands[c].chunk.loop.schedule = schedule;
		}
		free_ticks[k] = c == NONE ? UINT64_MAX : free_ticks[k] + 20 + below(200);
	}
	deal = had;
	ompp_deal_find(&deal, n);
}

static void is_way(enum ompp_deal_way a, enum ompp_deal_way b)
{
	assert_int_equal(deal.ways[0], a);
	assert_int_equal(deal.ways[1], b);
}

static void the_way_is_found(void **state)
{
	(void)state;
	seed = 1;
	for (uint64_t start = 1; start < TIMES; seed = ++start) {
		uint32_t n = 2 + below(30), chunk = 1 + below(5), n_chunks = 2 * n + below(200);
		uint64_t late = below(2) && n > 4 ? 300 : 0;
		enum ompp_strand_schedule said = below(2) ? OMPP_STRAND_DYNAMIC : OMPP_STRAND_ANY;

		loop_of(n_chunks * chunk - below(chunk), chunk);
		execute(OMPP_DEAL_STEALING, n, said, late);
		is_way(OMPP_DEAL_STEALING, OMPP_DEAL_STEALING);
		execute(OMPP_DEAL_IN_ORDER, n, said, late);
		is_way(OMPP_DEAL_IN_ORDER, OMPP_DEAL_IN_ORDER);
		execute(OMPP_DEAL_IN_ORDER, n, OMPP_STRAND_IN_ORDER, late);
		is_way(OMPP_DEAL_IN_ORDER, OMPP_DEAL_IN_ORDER);
		execute(OMPP_DEAL_IN_TURN, n, OMPP_STRAND_ANY, late);
		is_way(OMPP_DEAL_IN_TURN, OMPP_DEAL_IN_TURN);
		assert_int_equal(deal.chunk, chunk);
		execute(OMPP_DEAL_IN_ORDER, n, OMPP_STRAND_GUIDED, late);
		is_way(OMPP_DEAL_GUIDED, OMPP_DEAL_GUIDED);
	}
}

/* Where one thread executes all, or each one chunk, threads might steal or not. */
static void few_chunks_show_nothing(void **state)
{
	(void)state;
	loop_of(20, 1);
	execute(OMPP_DEAL_IN_ORDER, 1, OMPP_STRAND_DYNAMIC, 0);
	is_way(OMPP_DEAL_IN_ORDER, OMPP_DEAL_STEALING);
	execute(OMPP_DEAL_IN_ORDER, 20, OMPP_STRAND_DYNAMIC, 0);
	is_way(OMPP_DEAL_IN_ORDER, OMPP_DEAL_STEALING);
	execute(OMPP_DEAL_IN_ORDER, 1, OMPP_STRAND_IN_ORDER, 0);
	is_way(OMPP_DEAL_IN_ORDER, OMPP_DEAL_IN_ORDER);
	/* in turn is possible, too, where the program does not say it; and one thread's guided loop is one chunk */
	execute(OMPP_DEAL_IN_ORDER, 1, OMPP_STRAND_ANY, 0);
	is_way(OMPP_DEAL_UNKNOWN, OMPP_DEAL_UNKNOWN);
	execute(OMPP_DEAL_IN_TURN, 20, OMPP_STRAND_ANY, 0);
	is_way(OMPP_DEAL_UNKNOWN, OMPP_DEAL_UNKNOWN);
	execute(OMPP_DEAL_IN_TURN, 11, OMPP_STRAND_ANY, 0);
	is_way(OMPP_DEAL_UNKNOWN, OMPP_DEAL_UNKNOWN);
	execute(OMPP_DEAL_IN_ORDER, 1, OMPP_STRAND_GUIDED, 0);
	is_way(OMPP_DEAL_UNKNOWN, OMPP_DEAL_UNKNOWN);
}

/* More chunks than are dealt out one by one: pairs would give each thread half of another one's. */
static void too_many_turns_are_unknown(void **state)
{
	(void)state;
	loop_of(100, 1);
	execute(OMPP_DEAL_IN_TURN, 2, OMPP_STRAND_ANY, 0);
	is_way(OMPP_DEAL_IN_TURN, OMPP_DEAL_IN_TURN);
	for (uint32_t i = 0; i < deal.n; i++)
		strands[i].chunk.loop.n = 1 << 15;
	ompp_deal_find(&deal, 2);
	is_way(OMPP_DEAL_UNKNOWN, OMPP_DEAL_UNKNOWN);
}

/* A call that does not say how: by the lengths of chunks. */
static void lengths_show_guided_and_static(void **state)
{
	static const uint32_t firsts[] = { 0, 12, 22, 31, 39, 46, 52 }, wrong[] = { 0, 40, 60, 61, 62 };

	(void)state;
	loop_of(7, 1);
	for (uint32_t i = 0; i < 7; i++)
		strands[i].chunk = (struct ompp_strand_chunk){
			{ 100, 0, 0, OMPP_STRAND_ANY }, firsts[i], i < 6 ? firsts[i + 1] - firsts[i] : 5, i
		};
	ompp_deal_find(&deal, 4);
	is_way(OMPP_DEAL_GUIDED, OMPP_DEAL_GUIDED);
	assert_int_equal(deal.chunk, 6);
	for (uint32_t i = 0; i < 5; i++)
		strands[i].chunk.first = wrong[i], strands[i].chunk.n = i < 4 ? wrong[i + 1] - wrong[i] : 38;
	deal.n = 5;
	ompp_deal_find(&deal, 4);
	is_way(OMPP_DEAL_UNKNOWN, OMPP_DEAL_UNKNOWN);
	deal.n = 4;
	for (uint32_t i = 0; i < 4; i++) { /* of 102 iterations each thread has a part */
		strands[i].rank = i;
		strands[i].chunk.loop.n = 102;
		strands[i].chunk.first = 25 * i + (i < 2 ? i : 2);
		strands[i].chunk.n = 25 + (i < 2);
	}
	ompp_deal_find(&deal, 4);
	is_way(OMPP_DEAL_BLOCKS, OMPP_DEAL_BLOCKS);
	deal.n = 1; /* or chunks of 26, the others of which were short */
	ompp_deal_find(&deal, 4);
	is_way(OMPP_DEAL_UNKNOWN, OMPP_DEAL_UNKNOWN);
	deal.n = 4;
	for (uint32_t i = 0; i < 4; i++) { /* as have those that steal chunks of 25 */
		strands[i].chunk.loop.n = 100;
		strands[i].chunk.first = 25 * i;
		strands[i].chunk.n = 25;
	}
	ompp_deal_find(&deal, 4);
	is_way(OMPP_DEAL_UNKNOWN, OMPP_DEAL_UNKNOWN);
	strands[2].rank = 3;
	strands[3].rank = 2;
	ompp_deal_find(&deal, 4);
	is_way(OMPP_DEAL_IN_ORDER, OMPP_DEAL_STEALING);
}

/* What is not as long as the program asked for was dealt out in some way of which nothing is known. */
static void other_lengths_are_unknown(void **state)
{
	(void)state;
	loop_of(40, 4);
	for (uint32_t i = 0; i < deal.n; i++)
		strands[i].chunk.loop = (struct ompp_strand_loop){ 40, 5, 0, OMPP_STRAND_DYNAMIC };
	ompp_deal_find(&deal, 2);
	is_way(OMPP_DEAL_UNKNOWN, OMPP_DEAL_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_asks_gets_the_next_chunk),
		cmocka_unit_test(threads_have_turns),
		cmocka_unit_test(a_quarter_is_stolen),
		cmocka_unit_test(thieves_stay_where_they_found_some),
		cmocka_unit_test(a_range_without_its_thread_is_taken_whole),
		cmocka_unit_test(too_few_chunks_are_dealt_in_order),
		cmocka_unit_test(guided_chunks_shrink),
		cmocka_unit_test(parts_of_chunks_are_added),
		cmocka_unit_test(stealing_is_as_in_the_model),
		cmocka_unit_test(the_way_is_found),
		cmocka_unit_test(few_chunks_show_nothing),
		cmocka_unit_test(too_many_turns_are_unknown),
		cmocka_unit_test(lengths_show_guided_and_static),
		cmocka_unit_test(other_lengths_are_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
