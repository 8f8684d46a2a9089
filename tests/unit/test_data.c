/*
 * Data: what `inst data` directives say in C and Fortran, where calls may stand, and where the variable stands that
 * ends the range of the user's variable (its holder).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "opari/command/command.h"
#include "opari/data/data_calls.h"
#include "opari/data/data_fortran.h"
#include "opari/data/data_macros.h"
#include "opari/data/data_place.h"
#include "runtime/base/array.h"

/* A directive, and what is read of it: "address|bytes|name" with + for private, "end|name", or "!" for a problem. */
static const struct {
	const char *rest, *read;
} in_c[] = {
	{ "(a)", "a||" },
	{ " ( a , n ) ", "a|n|" },
	{ "(a, \"x\")", "a||\"x\"" },
	{ "(a, n, \"x\" \"y\") private", "a|n|\"x\" \"y\"+" },
	{ "(a, , \"x\")", "a||\"x\"" },
	{ "(f(a, b)[c, d], (n, m), \",)\")", "f(a, b)[c, d]|(n, m)|\",)\"" },
	{ "(a, n < m ? n : m)", "a|n < m ? n : m|" },
	{ "(p->q, n)", "p->q|n|" },
	{ "(a + ')', '\"')", "a + ')'|'\"'|" },
	{ " End (\"x\")", "end|\"x\"" },
	{ "(a) PRIVATE", "a||+" },
	{ "(a) each", "a||[]" }, { "(a, n) sum private", "a|n|+&" }, { "(a) each sum", "!" }, { "(a) sum sum", "!" },
	{ "(a) each()", "!" }, { " end(\"x\") each", "!" },
	{ "", "!" }, { "a", "!" }, { "(", "!" }, { "(a", "!" }, { "()", "!" }, { "(, n)", "!" }, { "(a,)", "!" },
	{ "(a, n, m)", "!" }, { "(a, n, \"x\", m)", "!" }, { "(a, n, \"\")", "!" }, { "(a) shared", "!" },
	{ "(a) private private", "!" }, { " end", "!" }, { " end(a)", "!" }, { " end(\"x\") private", "!" },
	{ " end(\"x\", 3)", "!" },
}, in_cxx[] = {
	{ "(v<int, 4>::get(), 8)", "v<int, 4>::get()|8|" },
	{ "(m<k<a, b>, c>(x), y < z, \"x\")", "m<k<a, b>, c>(x)|y < z|\"x\"" },
	{ "(p, sizeof(m<a, b>))", "p|sizeof(m<a, b>)|" },
	{ "(p, R\"(a\"b)\")", "p||R\"(a\"b)\"" },
	{ "(a, n, m<b)", "!" },
}, in_fortran[] = {
	{ "(a)", "a||" },
	{ " ( a%b(1, 2) , n*8 )", "a%b(1, 2)|n*8|" },
	{ "(a, 'x')", "a||'x'" },
	{ "(a, n, 'it''s') Private", "a|n|'it''s'+" },
	{ "(a(:, (/ 1, 2 /)), [3, 4], \"),\")", "a(:, (/ 1, 2 /))|[3, 4]|\"),\"" },
	{ " END('x')", "end|'x'" },
	{ "", "!" }, { " a", "!" }, { "(a", "!" }, { "()", "!" }, { "(a,)", "!" }, { "(a, n, m)", "!" },
	{ "(a, n, 'x', 1)", "!" }, { "(a, n, '')", "!" }, { "(a) shared", "!" }, { " end", "!" }, { " end(a)", "!" },
	{ "(a, n, 'x)", "!" }, { "(a) Each  private", "a||+[]" }, { "(a) SUM", "a||&" }, { "(a) sum,each", "!" },
};

static void read_all(const char *rest, enum kinst_language language, const char *expected)
{
	struct kinst_data data;
	char read[256];

	if (language == KINST_FORTRAN)
		kinst_data_read_fortran((struct kinst_span){ rest, strlen(rest) }, &data);
	else
		kinst_data_read((struct kinst_span){ rest, strlen(rest) }, language == KINST_CXX, &data);
	if (data.problem)
		snprintf(read, sizeof(read), "!");
	else if (data.end)
		snprintf(read, sizeof(read), "end|%.*s", (int)data.name.n, data.name.p);
	else
		snprintf(read, sizeof(read), "%.*s|%.*s|%.*s%s%s%s", (int)data.address.n, data.address.p,
		         (int)data.bytes.n, data.bytes.n ? data.bytes.p : "", (int)data.name.n,
		         data.name.n ? data.name.p : "", data.flags & KINST_DATA_PRIVATE ? "+" : "",
		         data.flags & KINST_DATA_EACH ? "[]" : "", data.flags & KINST_DATA_SUM ? "&" : "");
	if (strcmp(read, expected))
		fail_msg("data%s: %s, expected %s", rest, read, expected);
	/* a problem says what to do */
	assert_true(!data.problem || strstr(data.problem, "; "));
}

static void test_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(in_c); i++) {
		read_all(in_c[i].rest, KINST_C, in_c[i].read);
		read_all(in_c[i].rest, KINST_CXX, in_c[i].read);
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(in_cxx); i++)
		read_all(in_cxx[i].rest, KINST_CXX, in_cxx[i].read);
	for (size_t i = 0; i < OMPP_COUNT_OF(in_fortran); i++)
		read_all(in_fortran[i].rest, KINST_FORTRAN, in_fortran[i].read);
}

static const struct {
	int in;
	enum kinst_language language;
	int fixed;
	const char *text;
} texts[] = {
	{ 1, KINST_C, 0, "int x;\n#pragma omp inst data(a)\n" },
	{ 1, KINST_C, 0, " # pragma  pomp\tinst DATA" },
	{ 1, KINST_C, 0, "#pragma omp \\\ninst \\\n data(a)" },
	{ 0, KINST_C, 0, "#pragma omp inst begin(data)\n#pragma omp target data\n#pragma omp inst database(a)" },
	{ 0, KINST_C, 0, "x #pragma omp inst data(a)" },
	{ 0, KINST_C, 0, "!$omp inst data(a)" },
	{ 1, KINST_FORTRAN, 0, "x = 1\n  !$POMP INST DATA(a)\n" },
	{ 1, KINST_FORTRAN, 0, "!$omp inst data end('a')" },
	{ 1, KINST_FORTRAN, 1, "c$omp inst data(a)" },
	{ 1, KINST_FORTRAN, 1, "*$POMP inst data(a)" },
	{ 0, KINST_FORTRAN, 1, " !$omp inst data(a)" },
	{ 0, KINST_FORTRAN, 0, "c$omp inst data(a)" },
	{ 0, KINST_FORTRAN, 0, "! $omp inst data(a)\n!$omp instdat\n!$omp target data\n!$ompx inst data(a)" },
};

static void test_in(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(texts); i++) {
		size_t n = strlen(texts[i].text);
		int in = texts[i].language == KINST_FORTRAN ? kinst_data_in_fortran(texts[i].text, n, texts[i].fixed)
		                                            : kinst_data_in(texts[i].text, n);

		if (in != texts[i].in)
			fail_msg("%s: expected %d", texts[i].text, texts[i].in);
	}
}

/*
 * Places: @ is where the directive stands that names `a`, ^ is where its holder must come; both are taken out before
 * the text is read.  Kinds of places: F is outside of functions, B in a block, S a statement, W a statement that gets
 * braces, ! a place where no call may stand.
 */
static const struct {
	char kind;
	const char *text;
} places[] = {
	{ 'F', "int x;@int y;" },
	{ 'F', "@" },
	{ 'F', "namespace x { inline namespace y {@} }" },
	{ 'F', "extern \"C\" {@}" },
	{ 'B', "void f(void) {@}" },
	{ 'B', "void f() { int a[3];^@}" },
	{ 'B', "void f() { int b, a[3];^ b = 1;@}" },
	{ 'B', "void f() { T<int, 3> a;^ { if (x) {@} } }" },
	{ 'B', "void f() { int a[3]; { int a[2];^@} }" },
	{ 'B', "void f() { int a[3];^ { int b[2];@} { int a[2]; } }" },
	{ 'B', "void f() { int *a;@}" },
	{ 'B', "void f() { int *a = alloca(3);^@}" },
	{ 'B', "void f() { int &a = b;@}" },
	{ 'B', "void f() { static int a[3];@}" },
	{ 'B', "void f() { extern int a[];@}" },
	{ 'B', "void f() { struct s { int x; } a;^@}" },
	{ 'B', "void f() { int b[] = { 1, 2 }, a[3];^@}" },
	{ 'B', "void f(int a[3]) { b = a; return a; g(a); if (a) goto a;@}" },
	{ 'B', "void f() {^ goto l; { int a[3]; @l: g(); } }" },
	{ 'B', "void f() { l: g(); { int a[3];^@goto l; } }" },
	{ 'B', "void f() {^ switch (x) { int a[3]; case 1: {@} } }" },
	{ 'B', "void f() { int a[3];^ switch (x) { case 1: {@} } }" },
	{ 'B', "void f() { int a[3];^@x = _Generic(y, default: 3); }" },
	{ 'B', "void f() { int a[3];\n#pragma omp parallel\n{^ g();@} }" },
	{ 'B', "void f() {\n#pragma omp parallel\n{ int a[3];^ g();@} }" },
	{ 'B', "void f() { int a[3];\n#pragma omp for\nfor (;;) {^ { g();@} } }" },
	{ 'B', "void f() { int a[3];\n#pragma omp parallel\nif (x) {} else {^ g();@} }" },
	{ 'B', "void f() { int a[3];^\n#pragma omp barrier\n{ g();@} }" },
	{ 'B', "void f() { int a[3]; auto g = [&](int x) mutable -> int {@}; }" },
	{ 'B', "void f() { int a[3]; g([=] {@}, 1); }" },
	{ 'B', "void f() { int x = [&] { int a[3];^@}(); }" },
	{ 'B', "struct s { void f() const noexcept {@} };" },
	{ 'B', "s::s() : x{1}, y(2) {@}" },
	{ 'B', "s &s::operator=(const s &) {@}" },
	{ 'B', "s s::operator+(int) {@}" },
	{ 'B', "void operator()(int) {@}" },
	{ 'B', "template <class T, class U> auto f(T x) -> decltype(x) {@}" },
	{ 'B', "int f(a) int a; {@}" },
	{ 'B', "struct s *f(void) {@}" },
	{ 'B', "void f() { x = ({ int a[2];^@1; }); }" },
	{ 'B', "void f() { try { g(); } catch (int) {@} }" },
	{ 'B', "void f() { g();\n#pragma GCC diagnostic push\n@g(); }" },
	{ 'S', "void f() { l:@g(); }" },
	{ 'S', "void f() { switch (x) { case 1 ? 2 : 3: default:@} }" },
	{ 'W', "void f() { if (x)@g(); else h(); }" },
	{ 'W', "void f() { if (x) g(); else@h(); }" },
	{ 'W', "void f() { if (x) l:@h(); }" },
	{ 'W', "void f() { if (x) g(); else l:@h(); }" },
	{ 'W', "void f() { do l:@g(); while (x); }" },
	{ 'W', "void f() { while (x)@for (;;) g(); }" },
	{ 'W', "void f() { do@g(); while (x); }" },
	{ '!', "void f() { g(@); }" },
	{ '!', "void f() { x =@1; }" },
	{ '!', "void f() { x = y ? 1 :@2; }" },
	{ '!', "void f() { if (x) g();@else h(); }" },
	{ '!', "struct s {@int x; };" },
	{ '!', "class s : public t<int> {@};" },
	{ '!', "enum e {@A };" },
	{ '!', "int x[] = {@1 };" },
	{ '!', "void f() { g((struct s){@1 }); }" },
	{ '!', "void f() { return T {@1 }; }" },
	{ '!', "int x@;" },
	{ '!', "void f()@{ }" },
	{ '!', "void f() {\n#pragma omp parallel\n@{ } }" },
	{ '!', "void f() {\n#pragma omp sections\n{@g(); } }" },
	{ '!', "void f() {\n#pragma GCC ivdep\n@for (;;) ; }" },
	{ '!', "void f() { if (x)@" },
};

static void find_place(const char *text, char kind)
{
	static const char name[] = "a", pragma[] = "\n#pragma omp inst data(a)\n";
	struct kinst_tokens tokens;
	struct kinst_data_places all;
	struct kinst_data_place place;
	struct kinst_text cut = { 0 };
	size_t at = 0, holder = 0, found;
	uint32_t i = 0;
	char is;

	kinst_text_puts(&cut, "");
	for (const char *p = text; *p; p++) {
		if (*p == '@') {
			at = cut.length + 1;
			kinst_text_puts(&cut, pragma);
		} else if (*p == '^') {
			holder = cut.length;
		} else {
			kinst_text_add(&cut, p, 1);
		}
	}
	assert_int_equal(kinst_lexer_read(&tokens, cut.data, cut.length), 0);
	kinst_data_places_init(&all, &tokens, 1);
	while (i < tokens.n_tokens && tokens.tokens[i].at != at)
		i++;
	kinst_data_place_find(&all, i, (struct kinst_span){ name, 1 }, &place);
	is = place.problem                ? '!'
	   : place.kind == KINST_AT_FILE  ? 'F'
	   : place.kind == KINST_IN_BLOCK ? 'B'
	   : place.head != KINST_NONE     ? 'W'
	                                  : 'S';
	found = place.problem || place.holder == KINST_NONE ? 0 : tokens.tokens[place.holder].at + 1;
	if (is != kind || found != holder)
		fail_msg("%s: %c, holder at %zu, expected %c, %zu", text, is, found, kind, holder);
	kinst_data_places_fini(&all);
	kinst_lexer_free(&tokens);
	kinst_text_free(&cut);
}

static void test_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(places); i++)
		find_place(places[i].text, places[i].kind);
}

/* All other text stays as it is, byte for byte, and on its lines. */
static void test_lines(void **state)
{
	static const char text[] =
		"# 7 \"f.c\"\nvoid f(void)\n{\n\tint a[3]; g(); h();\n#pragma omp inst data(a, \\\n\t12)\n"
		"\tif (x)\n#pragma pomp inst data(p, n)\n\t\tg();\n}\n";
	struct kinst_text result = { 0 }, messages = { 0 };
	struct kinst_tokens before, after;
	uint32_t k = 0;

	(void)state;
	assert_int_equal(kinst_data_rewrite(text, strlen(text), 0, NULL, &result, &messages), 2);
	assert_null(messages.data);
	assert_null(strstr(result.data, "#pragma"));
	assert_int_equal(kinst_lexer_read(&before, text, strlen(text)), 0);
	assert_int_equal(kinst_lexer_read(&after, result.data, result.length), 0);
	/* each of the user's tokens is there, in order, on its line and at its column, and belongs to no system
	 * header */
	for (uint32_t i = 0; i < before.n_tokens; i++) {
		const struct kinst_token *a = before.tokens + i, *b;

		if (a->kind == KINST_PRAGMA)
			continue;
		for (; k < after.n_tokens; k++) {
			b = after.tokens + k;
			if (!after.markers[b->marker].system && a->length == b->length && a->line == b->line &&
			    !memcmp(text + a->at, result.data + b->at, a->length))
				break;
		}
		assert_true(k < after.n_tokens);
		for (size_t n = 0; n < a->at && text[a->at - n] != '\n'; n++)
			assert_true(text[a->at - n] == result.data[after.tokens[k].at - n] ||
			            result.data[after.tokens[k].at - n] == ' ' ||
			            result.data[after.tokens[k].at - n] == '}');
		k++;
	}
	kinst_lexer_free(&before);
	kinst_lexer_free(&after);
	kinst_text_free(&result);
}

static void test_macros(void **state)
{
	static const char defines[] =
		"#define N 3\nint x;\n#pragma omp inst data(a, N)\n#undef N\n#pragma pomp inst data(B)\n"
		"#pragma omp inst begin(r)\n#pragma omp inst data\n";
	static const char text[] = "int x;\n#pragma omp inst data(a, N)\n#pragma pomp inst data(B) private\n"
				   "#pragma omp inst begin(r)\n#pragma omp inst data\n";
	static const char answers[] = "__kinst_data_question 0 (a, 3)\n\n__kinst_data_question 1\n(b[0],\n\"n\")\n";
	struct kinst_text questions = { 0 }, result = { 0 };

	(void)state;
	assert_int_equal(kinst_data_ask(defines, strlen(defines), 0, &questions), 2);
	assert_string_equal(questions.data, "#define N 3\n__kinst_data_question 0 (a, N)\n#undef N\n"
	                                    "__kinst_data_question 1 (B)\n");
	assert_int_equal(kinst_data_expand(text, strlen(text), 0, answers, strlen(answers), &result), 0);
	assert_string_equal(result.data, "int x;\n#pragma omp inst data(a, 3, \"a\")\n"
	                                 "#pragma pomp inst data(b[0], \"n\") private\n"
	                                 "#pragma omp inst begin(r)\n#pragma omp inst data\n");
	/* answers that do not fit the text's questions are refused */
	assert_true(kinst_data_expand(text, strlen(text), 0, answers, 30, &result) < 0);
	assert_true(kinst_data_expand("", 0, 0, answers, strlen(answers), &result) < 0);
	kinst_text_free(&questions);
	kinst_text_free(&result);
	/* clang expands what is spelled omp */
	assert_int_equal(kinst_data_ask(defines, strlen(defines), 1, &questions), 1);
	kinst_text_free(&questions);
}

static void test_consume(void **state)
{
	char free_form[] = "x = 1 !$omp inst\n  !$omp inst data(a, &\n  !$omp & n)\n!$omp parallel\n!$pomp "
			   "inst data(a)\n";
	char fixed[] = "c$omp inst data(a,\nc$omp& n)\nc$omp parallel\nc$omp+ private(a)\n";

	(void)state;
	assert_true(kinst_data_consume_fortran(free_form, strlen(free_form), 0));
	assert_string_equal(free_form, "x = 1 !$omp inst\n  ! omp inst data(a, &\n  ! omp & n)\n!$omp parallel\n"
	                               "!$pomp inst data(a)\n");
	assert_true(kinst_data_consume_fortran(fixed, strlen(fixed), 1));
	assert_string_equal(fixed, "c omp inst data(a,\nc omp& n)\nc$omp parallel\nc$omp+ private(a)\n");
	assert_false(kinst_data_consume_fortran(fixed, strlen(fixed), 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_read),   cmocka_unit_test(test_in),
		                            cmocka_unit_test(test_places), cmocka_unit_test(test_lines),
		                            cmocka_unit_test(test_macros), cmocka_unit_test(test_consume) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
