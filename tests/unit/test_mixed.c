/*
 * Mixed: names and small blocks come and go by chance in a few pages, and hooks ask for copies now and then.  What a
 * copy says while it is in force, also one that was made long ago, is what a table with an entry for each byte has; and
 * of bytes with a name, or just before some, it says nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/data/block.h"
#include "runtime/data/mixed.h"
#include "runtime/ranges/range.h"

enum {
	PAGES = 6,
	BYTES = PAGES << OMPP_PAGE_BITS,
	LARGE = 4 << 20, /* entries of an upper level */
	MOST_BLOCKS = 200,
	MOST_NAMES = 4,
	STEPS = 20000,
	MOST_BYTES = 400
};

static const uintptr_t base = 0x7f1200000000;
static uint32_t row_of_byte[BYTES]; /* 0 where there is no block */
static int n_names_of_byte[BYTES + OMPP_GRAIN_BYTES];
static struct {
	uintptr_t lo, n_bytes; /* from base; 0 bytes: none */
} blocks[MOST_BLOCKS];
static struct {
	uint64_t id; /* 0: none */
	uintptr_t lo, n_bytes;
} names[MOST_NAMES];
static const struct ompp_segment *copies[PAGES]; /* the last one of each page */
static uint64_t seed = 88172645463325252u;

static uint64_t random_below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

static void name_bytes(uintptr_t lo, uintptr_t n_bytes, int n)
{
	for (uintptr_t i = lo; i < lo + n_bytes && i < OMPP_COUNT_OF(n_names_of_byte); i++)
		n_names_of_byte[i] += n;
}

/* Lets a name begin, move or end; one in eight is that of a large part of memory around. */
static void step_name(void)
{
	size_t i = random_below(MOST_NAMES);

	if (names[i].id) {
		name_bytes(names[i].lo, names[i].n_bytes, -1);
		if (random_below(3)) {
			ompp_range_end(names[i].id);
			names[i].id = 0;
			return;
		} /* else it moves */
	}
	names[i].lo = random_below(BYTES / 8) * 8;
	names[i].n_bytes = 1 + random_below(3 << OMPP_PAGE_BITS);
	if (random_below(8) == 0) {
		names[i].lo = 0;
		names[i].n_bytes = LARGE;
	}
	names[i].id = ompp_range_begin((const char *[]){ "a", "b", "c", "d" }[i], OMPP_ORIGIN_CALL, base + names[i].lo,
	                               names[i].n_bytes, 0, 0);
	assert_true(names[i].id);
	name_bytes(names[i].lo, names[i].n_bytes, 1);
}

static void step_block(void)
{
	size_t i = random_below(MOST_BLOCKS);
	uintptr_t lo = random_below(BYTES / 16) * 16, n_bytes = 1 + random_below(MOST_BYTES), at;
	uint32_t row = ompp_cover_row((uint32_t)(OMPP_OBJECT_OTHER + 1 + random_below(3)));

	if (blocks[i].n_bytes) {
		ompp_grains_take(base + blocks[i].lo, blocks[i].n_bytes);
		for (at = 0; at < blocks[i].n_bytes; at++)
			row_of_byte[blocks[i].lo + at] = 0;
		blocks[i].n_bytes = 0;
		return;
	}
	for (at = lo; at < lo + n_bytes; at++)
		if (at >= BYTES || row_of_byte[at])
			return;
	assert_int_equal(ompp_grains_put(base + lo, n_bytes, row, 0), 0);
	for (at = lo; at < lo + n_bytes; at++)
		row_of_byte[at] = row;
	blocks[i].lo = lo;
	blocks[i].n_bytes = n_bytes;
}

/* Checks what a copy says of the bytes of a grain, from the first of which a block may be, or none. */
static int check_grain(uintptr_t at, uint32_t word)
{
	uint32_t row = word & ~(uint32_t)OMPP_GRAIN_FLAGS;

	if (!row)
		return 0;
	for (uintptr_t i = at; i < at + 2 * OMPP_GRAIN_BYTES && i >> OMPP_PAGE_BITS == at >> OMPP_PAGE_BITS; i++)
		assert_int_equal(n_names_of_byte[i], 0);
	assert_int_equal(row, row_of_byte[at] ? row_of_byte[at] : ompp_cover_row(OMPP_OBJECT_OTHER));
	return 1;
}

/* Checks the copies that are in force.  Returns how many grains they know. */
static size_t check_copies(void)
{
	size_t n = 0;

	for (size_t k = 0; k < PAGES; k++) {
		const struct ompp_grain_segment *own = (const struct ompp_grain_segment *)(const void *)copies[k];
		uintptr_t page = (uintptr_t)k << OMPP_PAGE_BITS;

		if (!own || own->segment.lo != base + page || own->segment.hi == base + page)
			continue;
		for (size_t i = 0; i < OMPP_GRAINS; i++)
			n += (size_t)check_grain(page + i * OMPP_GRAIN_BYTES, own->grains[i]);
	}
	return n;
}

static void copies_say_what_is_there(void **state)
{
	size_t n_known = 0, n_copies = 0;

	(void)state;
	for (size_t i = 0; i < STEPS; i++) {
		size_t k = random_below(PAGES);
		const struct ompp_segment *s;

		(random_below(16) ? step_block : step_name)();
		ompp_segment_at(base + random_below(BYTES));
		s = random_below(3) ? NULL
		                    : ompp_access_mix(base + (k << OMPP_PAGE_BITS) + random_below(1 << OMPP_PAGE_BITS));
		if (s)
			copies[k] = s;
		n_copies += s != NULL;
		n_known += check_copies();
	}
	assert_true(n_copies > STEPS / 20);
	assert_true(n_known > (size_t)STEPS * 20);
}

static int begin(void **state)
{
	(void)state;
	ompp_segments_have_blocks = 1;
	ompp_objects_start();
	ompp_blocks_start(1 << 24);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(copies_say_what_is_there) };

	return cmocka_run_group_tests(tests, begin, NULL);
}
