/* Statement: calls are named by their own declarators, as a person would say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/tables/fit.h"
#include "runtime/base/array.h"
#include "runtime/program/statement.h"

enum { MOST_CALLS = 5 };

/* A source, one of its lines, and what its calls have to be called, with '^' below each: the call's column, or '!'
 * where macros have moved it to. */
struct row {
	const char *text;
	uint32_t line;
	const char *marks; /* "" when columns are not known */
	const char *names[MOST_CALLS];
};

static size_t columns_of(const char *marks, uint32_t columns[MOST_CALLS])
{
	size_t n = 0;

	for (size_t i = 0; marks[i]; i++)
		if (marks[i] != ' ')
			columns[n++] = (uint32_t)i + 1;
	return n;
}

static void check(const char *path, const struct row *row)
{
	uint32_t columns[MOST_CALLS];
	size_t n = columns_of(row->marks, columns), n_names = 0;

	while (n_names < MOST_CALLS && row->names[n_names])
		n_names++;
	for (size_t i = 0; i < n_names; i++) {
		struct ompp_statement s = { path, row->text, row->line, n ? columns : NULL, n_names };
		char buffer[128];
		struct ompp_text t;

		assert_true(!n || n == n_names);
		ompp_text_init(&t, buffer, sizeof(buffer));
		ompp_statement_name(&t, &s, i);
		assert_string_equal(buffer, row->names[i]);
	}
}

static void c_and_cxx(void **state)
{
	static const struct row rows[] = {
		/* clang and gcc for C */
		{ "double *a=malloc(n), *b=malloc(n);",
		  1,
		  "          ^            ^",
		  { "a = malloc(…)", "b = malloc(…)" } },
		/* pointers to arrays */
		{ "double (*a)[N] = malloc(n), (* b) [2 * N][M] = malloc(n);",
		  1,
		  "                 ^                             ^",
		  { "a = malloc(…)", "b = malloc(…)" } },
		{ "double (*(*f)(int))[N] = malloc(n);", 1, "                         ^", { "malloc(…)" } },
		/* gcc for C++ */
		{ "std::vector<double> a(n), b(n, 1);", 1, "                       ^        ^", { "a", "b" } },
		{ "std::vector<std::pair<int, int>> a(n); double s = 0;",
		  1,
		  "                                     ^",
		  { "a" } },
		{ "vector<vector<int>> m(9, vector<int>(8)); int s = 0;",
		  1,
		  "                         ^             ^",
		  { "m", "m" } },
		{ "auto p = make_unique<int[]>(n), q = make_unique<int[]>(m);",
		  1,
		  "                             ^                          ^",
		  { "p = make_unique(…)", "q = make_unique(…)" } },
		{ "A::A(int n) : x(n), y(n) { }", 1, "                 ^     ^", { "x", "y" } },
		{ "static __attribute__((noinline)) double *get(int n) { return make(n); }",
		  1,
		  "                                                             ^",
		  { "make(…)" } },
		{ "alignas(64) thread_local auto a = make(n);",
		  1,
		  "                                      ^",
		  { "a = make(…)" } },
		/* values that no variable gets: by their own calls, not by the whole line */
		{ "static matrix make(int n, double v) { return matrix(n, vector<double>(n, v)); }",
		  1,
		  "                                                                          ^^",
		  { "vector(…)", "matrix(…)" } },
		{ "static std::vector<double> make_a_long_name(int n) { return std::vector<double>(n); }",
		  1,
		  "                                                                                 ^",
		  { "vector(…)" } },
		{ "for (uint64_t i = 0; i < 4000; i++) table[i * 3] = i;",
		  1,
		  "                                               ^",
		  { "table[i * 3]" } },
		{ "for (uint64_t i = 0; i < 4000; i++) s.tables[j].table[i] = i;",
		  1,
		  "                                                     ^",
		  { "s.tables[j].table[i]" } },
		{ "names[\"row number \" + std::to_string(i)].v[1] = 1 + i;",
		  1,
		  "                                       ^",
		  { "names[…]" } },
		{ "counts[std::string(words[number], 0, lengths[number])]++;",
		  1,
		  "                                                     ^",
		  { "counts[…]" } },
		{ "struct A { vector<int> x, y; A(int n) : x(n), y(n) { } };",
		  1,
		  "                                           ^     ^",
		  { "x", "y" } },
		{ "a.resize(n); s->b[i].resize(n);",
		  1,
		  "        ^                    ^",
		  { "a.resize(…)", "s->b[i].resize(…)" } },
		{ "if ((p = malloc(n)) && !(q = calloc(n, f(1)))) return;",
		  1,
		  "         ^                   ^",
		  { "p = malloc(…)", "q = calloc(…)" } },
		{ "b = a * make(n);", 1, "            ^", { "b = make(…)" } },
		{ "x = y = malloc(n);", 1, "        ^", { "x = malloc(…)" } },
		{ "struct s s = { .a = malloc(n), .b = malloc(n) };",
		  1,
		  "                    ^               ^",
		  { "a = malloc(…)", "b = malloc(…)" } },
		/* what a statement began on lines before; comments and texts are none */
		{ "int a; // a =\ndouble *b =\n\tmalloc(n);", 3, " ^", { "b = malloc(…)" } },
		{ "f(\"a = malloc(\"); /* c = */ d = malloc(n);",
		  1,
		  "                                ^",
		  { "d = malloc(…)" } },
		/* macros moved the calls: by their order */
		{ "double *a=malloc(LONG), *b=malloc(LONG);",
		  1,
		  "          !       !",
		  { "a = malloc(…)", "b = malloc(…)" } },
		{ "std::vector<double> a(LONG), b(2);", 1, "                         !      !", { "a", "b" } },
		/* not even that is sure: the line, and no name of another */
		{ "std::vector<double> a(LONG), b(0), c(LONG);",
		  1,
		  "                         !      !",
		  { "std::vector<double> a(LONG), b(0), c(LON…", "std::vector<double> a(LONG), b(0), c(LON…" } },
		/* no columns: in the order of the calls */
		{ "double *a = malloc(n), *b = malloc(n);", 1, "", { "a = malloc(…)", "b = malloc(…)" } },
		{ "f(malloc(n), calloc(n, 1));", 1, "  ^          ^", { "malloc(…)", "calloc(…)" } },
		{ "printf(\"%d\", v.size());", 1, "^", { "printf(\"%d\", v.size());" } },
		{ "#pragma omp parallel for", 1, "", { "#pragma omp parallel for" } },
		/* of a long line the call, where its column is known, else as much as there is room for */
		{ "std::printf(\"%.6f %zu\\n\", energy, steps.size());", 1, "     ^", { "printf(…)" } },
		{ "std::printf(\"%.6f %zu\\n\", energy, steps.size());",
		  1,
		  "",
		  { "std::printf(\"%.6f %zu\\n\", energy, steps.…" } },
		{ "#pragma omp parallel for schedule(dynamic, 16)",
		  1,
		  "",
		  { "#pragma omp parallel for schedule(dynami…" } },
		/* lines that a text has not: nothing of those that it has, nor of what lies near it */
		{ "", 7, "^", { "" } },
		{ "double *a = malloc(n),", 2, "^", { "" } },
		{ "double *a = malloc(n),\n*b =\n", 9, "^", { "" } },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(rows); i++)
		check("a.cpp", &rows[i]);
}

static void arrays_of(const char *path, const char *text, uint32_t line, uint32_t column, const char *const *names,
                      size_t n)
{
	struct ompp_statement s = { path, text, line, &column, 1 };
	char buffer[128];
	struct ompp_text t;

	assert_int_equal(ompp_statement_n_arrays(&s, column), n);
	for (size_t i = 0; i < n; i++) {
		ompp_text_init(&t, buffer, sizeof(buffer));
		ompp_statement_array(&t, &s, column, i);
		assert_string_equal(buffer, names[i]);
	}
}

static void arrays(const char *text, uint32_t line, uint32_t column, const char *const *names, size_t n)
{
	arrays_of("a.f90", text, line, column, names, n);
}

/* What may call functions in bounds: not what Fortran has, nor what stands elsewhere or in texts. */
static void called(void **state)
{
	static const struct {
		const char *text, *names[4];
	} rows[] = {
		{ "allocate(a(n), b(2*(n+1), m))", { NULL } },
		{ "allocate(a(size(x)), b(f(n), max(k (2), 3)))", { "f", "k", NULL } },
		{ "x = f(2); allocate(a%b(g%n(1):h(i, j(2)))); y = f(3)", { "g%n", "h", "j", NULL } },
		{ "print *, 'allocate(a(f(n)))'", { NULL } },
		{ "deallocate(a)", { NULL } },
	};
	char buffer[128];
	struct ompp_text t;

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(rows); i++) {
		uint32_t column = 10;
		struct ompp_statement s = { "a.f90", rows[i].text, 1, &column, 1 };

		for (size_t k = 0;; k++) {
			int is_there;

			ompp_text_init(&t, buffer, sizeof(buffer));
			is_there = ompp_statement_called(&t, &s, column, k);
			assert_int_equal(is_there, rows[i].names[k] != NULL);
			if (!is_there)
				break;
			assert_string_equal(buffer, rows[i].names[k]);
		}
	}
}

/* The mark in column 6 continues a line; comments between are none. */
static void fixed(void **state)
{
	static const char *const paths[] = { "a.f", "b.F", "c.for", "d.FTN" };
	static const char *const three[] = { "allocate(a(n))", "allocate(b(2,3))", "allocate(c(4))" };
	static const char *const d[] = { "allocate(d(n))" };
	static const char text[] = "      x = y\n"
				   "      allocate(a(n), ! one\n"
				   "c     a comment, as\n"
				   "     & b(2,\n"
				   "\n"
				   "     !3), ! and & is none at the end &\n"
				   "     1  c(4))\n"
				   "      allocate(d(n))\n"
				   "     0e = 1\n"
				   "\tallocate(a(n),\n"
				   "*\n"
				   "\t1b(2,3),\n"
				   "\t9 c(4))\n";

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(paths); i++) {
		for (uint32_t line = 2; line <= 7; line += line == 2 || line == 4 ? 2 : 1)
			arrays_of(paths[i], text, line, 9, three, 3);
		arrays_of(paths[i], text, 8, 20, d, 1);
		arrays_of(paths[i], text, 9, 7, NULL, 0);
		arrays_of(paths[i], text, 10, 3, three, 3);
		arrays_of(paths[i], text, 13, 4, three, 3);
	}
}

static void fortran(void **state)
{
	static const char *const two[] = { "allocate(a(n, f(2)))", "allocate(b%c(3))" };
	static const char *const d[] = { "allocate(d)" };
	static const char *const longs[] = { "allocate(particles%positions)", "allocate(b)" };
	static const struct row declared = {
		"real(8) :: x(n), y(2 * n)", 1, "              ^         ^", { "x(n)", "y(2 * n)" }
	};
	static const struct row cut = { "print '(a,f12.6,f12.6)', name, sum(column(1:4))",
		                        1,
		                        "^",
		                        { "print '(a,f12.6,f12.6)', name, sum(colum…" } };

	(void)state;
	arrays("  allocate(a(n, f(2)), b%c(3), stat=i) ! c(2)", 1, 36, two, 2);
	arrays("if (k) ALLOCATE (a(n, f(2)), & ! one\n  & b%c(3))\n", 2, 10, two, 2);
	arrays("if (k) ALLOCATE (a(n, f(2)), & ! one\n\n ! b &\n  & b%c(3))\n", 4, 10, two, 2);
	arrays("allocate(a(2), c(3)); allocate(d); allocate(e(1))", 1, 33, d, 1);
	arrays("allocate(particles%positions(number_of_all, 3), b)", 1, 49, longs, 2);
	arrays("allocate(real(8) :: d)", 1, 20, d, 1);
	arrays("allocate(a, b, source=c)", 1, 20, NULL, 0);
	arrays("deallocate(a, b)", 1, 10, NULL, 0);
	arrays("a = b + c", 1, 3, NULL, 0);
	arrays("allocate(a, &\n", 9, 3, NULL, 0);
	check("a.f90", &declared);
	check("a.f90", &cut);
}

static void middle(void **state)
{
	static const char *const rows[][2] = { { "short", "short" },
		                               { "a/very/long/path/to/x.c:12 variable", "a/ve…12 variable" },
		                               { "…………………………………………………x", "………………………x" } };
	static const size_t widths[] = { 16, 13, 10 };
	char buffer[128];
	struct ompp_text t;

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(rows); i++) {
		ompp_text_init(&t, buffer, sizeof(buffer));
		ompp_fit_middle(&t, rows[i][0], i == 1 ? 16 : widths[i]);
		assert_int_equal(ompp_text_columns(buffer) <= 16, 1);
		if (i < 2)
			assert_string_equal(buffer, i == 1 ? "a/ver…2 variable" : rows[i][1]);
	}
	assert_true(ompp_fit_same("aaaaaaaaaaaa1aaaaaaaaaaaa", "aaaaaaaaaaaa2aaaaaaaaaaaa", 12));
	assert_false(ompp_fit_same("aaaaaaaaaaaaaaaaaaaaaaaa1", "aaaaaaaaaaaaaaaaaaaaaaaa2", 12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c_and_cxx), cmocka_unit_test(fortran), cmocka_unit_test(called),
		cmocka_unit_test(fixed),     cmocka_unit_test(middle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
