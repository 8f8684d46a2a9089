/*
 * Skeleton: an opari2 that changes nothing gives the text back, token for token except for the braces; an opari2 that
 * loses a part is found out.  In Fortran: which directives opari2 is shown, in which order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "opari/opari2/skeleton.h"
#include "opari/opari2/skeleton_fortran.h"
#include "runtime/base/array.h"

static const char source[] =
	"# 1 \"a b.c\"\n# 1 \"/x//\"\nint f(void);\n# 1 \"h.h\" 1 3\nextern void omp_set_lock(int *);\n# 3 "
	"\"a b.c\" 2\n"
	"int g(int *l)\n{\n#pragma omp parallel\n\tif (*l) f(); else omp_set_lock(l); return 1;\n}\n";

static const struct kinst_emit_options options = { .openmp = 1, .locks = 1, .directory = "/x" };
static struct kinst_emitted emitted;

static struct kinst_skeleton *cut(const char *text)
{
	emitted = (struct kinst_emitted){ 0 };
	return kinst_skeleton_new(text, strlen(text), &options, &emitted);
}

/* Returns what opari2 would write: the skeleton with its include in place of the mark. */
static struct kinst_text answer(const struct kinst_skeleton *skeleton)
{
	static const char mark[] = "___POMP2_INCLUDE___";
	struct kinst_text out = { 0 };

	kinst_text_puts(&out, "#include \"text.c.opari.inc\"");
	kinst_text_puts(&out, kinst_skeleton_text(skeleton)->data + strlen(mark));
	return out;
}

static void test_round(void **state)
{
	struct kinst_skeleton *skeleton = cut(source);
	struct kinst_text out, include = { 0 };

	(void)state;
	assert_non_null(skeleton);
	/* opari2 sees neither names nor code */
	assert_null(strstr(kinst_skeleton_text(skeleton)->data, "lock"));
	assert_null(strstr(kinst_skeleton_text(skeleton)->data, "a b.c"));
	out = answer(skeleton);
	kinst_text_puts(&include, "#define opari2_ctc_1 "
	                          "\"28*regionType=x*sscl=/0.4:5:5*escl=/0.4:6:6*hasIf=1*criticalName=n**\"\n"
	                          "#define opari2_ctc_2 42\n"
	                          "#define opari2_ctc_3 \"9*regionType=x*sscl=/99.4:5:5*escl=/99.4:6:6**\"\n"
	                          "static OPARI2_Region_handle opari2_region_1 = (OPARI2_Region_handle)0;\n"
	                          "void POMP2_Init_reg_x_1()\n{\n}\n");
	kinst_text_puts(&out, "use(opari2_ctc_1);\nuse(opari2_ctc_2, opari2_ctc_3);\n");
	assert_int_equal(kinst_skeleton_expand(skeleton, &out, &include), 0);
	/* the head stays first; the declaration in the header stays; the call becomes ours; the if keeps both
	 * branches */
	assert_true(kinst_begins(emitted.text.data, "# 1 \"a b.c\"\n# 1 \"/x//\"\n"));
	assert_non_null(strstr(emitted.text.data, "extern void omp_set_lock(int *);"));
	assert_non_null(strstr(emitted.text.data, "if (*l) f(); else POMP2_Set_lock(l);\n"));
	assert_non_null(
		strstr(emitted.text.data, "static OPARI2_Region_handle opari2_region_1 = (OPARI2_Region_handle)0;\n"));
	assert_null(strstr(emitted.text.data, "POMP2_Init_reg"));
	/* the numbers become the full name, the end is the construct's, and the length follows, its own digits among
	 * it; what opari2 says of clauses that it was not shown goes */
	assert_non_null(
		strstr(emitted.text.data,
	               "use(\"77*regionType=x*sscl=/x/a b.c:5:5*escl=/x/a b.c:6:6*criticalName=n*number=1**\");"));
	/* what is no context string of a site stays as it is */
	assert_non_null(strstr(emitted.text.data, "use(42, \"9*regionType=x*sscl=/99.4:5:5*escl=/99.4:6:6**\");"));
	assert_int_equal(emitted.constructs[0].is_measured, 1);
	assert_null(strstr(emitted.text.data, "__kinst_"));
	assert_null(strstr(emitted.text.data, "\"/0.")); /* lines are those of the user's files again */
	kinst_text_free(&out);
	kinst_text_free(&include);
	kinst_emitted_free(&emitted);
	kinst_skeleton_free(skeleton);
}

/* A context string has the clauses of its construct, which opari2 is not shown, and no others. */
static void test_clauses(void **state)
{
	static const struct {
		const char *pragma, *clauses;
	} cases[] = {
		{ "parallel num_threads(2) if(*l)", "*criticalName=n*clauses=num_threads(2) if*number=1**\"" },
		{ "for schedule(dynamic, 4) nowait",
		  "*criticalName=n*clauses=schedule(dynamic, 4) nowait*number=1**\"" },
		{ "single copyprivate(x)", "*criticalName=n*ownBarrier=1*clauses=copyprivate*number=1**\"" },
		{ "parallel", "*criticalName=n*number=1**\"" },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct kinst_text text = { 0 }, out, include = { 0 };
		struct kinst_skeleton *skeleton;

		kinst_text_printf(&text, "# 1 \"a.c\"\nint g(int *l)\n{\n#pragma omp %s\n\tfor (;;) f();\n}\n",
		                  cases[i].pragma);
		skeleton = cut(text.data);
		assert_non_null(skeleton);
		out = answer(skeleton);
		kinst_text_puts(&include, "#define opari2_ctc_1 "
		                          "\"28*regionType=x*sscl=/0.4:3:3*escl=/0.4:4:4*criticalName=n**\"\n");
		kinst_text_puts(&out, "use(opari2_ctc_1);\n");
		assert_int_equal(kinst_skeleton_expand(skeleton, &out, &include), 0);
		if (!strstr(emitted.text.data, cases[i].clauses))
			fail_msg("%s: no %s in %s", cases[i].pragma, cases[i].clauses, emitted.text.data);
		kinst_text_free(&text);
		kinst_text_free(&out);
		kinst_text_free(&include);
		kinst_emitted_free(&emitted);
		kinst_skeleton_free(skeleton);
	}
}

/* A user region ends at the pragma in the line that opari2 tells, however many regions are open there. */
static void test_user_regions(void **state)
{
	enum { REGIONS = 3 };

	(void)state;
	for (unsigned int i = 0; i < REGIONS; i++) {
		unsigned int begin = 3 + i, end = 2 + 2 * REGIONS + 1 - i;
		struct kinst_text text = { 0 }, out, include = { 0 };
		struct kinst_skeleton *skeleton;
		char want[96];

		kinst_text_puts(&text, "# 1 \"a.c\"\nvoid g(int *l)\n{\n");
		for (int k = 0; k < REGIONS; k++)
			kinst_text_printf(&text, "#pragma pomp inst begin(r%d)\n", k);
		kinst_text_puts(&text, "\t(*l)++;\n");
		for (int k = REGIONS - 1; k >= 0; k--)
			kinst_text_printf(&text, "#pragma pomp inst end(r%d)\n", k);
		kinst_text_puts(&text, "}\n");
		skeleton = cut(text.data);
		assert_non_null(skeleton);
		out = answer(skeleton);
		kinst_text_printf(&include,
		                  "#define opari2_ctc_1 "
		                  "\"28*regionType=userRegion*sscl=/%u.%u:%u:%u*escl=/%u.%u:%u:%u**\"\n",
		                  i, begin, begin, begin, i, begin, end, end);
		kinst_text_puts(&out, "use(opari2_ctc_1);\n");
		assert_int_equal(kinst_skeleton_expand(skeleton, &out, &include), 0);
		snprintf(want, sizeof(want), "*sscl=/x/a.c:%u:%u*escl=/x/a.c:%u:%u*", begin, begin, end, end);
		if (!strstr(emitted.text.data, want))
			fail_msg("region %u: no %s in %s", i, want, emitted.text.data);
		kinst_text_free(&text);
		kinst_text_free(&out);
		kinst_text_free(&include);
		kinst_emitted_free(&emitted);
		kinst_skeleton_free(skeleton);
	}
}

static void test_lost(void **state)
{
	struct kinst_text include = { 0 };

	(void)state;
	kinst_text_puts(&include, "");
	for (int how = 0; how < 3; how++) {
		struct kinst_skeleton *skeleton = cut(source);
		struct kinst_text out = answer(skeleton);
		char *word = strstr(out.data, "__kinst_1;");

		assert_non_null(word);
		if (how == 0)
			memset(word, ' ', strlen("__kinst_1;"));
		else if (how == 1)
			kinst_text_puts(&out, "__kinst_1;\n");
		else
			out.data[0] = ' '; /* spoil the include */
		assert_true(kinst_skeleton_expand(skeleton, &out, &include) < 0);
		kinst_text_free(&out);
		kinst_emitted_free(&emitted);
		kinst_skeleton_free(skeleton);
	}
	kinst_text_free(&include);
}

static void test_nothing(void **state)
{
	static const char *const texts[] = {
		"",
		"int x;\n",
		"// #pragma omp parallel\n",
		"char *s = \"#pragma omp barrier\";",
		"int omp_x(void);",
		"#pragma omp simd\nfor (;;) ;",
		"void omp_set_lock(void *);\n",
		"int y = a.omp_set_lock(b);",
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(texts); i++) {
		struct kinst_skeleton *skeleton = cut(texts[i]);

		if (kinst_skeleton_has_sites(skeleton) || emitted.n_calls)
			fail_msg("%s: something is found", texts[i]);
		kinst_skeleton_free(skeleton);
		kinst_emitted_free(&emitted);
	}
}

/* Statements of Fortran, and the directives that opari2 is shown of them, each with a line end. */
static const struct {
	const char *text, *shown;
} pieces[] = {
	{ "call f\n", "" },
	{ "!$omp taskyield\n", "" },
	{ "!$omp simd\ndo i = 1, 3\nx = i\nend do\n", "" },
	{ "!$omp simd\ndo i = 1, 3\n!$omp ordered simd\nx = i\n!$omp end ordered\nend do\n!$omp end simd\n", "" },
	{ "!$omp taskloop\ndo i = 1, 3\ncall f\nend do\n", "" },
	{ "!$omp flush\n", "!$omp flush\n" },
	{ "!$omp barrier\n", "!$omp barrier\n" },
	{ "!$omp taskwait\n", "!$omp taskwait\n" },
	{ "!$omp atomic\nx = x + 1\n", "!$omp atomic\n" },
	{ "!$omp do\ndo i = 1, 3\ncall f\nend do\n", "!$omp do\n!$omp end do\n" },
	{ "!$omp do\ndo i = 1, 3\n!$omp taskyield\nend do\n!$omp end do\n", "!$omp do\n!$omp end do\n" },
	{ "!$omp task\ncall f\n!$omp end task\n", "!$omp task\n!$omp end task\n" },
	{ "!$omp sections\n!$omp section\ncall f\n!$omp section\ncall g\n!$omp end sections\n",
	  "!$omp sections\n!$omp section\n!$omp section\n!$omp end sections\n" },
	{ "!$omp master\n!$omp taskyield\ncall f\n!$omp end master\n", "!$omp master\n!$omp end master\n" },
};

/* Keeps the directives of a skeleton. */
static struct kinst_text directives_of(const char *skeleton)
{
	struct kinst_text found = { 0 };

	kinst_text_puts(&found, "");
	for (const char *line = skeleton, *end; (end = strchr(line, '\n')); line = end + 1)
		if (kinst_begins(line, "!$omp"))
			kinst_text_add(&found, line, (size_t)(end + 1 - line));
	return found;
}

static void test_fortran(void **state)
{
	static const struct kinst_emit_options fortran = { .openmp = 1, .directory = "/x", .file = "a.f90" };

	(void)state;
	srand(1);
	for (int round = 0; round < 500; round++) {
		struct kinst_text text = { 0 }, shown = { 0 }, found;
		struct kinst_emitted all = { 0 };
		struct kinst_fortran_skeleton *skeleton;

		kinst_text_puts(&text, "subroutine s\n");
		kinst_text_puts(&shown, "");
		for (int n = rand() % 6; n >= 0; n--) {
			size_t i = (size_t)rand() % OMPP_COUNT_OF(pieces);
			int is_inside = rand() % 2;

			kinst_text_puts(&text, is_inside ? "!$omp parallel\ncall g\n" : "");
			kinst_text_puts(&text, pieces[i].text);
			kinst_text_puts(&text, is_inside ? "!$omp end parallel\n" : "");
			kinst_text_puts(&shown, is_inside ? "!$omp parallel\n" : "");
			kinst_text_puts(&shown, pieces[i].shown);
			kinst_text_puts(&shown, is_inside ? "!$omp end parallel\n" : "");
		}
		kinst_text_puts(&text, "end subroutine\n");
		skeleton = kinst_fortran_skeleton_new(text.data, text.length, &fortran, &all);
		found = directives_of(kinst_fortran_skeleton_text(skeleton)->data);
		if (strcmp(found.data, shown.data))
			fail_msg("of\n%sopari2 is shown\n%sin place of\n%s", text.data, found.data, shown.data);
		assert_int_equal(!!kinst_fortran_skeleton_has_sites(skeleton), shown.length > 0);
		kinst_fortran_skeleton_free(skeleton);
		kinst_emitted_free(&all);
		kinst_text_free(&found);
		kinst_text_free(&shown);
		kinst_text_free(&text);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round),   cmocka_unit_test(test_clauses),      cmocka_unit_test(test_lost),
		cmocka_unit_test(test_nothing), cmocka_unit_test(test_user_regions), cmocka_unit_test(test_fortran)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
