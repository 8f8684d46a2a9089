/*
 * Compiler: see compiler.h.
 */
#include "opari/command/compiler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opari/base/process.h"

#define MAX_LAUNCHERS 4

/* Finds out by `-v` whether the words are gcc or clang.  Returns 1 when they are one of them, and 0 otherwise. */
static int recognise(struct kinst_compiler *compiler, const struct kinst_words *words)
{
	struct kinst_words question = { 0 };
	struct kinst_text answer = { 0 }, rest = { 0 };
	struct kinst_run run = { .words = &question, .out = &rest, .err = &answer, .in = -1, .in_english = 1 };
	const char *name = kinst_basename(words->items[words->n - 1]), *driver;
	int status, known = 0;

	kinst_words_append(&question, words);
	kinst_words_add(&question, "-v");
	kinst_text_puts(&answer, "\n");
	status = kinst_process_run(&run);
	if (status >= 0) {
		compiler->clang = strstr(answer.data, "clang version ") != NULL;
		compiler->x86 = strstr(answer.data, "\nTarget: x86_64") || strstr(answer.data, "\nTarget: i");
		known = compiler->clang || strstr(answer.data, "\ngcc version ");
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

/*
 * Returns 1 when a launcher may start it, so that both are asked together, as in `env A=1 gcc`.  A word that is no
 * program is an argument, as in `ar qc libx.a`.
 */
static int is_program(const char *name)
{
	const char *path = getenv("PATH");
	int found = 0;

	if (strchr(name, '='))
		return 1;
	if (strchr(name, '/'))
		return !access(name, X_OK);
	for (; path && *path && !found; path += strcspn(path, ":"), path += *path == ':') {
		char *file = kinst_format("%.*s/%s", (int)strcspn(path, ":"), path, name);

		found = !access(file, X_OK);
		free(file);
	}
	return found;
}

int kinst_compiler_find(struct kinst_compiler *compiler, const struct kinst_words *command)
{
	*compiler = (struct kinst_compiler){ 0 };
	for (size_t n = 0; n < command->n && n < MAX_LAUNCHERS && command->items[n][0] != '-'; n++) {
		if (n && !is_program(command->items[n]))
			break;
		kinst_words_add(&compiler->words, command->items[n]);
		if (recognise(compiler, &compiler->words))
			return 0;
	}
	kinst_words_free(&compiler->words);
	kinst_words_add(&compiler->words, command->items[0]);
	return -ENOENT;
}

void kinst_compiler_free(struct kinst_compiler *compiler)
{
	kinst_words_free(&compiler->words);
}
