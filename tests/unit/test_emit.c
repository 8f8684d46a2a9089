/*
 * Emit: the user's text comes through whole, constructs are found, and each gets its calls.
 *
 * A case is its own oracle: the result without our lines (which are marked as a system header's) and without pragmas
 * must be the original without pragmas, each character of it in its own line.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "opari/emit/emit.h"
#include "opari/emit/emit_fortran.h"
#include "runtime/base/array.h"

/* A text, the number of constructs in it, and words that its calls must have. */
static const struct {
	const char *text;
	size_t n_constructs;
	const char *calls;
} cases[] = {
	{ "void f(void) {\n#pragma omp parallel\n a();\n b(); }", 1,
	  "POMP2_Parallel_fork ompp_parallel_begin "
	  "POMP2_Implicit_barrier_enter POMP2_Implicit_barrier_exit POMP2_Parallel_end POMP2_Parallel_join" },
	{ "void f(int x) {\n#pragma omp parallel\n if (x) a(); else b();\n c(); }", 1, "POMP2_Parallel_fork" },
	{ "void f(int x) { if (x)\n#pragma omp critical(n)\n a(); else b(); }", 1,
	  "POMP2_Critical_enter criticalName=n* "
	  "POMP2_Critical_begin POMP2_Critical_end POMP2_Critical_exit" },
	{ "void f(int n) {\n#pragma omp parallel for collapse(2) num_threads(n)\n for (int i = 0; i < n; i++)\n"
	  "  for (int j = 0; j < n; j++)\n   if (i) a(); else b();\n}",
	  1,
	  "regionType=parallelfor +(n)) "
	  "#pragma\\40omp\\40for\\40collapse(2)\\40nowait" },
	{ "void f(int n) {\n#pragma omp for collapse(2)\n for (int i = 0; i < n; i++) {\n  for (int j = 0; j < n; "
	  "j++)\n"
	  "   if (i) continue; else b();\n }\n}",
	  1, "ompp_loop_iterates(&__kinst_0); {\\40ompp_loop_iteration();" },
	{ "void f(void) {\n#pragma omp sections\n{ a();\n#pragma omp section\n { b(); }\n#pragma omp section\n c(); "
	  "}\n}",
	  1, "POMP2_Sections_enter POMP2_Section_begin POMP2_Section_end POMP2_Sections_exit" },
	{ "void f(void) {\n#pragma omp single nowait\n a();\n#pragma omp barrier\n#pragma omp atomic\n x++;\n}", 3,
	  "POMP2_Single_begin POMP2_Barrier_enter POMP2_Atomic_enter" },
	{ "void f(void) {\n#pragma omp task untied firstprivate(x)\n { a(); }\n#pragma omp taskwait\n}", 2,
	  "POMP2_Untied_task_begin shared(__kinst_0) POMP2_Taskwait_begin" },
	{ "void f(void) {\n#pragma omp task depend(in: x) final(1)\n { a(); }\n}", 1,
	  "*clauses=final\\40depend*number=1** 1\\40|\\40((1)\\40?\\402\\40:\\400) "
	  "ompp_task_depends(__kinst_n,\\401,\\40(const\\40void\\40*) (x));" },
	{ "void f(int *a, int n) {\n#pragma omp task depend(out: a[n + 1:2], a[:3]) depend(in: a[g()]) if(task: n > "
	  "1)\n "
	  "{ b(); }\n}",
	  1,
	  "((n\\40>\\401)\\40?\\401\\40:\\400)\\40|\\400 (a[n\\40+\\401])); (a[0])); "
	  "ompp_task_depends(__kinst_n,\\400,\\400);" },
	{ "void f(int *a, int n) {\n#pragma omp task depend(iterator(i = 0 : n, long j = n : 0 : -2), in: a[i + j])\n"
	  " b();\n}",
	  1,
	  "if\\40(__kinst_n)\\40{\\40long\\40__kinst_i0; __kinst_i0\\40=\\40(long)(int)(0); "
	  "__kinst_i0\\40<\\40(long)(int)(n); int\\40i\\40=\\40(int)__kinst_i0; "
	  "(-2)\\40<\\400\\40?\\40__kinst_i1\\40>\\40(long)(long)(0) long\\40j\\40=\\40(long)__kinst_i1; "
	  "ompp_task_depends(__kinst_n,\\401,\\40(const\\40void\\40*) (a[i\\40+\\40j]));\\40}\\40}\\40}\\40}" },
	{ "void f(int *a, int i) {\n#pragma omp task depend(iterator(i = 0 : i), in: a[i])\n b();\n}", 1,
	  "ompp_task_depends(__kinst_n,\\400,\\400);" },
	{ "void f(int *a) {\n#pragma omp task depend(iterator(int *p = a : a + 2), in: *p)\n b();\n}", 1,
	  "ompp_task_depends(__kinst_n,\\400,\\400);" },
	{ "void f(int *a, int n) {\n#pragma omp task depend(iterator(ip p = a : a + n : 2), in: *p)\n b();\n}", 1,
	  "__kinst_i0\\40=\\40(long)(ip)(a); (ip)(a\\40+\\40n); "
	  "+=\\40(long)(2)\\40*\\40((long)((ip)64\\40+\\401)\\40-\\40(long)(ip)64)) ip\\40p\\40=\\40(ip)__kinst_i0;" },
	{ "void f(int n) {\n#pragma omp taskgroup\n#pragma omp taskloop nogroup if(n++)\n for (;;) b();\n}", 2,
	  "ompp_taskgroup_ends(&__kinst_0) 1\\40|\\400\\40|\\404 ompp_task_depends(__kinst_n,\\400,\\400);" },
	{ "void f(void) {\n#pragma omp taskloop collapse(2)\n for (;;) { for (;;) { if (x) continue; a(); } }\n}", 1,
	  "ompp_iteration_begun(&__kinst_0,\\40__kinst_n,\\40&__kinst_p) regionType=taskloop" },
	{ "void f(void) {\n#pragma omp simd\n for (;;) {\n#pragma omp ordered simd\n a(); }\n}", 0, "" },
	{ "void f(void) {\n#pragma omp for simd\n for (;;) {\n#pragma omp atomic\n x++; }\n}", 2, "POMP2_For_enter" },
	{ "void f(void) {\n#pragma omp parallel\n {\n#pragma omp for\n for (;;) {\n#pragma omp cancel for\n }\n }\n}",
	  3, "regionType=cancel*" },
	{ "void f(void) {\n#pragma omp target map(x)\n#pragma omp teams\n { a(); }\n}", 2,
	  "regionType=target* regionType=teams*" },
	{ "void f(int n) {\n#pragma omp target update to(a[2:n]) from(b)\n}", 1,
	  "ompp_target_maps(&__kinst_0, sizeof(a[0])\\40*\\40(unsigned\\40long\\40long)(n)) long)sizeof(b)));" },
	{ "void f(int n) {\n#pragma omp target map(to: a[0:g()]) map(from: b[:n++])\n { }\n}", 1,
	  "(long\\40long)(-1),\\40(long\\40long)(-1));" },
	{ "void f(void) {\n#pragma pomp inst begin(r)\n a();\n#pragma pomp inst end(r)\n}", 0,
	  "POMP2_Begin POMP2_End "
	  "userRegionName=r*" },
	{ "void f(int x) { if (x)\n#pragma pomp inst begin(r)\n a(); b();\n#pragma pomp inst altend(r)\n}", 0,
	  "POMP2_Begin" },
	{ "void f(omp_lock_t *l) { omp_set_lock(& (l) [3]); omp_unset_lock(l); }", 0,
	  "ompp_set_lock(\"1: :(l)[3]\", POMP2_Unset_lock(l)" },
	{ "int f(struct s *s) { return omp_test_nest_lock((&s->m[\"\\n\"])) || omp_test_lock\n(l); }", 0,
	  ":s->m[\\\"\\\\n\\\"]\", POMP2_Test_lock\n(l)" },
	{ "auto s = R\"x(\n#pragma omp parallel\n)x\"; int n = 1'000;\nvoid f() {\n#pragma omp masked filter(1)\n { "
	  "try { } catch (...) { } }\n}",
	  1, "regionType=masked" },
	{ "void f() {\n#pragma omp parallel\n#pragma omp for\n for (;;)\n#pragma omp critical\n a();\n}", 3,
	  "POMP2_Critical_enter" },
	{ "void f(int n) {\n#pragma omp parallel num_threads(n \\\n + 1) \\\n private(x)\n a();\n}", 1,
	  "+(n\\40\\40\\40\\40+\\401)) num_threads(__kinst_n) private(x)" },
	{ "void f(int n) {\n#pragma omp for schedule(static, n * 2) collapse(2) reduction(+:x) private(y)\n for (;;) "
	  "for (;;) a();\n}",
	  1, "*clauses=schedule(static,...)\\40collapse(2)\\40reduction*number=1**" },
	{ "void f(int n) {\n#pragma omp parallel for schedule(dynamic, n / 4) if(n > 3)\n for (;;) a();\n}", 1,
	  "*clauses=schedule(dynamic,\\40n\\40/\\404)\\40if*number=1**" },
	{ "void f() {\n#pragma omp parallel\n", 1, "" },
	{ "void f() {\n#pragma omp parallel for /*/ \" */ schedule(static) // for\nfor (;;) a();\n}", 1,
	  "#pragma\\40omp\\40for\\40schedule(static)\\40nowait" },
	{ "int f(int *l) { return 2 * omp_test_lock(l) + not omp_test_lock(l); }", 0,
	  "2\\40*\\40ompp_test_lock not\\40ompp_test_lock" },
	/* the statement is the including file's; it begins in an included one; a marker leaves what nobody entered */
	{ "# 1 \"m.c\"\nvoid f(void) {\n# 1 \"p.h\" 1\n#pragma omp parallel\n# 3 \"m.c\" 2\n a();\n}", 1,
	  "sscl=/x/m.c:3:3*escl=/x/m.c:3:3*" },
	{ "# 1 \"m.c\"\nvoid f(void) {\n# 1 \"p.h\" 1\n#pragma omp parallel\n{ a();\n# 3 \"m.c\" 2\n\n b(); }\n}", 1,
	  "sscl=/x/m.c:2:2*escl=/x/m.c:4:4*" },
	{ "# 1 \"p.h\" 2\nvoid f(void) {\n#pragma omp parallel\n# 9 \"m.c\" 2\n a();\n}", 1,
	  "sscl=/x/m.c:9:9*escl=/x/m.c:9:9*" },
	{ "void omp_set_lock(omp_lock_t *l);\nint *omp_test_lock(int *l);", 0, "" },
	{ "void f(struct s *s) { s->omp_set_lock(l); s->t.omp_unset_lock(l); a::omp_set_lock(l); }", 0, "" },
	{ "void f(int x) { if (x > omp_test_lock(l)) do omp_set_lock(l); while (x - omp_test_nest_lock(l)); }", 0,
	  "ompp_test_lock do\\40ompp_set_lock ompp_test_nest_lock" },
	{ "#pragma omp declare reduction(+ : T : omp_out += omp_in)\n#pragma omp threadprivate(x)\nint y;", 0, "" },
};

static struct kinst_emit_options options(void)
{
	return (struct kinst_emit_options){
		.openmp = 1, .locks = 1, .cxx = 1, .iterations = 1, .file = "a.f", .directory = "/x"
	};
}

/* Returns the text without our lines, markers, pragmas and blanks.
 * lines: gets the line of each character, as markers have it */
static char *users_text(const char *text, struct kinst_text *lines)
{
	struct kinst_text out = { 0 };
	int ours = 0, raw = 0;
	char line = 1;

	kinst_text_puts(&out, "");
	kinst_text_puts(lines, "");
	for (const char *p = text, *eol; *p; p = *eol ? eol + 1 : eol, line++) {
		eol = strchrnul(p, '\n');
		if (!raw && kinst_begins(p, "# ")) {
			ours = eol - p > 2 && !memcmp(eol - 2, " 3", 2);
			line = (char)(atoi(p + 2) - 1);
			continue;
		}
		for (; !raw && kinst_begins(p, "#pragma") && eol[-1] == '\\' && *eol; line++)
			eol = strchrnul(eol + 1, '\n');
		if (ours || (!raw && kinst_begins(p, "#pragma")))
			continue;
		for (const char *c = p; c < eol; c++) {
			raw ^= (c[0] == 'R' && c[1] == '"' && c[2] == 'x' && !raw) ||
			       (c[0] == ')' && c[1] == 'x' && c[2] == '"' && raw);
			if (*c != ' ' && *c != '\t') {
				kinst_text_add(&out, c, 1);
				kinst_text_add(lines, &line, 1);
			}
		}
	}
	return out.data;
}

static void has_calls(const char *text, const char *calls)
{
	char word[128];

	while (*calls) {
		size_t n = strcspn(calls, " ");

		memcpy(word, calls, n);
		word[n] = '\0';
		for (char *p; (p = strstr(word, "\\40"));) {
			*p = ' ';
			memmove(p + 1, p + 3, strlen(p + 3) + 1);
		}
		if (!strstr(text, word))
			fail_msg("no %s in\n%s", word, text);
		calls += n + (calls[n] == ' ');
	}
}

static void keeps_the_text(void **state)
{
	struct kinst_emit_options o = options();

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct kinst_text text = { 0 }, lines_before = { 0 }, lines_after = { 0 };
		struct kinst_emitted emitted;
		char *before, *after;

		kinst_text_printf(&text, "# 1 \"a.c\"\n%s", cases[i].text);
		before = users_text(text.data, &lines_before);
		assert_int_equal(kinst_emit(text.data, text.length, &o, &emitted), 0);
		after = users_text(emitted.text.data, &lines_after);
		if (!strstr(cases[i].text, "_lock(")) {
			assert_string_equal(after, before);
			for (size_t c = 0; before[c]; c++)
				if (lines_after.data[c] != lines_before.data[c])
					fail_msg("%s: line %d has become %d: %s", cases[i].text, lines_before.data[c],
					         lines_after.data[c], before + c);
		}
		kinst_text_free(&text);
		kinst_text_free(&lines_before);
		kinst_text_free(&lines_after);
		assert_int_equal(emitted.n_constructs, cases[i].n_constructs);
		assert_int_equal(emitted.n_calls > 0, *cases[i].calls != 0);
		has_calls(emitted.text.data, cases[i].calls);
		kinst_emitted_free(&emitted);
		free(before);
		free(after);
	}
}

/* Inside of simd loops and atomics no call is put, and constructs in them are named as left out. */
static void says_what_is_left(void **state)
{
	static const char text[] = "void f(void) {\n#pragma omp for simd\n for (;;) {\n#pragma omp atomic\n x++; }\n}";
	struct kinst_emit_options o = options();
	struct kinst_emitted emitted;
	uint32_t given_up = 0;

	(void)state;
	assert_int_equal(kinst_emit(text, strlen(text), &o, &emitted), 0);
	assert_true(emitted.constructs[0].is_measured);
	assert_int_equal(emitted.constructs[0].first_line, 2);
	assert_int_equal(emitted.constructs[0].last_line, 5);
	assert_false(emitted.constructs[1].is_measured);
	assert_non_null(emitted.constructs[1].why);
	assert_null(strstr(emitted.text.data, "POMP2_Atomic_enter(&__kinst_"));
	kinst_emitted_free(&emitted);
	o.given_up = &given_up;
	o.n_given_up = 1;
	assert_int_equal(kinst_emit(text, strlen(text), &o, &emitted), 0);
	assert_false(emitted.constructs[0].is_measured);
	assert_true(emitted.constructs[1].is_measured);
	assert_null(strstr(emitted.text.data, "POMP2_For_enter(&__kinst_"));
	kinst_emitted_free(&emitted);
}

/* Nothing is told of a loop without a barrier that is told, nor where its innermost body is not found: neither that its
 * iterations are told, nor one of them. */
static void tells_all_or_nothing_of_iterations(void **state)
{
	static const char *const texts[] = {
		"void f(int n) {\n#pragma omp for nowait\n for (int i = 0; i < n; i++)\n  a();\n}",
		"void f(int n) {\n#pragma omp for\n for (int i = 0; i < n; i++) {\n#pragma omp cancel for\n }\n}",
		"void f(int n) {\n#pragma omp for collapse(2)\n for (int i = 0; i < n; i++)\n  LOOP(j)\n   a();\n}",
		"void f(int n) {\n#pragma omp for collapse(2)\n for (int i = 0; i < n; i++)\n  a();\n}",
		"void f(int n) {\n#pragma omp for collapse(1 + 1)\n for (;;)\n  for (;;)\n   a();\n}",
	};
	struct kinst_emit_options o = options();
	struct kinst_emitted emitted;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(kinst_emit(texts[i], strlen(texts[i]), &o, &emitted), 0);
		assert_non_null(strstr(emitted.text.data, "POMP2_For_enter(&__kinst_"));
		assert_null(strstr(emitted.text.data, "ompp_loop_iterates(&__kinst_"));
		assert_null(strstr(emitted.text.data, "{ ompp_loop_iteration()"));
		kinst_emitted_free(&emitted);
	}
}

/* In a region that can be cancelled, constructs keep their own barriers. */
static void keeps_barriers(void **state)
{
	static const char text[] = "void f(void) {\n#pragma omp parallel\n{\n#pragma omp cancel parallel\n#pragma omp "
				   "for\nfor (;;) ;\n}\n}";
	struct kinst_emit_options o = options();
	struct kinst_emitted emitted;

	(void)state;
	assert_int_equal(kinst_emit(text, strlen(text), &o, &emitted), 0);
	assert_non_null(strstr(emitted.text.data, "\n#pragma omp for\n"));
	kinst_emitted_free(&emitted);
}

/* So do loops of their own in a parallel region, and regions combined with them, that can be cancelled. */
static void says_whose_barrier(void **state)
{
	static const char *const cancelled[] = { "for", "sections", "parallel" };
	static const char text[] = "void f(void) {\n#pragma omp parallel for\nfor (;;) {\n#pragma omp cancel %s\n}\n}";
	struct kinst_emit_options o = options();

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cancelled); i++) {
		char *one = kinst_format(text, cancelled[i]);
		struct kinst_emitted emitted;

		assert_int_equal(kinst_emit(one, strlen(one), &o, &emitted), 0);
		assert_int_equal(strstr(emitted.text.data, "ownBarrier=1*") != NULL,
		                 strcmp(cancelled[i], "sections") != 0);
		kinst_emitted_free(&emitted);
		free(one);
	}
}

static void nests_deeply(void **state)
{
	enum { LEVELS = 30000, MEASURED = 200 };
	struct kinst_emit_options o = options();
	struct kinst_text text = { 0 };
	struct kinst_text lines = { 0 };
	struct kinst_emitted emitted;
	char *before, *after;

	(void)state;
	kinst_text_puts(&text, "void f(void)\n{\n");
	for (int i = 0; i < LEVELS; i++)
		kinst_text_puts(&text, "#pragma omp critical\n{\n");
	for (int i = 0; i < LEVELS; i++)
		kinst_text_puts(&text, "}\n");
	kinst_text_puts(&text, "}\n");
	assert_int_equal(kinst_emit(text.data, text.length, &o, &emitted), 0);
	assert_int_equal(emitted.n_constructs, MEASURED + 1);
	assert_false(emitted.constructs[MEASURED].is_measured);
	before = users_text(text.data, &lines);
	after = users_text(emitted.text.data, &lines);
	assert_string_equal(after, before);
	free(before);
	free(after);
	kinst_emitted_free(&emitted);
	kinst_text_free(&lines);
	kinst_text_free(&text);
}

/* Directives in the syntax of attributes become pragmas on the same lines. */
static void reads_attributes(void **state)
{
	static const char text[] =
		"void f()\n{\n[[omp::directive(parallel)]]\n{ }\n[[using omp: sequence(directive(parallel), "
		"directive(for))]]\nfor (;;) ;\n[[likely]] g();\n}\n";
	struct kinst_emit_options o = options();
	struct kinst_text lines = { 0 };
	struct kinst_emitted emitted;
	char *users;

	(void)state;
	assert_int_equal(kinst_emit(text, strlen(text), &o, &emitted), 0);
	assert_int_equal(emitted.n_constructs, 3);
	assert_int_equal(emitted.constructs[0].first_line, 3);
	assert_int_equal(emitted.constructs[2].first_line, 5);
	assert_int_equal(emitted.constructs[2].last_line, 6);
	users = users_text(emitted.text.data, &lines);
	assert_string_equal(users, "voidf(){{}for(;;);[[likely]]g();}");
	for (size_t i = 0; users[i]; i++)
		assert_int_equal(lines.data[i], "111111124466666666777777777777778"[i] - '0');
	free(users);
	kinst_text_free(&lines);
	kinst_emitted_free(&emitted);
}

/* Fortran: the source form, the text, the number of its constructs, and words that its calls must have. */
static const struct {
	int fixed;
	const char *text;
	size_t n_constructs;
	const char *calls;
} fortran[] = {
	{ 0, "!$omp parallel do private(j)\ndo i = 1, 3\n do j = 1, 2\n end do\nend do\nend\n", 1,
	  "ompp_f_fork( ompp_f_run( ompp_f_for_enter( !$omp\\40do !$omp\\40end\\40do\\40nowait ompp_f_join(" },
	{ 0,
	  "!$omp do collapse(2) schedule(dynamic, 4)\ndo i = 1, 3\n k: do j = 1, 2\n  cycle k\n end do k\nend "
	  "do\nend\n",
	  1, "ompp_f_for_enter( ompp_f_loop_iterates( ompp_f_loop_iteration( ompp_f_wait(" },
	{ 1, "c$omp parallel do\n      do 20 i = 1, 3\n 20   x = x\n      end\n", 1,
	  "ompp_f_loop_iterates( ompp_f_loop_iteration(" },
	{ 0, "!$omp do\ndo 10 i = 1, 3\n10 continue\n!$omp end do nowait\nend\n", 1,
	  "ompp_f_for_enter( ompp_f_for_exit(" },
	{ 0, "!$OMP PARALLEL\n!$OMP SECTIONS\na = 1\n!$OMP SECTION\nb = 1\n!$OMP ENDSECTIONS\n!$OMP ENDPARALLEL\nend\n",
	  2, "!$omp\\40section ompp_f_section_begin(" },
	{ 0, "!$omp parallel &\n!$omp& private(a)\nblock\n integer :: k\n k = 1\nend block\nend\n", 1, "ompp_f_ran(" },
	{ 0, "!$omp atomic capture\nv = x\nx = x + 1\n!$omp end atomic\n!$omp atomic\nx = x + 1\nend\n", 2,
	  "ompp_f_atomic_enter(" },
	{ 1, "c$omp parallel do\n      do 20 i = 1, 3\n      x = x\n     & + 1\n 20   continue\n      end\n", 1,
	  "ompp_f_fork(" },
	{ 0, "!$omp do ordered(1)\ndo i = 1, 3\n!$omp ordered depend(source)\nend do\n!$omp end do nowait\nend\n", 2,
	  "ompp_f_around( ompp_f_around_end(" },
	{ 0, "do i = 1, 2\n!$omp critical (x)\na = 1\n!$omp end critical (x)\nend do\nend\n", 1, "criticalName=x*" },
	{ 0, "!$omp single\na = 1\n!$omp end single copyprivate(a)\nend\n", 1,
	  "!$omp\\40end\\40single\\40copyprivate" },
	{ 0, "!$omp parallel workshare\na = 1\n!$omp end parallel workshare\nend\n", 1, "!$omp\\40workshare" },
	{ 0, "!$ x = 1\n!$omp barrier\nend\n", 1, "ompp_f_barrier_enter(" },
	{ 0,
	  "!$omp parallel & ! '\n\n!$omp & do schedule& ! a\n# 5 \"b.h\"\n!$omp (static)\ndo i = 1, 3\nend do\nend\n",
	  1, "!$omp\\40parallel !$omp\\40do\\40schedule\\40(static) ompp_f_for_enter(" },
	{ 0, "!$omp sections\nblock\na = 1\n!$omp section\nb = 1\nend block\nend\n", 1, "ompp_f_section_begin(" },
	{ 0,
	  "do 5 i = 1, 3\n!$omp do\ndo 5 j = 1, 3\nif (j == 2) go to 5\n5 continue\n!$omp do\ndo 6 i = 1, 3\n6 "
	  "continue\nend\n",
	  2, "ompp_f_for_enter(" },
	{ 0, "!$omp critical& ! a\n! comment\n\n!$omp &(x)\na = 1\n!$omp end critical (x)\nend\n", 1,
	  "criticalName=x*" },
	{ 1, "c$omp parallel\n\n*$omp& do\n      do 20 i = 1, 3\n 20   continue\n      end\n", 1, "ompp_f_for_enter(" },
};

/* Returns the text without blanks, and without the lines of directives, of markers and of our calls. */
static char *fortran_text(const char *text)
{
	struct kinst_text out = { 0 };
	int ours = 0;

	kinst_text_puts(&out, "");
	for (const char *p = text, *eol; *p; p = *eol ? eol + 1 : eol) {
		int more = ours;
		const char *next;

		eol = strchrnul(p, '\n');
		if (*p == '#')
			continue;
		for (next = eol; kinst_begins(next, "\n#");)
			next = strchrnul(next + 1, '\n');
		ours = (kinst_begins(p, "      call ompp_f_") || more) &&
		       ((eol > p && eol[-1] == '&') || kinst_begins(next, "\n     &"));
		if (more || kinst_begins(p, "      call ompp_f_") || !strncasecmp(p + 1, "$omp", 4))
			continue;
		for (const char *c = p + 2 * kinst_begins(p, "!$ "); c < eol; c++)
			if (*c != ' ')
				kinst_text_add(&out, c, 1);
	}
	return out.data;
}

/* A statement behind the sentinel !$ is the program's: with blanks before it in free form, and in the first column
 * alone in fixed form, where it is a comment otherwise.  The region ends behind the statement. */
static void reads_sentinels(void **state)
{
	static const struct {
		int fixed;
		const char *text, *last;
	} sources[] = {
		{ 0, "!$omp atomic\n  !$ a = a + 1\nb = 1\nend\n", "a = a + 1" },
		{ 0, "!$omp atomic\n!$ a = a + 1\nb = 1\nend\n", "a = a + 1" },
		{ 1, "!$omp atomic\n  !$  a = a + 1\n      b = b + 1\n      c = 1\n      end\n", "b = b + 1" },
		{ 1, "!$omp atomic\n!$    a = a + 1\n      b = 1\n      end\n", "a = a + 1" },
	};
	struct kinst_emit_options o = options();

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(sources); i++) {
		struct kinst_emitted emitted;
		const char *last, *exit, *next;

		o.fixed = sources[i].fixed;
		assert_int_equal(kinst_emit_fortran(sources[i].text, strlen(sources[i].text), &o, &emitted), 0);
		last = strstr(emitted.text.data, sources[i].last);
		exit = strstr(emitted.text.data, "ompp_f_atomic_exit");
		next = strstr(emitted.text.data, strstr(sources[i].last, "b") ? "c = 1" : "b = 1");
		assert_true(last && exit && next && last < exit && exit < next);
		kinst_emitted_free(&emitted);
	}
}

/* Of two loops that share a label, the inner one gets a new label; labels that are jumped to stay.  The compiler learns
 * which line the statement behind them stands in. */
static void parts_shared_ends(void **state)
{
	static const char text[] = "do 5 i = 1, 5\n!$omp do\ndo 5 j = 1, 3\nk = 5 * j\n5 k = k + 5\nend\n";
	struct kinst_emit_options o = options();
	struct kinst_emitted emitted;
	char *after, *behind;

	(void)state;
	assert_int_equal(kinst_emit_fortran(text, strlen(text), &o, &emitted), 0);
	behind = strstr(emitted.text.data, "continue\n# ");
	assert_non_null(behind);
	assert_int_equal(strtoul(behind + strlen("continue\n# "), NULL, 10), 6);
	after = fortran_text(emitted.text.data);
	assert_string_equal(after, "do5i=1,5do99999j=1,3k=5*j99999k=k+55continueend");
	assert_int_equal(emitted.is_quieter, 1);
	free(after);
	kinst_emitted_free(&emitted);
}

/* An operand of an atomic is evaluated before the calls if it has a call in it; components and arrays are none. */
static void moves_calls(void **state)
{
	static const struct {
		const char *operand;
		int is_moved;
	} operands[] = {
		{ "f(1)", 1 },       { "2 * f(i)", 1 },   { "a(1)", 0 },          { "y", 0 },       { "(y)", 0 },
		{ "t%b(1)", 0 },     { "2 * t%b(i)", 0 }, { "t%b(f(1))", 1 },     { "a(f(1))", 1 }, { "f (2)", 1 },
		{ "t%b(1) * y", 0 }, { "1.5e0", 0 },      { "f(1) * t%b(1)", 1 },
	};
	struct kinst_emit_options o = options();

	(void)state;
	o.associate = 1;
	for (size_t i = 0; i < OMPP_COUNT_OF(operands); i++) {
		struct kinst_text text = { 0 };
		struct kinst_emitted emitted;

		kinst_text_printf(&text, "real :: a(3), x, y\n!$omp atomic\nx = x + %s\nend\n", operands[i].operand);
		assert_int_equal(kinst_emit_fortran(text.data, text.length, &o, &emitted), 0);
		if (!strstr(emitted.text.data, "ompp_operand") != !operands[i].is_moved)
			fail_msg("%s:\n%s", operands[i].operand, emitted.text.data);
		kinst_emitted_free(&emitted);
		kinst_text_free(&text);
	}
}

/* Returns the line that a compiler takes for that of a call: that of the marker before it. */
static unsigned long line_of_call(const char *text, const char *call)
{
	const char *at = strstr(text, call), *marker = NULL, *newline = NULL;

	assert_non_null(at);
	for (const char *p = text; (p = strstr(p, "\n# ")) && p < at; p++)
		marker = p;
	assert_non_null(marker);
	newline = strchr(marker + 1, '\n');
	assert_true(newline < at && !memchr(newline + 1, '\n', (size_t)(at - newline - 1))); /* it is about this line */
	return strtoul(marker + strlen("\n# "), NULL, 10);
}

/* The first line of a construct, and the last one of its end, where directives and statements take several lines. */
static void tells_lines_of_fortran(void **state)
{
	static const char text[] = "subroutine s\n!$omp parallel &\n!$omp num_threads(2)\ncall f(1, &\n  2)\n"
				   "!$omp atomic\nx = x + &\n  1\n!$omp end &\n!$omp parallel\nend\n";
	static const unsigned long lines[][2] = { { 2, 10 }, { 6, 8 } };
	struct kinst_emit_options o = options();
	struct kinst_emitted emitted;

	(void)state;
	assert_int_equal(kinst_emit_fortran(text, strlen(text), &o, &emitted), 0);
	assert_int_equal(emitted.n_constructs, OMPP_COUNT_OF(lines));
	for (size_t i = 0; i < OMPP_COUNT_OF(lines); i++) {
		assert_int_equal(emitted.constructs[i].first_line, lines[i][0]);
		assert_int_equal(emitted.constructs[i].last_line, lines[i][1]);
	}
	/* calls before a construct are in its first line, and those behind it in the last one */
	assert_int_equal(line_of_call(emitted.text.data, "ompp_f_atomic_enter"), 6);
	assert_int_equal(line_of_call(emitted.text.data, "ompp_f_atomic_exit"), 8);
	kinst_emitted_free(&emitted);
}

/* A line marker has a file's name with escapes, which Fortran's literals do not know. */
static void names_files_of_fortran(void **state)
{
	static const char text[] = "# 7 \"a\\\"b\\\\c.f90\"\n!$omp parallel\ncall f()\n!$omp end parallel\nend\n";
	struct kinst_emit_options o = options();
	struct kinst_emitted emitted;

	(void)state;
	assert_int_equal(kinst_emit_fortran(text, strlen(text), &o, &emitted), 0);
	assert_non_null(strstr(emitted.text.data, "/a\"b\\c.f90:7:7*"));
	assert_null(strstr(emitted.text.data, "\\\"b\\\\c.f90:"));
	assert_non_null(strstr(emitted.text.data, "\"a\\\"b\\\\c.f90\"\n"));
	kinst_emitted_free(&emitted);
}

/* The same loops are told as in C: all of a loop or nothing. */
static void tells_all_or_nothing_of_fortran(void **state)
{
	static const char *const texts[] = {
		"!$omp do\ndo i = 1, 3\n call f\nend do\n!$omp end do nowait\nend\n",
		"!$omp do ordered\ndo i = 1, 3\n!$omp ordered\n call f\n!$omp end ordered\nend do\nend\n",
		"!$omp do\ndo i = 1, 3\n!$omp cancel do\nend do\nend\n",
		"!$omp do simd\ndo i = 1, 3\n x(i) = 1\nend do\nend\n",
		"!$omp do reduction(inscan, +: x)\ndo i = 1, 3\n x = 1\n!$omp scan inclusive(x)\nend do\nend\n",
		"!$omp do reduction(task, +: x)\ndo i = 1, 3\n x = 1\nend do\nend\n",
		"!$omp do collapse(2)\ndo i = 1, 3\n k = i\n do j = 1, 3\n  call f\n end do\nend do\nend\n",
		"!$omp do collapse(1+1)\ndo i = 1, 3\n do j = 1, 3\n  call f\n end do\nend do\nend\n",
		"!$omp do\n!$omp tile sizes(4)\ndo i = 1, 3\n call f\nend do\nend\n",
	};
	struct kinst_emit_options o = options();
	struct kinst_emitted emitted;

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(texts); i++) {
		assert_int_equal(kinst_emit_fortran(texts[i], strlen(texts[i]), &o, &emitted), 0);
		assert_null(strstr(emitted.text.data, "ompp_f_loop_iterat"));
		kinst_emitted_free(&emitted);
	}
	o.iterations = 0;
	assert_int_equal(kinst_emit_fortran(fortran[0].text, strlen(fortran[0].text), &o, &emitted), 0);
	assert_null(strstr(emitted.text.data, "ompp_f_loop_iterat"));
	kinst_emitted_free(&emitted);
}

static void keeps_fortran(void **state)
{
	struct kinst_emit_options o = options();

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(fortran); i++) {
		struct kinst_emitted emitted;
		char *before = fortran_text(fortran[i].text), *after;

		o.fixed = fortran[i].fixed;
		assert_int_equal(kinst_emit_fortran(fortran[i].text, strlen(fortran[i].text), &o, &emitted), 0);
		after = fortran_text(emitted.text.data);
		assert_string_equal(after, before);
		assert_int_equal(emitted.n_constructs, fortran[i].n_constructs);
		has_calls(emitted.text.data, fortran[i].calls);
		for (char *p = emitted.text.data; fortran[i].fixed && *p; p = strchr(p, '\n') + 1)
			assert_true(strcspn(p, "\n") <= 72);
		free(before);
		free(after);
		kinst_emitted_free(&emitted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_text),
		cmocka_unit_test(says_what_is_left),
		cmocka_unit_test(keeps_barriers),
		cmocka_unit_test(says_whose_barrier),
		cmocka_unit_test(tells_all_or_nothing_of_iterations),
		cmocka_unit_test(reads_sentinels),
		cmocka_unit_test(nests_deeply),
		cmocka_unit_test(reads_attributes),
		cmocka_unit_test(keeps_fortran),
		cmocka_unit_test(tells_all_or_nothing_of_fortran),
		cmocka_unit_test(parts_shared_ends),
		cmocka_unit_test(moves_calls),
		cmocka_unit_test(tells_lines_of_fortran),
		cmocka_unit_test(names_files_of_fortran),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
