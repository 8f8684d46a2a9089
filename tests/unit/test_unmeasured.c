/*
 * Unmeasured: the notes of constructs that are not measured, as they stand in a program, and data that is no such note.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/program/unmeasured.h"

/* Writes a note, and returns its length. */
static size_t put(char *at, const char *owner, uint32_t type, const char *text)
{
	uint32_t head[3] = { (uint32_t)strlen(owner) + 1, (uint32_t)strlen(text) + 1, type };
	size_t name = (head[0] + 3u) & ~3u, size = (head[1] + 3u) & ~3u;

	memset(at, 0, sizeof(head) + name + size);
	memcpy(at, head, sizeof(head));
	memcpy(at + sizeof(head), owner, head[0]);
	memcpy(at + sizeof(head) + name, text, head[1]);
	return sizeof(head) + name + size;
}

static void test_only_ours(void **state)
{
	char notes[256];
	size_t n = 0, at = 0;

	(void)state;
	n += put(notes + n, "GNU", 3, "an id");
	n += put(notes + n, "kinst", 1, "/a.c:1: for: why");
	n += put(notes + n, "kinst", 2, "of another type");
	n += put(notes + n, "kinsu", 1, "of another owner");
	n += put(notes + n, "kinst", 1, "/b.c:2: task: why");
	assert_string_equal(ompp_unmeasured_next(notes, n, OMPP_UNMEASURED_TYPE, &at), "/a.c:1: for: why");
	assert_string_equal(ompp_unmeasured_next(notes, n, OMPP_UNMEASURED_TYPE, &at), "/b.c:2: task: why");
	assert_null(ompp_unmeasured_next(notes, n, OMPP_UNMEASURED_TYPE, &at));
}

/* Notes that are cut anywhere, or with any length in them, are read to an end, and nothing outside of them is read. */
static void test_broken(void **state)
{
	(void)state;
	for (size_t cut = 0; cut < 48; cut++) {
		for (uint32_t wrong = 0; wrong < 3; wrong++) {
			char whole[256], *exact;
			size_t n = put(whole, "kinst", 1, "/a.c:1: for: why"), at = 0, found = 0;
			uint32_t huge = UINT32_MAX - (uint32_t)cut;

			if (wrong)
				memcpy(whole + 4 * (wrong - 1), &huge, sizeof(huge));
			n = cut < n ? cut : n;
			exact = test_malloc(n + 1);
			memcpy(exact, whole, n);
			while (ompp_unmeasured_next(exact, n, OMPP_UNMEASURED_TYPE, &at))
				found++;
			assert_true(found <= (n >= 37 && !wrong));
			test_free(exact);
		}
	}
}

static void test_parts(void **state)
{
	(void)state;
	assert_int_equal(ompp_unmeasured_file("/a:b/c.c:12: critical: x: y"), strlen("/a:b/c.c"));
	assert_int_equal(ompp_unmeasured_construct("/a:b/c.c:12: critical: x: y"), strlen("/a:b/c.c:12: critical"));
	assert_int_equal(ompp_unmeasured_file("no place"), 0);
	assert_int_equal(ompp_unmeasured_construct("no place"), strlen("no place"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_ours),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
