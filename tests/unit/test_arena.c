/*
 * Arena: memory is zeroed, aligned and bounded, and errno is kept.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/arena.h"

static void memory_is_zeroed_aligned_and_apart(void **state)
{
	static const char zero[200000];
	struct ompp_arena arena;
	char *last = NULL;
	size_t n;

	(void)state;
	ompp_arena_init(&arena, 0);
	for (n = 0; n < 200000; n = n * 3 + 1) {
		char *p = ompp_arena_alloc(&arena, n);

		assert_non_null(p);
		assert_int_equal((uintptr_t)p % 16, 0);
		assert_memory_equal(p, zero, n);
		if (last)
			assert_int_equal(last[0], 'x');
		memset(p, 'x', n);
		last = n ? p : NULL;
	}
	ompp_arena_fini(&arena);
	assert_int_equal(arena.total_bytes, 0);
	assert_null(arena.chunks);
}

static void limit_is_kept_exactly(void **state)
{
	struct ompp_arena arena;

	(void)state;
	ompp_arena_init(&arena, 4096);
	assert_non_null(ompp_arena_alloc(&arena, 4000));
	errno = 77;
	assert_null(ompp_arena_alloc(&arena, 112));
	assert_int_equal(errno, 77);
	assert_non_null(ompp_arena_alloc(&arena, 96));
	assert_null(ompp_arena_alloc(&arena, 1));
	assert_non_null(ompp_arena_alloc(&arena, 0));
	ompp_arena_fini(&arena);
	assert_non_null(ompp_arena_alloc(&arena, 4096));
	ompp_arena_fini(&arena);
}

static void absurd_lengths_fail(void **state)
{
	struct ompp_arena arena;
	size_t n = 0;

	(void)state;
	ompp_arena_init(&arena, 0);
	errno = 77;
	assert_null(ompp_arena_alloc(&arena, SIZE_MAX));
	assert_null(ompp_arena_alloc(&arena, SIZE_MAX / 2));
	assert_null(ompp_arena_grow(&arena, NULL, &n, SIZE_MAX / 2, 16));
	assert_int_equal(n, 0);
	assert_int_equal(errno, 77);
	ompp_arena_fini(&arena);
}

static void strings_are_copied(void **state)
{
	struct ompp_arena arena;
	char text[] = "abc";
	char *copy;

	(void)state;
	ompp_arena_init(&arena, 0);
	copy = ompp_arena_strdup(&arena, text);
	text[0] = 'X';
	assert_string_equal(copy, "abc");
	assert_string_equal(ompp_arena_strndup(&arena, "abcdef", 2), "ab");
	assert_string_equal(ompp_arena_strndup(&arena, "ab", 100), "ab");
	assert_string_equal(ompp_arena_strdup(&arena, ""), "");
	assert_null(ompp_arena_strdup(&arena, NULL));
	assert_null(ompp_arena_strndup(&arena, NULL, 3));
	ompp_arena_fini(&arena);
}

static void arrays_grow_and_keep_their_content(void **state)
{
	struct ompp_arena arena;
	uint32_t *array = NULL, *before;
	size_t have = 0, i, j;

	(void)state;
	ompp_arena_init(&arena, 0);
	for (i = 0; i < 5000; i++) {
		array = ompp_arena_grow(&arena, array, &have, i + 1, sizeof(*array));
		assert_non_null(array);
		assert_true(have > i);
		array[i] = (uint32_t)i;
	}
	for (j = 0; j < i; j++)
		assert_int_equal(array[j], j);
	before = array;
	assert_ptr_equal(ompp_arena_grow(&arena, array, &have, 1, sizeof(*array)), before);
	ompp_arena_fini(&arena);
}

/* An arena that is made empty gives zeroed memory again, and maps no more with each use. */
static void memory_is_zeroed_again_after_reset(void **state)
{
	struct ompp_arena arena;
	size_t most = 0;

	(void)state;
	ompp_arena_init(&arena, 8 << 20);
	ompp_arena_reset(&arena);
	for (int turn = 0; turn < 50; turn++) {
		size_t n = turn == 20 ? 5 << 20 : 1000;

		for (int i = 0; i < 700; i++) {
			unsigned char *p = ompp_arena_alloc(&arena, i ? 1000 : n);

			size_t n_other = 0;

			assert_non_null(p);
			for (size_t k = 0; k < (i ? 1000 : n); k++)
				n_other += p[k] != 0;
			assert_int_equal(n_other, 0);
			memset(p, 0xa5, i ? 1000 : n);
		}
		if (turn == 10)
			most = arena.chunk_bytes;
		if (turn > 10 && turn < 20)
			assert_int_equal(arena.chunk_bytes, most);
		ompp_arena_reset(&arena);
		assert_int_equal(arena.total_bytes, 0);
		assert_true(arena.chunk_bytes <= 4 << 20);
	}
	ompp_arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_aligned_and_apart),
		cmocka_unit_test(limit_is_kept_exactly),
		cmocka_unit_test(absurd_lengths_fail),
		cmocka_unit_test(strings_are_copied),
		cmocka_unit_test(arrays_grow_and_keep_their_content),
		cmocka_unit_test(memory_is_zeroed_again_after_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
