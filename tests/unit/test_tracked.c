/*
 * Tracked: a block's counts are those of the words of its row, each size of access with its bytes; and of the blocks of
 * a site that have ended, those keep their entries that stand out, as this test finds by sorting all of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/data/site.h"
#include "runtime/data/tally.h"
#include "runtime/data/tracked.h"

static void test_add(void **state)
{
	uint64_t words[OMPP_N_SLOTS + OMPP_ACCESS_LEVELS + 16] = { 0 }, fields[OMPP_TRACKED_FIELDS] = { 0 };

	(void)state;
	for (unsigned int i = 0; i < OMPP_SIZES; i++) {
		words[OMPP_SLOT_LOAD + i] = 1 + i;   /* 1, 2 … loads of 1, 2, 4 … bytes */
		words[OMPP_SLOT_STORE + i] = 10 + i; /* 10, 11 … stores of them */
	}
	words[OMPP_SLOT_BLOCK_LOAD] = 100, words[OMPP_SLOT_BLOCK_LOAD_BYTES] = 100 * 24;
	words[OMPP_SLOT_BLOCK_STORE] = 200, words[OMPP_SLOT_BLOCK_STORE_BYTES] = 200 * 40;
	assert_int_equal(OMPP_SIZES, 5);
	for (uint64_t n = 1; n <= 2; n++) { /* what is there stays */
		ompp_tracked_add(fields, words);
		assert_int_equal(fields[OMPP_ACCESS_LOADS], n * (1 + 2 + 3 + 4 + 5 + 100));
		assert_int_equal(fields[OMPP_ACCESS_STORES], n * (10 + 11 + 12 + 13 + 14 + 200));
		assert_int_equal(fields[OMPP_ACCESS_LOAD_BYTES], n * (1 + 2 * 2 + 3 * 4 + 4 * 8 + 5 * 16 + 2400));
		assert_int_equal(fields[OMPP_ACCESS_STORE_BYTES], n * (10 + 11 * 2 + 12 * 4 + 13 * 8 + 14 * 16 + 8000));
	}
}

/* ---- entries that are used again ---- */

enum { ENTRIES = 64, MOST_BLOCKS = 4000, ROUNDS = 60, ACCESSES, SAMPLES, SIZE, N_NUMBERS = SIZE - ACCESSES + 1 };

/* The blocks, by the number of their allocation at the site. */
static struct {
	uint64_t numbers[N_NUMBERS];
	uint32_t index;
	int is_live;
} blocks[MOST_BLOCKS];
static struct ompp_site *site;
static uint64_t seed = 1;

static uint32_t at_random(uint32_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(seed >> 33) % n;
}

/* A block's accesses are a third of each kind, on top of what others had in its entry. */
static void count(uint32_t of)
{
	assert_int_equal(of, site->index);
	for (uint32_t i = 1; i <= ompp_n_tracked(); i++) {
		struct ompp_tracked *t = ompp_tracked(i);

		for (int k = OMPP_ACCESS_LOADS; k <= OMPP_ACCESS_ATOMICS; k++)
			t->counted[k] = t->base[k] + blocks[t->order].numbers[0];
		t->n_sampled = blocks[t->order].numbers[1];
	}
}

/* Begins a block with numbers of which many are equal.  Returns its number if it is tracked, or else 0. */
static uint64_t begin(void)
{
	const struct ompp_tracked_by by = { .thread = 1, .ticks = 5 };
	uint64_t order = site->tracked.n_ranged + 1;
	uint32_t index;

	assert_true(order < MOST_BLOCKS);
	for (int i = 0; i < N_NUMBERS; i++)
		blocks[order].numbers[i] = i == SIZE - ACCESSES ? 1 + at_random(9) : at_random(9);
	site->tracked.may_look = 0;
	index = ompp_tracked_begin(site, 4096 * order, blocks[order].numbers[SIZE - ACCESSES], &by);
	if (!index)
		return 0;
	assert_int_equal(ompp_tracked(index)->order, order);
	ompp_tracked_part(index);
	blocks[order].index = index;
	blocks[order].is_live = 1;
	return order;
}

static void end(uint64_t order)
{
	ompp_tracked_part_ended(blocks[order].index);
	ompp_tracked_ended(blocks[order].index, 9);
	blocks[order].is_live = 0;
}

/* Does a block that has an entry and has ended have one of the `most` greatest of a number; of equal ones the first? */
static int stands_out(uint64_t order, int number, uint32_t most)
{
	uint32_t n_before = 0;

	for (uint64_t i = 1; i < MOST_BLOCKS; i++)
		n_before += blocks[i].index && !blocks[i].is_live &&
		            (blocks[i].numbers[number] > blocks[order].numbers[number] ||
		             (blocks[i].numbers[number] == blocks[order].numbers[number] && i < order));
	return blocks[order].numbers[number] && n_before < most;
}

/* Takes the entries from those blocks that do not stand out, as the site has to. */
static void forget(void)
{
	int is_kept[MOST_BLOCKS];

	for (uint64_t i = 1; i < MOST_BLOCKS; i++)
		is_kept[i] = blocks[i].is_live || stands_out(i, 0, ENTRIES / 4) || stands_out(i, 1, 16) ||
		             stands_out(i, 2, ENTRIES / 8);
	for (uint64_t i = 1; i < MOST_BLOCKS; i++)
		if (!is_kept[i])
			blocks[i].index = 0;
}

/* Checks that the blocks that have an entry are those here. */
static void compare(void)
{
	uint32_t n = 0, n_here = 0;

	for (uint32_t i = 1; i <= ompp_n_tracked(); i++) {
		const struct ompp_tracked *t = ompp_tracked(i);

		assert_false(t->generation & 1);
		if (t->is_free)
			continue;
		n++;
		assert_int_equal(blocks[t->order].index, i);
		assert_int_equal(t->address, 4096 * t->order);
		assert_int_equal(!t->ended_ticks, blocks[t->order].is_live);
	}
	for (uint64_t i = 1; i < MOST_BLOCKS; i++)
		n_here += blocks[i].index != 0;
	assert_int_equal(n, n_here);
}

static void test_reuse(void **state)
{
	static const uintptr_t callers[] = { 0x1000, 0x2000, 0x3000 };
	uint64_t live[ENTRIES], order;
	size_t n_live = 0;

	(void)state;
	ompp_tracked_start(ENTRIES, OMPP_MAX_TRACKED);
	ompp_tracked_counting = count;
	site = ompp_site_of(callers, 3, 0, 1, 0, 0);
	assert_non_null(site);
	while (n_live < ENTRIES)
		assert_true((live[n_live++] = begin()) != 0);
	for (int i = 0; i < ENTRIES / 4; i++) { /* a look is not worth while before a quarter has ended */
		assert_int_equal(begin(), 0);
		end(live[--n_live]);
	}
	while (n_live)
		end(live[--n_live]);
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t n_free;

		forget();
		n_free = ENTRIES;
		for (uint64_t i = 1; i < MOST_BLOCKS; i++)
			n_free -= blocks[i].index != 0;
		order = begin();
		assert_true(order && n_free);
		compare();
		while (order) {
			live[n_live++] = order;
			order = --n_free ? begin() : 0;
		}
		/* at most 40 entries are kept, and so a quarter of all ends again in each round */
		for (size_t left = at_random(ENTRIES / 8); n_live > left;) {
			size_t i = at_random((uint32_t)n_live);

			end(live[i]);
			live[i] = live[--n_live];
		}
		compare();
	}
}

/* A block that continues has the entry of the one that ended last at its address. */
static void test_kept(void **state)
{
	const struct ompp_tracked_by kept = { .is_kept = 1 };
	struct ompp_tracked *of[2] = { NULL, NULL };
	uint32_t n = 0, newer;

	(void)state;
	for (uint32_t i = 1; i <= ompp_n_tracked() && n < 2; i++)
		if (!ompp_tracked(i)->is_free && !ompp_tracked(i)->n_parts)
			of[n++] = ompp_tracked(i);
	assert_int_equal(n, 2);
	of[0]->address = of[1]->address = 0x77;
	newer = of[0]->order < of[1]->order;
	assert_int_equal(ompp_tracked_begin(site, 0x78, 8, &kept), 0);
	assert_ptr_equal(ompp_tracked(ompp_tracked_begin(site, 0x77, 8, &kept)), of[newer]);
	assert_true(!of[newer]->ended_ticks && of[!newer]->ended_ticks == 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_add), cmocka_unit_test(test_reuse),
		                            cmocka_unit_test(test_kept) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
