/*
 * Sites: which constructs opari2 is shown, where their blocks end, and why the rest is not shown.  A case is a text in
 * which «» mark the block that must be found for the first pragma; the marks are taken out before the text is read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "opari/opari2/sites.h"
#include "runtime/base/array.h"

static const char *const blocks[] = {
	"#pragma omp parallel\n«a();» b();",
	"#pragma omp parallel\n«#pragma omp error at(compilation)\n#pragma omp nothing\na();» b();",
	"#pragma omp parallel\n«{ a(); }» b();",
	"#pragma omp parallel\n«if (x) a(); else b();» c();",
	"#pragma omp parallel\n«if (x) if (y) a(); else b(); else c();» d();",
	"#pragma omp parallel\n«if (x) { a(); } else if (y) b(); else { c(); }» d();",
	"#pragma omp parallel\n«if (x) a();» x = y ? 1 : 2;",
	"#pragma omp parallel\n«if constexpr (x) a(); else b();» c();",
	"#pragma omp parallel\n«if consteval { a(); } else { b(); }» c();",
	"#pragma omp parallel\n«while (x) a();» b();",
	"#pragma omp parallel\n«do a(); while (x);» b();",
	"#pragma omp parallel\n«do if (x) a(); else b(); while (x);» while (y) ;",
	"#pragma omp parallel\n«do do a(); while (x); while (y);» b();",
	"#pragma omp parallel\n«switch (x) { case 1: a(); }» b();",
	"#pragma omp parallel\n«switch (x) case 1 ? 2 : 3: a();» b();",
	"#pragma omp parallel\n«label: a();» b();",
	"#pragma omp parallel\n«std::f();» b();",
	"#pragma omp parallel\n«try { a(); } catch (int) { b(); } catch (...) { c(); }» d();",
	"#pragma omp parallel\n«for (auto x : y) if (x) a(); else b();» c();",
	"#pragma omp parallel\n«[[likely]] a();» b();",
	"#pragma omp parallel\n«__attribute__((unused)) int z = 1;» b();",
	"#pragma omp parallel\n«[&] { a(); b(); }();» c();",
	"#pragma omp parallel\n«x = (struct s){ 1, 2 }.y;» c();",
	"#pragma omp parallel\n«s = R\"x(;}\")x\";» c();",
	"#pragma omp parallel\n«n = 1'000;» c();",
	"#pragma omp parallel\n«a(\"}\\\";\", ';');» c();",
	"#pragma omp parallel\n<%«»",
	"#pragma omp parallel\n«<% a(); %>» b();",
	"#pragma omp parallel\n«#pragma omp single\n{ a(); }» b();",
	"#pragma omp parallel\n«#pragma omp single\n#pragma omp task\nif (x) a(); else b();» c();",
	"#pragma omp parallel\n# 7 \"f.c\"\n«a();\n# 9 \"f.c\"\n» b();",
	"#pragma omp for\nfor (;;) «a();» b();",
	"#pragma omp for\nfor (;;) «{ a(); }» b();",
	"#pragma omp for collapse(2)\nfor (;;) for (;;) «if (x) a(); else b();» c();",
	"#pragma omp parallel for\nfor (x[i]; (a; b); c) «a();» b();",
	"#pragma omp atomic\n«x++;» b();",
	"#pragma omp atomic capture\n«{ v = x; x++; }» b();",
	"#  pragma  omp  critical ( name )\n«a();» b();",
	"#pragma omp parallel \\\n num_threads(2)\n«a();» b();",
	"#pragma omp ordered\n«a();» b();",
};

/* These must not be found: other directives, stand-alone forms, and what cannot be read. */
static const char *const none[] = {
	"#pragma omp simd\nfor (;;) a();",
	"#pragma omp taskloop\nfor (;;) a();",
	"#pragma omp threadprivate(x)\nint y;",
	"#pragma omp ordered depend(sink: i - 1)\na();",
	"#pragma omp ordered",
	"{\n#pragma omp ordered\n}",
	"#pragma omp parallel for simd\nfor (;;) a();",
	"#pragma omp declare reduction(+: t: x)\nint y;",
	"#pragma omp parallel master\na();",
	"#pragma omp parallel",
	"#pragma omp parallel\na(",
	"#pragma omp parallel\n}",
	"#pragma omp parallel\nif (x",
	"#pragma omp parallel\ndo a();",
	"#pragma omp for\nwhile (x) a();",
	"#pragma once\na();",
	"#pragma ompx parallel\na();",
};

static void find(const char *text, struct kinst_tokens *tokens, struct kinst_sites *sites)
{
	struct kinst_emit_options options = { .openmp = 1, .directory = "/x" };
	struct kinst_emitted emitted = { 0 };

	assert_int_equal(kinst_lexer_read(tokens, text, strlen(text)), 0);
	kinst_sites_find(tokens, &options, &emitted, sites);
	for (size_t i = 0; i < emitted.n_constructs; i++)
		assert_true(emitted.constructs[i].is_measured || emitted.constructs[i].why);
	kinst_emitted_free(&emitted);
}

static void test_blocks(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(blocks); i++) {
		char text[256];
		size_t n = 0, from = 0, to = 0;
		struct kinst_tokens tokens;
		struct kinst_sites sites;
		const struct kinst_site *site;

		for (const char *p = blocks[i]; *p; p++) {
			if (!memcmp(p, "«", 2))
				from = n, p++;
			else if (!memcmp(p, "»", 2))
				to = n, p++;
			else
				text[n++] = *p;
		}
		text[n] = '\0';
		find(text, &tokens, &sites);
		if (from == to) { /* no block must be found */
			assert_int_equal(sites.n_sites, 0);
		} else {
			while (text[to - 1] == '\n' || text[to - 1] == '"' || text[to - 1] == 'c')
				to--; /* the end is a token's, not a marker's */
			if (strstr(text, "# 9"))
				to = (size_t)(strstr(text, "\n# 9") - text);
			if (!sites.n_sites)
				fail_msg("%s: nothing is found", blocks[i]);
			site = sites.sites;
			if (tokens.tokens[site->first].at != from ||
			    tokens.tokens[site->last].at + tokens.tokens[site->last].length != to)
				fail_msg("%s: the block is wrong", blocks[i]);
			if (site->braced != (text[from] == '{' || !memcmp(text + from, "<%", 2)))
				fail_msg("%s: whether it has braces of its own", blocks[i]);
		}
		kinst_sites_free(&sites);
		kinst_lexer_free(&tokens);
	}
}

static void test_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(none); i++) {
		struct kinst_tokens tokens;
		struct kinst_sites sites;

		find(none[i], &tokens, &sites);
		if (sites.n_sites)
			fail_msg("%s: a site is found", none[i]);
		kinst_sites_free(&sites);
		kinst_lexer_free(&tokens);
	}
}

/* A user pragma that heads the statement of an if must be braced together with the statement. */
static void test_wrap(void **state)
{
	static const struct {
		const char *text;
		int wraps;
	} cases[] = {
		{ "if (x)\n#pragma pomp inst begin(a)\nf();\nelse g();", 1 },
		{ "else\n#pragma pomp inst begin(a)\nf();", 1 },
		{ "for (;;)\n#pragma omp inst begin(a)\nf();", 1 },
		{ "{ f();\n#pragma pomp inst begin(a)\nf(); }", 0 },
		{ "f();\n#pragma pomp inst begin(a)\n", 0 },
		{ "f(x);\n#pragma pomp inst begin(a)\nif (x) f();", 0 },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct kinst_tokens tokens;
		struct kinst_sites sites;

		find(cases[i].text, &tokens, &sites);
		assert_int_equal(sites.n_sites, 1);
		assert_int_equal(sites.sites[0].wrap_last != KINST_NONE, cases[i].wraps);
		kinst_sites_free(&sites);
		kinst_lexer_free(&tokens);
	}
}

/* Ten thousand nested ifs take neither much stack nor much time. */
static void test_deep(void **state)
{
	enum { N = 10000 };
	static char text[N * 8 + 64];
	struct kinst_tokens tokens;
	struct kinst_sites sites;
	char *p = text;

	(void)state;
	p += sprintf(p, "#pragma omp parallel\n");
	for (int i = 0; i < N; i++)
		p += sprintf(p, "if (x) ");
	strcpy(p, "f();");
	find(text, &tokens, &sites);
	assert_int_equal(sites.n_sites, 1);
	assert_int_equal(sites.sites[0].last, tokens.n_tokens - 1);
	kinst_sites_free(&sites);
	kinst_lexer_free(&tokens);
}

/* Each construct that opari2 is not shown has its reason; what is shown counts as measured. */
static void test_reasons(void **state)
{
	static const struct {
		const char *text, *reasons;
		size_t n_sites;
	} cases[] = {
		{ "#pragma omp masked\n{\n#pragma omp critical\na(); }",
		  "opari2 does not know this construct;measured;", 1 },
		{ "#pragma omp parallel for simd\nfor (;;)\n{\n#pragma omp atomic\nx++; }",
		  "opari2 does not know this construct;nothing can be called inside of a simd loop, an atomic or code "
		  "for a device;",
		  0 },
		{ "#pragma omp parallel master\n{\n#pragma omp critical\na(); }",
		  "opari2 does not know this construct;the parallel region around it is not measured;", 0 },
		{ "#pragma omp for\nfor (;;) {\n#pragma omp cancel for\n}",
		  "opari2 would put another barrier in the place of its own, which it needs;opari2 does not know this "
		  "construct;",
		  0 },
		{ "#pragma omp for nowait\nfor (;;) ;", "measured;", 1 },
		{ "#pragma omp single copyprivate(x)\na();", "measured;", 1 },
		{ "#pragma omp sections\n{ a(); b();\n#pragma omp section\nc(); d(); }", "measured;", 3 },
		{ "#pragma omp parallel\n{\n#pragma omp error at(execution)\n#pragma omp barrier\n}",
		  "measured;measured;", 2 },
		{ "#pragma pomp inst end(a)\n", "", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct kinst_emit_options options = { .openmp = 1, .directory = "/x" };
		struct kinst_emitted emitted = { 0 };
		struct kinst_text reasons = { 0 };
		struct kinst_tokens tokens;
		struct kinst_sites sites;

		kinst_text_puts(&reasons, "");
		assert_int_equal(kinst_lexer_read(&tokens, cases[i].text, strlen(cases[i].text)), 0);
		kinst_sites_find(&tokens, &options, &emitted, &sites);
		for (size_t k = 0; k < emitted.n_constructs; k++)
			kinst_text_printf(&reasons, "%s;",
			                  emitted.constructs[k].is_measured ? "measured" : emitted.constructs[k].why);
		assert_string_equal(reasons.data, cases[i].reasons);
		assert_int_equal(sites.n_sites, cases[i].n_sites);
		kinst_text_free(&reasons);
		kinst_sites_free(&sites);
		kinst_emitted_free(&emitted);
		kinst_lexer_free(&tokens);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(test_blocks), cmocka_unit_test(test_none),
		                                   cmocka_unit_test(test_wrap), cmocka_unit_test(test_deep),
		                                   cmocka_unit_test(test_reasons) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
