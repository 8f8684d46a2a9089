/*
 * Source: see source.h.
 */
#include "opari/build/source.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "opari/base/process.h"
#include "opari/base/say.h"
#include "opari/base/temp.h"
#include "opari/build/blame.h"
#include "opari/data/data.h"
#include "opari/data/data_fortran.h"
#include "opari/emit/emit.h"
#include "opari/emit/emit_fortran.h"
#include "opari/emit/unmeasured.h"
#include "opari/opari2/fortran.h"
#include "opari/opari2/skeleton.h"
#include "opari/read/lines_fortran.h"

#ifndef OPARI2
#define OPARI2 "opari2"
#endif

/* Words that make no sense in a compile of one source to a file of ours. */
#define NOT_IN_STEPS                                                                                         \
	(KINST_BIT(KINST_WORD_INPUT) | KINST_BIT(KINST_WORD_LANGUAGE) | KINST_BIT(KINST_WORD_MODE) |         \
	 KINST_BIT(KINST_WORD_OUTPUT) | KINST_BIT(KINST_WORD_DEPEND) | KINST_BIT(KINST_WORD_SAVE))

enum { MOST_GIVEN_UP = 64 };

static void fail(struct kinst_source *source, const char *why, size_t length)
{
	source->state = KINST_FAILED;
	free(source->why);
	source->why = kinst_strndup(why, length);
}

/* A temporary path; without one there is nothing to be done but the original. */
static char *temp_path(struct kinst_source *source, const char *name)
{
	char *path = kinst_temp_path(name), *why;

	if (!path) {
		why = kinst_format("temporary folder: %s; set TMPDIR", strerror(errno));
		fail(source, why, strlen(why));
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

static void add_pair(struct kinst_words *words, const char *option, const char *value)
{
	kinst_words_add(words, option);
	kinst_words_add(words, value);
}

/* The dependency file as the plain compile would write it. */
static void add_depend(struct kinst_words *words, const struct kinst_source *source,
		       const struct kinst_context *context)
{
	const struct kinst_command *command = context->command;
	char *file = kinst_command_output(command, source->input, ".d", context->compiler->clang);
	char *object = kinst_command_object(command, source->input, context->compiler->clang);

	kinst_words_add(words, command->depend_system ? "-MD" : "-MMD");
	add_pair(words, "-MF", command->depend_file ? command->depend_file : file);
	/* gfortran names the object in the current folder by itself, and adds what it is told */
	if (!command->depend_target && (source->input->language != KINST_FORTRAN || command->output))
		add_pair(words, "-MQ", object);
	for (size_t i = 0; i < command->n_words; i++) {
		const char *word = command->words[i].text;

		if (command->words[i].class != KINST_WORD_DEPEND)
			continue;
		if (kinst_begins(word, "-MT") || kinst_begins(word, "-MQ")) {
			kinst_words_add(words, word);
			if (!word[3] && i + 1 < command->n_words)
				kinst_words_add(words, command->words[++i].text);
		} else if (!strcmp(word, "-MP") || !strcmp(word, "-MG")) {
			kinst_words_add(words, word);
		}
	}
	free(file);
	free(object);
}

/* The words that preprocess a source, up to the file. */
static void preprocess_words(struct kinst_words *words, const struct kinst_source *source,
			     const struct kinst_context *context)
{
	kinst_source_words(words, context, KINST_ALL_WORDS & ~(NOT_IN_STEPS | KINST_BIT(KINST_WORD_LINK)));
	if (context->compiler->clang)
		kinst_words_add(words, "-Qunused-arguments");
	kinst_words_add(words, "-E");
	if (source->input->x)
		add_pair(words, "-x", source->input->x);
}

/* Preprocess the original into a file; 0 when that is not to be. */
static int preprocess(struct kinst_source *source, const struct kinst_context *context)
{
	const struct kinst_command *command = context->command;
	struct kinst_words words = { 0 };
	struct kinst_text err = { 0 };
	struct kinst_run run = { .words = &words, .err = &err, .in = context->in };
	int status;

	source->preprocessed = temp_path(source, "preprocessed");
	if (!source->preprocessed)
		return 0;
	preprocess_words(&words, source, context);
	if (command->depend && !context->options->dry_run && !context->options->off)
		add_depend(&words, source, context);
	add_pair(&words, "-o", source->preprocessed);
	kinst_words_add(&words, command->words[source->input->word].text);
	status = kinst_process_run(&run);
	source->noisy = err.length > 0;
	source->broken = status != 0;
	kinst_words_free(&words);
	kinst_text_free(&err);
	return !source->broken;
}

/* Preprocess a file into `text`, with one more option; 0 when that failed. */
static int preprocess_again(const struct kinst_source *source, const struct kinst_context *context, const char *option,
			    const char *file, struct kinst_text *text)
{
	struct kinst_words words = { 0 };
	struct kinst_text err = { 0 };
	struct kinst_run run = { .words = &words, .out = text, .err = &err, .in = context->in };
	int status;

	preprocess_words(&words, source, context);
	if (!source->input->x)
		add_pair(&words, "-x", source->input->language == KINST_CXX ? "c++" : "c");
	kinst_words_add(&words, option);
	kinst_words_add(&words, "-w");
	kinst_words_add(&words, file);
	status = kinst_process_run(&run);
	kinst_words_free(&words);
	kinst_text_free(&err);
	return !status;
}

/* Macros in the arguments of `inst data`, which compilers leave as they are, become what they mean. */
static void expand_data(struct kinst_source *source, const struct kinst_context *context, struct kinst_text *text)
{
	const char *path = context->command->words[source->input->word].text;
	struct kinst_text defines = { 0 }, questions = { 0 }, answers = { 0 }, result = { 0 };
	int clang = context->compiler->clang;
	char *file;

	if (!kinst_data_in(text->data, text->length, source->input->language, 0) ||
	    !preprocess_again(source, context, "-dD", path, &defines) ||
	    !kinst_data_ask(defines.data, defines.length, clang, &questions))
		goto out;
	file = temp_path(source, "questions.c");
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

/* Run opari2 on `text`, stored under `name`.  0 when it failed. */
static int run_opari2(struct kinst_source *source, const struct kinst_context *context, const char *language,
		      const char *form, const char *name, const struct kinst_text *text,
		      struct kinst_text *output, struct kinst_text *include)
{
	struct kinst_words words = { 0 };
	struct kinst_text out = { 0 }, err = { 0 };
	struct kinst_run run = { .words = &words, .out = &out, .err = &err, .in = -1 };
	char *in = temp_path(source, name), *result, *inc, *option = NULL;
	const char *error;
	int status, ok = 0;

	if (!in)
		return 0;
	result = kinst_format("%s.out", in);
	inc = kinst_format("%s.opari.inc", in);
	kinst_text_puts(&err, "");
	kinst_words_add(&words, OPARI2);
	kinst_words_add(&words, "--preprocessed");
	kinst_words_add(&words, language);
	if (form)
		kinst_words_add(&words, form);
	kinst_words_add(&words, "--omp-task-untied=keep");
	if (context->options->disable) {
		option = kinst_format("--disable=%s", context->options->disable);
		kinst_words_add(&words, option);
	} else if (!context->command->openmp) {
		kinst_words_add(&words, "--disable=omp:locks");
	}
	add_pair(&words, in, result);
	status = kinst_write_file(in, text->data, text->length);
	if (!status)
		status = kinst_process_run(&run);
	error = strstr(err.data, "ERROR");
	if (status < 0) {
		char *why = kinst_format("opari2: %s; install the package opari2", strerror(-status));

		fail(source, why, strlen(why));
		free(why);
	} else if (status || error) {
		char *why;

		error = error ? error : err.length ? err.data : "it failed without a message";
		why = kinst_format("opari2: %.*s", (int)strcspn(error, "\n"), error);
		fail(source, why, strlen(why));
		free(why);
	} else if (kinst_read_file(result, output)) {
		fail(source, "opari2 wrote nothing", 20);
	} else {
		if (kinst_read_file(inc, include))
			kinst_text_puts(include, "");
		ok = 1;
	}
	kinst_words_free(&words);
	kinst_text_free(&out);
	kinst_text_free(&err);
	free(in);
	free(result);
	free(inc);
	free(option);
	return ok;
}

/* Of a text in place of the source's; NULL: the source's own. */
static const char *suffix_of(const struct kinst_source *source)
{
	return source->input->language != KINST_FORTRAN ? NULL : source->input->fixed ? ".f" : ".f90";
}

/* Write a text under the source's own name, as auxiliary files are named after it; its path, or NULL. */
static char *write_text(struct kinst_source *source, const char *suffix, const struct kinst_text *text)
{
	const char *base = source->name[0] == '<' ? "-" : kinst_basename(source->name),
		   *dot = strrchr(base, '.');
	char *name =
		kinst_format("%.*s%s", (int)(dot && dot != base && suffix ? dot - base : (long)strlen(base)),
			     base, suffix ? suffix : "");
	char *path = temp_path(source, name);

	free(name);
	if (path && kinst_write_file(path, text->data, text->length)) {
		fail(source, "temporary folder: cannot write; set TMPDIR", 42);
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
		return write_text(source, suffix, text);
	kinst_hooks_text(&result, text, context->command, source->input->language);
	path = write_text(source, suffix, &result);
	kinst_text_free(&result);
	return path;
}

/* Store the instrumented text. */
static void store(struct kinst_source *source, const struct kinst_context *context, const char *suffix,
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

/* Is a construct of opari2's --disable list switched off?  NULL: the whole of OpenMP. */
static int disabled(const struct kinst_options *options, const char *construct)
{
	const char *list = options->disable ? options->disable : "";

	for (; *list; list += strcspn(list, "+"), list += *list == '+') {
		const char *p = list + 3, *end = list + strcspn(list, "+");

		if (strncmp(list, "omp", 3) || (p < end && *p != ':'))
			continue;
		if (p == end)
			return 1;
		for (p++; construct && p < end; p += strcspn(p, ",+"), p += *p == ',') {
			size_t n = strcspn(p, ",+");

			if ((n == strlen(construct) && !strncmp(p, construct, n)) ||
			    (n == 4 && !strncmp(p, "sync", 4)))
				return 1;
		}
	}
	return 0;
}

/* Is `pomp` in the --disable list? */
static int disables_pomp(const struct kinst_options *options)
{
	for (const char *p = options->disable; p && *p; p += strcspn(p, "+"), p += *p == '+')
		if (kinst_begins(p, "pomp"))
			return 1;
	return 0;
}

const char *kinst_source_text(const struct kinst_source *source)
{
	return source->state == KINST_READY ? source->text : source->noted ? source->noted : source->as_is.text;
}

static int uses_opari2(const struct kinst_context *context)
{
	return context->options->engine && !strcmp(context->options->engine, "opari2");
}

/* By opari2, which is shown a skeleton. */
static void prepare_skeleton(struct kinst_source *source, const struct kinst_context *context,
			     const struct kinst_text *text, int openmp)
{
	int cxx = source->input->language == KINST_CXX;
	struct kinst_skeleton_options options = {
		.scope.openmp = openmp,
		.cxx = cxx,
		.locks = openmp && !disabled(context->options, "locks"),
		.directory = context->directory,
		.extra = context->prologue,
	};
	struct kinst_skeleton *skeleton = kinst_skeleton_new(text->data, text->length, &options);
	struct kinst_text output = { 0 }, include = { 0 }, result = { 0 };

	if (!skeleton)
		return;
	if (run_opari2(source, context, cxx ? "--c++" : "--c", NULL, cxx ? "text.cc" : "text.c",
		       kinst_skeleton_text(skeleton), &output, &include)) {
		if (kinst_skeleton_expand(skeleton, &output, &include, &result))
			fail(source, "opari2 lost a part of the text", 30);
		else
			store(source, context, NULL, &result);
	}
	kinst_skeleton_free(skeleton);
	kinst_text_free(&output);
	kinst_text_free(&include);
	kinst_text_free(&result);
}

/* What the compiler answers to an option, terminated in any case; its status. */
static int ask(const struct kinst_context *context, const char *option, struct kinst_text *out)
{
	struct kinst_words words = { 0 };
	struct kinst_run run = { .words = &words, .out = out, .in = -1 };
	int status;

	kinst_words_append(&words, &context->compiler->words);
	kinst_words_add(&words, option);
	kinst_text_puts(out, "");
	status = kinst_process_run(&run);
	kinst_words_free(&words);
	return status;
}

/* Does a line have the word `omp` and then `target`? */
static int speaks_of_target(const struct kinst_text *text, enum kinst_language language)
{
	const char *p = text->data;

	for (; (p = language == KINST_FORTRAN ? strcasestr(p, "target") : strstr(p, "target")); p++)
		for (const char *line = p; line > text->data && line[-1] != '\n'; line--)
			if (!strncasecmp(line - 1, "omp", 3) && (line[2] == ' ' || line[2] == '\t'))
				return 1;
	return 0;
}

/* Is what stands inside of `target` compiled for a device as well, where our functions are not? */
static int has_device(const struct kinst_context *context, const struct kinst_text *text, enum kinst_language language)
{
	const struct kinst_command *command = context->command;
	struct kinst_text out = { 0 };
	int found = 0, off = 0;

	for (size_t i = 0; i < command->n_words; i++) {
		found |= kinst_begins(command->words[i].text, "-fopenmp-targets=") ||
			 kinst_begins(command->words[i].text, "--offload-arch=");
		off |= !strcmp(command->words[i].text, "-foffload=disable");
	}
	if (found || off || context->compiler->clang || !speaks_of_target(text, language))
		return found;
	/* gcc's compilers for devices stand in a folder beside its own */
	found = !ask(context, "-print-file-name=accel", &out) && *out.data == '/';
	kinst_text_free(&out);
	return found;
}

/* The compiler's major version; 0: it does not say. */
static int version(const struct kinst_context *context)
{
	struct kinst_text out = { 0 };
	int major = ask(context, "-dumpversion", &out) ? 0 : atoi(out.data);

	kinst_text_free(&out);
	return major;
}

/* Are metadirective and dispatch more than unknown pragmas to the compiler?  To gcc since version 15. */
static int knows_variants(const struct kinst_context *context, const struct kinst_text *text)
{
	int asks = memmem(text->data, text->length, "omp metadirective", 17) ||
		   memmem(text->data, text->length, "omp dispatch", 12);

	return !asks || context->compiler->clang || version(context) >= 15;
}

/* And `parallel masked`, `parallel loop`?  To clang since version 15. */
static int knows_combined(const struct kinst_context *context, const struct kinst_text *text)
{
	int asks = memmem(text->data, text->length, " masked", 7) || memmem(text->data, text->length, " loop", 5);

	return !asks || !context->compiler->clang || version(context) >= 15;
}

/* The form of a Fortran text, as for kinst_fortran_columns. */
static int form_of(const struct kinst_source *source, const struct kinst_context *context)
{
	static const char option[] = "-ffixed-line-length-";
	int form = source->input->fixed != 0;

	for (size_t i = 0; form && i < context->command->n_words; i++) {
		const char *word = context->command->words[i].text;
		int n;

		if (!kinst_begins(word, option))
			continue;
		n = atoi(word + strlen(option));
		form = n > 6 ? n : INT_MAX;     /* none, 0 */
	}
	return form;
}

/* The value of the last -std=, or NULL. */
static const char *standard(const struct kinst_command *command)
{
	const char *std = NULL;

	for (size_t i = 0; i < command->n_words; i++)
		if (kinst_begins(command->words[i].text, "-std="))
			std = command->words[i].text + strlen("-std=");
	return std;
}

/* Put calls into source->original, but for what is given up. */
static void emit_calls(struct kinst_source *source, const struct kinst_context *context)
{
	int openmp = context->command->openmp && !disabled(context->options, NULL);
	const struct kinst_text *text = &source->original;
	const char *std = standard(context->command);
	struct kinst_emit_options options = {
		.openmp = openmp,
		.locks = openmp && !disabled(context->options, "locks"),
		.no_pomp = disables_pomp(context->options),
		.simd = context->options->simd,
		.device = openmp && has_device(context, text, source->input->language),
		.cxx = source->input->language == KINST_CXX,
		.clang = context->compiler->clang,
		.combined = knows_combined(context, text),
		.associate = !std || strcmp(std, "f95") != 0,
		.variants = knows_variants(context, text),
		.directory = context->directory,
		.extra = context->prologue,
		.disable = context->options->disable,
		.given_up = source->given_up,
		.n_given_up = source->n_given_up,
		.data = &source->data,
		.pomp = &source->pomp,
	};

	kinst_marks_again(&source->data);
	kinst_marks_again(&source->pomp);
	kinst_emitted_free(&source->emitted);
	if (source->input->language == KINST_FORTRAN)
		kinst_emit_fortran(text->data, text->length, form_of(source, context), source->name, &options,
				   &source->emitted);
	else
		kinst_emit(text->data, text->length, &options, &source->emitted);
}

/* The notes of what is not measured; why: nothing of the source is; NULL: what has a reason of its own. */
static void note_unmeasured(struct kinst_source *source, const struct kinst_context *context, const char *why)
{
	kinst_text_free(&source->unmeasured);
	for (size_t i = 0; i < source->emitted.n_constructs; i++) {
		const struct kinst_construct *c = source->emitted.constructs + i;

		if (kinst_unmeasured_is(c) || (why && c->is_measured))
			kinst_unmeasured_add(&source->unmeasured, c, context->directory, c->is_measured ? why : c->why);
	}
}

/* Store source->original with calls in it; 0: there is nothing to put in. */
static int emit(struct kinst_source *source, const struct kinst_context *context)
{
	emit_calls(source, context);
	source->noisy |= source->emitted.is_quieter;
	note_unmeasured(source, context, NULL);
	if (source->unmeasured.length && source->input->language != KINST_FORTRAN)
		kinst_unmeasured_show(&source->emitted.text, &source->unmeasured);
	else if (!source->emitted.n_calls && !source->has_data)
		return 0;
	store(source, context, suffix_of(source), &source->emitted.text);
	return 1;
}

/* Nothing of a FAILED source is measured: note that.  What clang compiles has no file of the assembler's beside it. */
static void note_failure(struct kinst_source *source, const struct kinst_context *context)
{
	struct kinst_text text = { 0 };

	if (!source->original.length)
		return;
	emit_calls(source, context);
	note_unmeasured(source, context, source->why);
	if (source->unmeasured.length && context->compiler->clang) {
		kinst_original_blank(&source->original, &text);
		kinst_unmeasured_show(&text, &source->unmeasured);
		source->noted = write_text(source, NULL, &text);
	}
	kinst_text_free(&text);
}

/* Name the constructs that are not measured, but for those that were not before. */
static void say_unmeasured(const struct kinst_emitted *emitted, const struct kinst_emitted *before)
{
	for (size_t i = 0; i < emitted->n_constructs; i++) {
		const struct kinst_construct *c = emitted->constructs + i;

		if (kinst_unmeasured_is(c) && (!before || before->constructs[i].is_measured))
			kinst_say("kinst: %s:%u: %s: not measured: %s\n", c->file, c->first_line, c->name, c->why);
	}
}

/* Put calls in for the first time, and say what is wrong with the user's directives, and which constructs are not
 * measured. */
static void emit_first(struct kinst_source *source, const struct kinst_context *context)
{
	emit(source, context);
	kinst_say_lines(source->emitted.messages.data);
	say_unmeasured(&source->emitted, NULL);
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

static void prepare_c(struct kinst_source *source, const struct kinst_context *context,
		      const struct kinst_text *text)
{
	int openmp = context->command->openmp && !disabled(context->options, NULL);

	source->calls_ompp = calls_ompp(text);
	if (!memmem(text->data, text->length, "omp", 3))
		return;
	kinst_text_add(&source->original, text->data, text->length);
	if (uses_opari2(context)) {
		prepare_skeleton(source, context, text, openmp);
		return;
	}
	emit_first(source, context);
}

static void prepare_fortran_opari2(struct kinst_source *source, const struct kinst_context *context,
				   const struct kinst_text *text)
{
	int fixed = source->input->fixed;
	struct kinst_fortran_options options = {
		.openmp = context->command->openmp && !disabled(context->options, NULL),
		.fixed = fixed,
		.file = source->name,
		.directory = context->directory,
		.std = standard(context->command),
	};
	struct kinst_text input = { 0 }, output = { 0 }, include = { 0 }, result = { 0 };
	static const char nameless[] = "its main program has no PROGRAM statement";
	int expanded;

	if (kinst_fortran_prepare(text, &options, &input) &&
	    run_opari2(source, context, fixed ? "--f77" : "--f90", fixed ? "--fix-form" : "--free-form",
		       fixed ? "text.f" : "text.f90", &input, &output, &include)) {
		expanded = kinst_fortran_expand(&output, &include, &options, &result);
		if (expanded > 0)
			store(source, context, suffix_of(source), &result);
		else if (expanded < 0)
			fail(source, nameless, strlen(nameless));
	}
	kinst_text_free(&input);
	kinst_text_free(&output);
	kinst_text_free(&include);
	kinst_text_free(&result);
}

/* The text as the emitter wants it: see lines_fortran.h. */
static void read_lines(const struct kinst_source *source, const struct kinst_context *context,
		       const struct kinst_text *text, struct kinst_text *lines)
{
	struct kinst_words folders = { 0 };
	struct kinst_fortran_lines how = { form_of(source, context), source->name, &folders };

	for (size_t i = 0; i < context->command->n_words; i++) {
		const char *word = context->command->words[i].text;

		if (!kinst_begins(word, "-I") || (!word[2] && i + 1 == context->command->n_words))
			continue;
		kinst_words_add(&folders, word[2] ? word + 2 : context->command->words[++i].text);
	}
	kinst_text_puts(lines, "");
	kinst_fortran_lines(text, &how, lines);
	kinst_words_free(&folders);
}

/* Make calls of the data directives of a Fortran text: source->original. */
static void call_data(struct kinst_source *source, const struct kinst_context *context, struct kinst_text *messages)
{
	struct kinst_fortran_data_options data = { source->input->fixed, source->name, standard(context->command),
						   &source->data };
	struct kinst_text called = { 0 };
	size_t n;

	kinst_marks_again(&source->data);
	n = kinst_data_fortran_rewrite(source->lines.data, source->lines.length, &data, &called, messages);
	kinst_text_free(&source->original);
	if (n)
		kinst_data_fortran_show(&called, &source->original);
	else
		kinst_text_add(&source->original, source->lines.data, source->lines.length);
	source->has_data = n > 0;
	kinst_text_free(&called);
}

static void prepare_fortran(struct kinst_source *source, const struct kinst_context *context,
			    const struct kinst_text *text)
{
	struct kinst_text messages = { 0 };

	source->uses_ompp = strcasestr(text->data, "ompp") != NULL;
	if (uses_opari2(context)) {
		kinst_text_add(&source->original, text->data, text->length);
		prepare_fortran_opari2(source, context, text);
		return;
	}
	read_lines(source, context, text, &source->lines);
	call_data(source, context, &messages);
	kinst_say_lines(messages.data);
	emit_first(source, context);
	kinst_text_free(&messages);
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

/* The file of a line marker, "# 1 \"/usr/include/stdio.h\" 1 3"; 1 when the line is one. */
struct marked { const char *file; size_t n; int is_system; };

static int is_marker(struct marked *marked, const char *line, const char *eol)
{
	const char *from = eol - line > 4 && line[0] == '#' && line[1] == ' ' ? memchr(line, '"', (size_t)(eol - line)) : NULL;
	const char *to = from ? memrchr(from + 1, '"', (size_t)(eol - from - 1)) : NULL;

	if (!to)
		return 0;
	*marked = (struct marked){ from + 1, (size_t)(to - from - 1), memmem(to, (size_t)(eol - to), " 3", 2) != NULL };
	return 1;
}

/* Is the folder's name part of the path of a file that is not the system's?  The compiler would leave that out, too. */
static int is_in_users(const struct kinst_text *text, const char *folder)
{
	const char *p = text->data, *end = p + text->length, *eol;
	struct marked marked;

	for (; p < end; p = eol + 1) {
		eol = memchr(p, '\n', (size_t)(end - p));
		eol = eol ? eol : end;
		if (is_marker(&marked, p, eol) && !marked.is_system && memmem(marked.file, marked.n, folder, strlen(folder)))
			return 1;
	}
	return 0;
}

static int has(const struct kinst_words *words, const char *word)
{
	for (size_t i = 0; i < words->n; i++)
		if (!strcmp(words->items[i], word))
			return 1;
	return 0;
}

/* Note the folders of system headers, each once. */
static void note_system(struct kinst_source *source, const struct kinst_text *text)
{
	const char *p = text->data, *end = p + text->length, *eol;
	struct kinst_words seen = { 0 };
	struct marked marked;

	for (; p < end; p = eol + 1) {
		const char *slash;
		char *folder;

		eol = memchr(p, '\n', (size_t)(end - p));
		eol = eol ? eol : end;
		slash = is_marker(&marked, p, eol) && marked.is_system ? memrchr(marked.file, '/', marked.n) : NULL;
		if (!slash || memchr(marked.file, ',', marked.n))
			continue;
		folder = kinst_format("%.*s/", (int)(slash - marked.file), marked.file);
		if (!has(&seen, folder)) {
			kinst_words_add(&seen, folder);
			if (!is_in_users(text, folder))
				kinst_text_printf(&source->system, "%s%s", source->system.length ? "," : "", folder);
		}
		free(folder);
	}
	kinst_words_free(&seen);
}

void kinst_source_add_functions(struct kinst_words *words, const struct kinst_source *sources, size_t n,
				const struct kinst_context *context)
{
	const char *list = context->options->functions;

	if (!list)
		return;
	kinst_words_add(words, "-finstrument-functions");
	for (size_t i = 0; i < n && !context->compiler->clang && !strstr(list, "std::"); i++) {
		char *word = kinst_format("-finstrument-functions-exclude-file-list=%s", sources[i].system.data);

		if (sources[i].system.length)
			kinst_words_add(words, word);
		free(word);
	}
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
		prepare_fortran(source, context, text);
	else
		prepare_c(source, context, text);
	if (source->state == KINST_FAILED)
		note_failure(source, context);
	if (source->hooks != KINST_HOOKS_OFF)
		store_bare(source, context, suffix_of(source), text);
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
		if (!preprocess(source, context))
			return;
		error = kinst_read_file(source->preprocessed, &text);
		if (!error && language != KINST_FORTRAN && !context->options->off)
			expand_data(source, context, &text);
	}
	if (error || memchr(text.data, '\0', text.length)) {
		source->broken = error != 0;    /* the compiler says why; zero bytes are its business too */
	} else {
		find_original(source, context, &text);
		if (context->options->functions && language != KINST_FORTRAN)
			note_system(source, &text);
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

/* The words of a compile into a file of ours, up to the source. */
static void compile_words(struct kinst_words *words, const struct kinst_source *source,
			  const struct kinst_context *context, unsigned int without, const char *output)
{
	const struct kinst_command *command = context->command;
	char *folder = kinst_strndup(output, (size_t)(kinst_basename(output) - output));

	if (source->input->language == KINST_FORTRAN)
		without |= KINST_BIT(KINST_WORD_MODULE);
	if (command->mode == KINST_LINK)
		without |= KINST_BIT(KINST_WORD_LINK);
	kinst_source_words(words, context, KINST_ALL_WORDS & ~(NOT_IN_STEPS | KINST_BIT(KINST_WORD_OURS) | without));
	if (source->input->language == KINST_FORTRAN) {
		for (size_t i = 0; i < command->n_words; i++) {
			const char *word = command->words[i].text;

			if (command->words[i].class != KINST_WORD_MODULE)
				continue;
			kinst_words_add(words, "-I");
			kinst_words_add(words, word[2] ? word + 2 : command->words[++i].text);
		}
		add_pair(words, "-J", folder);
	}
	/* clang would leave the debug information in the current folder */
	if (context->compiler->clang)
		kinst_words_add(words, "-gno-split-dwarf");
	kinst_words_add(words, "-S");
	add_pair(words, "-o", output);
	free(folder);
}

/* Compile one text, or the original, for what the compiler says of it. */
static int judge(const struct kinst_source *source, const struct kinst_context *context, const char *text,
		 const struct kinst_words *more)
{
	struct kinst_words words = { 0 };
	struct kinst_run run = { .words = &words, .in = context->in };
	char *output = kinst_temp_path("judged.s");
	int status;

	if (!output)
		return 1;
	compile_words(&words, source, context, 0, output);
	kinst_words_append(&words, more);
	if (text) {
		if (context->compiler->clang)
			kinst_words_add(&words, "-Qunused-arguments");
		add_pair(&words, "-x", source->x);
		kinst_words_add(&words, text);
	} else {
		if (source->input->x)
			add_pair(&words, "-x", source->input->x);
		kinst_words_add(&words, context->command->words[source->input->word].text);
	}
	status = kinst_process_run(&run);
	kinst_words_free(&words);
	free(output);
	return status < 0 ? 1 : status;
}

int kinst_source_judge_others(const struct kinst_source *source, const struct kinst_context *context)
{
	struct kinst_words none = { 0 };

	return source->as_is.others ? judge(source, context, source->as_is.others, &none) : 0;
}

int kinst_source_judge(const struct kinst_source *source, const struct kinst_context *context)
{
	int status = judge(source, context, source->as_is.text, &source->as_is.words);
	int others = kinst_source_judge_others(source, context);

	return status ? status : others;
}

/* Compile the instrumented text, warnings aside; its status, and what the compiler said. */
static int try_text(const struct kinst_source *source, const struct kinst_context *context, const char *output,
		    struct kinst_text *err)
{
	struct kinst_words words = { 0 };
	struct kinst_run run = { .words = &words, .err = err, .in = -1, .in_english = 1 };
	int status;

	compile_words(&words, source, context, source->input->language == KINST_FORTRAN ?
		      KINST_BIT(KINST_WORD_PREPROCESS) :
		      KINST_BIT(KINST_WORD_PREPROCESS) | KINST_BIT(KINST_WORD_FOLDER), output);
	kinst_words_add(&words, "-w");
	add_pair(&words, "-x", source->x);
	kinst_words_add(&words, source->text);
	status = kinst_process_run(&run);
	kinst_words_free(&words);
	return status;
}

/* Leave one more construct as it is, and say so; 0: none is to blame. */
static int give_up_construct(struct kinst_source *source, const struct kinst_emitted *emitted, const char *messages)
{
	long blamed = kinst_blame_construct(emitted, messages);
	struct kinst_construct *c;
	char *why;

	if (blamed < 0)
		return 0;
	c = emitted->constructs + blamed;
	why = kinst_blame_first_error(messages);
	kinst_say("kinst: %s:%u: %s: not measured: %s; the construct stays as it is\n", c->file, c->first_line, c->name,
		why);
	free(why);
	c->is_measured = 0;
	source->given_up = kinst_realloc(source->given_up, (source->n_given_up + 1) * sizeof(*source->given_up));
	source->given_up[source->n_given_up++] = (uint32_t)blamed;
	return 1;
}

/* Leave out what errors stand in: directives of the user's, or else a construct; 0: nothing is to blame. */
static int give_up_some(struct kinst_source *source, const struct kinst_context *context, const char *messages)
{
	struct kinst_emitted before = source->emitted;
	struct kinst_text unread = { 0 };
	size_t n_marks;
	int ok;

	if (uses_opari2(context))
		return 0;
	n_marks = kinst_blame_marks(&source->data, messages) + kinst_blame_marks(&source->pomp, messages);
	if (!n_marks && !give_up_construct(source, &before, messages))
		return 0;
	source->n_marks_given_up += n_marks;
	if (n_marks && source->input->language == KINST_FORTRAN)
		call_data(source, context, &unread);
	source->emitted = (struct kinst_emitted){ 0 };
	ok = emit(source, context);
	say_unmeasured(&source->emitted, &before);
	kinst_emitted_free(&before);
	kinst_text_free(&unread);
	return ok;
}

void kinst_source_try(struct kinst_source *source, const struct kinst_context *context)
{
	char *output = temp_path(source, "tried.s"), *why;
	struct kinst_text err = { 0 };

	if (!output)
		return;
	kinst_text_puts(&err, "");
	for (size_t n = 0; try_text(source, context, output, &err); n++) {
		if (n < MOST_GIVEN_UP && !context->options->strict && give_up_some(source, context, err.data)) {
			err.length = 0;
			continue;
		}
		why = kinst_blame_first_error(err.data);
		fail(source, why, strlen(why));
		note_failure(source, context);
		free(why);
		break;
	}
	kinst_text_free(&err);
	free(output);
}
