/*
 * Functions: see functions.h.
 */
#include "opari/source/functions.h"

#include <stdlib.h>
#include <string.h>

/* The file that a line marker names, as in `# 1 "/usr/include/stdio.h" 1 3`. */
struct marked {
	const char *file;
	size_t n;
	int is_system;
};

/* Returns 1 when the line is such a marker. */
static int is_marker(struct marked *marked, const char *line, const char *eol)
{
	const char *from = eol - line > 4 && line[0] == '#' && line[1] == ' ' ? memchr(line, '"', (size_t)(eol - line))
	                                                                      : NULL;
	const char *to = from ? memrchr(from + 1, '"', (size_t)(eol - from - 1)) : NULL;

	if (!to)
		return 0;
	*marked = (struct marked){ from + 1, (size_t)(to - from - 1), memmem(to, (size_t)(eol - to), " 3", 2) != NULL };
	return 1;
}

/* Adds the first n bytes of a text as a word, unless that is in the list already. */
static void add_once(struct kinst_words *words, const char *text, size_t n)
{
	char *word;

	for (size_t i = 0; i < words->n; i++)
		if (strlen(words->items[i]) == n && !memcmp(words->items[i], text, n))
			return;
	word = kinst_strndup(text, n);
	kinst_words_add(words, word);
	free(word);
}

/*
 * Returns 1 when the folder's name is a part of one of the files' paths.  The compiler would leave those files out,
 * too.
 */
static int is_in(const struct kinst_words *files, const char *folder)
{
	for (size_t i = 0; i < files->n; i++)
		if (strstr(files->items[i], folder))
			return 1;
	return 0;
}

void kinst_functions_note(struct kinst_source *source, const struct kinst_text *text)
{
	const char *p = text->data, *end = p + text->length, *eol, *slash;
	struct kinst_words folders = { 0 }, users = { 0 };
	struct marked marked;

	for (; p < end; p = eol + 1) {
		eol = memchr(p, '\n', (size_t)(end - p));
		eol = eol ? eol : end;
		if (!is_marker(&marked, p, eol))
			continue;
		slash = memrchr(marked.file, '/', marked.n);
		if (!marked.is_system)
			add_once(&users, marked.file, marked.n);
		else if (slash && !memchr(marked.file, ',', marked.n))
			add_once(&folders, marked.file, (size_t)(slash + 1 - marked.file));
	}
	for (size_t i = 0; i < folders.n; i++)
		if (!is_in(&users, folders.items[i]))
			kinst_text_printf(&source->system, "%s%s", source->system.length ? "," : "", folders.items[i]);
	kinst_words_free(&folders);
	kinst_words_free(&users);
}

/* Returns 1 when the user has said how much debug information there shall be. */
static int chooses_debug(const struct kinst_command *command)
{
	for (size_t i = 0; i < command->n_words; i++) {
		const char *word = command->words[i].text;

		if (kinst_begins(word, "-g") && !kinst_begins(word, "-gno-") && !kinst_begins(word, "-gcc-toolchain"))
			return 1;
	}
	return 0;
}

void kinst_functions_add(struct kinst_words *words, const struct kinst_source *sources, size_t n,
                         const struct kinst_context *context)
{
	const char *list = context->options->functions;

	if (!list || context->compiler->flang) /* which has no such option */
		return;
	kinst_words_add(words, "-finstrument-functions");
	/* Line tables say where functions are, and change no instruction. */
	if (!chooses_debug(context->command))
		kinst_words_add(words, "-g1");
	for (size_t i = 0; i < n && !context->compiler->clang && !strstr(list, "std::"); i++) {
		char *word = kinst_format("-finstrument-functions-exclude-file-list=%s", sources[i].system.data);

		if (sources[i].system.length)
			kinst_words_add(words, word);
		free(word);
	}
}
