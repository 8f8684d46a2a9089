/*
 * Varied sources: see varied_source.h.
 */
#define _GNU_SOURCE
#include "tests/golden/varied_source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"

enum { MOST_DEPTH = 5 };

static FILE *out;
static uint64_t state;
static enum varied_language language;
static int n_labels;

static uint32_t below(uint32_t n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((state >> 33) % n);
}

#define ONE_OF(list) list[below(OMPP_COUNT_OF(list))]

/* ---- directives ---- */

/* What a directive is followed by. */
enum form { BLOCK, LOOP, ALONE, UPDATE, BLOCKS };

static const struct {
	const char *c, *fortran;
	enum form form;
} directives[] = {
	{ "parallel", "parallel", BLOCK },
	{ "parallel for", "parallel do", LOOP },
	{ "for", "do", LOOP },
	{ "parallel for simd", "parallel do simd", LOOP },
	{ "for simd", "do simd", LOOP },
	{ "simd", "simd", LOOP },
	{ "sections", "sections", BLOCKS },
	{ "parallel sections", "parallel sections", BLOCKS },
	{ "single", "single", BLOCK },
	{ "master", "master", BLOCK },
	{ "masked", "masked", BLOCK },
	{ "parallel masked", "parallel masked", BLOCK },
	{ "parallel master taskloop", "parallel master taskloop", LOOP },
	{ "scope", "scope", BLOCK },
	{ "critical", "critical", BLOCK },
	{ "critical(one)", "critical (one)", BLOCK },
	{ "critical(two) hint(1 + 1)", "critical (two) hint(2)", BLOCK },
	{ "ordered", "ordered", BLOCK },
	{ "ordered depend(source)", "ordered depend(source)", ALONE },
	{ "atomic", "atomic", UPDATE },
	{ "atomic read", "atomic read", UPDATE },
	{ "atomic capture", "atomic capture", UPDATE },
	{ "atomic update seq_cst", "atomic update seq_cst", UPDATE },
	{ "barrier", "barrier", ALONE },
	{ "flush", "flush", ALONE },
	{ "flush(x, y)", "flush(x, y)", ALONE },
	{ "taskwait", "taskwait", ALONE },
	{ "taskyield", "taskyield", ALONE },
	{ "task", "task", BLOCK },
	{ "taskgroup", "taskgroup", BLOCK },
	{ "taskloop", "taskloop", LOOP },
	{ "taskloop simd", "taskloop simd", LOOP },
	{ "loop", "loop", LOOP },
	{ "parallel loop", "parallel loop", LOOP },
	{ "teams", "teams", BLOCK },
	{ "distribute", "distribute", LOOP },
	{ "target", "target", BLOCK },
	{ "target data map(tofrom: a)", "target data map(tofrom: a)", BLOCK },
	{ "target teams distribute parallel for", "target teams distribute parallel do", LOOP },
	{ "target enter data map(to: a[0:n])", "target enter data map(to: a(1:n))", ALONE },
	{ "target exit data map(from: a[0:n])", "target exit data map(from: a)", ALONE },
	{ "target update to(a[2:n])", "target update to(a)", ALONE },
	{ "cancel parallel", "cancel parallel", ALONE },
	{ "cancel for if(x)", "cancel do if(x)", ALONE },
	{ "cancellation point sections", "cancellation point sections", ALONE },
	{ "threadprivate(t)", "threadprivate(t)", ALONE },
	{ "declare simd", "declare simd(f)", ALONE },
	{ "metadirective when(user={condition(x)}: parallel)", "metadirective when(user={condition(x)}: parallel)",
	  BLOCK },
	{ "parallel workshare", "parallel workshare", BLOCK },
	{ "workshare", "workshare", BLOCK },
	{ "unknown thing", "unknown thing", BLOCK },
};

static const char *const clauses[] = { "nowait",
	                               "private(i)",
	                               "shared(a, x)",
	                               "default(none)",
	                               "firstprivate(x)",
	                               "lastprivate(x)",
	                               "reduction(+: x)",
	                               "reduction(max: y)",
	                               "if(x ? 1 : n)",
	                               "if(parallel: x)",
	                               "if(task: x ? x : 1)",
	                               "num_threads(n)",
	                               "num_threads(n > 2 ? 2 : n)",
	                               "schedule(static)",
	                               "schedule(dynamic, 4)",
	                               "schedule(guided)",
	                               "collapse(2)",
	                               "ordered",
	                               "ordered(2)",
	                               "untied",
	                               "final(x)",
	                               "mergeable",
	                               "depend(in: x)",
	                               "depend(out: a[i])",
	                               "depend(inout: x, y)",
	                               "priority(2)",
	                               "grainsize(3)",
	                               "num_tasks(5)",
	                               "nogroup",
	                               "proc_bind(close)",
	                               "copyin(t)",
	                               "linear(i: 2)",
	                               "simdlen(4)",
	                               "safelen(8)",
	                               "aligned(a)",
	                               "map(to: a[0:n])",
	                               "map(tofrom: x, y)",
	                               "device(0)",
	                               "is_device_ptr(a)",
	                               "allocate(x)",
	                               "copyprivate(x)",
	                               "filter(1)",
	                               "detach(e)",
	                               "in_reduction(+: x)",
	                               "order(concurrent)",
	                               "bind(parallel)",
	                               "thread_limit(3)",
	                               "defaultmap(none)",
	                               "depend(in: a[1:n])",
	                               "depend(out: a[0][1:2], b[:3])",
	                               "depend(in: a(1:2, i))",
	                               "depend(iterator(i = 0 : n), in: a[i])",
	                               "depend(in: *p, s.q->r[i])",
	                               "depend(mutexinoutset: x) depend(in: f(x))",
	                               "map(always, to: a[0:n][1:2])",
	                               "map(to: s.a[0:2], *p)",
	                               "map(alloc: a(1:n)) map(from: b)",
	                               "map(x)",
	                               "map(iterator(j = 0 : 2), to: a[j])",
	                               "reduction(task, +: x)",
	                               "hint(3)" };

static int is_fortran(void)
{
	return language >= VARIED_FREE;
}

static void put_clauses(void)
{
	static const char *const gaps[] = { " ", ", ", "  ", " " };

	for (uint32_t n = below(4); n > 0; n--) {
		fputs(ONE_OF(gaps), out);
		fputs(ONE_OF(clauses), out);
	}
}

/* ---- C and C++ ---- */

static void statement(int depth);

static const char *const simple[] = {
	"f(x);",
	"x = y + 1;",
	"a[i] = b[i] * 2;",
	";",
	"s = \"a \\\" } {\";",
	"c = '{';",
	"/* { */ g();",
	"h(x) // } and more\n;",
	"if (x) f(y);",
	"return;",
	"break;",
	"continue;",
	"goto out;",
	"omp_set_lock(&l);",
	"omp_unset_lock(&l);",
	"omp_test_nest_lock(&m);",
	"omp_init_lock(&l);",
	"int k = 3;",
	"{ }",
	"x++;",
	"do x--; while (x > 0);",
	"while (x) { f(x); x--; }",
	"switch (x) { case 1: f(1); break; default: g(); }",
	"for (;;) { break; }",
	"if (x) { f(1); } else if (y) f(2); else { g(); }",
	"exit(1);",
	"throw 1;",
	"auto l = [&](int q) { return q + x; };",
	"const char *r = R\"x( } )\" )x\";",
	"asm(\"nop\");",
	"struct s v = { .a = 1, { 2, 3 } };",
	"q = R\"0123456789abcdef( } )0123456789abcdef\";",
	"q = R\"0123456789abcdefg(\"; { }",
	"try { f(1); } catch (...) { g(); }",
	"if constexpr (x) f(1); else f(2);",
	"x = y ? z : (struct s){ 1 }.a;",
	"lock_type k(omp_get_wtime()), *m = &l;",
	"omp_set_lock (& a[i].l);",
	"(omp_unset_lock)(&l);",
	"for (int k = 0; k < 3; k++) for (;;) { if (k) continue; f(k); }",
	"case 3: f(1);",
	"default: ;",
	"__extension__ ({ f(1); });",
	"[[likely]] f(2);",
	"// \\\n } {\n;",
	"label: f(3);",
	"\n# 30 \"other.h\" 1\nf(4);\n# 7 \"a.c\" 2\n",
};

/* A directive as one of its spellings, and a line end. */
static void directive_c(const char *words)
{
	char *text = NULL;
	size_t n;
	FILE *file = out;

	out = open_memstream(&text, &n);
	fputs(words, out);
	put_clauses();
	fclose(out);
	out = file;
	switch (below(language == VARIED_CXX ? 9 : 6)) {
	case 0:
		fprintf(out, "_Pragma(\"omp %s\")\n", text);
		break;
	case 1: {
		size_t half = strcspn(text, " ");

		fprintf(out, "#  pragma omp %.*s \\\n   %s\n", (int)half, text, text + half);
		break;
	}
	case 6:
		fprintf(out, "[[omp::directive(%s)]]\n", text);
		break;
	case 7:
		fprintf(out, "[[using omp: directive(%s)]]\n", text);
		break;
	case 8:
		fprintf(out, "[[omp::sequence(directive(%s), omp::directive(barrier))]]\n", text);
		break;
	default:
		fprintf(out, "#pragma omp %s\n", text);
	}
	free(text);
}

static void block_c(int depth)
{
	fputs("{\n", out);
	for (uint32_t n = below(4); n > 0; n--)
		statement(depth + 1);
	fputs(below(8) ? "}\n" : "} // end\n", out);
}

static void loop_c(int depth)
{
	static const char *const heads[] = { "for (int i = 0; i < n; i++)",
		                             "for (i = n; i > 0; i -= 2)",
		                             "for (auto &e : list)",
		                             "for (;;)",
		                             "while (x)",
		                             "for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++)" };

	fprintf(out, "%s\n", ONE_OF(heads));
	if (below(2))
		block_c(depth);
	else
		statement(depth + 1);
}

static void sections_c(int depth)
{
	fputs("{\n", out);
	if (below(2))
		statement(depth + 1);
	for (uint32_t n = below(3); n > 0; n--) {
		directive_c("section");
		statement(depth + 1);
	}
	fputs("}\n", out);
}

static void construct_c(int depth)
{
	size_t i = below(OMPP_COUNT_OF(directives));

	directive_c(directives[i].c);
	switch (directives[i].form) {
	case BLOCK:
		if (below(3))
			block_c(depth);
		else
			statement(depth + 1);
		break;
	case LOOP:
		if (below(10))
			loop_c(depth);
		else
			statement(depth + 1);
		break;
	case ALONE:
		break;
	case UPDATE:
		fputs(below(2) ? "x += 1;\n" : below(2) ? "{ v = x; x++; }\n" : "v = x;\n", out);
		break;
	case BLOCKS:
		sections_c(depth);
	}
}

static void own_c(void)
{
	static const char *const lines[] = {
		"#pragma pomp inst begin(one)",
		"#pragma pomp inst end(one)",
		"#pragma omp inst begin(two)",
		"#pragma omp inst altend(two)",
		"#pragma omp inst end(two)",
		"#pragma pomp noinstrument",
		"#pragma pomp instrument",
		"#pragma omp inst data(a)",
		"#pragma omp inst data(a, n * 8, \"arr\")",
		"#pragma pomp inst data(p->q[2], n) private",
		"#pragma omp inst data(x, 8, \"x\") each",
		"#pragma omp inst data end(\"arr\")",
		"#pragma omp inst data(",
		"#pragma omp inst data(a, , \"b\" \"c\") sum",
		"#pragma pomp inst begin",
		"#pragma pomp ins begin(x)",
		"#pragma omp inst init",
		"#pragma omp inst data(MACRO(3))",
		"#pragma pomp inst data(M2, sizeof(M2))",
	};

	fprintf(out, "%s\n", ONE_OF(lines));
}

static void statement(int depth)
{
	uint32_t kind = below(depth < MOST_DEPTH ? 12 : 5);

	if (kind < 5)
		fprintf(out, "%s\n", ONE_OF(simple));
	else if (kind == 5)
		own_c();
	else if (kind == 6) {
		fputs("if (x)\n", out);
		statement(depth + 1);
		if (below(2)) {
			fputs("else\n", out);
			statement(depth + 1);
		}
	} else if (kind == 7)
		block_c(depth);
	else if (kind == 8) {
		fprintf(out, "lab%d:\n", n_labels++);
		statement(depth + 1);
	} else
		construct_c(depth);
}

static void source_c(void)
{
	static const char *const heads[][2] = { { "void f", "(int x)" },
		                                { "static int f", "(int n, double *a) noexcept" },
		                                { "template <typename T> T g", "(T x)" },
		                                { "int main", "(void)" } };

	if (!below(6))
		fputs("extern \"C\" { void q(void); }\nextern \"C\" {\n#pragma omp inst data(t)\n}\n", out);
	fputs("# 1 \"a.c\"\n#define MACRO(x) (a + x)\n#define M2 b\nextern int omp_test_nest_lock(void *);\nint t;\n",
	      out);
	if (!below(3))
		directive_c("threadprivate(t)");
	for (uint32_t n = 1 + below(3), i = 0; i < n; i++) {
		size_t kind = below(OMPP_COUNT_OF(heads));

		fprintf(out, "%s%u%s\n{\n", heads[kind][0], i, heads[kind][1]);
		for (uint32_t k = 1 + below(5); k > 0; k--)
			statement(0);
		fputs(below(12) ? "}\n" : "", out); /* of some the end is missing */
	}
}

/* ---- Fortran ---- */

static void statement_fortran(int depth);

static void put_case(const char *text)
{
	uint32_t how = below(3);

	for (; *text; text++)
		fputc(how == 0                ? toupper((unsigned char)*text)
		      : how == 1 && !below(3) ? toupper((unsigned char)*text)
		                              : *text,
		      out);
}

static void line_fortran(const char *text)
{
	fputs(language == VARIED_FIXED ? "      " : below(2) ? "  " : "", out);
	put_case(text);
	if (language == VARIED_FREE && !below(12))
		fputs(" ! & } '", out);
	fputc('\n', out);
}

static void directive_fortran(const char *words, int has_clauses)
{
	static const char *const sentinels[] = { "!$omp ", "c$omp ", "*$omp ", "C$OMP ", "!$OMP " };
	const char *sentinel = language == VARIED_FIXED ? ONE_OF(sentinels) : below(4) ? "!$omp " : "!$OMP";

	fprintf(out, "%s%s", language == VARIED_FREE && !below(3) ? "   " : "", sentinel);
	if (language == VARIED_FREE)
		fputc(' ', out);
	put_case(words);
	if (has_clauses && below(2))
		put_clauses();
	if (has_clauses && !below(4)) { /* a line that continues it */
		fputs(language == VARIED_FREE ? below(2) ? " &\n!$omp& " : ", &\n!$omp " : "\n!$omp& ", out);
		put_case(ONE_OF(clauses));
	}
	fputs(language == VARIED_FREE && !below(10) ? " ! why\n" : "\n", out);
}

/* The end of a construct, which some lack, and some get of another. */
static void end_fortran(const char *words, int is_needed)
{
	const char *end = below(3) ? "end " : "end", *clause = below(6) ? "" : " nowait";
	char text[128];

	if (!is_needed && below(2))
		return;
	snprintf(text, sizeof(text), "%s%.*s%s", end, (int)strcspn(words, "("), words, clause);
	if (below(30))
		directive_fortran(below(40) ? text : "end parallel", 0);
}

static void block_fortran(int depth)
{
	for (uint32_t n = below(4); n > 0; n--)
		statement_fortran(depth + 1);
}

static void loop_fortran(int depth)
{
	static const char *const heads[] = { "do i = 1, n", "do while (x > 0)", "do concurrent (i = 1:n)",
		                             "outer: do i = 1, n", "do i = 1, n; a(i) = i" };
	uint32_t kind = below(8);
	char text[64];

	if (kind == 0) {
		int label = 10 + n_labels++;

		snprintf(text, sizeof(text), "do %d i = 1, 3", label);
		line_fortran(text);
		block_fortran(depth);
		fprintf(out, language == VARIED_FIXED ? " %-4d continue\n" : "%d continue\n", label);
		return;
	}
	kind %= (uint32_t)OMPP_COUNT_OF(heads);
	line_fortran(heads[kind]);
	block_fortran(depth);
	line_fortran(kind == 3 ? "end do outer" : below(2) ? "end do" : "enddo");
}

static void construct_fortran(int depth)
{
	size_t i = below(OMPP_COUNT_OF(directives));
	const char *words = directives[i].fortran;

	directive_fortran(words, 1);
	switch (directives[i].form) {
	case BLOCK:
		if (!below(6)) {
			line_fortran("block");
			block_fortran(depth);
			line_fortran("end block");
			break;
		}
		block_fortran(depth);
		end_fortran(words, 1);
		break;
	case LOOP:
		loop_fortran(depth);
		end_fortran(words, 0);
		break;
	case ALONE:
		break;
	case UPDATE:
		line_fortran(below(2) ? "x = x + 1" : "v = x");
		end_fortran("atomic", 0);
		break;
	case BLOCKS:
		block_fortran(depth);
		for (uint32_t n = below(3); n > 0; n--) {
			directive_fortran("section", 0);
			block_fortran(depth);
		}
		end_fortran(words, 1);
	}
}

static void own_fortran(void)
{
	static const char *const lines[] = {
		"pomp inst begin(one)",
		"pomp inst end(one)",
		"omp inst begin(two)",
		"omp inst altend(two)",
		"omp inst end(two)",
		"pomp noinstrument",
		"pomp instrument",
		"omp inst data(a)",
		"omp inst data(a, n * 8, 'arr')",
		"pomp inst data(b(:, 2), 80) private",
		"omp inst data(x, 8, \"it''s\") each",
		"omp inst data end('arr')",
		"omp inst data(",
		"pomp inst begin",
		"omp inst init",
	};

	fputs("!$", out);
	put_case(ONE_OF(lines));
	fputc('\n', out);
}

/* Lines for OpenMP alone, and those that look like it. */
static const char *const conditional_free[] = { "!$ x = omp_get_num_threads()\n", "!$ x = y + &\n!$& 1\n",
	                                        "  !$ x = y + &\n! why\n\n!$ & 1\n", "!$& 1\n", "!$x = 1\n" };
static const char *const conditional_fixed[] = { "!$ x = omp_get_num_threads()\n", "c$    x = y +\nc$   & 1\n",
	                                         "*$ 20 x = 1\n", "!$\tx = 1\n", "C$ 1x = 2\n!$x = 1\n" };

static void simple_fortran(void)
{
	static const char *const lines[] = {
		"x = y + 1",
		"a(i) = b(i) * 2",
		"call f(x)",
		"continue",
		"if (x > 1) cycle",
		"if (x > 2) exit",
		"return",
		"stop",
		"s = 'it''s & ! no'",
		"s = \"do i = 1\"",
		"call omp_set_lock(l)",
		"call omp_unset_lock(l)",
		"if (omp_test_lock(l)) x = 1",
		"call omp_init_lock(l)",
		"write (*, *) x, y",
		"if (x > 1) return",
		"if (x > 1) stop 1",
		"if (x) goto 98",
		"10 if (x == 3) return",
		"x = returns(2)",
		"return 1",
		"if (f(')') > 1) call g",
		"do i = 1, 2; x = i; end do",
		"call omp_set_nest_lock(m(i))",
		"100 format (i3)",
		"integer :: later",
		"allocate(a(n), stat=x)",
		"entry e(x)",
		"common /blk/ t",
		"type(omp_lock) :: q",
		"write (*, 100) 'a''b', \"c!d\"",
		"x = 3; if (y) return; z = 1",
		"print *, 'end'",
		"goto 99",
		"error stop 'no'",
		"where (a > 0) a = 1",
		"end = 3",
		"do = 4",
		"deallocate(a)",
		"x = 1; y = 2; call g()",
	};
	uint32_t kind = below(14);

	if (kind == 0 && language == VARIED_FREE)
		fputs("x = y + &\n  & 1 + &\n\n  2\n", out);
	else if (kind == 0)
		fputs("      x = y +\n     & 1\n     1 + 2\n", out);
	else if (kind == 1)
		fputs(language == VARIED_FREE ? ONE_OF(conditional_free) : ONE_OF(conditional_fixed), out);
	else if (kind == 2)
		fputs(language == VARIED_FREE ? "! comment !$omp parallel\n\n" : "c a comment\n* one more\n", out);
	else if (kind == 3)
		fputs("# 20 \"other.h\" 1\n", out);
	else
		line_fortran(ONE_OF(lines));
}

static void statement_fortran(int depth)
{
	uint32_t kind = below(depth < MOST_DEPTH ? 12 : 5);

	if (kind < 5)
		simple_fortran();
	else if (kind == 5)
		own_fortran();
	else if (kind == 6) {
		line_fortran(below(2) ? "if (x > 0) then" : "IF(X>0)THEN");
		block_fortran(depth);
		if (below(2)) {
			line_fortran("else");
			block_fortran(depth);
		}
		line_fortran(below(2) ? "end if" : "endif");
	} else if (kind == 7)
		loop_fortran(depth);
	else if (kind == 8) {
		line_fortran("select case (x)");
		line_fortran("case (1)");
		block_fortran(depth);
		line_fortran("case default");
		block_fortran(depth);
		line_fortran("end select");
	} else
		construct_fortran(depth);
}

static void unit_fortran(const char *begin, const char *end, int depth)
{
	static const char *const nones[] = { "implicit none", "implicit none", "implicit none (external)",
		                             "implicit none(type, external)", "implicit none (type) ! external" };

	line_fortran(begin);
	if (below(2))
		line_fortran("use omp_lib");
	if (below(2))
		line_fortran(ONE_OF(nones));
	line_fortran("integer :: i, n, x");
	if (!below(3))
		line_fortran("real, dimension(10) :: a, b");
	for (uint32_t k = 1 + below(5); k > 0; k--)
		statement_fortran(0);
	if (!depth && !below(3)) {
		line_fortran("contains");
		unit_fortran("subroutine inner(x)", "end subroutine inner", 1);
	}
	line_fortran(end);
}

static void source_fortran(void)
{
	static const struct {
		const char *begin, *end;
	} units[] = {
		{ "program p", "end program p" },
		{ "subroutine s(a, n)", "end subroutine" },
		{ "integer function g(x)", "end function g" },
		{ "recursive subroutine r", "end" },
		{ "pure elemental function h(x) result(y)", "endfunction" },
	};

	if (below(2))
		fputs("# 1 \"a.f90\"\n", out);
	for (uint32_t n = 1 + below(3); n > 0; n--) {
		size_t i = below(OMPP_COUNT_OF(units));

		unit_fortran(units[i].begin, units[i].end, 0);
	}
}

char *varied_source(enum varied_language of, uint32_t number, size_t *n_bytes)
{
	char *text = NULL;

	language = of;
	state = (uint64_t)number * VARIED_LANGUAGES + of + 1;
	n_labels = 0;
	below(2);
	out = open_memstream(&text, n_bytes);
	if (!out)
		abort();
	if (is_fortran())
		source_fortran();
	else
		source_c();
	fclose(out);
	return text;
}
