/*
 * Source: see build_source.h.
 */
#include "opari/source/kinst_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "opari/base/say.h"
#include "opari/base/temp.h"

int kinst_source_is_handed_on(const struct kinst_source *source, const struct kinst_context *context)
{
	return source->input->language == KINST_FORTRAN && context->compiler->clang && !context->compiler->flang;
}

enum kinst_lto kinst_source_lto(const struct kinst_source *source, const struct kinst_context *context)
{
	const struct kinst_command *command = context->command;
	int is_asked = 0;

	for (size_t i = 0; i < command->n_words; i++) {
		const char *text = command->words[i].text;

		if (!strcmp(text, "-flto") || kinst_begins(text, "-flto="))
			is_asked = 1;
		else if (!strcmp(text, "-fno-lto"))
			is_asked = 0;
	}
	return !is_asked                                         ? KINST_LTO_NONE
	     : source->hooks != KINST_HOOKS_OFF || source->works ? KINST_LTO_LEFT
	                                                         : KINST_LTO_KEPT;
}

void kinst_source_fail(struct kinst_source *source, const char *why, size_t length)
{
	source->state = KINST_FAILED;
	free(source->why);
	source->why = kinst_strndup(why, length);
}

char *kinst_source_path(struct kinst_source *source, const char *name)
{
	char *path = kinst_temp_path(name), *why;

	if (!path) {
		why = kinst_format("temporary folder: %s; set TMPDIR", strerror(errno));
		kinst_source_fail(source, why, strlen(why));
		free(why);
	}
	return path;
}

void kinst_source_words(struct kinst_words *words, const struct kinst_context *context, unsigned int classes)
{
	const struct kinst_command *command = context->command;

	kinst_words_append(words, &context->compiler->words);
	for (size_t i = 0; i < command->n_words; i++)
		if (classes & KINST_BIT(command->words[i].class))
			kinst_words_add(words, command->words[i].text);
}

const char *kinst_source_suffix(const struct kinst_source *source, const struct kinst_context *context)
{
	return !context->compiler->flang || source->input->language != KINST_FORTRAN ? NULL
	     : source->input->fixed                                                  ? ".f"
	                                                                             : ".f90";
}

char *kinst_source_write(struct kinst_source *source, const char *suffix, const struct kinst_text *text)
{
	const char *base = source->name[0] == '<' ? "-" : kinst_basename(source->name), *dot = strrchr(base, '.');
	char *name = kinst_format("%.*s%s", (int)(dot && dot != base && suffix ? dot - base : (long)strlen(base)), base,
	                          suffix ? suffix : "");
	char *path = kinst_source_path(source, name);
	struct kinst_text bundle = { 0 };

	free(name);
	if (kinst_bundle_is(&source->bundle)) {
		kinst_bundle_put(&source->bundle, text, &bundle);
		text = &bundle;
	}
	if (path && kinst_write_file(path, text->data, text->length)) {
		kinst_source_fail(source, "temporary folder: cannot write; set TMPDIR", 42);
		free(path);
		path = NULL;
	}
	kinst_text_free(&bundle);
	return path;
}

char *kinst_source_write_hooked(struct kinst_source *source, const struct kinst_context *context, const char *suffix,
                                const struct kinst_text *text)
{
	struct kinst_text result = { 0 };
	char *path;

	if (source->hooks == KINST_HOOKS_OFF || context->compiler->clang || source->input->language == KINST_FORTRAN)
		return kinst_source_write(source, suffix, text);
	kinst_hooks_text(&result, text, context->command, source->input->language);
	path = kinst_source_write(source, suffix, &result);
	kinst_text_free(&result);
	return path;
}

void kinst_source_store(struct kinst_source *source, const struct kinst_context *context, const char *suffix,
                        const struct kinst_text *text)
{
	source->text = kinst_source_write_hooked(source, context, suffix, text);
	if (source->text)
		source->state = KINST_READY;
}

const char *kinst_source_text(const struct kinst_source *source)
{
	return source->state == KINST_READY ? source->text : source->noted ? source->noted : source->as_is.text;
}

void kinst_source_free(struct kinst_source *source)
{
	free(source->text);
	free(source->preprocessed);
	kinst_original_free(&source->as_is);
	free(source->noted);
	free(source->bare);
	free(source->not_loops);
	free(source->uncounted);
	free(source->why);
	free(source->given_up);
	free(source->images);
	kinst_bundle_free(&source->bundle);
	kinst_text_free(&source->original);
	kinst_text_free(&source->lines);
	kinst_text_free(&source->system);
	kinst_words_free(&source->modules);
	kinst_words_free(&source->uses);
	kinst_marks_free(&source->data);
	kinst_marks_free(&source->pomp);
	kinst_text_free(&source->unmeasured);
	kinst_text_free(&source->loops);
	kinst_emitted_free(&source->emitted);
}

int kinst_source_report(struct kinst_source *source, const struct kinst_context *context)
{
	if (source->state != KINST_FAILED)
		return 0;
	if (source->why)
		kinst_say("kinst: %s: not instrumented: %s; %s\n", source->name, source->why,
		          context->options->strict ? "--strict makes this an error" : "the plain code is used");
	free(source->why);
	source->why = NULL;
	return context->options->strict ? -1 : 0;
}
