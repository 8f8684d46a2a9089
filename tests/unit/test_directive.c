/*
 * Directive: names, clauses, and how a combined directive is split in two.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "opari/read/directive_split.h"
#include "runtime/base/array.h"

/* The text, whether it is Fortran, and what is expected: name, number of leaves, first, last, clauses, alone, loop. */
static const struct {
	const char *text;
	int fortran;
	const char *name;
	size_t n_leaves;
	enum kinst_leaf first, last;
	size_t n_clauses;
	int is_alone, is_loop, is_end;
} names[] = {
	{ " parallel", 0, "parallel", 1, KINST_OMP_PARALLEL, KINST_OMP_PARALLEL, 0, 0, 0, 0 },
	{ " parallel for simd schedule(simd:static, 4) private(a, b)", 0, "parallel for simd", 3, KINST_OMP_PARALLEL,
	  KINST_OMP_SIMD, 2, 0, 1, 0 },
	{ "  parallel\\\n  for  ordered(2),collapse(2)", 0, "parallel    for", 2, KINST_OMP_PARALLEL, KINST_OMP_FOR, 2,
	  0, 1, 0 },
	{ " for ordered", 0, "for", 1, KINST_OMP_FOR, KINST_OMP_FOR, 1, 0, 1, 0 },
	{ " ordered depend(sink: i - 1)", 0, "ordered", 1, KINST_OMP_ORDERED, KINST_OMP_ORDERED, 1, 1, 0, 0 },
	{ " ordered", 0, "ordered", 1, KINST_OMP_ORDERED, KINST_OMP_ORDERED, 0, 0, 0, 0 },
	{ " critical ( name ) hint(0)", 0, "critical", 1, KINST_OMP_CRITICAL, KINST_OMP_CRITICAL, 1, 0, 0, 0 },
	{ " flush(a, b[0])", 0, "flush", 1, KINST_OMP_FLUSH, KINST_OMP_FLUSH, 0, 1, 0, 0 },
	{ " taskwait depend(in: x) nowait", 0, "taskwait", 1, KINST_OMP_TASKWAIT, KINST_OMP_TASKWAIT, 2, 1, 0, 0 },
	{ " taskgroup task_reduction(+: s)", 0, "taskgroup", 1, KINST_OMP_TASKGROUP, KINST_OMP_TASKGROUP, 1, 0, 0, 0 },
	{ " master taskloop simd", 0, "master taskloop simd", 3, KINST_OMP_MASTER, KINST_OMP_SIMD, 0, 0, 1, 0 },
	{ " target teams distribute parallel for simd map(tofrom: x)", 0, "target teams distribute parallel for simd",
	  6, KINST_OMP_TARGET, KINST_OMP_SIMD, 1, 0, 1, 0 },
	{ " target enter data map(to: x)", 0, "target enter data", 1, KINST_OMP_TARGET_ENTER_DATA,
	  KINST_OMP_TARGET_ENTER_DATA, 1, 1, 0, 0 },
	{ " target data map(x)", 0, "target data", 1, KINST_OMP_TARGET_DATA, KINST_OMP_TARGET_DATA, 1, 0, 0, 0 },
	{ " cancel for if(x)", 0, "cancel", 1, KINST_OMP_CANCEL, KINST_OMP_CANCEL, 2, 1, 0, 0 },
	{ " cancellation point taskgroup", 0, "cancellation point", 1, KINST_OMP_CANCELLATION_POINT,
	  KINST_OMP_CANCELLATION_POINT, 1, 1, 0, 0 },
	{ " atomic capture seq_cst", 0, "atomic", 1, KINST_OMP_ATOMIC, KINST_OMP_ATOMIC, 2, 0, 0, 0 },
	{ " declare reduction(+ : T : omp_out.v += omp_in.v)", 0, "declare reduction", 1, KINST_OMP_OTHER,
	  KINST_OMP_OTHER, 0, 1, 0, 0 },
	{ " threadprivate(t)", 0, "threadprivate", 1, KINST_OMP_OTHER, KINST_OMP_OTHER, 0, 1, 0, 0 },
	{ " metadirective when(device={arch(nvptx)}: parallel) default(nothing)", 0, "metadirective", 1,
	  KINST_OMP_OTHER, KINST_OMP_OTHER, 2, 0, 0, 0 },
	{ " end metadirective", 0, "metadirective", 1, KINST_OMP_OTHER, KINST_OMP_OTHER, 0, 1, 0, 1 },
	{ " parallel /* for */ default(none)/* ' */ if(f(\"/*\", '\"')) // private(x)", 0, "parallel", 1,
	  KINST_OMP_PARALLEL, KINST_OMP_PARALLEL, 2, 0, 0, 0 },
	{ " parallel if(f(\")\", ')')) /* a comment */", 0, "parallel", 1, KINST_OMP_PARALLEL, KINST_OMP_PARALLEL, 1, 0,
	  0, 0 },
	{ " PARALLEL DO PRIVATE(I)", 1, "parallel do", 2, KINST_OMP_PARALLEL, KINST_OMP_FOR, 1, 0, 1, 0 },
	{ " paralleldo private(i)", 1, "paralleldo", 2, KINST_OMP_PARALLEL, KINST_OMP_FOR, 1, 0, 1, 0 },
	{ "end parallel do", 1, "parallel do", 2, KINST_OMP_PARALLEL, KINST_OMP_FOR, 0, 0, 1, 1 },
	{ "endparallelsections", 1, "parallelsections", 2, KINST_OMP_PARALLEL, KINST_OMP_SECTIONS, 0, 0, 0, 1 },
	{ "end single copyprivate(x) nowait", 1, "single", 1, KINST_OMP_SINGLE, KINST_OMP_SINGLE, 2, 0, 0, 1 },
	{ "do ! all of it", 1, "do", 1, KINST_OMP_FOR, KINST_OMP_FOR, 0, 0, 1, 0 },
};

static void reads_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++) {
		struct kinst_directive d;

		print_message("%s\n", names[i].text);
		assert_int_equal(kinst_directive_read(&d, names[i].text, strlen(names[i].text), names[i].fortran), 0);
		assert_int_equal(d.n_name, strlen(names[i].name));
		assert_memory_equal(d.name, names[i].name, d.n_name);
		assert_int_equal(d.n_leaves, names[i].n_leaves);
		assert_int_equal(d.leaves[0], names[i].first);
		assert_int_equal(d.leaves[d.n_leaves - 1], names[i].last);
		assert_int_equal(kinst_directive_has(&d, KINST_OMP_PARALLEL),
		                 strstr(names[i].name, "parallel") != NULL);
		assert_int_equal(d.n_clauses, names[i].n_clauses);
		assert_int_equal(kinst_directive_is_alone(&d), names[i].is_alone);
		assert_int_equal(kinst_directive_is_loop(&d), names[i].is_loop);
		assert_int_equal(d.is_end, names[i].is_end);
		kinst_directive_free(&d);
	}
}

/* Directives of which nothing remains in the program: what follows them belongs to what stands before them. */
static void passes_over(void **state)
{
	/* clang-format off */
	static const struct { const char *text; int is_passed_over; } cases[] = {
		{ "nothing", 1 }, { "error at(compilation)", 1 }, { "whatever(x) is unknown", 1 },
		{ "threadprivate(x)", 0 }, { "declare target", 0 }, { "end declare target", 0 }, { "scan inclusive(x)", 0 },
		{ "interop init(x)", 0 }, { "tile sizes(4)", 0 }, { "metadirective when(user={condition(x)}: parallel)", 0 },
		{ "barrier", 0 }, { "parallel", 0 },
		/* clang-format on */
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct kinst_directive d;

		print_message("%s\n", cases[i].text);
		assert_int_equal(kinst_directive_read(&d, cases[i].text, strlen(cases[i].text), 0), 0);
		assert_int_equal(kinst_directive_is_passed_over(&d), cases[i].is_passed_over);
		kinst_directive_free(&d);
	}
}

static void refuses_what_is_none(void **state)
{
	static const char *const texts[] = { "", "  ", " parallel private(a", " for (", " parallel +", " (x)" };

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(texts); i++) {
		struct kinst_directive d;

		print_message("'%s'\n", texts[i]);
		assert_true(kinst_directive_read(&d, texts[i], strlen(texts[i]), 0) != 0);
	}
}

/* A combined directive, and the clauses that PARALLEL and the rest get of it. */
static const struct {
	const char *text, *outer, *inner;
} splits[] = {
	{ "parallel private(a) reduction(+:s) num_threads(4)", " private(a) reduction(+:s)", "" },
	{ "parallel for private(a) firstprivate(b) lastprivate(c) reduction(+:s) schedule(static) num_threads(2) if(x)",
	  " private(a) firstprivate(b) if(x)", " lastprivate(c) reduction(+:s) schedule(static)" },
	{ "parallel for firstprivate(a) lastprivate(a)", "", " firstprivate(a) lastprivate(a)" },
	{ "parallel for default(none) shared(x) lastprivate(conditional: y) linear(z: 2) reduction(*: p[0:n], q)",
	  " default(none) shared(x) shared(y) shared(z) shared(p) shared(q)",
	  " lastprivate(conditional: y) linear(z: 2) reduction(*: p[0:n], q)" },
	{ "parallel for default(none) firstprivate(a) lastprivate(a)", " default(none) shared(a)",
	  " firstprivate(a) lastprivate(a)" },
	{ "parallel for if(parallel: x) collapse(2) ordered(2) proc_bind(close) copyin(t)",
	  " if(parallel: x) proc_bind(close) copyin(t)", " collapse(2) ordered(2)" },
	{ "parallel for simd if(simd: x) if(parallel: y) safelen(4) private(a)", " if(parallel: y)",
	  " if(simd: x) safelen(4) private(a)" },
	{ "parallel for reduction(task, +: s)", " reduction(task, +: s)", "" },
	{ "parallel for allocate(alloc: a, b) firstprivate(a) reduction(+: b)", " firstprivate(a) allocate(alloc:a)",
	  " reduction(+: b) allocate(alloc:b)" },
	{ "parallel sections private(a) lastprivate(b)", " private(a)", " lastprivate(b)" },
	{ "parallel master taskloop firstprivate(a) private(b) grainsize(4) if(x)", " if(x)",
	  " firstprivate(a) private(b) grainsize(4) if(x)" },
	{ "parallel masked filter(1) private(a)", " private(a)", " filter(1)" },
	{ "PARALLEL DO FIRSTPRIVATE(C, 'X') lastprivate(c) PRIVATE(A)", " private(a)",
	  " firstprivate(c, 'X') lastprivate(c)" },
	{ "PARALLEL WORKSHARE REDUCTION(+:S) private(a)", " reduction(+:s) private(a)", "" },
	{ "parallel master reduction(+:s) firstprivate(x) allocate(x)", " reduction(+:s) firstprivate(x) allocate(x)",
	  "" },
	{ "parallel for reduction(omp::plus : s)", "", " reduction(omp::plus : s)" },
};

static void splits_combined(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(splits); i++) {
		struct kinst_text outer = { 0 }, inner = { 0 };
		struct kinst_directive d;

		/* a directive in capitals is Fortran's */
		assert_int_equal(kinst_directive_read(&d, splits[i].text, strlen(splits[i].text),
		                                      *splits[i].text == 'P'),
		                 0);
		kinst_directive_split(&d, &outer, &inner);
		assert_string_equal(outer.data ? outer.data : "", splits[i].outer);
		assert_string_equal(inner.data ? inner.data : "", splits[i].inner);
		kinst_text_free(&outer);
		kinst_text_free(&inner);
		kinst_directive_free(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(reads_names), cmocka_unit_test(passes_over),
		                            cmocka_unit_test(refuses_what_is_none), cmocka_unit_test(splits_combined) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
