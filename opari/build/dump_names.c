/*
 * Dump names: see dump_names.h.
 */
#include "opari/build/dump_names.h"

#include <stdlib.h>
#include <string.h>

#include "opari/base/process.h"
#include "runtime/base/array.h"

int kinst_dump_names_given(const struct kinst_command *command)
{
	for (size_t i = 0; i < command->n_words; i++)
		if (command->words[i].class == KINST_WORD_DUMP)
			return 1;
	return 0;
}

static int has_word(const struct kinst_words *words, const char *word)
{
	for (size_t i = 0; i < words->n; i++)
		if (!strcmp(words->items[i], word))
			return 1;
	return 0;
}

/* Returns the value of an option in a command of the driver's; "" without it. */
static const char *value_of(const struct kinst_words *line, const char *option)
{
	for (size_t i = 0; i + 1 < line->n; i++)
		if (!strcmp(line->items[i], option))
			return line->items[i + 1];
	return "";
}

/* Takes the names from a command of the driver's. */
static void take_names(struct kinst_input *input, const struct kinst_words *line)
{
	const char *folder = value_of(line, "-dumpdir"), *base = value_of(line, "-dumpbase");
	const char *suffix = value_of(line, "-dumpbase-ext");
	size_t n = strlen(base);

	/* without a folder, a step would take that of its output */
	kinst_words_pair(&input->dumps, "-dumpdir", *folder ? folder : "./");
	kinst_words_pair(&input->dumps, "-dumpbase", base);
	if (*suffix)
		kinst_words_pair(&input->dumps, "-dumpbase-ext", suffix);
	if (*suffix && kinst_ends(base, suffix))
		n -= strlen(suffix);
	input->dump_stem = kinst_format("%s%.*s", folder, (int)n, base);
}

/* Takes the names from the first of the driver's commands that compiles the source, or what another one makes of it. */
static void find_names(struct kinst_input *input, const char *path, const char *text)
{
	char *name = kinst_strdup(path);

	for (const char *p = text, *end; *p && !input->dump_stem; p = end + (*end == '\n')) {
		struct kinst_words line = { 0 };
		char *copy;

		end = strchrnul(p, '\n');
		copy = kinst_strndup(p, (size_t)(end - p));
		kinst_words_split(&line, copy);
		if (has_word(&line, name) && has_word(&line, "-dumpbase")) {
			take_names(input, &line);
		} else if (has_word(&line, name) && has_word(&line, "-o")) {
			free(name);
			name = kinst_strdup(value_of(&line, "-o"));
		}
		kinst_words_free(&line);
		free(copy);
	}
	free(name);
}

void kinst_dump_names_find(struct kinst_command *command, const struct kinst_words *words)
{
	struct kinst_words asked = { 0 };
	struct kinst_text out = { 0 }, err = { 0 };
	struct kinst_run run = { .words = &asked, .out = &out, .err = &err, .in = -1 };

	if (!kinst_dump_names_given(command))
		return;
	kinst_words_append(&asked, words);
	kinst_words_add(&asked, "-###");
	kinst_text_puts(&err, "");
	kinst_process_run(&run);
	for (size_t i = 0; i < command->n_inputs; i++)
		if (command->inputs[i].language != KINST_FOREIGN)
			find_names(command->inputs + i, command->words[command->inputs[i].word].text, err.data);
	kinst_words_free(&asked);
	kinst_text_free(&out);
	kinst_text_free(&err);
}
