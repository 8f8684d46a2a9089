/*
 * Grain: blocks made by chance, at multiples of 8 bytes, come and go in a few pages.  A table with an entry for each
 * byte says what the grains of each byte have to say.  Between two blocks it says what of these may be the first one's,
 * as an allocator keeps words there; which of them are, is the same for all that ask.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/data/block.h"
#include "runtime/data/grain.h"
#include "runtime/data/page.h"

enum {
	BEHIND = OMPP_GRAIN_LEAST_BYTES - 1,
	PAGES = 4,
	BYTES = PAGES << OMPP_PAGE_BITS,
	MOST_BLOCKS = 400,
	STEPS = 20000,
	OTHER = 64,
	MOST_BYTES = 700
};

static const uintptr_t base = 0x7f1200000000;
static uint32_t row_of_byte[BYTES]; /* OTHER where there is no block */
static struct {
	uintptr_t lo, n_bytes; /* from base; 0 bytes: none */
} blocks[MOST_BLOCKS];
static int has_words; /* 1: the grain behind a block is the block's, too, as BEHIND bytes may be the allocator's */
static uint64_t seed = 88172645463325252u;

static uint64_t random_below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

static int is_free(uintptr_t lo, uintptr_t n_bytes)
{
	for (uintptr_t i = lo; i < lo + n_bytes; i++)
		if (i >= BYTES || row_of_byte[i] != OTHER)
			return 0;
	return 1;
}

static void fill(uintptr_t lo, uintptr_t n_bytes, uint32_t row)
{
	for (uintptr_t i = lo; i < lo + n_bytes; i++)
		row_of_byte[i] = row;
}

/* Lets a block come or go. */
static void step(uintptr_t odd)
{
	size_t i = random_below(MOST_BLOCKS);
	uintptr_t lo = random_below(BYTES / 16) * 16, n_bytes = 1 + random_below(MOST_BYTES);
	uint32_t row = (uint32_t)(2 + random_below(3)) * OTHER;

	if (blocks[i].n_bytes) {
		ompp_grains_take(base + blocks[i].lo, blocks[i].n_bytes);
		fill(blocks[i].lo, blocks[i].n_bytes, OTHER);
		blocks[i].n_bytes = 0;
		return;
	}
	lo += odd && random_below(odd) == 0 ? 8 : 0;
	if (!is_free(lo, n_bytes))
		return;
	assert_int_equal(ompp_grains_put(base + lo, n_bytes, row, has_words), 0);
	fill(lo, n_bytes, row);
	blocks[i].lo = lo;
	blocks[i].n_bytes = n_bytes;
}

/* Returns 1 when a byte is in a block with this row, or may be behind one; or is in none, with OTHER. */
static int is_of(uintptr_t at, uint32_t row)
{
	uintptr_t i = at, most = has_words ? BEHIND : OMPP_GRAIN_BYTES - 1;

	while (row != OTHER && row_of_byte[i] == OTHER && i > 0 && at - i < most)
		i--;
	return row_of_byte[i] == row;
}

static uint32_t row_at(uintptr_t at)
{
	return ompp_grain_row(ompp_grains_of(base + at), base + at, OTHER);
}

/* Checks one byte, and what is said of the bytes from it to another one.  Returns 1 when the grains know it. */
static int check(uintptr_t at)
{
	const uint32_t *grains = ompp_grains_of(base + at);
	uint32_t row = row_at(at), all;
	uintptr_t lo = base, hi = base + BYTES, last = at + random_below(300), i;

	if (row)
		assert_true(is_of(at, row));
	assert_int_equal(ompp_grain_bounds(grains, base + at, OTHER, &lo, &hi), row);
	if (!row)
		return 0;
	assert_true(lo <= base + at && base + at < hi && (hi - 1) >> OMPP_PAGE_BITS == lo >> OMPP_PAGE_BITS);
	for (i = lo - base; i < hi - base; i++)
		assert_int_equal(row_at(i), row);
	assert_true((lo & (OMPP_PAGE_BYTES - 1)) == 0 || row_at(lo - base - 1) != row);
	assert_true((hi & (OMPP_PAGE_BYTES - 1)) == 0 || row_at(hi - base) != row);
	last = last < BYTES ? last : BYTES - 1;
	all = ompp_grain_row_of(grains, base + at, base + last, OTHER);
	assert_int_equal(all, base + last < hi ? row : 0);
	return 1;
}

/* odd: one block of so many begins at 8 bytes beyond a multiple of 16; 0 for none */
static void compare(uintptr_t odd)
{
	size_t n_known = 0, n_in_blocks = 0;

	for (size_t i = 0; i < STEPS; i++) {
		uintptr_t at;

		step(odd);
		at = random_below(BYTES);
		n_in_blocks += row_of_byte[at] != OTHER;
		n_known += row_of_byte[at] != OTHER && check(at);
		check(random_below(BYTES));
	}
	assert_true(n_in_blocks > STEPS / 10);
	if (!odd)
		assert_int_equal(n_known, n_in_blocks);
	else
		assert_true(n_known > n_in_blocks / 4);
	for (size_t i = 0; i < MOST_BLOCKS; i++)
		if (blocks[i].n_bytes) {
			ompp_grains_take(base + blocks[i].lo, blocks[i].n_bytes);
			fill(blocks[i].lo, blocks[i].n_bytes, OTHER);
			blocks[i].n_bytes = 0;
		}
}

static int begin(void **state)
{
	(void)state;
	ompp_blocks_start(1 << 20);
	fill(0, BYTES, OTHER);
	return 0;
}

static void grains_say_what_is_there(void **state)
{
	(void)state;
	assert_null(ompp_grains_of(base));
	compare(0);
}

static void the_grain_behind_is_the_blocks(void **state)
{
	(void)state;
	has_words = 1;
	compare(0);
	assert_int_equal(ompp_grains_put(base, 32, 2 * OTHER, 1), 0);
	assert_int_equal(ompp_grains_put(base + 48, 1, 3 * OTHER, 1), 0);
	for (uintptr_t i = 0; i < 80; i++)
		assert_int_equal(row_at(i), i < 48 ? 2 * OTHER : 3 * OTHER);
	assert_int_equal(row_at(80), OTHER);
	ompp_grains_take(base + 48, 1);
	ompp_grains_take(base, 32);
	for (uintptr_t i = 0; i < 80; i++)
		assert_int_equal(row_at(i), OTHER);
	has_words = 0;
}

/* A block without an allocator's words before it, as other allocators put them, keeps its row when that one ends. */
static void a_block_behind_keeps_its_row(void **state)
{
	(void)state;
	assert_int_equal(ompp_grains_put(base, 32, 2 * OTHER, 1), 0);
	assert_int_equal(ompp_grains_put(base + 32, 16, 3 * OTHER, 0), 0);
	assert_int_equal(row_at(32), 3 * OTHER);
	ompp_grains_take(base, 32);
	assert_int_equal(row_at(32), 3 * OTHER);
	assert_int_equal(ompp_grains_put(base, 32, 2 * OTHER, 1), 0);
	assert_int_equal(row_at(32), 3 * OTHER);
	ompp_grains_take(base + 32, 16);
	ompp_grains_take(base, 32);
	assert_int_equal(row_at(0), OTHER);
	assert_int_equal(row_at(32), OTHER);
}

static void grains_with_two_blocks_ask(void **state)
{
	(void)state;
	compare(8);
	compare(2);
}

static void grains_whose_row_is_not_known_ask(void **state)
{
	uintptr_t lo = 0, hi = UINTPTR_MAX;

	(void)state;
	assert_int_equal(ompp_grains_put(base, 100, 0, 1), 0);
	for (uintptr_t i = 0; i < 100; i++)
		assert_int_equal(ompp_grain_row(ompp_grains_of(base), base + i, OTHER), 0);
	assert_int_equal(ompp_grain_bounds(ompp_grains_of(base), base + 50, OTHER, &lo, &hi), 0);
	ompp_grains_take(base, 100);
	assert_int_equal(ompp_grain_row(ompp_grains_of(base), base + 50, OTHER), OTHER);
}

static void blocks_without_room_are_told(void **state)
{
	(void)state;
	ompp_blocks_start(3 * (OMPP_GRAINS * sizeof(uint32_t) + sizeof(struct ompp_grain_segment *)));
	assert_int_equal(ompp_grains_put(0x600000000000, 3 << OMPP_PAGE_BITS, OTHER, 0), 0);
	assert_int_equal(ompp_grains_put(0x600000000000 + (3 << OMPP_PAGE_BITS), 16, OTHER, 0), -1);
	assert_int_equal(ompp_grains_put(UINTPTR_MAX - 15, 1, OTHER, 0), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grains_say_what_is_there),          cmocka_unit_test(the_grain_behind_is_the_blocks),
		cmocka_unit_test(a_block_behind_keeps_its_row),      cmocka_unit_test(grains_with_two_blocks_ask),
		cmocka_unit_test(grains_whose_row_is_not_known_ask), cmocka_unit_test(blocks_without_room_are_told),
	};

	return cmocka_run_group_tests(tests, begin, NULL);
}
