/*
 * Symbol query: lists of names are split where a comma stands in no brackets, and a name into its file, its address and
 * its last word; how a query fits names, by a table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/ranges/symbol_query.h"

enum { MOST = 4 };

static struct ompp_arena arena;

static void test_lists(void **state)
{
	static const struct {
		const char *list, *items[MOST];
	} cases[] = {
		{ "", { NULL } },
		{ " , ,", { NULL } },
		{ "a", { "a" } },
		{ "a, b ,c", { "a", "b", "c" } },
		{ "f(int, double)::x,b", { "f(int, double)::x", "b" } },
		{ "t<int, s<u, v>>::x,b", { "t<int, s<u, v>>::x", "b" } },
		{ "f(int)::{lambda(int, int)#1}::x,b", { "f(int)::{lambda(int, int)#1}::x", "b" } },
		{ "f[abi:a,b],b", { "f[abi:a,b]", "b" } },
		{ "f(,a", { "f(,a" } },
		{ "operator<(a, b)::x,b", { "operator<(a, b)::x", "b" } },
		{ "laplace_operator<a, b>::x,b", { "laplace_operator<a, b>::x", "b" } },
		{ "operator>(a, b)::x,b", { "operator>(a, b)::x", "b" } },
		{ "n::operator<< <int>(a, b)::x,b", { "n::operator<< <int>(a, b)::x", "b" } },
		{ "c::operator-><int, d>()::x,b", { "c::operator-><int, d>()::x", "b" } },
		{ "operator,(a, b)::x,b", { "operator,(a, b)::x", "b" } },
		{ "operator()(a, b)::x,b", { "operator()(a, b)::x", "b" } },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		const char *rest = cases[i].list;
		struct ompp_query q;
		size_t n = 0;

		while (ompp_query_next(&rest, &q)) {
			assert_true(n < MOST && cases[i].items[n]);
			assert_int_equal(q.n_written, strlen(cases[i].items[n]));
			assert_memory_equal(q.written, cases[i].items[n], q.n_written);
			assert_true(q.text == q.written && q.n == q.n_written);
			assert_true(q.text >= cases[i].list && q.text < cases[i].list + strlen(cases[i].list));
			n++;
		}
		assert_null(cases[i].items[n]);
		assert_int_equal(*rest, '\0');
	}
}

/* Returns the first query of a list. */
static struct ompp_query query_of(const char *text)
{
	struct ompp_query q;

	assert_true(ompp_query_next(&text, &q));
	ompp_query_read(&arena, &q);
	return q;
}

static void test_read(void **state)
{
	static const struct {
		const char *written, *file, *text, *word;
		uintptr_t address;
	} cases[] = {
		{ "x", "", "x", "x", 0 },
		{ "a.c:x", "a.c", "x", "x", 0 },
		{ "a.c:f.x@0x40fA", "a.c", "f.x", "x", 0x40fa },
		{ "ns::x", "", "ns::x", "x", 0 },
		{ "a.cc:ns::x", "a.cc", "ns::x", "x", 0 },
		{ "/common/x", "", "/common/x", "x", 0 },
		{ "/common/", "", "/common/", "common", 0 },
		{ "x@0x4g", "", "x@0x4g", NULL, 0 }, /* no address */
		{ "a:", "", "a:", NULL, 0 },         /* no name behind it, and so no file */
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct ompp_query q = query_of(cases[i].written);

		assert_int_equal(q.n_file, strlen(cases[i].file));
		assert_memory_equal(q.n_file ? q.file : "", cases[i].file, q.n_file);
		assert_int_equal(q.n, strlen(cases[i].text));
		assert_memory_equal(q.text, cases[i].text, q.n);
		assert_true(q.address == cases[i].address);
		if (cases[i].word)
			assert_string_equal(q.name, cases[i].word);
	}
	assert_string_equal(query_of("//").name, "__BLNK__");
	assert_true(query_of("@0x40").address == 0); /* an address needs a name */
}

static void test_repeated(void **state)
{
	const char *list = "ab,a, ab ,a,b", *rest = list;
	struct ompp_query q;
	int repeated[5], n = 0;

	(void)state;
	while (ompp_query_next(&rest, &q))
		repeated[n++] = ompp_query_is_repeated(list, &q);
	assert_int_equal(n, 5);
	assert_true(!repeated[0] && !repeated[1] && repeated[2] && repeated[3] && !repeated[4]);
}

static void test_fit(void **state)
{
	static const struct {
		const char *name, *query;
		int any_case;
		enum ompp_fit fit;
	} cases[] = {
		{ "x", "x", 0, OMPP_FITS_WHOLE },
		{ "ns::x", "x", 0, OMPP_FITS_SHORTENED },
		{ "f.x", "x", 0, OMPP_FITS_SHORTENED },
		{ "/c/x", "x", 0, OMPP_FITS_SHORTENED },
		{ "xx", "x", 0, OMPP_FITS_NOT },
		{ "ns::X", "x", 0, OMPP_FITS_NOT },
		{ "ns::X", "x", 1, OMPP_FITS_SHORTENED },
		{ "x", "ns::x", 0, OMPP_FITS_NOT },
		{ "a::ns::x", "ns::x", 0, OMPP_FITS_SHORTENED },
		{ "a/c/x", "/c/x", 0, OMPP_FITS_NOT },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct ompp_query q = query_of(cases[i].query);

		assert_int_equal(ompp_query_fit(cases[i].name, &q, cases[i].any_case), cases[i].fit);
	}
	{
		struct ompp_query star = query_of("*"), other = query_of("**");

		assert_true(ompp_query_is_star(&star) && !ompp_query_is_star(&other));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_lists), cmocka_unit_test(test_read),
		                            cmocka_unit_test(test_repeated), cmocka_unit_test(test_fit) };

	ompp_arena_init(&arena, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
