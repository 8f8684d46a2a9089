/*
 * Skeleton: an opari2 that changes nothing gives the text back, token for token except for the braces; an opari2 that
 * loses a part is found out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "opari/opari2/skeleton.h"
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
	                          "static OPARI2_Region_handle opari2_region_1 = (OPARI2_Region_handle)0;\n"
	                          "void POMP2_Init_reg_x_1()\n{\n}\n");
	kinst_text_puts(&out, "use(opari2_ctc_1);\n");
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
	assert_non_null(strstr(emitted.text.data,
	                       "use(\"68*regionType=x*sscl=/x/a b.c:5:5*escl=/x/a b.c:6:6*criticalName=n**\");"));
	assert_int_equal(emitted.constructs[0].is_measured, 1);
	assert_null(strstr(emitted.text.data, "__kinst_"));
	assert_null(strstr(emitted.text.data, "\"/0.")); /* lines are those of the user's files again */
	kinst_text_free(&out);
	kinst_text_free(&include);
	kinst_emitted_free(&emitted);
	kinst_skeleton_free(skeleton);
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

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(test_round), cmocka_unit_test(test_lost),
		                                   cmocka_unit_test(test_nothing) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
