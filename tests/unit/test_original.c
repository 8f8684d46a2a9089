/*
 * Original: what compilers get in place of a source with directives of ours, by files that are made here: gcc the other
 * pragmas that it does not know, clang copies of the files with blanks, and gfortran a text without the directives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "opari/base/temp.h"
#include "opari/source/original.h"
#include "runtime/base/array.h"

static char folder[] = "/tmp/test_original.XXXXXX";
static struct kinst_command command;
static struct kinst_original original;
static const struct kinst_compiler gcc, clang = { .clang = 1 };

static const char main_text[] = "int x;\n"
				"  #pragma pomp inst begin(a) \\\n"
				"  \n"
				"#pragma omp parallel\n"
				"#pragma omp inst data(x)\n"
				"#pragma others\n";
static const char main_blank[] = "int x;\n"
				 "                              \n"
				 "  \n"
				 "#pragma omp parallel\n"
				 "                        \n"
				 "#pragma others\n";
/* as the preprocessor writes them, which removes the continued line */
static const char preprocessed[] = "# 1 \"a \\\"b\\\".c\"\n"
				   "int x;\n"
				   "#pragma pomp inst begin(a)\n"
				   "\n"
				   "#pragma omp parallel\n"
				   "#pragma omp inst data(x)\n"
				   "#pragma others\n"
				   "# 1 \"h.h\" 1\n"
				   "#pragma STDC FP_CONTRACT OFF\n"
				   "#pragma GCC diagnostic ignored \"-Wunknown-pragmas\"\n"
				   "#pragma GCC ivdep\n"
				   "# 7 \"a \\\"b\\\".c\" 2\n"
				   "int y;\n";

static void put_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0 && !fclose(file));
}

static struct kinst_text text_of(const char *text)
{
	struct kinst_text t = { 0 };

	kinst_text_puts(&t, text);
	return t;
}

static char *contents(const char *path)
{
	struct kinst_text t = { 0 };

	assert_non_null(path);
	assert_int_equal(kinst_read_file(path, &t), 0);
	return t.data;
}

static void find(const char *options, const struct kinst_compiler *compiler, const char *source)
{
	struct kinst_words words = { 0 };
	struct kinst_text text = text_of(source);

	kinst_words_split(&words, options);
	assert_int_equal(kinst_command_read(&command, &words, 0, 0), 0);
	assert_int_equal(command.n_inputs, 1);
	memset(&original, 0, sizeof(original));
	kinst_original_find(&original, &text, &command.inputs[0], compiler, &command);
	kinst_text_free(&text);
	kinst_words_free(&words);
	kinst_command_free(&command);
}

static int start(void **state)
{
	(void)state;
	if (!mkdtemp(folder) || chdir(folder))
		return -1;
	put_file("a \"b\".c", main_text);
	return setenv("PWD", folder, 1);
}

static int stop(void **state)
{
	(void)state;
	kinst_temp_remove();
	unlink("a \"b\".c");
	return chdir("/") || rmdir(folder);
}

static void contains(const char *path, const char *expected)
{
	char *text = contents(path);

	assert_string_equal(text, expected);
	free(text);
}

/* gcc is not asked about unknown pragmas, and gets the others in a text of their own, if it is to warn of them. */
static void test_gcc(void **state)
{
	(void)state;
	find("-fopenmp -c 'a \"b\".c'", &gcc, preprocessed);
	assert_null(original.text);
	assert_null(original.others);
	assert_int_equal(original.words.n, 1);
	assert_string_equal(original.words.items[0], "-Wno-unknown-pragmas");
	kinst_original_free(&original);
	find("-Wall -w -fopenmp -c 'a \"b\".c'", &gcc, preprocessed);
	assert_null(original.others);
	kinst_original_free(&original);
	find("-Wall -fopenmp -c 'a \"b\".c'", &gcc, preprocessed);
	contains(original.others, "# 1 \"a \\\"b\\\".c\" 3\nextern int __kinst_others;\n"
	                          "# 6 \"a \\\"b\\\".c\"\n#pragma others\n"
	                          "# 2 \"h.h\"\n#pragma GCC diagnostic ignored \"-Wunknown-pragmas\"\n");
	kinst_original_free(&original);
	find("-Wunknown-pragmas -c 'a \"b\".c'", &gcc, preprocessed);
	contains(original.others, "# 1 \"a \\\"b\\\".c\" 3\nextern int __kinst_others;\n"
	                          "# 4 \"a \\\"b\\\".c\"\n#pragma omp parallel\n"
	                          "# 6 \"a \\\"b\\\".c\"\n#pragma others\n"
	                          "# 2 \"h.h\"\n#pragma GCC diagnostic ignored \"-Wunknown-pragmas\"\n");
	kinst_original_free(&original);
}

/* A text that only mentions our words has nothing of ours; each spelling alone is enough. */
static void test_ours(void **state)
{
	static const struct {
		const char *text;
		int is_ours;
	} cases[] = {
		{ "int pomp, inst;\n#pragma omp parallel\n", 0 },
		{ "#pragma omp inst data(x)\n", 1 },
		{ "#pragma pomp inst begin(a)\n", 1 },
		{ "char *s = \"#pragma pomp inst begin(a)\";\n", 0 },
		{ "", 0 },
	};
	static const struct {
		const char *text;
		int is_ours;
	} fortran[] = {
		{ "!$omp inst data(x)\n", 1 },
		{ "!$pomp inst begin(a)\n", 1 },
		{ "!$omp parallel\ninst = pomp\n", 0 },
	};
	struct kinst_input input = { .language = KINST_C };

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct kinst_text text = text_of(cases[i].text);

		assert_int_equal(kinst_original_has_ours(&text, &input), cases[i].is_ours);
		find("-Wall -c a.c", &gcc, cases[i].text);
		assert_int_equal(original.words.n, cases[i].is_ours);
		kinst_original_free(&original);
		kinst_text_free(&text);
	}
	input.language = KINST_FORTRAN;
	for (size_t i = 0; i < OMPP_COUNT_OF(fortran); i++) {
		struct kinst_text text = text_of(fortran[i].text);

		memset(&original, 0, sizeof(original));
		assert_int_equal(kinst_original_has_ours(&text, &input), fortran[i].is_ours);
		kinst_text_free(&text);
	}
}

/* gfortran gets a text without our directives, whose lines are those of the source. */
static void test_fortran(void **state)
{
	struct kinst_text text = text_of("x = 1\n!$omp inst data(x)\nend\n");
	struct kinst_text marked = text_of("# 1 \"a.f90\"\nx = 1\n!$omp inst data(x)\nend\n");

	(void)state;
	for (int i = 0; i < 2; i++) {
		memset(&original, 0, sizeof(original));
		kinst_original_find_fortran(&original, i ? &marked : &text, "a.f90", 0);
		contains(original.text, "# 1 \"a.f90\"\nx = 1\n! omp inst data(x)\nend\n");
		kinst_original_free(&original);
	}
	kinst_text_free(&text);
	kinst_text_free(&marked);
}

/* clang gets the user's files with blanks of the same size; a directive that stands in no line of its file, as a macro
 * has it, is taken out of the preprocessed text. */
static void test_clang(void **state)
{
	static const char from_macro[] =
		"# 1 \"a \\\"b\\\".c\"\nint x;\n\n#pragma pomp inst begin(b)\n#pragma omp for\n";
	char *overlay, *at, path[200];

	(void)state;
	find("-fopenmp -c 'a \"b\".c'", &clang, preprocessed);
	assert_null(original.text);
	assert_null(original.others);
	assert_int_equal(original.words.n, 2);
	assert_string_equal(original.words.items[0], "-ivfsoverlay");
	overlay = contents(original.words.items[1]);
	assert_non_null(strstr(overlay, folder));
	assert_non_null(strstr(overlay, "\"name\": \"a \\\"b\\\".c\", \"external-contents\": \""));
	at = strstr(overlay, "external-contents\": \"") + strlen("external-contents\": \"");
	*strstr(at, "a \\\"b") = '\0';
	snprintf(path, sizeof(path), "%sa \"b\".c", at);
	contains(path, main_blank);
	free(overlay);
	kinst_original_free(&original);
	find("-fopenmp -c 'a \"b\".c'", &clang, from_macro);
	assert_int_equal(original.words.n, 3); /* clang only warns of pomp */
	assert_string_equal(original.words.items[2], "-Wno-unknown-pragmas");
	kinst_original_free(&original);
	find("-fopenmp -c 'a \"b\".i'", &clang, from_macro);
	assert_int_equal(original.words.n, 0);
	contains(original.text, "# 1 \"a \\\"b\\\".c\"\nint x;\n\n                          \n#pragma omp for\n");
	kinst_original_free(&original);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gcc),
		cmocka_unit_test(test_ours),
		cmocka_unit_test(test_fortran),
		cmocka_unit_test(test_clang),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
