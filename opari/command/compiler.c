/*
 * Compiler: see compiler.h.
 */
#include "opari/command/compiler.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opari/base/process.h"
#include "runtime/base/array.h"
#include "runtime/base/checksum.h"

#define MAX_LAUNCHERS 4

/* Returns the line of an answer that begins with `start`, and its length; NULL when there is none. */
static const char *line_of(const char *answer, const char *start, size_t *length)
{
	const char *line = strstr(answer, start);

	if (line)
		*length = strcspn(line + 1, "\n");
	return line ? line + 1 : NULL;
}

/* Names a build of a compiler by its version and a checksum of its description of how it was built.  The name has no
 * character that the names of plug-ins cannot have. */
static char *name_build(const char *answer, int clang)
{
	static const char *const of_gcc[] = { "\nTarget: ", "\nConfigured with: ", "\ngcc version ", NULL };
	static const char *const of_clang[] = { "\nTarget: ", NULL };
	static const char version[] = "clang version ";
	uint64_t sum = OMPP_CHECKSUM_START;
	const char *line = clang ? strstr(answer, version) : NULL;
	size_t length = 0;
	char *name;

	if (line) /* distributors add words before and after the version */
		sum = ompp_checksum(sum, line, strcspn(line, "\n"));
	for (const char *const *start = clang ? of_clang : of_gcc; *start; start++) {
		const char *found = line_of(answer, *start, &length);

		if (!found)
			return NULL;
		sum = ompp_checksum(sum, found, length);
		line = clang ? line : found;
	}
	line += strlen(clang ? version : "gcc version ");
	name = kinst_format("%s%.*s_%016llx", clang ? "clang_" : "", (int)strspn(line, "0123456789."), line,
	                    (unsigned long long)sum);
	for (char *dot = name; (dot = strchr(dot, '.'));)
		*dot = '_';
	return name;
}

/* Returns 1 for an answer of flang, also as flang-new; what hands its text to another compiler names no target. */
static int is_flang(const char *answer)
{
	return (strstr(answer, "flang version ") || strstr(answer, "flang-new version ")) &&
	       strstr(answer, "\nTarget: ");
}

/* Returns the compiler and its version: "gcc 12.2.0". */
static char *name_version(const char *answer, const struct kinst_compiler *compiler)
{
	const char *number = strstr(answer, " version ") + strlen(" version ");

	if (!compiler->clang)
		number = strstr(answer, "\ngcc version ") + strlen("\ngcc version ");
	return kinst_format("%s %.*s",
	                    compiler->flang   ? "flang"
	                    : compiler->clang ? "clang"
	                                      : "gcc",
	                    (int)strspn(number, "0123456789."), number);
}

/* Runs the words with `-v` to see whether they are gcc, clang or flang.  Returns 1 when they are, and 0 otherwise. */
static int compiler_recognise(struct kinst_compiler *compiler, const struct kinst_words *words)
{
	struct kinst_words question = { 0 };
	struct kinst_text answer = { 0 }, rest = { 0 };
	struct kinst_run run = { .words = &question, .out = &rest, .err = &answer, .in = -1, .in_english = 1 };
	const char *name = kinst_basename(words->items[words->n - 1]), *driver, *target;
	int status, known = 0;
	size_t length = 0;

	kinst_words_append(&question, words);
	kinst_words_add(&question, "-v");
	kinst_text_puts(&answer, "\n");
	status = kinst_process_run(&run);
	if (status >= 0) {
		compiler->flang = is_flang(answer.data);
		compiler->clang = compiler->flang || strstr(answer.data, "clang version ");
		compiler->x86 = strstr(answer.data, "\nTarget: x86_64") || strstr(answer.data, "\nTarget: i");
		target = line_of(answer.data, "\nTarget: ", &length);
		known = compiler->clang || strstr(answer.data, "\ngcc version ");
		compiler->build = known && !compiler->flang ? name_build(answer.data, compiler->clang) : NULL;
		compiler->version = known ? name_version(answer.data, compiler) : NULL;
		if (known && target)
			compiler->target = kinst_strndup(target + 8, length - 8);
		compiler->cxx = strstr(name, "++") || kinst_ends(name, "xx") || kinst_ends(name, "CC");
		driver = strstr(answer.data, "\nCOLLECT_GCC=");
		if (driver)
			compiler->cxx = memmem(driver, strcspn(driver + 1, "\n") + 1, "++", 2) != NULL;
	}
	kinst_words_free(&question);
	kinst_text_free(&answer);
	kinst_text_free(&rest);
	return known;
}

int kinst_is_program(const char *name)
{
	const char *path = getenv("PATH");
	int found = 0;

	if (strchr(name, '/'))
		return !access(name, X_OK);
	for (; path && *path && !found; path += strcspn(path, ":"), path += *path == ':') {
		char *file = kinst_format("%.*s/%s", (int)strcspn(path, ":"), path, name);

		found = !access(file, X_OK);
		free(file);
	}
	return found;
}

int kinst_compiler_may_be_started(const char *word)
{
	return strchr(word, '=') || kinst_is_program(word);
}

int kinst_compiler_find(struct kinst_compiler *compiler, const struct kinst_words *command)
{
	*compiler = (struct kinst_compiler){ 0 };
	for (size_t n = 0; n < command->n && n < MAX_LAUNCHERS && command->items[n][0] != '-'; n++) {
		if (n && !kinst_compiler_may_be_started(command->items[n]))
			break;
		kinst_words_add(&compiler->words, command->items[n]);
		if (compiler_recognise(compiler, &compiler->words))
			return 0;
	}
	kinst_words_free(&compiler->words);
	kinst_words_add(&compiler->words, command->items[0]);
	return -ENOENT;
}

int kinst_compiler_clang(const struct kinst_compiler *compiler)
{
	int major = compiler->clang && compiler->version ? atoi(strchrnul(compiler->version, ' ')) : 0;

	return major ? major : compiler->clang != 0;
}

void kinst_compiler_free(struct kinst_compiler *compiler)
{
	free(compiler->version);
	free(compiler->build);
	free(compiler->target);
	kinst_words_free(&compiler->words);
}
