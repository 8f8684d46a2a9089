/*
 * Source: see source.h.
 */
#include "opari/build/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opari/base/process.h"
#include "opari/base/say.h"
#include "opari/base/temp.h"
#include "opari/build/calls.h"
#include "opari/build/functions.h"
#include "opari/build/preprocess.h"
#include "opari/data/data.h"
#include "opari/emit/emit.h"

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

const char *kinst_source_suffix(const struct kinst_source *source)
{
	return source->input->language != KINST_FORTRAN ? NULL : source->input->fixed ? ".f" : ".f90";
}

char *kinst_source_write(struct kinst_source *source, const char *suffix, const struct kinst_text *text)
{
	const char *base = source->name[0] == '<' ? "-" : kinst_basename(source->name),
		   *dot = strrchr(base, '.');
	char *name =
		kinst_format("%.*s%s", (int)(dot && dot != base && suffix ? dot - base : (long)strlen(base)),
			     base, suffix ? suffix : "");
	char *path = kinst_source_path(source, name);

	free(name);
	if (path && kinst_write_file(path, text->data, text->length)) {
		kinst_source_fail(source, "temporary folder: cannot write; set TMPDIR", 42);
		free(path);
		path = NULL;
	}
	return path;
}

/* Write a text that is compiled with hooks, if any. */
static char *write_hooked(struct kinst_source *source, const struct kinst_context *context,
			  const char *suffix, const struct kinst_text *text)
{
	struct kinst_text result = { 0 };
	char *path;

	if (source->hooks == KINST_HOOKS_OFF || context->compiler->clang ||
	    source->input->language == KINST_FORTRAN)
		return kinst_source_write(source, suffix, text);
	kinst_hooks_text(&result, text, context->command, source->input->language);
	path = kinst_source_write(source, suffix, &result);
	kinst_text_free(&result);
	return path;
}

void kinst_source_store(struct kinst_source *source, const struct kinst_context *context, const char *suffix,
		  const struct kinst_text *text)
{
	source->text = write_hooked(source, context, suffix, text);
	if (source->text)
		source->state = KINST_READY;
}

/* Store what is compiled with hooks when there is no instrumented text. */
static void store_bare(struct kinst_source *source, const struct kinst_context *context, const char *suffix,
		       const struct kinst_text *text)
{
	struct kinst_text copy = { 0 };

	if (source->as_is.text) {
		source->bare = kinst_strdup(source->as_is.text);
		return;
	}
	if (source->input->language == KINST_FORTRAN && text->data[0] != '#')
		kinst_text_printf(&copy, "# 1 \"%s\"\n", source->name);
	if (source->input->language == KINST_FORTRAN)
		kinst_text_add(&copy, text->data, text->length);
	else
		kinst_original_blank(text, &copy);
	source->bare = write_hooked(source, context, suffix, &copy);
	kinst_text_free(&copy);
}

const char *kinst_source_text(const struct kinst_source *source)
{
	return source->state == KINST_READY ? source->text : source->noted ? source->noted : source->as_is.text;
}

/* Does a text speak of libompp's functions, elsewhere than in ompp.h?  What its macros become counts as of a system header,
 * so that no marker tells it from what that declares. */
static int calls_ompp(const struct kinst_text *text)
{
	const char *p = text->data, *end = p + text->length, *eol;
	int in_header = 0;

	if (!memmem(p, text->length, "ompp_", 5))
		return 0;
	for (; p < end; p = eol + 1) {
		eol = memchr(p, '\n', (size_t)(end - p));
		eol = eol ? eol : end;
		if (eol - p > 3 && p[0] == '#' && p[1] == ' ')
			in_header = memmem(p, (size_t)(eol - p), "ompp.h\"", 7) != NULL;
		else if (!in_header && memmem(p, (size_t)(eol - p), "ompp_", 5))
			return 1;
	}
	return 0;
}

/* The hooks that a source shall get; says why when they are asked for and cannot be had. */
static enum kinst_hooks choose_hooks(const struct kinst_source *source, const struct kinst_context *context,
				     const struct kinst_text *text)
{
	const struct kinst_options *options = context->options;
	const char *conflict = kinst_hooks_conflict(context->command);
	char *archive;
	int found;

	if (options->no_access ||
	    (!options->access &&
	     !kinst_data_in(text->data, text->length, source->input->language, source->input->fixed)))
		return KINST_HOOKS_OFF;
	if (conflict) {
		kinst_say("kinst: %s: not hooked: %s is given; its accesses are not counted\n",
			source->name, conflict);
		return KINST_HOOKS_OFF;
	}
	archive = kinst_format("%s/libompp_access.a", context->library);
	found = !access(archive, R_OK);
	if (!found)
		kinst_say("kinst: %s: not hooked: %s: cannot be read; set KINST_LIBDIR\n", source->name,
			archive);
	free(archive);
	if (!found)
		return KINST_HOOKS_OFF;
	if (kinst_hooks_lto(context->command))
		kinst_say("kinst: %s: compiled without -flto: it would drop the access hooks\n",
			source->name);
	return options->access && *options->access ? KINST_HOOKS_SOURCE : KINST_HOOKS_ON;
}

/* How the original is compiled where it has to be. */
static void find_original(struct kinst_source *source, const struct kinst_context *context, const struct kinst_text *text)
{
	const struct kinst_input *input = source->input;

	if (input->language != KINST_FORTRAN)
		kinst_original_find(&source->as_is, text, input, context->compiler, context->command);
	else if (context->command->openmp)
		kinst_original_find_fortran(&source->as_is, text, source->name, input->fixed);
}

static void prepare_text(struct kinst_source *source, const struct kinst_context *context, const struct kinst_text *text)
{
	source->hooks = choose_hooks(source, context, text);
	if (source->input->language == KINST_FORTRAN)
		source->uses_ompp = strcasestr(text->data, "ompp") != NULL;
	else
		source->calls_ompp = calls_ompp(text);
	if (source->input->language == KINST_FORTRAN || memmem(text->data, text->length, "omp", 3)) {
		kinst_text_add(&source->original, text->data, text->length);
		kinst_calls_put(source, context);
	}
	if (source->state == KINST_FAILED)
		kinst_calls_note_failure(source, context);
	if (source->hooks != KINST_HOOKS_OFF)
		store_bare(source, context, kinst_source_suffix(source), text);
}

void kinst_source_prepare(struct kinst_source *source, const struct kinst_context *context)
{
	const char *path = context->command->words[source->input->word].text;
	enum kinst_language language = source->input->language;
	struct kinst_text text = { 0 };
	int error;

	source->name = strcmp(path, "-") ? path : "<stdin>";
	source->x = language == KINST_CXX ? "c++-cpp-output" : language == KINST_C ? "cpp-output" :
		    source->input->fixed ? "f77" : "f95";
	if (source->input->preprocessed) {
		error = strcmp(path, "-") ? kinst_read_file(path, &text) : kinst_read_fd(context->in, &text);
	} else {
		if (!kinst_preprocess(source, context))
			return;
		error = kinst_read_file(source->preprocessed, &text);
		if (!error && language != KINST_FORTRAN && !context->options->off)
			kinst_preprocess_data(source, context, &text);
	}
	if (error || memchr(text.data, '\0', text.length)) {
		source->broken = error != 0;    /* the compiler says why; zero bytes are its business too */
	} else {
		find_original(source, context, &text);
		if (context->options->functions && language != KINST_FORTRAN)
			kinst_functions_note(source, &text);
		if (!context->options->off)
			prepare_text(source, context, &text);
	}
	kinst_text_free(&text);
}

void kinst_source_free(struct kinst_source *source)
{
	free(source->text);
	free(source->preprocessed);
	kinst_original_free(&source->as_is);
	free(source->noted);
	free(source->bare);
	free(source->unseen);
	free(source->why);
	free(source->given_up);
	kinst_text_free(&source->original);
	kinst_text_free(&source->lines);
	kinst_text_free(&source->system);
	kinst_marks_free(&source->data);
	kinst_marks_free(&source->pomp);
	kinst_text_free(&source->unmeasured);
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
