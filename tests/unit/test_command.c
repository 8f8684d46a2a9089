/*
 * Command: how kinst reads compilers' command lines.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "opari/command/command.h"
#include "opari/command/command_output.h"
#include "opari/command/machine.h"
#include "runtime/base/array.h"

static void read_line_of(struct kinst_command *command, const char *line, int cxx, int clang)
{
	struct kinst_words words = { 0 };

	kinst_words_split(&words, line);
	assert_int_equal(kinst_command_read(command, &words, cxx, clang), 0);
	kinst_words_free(&words);
}

static void read_line(struct kinst_command *command, const char *line, int cxx)
{
	read_line_of(command, line, cxx, 0);
}

static void test_mode(void **state)
{
	static const struct {
		const char *line;
		enum kinst_mode mode;
		size_t n_sources;
		int openmp;
		const char *output;
	} cases[] = {
		{ "a.c", KINST_LINK, 1, 0, NULL },
		{ "-fopenmp -c a.c b.cc", KINST_COMPILE, 2, 1, NULL },
		{ "-fopenmp -c a.c b.cc -o x", KINST_OTHER, 2, 1, "x" },
		{ "-fopenmp -c a.c b.o -o x", KINST_COMPILE, 1, 1, "x" },
		{ "-fopenmp a.c b.cc -o x", KINST_LINK, 2, 1, "x" },
		{ "-c -S a.c", KINST_ASSEMBLE, 1, 0, NULL },
		{ "-S -c a.c", KINST_ASSEMBLE, 1, 0, NULL },
		{ "-c -E a.c", KINST_OTHER, 1, 0, NULL },
		{ "-M a.c", KINST_OTHER, 1, 0, NULL },
		{ "-MMD -c a.c", KINST_COMPILE, 1, 0, NULL },
		{ "-MF x.d -c a.c", KINST_OTHER, 1, 0, NULL },
		{ "-MT x -MP -c a.cc", KINST_OTHER, 1, 0, NULL },
		{ "-MT x -c a.i", KINST_COMPILE, 1, 0, NULL },
		{ "-MP a.o", KINST_LINK, 0, 0, NULL },
		{ "-MP -Wp,-MD,x.d -c a.c", KINST_COMPILE, 1, 0, NULL },
		{ "-MD -MG -c a.c", KINST_OTHER, 1, 0, NULL },
		{ "-MMD -c a.F90 b.f90", KINST_OTHER, 2, 0, NULL }, /* gfortran wants -cpp for the latter */
		{ "-MD -cpp -c a.F90 b.f90", KINST_COMPILE, 2, 0, NULL },
		{ "--version", KINST_OTHER, 0, 0, NULL },
		{ "-print-file-name=x a.c", KINST_OTHER, 1, 0, NULL },
		{ "-fopenmp -fno-openmp a.o -ofile", KINST_LINK, 0, 0, "file" },
		{ "-fno-openmp -fopenmp=libomp a.o b.a -lm", KINST_LINK, 0, 1, NULL },
		{ "-fopenmp-simd -c a.c", KINST_COMPILE, 1, 0, NULL },
		{ "-include a.c -c b.c", KINST_COMPILE, 1, 0, NULL },
		{ "-MD -I a.c -D b.c -Xlinker c.c -MF d.c -MT e.c -T f.c -z g.c -u h.c -c i.c", KINST_COMPILE, 1, 0,
		  NULL },
		{ "-x c a -x none b", KINST_LINK, 1, 0, NULL },
		{ "-xc++ - -c", KINST_COMPILE, 1, 0, NULL },
		{ "-c a.s b.S c.h d.go", KINST_OTHER, 0, 0, NULL },
		{ "-o", KINST_OTHER, 0, 0, NULL },
		{ "-c a.c -o", KINST_OTHER, 1, 0, NULL },
		{ "-c a.c --output", KINST_OTHER, 1, 0, NULL },
		{ "-c a.c -MD -MF", KINST_OTHER, 1, 0, NULL },
		{ "-c a.c -Iinc", KINST_COMPILE, 1, 0, NULL },
		{ "-Xpreprocessor -fopenmp -c a.c", KINST_COMPILE, 1, 0, NULL },
		{ "-c a.F90 b.for c.f95", KINST_COMPILE, 3, 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct kinst_command command;

		read_line(&command, cases[i].line, 0);
		if (command.mode != cases[i].mode || command.n_sources != cases[i].n_sources ||
		    command.openmp != cases[i].openmp || !command.output != !cases[i].output ||
		    (command.output && strcmp(command.output, cases[i].output)))
			fail_msg("%s: mode %d, %zu sources, openmp %d, output %s", cases[i].line, (int)command.mode,
			         command.n_sources, command.openmp, command.output ? command.output : "none");
		kinst_command_free(&command);
	}
}

static void test_language(void **state)
{
	static const struct {
		const char *line;
		int cxx;
		enum kinst_language language;
		int preprocessed, fixed;
	} cases[] = {
		{ "a.c", 0, KINST_C, 0, 0 },
		{ "a.c", 1, KINST_CXX, 0, 0 },
		{ "a.i", 0, KINST_C, 1, 0 },
		{ "a.ii", 0, KINST_CXX, 1, 0 },
		{ "a.C", 0, KINST_CXX, 0, 0 },
		{ "dir.c/file", 0, KINST_FOREIGN, 0, 0 },
		{ "-xc++ a.c", 0, KINST_CXX, 0, 0 },
		{ "-x c a.c", 1, KINST_C, 0, 0 },
		{ "-x cpp-output a", 0, KINST_C, 1, 0 },
		{ "-x assembler a.c", 0, KINST_FOREIGN, 0, 0 },
		{ "a.f", 0, KINST_FORTRAN, 1, 1 },
		{ "a.F", 0, KINST_FORTRAN, 0, 1 },
		{ "a.f90", 0, KINST_FORTRAN, 1, 0 },
		{ "a.F90", 0, KINST_FORTRAN, 0, 0 },
		{ "a.f90 -cpp", 0, KINST_FORTRAN, 0, 0 },
		{ "a.F90 -nocpp", 0, KINST_FORTRAN, 1, 0 },
		{ "a.f -ffree-form", 0, KINST_FORTRAN, 1, 0 },
		{ "a.f90 -ffixed-form", 0, KINST_FORTRAN, 1, 1 },
		{ "-x f77-cpp-input a", 0, KINST_FORTRAN, 0, 1 },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct kinst_command command;

		read_line(&command, cases[i].line, cases[i].cxx);
		assert_int_equal(command.n_inputs, 1);
		if (command.inputs[0].language != cases[i].language ||
		    command.inputs[0].preprocessed != cases[i].preprocessed ||
		    command.inputs[0].fixed != cases[i].fixed)
			fail_msg("%s: language %d", cases[i].line, (int)command.inputs[0].language);
		kinst_command_free(&command);
	}
}

static void test_output(void **state)
{
	static const struct {
		const char *line, *suffix, *gcc, *clang;
	} cases[] = {
		{ "-c src/a.c", ".d", "a.d", "a.d" },
		{ "-c src/a.c -o obj/z.o", ".d", "obj/z.d", "obj/z.d" },
		{ "-c src/a.c -o obj.x/z", ".d", "obj.x/z.d", "obj.x/z.d" },
		{ "src/a.c src/b.c -o prog", ".d", "prog.d", "prog.d" },
		{ "src/a.c src/b.c -o prog", ".i", "prog-a.i", "a.i" },
		{ "src/b.c", ".d", "a-b.d", "b.d" },
		{ "src/a.c", ".d", "a.d", "a.d" },
		{ "-c src/a.c -o obj/z.o -save-temps", ".i", "obj/z.i", "a.i" },
		{ "-c src/a.c -o obj/z.o -save-temps=obj", ".i", "obj/z.i", "obj/a.i" },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++)
		for (int clang = 0; clang < 2; clang++) {
			struct kinst_command command;
			char *path;

			read_line(&command, cases[i].line, 0);
			path = kinst_command_output(&command, command.inputs, cases[i].suffix, clang);
			assert_string_equal(path, clang ? cases[i].clang : cases[i].gcc);
			free(path);
			kinst_command_free(&command);
		}
}

static void test_split(void **state)
{
	static const char *const want[] = { "a b", "c'd", "", "e\\f", "\"g", "h" };
	struct kinst_words words = { 0 };

	(void)state;
	kinst_words_split(&words, " \"a b\"\tc\\'d '' 'e\\f'\n\\\"g h");
	assert_int_equal(words.n, OMPP_COUNT_OF(want));
	for (size_t i = 0; i < words.n; i++)
		assert_string_equal(words.items[i], want[i]);
	kinst_words_free(&words);
}

/* Every word gets its class and keeps its value; no word is lost, and their order stays. */
static void test_words(void **state)
{
	static const char line[] = "-I inc -DX=1 -o out a.c -lm -Wl,-z,now -L lib -O2 -MD -MF f -J mods -save-temps";
	struct kinst_words words = { 0 };
	struct kinst_command command;

	(void)state;
	kinst_words_split(&words, line);
	read_line(&command, line, 0);
	assert_int_equal(command.n_words, words.n);
	for (size_t i = 0; i < words.n; i++)
		assert_string_equal(command.words[i].text, words.items[i]);
	assert_int_equal(command.words[1].class, KINST_WORD_FOLDER);
	assert_int_equal(command.words[4].class, KINST_WORD_OUTPUT);
	assert_int_equal(command.words[5].class, KINST_WORD_INPUT);
	assert_int_equal(command.words[9].class, KINST_WORD_LINK);
	assert_int_equal(command.words[10].class, KINST_WORD_REST);
	assert_int_equal(command.words[13].class, KINST_WORD_DEPEND);
	kinst_command_free(&command);
	kinst_words_free(&words);
}

/* A word that clang's driver hands on (-Xclang) has the class that it would have by itself. */
static void test_xclang(void **state)
{
	struct kinst_command command;

	(void)state;
	read_line(&command,
	          "-Xclang -include-pch -Xclang a.pch -Xclang -Iq -Xclang -isystem -Xclang f -Xclang -fx -c a.c", 0);
	for (int i = 0; i < 14; i++)
		assert_int_equal(command.words[i].class, i < 4    ? KINST_WORD_PREPROCESS
		                                         : i < 10 ? KINST_WORD_FOLDER
		                                         : i < 12 ? KINST_WORD_REST
		                                         : i < 13 ? KINST_WORD_MODE
		                                                  : KINST_WORD_INPUT);
	kinst_command_free(&command);
}

/* -fopenmp by way of -Xclang or -Xpreprocessor is clang's own, whatever the driver is told; as a value of another
 * option it is none. */
static void test_handed_openmp(void **state)
{
	static const struct {
		const char *line;
		int openmp;
	} cases[] = {
		{ "-Xclang -fopenmp -c a.c", 1 },
		{ "-Xpreprocessor -fopenmp -c a.c", 1 },
		{ "-Xclang -fopenmp -fno-openmp -c a.c", 1 },
		{ "-Xclang -include -Xclang -fopenmp -c a.c", 0 },
		{ "-Xclang -fopenmp-simd -c a.c", 0 },
		{ "-Xlinker -fopenmp -c a.c", 0 },
		{ "-o -Xpreprocessor -c a.c", 0 },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct kinst_command command;

		read_line_of(&command, cases[i].line, 0, 1);
		if (command.openmp != cases[i].openmp || command.mode != KINST_COMPILE)
			fail_msg("%s: openmp %d, mode %d", cases[i].line, command.openmp, (int)command.mode);
		if (i < 3)
			assert_int_equal(command.words[1].class, KINST_WORD_REST);
		kinst_command_free(&command);
	}
}

/* Behind clang's "--" all words are inputs, and the word itself is none. */
static void test_end_of_options(void **state)
{
	static const struct {
		const char *line;
		enum kinst_mode mode;
		size_t n_inputs, n_sources;
	} cases[] = {
		{ "-c -- a.c", KINST_COMPILE, 1, 1 },    { "-- a.c b.o c.cc", KINST_LINK, 3, 2 },
		{ "-x c -c -- -", KINST_COMPILE, 1, 1 }, { "-c a.c --", KINST_COMPILE, 1, 1 },
		{ "-c -o -- a.c", KINST_COMPILE, 1, 1 }, /* it is the name of the output */
		{ "-c -- -o.c", KINST_OTHER, 1, 1 },     { "-c -- --compile a.c", KINST_OTHER, 2, 1 },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct kinst_command command;

		read_line_of(&command, cases[i].line, 0, 1);
		if (command.mode != cases[i].mode || command.n_inputs != cases[i].n_inputs ||
		    command.n_sources != cases[i].n_sources)
			fail_msg("%s: mode %d, %zu inputs, %zu sources", cases[i].line, (int)command.mode,
			         command.n_inputs, command.n_sources);
		for (size_t k = 0; k < command.n_inputs; k++)
			assert_int_equal(command.words[command.inputs[k].word].class, KINST_WORD_INPUT);
		for (size_t k = 0; k < command.n_words; k++)
			assert_true(strcmp(command.words[k].text, "--") != 0 ||
			            command.words[k].class == KINST_WORD_OUTPUT);
		kinst_command_free(&command);
	}
}

/* ---- machines ---- */

/* Writes what a file of a machine begins with, as it is or as the first one of an archive. */
static void put_library(const char *path, int machine, int is_most_first, int is_archive)
{
	unsigned char bytes[256] = "!<arch>\nname/           0           ";
	unsigned char *elf = bytes + (is_archive ? 68 : 0);
	FILE *file = fopen(path, "wb");

	memset(elf, 0, 64);
	memcpy(elf, ELFMAG, SELFMAG);
	elf[EI_DATA] = is_most_first ? ELFDATA2MSB : ELFDATA2LSB;
	elf[offsetof(Elf64_Ehdr, e_machine) + (is_most_first ? 1 : 0)] = (unsigned char)machine;
	elf[offsetof(Elf64_Ehdr, e_machine) + (is_most_first ? 0 : 1)] = (unsigned char)(machine >> 8);
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, sizeof(bytes), 1, file), 1);
	fclose(file);
}

/* A library is for another machine than a compiler, whatever order of bytes either has. */
static void test_machines(void **state)
{
	static const struct {
		const char *name;
		int number;
	} machines[] = { { "x86_64-linux-gnu", 62 },       { "aarch64-linux-gnu", 183 },  { "arm-linux-gnueabihf", 40 },
		         { "i686-linux-gnu", 3 },          { "powerpc64-linux-gnu", 21 }, { "riscv64-linux-gnu", 243 },
		         { "loongarch64-linux-gnu", 258 }, { "s390x-linux-gnu", 22 },     { "mips64-linux-gnu", 8 },
		         { "sparc64-linux-gnu", 43 },      { "x86_64-w64-mingw32", -1 } };
	char folder[] = "/tmp/test_command.XXXXXX", path[64];
	struct kinst_command command = { 0 };

	(void)state;
	assert_non_null(mkdtemp(folder));
	for (size_t way = 0; way < 4; way++)
		for (size_t have = 0; have + 1 < OMPP_COUNT_OF(machines); have++) {
			snprintf(path, sizeof(path), "%s/libompp.%s", folder, way & 1 ? "a" : "so");
			put_library(path, machines[have].number, way >> 1, way & 1);
			for (size_t asked = 0; asked < OMPP_COUNT_OF(machines); asked++) {
				struct kinst_compiler compiler = { .target = (char *)machines[asked].name };
				char *other = kinst_machine_other(&compiler, &command, folder);

				if (asked == have)
					assert_null(other);
				else
					assert_string_equal(other, machines[asked].name);
				free(other);
			}
			assert_int_equal(remove(path), 0);
		}
	assert_int_equal(rmdir(folder), 0);
}

/* Which options have their value in the next word depends on the compiler. */
static void test_next_words(void **state)
{
	static const struct {
		const char *line;
		int clang;
		size_t n_inputs;
	} cases[] = {
		{ "b.c -dumpdir obj/ -c", 0, 1 },       { "b.c -dumpdir obj/ -c", 14, 2 },
		{ "b.c -dumpdir obj/ -c", 17, 1 },      { "-c -dumpbase b.c", 0, 0 },
		{ "-c -dumpbase b.c", 14, 1 },          { "-c -dumpbase b.c", 17, 1 },
		{ "-c b.c -dumpbase-ext .c", 0, 1 },    { "-c b.c -dumpbase-ext .c", 17, 2 },
		{ "-c b.c -dumpdir --output o", 0, 2 }, { "-c b.c -dumpdir --output o", 14, 1 },
	};
	static const struct {
		const char *word;
		int clang, takes;
	} words[] = {
		{ "-o", 0, 1 },         { "-ox", 0, 0 },       { "--output", 0, 1 },
		{ "--output=x", 0, 0 }, { "-Xlinker", 14, 1 }, { "--for-linker", 0, 1 },
		{ "--access", 0, 0 },   { "a.c", 0, 0 },       { "--entry", 0, 1 },
		{ "--entry", 14, 0 },   { "-dumpdir", 14, 0 }, { "-dumpdir", 17, 1 },
		{ "-c", 0, 0 },         { "o", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		struct kinst_command command;

		read_line_of(&command, cases[i].line, 0, cases[i].clang);
		assert_int_equal(command.n_inputs, cases[i].n_inputs);
		kinst_command_free(&command);
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(words); i++)
		assert_int_equal(kinst_command_takes_next(words[i].word, words[i].clang), words[i].takes);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machines),       cmocka_unit_test(test_mode),
		cmocka_unit_test(test_language),       cmocka_unit_test(test_output),
		cmocka_unit_test(test_split),          cmocka_unit_test(test_words),
		cmocka_unit_test(test_xclang),         cmocka_unit_test(test_handed_openmp),
		cmocka_unit_test(test_end_of_options), cmocka_unit_test(test_next_words)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
