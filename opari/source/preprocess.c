/*
 * Preprocess: see preprocess.h.
 */
#include "opari/source/preprocess.h"

#include <stdlib.h>
#include <string.h>

#include "opari/base/process.h"
#include "opari/base/temp.h"
#include "opari/command/command_output.h"
#include "opari/data/data.h"
#include "opari/data/data_macros.h"
#include "opari/read/lexer.h"

/* Returns 1 when a word -Wp,… names targets of the dependency file. */
static int names_target(const struct kinst_command *command)
{
	int found = 0;

	for (size_t i = 0; i < command->n_words; i++)
		found |= kinst_begins(command->words[i].text, "-Wp,-M") &&
		         (strstr(command->words[i].text, ",-MT,") || strstr(command->words[i].text, ",-MQ,"));
	return found;
}

/* Adds the words that write the dependency file as the driver would for -MD or -MMD.
 * path: of the file; NULL where no word names it */
static void add_depend_of(struct kinst_words *words, const struct kinst_source *source,
                          const struct kinst_context *context, int system, const char *path)
{
	const struct kinst_command *command = context->command;
	char *file = kinst_command_output(command, source->input, ".d", context->compiler->clang);
	char *object = kinst_command_object(command, source->input);
	int clang = context->compiler->clang,
	    by_itself = source->input->language == KINST_FORTRAN || (!clang && names_target(command));

	kinst_words_add(words, system ? "-MD" : "-MMD");
	kinst_words_pair(words, "-MF", path ? path : file);
	/* The preprocessor names the object in the current folder by itself where it is told nothing, and gfortran's in
	 * any case. */
	if (!command->depend_target && (!by_itself || command->output))
		kinst_words_pair(words, "-MQ", object);
	free(object);
	free(file);
}

/* Adds a word -Wp,-M….  gcc's driver hands on what is in it as it is; clang's takes -MD,FILE for its own, and where
 * more follows it takes the -MD alone. */
static void add_depend_direct(struct kinst_words *words, const struct kinst_source *source,
                              const struct kinst_context *context, const char *word)
{
	size_t n = kinst_begins(word, "-Wp,-MD,") ? 8 : kinst_begins(word, "-Wp,-MMD,") ? 9 : 0;

	if (!n || !context->compiler->clang) {
		kinst_words_add(words, word);
		return;
	}
	add_depend_of(words, source, context, n == 8, strchr(word + n, ',') ? NULL : word + n);
}

/* Adds the words that write the dependency file as the plain compile would. */
static void add_depend(struct kinst_words *words, const struct kinst_source *source,
                       const struct kinst_context *context)
{
	const struct kinst_command *command = context->command;

	if (command->depend)
		add_depend_of(words, source, context, command->depend_system, command->depend_file);
	for (size_t i = 0; i < command->n_words; i++) {
		const char *word = command->words[i].text;

		if (command->words[i].class != KINST_WORD_DEPEND)
			continue;
		if (kinst_begins(word, "-Wp,")) {
			add_depend_direct(words, source, context, word);
		} else if (kinst_begins(word, "-MT") || kinst_begins(word, "-MQ")) {
			kinst_words_add(words, word);
			if (!word[3] && i + 1 < command->n_words)
				kinst_words_add(words, command->words[++i].text);
		} else if (!strcmp(word, "-MP") || !strcmp(word, "-MG")) {
			kinst_words_add(words, word);
		}
	}
}

/* Adds the words that preprocess a source, up to the file. */
static void preprocess_words(struct kinst_words *words, const struct kinst_source *source,
                             const struct kinst_context *context)
{
	kinst_source_words(words, context, KINST_ALL_WORDS & ~(KINST_NOT_IN_STEPS | KINST_BIT(KINST_WORD_LINK)));
	if (context->compiler->clang && !context->compiler->flang)
		kinst_words_add(words, "-Qunused-arguments");
	kinst_words_add(words, "-E");
	if (source->input->x)
		kinst_words_pair(words, "-x", source->input->x);
}

/* Makes lines `#line "./FILE" N`, as flang writes them, markers as other compilers have them. */
static void make_markers(const char *path, const char *name)
{
	struct kinst_text text = { 0 }, result = { 0 };
	const char *p, *eol;

	if (kinst_read_file(path, &text))
		return;
	for (p = text.data; *p; p = eol) {
		const char *file = p + strlen("#line \""), *quote, *end;

		eol = strchrnul(p, '\n');
		end = eol;
		eol += *eol != '\0';
		quote = kinst_begins(p, "#line \"") ? memrchr(p, '"', (size_t)(end - p)) : NULL;
		if (quote && quote > file) {
			if (kinst_begins(file, "./") && kinst_begins(file + 2, name))
				file += 2;
			kinst_text_printf(&result, "#%.*s \"%.*s\"\n", (int)(end - quote - 1), quote + 1,
			                  (int)(quote - file), file);
		} else {
			kinst_text_add(&result, p, (size_t)(eol - p));
		}
	}
	kinst_write_file(path, result.data, result.length);
	kinst_text_free(&text);
	kinst_text_free(&result);
}

/* Returns how many newlines a token has. */
static uint32_t newlines_in(const char *token, uint32_t length)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < length; i++)
		n += token[i] == '\n';
	return n;
}

/* Is this the begin of a line marker? */
static int is_marker(const char *p)
{
	return p[0] == '#' && p[1] == ' ' && p[2] >= '0' && p[2] <= '9';
}

/* Takes out the newlines that clang writes once more behind a line with a raw string of several lines, so that what
 * follows stands in its own line.  Where it writes a line marker instead, that is right. */
static void settle_lines(const char *path)
{
	struct kinst_text text = { 0 }, result = { 0 };
	struct kinst_tokens tokens;
	const char *from, *end;

	if (kinst_read_file(path, &text))
		return;
	from = text.data;
	if (!memmem(text.data, text.length, "R\"", 2) || kinst_lexer_read(&tokens, text.data, text.length)) {
		kinst_text_free(&text);
		return;
	}
	for (uint32_t i = 0, n = 0; i < tokens.n_tokens; i++) {
		const struct kinst_token *t = &tokens.tokens[i];

		n += t->kind == KINST_LITERAL ? newlines_in(text.data + t->at, t->length) : 0;
		end = text.data + t->at + t->length;
		end += n ? strcspn(end, "\n") : 0;
		if (!n || (i + 1 < tokens.n_tokens && text.data + t[1].at < end)) /* not the last one of its line */
			continue;
		end += *end == '\n';
		if (is_marker(end + strspn(end, "\n")))
			n = 0;
		kinst_text_add(&result, from, (size_t)(end - from));
		for (from = end; n && *from == '\n'; n--)
			from++;
		n = 0;
	}
	kinst_text_puts(&result, from);
	if (result.length < text.length)
		kinst_write_file(path, result.data, result.length);
	kinst_lexer_free(&tokens);
	kinst_text_free(&text);
	kinst_text_free(&result);
}

int kinst_preprocess(struct kinst_source *source, const struct kinst_context *context)
{
	const struct kinst_command *command = context->command;
	struct kinst_words words = { 0 };
	struct kinst_text err = { 0 };
	struct kinst_run run = { .words = &words, .err = &err, .in = context->in };
	int status;

	source->preprocessed = kinst_source_path(source, "preprocessed");
	if (!source->preprocessed)
		return 0;
	preprocess_words(&words, source, context);
	/* Fortran's are written behind the compile, by the compiler, which leaves none where it rejects the source. */
	if ((command->depend || command->depend_direct) && !context->options->dry_run && !context->options->off &&
	    source->input->language != KINST_FORTRAN)
		add_depend(&words, source, context);
	kinst_words_pair(&words, "-o", source->preprocessed);
	kinst_words_add(&words, command->words[source->input->word].text);
	status = kinst_process_run(&run);
	source->noisy |= err.length > 0;
	source->broken = status != 0;
	if (context->compiler->flang && !source->broken)
		make_markers(source->preprocessed, source->name);
	else if (context->compiler->clang && !source->broken)
		settle_lines(source->preprocessed);
	kinst_words_free(&words);
	kinst_text_free(&err);
	return !source->broken;
}

/* Preprocesses a file into `text`, with one more option.  Returns 0 when that failed. */
static int preprocess_again(const struct kinst_source *source, const struct kinst_context *context, const char *option,
                            const char *file, struct kinst_text *text)
{
	struct kinst_words words = { 0 };
	struct kinst_text err = { 0 };
	struct kinst_run run = { .words = &words, .out = text, .err = &err, .in = context->in };
	int status;

	preprocess_words(&words, source, context);
	if (!source->input->x)
		kinst_words_pair(&words, "-x", source->input->language == KINST_CXX ? "c++" : "c");
	kinst_words_add(&words, option);
	kinst_words_add(&words, "-w");
	kinst_words_add(&words, file);
	status = kinst_process_run(&run);
	kinst_words_free(&words);
	kinst_text_free(&err);
	return !status;
}

void kinst_preprocess_data(struct kinst_source *source, const struct kinst_context *context, struct kinst_text *text)
{
	const char *path = context->command->words[source->input->word].text;
	struct kinst_text defines = { 0 }, questions = { 0 }, answers = { 0 }, result = { 0 };
	int clang = context->compiler->clang;
	char *file;

	if (!kinst_data_in(text->data, text->length) || !preprocess_again(source, context, "-dD", path, &defines) ||
	    !kinst_data_ask(defines.data, defines.length, clang, &questions))
		goto out;
	file = kinst_source_path(source, "questions.c");
	if (file && !kinst_write_file(file, questions.data, questions.length) &&
	    preprocess_again(source, context, "-P", file, &answers) &&
	    !kinst_data_expand(text->data, text->length, clang, answers.data, answers.length, &result)) {
		kinst_text_free(text);
		*text = result;
		result = (struct kinst_text){ 0 };
	}
	free(file);
out:
	kinst_text_free(&defines);
	kinst_text_free(&questions);
	kinst_text_free(&answers);
	kinst_text_free(&result);
}

/* Adds the words that read a source once more for other files than its object, up to the mode. */
static void again_words(struct kinst_words *words, const struct kinst_context *context)
{
	struct kinst_words all = { 0 };
	char *aside = context->compiler->clang ? NULL : kinst_temp_path("aside-");

	kinst_source_words(&all, context, KINST_ALL_WORDS & ~(KINST_NOT_IN_STEPS | KINST_BIT(KINST_WORD_LINK)));
	for (size_t i = 0; i < all.n; i++)
		if (!kinst_begins(all.items[i], "-fdump-")) /* which the compile has written or printed */
			kinst_words_add(words, all.items[i]);
	if (aside) /* other files than this one are the compile's */
		kinst_words_pair(words, "-dumpdir", aside);
	kinst_words_free(&all);
	free(aside);
}

/* Adds the source itself. */
static void add_source(struct kinst_words *words, const struct kinst_source *source,
                       const struct kinst_context *context)
{
	if (source->input->x)
		kinst_words_pair(words, "-x", source->input->x);
	kinst_words_add(words, context->command->words[source->input->word].text);
}

void kinst_preprocess_environment(const struct kinst_source *source, const struct kinst_context *context)
{
	struct kinst_words words = { 0 };
	struct kinst_text out = { 0 }, err = { 0 };
	struct kinst_run run = { .words = &words, .out = &out, .err = &err, .in = context->in };

	kinst_source_words(&words, context, KINST_ALL_WORDS & ~(KINST_NOT_IN_STEPS | KINST_BIT(KINST_WORD_LINK)));
	kinst_words_add(&words, "-E");
	if (source->input->language != KINST_FORTRAN) /* in which warnings may be errors, and then there is no file */
		kinst_words_add(&words, "-w");
	add_source(&words, source, context);
	kinst_process_run(&run);
	kinst_words_free(&words);
	kinst_text_free(&out);
	kinst_text_free(&err);
}

int kinst_preprocess_depend(const struct kinst_source *source, const struct kinst_context *context, int speaks)
{
	const struct kinst_command *command = context->command;
	struct kinst_words words = { 0 };
	struct kinst_text err = { 0 };
	struct kinst_run run = { .words = &words, .err = &err, .in = context->in };
	int status;

	if (source->input->language != KINST_FORTRAN || source->input->preprocessed ||
	    !(command->depend || command->depend_direct))
		return 0;
	again_words(&words, context);
	add_depend(&words, source, context);
	kinst_words_add(&words, "-fsyntax-only");
	add_source(&words, source, context);
	status = kinst_process_run(&run);
	if (status && speaks) { /* of the file alone, as the compile has given its warnings */
		kinst_words_add(&words, "-w");
		run.err = NULL;
		status = kinst_process_run(&run);
	}
	kinst_words_free(&words);
	kinst_text_free(&err);
	return status < 0 ? 126 : status;
}
