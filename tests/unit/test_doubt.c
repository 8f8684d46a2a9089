/*
 * Doubt: which directives are beyond doubt, and which not, by their words and by their places.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "opari/emit/emit.h"
#include "opari/read/doubt.h"
#include "runtime/base/array.h"

/* Directives, those of Fortran in capitals. */
static const char *const right[] = { "parallel",
	                             "parallel for simd schedule(simd:static, 4) private(a, b) , collapse(2)",
	                             "for ordered",
	                             "for ordered(2) nowait",
	                             "critical",
	                             "critical (name) hint(0)",
	                             "flush (a, b)",
	                             "flush acquire",
	                             "parallel for reduction(+:s) shared(a) if(n > 2) num_threads(n) /* why */",
	                             "atomic capture seq_cst",
	                             "target teams distribute parallel for simd map(tofrom: x) reduction(+: x) nowait",
	                             "cancel for if(x)",
	                             "cancellation point taskgroup",
	                             "depobj (d) update(in)",
	                             "depobj (d) depend(in: x)",
	                             "task depend(in: a) depend(out: b) untied final(1)",
	                             "target enter data map(to: x) nowait depend(in: x)",
	                             "parallel master taskloop simd grainsize(2) if(x)",
	                             "declare reduction(+ : T : omp_out += omp_in) , X(1)",
	                             "ordered depend(sink: i - 1)",
	                             "PARALLEL DO PRIVATE(I), SCHEDULE(STATIC)",
	                             "PARALLELDO",
	                             "DO ORDERED ! why",
	                             "WORKSHARE NOWAIT" };

static const char *const doubtful[] = { "Parallel",
	                                "parallel num_thReads(2)",
	                                "parallel private(a) PRIVATE(b)",
	                                "parallel num_threads(1) num_threads(2)",
	                                "parallel num_threads",
	                                "parallel for nowait",
	                                "parallel parallel",
	                                "for parallel",
	                                "parallel foo",

	                                "parallel, private(a)",
	                                "parallel private(a),",
	                                "parallel private(a) ,, shared(b)",
	                                "barrier (x)",
	                                "barrier nowait",
	                                "single nowait(1)",
	                                "single copyprivate",
	                                "parallel for private(a) shared(a)",
	                                "parallel for private(a, a, b) lastprivate(b)",
	                                "for schedule(static) schedule(static)",
	                                "taskwait foo",
	                                "parallel (x)",
	                                "target parallel copyin(t)",
	                                "end parallel",
	                                "simd nowait",
	                                "parallel private(a) foo(b)",
	                                "atomic x",
	                                "PARALLEL DO FOO",
	                                "PARALLEL DO NOWAIT",
	                                "DO PRIVATE(A)," };

static int doubt(const char *text)
{
	struct kinst_directive d;
	int found;

	assert_int_equal(kinst_directive_read(&d, text, strlen(text), text[0] < 'a' && text[1] < 'a'), 0);
	found = kinst_doubt_directive(&d);
	kinst_directive_free(&d);
	return found;
}

static void doubts_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(right); i++)
		if (doubt(right[i]))
			fail_msg("right, but doubted: %s", right[i]);
	for (size_t i = 0; i < OMPP_COUNT_OF(doubtful); i++)
		if (!doubt(doubtful[i]))
			fail_msg("not doubted: %s", doubtful[i]);
}

/* Texts in which nothing is in doubt, and others. */
static const char *const places[] = {
	"void f(void) {\n#pragma omp barrier\n}",
	"void f(void) { a();\n#pragma omp barrier\n#pragma omp taskwait\n a(); }",
	"void f(void) { if (x)\n#pragma omp critical\n a(); else\n#pragma omp atomic\n x++; }",
	"void f(void) {\n#pragma omp parallel\n#pragma omp single\n a(); }",
	"void f(void) {\n#pragma omp parallel\n std::b::c(1); }",
	"#pragma omp threadprivate(t)\nint f(void) {\n#pragma omp barrier\n}",
	"int f(void) {\n#pragma omp sections\n{\n#pragma omp section\n a();\n#pragma omp section\n{ a(); b(); } } }",
	"void f(void) {\n#pragma omp parallel for\n for (;;) *p = 1; }",
	"void f(void) {\n#pragma omp taskloop collapse(2)\n for (;;) for (;;) a(); }",
	"void f(void) { {\n#pragma omp task\n a->b(); }\n#pragma omp barrier\n a(); }"
};

static const char *const odd_places[] = {
	"void f(void) { if (x)\n#pragma omp barrier\n a(); }",
	"void f(void) { if (x) a(); else\n#pragma omp taskwait\n }",
	"void f(void)\n#pragma omp parallel\n { a(); }",
	"int f(k) int k;\n#pragma omp parallel\n { a(); }",
	"void f(void) {\n#pragma omp parallel\n#pragma omp barrier\n }",
	"void f(void) {\n#pragma omp parallel\n int x = 1; }",
	"void f(void) {\n#pragma omp parallel\n T x; }",
	"void f(void) {\n#pragma omp parallel\n T *x; }",
	"void f(void) {\n#pragma omp single\n here: a(); }",
	"void f(void) {\n#pragma omp single\n T<a> b; }",
	"void f(void) {\n#pragma omp sections\n { a(); b();\n#pragma omp section\n a(); } }",
	"void f(void) {\n#pragma omp sections\n {\n#pragma omp section\n a(); b(); } }",
	"void f(void) {\n#pragma omp taskloop\n for (;;) int x; }",
	"void f(void) { here:\n#pragma omp barrier\n }",
	"void f(void) { [[omp::directive(barrier)]]; }",
	"int x;\n#pragma omp barrier\n"
};

static int is_quieter(const char *text)
{
	struct kinst_emit_options options = { .openmp = 1, .directory = "/" };
	struct kinst_emitted emitted;
	int quieter;

	assert_int_equal(kinst_emit(text, strlen(text), &options, &emitted), 0);
	quieter = emitted.is_quieter;
	kinst_emitted_free(&emitted);
	return quieter;
}

static void doubts_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(places); i++)
		if (is_quieter(places[i]))
			fail_msg("right, but doubted: %s", places[i]);
	for (size_t i = 0; i < OMPP_COUNT_OF(odd_places); i++)
		if (!is_quieter(odd_places[i]))
			fail_msg("not doubted: %s", odd_places[i]);
}

/* End directives of Fortran, and those in doubt behind NULL. */
static const char *const ends[] = { "end parallel",
	                            "end do nowait",
	                            "end single copyprivate(x)",
	                            "end critical (name)",
	                            "end single ! why",
	                            NULL,
	                            "end do nowait nowait",
	                            "end single copyprivate",
	                            "end do copyprivate(x)",
	                            "end do private(x)",
	                            "end do foo",
	                            "end do, nowait",
	                            "end do nowait,",
	                            "end parallel (x)",
	                            "end barrier barrier" };

static void doubts_ends(void **state)
{
	int doubtful_now = 0;

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(ends); i++) {
		struct kinst_directive d;

		doubtful_now |= !ends[i];
		if (!ends[i])
			continue;
		assert_int_equal(kinst_directive_read(&d, ends[i], strlen(ends[i]), 1), 0);
		if (kinst_doubt_end(&d) != doubtful_now)
			fail_msg("%s", ends[i]);
		kinst_directive_free(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(doubts_words), cmocka_unit_test(doubts_places),
		                            cmocka_unit_test(doubts_ends) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
